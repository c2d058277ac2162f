import { atOnce } from "../../../src/core/concurrency/turns.ts";
import type {
  CauseCode,
  Explanation,
  LocalContract,
  SubmittedBuild,
} from "../../../src/core/matching/explanation.ts";
import { getAddress } from "ethers";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import type { JobError } from "../../../src/core/service/job.ts";
import type { CompilerSettings, StandardJsonInput } from "../../../src/core/sources/standardJsonInput.ts";
import { completeSolcVersion } from "../../../src/core/languages/solidity/solcReleases.ts";
import { predict, type Prediction } from "../../../src/core/matching/predict.ts";
import { implementationOf, type ChainState } from "../../../src/core/chains/proxyImplementation.ts";
import type { Chain, DeployedCode } from "../chain.ts";
import type { SolidityCompilers } from "../solidityCompilers.ts";
import type { Verdict, Verifier } from "../verificationService/verifier.ts";
import { OUTPUTS } from "./outputs.ts";
import { repositoryRoot } from "../../rig/paths.ts";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A compilation as a developer sets it up. */
export interface Build {
  /** Source unit name → content; what is imported from packages is added. */
  readonly sources: Readonly<Record<string, string>>;
  readonly contract: string;
  /** Short version, `0.8.28`. */
  readonly version: string;
  readonly settings?: CompilerSettings;
}

/** What solc gives for a contract, as far as the cases read it. */
export interface CompiledContract {
  readonly abi: readonly AbiFunction[];
  readonly metadata: string;
  readonly evm: {
    readonly bytecode: CompiledCode;
    readonly deployedBytecode: CompiledCode;
    readonly methodIdentifiers: Readonly<Record<string, string>>;
  };
}

interface CompiledCode {
  readonly object: string;
  readonly linkReferences: Readonly<
    Record<string, Readonly<Record<string, readonly { start: number; length: number }[]>>>
  >;
}

interface AbiFunction {
  readonly type: string;
  readonly name?: string;
}

/** One thing deployed, another one submitted. */
export interface MismatchCase {
  readonly name: string;
  /** The true cause; several where the case differs in several ways. */
  readonly causes: readonly CauseCode[];
  readonly deployed: Build;
  /** Constructor arguments, ABI-encoded without `0x`. */
  readonly constructorArguments?: string;
  /** Deploys something else with what was compiled, and answers where. */
  readonly deploy?: (
    world: World,
    compiled: CompiledContract,
    output: CompiledOutput,
  ) => Promise<DeployedCode>;
  readonly submitted: Build & {
    readonly identifier?: string;
    readonly language?: StandardJsonInput["language"];
    readonly compilerVersion?: string;
  };
  /** Contracts of the workspace among which the right one may be. */
  readonly workspace?: readonly Build[];
  /** Whether local builds come with their code. */
  readonly hasLocalCode?: boolean;
  /** The submitted build's metadata is on record. */
  readonly hasBuildRecord?: boolean;
  /** Another address than the deployed one. */
  readonly address?: string;
  /** The functions whose code differs, as the explanation names them, where it has to. */
  readonly changedFunctions?: string;
  /** The service's node does not answer. */
  readonly isNodeDown?: boolean;
}

/** Compiled contracts by file and name. */
export type CompiledOutput = Readonly<Record<string, Readonly<Record<string, CompiledContract>>>>;

/** What the cases run in. */
export interface World {
  readonly chain: Chain;
  readonly compilers: SolidityCompilers;
  readonly verifier: Verifier;
  readonly verifierWithoutNode: Verifier;
}

/** What became of a case. */
export interface CaseResult {
  /** What the service answered: a code, or the match. */
  readonly answer: string;
  readonly explanation: Explanation;
  readonly prediction: Prediction | undefined;
  /** What was submitted, and for which deployment. */
  readonly submission: CaseSubmission;
  /** What the service recompiled, where it says it. */
  readonly recompiledCode?: string | null | undefined;
}

/** What the service gets. */
export interface CaseSubmission {
  readonly submitted: SubmittedBuild;
  readonly address: string;
  /** `undefined` where the service has to find it. */
  readonly creationTransactionHash: string | undefined;
}

/** Compiles a build, its imports from packages included. */
export async function compileBuild(
  compilers: SolidityCompilers,
  build: Build,
): Promise<{ input: StandardJsonInput; output: CompiledOutput; errors: readonly string[] }> {
  const sources: Record<string, { content: string }> = Object.fromEntries(
    Object.entries(build.sources).map(([name, content]) => [name, { content }]),
  );
  for (;;) {
    const input: StandardJsonInput = { language: "Solidity", sources, settings: build.settings ?? {} };
    const settings = { ...input.settings, ...OUTPUTS };
    const output = (await compilers.compile(build.version, { ...input, settings })) as unknown as
      { contracts?: CompiledOutput; errors?: readonly { severity: string; message: string }[] } | undefined;
    if (!output) throw new Error(`solc ${build.version} is not installed.`);
    const errors = (output.errors ?? []).filter(({ severity }) => severity === "error");
    const wanted = errors.flatMap(({ message }) => /Source "([^"]+)" not found/.exec(message)?.[1] ?? []);
    const found = wanted.filter((name) => existsSync(join(repositoryRoot, "node_modules", name)));
    if (found.length === 0)
      return { input, output: output.contracts ?? {}, errors: errors.map(({ message }) => message) };
    for (const name of found)
      sources[name] = { content: readFileSync(join(repositoryRoot, "node_modules", name), "utf8") };
  }
}

/** The contract of a build, found by its name. */
export function contractOf(
  output: CompiledOutput,
  name: string,
): { file: string; contract: CompiledContract } {
  for (const [file, contracts] of Object.entries(output)) {
    const contract = contracts[name];
    if (contract) return { file, contract };
  }
  throw new Error(`${name} was not compiled.`);
}

/** Creation code with every library deployed and linked. */
export async function linkedCode(
  chain: Chain,
  contract: CompiledContract,
  output: CompiledOutput,
): Promise<string> {
  let { object } = contract.evm.bytecode;
  for (const [file, libraries] of Object.entries(contract.evm.bytecode.linkReferences))
    for (const [name, places] of Object.entries(libraries)) {
      const library = output[file]?.[name];
      if (!library) throw new Error(`The library ${name} was not compiled.`);
      const { address } = await chain.deploy(`0x${await linkedCode(chain, library, output)}`);
      for (const { start, length } of places)
        object =
          object.slice(0, 2 * start) + address.slice(2).toLowerCase() + object.slice(2 * (start + length));
    }
  return object;
}

/** The most bytes of code that a chain takes (EIP-170), and of what creates it (EIP-3860). */
const MAX_CODE_BYTES = 24_576;
const MAX_CREATION_BYTES = 49_152;

/** Some draws are larger than a chain takes, most of them without the optimizer, or refuse since their source was edited. */
export class CaseIsNotDeployed extends Error {}

/**
 * Deploys one thing, submits another, and has the failure explained.
 *
 * @throws CaseIsNotDeployed where what is to be deployed is larger than a chain takes
 */
export async function runCase(world: World, one: MismatchCase): Promise<CaseResult> {
  const built = await compileBuild(world.compilers, one.deployed);
  if (built.errors.length > 0) throw new Error(`${one.name}: ${built.errors.join("\n")}`);
  const { contract } = contractOf(built.output, one.deployed.contract);
  const bytes = contract.evm.deployedBytecode.object.length / 2;
  const creationBytes = (contract.evm.bytecode.object.length + (one.constructorArguments ?? "").length) / 2;
  if (bytes > MAX_CODE_BYTES || creationBytes > MAX_CREATION_BYTES)
    throw new CaseIsNotDeployed(`${one.name}: ${bytes} bytes, created by ${creationBytes}`);
  const deployment = one.deploy
    ? await one.deploy(world, contract, built.output)
    : await world.chain.deploy(
        `0x${await linkedCode(world.chain, contract, built.output)}${one.constructorArguments ?? ""}`,
      );
  const address = one.address ?? deployment.address;
  const sent = await compileBuild(world.compilers, one.submitted);
  const stdJsonInput = { ...sent.input, language: one.submitted.language ?? sent.input.language };
  const file = Object.keys(one.submitted.sources).find((name) => sent.output[name]?.[one.submitted.contract]);
  const recorded = one.hasBuildRecord ? contractOf(sent.output, one.submitted.contract).contract : undefined;
  const submitted: SubmittedBuild = {
    ...(recorded && { metadata: recorded.metadata }),
    compilerVersion: one.submitted.compilerVersion ?? completeSolcVersion(one.submitted.version),
    stdJsonInput,
    contractIdentifier:
      one.submitted.identifier ??
      `${file ?? Object.keys(one.submitted.sources)[0] ?? ""}:${one.submitted.contract}`,
  };
  const submission: CaseSubmission = {
    submitted,
    address,
    creationTransactionHash: deployment.transactionHash,
  };
  const verdict = await submit(
    one.isNodeDown ? world.verifierWithoutNode : world.verifier,
    world,
    submission,
  );
  const local = file && sent.errors.length === 0 ? sent.output[file]?.[one.submitted.contract] : undefined;
  const deployedCode = await world.chain.rpc<string>("eth_getCode", address, "latest");
  const localContracts = await localContractsOf(world, one);
  const recompiled = `0x${local?.evm.deployedBytecode.object ?? ""}`;
  const explanation = atOnce(
    explainInPieces({
      error: errorOf(verdict, deployedCode, recompiled),
      submitted,
      ...(localContracts.length > 0 && { localContracts }),
    }),
  );
  const prediction = local
    ? await predict(
        {
          deployedCode,
          localBuild: {
            metadata: local.metadata,
            runtimeBytecode: local.evm.deployedBytecode.object,
            sources: Object.fromEntries(
              Object.entries(stdJsonInput.sources).map(([name, { content }]) => [name, content]),
            ),
          },
        },
        (proxy) => implementationOf(address, proxy, stateOf(world.chain)),
      )
    : undefined;
  const recompiledCode = errorOf(verdict, deployedCode, recompiled).recompiledRuntimeCode;
  return { answer: answerOf(verdict), explanation, prediction, submission, recompiledCode };
}

/** Has the service's engine verify a submission. */
export async function submit(
  verifier: Verifier,
  { chain }: World,
  { submitted, address, creationTransactionHash }: CaseSubmission,
): Promise<Verdict> {
  return verifier.verify({
    chainId: chain.chainId,
    address: getAddress(address),
    creationTransactionHash,
    stdJsonInput: structuredClone(submitted.stdJsonInput),
    compilerVersion: submitted.compilerVersion,
    contractIdentifier: submitted.contractIdentifier,
  });
}

/** The error of a verdict; a match is explained, too: why it is not an exact one. */
export function errorOf(verdict: Verdict, deployedCode: string, recompiledCode: string): JobError {
  return (
    verdict.error ?? {
      customCode: "no_match",
      message: "",
      onchainRuntimeCode: deployedCode,
      recompiledRuntimeCode: recompiledCode,
    }
  );
}

/** A chain as its node answers. */
export function stateOf(chain: Chain): ChainState {
  return {
    code: (address) => chain.rpc("eth_getCode", address, "latest"),
    storageAt: (address, slot) => chain.rpc("eth_getStorageAt", address, slot, "latest"),
    call: (to, data) => chain.rpc("eth_call", { to, data }, "latest"),
  };
}

/** The better of the two matches, or the error's code. */
export function answerOf({ error, runtimeMatch, creationMatch }: Verdict): string {
  if (error) return error.customCode;
  const matches = [runtimeMatch, creationMatch];
  return matches.includes("exact_match") ? "exact_match" : matches.includes("match") ? "match" : "no_match";
}

async function localContractsOf(world: World, one: MismatchCase): Promise<LocalContract[]> {
  const contracts: LocalContract[] = [];
  for (const build of one.workspace ?? []) {
    const { output } = await compileBuild(world.compilers, build);
    for (const [file, compiled] of Object.entries(output))
      for (const [name, { evm }] of Object.entries(compiled)) {
        if (!(file in build.sources) || evm.deployedBytecode.object === "") continue;
        contracts.push({
          name: `${file}:${name}`,
          selectors: Object.fromEntries(
            Object.entries(evm.methodIdentifiers).map(([signature, selector]) => [selector, signature]),
          ),
          ...(one.hasLocalCode && { runtimeCode: evm.deployedBytecode.object }),
        });
      }
  }
  return contracts;
}

/** One word of arguments, without `0x`. */
export function word(value: string | bigint | number): string {
  const digits = typeof value === "string" ? value.replace(/^0x/, "").toLowerCase() : value.toString(16);
  return digits.padStart(64, "0");
}
