import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { AddressLooks, knownAddress } from "../../../src/core/ledger/accounts/addressLooks.ts";
import type { VerifiedState } from "../../../src/core/ledger/accounts/accountRows.ts";
import { startLedger, type LedgerAnswers } from "./loopbackLedger.ts";

const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops.reverse()) await stop();
});

const CONTRACT = `0x${"9d".repeat(20)}`;
const TOKEN = `0x${(1234).toString(16).padStart(40, "0")}`;
const never = new AbortController().signal;

async function world(answers: LedgerAnswers, state: VerifiedState = "exact_match", name?: string) {
  const asked: string[] = [];
  const ledger = await startLedger((target) => {
    asked.push(target);
    return answers(target);
  }, stops);
  let now = 0;
  const looks = new AddressLooks({
    ledger: ledger.service,
    verified: () => Promise.resolve({ state, ...(name !== undefined && { name }) }),
    verifiedBy: () => "https://sourcify.example",
    clock: { now: () => now },
  });
  const network = { ...ledger.network, name: "Testnet", chainId: "296" };
  return {
    asked,
    at: (address: string, signal = never) => looks.at(address, network, signal),
    wait: (minutes: number) => void (now += minutes * 60_000),
  };
}

const contractAnswers: LedgerAnswers = (target) =>
  target === `/api/v1/contracts/${CONTRACT}`
    ? JSON.stringify({ contract_id: "0.0.77", evm_address: CONTRACT, runtime_bytecode: "0x60" })
    : undefined;

describe("What an address is", () => {
  it("is a contract with its verified name, whatever that name is made of", async () => {
    const { at } = await world(contractAnswers, "match", "[Vault](command:x)\u202e");
    assert.deepEqual(await at(CONTRACT), {
      text: "[Vault] (command:x)\\u{202e}, a contract on Testnet · verified: match",
      isThere: true,
      verified: "match",
      contractAddress: CONTRACT,
    });
  });

  it("is a contract that nobody verified, or of which that can't be told", async () => {
    const none = await (await world(contractAnswers, "none")).at(CONTRACT);
    assert.equal(none.text, "Contract on Testnet · not verified");
    const unknown = await (await world(contractAnswers, "unknown")).at(CONTRACT);
    assert.equal(unknown.text, "Contract on Testnet");
  });

  it("is a token, an account or nothing at all", async () => {
    const token = await world((target) =>
      target === "/api/v1/tokens/0.0.1234"
        ? JSON.stringify({ token_id: "0.0.1234", name: "Gold", symbol: "GLD" })
        : undefined,
    );
    assert.equal((await token.at(TOKEN)).text, "Gold (GLD), a token on Testnet · 0.0.1234");
    const account = await world((target) =>
      target === `/api/v1/accounts/${CONTRACT}?transactions=false` ||
      target === `/api/v1/accounts/${CONTRACT}`
        ? JSON.stringify({ account: "0.0.99", evm_address: CONTRACT })
        : undefined,
    );
    assert.equal((await account.at(CONTRACT)).text, "Account 0.0.99 on Testnet");
    const nobody = await world(() => undefined);
    assert.deepEqual(await nobody.at(CONTRACT), { text: "Not found on Testnet", isThere: false });
  });

  it("is remembered for five minutes, whatever the case of its digits", async () => {
    const { at, asked, wait } = await world(contractAnswers);
    await at(CONTRACT);
    assert.equal(asked.length, 1);
    wait(4);
    await at(CONTRACT.toUpperCase().replace("0X", "0x"));
    assert.equal(asked.length, 1);
    wait(2);
    await at(CONTRACT);
    assert.equal(asked.length, 2);
  });

  it("is told as not to be had where the ledger refuses, and asked again half a minute later", async () => {
    const { at, asked, wait } = await world(() => ({ status: 400, body: "{}" }));
    const { text, isThere } = await at(CONTRACT);
    assert.notEqual(text, "");
    assert.equal(isThere, false);
    const { length } = asked;
    await at(CONTRACT);
    assert.equal(asked.length, length);
    wait(1);
    await at(CONTRACT);
    assert.ok(asked.length > length);
  });

  it("is given up when the pointer goes, and nothing of that is remembered", async () => {
    const gone = new AbortController();
    const { at } = await world((target) => {
      if (!gone.signal.aborted) gone.abort();
      return contractAnswers(target);
    });
    await assert.rejects(at(CONTRACT, gone.signal));
    assert.equal((await at(CONTRACT)).isThere, true);
  });

  it("is known without a question for what is no deployed thing", () => {
    assert.equal(knownAddress(`0x${"0".repeat(40)}`), "Zero address");
    assert.equal(knownAddress(`0x${"0".repeat(39)}1`), "ecrecover: a precompiled contract of the EVM");
    assert.equal(knownAddress(`0x${"0".repeat(37)}167`), "Hedera Token Service: a system contract of Hedera");
    assert.equal(knownAddress(TOKEN), undefined);
  });
});
