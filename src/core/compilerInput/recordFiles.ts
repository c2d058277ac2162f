import { applyRemappings, type Remapping } from "../languages/solidity/remapping.ts";
import { recordRemappings } from "../tools/recordRemappings.ts";
import { isInside, joinPath, parentFolder } from "../files/fileReader.ts";
import type { AdmittedSource, AdmittedSources } from "../sources/admittedSources.ts";
import type { FolderReader } from "../files/folderReader.ts";
import { asItems, asText, field, parseJson } from "../json/looseData.ts";
import { isMachinePath, machinePath } from "../files/machinePath.ts";
import { findPackage } from "../tools/nodePackages.ts";
import { recordFormatNamed } from "../tools/recordFormats.ts";
import { toolsOf, type Project } from "../tools/project.ts";
import type { ToolRules } from "../tools/toolShape.ts";
import { eachEntryInPieces } from "../json/entriesInPieces.ts";
import { inTurns, Turns, type Pieces } from "../concurrency/turns.ts";
import { inPool } from "../concurrency/inPool.ts";
import type { BuildRecord } from "./buildRecord.ts";
import { inputFileOf } from "../sources/inputFile.ts";
import { inNodeModules } from "../sources/packagedPath.ts";
import { changeBetween, decodeSource, hasByteOrderMark } from "../sources/sourceText.ts";
import type { ChangedFile, InputFile, StandardJsonInput } from "../sources/standardJsonInput.ts";
import { searchPathsOf } from "../tools/searchPaths.ts";

interface RecordPlaces {
  readonly project: Project;
  /** The open folder that holds the contract. */
  readonly folder: string;
}

/** A source of a record that may not go: what it stands for is not known, or known to lie outside. */
export interface StrangeSource {
  readonly name: string;
  readonly reason: "not on disk" | "outside";
}

/** What the sources of a record come to on disk. */
export interface RecordFiles {
  /** The files of the project and its dependencies that sources stand for. */
  readonly files: readonly InputFile[];
  /** Of these the ones that are no longer what was compiled. */
  readonly changed: readonly ChangedFile[];
  readonly strange: readonly StrangeSource[];
  /** By name, the texts that were compiled where the record has other line endings. */
  readonly compiled: ReadonlyMap<string, string>;
}

/** So many files are looked for at once. */
const FILES_AT_ONCE = 64;
/** More sources that lead nowhere are not looked for everywhere. */
const MAX_SEARCHED = 300;

/** A text of a record: what goes, and how it compares with the bytes of a file. */
interface RecordedText {
  readonly name: string;
  /** Of a source alone. */
  readonly content?: string;
  readonly bytes: number;
  readonly changeFrom: (source: AdmittedSource) => ChangedFile["change"] | undefined;
}

/**
 * The files that the sources of a record stand for. A record is only a file of the repository, and what it says was
 * compiled may be anything: a source goes for a file that it names, changed or not, or for one whose path ends like
 * its name and whose text is the same; any other stands for nothing.
 *
 * @param isReadBySolc whether the compiler read the source of a name from the disk itself, as it is there, while the
 *   record has the text that forge handed over under another name, with LF for CRLF
 */
export async function filesOfRecord(
  files: FolderReader,
  sources: AdmittedSources,
  record: Pick<BuildRecord, "format" | "path" | "input">,
  places: RecordPlaces,
  isReadBySolc: (name: string) => boolean,
): Promise<RecordFiles> {
  const texts = knownTexts.get(record.input) ?? (await inTurns(textsOf(record)));
  // What is shared between contracts is frozen.
  if (Object.isFrozen(record.input)) knownTexts.set(record.input, texts);
  const finder = new RecordFinder(files, sources, record, places);
  await finder.prepare(texts.map(({ name }) => name));
  let searched = 0;
  const turns = new Turns();
  const compiled = new Map<string, string>();
  const found = await inPool(texts, FILES_AT_ONCE, async ({ name, content, bytes, changeFrom }) => {
    if (turns.isOver) await turns.next();
    const named = await finder.named(name);
    if (named && "forbidden" in named) return { strange: { name, reason: "outside" } as const };
    const source =
      named ?? (searched++ < MAX_SEARCHED ? await finder.alike(name, (one) => !changeFrom(one)) : undefined);
    if (!source) {
      const isOutside = finder.isElsewhere(name);
      return { strange: { name, reason: isOutside ? "outside" : "not on disk" } as const };
    }
    const change = changeFrom(source);
    const onDisk =
      content !== undefined && !change && isReadBySolc(name)
        ? decodeSource(source.path, source.bytes)
        : content;
    const isOther = onDisk !== undefined && onDisk !== content;
    if (isOther) compiled.set(name, onDisk);
    return {
      file: inputFileOf(name, source, isOther ? Buffer.byteLength(onDisk) : bytes),
      changed: change && { name, path: source.path, change },
    };
  });
  return {
    files: found.flatMap(({ file }) => file ?? []),
    changed: found.flatMap(({ changed }) => changed ?? []),
    strange: found.flatMap(({ strange }) => strange ?? []),
    compiled,
  };
}

/** By input of a record, all of which have one format. */
const knownTexts = new WeakMap<StandardJsonInput, readonly RecordedText[]>();

/** Everything in a record that has the text of a file. */
function* textsOf({ format, input }: Pick<BuildRecord, "format" | "input">): Pieces<RecordedText[]> {
  const lineFeeds = recordFormatNamed(format)?.lineFeeds;
  const ofText = (name: string, content: string) => ({
    name,
    bytes: Buffer.byteLength(content),
    changeFrom: ({ path, bytes }: AdmittedSource) => changeOf(content, path, bytes, lineFeeds),
  });
  const ofJson = (name: string, value: unknown): RecordedText => ({
    name,
    bytes: Buffer.byteLength(JSON.stringify(value)),
    changeFrom: ({ bytes }) => (hasJson(bytes, value) ? undefined : "edited"),
  });
  const texts: RecordedText[] = [];
  yield* eachEntryInPieces(input.sources, (name, { content }) =>
    texts.push({ ...ofText(name, content), content }),
  );
  yield* eachEntryInPieces<unknown>(input.interfaces ?? {}, (name, given) => {
    const content = asText(field(given, "content"));
    texts.push(content === undefined ? ofJson(name, field(given, "abi") ?? given) : ofText(name, content));
  });
  yield* eachEntryInPieces<unknown>(input.storage_layout_overrides ?? {}, (name, layout) =>
    texts.push(ofJson(name, layout)),
  );
  return texts;
}

/** True when a file holds this JSON, itself or as its `abi`. */
export function hasJson(bytes: Uint8Array, value: unknown): boolean {
  const json = parseJson(new TextDecoder().decode(bytes));
  const wanted = JSON.stringify(value);
  return [json, asItems(field(json, "abi"))].some((one) => JSON.stringify(one) === wanted);
}

/** Finds files by the names that tools give them in their records. */
class RecordFinder {
  readonly #files: FolderReader;
  readonly #sources: AdmittedSources;
  readonly #record: Pick<BuildRecord, "format" | "path">;
  readonly #project: Project;
  readonly #folder: string;
  /** The paths of a name that says itself where it comes from. */
  #ownPaths: (name: string) => readonly string[] | undefined = () => undefined;
  /** The `node_modules` that holds each package, where one does. */
  readonly #holders = new Map<string, Promise<string | undefined>>();
  /** Of the tools of the project. */
  #rules: readonly ToolRules[] = [];
  /** By which the tool found what it names by its import. */
  #remappings: readonly Remapping[] = [];
  /** Folders of absolute imports, the one that counts most first. */
  #searched: readonly string[] = [];

  constructor(
    files: FolderReader,
    sources: AdmittedSources,
    record: Pick<BuildRecord, "format" | "path">,
    { project, folder }: RecordPlaces,
  ) {
    this.#files = files;
    this.#sources = sources;
    this.#record = record;
    this.#project = project;
    this.#folder = folder;
  }

  async prepare(names: readonly string[]): Promise<void> {
    this.#rules = (await toolsOf(this.#files, this.#project)).map(({ rules }) => rules);
    const format = recordFormatNamed(this.#record.format);
    if (format?.ownNames)
      this.#ownPaths = await format.ownNames.pathsOf(this.#files, this.#project.root, names);
    if (format?.isNamedByImport) this.#remappings = await recordRemappings(this.#files, this.#project);
    if (!format?.isNamedBySearchPath) return;
    const paths = await searchPathsOf(this.#files, this.#project, this.#folder);
    this.#searched = paths.toReversed().map(({ folder }) => folder);
  }

  /** The file that a name means, if there is one. */
  async named(name: string): ReturnType<AdmittedSources["at"]> {
    for await (const path of this.#pathsOf(name)) {
      const found = await this.#sources.ifReadable(path);
      if (found) return found;
    }
    return undefined;
  }

  /**
   * A file whose path ends as a name does, and that passes: what another machine built, or a tool that keeps only the
   * end of a path.
   */
  async alike(
    name: string,
    passes: (source: AdmittedSource) => boolean,
  ): Promise<AdmittedSource | undefined> {
    const segments = machinePath(name.replace(/^[a-z]+:\/\//i, ""))
      .split("/")
      .filter((segment) => segment !== "" && segment !== "." && segment !== "..");
    const { root } = this.#project;
    const folders = new Set([root, this.#folder, ...this.#searched, joinPath(root, "node_modules")]);
    for (let from = Math.max(0, segments.length - LONGEST_END); from < segments.length; from++) {
      for (const folder of folders) {
        const found = await this.#sources.ifReadable(joinPath(folder, segments.slice(from).join("/")));
        if (found && "bytes" in found && passes(found)) return found;
      }
    }
    return undefined;
  }

  /** True for a name that is a path elsewhere on the machine, or climbs out of the open folder. */
  isElsewhere(name: string): boolean {
    const path = isMachinePath(name) ? joinPath("/", machinePath(name)) : joinPath(this.#project.root, name);
    return !isInside(path, this.#folder);
  }

  async *#pathsOf(name: string): AsyncGenerator<string> {
    const { root } = this.#project;
    const own = this.#ownPaths(name);
    if (own) return yield* own;
    if (isMachinePath(name)) {
      // What lies elsewhere on this machine is not even opened.
      const path = joinPath("/", machinePath(name));
      if (isInside(path, this.#folder) || inNodeModules(path)) yield path;
      return;
    }
    if (!/^[a-z]+:\/\//i.test(name)) {
      const remapped = applyRemappings(this.#remappings, name, name);
      if (remapped !== name && !remapped.startsWith("../")) yield joinPath(root, remapped);
      yield joinPath(root, machinePath(name));
      yield* this.#searched.map((folder) => joinPath(folder, name));
      yield* this.#packagedPaths(name);
      yield* this.#near(name);
    }
    for (const rules of this.#rules)
      yield* (rules.cachedPaths?.(name) ?? []).map((path) => joinPath(root, path));
  }

  async *#packagedPaths(name: string): AsyncGenerator<string> {
    const [scope = "", inner = ""] = name.split("/", 2);
    const isScoped = scope.startsWith("@");
    const packageName = isScoped ? `${scope}/${inner}` : scope;
    let finding = this.#holders.get(packageName);
    if (!finding) {
      finding = findPackage(this.#files, this.#project.root, packageName).then((found) =>
        found?.folder.slice(0, -packageName.length - 1),
      );
      this.#holders.set(packageName, finding);
    }
    const holder = await finding;
    if (holder !== undefined) yield joinPath(holder, name);
  }

  /** Remix writes its records below the folder whose files they name. */
  *#near(name: string): Generator<string> {
    const { root } = this.#project;
    for (
      let folder = parentFolder(this.#record.path);
      isInside(folder, root) && folder !== root;
      folder = parentFolder(folder)
    )
      yield joinPath(folder, name);
  }
}

/** Paths of a project are rarely deeper. */
const LONGEST_END = 12;

function changeOf(
  content: string,
  path: string,
  bytes: Uint8Array,
  lineFeeds: RegExp | undefined,
): ChangedFile["change"] | undefined {
  let text: string;
  try {
    text = decodeSource(path, bytes);
  } catch {
    return "edited";
  }
  if (hasByteOrderMark(bytes)) text = content.startsWith("\ufeff") ? `\ufeff${text}` : text;
  const onDisk = lineFeeds ? text.replaceAll(lineFeeds, "\n") : text;
  return changeBetween(content, onDisk);
}
