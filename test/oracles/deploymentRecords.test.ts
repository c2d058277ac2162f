import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { contractInput } from "../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../src/core/languages/workspaceContract.ts";
import { workspaceDeployments, type FoundDeployment } from "../../src/core/workspace/workspaceDeployments.ts";
import { contractsIn } from "../../src/core/workspace/contracts.ts";
import { cacheFolder } from "../rig/paths.ts";
import { startChain, type Chain } from "../sandbox/chain.ts";
import { PIP_INSTALL } from "../sandbox/vyperEnvironment.ts";
import { startCompilerPrograms, type CompilerPrograms } from "./compilerPrograms.ts";
import { deployerPackages } from "./deployerPackages.ts";
import { diskFiles } from "../../src/core/files/diskFiles.ts";
import { writeTree } from "./writeTree.ts";
import { forgeProgram } from "./forgeProgram.ts";
import { oraclePackages } from "./oraclePackages.ts";

/** The first account of every development chain. */
const KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

const VAULT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
import "./Twice.sol";
contract Share { uint public immutable worth; constructor(uint amount) { worth = amount; } }
contract Vault {
  uint public total;
  Share public first;
  constructor(uint amount, string memory) { total = Twice.twice(amount); first = new Share(amount); }
  function issue() external returns (Share) { return new Share(7); }
}
contract Factory { function make(bytes32 salt) external returns (Share) { return new Share{salt: salt}(9); } }
`;
const TWICE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
library Twice { function twice(uint a) external pure returns (uint) { return a * 2; } }
`;
const same = (value: number) => `pragma solidity ^0.8.0;\ncontract Same { uint public value = ${value}; }\n`;
const VM = `interface Vm {
  function startBroadcast() external;
  function stopBroadcast() external;
  function createSelectFork(string calldata) external returns (uint);
}
abstract contract Script {
  bool public IS_SCRIPT = true;
  Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
}
`;

let folder: string;
let chain: Chain;
let other: Chain;

before(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ledger-lens-deployed-")));
  [chain, other] = await Promise.all([startChain({ chainId: "296" }), startChain({ chainId: "295" })]);
});

after(async () => {
  await Promise.all([chain.stop(), other.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

async function run(root: string, program: string, ...args: string[]): Promise<void> {
  // Nothing of this machine's own settings may count.
  const env = { ...process.env, HOME: folder, CI: "1", HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: "false" };
  await promisify(execFile)(program, args, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 });
}

/** What the product finds, held against what the chains themselves say. */
async function deploymentsOf(root: string, sources: readonly string[]): Promise<FoundDeployment[]> {
  const contracts = sources.flatMap((path) => contractsIn(join(root, path), readFileSync(join(root, path))));
  const { found } = await workspaceDeployments(diskFiles, [root], contracts);
  for (const { chainId, address, awaits, creationTransactionHash: hash } of found) {
    const at = chainId === "296" ? chain : other;
    const about = `${address} on chain ${chainId}`;
    assert.equal(awaits, undefined, `${about} is waited for`);
    assert.notEqual(await at.rpc("eth_getCode", address, "latest"), "0x", about);
    const receipt = await at.rpc<{ blockNumber: string; status: string }>("eth_getTransactionReceipt", hash);
    assert.equal(receipt.status, "0x1", about);
    const before = `0x${(Number(receipt.blockNumber) - 1).toString(16)}`;
    assert.equal(
      await at.rpc("eth_getCode", address, before),
      "0x",
      `${about} was not created by ${hash ?? ""}`,
    );
  }
  return found;
}

const inWords = (root: string, { chainId, contract, defined, recordedBy }: FoundDeployment) =>
  `${recordedBy} ${chainId} ${contract} ${defined ? defined.path.slice(root.length + 1) : "?"}`;

describe("What forge deployed by scripts", () => {
  let programs: CompilerPrograms;
  before(async () => (programs = await startCompilerPrograms()));
  after(() => programs.stop());

  it("is found with the transaction that created each contract, on every chain", async () => {
    const forge = forgeProgram(await oraclePackages());
    const root = join(folder, "forge");
    writeTree(root, {
      "foundry.toml": `[profile.default]\nsolc = "${programs.program("0.8.28")}"\n[rpc_endpoints]\none = "${chain.rpcUrl}"\ntwo = "${other.rpcUrl}"\n`,
      "src/Vault.sol": VAULT,
      "src/Twice.sol": TWICE,
      "src/a/Same.sol": same(1),
      "src/b/Same.sol": same(2),
      "script/Deploy.s.sol": `pragma solidity ^0.8.0;
import "../src/Vault.sol";
import {Same} from "../src/a/Same.sol";
import {Same as OtherSame} from "../src/b/Same.sol";
${VM}
contract Deploy is Script {
  function run() external {
    vm.startBroadcast();
    Vault vault = new Vault(3, "hi");
    vault.issue();
    Factory factory = new Factory{salt: bytes32(uint(5))}();
    factory.make(bytes32(uint(1)));
    new Same();
    new OtherSame();
    payable(address(0xdead)).transfer(1);
    vm.stopBroadcast();
  }
}`,
      "script/Both.s.sol": `pragma solidity ^0.8.0;
import {Same} from "../src/a/Same.sol";
${VM}
contract Both is Script {
  function run() external {
    vm.createSelectFork("one"); vm.startBroadcast(); new Same(); vm.stopBroadcast();
    vm.createSelectFork("two"); vm.startBroadcast(); new Same(); vm.stopBroadcast();
  }
}`,
    });
    const options = ["--private-key", KEY, "--broadcast", "--offline"];
    await run(root, forge, "script", "script/Deploy.s.sol", "--rpc-url", chain.rpcUrl, ...options);
    await run(root, forge, "script", "script/Both.s.sol", "--multi", ...options);
    const found = await deploymentsOf(root, [
      "src/Vault.sol",
      "src/Twice.sol",
      "src/a/Same.sol",
      "src/b/Same.sol",
    ]);
    assert.deepEqual(found.map((one) => inWords(root, one)).sort(), [
      "foundry 295 Same src/a/Same.sol",
      "foundry 296 Factory src/Vault.sol",
      "foundry 296 Same src/a/Same.sol",
      "foundry 296 Same src/a/Same.sol",
      "foundry 296 Same src/b/Same.sol",
      "foundry 296 Share src/Vault.sol",
      "foundry 296 Share src/Vault.sol",
      "foundry 296 Share src/Vault.sol",
      "foundry 296 Twice src/Twice.sol",
      "foundry 296 Vault src/Vault.sol",
    ]);
    assert.deepEqual(found.find(({ contract }) => contract === "Vault")?.constructorArguments, ["3", "hi"]);
  });
});

describe("What plugins of Hardhat deployed", () => {
  it("is found, with the builds that they keep of it", async () => {
    const packages = await deployerPackages();
    const soljson = createRequire(import.meta.url).resolve("solc/soljson.js");
    const root = join(folder, "hardhat");
    writeTree(root, {
      "package.json": "{}",
      node_modules: `->${packages}/node_modules`,
      "hardhat.config.js": `require("@nomicfoundation/hardhat-ignition");
require("hardhat-deploy");
const { subtask } = require("hardhat/config");
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require("hardhat/builtin-tasks/task-names");
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({
  compilerPath: ${JSON.stringify(soljson)}, isSolcJs: true, version: "0.8.37", longVersion: "0.8.37+commit.f401782d",
}));
module.exports = {
  solidity: "0.8.37",
  networks: { here: { url: "${chain.rpcUrl}", accounts: ["${KEY}"] } },
  namedAccounts: { deployer: 0 },
};`,
      "contracts/Vault.sol": VAULT,
      "contracts/Twice.sol": TWICE,
      "contracts/Box.sol":
        "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\ncontract Box { uint public a; function init(uint b) external { a = b; } }\n",
      "ignition/modules/Main.js": `const { buildModule } = require("@nomicfoundation/hardhat-ignition/modules");
module.exports = buildModule("Main", (m) => {
  const Twice = m.library("Twice");
  const vault = m.contract("Vault", [3n, "hi"], { libraries: { Twice } });
  const share = m.contract("Share", [7n], { id: "Second", after: [vault] });
  m.call(vault, "issue");
  return { vault, share, known: m.contractAt("Share", "0x000000000000000000000000000000000000dEaD", { id: "Known" }) };
});`,
      "deploy/1_vault.js": `module.exports = async ({ deployments: { deploy }, getNamedAccounts }) => {
  const { deployer: from } = await getNamedAccounts();
  const { address: Twice } = await deploy("Twice", { from });
  await deploy("Vault", { from, args: [4, "ho"], libraries: { Twice } });
  await deploy("Sure", { from, contract: "Share", args: [9], deterministicDeployment: true });
  await deploy("Boxed", { from, contract: "Box", proxy: { execute: { init: { methodName: "init", args: [4] } } } });
};`,
    });
    const hardhat = "node_modules/hardhat/internal/cli/cli.js";
    const node = process.execPath;
    await run(root, node, hardhat, "ignition", "deploy", "ignition/modules/Main.js", "--network", "here");
    await run(root, node, hardhat, "deploy", "--network", "here");
    const sources = ["contracts/Vault.sol", "contracts/Twice.sol", "contracts/Box.sol"];
    const found = await deploymentsOf(root, sources);
    const words = found.map((one) => inWords(root, one)).sort();
    assert.deepEqual(
      words.filter((one) => !/proxy/i.test(one)),
      [
        "hardhat-deploy 296 contracts/Box.sol:Box contracts/Box.sol",
        "hardhat-deploy 296 contracts/Twice.sol:Twice contracts/Twice.sol",
        "hardhat-deploy 296 contracts/Vault.sol:Share contracts/Vault.sol",
        "hardhat-deploy 296 contracts/Vault.sol:Vault contracts/Vault.sol",
        "hardhat-ignition 296 contracts/Twice.sol:Twice contracts/Twice.sol",
        "hardhat-ignition 296 contracts/Vault.sol:Share contracts/Vault.sol",
        "hardhat-ignition 296 contracts/Vault.sol:Vault contracts/Vault.sol",
      ],
    );
    assert.equal(words.length, 8, "and the proxy, whose source is not the project's");
    const vault = found.find(
      ({ recordedBy, contract }) => recordedBy === "hardhat-ignition" && contract.endsWith(":Vault"),
    );
    assert.deepEqual(vault?.constructorArguments, ["3", "hi"]);

    // Later edits and builds leave alone what each plugin keeps of its own.
    rmSync(join(root, "artifacts"), { recursive: true });
    const contract = await findWorkspaceContract(diskFiles, [root], "contracts/Vault.sol:Vault");
    for (const deployment of found.filter(({ contract: name }) => name.endsWith(":Vault"))) {
      const input = await contractInput(diskFiles, [root], contract, { deployment });
      assert.equal(input.source, "build-info");
      const kept =
        deployment.recordedBy === "hardhat-ignition"
          ? "ignition/deployments/"
          : "deployments/here/solcInputs/";
      assert.ok(input.record?.startsWith(join(root, kept)), input.record);
    }
  });
});

describe("What titanoboa deployed, which is what moccasin runs", () => {
  it("is found in its database", async (test) => {
    const python = titanoboa();
    if (typeof python !== "string") {
      test.skip(python.missing);
      return;
    }
    const root = join(folder, "boa");
    writeTree(root, {
      "moccasin.toml": '[project]\nsrc = "src"\n',
      "src/Counter.vy":
        "#pragma version ^0.4.0\nstart: public(uint256)\n@deploy\ndef __init__(at: uint256):\n    self.start = at\n",
      "deploy.py": `import boa
from boa.deployments import DeploymentsDB, set_deployments_db
from eth_account import Account
set_deployments_db(DeploymentsDB(".deployments.db"))
boa.set_network_env("${other.rpcUrl}")
boa.env.add_account(Account.from_key("${KEY}"))
boa.load("src/Counter.vy", 5)
boa.load("src/Counter.vy", 6)
`,
    });
    await run(root, python, "deploy.py");
    const found = await deploymentsOf(root, ["src/Counter.vy"]);
    assert.deepEqual(
      found.map((one) => inWords(root, one).replace(root, "")),
      Array(2).fill("moccasin 295 src/Counter.vy:Counter src/Counter.vy"),
    );
  });
});

/** The Python that has titanoboa, installed once into the cache. */
function titanoboa(): string | { readonly missing: string } {
  const environment = join(cacheFolder, "titanoboa-0.2.8");
  const python = join(environment, "bin/python");
  const mark = join(environment, "complete");
  if (existsSync(mark)) return python;
  if (spawnSync("python3", ["-m", "venv", environment]).status !== 0)
    return { missing: "Python or its virtual environments are not there" };
  const options = ["-m", "pip", ...PIP_INSTALL];
  if (spawnSync(python, [...options, "titanoboa==0.2.8", "vyper==0.4.3"]).status !== 0)
    return { missing: "titanoboa 0.2.8 can't be installed from PyPI" };
  mkdirSync(mark);
  return python;
}
