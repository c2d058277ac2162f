import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
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
import { proofSize, seed } from "../../rig/proofSize.ts";
import { repositoryCompilers } from "../../sandbox/listedCompilers.ts";
import { compileNow } from "../../sandbox/solcNow.ts";
import { randomFrom } from "../../unit/random.ts";
import { startLocalWorld, type LocalWorld } from "../compilers/localWorld.ts";
import { copied, GeneratedHistory, type MadeCommit } from "./generatedHistory.ts";

const COMMITS = 50;

interface SolcOutput {
  readonly contracts: Readonly<Record<string, Readonly<Record<string, SolcContract>>>>;
}

interface SolcContract {
  readonly evm: Readonly<Record<"bytecode" | "deployedBytecode", { readonly object: string }>>;
}

/** What a real compiler makes of an input, as it would lie on a chain. */
function deployedBy({ stdJsonInput, contractIdentifier }: CompilerInput): DeployedContract {
  const colon = contractIdentifier.lastIndexOf(":");
  const outputSelection = { "*": { "*": ["evm.bytecode.object", "evm.deployedBytecode.object"] } };
  const settings = { ...stdJsonInput.settings, outputSelection };
  const output = compileNow({ ...stdJsonInput, settings }, "solc-0.8.28") as SolcOutput;
  const contract =
    output.contracts[contractIdentifier.slice(0, colon)]?.[contractIdentifier.slice(colon + 1)];
  const runtimeCode = `0x${contract?.evm.deployedBytecode.object ?? ""}`;
  assert.ok(runtimeCode.length > 100, JSON.stringify(output).slice(0, 2_000));
  return {
    chainId: "1",
    address: `0x${"11".repeat(20)}`,
    runtimeCode,
    creationCode: `0x${contract?.evm.bytecode.object ?? ""}`,
  };
}

describe("The commit that was deployed", { timeout: 1_200_000 }, () => {
  let local: LocalWorld;
  before(async () => {
    local = await startLocalWorld(await repositoryCompilers());
  });
  after(() => local.stop());

  async function search(
    root: string,
    contractPath: string,
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
        contract: { path: join(root, contractPath), contractName: "Vault", folder: root },
        deployed,
        deployedAt,
        limitMs: 120_000,
        clock: systemClock,
        inputOf: (files, contract) =>
          contractInput(files, [root], contract, { staleBuild: "skip", deployedCompilerVersion: "0.8.28" }),
        verdictOf: (input, signal) =>
          local.verifier.verify(input, deployed, { mayDownload: () => Promise.resolve(true), signal }),
      });
    } finally {
      await history.dispose();
    }
  }

  it("is found in generated histories, or what is missing is named", async () => {
    const first = seed("Commits of generated histories");
    const count = proofSize({ sample: 2, whole: 40 });
    const wrong: string[] = [];
    const tried: number[] = [];
    const seconds: number[] = [];
    let inFull = 0;
    for (let at = 0; at < count; at++) {
      const random = randomFrom(first + at);
      const history = new GeneratedHistory(random);
      try {
        history.grow(COMMITS);
        const last = history.commits.at(-1);
        const deployedCommit = random.oneOf(history.commits.slice(0, -1));
        const isOnWindows = random.below(3) === 0;
        const input = await history.inputOf(deployedCommit, isOnWindows);
        if (random.below(3) === 0) history.retire();
        const deployedAt =
          random.below(2) === 0 ? undefined : deployedCommit.time + random.below(3 * 3_600_000);
        const { project } = history;
        const isHere = last?.installed === deployedCommit.installed;
        const result = await search(project.root, last?.contractPath ?? "", deployedBy(input), deployedAt);
        tried.push(result.tried.length);
        seconds.push(result.seconds);
        const problem = isHere
          ? await wrongCommit(history, result, input, isOnWindows)
          : unnamed(result, deployedCommit);
        if (isHere) inFull++;
        if (problem !== undefined)
          wrong.push(`${first + at}: ${problem}, deployed ${deployedCommit.id.slice(0, 10)}`);
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
    deployed: CompilerInput,
    isOnWindows: boolean,
  ): Promise<string | undefined> {
    if (!found)
      return `none found of ${tried.length}: ${missing.join(" ")} ${tried.find(({ reason }) => reason)?.reason ?? ""}`;
    if (found.verdict !== "exact_match") return `only a ${found.verdict}`;
    const made = history.commits.find(({ id }) => id === found.commit.id);
    if (!made) return "a commit that is none";
    const real = await history.inputOf(made, isOnWindows);
    const same = (one: CompilerInput) =>
      JSON.stringify([one.compilerVersion, one.contractIdentifier, one.stdJsonInput]);
    if (same(real) !== same(deployed)) return `another state, ${found.commit.id.slice(0, 10)}`;
    // Of a file that was committed with the line ends of Windows, both checkouts are the same.
    return same(found.input) === same(deployed) ? undefined : "the input of another state";
  }

  /** Why the sentences do not name the package that is not here. */
  function unnamed({ found, missing }: CommitSearchResult, { installed }: MadeCommit): string | undefined {
    if (found?.verdict === "exact_match") return "found without its package";
    const isNamed = missing.some(
      (sentence) => sentence.includes("@acme/math") && sentence.includes(installed),
    );
    return isNamed ? undefined : `does not name ${installed}: ${missing.join(" ") || "nothing"}`;
  }

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
      const path = history.commits.at(-1)?.contractPath ?? "";
      const { found, missing } = await search(copy, path, deployedBy(input), deployedCommit.time);
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
      const path = history.commits.at(-1)?.contractPath ?? "";
      const { found, missing } = await search(clone, path, deployedBy(input));
      assert.equal(found, undefined);
      assert.match(missing.join(" "), /git fetch --unshallow/);
    } finally {
      history.remove();
      rmSync(clone, { recursive: true, force: true });
    }
  });
});
