import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isAddress } from "../../../src/core/evm/address.ts";
import { readAs } from "../../../src/core/json/shape.ts";
import { knownSolcSettings } from "../../../src/core/languages/solidity/knownSolcSettings.ts";
import { calledAddress, hexDigits, selectorOf } from "../../../src/core/ledger/actions/contractAction.ts";
import { addressShape } from "../../../src/core/ledger/requests/ledgerShapes.ts";
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

function isSubmitted(address: string): boolean {
  try {
    return checkAddress(address).length === 42;
  } catch {
    return false;
  }
}
