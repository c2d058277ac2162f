import { openFile, type FileReader } from "../files/fileReader.ts";
import type { FolderReader } from "../files/folderReader.ts";
import type { CommitFiles, Question } from "./commitFiles.ts";
import type { ContractPlace } from "./contractPlaces.ts";

/** What was asked of the files of a commit, by question and path, with what decided the answer. */
type AskedFiles = ReadonlyMap<string, string>;

/** Reads the files of a commit for a job, and keeps account of all that it was asked. */
export class AskedCommit implements FolderReader {
  readonly #files: CommitFiles;
  readonly #asked = new Map<string, { readonly question: Question; readonly path: string }>();

  constructor(files: CommitFiles) {
    this.#files = files;
  }

  read(path: string, largest?: number): Promise<Uint8Array | undefined> {
    return this.#noted("read", path).read(path, largest);
  }

  open(path: string, largest?: number): ReturnType<NonNullable<FileReader["open"]>> {
    return openFile(this.#noted("read", path), path, largest);
  }

  realPath(path: string): Promise<string | undefined> {
    return this.#noted("real", path).realPath(path);
  }

  list(path: string): ReturnType<FolderReader["list"]> {
    return this.#noted("list", path).list(path);
  }

  /** All that was asked so far. */
  async asked(): Promise<AskedFiles> {
    const answers = new Map<string, string>();
    for (const [key, { question, path }] of this.#asked)
      answers.set(key, await this.#files.answer(question, path));
    return answers;
  }

  #noted(question: Question, path: string): CommitFiles {
    this.#asked.set(`${question} ${path}`, { question, path });
    return this.#files;
  }
}

/** What became of a state of the files, and by what it is known again. */
interface KnownState<State> {
  readonly asked: AskedFiles;
  readonly state: State;
}

/**
 * The states that were looked at. An input is made of what was read and of nothing else, so two commits that answer all
 * of it alike have the same input, whatever else was changed between them.
 */
export class CommitStates<State> {
  /** By the answer for the contract's own file, which tells most states apart. */
  readonly #known = new Map<string, KnownState<State>[]>();

  /** The state that a commit is in, if it is one of those. */
  async of(files: CommitFiles, contract: ContractPlace): Promise<State | undefined> {
    for (const { asked, state } of this.#known.get(await own(files, contract)) ?? [])
      if (await answersAlike(files, asked)) return state;
    return undefined;
  }

  async add(files: CommitFiles, contract: ContractPlace, asked: AskedFiles, state: State): Promise<void> {
    const key = await own(files, contract);
    this.#known.set(key, [...(this.#known.get(key) ?? []), { asked, state }]);
  }
}

async function own(files: CommitFiles, { path, contractName }: ContractPlace): Promise<string> {
  return `${path}:${contractName} ${await files.answer("read", path)}`;
}

async function answersAlike(files: CommitFiles, asked: AskedFiles): Promise<boolean> {
  for (const [key, answer] of asked) {
    const space = key.indexOf(" ");
    if ((await files.answer(key.slice(0, space) as Question, key.slice(space + 1))) !== answer) return false;
  }
  return true;
}
