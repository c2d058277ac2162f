import { INSTALLED_FOLDERS } from "../sources/packagedPath.ts";
import { inTurns, Turns } from "../concurrency/turns.ts";
import { joinPath, lastSegment } from "../files/fileReader.ts";
import { textOf } from "../json/dataFile.ts";
import { languageOfPath } from "../languages/language.ts";
import { RULES } from "../languages/rules.ts";
import type { CommitFiles } from "./commitFiles.ts";
import { ifNotTooLarge, isPointer, type CommittedItem } from "./commitTree.ts";

/** Where a contract lies in a commit, and its name there. */
export interface ContractPlace {
  /** Absolute. */
  readonly path: string;
  readonly contractName: string;
}

/** How a contract is known again under another name. */
export interface KnownText {
  /** The lines of its file that say something. */
  readonly lines: ReadonlySet<string>;
  /** The contracts of the same commit: what is there beside it was not renamed to it. */
  readonly names: ReadonlySet<string>;
}

/** A source file of a commit. */
interface CommittedSource {
  /** From the top of the work tree, with `/` before. */
  readonly path: string;
  /** What it defines and what can be deployed. */
  readonly names: readonly string[];
  readonly lines: ReadonlySet<string>;
}

/** The places of one name that are tried in a commit. */
const MAX_PLACES = 3;
/** So many files of a commit are looked through. */
const MAX_FILES = 5_000;
/** And so many folders: a few objects of git, each named many times by the one before, make folders without end. */
const MAX_FOLDERS = 10_000;
const MAX_SOURCE_BYTES = 4 * 1024 * 1024;
/** The share of its lines that a renamed file has kept; git's own default for files that were renamed. */
const LEAST_KEPT = 0.5;
/** What is in every file tells nothing of one. */
const COMMON_LINE = /^(?:\W*|\/\/ SPDX-.*|pragma .*|# ?@?(?:pragma|version)\b.*|import\b.*|from\b.*)$/;

/**
 * Finds where a contract lies in a commit: at its path, else, since files are renamed and moved, in the files of its
 * language that define its name, those of the same name and of the most common folders first. Where none does, the
 * contract had another name: then in the files that share most lines with the one that it has now.
 */
export class ContractPlaces {
  readonly #root: string;
  readonly #path: string;
  readonly #contractName: string;
  readonly #ending: string;
  readonly #signal: AbortSignal | undefined;
  /** By the id of a blob and the name of its file: a file is in many commits. */
  readonly #sources = new Map<string, Omit<CommittedSource, "path">>();

  /**
   * @param root the top of the work tree
   * @param contract where it lies, or lay when it was last seen
   * @param signal ends looking through a commit
   */
  constructor(root: string, { path, contractName }: ContractPlace, signal?: AbortSignal) {
    this.#root = root;
    this.#path = path;
    this.#contractName = contractName;
    this.#ending = path.slice(path.lastIndexOf("."));
    this.#signal = signal;
  }

  /**
   * The likeliest first.
   *
   * @param known tells how the contract is known again, where another commit has it
   * @param isEverywhere whether its name may stand elsewhere, too, though its file is there
   */
  async in(
    files: CommitFiles,
    known: () => Promise<KnownText | undefined>,
    isEverywhere = false,
  ): Promise<readonly ContractPlace[]> {
    const { tree } = files;
    const inner = this.#inner;
    const own = { path: this.#path, contractName: this.#contractName };
    const item = await tree.at(inner);
    if (item?.kind === "file" && !isEverywhere) {
      const source = await this.#source(files, item);
      // What can't be read may be it, which is told.
      if (!source || source.names.includes(this.#contractName)) return [own];
    }
    const sources = await this.#all(files);
    const defining = sources.filter(({ names }) => names.includes(this.#contractName));
    if (defining.length > 0)
      return defining
        .sort((a, b) => likeness(b.path, inner) - likeness(a.path, inner))
        .slice(0, MAX_PLACES)
        .map(({ path }) => ({ ...own, path: this.#absolute(path) }));
    return this.#renamed(sources, await known());
  }

  /** How the contract of a commit is known again; `undefined` where the commit does not have it. */
  async known(files: CommitFiles): Promise<KnownText | undefined> {
    const sources = await this.#all(files);
    const [source] = sources
      .filter(({ names }) => names.includes(this.#contractName))
      .sort((a, b) => likeness(b.path, this.#inner) - likeness(a.path, this.#inner));
    return source && { lines: source.lines, names: new Set(sources.flatMap(({ names }) => names)) };
  }

  #renamed(sources: readonly CommittedSource[], known: KnownText | undefined): ContractPlace[] {
    if (!known) return [];
    return sources
      .flatMap(({ path, names, lines }) => {
        // In its own file a contract may have changed at will.
        const kept = path === this.#inner ? 1 : shareOf(lines, known.lines);
        const gone = names.filter((name) => !known.names.has(name));
        return kept < LEAST_KEPT ? [] : gone.map((contractName) => ({ path, contractName, kept }));
      })
      .sort((a, b) => b.kept - a.kept || likeness(b.path, this.#inner) - likeness(a.path, this.#inner))
      .slice(0, MAX_PLACES)
      .map(({ path, contractName }) => ({ path: this.#absolute(path), contractName }));
  }

  /**
   * The sources of the project's language that a commit has, but for installed packages: those nearest to the top, where
   * there are more than are looked through.
   */
  async #all(files: CommitFiles): Promise<CommittedSource[]> {
    const { tree } = files;
    const found: CommittedSource[] = [];
    const folders = ["/"];
    const turns = new Turns();
    let seen = 0;
    // Those that are appended meanwhile have their turn, too.
    for (const folder of folders) {
      if (seen >= MAX_FILES) break;
      for (const { name, kind } of (await tree.entriesOf(await tree.at(folder))) ?? []) {
        if (turns.isOver) {
          await turns.next();
          this.#signal?.throwIfAborted();
        }
        const path = joinPath(folder, name);
        // Dependencies hold no contract of the project.
        if (kind === "folder" && !INSTALLED_FOLDERS.includes(name) && folders.length < MAX_FOLDERS)
          folders.push(path);
        if (kind !== "file" || !name.endsWith(this.#ending)) continue;
        seen++;
        const file = await tree.at(path);
        const source = file && (await this.#source(files, file));
        if (source) found.push({ path, ...source });
      }
    }
    return found;
  }

  /** `undefined` for what is not in this clone. */
  async #source(
    { tree }: CommitFiles,
    file: CommittedItem,
  ): Promise<Omit<CommittedSource, "path"> | undefined> {
    const key = `${file.id} ${lastSegment(file.path)}`;
    const known = this.#sources.get(key);
    if (known) return known;
    const stored = await ifNotTooLarge(tree.bytesOf(file, MAX_SOURCE_BYTES).then((bytes) => ({ bytes })));
    if (stored && (!stored.bytes || isPointer(stored.bytes))) return undefined;
    const text = (stored?.bytes && textOf(stored.bytes)) ?? "";
    const language = languageOfPath(file.path);
    const definitions = language ? await inTurns(RULES[language].definitions(file.path, text)) : [];
    const names = definitions.filter(({ kind }) => kind !== "interface").map(({ name }) => name);
    const source = { names, lines: linesOf(text) };
    this.#sources.set(key, source);
    return source;
  }

  get #inner(): string {
    return this.#path.slice(this.#root === "/" ? 0 : this.#root.length);
  }

  #absolute(inner: string): string {
    return joinPath(this.#root, inner.slice(1));
  }
}

function linesOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => !COMMON_LINE.test(line)),
  );
}

/** The share of lines that two files have in common, of the smaller one: a file may have been put into another. */
function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  let common = 0;
  for (const line of smaller) if (larger.has(line)) common++;
  return smaller.size === 0 ? 0 : common / smaller.size;
}

/** How much two paths have in common, the name of the file above all. */
function likeness(one: string, other: string): number {
  const [a, b] = [one.split("/"), other.split("/")];
  const folders = a.filter((part) => b.includes(part)).length / Math.max(a.length, b.length);
  return (a.at(-1) === b.at(-1) ? 1 : 0) + folders;
}
