import { spawn } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { completeSolcVersion } from "../../src/core/languages/solidity/solcReleases.ts";
import { contentHash, keepResult, keptResult } from "../rig/keptResults.ts";
import { repositoryRoot } from "../rig/paths.ts";
import { LIBRARIES } from "./corpus.ts";
import { writeTree } from "./writeTree.ts";
import { folderHash } from "./folderHash.ts";

/** A build tool that really runs here. */
export type BuildTool = "Hardhat 2" | "Hardhat 3" | "Foundry";

/** What the project of a tool is made with. */
export interface ProjectSetting {
  /** The folder of the oracle packages. */
  readonly packages: string;
  /** The `soljson.js` of each solc by short version. */
  readonly solcs: ReadonlyMap<string, string>;
}

/** Settings by version: little optimising, which is what takes time. */
const COMPILERS: Readonly<Record<string, object>> = {
  "0.8.28": { evmVersion: "cancun", optimizer: { runs: 300 } },
  "0.7.6": { optimizer: { enabled: true, runs: 800 }, metadata: { bytecodeHash: "none" } },
  "0.8.10": { metadata: { useLiteralContent: true } },
  "0.8.19": { optimizer: { enabled: true } },
  "0.8.26": {},
};

/** The project's own files: contracts as people write them on top of the libraries. */
const CONTRACTS: Readonly<Record<string, string>> = {
  "contracts/Vault.sol": `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {ERC20, IERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Fees} from "./fees/Fees.sol";

contract Vault is ERC4626, Ownable {
    uint256 public collected;

    constructor(IERC20 asset) ERC20("Vault", "vTKN") ERC4626(asset) Ownable(msg.sender) {}

    function collect(uint256 amount) external onlyOwner {
        collected += Fees.share(amount, 30);
    }
}
`,
  "contracts/fees/Fees.sol": `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import "solady/src/utils/FixedPointMathLib.sol";

library Fees {
    function share(uint256 amount, uint256 basisPoints) external pure returns (uint256) {
        return FixedPointMathLib.mulDivUp(amount, basisPoints, 10_000);
    }
}
`,
  "contracts/upgradeable/Token.sol": `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import "@openzeppelin/contracts-upgradeable/token/ERC20/ERC20Upgradeable.sol";
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
import "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

contract Token is ERC20Upgradeable, OwnableUpgradeable, UUPSUpgradeable {
    function initialize() external initializer {
        __ERC20_init("Token", "TKN");
        __Ownable_init(msg.sender);
    }

    function _authorizeUpgrade(address) internal override onlyOwner {}
}

contract TokenProxy is ERC1967Proxy {
    constructor(address token) ERC1967Proxy(token, "") {}
}
`,
  "contracts/Wallet.sol": `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {Ownable} from "solady/src/auth/Ownable.sol";
import {LibClone} from "solady/src/utils/LibClone.sol";
import {LibString} from "solady/src/utils/LibString.sol";
import {ERC1967Factory} from "solady/src/utils/ERC1967Factory.sol";
import {TickMathTest} from "@uniswap/v4-core/src/test/TickMathTest.sol";

contract Wallet is Ownable {
    using LibString for uint256;

    TickMathTest public ticks = new TickMathTest();

    function copy() external returns (address) {
        return LibClone.clone(address(this));
    }

    function name(uint256 number) external pure returns (string memory) {
        return number.toString();
    }
}
`,
  "contracts/exchange/Claims.sol": `// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ERC6909Claims} from "@uniswap/v4-core/src/ERC6909Claims.sol";
import {Owned} from "solmate/src/auth/Owned.sol";
import {StateLibrary} from "@uniswap/v4-core/src/libraries/StateLibrary.sol";

contract Claims is ERC6909Claims, Owned(msg.sender) {
    function mint(address to, uint256 id, uint256 amount) external onlyOwner {
        _mint(to, id, amount);
    }
}
`,
  "contracts/exchange/Pools.sol": `// SPDX-License-Identifier: MIT
pragma solidity =0.7.6;

import "@uniswap/v3-core/contracts/libraries/TickMath.sol";
import "@uniswap/v3-core/contracts/libraries/SqrtPriceMath.sol";
import "@uniswap/v3-core/contracts/libraries/SwapMath.sol";

contract Pools {
    function price(int24 tick) external pure returns (uint160) {
        return TickMath.getSqrtRatioAtTick(tick);
    }
}
`,
  "contracts/lending/Market.sol": `// SPDX-License-Identifier: MIT
pragma solidity 0.8.10;

import {ACLManager} from "@aave/core-v3/contracts/protocol/configuration/ACLManager.sol";
import {PoolAddressesProvider} from "@aave/core-v3/contracts/protocol/configuration/PoolAddressesProvider.sol";
import {ConfiguratorLogic} from "@aave/core-v3/contracts/protocol/libraries/logic/ConfiguratorLogic.sol";

contract Market is PoolAddressesProvider {
    constructor(address owner) PoolAddressesProvider("Market", owner) {}
}
`,
  "contracts/feeds/Feed.sol": `// SPDX-License-Identifier: MIT
pragma solidity 0.8.19;

import "@chainlink/contracts/src/v0.8/functions/v1_0_0/example/FunctionsClientExample.sol";
import {ConfirmedOwner} from "@chainlink/contracts/src/v0.8/shared/access/ConfirmedOwner.sol";

contract Feed is ConfirmedOwner(msg.sender) {
    function store(uint256 number) external returns (bool) {
        return number > 0;
    }
}
`,
};

/** What Hardhat 2 can't compile: the library imports a package by a name that only a remapping explains. */
const REMAPPED_CONTRACTS: Readonly<Record<string, string>> = {
  "contracts/feeds/Store.sol": `// SPDX-License-Identifier: MIT
pragma solidity 0.8.19;

import {BlockhashStore} from "@chainlink/contracts/src/v0.8/vrf/dev/BlockhashStore.sol";

contract Store {
    BlockhashStore public immutable blocks = new BlockhashStore();
}
`,
};

/** The largest contract, compiled by one tool for the time that it takes. */
const LARGE_CONTRACTS: Readonly<Record<string, string>> = {
  "contracts/Council.sol": `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {Governor} from "@openzeppelin/contracts/governance/Governor.sol";
import {GovernorCountingSimple} from "@openzeppelin/contracts/governance/extensions/GovernorCountingSimple.sol";
import {GovernorVotes, IVotes} from "@openzeppelin/contracts/governance/extensions/GovernorVotes.sol";

contract Council is Governor, GovernorCountingSimple, GovernorVotes {
    constructor(IVotes token) Governor("Council") GovernorVotes(token) {}

    function votingDelay() public pure override returns (uint256) { return 1; }
    function votingPeriod() public pure override returns (uint256) { return 100; }
    function quorum(uint256) public pure override returns (uint256) { return 4; }
}
`,
};

/** Files of packages that Hardhat 3 is asked to compile for themselves. */
const PACKAGE_FILES = [
  "@openzeppelin/contracts/proxy/transparent/TransparentUpgradeableProxy.sol",
  "@openzeppelin/contracts/governance/TimelockController.sol",
  "solady/src/utils/ERC1967Factory.sol",
];

/** Writes the project of a tool into a folder: contracts, configuration, and the libraries as npm installs them. */
export function writeLibraryProject(root: string, tool: BuildTool, setting: ProjectSetting): void {
  const { packages } = setting;
  for (const library of Object.keys(LIBRARIES))
    copySources(join(packages, "node_modules", library), join(root, "node_modules", library));
  const solmate = "node_modules/@uniswap/v4-core/lib/solmate";
  copySources(join(packages, solmate), join(root, "node_modules/solmate"));
  const renamed = "node_modules/@openzeppelin/contracts-4.9.6";
  copySources(join(packages, renamed), join(root, renamed));
  writeTree(root, {
    ...CONTRACTS,
    ...(tool === "Hardhat 2" ? {} : REMAPPED_CONTRACTS),
    ...(tool === "Hardhat 3" ? LARGE_CONTRACTS : {}),
    ...configuration(tool, setting),
  });
  if (tool === "Foundry") return;
  symlinkSync(
    join(packages, `node_modules/hardhat-${tool === "Hardhat 2" ? 2 : 3}`),
    join(root, "node_modules/hardhat"),
  );
}

/** Copies what tools read of a package. */
function copySources(from: string, to: string): void {
  const entries = globSync("**/{*.sol,foundry.toml,package.json,remappings.txt}", {
    cwd: from,
    withFileTypes: true,
  });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const target = join(to, relative(from, path));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(path, target);
  }
}

function configuration(tool: BuildTool, { solcs }: ProjectSetting): Record<string, string> {
  const versions = Object.keys(COMPILERS);
  switch (tool) {
    case "Hardhat 2": {
      const soljson = Object.fromEntries(versions.map((version) => [version, solcs.get(version)]));
      const long = Object.fromEntries(versions.map((version) => [version, completeSolcVersion(version)]));
      const compilers = versions.map((version) => ({ version, settings: COMPILERS[version] }));
      return {
        "hardhat.config.js": `const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require("hardhat/builtin-tasks/task-names");
const { subtask } = require("hardhat/config");

const soljson = ${JSON.stringify(soljson)};
const long = ${JSON.stringify(long)};
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async ({ solcVersion }) => ({
  compilerPath: soljson[solcVersion], isSolcJs: true, version: solcVersion, longVersion: long[solcVersion],
}));

module.exports = { solidity: { compilers: ${JSON.stringify(compilers)} } };
`,
        "package.json": `{ "name": "project", "devDependencies": { "hardhat": "^2.29.1" } }\n`,
      };
    }
    case "Hardhat 3": {
      const compilers = versions.map((version) => ({
        version,
        path: solcs.get(version),
        settings: { ...COMPILERS[version], outputSelection: { "*": { "*": ["metadata"] } } },
      }));
      return {
        "hardhat.config.ts": `import { defineConfig } from "hardhat/config";

export default defineConfig({
  solidity: { compilers: ${JSON.stringify(compilers)}, npmFilesToBuild: ${JSON.stringify(PACKAGE_FILES)} },
});
`,
        "package.json": `{ "name": "project", "type": "module", "devDependencies": { "hardhat": "^3.18.0" } }\n`,
      };
    }
    case "Foundry":
      return {
        "foundry.toml": `[profile.default]
src = "contracts"
libs = ["node_modules"]
optimizer = false
optimizer_runs = 1_000
evm_version = "cancun"
build_info = true
remappings = [
  "@openzeppelin/contracts@4.9.6/=node_modules/@openzeppelin/contracts-4.9.6/",
  "@openzeppelin/contracts/=node_modules/@openzeppelin/contracts/",
  "@openzeppelin/contracts-upgradeable/=node_modules/@openzeppelin/contracts-upgradeable/",
]
`,
      };
  }
}

/** Where tools put what they built. */
export const OUTPUTS = ["artifacts", "cache", "out"];

/**
 * Compiles a project with its own tool, which gets its compilers from the packages that are installed. What the tool
 * wrote for the same project before is taken from the test cache.
 */
export async function build(root: string, tool: BuildTool, setting: ProjectSetting): Promise<void> {
  const tools = contentHash(join(setting.packages, "package-lock.json"));
  // What is a link belongs to the packages, which the lock says.
  const key = ["build of libraries", tool, tools, process.version, folderHash(root)] as const;
  const kept = keptResult(key);
  if (kept !== undefined) {
    writeTree(root, JSON.parse(kept.replaceAll("$PROJECT", root)) as Record<string, string>);
    return;
  }
  await runTool(root, tool, setting);
  const written = Object.fromEntries(
    globSync(`{${OUTPUTS.join()}}/**`, { cwd: root, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [relative(root, path), readFileSync(path, "utf8")]),
  );
  keepResult(key, JSON.stringify(written).replaceAll(root, "$PROJECT"));
}

function runTool(root: string, tool: BuildTool, setting: ProjectSetting): Promise<string> {
  const { packages } = setting;
  switch (tool) {
    case "Hardhat 2":
      return run(root, process.execPath, [
        join(packages, "node_modules/hardhat-2/internal/cli/bootstrap.js"),
        "compile",
      ]);
    case "Hardhat 3":
      return run(root, process.execPath, [join(packages, "node_modules/hardhat-3/dist/src/cli.js"), "build"]);
    case "Foundry": {
      const home = join(root, ".home");
      installSolcPrograms(home, setting);
      return run(
        root,
        process.execPath,
        [join(packages, "node_modules/@foundry-rs/forge/bin.mjs"), "build", "--offline"],
        { HOME: home, XDG_DATA_HOME: join(home, "data"), XDG_CONFIG_HOME: join(home, "config") },
      );
    }
  }
}

/** Puts solc where forge looks for the releases that it downloaded before: programs that hand over to solc's npm packages. */
function installSolcPrograms(home: string, { solcs }: ProjectSetting): void {
  const wrapper = join(repositoryRoot, "node_modules/solc/wrapper.js");
  for (const version of Object.keys(COMPILERS)) {
    const program = `.svm/${version}/solc-${version}`;
    writeTree(home, {
      [program]: `#!${process.execPath}
if (process.argv.includes("--version")) {
  console.log("solc, the solidity compiler commandline interface\\nVersion: ${completeSolcVersion(version)}.Linux.g++");
} else {
  const solc = require(${JSON.stringify(wrapper)})(require(${JSON.stringify(solcs.get(version))}));
  process.stdout.write(solc.compile(require("node:fs").readFileSync(0, "utf8")));
}
`,
    });
    chmodSync(join(home, program), 0o755);
  }
}

/** Runs a program without a network and answers what it printed. */
async function run(
  cwd: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    env: {
      ...process.env,
      HARDHAT_DISABLE_TELEMETRY_PROMPT: "true",
      HARDHAT_TELEMETRY_ENABLED: "false",
      FOUNDRY_DISABLE_NIGHTLY_WARNING: "1",
      NO_COLOR: "1",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`${[command, ...args].join(" ")} ended with ${String(code)}:\n${output}`);
  return output;
}

/** A contract as the tool built it. */
export interface BuiltContract {
  /** The file on disk, relative to the project. */
  readonly path: string;
  readonly contract: string;
  /** The source unit name of the file. */
  readonly name: string;
  /** Creation code in hex, without `0x`; libraries are not linked. */
  readonly code: string;
  /** As solc wrote it. */
  readonly metadata: string;
}

/** The contracts with code that a tool wrote artifacts of. */
export function builtContracts(root: string, tool: BuildTool): BuiltContract[] {
  const artifacts = globSync(tool === "Foundry" ? "out/**/*.json" : "artifacts/**/*.json", { cwd: root })
    .filter((path) => !path.includes("/build-info/") && !path.endsWith(".dbg.json"))
    .sort();
  const records = new Map<string, LooseOutput>();
  const outputOf = (path: string) => {
    const known = records.get(path) ?? (readJsonFile(path) as LooseOutput);
    records.set(path, known);
    return known;
  };
  return artifacts.flatMap((path): BuiltContract[] => {
    const artifact = readJsonFile(join(root, path)) as LooseArtifact;
    const { bytecode, contractName = "", sourceName = "", inputSourceName, buildInfoId } = artifact;
    const code = (typeof bytecode === "string" ? bytecode : (bytecode?.object ?? "")).replace(/^0x/, "");
    if (code === "") return [];
    if (tool === "Foundry") {
      const metadata = artifact.rawMetadata ?? "";
      const { settings } = JSON.parse(metadata) as {
        settings: { compilationTarget: Record<string, string> };
      };
      const [[name, contract] = ["", ""]] = Object.entries(settings.compilationTarget);
      return [{ path: name, contract, name, code, metadata }];
    }
    const name = inputSourceName ?? sourceName;
    const record =
      buildInfoId === undefined
        ? join(
            root,
            dirname(path),
            (readJsonFile(join(root, path.replace(/\.json$/, ".dbg.json"))) as { buildInfo: string })
              .buildInfo,
          )
        : join(root, `artifacts/build-info/${buildInfoId}.output.json`);
    const metadata = outputOf(record).output.contracts[name]?.[contractName]?.metadata ?? "";
    // `npm/<package>@<version>/…` is Hardhat 3's name for a file of a package.
    const plain = name.replace(/^project\//, "").replace(/^npm\/((?:@[^/]+\/)?[^/@]+)@[^/]+\//, "$1/");
    const onDisk = existsSync(join(root, plain)) ? plain : `node_modules/${plain}`;
    return [{ path: onDisk, contract: contractName, name, code, metadata }];
  });
}

interface LooseArtifact {
  readonly bytecode?: string | { readonly object?: string };
  readonly contractName?: string;
  readonly sourceName?: string;
  readonly inputSourceName?: string;
  readonly buildInfoId?: string;
  readonly rawMetadata?: string;
}

interface LooseOutput {
  readonly output: {
    readonly contracts: Readonly<Record<string, Readonly<Record<string, { readonly metadata: string }>>>>;
  };
}

function readJsonFile(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
