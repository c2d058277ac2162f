import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { AddressLooks, knownAddress } from "../../../src/core/ledger/accounts/addressLooks.ts";
import type { VerifiedState } from "../../../src/core/ledger/accounts/accountRows.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { LedgerError } from "../../../src/core/ledger/requests/ledgerError.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { startLedger, type LedgerAnswers } from "./loopbackLedger.ts";

const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops.reverse()) await stop();
});

const CONTRACT = `0x${"9d".repeat(20)}`;
const TOKEN = `0x${(1234).toString(16).padStart(40, "0")}`;
const never = new AbortController().signal;

/** What a node says of any address: its code, or that it is not there. */
type NodeSays = `0x${string}` | "nothing";

async function world(
  answers: LedgerAnswers,
  state: VerifiedState = "exact_match",
  name?: string,
  { node, service = "http://127.0.0.1:5555" }: { node?: NodeSays; service?: string } = {},
) {
  const asked: string[] = [];
  const askedOfService: string[] = [];
  const ledger = await startLedger((target) => {
    asked.push(target);
    return answers(target);
  }, stops);
  let now = 0;
  const looks = new AddressLooks({
    ledger: ledger.service,
    verified: ({ chainId, address }) => {
      askedOfService.push(`${chainId} ${address}`);
      return Promise.resolve({ state, ...(name !== undefined && { name }) });
    },
    verifiedBy: () => service,
    node: () =>
      node && {
        code: () =>
          node === "nothing"
            ? Promise.reject(new LedgerLensError("unreachable", "The chain's node can't be reached."))
            : Promise.resolve(node),
      },
    clock: { now: () => now },
  });
  const network = { ...ledger.network, name: "Testnet", chainId: "296" };
  return {
    asked,
    askedOfService,
    at: (address: string, signal = never) => looks.at(address, network, signal),
    /** As a record of the workspace names it. */
    recordedAt: (address: string, recordedAs: string, chainId = network.chainId) =>
      looks.at(address, { ...network, chainId }, never, recordedAs),
    onChain: (chainId: string, recordedAs?: string) => looks.onChain(CONTRACT, chainId, never, recordedAs),
    wait: (minutes: number) => void (now += minutes * 60_000),
  };
}

/** Looks at contracts of which a service says nothing before `answer` is called. */
function heldLooks(begun: AbortSignal[]) {
  const held = Promise.withResolvers<{ state: VerifiedState }>();
  const looks = new AddressLooks({
    ledger: {
      contract: (address) => Promise.resolve({ address: address.toLowerCase() }),
      account: () => assert.fail("it is a contract"),
      token: () => assert.fail("it is a contract"),
    },
    verified: (_place, signal) => {
      begun.push(signal);
      return held.promise;
    },
    verifiedBy: () => "http://127.0.0.1:5555",
    node: () => undefined,
    clock: { now: () => 0 },
  });
  return { looks, answer: () => held.resolve({ state: "exact_match" }) };
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

  it("is asked once for all who want it at the same time, and until the last of them has gone", async () => {
    const { at, asked, askedOfService } = await world(contractAnswers);
    const [one, other] = await Promise.all([at(CONTRACT), at(CONTRACT)]);
    assert.deepEqual(one, other);
    assert.deepEqual([asked.length, askedOfService.length], [1, 1]);

    const begun: AbortSignal[] = [];
    const { looks, answer } = heldLooks(begun);
    const [left, stays, right] = [new AbortController(), new AbortController(), new AbortController()];
    const network = { ...networkAt("https://ledger.example"), chainId: "296" };
    const look = ({ signal }: AbortController) => looks.at(CONTRACT, network, signal);
    const [gone, there] = [look(left), look(stays)];
    left.abort();
    await assert.rejects(gone, { code: "cancelled" });
    assert.equal(begun.length, 1);
    assert.ok(begun[0]?.aborted === false, "somebody still waits");
    answer();
    assert.equal((await there).verified, "exact_match");

    const last = looks.onChain(CONTRACT, "1", right.signal);
    right.abort();
    await assert.rejects(last, { code: "cancelled" });
    assert.equal(begun.length, 2);
    assert.ok(begun[1]?.aborted, "nobody waits any more");
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

  it("is named as the workspace's records name it, also where the ledger has nothing of it any more", async () => {
    const { recordedAt } = await world(contractAnswers, "none", "Other");
    const { text } = await recordedAt(CONTRACT, "Vault");
    assert.equal(text, "Vault, a contract on Testnet · not verified");
    const gone = await (await world(() => undefined)).recordedAt(CONTRACT, "Vault");
    assert.equal(gone.text, "Vault, recorded as deployed on Testnet · not found there now");
  });

  it("is on a chain that is no ledger's what the service says, asked once in five minutes, and no ledger is", async () => {
    const { onChain, asked, askedOfService, wait } = await world(() => undefined, "match", "Counter");
    assert.deepEqual(await onChain("11155111"), {
      text: "Counter, a contract on Sepolia · verified: match",
      isThere: true,
      verified: "match",
      contractAddress: CONTRACT,
    });
    await onChain("11155111");
    wait(4);
    await onChain("11155111");
    assert.deepEqual(askedOfService, [`11155111 ${CONTRACT}`]);
    await onChain("8453");
    wait(2);
    await onChain("11155111");
    assert.equal(askedOfService.length, 3);
    assert.deepEqual(asked, []);
  });

  it("is on such a chain called by what was asked, and never not found", async () => {
    const saidOf = async (state: VerifiedState, node?: NodeSays, recordedAs?: string) =>
      (
        await (
          await world(() => undefined, state, undefined, { ...(node && { node }) })
        ).onChain("11155111", recordedAs)
      )?.text;
    assert.equal(await saidOf("none"), "Address on Sepolia · not verified");
    assert.equal(await saidOf("unknown"), "Address on Sepolia · verification unknown");
    assert.equal(await saidOf("none", "0x6001"), "Contract on Sepolia · not verified");
    assert.equal(await saidOf("none", "0x"), "Account on Sepolia · no code");
    assert.equal(await saidOf("none", `0xef0100${"ab".repeat(20)}`), "Account on Sepolia · no code");
    assert.equal(await saidOf("none", `0xef0100${"ab".repeat(21)}`), "Contract on Sepolia · not verified");
    assert.equal(await saidOf("none", "nothing"), "Address on Sepolia · not verified");
    assert.equal(await saidOf("unknown", "nothing"), "The chain's node can't be reached.");
    const recorded = "Counter, a contract on Sepolia";
    assert.equal(await saidOf("none", undefined, "Counter"), `${recorded} · not verified`);
    assert.equal(await saidOf("unknown", undefined, "Counter"), recorded);
    assert.equal(
      await saidOf("none", "0x", "Counter"),
      "Counter, recorded as deployed on Sepolia · no code there now",
    );
  });

  it("is asked again half a minute later of a service or a node that did not answer", async () => {
    for (const [state, node] of [
      ["unknown", undefined],
      ["none", "nothing"],
    ] as const) {
      const { onChain, askedOfService, wait } = await world(() => undefined, state, undefined, {
        ...(node && { node }),
      });
      await onChain("11155111");
      wait(1);
      await onChain("11155111");
      assert.equal(askedOfService.length, 2, state);
    }
  });

  it("is told of a chain or a ledger of this machine by its records and its node, and no public service is asked", async () => {
    const service = "https://sourcify.example";
    const { at, onChain, recordedAt, askedOfService, asked, wait } = await world(
      contractAnswers,
      "match",
      "Vault",
      { service },
    );
    assert.equal(await onChain("31337"), undefined);
    assert.equal((await onChain("31337", "Vault"))?.text, "Vault, a contract on Local chain");
    assert.equal((await recordedAt(CONTRACT, "Vault", "298")).text, "Vault, a contract on Testnet");
    assert.equal((await at(CONTRACT)).text, "Contract on Testnet", "its ledger is one of this machine");
    const before = asked.length;
    wait(1);
    await at(CONTRACT);
    assert.equal(asked.length, before, "what is not asked at all is not asked again soon");
    const withNode = await world(() => undefined, "match", "Vault", { node: "0x6001", service });
    assert.equal((await withNode.onChain("31337"))?.text, "Contract on Local chain");
    assert.deepEqual([...askedOfService, ...withNode.askedOfService], []);
    const near = await world(() => undefined, "match", "Vault", { service: "http://127.0.0.1:5555" });
    assert.equal((await near.onChain("31337"))?.text, "Vault, a contract on Local chain · verified: match");
  });

  it("is asked of one network all the way, though another one is chosen meanwhile", async () => {
    const asked: unknown[] = [];
    const network = { id: "mainnet", name: "Mainnet", ledgerUrl: "https://ledger.example", chainId: "295" };
    const looks = new AddressLooks({
      ledger: {
        contract: () => Promise.resolve(undefined),
        token: (_id, options) => {
          asked.push(options?.network);
          return Promise.reject(new LedgerError("not_found", "No such token.", { status: 404 }));
        },
        account: (_id, _signal, of) => {
          asked.push(of);
          return Promise.reject(new LedgerError("not_found", "No such account.", { status: 404 }));
        },
      },
      verified: () => Promise.resolve({ state: "none" }),
      verifiedBy: () => "http://127.0.0.1:5555",
      node: () => undefined,
      clock: { now: () => 0 },
    });
    assert.equal((await looks.at(TOKEN, network, never)).text, "Not found on Mainnet");
    assert.deepEqual(asked, [network, network]);
  });

  it("is known without a question for what is no deployed thing", () => {
    assert.equal(knownAddress(`0x${"0".repeat(40)}`), "Zero address");
    assert.equal(knownAddress(`0x${"0".repeat(39)}1`), "ecrecover: a precompiled contract of the EVM");
    assert.equal(knownAddress(`0x${"0".repeat(37)}167`), "Hedera Token Service: a system contract of Hedera");
    assert.equal(knownAddress(TOKEN), undefined);
  });
});
