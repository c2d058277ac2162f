/** A file of a workspace that the extension reads, in a project that has it. */
export interface HostileFormat {
  readonly name: string;
  /** The file, relative to the project. */
  readonly path: string;
  readonly notation: "json" | "toml" | "yaml" | "script" | "text" | "database" | "source";
  /** What a tool or a person would have written there: data, or the text itself. */
  readonly valid: unknown;
  /** The other files of the project. */
  readonly files: Readonly<Record<string, string>>;
  /** The contract whose input is asked for. */
  readonly contract: string;
  /** Keys whose values are replaced, each by the names that lead to it. */
  readonly keys?: readonly (readonly string[])[];
  /** The input of the contract may depend on it even where there are other sources of truth. */
  readonly isConfiguration?: boolean;
  /** Whether what can't be read is named: by a warning of the input, or by those of the deployments. */
  readonly isNamed?: boolean;
}

export const INNOCENT = "// SPDX-License-Identifier: MIT\npragma solidity >=0.7.0;\ncontract Innocent {}\n";
export const INNOCENT_VYPER = "# pragma version 0.4.3\n@external\ndef a() -> uint256:\n    return 1\n";
const SOL = "contracts/Innocent.sol";
const VY = "contracts/Innocent.vy";
const ADDRESS = `0x${"12".repeat(20)}`;
const HASH = `0x${"34".repeat(32)}`;

/** A program that must never run. `CANARY` is replaced. */
const RUNS = 'require("fs").writeFileSync("CANARY", "ran");\n';

const settings = { optimizer: { enabled: true, runs: 7 }, remappings: ["a/=lib/a/"], evmVersion: "paris" };
const input = { language: "Solidity", sources: { [SOL]: { content: INNOCENT } }, settings };
const metadata = {
  compiler: { version: "0.8.28+commit.7893614a" },
  language: "Solidity",
  output: { abi: [], devdoc: {}, userdoc: {} },
  settings: {
    ...settings,
    compilationTarget: { [SOL]: "Innocent" },
    libraries: { "contracts/L.sol:L": ADDRESS },
  },
  sources: { [SOL]: { keccak256: HASH, urls: [] } },
  version: 1,
};
const artifact = {
  contractName: "Innocent",
  sourceName: SOL,
  abi: [
    {
      type: "function",
      name: "f",
      inputs: [{ type: "tuple", components: [{ type: "uint256" }] }],
      outputs: [],
    },
  ],
  bytecode: { object: "0x6001" },
  deployedBytecode: { object: "0x6001" },
  metadata,
};
const record = {
  _format: "hh-sol-build-info-1",
  solcVersion: "0.8.28",
  solcLongVersion: "0.8.28+commit.7893614a",
  input,
};
const RECORD_KEYS = [
  ["input"],
  ["input", "language"],
  ["input", "sources"],
  ["input", "sources", SOL],
  ["input", "sources", SOL, "content"],
  ["input", "settings"],
  ["input", "settings", "remappings"],
  ["input", "settings", "optimizer"],
  ["input", "settings", "optimizer", "runs"],
  ["input", "settings", "libraries"],
  ["input", "settings", "viaIR"],
  ["solcVersion"],
  ["solcLongVersion"],
  ["_format"],
  ["output"],
  ["userSourceNameMap"],
];
const METADATA_KEYS = [
  ["metadata"],
  ["metadata", "compiler"],
  ["metadata", "compiler", "version"],
  ["metadata", "settings"],
  ["metadata", "settings", "compilationTarget"],
  ["metadata", "settings", "remappings"],
  ["metadata", "settings", "optimizer"],
  ["metadata", "settings", "libraries"],
  ["metadata", "sources"],
  ["metadata", "sources", SOL],
  ["metadata", "sources", SOL, "keccak256"],
  ["abi"],
];

const FOUNDRY = { "foundry.toml": '[profile.default]\nsrc = "contracts"\n', [SOL]: INNOCENT };
const HARDHAT = {
  "hardhat.config.js": `${RUNS}module.exports = { solidity: "0.8.28" };`,
  "package.json": "{}",
  [SOL]: INNOCENT,
};
const HARDHAT_3 = { ...HARDHAT, "package.json": '{ "devDependencies": { "hardhat": "^3.0.0" } }' };
const APE = { "ape-config.yaml": "name: vault\n", [VY]: INNOCENT_VYPER };
const PLAIN = { [SOL]: INNOCENT };
const COMPILERS = {
  version: "0.8.28",
  settings: { optimizer: { enabled: true, runs: 7 }, remappings: [], evmVersion: "paris" },
};
const SCRIPT_KEYS = [
  ["solidity"],
  ["solidity", "compilers"],
  ["solidity", "overrides"],
  ["solidity", "compilers", "0", "version"],
  ["solidity", "compilers", "0", "settings"],
  ["solidity", "compilers", "0", "settings", "optimizer"],
  ["solidity", "compilers", "0", "settings", "remappings"],
  ["solidity", "compilers", "0", "settings", "evmVersion"],
  ["paths"],
  ["paths", "sources"],
  ["paths", "artifacts"],
];
const hardhatConfig = {
  solidity: { compilers: [COMPILERS], overrides: {} },
  paths: { sources: "contracts" },
};

export const HOSTILE_FORMATS: readonly HostileFormat[] = [
  {
    name: "foundry.toml",
    path: "foundry.toml",
    notation: "toml",
    valid: { profile: { default: { src: "contracts", solc: "0.8.28", optimizer: true, optimizer_runs: 7 } } },
    files: FOUNDRY,
    contract: `${SOL}:Innocent`,
    isConfiguration: true,
    isNamed: true,
    keys: [
      ["profile"],
      ["profile", "default"],
      ...[
        "src",
        "out",
        "libs",
        "remappings",
        "solc",
        "evm_version",
        "optimizer",
        "optimizer_runs",
        "optimizer_details",
        "via_ir",
        "libraries",
        "extends",
        "build_info_path",
        "cache_path",
        "broadcast",
        "include_paths",
        "additional_compiler_profiles",
        "compilation_restrictions",
        "bytecode_hash",
        "revert_strings",
        "vyper",
      ].map((name) => ["profile", "default", name]),
    ],
  },
  {
    name: "remappings.txt of Foundry",
    path: "remappings.txt",
    notation: "text",
    valid: "a/=lib/a/\n../=../../\n/=/\n:=\n=\na=a/a\n",
    files: FOUNDRY,
    contract: `${SOL}:Innocent`,
    isConfiguration: true,
    isNamed: true,
  },
  {
    name: "remappings.txt of a folder without a tool",
    path: "remappings.txt",
    notation: "text",
    valid: "a/=lib/a/\n../=../../\n/=/\n",
    files: PLAIN,
    contract: `${SOL}:Innocent`,
    isConfiguration: true,
    isNamed: true,
  },
  {
    name: "remappings.txt of Hardhat 3",
    path: "remappings.txt",
    notation: "text",
    valid: "a/=lib/a/\n../=../../\n/=/\n",
    // A contract that imports nothing needs none.
    files: {
      ...HARDHAT_3,
      "contracts/Other.sol": 'pragma solidity >=0.7.0; import "a/A.sol"; contract Other {}',
    },
    contract: `${SOL}:Innocent`,
    isConfiguration: true,
  },
  ...["hardhat.config.js", "hardhat.config.ts"].map((path): HostileFormat => {
    const files = path.endsWith(".ts") ? HARDHAT_3 : HARDHAT;
    const others = Object.fromEntries(Object.entries(files).filter(([one]) => one !== "hardhat.config.js"));
    return {
      name: path,
      path,
      notation: "script",
      valid: hardhatConfig,
      files: others,
      contract: `${SOL}:Innocent`,
      isConfiguration: true,
      isNamed: true,
      keys: SCRIPT_KEYS,
    };
  }),
  {
    name: "truffle-config.js",
    path: "truffle-config.js",
    notation: "script",
    valid: { compilers: { solc: COMPILERS }, contracts_directory: "contracts" },
    files: PLAIN,
    contract: `${SOL}:Innocent`,
    isConfiguration: true,
    isNamed: true,
    keys: [
      ["compilers"],
      ["compilers", "solc"],
      ["compilers", "solc", "version"],
      ["compilers", "solc", "settings"],
      ["compilers", "solc", "settings", "optimizer"],
      ["compilers", "solc", "settings", "remappings"],
    ],
  },
  {
    name: "remix.config.json",
    path: "remix.config.json",
    notation: "json",
    valid: { "solidity-compiler": COMPILERS },
    files: PLAIN,
    contract: `${SOL}:Innocent`,
    isConfiguration: true,
    isNamed: true,
    keys: [
      ["solidity-compiler"],
      ["solidity-compiler", "version"],
      ["solidity-compiler", "settings"],
      ["solidity-compiler", "settings", "optimizer"],
      ["solidity-compiler", "settings", "remappings"],
      ["solidity-compiler", "settings", "evmVersion"],
    ],
  },
  {
    name: "ape-config.yaml",
    path: "ape-config.yaml",
    notation: "yaml",
    valid: { name: "vault", vyper: { version: "0.4.3", evm_version: "paris" } },
    files: APE,
    contract: `${VY}:Innocent`,
    isConfiguration: true,
    isNamed: true,
    keys: [["vyper"], ["vyper", "version"], ["vyper", "evm_version"], ["name"]],
  },
  {
    name: "pyproject.toml of Ape",
    path: "pyproject.toml",
    notation: "toml",
    valid: { tool: { ape: { vyper: { version: "0.4.3" } } } },
    files: APE,
    contract: `${VY}:Innocent`,
    isConfiguration: true,
    isNamed: true,
    keys: [["tool"], ["tool", "ape"], ["tool", "ape", "vyper"], ["tool", "ape", "vyper", "version"]],
  },
  {
    name: "moccasin.toml",
    path: "moccasin.toml",
    notation: "toml",
    valid: { project: { src: "contracts" }, networks: { main: { chain_id: 1 } } },
    files: { [VY]: INNOCENT_VYPER },
    contract: `${VY}:Innocent`,
    isConfiguration: true,
    isNamed: true,
    keys: [["project"], ["project", "src"], ["project", "db_path"], ["networks"], ["networks", "main"]],
  },
  {
    name: "fe.toml",
    path: "fe.toml",
    notation: "toml",
    valid: { ingot: { name: "vault", version: "1.0.0" }, dependencies: {} },
    files: { "src/lib.fe": "pub contract Innocent {}\n" },
    contract: "src/lib.fe:Innocent",
    isConfiguration: true,
    isNamed: true,
    keys: [["ingot"], ["ingot", "arithmetic"], ["dependencies"]],
  },
  {
    name: "package.json",
    path: "package.json",
    notation: "json",
    valid: { devDependencies: { hardhat: "^3.0.0" }, workspaces: ["packages/*"] },
    files: HARDHAT,
    contract: `${SOL}:Innocent`,
    isConfiguration: true,
    isNamed: true,
    keys: [["devDependencies"], ["devDependencies", "hardhat"], ["dependencies"], ["workspaces"]],
  },
  {
    name: "package.json of an installed package",
    path: "node_modules/hardhat/package.json",
    notation: "json",
    valid: { name: "hardhat", version: "3.0.0", exports: {} },
    files: HARDHAT_3,
    contract: `${SOL}:Innocent`,
    isConfiguration: true,
    isNamed: true,
    keys: [["name"], ["version"], ["exports"]],
  },
  ...(
    [
      ["build record of Hardhat", "artifacts/build-info/1.json", record, HARDHAT],
      [
        "build record of Hardhat 3",
        "artifacts/build-info/1.json",
        { ...record, _format: "hh3-sol-build-info-1" },
        HARDHAT_3,
      ],
      [
        "build record of Foundry",
        "out/build-info/1.json",
        { ...record, _format: "", source_id_to_path: {} },
        FOUNDRY,
      ],
      ["build record of Remix", "contracts/artifacts/build-info/1.json", record, PLAIN],
    ] as const
  ).map(([name, path, valid, files]): HostileFormat => ({
    name,
    path,
    notation: "json",
    valid,
    files,
    contract: `${SOL}:Innocent`,
    isNamed: true,
    keys: RECORD_KEYS,
  })),
  {
    name: "dbg.json",
    path: "artifacts/contracts/Innocent.sol/Innocent.dbg.json",
    notation: "json",
    valid: { buildInfo: "../../build-info/1.json" },
    files: HARDHAT,
    contract: `${SOL}:Innocent`,
    isNamed: true,
    keys: [["buildInfo"]],
  },
  {
    name: "artifact of Hardhat 3",
    path: "artifacts/contracts/Innocent.sol/Innocent.json",
    notation: "json",
    valid: { ...artifact, buildInfoId: "1" },
    files: HARDHAT_3,
    contract: `${SOL}:Innocent`,
    isNamed: true,
    keys: [...METADATA_KEYS, ["buildInfoId"], ["contractName"], ["sourceName"]],
  },
  {
    name: "artifact of Foundry",
    path: "out/Innocent.sol/Innocent.json",
    notation: "json",
    valid: artifact,
    files: FOUNDRY,
    contract: `${SOL}:Innocent`,
    isNamed: true,
    keys: METADATA_KEYS,
  },
  {
    name: "artifact of Truffle",
    path: "build/contracts/Innocent.json",
    notation: "json",
    valid: { ...artifact, metadata: JSON.stringify(metadata) },
    files: PLAIN,
    contract: `${SOL}:Innocent`,
    isNamed: true,
    keys: [["metadata"], ["abi"], ["contractName"]],
  },
  {
    name: "metadata of Remix",
    path: "contracts/artifacts/Innocent_metadata.json",
    notation: "json",
    valid: metadata,
    files: PLAIN,
    contract: `${SOL}:Innocent`,
    isNamed: true,
    keys: METADATA_KEYS.filter(([first, ...rest]) => first === "metadata" && rest.length > 0).map((key) =>
      key.slice(1),
    ),
  },
  {
    name: "cache of Foundry",
    path: "cache/solidity-files-cache.json",
    notation: "json",
    valid: { files: { [SOL]: { artifacts: { Innocent: { "0.8.28": { default: { build_id: "1" } } } } } } },
    files: FOUNDRY,
    contract: `${SOL}:Innocent`,
    isNamed: true,
    keys: [["files"], ["files", SOL], ["files", SOL, "artifacts"], ["files", SOL, "artifacts", "Innocent"]],
  },
  {
    name: "broadcast of Foundry",
    path: "broadcast/Deploy.s.sol/1/run-latest.json",
    notation: "json",
    valid: {
      chain: 1,
      timestamp: 1,
      transactions: [
        { hash: HASH, transactionType: "CREATE", contractName: "Innocent", contractAddress: ADDRESS },
      ],
      receipts: [{ transactionHash: HASH, status: "0x1" }],
    },
    files: FOUNDRY,
    contract: `${SOL}:Innocent`,
    isNamed: true,
    keys: [
      ["chain"],
      ["timestamp"],
      ["transactions"],
      ["transactions", "0"],
      ["transactions", "0", "contractName"],
      ["transactions", "0", "arguments"],
      ["transactions", "0", "transaction"],
      ["receipts"],
      ["deployments"],
    ],
  },
  {
    name: "journal of Ignition",
    path: "ignition/deployments/chain-1/journal.jsonl",
    notation: "text",
    valid: `${JSON.stringify({ type: "DEPLOYMENT_INITIALIZE", chainId: 1 })}\n${JSON.stringify({ type: "DEPLOYMENT_EXECUTION_STATE_INITIALIZE", futureId: "M#Innocent", contractName: "Innocent", constructorArgs: [{ _kind: "bigint", value: "1" }] })}\n`,
    files: HARDHAT,
    contract: `${SOL}:Innocent`,
    isNamed: true,
  },
  {
    name: "addresses of Ignition",
    path: "ignition/deployments/chain-1/deployed_addresses.json",
    notation: "json",
    valid: { "M#Innocent": ADDRESS },
    files: HARDHAT,
    contract: `${SOL}:Innocent`,
    isNamed: true,
    keys: [["M#Innocent"], ["__proto__"], ["../../../x"]],
  },
  {
    name: "artifact of Ignition",
    path: "ignition/deployments/chain-1/artifacts/M#Innocent.json",
    notation: "json",
    valid: { contractName: "Innocent", sourceName: SOL, buildInfoId: "1" },
    files: HARDHAT,
    contract: `${SOL}:Innocent`,
    isNamed: true,
    keys: [["contractName"], ["sourceName"], ["buildInfoId"]],
  },
  {
    name: "deployment of hardhat-deploy",
    path: "deployments/mainnet/Innocent.json",
    notation: "json",
    valid: {
      address: ADDRESS,
      metadata: JSON.stringify(metadata),
      solcInputHash: "1",
      args: [],
      transactionHash: HASH,
    },
    files: { ...HARDHAT, "deployments/mainnet/.chainId": "1" },
    contract: `${SOL}:Innocent`,
    isNamed: true,
    keys: [["address"], ["metadata"], ["solcInputHash"], ["args"], ["receipt"], ["transaction"]],
  },
  {
    name: "input of hardhat-deploy",
    path: "deployments/mainnet/solcInputs/1.json",
    notation: "json",
    valid: input,
    files: {
      ...HARDHAT,
      "deployments/mainnet/.chainId": "1",
      "deployments/mainnet/Innocent.json": JSON.stringify({
        address: ADDRESS,
        metadata: JSON.stringify(metadata),
        solcInputHash: "1",
      }),
    },
    contract: `${SOL}:Innocent`,
    isNamed: true,
    keys: [["language"], ["sources"], ["settings"], ["settings", "remappings"], ["settings", "optimizer"]],
  },
  {
    name: "chain id of hardhat-deploy",
    path: "deployments/mainnet/.chainId",
    notation: "text",
    valid: "1",
    files: { ...HARDHAT, "deployments/mainnet/Innocent.json": JSON.stringify({ address: ADDRESS }) },
    contract: `${SOL}:Innocent`,
    isNamed: true,
  },
  {
    name: "map of Ape",
    path: ".build/__local__.json",
    notation: "json",
    valid: {
      deployments: { "1": { Innocent: [{ address: ADDRESS, contract_type: "Innocent" }] } },
      contractTypes: {},
    },
    files: APE,
    contract: `${VY}:Innocent`,
    isNamed: true,
    keys: [["deployments"], ["deployments", "1"], ["deployments", "1", "Innocent"], ["contractTypes"]],
  },
  {
    name: "database of moccasin",
    path: ".deployments.db",
    notation: "database",
    valid: `SQLite format 3\0${"\u0010\0".repeat(50)}`,
    files: { "moccasin.toml": '[project]\nsrc = "contracts"\n', [VY]: INNOCENT_VYPER },
    contract: `${VY}:Innocent`,
  },
  {
    name: "bundle of Vyper",
    path: "contracts/Innocent.json",
    notation: "json",
    valid: {
      compiler_version: "v0.4.3+commit.bff19ea2",
      language: "Vyper",
      sources: { [VY]: { content: INNOCENT_VYPER } },
      settings: { outputSelection: {}, search_paths: ["."] },
      integrity: "00",
    },
    files: { [VY]: INNOCENT_VYPER },
    contract: `${VY}:Innocent`,
    isNamed: true,
    keys: [
      ["compiler_version"],
      ["language"],
      ["sources"],
      ["settings"],
      ["settings", "search_paths"],
      ["interfaces"],
      ["integrity"],
    ],
  },
  ...(
    [
      ["Solidity source", "contracts/Other.sol", "pragma solidity ^0.8.0;\ncontract Other { uint x = 1; }\n"],
      ["Vyper source", "contracts/Other.vy", INNOCENT_VYPER],
      ["Vyper interface", "contracts/Other.vyi", "@external\ndef a(): ...\n"],
      ["Yul source", "contracts/Other.yul", 'object "Other" { code { } }\n'],
      ["Fe source", "contracts/Other.fe", "pub contract Other {}\n"],
    ] as const
  ).map(([name, path, valid]): HostileFormat => ({
    name,
    path,
    notation: "source",
    valid,
    files: HARDHAT_3,
    contract: `${SOL}:Innocent`,
  })),
];
