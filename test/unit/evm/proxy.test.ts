import { codeBytes } from "../../../src/core/evm/hex.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { disassemble } from "../../../src/core/evm/disassembly.ts";
import { delegatedTo, findProxy } from "../../../src/core/evm/proxy.ts";

const BEACON = "a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";
const IMPLEMENTATION = "360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
const AT = "5fbdb2315678afecb367f032d93f642f64180aa3";

/** What solady 0.1 deploys (`LibClone.sol`), each as a chain had it. */
const SOLADY: readonly (readonly [code: string, kind: string, value: string])[] = [
  [`3d3d3d3d363d3d37363d73${AT}5af43d3d93803e602a57fd5bf3`, "EIP-1167", `0x${AT}`],
  [`363d3d373d3d3d363d73${AT}5af43d82803e903d91602b57fd5bf3`, "EIP-1167", `0x${AT}`],
  [`5f5f365f5f37365f73${AT}5af43d5f5f3e6029573d5ffd5b3d5ff3`, "EIP-1167", `0x${AT}`],
  [
    `363d3d373d3d363d7f${IMPLEMENTATION}545af43d6000803e6038573d6000fd5b3d6000f3`,
    "EIP-1967",
    `0x${IMPLEMENTATION}`,
  ],
  [
    `365814604357363d3d373d3d363d7f${IMPLEMENTATION}545af43d6000803e603e573d6000fd5b3d6000f35b6020600f3d393d51543d52593df3`,
    "EIP-1967",
    `0x${IMPLEMENTATION}`,
  ],
  [
    `363d3d373d3d363d602036600436635c60da1b60e01b36527f${BEACON}545afa5036515af43d6000803e604d573d6000fd5b3d6000f3`,
    "EIP-1967 beacon",
    `0x${BEACON}`,
  ],
  [
    `363d3d373d3d363d602036600436635c60da1b60e01b36527f${BEACON}545afa361460525736515af43d600060013e6052573d6001fd5b3d6001f3`,
    "EIP-1967 beacon",
    `0x${BEACON}`,
  ],
];

describe("A proxy that was put together byte by byte", () => {
  it("is known by what it does, with arguments behind it and without", () => {
    for (const [code, kind, value] of SOLADY)
      for (const behind of ["", "112233", "00".repeat(64)]) {
        const proxy = findProxy(disassemble(codeBytes(`0x${code}${behind}`)));
        assert.deepEqual([proxy?.kind, proxy?.implementation ?? proxy?.slot], [kind, value], code + behind);
      }
  });
});

describe("An account that delegates", () => {
  it("is known by the whole of its code, and names whose code runs", () => {
    assert.equal(delegatedTo(codeBytes(`0xef0100${AT}`)), `0x${AT}`);
    for (const other of [`0xef0100${AT}00`, `0xef0001${AT}`, "0xef0100", "0x"])
      assert.equal(delegatedTo(codeBytes(other)), undefined);
  });
});
