import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import {
  remappingResolver,
  solidityClosure,
} from "../../../../src/core/languages/solidity/solidityClosure.ts";
import { AdmittedSources } from "../../../../src/core/sources/admittedSources.ts";
import { SourceFinder } from "../../../../src/core/sources/sourceLookup.ts";
import { joinPath } from "../../../../src/core/files/fileReader.ts";
import { memoryFiles } from "../../files/memoryFiles.ts";
import { proofSize } from "../../../rig/proofSize.ts";
import { random, type Random } from "../../random.ts";

/** The part of solc's own JavaScript interface that is used here. */
interface Solc {
  compile(
    input: string,
    callbacks: { import: (name: string) => { contents: string } | { error: string } },
  ): string;
}

const solc = createRequire(import.meta.url)("solc") as Solc;
const FOLDER = "/p";
const GRAPHS = proofSize({ sample: 80, whole: 2_500 });

interface Graph {
  /** Contents by absolute path. */
  readonly files: Readonly<Record<string, string>>;
  readonly entry: string;
  readonly remappings: readonly string[];
}

const SEGMENTS = ["a", "b", "lib", "src", "@o"] as const;

function graph(dice: Random): Graph {
  const folder = () => Array.from({ length: dice.below(4) }, () => dice.pick(SEGMENTS)).join("/");
  const names = Array.from({ length: 3 + dice.below(6) }, () =>
    joinPath("/", `${folder()}/${dice.pick(["A", "B", "C"])}.sol`).slice(1),
  );
  const prefix = () => dice.pick(["a/", "a", "@o/", "lib/", "lib/a/", "x/", "x/y/", "b/B.sol", "../a/"]);
  const context = () => dice.pick(["", "", "", "src", "src/", "lib/", "a/b", "lib/a/", "@o"]);
  const target = () =>
    dice.pick(["a/", "src/", "lib/", "lib/src/", "./a/", "", "b//", "zz/../a/", "@o/a/", "nowhere/"]);
  const remappings = Array.from({ length: dice.below(6) }, () => {
    const given = context();
    return `${given === "" ? dice.pick(["", ":"]) : `${given}:`}${prefix()}=${target()}`;
  });
  const importOf = (name: string) => {
    switch (dice.below(6)) {
      case 0:
        return `./${name.slice(name.lastIndexOf("/") + 1)}`;
      case 1:
        return `${"../".repeat(1 + dice.below(3))}${name}`;
      case 2:
        return dice.pick([
          "./../a/A.sol",
          ".././b//B.sol",
          "./lib/./C.sol",
          "x/A.sol",
          "x/y/B.sol",
          "a//A.sol",
          "./a/../A.sol",
        ]);
      case 3:
        return `${prefix()}${dice.pick(["A", "B", "C"])}.sol`;
      default:
        return name;
    }
  };
  const pickName = () => names[dice.below(names.length)] ?? "A.sol";
  const statement = (path: string) =>
    dice.pick([
      `import "${path}";`,
      `import * as M from '${path}';`,
      `/* import "no.sol"; */ import"${path}"/*;*/;`,
    ]);
  const files = Object.fromEntries(
    names.map((name) => [
      joinPath(FOLDER, name),
      `// SPDX-License-Identifier: MIT\npragma solidity >=0.8.0;\n${Array.from({ length: dice.below(4) }, () => statement(importOf(pickName()))).join("\n")}\n`,
    ]),
  );
  return { files, entry: names[0] ?? "A.sol", remappings };
}

/** The source units that solc itself asks for, and the first that it does not get. */
function bySolc({ files, entry, remappings }: Graph): { names: string[]; missing: Set<string> } {
  const names = new Set([entry]);
  const missing = new Set<string>();
  const input = {
    language: "Solidity",
    sources: { [entry]: { content: files[joinPath(FOLDER, entry)] } },
    settings: { remappings },
  };
  solc.compile(JSON.stringify(input), {
    import: (name) => {
      const contents = isNowhere(name) ? undefined : files[joinPath(FOLDER, name)];
      if (contents === undefined) {
        missing.add(name);
        return { error: "not there" };
      }
      names.add(name);
      return { contents };
    },
  });
  return { names: [...names].sort(), missing };
}

/**
 * True for a name that no file can have: it leads above the project's folder on its way, is absolute, or has grown
 * too long, as remappings that apply to their own result make names grow.
 */
function isNowhere(name: string): boolean {
  let depth = 0;
  for (const segment of name.split("/")) {
    if (segment === "..") depth--;
    else if (segment !== "" && segment !== ".") depth++;
    if (depth < 0) return true;
  }
  return name.startsWith("/") || name.length > 100;
}

async function byUs({ files, entry, remappings }: Graph): Promise<{ names: string[]; missing: Set<string> }> {
  const empty = `${FOLDER}/missing`;
  const sources = await AdmittedSources.of(memoryFiles({ ...files, [empty]: "" }), { folders: [FOLDER] });
  const admitted = async (path: string) => {
    const source = await sources.at(path);
    return source && "bytes" in source ? source : assert.fail(path);
  };
  const finder = new SourceFinder(sources, { project: FOLDER });
  const resolver = remappingResolver(finder, remappings);
  const missing = new Set<string>();
  const path = joinPath(FOLDER, entry);
  const closure = await solidityClosure(
    {
      ...resolver,
      // A missing file ends neither solc's walk nor, here, ours.
      find: async (name) => {
        const found = isNowhere(name) ? { lookedIn: [] } : await resolver.find(name);
        if ("bytes" in found) return found;
        missing.add(name);
        return admitted(empty);
      },
    },
    { name: entry, source: await admitted(path) },
    FOLDER,
  );
  return {
    names: closure
      .map(({ name }) => name)
      .filter((name) => !missing.has(name))
      .sort(),
    missing,
  };
}

describe("A random graph of imports", () => {
  it(`is walked as solc walks it, with any remappings (${GRAPHS.toLocaleString("en")} graphs)`, async () => {
    const dice = random("import graphs");
    let remapped = 0;
    let largest = 0;
    let unresolved = 0;
    for (let at = 0; at < GRAPHS; at++) {
      const one = graph(dice);
      const ours = await byUs(one);
      const theirs = bySolc(one);
      assert.deepEqual(ours, theirs, JSON.stringify(one, undefined, 1));
      largest = Math.max(largest, ours.names.length);
      if (one.remappings.length > 0 && ours.names.length > 1) remapped++;
      if (ours.missing.size > 0) unresolved++;
    }
    console.log(
      `graphs with remappings and imports: ${remapped}, with a missing file: ${unresolved}, largest: ${largest} units`,
    );
    assert.ok(remapped > GRAPHS / 4, "remappings took part");
    assert.ok(largest >= 5, "graphs have depth");
  });
});
