// Whose keys a scheduled transaction asks for, by its kind: told of bodies of every kind that can be scheduled.
import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { holderText, keyHolders, otherSigners } from "../../../src/core/ledger/schedules/keyHolders.ts";
import { readSchedule } from "../../../src/core/ledger/schedules/schedule.ts";
import { scheduleRow } from "../../../src/core/ledger/schedules/scheduleRows.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { bytesOf, entityOf, integerOf, textOf, zigzagOf } from "../../sandbox/ledger/protobufEncoder.ts";
import { NOW, startLedger } from "./loopbackLedger.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const network = networkAt("http://127.0.0.1:1");
const keyOf = (number: number, hex: string) =>
  bytesOf(number, bytesOf(2, Buffer.from(hex.repeat(32), "hex")));
const contractKey = (number: number) => bytesOf(number, entityOf(1, "0.0.9"));
const noKeys = (number: number) => bytesOf(number, bytesOf(6));

const record = (kind: number, ...fields: readonly Uint8Array[]) => ({
  schedule_id: "0.0.700",
  creator_account_id: "0.0.88",
  payer_account_id: "0.0.89",
  consensus_timestamp: `${NOW / 1000 - 60}.000000000`,
  signatures: [],
  transaction_body: Buffer.concat([integerOf(1, 1n), bytesOf(kind, ...fields)]).toString("base64"),
});
const scheduled = (...args: Parameters<typeof record>) => readSchedule(record(...args), network);

/** Who signs beside the payer, who always does. */
function others(...args: Parameters<typeof record>): string[] {
  const [payer, ...more] = keyHolders(scheduled(...args)).map((holder) =>
    holder.key && "hex" in holder.key
      ? `${holderText(holder)} ${holder.key.hex.slice(0, 2)}`
      : holderText(holder),
  );
  assert.equal(payer, "0.0.89");
  return more;
}

describe("The keys that a scheduled transaction asks for", () => {
  it("are those of the payer alone for what needs no more", () => {
    for (const kind of [3, 15, 16, 17, 40])
      assert.deepEqual(others(kind, entityOf(1, "0.0.1002")), [], String(kind));
  });

  it("are one key of the token for what is done with it", () => {
    for (const [kind, name] of [
      [23, "Freeze"],
      [24, "Freeze"],
      [25, "KYC"],
      [26, "KYC"],
      [27, "Admin"],
      [29, "Supply"],
      [30, "Supply"],
      [31, "Wipe"],
      [35, "Pause"],
      [36, "Pause"],
      [39, "Fee schedule"],
    ] as const) {
      assert.deepEqual(others(kind, entityOf(1, "0.0.77"), entityOf(2, "0.0.1002")), [
        `${name} key of 0.0.77`,
      ]);
      assert.equal(otherSigners(scheduled(kind, entityOf(1, "0.0.77"))), undefined);
    }
  });

  it("are that of an account for what is done to it", () => {
    assert.deepEqual(others(32, entityOf(1, "0.0.5"), entityOf(2, "0.0.77")), ["0.0.5"]);
    assert.deepEqual(others(33, entityOf(1, "0.0.5"), entityOf(2, "0.0.77")), ["0.0.5"]);
    assert.deepEqual(others(8, entityOf(1, "0.0.6"), entityOf(2, "0.0.5")), ["0.0.5", "0.0.6"]);
    assert.deepEqual(others(45, entityOf(1, "0.0.5")), ["0.0.5"]);
    assert.deepEqual(others(45, bytesOf(2, entityOf(1, "0.0.77"))), []);
    const airdrop = bytesOf(1, entityOf(1, "0.0.5"), entityOf(2, "0.0.6"), entityOf(3, "0.0.77"));
    assert.deepEqual(others(46, airdrop, airdrop), ["0.0.5"], "who sent it takes it back");
    assert.deepEqual(others(47, airdrop), ["0.0.6"], "who gets it claims it");
  });

  it("are the old and the new one where a key is changed", () => {
    assert.deepEqual(others(10, entityOf(2, "0.0.5"), keyOf(3, "ab")), ["0.0.5", "New key ab"]);
    assert.deepEqual(
      others(10, entityOf(2, "0.0.5"), bytesOf(9, integerOf(1, 5n))),
      [],
      "anybody may extend it",
    );
    assert.deepEqual(others(5, entityOf(1, "0.0.9"), keyOf(3, "ab"), entityOf(12, "0.0.5")), [
      "Admin key of 0.0.9",
      "New key ab",
      "0.0.5",
    ]);
    assert.deepEqual(others(5, entityOf(1, "0.0.9"), bytesOf(2, integerOf(1, 5n))), []);
    assert.deepEqual(others(5, entityOf(1, "0.0.9"), noKeys(3), entityOf(12, "0.0.0")), [
      "Admin key of 0.0.9",
    ]);
    assert.deepEqual(others(6, entityOf(1, "0.0.9"), entityOf(2, "0.0.5")), ["Admin key of 0.0.9", "0.0.5"]);
    assert.deepEqual(
      others(28, entityOf(1, "0.0.77"), textOf(2, "SMC"), entityOf(4, "0.0.5"), keyOf(5, "ab")),
      ["Admin key of 0.0.77", "New key ab", "0.0.5"],
    );
    assert.deepEqual(others(28, entityOf(1, "0.0.77"), bytesOf(12, integerOf(1, 5n))), []);
  });

  it("are the keys that something new is made with", () => {
    assert.deepEqual(others(4, keyOf(3, "ab"), entityOf(15, "0.0.5")), ["New key ab", "0.0.5"]);
    assert.deepEqual(others(4, contractKey(3)), []);
    assert.deepEqual(others(7, keyOf(1, "ab")), [], "an account is made for somebody without asking");
    assert.deepEqual(others(7, keyOf(1, "ab"), integerOf(8, 1n)), ["New key ab"], "unless it is to be asked");
    const keys = [keyOf(1, "ab"), keyOf(1, "cd")];
    assert.deepEqual(others(12, bytesOf(3, ...keys)), ["New key ab", "New key cd"]);
    assert.deepEqual(
      others(22, entityOf(5, "0.0.5"), keyOf(6, "ab"), keyOf(10, "cd"), entityOf(14, "0.0.6")),
      ["0.0.5", "New key ab", "0.0.6"],
    );
    assert.deepEqual(others(18, keyOf(2, "ab"), keyOf(3, "cd"), entityOf(7, "0.0.5")), [
      "New key ab",
      "0.0.5",
    ]);
    assert.deepEqual(others(42, entityOf(1, "0.0.3"), keyOf(7, "ab")), ["New key ab"]);
  });

  it("are those of topics and schedules, and of who allows something", () => {
    assert.deepEqual(others(19, entityOf(1, "0.0.8"), keyOf(6, "ab")), ["Admin key of 0.0.8", "New key ab"]);
    assert.deepEqual(others(19, entityOf(1, "0.0.8"), bytesOf(4, integerOf(1, 5n))), []);
    assert.deepEqual(others(20, entityOf(1, "0.0.8")), ["Admin key of 0.0.8"]);
    assert.deepEqual(others(21, entityOf(1, "0.0.8"), textOf(2, "hello")), ["Submit key of 0.0.8"]);
    assert.deepEqual(others(34, entityOf(1, "0.0.701")), ["Admin key of 0.0.701"]);
    const nft = (...fields: readonly Uint8Array[]) => bytesOf(2, entityOf(1, "0.0.77"), ...fields);
    assert.deepEqual(
      others(
        37,
        bytesOf(1, entityOf(1, "0.0.5"), entityOf(2, "0.0.99")),
        nft(entityOf(2, "0.0.6"), entityOf(3, "0.0.99")),
        nft(entityOf(2, "0.0.7"), entityOf(3, "0.0.99"), entityOf(6, "0.0.12")),
        bytesOf(3, entityOf(1, "0.0.77"), entityOf(2, "0.0.13"), entityOf(3, "0.0.99")),
        bytesOf(1, entityOf(2, "0.0.99"), integerOf(3, 5n)),
      ),
      ["0.0.5", "0.0.6", "0.0.12", "0.0.13"],
    );
    assert.deepEqual(others(38, nft(entityOf(2, "0.0.6"))), ["0.0.6"]);
  });

  it("are said to be unknown where the body does not tell them all", () => {
    const words = (...args: Parameters<typeof record>) => otherSigners(scheduled(...args));
    assert.equal(words(3, entityOf(1, "0.0.9")), "unknown: the contract's code decides");
    for (const kind of [11, 13, 14])
      assert.equal(words(kind, entityOf(1, "0.0.9")), "the file's keys: mirror nodes don't tell them");
    assert.equal(
      words(28, entityOf(1, "0.0.77"), keyOf(9, "ab")),
      "the token's admin key, or the key for what is changed",
    );
    assert.equal(words(28, entityOf(1, "0.0.77"), textOf(3, "Coin"), keyOf(9, "ab")), undefined);
    assert.match(words(41, entityOf(1, "0.0.77")) ?? "", /metadata key, or its supply key/);
    assert.equal(words(43, integerOf(1, 3n)), "the node's admin key");
    assert.equal(words(99, integerOf(1, 3n)), "unknown for this kind of transaction");
    assert.equal(
      words(9, bytesOf(1, bytesOf(1, Buffer.from("ff", "hex")))),
      "unknown: the transaction was not decoded",
    );
    const garbage = readSchedule({ ...record(3), transaction_body: "AQECAgMD" }, network);
    assert.equal(otherSigners(garbage), "unknown: the transaction was not decoded");
    assert.deepEqual(keyHolders(garbage).map(holderText), ["0.0.89"]);
    const many = Array.from({ length: 12 }, (_, at) => bytesOf(2, entityOf(2, `0.0.${at + 1}`)));
    assert.equal(words(38, ...many), "3 more were not looked up");
    assert.equal(keyHolders(scheduled(38, ...many)).length, 10);
  });

  it("are those of who gets something as well, where an account is to be asked", async () => {
    const amount = (account: string, units: bigint) => bytesOf(1, entityOf(1, account), zigzagOf(2, units));
    const nft = bytesOf(3, entityOf(1, "0.0.5"), entityOf(2, "0.0.7"), integerOf(3, 1n));
    const moves = [
      bytesOf(1, amount("0.0.5", -9n), amount("0.0.6", 5n), amount("0.0.12", 2n), amount("0.0.89", 2n)),
      bytesOf(2, entityOf(1, "0.0.77"), nft),
    ];
    const account = (id: string, isAsked: boolean | null) =>
      JSON.stringify({
        account: id,
        receiver_sig_required: isAsked,
        key: { _type: "ED25519", key: "5a".repeat(32) },
      });
    const { service, network: asked } = await startLedger((target) => {
      const id = /accounts\/([\d.]+)/.exec(target)?.[1] ?? "";
      return id === "0.0.12" ? undefined : account(id, id === "0.0.6" ? null : id === "0.0.7");
    }, stops);
    const signers = await service.signers(readSchedule(record(9, ...moves), asked));
    assert.deepEqual(
      signers.map((one) => [holderText(one), one.state]),
      [
        ["0.0.89", "missing"],
        ["0.0.5", "missing"],
        ["0.0.7", "missing"],
      ],
    );
  });

  it("are asked of the ledger, and told beside the signatures", async () => {
    const key = (hex: string) => ({ _type: "ED25519", key: hex.repeat(32) });
    const answers: Readonly<Record<string, unknown>> = {
      "/api/v1/accounts/0.0.89?transactions=false": { account: "0.0.89", key: key("5a") },
      "/api/v1/tokens/0.0.77": { token_id: "0.0.77", supply_key: key("6b"), wipe_key: null },
      "/api/v1/contracts/0.0.9": { contract_id: "0.0.9", admin_key: key("6b") },
      "/api/v1/topics/0.0.8": { topic_id: "0.0.8", admin_key: key("6b"), submit_key: null },
      "/api/v1/schedules/0.0.701": { schedule_id: "0.0.999", admin_key: key("6b") },
    };
    const { service, network: asked } = await startLedger((target) => {
      const answer = answers[target];
      return answer === undefined ? undefined : JSON.stringify(answer);
    }, stops);
    const told = async (kind: number, id: string) => {
      const schedule = readSchedule(record(kind, entityOf(1, id)), asked);
      const row = scheduleRow(schedule, NOW, { signers: await service.signers(schedule) });
      return [
        row.description?.split(" · ").slice(3).join(" · "),
        ...(row.children ?? [])
          .filter((one) => one.id.startsWith("signer ") || one.id === "others")
          .slice(1)
          .map(({ label, description, opens }) => [label, description, opens?.canonical]),
      ];
    };
    const both = (one: string) => `0.0.89 and ${one} have not signed`;
    assert.deepEqual(await told(29, "0.0.77"), [
      both("Supply key of 0.0.77"),
      ["Supply key of 0.0.77", "has not signed", "0.0.77"],
    ]);
    assert.deepEqual(await told(31, "0.0.77"), [
      "0.0.89 has not signed",
      ["Wipe key of 0.0.77", "not set: this will fail", "0.0.77"],
    ]);
    assert.deepEqual(await told(35, "0.0.77"), [
      "0.0.89 has not signed",
      ["Pause key of 0.0.77", "unknown: its key was not found", "0.0.77"],
    ]);
    assert.deepEqual(await told(6, "0.0.9"), [
      both("Admin key of 0.0.9"),
      ["Admin key of 0.0.9", "has not signed", "0.0.9"],
    ]);
    assert.deepEqual(await told(20, "0.0.8"), [
      both("Admin key of 0.0.8"),
      ["Admin key of 0.0.8", "has not signed", undefined],
    ]);
    assert.deepEqual(await told(21, "0.0.8"), ["0.0.89 has not signed"], "anybody may send to it");
    assert.deepEqual(await told(34, "0.0.701"), [
      "0.0.89 has not signed",
      ["Admin key of 0.0.701", "unknown: its key was not found", "0.0.701"],
    ]);
    assert.deepEqual(await told(3, "0.0.9"), [
      "0.0.89 has not signed",
      ["Other signatures", "unknown: the contract's code decides", undefined],
    ]);
  });
});
