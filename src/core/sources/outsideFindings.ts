import { t } from "@vscode/l10n";
import { listed } from "../text/counted.ts";
import { isInside, relativePath } from "../files/fileReader.ts";
import { ownValue } from "../json/ownValue.ts";
import { asItems, asRecord, field, parseJson } from "../json/looseData.ts";
import { eachInPieces, type Pieces } from "../concurrency/turns.ts";
import type { InputFinding } from "./inputFinding.ts";
import type { CompilerInput, InputFile, StandardJsonInput } from "./standardJsonInput.ts";

/** That something leads out of the open folders and is left out. */
export function leadsOutside(path: string, real: string, root: string): InputFinding {
  const shown = relativePath(path, root) ?? path;
  return {
    code: "outside_project",
    severity: "warning",
    sentence:
      real === path
        ? t`${shown} lies outside the open folders and is not read; open the folder that holds both.`
        : t`${shown} leads to ${real}, outside the open folders, and is not read; open the folder that holds both.`,
    path,
  };
}

/** The same of several things that a job came upon, in one finding. */
export function leadOutside(refused: ReadonlyMap<string, string>, root: string): InputFinding[] {
  const [first, ...others] = refused;
  if (!first) return [];
  if (others.length === 0) return [leadsOutside(...first, root)];
  const names = [...refused.keys()].map((path) => relativePath(path, root) ?? path);
  return [
    {
      code: "outside_project",
      severity: "warning",
      sentence: t`${listed(names)} lead outside the open folders and are not read; open the folder that holds them.`,
      path: first[0],
    },
  ];
}

/**
 * What goes and is no source by its name: of the import, of the file, or of the file that a link leads to.
 *
 * @param endings those of the files that an input in this language may hold, without a dot
 */
export function* foreignKindsInPieces(
  { stdJsonInput, files }: Pick<CompilerInput, "stdJsonInput" | "files">,
  endings: readonly string[],
): Pieces<InputFinding[]> {
  const { language } = stdJsonInput;
  const isSource = (name: string) => endings.some((ending) => name.toLowerCase().endsWith(`.${ending}`));
  const findings: InputFinding[] = [];
  yield* eachInPieces(files, ({ name, path, realPath }) => {
    const other = [name, path, realPath ?? path].find((one) => !isSource(one));
    const notInterface =
      other === undefined && name.endsWith(".json") ? besidesInterface(stdJsonInput, name) : undefined;
    if (other === undefined && notInterface === undefined) return;
    const reason =
      notInterface ??
      (other === realPath && realPath !== undefined
        ? t`leads to ${realPath}, which is no ${language} source by its name`
        : t`is no ${language} source by its name`);
    findings.push({
      code: "not_a_source",
      severity: "warning",
      sentence: t`${name} ${reason}; it is sent with the sources.`,
      path,
    });
  });
  return findings;
}

/** The fields of an ABI's entries and their parameters, as solc, Vyper and web3 write them. */
const OF_AN_ENTRY: ReadonlySet<string> = new Set([
  "type",
  "name",
  "inputs",
  "outputs",
  "stateMutability",
  "constant",
  "payable",
  "anonymous",
  "gas",
  "signature",
  "internalType",
  "components",
  "indexed",
  "unit",
]);

/** The fields of an artifact that tell nothing but the contract. */
const OF_AN_ARTIFACT: ReadonlySet<string> = new Set([
  "_format",
  "abi",
  "contractName",
  "sourceName",
  "inputSourceName",
  "buildInfoId",
  "bytecode",
  "deployedBytecode",
  "linkReferences",
  "deployedLinkReferences",
  "immutableReferences",
  "methodIdentifiers",
]);

/**
 * Why JSON that goes is not only an ABI, or an artifact that has one; its very text goes, since the compiler's checksum
 * is taken from it.
 */
function besidesInterface({ sources, interfaces = {} }: StandardJsonInput, name: string): string | undefined {
  const given = ownValue(interfaces, name) ?? ownValue(sources, name);
  const content = field(given, "content");
  const json = typeof content === "string" ? parseJson(content) : given;
  const entries = Array.isArray(json) ? (json as unknown[]) : asItems(field(json, "abi"));
  const isInterface =
    entries.length > 0 && entries.every((entry) => typeof field(entry, "type") === "string");
  if (!isInterface) return t`is JSON without an interface`;
  const more =
    Object.keys(Array.isArray(json) ? {} : (asRecord(json) ?? {})).find((key) => !OF_AN_ARTIFACT.has(key)) ??
    strangeField(entries);
  return more === undefined ? undefined : t`holds more than an interface (${more})`;
}

/** The first field that no entry of an ABI has, however deep its parameters nest. */
function strangeField(entries: readonly unknown[]): string | undefined {
  const waiting = [...entries];
  for (const entry of waiting) {
    const fields = asRecord(entry);
    if (!fields) continue;
    const strange = Object.keys(fields).find((key) => !OF_AN_ENTRY.has(key));
    if (strange !== undefined) return strange;
    for (const list of [fields["inputs"], fields["outputs"], fields["components"]])
      for (const inner of asItems(list)) waiting.push(inner);
  }
  return undefined;
}

/** The files that lie in another of the opened folders than the contract, which may hold anything else. */
export function filesOfOtherFolders(files: readonly InputFile[], folder: string): InputFinding[] {
  return files.flatMap(({ name, path, realPath = path, origin }): InputFinding[] =>
    origin !== "workspace" || isInside(realPath, folder)
      ? []
      : [
          {
            code: "other_folder",
            severity: "warning",
            sentence: t`${name} lies in another of the open folders.`,
            path,
          },
        ],
  );
}

/** The files that lie in the opened folders and not in the project. */
export function filesBeyond({ files }: Pick<CompilerInput, "files">): InputFinding[] {
  const names = files.flatMap(({ name, origin }) => (origin === "workspace" ? [name] : []));
  if (names.length === 0) return [];
  return [
    {
      code: "outside_project",
      severity: "warning",
      sentence: t`${listed(names)} ${names.length === 1 ? t`lies` : t`lie`} outside the project, elsewhere in the open folders.`,
    },
  ];
}
