// Real Vyper says of the modules of random projects which of them can be deployed for themselves; the ones that it
// refuses because something that they use is never initialized are not offered, and all others are.
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { WorkspaceIndex } from "../../src/core/workspace/workspaceIndex.ts";
import { proofSize } from "../rig/proofSize.ts";
import { vyperEnvironment } from "../sandbox/vyperEnvironment.ts";
import { mapFinder } from "../unit/workspace/mapFinder.ts";
import { random, type Random } from "../unit/random.ts";
import { diskFiles } from "../../src/core/files/diskFiles.ts";
import { run } from "./vyper/vyperPrograms.ts";

const COMPILE = `
import contextlib, json, pathlib, sys, warnings
warnings.simplefilter("ignore")
from vyper.cli.vyper_compile import compile_files
said = {}
for name in json.load(sys.stdin):
    try:
        with contextlib.redirect_stdout(sys.stderr):
            compile_files([name], ["bytecode"], paths=[str(pathlib.Path(name).parent)])
        said[name] = ""
    except Exception as problem:
        said[name] = str(problem) or type(problem).__name__
print(json.dumps(said))
`;

/** A module of a project that is drawn. */
interface Drawn {
  readonly name: string;
  readonly uses: readonly string[];
  readonly initializes: readonly string[];
}

/** Modules in the order in which they import each other; each may use, initialize or leave alone those before it. */
function drawnProject(dice: Random): Drawn[] {
  const modules: Drawn[] = [];
  for (let at = 0; at < 4 + dice.below(8); at++) {
    const before = modules.map(({ name }) => name);
    const some = before.filter(() => dice.below(3) === 0).slice(0, 4);
    const uses = some.filter(() => dice.below(2) === 0);
    const rest = some.filter((name) => !uses.includes(name) || dice.below(8) === 0);
    // What an initialized module uses has to be there for it.
    const initializes = new Set(rest);
    for (const name of rest) {
      const used = modules.find((one) => one.name === name)?.uses ?? [];
      for (const one of used) if (!uses.includes(one) && dice.below(4) > 0) initializes.add(one);
    }
    modules.push({ name: `m${at}`, uses, initializes: before.filter((name) => initializes.has(name)) });
  }
  return modules;
}

function sourceOf({ name, uses, initializes }: Drawn, all: readonly Drawn[], dice: Random): string {
  const usesOf = (other: string) => all.find((one) => one.name === other)?.uses ?? [];
  const imported = [...new Set([...uses, ...initializes, ...initializes.flatMap(usesOf)])];
  const alias = new Map(imported.map((one) => [one, dice.below(3) === 0 ? `${one}_in_${name}` : one]));
  const as = (one: string) => alias.get(one) ?? one;
  const nameIn = (module: string, one: string) => {
    const found = namesIn.get(module)?.get(one);
    return found ?? one;
  };
  const dependencies = (one: string) => {
    const used = usesOf(one);
    if (used.length === 0) return "";
    const pairs = used.map((inner) => `${nameIn(one, inner)} := ${as(inner)}`);
    return pairs.length === 1 ? `[${pairs[0] ?? ""}]` : `[(${pairs.join(", ")})]`;
  };
  namesIn.set(name, alias);
  const isTuple = uses.length > 1 && dice.below(2) === 0;
  return [
    "# pragma version ~=0.4.0",
    ...imported.map((one) => (as(one) === one ? `import ${one}` : `import ${one} as ${as(one)}`)),
    ...(isTuple
      ? [`uses: (\n    ${uses.map(as).join(",\n    ")}\n)`]
      : uses.map((one) => `uses: ${as(one)}`)),
    ...initializes.map((one) => `initializes: ${as(one)}${dependencies(one)}`),
    "count: uint256",
    "@external",
    "def step() -> uint256:",
    "    self.count += 1",
    `    return self.count${[...uses, ...initializes].map((one) => ` + ${as(one)}.count`).join("")}`,
    "",
  ].join("\n");
}

/** By module the names under which it imports others. */
const namesIn = new Map<string, ReadonlyMap<string, string>>();

describe("The modules of a Vyper project", () => {
  const folders: string[] = [];
  after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

  it("are offered where Vyper would deploy them", async (context) => {
    const environment = vyperEnvironment("0.4.3");
    if (!("bin" in environment)) {
      context.skip(environment.missing);
      return;
    }
    const dice = random("Vyper modules");
    const files = new Map<string, string>();
    for (let project = 0; project < proofSize({ sample: 3, whole: 200 }); project++) {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), "vyper-modules-")));
      folders.push(folder);
      namesIn.clear();
      const drawn = drawnProject(dice);
      for (const one of drawn) files.set(join(folder, `${one.name}.vy`), sourceOf(one, drawn, dice));
    }
    for (const [path, text] of files) writeFileSync(path, text);
    const paths = JSON.stringify([...files.keys()]);
    const python = join(environment.bin, "python");
    const said = JSON.parse(await run(python, ["-c", COMPILE], tmpdir(), {}, paths)) as Record<
      string,
      string
    >;
    const index = new WorkspaceIndex({
      files: diskFiles,
      finder: mapFinder(Object.fromEntries(files), folders),
      folders: () => folders,
    });
    const offered = new Set((await index.contracts()).map(({ path }) => path));
    const count = { alone: 0, refused: 0, other: 0 };
    for (const [path, problem] of Object.entries(said)) {
      const isUninitialized = problem.includes("used but never initialized");
      if (problem !== "" && !isUninitialized) count.other++;
      else {
        count[isUninitialized ? "refused" : "alone"]++;
        assert.equal(offered.has(path), !isUninitialized, `${path}: ${problem}\n${files.get(path) ?? ""}`);
      }
    }
    console.log(
      `Vyper modules: ${count.alone} that can be deployed, ${count.refused} that can't, ${count.other} that Vyper refuses for another reason`,
    );
    assert.ok(count.alone > 0 && count.refused > 0, "both kinds were met");
  });
});
