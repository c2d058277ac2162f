import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { existsSync, realpathSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import type { ContractInputOptions } from "../../../src/core/compilerInput/contractInputOptions.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import { UnresolvedImportError } from "../../../src/core/languages/solidity/solidityClosure.ts";
import { completeSolcVersion } from "../../../src/core/languages/solidity/solcReleases.ts";
import type { CompilerInput } from "../../../src/core/sources/standardJsonInput.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import type { FolderReader } from "../../../src/core/files/folderReader.ts";
import { deployedSigns } from "../../../src/core/matching/deployedSigns.ts";
import { metadataOf, type CompilerPrograms } from "../compilerPrograms.ts";
import { diskFiles } from "../../../src/core/files/diskFiles.ts";
import { overlaidFolders } from "../overlaidFolders.ts";
import { seenFrom, type Tool, type ToolProject } from "./toolProject.ts";
import { builtBy, type Built, type ToolHome } from "./toolRuns.ts";
import { linkedAt } from "../../../src/core/evm/hex.ts";

/** Where an input may come from. */
export type Ground = "derived" | "record";

/** What became of one comparison. */
export type Outcome =
  /** The metadata that the tool's compiler wrote. */
  | "equal"
  /** The same but for names from the root of the machine, under which forge compiles what lies above a project. */
  | "renamed"
  /** An input that compiles to something else, or to nothing. */
  | "wrong"
  /**
   * Another tool compiles the contract too, which is said, and nothing tells which of them deployed it; once that is known
   * the input is right, or the question is asked.
   */
  | "told"
  /** A question about a configuration. */
  | "question"
  /** A file of the build lies outside what is open, and that is said. */
  | "outside"
  /** Another refusal. */
  | "error";

export interface Comparison {
  readonly shape: string;
  readonly contract: string;
  readonly ground: Ground;
  /** The tool whose code is said to be deployed; without one nothing is said of it. */
  readonly deployed?: Tool;
  readonly outcome: Outcome;
  /** What to look at. */
  readonly detail: string;
}

/** Why a contract that a tool compiled is not compared. */
export type Skipped =
  /** Its file lies outside the open folder, and can't be chosen. */
  | "not open"
  /** It is compiled along with what imports it, and has no code of its own to deploy. */
  | "without an artifact";

/** What a project gave: what tools refused to build, each contract compared, and why others were not. */
export interface ProjectResult {
  readonly refused: readonly { readonly tool: Tool; readonly output: string }[];
  readonly comparisons: readonly Comparison[];
  readonly skipped: readonly Skipped[];
}

/** Builds a project with its tools and compares what they built with our inputs. */
export async function compareProject(
  folder: string,
  project: ToolProject,
  home: ToolHome,
  programs: CompilerPrograms,
): Promise<ProjectResult> {
  home.write(folder, project);
  const root = join(folder, project.root);
  const refused: { tool: Tool; output: string }[] = [];
  const built: Built[] = [];
  for (const run of project.runs) {
    const { built: isBuilt, output } = await home.build(root, run);
    if (isBuilt) built.push(...(await builtBy(root, run, programs)));
    else refused.push({ tool: run.tool, output });
  }
  // What one of its tools refuses is no project.
  if (refused.length > 0) return { refused, comparisons: [], skipped: [] };
  const contracts = new Map<string, { readonly paths: Set<string>; readonly ones: Built[] }>();
  for (const one of built) {
    // Forge names what lies above a project in two ways: from the project, and from the root of the machine.
    const path = resolve(root, one.path);
    if (!existsSync(path) || !realpathSync(path).startsWith(`${folder}/`))
      throw new Error(`${one.path} lies nowhere.`);
    const key = `${realpathSync(path)}:${one.contract}`;
    const { paths, ones } = contracts.get(key) ?? { paths: new Set(), ones: [] };
    contracts.set(key, { paths: paths.add(path), ones });
    // A second run leaves what the first wrote.
    if (!ones.some((other) => isSameBuild(one, other))) ones.push(one);
  }
  const comparisons: Comparison[] = [];
  const skipped: Skipped[] = [];
  for (const { paths, ones } of contracts.values()) {
    for (const path of paths) {
      // What the editor does not show is not verified.
      if (!path.startsWith(`${join(folder, project.open)}/`)) skipped.push("not open");
      else if (ones.every(({ runtime }) => runtime === "")) skipped.push("without an artifact");
      else comparisons.push(...(await compareContract({ folder, project, programs }, path, ones)));
    }
  }
  return { refused, comparisons, skipped };
}

interface World {
  readonly folder: string;
  readonly project: ToolProject;
  readonly programs: CompilerPrograms;
}

async function compareContract(world: World, path: string, built: readonly Built[]): Promise<Comparison[]> {
  const { folder, project } = world;
  const root = join(folder, project.root);
  const name = `${seenFrom(project.root, path.slice(folder.length)).replace(/^\.\//, "")}:${built[0]?.contract ?? ""}`;
  const hidden = project.runs.flatMap(({ artifacts, outputs }) =>
    [artifacts, ...outputs].map((one) => join(root, one)),
  );
  const grounds = [
    ["derived", overlaidFolders(diskFiles, { hidden })],
    ["record", diskFiles],
  ] as const;
  const deployable = built.filter(({ runtime }) => runtime !== "");
  const results: Comparison[] = [];
  for (const [ground, reader] of grounds) {
    // What was built once leaves nothing to choose, what was built several times is chosen by the deployed code.
    for (const deployed of deployable.length > 1 ? [undefined, ...deployable] : [undefined]) {
      const { outcome, detail } = await outcomeOf(world, reader, { name, path, built, deployed, ground });
      results.push({
        shape: project.shape,
        contract: name,
        ground,
        outcome,
        detail,
        ...(deployed && { deployed: deployed.tool }),
      });
    }
  }
  return results;
}

interface Case {
  readonly name: string;
  readonly path: string;
  readonly built: readonly Built[];
  /** What is said to be deployed. */
  readonly deployed: Built | undefined;
  readonly ground: Ground;
}

async function outcomeOf(
  world: World,
  reader: FolderReader,
  one: Case,
): Promise<Pick<Comparison, "outcome" | "detail">> {
  const { folder, project } = world;
  const open = join(folder, project.open);
  const found = await madeOf(world, reader, one, open);
  if ("error" in found) {
    const { error } = found;
    if (!(error instanceof LedgerLensError))
      return { outcome: "error", detail: String((error as Error).stack) };
    const detail = `${error.code}: ${error.message}`;
    if (error.code === "configuration_unknown")
      return isOfOutside(error.message)
        ? ((await withAllOpen(world, reader, one)) ?? { outcome: "outside", detail })
        : { outcome: "question", detail };
    if (!isOfOutside(error.message)) return { outcome: "error", detail };
    const left =
      error instanceof UnresolvedImportError ? error.imports.map(({ importPath }) => importPath) : [one.path];
    const here = left.filter((path) => !isBeyond(world, open, basename(path)));
    if (here.length > 0) return { outcome: "error", detail: `${here.join(", ")} is open. ${detail}` };
    return (await withAllOpen(world, reader, one)) ?? { outcome: "outside", detail };
  }
  const { input, made, expected } = found;
  const equal = sameAs(found);
  if (equal) return { outcome: equal, detail: input.source };
  const detail = difference(input, made, expected);
  if (isUndecided(input) && (await isRightByDeployer(world, reader, one, open)))
    return { outcome: "told", detail };
  // Who opened less than the build read is told so.
  if (!input.findings.some(({ sentence }) => isOfOutside(sentence))) return { outcome: "wrong", detail };
  const here = expected.map((theirs) => differingHere(world, open, found, theirs));
  if (here.every((names) => names === undefined || names.length > 0))
    return {
      outcome: "wrong",
      detail: `Not for what lies outside: ${here.map((names) => names?.join(", ") ?? "nothing").join(" or ")}. ${detail}`,
    };
  return (await withAllOpen(world, reader, one)) ?? { outcome: "outside", detail };
}

/** True where a finding says that several tools compile the contract, and that nothing decides between them. */
function isUndecided({ findings }: CompilerInput): boolean {
  return findings.some(
    ({ code, sentence }) => code === "two_tools" && / if it deployed | that deployed it/.test(sentence),
  );
}

/** What each tool's deployments are recorded by. */
const RECORDERS: Readonly<Record<Tool, string>> = {
  Foundry: "foundry",
  "Hardhat 2": "hardhat-ignition",
  "Hardhat 3": "hardhat-ignition",
};

/** Whether the input is right, or the question is asked, as soon as the deployment's record tells the tool. */
async function isRightByDeployer(
  world: World,
  reader: FolderReader,
  one: Case,
  open: string,
): Promise<boolean> {
  const { folder, project } = world;
  const { tool } = one.deployed ?? {};
  if (tool === undefined) return false;
  const deployment = { recordedBy: RECORDERS[tool], record: join(folder, project.root, "deployed.json") };
  const found = await madeOf(world, reader, one, open, { deployment });
  if (!("error" in found)) return sameAs(found) !== undefined;
  return (
    project.isComputed &&
    found.error instanceof LedgerLensError &&
    found.error.code === "configuration_unknown"
  );
}

type Made =
  | { readonly input: CompilerInput; readonly made: string | undefined; readonly expected: readonly Built[] }
  | { readonly error: unknown };

/**
 * Whether an input compiles to what a tool built. A name from the root of the machine tells where the files of a person
 * lie: it is right to do without it, and an input that has it has to say so.
 */
function sameAs({
  input,
  made,
  expected,
}: Exclude<Made, { readonly error: unknown }>): "equal" | "renamed" | undefined {
  const isTold = input.findings.some(({ code }) => code === "absolute_path");
  if (made === undefined || (hasMachineNames(made) && !isTold)) return undefined;
  if (expected.some(({ metadata }) => metadata === made)) return "equal";
  if (hasMachineNames(made)) return undefined;
  const named = expected.filter(({ metadata }) => hasMachineNames(metadata));
  // Under the other name the compiler reads the file from the disk itself, with the line endings that it has there.
  const texts = new Map(
    Object.entries(input.stdJsonInput.sources).map(([name, { content }]) => [
      name,
      `0x${bytesToHex(keccak_256(new TextEncoder().encode(content.replaceAll("\r\n", "\n"))))}`,
    ]),
  );
  const ours = withoutNames(made, texts);
  return named.some(({ metadata }) => withoutNames(metadata) === ours) ? "renamed" : undefined;
}

function hasMachineNames(metadata: string): boolean {
  const { sources } = JSON.parse(metadata) as LooseMetadata;
  return Object.keys(sources).some((name) => name.startsWith("/"));
}

/**
 * What metadata says but for the names of the sources.
 *
 * @param hashes of the texts that count instead of those that were compiled, by name
 */
function withoutNames(metadata: string, hashes?: ReadonlyMap<string, string>): string {
  const { compiler, settings, sources } = JSON.parse(metadata) as LooseMetadata;
  const texts = Object.entries(sources).map(([name, { keccak256 }]) => hashes?.get(name) ?? keccak256);
  return JSON.stringify([compiler, { ...settings, compilationTarget: undefined }, texts.sort()]);
}

/** Our input of a contract with a folder open, the metadata that it compiles to, and that of the tools. */
async function madeOf(
  { project, programs }: World,
  reader: FolderReader,
  { name, path, built, deployed, ground }: Case,
  open: string,
  besides: ContractInputOptions = {},
): Promise<Made> {
  const expected = built.filter(
    (one) =>
      !deployed ||
      one === deployed ||
      // Nothing tells two builds apart that made the same to the last byte.
      (one.runtime !== "" && one.runtime === deployed.runtime) ||
      // Only the record of a build tells its metadata hash before it is compiled.
      (ground === "derived" && one.runtime !== "" && sameCode(one, deployed)),
  );
  const by = (deployed ?? built[0])?.tool;
  const profile = project.runs.find((run) => run.tool === by)?.profile;
  const options: ContractInputOptions = {
    releases: { solc: programs.compilers.versions.map((version) => completeSolcVersion(version)) },
    ...(ground === "derived" && { sources: ["derived"] }),
    ...(profile !== undefined && { profile }),
    ...(deployed && signsOf(deployed)),
    ...besides,
  };
  try {
    const contract = await findWorkspaceContract(
      reader,
      [open],
      `${path}:${name.slice(name.lastIndexOf(":") + 1)}`,
    );
    const input = await contractInput(reader, [open], contract, options);
    const made = await metadataOf(programs, input);
    return { input, made, expected };
  } catch (error) {
    return { error };
  }
}

/** What is wrong even with the whole workspace open, where nothing lies outside; `undefined` where all is equal. */
async function withAllOpen(
  world: World,
  reader: FolderReader,
  one: Case,
): Promise<Pick<Comparison, "outcome" | "detail"> | undefined> {
  const found = await madeOf(world, reader, one, world.folder);
  if ("error" in found) {
    const isQuestion = found.error instanceof LedgerLensError && found.error.code === "configuration_unknown";
    return {
      outcome: isQuestion ? "question" : "error",
      detail: `With all open: ${String((found.error as Error).stack)}`,
    };
  }
  const { input, made, expected } = found;
  if (sameAs(found)) return undefined;
  const isTold = isUndecided(input) && (await isRightByDeployer(world, reader, one, world.folder));
  return {
    outcome: isTold ? "told" : "wrong",
    detail: `With all open: ${difference(input, made, expected)}`,
  };
}

/** True for a file, by its name which no other has, that lies neither in what is open nor in an installed package. */
function isBeyond(world: World, open: string, file: string): boolean {
  const places = Object.keys(world.project.files).filter((path) => basename(path) === file);
  return places.length > 0 && places.every((path) => liesBeyond(join(world.folder, path), open));
}

/** True for what lies neither in what is open nor in an installed package. */
function liesBeyond(path: string, open: string): boolean {
  if (!existsSync(path)) return false;
  const real = realpathSync(path);
  return !real.startsWith(`${open}/`) && !real.includes("/node_modules/");
}

/**
 * What of a difference does not come from something that lies outside: sources that are missing although a file that is
 * there imports them, and other texts. `undefined` where nothing that differs has to do with what lies outside: no source,
 * no folder that a remapping leads to, no configuration, and no file that makes the tool compile the contract's own.
 */
function differingHere(
  world: World,
  open: string,
  { input, made }: { readonly input: CompilerInput; readonly made: string | undefined },
  { metadata, path }: Built,
): string[] | undefined {
  const { folder, project } = world;
  const theirs = JSON.parse(metadata) as LooseMetadata;
  const { sources, settings } = input.stdJsonInput;
  const missing = Object.keys(theirs.sources).filter((name) => !Object.hasOwn(sources, name));
  const beyond = missing.filter((name) => isBeyond(world, open, basename(name)));
  const targets = ((theirs.settings["remappings"] ?? []) as readonly string[])
    .filter((one) => !settings.remappings?.includes(one.replace(/^:/, "")))
    .map((one) => one.slice(one.indexOf("=") + 1))
    // As Hardhat 3 names a package.
    .map((target) => target.replace(/^npm\/((?:@[^/]+\/)?[^/@]+)@.*/, "node_modules/$1"))
    // Node looks for a package in every folder above, too.
    .flatMap((target) => ["", "..", "../.."].map((up) => join(folder, project.root, up, target)));
  const importersOf = (source: string) =>
    Object.entries(project.files).filter(
      ([file, text]) => text.includes(`/${basename(source)}`) && isBeyond(world, open, basename(file)),
    );
  const importers = importersOf(path);
  const ours = made === undefined ? undefined : (JSON.parse(made) as LooseMetadata);
  const texts = ours ? otherTexts(ours, theirs) : [];
  // Forge hands a file over by how any other one imports it, which may be one that what lies outside imports.
  const byOthers = texts.filter(
    (name) =>
      name.startsWith("../") &&
      Object.values(project.files).some((text) =>
        importPathsOf(text).some((one) => !one.startsWith(".") && basename(one) === basename(name)),
      ),
  );
  // A configuration that the project's own extends, of which it is told that it is not read.
  const configurations = Object.keys(project.files)
    .map((file) => join(folder, file))
    .filter((file) => !file.endsWith(".sol") && liesBeyond(file, open))
    .filter((file) => input.findings.some(({ sentence }) => sentence.includes(`${file} lies outside`)));
  if (
    beyond.length + importers.length + byOthers.length + configurations.length === 0 &&
    !targets.some((one) => liesBeyond(one, open))
  )
    return undefined;
  const foreign = Object.keys(sources).filter((name) => theirs.sources[name] === undefined);
  // Another tool has other names for them all.
  if (foreign.length > 0) return importers.length > 0 ? [] : foreign;
  const contents = Object.values(sources).map(({ content }) => content);
  const here = missing.filter(
    (name) => !beyond.includes(name) && contents.some((text) => text.includes(`/${basename(name)}`)),
  );
  return [...here, ...texts.filter((name) => !byOthers.includes(name))];
}

/** The paths of a file's imports, as written. */
function importPathsOf(text: string): string[] {
  return [...text.matchAll(/^import [^;]*?"([^"]+)"/gm)].map(([, path = ""]) => path);
}

/** True for a sentence that says that something was not read since it lies outside what is open. */
function isOfOutside(sentence: string): boolean {
  return sentence.includes("outside the open folders");
}

/** What the auxdata and the instructions of a deployed code tell. */
function signsOf({
  metadata,
  runtime,
}: Built): Pick<ContractInputOptions, "deployedCompilerVersion" | "deployedSigns"> {
  const { compiler, settings } = JSON.parse(metadata) as {
    compiler: { version: string };
    settings: { metadata?: { appendCBOR?: boolean } };
  };
  return {
    deployedSigns: deployedSigns(Buffer.from(linkedCode(runtime), "hex")),
    ...(settings.metadata?.appendCBOR !== false && {
      deployedCompilerVersion: compiler.version.replace(/\+.*/, ""),
    }),
  };
}

/** A runtime code as it is deployed: with a library where one was left to be linked. */
function linkedCode(runtime: string): string {
  return linkedAt(runtime, "5fbdb2315678afecb367f032d93f642f64180aa3");
}

function isSameBuild(one: Built, other: Built): boolean {
  return one.tool === other.tool && one.metadata === other.metadata && one.runtime === other.runtime;
}

/** True for codes that differ in nothing but the hash of their metadata. */
function sameCode(one: Built, other: Built): boolean {
  const bare = ({ runtime }: Built) =>
    linkedCode(runtime)
      .replace(/a264697066735822[0-9a-f]{68}64736f6c6343[0-9a-f]{6}0033/g, "")
      .replace(/a265627a7a72315820[0-9a-f]{64}64736f6c6343[0-9a-f]{6}0032/g, "");
  return bare(one) === bare(other);
}

interface LooseMetadata {
  readonly compiler: { readonly version: string };
  readonly settings: Readonly<Record<string, unknown>>;
  readonly sources: Readonly<Record<string, { readonly keccak256: string }>>;
}

/** The sources that both have with another text. */
function otherTexts(ours: LooseMetadata, theirs: LooseMetadata): string[] {
  return Object.keys(ours.sources).filter((name) => {
    const other = theirs.sources[name];
    return other !== undefined && ours.sources[name]?.keccak256 !== other.keccak256;
  });
}

/** What differs between an input's metadata and the nearest that a tool built. */
function difference(input: CompilerInput, made: string | undefined, expected: readonly Built[]): string {
  const head = `${input.compilerVersion} (${input.compilerReason}), ${input.source} ${input.record ?? ""} ${input.contractIdentifier}\n  findings: ${input.warnings.join(" | ")}`;
  const ours = made === undefined ? undefined : (JSON.parse(made) as LooseMetadata);
  const lines = expected.map(({ tool, metadata }) => {
    const theirs = JSON.parse(metadata) as LooseMetadata;
    if (!ours)
      return `  ${tool}: nothing compiled, of ${Object.keys(theirs.sources).join(", ")}; ours ${Object.keys(input.stdJsonInput.sources).join(", ")} ${JSON.stringify(input.stdJsonInput.settings)}`;
    const found: string[] = [];
    if (ours.compiler.version !== theirs.compiler.version)
      found.push(`compiler ${ours.compiler.version} for ${theirs.compiler.version}`);
    for (const name of new Set([...Object.keys(ours.settings), ...Object.keys(theirs.settings)])) {
      const [a, b] = [ours.settings[name], theirs.settings[name]].map((one) => JSON.stringify(one));
      if (a !== b) found.push(`${name} ${a ?? ""} for ${b ?? ""}`);
    }
    const names = [ours, theirs].map(({ sources }) => Object.keys(sources).sort().join(", "));
    if (names[0] !== names[1]) found.push(`sources ${names[0] ?? ""} for ${names[1] ?? ""}`);
    const texts = otherTexts(ours, theirs);
    if (texts.length > 0) found.push(`texts of ${texts.join(", ")}`);
    return `  ${tool}: ${found.join("; ")}`;
  });
  return [head, ...lines].join("\n");
}

/** Takes a project's folder away. */
export function removeProject(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
