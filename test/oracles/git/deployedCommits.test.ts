import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { longIt } from "../../rig/longTest.ts";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { systemClock } from "../../../src/core/concurrency/clock.ts";
import {
  searchDeployedCommit,
  type CommitSearchResult,
} from "../../../src/core/deployedCommit/deployedCommitSearch.ts";
import { diskFiles } from "../../../src/core/files/diskFiles.ts";
import { openHistory } from "../../../src/core/git/gitHistory.ts";
import { workTreeAt } from "../../../src/core/git/repositoryFolders.ts";
import type { DeployedContract } from "../../../src/core/compilers/compilerQuestions.ts";
import type { CompilerInput } from "../../../src/core/sources/standardJsonInput.ts";
import { seed } from "../../rig/proofSize.ts";
import { repositoryCompilers } from "../../sandbox/listedCompilers.ts";
import { compileNow } from "../../sandbox/solcNow.ts";
import { VyperCompilers } from "../../sandbox/vyperCompilers.ts";
import { randomFrom } from "../../unit/random.ts";
import { startLocalWorld, type LocalWorld } from "../compilers/localWorld.ts";
import { copied, GeneratedHistory, type HistoryTool, type MadeCommit } from "./generatedHistory.ts";
import { TestRepository } from "./repository.ts";
import { vyperProgram } from "./strangers/strangersWorld.ts";

const COMMITS = 50;

interface SolcOutput {
  readonly contracts: Readonly<Record<string, Readonly<Record<string, SolcContract>>>>;
}

interface SolcContract {
  readonly evm: Readonly<Record<"bytecode" | "deployedBytecode", { readonly object: string }>>;
}

/** The tools whose histories are drawn in turns. */
const TOOLS: readonly HistoryTool[] = ["Foundry", "Hardhat 2", "plain", "Vyper"];
const HOUR = 3_600_000;

const vyper = new VyperCompilers();

/** What a real compiler makes of an input, as it would lie on a chain. */
async function deployedBy({
  compilerVersion,
  stdJsonInput,
  contractIdentifier,
}: CompilerInput): Promise<DeployedContract> {
  const colon = contractIdentifier.lastIndexOf(":");
  const selected = ["evm.bytecode.object", "evm.deployedBytecode.object"];
  const isVyper = stdJsonInput.language === "Vyper";
  const outputSelection = isVyper
    ? { [contractIdentifier.slice(0, colon)]: selected }
    : { "*": { "*": selected } };
  const input = { ...stdJsonInput, settings: { ...stdJsonInput.settings, outputSelection } };
  const output = (
    isVyper ? await vyper.compile(compilerVersion, input) : compileNow(input, "solc-0.8.28")
  ) as SolcOutput;
  const contract =
    output.contracts[contractIdentifier.slice(0, colon)]?.[contractIdentifier.slice(colon + 1)];
  const runtimeCode = prefixed(contract?.evm.deployedBytecode.object);
  assert.ok(runtimeCode.length > 100, JSON.stringify(output).slice(0, 2_000));
  return {
    chainId: "1",
    address: `0x${"11".repeat(20)}`,
    runtimeCode,
    creationCode: prefixed(contract?.evm.bytecode.object),
  };
}

/** What the compiler is given, in short. */
function same(one: CompilerInput | undefined): string {
  return JSON.stringify([one?.compilerVersion, one?.contractIdentifier, one?.stdJsonInput]);
}

/** Whether the inputs of two commits may be the same. */
function isAlike(one: MadeCommit, other: MadeCommit | undefined): boolean {
  return (
    one.contractPath === other?.contractPath &&
    one.installed === other.installed &&
    one.submodule === other.submodule
  );
}

function prefixed(object = ""): string {
  return object.startsWith("0x") ? object : `0x${object}`;
}

describe("The commit that was deployed", { timeout: 1_200_000 }, () => {
  let local: LocalWorld;
  let programs: string;
  before(async () => {
    programs = realpathSync(mkdtempSync(join(tmpdir(), "programs-")));
    local = await startLocalWorld(await repositoryCompilers());
  });
  after(async () => {
    await local.stop();
    rmSync(programs, { recursive: true });
  });

  async function search(
    root: string,
    { contractPath, contractName }: Pick<MadeCommit, "contractPath" | "contractName">,
    deployed: DeployedContract,
    deployedAt?: number,
  ): Promise<CommitSearchResult> {
    const workTree = await workTreeAt(root);
    assert.ok(workTree);
    const history = await openHistory("git", workTree);
    try {
      return await searchDeployedCommit({
        history,
        disk: diskFiles,
        root,
        contract: { path: join(root, contractPath), contractName, folder: root },
        deployed,
        deployedAt,
        limitMs: 120_000,
        clock: systemClock,
        inputOf: (files, contract) =>
          contractInput(files, [root], contract, {
            staleBuild: "skip",
            ...(contract.path.endsWith(".sol") && { deployedCompilerVersion: "0.8.28" }),
          }),
        verdictOf: (input, signal) =>
          local.verifier.verify(input, deployed, {
            mayDownload: () => Promise.resolve(true),
            vyper: (version) => vyperProgram(programs, version),
            signal,
          }),
      });
    } finally {
      await history.dispose();
    }
  }

  longIt("is found in generated histories, or what is missing is named", async () => {
    const first = seed("Commits of generated histories");
    const count = 40;
    const wrong: string[] = [];
    const tried: number[] = [];
    const seconds: number[] = [];
    let inFull = 0;
    for (let at = 0; at < count; at++) {
      const random = randomFrom(first + at);
      const tool = TOOLS[at % TOOLS.length];
      const history = new GeneratedHistory(random, tool);
      try {
        history.grow(COMMITS);
        const last = history.commits.at(-1);
        const deployedCommit = random.oneOf(history.commits.slice(0, -1));
        if (!last) throw new Error("a history without commits");
        const isOnWindows = random.below(3) === 0;
        const input = await history.inputOf(deployedCommit, isOnWindows);
        if (random.below(3) === 0) history.retire();
        const deployedAt = random.below(2) === 0 ? undefined : deployedCommit.time + random.below(3 * HOUR);
        const { project } = history;
        // What Vyper compiles has no packages.
        const isHere = tool === "Vyper" || last.installed === deployedCommit.installed;
        const deployed = await deployedBy(input);
        const result = await search(project.root, last, deployed, deployedAt);
        tried.push(result.tried.length);
        seconds.push(result.seconds);
        const problem = isHere
          ? ((await wrongCommit(history, result, deployed, isOnWindows)) ??
            // On Windows files with either line ends are the same.
            (isOnWindows ? undefined : await otherThanNamed(history, result, deployedCommit, deployedAt)))
          : unnamed(result, deployedCommit);
        if (isHere) inFull++;
        if (problem !== undefined)
          wrong.push(`${tool ?? ""} ${first + at}: ${problem}, deployed ${deployedCommit.id.slice(0, 10)}`);
      } finally {
        history.remove();
      }
    }
    const sorted = (values: number[]) => values.sort((a, b) => a - b);
    const median = (values: number[]) => sorted(values)[Math.floor(values.length / 2)] ?? 0;
    console.log(
      `${count - wrong.length} of ${count} right, ${inFull} of them with all that is needed; ${median(tried)} states compiled (worst ${sorted(tried).at(-1)}), ${median(seconds).toFixed(1)} s (worst ${sorted(seconds).at(-1)?.toFixed(1)})`,
    );
    assert.deepEqual(wrong, []);
  });

  /** Why what was found is not the deployed state, by a real checkout of it. */
  async function wrongCommit(
    history: GeneratedHistory,
    { found, tried, missing }: CommitSearchResult,
    deployed: DeployedContract,
    isOnWindows: boolean,
  ): Promise<string | undefined> {
    if (!found)
      return `none found of ${tried.length}: ${missing.join(" ")} ${tried.find(({ reason }) => reason)?.reason ?? ""}`;
    if (found.verdict !== "exact_match") return `only a ${found.verdict}`;
    const made = history.commits.find(({ id }) => id === found.commit.id);
    if (!made) return "a commit that is none";
    const real = await history.inputOf(made, isOnWindows);
    if (same(found.input) !== same(real)) return "the input of another state";
    // The code does not tell two states apart that come to the same one, as Vyper's do not name their files.
    const { runtimeCode, creationCode } = await deployedBy(real);
    return runtimeCode === deployed.runtimeCode && creationCode === deployed.creationCode
      ? undefined
      : `another state, ${found.commit.id.slice(0, 10)}`;
  }

  /** Why it is not the commit that is named, of those with the same input. */
  async function otherThanNamed(
    history: GeneratedHistory,
    { found }: CommitSearchResult,
    deployed: MadeCommit,
    deployedAt: number | undefined,
  ): Promise<string | undefined> {
    const { time } = found?.commit ?? { time: NaN };
    if (deployedAt === undefined) {
      const named = history.commits.find(({ id }) => id === found?.commit.id);
      for (const earlier of history.commits.filter((one) => one.time < time && isAlike(one, named)))
        if (same(await history.inputOf(earlier)) === same(found?.input)) return "not the first one";
      return undefined;
    }
    if (time > deployedAt) return "one after the deployment";
    return time >= deployed.time ? undefined : "not the last one before the deployment";
  }

  /** Why the sentences do not name the package that is not here. */
  function unnamed({ found, missing }: CommitSearchResult, { installed }: MadeCommit): string | undefined {
    if (found?.verdict === "exact_match") return "found without its package";
    const isNamed = missing.some(
      (sentence) => sentence.includes("@acme/math") && sentence.includes(installed),
    );
    return isNamed ? undefined : `does not name ${installed}: ${missing.join(" ") || "nothing"}`;
  }

  it("is the one with the line ends of the deployment, though the service takes those of a later one, too", async () => {
    const project = new TestRepository();
    const pragma = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n";
    const files = {
      "contracts/Vault.sol": `${pragma}contract Vault { uint256 public total; function put(uint256 x) external { total += x; } }\n`,
      "package.json": "{}\n",
    };
    const at = { contractPath: "contracts/Vault.sol", contractName: "Vault" };
    try {
      project.commit("Begin", files);
      const deployedCommit = project.commit("Write more", { "README.md": "# Vault\n" });
      const deployed = await deployedBy(
        await contractInput(
          diskFiles,
          [project.root],
          {
            path: join(project.root, at.contractPath),
            contractName: at.contractName,
            folder: project.root,
          },
          { deployedCompilerVersion: "0.8.28" },
        ),
      );
      const turned = project.commit("Turn the line ends", {
        "contracts/Vault.sol": files["contracts/Vault.sol"].replaceAll("\n", "\r\n"),
      });
      const turnedAt = project.time;
      // A clock that is late takes the commit after it for the one at the deployment.
      const { found, tried } = await search(project.root, at, deployed, turnedAt);
      assert.deepEqual(
        tried.map(({ commit, verdict }) => [commit.id, verdict]),
        [
          [turned, "exact_match"],
          [deployedCommit, "exact_match"],
        ],
      );
      assert.equal(found?.commit.id, deployedCommit);
      // Where no commit has them, the service's word counts.
      project.git("checkout", "-q", "--orphan", "fresh");
      const only = project.commit("Begin anew");
      project.git("branch", "-D", "main");
      project.git("reflog", "expire", "--expire=now", "--all");
      const { found: last } = await search(project.root, at, deployed, turnedAt);
      assert.deepEqual([last?.commit.id, last?.verdict, last?.checkout], [only, "exact_match", "stored"]);
    } finally {
      project.remove();
    }
  });

  it("is the last one at or before the deployment of those that Vyper compiles to the same code", async () => {
    const project = new TestRepository();
    const text = (value: number) =>
      `# pragma version 0.4.3\n\n@external\ndef value(x: uint256) -> uint256:\n    assert x < 1_000, "too much"\n    return x * ${value} + 1\n`;
    try {
      project.commit("Begin", { "contracts/Vault.vy": text(1) });
      const contract = {
        path: join(project.root, "contracts/Vault.vy"),
        contractName: "Vault",
        folder: project.root,
      };
      const deployed = await deployedBy(await contractInput(diskFiles, [project.root], contract));
      project.git("mv", "contracts/Vault.vy", "contracts/Safe.vy");
      const moved = project.commit("Move it");
      const at = { contractPath: "contracts/Safe.vy", contractName: "Safe" };
      project.commit("Change it", { "contracts/Safe.vy": text(2) });
      // What was tried first is another one, since this commit is nearer to the deployment.
      const { found, tried } = await search(project.root, at, deployed, project.time);
      assert.equal(tried.length, 3);
      assert.deepEqual([found?.commit.id, found?.verdict], [moved, "exact_match"]);
    } finally {
      project.remove();
    }
  });

  it("is not found where its submodule is not in the clone, which is named with its commit", async () => {
    const history = new GeneratedHistory(randomFrom(7));
    let copy: string | undefined;
    try {
      history.grow(5);
      const deployedCommit = history.commits[2];
      assert.ok(deployedCommit);
      const input = await history.inputOf(deployedCommit);
      copy = copied(history.project.root);
      rmSync(join(copy, "lib/tokens"), { recursive: true });
      rmSync(join(copy, ".git/modules"), { recursive: true });
      const last = history.commits.at(-1) ?? deployedCommit;
      const { found, missing } = await search(copy, last, await deployedBy(input), deployedCommit.time);
      assert.equal(found, undefined);
      assert.match(missing.join(" "), new RegExp(`lib/tokens.*${deployedCommit.submodule.slice(0, 10)}`));
    } finally {
      history.remove();
      if (copy !== undefined) rmSync(copy, { recursive: true });
    }
  });

  it("is not found in a clone without its history, which is said", async () => {
    const history = new GeneratedHistory(randomFrom(8));
    const clone = `${history.project.root}-shallow`;
    try {
      history.grow(8);
      const [deployedCommit] = history.commits;
      assert.ok(deployedCommit);
      const input = await history.inputOf(deployedCommit);
      history.project.git(
        "clone",
        "-q",
        "--depth",
        "1",
        "--recurse-submodules",
        `file://${history.project.root}`,
        clone,
      );
      const last = history.commits.at(-1) ?? deployedCommit;
      const { found, missing } = await search(clone, last, await deployedBy(input));
      assert.equal(found, undefined);
      assert.match(missing.join(" "), /git fetch --unshallow/);
    } finally {
      history.remove();
      rmSync(clone, { recursive: true, force: true });
    }
  });
});
