import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeTransactionBody } from "../../../src/core/ledger/protobuf/transactionBody.ts";
import { kindWords } from "../../../src/core/ledger/schedules/kindWords.ts";
import { readMessage } from "../../../src/core/ledger/protobuf/protobufWire.ts";
import { random, type Random } from "../random.ts";
import {
  bytesOf,
  entityOf,
  integerOf,
  textOf,
  varint,
  zigzagOf,
} from "../../sandbox/ledger/protobufEncoder.ts";

const base64 = (...parts: readonly Uint8Array[]) => Buffer.concat(parts).toString("base64");

function int64({ next, below, pick }: Random): bigint {
  const size = BigInt(Math.floor(next() * 2 ** below(53)));
  return pick([0n, size, -size, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n]);
}

const entity = ({ below, pick }: Random) =>
  `${pick([0, 0, below(1024)])}.${pick([0, 0, below(2 ** 16)])}.${pick([0, below(1e9), 2 ** 38 - 1])}`;
const list = <T>({ below }: Random, most: number, make: () => T): T[] =>
  Array.from({ length: below(most + 1) }, make);

/** An account's entity id or, now and then, its alias. */
function account(source: Random): { text: string; field: (number: number) => Uint8Array } {
  if (source.below(6) > 0) {
    const text = entity(source);
    return { text, field: (number) => entityOf(number, text) };
  }
  const alias = Uint8Array.from({ length: 20 }, () => source.below(256));
  return {
    text: `0x${Buffer.from(alias).toString("hex")}`,
    field: (number) => bytesOf(number, bytesOf(4, alias)),
  };
}

/** Whether an allowance is used: mostly nothing is said of it. */
function approvalOf(source: Random, number: number) {
  return source.below(2) === 0
    ? { fields: [], read: {} }
    : { fields: [integerOf(number, 1n)], read: { isApproved: true } };
}

/** Amounts of accounts as they are encoded, and as they have to come out. */
function amounts(source: Random, token?: string) {
  return list(source, 4, () => {
    const [{ text, field }, amount, approval] = [account(source), int64(source), approvalOf(source, 3)];
    return {
      bytes: Buffer.concat([field(1), zigzagOf(2, amount), ...approval.fields]),
      transfer: {
        account: text,
        amount: String(amount),
        ...(token !== undefined && { token }),
        ...approval.read,
      },
    };
  });
}

/** A list of transfers of one token. */
function tokenTransfers(source: Random) {
  const token = entity(source);
  const fungible = amounts(source, token);
  const nfts = list(source, 3, () => {
    const [sender, receiver, serial] = [account(source), account(source), int64(source)];
    const approval = approvalOf(source, 4);
    return {
      bytes: Buffer.concat([sender.field(1), receiver.field(2), integerOf(3, serial), ...approval.fields]),
      nft: { token, serial: String(serial), sender: sender.text, receiver: receiver.text, ...approval.read },
    };
  });
  return {
    bytes: Buffer.concat([
      entityOf(1, token),
      ...fungible.map(({ bytes }) => bytesOf(2, bytes)),
      ...nfts.map(({ bytes }) => bytesOf(3, bytes)),
    ]),
    transfers: fungible.map(({ transfer }) => transfer),
    nfts: nfts.map(({ nft }) => nft),
  };
}

/** The content of a kind's message and what has to be read from it. */
function content(source: Random, kind: number) {
  if (kind === 9 || kind === 48) {
    const hbar = kind === 9 ? amounts(source) : [];
    const tokens = list(source, 3, () => tokenTransfers(source));
    const inner = Buffer.concat([
      ...(hbar.length > 0 ? [bytesOf(1, ...hbar.map(({ bytes }) => bytesOf(1, bytes)))] : []),
      ...tokens.map(({ bytes }) => bytesOf(kind === 9 ? 2 : 1, bytes)),
    ]);
    const transfers = [...hbar.map(({ transfer }) => transfer), ...tokens.flatMap((one) => one.transfers)];
    return { inner, read: { transfers, nftTransfers: tokens.flatMap(({ nfts }) => nfts) } };
  }
  const none = { transfers: [], nftTransfers: [] };
  if (kind === 3) {
    const [contract, gas, amount] = [account(source), int64(source), int64(source)];
    const parameters = Buffer.from(list(source, 100, () => source.below(256)));
    const inner = Buffer.concat([
      contract.field(1),
      integerOf(2, gas),
      integerOf(3, amount),
      bytesOf(4, parameters),
    ]);
    const contractCall = {
      contract: contract.text,
      gas: String(gas),
      amount: String(amount),
      parameters: `0x${parameters.toString("hex")}`,
    };
    return { inner, read: { ...none, contractCall } };
  }
  return { inner: Buffer.concat(list(source, 3, () => textOf(1 + source.below(9), "x"))), read: none };
}

describe("The body of a scheduled transaction", () => {
  it("is read as it was written, whatever its kind and figures", () => {
    const source = random("transaction bodies");
    for (let round = 0; round < 5000; round++) {
      const kind = source.pick([3, 9, 9, 48, 3 + source.below(46)]);
      const fee = BigInt.asUintN(64, int64(source));
      const memo = source.pick(["", "rent", "\u202e漢字🙂\u0000", "x".repeat(100)]);
      const { inner, read } = content(source, kind);
      const parts = [
        integerOf(1, fee),
        textOf(2, memo),
        bytesOf(kind, inner),
        bytesOf(1001, textOf(1, "fee")),
      ];
      const decoded = decodeTransactionBody(base64(...(source.below(2) === 0 ? parts : parts.toReversed())));
      assert.ok(decoded, `round ${round}`);
      const { kind: name, ...rest } = decoded;
      assert.match(name, /^[a-z]\w+$/);
      assert.deepEqual(rest, { fee: String(fee), memo, ...read, dataHex: inner.toString("hex") });
    }
  });

  it("is told by its kind in words", () => {
    for (const [number, kind, words] of [
      [3, "contractCall", "contract call"],
      [4, "contractCreateInstance", "contract create"],
      [9, "cryptoTransfer", "crypto transfer"],
      [22, "tokenCreation", "token create"],
      [29, "tokenMint", "token mint"],
      [39, "tokenFeeScheduleUpdate", "token fee schedule update"],
      [48, "tokenAirdrop", "token airdrop"],
      [51, "registeredNodeDelete", "registered node delete"],
      [99, "unknown kind 99", "unknown kind 99"],
    ] as const) {
      const decoded = decodeTransactionBody(base64(bytesOf(number)));
      assert.equal(decoded?.kind, kind);
      assert.equal(kindWords(kind), words);
    }
  });

  it("stays hex where it is none", () => {
    const body = bytesOf(9);
    for (const garbage of [
      "AQECAgMD",
      "",
      "%",
      null,
      5,
      base64(textOf(2, "a memo alone")),
      base64(body, bytesOf(10)),
      base64(integerOf(9, 1n)),
      base64(textOf(1, "a fee that is text"), body),
      base64(integerOf(2, 1n), body),
      base64(bytesOf(9, Uint8Array.of(0xff))),
      base64(body).slice(0, 1),
    ])
      assert.equal(decodeTransactionBody(garbage), undefined, String(garbage));
  });

  it("does not list a part of its transfers when another part can't be read", () => {
    const good = bytesOf(1, entityOf(1, "0.0.5"), zigzagOf(2, -5n));
    const bad = bytesOf(1, Uint8Array.of(0x0a, 0x7f));
    const decoded = decodeTransactionBody(base64(bytesOf(9, bytesOf(1, good, bad))));
    assert.deepEqual([decoded?.kind, decoded?.transfers], ["cryptoTransfer", []]);
    assert.notEqual(decoded?.dataHex, "");
  });

  it("does not break on bytes that were damaged", () => {
    const source = random("damaged bodies");
    for (let round = 0; round < 5000; round++) {
      const { inner } = content(source, source.pick([3, 9, 48]));
      const bytes = Buffer.concat([integerOf(1, int64(source)), bytesOf(source.pick([3, 9, 48]), inner)]);
      for (let times = source.below(3); times >= 0 && bytes.length > 0; times--)
        bytes[source.below(bytes.length)] = source.below(256);
      const cut = bytes.subarray(0, source.pick([bytes.length, source.below(bytes.length + 1)]));
      const decoded = decodeTransactionBody(cut.toString("base64"));
      if (decoded) assert.ok(cut.toString("hex").includes(decoded.dataHex));
    }
  });
});

describe("Varints", () => {
  it("have 64 bits and an end", () => {
    for (const value of [0n, 127n, 128n, 2n ** 63n - 1n, -1n, -(2n ** 63n)]) {
      const [field] = readMessage(Buffer.concat([Uint8Array.of(8), varint(value)])) ?? [];
      assert.ok(field?.type === "varint");
      assert.equal(BigInt.asIntN(64, field.value), value);
    }
    assert.equal(readMessage(Uint8Array.of(8, ...Array.from({ length: 11 }, () => 0x80))), undefined);
    assert.equal(readMessage(Uint8Array.of(8, 0x80)), undefined);
    // Groups, and a length beyond the end.
    assert.equal(readMessage(Uint8Array.of(0x0b, 0x0c)), undefined);
    assert.equal(
      readMessage(Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01)),
      undefined,
    );
  });
});
