import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { diamondFacets } from "../../../src/core/chains/diamondFacets.ts";
import { implementationOf } from "../../../src/core/chains/proxyImplementation.ts";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { encodedAddress, isAddress, storedAddress, ZERO_ADDRESS } from "../../../src/core/evm/address.ts";
import { topicOf } from "../../../src/core/evm/abiEntry.ts";
import { readAs } from "../../../src/core/json/shape.ts";
import { knownSolcSettings } from "../../../src/core/languages/solidity/knownSolcSettings.ts";
import { calledAddress, hexDigits, selectorOf } from "../../../src/core/ledger/actions/contractAction.ts";
import { addressShape } from "../../../src/core/ledger/requests/ledgerShapes.ts";
import { loggedMoves } from "../../../src/core/ledger/transactions/loggedMoves.ts";
import { immutablesInWordsInPieces } from "../../../src/core/matching/immutables.ts";
import { checkAddress } from "../../../src/core/service/parameters.ts";
import { recordedAddress } from "../../../src/core/tools/deployment.ts";

const DIGITS = "5fbdb2315678afecb367f032d93f642f64180aa3";

describe("An address", () => {
  it("is one in a call, in a record of the ledger or of a tool, in settings and in a submission, or nowhere", () => {
    const everywhere = (address: string) => [
      isAddress(address),
      readAs(addressShape, address) !== undefined,
      calledAddress({ to: address }) !== undefined,
      recordedAddress(address) !== undefined,
      knownSolcSettings({ "A.sol": "" })({ libraries: { "A.sol": { L: address } } }, "").length === 0,
      isSubmitted(address),
    ];
    for (const address of [`0x${DIGITS}`, `0x${DIGITS.toUpperCase()}`])
      assert.deepEqual(everywhere(address), Array(6).fill(true), address);
    for (const other of [`0X${DIGITS}`, DIGITS, `0x${DIGITS}0`, `0x${DIGITS.slice(1)}`, `0x${DIGITS}\n.`, ""])
      assert.deepEqual(everywhere(other), Array(6).fill(false), other);
  });

  it("is no more of an address where other hex is meant: 0X begins no data of a call either", () => {
    assert.equal(hexDigits("0xA9059CBB"), "a9059cbb");
    assert.equal(selectorOf({ input: "0xA9059CBB00" }), "0xa9059cbb");
    assert.deepEqual([hexDigits("0Xa9059cbb"), selectorOf({ input: "0Xa9059cbb00" })], ["", undefined]);
  });
});

describe("An address in a word of 32 bytes", () => {
  const clean = `0x${"0".repeat(24)}${DIGITS}`;
  const dirty = `0x${"0".repeat(23)}1${DIGITS}`;
  const address = `0x${DIGITS}`;
  const nowhere = `0x${"0".repeat(64)}`;

  it("lies behind twelve zero bytes where the ABI has it, and in the low twenty bytes where storage has it", () => {
    assert.deepEqual(
      [encodedAddress(clean), encodedAddress(clean.slice(2).toUpperCase())],
      [address, address],
    );
    assert.deepEqual(
      [storedAddress(clean), storedAddress(dirty), storedAddress(address)],
      Array(3).fill(address),
    );
    assert.equal(storedAddress("0x0"), ZERO_ADDRESS);
    for (const other of [dirty, address, "0x", `${clean}00`, `0X${clean.slice(2)}`])
      assert.equal(encodedAddress(other), undefined, other);
    for (const other of ["0x", `${clean}00`, DIGITS]) assert.equal(storedAddress(other), undefined, other);
  });

  it("is that of a proxy's implementation in a slot with more in it, and none where a contract answers with more", async () => {
    const proxy = `0x${"aa".repeat(20)}`;
    const chain = {
      code: () => Promise.resolve("0x6001"),
      storageAt: () => Promise.resolve(dirty),
      call: () => Promise.resolve(dirty),
    };
    const slot = `0x${"0".repeat(64)}`;
    assert.equal(await implementationOf(proxy, { kind: "EIP-1967", slot }, chain), address);
    assert.equal(
      await implementationOf(proxy, { kind: "EIP-1967 beacon", beacon: address }, chain),
      undefined,
    );
    const honest = { ...chain, call: () => Promise.resolve(clean) };
    assert.equal(
      await implementationOf(proxy, { kind: "EIP-1967 beacon", beacon: address }, honest),
      address,
    );
  });

  it("is none of a diamond's facets, of an immutable or of a transfer that is not written as solc reads it", async () => {
    const facets = (word: string) =>
      diamondFacets(address, {
        call: () => Promise.resolve(`0x${"20".padStart(64, "0")}${"1".padStart(64, "0")}${word.slice(2)}`),
      });
    assert.deepEqual(await facets(clean), [address]);
    await assert.rejects(facets(dirty), { code: "not_a_diamond" });
    const immutable = (word: string) =>
      atOnce(
        immutablesInWordsInPieces(
          new Map([["1", word.slice(2)]]),
          {
            language: "Solidity",
            sources: { "A.sol": { content: "contract A { address immutable owner; }" } },
          },
          "A.sol:A",
        ),
      );
    assert.equal(immutable(clean), "owner 0x5fbd…0aa3");
    assert.equal(immutable(dirty), "owner 0x0000…0aa3");
    const moved = (from: string) =>
      loggedMoves(
        {
          logs: [
            {
              address,
              topics: [topicOf("Transfer(address,address,uint256)"), from, nowhere],
              data: `0x${"7".padStart(64, "0")}`,
            },
          ],
        },
        undefined,
      ).assets.length;
    assert.deepEqual([moved(clean), moved(dirty)], [1, 0]);
  });
});

function isSubmitted(address: string): boolean {
  try {
    return checkAddress(address).length === 42;
  } catch {
    return false;
  }
}
