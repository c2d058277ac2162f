import { receiptOf, type Chain } from "../../../sandbox/chain.ts";
import { foundry, hardhat, hardhat3, NOT_OPTIMIZED, optimized, plainFolder, truffle } from "./folders.ts";
import * as own from "./ownContracts.ts";
import type { Argument, StrangeBuild } from "./strangeBuild.ts";

const OWNER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const OTHER = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
const LIBRARY = "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc";
const owner: Argument = ["address", OWNER];
const other: Argument = ["address", OTHER];
const text = (value: string): Argument => ["string", value];
const number = (value: bigint | number): Argument => ["uint256", value];
const bytes = (value: string): Argument => ["bytes", value];

const OZ5 = { "node_modules/@openzeppelin/contracts": "contracts:@openzeppelin/contracts-5.0" };
const OZ51 = { "node_modules/@openzeppelin/contracts": "oracles:@openzeppelin/contracts-5.1.0" };
const OZ57 = { "node_modules/@openzeppelin/contracts": "oracles:@openzeppelin/contracts" };
const OZ4 = { "node_modules/@openzeppelin/contracts": "contracts:@openzeppelin/contracts-4.9" };
const OZ47 = { "node_modules/@openzeppelin/contracts": "oracles:@openzeppelin/contracts-4.7.3" };
const OZ3 = { "node_modules/@openzeppelin/contracts": "contracts:@openzeppelin/contracts-3.4" };
const OZ2 = { "node_modules/@openzeppelin/contracts": "contracts:@openzeppelin/contracts-2.5" };
const OZ23 = { "node_modules/openzeppelin-solidity": "contracts:openzeppelin-solidity-2.3" };
const ZEPPELIN = { "node_modules/zeppelin-solidity": "contracts:zeppelin-solidity" };
const ZEPPELIN_1_3 = { "node_modules/zeppelin-solidity": "contracts:zeppelin-solidity-1.3" };
const SOLMATE = { "lib/solmate/src": "contracts:solmate/src" };
const SOLADY = { "lib/solady/src": "oracles:solady/src" };
const SAFE = { contracts: "contracts:@safe-global/safe-contracts/contracts" };
const AAVE = { contracts: "oracles:@aave/core-v3/contracts" };
const V3_PERIPHERY = {
  "node_modules/@uniswap/v3-periphery": "contracts:@uniswap/v3-periphery",
  "node_modules/@uniswap/v3-core": "contracts:@uniswap/v3-core",
  "node_modules/base64-sol": "contracts:base64-sol",
  ...OZ3,
};
const CHAINLINK = {
  "node_modules/@chainlink/contracts": "oracles:@chainlink/contracts",
  "node_modules/@openzeppelin/contracts-4.8.3": "oracles:@openzeppelin/contracts-4.8.3",
  "node_modules/@openzeppelin/contracts-5.0.2": "oracles:@openzeppelin/contracts-5.0.2",
};

const crlf = (content: string) => content.replaceAll("\n", "\r\n");
const crlfOf = (pattern: RegExp) => (content: string, name: string) =>
  pattern.test(name) ? crlf(content) : content;
/** Hardhat's dotted file names, as forge has them. */
const ozOfForge = (name: string) =>
  name.replace(/^@openzeppelin\/contracts\//, "lib/openzeppelin-contracts/contracts/");

/** The IR pipeline with the optimizer steps that Hardhat's page recommends against "stack too deep". */
const STEPS_U = {
  viaIR: true,
  optimizer: { enabled: true, runs: 200, details: { yulDetails: { optimizerSteps: "u" } } },
};

/** Sends a call to a contract and waits for its receipt. */
async function called(chain: Chain, to: string, data: string): Promise<void> {
  const [from] = await chain.rpc<string[]>("eth_accounts");
  const hash = await chain.rpc<string>("eth_sendTransaction", { from, to, data, gas: "0x989680" });
  await receiptOf(chain, hash);
}

const erc1167 = async (chain: { deploy(code: string): Promise<{ address: string }> }, address: string) =>
  (
    await chain.deploy(
      `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${address.slice(2)}5af43d82803e903d91602b57fd5bf3`,
    )
  ).address;

/** Settings that tools, explorers and people set otherwise than the folder says. */
const TOOL_DEFAULTS: readonly StrangeBuild[] = [
  {
    name: "a permit token of Hardhat's defaults, deployed with the optimizer on",
    folder: hardhat("0.8.24", undefined, { "contracts/Coin.sol": own.PERMIT_TOKEN }, OZ5),
    contract: "contracts/Coin.sol:Coin",
    made: { version: "0.8.24", settings: optimized(200, { evmVersion: "paris" }) },
    args: [owner],
    atLeast: "exact_match",
  },
  {
    name: "a vesting wallet submitted with an explorer's 999,999 runs",
    folder: hardhat(
      "0.8.19",
      optimized(200),
      { "contracts/Vest.sol": own.reexport("finance/VestingWallet.sol", "0.8.19") },
      OZ4,
    ),
    contract: "node_modules/@openzeppelin/contracts/finance/VestingWallet.sol:VestingWallet",
    made: { version: "0.8.19", settings: optimized(999_999) },
    args: [owner, ["uint64", 4_102_444_800], ["uint64", 1_000]],
    atLeast: "exact_match",
  },
  {
    name: "a vault of Hardhat 3 whose production profile was deployed and whose default is read",
    folder: hardhat3(
      {
        default: { version: "0.8.28" },
        production: { version: "0.8.28", settings: { optimizer: { enabled: true, runs: 10_000 } } },
      },
      { "contracts/Savings.sol": own.VAULT },
      OZ57,
    ),
    contract: "contracts/Savings.sol:Savings",
    made: { version: "0.8.28", settings: optimized(10_000) },
    args: [other, owner],
    atLeast: "exact_match",
  },
  {
    name: "a governor with the IR pipeline, one run and Paris",
    folder: hardhat("0.8.24", optimized(200), { "contracts/Council.sol": own.GOVERNOR }, OZ5),
    contract: "contracts/Council.sol:Council",
    made: { version: "0.8.24", settings: optimized(1, { viaIR: true, evmVersion: "paris" }) },
    args: [other],
    atLeast: "exact_match",
    isLarge: true,
  },
  {
    name: "OpenZeppelin's own hardhat config, which writes details of the optimizer",
    folder: hardhat("0.8.24", optimized(200), { "contracts/Cards.sol": own.NFT }, OZ5),
    contract: "contracts/Cards.sol:Cards",
    made: {
      version: "0.8.24",
      settings: { optimizer: { enabled: true, runs: 200, details: { yul: true } }, evmVersion: "paris" },
    },
    args: [owner],
    atLeast: "exact_match",
  },
  {
    name: "the yul optimizer switched off by hand",
    folder: hardhat("0.8.20", optimized(200), { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: {
      version: "0.8.20",
      settings: { optimizer: { enabled: true, runs: 9_999, details: { yul: false } } },
    },
    args: [number(25)],
    atLeast: "exact_match",
  },
  {
    name: "Hardhat's advice against a stack that is too deep: optimizer steps u",
    folder: hardhat("0.8.28", { ...optimized(200), viaIR: true }, { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: { version: "0.8.28", settings: STEPS_U },
    args: [number(25)],
    atLeast: "exact_match",
  },
  {
    name: "an upgradeable token, optimized for size and for London",
    folder: hardhat(
      "0.8.19",
      undefined,
      { "contracts/Upgradeable.sol": own.UUPS },
      {
        "node_modules/@openzeppelin/contracts-upgradeable":
          "contracts:@openzeppelin/contracts-upgradeable-4.9",
      },
    ),
    contract: "contracts/Upgradeable.sol:Points",
    made: { version: "0.8.19", settings: optimized(1, { evmVersion: "london" }) },
    atLeast: "exact_match",
  },
  {
    name: "a transparent proxy with its admin inside, without the hash of the metadata",
    folder: hardhat("0.8.24", optimized(200), { "contracts/Proxies.sol": own.PROXIES }, OZ5),
    contract: "contracts/Proxies.sol:OurProxy",
    made: { version: "0.8.24", settings: optimized(200, { metadata: { bytecodeHash: "none" } }) },
    args: [["address", "0x4e59b44847b379578588920cA78FbF26c0B4956C"], owner, bytes("0x")],
    atLeast: "match",
  },
  {
    name: "a beacon without any metadata behind the code",
    folder: hardhat("0.8.24", optimized(200), { "contracts/Proxies.sol": own.PROXIES }, OZ5),
    contract: "node_modules/@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol:UpgradeableBeacon",
    made: {
      version: "0.8.24",
      settings: optimized(800, { metadata: { appendCBOR: false, bytecodeHash: "none" } }),
    },
    args: [["address", "0x4e59b44847b379578588920cA78FbF26c0B4956C"], owner],
    atLeast: "match",
  },
  {
    name: "a forwarder whose revert strings were stripped",
    folder: hardhat(
      "0.8.19",
      optimized(200),
      { "contracts/Forward.sol": own.reexport("metatx/MinimalForwarder.sol", "0.8.19") },
      OZ4,
    ),
    contract: "node_modules/@openzeppelin/contracts/metatx/MinimalForwarder.sol:MinimalForwarder",
    made: { version: "0.8.19", settings: optimized(200, { debug: { revertStrings: "strip" } }) },
    atLeast: "exact_match",
  },
  {
    name: "a market deployed with debug revert strings and no optimizer",
    folder: hardhat("0.8.20", optimized(200), { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: { version: "0.8.20", settings: { ...NOT_OPTIMIZED, debug: { revertStrings: "debug" } } },
    args: [number(25)],
    atLeast: "exact_match",
  },
  {
    name: "a clone factory with immutables for a chain of Istanbul",
    folder: hardhat("0.8.17", optimized(200), { "contracts/Pots.sol": own.CLONE_FACTORY }, OZ47),
    contract: "contracts/Pots.sol:PotFactory",
    made: { version: "0.8.17", settings: optimized(200, { evmVersion: "istanbul" }) },
    args: [owner],
    atLeast: "exact_match",
  },
  {
    name: "the IR pipeline without the optimizer",
    folder: foundry(['solc = "0.8.17"', "optimizer = true"], own.FIVE_FILES),
    contract: "src/Tower.sol:Tower",
    made: { version: "0.8.17", settings: { ...NOT_OPTIMIZED, viaIR: true } },
    atLeast: "exact_match",
  },
  {
    name: "Remix: optimizer switched on by hand, another patch release, all in one file",
    folder: plainFolder({ "flattened.sol": own.FLATTENED }),
    contract: "flattened.sol:Raffle",
    made: { version: "0.8.18", settings: optimized(200) },
    args: [number(3)],
    atLeast: "exact_match",
  },
  {
    name: "an editor's setting says 200 runs, Remix deployed without the optimizer",
    folder: plainFolder({ "contracts/Market.sol": own.MARKET }, {}, optimized(200)),
    contract: "contracts/Market.sol:Market",
    made: { version: "0.8.30", settings: NOT_OPTIMIZED },
    args: [number(25)],
    atLeast: "exact_match",
  },
];

const FOUNDRY: readonly StrangeBuild[] = [
  {
    name: "wrapped ether of solmate, a million runs",
    folder: foundry(
      ['solc = "0.8.26"', "optimizer = true"],
      { "src/Wrapped.sol": own.SOLMATE_WETH, "remappings.txt": "solmate/=lib/solmate/src/\n" },
      SOLMATE,
    ),
    contract: "src/Wrapped.sol:Wrapped",
    made: { version: "0.8.26", settings: optimized(1_000_000) },
    atLeast: "exact_match",
  },
  {
    name: "a solmate vault of a profile with via_ir, deployed by another profile without",
    folder: foundry(
      ['solc = "0.8.21"', "optimizer = true", "optimizer_runs = 10_000", "via_ir = true"],
      { "src/Yield.sol": own.SOLMATE_VAULT, "remappings.txt": "solmate/=lib/solmate/src/\n" },
      SOLMATE,
    ),
    contract: "src/Yield.sol:Yield",
    made: { version: "0.8.21", settings: optimized(10_000, { evmVersion: "paris" }) },
    args: [["address", OTHER]],
    atLeast: "exact_match",
  },
  {
    name: "a token of solady, deployed by the production profile with via_ir and 20,000 runs",
    folder: foundry(
      [
        'solc = "0.8.25"',
        "",
        "[profile.production]",
        "optimizer = true",
        "optimizer_runs = 20_000",
        "via_ir = true",
      ],
      { "src/Ballots.sol": own.SOLADY_VOTES, "remappings.txt": "solady/=lib/solady/src/\n" },
      SOLADY,
    ),
    contract: "src/Ballots.sol:Ballots",
    made: { version: "0.8.25", settings: optimized(20_000, { viaIR: true }) },
    atLeast: "exact_match",
  },
  {
    name: "a factory of solady without any metadata",
    folder: foundry(
      ['solc = "0.8.22"'],
      { "src/Factory.sol": own.SOLADY_FACTORY, "remappings.txt": "solady/=lib/solady/src/\n" },
      SOLADY,
    ),
    contract: "src/Factory.sol:Factory",
    made: {
      version: "0.8.22",
      settings: optimized(200, {
        metadata: { appendCBOR: false, bytecodeHash: "none", useLiteralContent: false },
      }),
    },
    atLeast: "match",
  },
  {
    name: "a Uniswap v4 hook registry with 44,444,444 runs and no hash",
    folder: foundry(
      ['solc = "0.8.26"', 'evm_version = "cancun"', "via_ir = true"],
      { "src/Hooks.sol": own.V4_HOOK, "remappings.txt": "@uniswap/v4-core/=lib/v4-core/\n" },
      { "lib/v4-core/src": "oracles:@uniswap/v4-core/src" },
    ),
    contract: "src/Hooks.sol:Feed",
    made: {
      version: "0.8.26",
      settings: optimized(44_444_444, {
        viaIR: true,
        evmVersion: "cancun",
        metadata: { bytecodeHash: "none" },
      }),
    },
    args: [other],
    atLeast: "match",
  },
  {
    name: "own files checked out with CRLF on the machine that deployed, and 1,000 runs",
    folder: foundry(
      ['solc = "0.8.26"', "optimizer = true"],
      { "src/Wrapped.sol": own.SOLMATE_WETH, "remappings.txt": "solmate/=lib/solmate/src/\n" },
      SOLMATE,
    ),
    contract: "src/Wrapped.sol:Wrapped",
    made: { version: "0.8.26", settings: optimized(1_000), edit: crlfOf(/^src\//) },
    atLeast: "exact_match",
  },
  {
    name: "all files with CRLF",
    folder: foundry(
      ['solc = "0.8.30"'],
      { "src/Wrapped.sol": own.SOLMATE_WETH, "remappings.txt": "solmate/=lib/solmate/src/\n" },
      SOLMATE,
    ),
    contract: "src/Wrapped.sol:Wrapped",
    made: { version: "0.8.30", settings: NOT_OPTIMIZED, edit: crlf },
    atLeast: "exact_match",
  },
  {
    name: "CRLF on this machine, LF where it was deployed, with the optimizer",
    folder: foundry(['solc = "0.8.30"'], { "src/Market.sol": crlf(own.MARKET), "src/Text.sol": own.LABELS }),
    contract: "src/Market.sol:Market",
    made: {
      version: "0.8.30",
      settings: optimized(200),
      edit: (content) => content.replaceAll("\r\n", "\n"),
    },
    args: [number(25)],
    atLeast: "exact_match",
  },
  {
    name: "one of five files was written with CRLF by an editor",
    folder: foundry(['solc = "0.8.27"', "optimizer = true"], own.FIVE_FILES),
    contract: "src/Tower.sol:Tower",
    made: { version: "0.8.27", settings: optimized(200), edit: crlfOf(/Third\.sol$/) },
    atLeast: "exact_match",
  },
  {
    name: "three of five files with CRLF, via_ir and a patch release",
    folder: foundry(['solc = "0.8.27"', "optimizer = true"], own.FIVE_FILES),
    contract: "src/Tower.sol:Tower",
    made: {
      version: "0.8.25",
      settings: optimized(200, { viaIR: true }),
      edit: crlfOf(/(?:Third|First|Tower)\.sol$/),
    },
    atLeast: "exact_match",
  },
  {
    name: "the remappings of the team's lib folder, where the packages came from npm",
    folder: hardhat("0.8.24", optimized(200), { "contracts/Coin.sol": own.PERMIT_TOKEN }, OZ5),
    contract: "contracts/Coin.sol:Coin",
    made: {
      version: "0.8.24",
      settings: optimized(200, {
        remappings: ["@openzeppelin/contracts/=lib/openzeppelin-contracts/contracts/"],
      }),
      rename: (name) => ozOfForge(name.replace(/^contracts\//, "src/")),
    },
    args: [owner],
    atLeast: "exact_match",
  },
  {
    name: "source names of another folder, and another optimizer",
    folder: foundry(['solc = "0.8.28"'], { "src/Market.sol": own.MARKET }),
    contract: "src/Market.sol:Market",
    made: {
      version: "0.8.28",
      settings: optimized(200),
      rename: (name) => name.replace(/^src\//, "contracts/market/"),
    },
    args: [number(25)],
    atLeast: "match",
  },
  {
    name: "bytecode_hash none, Paris, and via_ir off where the file says on",
    folder: foundry(
      ['solc = "0.8.28"', "via_ir = true", "optimizer = true", "optimizer_runs = 1_000"],
      own.FIVE_FILES,
    ),
    contract: "src/Tower.sol:Tower",
    made: {
      version: "0.8.28",
      settings: optimized(1_000, { evmVersion: "paris", metadata: { bytecodeHash: "none" } }),
    },
    atLeast: "match",
  },
  {
    name: "optimizer_steps that a team tuned itself, which nothing tells",
    folder: foundry(['solc = "0.8.24"', "via_ir = true", "optimizer = true"], {
      "src/Market.sol": own.MARKET,
    }),
    contract: "src/Market.sol:Market",
    made: {
      version: "0.8.24",
      settings: {
        viaIR: true,
        optimizer: {
          enabled: true,
          runs: 200,
          details: {
            yul: true,
            yulDetails: {
              stackAllocation: true,
              optimizerSteps: "dhfoDgvulfnTUtnIf[xa[r]scLM cCTUtTOntnfDIul Lcul Vcul]jmul:fDnTOcmu",
            },
          },
        },
      },
    },
    args: [number(25)],
    atLeast: "open",
  },
  {
    name: "a whole OpenZeppelin checkout, its timelock deployed from npm's copy",
    folder: foundry(
      ['solc = "0.8.24"', "optimizer = true"],
      {
        "src/Lock.sol": own.reexport("governance/TimelockController.sol", "0.8.24"),
        "remappings.txt": "@openzeppelin/contracts/=lib/openzeppelin-contracts/contracts/\n",
      },
      { "lib/openzeppelin-contracts/contracts": "contracts:@openzeppelin/contracts-5.0" },
    ),
    contract: "lib/openzeppelin-contracts/contracts/governance/TimelockController.sol:TimelockController",
    made: {
      version: "0.8.24",
      settings: optimized(10_000, { remappings: [] }),
      rename: (name) => name.replace(/^lib\/openzeppelin-contracts\/contracts\//, "@openzeppelin/contracts/"),
    },
    args: [number(3_600), ["address[]", [OWNER]], ["address[]", [OTHER]], owner],
    atLeast: "match",
  },
];

const UNISWAP: readonly StrangeBuild[] = [
  {
    name: "the factory of Uniswap v2 from a Hardhat folder without settings",
    folder: hardhat("0.5.16", undefined, {}, { contracts: "contracts:@uniswap/v2-core/contracts" }),
    contract: "contracts/UniswapV2Factory.sol:UniswapV2Factory",
    made: { version: "0.5.16", settings: optimized(999_999, { evmVersion: "istanbul" }) },
    args: [owner],
    atLeast: "exact_match",
  },
  {
    name: "a pair that the factory of Uniswap v2 made",
    folder: truffle("0.5.16", optimized(200), {}, { contracts: "contracts:@uniswap/v2-core/contracts" }),
    contract: "contracts/UniswapV2Pair.sol:UniswapV2Pair",
    made: {
      version: "0.5.16",
      settings: optimized(999_999),
      contract: "contracts/UniswapV2Factory.sol:UniswapV2Factory",
    },
    args: [owner],
    at: async (chain, factory) => {
      const word = (address: string) => address.slice(2).toLowerCase().padStart(64, "0");
      const data = `0xc9c65396${word(OWNER)}${word(OTHER)}`;
      await called(chain, factory, data);
      const pair = await chain.rpc<string>(
        "eth_call",
        { to: factory, data: `0x1e3dd18b${"0".repeat(64)}` },
        "latest",
      );
      return `0x${pair.slice(-40)}`;
    },
    atLeast: "exact_match",
  },
  {
    name: "the router of Uniswap v2, with immutables, from Truffle",
    folder: truffle(
      "0.6.6",
      optimized(200),
      {},
      {
        contracts: "contracts:@uniswap/v2-periphery/contracts",
        "node_modules/@uniswap/v2-core": "contracts:@uniswap/v2-core",
        "node_modules/@uniswap/lib": "contracts:@uniswap/lib",
      },
    ),
    contract: "contracts/UniswapV2Router02.sol:UniswapV2Router02",
    made: { version: "0.6.6", settings: optimized(999_999, { evmVersion: "istanbul" }) },
    args: [owner, other],
    atLeast: "exact_match",
    isLarge: true,
  },
  {
    name: "the migrator of Uniswap v2 from a plain folder",
    folder: plainFolder(
      {},
      {
        contracts: "contracts:@uniswap/v2-periphery/contracts",
        "node_modules/@uniswap/v2-core": "contracts:@uniswap/v2-core",
        "node_modules/@uniswap/lib": "contracts:@uniswap/lib",
      },
    ),
    contract: "contracts/UniswapV2Migrator.sol:UniswapV2Migrator",
    made: { version: "0.6.6", settings: optimized(1_000) },
    args: [owner, other],
    atLeast: "exact_match",
  },
  {
    name: "observations in the way of Uniswap v3 with its 800 runs and no hash",
    folder: hardhat("0.7.6", optimized(200), { "contracts/Book.sol": own.OBSERVATIONS }, V3_PERIPHERY),
    contract: "contracts/Book.sol:Book",
    made: { version: "0.7.6", settings: optimized(800, { metadata: { bytecodeHash: "none" } }) },
    atLeast: "match",
  },
  {
    name: "the library that draws positions of Uniswap v3, deployed by itself",
    folder: hardhat("0.7.6", optimized(200), { "contracts/Describe.sol": own.DESCRIPTOR }, V3_PERIPHERY),
    contract: "node_modules/@uniswap/v3-periphery/contracts/libraries/NFTDescriptor.sol:NFTDescriptor",
    made: { version: "0.7.6", settings: optimized(1_000, { metadata: { bytecodeHash: "none" } }) },
    atLeast: "match",
    isLarge: true,
  },
  {
    name: "a describer linked with that library, 1,000 runs",
    folder: hardhat("0.7.6", optimized(200), { "contracts/Describe.sol": own.DESCRIPTOR }, V3_PERIPHERY),
    contract: "contracts/Describe.sol:Describe",
    made: {
      version: "0.7.6",
      settings: optimized(1_000, {
        libraries: {
          "@uniswap/v3-periphery/contracts/libraries/NFTDescriptor.sol": { NFTDescriptor: LIBRARY },
        },
      }),
    },
    atLeast: "exact_match",
  },
  {
    name: "a reader of ticks by Uniswap v3, two million runs, Istanbul",
    folder: hardhat("0.7.6", undefined, { "contracts/Ticks.sol": own.TICKS }, V3_PERIPHERY),
    contract: "contracts/Ticks.sol:Ticks",
    made: { version: "0.7.6", settings: optimized(2_000_000) },
    args: [owner],
    atLeast: "exact_match",
  },
];

const WALLETS: readonly StrangeBuild[] = [
  {
    name: "Safe as it was really deployed, without the optimizer",
    folder: hardhat("0.7.6", optimized(200), {}, SAFE),
    contract: "contracts/Safe.sol:Safe",
    made: { version: "0.7.6", settings: NOT_OPTIMIZED },
    atLeast: "exact_match",
  },
  {
    name: "the proxy factory of Safe by solc 0.7.6, in a folder of 0.8.24",
    folder: hardhat("0.8.24", optimized(200), {}, SAFE),
    contract: "contracts/proxies/SafeProxyFactory.sol:SafeProxyFactory",
    made: { version: "0.7.6", settings: NOT_OPTIMIZED },
    atLeast: "exact_match",
  },
  {
    name: "a Safe proxy, tiny, of another compiler",
    folder: hardhat("0.8.20", optimized(200), {}, SAFE),
    contract: "contracts/proxies/SafeProxy.sol:SafeProxy",
    made: { version: "0.7.6", settings: NOT_OPTIMIZED },
    args: [owner],
    atLeast: "exact_match",
  },
  {
    name: "the fallback handler of Safe by 0.8.17 with 10,000 runs",
    folder: hardhat("0.7.6", undefined, {}, SAFE),
    contract: "contracts/handler/CompatibilityFallbackHandler.sol:CompatibilityFallbackHandler",
    made: { version: "0.8.17", settings: optimized(10_000) },
    atLeast: "exact_match",
  },
  {
    name: "MultiSend, which knows its own address, by 0.7.6",
    folder: hardhat("0.8.28", optimized(200, { viaIR: true }), {}, SAFE),
    contract: "contracts/libraries/MultiSend.sol:MultiSend",
    made: { version: "0.7.6", settings: NOT_OPTIMIZED },
    atLeast: "exact_match",
  },
  {
    name: "SignMessageLib for Istanbul with 0.8.9",
    folder: hardhat("0.8.19", optimized(200), {}, SAFE),
    contract: "contracts/libraries/SignMessageLib.sol:SignMessageLib",
    made: { version: "0.8.9", settings: optimized(200, { evmVersion: "istanbul" }) },
    atLeast: "exact_match",
  },
  {
    name: "CreateCall with the IR pipeline of an early release",
    folder: hardhat("0.8.15", NOT_OPTIMIZED, {}, SAFE),
    contract: "contracts/libraries/CreateCall.sol:CreateCall",
    made: { version: "0.8.13", settings: optimized(200, { viaIR: true }) },
    atLeast: "exact_match",
  },
  {
    name: "the entry point of account abstraction with a million runs",
    folder: hardhat(
      "0.8.28",
      optimized(200, { viaIR: true, evmVersion: "cancun" }),
      {},
      { contracts: "contracts:@account-abstraction/contracts", ...OZ51 },
    ),
    contract: "contracts/core/EntryPoint.sol:EntryPoint",
    made: { version: "0.8.28", settings: optimized(1_000_000, { viaIR: true, evmVersion: "cancun" }) },
    atLeast: "exact_match",
    isLarge: true,
  },
  {
    name: "the account of EIP-7702 by a later patch release, without the IR pipeline",
    folder: hardhat(
      "0.8.28",
      optimized(200, { viaIR: true, evmVersion: "cancun" }),
      {},
      { contracts: "contracts:@account-abstraction/contracts", ...OZ51 },
    ),
    contract: "contracts/accounts/Simple7702Account.sol:Simple7702Account",
    made: { version: "0.8.30", settings: optimized(200, { evmVersion: "cancun" }) },
    atLeast: "exact_match",
  },
];

const OLD: readonly StrangeBuild[] = [
  {
    name: "a token of 2018, deployed from Remix with the optimizer",
    folder: truffle("0.4.24", undefined, { "contracts/Gold.sol": own.GOLD }, ZEPPELIN),
    contract: "contracts/Gold.sol:Gold",
    made: { version: "0.4.24", settings: optimized(200) },
    atLeast: "exact_match",
  },
  {
    name: "a crowdsale of 2017 by an older patch release",
    folder: plainFolder({ "contracts/Sale.sol": own.SALE_1_3 }, ZEPPELIN_1_3),
    contract: "contracts/Sale.sol:Sale",
    made: { version: "0.4.16", settings: optimized(200) },
    args: [number(4_102_444_800), number(4_102_544_800), number(100), owner],
    atLeast: "exact_match",
  },
  {
    name: "token vesting by 0.4.26 for Byzantium without the optimizer",
    folder: truffle("0.4.24", optimized(200), { "contracts/Vesting.sol": own.VESTING_1_12 }, ZEPPELIN),
    contract: "contracts/Vesting.sol:StaffVesting",
    made: { version: "0.4.26", settings: { ...NOT_OPTIMIZED, evmVersion: "byzantium" } },
    atLeast: "exact_match",
  },
  {
    name: "Truffle's own Migrations of the old days",
    folder: plainFolder({ "contracts/Migrations.sol": own.MIGRATIONS }),
    contract: "contracts/Migrations.sol:Migrations",
    made: { version: "0.4.18", settings: optimized(200) },
    atLeast: "exact_match",
  },
  {
    name: "a capped token of 0.5.8 for Petersburg",
    folder: truffle("0.5.17", NOT_OPTIMIZED, { "contracts/Capped.sol": own.CAPPED_2_3 }, OZ23),
    contract: "contracts/Capped.sol:Capped",
    made: { version: "0.5.8", settings: optimized(200, { evmVersion: "petersburg" }) },
    atLeast: "exact_match",
  },
  {
    name: "a full ERC-721 of 0.5.16 from Truffle's defaults",
    folder: truffle("0.5.17", undefined, { "contracts/Deeds.sol": own.DEEDS_2_5 }, OZ2),
    contract: "contracts/Deeds.sol:Deeds",
    made: { version: "0.5.16", settings: optimized(200) },
    atLeast: "exact_match",
  },
  {
    name: "a preset token of 0.6.12, where the folder says 0.7.6",
    folder: hardhat("0.7.6", undefined, { "contracts/Preset.sol": own.PRESET_3 }, OZ3),
    contract:
      "node_modules/@openzeppelin/contracts/presets/ERC20PresetMinterPauser.sol:ERC20PresetMinterPauser",
    made: { version: "0.6.12", settings: optimized(200) },
    args: [text("Preset"), text("PRE")],
    atLeast: "exact_match",
  },
  {
    name: "a timelock of 0.7.0 with 5,000 runs",
    folder: hardhat("0.7.6", optimized(200), { "contracts/Preset.sol": own.PRESET_3 }, OZ3),
    contract: "node_modules/@openzeppelin/contracts/access/TimelockController.sol:TimelockController",
    made: { version: "0.7.0", settings: optimized(5_000) },
    args: [number(1), ["address[]", [OWNER]], ["address[]", [OTHER]]],
    atLeast: "exact_match",
  },
  {
    name: "a transparent proxy of 0.6.11 for Istanbul, without the optimizer",
    folder: hardhat("0.6.12", optimized(200), { "contracts/Preset.sol": own.PRESET_3 }, OZ3),
    contract:
      "node_modules/@openzeppelin/contracts/proxy/TransparentUpgradeableProxy.sol:TransparentUpgradeableProxy",
    made: { version: "0.6.11", settings: { ...NOT_OPTIMIZED, evmVersion: "istanbul" } },
    args: [["address", "0x4e59b44847b379578588920cA78FbF26c0B4956C"], owner, bytes("0x")],
    atLeast: "exact_match",
  },
  {
    name: "WETH9 of an optimistic rollup, whose pragma spans two minors",
    folder: plainFolder({}, { contracts: "oracles:@eth-optimism/contracts/L2/predeploys" }),
    contract: "contracts/WETH9.sol:WETH9",
    made: { version: "0.4.24", settings: optimized(10_000) },
    atLeast: "exact_match",
  },
];

const PROTOCOLS: readonly StrangeBuild[] = [
  {
    name: "a supply library of Aave, deployed by itself with 100,000 runs",
    folder: hardhat("0.8.10", optimized(200), {}, AAVE),
    contract: "contracts/protocol/libraries/logic/ConfiguratorLogic.sol:ConfiguratorLogic",
    made: { version: "0.8.10", settings: optimized(100_000, { evmVersion: "london" }) },
    atLeast: "exact_match",
  },
  {
    name: "the pool configurator of Aave, linked, for Berlin",
    folder: hardhat("0.8.10", optimized(200), {}, AAVE),
    contract: "contracts/protocol/pool/PoolConfigurator.sol:PoolConfigurator",
    made: {
      version: "0.8.10",
      settings: optimized(100_000, {
        evmVersion: "berlin",
        libraries: {
          "contracts/protocol/libraries/logic/ConfiguratorLogic.sol": { ConfiguratorLogic: LIBRARY },
        },
      }),
    },
    atLeast: "exact_match",
    isLarge: true,
  },
  {
    name: "the rate strategy of Aave, nine immutables, by 0.8.13",
    folder: hardhat("0.8.10", optimized(200), {}, AAVE),
    contract:
      "contracts/protocol/pool/DefaultReserveInterestRateStrategy.sol:DefaultReserveInterestRateStrategy",
    made: { version: "0.8.13", settings: optimized(100_000) },
    args: [
      owner,
      number(8n * 10n ** 26n),
      ...[1, 2, 3, 4, 5, 6, 7].map((value) => number(value)),
      number(10n ** 26n),
    ].slice(0, 10),
    atLeast: "exact_match",
  },
  {
    name: "an admin proxy of Aave, tiny, without the optimizer",
    folder: hardhat("0.8.10", optimized(100_000), {}, AAVE),
    contract:
      "contracts/protocol/libraries/aave-upgradeability/InitializableImmutableAdminUpgradeabilityProxy.sol:InitializableImmutableAdminUpgradeabilityProxy",
    made: { version: "0.8.10", settings: NOT_OPTIMIZED },
    args: [owner],
    atLeast: "exact_match",
  },
  {
    name: "LINK by 0.8.19 with a million runs for Paris, from a folder of defaults",
    folder: foundry(
      ['solc = "0.8.24"'],
      {
        "src/Link.sol": own.LINK,
        "remappings.txt": [
          "@chainlink/contracts/=node_modules/@chainlink/contracts/",
          "@openzeppelin/contracts@4.8.3/=node_modules/@openzeppelin/contracts-4.8.3/",
          "@openzeppelin/contracts@5.0.2/=node_modules/@openzeppelin/contracts-5.0.2/",
        ].join("\n"),
      },
      CHAINLINK,
    ),
    contract: "src/Link.sol:OurLink",
    made: { version: "0.8.19", settings: optimized(1_000_000, { evmVersion: "paris" }) },
    atLeast: "exact_match",
  },
  {
    name: "a report forwarder of Chainlink's own settings",
    folder: foundry(
      ['solc = "0.8.24"'],
      {
        "src/Link.sol": own.LINK,
        "remappings.txt": [
          "@chainlink/contracts/=node_modules/@chainlink/contracts/",
          "@openzeppelin/contracts@4.8.3/=node_modules/@openzeppelin/contracts-4.8.3/",
          "@openzeppelin/contracts@5.0.2/=node_modules/@openzeppelin/contracts-5.0.2/",
        ].join("\n"),
      },
      CHAINLINK,
    ),
    contract: "node_modules/@chainlink/contracts/src/v0.8/keystone/KeystoneForwarder.sol:KeystoneForwarder",
    made: {
      version: "0.8.24",
      settings: optimized(1_000_000, { evmVersion: "paris", metadata: { bytecodeHash: "none" } }),
    },
    atLeast: "match",
  },
  {
    name: "a hash helper of Arbitrum with 2,000 runs",
    folder: hardhat("0.8.17", optimized(100), {}, { contracts: "oracles:@arbitrum/nitro-contracts/src" }),
    contract: "contracts/osp/HashProofHelper.sol:HashProofHelper",
    made: { version: "0.8.9", settings: optimized(2_000) },
    atLeast: "exact_match",
  },
  {
    name: "a gas oracle of Optimism, by the release of its time",
    folder: foundry(
      ['solc = "0.8.15"', "optimizer = true", "optimizer_runs = 999_999"],
      { "src/Oracle.sol": own.GAS_ORACLE, "remappings.txt": "@openzeppelin/contracts/=lib/oz/\n" },
      { "lib/oz": "oracles:@openzeppelin/contracts-4.7.3" },
    ),
    contract: "src/Oracle.sol:GasPriceOracle",
    made: { version: "0.8.9", settings: optimized(10_000) },
    args: [owner],
    atLeast: "exact_match",
  },
];

const TINY: readonly StrangeBuild[] = [
  {
    name: "a constant price adapter, one run, without hash",
    folder: plainFolder({ "Price.sol": own.PRICE }),
    contract: "Price.sol:Price",
    made: { version: "0.8.28", settings: optimized(1, { metadata: { bytecodeHash: "none" } }) },
    atLeast: "match",
  },
  {
    name: "an empty marker of another release",
    folder: hardhat("0.8.28", optimized(200), { "contracts/Marker.sol": own.MARKER }),
    contract: "contracts/Marker.sol:Marker",
    made: { version: "0.8.20", settings: optimized(777) },
    atLeast: "exact_match",
  },
  {
    name: "a library of internal functions only, five runs",
    folder: hardhat(
      "0.8.24",
      optimized(200),
      { "contracts/Sums.sol": own.reexport("utils/math/Math.sol", "0.8.24") },
      OZ5,
    ),
    contract: "node_modules/@openzeppelin/contracts/utils/math/Math.sol:Math",
    made: { version: "0.8.24", settings: optimized(5) },
    atLeast: "exact_match",
  },
  {
    name: "a payment forwarder in assembly by 0.8.17",
    folder: hardhat("0.8.30", optimized(200), { "contracts/Forward.sol": own.FORWARDER }),
    contract: "contracts/Forward.sol:Forward",
    made: { version: "0.8.17", settings: NOT_OPTIMIZED },
    args: [owner],
    atLeast: "exact_match",
  },
  {
    name: "an ERC-165 adapter with an abstract base, for Paris with 10,000 runs",
    folder: hardhat("0.8.24", NOT_OPTIMIZED, { "contracts/Adapter.sol": own.ADAPTER }, OZ5),
    contract: "contracts/Adapter.sol:Adapter",
    made: { version: "0.8.24", settings: optimized(10_000, { evmVersion: "paris" }) },
    args: [owner],
    atLeast: "exact_match",
  },
];

const METADATA_ONLY: readonly StrangeBuild[] = [
  {
    name: "the sources stand in the metadata",
    folder: hardhat("0.8.28", optimized(200), { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: { version: "0.8.28", settings: optimized(200, { metadata: { useLiteralContent: true } }) },
    args: [number(25)],
    atLeast: "exact_match",
  },
  {
    name: "a hash for Swarm, and 300 runs",
    folder: hardhat("0.8.24", optimized(200), { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: { version: "0.8.24", settings: optimized(300, { metadata: { bytecodeHash: "bzzr1" } }) },
    args: [number(25)],
    atLeast: "exact_match",
  },
  {
    name: "the whole default sequence of the yul optimizer written out",
    folder: hardhat("0.8.24", optimized(200), { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: {
      version: "0.8.24",
      settings: {
        optimizer: {
          enabled: true,
          runs: 200,
          details: {
            peephole: true,
            inliner: true,
            jumpdestRemover: true,
            orderLiterals: true,
            deduplicate: true,
            cse: true,
            constantOptimizer: true,
            yul: true,
          },
        },
      },
    },
    args: [number(25)],
    atLeast: "exact_match",
  },
  {
    name: "libraries were given that the contract does not use",
    folder: hardhat("0.8.28", optimized(200), { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: {
      version: "0.8.28",
      settings: optimized(200, { libraries: { "contracts/Market.sol": { Fees: LIBRARY } } }),
    },
    args: [number(25)],
    atLeast: "match",
  },
  {
    name: "the last line lost its end after the deployment",
    folder: hardhat("0.8.28", optimized(200), { "contracts/Market.sol": own.MARKET.trimEnd() }),
    contract: "contracts/Market.sol:Market",
    made: { version: "0.8.28", settings: optimized(1_000), edit: (content) => `${content}\n` },
    args: [number(25)],
    atLeast: "match",
  },
  {
    name: "a comment was corrected after the deployment, and the runs with it",
    folder: hardhat("0.8.28", optimized(200), { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: {
      version: "0.8.28",
      settings: optimized(800),
      edit: (content) => content.replace("A market", "A markt"),
    },
    args: [number(25)],
    atLeast: "match",
  },
];

const SEVERAL: readonly StrangeBuild[] = [
  {
    name: "a linked library, CRLF and no optimizer",
    folder: hardhat("0.8.28", optimized(200), { "contracts/Billing.sol": own.BILLING }),
    contract: "contracts/Billing.sol:Billing",
    made: {
      version: "0.8.28",
      settings: {
        ...NOT_OPTIMIZED,
        libraries: { "contracts/Billing.sol": { Rates: LIBRARY, Names: OTHER } },
      },
      edit: crlf,
    },
    args: [owner],
    atLeast: "exact_match",
  },
  {
    name: "two linked libraries, the IR pipeline, Shanghai and 50 runs",
    folder: hardhat("0.8.28", undefined, { "contracts/Billing.sol": own.BILLING }),
    contract: "contracts/Billing.sol:Billing",
    made: {
      version: "0.8.28",
      settings: optimized(50, {
        viaIR: true,
        evmVersion: "shanghai",
        libraries: { "contracts/Billing.sol": { Rates: LIBRARY, Names: OTHER } },
      }),
    },
    args: [owner],
    atLeast: "exact_match",
  },
  {
    name: "compiler, optimizer and hash at once",
    folder: hardhat("0.8.28", undefined, { "contracts/Savings.sol": own.VAULT }, OZ5),
    contract: "contracts/Savings.sol:Savings",
    made: { version: "0.8.22", settings: optimized(800, { metadata: { bytecodeHash: "none" } }) },
    args: [other, owner],
    atLeast: "match",
  },
  {
    name: "a factory with a child that is larger than itself, IR, 3,000 runs, earlier release",
    folder: hardhat("0.8.28", optimized(200), { "contracts/Houses.sol": own.FACTORY }, OZ5),
    contract: "contracts/Houses.sol:Houses",
    made: { version: "0.8.25", settings: optimized(3_000, { viaIR: true }) },
    args: [owner],
    atLeast: "exact_match",
  },
  {
    name: "no metadata, 0.8.18, not optimized: nothing names the compiler",
    folder: hardhat("0.8.20", optimized(200), { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: {
      version: "0.8.18",
      settings: { ...NOT_OPTIMIZED, metadata: { appendCBOR: false, bytecodeHash: "none" } },
    },
    args: [number(25)],
    atLeast: "match",
  },
  {
    name: "yul off, stripped strings, London",
    folder: hardhat("0.8.19", optimized(200), { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: {
      version: "0.8.19",
      settings: {
        optimizer: { enabled: true, runs: 200, details: { yul: false } },
        evmVersion: "london",
        debug: { revertStrings: "strip" },
      },
    },
    args: [number(25)],
    atLeast: "exact_match",
  },
  {
    name: "a token of erc721a with 10,000 runs by 0.8.4, CRLF in the own file",
    folder: hardhat(
      "0.8.17",
      optimized(200),
      { "contracts/Stamps.sol": own.ERC721A },
      { "node_modules/erc721a": "contracts:erc721a" },
    ),
    contract: "contracts/Stamps.sol:Stamps",
    made: { version: "0.8.4", settings: optimized(10_000), edit: crlfOf(/^contracts\//) },
    atLeast: "exact_match",
  },
  {
    name: "the newest release, Osaka, and the IR pipeline",
    folder: hardhat("0.8.28", optimized(200), { "contracts/Billing.sol": own.MARKET }),
    contract: "contracts/Billing.sol:Market",
    made: { version: "0.8.35", settings: optimized(200, { viaIR: true, evmVersion: "osaka" }) },
    args: [number(25)],
    atLeast: "exact_match",
  },
];

/** What is no matter of settings, and what can't be had here. */
const NEVER: readonly StrangeBuild[] = [
  {
    name: "the fee was changed after the deployment, and the runs",
    folder: hardhat("0.8.28", optimized(200), { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: {
      version: "0.8.28",
      settings: optimized(1_000),
      edit: (content) => content.replace("10_000", "1_000"),
    },
    args: [number(25)],
    atLeast: "none",
  },
  {
    name: "a check was added after the deployment",
    folder: foundry(['solc = "0.8.26"'], { "src/Market.sol": own.MARKET }),
    contract: "src/Market.sol:Market",
    made: {
      version: "0.8.26",
      settings: optimized(200),
      edit: (content) => content.replace(/ {8}require\(price > 0[^\n]*\n/, ""),
    },
    args: [number(25)],
    atLeast: "none",
  },
  {
    name: "OpenZeppelin was raised since, in which a line differs",
    folder: hardhat("0.8.24", optimized(200), { "contracts/Plain.sol": own.PLAIN_TOKEN }, OZ5),
    contract: "contracts/Plain.sol:Plain",
    made: {
      version: "0.8.24",
      settings: optimized(200),
      edit: (content) =>
        content.replaceAll(
          "emit Transfer(from, to, value);",
          "emit Transfer(from, to, value + 0 * totalSupply());",
        ),
    },
    atLeast: "none",
  },
  {
    name: "the address is of a clone that forwards to it",
    folder: hardhat(
      "0.8.24",
      optimized(200),
      { "contracts/Proxies.sol": own.PROXIES, "contracts/Coin.sol": own.PERMIT_TOKEN },
      OZ5,
    ),
    contract: "contracts/Coin.sol:Coin",
    made: { version: "0.8.24", settings: optimized(200) },
    args: [owner],
    at: erc1167,
    atLeast: "none",
  },
  {
    name: "the address is of another contract of the same file",
    folder: hardhat("0.8.28", optimized(200), { "contracts/Tower.sol": own.TWO_LIKE }),
    contract: "contracts/Tower.sol:Left",
    made: { version: "0.8.28", settings: optimized(900), contract: "contracts/Tower.sol:Right" },
    atLeast: "none",
  },
  {
    name: "the compiler of the deployment can't be had",
    folder: hardhat("0.8.28", optimized(200), { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: { version: "0.8.25", settings: optimized(200) },
    args: [number(25)],
    missing: ["0.8.25"],
    atLeast: "none",
  },
  {
    name: "a name in the token's constructor was changed",
    folder: hardhat("0.8.24", optimized(200), { "contracts/Plain.sol": own.PLAIN_TOKEN }, OZ5),
    contract: "contracts/Plain.sol:Plain",
    made: {
      version: "0.8.24",
      settings: optimized(10_000, { viaIR: true }),
      edit: (content) => content.replace("1_000_000 ether", "2_000_000 ether"),
    },
    atLeast: "none",
  },
];

/** Two and three things at once of which each alone is found, and what people copy from one configuration to the next. */
const COPIED: readonly StrangeBuild[] = [
  {
    name: "a factory whose child's file has CRLF, with 10,000 runs",
    folder: foundry(['solc = "0.8.26"', "optimizer = true"], own.FACTORY_IN_FILES),
    contract: "src/Garage.sol:Garage",
    made: { version: "0.8.26", settings: optimized(10_000), edit: crlfOf(/Car\.sol$/) },
    atLeast: "exact_match",
  },
  {
    name: "a factory with CRLF everywhere, London and no hash",
    folder: foundry(['solc = "0.8.19"', "optimizer = true"], own.FACTORY_IN_FILES),
    contract: "src/Garage.sol:Garage",
    made: {
      version: "0.8.19",
      settings: optimized(200, { evmVersion: "london", metadata: { bytecodeHash: "none" } }),
      edit: crlf,
    },
    atLeast: "match",
  },
  {
    name: "a child that a factory made, by another release and 5,000 runs",
    folder: foundry(['solc = "0.8.26"', "optimizer = true"], own.FACTORY_IN_FILES),
    contract: "src/Car.sol:Car",
    made: { version: "0.8.21", settings: optimized(5_000), contract: "src/Garage.sol:Garage" },
    at: async (chain, factory) => {
      await called(chain, factory, "0xefc81a8c");
      const car = await chain.rpc<string>("eth_call", { to: factory, data: "0xe352b1f2" }, "latest");
      return `0x${car.slice(-40)}`;
    },
    atLeast: "exact_match",
  },
  {
    name: "hardhat-deploy's advice: sources in the metadata, and 10,000 runs by an earlier release",
    folder: hardhat("0.8.24", undefined, { "contracts/Coin.sol": own.PERMIT_TOKEN }, OZ5),
    contract: "contracts/Coin.sol:Coin",
    made: { version: "0.8.20", settings: optimized(10_000, { metadata: { useLiteralContent: true } }) },
    args: [owner],
    atLeast: "exact_match",
  },
  {
    name: "steps u with a million runs, where the folder knows nothing of the IR pipeline",
    folder: hardhat("0.8.20", undefined, { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: {
      version: "0.8.20",
      settings: {
        viaIR: true,
        optimizer: { enabled: true, runs: 1_000_000, details: { yulDetails: { optimizerSteps: "u" } } },
      },
    },
    args: [number(25)],
    atLeast: "exact_match",
  },
  {
    name: "the example's optimizer steps, IR pipeline and no hash",
    folder: hardhat("0.8.17", optimized(200), { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: {
      version: "0.8.17",
      settings: {
        viaIR: true,
        metadata: { bytecodeHash: "none" },
        optimizer: {
          enabled: true,
          runs: 1_000,
          details: { yul: true, yulDetails: { stackAllocation: true, optimizerSteps: "dhfoDgvulfnTUtnIf" } },
        },
      },
    },
    args: [number(25)],
    atLeast: "match",
  },
  {
    name: "the example's optimizer steps in the legacy pipeline, 2,000 runs",
    folder: hardhat("0.8.13", optimized(200), { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: {
      version: "0.8.13",
      settings: {
        optimizer: {
          enabled: true,
          runs: 2_000,
          details: { yul: true, yulDetails: { stackAllocation: true, optimizerSteps: "dhfoDgvulfnTUtnIf" } },
        },
      },
    },
    args: [number(25)],
    atLeast: "exact_match",
  },
  {
    name: "coverage's configuration was deployed: no steps at all, one run",
    folder: hardhat("0.8.22", { ...optimized(200), viaIR: true }, { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: {
      version: "0.8.22",
      settings: {
        viaIR: true,
        optimizer: { enabled: true, runs: 1, details: { yul: true, yulDetails: { optimizerSteps: "" } } },
      },
    },
    args: [number(25)],
    atLeast: "exact_match",
  },
  {
    name: "the yul optimizer switched on in 0.5.17, as the documentation shows it",
    folder: truffle("0.5.17", optimized(200), { "contracts/Capped.sol": own.CAPPED_2_3 }, OZ23),
    contract: "contracts/Capped.sol:Capped",
    made: {
      version: "0.5.17",
      settings: {
        evmVersion: "istanbul",
        optimizer: {
          enabled: true,
          runs: 1_500,
          details: {
            peephole: true,
            jumpdestRemover: true,
            orderLiterals: true,
            deduplicate: true,
            cse: true,
            constantOptimizer: true,
            yul: true,
            yulDetails: { stackAllocation: true },
          },
        },
      },
    },
    atLeast: "exact_match",
  },
  {
    name: "four parts of the optimizer switched off by hand",
    folder: hardhat("0.8.19", optimized(200), { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: {
      version: "0.8.19",
      settings: {
        optimizer: {
          enabled: true,
          runs: 200,
          details: {
            yul: true,
            cse: false,
            deduplicate: false,
            constantOptimizer: false,
            orderLiterals: true,
            inliner: false,
          },
        },
      },
    },
    args: [number(25)],
    atLeast: "open",
  },
  {
    name: "the most runs that there are, and the yul optimizer off",
    folder: hardhat("0.7.6", undefined, { "contracts/Ticks.sol": own.TICKS }, V3_PERIPHERY),
    contract: "contracts/Ticks.sol:Ticks",
    made: {
      version: "0.7.6",
      settings: { optimizer: { enabled: true, runs: 4_294_967_295, details: { yul: false } } },
    },
    args: [owner],
    atLeast: "exact_match",
  },
  {
    name: "an odd number of runs without any metadata",
    folder: hardhat("0.8.24", optimized(200), { "contracts/Savings.sol": own.VAULT }, OZ5),
    contract: "contracts/Savings.sol:Savings",
    made: {
      version: "0.8.24",
      settings: optimized(3_456, { metadata: { bytecodeHash: "none", appendCBOR: false } }),
    },
    args: [other, owner],
    atLeast: "match",
  },
  {
    name: "an odd number of runs through the IR pipeline, of which no hash tells",
    folder: hardhat("0.8.24", optimized(200), { "contracts/Savings.sol": own.VAULT }, OZ5),
    contract: "contracts/Savings.sol:Savings",
    made: {
      version: "0.8.24",
      settings: optimized(733, { viaIR: true, metadata: { bytecodeHash: "none" } }),
    },
    args: [other, owner],
    atLeast: "match",
  },
  {
    name: "stripped reasons through the IR pipeline, Shanghai, by 0.8.27",
    folder: hardhat("0.8.28", optimized(200), { "contracts/Billing.sol": own.BILLING }),
    contract: "contracts/Billing.sol:Billing",
    made: {
      version: "0.8.27",
      settings: optimized(200, {
        viaIR: true,
        evmVersion: "shanghai",
        debug: { revertStrings: "strip" },
        libraries: { "contracts/Billing.sol": { Rates: LIBRARY, Names: OTHER } },
      }),
    },
    args: [owner],
    atLeast: "exact_match",
  },
  {
    name: "a library linked by an old release, not optimized, in a folder of a newer one",
    folder: plainFolder({ "contracts/Ledger.sol": own.OLD_LINKED }),
    contract: "contracts/Ledger.sol:Ledger",
    made: {
      version: "0.4.24",
      settings: { ...NOT_OPTIMIZED, libraries: { "contracts/Ledger.sol": { Sums: LIBRARY } } },
    },
    atLeast: "exact_match",
  },
  {
    name: "the new encoder of 0.5.12 with the optimizer and CRLF",
    folder: truffle("0.5.17", undefined, { "contracts/Orders.sol": own.ENCODER_0_5 }),
    contract: "contracts/Orders.sol:Orders",
    made: { version: "0.5.12", settings: optimized(1_000), edit: crlf },
    atLeast: "exact_match",
  },
  {
    name: "files of two folders with CRLF and those of a package without, IR pipeline, 500 runs",
    folder: hardhat(
      "0.8.24",
      optimized(200),
      { "contracts/token/Coin.sol": own.PERMIT_TOKEN, "contracts/Shop.sol": own.SHOP },
      OZ5,
    ),
    contract: "contracts/Shop.sol:Shop",
    made: { version: "0.8.24", settings: optimized(500, { viaIR: true }), edit: crlfOf(/^contracts\//) },
    args: [owner],
    atLeast: "exact_match",
  },
  {
    name: "everything from Windows but the submodules, Paris, by an earlier release",
    folder: foundry(
      ['solc = "0.8.26"', "optimizer = true"],
      { "src/Wrapped.sol": own.SOLMATE_WETH, "remappings.txt": "solmate/=lib/solmate/src/\n" },
      SOLMATE,
    ),
    contract: "src/Wrapped.sol:Wrapped",
    made: { version: "0.8.20", settings: optimized(200, { evmVersion: "paris" }), edit: crlfOf(/^src\//) },
    atLeast: "exact_match",
  },
  {
    name: "a value was written in another way since",
    folder: hardhat("0.8.28", optimized(200), { "contracts/Price.sol": own.PRICE }),
    contract: "contracts/Price.sol:Price",
    made: {
      version: "0.8.28",
      settings: optimized(1_000),
      edit: (content) => content.replace("1e18", "10 ** 18"),
    },
    atLeast: "match",
  },
  {
    name: "a title may be one letter longer than it was",
    folder: hardhat("0.8.28", optimized(200), { "contracts/Market.sol": own.MARKET }),
    contract: "contracts/Market.sol:Market",
    made: {
      version: "0.8.28",
      settings: optimized(200, { viaIR: true }),
      edit: (content) => content.replace("<= 64", "<= 65"),
    },
    args: [number(25)],
    atLeast: "none",
  },
];

export const STRANGE_BUILDS: readonly StrangeBuild[] = [
  ...TOOL_DEFAULTS,
  ...FOUNDRY,
  ...UNISWAP,
  ...WALLETS,
  ...OLD,
  ...PROTOCOLS,
  ...TINY,
  ...METADATA_ONLY,
  ...SEVERAL,
  ...COPIED,
  ...NEVER,
];
