import assert from "node:assert/strict";
import { getAddress } from "ethers";
import { describe, it } from "node:test";
import type { LedgerLensError } from "../../../src/core/errors.ts";
import {
  checkAddress,
  checkChainId,
  checkCompilerVersion,
  checkContractIdentifier,
  checkTransactionHash,
  checkVerificationId,
} from "../../../src/core/service/parameters.ts";
import { random } from "../random.ts";

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as LedgerLensError).code;
  }
  return "accepted";
};

describe("Parameters of the verification interface", () => {
  it("has the checksum of ethers on 2,000 random addresses, and refuses one wrong letter", () => {
    const { below } = random("addresses");
    for (let round = 0; round < 2000; round++) {
      const digits = Array.from({ length: 40 }, () => below(16).toString(16)).join("");
      const address = `0x${digits}`;
      const checksummed = getAddress(address);
      for (const form of [address, `0x${digits.toUpperCase()}`, checksummed, ` ${address} `])
        assert.equal(checkAddress(form), checksummed);
      const letter = checksummed.slice(2).search(/[a-fA-F]/) + 2;
      const wrong =
        checksummed.slice(0, letter) + swapCase(checksummed.charAt(letter)) + checksummed.slice(letter + 1);
      const isOneCase =
        wrong.slice(2) === wrong.slice(2).toLowerCase() || wrong.slice(2) === wrong.slice(2).toUpperCase();
      if (!isOneCase)
        assert.equal(
          codeOf(() => checkAddress(wrong)),
          "invalid_address",
          wrong,
        );
    }
  });

  it("offers the right checksum for a wrong one", () => {
    assert.throws(
      () => checkAddress("0xE7f1725E7734CE288F8367e1Bb143E90bb3F0512"),
      /would be written 0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512/,
    );
  });

  it("says what to type where no address was typed", () => {
    for (const nothing of ["", " "])
      assert.throws(() => checkAddress(nothing), {
        code: "invalid_address",
        message: "Type an address: 0x and 40 hexadecimal digits.",
      });
  });

  it("says what is wrong with what is no address: how many digits there are, or what stands among them", () => {
    const digits = "0123456789".repeat(4);
    for (const [text, wrong] of [
      [`0x${digits.slice(1)}`, ": it has 39 hex digits, an address has 40."],
      [`0x${digits}a`, ": it has 41 hex digits, an address has 40."],
      ["0x1", ": it has 1 hex digit, an address has 40."],
      [digits, ": an address begins with 0x."],
      [`0X${digits}`, ": an address begins with 0x."],
      [`0x${digits.slice(1)}o`, ": only 0 to 9 and a to f may follow 0x."],
      ["0.0.1234", ". Use 0x and 40 hexadecimal digits."],
    ] as const)
      assert.throws(() => checkAddress(text), {
        code: "invalid_address",
        message: `"${text}" is not an address${wrong}`,
      });
  });

  it("takes what the interface takes and refuses the rest", () => {
    const hash = "AB".repeat(32);
    assert.equal(checkChainId(295), "295");
    assert.equal(checkChainId(" 00295 "), "295", "one chain has one id");
    assert.equal(checkTransactionHash(`0x${hash}`), `0x${hash.toLowerCase()}`);
    assert.equal(checkCompilerVersion("v0.8.30+commit.73712a01"), "v0.8.30+commit.73712a01");
    assert.equal(checkContractIdentifier("https://x.y/A.sol:A"), "https://x.y/A.sol:A");
    assert.equal(
      checkVerificationId("11111111-2222-4333-8444-55555555555A"),
      "11111111-2222-4333-8444-55555555555a",
    );
    const refused: readonly (readonly [string, () => unknown])[] = [
      ["invalid_chain_id", () => checkChainId("")],
      ["invalid_chain_id", () => checkChainId("0x127")],
      ["invalid_chain_id", () => checkChainId(1.5)],
      ["invalid_chain_id", () => checkChainId("000")],
      ["invalid_chain_id", () => checkChainId("1".repeat(21))],
      ["invalid_address", () => checkAddress("0.0.1234")],
      ["invalid_address", () => checkAddress("0x" + "0".repeat(39))],
      ["invalid_transaction_hash", () => checkTransactionHash(hash)],
      ["invalid_transaction_hash", () => checkTransactionHash(`0x${hash}00`)],
      ["invalid_compiler_version", () => checkCompilerVersion("0.8")],
      ["invalid_compiler_version", () => checkCompilerVersion("latest")],
      ["invalid_contract_identifier", () => checkContractIdentifier("A.sol")],
      ["invalid_contract_identifier", () => checkContractIdentifier(":A")],
      ["invalid_contract_identifier", () => checkContractIdentifier("A.sol:")],
      ["invalid_verification_id", () => checkVerificationId("42")],
    ];
    for (const [code, work] of refused) assert.equal(codeOf(work), code, work.toString());
  });
});

function swapCase(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}
