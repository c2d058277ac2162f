import assert from "node:assert/strict";
import { globSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { WorkspaceIndex } from "../../src/core/workspace/workspaceIndex.ts";
import { isWholeProof, proofSize } from "../rig/proofSize.ts";
import { random, randomFrom } from "../unit/random.ts";
import { startCompilerPrograms, type CompilerPrograms } from "./compilerPrograms.ts";
import { diskFiles } from "../../src/core/files/diskFiles.ts";
import { lockedPackages, oraclePackages } from "./oraclePackages.ts";
import { solcPackages } from "./solcPackages.ts";
import { compareProject, type Comparison, type Outcome, type Skipped } from "./toolProjects/comparison.ts";
import { PROJECT_KINDS, randomProject, type ProjectKind } from "./toolProjects/randomProject.ts";
import { ToolHome } from "./toolProjects/toolRuns.ts";

/** Projects of each kind. */
const PROJECTS = proofSize({ sample: 1, whole: 45 });

/** The sample is of the same projects every time; what is drawn anew is held in `npm run test:long`. */
const SAMPLE_SEED = 9_000_027;

const TOOLS: Readonly<Record<ProjectKind, string>> = {
  hardhat2: "Hardhat 2",
  hardhat3: "Hardhat 3",
  foundry: "forge",
  paired2: "Hardhat 2 and forge together",
  paired3: "Hardhat 3 and forge together",
};

describe("A project of a shape that people have", () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "ledger-lens-projects-")));
  let programs: CompilerPrograms;
  let home: ToolHome;

  before(async () => {
    const packages = await oraclePackages();
    const plugins = await lockedPackages(
      join(import.meta.dirname, "toolProjects/packages"),
      "--legacy-peer-deps",
    );
    const solcs = solcPackages(packages);
    programs = await startCompilerPrograms(solcs);
    home = new ToolHome(join(base, "home"), { packages, plugins, programs, solcs });
  });

  after(async () => {
    await programs.stop();
    rmSync(base, { recursive: true, force: true });
  });

  for (const kind of PROJECT_KINDS) {
    it(`compiles to what ${TOOLS[kind]} built, with its output and without`, async () => {
      const dice = isWholeProof() ? random(`${TOOLS[kind]}, projects`) : undefined;
      const found: {
        readonly comparison: Comparison;
        readonly seed: number;
        readonly isComputed: boolean;
      }[] = [];
      const skipped: Skipped[] = [];
      let refused = 0;
      let tried = 0;
      const shared = () => found.filter(({ comparison }) => /\/S\d+\.sol:/.test(comparison.contract));
      const above = () => found.filter(({ comparison }) => comparison.contract.startsWith("../"));
      // Few projects share folders, and all of them may be missing among those that are drawn first.
      const isWithShared = () =>
        !isWholeProof() || kind !== "foundry" || (shared().length > 0 && above().length > shared().length);
      let built = 0;
      while (built < PROJECTS || (!isWithShared() && built < 5 * PROJECTS)) {
        const seed = dice ? dice.below(2 ** 32) : SAMPLE_SEED + tried;
        tried++;
        const project = randomProject(randomFrom(seed), programs.compilers.versions, kind);
        const folder = join(base, `${kind}-${built}`);
        mkdirSync(folder);
        const result = await compareProject(folder, project, home, programs);
        rmSync(folder, { recursive: true });
        // What its own tool refuses is no project.
        refused += result.refused.length;
        assert.ok(refused <= 5 * Math.max(built, PROJECTS) + 10, result.refused[0]?.output);
        // One in which nothing may leave the open folder, or all is computed, shows too little.
        if (result.comparisons.some(({ outcome }) => !["outside", "question", "told"].includes(outcome)))
          built++;
        skipped.push(...result.skipped);
        const { isComputed } = project;
        for (const comparison of result.comparisons) found.push({ comparison, seed, isComputed });
      }
      const count = (outcome: Outcome) =>
        found.filter(({ comparison }) => comparison.outcome === outcome).length;
      const questions = found.filter(
        ({ comparison, isComputed }) => comparison.outcome === "question" && !isComputed,
      );
      console.log(
        `${TOOLS[kind]}: ${found.length} compared in ${built} projects, equal ${count("equal")}, wrong ${count("wrong")}, questions ${count("question")} (of these ${questions.length} where nothing is computed), undecided between tools, which is told, ${count("told")}, outside the open folder ${count("outside")}, other refusals ${count("error")}, equal but for names from the root of the machine ${count("renamed")}, of files above the project ${above().length}, of these in folders that projects share ${shared().length}; not compared: ${inCounts(skipped)}`,
      );
      const wrong = found.filter(({ comparison }) => ["wrong", "error"].includes(comparison.outcome));
      assert.equal(wrong.length, 0, wrong.slice(0, 5).map(inWords).join("\n\n"));
      assert.equal(questions.length, 0, questions.slice(0, 5).map(inWords).join("\n\n"));
      assert.ok(count("equal") > 0);
      assert.ok(isWithShared());
    });
  }

  for (const tool of ["Hardhat 2", "Hardhat 3"] as const)
    it(`has its variables laid out as ${tool} keeps it, in its build record alone`, async () => {
      const root = join(base, `layout-${tool.replace(" ", "")}`);
      const version = programs.compilers.versions.at(-1) ?? "";
      const solidity = {
        version,
        settings: { outputSelection: { "*": { "*": ["storageLayout"] } } },
      };
      const run = { tool, artifacts: "artifacts", outputs: ["artifacts", "cache"] };
      const isThird = tool === "Hardhat 3";
      home.write(root, {
        shape: "one contract, with storageLayout",
        files: {
          "package.json": JSON.stringify({ name: "shelf", ...(isThird && { type: "module" }) }),
          "hardhat.config.js": `${isThird ? "export default" : "module.exports ="} ${JSON.stringify({ solidity })};`,
          "contracts/deep/Shelf.sol":
            "// SPDX-License-Identifier: MIT\npragma solidity >=0.5.0;\ncontract Shelf { address owner; bool paused; mapping(address => uint256) balances; }\n",
        },
        root: "",
        open: "",
        runs: [run],
        isComputed: false,
      });
      const { built, output } = await home.build(root, run);
      assert.ok(built, output);
      const index = new WorkspaceIndex({
        files: diskFiles,
        finder: {
          find: () =>
            Promise.resolve(
              globSync("artifacts/**/*.json", { cwd: root })
                .map((one) => join(root, one))
                .filter((one) => !one.includes("build-info")),
            ),
        },
        folders: () => [root],
      });
      const path = join(root, "contracts/deep/Shelf.sol");
      const layout = await index.storageLayoutOf({ name: "Shelf", path });
      assert.deepEqual(
        layout?.storage.map(({ label, slot, offset }) => [label, slot, offset]),
        [
          ["owner", "0", 0],
          ["paused", "0", 20],
          ["balances", "1", 0],
        ],
      );
    });
});

/** "not open 3, without an artifact 2" */
function inCounts(reasons: readonly string[]): string {
  const counted = [...new Set(reasons)].map(
    (reason) => `${reason} ${reasons.filter((one) => one === reason).length}`,
  );
  return counted.join(", ") || "none";
}

function inWords({ comparison, seed }: { readonly comparison: Comparison; readonly seed: number }): string {
  const { shape, contract, ground, deployed, detail } = comparison;
  return `seed ${seed}, ${shape}: ${contract} ${ground}${deployed === undefined ? "" : `, deployed by ${deployed}`}\n${detail}`;
}
