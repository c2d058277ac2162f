import { atOnce } from "../../../src/core/concurrency/turns.ts";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  SourcifyChain,
  SourcifyLibError,
  Verification,
  VyperCompilation,
} from "@ethereum-sourcify/lib-sourcify";
import { getAddress, id } from "ethers";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import type { Cause } from "../../../src/core/matching/explanation.ts";
import { completeSolcVersion } from "../../../src/core/languages/solidity/solcReleases.ts";
import { implementationOf } from "../../../src/core/chains/proxyImplementation.ts";
import { withChanges } from "../../../src/core/matching/resubmission.ts";
import type { JobError } from "../../../src/core/service/job.ts";
import { predict } from "../../../src/core/matching/predict.ts";
import { receiptOf } from "../chain.ts";
import { blueprintOf } from "./deployedCodes.ts";
import { compileBuild, contractOf, stateOf, word } from "./mismatchCase.ts";
import { compileVyper, findVyper, VYPER_FULL_VERSION, type VyperContract } from "../vyperCompiler.ts";
import { predictedOf } from "./predictedWord.ts";
import { languageCases, limit, vyperCases, type VyperBuild } from "./vyperCases.ts";
import { factory, faucet } from "./vyperContracts.ts";
import { startWorld } from "./world.ts";

const bin = findVyper();
const skip = bin === undefined ? "Vyper is not installed and can't be" : false;

describe("Why deployed and submitted Vyper code differ", { skip }, () => {
  let world: Awaited<ReturnType<typeof startWorld>>;
  let chain: SourcifyChain;
  let right = 0;
  let all = 0;
  const repairs: boolean[] = [];
  before(async () => {
    world = await startWorld();
    chain = new SourcifyChain({
      name: "Sandbox",
      chainId: Number(world.chain.chainId),
      supported: true,
      rpcs: [{ rpc: world.chain.rpcUrl, traceSupport: "debug_traceTransaction" }],
    });
  });
  after(() => world.stop());

  const inputOf = ({ source, settings = {} }: VyperBuild) => ({
    language: "Vyper" as const,
    sources: { "Contract.vy": { content: source } },
    settings: { ...settings, outputSelection: { "*": ["*"] } },
  });

  const submissionOf = (build: VyperBuild) => ({
    compilerVersion: VYPER_FULL_VERSION,
    stdJsonInput: inputOf(build),
    contractIdentifier: "Contract.vy:Contract",
  });

  async function compile(build: VyperBuild): Promise<VyperContract> {
    const output = await compileVyper(bin ?? "", inputOf(build));
    const contract = output.contracts?.["Contract.vy"]?.["Contract"];
    if (!contract) throw new Error(output.errors?.[0]?.message ?? "no contract");
    return contract;
  }

  async function verify(
    build: VyperBuild,
    address: string,
    transaction: string,
  ): Promise<JobError | "match" | "exact_match"> {
    const compiler = {
      compile: async (_version: string, input: unknown) => {
        const { settings, ...rest } = input as { settings: object };
        return (await compileVyper(bin ?? "", {
          ...rest,
          settings: { ...settings, outputSelection: { "*": ["*"] } },
        })) as never;
      },
    };
    const compilation = new VyperCompilation(compiler, VYPER_FULL_VERSION, inputOf(build), {
      path: "Contract.vy",
      name: "Contract",
    });
    const verification = new Verification(compilation, chain, getAddress(address), transaction);
    try {
      await verification.verify();
      const { runtimeMatch, creationMatch } = verification.status;
      return [runtimeMatch, creationMatch].includes("perfect") ? "exact_match" : "match";
    } catch (error) {
      if (!(error instanceof SourcifyLibError)) throw error;
      const given = (read: () => string) => {
        try {
          return read();
        } catch {
          return undefined;
        }
      };
      const codes = {
        onchainRuntimeCode: given(() => verification.onchainRuntimeBytecode),
        onchainCreationCode: given(() => verification.onchainCreationBytecode),
        recompiledRuntimeCode: given(() => compilation.runtimeBytecode),
        recompiledCreationCode: given(() => compilation.creationBytecode),
      };
      return { customCode: error.code, message: error.message, ...codes } as JobError;
    }
  }

  for (const one of vyperCases) {
    it(one.name, async () => {
      const compiled = await compile(one.deployed);
      const creation = `${compiled.evm.bytecode.object}${one.arguments ?? ""}`;
      const { address, transactionHash } = await world.chain.deploy(
        one.isBlueprint ? blueprintOf(compiled.evm.bytecode.object) : creation,
      );
      const answer = await verify(one.submitted, address, transactionHash);
      const own = await compile(one.submitted);
      const { prediction } = await predict({
        deployedCode: await world.chain.rpc<string>("eth_getCode", address, "latest"),
        localBuild: {
          language: "Vyper",
          compilerVersion: VYPER_FULL_VERSION,
          runtimeBytecode: own.evm.deployedBytecode.object,
        },
      });
      assert.equal(prediction, predictedOf(typeof answer === "string" ? answer : answer.customCode));
      assert.equal(typeof answer === "string", one.isMatch === true, JSON.stringify(answer));
      if (typeof answer === "string") return;
      const { causes } = atOnce(explainInPieces({ error: answer, submitted: submissionOf(one.submitted) }));
      all++;
      const isRight = causes[0] !== undefined && one.causes.includes(causes[0].code);
      if (isRight) right++;
      const repaired = await pressed(one.submitted, address, transactionHash, causes);
      console.log(
        `${isRight ? "right" : "WRONG"} · ${one.name} · service: ${answer.customCode} · ${causes
          .map(({ code, confidence }) => `${code} ${confidence.toFixed(2)}`)
          .join(
            ", ",
          )}\n        ${causes[0]?.evidence ?? ""} ${causes[0]?.fix ?? ""}\n        ${repaired ?? causes[0]?.action?.kind ?? "no button"}`,
      );
    });
  }

  /** Presses the first cause's button, and once more if it did not do, as a person would. */
  async function pressed(
    build: VyperBuild,
    address: string,
    transaction: string,
    causes: readonly Cause[],
    labels: readonly string[] = [],
  ): Promise<string | undefined> {
    const action = causes[0]?.action;
    if (action?.kind !== "resubmit" || labels.length === 2)
      return labels.length > 0 ? labels.join(" → ") : undefined;
    const { stdJsonInput, compilerVersion } = withChanges(submissionOf(build), action.changes);
    assert.equal(compilerVersion, VYPER_FULL_VERSION);
    const changed = { source: build.source, settings: stdJsonInput.settings };
    const answer = await verify(changed, address, transaction);
    const all = [...labels, action.label];
    if (typeof answer === "string") {
      repairs.push(true);
      return `${all.join(" → ")}: ${answer}`;
    }
    const next = atOnce(explainInPieces({ error: answer, submitted: submissionOf(changed) }));
    const again = await pressed(changed, address, transaction, next.causes, all);
    if (labels.length === 0 && !/: (?:exact_)?match$/.test(again ?? "")) repairs.push(false);
    return again;
  }

  for (const [name, one] of Object.entries(languageCases)) {
    it(name, async () => {
      const { output, input } = await compileBuild(world.compilers, {
        sources: { "Contract.sol": one.solidity },
        contract: one.contract,
        version: "0.8.28",
      });
      let error: JobError;
      if (one.submitted === "Solidity") {
        const compiled = await compile({ source: one.vyper });
        const deployed = await world.chain.deploy(
          `${compiled.evm.bytecode.object}${one.vyper === faucet ? limit : ""}`,
        );
        const verdict = await world.verifier.verify({
          chainId: world.chain.chainId,
          address: getAddress(deployed.address),
          creationTransactionHash: deployed.transactionHash,
          stdJsonInput: structuredClone(input),
          compilerVersion: completeSolcVersion("0.8.28"),
          contractIdentifier: `Contract.sol:${one.contract}`,
        });
        error = verdict.error as unknown as JobError;
      } else {
        const code = contractOf(output, one.contract).contract.evm.bytecode.object;
        const deployed = await world.chain.deploy(`0x${code}`);
        error = (await verify({ source: one.vyper }, deployed.address, deployed.transactionHash)) as JobError;
      }
      const submitted =
        one.submitted === "Vyper"
          ? submissionOf({ source: one.vyper })
          : {
              compilerVersion: completeSolcVersion("0.8.28"),
              stdJsonInput: input,
              contractIdentifier: `Contract.sol:${one.contract}`,
            };
      const { causes, summary } = atOnce(explainInPieces({ error, submitted }));
      console.log(`${name}: ${summary}`);
      assert.equal(causes[0]?.code, "language", summary);
      all++;
      right++;
    });
  }

  it("is repaired by the button, wherever the button submits something", () => {
    console.log(`the button repaired ${repairs.filter(Boolean).length} of ${repairs.length}`);
    assert.ok(repairs.length >= 6);
    assert.ok(repairs.every(Boolean));
  });

  it("leads from the proxies that Vyper makes to their implementation, and knows a copy for what it is", async () => {
    const [target, maker] = await Promise.all([compile({ source: faucet }), compile({ source: factory })]);
    const implementation = (await world.chain.deploy(`${target.evm.bytecode.object}${limit}`)).address;
    const factoryAt = (await world.chain.deploy(maker.evm.bytecode.object)).address;
    const blueprint = (await world.chain.deploy(blueprintOf(target.evm.bytecode.object))).address;
    const made = async (signature: string, ...words: string[]) => {
      const [from] = await world.chain.rpc<string[]>("eth_accounts");
      const hash = await world.chain.rpc<string>("eth_sendTransaction", {
        from,
        to: factoryAt,
        data: `${id(signature).slice(0, 10)}${words.join("")}`,
        gas: "0x989680",
      });
      const receipt = await receiptOf(world.chain, hash);
      return `0x${receipt.logs[0]?.data.slice(-40) ?? ""}`;
    };
    const predicted = async (address: string) =>
      predict(
        {
          deployedCode: await world.chain.rpc<string>("eth_getCode", address, "latest"),
          localBuild: {
            language: "Vyper",
            compilerVersion: VYPER_FULL_VERSION,
            runtimeBytecode: target.evm.deployedBytecode.object,
          },
        },
        (proxy) => implementationOf(address, proxy, stateOf(world.chain)),
      );
    const proxy = await predicted(await made("proxy(address)", word(implementation)));
    assert.deepEqual(
      [proxy.prediction, proxy.proxy?.kind, proxy.implementation],
      ["mismatch", "EIP-1167", implementation],
    );
    const copy = await predicted(await made("copy(address)", word(implementation)));
    assert.equal(copy.prediction, "match", copy.reasons.join(" "));
    const fromBlueprint = await predicted(
      await made("from_blueprint(address,uint256)", word(blueprint), limit),
    );
    assert.equal(fromBlueprint.prediction, "match", fromBlueprint.reasons.join(" "));
    const itself = await predicted(blueprint);
    assert.equal(itself.prediction, "mismatch");
    assert.match(itself.reasons[0] ?? "", /blueprint \(ERC-5202\)/);
  });

  it("predicts a match with immutables, and an exact one by the creation code", async () => {
    const compiled = await compile({ source: faucet });
    const creation = `${compiled.evm.bytecode.object}${limit}`;
    const { address, transactionHash } = await world.chain.deploy(creation);
    const deployedCode = await world.chain.rpc<string>("eth_getCode", address, "latest");
    const localBuild = {
      language: "Vyper" as const,
      compilerVersion: VYPER_FULL_VERSION,
      runtimeBytecode: compiled.evm.deployedBytecode.object,
      creationBytecode: compiled.evm.bytecode.object,
    };
    assert.equal((await predict({ deployedCode, localBuild })).prediction, "match");
    const withCreation = await predict({ deployedCode, deployedCreationCode: creation, localBuild });
    assert.equal(withCreation.prediction, "exact_match", withCreation.reasons.join(" "));
    // Engines before the integrity hash was read call it a match.
    const answer = await verify({ source: faucet }, address, transactionHash);
    assert.ok(answer === "match" || answer === "exact_match");
  });

  it("ranks the true cause first in at least 95 %", () => {
    console.log(`true cause first: ${right} of ${all}`);
    assert.ok(right >= 0.95 * all, `${right} of ${all}`);
  });
});
