import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { id } from "ethers";
import type { ProxyKind } from "../../../src/core/evm/proxy.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { JsonRpc } from "../../../src/core/chains/jsonRpc.ts";
import { predict } from "../../../src/core/matching/predict.ts";
import { implementationOf } from "../../../src/core/chains/proxyImplementation.ts";
import { receiptOf } from "../chain.ts";
import { boxes } from "./contracts.ts";
import { compileBuild, contractOf, word, type Build } from "./mismatchCase.ts";
import { agreedSlots, cloneFactory, minimalProxies, safeProxy, upgradeable } from "./proxyContracts.ts";
import { creationOf } from "./deployedCodes.ts";
import { startWorld } from "./world.ts";
import type { LocalBuild } from "../../../src/core/matching/localBuild.ts";

const optimized = { optimizer: { enabled: true, runs: 200 } };
const implementationBuild: Build = {
  sources: { "Boxes.sol": boxes },
  contract: "BoxV1",
  version: "0.8.28",
  settings: optimized,
};

describe("A proxy in front of the contract that is to be verified", () => {
  let world: Awaited<ReturnType<typeof startWorld>>;
  let http: JsonClient;
  let node: JsonRpc;
  let implementation: string;
  let localBuild: LocalBuild;
  before(async () => {
    world = await startWorld();
    http = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
    node = new JsonRpc(http, world.chain.rpcUrl);
    const { output } = await compileBuild(world.compilers, implementationBuild);
    const { contract } = contractOf(output, "BoxV1");
    implementation = (await world.chain.deploy(`0x${contract.evm.bytecode.object}`)).address;
    localBuild = {
      metadata: contract.metadata,
      runtimeBytecode: contract.evm.deployedBytecode.object,
      sources: implementationBuild.sources,
    };
  });
  after(async () => {
    await http.dispose();
    await world.stop();
  });

  /** The address is predicted to be a proxy of the implementation, and really answers as it. */
  async function leadsToImplementation(address: string, kind: ProxyKind, target = implementation) {
    // Vyper's early proxies always answer 4 kB.
    const answer = (await node.call(address, id("version()").slice(0, 10))).slice(0, 66);
    assert.equal(answer, `0x${word(1)}`, "the proxy hands calls on");
    const prediction = await predict({ deployedCode: await node.code(address), localBuild }, (proxy) =>
      implementationOf(address, proxy, node),
    );
    assert.deepEqual(
      [prediction.prediction, prediction.proxy?.kind, prediction.implementation],
      ["mismatch", kind, target.toLowerCase()],
    );
    assert.match(prediction.reasons[0] ?? "", new RegExp(`${target.toLowerCase()} instead\\.$`));
    const atTarget = await predict({ deployedCode: await node.code(target), localBuild });
    assert.equal(atTarget.prediction, "exact_match");
  }

  async function deployed(
    source: string,
    contract: string,
    version: string,
    settings: CompilerSettings,
    to: string,
  ) {
    const build: Build = { sources: { "Proxies.sol": source }, contract, version, settings };
    const { output, errors } = await compileBuild(world.compilers, build);
    assert.deepEqual(errors, []);
    const { object } = contractOf(output, contract).contract.evm.bytecode;
    return (await world.chain.deploy(`0x${object}${to === "" ? "" : word(to)}`)).address;
  }

  for (const [name, code] of minimalProxies)
    it(`is minimal: ${name}`, async () => {
      const runtime = code.replace("{implementation}", implementation.slice(2).toLowerCase());
      const { address } = await world.chain.deploy(creationOf(runtime));
      await leadsToImplementation(address, "EIP-1167");
    });

  it("is minimal, of an address with leading zeros that is written shorter", async () => {
    const short = `0x${"0".repeat(8)}${implementation.slice(10).toLowerCase()}`;
    await world.chain.rpc("anvil_setCode", short, await node.code(implementation));
    const { address } = await world.chain.deploy(
      creationOf(`363d3d373d3d3d363d6f${short.slice(10)}5af43d82803e903d91602757fd5bf3`),
    );
    await leadsToImplementation(address, "EIP-1167", short);
  });

  it("is a clone by OpenZeppelin, with and without arguments", async () => {
    const factory = await deployed(cloneFactory, "CloneFactory", "0.8.28", optimized, "");
    for (const method of ["plain(address)", "withArguments(address)"]) {
      const made = await cloneMade(factory, `${id(method).slice(0, 10)}${word(implementation)}`);
      await leadsToImplementation(made, "EIP-1167");
    }
  });

  it("is upgradeable, by OpenZeppelin: standard, transparent, with a beacon", async () => {
    for (const settings of [optimized, {}]) {
      const make = (contract: string, to: string) => deployed(upgradeable, contract, "0.8.28", settings, to);
      await leadsToImplementation(await make("Standard", implementation), "EIP-1967");
      await leadsToImplementation(await make("Transparent", implementation), "EIP-1967");
      const beacon = await make("Beacon", implementation);
      await leadsToImplementation(await make("Lit", beacon), "EIP-1967 beacon");
    }
  });

  it("keeps its implementation where an earlier agreement says, or anywhere", async () => {
    for (const [version, settings] of [
      ["0.7.6", {}],
      ["0.7.6", optimized],
      ["0.8.37", { viaIR: true, ...optimized }],
    ] as const) {
      const make = (contract: string) => deployed(agreedSlots, contract, version, settings, implementation);
      await leadsToImplementation(await make("UniversalProxy"), "EIP-1822");
      await leadsToImplementation(await make("EarlyProxy"), "ZeppelinOS");
      await leadsToImplementation(await make("OwnedProxy"), "other");
      await leadsToImplementation(await make("OutspokenProxy"), "other");
      await leadsToImplementation(await make("FixedProxy"), "other");
    }
  });

  it("belongs to a Safe", async () => {
    const { address } = await world.chain.deploy(creationOf(safeProxy));
    await world.chain.rpc("anvil_setStorageAt", address, `0x${word(0)}`, `0x${word(implementation)}`);
    await leadsToImplementation(address, "Safe");
  });

  it("is an account that delegates (EIP-7702)", async () => {
    const account = "0x00000000000000000000000000000000000a11ce";
    await world.chain.rpc("anvil_setCode", account, `0xef0100${implementation.slice(2)}`);
    await leadsToImplementation(account, "EIP-7702");
  });

  it("is known without an answer of the chain, which then names no implementation", async () => {
    const address = await deployed(upgradeable, "Standard", "0.8.28", optimized, implementation);
    const silent = new JsonRpc(http, "http://127.0.0.1:9");
    const { prediction, proxy, ...rest } = await predict(
      { deployedCode: await node.code(address), localBuild },
      (found) => implementationOf(address, found, silent),
    );
    assert.deepEqual([prediction, proxy?.kind, rest.implementation], ["mismatch", "EIP-1967", undefined]);
    assert.match(
      rest.reasons[0] ?? "",
      /Verify its implementation instead, or the proxy with its own sources/,
    );
  });

  it("is verified as itself with its sources", async () => {
    const build: Build = {
      sources: { "Proxies.sol": upgradeable },
      contract: "Standard",
      version: "0.8.28",
      settings: optimized,
    };
    const { contract } = contractOf((await compileBuild(world.compilers, build)).output, "Standard");
    const address = await deployed(upgradeable, "Standard", "0.8.28", optimized, implementation);
    const own = { metadata: contract.metadata, runtimeBytecode: contract.evm.deployedBytecode.object };
    const deployedCode = await node.code(address);
    assert.equal((await predict({ deployedCode, localBuild: own })).prediction, "exact_match");
    const commented = `${upgradeable}// Later.\n`;
    const { output } = await compileBuild(world.compilers, {
      ...build,
      sources: { "Proxies.sol": commented },
    });
    const later = contractOf(output, "Standard").contract;
    assert.equal(
      (
        await predict({
          deployedCode,
          localBuild: { metadata: later.metadata, runtimeBytecode: later.evm.deployedBytecode.object },
        })
      ).prediction,
      "match",
    );
  });

  /** The address in the only log of a transaction. */
  async function cloneMade(to: string, data: string): Promise<string> {
    const [from] = await world.chain.rpc<string[]>("eth_accounts");
    const hash = await world.chain.rpc<string>("eth_sendTransaction", { from, to, data, gas: "0x989680" });
    const receipt = await receiptOf(world.chain, hash);
    return `0x${receipt.logs[0]?.data.slice(-40) ?? ""}`;
  }
});
