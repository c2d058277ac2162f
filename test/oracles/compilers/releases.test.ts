import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { isWholeProof } from "../../rig/proofSize.ts";
import { startCompilerList, type ListedCompiler } from "../../sandbox/compilerList.ts";
import { manyCompilers } from "../../sandbox/listedCompilers.ts";
import { SolidityCompilers } from "../../sandbox/solidityCompilers.ts";
import { random } from "../../unit/random.ts";
import { startLocalWorld, type LocalWorld } from "./localWorld.ts";

const INPUT = {
  language: "Solidity",
  sources: { "A.sol": { content: "contract A { uint public x; function add(uint y) public { x += y; } }" } },
  settings: { outputSelection: { "*": { "*": ["evm.bytecode.object", "metadata"] } } },
};

/** Releases between the oldest and the newest that a sample fetches and runs. */
const BETWEEN = 2;

/** The oldest, the newest, and some between them, in their order. */
function drawn(compilers: readonly ListedCompiler[]): readonly ListedCompiler[] {
  const dice = random("releases");
  const left = [...compilers.slice(1, -1)];
  while (left.length > BETWEEN) left.splice(dice.below(left.length), 1);
  return [...compilers.slice(0, 1), ...left, ...compilers.slice(-1)];
}

describe("Releases from the first that takes standard JSON input to the newest", () => {
  let compilers: readonly ListedCompiler[];
  let local: LocalWorld;
  before(async () => {
    compilers = await manyCompilers();
    local = await startLocalWorld(compilers);
  });
  after(() => local.stop());

  it("are listed with the hashes that their files have", async () => {
    assert.ok(compilers.length >= 10, `${compilers.length}`);
    const list = (await (await fetch(local.list.listUrl)).json()) as {
      readonly builds: readonly { readonly longVersion: string; readonly sha256: string }[];
    };
    assert.deepEqual(
      list.builds.map(({ longVersion, sha256 }) => [longVersion, sha256]),
      compilers.map(({ longVersion, sha256 }) => [longVersion, `0x${sha256}`]),
    );
  });

  it("are fetched, run, and compile as npm's own do", async () => {
    const tried = isWholeProof() ? compilers : drawn(compilers);
    const npm = new SolidityCompilers(
      new Map(compilers.map(({ longVersion, file }) => [longVersion.split("+")[0] ?? "", file])),
    );
    try {
      for (const { longVersion, sha256 } of tried) {
        const asked = await local.compilers.ask(
          longVersion,
          { kind: "compile", input: JSON.stringify(INPUT) },
          { mayDownload: () => Promise.resolve(true) },
        );
        assert.ok(asked, longVersion);
        assert.equal(asked.compiler.sha256, sha256);
        assert.ok(asked.compiler.version.startsWith(longVersion), asked.compiler.version);
        const output = JSON.parse(asked.answer) as Awaited<ReturnType<SolidityCompilers["compile"]>>;
        const code = output?.contracts?.["A.sol"]?.["A"]?.evm.bytecode.object ?? "";
        assert.ok(code.length > 100, `${longVersion}: ${asked.answer}`);
        assert.deepEqual(output, await npm.compile(longVersion, INPUT), longVersion);
      }
    } finally {
      await npm.stop();
    }
    console.log(
      `${tried.length} releases: ${tried.map(({ longVersion }) => longVersion.split("+")[0]).join(", ")}`,
    );
  });

  it("don't run where one byte of their file is another one", async () => {
    const [first, ...others] = compilers;
    assert.ok(first);
    const wrong = await startCompilerList({ compilers, wrong: [first.longVersion] });
    const world = await startLocalWorld(compilers, 2, wrong);
    try {
      const ask = (longVersion: string) =>
        world.compilers.ask(
          longVersion,
          { kind: "compile", input: JSON.stringify(INPUT) },
          { mayDownload: () => Promise.resolve(true) },
        );
      await assert.rejects(
        ask(first.longVersion),
        (error) => error instanceof LedgerLensError && error.code === "compiler_refused",
      );
      assert.deepEqual(await world.store.list(), []);
      assert.ok(await ask(others.at(-1)?.longVersion ?? ""));
    } finally {
      await world.stop();
    }
  });
});
