import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addressAt } from "../../../src/core/ledger/references/addressInText.ts";

const ADDRESS = "0x9d44A1b2c3d4e5f60718293a4b5c6d7e8f901688";

describe("The address at a place of a line", () => {
  it("is found wherever in it the pointer is, and nowhere else", () => {
    const line = `address constant VAULT = ${ADDRESS};`;
    const start = line.indexOf("0x");
    const found = { address: ADDRESS, start, end: start + 42 };
    for (const offset of [start, start + 20, start + 42]) assert.deepEqual(addressAt(line, offset), found);
    for (const offset of [0, start - 1, start + 43]) assert.equal(addressAt(line, offset), undefined);
  });

  it("is told from its neighbour", () => {
    const other = `0x${"5".repeat(40)}`;
    assert.equal(addressAt(`${ADDRESS},${other}`, 10)?.address, ADDRESS);
    assert.equal(addressAt(`${ADDRESS},${other}`, 60)?.address, other);
  });

  it("is one with underscores between its digits, too, as Solidity takes them", () => {
    const written = ADDRESS.replace(/(?<=^0x.{8}|^0x.{16}|^0x.{24}|^0x.{32})/g, "_");
    const line = `address constant VAULT = ${written};`;
    const start = line.indexOf("0x");
    const end = start + written.length;
    for (const offset of [start, start + 30, end])
      assert.deepEqual(addressAt(line, offset), { address: ADDRESS, start, end });
    assert.equal(addressAt(line, end + 1), undefined);
    const single = `0x${ADDRESS.slice(2).split("").join("_")}`;
    for (const offset of [0, single.length]) assert.equal(addressAt(single, offset)?.address, ADDRESS);
    for (const other of [written.replace("_", "__"), written.replace("0x", "0x_"), `${written}_00`])
      for (let offset = 0; offset <= other.length; offset++)
        assert.equal(addressAt(other, offset), undefined, other);
  });

  it("is no part of a hash, of a longer number or of a name", () => {
    for (const text of [
      `0x${"a".repeat(64)}`,
      `${ADDRESS}0`,
      `${ADDRESS}_`,
      `a${ADDRESS}`,
      ADDRESS.slice(0, -1),
    ])
      for (let offset = 0; offset <= text.length; offset++)
        assert.equal(addressAt(text, offset), undefined, text);
  });

  it("is found in a line of two megabytes", () => {
    const line = `${"0x".repeat(500_000)} ${ADDRESS} ${"0x".repeat(500_000)}`;
    assert.equal(addressAt(line, 1_000_010)?.address, ADDRESS);
  });
});
