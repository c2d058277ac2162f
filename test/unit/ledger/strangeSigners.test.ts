// Who has not signed a schedule: keys of every shape and signatures of them, made by chance as the network writes them, read
// through the ledger's service. What is expected is worked out here from the keys alone.
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { MissingKey } from "../../../src/core/ledger/schedules/missingSignatures.ts";
import { proofSize, seed } from "../../rig/proofSize.ts";
import { bytesOf, entityOf, integerOf, zigzagOf } from "../../sandbox/ledger/protobufEncoder.ts";
import { randomFrom, type Random } from "../random.ts";
import { NOW, startLedger } from "./loopbackLedger.ts";

type KeyTree =
  | { readonly kind: "ed25519" | "ecdsa"; readonly hex: string }
  | { readonly kind: "contract"; readonly id: string }
  | { readonly kind: "rule"; readonly threshold: number | undefined; readonly keys: readonly KeyTree[] };

const hexOf = (random: Random, bytes: number) =>
  Array.from({ length: bytes }, () => random.below(256).toString(16).padStart(2, "0")).join("");

function treeOf(random: Random, depth: number): KeyTree {
  const kind = random.below(depth === 0 ? 5 : 8);
  if (kind < 3) return { kind: "ed25519", hex: hexOf(random, 32) };
  if (kind < 4) return { kind: "ecdsa", hex: `02${hexOf(random, 32)}` };
  if (kind < 5)
    return random.below(3) > 0
      ? { kind: "ed25519", hex: hexOf(random, 32) }
      : { kind: "contract", id: `0.0.${1000 + random.below(90)}` };
  const keys = Array.from({ length: 1 + random.below(4) }, () => treeOf(random, depth - 1));
  return { kind: "rule", threshold: random.below(2) === 0 ? undefined : 1 + random.below(keys.length), keys };
}

/** `Key` (hedera-protobufs services/basic_types.proto). */
function encoded(tree: KeyTree): Uint8Array {
  switch (tree.kind) {
    case "ed25519":
      return bytesOf(2, Buffer.from(tree.hex, "hex"));
    case "ecdsa":
      return bytesOf(7, Buffer.from(tree.hex, "hex"));
    case "contract":
      return entityOf(1, tree.id);
    case "rule": {
      const list = tree.keys.map((key) => bytesOf(1, encoded(key)));
      return tree.threshold === undefined
        ? bytesOf(6, ...list)
        : bytesOf(5, integerOf(1, BigInt(tree.threshold)), bytesOf(2, ...list));
    }
  }
}

/** As mirror nodes say it: a list of one key is that key. */
function said(tree: KeyTree): object {
  if (tree.kind === "ed25519") return { _type: "ED25519", key: tree.hex };
  if (tree.kind === "ecdsa") return { _type: "ECDSA_SECP256K1", key: tree.hex };
  return { _type: "ProtobufEncoded", key: Buffer.from(encoded(tree)).toString("hex") };
}

const leavesOf = (tree: KeyTree): string[] =>
  tree.kind === "rule" ? tree.keys.flatMap(leavesOf) : tree.kind === "contract" ? [] : [tree.hex];

/** 1 signed, 0 not signed, 0.5 nobody can tell. */
function stateOf(tree: KeyTree, signed: ReadonlySet<string>): number {
  if (tree.kind === "contract") return 0.5;
  if (tree.kind !== "rule") return signed.has(tree.hex) ? 1 : 0;
  const states = tree.keys.map((key) => stateOf(key, signed));
  const needed = tree.threshold ?? states.length;
  if (states.filter((state) => state === 1).length >= needed) return 1;
  return states.filter((state) => state > 0).length >= needed ? 0.5 : 0;
}

/** The keys whose signature would bring a rule nearer that is not met yet. */
function usefulOf(tree: KeyTree, signed: ReadonlySet<string>): string[] {
  if (tree.kind === "contract" || stateOf(tree, signed) === 1) return [];
  return tree.kind === "rule" ? tree.keys.flatMap((key) => usefulOf(key, signed)) : [tree.hex];
}

/** The keys that are told to be missing; those of contracts are told to be unknown. */
const hexesOf = (missing: readonly MissingKey[]): string[] =>
  missing.flatMap((one) => {
    if (one.kind === "some") return hexesOf(one.of);
    return one.isUnknown ? [] : ["hex" in one.key ? one.key.hex : "none"];
  });

/** How many more signatures a rule needs at least, where a key that nobody can tell of counts as not signed. */
function leastOf(tree: KeyTree, signed: ReadonlySet<string>): number {
  if (tree.kind !== "rule") return stateOf(tree, signed) === 1 ? 0 : 1;
  const each = tree.keys.map((key) => leastOf(key, signed)).sort((a, b) => a - b);
  return each.slice(0, tree.threshold ?? each.length).reduce((sum, one) => sum + one, 0);
}

/** The same by what is told: all that stands beside each other, and of some as many as are needed. */
const leastTold = (missing: readonly MissingKey[]): number =>
  missing.reduce((sum, one) => {
    if (one.kind === "key") return sum + 1;
    const each = one.of.map((each) => leastTold([each])).sort((a, b) => a - b);
    return sum + each.slice(0, one.needed).reduce((all, of) => all + of, 0);
  }, 0);
const base64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");

/** A transfer by a schedule: accounts that give, with or without an allowance, and one that gets. */
function bodyOf(random: Random) {
  const accounts = ["0.0.3001", "0.0.3002", "0.0.3003", "0.0.3004"];
  const givers = accounts
    .slice(0, 1 + random.below(3))
    .map((account) => ({ account, isApproved: random.below(3) === 0 }));
  const isToken = random.below(2) === 0;
  const hasNft = random.below(3) === 0;
  const isNftApproved = random.below(2) === 0;
  const approval = (is: boolean, number: number) => (is ? [integerOf(number, 1n)] : []);
  const amounts = [
    ...givers.map(({ account, isApproved }) =>
      bytesOf(isToken ? 2 : 1, entityOf(1, account), zigzagOf(2, -5n), ...approval(isApproved, 3)),
    ),
    bytesOf(isToken ? 2 : 1, entityOf(1, "0.0.4000"), zigzagOf(2, BigInt(5 * givers.length))),
  ];
  const nft = bytesOf(
    3,
    entityOf(1, "0.0.3009"),
    entityOf(2, "0.0.4000"),
    integerOf(3, 7n),
    ...approval(isNftApproved, 4),
  );
  const body = Buffer.concat([
    integerOf(1, 100_000n),
    bytesOf(
      9,
      ...(isToken ? [bytesOf(2, entityOf(1, "0.0.777"), ...amounts)] : [bytesOf(1, ...amounts)]),
      ...(hasNft ? [bytesOf(2, entityOf(1, "0.0.778"), nft)] : []),
    ),
  ]).toString("base64");
  return {
    body,
    signers: [
      ...givers.filter(({ isApproved }) => !isApproved).map(({ account }) => account),
      ...(hasNft && !isNftApproved ? ["0.0.3009"] : []),
    ],
  };
}

const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops) await stop();
});

describe("Who has not signed a schedule", () => {
  it("is told by keys of any shape, and by what the transaction takes from whom", async () => {
    const random = randomFrom(seed("strange signers"));
    const count = proofSize({ sample: 150, whole: 5_000 });
    const wrong: string[] = [];
    let answers: Readonly<Record<string, unknown>> = {};
    const { service } = await startLedger((target) => {
      const found = answers[target.replace("/api/v1", "").replace(/\?.*/, "")];
      return found === undefined ? undefined : JSON.stringify(found);
    }, stops);
    for (let at = 0; at < count; at++) {
      const payer = `0.0.${50_000 + at}`;
      const tree = treeOf(random, 3);
      const { body, signers } = bodyOf(random);
      const signed = new Set(leavesOf(tree).filter(() => random.below(3) > 0));
      const signatures = [...signed].map((hex) => ({
        type: hex.length === 64 ? "ED25519" : "ECDSA_SECP256K1",
        public_key_prefix: base64(hex.slice(0, 2 * (random.below(2) === 0 ? 40 : 8 + random.below(8)))),
        signature: "AA==",
        consensus_timestamp: "1700000000.000000001",
      }));
      const id = `0.0.${70_000 + at}`;
      answers = {
        [`/schedules/${id}`]: {
          schedule_id: id,
          creator_account_id: "0.0.2002",
          payer_account_id: payer,
          consensus_timestamp: `${NOW / 1_000 - 60}.000000001`,
          deleted: false,
          signatures,
          transaction_body: body,
        },
        [`/accounts/${payer}`]: { account: payer, key: said(tree) },
      };
      try {
        const { schedule } = await service.schedule(id);
        const told = await service.signers(schedule);
        assert.deepEqual(told.map(({ id }) => id).sort(), [payer, ...signers].sort(), "who has to sign");
        const own = told.find(({ id: one }) => one === payer);
        const state = stateOf(tree, signed);
        assert.equal(own?.state, state === 1 ? "signed" : state === 0 ? "missing" : "unknown");
        if (state === 0) {
          assert.deepEqual(
            hexesOf(own.missing).sort(),
            usefulOf(tree, signed).sort(),
            "the keys that would help",
          );
          assert.equal(leastTold(own.missing), leastOf(tree, signed), "how many of them are needed");
          assert.equal(
            own.isPart,
            leavesOf(tree).some((hex) => signed.has(hex)),
            "signed in part",
          );
        }
      } catch (error) {
        wrong.push(
          `${at}: ${error instanceof Error ? error.message.replace(/[0-9a-f]{60,}/g, (hex) => hex.slice(0, 6)) : String(error)}`,
        );
      }
    }
    console.log(`strange signers: ${count - wrong.length} of ${count} schedules are told`);
    assert.deepEqual(wrong, []);
  });
});
