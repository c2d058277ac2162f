import { isInside, joinPath, type FileReader } from "../files/fileReader.ts";
import type { FolderReader } from "../files/folderReader.ts";
import { eachInPieces, inTurns } from "../concurrency/turns.ts";
import type { FileFinder } from "./fileFinder.ts";
import { inPool } from "../concurrency/inPool.ts";

/** An editor reads its whole answer in one go, which takes it a hundredth of a second for so many paths. */
const MAX_AT_ONCE = 5_000;
/** Links in circles show the editor one file under many names. */
const MAX_FILES = 200_000;
const SEARCHES_AT_ONCE = 4;

/** What an editor is asked for. */
export interface FileSearch {
  readonly include: string;
  readonly exclude: string;
  /** The folder that both globs are relative to, absolute; without it each of the open folders. */
  readonly below?: string;
  /** How many are answered at most. */
  readonly most: number;
}

/** What a finder stands on. */
interface DividedFinderPorts {
  /** Absolute paths, in any order. */
  readonly search: (search: FileSearch) => Promise<readonly string[]>;
  readonly files: Pick<FolderReader, "list"> & Pick<FileReader, "realPath">;
  /** The open folders. */
  readonly folders: () => readonly string[];
}

/**
 * Finds files by the editor's own search, which follows the settings of what is hidden, and asks again folder by folder
 * where there are so many that one answer would hold up everything else.
 */
export class DividedFinder implements FileFinder {
  readonly #ports: DividedFinderPorts;

  constructor(ports: DividedFinderPorts) {
    this.#ports = ports;
  }

  async find(include: string, exclude: string): Promise<readonly string[]> {
    const found = await this.#ports.search({ include, exclude, most: MAX_AT_ONCE });
    if (found.length < MAX_AT_ONCE) return found;
    const folders = this.#ports.folders();
    const all = new Set<string>();
    const linked = new Set<string>();
    const [only] = folders;
    if (folders.length === 1 && only !== undefined) await this.#divide(only, include, exclude, all, linked);
    else for (const folder of folders) await this.#below(folder, include, exclude, all, linked);
    return [...all];
  }

  async #below(
    below: string,
    include: string,
    exclude: string,
    all: Set<string>,
    linked: Set<string>,
  ): Promise<void> {
    if (all.size >= MAX_FILES) return;
    const found = await this.#ports.search({ below, include, exclude, most: MAX_AT_ONCE });
    if (found.length < MAX_AT_ONCE) await addAll(all, found);
    else await this.#divide(below, include, exclude, all, linked);
  }

  async #divide(
    folder: string,
    include: string,
    exclude: string,
    all: Set<string>,
    linked: Set<string>,
  ): Promise<void> {
    const { search, files } = this.#ports;
    const own = /^\*\*\/([^/]+)$/.exec(include)?.[1];
    // Of a folder that holds very many itself, the editor answers with all at once.
    if (own !== undefined)
      await addAll(all, await search({ below: folder, include: own, exclude, most: MAX_FILES }));
    const excluded = namesIn(/^\*\*\/\{(.*)\}\/\*\*$/.exec(exclude)?.[1]);
    const inner = ((await files.list(folder)) ?? []).filter(
      ({ name, kind }) => kind === "folder" && !excluded.includes(name),
    );
    await inPool(inner, SEARCHES_AT_ONCE, async ({ name, link }) => {
      const path = joinPath(folder, name);
      if (link && !(await this.#isNew(path, linked))) return;
      await this.#below(path, includeBelow(include, name), exclude, all, linked);
    });
  }

  /** Whether a link leads somewhere else: what lies in an open folder has a name of its own there. */
  async #isNew(path: string, linked: Set<string>): Promise<boolean> {
    const real = await this.#ports.files.realPath(path);
    if (real === undefined || linked.has(real)) return false;
    linked.add(real);
    return !this.#ports.folders().some((folder) => isInside(real, folder));
  }
}

async function addAll(all: Set<string>, found: readonly string[]): Promise<void> {
  await inTurns(
    eachInPieces(found, (path) => {
      if (all.size < MAX_FILES) all.add(path);
    }),
  );
}

/** What a glob asks for in a folder of this name, relative to that folder: of a folder that it names, what lies in it. */
function includeBelow(include: string, name: string): string {
  const [, names, rest] = /^\*\*\/\{([^}]*)\}\/(\*\*\/.*)$/.exec(include) ?? [];
  return rest !== undefined && namesIn(names).includes(name) ? rest : include;
}

function namesIn(braces: string | undefined): readonly string[] {
  return braces?.split(",") ?? [];
}
