import { LedgerLensError } from "../errors.ts";
import { isInside, joinPath, parentFolder, relativePath, type FileReader } from "../files.ts";
import type { WorkspaceContract } from "./contractReference.ts";
import { newestReleaseSatisfying, parseSolidityVersionExpression, whyNone } from "./pragma.ts";
import { readRemappingsFile } from "./remapping.ts";
import { solidityClosure, type SourceUnit } from "./solidityClosure.ts";
import type { SolidityDefinition } from "./solidityScanner.ts";
import { completeSolcVersion, solcReleases } from "./solcReleases.ts";
import type { SourceRoots } from "./sourceLookup.ts";
import { decodeSource } from "./sourceText.ts";
import type { CompilerInput, CompilerSettings, StandardJsonInput } from "./standardJsonInput.ts";
import { lineOf } from "./textPosition.ts";

/** What a caller may fix instead of leaving it to the folder. */
export interface PlainFolderOptions {
  /** Short (`0.8.30`) or full (`0.8.30+commit.73712a01`). */
  readonly compilerVersion?: string;
  /** Settings that the folder itself can't say: optimizer, EVM version and so on. */
  readonly settings?: CompilerSettings;
}

/**
 * What the service must be asked for: everything that tells one compilation from another. The service
 * chooses its own outputs; a person who compiles an exported input wants these.
 */
const OUTPUT_SELECTION = { "*": { "*": ["abi", "evm.bytecode", "evm.deployedBytecode", "metadata"] } };

/**
 * Standard JSON input for a contract in a folder without a build tool: names relative to the folder,
 * packages from `node_modules`, remappings from `remappings.txt`, the compiler by the pragmas.
 *
 * @throws LedgerLensError `contract_not_found`, `abstract_contract`, `no_compiler`, `invalid_compiler_version`,
 * `source_not_utf8`, and what {@link solidityClosure} throws.
 */
export async function plainFolderInput(
  files: FileReader,
  workspace: readonly string[],
  contract: WorkspaceContract,
  options: PlainFolderOptions = {},
): Promise<CompilerInput> {
  const project = await projectFolder(files, contract);
  const roots: SourceRoots = { project, workspace };
  const name = relativePath(contract.path, project) ?? contract.path;
  const remappingsFile = await files.read(joinPath(project, "remappings.txt"));
  const remappings = [
    ...(remappingsFile
      ? readRemappingsFile(decodeSource(joinPath(project, "remappings.txt"), remappingsFile))
      : []),
    ...(options.settings?.remappings ?? []),
  ];
  const closure = await solidityClosure(
    files,
    roots,
    { name, path: contract.path, bytes: contract.bytes },
    remappings,
  );
  const [entry] = closure;
  if (entry) requireConcrete(entry, contract.contractName);
  const compiler = options.compilerVersion
    ? { version: completeSolcVersion(options.compilerVersion), reason: "as given" }
    : chooseByPragma(closure);

  const stdJsonInput: StandardJsonInput = {
    language: "Solidity",
    sources: Object.fromEntries(
      closure
        .map((unit) => [unit.name, { content: unit.content }] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    settings: {
      ...options.settings,
      ...(remappings.length > 0 ? { remappings } : {}),
      optimizer: { enabled: false, runs: 200, ...options.settings?.optimizer },
      outputSelection: OUTPUT_SELECTION,
    },
  };
  return {
    compilerVersion: compiler.version,
    compilerReason: compiler.reason,
    contractIdentifier: `${name}:${contract.contractName}`,
    stdJsonInput,
    source: "derived",
    files: closure.map((unit) => ({
      name: unit.name,
      path: unit.path,
      bytes: Buffer.byteLength(unit.content),
      origin:
        isInside(unit.path, project) && !unit.path.includes("/node_modules/") ? "project" : "dependency",
    })),
    warnings: closure
      .filter(({ hadByteOrderMark }) => hadByteOrderMark)
      .map((unit) => `${unit.name} begins with a byte-order mark, which solc rejects; it is left out.`),
  };
}

/** The nearest folder with a `remappings.txt`, up to the open folder, which it is otherwise. */
async function projectFolder(files: FileReader, { path, folder }: WorkspaceContract): Promise<string> {
  for (let at = parentFolder(path); at !== folder && isInside(at, folder); at = parentFolder(at)) {
    if (await files.read(joinPath(at, "remappings.txt"))) return at;
  }
  return folder;
}

function requireConcrete(entry: SourceUnit, contractName: string): void {
  const found = entry.outline.definitions.find(({ name }) => name === contractName);
  const concrete = entry.outline.definitions.filter(isConcrete).map(({ name }) => name);
  const offer =
    concrete.length > 0 ? `It has ${concrete.join(", ")}.` : "It has no contract that can be deployed.";
  if (!found) {
    throw new LedgerLensError(
      "contract_not_found",
      `${entry.name} has no contract ${contractName}. ${offer}`,
    );
  }
  if (!isConcrete(found)) {
    const article = /^[aei]/.test(found.kind) ? "an" : "a";
    throw new LedgerLensError(
      "abstract_contract",
      `${contractName} in ${entry.name} is ${article} ${found.kind}, which has no code of its own to verify. ${offer}`,
    );
  }
}

/** True for what can be deployed. */
export function isConcrete({ kind }: SolidityDefinition): boolean {
  return kind === "contract" || kind === "library";
}

function chooseByPragma(closure: readonly SourceUnit[]): { version: string; reason: string } {
  const pragmas = closure.flatMap((unit) =>
    unit.outline.versionPragmas.map(({ expression, start }) => ({
      file: unit.name,
      line: lineOf(unit.content, start),
      text: expression,
      expression: parseSolidityVersionExpression(expression),
    })),
  );
  const release = newestReleaseSatisfying(
    pragmas.map(({ expression }) => expression),
    solcReleases,
  );
  if (release) {
    const reason = pragmas.length > 0 ? "the newest release that every pragma allows" : "the newest release";
    return { version: release, reason };
  }
  const places = whyNone(pragmas, solcReleases).map(
    ({ file, line, text }) => `${file}, line ${line} (${text})`,
  );
  throw new LedgerLensError(
    "no_compiler",
    `No released solc satisfies ${places.join(" and ")}. Change a pragma or give the compiler version.`,
  );
}
