import { LedgerLensError } from "../errors.ts";
import { relativePath } from "../files.ts";
import { readFoundryConfig } from "../projects/foundryConfig.ts";
import { rememberingReader, type FolderReader } from "../projects/folderReader.ts";
import { readHardhatConfig } from "../projects/hardhatConfig.ts";
import { findProject, type Project, type ProjectTool } from "../projects/project.ts";
import { compareWithDisk, nameInRecord, type BuildRecord } from "./buildRecord.ts";
import { chooseSolc } from "./compilerChoice.ts";
import type { WorkspaceContract } from "./contractReference.ts";
import { foundryCompilation, type ToolCompilation } from "./foundryInput.ts";
import { hardhatCompilation, isHardhatSource } from "./hardhatInput.ts";
import { checkInput } from "./inputChecks.ts";
import type { InputFinding } from "./inputFinding.ts";
import { findMetadata, metadataInput, type MetadataInput } from "./metadataInput.ts";
import { plainFolderInput } from "./plainFolder.ts";
import { findBuildRecords, mayDefine, metadataInRecord } from "./recordSearch.ts";
import { reachableSources } from "./reachableSources.ts";
import { remixCompilation } from "./remixInput.ts";
import { solidityClosure } from "./solidityClosure.ts";
import { byteOrderMarks, inputFilesOf, requireConcrete, solidityInput } from "./solidityCompilation.ts";
import { completeSolcVersion } from "./solcReleases.ts";
import type { ChangedFile, CompilerInput, CompilerSettings, InputSource } from "./standardJsonInput.ts";
import { truffleCompilation } from "./truffleInput.ts";
import { vyperContractInput } from "./vyperInput.ts";
import { completeVyperVersion } from "./vyperReleases.ts";

/** What a caller may fix or knows; everything is optional. */
export interface ContractInputOptions {
  /** Short (`0.8.30`) or full (`0.8.30+commit.73712a01`): goes before everything that the project says. */
  readonly compilerVersion?: string | undefined;
  /** Settings that go before everything that the project says. */
  readonly settings?: CompilerSettings | undefined;
  /** Settings for a folder that can't say any: no build tool, no record of a build. */
  readonly defaultSettings?: CompilerSettings | undefined;
  /** The version in the trailer of the deployed code, `0.8.30` or longer. */
  readonly deployedCompilerVersion?: string | undefined;
  /** The sources of truth that may be used; all of them unless said. */
  readonly sources?: readonly InputSource[] | undefined;
  /**
   * What to do when the best build record is older than the files: `use` it and name the files (the default, since
   * what was deployed was built before), `skip` it, or `refuse`.
   */
  readonly staleBuild?: "use" | "skip" | "refuse" | undefined;
  /** Leave out what a build record compiled besides and the contract does not need. */
  readonly onlyReachable?: boolean | undefined;
  /** Foundry's profile, or Hardhat 3's build profile. */
  readonly profile?: string | undefined;
  /** Known releases of solc, oldest first; see `withSolcReleaseList`. */
  readonly releases?: readonly string[] | undefined;
}

/**
 * The compiler input of a contract: the record of the build that made it, else its metadata with every file
 * checked against the disk, else what the project's configuration and the imports come to.
 *
 * @param folders The open folders. Nothing outside them goes, but for dependencies.
 * @throws LedgerLensError `contract_not_found`, `abstract_contract`, `no_compiler`, `invalid_compiler_version`,
 * `source_not_utf8`, `stale_build`, and what the closure throws (`import_not_found`, `import_outside_project`).
 */
export async function contractInput(
  reader: FolderReader,
  folders: readonly string[],
  contract: WorkspaceContract,
  options: ContractInputOptions = {},
): Promise<CompilerInput> {
  const files = rememberingReader(reader);
  const project = await findProject(files, contract.folder, contract.path);
  const may = (source: InputSource) => options.sources?.includes(source) ?? true;
  if (may("build-info")) {
    const recorded = await fromRecord(files, project, contract, options);
    if (recorded) return recorded;
  }
  if (contract.path.endsWith(".vy")) {
    return finished(await vyperContractInput(files, project, folders, contract, options), options);
  }
  const built = may("metadata") ? await fromMetadata(files, project, folders, contract, options) : undefined;
  if (built?.input) return finished(inputOfMetadata(built, project, contract), options);
  const derived = await derivedInput(files, project, folders, contract, options);
  const stale = built ? staleMetadata(built) : [];
  return finished({ ...derived, findings: [...stale, ...derived.findings] }, options);
}

interface FittingRecord {
  readonly record: BuildRecord;
  readonly name: string;
  readonly named: boolean;
  readonly compared: Awaited<ReturnType<typeof compareWithDisk>>;
}

/** The input of the build record that fits best: named by the artifact, then with the fewest changed files. */
async function fromRecord(
  files: FolderReader,
  project: Project,
  contract: WorkspaceContract,
  options: ContractInputOptions,
): Promise<CompilerInput | undefined> {
  const { contractName } = contract;
  const fitting: FittingRecord[] = [];
  for (const { record, named } of await findBuildRecords(files, project, contract, options.releases)) {
    const name = nameInRecord(record, project.root, contract.path);
    if (name === undefined || !mayDefine(record, name, contractName)) continue;
    const needed = options.onlyReachable ? reachableSources(record.input, name) : undefined;
    const trimmed = needed ? { ...record, input: { ...record.input, sources: needed } } : record;
    fitting.push({
      record: trimmed,
      name,
      named,
      compared: await compareWithDisk(files, trimmed, project.root),
    });
  }
  const wanted = options.compilerVersion?.replace(/^v/, "");
  const preference = (one: FittingRecord) => [
    wanted !== undefined && one.record.compilerVersion.startsWith(wanted) ? 0 : 1,
    relevantChanges(one).length > 0 ? 1 : 0,
    one.named ? 0 : 1,
    relevantChanges(one).length,
  ];
  const sorted = fitting.sort((a, b) => {
    const [x, y] = [preference(a), preference(b)];
    return x.map((value, at) => value - (y[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
  });
  const [best, next] = sorted;
  if (!best) return undefined;
  const changed = relevantChanges(best);
  if (changed.length > 0 && options.staleBuild === "skip") return undefined;
  if (changed.length > 0 && options.staleBuild === "refuse") {
    throw new LedgerLensError(
      "stale_build",
      `${staleSentence(changed, relative(best.record.path, project.root))} Build again, or say that the recorded build is meant.`,
      { detail: changed.map(({ name, change }) => `${name}: ${change}`).join("\n") },
    );
  }
  if (best.record.input.language === "Solidity" || best.record.input.language === "Yul") {
    const content = best.record.input.sources[best.name]?.content ?? "";
    if (best.record.input.language === "Solidity") requireConcrete(best.name, content, contractName);
  }
  const isAmbiguous =
    next !== undefined &&
    preference(best).every((value, at) => value === preference(next)[at]) &&
    differs(best, next, contractName);
  const unneeded = options.onlyReachable ? [] : unneededSources(best);
  const findings: InputFinding[] = [
    ...(changed.length > 0
      ? [
          {
            code: "stale_build",
            severity: "warning",
            sentence: `${staleSentence(changed, relative(best.record.path, project.root))} What the build compiled is sent, not the files as they are now.`,
            ...(changed[0] && { path: changed[0].path }),
          } as const,
        ]
      : []),
    ...(isAmbiguous
      ? [
          {
            code: "several_builds",
            severity: "warning",
            sentence: `Several builds hold ${contractName} and nothing tells which one was deployed; ${relative(best.record.path, project.root)} is taken, ${relative(next.record.path, project.root)} is another.`,
            path: best.record.path,
          } as const,
        ]
      : []),
    ...(unneeded.length > 0
      ? [
          {
            code: "unneeded_sources",
            severity: "note",
            sentence: `The build also compiled ${unneeded.length === 1 ? `${unneeded[0] ?? ""}, which` : `${unneeded.length.toLocaleString("en")} files that`} ${contractName} does not need; ${unneeded.length === 1 ? "it is" : "they are"} published with it.`,
          } as const,
        ]
      : []),
  ];
  return finished(
    {
      compilerVersion: best.record.compilerVersion,
      compilerReason: "the one that built it",
      contractIdentifier: `${best.name}:${contractName}`,
      stdJsonInput: best.record.input,
      source: "build-info",
      files: best.compared.files,
      findings,
      warnings: [],
      project: project.root,
      record: best.record.path,
      changedSinceBuild: changed,
    },
    options,
  );
}

/** Changes of files that the contract needs; what else the build compiled says nothing about it. */
function relevantChanges({ record, name, compared }: FittingRecord): readonly ChangedFile[] {
  if (compared.changed.length === 0) return compared.changed;
  const needed = reachableSources(record.input, name);
  return compared.changed.filter((file) => Object.hasOwn(needed, file.name));
}

function unneededSources({ record, name, compared }: FittingRecord): string[] {
  const needed = reachableSources(record.input, name);
  return compared.files.filter((file) => !Object.hasOwn(needed, file.name)).map((file) => file.name);
}

/** True when two records would give different code. */
function differs(a: FittingRecord, b: FittingRecord, contractName: string): boolean {
  const [metadata, other] = [a, b].map(({ record, name }) => metadataInRecord(record, name, contractName));
  if (metadata !== undefined && other !== undefined) return metadata !== other;
  const plain = ({ record, name }: FittingRecord) => {
    const settings = Object.entries(record.input.settings).filter(
      ([setting]) => setting !== "outputSelection",
    );
    return JSON.stringify([record.compilerVersion, settings, reachableSources(record.input, name)]);
  };
  return plain(a) !== plain(b);
}

function staleSentence(changed: readonly ChangedFile[], record: string): string {
  const names = changed.map(({ name }) => name);
  const shown = names.slice(0, 3).join(", ");
  const more = names.length > 3 ? ` and ${(names.length - 3).toLocaleString("en")} more` : "";
  return `${shown}${more} ${names.length === 1 ? "has" : "have"} changed since the build in ${record}.`;
}

async function fromMetadata(
  files: FolderReader,
  project: Project,
  folders: readonly string[],
  contract: WorkspaceContract,
  options: ContractInputOptions,
): Promise<MetadataInput | undefined> {
  const found = await findMetadata(files, project, contract);
  const rebuilt = await Promise.all(
    found.map((one) => metadataInput(files, project.root, folders, one, { releases: options.releases })),
  );
  const wanted = options.compilerVersion?.replace(/^v/, "");
  const fits = (one: MetadataInput) =>
    (one.input ? 2 : 0) + (wanted !== undefined && one.compilerVersion.startsWith(wanted) ? 1 : 0);
  return rebuilt.sort((a, b) => fits(b) - fits(a) || a.changed.length - b.changed.length)[0];
}

function inputOfMetadata(
  { found, compilerVersion, input, files }: MetadataInput,
  project: Project,
  contract: WorkspaceContract,
): CompilerInput {
  return {
    compilerVersion,
    compilerReason: "the one that built it",
    contractIdentifier: `${found.name}:${contract.contractName}`,
    stdJsonInput: input ?? { language: "Solidity", sources: {}, settings: {} },
    source: "metadata",
    files,
    findings: [],
    warnings: [],
    project: project.root,
    record: found.path,
    changedSinceBuild: [],
  };
}

function staleMetadata({ found, changed }: MetadataInput): InputFinding[] {
  if (changed.length === 0) return [];
  return [
    {
      code: "stale_metadata",
      severity: "warning",
      sentence: `${staleSentence(changed, found.path.slice(found.path.lastIndexOf("/") + 1))} The input is made from the files as they are now.`,
      ...(changed[0] && { path: changed[0].path }),
    },
  ];
}

/** What the project's configuration and the imports come to. */
async function derivedInput(
  files: FolderReader,
  project: Project,
  folders: readonly string[],
  contract: WorkspaceContract,
  options: ContractInputOptions,
): Promise<CompilerInput> {
  const { tool, findings: toolFindings } = await toolOf(files, project, contract);
  if (tool === undefined) {
    return plainFolderInput(files, folders, contract, {
      compilerVersion: options.compilerVersion,
      settings: { ...options.defaultSettings, ...options.settings },
      deployedCompilerVersion: options.deployedCompilerVersion,
      releases: options.releases,
    });
  }
  const compilation = await compilationBy(tool, files, project, folders, contract, options);
  const closure = await solidityClosure(
    compilation.resolver,
    { name: compilation.name, path: contract.path, bytes: contract.bytes },
    project.root,
  );
  const [entry] = closure;
  if (entry) requireConcrete(entry.name, entry.content, contract.contractName);
  const compiler = chooseSolc(
    closure,
    {
      given: options.compilerVersion,
      configured: compilation.configured,
      configuration: compilation.configuration,
      deployed: options.deployedCompilerVersion,
    },
    options.releases,
  );
  return {
    compilerVersion: compiler.version,
    compilerReason: compiler.reason,
    contractIdentifier: `${compilation.name}:${contract.contractName}`,
    stdJsonInput: solidityInput(closure, compilation.settings(compiler.version)),
    source: "derived",
    files: inputFilesOf(closure, project.root),
    findings: [...toolFindings, ...compilation.findings, ...compiler.findings, ...byteOrderMarks(closure)],
    warnings: [],
    project: project.root,
    changedSinceBuild: [],
  };
}

function compilationBy(
  tool: ProjectTool,
  files: FolderReader,
  project: Project,
  folders: readonly string[],
  contract: WorkspaceContract,
  { profile }: ContractInputOptions,
): Promise<ToolCompilation> {
  switch (tool) {
    case "hardhat":
      return hardhatCompilation(
        files,
        project,
        folders,
        contract,
        profile === "production" ? "production" : "default",
      );
    case "truffle":
      return truffleCompilation(files, project, folders, contract);
    case "remix":
      return remixCompilation(files, project, folders, contract);
    // Ape and moccasin compile Solidity as Foundry's layout has it, or not at all.
    case "foundry":
    case "ape":
    case "moccasin":
      return foundryCompilation(files, project.root, folders, contract, profile);
  }
}

/** The tool that compiles a file: in a project of both, the one whose folder of sources holds it. */
async function toolOf(
  files: FolderReader,
  { root, tools, configurations }: Project,
  { path }: WorkspaceContract,
): Promise<{ tool: ProjectTool | undefined; findings: InputFinding[] }> {
  const compiling = tools.filter((tool) => tool !== "ape" && tool !== "moccasin");
  const [first] = compiling;
  if (!compiling.includes("hardhat") || !compiling.includes("foundry")) return { tool: first, findings: [] };
  const hardhat = isHardhatSource(await readHardhatConfig(files, root, configurations.hardhat ?? ""), path);
  const { src } = await readFoundryConfig(files, root);
  const foundry = relativePath(path, root)?.startsWith(`${src}/`) ?? false;
  if (hardhat !== foundry) return { tool: hardhat ? "hardhat" : "foundry", findings: [] };
  return {
    tool: "hardhat",
    findings: [
      {
        code: "two_tools",
        severity: "warning",
        sentence: `Both Hardhat and Foundry compile ${relativePath(path, root) ?? path} and there is no build of either; Hardhat's settings are taken.`,
        path,
      },
    ],
  };
}

function relative(path: string, root: string): string {
  return relativePath(path, root) ?? path;
}

/** The input with what the caller fixed, and everything that there is to say of it. */
function finished(input: CompilerInput, options: ContractInputOptions): CompilerInput {
  const isVyper = input.stdJsonInput.language === "Vyper";
  const asked =
    options.compilerVersion === undefined
      ? undefined
      : isVyper
        ? completeVyperVersion(options.compilerVersion)
        : completeSolcVersion(options.compilerVersion, options.releases);
  const isOther = asked !== undefined && asked !== input.compilerVersion;
  const settings = Object.entries(options.settings ?? {}).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(input.stdJsonInput.settings[name]),
  );
  const changes = [
    ...(isOther ? [`compiler ${asked} instead of ${input.compilerVersion}`] : []),
    ...settings.map(([name]) => name),
  ];
  const result: CompilerInput = {
    ...input,
    ...(asked !== undefined && { compilerVersion: asked, compilerReason: "as given" }),
    stdJsonInput: {
      ...input.stdJsonInput,
      settings: { ...input.stdJsonInput.settings, ...options.settings },
    },
  };
  const findings: InputFinding[] = [
    ...input.findings,
    ...(changes.length > 0 && input.source !== "derived"
      ? [
          {
            code: "settings_changed",
            severity: "warning",
            sentence: `The build is not taken as it was: ${changes.join(", ")} ${changes.length === 1 ? "was" : "were"} set by hand.`,
          } as const,
        ]
      : []),
    ...checkInput(result),
  ].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  return { ...result, findings, warnings: findings.map(({ sentence }) => sentence) };
}

const SEVERITIES: readonly InputFinding["severity"][] = ["error", "warning", "note"];
