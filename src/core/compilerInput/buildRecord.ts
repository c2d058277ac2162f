import type { CompilerLists } from "../languages/compilerLists.ts";
import { t } from "@vscode/l10n";
import { joinPath, relativePath } from "../files/fileReader.ts";
import { namesInPieces } from "../json/entriesInPieces.ts";
import { asRecord, asText, field } from "../json/looseData.ts";
import { isMachinePath, isSamePath, machinePath } from "../files/machinePath.ts";
import { filterInPieces, findInPieces, type Pieces } from "../concurrency/turns.ts";
import { recordFormatNamed, recordFormatOf } from "../tools/recordFormats.ts";
import { standardInputIn } from "./recordedStandardInput.ts";
import { fullVersion } from "../languages/rules.ts";
import { packagedPath } from "../sources/packagedPath.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import type { LooseObject } from "../json/shape.ts";

/** The exact input of a compilation that lies on disk. */
export interface BuildRecord {
  readonly path: string;
  /** As {@link Recorder.builds} of the tools has it. */
  readonly format: string;
  /** Full form. */
  readonly compilerVersion: string;
  readonly input: StandardJsonInput;
  /** Source unit names by the names that people use, where the two differ. */
  readonly userNames: LooseObject;
  /** The compiler's output, where the record holds it. */
  readonly output: unknown;
}

/**
 * The record in a parsed JSON file, in one of the forms of `tools/recordFormats.ts`. What stands beside the compiler's own
 * fields, such as the machine's paths in Foundry's records, stays out of the input.
 *
 * @returns what is wrong with it for one that can't be used; `undefined` for what is none.
 */
export function buildRecordOf(
  json: unknown,
  path: string,
  releases?: Partial<CompilerLists>,
): BuildRecord | { readonly reason: string } | undefined {
  const { name: format, versionBesideInput } = recordFormatOf(json);
  const found = standardInputIn(versionBesideInput === undefined ? field(json, "input") : json);
  if (!found || "reason" in found) return found;
  const { input } = found;
  const version =
    versionBesideInput !== undefined
      ? asText(field(json, versionBesideInput))
      : longest(asText(field(json, "solcLongVersion")), asText(field(json, "solcVersion")));
  const compilerVersion = fullVersion(input.language, version ?? "", releases);
  if (compilerVersion === undefined) return { reason: t`names no release of a compiler` };
  return {
    path,
    format,
    compilerVersion,
    input,
    userNames: asRecord(field(json, "userSourceNameMap")) ?? {},
    output: field(json, "output"),
  };
}

function longest(a: string | undefined, b: string | undefined): string | undefined {
  return (a?.length ?? 0) >= (b?.length ?? 0) ? a : b;
}

/**
 * The source unit names by which a record knows a file of the project, in pieces: there may be 100,000. There are several
 * where forge compiles a file above the root by its name from there and from the root of the machine; that from the root
 * of the project goes first, by which sources of the project import it.
 *
 * @param path The file on disk.
 * @param imported the name by which it is imported, relative to the root where nothing is remapped
 */
export function* namesInRecord(
  record: BuildRecord,
  root: string,
  path: string,
  imported?: string,
): Pieces<readonly string[]> {
  const format = recordFormatNamed(record.format);
  const has = (name: string | undefined) =>
    name !== undefined && Object.hasOwn(record.input.sources, name) ? name : undefined;
  const relative = relativePath(path, root);
  const packaged = packagedPath(path);
  if (format?.ownNames) return oneOrNone(yield* format.ownNames.nameOf(record, { relative, packaged }));
  const remapped = format?.isNamedByImport ? has(imported) : undefined;
  const known = remapped ?? has(relative) ?? (packaged && has(`${packaged.name}/${packaged.path}`));
  if (known !== undefined) return [known];
  const names = yield* namesInPieces(record.input.sources);
  const above = yield* filterInPieces(
    names,
    (name) => name.startsWith("../") && joinPath(root, name) === path,
  );
  const ofMachine = yield* findInPieces(names, (name) => isMachinePath(name) && isSamePath(name, path));
  const exact = [...above, ...oneOrNone(ofMachine)];
  if (exact.length > 0) return exact;
  // Windows tools may write backslashes.
  const backslashed = yield* findInPieces(
    names,
    (name) => name.includes("\\") && machinePath(name) === relative,
  );
  if (backslashed !== undefined) return [backslashed];
  // A record of a folder inside the project, such as Remix's.
  const below = yield* filterInPieces(
    names,
    (name) => path.endsWith(name) && path.at(-name.length - 1) === "/",
  );
  return below.length === 1 ? below : [];
}

function oneOrNone<T>(item: T | undefined): readonly T[] {
  return item === undefined ? [] : [item];
}
