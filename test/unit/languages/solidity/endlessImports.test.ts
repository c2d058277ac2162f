import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  MAX_CLOSURE_SOURCES,
  solidityClosure,
  type ClosureEntry,
  type ImportResolver,
} from "../../../../src/core/languages/solidity/solidityClosure.ts";
import { sourceGraph } from "../../../../src/core/languages/solidity/sourceGraph.ts";

const entryOf = (name: string, text: string): ClosureEntry => ({
  name,
  source: { path: `/w/${name}`, bytes: new TextEncoder().encode(text) } as ClosureEntry["source"],
});

/** Each file imports one more; `ends` says after how many. */
const chain = (ends: number): ImportResolver => ({
  nameOf: (_, { name }) => name.replace(/\d+$/, (at) => String(Number(at) + 1)),
  find: (name) => {
    const isLast = Number(/\d+$/.exec(name)?.[0]) >= ends;
    return Promise.resolve(entryOf(name, isLast ? "" : 'import "next";').source);
  },
});

const tooMany = (name: string) => ({
  code: "too_many_sources",
  message: new RegExp(`^${name} leads to more than 10,000 sources, `),
});

describe("Imports without end", () => {
  it("are refused at one number, whether one file is compiled or all of a project", async () => {
    const [endless, last] = [chain(Infinity), chain(MAX_CLOSURE_SOURCES)];
    const entry = entryOf("A1", 'import "next";');
    await assert.rejects(solidityClosure(endless, entry, "/w"), tooMany("A1"));
    await assert.rejects(sourceGraph(endless, [entryOf("B1", ""), entry]), tooMany("A1"));
    assert.equal((await solidityClosure(last, entry, "/w")).length, MAX_CLOSURE_SOURCES);
    assert.equal((await sourceGraph(last, [entry])).units.size, MAX_CLOSURE_SOURCES);
  });

  it("are not those of a large project, of which no file leads to so many", async () => {
    const entries = ["A1", "B1", "C1"].map((name) => entryOf(name, 'import "next";'));
    const graph = await sourceGraph(chain(4_000), entries);
    assert.equal(graph.units.size, 12_000);
    assert.equal(graph.closureOf("C1").length, 4_000);
  });
});
