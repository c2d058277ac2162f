import { id } from "ethers";
import {
  compileBuild,
  contractOf,
  word,
  type Build,
  type CompiledContract,
  type MismatchCase,
  type World,
} from "./mismatchCase.ts";
import { creationOf, minimalProxy } from "./deployedCodes.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import {
  boxes,
  coin,
  deep,
  escrow,
  husk,
  lottery,
  nursery,
  orchard,
  registry,
  relay,
  scale,
  shell,
  statistics,
  treasury,
  smithy,
  till,
  vaultOfAges,
} from "./contracts.ts";
import { upgradeable } from "./proxyContracts.ts";

const OWNER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const OTHER = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

/** The factory that anvil puts on every chain. */
const FACTORY = "0x4e59b44847b379578588920ca78fbf26c0b4956c";

/** Selectors of openDeals(address) and kept(address). */
const OPEN_DEALS = id("openDeals(address)").slice(2, 10);
const KEPT = id("kept(address)").slice(2, 10);

const plain: CompilerSettings = {};
const optimized: CompilerSettings = { optimizer: { enabled: true, runs: 200 } };
const million: CompilerSettings = { optimizer: { enabled: true, runs: 1_000_000 } };
const once: CompilerSettings = { optimizer: { enabled: true, runs: 1 } };
const viaIR: CompilerSettings = { viaIR: true, optimizer: { enabled: true, runs: 200 } };

function build(
  source: string,
  contract: string,
  version = "0.8.28",
  settings: CompilerSettings = optimized,
): Build {
  return { sources: { [`contracts/${contract}.sol`]: source }, contract, version, settings };
}

const Escrow = (version?: string, settings?: CompilerSettings) => build(escrow, "Escrow", version, settings);
const Registry = (version?: string, settings?: CompilerSettings) =>
  build(registry, "Registry", version, settings);
const Lottery = (version?: string, settings?: CompilerSettings) =>
  build(lottery, "Lottery", version, settings);
const Proxy = () => build(upgradeable, "Standard", "0.8.28", viaIR);
const Treasury = (version?: string, settings?: CompilerSettings) =>
  build(treasury, "Treasury", version, settings);
const Station = (version?: string, settings?: CompilerSettings) =>
  build(statistics, "Station", version, settings);
const Meter = (version?: string, settings?: CompilerSettings) =>
  build(statistics, "Meter", version, settings);
const Nursery = (version?: string, settings?: CompilerSettings) =>
  build(nursery, "Nursery", version, settings);
const Coin = (version?: string, settings?: CompilerSettings) => build(coin, "Coin", version, settings);
const Ages = (version?: string, settings?: CompilerSettings) =>
  build(vaultOfAges, "VaultOfAges", version, settings);

const Orchard = (spell: Readonly<Record<string, (content: string) => string>> = {}): Build => ({
  sources: Object.fromEntries(
    Object.entries(orchard).map(([name, content]) => [name, spell[name]?.(content) ?? content]),
  ),
  contract: "Orchard",
  version: "0.8.28",
  settings: optimized,
});
const windows = (content: string) => content.replaceAll("\n", "\r\n");
const withoutEnd = (content: string) => content.trimEnd();
const ORCHARD = "contracts/Orchard.sol";
const SOIL = "contracts/Soil.sol";

const lotteryArguments = word(10n ** 16n) + word(86_400);
const treasuryArguments = word(OWNER) + word(5n * 10n ** 18n);

/** The same build with a piece of its source replaced, which must be there. */
function edited(one: Build, from: string, to: string): Build {
  const [name = "", content = ""] = Object.entries(one.sources)[0] ?? [];
  if (!content.includes(from)) throw new Error(`${one.contract} has no "${from}".`);
  return { ...one, sources: { [name]: content.replace(from, to) } };
}

/** The same build with other settings laid over its own. */
function set(one: Build, settings: CompilerSettings): Build {
  return { ...one, settings: { ...one.settings, ...settings } };
}

async function deployBuild({ chain, compilers }: World, one: Build, constructorArguments = "") {
  const { output } = await compileBuild(compilers, one);
  const { contract } = contractOf(output, one.contract);
  return chain.deploy(`0x${contract.evm.bytecode.object}${constructorArguments}`);
}

/**
 * Deploys the code of another build with the auxdata of the compiled one: what the compiler leaves when files that
 * were compiled along changed the optimizer's choices, which no installed release does any more.
 */
function underMetadataHashOf(inside: Build) {
  return async ({ chain, compilers }: World, compiled: CompiledContract) => {
    const { contract } = contractOf((await compileBuild(compilers, inside)).output, inside.contract);
    const [own, other] = [compiled.evm.deployedBytecode.object, contract.evm.deployedBytecode.object];
    const auxdata = 2 * (2 + Number.parseInt(own.slice(-4), 16));
    return chain.deploy(creationOf(other.slice(0, -auxdata) + own.slice(-auxdata)));
  };
}

/** A proxy of OpenZeppelin in front of what was compiled. */
function behindProxy(importPath: string, contract: string, argumentsOf: (implementation: string) => string) {
  return async (world: World, compiled: { evm: { bytecode: { object: string } } }) => {
    const { address } = await world.chain.deploy(`0x${compiled.evm.bytecode.object}`);
    const proxy: Build = {
      sources: {
        "Proxy.sol": `pragma solidity ^0.8.20; import "@openzeppelin/contracts/proxy/${importPath}.sol";`,
      },
      contract,
      version: "0.8.28",
      settings: optimized,
    };
    return deployBuild(world, proxy, argumentsOf(address));
  };
}

/** Call data for the proxy's constructor, which must call something: a function with one address. */
const firstCall = (place: number, selector: string) =>
  word(place) + word(36) + (selector + word(OWNER)).padEnd(128, "0");
const emptyBytes = (place: number) => word(place) + word(0);

/** Every row of the decision table that solc alone can bring about, at least twice, in different contracts. */
export const solidityCases: readonly MismatchCase[] = [
  ...(["0.7.6", "0.8.28"] as const).map((version): MismatchCase => {
    const made = build(smithy, "Smithy", version);
    return {
      name: `factory of ${version} whose child keeps constants behind its code, without a metadata hash`,
      causes: ["metadata_settings"],
      deployed: set(made, { metadata: { bytecodeHash: "none" } }),
      submitted: made,
    };
  }),
  {
    name: "one of two functions renamed",
    causes: ["edited_source"],
    deployed: build(till, "Till"),
    submitted: edited(build(till, "Till"), "function take(", "function takeOut("),
  },
  {
    name: "reasons of reverts stripped, submitted with them",
    causes: ["metadata_settings"],
    deployed: set(Escrow(), { debug: { revertStrings: "strip" } }),
    submitted: Escrow(),
  },
  {
    name: "Yul optimizer off, proven by the record of the build",
    causes: ["optimizer"],
    deployed: set(Registry(), { optimizer: { enabled: true, runs: 200, details: { yul: false } } }),
    submitted: Registry(),
    hasBuildRecord: true,
  },
  {
    name: "registry that was not deduplicated, without a metadata hash",
    causes: ["optimizer"],
    deployed: set(Registry(), {
      optimizer: { enabled: true, runs: 200, details: { deduplicate: false } },
      metadata: { bytecodeHash: "none" },
    }),
    submitted: set(Registry(), { metadata: { bytecodeHash: "none" } }),
  },
  {
    name: "proxy via IR with a function more",
    causes: ["edited_source"],
    deployed: edited(
      Proxy(),
      "    function _unsafe",
      "    function version() external pure returns (uint256) { return 2; }\n\n    function _unsafe",
    ),
    constructorArguments: word(FACTORY),
    submitted: Proxy(),
    workspace: [Proxy(), Escrow()],
  },
  {
    name: "no metadata on either side and another limit: no files are missing",
    causes: ["edited_source"],
    deployed: set(build(till, "Till"), { metadata: { appendCBOR: false } }),
    submitted: set(edited(build(till, "Till"), "1_000_000", "2_000_000"), {
      metadata: { appendCBOR: false },
    }),
  },
  {
    name: "escrow of 0.8.28, submitted with 0.8.37",
    causes: ["compiler_version"],
    deployed: Escrow("0.8.28"),
    submitted: Escrow("0.8.37"),
  },
  {
    name: "registry of 0.7.6, submitted with 0.8.24",
    causes: ["compiler_version"],
    deployed: Registry("0.7.6", plain),
    submitted: Registry("0.8.24", plain),
  },
  {
    name: "factory of 0.8.37 via IR, submitted with 0.8.24",
    causes: ["compiler_version"],
    deployed: Nursery("0.8.37", viaIR),
    submitted: Nursery("0.8.24", viaIR),
  },
  {
    name: "escrow whose pragma excludes the submitted compiler",
    causes: ["compiler_version"],
    deployed: edited(Escrow("0.8.28"), ">=0.7.6", "=0.8.28"),
    submitted: {
      ...edited(Escrow("0.8.37"), ">=0.7.6", "=0.8.28"),
      identifier: "contracts/Escrow.sol:Escrow",
    },
  },
  {
    name: "a compiler that no release list has",
    causes: ["compiler_version"],
    deployed: Treasury("0.8.24"),
    constructorArguments: treasuryArguments,
    submitted: { ...Treasury("0.8.24"), compilerVersion: "0.8.24+commit.00000000", version: "0.8.24" },
  },
  {
    name: "Solidity deployed, submitted as Vyper",
    causes: ["language"],
    deployed: Escrow(),
    submitted: { ...Escrow(), language: "Vyper", compilerVersion: "0.4.3+commit.bff19ea2" },
  },
  {
    name: "factory deployed, submitted as Fe",
    causes: ["language"],
    deployed: Nursery(),
    submitted: { ...Nursery(), language: "Fe" },
  },
  {
    name: "escrow for Paris, submitted with the default",
    causes: ["evm_version"],
    deployed: set(Escrow(), { evmVersion: "paris" }),
    submitted: Escrow(),
  },
  {
    name: "treasury for Cancun, submitted for London",
    causes: ["evm_version"],
    deployed: Treasury(),
    constructorArguments: treasuryArguments,
    submitted: set(Treasury(), { evmVersion: "london" }),
  },
  {
    name: "registry for Shanghai, submitted for Cancun: no MCOPY",
    causes: ["evm_version"],
    deployed: set(Registry("0.8.37"), { evmVersion: "shanghai" }),
    submitted: set(Registry("0.8.37"), { evmVersion: "cancun" }),
  },
  {
    name: "vault for Petersburg, submitted for Istanbul: its own balance",
    causes: ["evm_version"],
    deployed: set(Ages("0.7.6"), { evmVersion: "petersburg" }),
    submitted: Ages("0.7.6"),
  },
  {
    name: "lottery for Byzantium, submitted with the default",
    causes: ["evm_version"],
    deployed: set(Lottery("0.7.6"), { evmVersion: "byzantium" }),
    constructorArguments: lotteryArguments,
    submitted: Lottery("0.7.6"),
  },
  {
    name: "vault for Homestead, submitted with the default",
    causes: ["evm_version"],
    deployed: set(Ages("0.7.6"), { evmVersion: "homestead" }),
    submitted: Ages("0.7.6"),
  },
  {
    name: "lottery for Spurious Dragon, submitted with the default",
    causes: ["evm_version"],
    deployed: set(Lottery("0.7.6"), { evmVersion: "spuriousDragon" }),
    constructorArguments: lotteryArguments,
    submitted: Lottery("0.7.6"),
  },
  {
    name: "relay without functions via IR, submitted without",
    causes: ["via_ir"],
    deployed: build(relay, "Relay", "0.8.28", viaIR),
    submitted: build(relay, "Relay", "0.8.28"),
  },
  {
    name: "assembly that Paris does not have",
    causes: ["evm_version"],
    deployed: edited(
      Escrow(),
      "function noteOf",
      "function cell(uint256 at) external view returns (uint256 v) { assembly { v := tload(at) } }\n    function noteOf",
    ),
    submitted: set(
      edited(
        Escrow(),
        "function noteOf",
        "function cell(uint256 at) external view returns (uint256 v) { assembly { v := tload(at) } }\n    function noteOf",
      ),
      { evmVersion: "paris" },
    ),
  },
  {
    name: "scale that counts zeros, submitted for Prague",
    causes: ["evm_version"],
    deployed: build(scale, "Scale", "0.8.37"),
    submitted: set(build(scale, "Scale", "0.8.37"), { evmVersion: "prague" }),
  },
  {
    name: "escrow optimized, submitted without the optimizer",
    causes: ["optimizer"],
    deployed: Escrow(),
    submitted: Escrow("0.8.28", plain),
  },
  {
    name: "token not optimized, submitted with the optimizer",
    causes: ["optimizer"],
    deployed: Coin("0.8.37", plain),
    constructorArguments: word(OWNER),
    submitted: Coin("0.8.37"),
  },
  {
    name: "vault of 0.7.6 optimized, submitted without the optimizer",
    causes: ["optimizer"],
    deployed: Ages("0.7.6"),
    submitted: Ages("0.7.6", plain),
  },
  {
    name: "lottery via IR optimized, submitted via IR without the optimizer",
    causes: ["optimizer"],
    deployed: Lottery("0.8.28", viaIR),
    constructorArguments: lotteryArguments,
    submitted: Lottery("0.8.28", { viaIR: true }),
  },
  {
    name: "token for a million runs, submitted with 200",
    causes: ["optimizer_runs"],
    deployed: Coin("0.8.28", million),
    constructorArguments: word(OWNER),
    submitted: Coin(),
  },
  {
    name: "escrow for 200 runs, submitted with a million",
    causes: ["optimizer_runs"],
    deployed: Escrow("0.8.24"),
    submitted: Escrow("0.8.24", million),
  },
  {
    name: "treasury via IR for a million runs, submitted with 200",
    causes: ["optimizer_runs"],
    deployed: Treasury("0.8.37", { ...million, viaIR: true }),
    constructorArguments: treasuryArguments,
    submitted: Treasury("0.8.37", viaIR),
  },
  {
    name: "escrow for one run, submitted with 200",
    causes: ["optimizer_runs"],
    deployed: Escrow("0.8.37", once),
    submitted: Escrow("0.8.37"),
  },
  {
    name: "factory via IR, submitted by the legacy pipeline",
    causes: ["via_ir"],
    deployed: Nursery("0.8.28", viaIR),
    submitted: Nursery(),
  },
  {
    name: "registry by the legacy pipeline, submitted via IR",
    causes: ["via_ir"],
    deployed: Registry("0.8.37"),
    submitted: Registry("0.8.37", viaIR),
  },
  {
    name: "too deep a stack without IR",
    causes: ["via_ir"],
    deployed: build(deep, "Deep", "0.8.28", viaIR),
    submitted: build(deep, "Deep", "0.8.28", optimized),
  },
  {
    name: "vault without a metadata hash, submitted with the default",
    causes: ["metadata_settings"],
    deployed: set(Ages(), { metadata: { bytecodeHash: "none" } }),
    submitted: Ages(),
  },
  {
    name: "escrow with a metadata hash, submitted with bytecodeHash none",
    causes: ["metadata_settings"],
    deployed: Escrow("0.8.24"),
    submitted: set(Escrow("0.8.24"), { metadata: { bytecodeHash: "none" } }),
  },
  {
    name: "lottery with a Swarm hash, submitted with the default",
    causes: ["metadata_settings"],
    deployed: set(Lottery("0.7.6"), { metadata: { bytecodeHash: "bzzr1" } }),
    constructorArguments: lotteryArguments,
    submitted: Lottery("0.7.6"),
  },
  {
    name: "escrow with an IPFS hash, submitted with a Swarm hash",
    causes: ["metadata_settings"],
    deployed: Escrow("0.8.37"),
    submitted: set(Escrow("0.8.37"), { metadata: { bytecodeHash: "bzzr1" } }),
  },
  {
    name: "treasury in experimental mode, submitted without",
    causes: ["metadata_settings"],
    deployed: set(Treasury("0.8.37"), { experimental: true }),
    constructorArguments: treasuryArguments,
    submitted: Treasury("0.8.37"),
  },
  {
    name: "scale without experimental mode, submitted in it",
    causes: ["metadata_settings"],
    deployed: build(scale, "Scale", "0.8.37"),
    submitted: set(build(scale, "Scale", "0.8.37"), { experimental: true }),
  },
  {
    name: "factory without metadata, submitted with the default",
    causes: ["metadata_settings"],
    deployed: set(Nursery(), { metadata: { appendCBOR: false, bytecodeHash: "none" } }),
    submitted: Nursery(),
  },
  {
    name: "station linked elsewhere than submitted",
    causes: ["unlinked_library"],
    deployed: Station(),
    constructorArguments: word(100),
    submitted: set(Station(), {
      libraries: { "contracts/Station.sol": { Statistics: OTHER, Limits: OWNER } },
    }),
  },
  {
    name: "meter via IR linked elsewhere than submitted",
    causes: ["unlinked_library"],
    deployed: Meter("0.8.37", viaIR),
    submitted: set(Meter("0.8.37", viaIR), { libraries: { "contracts/Meter.sol": { Statistics: OTHER } } }),
  },
  {
    name: "meter that is not linked, submitted with another compiler: the code breaks off",
    causes: ["compiler_version"],
    deployed: Meter("0.8.28"),
    submitted: Meter("0.8.37"),
  },
  {
    name: "station that is not linked, submitted without the optimizer: the code breaks off",
    causes: ["optimizer"],
    deployed: Station("0.8.24"),
    constructorArguments: word(100),
    submitted: Station("0.8.24", plain),
  },
  {
    name: "meter that is not linked, submitted for Paris: the code breaks off",
    causes: ["evm_version"],
    deployed: Meter("0.8.28"),
    submitted: set(Meter("0.8.28"), { evmVersion: "paris" }),
  },
  {
    name: "treasury with an immutable that became a variable",
    causes: ["edited_source"],
    deployed: Treasury(),
    constructorArguments: treasuryArguments,
    submitted: edited(Treasury(), "uint256 public immutable limit", "uint256 public limit"),
  },
  {
    name: "factory whose child's immutables are the only difference but runs",
    causes: ["optimizer_runs"],
    deployed: Nursery("0.8.24", million),
    submitted: Nursery("0.8.24"),
  },
  {
    name: "shell whose constructor deploys another code, with bytes behind its arguments",
    causes: ["constructor_arguments"],
    deployed: build(shell, "Shell"),
    constructorArguments: `${word(64)}${word(7)}${word(10)}${"600160005260206000f3".padEnd(64, "0")}c0ffee`,
    submitted: build(shell, "Shell"),
  },
  {
    name: "husk whose constructor deploys another code, with a word too many",
    causes: ["constructor_arguments"],
    deployed: build(husk, "Husk", "0.8.37", viaIR),
    constructorArguments: `${word(32)}${word(10)}${"600260005260206000f3".padEnd(64, "0")}${word(1)}`,
    submitted: build(husk, "Husk", "0.8.37", viaIR),
  },
  {
    name: "minimal proxy in front of a treasury",
    causes: ["proxy"],
    deployed: Treasury(),
    deploy: async (world, compiled) => {
      const { address } = await world.chain.deploy(`0x${compiled.evm.bytecode.object}${treasuryArguments}`);
      return world.chain.deploy(creationOf(minimalProxy(address)));
    },
    submitted: Treasury(),
  },
  {
    name: "minimal proxy with appended arguments in front of a registry",
    causes: ["proxy"],
    deployed: Registry(),
    deploy: async (world, compiled) => {
      const { address } = await world.chain.deploy(`0x${compiled.evm.bytecode.object}`);
      return world.chain.deploy(creationOf(minimalProxy(address) + word(42) + word(OWNER)));
    },
    submitted: Registry(),
  },
  {
    name: "EIP-1967 proxy in front of an escrow",
    causes: ["proxy"],
    deployed: Escrow(),
    deploy: behindProxy("ERC1967/ERC1967Proxy", "ERC1967Proxy", (at) => word(at) + firstCall(64, OPEN_DEALS)),
    submitted: Escrow(),
  },
  {
    name: "transparent proxy in front of a vault",
    causes: ["proxy"],
    deployed: Ages(),
    deploy: behindProxy(
      "transparent/TransparentUpgradeableProxy",
      "TransparentUpgradeableProxy",
      (at) => word(at) + word(OWNER) + firstCall(96, KEPT),
    ),
    submitted: Ages(),
  },
  {
    name: "beacon proxy in front of a box",
    causes: ["proxy"],
    deployed: build(boxes, "BoxV1"),
    deploy: async (world, compiled) => {
      const { address } = await world.chain.deploy(`0x${compiled.evm.bytecode.object}`);
      const proxies = (contract: string, path: string): Build => ({
        sources: {
          "Proxy.sol": `pragma solidity ^0.8.20; import "@openzeppelin/contracts/proxy/beacon/${path}.sol";`,
        },
        contract,
        version: "0.8.28",
        settings: optimized,
      });
      const beacon = await deployBuild(
        world,
        proxies("UpgradeableBeacon", "UpgradeableBeacon"),
        word(address) + word(OWNER),
      );
      return deployBuild(world, proxies("BeaconProxy", "BeaconProxy"), word(beacon.address) + emptyBytes(64));
    },
    submitted: build(boxes, "BoxV1"),
  },
  {
    name: "delegated account (EIP-7702)",
    causes: ["proxy"],
    deployed: Lottery(),
    constructorArguments: lotteryArguments,
    address: OTHER,
    deploy: async (world, compiled) => {
      const made = await world.chain.deploy(`0x${compiled.evm.bytecode.object}${lotteryArguments}`);
      await world.chain.rpc("anvil_setCode", OTHER, `0xef0100${made.address.slice(2)}`);
      return made;
    },
    submitted: Lottery(),
  },
  {
    name: "delegated account of a treasury (EIP-7702)",
    causes: ["proxy"],
    deployed: Treasury(),
    address: "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
    deploy: async (world, compiled) => {
      const made = await world.chain.deploy(`0x${compiled.evm.bytecode.object}${treasuryArguments}`);
      await world.chain.rpc(
        "anvil_setCode",
        "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
        `0xef0100${made.address.slice(2)}`,
      );
      return made;
    },
    submitted: Treasury(),
  },
  {
    name: "registry submitted for a treasury",
    causes: ["wrong_contract"],
    deployed: Treasury(),
    constructorArguments: treasuryArguments,
    submitted: Registry(),
    workspace: [Treasury(), Registry(), Escrow(), Lottery()],
  },
  {
    name: "first version submitted for the second",
    causes: ["wrong_contract"],
    deployed: build(boxes, "BoxV2"),
    submitted: build(boxes, "BoxV1"),
    workspace: [build(boxes, "BoxV1")],
  },
  {
    name: "contract with the same functions submitted",
    causes: ["wrong_contract"],
    deployed: build(boxes, "BoxDoubled", "0.8.37"),
    submitted: build(boxes, "BoxV1", "0.8.37"),
    workspace: [build(boxes, "BoxV1", "0.8.37")],
    hasLocalCode: true,
  },
  {
    name: "factory submitted for its child",
    causes: ["wrong_contract"],
    deployed: build(nursery, "Seedling"),
    constructorArguments: word(OWNER),
    submitted: Nursery(),
    workspace: [Nursery()],
  },
  {
    name: "name that the file does not have",
    causes: ["wrong_contract"],
    deployed: Escrow(),
    submitted: { ...Escrow(), identifier: "contracts/Escrow.sol:Escroww" },
  },
  {
    name: "file that was not submitted",
    causes: ["wrong_contract"],
    deployed: Registry(),
    submitted: { ...Registry(), identifier: "src/Registry.sol:Registry" },
  },
  {
    name: "escrow with a check that came later",
    causes: ["edited_source"],
    changedFunctions: "release(uint256) (Escrow.sol:22)",
    deployed: Escrow("0.8.24"),
    submitted: edited(
      Escrow("0.8.24"),
      'require(deal.isOpen, "Escrow: closed");',
      'require(deal.isOpen, "Escrow: closed");\n        require(deal.amount < 1 ether, "Escrow: too much");',
    ),
  },
  {
    name: "lottery with another comparison",
    causes: ["edited_source"],
    changedFunctions: "buy() (Lottery.sol:19)",
    deployed: Lottery("0.8.28", viaIR),
    constructorArguments: lotteryArguments,
    submitted: edited(Lottery("0.8.28", viaIR), "block.timestamp < closesAt", "block.timestamp <= closesAt"),
  },
  {
    name: "registry with another limit",
    causes: ["edited_source"],
    deployed: Registry("0.7.6"),
    submitted: edited(Registry("0.7.6"), "<= 32", "<= 64"),
  },
  {
    name: "vault with another message",
    causes: ["edited_source"],
    deployed: Ages("0.8.37", plain),
    submitted: edited(Ages("0.8.37", plain), "VaultOfAges: empty", "VaultOfAges: drained"),
  },
  {
    name: "token with a function more",
    causes: ["edited_source"],
    deployed: Coin(),
    constructorArguments: word(OWNER),
    submitted: edited(
      Coin(),
      "function mint",
      "function burn(uint256 amount) external { _burn(msg.sender, amount); }\n    function mint",
    ),
    workspace: [Coin(), Escrow()],
  },
  {
    name: "escrow with another fixed address",
    causes: ["edited_source"],
    deployed: edited(
      Escrow(),
      "Deal[] public deals;",
      `Deal[] public deals;\n    address public constant GUARD = 0x70997970C51812dc3A010C7d01b50e0d17dc79C8;`,
    ),
    submitted: edited(
      Escrow(),
      "Deal[] public deals;",
      `Deal[] public deals;\n    address public constant GUARD = 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC;`,
    ),
  },
  {
    name: "treasury with another comment: a match, and why not an exact one",
    causes: ["edited_source"],
    deployed: Treasury(),
    constructorArguments: treasuryArguments,
    submitted: edited(Treasury(), "contract Treasury {", "// Keeps the money.\ncontract Treasury {"),
  },
  {
    name: "token with another comment: a match, and why not an exact one",
    causes: ["edited_source"],
    deployed: Coin("0.8.37"),
    constructorArguments: word(OWNER),
    submitted: edited(Coin("0.8.37"), "contract Coin", "// A coin.\ncontract Coin"),
  },
  {
    name: "factory with another comment: a match, although two auxdata differ",
    causes: ["edited_source"],
    deployed: Nursery("0.8.37"),
    submitted: edited(Nursery("0.8.37"), "contract Nursery", "// Grows.\ncontract Nursery"),
  },
  {
    name: "orchard with Windows line endings in all files: an exact match",
    causes: ["edited_source"],
    deployed: Orchard({ [ORCHARD]: windows, [SOIL]: windows }),
    submitted: Orchard(),
    hasBuildRecord: true,
  },
  {
    name: "orchard with Windows line endings in one of two files: a match",
    causes: ["edited_source"],
    deployed: Orchard({ [SOIL]: windows }),
    submitted: Orchard(),
    hasBuildRecord: true,
  },
  {
    name: "orchard without a line break at the end of one file, submitted with: a match",
    causes: ["edited_source"],
    deployed: Orchard({ [ORCHARD]: withoutEnd }),
    submitted: Orchard(),
    hasBuildRecord: true,
  },
  {
    name: "orchard without line breaks at the ends, submitted with one in one file: a match",
    causes: ["edited_source"],
    deployed: Orchard({ [ORCHARD]: withoutEnd, [SOIL]: withoutEnd }),
    submitted: Orchard({ [SOIL]: withoutEnd }),
    hasBuildRecord: true,
  },
  {
    name: "lottery with literal sources in its metadata: a match, proven by the build record",
    causes: ["metadata_settings"],
    deployed: set(Lottery(), { metadata: { useLiteralContent: true } }),
    constructorArguments: lotteryArguments,
    submitted: Lottery(),
    hasBuildRecord: true,
  },
  {
    name: "vault for Shanghai without an instruction of Cancun: a match, proven by the build record",
    causes: ["evm_version"],
    deployed: set(Ages(), { evmVersion: "shanghai" }),
    submitted: Ages(),
    hasBuildRecord: true,
  },
  {
    name: "token for 999,999 runs, proven by the build record",
    causes: ["optimizer_runs"],
    deployed: Coin("0.8.37", { optimizer: { enabled: true, runs: 999_999 } }),
    constructorArguments: word(OWNER),
    submitted: Coin("0.8.37"),
    hasBuildRecord: true,
  },
  {
    name: "escrow with Windows line endings in one file, proven by the build record",
    causes: ["edited_source"],
    deployed: { ...Escrow(), sources: { "contracts/Escrow.sol": escrow.replaceAll("\n", "\r\n") } },
    submitted: Escrow(),
    hasBuildRecord: true,
  },
  {
    name: "escrow whose code the optimizer put together otherwise under the same metadata hash",
    causes: ["extra_files"],
    deployed: Escrow(),
    deploy: underMetadataHashOf(Escrow("0.8.28", million)),
    submitted: Escrow(),
  },
  {
    name: "factory whose code the optimizer put together otherwise under the same metadata hash",
    causes: ["extra_files"],
    deployed: Nursery("0.8.24", viaIR),
    deploy: underMetadataHashOf(Nursery("0.8.24", { ...million, viaIR: true })),
    submitted: Nursery("0.8.24", viaIR),
  },
  {
    name: "immutables that the service did not put in",
    causes: ["server"],
    deployed: Treasury("0.8.37"),
    constructorArguments: treasuryArguments,
    submitted: Treasury("0.8.37"),
  },
  {
    name: "immutables of a factory's child that the service did not put in",
    causes: ["server"],
    deployed: build(nursery, "Seedling", "0.8.24"),
    constructorArguments: word(OWNER),
    submitted: build(nursery, "Seedling", "0.8.24"),
  },
  {
    name: "nothing is deployed",
    causes: ["not_deployed"],
    deployed: Escrow(),
    address: "0x00000000000000000000000000000000000c0de1",
    submitted: Escrow(),
  },
  {
    name: "a plain account",
    causes: ["not_deployed"],
    deployed: Lottery(),
    constructorArguments: lotteryArguments,
    address: OWNER,
    submitted: Lottery(),
  },
  {
    name: "abstract contract",
    causes: ["abstract_contract"],
    deployed: build(boxes, "BoxV2"),
    submitted: build(boxes, "BoxBase"),
    workspace: [build(boxes, "BoxV1")],
  },
  {
    name: "interface",
    causes: ["abstract_contract"],
    deployed: build(boxes, "BoxV1", "0.7.6"),
    submitted: build(boxes, "IBox", "0.7.6"),
  },
  {
    name: "sources that don't compile",
    causes: ["compiler_error"],
    deployed: Registry(),
    submitted: {
      ...edited(Registry(), "delete holders", "delete nobody"),
      identifier: "contracts/Registry.sol:Registry",
    },
  },
  {
    name: "import that was not submitted",
    causes: ["compiler_error"],
    deployed: Escrow(),
    submitted: {
      ...edited(Escrow(), "contract Escrow", 'import "./Missing.sol";\n\ncontract Escrow'),
      identifier: "contracts/Escrow.sol:Escrow",
    },
  },
  {
    name: "the service's node does not answer",
    causes: ["server"],
    deployed: Escrow(),
    submitted: Escrow(),
    isNodeDown: true,
  },
  {
    name: "the service's node does not answer for a factory",
    causes: ["server"],
    deployed: Nursery(),
    submitted: Nursery("0.8.37"),
    isNodeDown: true,
  },
];
