import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../errors.ts";
import { isInside, joinPath, lastSegment, parentFolder, relativePath } from "../../files/fileReader.ts";
import { noteSkipped } from "../../files/skippedFiles.ts";
import { walkFiles } from "../../files/walk.ts";
import { LARGEST_CONFIGURATION_BYTES, openData, readJson } from "../../json/dataFile.ts";
import { toml } from "../../json/toml.ts";
import { filesEnding, type FolderReader } from "../../files/folderReader.ts";
import { asRecord, asText, field, fieldAt } from "../../json/looseData.ts";
import { plainVersion } from "../../versions.ts";
import type { CompilationContext, LanguageOptions } from "../compilationContext.ts";
import type { WorkspaceContract } from "../../sources/contractReference.ts";
import { inputFileOf } from "../../sources/inputFile.ts";
import type { InputFinding } from "../../sources/inputFinding.ts";
import { leadsOutside } from "../../sources/outsideFindings.ts";
import { decodeSource } from "../../sources/sourceText.ts";
import type { CompilerInput, InputFile } from "../../sources/standardJsonInput.ts";

/** The oldest Fe that the public service compiles with (argotorg/sourcify, packages/compilers/src/lib/feCompiler.ts). */
const OLDEST_VERSION = "26.0.0-alpha.12";

/** The most files of an ingot that are read. */
const MAX_FILES = 2_000;

/** The contracts that a Fe file makes public, each with the UTF-16 offset of its name. */
export function feContractsIn(text: string): { readonly name: string; readonly start: number }[] {
  // A string that no quote closes ends with its line: looking for its end from every quote would take the square.
  const blank = text.replace(/\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"?/g, (found) => " ".repeat(found.length));
  return [...blank.matchAll(/\bpub\s+contract\s+(\w+)/g)].map((match) => {
    const name = match[1] ?? "";
    return { name, start: match.index + match[0].length - name.length };
  });
}

/**
 * The input of a Fe contract: every file below `src` of its ingot, named from `src/` on, since the service builds
 * them as an ingot of its own (argotorg/sourcify, packages/compilers/src/lib/feCompiler.ts). A file outside an ingot
 * goes alone. Fe has no settings there: optimizer and arithmetic are the compiler's defaults, and other ingots can't
 * be had; what an ingot asks of these is told as an error.
 *
 * @throws LedgerLensError `contract_not_found`, `source_not_utf8`, `no_compiler` where nothing says which Fe it was,
 * `invalid_compiler_version`.
 */
export async function feContractInput({
  files,
  sources: admitted,
  contract,
  options,
}: CompilationContext): Promise<CompilerInput> {
  const ingot = await ingotOf(files, contract);
  const root = ingot?.root ?? parentFolder(contract.path);
  const inIngot = ingot && relativePath(contract.path, joinPath(root, "src"));
  const name = `src/${inIngot ?? lastSegment(contract.path)}`;
  const own = feContractsIn(decodeSource(contract.path, contract.source.bytes)).map((one) => one.name);
  if (!own.includes(contract.contractName)) {
    throw new LedgerLensError(
      "contract_not_found",
      t`${name} has no public contract ${contract.contractName}. ${own.length > 0 ? t`It has ${own.join(", ")}.` : t`It has no public contract.`}`,
    );
  }
  const paths =
    inIngot === undefined
      ? [contract.path]
      : (await walkFiles(files, joinPath(root, "src"), ".fe", { followsNoLinks: true })).slice(0, MAX_FILES);
  const sources = new Map<string, { content: string }>();
  const inputFiles: InputFile[] = [];
  const leftOut: InputFinding[] = [];
  for (const path of paths.sort()) {
    const found = path === contract.path ? contract.source : await admitted.at(path);
    if (found && "forbidden" in found) leftOut.push(leadsOutside(path, found.forbidden, root));
    if (!found || "forbidden" in found) continue;
    const content = decodeSource(path, found.bytes);
    // A file without text says nothing, and the service rejects it.
    if (content === "" && path !== contract.path) continue;
    const source = path === contract.path ? name : `src/${relativePath(path, joinPath(root, "src")) ?? ""}`;
    sources.set(source, { content });
    inputFiles.push(inputFileOf(source, found, Buffer.byteLength(content)));
  }
  const compiler = await chooseFe(files, root, contract, options);
  return {
    compilerVersion: compiler.version,
    compilerReason: compiler.reason,
    contractIdentifier: `${name}:${contract.contractName}`,
    stdJsonInput: { language: "Fe", sources: Object.fromEntries(sources), settings: {} },
    source: "derived",
    files: inputFiles,
    findings: [...leftOut, ...(ingot ? beyondTheService(ingot) : [])],
    warnings: [],
    project: root,
    changedSinceBuild: [],
  };
}

interface Ingot {
  readonly root: string;
  readonly path: string;
  readonly manifest: unknown;
}

/** The nearest folder upwards, no further than the open folder, whose `fe.toml` describes an ingot. */
async function ingotOf(files: FolderReader, { path, folder }: WorkspaceContract): Promise<Ingot | undefined> {
  for (let root = parentFolder(path); isInside(root, folder); root = parentFolder(root)) {
    const manifestPath = joinPath(root, "fe.toml");
    const file = await openData(files, manifestPath, toml, LARGEST_CONFIGURATION_BYTES);
    if (file && "reason" in file) {
      noteSkipped(files, manifestPath, file.reason);
      return { root, path: manifestPath, manifest: {} };
    }
    if (asRecord(field(file?.value, "ingot"))) return { root, path: manifestPath, manifest: file?.value };
    if (root === "/") break;
  }
  return undefined;
}

/** What the service's build of an ingot leaves out. */
function beyondTheService({ manifest, path }: Ingot): InputFinding[] {
  const dependencies = Object.keys(asRecord(field(manifest, "dependencies")) ?? {});
  const arithmetic = asText(fieldAt(manifest, "ingot", "arithmetic"));
  const sentences = [
    ...(dependencies.length > 0
      ? [
          t`fe.toml depends on ${dependencies.join(", ")}, and the service builds one ingot alone; put the sources below src.`,
        ]
      : []),
    ...(arithmetic === "unchecked"
      ? [t`fe.toml asks for unchecked arithmetic, and the service builds with checked arithmetic.`]
      : []),
  ];
  return sentences.map((sentence) => ({ code: "beyond_the_service", severity: "error", sentence, path }));
}

/**
 * The Fe that is given, or that the metadata of a build names (`fe build --emit metadata`). An ingot's own
 * configuration says no compiler, nor does deployed code.
 */
async function chooseFe(
  files: FolderReader,
  root: string,
  { contractName }: WorkspaceContract,
  { compilerVersion }: LanguageOptions,
): Promise<{ version: string; reason: string }> {
  if (compilerVersion !== undefined)
    return { version: completeFeVersion(compilerVersion), reason: t`as given` };
  const out = joinPath(root, "out");
  for (const name of await filesEnding(files, out, ".json")) {
    if (!name.startsWith(contractName)) continue;
    const metadata = await readJson(files, joinPath(out, name));
    const targets = asRecord(fieldAt(metadata, "settings", "compilationTarget")) ?? {};
    const version = asText(fieldAt(metadata, "compiler", "version"));
    const isOurs = field(metadata, "language") === "Fe" && Object.values(targets).includes(contractName);
    if (isOurs && version !== undefined)
      return { version: completeFeVersion(version), reason: t`the one that built it` };
  }
  throw new LedgerLensError(
    "no_compiler",
    t`Nothing says which Fe compiled ${contractName}. Give the compiler version, such as ${OLDEST_VERSION}.`,
  );
}

/**
 * The version of a Fe release as the service has it: without `v` and without a commit.
 *
 * @throws LedgerLensError `invalid_compiler_version` for what is none, and for one that the service can't use.
 */
export function completeFeVersion(version: string): string {
  const text = plainVersion(version);
  const [, release, stage, count] = /^(\d+\.\d+\.\d+)(?:-([a-z]+)\.(\d+))?(?:\+.*)?$/.exec(text) ?? [];
  if (release === undefined) {
    throw new LedgerLensError(
      "invalid_compiler_version",
      t`"${version}" is not a release of Fe. Use one like ${OLDEST_VERSION}.`,
    );
  }
  const numbers = [...release.split(".").map(Number), stage === "alpha" ? Number(count) : Infinity];
  const oldest = [26, 0, 0, 12];
  const difference = numbers.map((number, at) => number - (oldest[at] ?? 0)).find((one) => one !== 0) ?? 0;
  if (difference < 0) {
    throw new LedgerLensError(
      "invalid_compiler_version",
      t`Fe ${text} is older than ${OLDEST_VERSION}, the first that the service compiles with.`,
    );
  }
  return text.replace(/\+.*$/, "");
}
