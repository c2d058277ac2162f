import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../errors.ts";
import type { AdmittedSource } from "../../sources/admittedSources.ts";
import { relativePath } from "../../files/fileReader.ts";
import { applyRemappings, parseRemapping } from "./remapping.ts";
import { scanSolidityDirectives, type SolidityDirectives } from "./solidityScanner.ts";
import type { SourceFinder, SourceLookup } from "../../sources/sourceLookup.ts";
import { leftOutWords } from "../../sources/skippedFindings.ts";
import { decodeSource, hasByteOrderMark } from "../../sources/sourceText.ts";
import { MAX_SENTENCE_CHARACTERS } from "../../text/shownText.ts";
import { resolveImportPath } from "../../sources/sourceUnitName.ts";
import { lineNumberOf } from "../../text/textPlace.ts";

/** One source of a compilation. */
export interface SourceUnit {
  /** The source unit name: the key in `sources`. */
  readonly name: string;
  /** The file on disk. */
  readonly path: string;
  /** What was opened by that path. */
  readonly source: AdmittedSource;
  readonly content: string;
  /** Of `content`, in UTF-8. */
  readonly bytes: number;
  /** The file begins with a byte-order mark, which `content` leaves out. */
  readonly hadByteOrderMark: boolean;
  readonly directives: SolidityDirectives;
}

/** An import that no file answers, or that may not be followed. */
export interface UnresolvedImport {
  /** The file on disk that imports. */
  readonly importer: string;
  /** One-based. */
  readonly line: number;
  /** The path as written. */
  readonly importPath: string;
  /** The source unit name it stands for. */
  readonly name: string;
  /** Every place that was looked in; empty when the file was found and may not go. */
  readonly lookedIn: readonly string[];
  /** The file outside the project that the name leads to. */
  readonly forbidden?: string;
}

/** An import that stops the job. `code` is `import_not_found` or `import_outside_project`. */
export class UnresolvedImportError extends LedgerLensError {
  readonly imports: readonly [UnresolvedImport, ...UnresolvedImport[]];
  readonly #project: string;

  /**
   * Paths inside `project` are shown relative to it.
   *
   * @param leftOut What could not be read, in words without a full stop; it may be why a file was not found.
   */
  constructor(
    imports: readonly [UnresolvedImport, ...UnresolvedImport[]],
    project: string,
    leftOut: readonly string[] = [],
  ) {
    const [first] = imports;
    const others = imports.length - 1;
    const rest = others === 0 ? "" : t` (and ${others} more ${others === 1 ? t`import` : t`imports`})`;
    const shown = (path: string) => relativePath(path, project) ?? path;
    const place = t`${shown(first.importer)}, line ${first.line}`;
    const sentence =
      first.forbidden === undefined
        ? t`${place}: the import "${first.importPath}" was not found${rest}; looked in ${first.lookedIn.map(shown).join(", ")}. Install the dependency or add a remapping.`
        : t`${place}: the import "${first.importPath}" leads to ${first.forbidden}, outside the open folders${rest}. Open the folder that holds both.`;
    const places = imports.map(({ importer, line, importPath, name, lookedIn, forbidden }) =>
      [
        t`${importer}:${line}: "${importPath}" stands for ${name}`,
        ...(forbidden ? [t`leads to ${forbidden}`] : lookedIn),
      ].join("\n  "),
    );
    const whole = `${sentence}${leftOutWords(leftOut)}`;
    super(
      first.forbidden === undefined ? "import_not_found" : "import_outside_project",
      // What to do next is never cut off.
      whole.length < MAX_SENTENCE_CHARACTERS ? whole : sentence,
      { detail: [...places, ...leftOut.map((one) => t`Left out: ${one}`)].join("\n") },
    );
    this.imports = imports;
    this.#project = project;
  }

  /** The same error, which tells what was left out besides. */
  withLeftOut(leftOut: readonly string[]): UnresolvedImportError {
    return new UnresolvedImportError(this.imports, this.#project, leftOut);
  }
}

/** More than any file imports, itself among them; a remapping can make names grow without end. */
export const MAX_CLOSURE_SOURCES = 10_000;

/** How a build tool finds what is imported. */
export interface ImportResolver {
  /** The source unit name that an import of this unit stands for. */
  nameOf(importPath: string, importer: SourceUnit): string | Promise<string>;
  /** The file behind a source unit name. */
  find(name: string): Promise<SourceLookup>;
  /** The text of a file as the build tool hands it to the compiler; the bytes as they are unless said. */
  text?(text: string, name: string): string;
}

/** Finds what is imported as solc does, with names looked up on disk by the finder. */
export function remappingResolver(finder: SourceFinder, remappings: readonly string[]): ImportResolver {
  const parsed = remappings.map(parseRemapping).filter((remapping) => remapping !== undefined);
  return {
    nameOf: (path, { name }) => applyRemappings(parsed, resolveImportPath(path, name), name),
    find: (name) => finder.find(name),
  };
}

/** The file that a closure begins with. */
export interface ClosureEntry {
  readonly name: string;
  readonly source: AdmittedSource;
}

/**
 * The sources that a Solidity file needs, the file itself first: everything reachable by imports and nothing
 * else, each under the name by which the compiler asks for it.
 *
 * @param project The folder that error messages show paths relative to.
 * @throws UnresolvedImportError when an import leads nowhere; all such imports are named. LedgerLensError
 * `too_many_sources` when there is no end to them.
 */
export async function solidityClosure(
  resolver: ImportResolver,
  entry: ClosureEntry,
  project: string,
): Promise<SourceUnit[]> {
  const units = new Map<string, Promise<SourceUnit | undefined>>();
  const importedNames = new Map<string, readonly string[]>();
  const unresolved: UnresolvedImport[] = [];
  const follow = async (unit: SourceUnit): Promise<void> => {
    const { imports } = unit.directives;
    const named = imports.map(({ path }) => resolver.nameOf(path, unit));
    const names = named.every((name) => typeof name === "string")
      ? named
      : await Promise.all(named.map((name) => Promise.resolve(name)));
    importedNames.set(unit.name, names);
    const begun: Promise<unknown>[] = [];
    // Most imports are of files that are known by then; those cost nothing more.
    imports.forEach(({ path: importPath, start }, at) => {
      const name = names[at];
      if (name === undefined || units.has(name)) return;
      if (units.size >= MAX_CLOSURE_SOURCES) throw tooManySources(entry.name);
      const loading = load(name, unit, importPath, start);
      units.set(name, loading);
      begun.push(loading.then((found) => found && follow(found)));
    });
    await Promise.all(begun);
  };
  const load = async (
    name: string,
    importer: SourceUnit,
    importPath: string,
    start: number,
  ): Promise<SourceUnit | undefined> => {
    const source = await resolver.find(name);
    if ("bytes" in source) return solidityUnit({ name, source }, resolver);
    unresolved.push({
      importer: importer.path,
      line: lineNumberOf(importer.content, start),
      importPath,
      name,
      lookedIn: "lookedIn" in source ? source.lookedIn : [],
      ...("forbidden" in source ? { forbidden: source.forbidden } : {}),
    });
    return undefined;
  };
  const first = solidityUnit(entry, resolver);
  units.set(entry.name, Promise.resolve(first));
  await follow(first);
  const [missing, ...others] = unresolved.sort(
    (a, b) => a.importer.localeCompare(b.importer) || a.line - b.line,
  );
  if (missing) throw new UnresolvedImportError([missing, ...others], project);
  // Files arrive in any order; the answer is in the order of the imports.
  const inOrder = new Set([entry.name]);
  for (const name of inOrder) for (const imported of importedNames.get(name) ?? []) inOrder.add(imported);
  const found = await Promise.all([...inOrder].map((name) => units.get(name) ?? Promise.resolve(undefined)));
  return found.filter((unit) => unit !== undefined);
}

/** What is said where one file leads to more than {@link MAX_CLOSURE_SOURCES}. */
export function tooManySources(name: string): LedgerLensError {
  return new LedgerLensError(
    "too_many_sources",
    t`${name} leads to more than ${MAX_CLOSURE_SOURCES.toLocaleString("en")} sources, most likely in a circle of remappings. Check the remappings.`,
  );
}

const BYTE_ORDER_MARK_BYTES = 3;

/** What a compilation knows of a source. */
export function solidityUnit({ name, source }: ClosureEntry, resolver: ImportResolver): SourceUnit {
  const { path, bytes } = source;
  const decoded = decodeSource(path, bytes);
  const content = resolver.text?.(decoded, name) ?? decoded;
  const hadByteOrderMark = hasByteOrderMark(bytes);
  return {
    name,
    path,
    source,
    content,
    bytes:
      content === decoded
        ? bytes.length - (hadByteOrderMark ? BYTE_ORDER_MARK_BYTES : 0)
        : Buffer.byteLength(content),
    hadByteOrderMark,
    directives: scanSolidityDirectives(content),
  };
}
