import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { workspaceDeployments } from "../../../src/core/workspace/workspaceDeployments.ts";
import { SOURCE_GLOB } from "../../../src/core/workspace/contracts.ts";
import { WorkspaceIndex } from "../../../src/core/workspace/workspaceIndex.ts";
import { longestBlock } from "../../rig/longestBlock.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";

const ROOT = "/w";
const SOURCES = 5_000;
const IN_A_FOLDER = 500;
/**
 * Work of the thread: 50 to 70 ms, with room for a collection of the garbage of all tests of this process on a busy machine,
 * which took 199. What has no turns takes seconds.
 */
const LONGEST_MS = 400;
/** `f()` */
const SELECTOR = "0x26121ff0";

/** A contract that imports them all, and a project around it. */
function manySources(): Record<string, string> {
  const libraries = Array.from({ length: SOURCES }, (_, at): [string, string] => [
    `src/d${Math.floor(at / IN_A_FOLDER)}/L${at}.sol`,
    `library L${at} { function f() external pure returns (uint256) { return ${at}; } }\n`,
  ]);
  const imports = libraries.map(([name]) => `import "./${name.slice("src/".length)}";\n`).join("");
  return below(ROOT, {
    "foundry.toml": "[profile.default]\n",
    "src/Main.sol": `${imports}contract Main { function main() external {} }\n`,
    ...Object.fromEntries(libraries),
  }) as Record<string, string>;
}

describe(`A workspace of ${SOURCES.toLocaleString("en-US")} sources`, () => {
  const files = manySources();
  const sources = Object.keys(files).filter((path) => path.endsWith(".sol"));
  const index = new WorkspaceIndex({
    files: memoryFolders(files),
    finder: { find: (include) => Promise.resolve(include === SOURCE_GLOB ? sources : []) },
    folders: () => [ROOT],
  });

  async function holdsUpNothing(what: string, work: () => Promise<unknown>): Promise<void> {
    const { blockMs } = await longestBlock(work);
    console.log(`${what}: longest block ${blockMs.toFixed(1)} ms`);
    assert.ok(blockMs <= LONGEST_MS, `${what} held up the event loop for ${blockMs} ms`);
  }

  it("lets others have their turn while its contracts and functions are found", async () => {
    await holdsUpNothing("contracts", () => index.contracts());
    assert.equal((await index.contracts()).length, SOURCES + 1);
    await holdsUpNothing("functions", () => index.members("function", SELECTOR));
    assert.equal((await index.members("function", SELECTOR)).length, 1);
  });

  it("lets others have their turn while its deployments are found", async () => {
    const contracts = await index.contracts();
    await holdsUpNothing("deployments", () => workspaceDeployments(memoryFolders(files), [ROOT], contracts));
  });

  it("lets others have their turn while it is read again after a change", async () => {
    await index.members("function", SELECTOR);
    const path = `${ROOT}/src/d0/L0.sol`;
    const { [path]: before = "" } = files;
    files[path] = before.replace("f()", "g()");
    index.invalidate(path);
    await holdsUpNothing("contracts after a change", () => index.contracts());
    await holdsUpNothing("functions after a change", () => index.members("function", SELECTOR));
    assert.equal((await index.members("function", "0xe2179b8e")).length, 1);
  });
});
