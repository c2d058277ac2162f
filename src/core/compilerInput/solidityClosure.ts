import { LedgerLensError } from "../errors.ts";
import { relativePath, type FileReader } from "../files.ts";
import { applyRemappings, parseRemapping, type Remapping } from "./remapping.ts";
import { scanSolidity, type SolidityOutline } from "./solidityScanner.ts";
import { findSource, type SourceRoots } from "./sourceLookup.ts";
import { decodeSource, hasByteOrderMark } from "./sourceText.ts";
import { resolveImportPath } from "./sourceUnitName.ts";
import { lineOf } from "./textPosition.ts";

/** One source of a compilation. */
export interface SourceUnit {
  /** The source unit name: the key in `sources`. */
  readonly name: string;
  /** The file on disk. */
  readonly path: string;
  readonly content: string;
  /** The file begins with a byte-order mark, which `content` leaves out. */
  readonly hadByteOrderMark: boolean;
  readonly outline: SolidityOutline;
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
  readonly imports: readonly UnresolvedImport[];

  /** Paths inside `project` are shown relative to it. */
  constructor(imports: readonly [UnresolvedImport, ...UnresolvedImport[]], project: string) {
    const [first] = imports;
    const others = imports.length - 1;
    const rest = others === 0 ? "" : ` (and ${others} more ${others === 1 ? "import" : "imports"})`;
    const shown = (path: string) => relativePath(path, project) ?? path;
    const place = `${shown(first.importer)}, line ${first.line}`;
    super(
      first.forbidden === undefined ? "import_not_found" : "import_outside_project",
      first.forbidden === undefined
        ? `${place}: the import "${first.importPath}" was not found${rest}; looked in ${first.lookedIn.map(shown).join(", ")}. Install the dependency or add a remapping.`
        : `${place}: the import "${first.importPath}" leads to ${first.forbidden}, outside the open folders${rest}. Open the folder that holds both.`,
      {
        detail: imports
          .map(({ importer, line, importPath, name, lookedIn, forbidden }) =>
            [
              `${importer}:${line}: "${importPath}" stands for ${name}`,
              ...(forbidden ? [`leads to ${forbidden}`] : lookedIn),
            ].join("\n  "),
          )
          .join("\n"),
      },
    );
    this.imports = imports;
  }
}

/**
 * The sources that a Solidity file needs, the file itself first: everything reachable by imports and nothing
 * else, each under the name by which the compiler asks for it.
 *
 * @throws UnresolvedImportError when an import leads nowhere; all such imports are named.
 */
export async function solidityClosure(
  files: FileReader,
  roots: SourceRoots,
  entry: { readonly name: string; readonly path: string; readonly bytes: Uint8Array },
  remappings: readonly string[],
): Promise<SourceUnit[]> {
  const parsed = remappings.map(parseRemapping).filter((remapping) => remapping !== undefined);
  const units = new Map<string, SourceUnit>();
  const unresolved: UnresolvedImport[] = [];
  const asked = new Set([entry.name]);
  let wave = [toUnit(entry.name, entry.path, entry.bytes)];
  while (wave.length > 0) {
    for (const unit of wave) units.set(unit.name, unit);
    const wanted = wave
      .flatMap((unit) => importsOf(unit, parsed))
      .filter(({ name }) => !asked.has(name) && asked.add(name));
    const found = await Promise.all(
      wanted.map(async ({ importer, importPath, start, name }) => {
        const source = await findSource(files, roots, name);
        if ("bytes" in source) return toUnit(name, source.path, source.bytes);
        unresolved.push({
          importer: importer.path,
          line: lineOf(importer.content, start),
          importPath,
          name,
          lookedIn: "lookedIn" in source ? source.lookedIn : [],
          ...("forbidden" in source ? { forbidden: source.forbidden } : {}),
        });
        return undefined;
      }),
    );
    wave = found.filter((unit) => unit !== undefined);
  }
  const [first, ...others] = unresolved.sort(
    (a, b) => a.importer.localeCompare(b.importer) || a.line - b.line,
  );
  if (first) throw new UnresolvedImportError([first, ...others], roots.project);
  return [...units.values()];
}

function importsOf(importer: SourceUnit, remappings: readonly Remapping[]) {
  return importer.outline.imports.map(({ path, start }) => ({
    importer,
    importPath: path,
    start,
    name: applyRemappings(remappings, resolveImportPath(path, importer.name), importer.name),
  }));
}

function toUnit(name: string, path: string, bytes: Uint8Array): SourceUnit {
  const content = decodeSource(path, bytes);
  return { name, path, content, hadByteOrderMark: hasByteOrderMark(bytes), outline: scanSolidity(content) };
}
