import assert from "node:assert/strict";
import { cpSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { AbiCoder, Interface } from "ethers";
import { diamondFacets } from "../../../src/core/chains/diamondFacets.ts";
import { JsonRpc } from "../../../src/core/chains/jsonRpc.ts";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import type { DeployedContract } from "../../../src/core/compilers/compilerQuestions.ts";
import { systemClock } from "../../../src/core/concurrency/clock.ts";
import { searchDeployedCommit } from "../../../src/core/deployedCommit/deployedCommitSearch.ts";
import { diskFiles } from "../../../src/core/files/diskFiles.ts";
import { openHistory } from "../../../src/core/git/gitHistory.ts";
import { workTreeAt } from "../../../src/core/git/repositoryFolders.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import {
  deploymentRows,
  deploymentTable,
  type DeploymentRow,
} from "../../../src/core/jobs/deploymentTable.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import { contractAt } from "../../../src/core/workspace/contractAt.ts";
import { WorkspaceIndex } from "../../../src/core/workspace/workspaceIndex.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { repositoryRoot } from "../../rig/paths.ts";
import { startChain, type Chain } from "../../sandbox/chain.ts";
import { repositoryCompilers } from "../../sandbox/listedCompilers.ts";
import { compileNow } from "../../sandbox/solcNow.ts";
import { startLocalWorld, type LocalWorld } from "../compilers/localWorld.ts";
import { lockedPackages } from "../oraclePackages.ts";
import { TestRepository } from "./repository.ts";

const HEAD = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n";
const token = (cap: number) =>
  `${HEAD}contract TokenFacet {\n  function totalSupply() external pure returns (uint256) { return ${cap}; }\n  function mint(uint256 amount) external pure returns (uint256) { require(amount < ${cap}); return amount; }\n}\n`;
const vault = (fee: number, more = "") =>
  `${HEAD}contract VaultFacet {\n  uint256 saved;\n  function save(uint256 amount) external { saved += amount - (amount * ${fee}) / 10_000; }\n  function fee() external pure returns (uint256) { return ${fee}; }\n${more}}\n`;
/** Another contract that has the functions of the vault's facet. */
const MOCK = `${HEAD}contract VaultMock {\n  function save(uint256) external pure { revert("a mock"); }\n  function fee() external pure returns (uint256) { return 7; }\n}\n`;

interface Compiled {
  readonly abi: readonly object[];
  readonly evm: { readonly bytecode: { readonly object: string } };
}

describe("The facets of a diamond", { timeout: 600_000 }, () => {
  let chain: Chain;
  let client: JsonClient;
  let node: JsonRpc;
  let local: LocalWorld;
  let repository: TestRepository;
  let diamond = "";
  /** The facets by the names of their contracts, and the commits they were deployed from. */
  const deployed = new Map<string, { readonly address: string; readonly commit: string }>();

  /** Compiles a contract as the work tree has it, by the real compiler. */
  async function compiled(contract: string): Promise<Compiled> {
    const { root } = repository;
    const found = await findWorkspaceContract(diskFiles, [root], contract);
    const { stdJsonInput, contractIdentifier } = await contractInput(diskFiles, [root], found);
    const settings = {
      ...stdJsonInput.settings,
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
    };
    const output = compileNow({ ...stdJsonInput, settings }, "solc-0.8.28") as {
      readonly contracts: Readonly<Record<string, Readonly<Record<string, Compiled>>>>;
    };
    const colon = contractIdentifier.lastIndexOf(":");
    const one = output.contracts[contractIdentifier.slice(0, colon)]?.[contractIdentifier.slice(colon + 1)];
    assert.ok(one, JSON.stringify(output).slice(0, 1_000));
    return one;
  }

  async function deploy(
    contract: string,
  ): Promise<readonly [address: string, action: 0, selectors: string[]]> {
    const { abi, evm } = await compiled(contract);
    const { address } = await chain.deploy(`0x${evm.bytecode.object}`);
    const name = contract.slice(contract.lastIndexOf(":") + 1);
    deployed.set(name, { address, commit: repository.head });
    const selectors: string[] = [];
    new Interface(JSON.stringify(abi)).forEachFunction(({ selector, name: called }) => {
      if (called !== "supportsInterface") selectors.push(selector);
    });
    return [address, 0, selectors];
  }

  before(async () => {
    [chain, local] = await Promise.all([startChain(), startLocalWorld(await repositoryCompilers())]);
    client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
    node = new JsonRpc(client, chain.rpcUrl);
    repository = new TestRepository();
    const { root } = repository;
    // The reference implementation, as hardhat-deploy brings it.
    const packages = await lockedPackages(
      join(repositoryRoot, "test/oracles/deployers"),
      "--legacy-peer-deps",
    );
    cpSync(join(packages, "node_modules/hardhat-deploy/solc_0.8/diamond"), join(root, "src/diamond"), {
      recursive: true,
    });
    repository.commit("Begin", {
      "foundry.toml": `[profile.default]\nsrc = "src"\nsolc = "0.8.28"\nauto_detect_remappings = false\n`,
      "src/TokenFacet.sol": token(1_000),
      "src/VaultFacet.sol": vault(25),
      "test/VaultMock.sol": MOCK,
    });
    const cuts = [
      await deploy("src/diamond/facets/DiamondCutFacet.sol:DiamondCutFacet"),
      await deploy("src/diamond/facets/DiamondLoupeFacet.sol:DiamondLoupeFacet"),
      await deploy("src/TokenFacet.sol:TokenFacet"),
    ];
    repository.commit("Raise the fee", { "src/VaultFacet.sol": vault(52) });
    cuts.push(await deploy("src/VaultFacet.sol:VaultFacet"));
    const [owner] = await chain.rpc<string[]>("eth_accounts");
    const { evm } = await compiled("src/diamond/Diamond.sol:Diamond");
    const args = AbiCoder.defaultAbiCoder().encode(
      ["address", "tuple(address,uint8,bytes4[])[]", "tuple(address,bytes)[]"],
      [owner, cuts, []],
    );
    ({ address: diamond } = await chain.deploy(`0x${evm.bytecode.object}${args.slice(2)}`));
    repository.commit("Go on", { "src/TokenFacet.sol": token(5_000), "README.md": "# Facets\n" });
    repository.commit("Let it be changed", {
      "src/VaultFacet.sol": vault(53, "  function reset() external { saved = 0; }\n"),
    });
  });

  after(async () => {
    repository.remove();
    await Promise.all([chain.stop(), local.stop(), client.dispose()]);
  });

  const facets = async () =>
    (await diamondFacets(diamond, node)).map((address) => ({ chainId: chain.chainId, address }));

  const index = () =>
    new WorkspaceIndex({
      files: diskFiles,
      finder: {
        find: (include, exclude) =>
          Promise.resolve(
            globSync(include, { cwd: repository.root, exclude: [exclude] }).map((path) =>
              join(repository.root, path),
            ),
          ),
      },
      folders: () => [repository.root],
    });

  async function deployedAt({ chainId, address }: DeploymentRow): Promise<DeployedContract> {
    return { chainId, address, runtimeCode: await node.code(address) };
  }

  /** Which contract a facet is, where the folder has no build. */
  const contractOf = async (known: WorkspaceIndex, place: DeploymentRow, asked: string[]) => {
    const at = await deployedAt(place);
    const contract = await contractAt({
      index: known,
      runtimeCode: at.runtimeCode,
      compiled: async (one) => {
        asked.push(one);
        const found = await findWorkspaceContract(diskFiles, [repository.root], one);
        const input = await contractInput(diskFiles, [repository.root], found);
        const verdict = await local.verifier.verify(input, at, { mayDownload: () => Promise.resolve(true) });
        return verdict && { verdict: verdict.verdict, runtimeCode: verdict.engine.recompiledRuntimeCode };
      },
    });
    assert.ok(contract !== undefined, place.address);
    return findWorkspaceContract(diskFiles, [repository.root], contract);
  };

  it("are those that it names, by both questions of its loupe", async () => {
    const addresses = [...deployed.values()].map(({ address }) => address);
    assert.deepEqual(await diamondFacets(diamond, node), addresses);
    const withoutAddresses = {
      call: (to: string, data: string) =>
        data === "0x52ef6b2c" ? Promise.resolve("0x") : node.call(to, data),
    };
    assert.deepEqual(await diamondFacets(diamond, withoutAddresses), addresses);
  });

  it("are not asked of what is no diamond", async () => {
    const { address = "" } = deployed.get("TokenFacet") ?? {};
    for (const other of [address, `0x${"12".repeat(20)}`])
      await assert.rejects(diamondFacets(other, node), { code: "not_a_diamond" });
  });

  it("have each the commit from which it was deployed, in one table", async () => {
    const workTree = await workTreeAt(repository.root);
    assert.ok(workTree);
    const history = await openHistory("git", workTree);
    const known = index();
    const asked: string[] = [];
    try {
      const rows = await deploymentRows({
        deployments: await facets(),
        atOnce: 1,
        onFailure: (error) => assert.fail(String(error)),
        onProgress: () => undefined,
        look: async (place) => {
          const contract = await contractOf(known, place, asked);
          const at = await deployedAt(place);
          const { found } = await searchDeployedCommit({
            history,
            disk: diskFiles,
            root: repository.root,
            contract,
            deployed: at,
            limitMs: 120_000,
            clock: systemClock,
            inputOf: (files, one) => contractInput(files, [repository.root], one, { staleBuild: "skip" }),
            verdictOf: (input, signal) =>
              local.verifier.verify(input, at, { mayDownload: () => Promise.resolve(true), signal }),
          });
          const name = `${contract.path.slice(repository.root.length + 1)}:${contract.contractName}`;
          return { contract: name, ...(found && { commit: found.commit.id, verdict: found.verdict }) };
        },
      });
      // Commits that leave a facet's files as they are can't be told apart by its code.
      const filesIn = (commit: string, name: string) =>
        repository.git(
          "rev-parse",
          `${commit}:src/${name.startsWith("Diamond") ? "diamond" : `${name}.sol`}`,
        );
      assert.deepEqual(
        rows.map(({ contract = "", commit = "", verdict }) => {
          const name = contract.slice(contract.lastIndexOf(":") + 1);
          return [name, filesIn(commit, name), verdict];
        }),
        [...deployed].map(([name, { commit }]) => [name, filesIn(commit, name), "exact_match"]),
      );
      const commits = new Map(rows.map(({ address, commit }) => [address, commit]));
      for (const name of ["TokenFacet", "VaultFacet"]) {
        const { address = "", commit } = deployed.get(name) ?? {};
        assert.equal(commits.get(address), commit, name);
      }
      // A mock has the vault's functions, and there is a second loupe: their codes decide. The others need no compiling.
      assert.deepEqual([...new Set(asked.map((one) => one.slice(one.lastIndexOf(":") + 1)))].sort(), [
        "DiamondLoupeFacet",
        "VaultFacet",
        "VaultMock",
      ]);
      const lines = deploymentTable(rows, "commits").trimEnd().split("\n");
      assert.equal(lines.length, 2 + deployed.size);
      assert.match(
        lines.at(-1) ?? "",
        /^\| `0x[0-9a-f]{40}` \| `src\/VaultFacet\.sol:VaultFacet` \| `[0-9a-f]{40}` \| exact match \|$/,
      );
    } finally {
      await history.dispose();
    }
  });

  it("is told by the code of a build, where there is one, without compiling", async () => {
    const at = deployed.get("TokenFacet");
    assert.ok(at);
    const runtimeCode = await node.code(at.address);
    repository.write({
      "src/Other.sol": readFileSync(join(repository.root, "src/TokenFacet.sol"), "utf8").replace(
        "TokenFacet",
        "Other",
      ),
      "out/Other.sol/Other.json": JSON.stringify({
        contractName: "Other",
        sourceName: "src/Other.sol",
        abi: [],
        deployedBytecode: runtimeCode,
      }),
    });
    const found = await contractAt({
      index: index(),
      runtimeCode,
      compiled: () => assert.fail("nothing needs to be compiled"),
    });
    assert.equal(found, `${repository.root}/src/Other.sol:Other`);
  });
});
