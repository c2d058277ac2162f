// Writes src/core/ledger/names/standardTable.ts from the packages that hold the standards: node standardTable.mjs
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Interface } from "ethers";
import multicall3 from "ethers-multicall-provider/lib/types/factories/Multicall3__factory.js";
import { abbreviated } from "./abbreviations.mjs";

const require = createRequire(import.meta.url);
const OPEN_ZEPPELIN = "@openzeppelin/contracts/build/contracts";
const OPEN_ZEPPELIN_5_0 = "openzeppelin-contracts-5.0/build/contracts";
const V3_CORE = "@uniswap/v3-core/artifacts/contracts";
const V3_PERIPHERY = "@uniswap/v3-periphery/artifacts/contracts";
const SWAP_ROUTERS = "@uniswap/swap-router-contracts/artifacts/contracts";

/** A standard's name, and the files of its interfaces. What two standards have in common counts as the first's. */
const STANDARDS = [
  ["ERC-165", [openZeppelin("IERC165")]],
  ["ERC-20", ["IERC20", "IERC20Metadata"].map(openZeppelin)],
  ["ERC-721", ["IERC721", "IERC721Metadata", "IERC721Enumerable", "IERC721Receiver"].map(openZeppelin)],
  ["ERC-1155", ["IERC1155", "IERC1155MetadataURI", "IERC1155Receiver"].map(openZeppelin)],
  ["ERC-2612", [openZeppelin("IERC20Permit")]],
  ["ERC-4626", [openZeppelin("IERC4626")]],
  ["ERC-1967", ["IERC1967", "IBeacon", "ITransparentUpgradeableProxy"].map(openZeppelin)],
  ["ERC-1822", [openZeppelin("IERC1822Proxiable")]],
  ["ERC-2981", [openZeppelin("IERC2981")]],
  ["ERC-1271", [openZeppelin("IERC1271")]],
  ["ERC-5267", [openZeppelin("IERC5267")]],
  ["WETH", ["@uniswap/v2-periphery/build/WETH9.json"]],
  [
    "Uniswap v2",
    [
      "@uniswap/v2-core/build/IUniswapV2Pair.json",
      "@uniswap/v2-core/build/IUniswapV2Factory.json",
      "@uniswap/v2-core/build/IUniswapV2Callee.json",
      "@uniswap/v2-periphery/build/IUniswapV2Router02.json",
    ],
  ],
  [
    "Uniswap v3",
    [
      ...[
        "IUniswapV3Factory",
        "IUniswapV3Pool",
        "callback/IUniswapV3FlashCallback",
        "callback/IUniswapV3MintCallback",
        "callback/IUniswapV3SwapCallback",
      ].map((name) => `${V3_CORE}/interfaces/${name}.sol/${name.replace(/.*\//, "")}.json`),
      ...["INonfungiblePositionManager", "ISelfPermit", "IMulticall", "IPeripheryPaymentsWithFee"].map(
        (name) => `${V3_PERIPHERY}/interfaces/${name}.sol/${name}.json`,
      ),
      ...["IQuoterV2", "IQuoter", "ISwapRouter", "ITickLens"].map(
        (name) => `${V3_PERIPHERY}/interfaces/${name}.sol/${name}.json`,
      ),
      ...["IMulticallExtended", "IV3SwapRouter", "IV2SwapRouter", "IPeripheryPaymentsExtended"].map(
        (name) => `${SWAP_ROUTERS}/interfaces/${name}.sol/${name}.json`,
      ),
    ],
  ],
  ["Multicall3", multicall3.Multicall3__factory.abi],
  [
    "Uniswap Multicall",
    [`${V3_PERIPHERY}/lens/UniswapInterfaceMulticall.sol/UniswapInterfaceMulticall.json`],
  ],
  [
    "OpenZeppelin",
    [
      "ERC20",
      "ERC721",
      "ERC1155",
      "Ownable2Step",
      "AccessControlEnumerable",
      "AccessControlDefaultAdminRules",
      "AccessManaged",
      "IAccessManager",
      "Pausable",
      "ReentrancyGuard",
      "ERC20Capped",
      "ERC20Permit",
      "ERC20FlashMint",
      "ERC20Votes",
      "ERC20Wrapper",
      "ERC721Enumerable",
      "ERC721Consecutive",
      "ERC721URIStorage",
      "ERC721Wrapper",
      "ERC4626",
      "ERC2981",
      "ERC1967Proxy",
      "ERC1967Utils",
      "UUPSUpgradeable",
      "Initializable",
      "ProxyAdmin",
      "TransparentUpgradeableProxy",
      "UpgradeableBeacon",
      "Address",
      "Errors",
      "SafeERC20",
      "SafeCast",
      "Strings",
      "ECDSA",
      "Checkpoints",
      "Nonces",
      "Clones",
      "Create2",
      "Multicall",
      "TimelockController",
      "VestingWallet",
      "IGovernor",
      "MerkleProof",
      "EnumerableMap",
    ].map(openZeppelin),
  ],
  // Errors that later releases have no more, and contracts of then have.
  [
    "OpenZeppelin 5.0",
    ["Address", "Clones", "Create2", "DoubleEndedQueue", "Math", "IAccessManager", "IGovernor"].map(
      (name) => `${OPEN_ZEPPELIN_5_0}/${name}.json`,
    ),
  ],
];

/** What the lines say often. */
const PHRASES = [" returns (", "address indexed", "address", "uint256 indexed", "uint256", "bytes32"];

function openZeppelin(name) {
  return `${OPEN_ZEPPELIN}/${name}.json`;
}

/** The definitions of an ABI in words, without what decoding has no use for, by what decoding tells apart. */
function definitionsOf(abi) {
  return new Interface(abi).fragments
    .filter(({ type }) => ["function", "error", "event"].includes(type))
    .map((fragment) => {
      const text = fragment
        .format("full")
        .replace(/ (?:view|pure|payable)(?= returns|$)/, "")
        .replaceAll("tuple(", "(")
        .replace(/^function /, "");
      const results = fragment.outputs?.map((output) => output.format("sighash")) ?? [];
      const indexed = fragment.inputs.map((input) => (input.indexed ? 1 : 0));
      return [[fragment.type, fragment.format("sighash"), ...results, ...indexed].join(" "), text];
    });
}

/** The table as text: a line `# ERC-20` for each standard, and one for each definition that none before it has. */
function standardTable() {
  const seen = new Set();
  const lines = STANDARDS.flatMap(([name, source]) => {
    const abis =
      typeof source[0] === "string"
        ? source.map((file) => JSON.parse(readFileSync(require.resolve(file), "utf8")).abi)
        : [source];
    const own = abis
      .flatMap(definitionsOf)
      .filter(([key]) => !seen.has(key) && seen.add(key))
      .map(([, text]) => text);
    return own.length === 0 ? [] : [`# ${name}`, ...own];
  });
  return abbreviated(lines.join("\n"), PHRASES);
}

/** The table as the module that the extension loads. */
export function standardModule() {
  return `/**
 * Functions, errors and events of standards, as human-readable ABI behind a line with the standard's name; a line without a
 * kind is a function, and one like \`$a=address\` says what \`$a\` stands for behind it. Written by standardTable.mjs from the
 * packages that hold them: change nothing here.
 */
export const STANDARD_TABLE = \`
${standardTable()}\`;
`;
}

if (process.argv[1] === import.meta.filename)
  await writeFile("src/core/ledger/names/standardTable.ts", standardModule());
