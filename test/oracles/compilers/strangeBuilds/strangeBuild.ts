import { AbiCoder } from "ethers";
import { join } from "node:path";
import { LocalVerifier } from "../../../../src/core/compilers/localVerifier.ts";
import { contractInput } from "../../../../src/core/compilerInput/contractInput.ts";
import { asText, fieldAt } from "../../../../src/core/json/looseData.ts";
import { toolNamings } from "../../../../src/core/compilerInput/toolNamings.ts";
import type { NamingClues } from "../../../../src/core/settingsSearch/likelyNamings.ts";
import { lastAuxdata } from "../../../../src/core/evm/auxdata.ts";
import { codeBytes } from "../../../../src/core/evm/hex.ts";
import { completeSolcVersion } from "../../../../src/core/languages/solidity/solcReleases.ts";
import { findWorkspaceContract } from "../../../../src/core/languages/workspaceContract.ts";
import { deployedSigns } from "../../../../src/core/matching/deployedSigns.ts";
import type { Submittable } from "../../../../src/core/matching/resubmission.ts";
import type { LocalCompilers } from "../../../../src/core/compilers/localCompilers.ts";
import type { CompileRelease } from "../../../../src/core/settingsSearch/settingsAttempt.ts";
import {
  searchSettings,
  type SettingsSearchResult,
} from "../../../../src/core/settingsSearch/settingsSearch.ts";
import type { CompilerSettings } from "../../../../src/core/sources/standardJsonInput.ts";
import type { Chain } from "../../../sandbox/chain.ts";
import { COMPILER_THREADS } from "../../../sandbox/installedCompilers.ts";
import type { SolidityCompilers } from "../../../sandbox/solidityCompilers.ts";
import { diskFiles } from "../../../../src/core/files/diskFiles.ts";
import { overlaidFolders } from "../../overlaidFolders.ts";
import { mountedFolders } from "./mountedFolders.ts";

export type Argument = readonly [type: string, value: unknown];

/** Where packages lie: those of the proofs of mismatches, and those of all oracles. */
export interface PackageFolders {
  readonly contracts: string;
  readonly oracles: string;
}

/** A folder as somebody opened it. */
export interface OpenFolder {
  /** By paths below the folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Folders of packages by paths below the folder: `contracts:solmate/src` is one of {@link PackageFolders}. */
  readonly packages?: Readonly<Record<string, string>>;
  /** What `ledgerLens.compilerSettings` says. */
  readonly settings?: CompilerSettings;
}

/** How the code was made that is deployed. */
export interface Made {
  /** Short. */
  readonly version: string;
  /** All of the settings but remappings, which are those of the folder unless given. */
  readonly settings?: CompilerSettings;
  /** The name that a source had, given the name that it has in the folder's own build. */
  readonly rename?: (name: string) => string;
  /** The text that a source had. */
  readonly edit?: (text: string, name: string) => string;
  /** Another contract than the one that is looked for. */
  readonly contract?: string;
}

/** A deployment whose settings are not those of the folder. */
export interface StrangeBuild {
  /** What happened, in one line. */
  readonly name: string;
  readonly folder: OpenFolder;
  /** `path/to/File.sol:Name` */
  readonly contract: string;
  readonly made: Made;
  readonly args?: readonly Argument[];
  /** What stands at the address that is looked at, given where the made code was deployed; that code itself unless said. */
  readonly at?: (chain: Chain, address: string) => Promise<string>;
  /**
   * What a search comes to at least; `none` where the folder's sources never make the code, `open` where nothing tells how
   * it was made, so that finding it is luck.
   */
  readonly atLeast: "exact_match" | "match" | "none" | "open";
  /** Releases that can't be had. */
  readonly missing?: readonly string[];
  /** Takes long to compile. */
  readonly isLarge?: true;
}

/** What a search is run with. */
export interface SearchWorld {
  readonly chain: Chain;
  readonly packages: PackageFolders;
  /** Makes what is deployed. */
  readonly makers: SolidityCompilers;
  /** Compiles for the search. */
  readonly compilers: LocalCompilers;
  readonly compile: CompileRelease;
}

const ROOT = "/home/me/project";

/** What a search is asked. */
interface PreparedBuild {
  readonly given: Submittable;
  readonly address: string;
  readonly runtimeCode: string;
  readonly namings: () => Promise<NamingClues>;
}

/** Deploys what was made, and what the folder's own build comes to. */
export async function prepared(
  { chain, packages, makers }: Pick<SearchWorld, "chain" | "packages" | "makers">,
  build: StrangeBuild,
): Promise<PreparedBuild> {
  const { folder, contract, made, args = [] } = build;
  const mounts = Object.entries(folder.packages ?? {}).map(([path, place]) => {
    const [where = "", ...rest] = place.split(":");
    return [join(ROOT, path), join(packages[where as keyof PackageFolders], rest.join(":"))] as const;
  });
  const files = Object.entries(folder.files).map(([path, text]) => [join(ROOT, path), text] as const);
  const reader = overlaidFolders(mountedFolders(diskFiles, Object.fromEntries(mounts)), {
    files: Object.fromEntries(files),
  });
  const found = await findWorkspaceContract(reader, [ROOT], contract);
  const inputOf = async (name: string, evidence: object) =>
    contractInput(reader, [ROOT], await findWorkspaceContract(reader, [ROOT], name), {
      defaultSettings: folder.settings ?? {},
      ...evidence,
    });
  const closure = await inputOf(made.contract ?? contract, { compilerVersion: made.version });
  const nameOf = made.rename ?? ((name: string) => name);
  const sources = Object.fromEntries(
    Object.entries(closure.stdJsonInput.sources).map(([name, { content }]) => [
      nameOf(name),
      { content: made.edit?.(content, name) ?? content },
    ]),
  );
  const { remappings } = closure.stdJsonInput.settings;
  const input = {
    language: "Solidity",
    sources,
    settings: {
      ...(remappings === undefined ? {} : { remappings }),
      ...made.settings,
      outputSelection: { "*": { "*": ["evm.bytecode.object", "evm.deployedBytecode.object", "metadata"] } },
    },
  };
  const output = await makers.compile(made.version, input);
  const identifier = closure.contractIdentifier;
  const colon = identifier.lastIndexOf(":");
  const [file, name] = [nameOf(identifier.slice(0, colon)), identifier.slice(colon + 1)];
  const bytecode = asText(fieldAt(output, "contracts", file, name, "evm", "bytecode", "object"));
  if (bytecode === undefined || bytecode === "") {
    const errors = output?.errors?.filter(({ severity }) => severity === "error").slice(0, 3);
    throw new Error(`${build.name}: ${JSON.stringify(errors)} ${Object.keys(sources).join(" ")}`);
  }
  const encoded = AbiCoder.defaultAbiCoder().encode(
    args.map(([type]) => type),
    args.map(([, value]) => value),
  );
  const deployed = await chain.deploy(`0x${bytecode}${encoded.slice(2)}`);
  const address = (await build.at?.(chain, deployed.address)) ?? deployed.address;
  const runtimeCode = await chain.rpc<string>("eth_getCode", address, "latest");
  const code = codeBytes(runtimeCode);
  if (code.length === 0) throw new Error(`${build.name}: no code`);
  const given = await inputOf(contract, {
    deployedCompilerVersion: lastAuxdata(code)?.compilerVersion,
    deployedSigns: deployedSigns(code),
  });
  const namings = async () => ({ path: found.path, namings: await toolNamings(reader, [ROOT], found) });
  return { given, address, runtimeCode, namings };
}

/** What a search came to, and how that compares with what it could come to. */
export interface SearchOutcome {
  readonly build: StrangeBuild;
  readonly result: SettingsSearchResult;
  /** `lesser` is a match where an exact match can be had, `false` what is found and is none. */
  readonly word: "as expected" | "lesser" | "not found" | "false";
}

export async function searched(
  world: SearchWorld,
  build: StrangeBuild,
  limitSeconds: number,
): Promise<SearchOutcome> {
  const { given, address, runtimeCode, namings } = await prepared(world, build);
  const { chain, compilers } = world;
  const hidden = (build.missing ?? []).map((version) => completeSolcVersion(version));
  const isHidden = (version: string) => hidden.includes(version);
  const verifier = new LocalVerifier(compilers);
  const deployed = { chainId: chain.chainId, address, runtimeCode };
  const result = await searchSettings(given, runtimeCode, {
    compile: async (version, input, signal) =>
      isHidden(version) ? undefined : world.compile(version, input, signal),
    prove: async (submission, signal) =>
      isHidden(submission.compilerVersion) ? undefined : verifier.verify(submission, deployed, { signal }),
    threads: COMPILER_THREADS,
    limitSeconds,
    namingClues: namings,
  });
  // An engine of its own, which knows nothing of the search.
  const again =
    result.found && (await new LocalVerifier(compilers).verify(result.found.submission, deployed));
  const isProven = again?.verdict === result.found?.verdict.verdict && again?.verdict !== "mismatch";
  return { build, result, word: isProven ? wordOf(build, result) : "false" };
}

function wordOf({ atLeast }: StrangeBuild, { found }: SettingsSearchResult): SearchOutcome["word"] {
  if (atLeast === "none") return found ? "false" : "as expected";
  if (!found) return atLeast === "open" ? "as expected" : "not found";
  return atLeast === "exact_match" && found.verdict.verdict === "match" ? "lesser" : "as expected";
}
