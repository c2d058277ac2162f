import { joinPath, relativePath } from "../files/fileReader.ts";
import { namesInPieces } from "../json/entriesInPieces.ts";
import { asRecord, asText, field } from "../json/looseData.ts";
import { isMachinePath, isSamePath, machinePath } from "../files/machinePath.ts";
import { filterInPieces, findInPieces, type Pieces } from "../concurrency/turns.ts";
import { recordFormatNamed, recordFormatOf } from "../tools/recordFormats.ts";
import { standardInputIn } from "./recordedStandardInput.ts";
import { fullVersion } from "../languages/rules.ts";
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
  releases?: readonly string[],
): BuildRecord | { readonly reason: string } | undefined {
  const { name: format, versionBesideInput } = recordFormatOf(json);
  const found = standardInputIn(versionBesideInput === undefined ? field(json, "input") : json);
  if (!found || "reason" in found) return found;
  const { input } = found;
  const version =
    versionBesideInput !== undefined
      ? asText(field(json, versionBesideInput))
      : longest(asText(field(json, "solcLongVersion")), asText(field(json, "solcVersion")));
  const compilerVersion = fullVersion(input.language, version ?? "", releases && { solc: releases });
  if (compilerVersion === undefined) return { reason: "names no release of a compiler" };
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
 * The source unit name by which a record knows a file of the project, in pieces: there may be 100,000.
 *
 * @param path The file on disk.
 * @param imported the name by which it is imported, relative to the root where nothing is remapped
 */
export function* nameInRecord(
  record: BuildRecord,
  root: string,
  path: string,
  imported?: string,
): Pieces<string | undefined> {
  const format = recordFormatNamed(record.format);
  const has = (name: string | undefined) =>
    name !== undefined && Object.hasOwn(record.input.sources, name) ? name : undefined;
  const relative = relativePath(path, root);
  const [, name, inside] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(path) ?? [];
  const packaged = name === undefined || inside === undefined ? undefined : { name, path: inside };
  if (format?.ownNames) return yield* format.ownNames.nameOf(record, { relative, packaged });
  const remapped = format?.isNamedByImport ? has(imported) : undefined;
  const known = remapped ?? has(relative) ?? (packaged && has(`${packaged.name}/${packaged.path}`));
  if (known !== undefined) return known;
  const names = yield* namesInPieces(record.input.sources);
  return (
    (yield* findInPieces(names, (name) => isMachinePath(name) && isSamePath(name, path))) ??
    // Windows tools may write backslashes.
    (yield* findInPieces(names, (name) => name.includes("\\") && machinePath(name) === relative)) ??
    // A record of a folder inside the project, such as Remix's, or one that climbs out of it.
    only(
      yield* filterInPieces(
        names,
        (name) =>
          (path.endsWith(name) && path.at(-name.length - 1) === "/") ||
          (name.startsWith("../") && joinPath(root, name) === path),
      ),
    )
  );
}

function only<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}
