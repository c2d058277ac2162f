import { bytesToHex } from "@noble/hashes/utils.js";
import { codeBytes } from "../../../src/core/evm/hex.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeCbor } from "../../../src/core/evm/cbor.ts";
import { FilesBeginningAlike, ipfsCid, ipfsMultihash } from "../../../src/core/evm/ipfsHash.ts";
import { findAuxdata, hashText, lastAuxdata } from "../../../src/core/evm/auxdata.ts";
import { swarmHash0, swarmHash1 } from "../../../src/core/evm/swarmHash.ts";
import { random } from "../random.ts";
import { recordedCompilations } from "./recordedCompilations.ts";
import { compile, contract } from "./solc.ts";

const source = "contract A { uint256 public x; function set(uint256 y) external { x = y; } }";
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("The auxdata that a compiler leaves", () => {
  it("names the release and carries solc's metadata hash, in every form", () => {
    for (const [settings, kind] of [
      [{}, "ipfs"],
      [{ metadata: { bytecodeHash: "bzzr1" } }, "bzzr1"],
      [{ metadata: { bytecodeHash: "none" } }, undefined],
    ] as const) {
      const { evm, metadata } = contract(compile(source, settings), "A");
      const auxdata = lastAuxdata(codeBytes(evm.deployedBytecode.object));
      assert.equal(auxdata?.language, "Solidity");
      assert.equal(auxdata.compilerVersion, "0.8.37");
      assert.equal(auxdata.hash?.kind, kind);
      const file = bytesOf(metadata);
      if (kind === "ipfs") assert.equal(auxdata.hash?.digest, bytesToHex(ipfsMultihash(file)));
      if (kind === "bzzr1") assert.equal(auxdata.hash?.digest, bytesToHex(swarmHash1(file)));
    }
  });

  it("is absent with appendCBOR off", () => {
    const { evm } = contract(compile(source, { metadata: { appendCBOR: false } }), "A");
    assert.deepEqual(findAuxdata(codeBytes(evm.deployedBytecode.object)), []);
  });

  it("hashes metadata of more than one chunk as solc does", () => {
    // 300 KiB are two chunks for IPFS and many for Swarm.
    const long = `${source} // ${"z".repeat(300 * 1024)}`;
    for (const bytecodeHash of ["ipfs", "bzzr1"]) {
      const settings = { metadata: { bytecodeHash, useLiteralContent: true } };
      const { evm, metadata } = contract(compile(long, settings), "A");
      const file = bytesOf(metadata);
      assert.ok(file.length > 256 * 1024);
      const hash = bytecodeHash === "ipfs" ? ipfsMultihash(file) : swarmHash1(file);
      assert.equal(lastAuxdata(codeBytes(evm.deployedBytecode.object))?.hash?.digest, bytesToHex(hash));
    }
  });

  it("is hashed as one where many files begin alike, whatever their length", () => {
    const start = bytesOf("a".repeat(200));
    const alike = new FilesBeginningAlike(start);
    for (const length of [0, 1, 7, 7, 8, 300, 20_000, 256 * 1024 - 200, 256 * 1024, 300 * 1024]) {
      const rest = bytesOf(String(length).repeat(length).slice(0, length));
      const whole = ipfsMultihash(Buffer.concat([start, rest]));
      assert.deepEqual(alike.multihash(rest.subarray(0, 3), rest.subarray(3)), whole, `${length}`);
    }
    const nothing = bytesOf("");
    assert.deepEqual(new FilesBeginningAlike(nothing).multihash(nothing, nothing), ipfsMultihash(nothing));
  });

  it("is read of the older releases, with their Swarm hashes", () => {
    for (const { compiler, runtimeCode, metadata } of recordedCompilations) {
      if (metadata === undefined) continue;
      const auxdata = lastAuxdata(codeBytes(runtimeCode));
      const file = bytesOf(metadata.replace("…", "y".repeat(5_000)));
      const isOld = !compiler.includes("0.5.17");
      assert.equal(auxdata?.hash?.kind, isOld ? "bzzr0" : "bzzr1", compiler);
      assert.equal(auxdata.hash.digest, bytesToHex(isOld ? swarmHash0(file) : swarmHash1(file)), compiler);
      assert.equal(auxdata.compilerVersion, isOld ? undefined : "0.5.17");
    }
  });

  it("is read of Vyper in every form", () => {
    const map = "a1657679706572830003";
    const code = "6001600255";
    const older = lastAuxdata(codeBytes(`${code}${map}03`));
    assert.deepEqual([older?.language, older?.compilerVersion, older?.start], ["Vyper", "0.3.3", 5]);
    const old = findAuxdata(codeBytes(`${code}${map}07000b`));
    assert.deepEqual(old, [
      { start: 5, end: 18, language: "Vyper", compilerVersion: "0.3.7", experimental: false },
    ]);
    for (const { compiler, runtimeCode, creationCode } of recordedCompilations) {
      if (creationCode === undefined) continue;
      assert.deepEqual(findAuxdata(codeBytes(runtimeCode)), [], compiler);
      const [auxdata, ...others] = findAuxdata(codeBytes(creationCode));
      assert.deepEqual(others, [], compiler);
      assert.equal(`Vyper ${auxdata?.compilerVersion ?? ""}`, compiler.split(",")[0]);
      assert.equal(auxdata?.layout?.immutablesLength, 32);
      assert.equal(auxdata.layout.runtimeLength, codeBytes(runtimeCode).length);
      assert.equal(auxdata.layout.integrity !== undefined, compiler.includes("0.4.3"));
    }
  });

  it("is found with constructor arguments behind it, and once for each contract of a factory", () => {
    const contracts = compile(
      "contract A { uint256 public immutable a; constructor(uint256 b) { a = b; } } contract B { function f() external returns (address) { return address(new A(1)); } }",
    );
    const { evm } = contract(contracts, "B");
    const own = findAuxdata(codeBytes(evm.deployedBytecode.object));
    assert.equal(own.length, 2);
    assert.notEqual(own[0]?.hash?.digest, own[1]?.hash?.digest);
    assert.equal(findAuxdata(codeBytes(`${evm.bytecode.object}${"00".repeat(64)}`)).length, 2);
  });

  it("is written as people know it", () => {
    // The example of the IPFS documentation for "hello world" and a line break.
    assert.equal(ipfsCid(bytesOf("hello world\n")), "QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o");
    const digest = bytesToHex(ipfsMultihash(bytesOf("hello world\n")));
    assert.equal(hashText({ kind: "ipfs", digest }), "ipfs://QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o");
  });

  it("is never invented and never breaks the reader, whatever the bytes", () => {
    const { below } = random("auxdata in noise");
    let found = 0;
    for (let round = 0; round < 2_000; round++) {
      const bytes = Uint8Array.from({ length: 1 + below(300) }, () => below(256));
      found += findAuxdata(bytes).length;
      const start = below(bytes.length);
      decodeCbor(bytes, start, start + below(40));
    }
    assert.equal(found, 0);
  });
});
