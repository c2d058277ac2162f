import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { StandardJsonInput } from "../../../src/core/sources/standardJsonInput.ts";
import { acceptedInput } from "../../../src/core/service/acceptedInput.ts";

const VYPER: StandardJsonInput = {
  language: "Vyper",
  sources: { "a.vy": { content: "import b" }, "twice.vyi": { content: "here" } },
  interfaces: {
    "b.vyi": { content: "x: uint256" },
    "c.json": { content: "[]" },
    "d.json": { abi: [] },
    "twice.vyi": { content: "there" },
  },
  storage_layout_overrides: { "a.vy": {} },
  integrity: "00",
  settings: { search_paths: ["."] },
};

describe("An input as the service takes it", () => {
  it("has the texts of Vyper's interfaces among the sources, and no checksum", () => {
    assert.deepEqual(acceptedInput(VYPER, "0.4.3+commit.bff19ea2"), {
      language: "Vyper",
      sources: { ...VYPER.sources, "b.vyi": { content: "x: uint256" }, "c.json": { content: "[]" } },
      interfaces: { "d.json": { abi: [] }, "twice.vyi": { content: "there" } },
      storage_layout_overrides: { "a.vy": {} },
      settings: { search_paths: ["."] },
    });
  });

  it("keeps the interfaces of a Vyper that would compile every source", () => {
    const { sources, interfaces, integrity } = acceptedInput(VYPER, "0.3.10+commit.91361694");
    assert.deepEqual([sources, interfaces, integrity], [VYPER.sources, VYPER.interfaces, undefined]);
  });

  it("is the very same for other languages", () => {
    const input: StandardJsonInput = { language: "Solidity", sources: {}, settings: {} };
    assert.equal(acceptedInput(input, "0.8.28"), input);
  });
});
