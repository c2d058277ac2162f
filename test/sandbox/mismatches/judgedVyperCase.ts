import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import { predict } from "../../../src/core/matching/predict.ts";
import { implementationOf } from "../../../src/core/chains/proxyImplementation.ts";
import type { VyperCompilers } from "../vyperCompilers.ts";
import { creationOf, minimalProxy } from "./deployedCodes.ts";
import { judgement, MAX_PRESSES, type JudgedCase } from "./judgedCase.ts";
import {
  answerOf,
  errorOf,
  stateOf,
  submit,
  type CaseResult,
  type CaseSubmission,
  type World,
} from "./mismatchCase.ts";
import { CaseDoesNotCompile, type Observed } from "./observedCauses.ts";
import { repair } from "./repair.ts";
import type { VyperBuild, VyperRegistryCase } from "./vyperRegistryCases.ts";

/** What Vyper makes of a build, without `0x`. */
interface VyperCode {
  readonly creation: string;
  readonly runtime: string;
}

/** Runs a Vyper case as `judge` does one of Solidity. `undefined` where nothing differs. */
export async function judgeVyper(
  world: World,
  compilers: VyperCompilers,
  one: VyperRegistryCase,
): Promise<JudgedCase | undefined> {
  const [deployed, submitted] = [
    await codeOf(compilers, one.deployed),
    await codeOf(compilers, one.submitted),
  ];
  const observed = observedOf(one, deployed, submitted);
  if (observed.extent === "same") return undefined;
  const implementation = await world.chain.deploy(`0x${deployed.creation}${one.constructorArguments}`);
  const { address, transactionHash } = one.isProxied
    ? await world.chain.deploy(creationOf(minimalProxy(implementation.address)))
    : implementation;
  const submission: CaseSubmission = {
    submitted: {
      compilerVersion: one.submitted.version,
      stdJsonInput: inputOf(one.submitted),
      contractIdentifier: `${one.submitted.file}:${nameOf(one.submitted.file)}`,
    },
    address,
    creationTransactionHash: transactionHash,
  };
  const verdict = await submit(world.verifier, world, submission);
  const deployedCode = await world.chain.rpc<string>("eth_getCode", address, "latest");
  const result: CaseResult = {
    answer: answerOf(verdict),
    explanation: atOnce(
      explainInPieces({
        error: errorOf(verdict, deployedCode, `0x${submitted.runtime}`),
        submitted: submission.submitted,
      }),
    ),
    prediction: await predicted(world, one, address, submitted),
    submission,
    recompiledCode: errorOf(verdict, deployedCode, `0x${submitted.runtime}`).recompiledRuntimeCode,
  };
  if (result.answer === "exact_match") return undefined;
  const { file, sources, version } = one.submitted;
  const asCase = {
    ...one,
    causes: one.causes,
    deployed: undefined as never,
    submitted: { sources, contract: nameOf(file), version },
  };
  const repaired = await repair(world, asCase, result, MAX_PRESSES);
  const subject = { ...one, knowledge: "nothing" as const, differences: [{ kind: `Vyper: ${one.kind}` }] };
  return judgement(subject, observed, result, repaired, await predicted(world, one, address, undefined));
}

/**
 * What can be observed: where the runtime code is the same there is nothing to be explained, because no code of Vyper's
 * carries a hash of its sources at run time.
 */
function observedOf(
  { isProxied, causes }: VyperRegistryCase,
  deployed: VyperCode,
  submitted: VyperCode,
): Observed {
  return isProxied || deployed.runtime !== submitted.runtime
    ? { extent: "code", causes }
    : { extent: "same", causes: [] };
}

function predicted(
  { chain }: World,
  { submitted }: VyperRegistryCase,
  address: string,
  code: VyperCode | undefined,
) {
  return chain.rpc<string>("eth_getCode", address, "latest").then((deployedCode) =>
    predict(
      {
        deployedCode,
        localBuild: {
          language: "Vyper",
          compilerVersion: submitted.version,
          sources: submitted.sources,
          settings: submitted.settings,
          ...(code && { runtimeBytecode: code.runtime }),
        },
      },
      (proxy) => implementationOf(address, proxy, stateOf(chain)),
    ),
  );
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1).replace(/\.vy$/, "");
}

function inputOf({ sources, settings }: VyperBuild) {
  return {
    language: "Vyper" as const,
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
    settings,
  };
}

async function codeOf(compilers: VyperCompilers, build: VyperBuild): Promise<VyperCode> {
  const { settings, ...input } = inputOf(build);
  const outputSelection = { [build.file]: ["evm.bytecode.object", "evm.deployedBytecode.object"] };
  const output = await compilers.compile(build.version, {
    ...input,
    settings: { ...settings, outputSelection },
  });
  const contract = Object.values(output?.contracts?.[build.file] ?? {})[0];
  if (!contract) throw new CaseDoesNotCompile(output?.errors?.[0]?.message ?? `no Vyper ${build.version}`);
  const { bytecode, deployedBytecode } = contract.evm;
  return {
    creation: bytecode.object.replace(/^0x/, ""),
    runtime: deployedBytecode.object.replace(/^0x/, ""),
  };
}
