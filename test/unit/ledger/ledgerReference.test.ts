import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { entityChecksum } from "../../../src/core/ledger/references/entityId.ts";
import { explorerLink } from "../../../src/core/ledger/references/explorerLinks.ts";
import {
  parseLedgerReference,
  type ReferenceKind,
} from "../../../src/core/ledger/references/ledgerReference.ts";
import { networkAt, publicNetworks, selectableNetwork } from "../../../src/core/ledger/references/network.ts";

const mainnet = selectableNetwork("mainnet");
const parse = (text: string, wanted?: ReferenceKind) => parseLedgerReference(text, mainnet, wanted);

function parsed(text: string, wanted?: ReferenceKind) {
  const found = parse(text, wanted);
  assert.ok(!("error" in found), `${text}: ${"error" in found ? found.error : ""}`);
  return found;
}

function refusal(text: string, wanted?: ReferenceKind): string {
  const found = parse(text, wanted);
  assert.ok("error" in found, `${text} was taken for ${JSON.stringify(found)}`);
  assert.match(found.error, /^[A-Z"0-9][^\n]*[.]$/);
  assert.doesNotMatch(found.error, /!|please/i);
  return found.error;
}

const hash32 = "0x" + "0123456789abcdef".repeat(4);
const hash48 = hash32 + "fedcba9876543210".repeat(2);

describe("What a user types or pastes", () => {
  it("is a transaction id in any spelling", () => {
    for (const [text, canonical] of [
      ["0.0.5@1640084590.665216882", "0.0.5-1640084590-665216882"],
      ["0.0.5-1640084590-665216882", "0.0.5-1640084590-665216882"],
      ["  0.0.5@1640084590.665216882\n", "0.0.5-1640084590-665216882"],
      ["00881640084590665216882", "0.0.88-1640084590-665216882"],
      // The nanoseconds are an integer: @1.5 is five nanoseconds after second 1.
      ["0.0.5@1.5", "0.0.5-1-000000005"],
      ["0.0.5-1640084590-5", "0.0.5-1640084590-000000005"],
    ] as const) {
      assert.deepEqual(parsed(text), {
        kind: "transaction",
        by: "id",
        canonical,
        scheduled: false,
        nonce: 0,
      });
    }
  });

  it("is a scheduled transaction, or a child by its nonce", () => {
    const id = "0.0.5@1640084590.665216882";
    const read = (text: string) => {
      const found = parsed(text);
      assert.ok(found.kind === "transaction" && found.by === "id");
      return [found.scheduled, found.nonce];
    };
    assert.deepEqual(read(`${id}?scheduled`), [true, 0]);
    assert.deepEqual(read(`${id}?scheduled=true`), [true, 0]);
    assert.deepEqual(read(`${id}/3`), [false, 3]);
    assert.deepEqual(read(`${id}?scheduled/3`), [true, 3]);
    assert.deepEqual(read(`https://hashscan.io/mainnet/transaction/${id}?scheduled`), [true, 0]);
    assert.deepEqual(
      read(
        "https://mainnet.mirrornode.hedera.com/api/v1/transactions/0.0.5-1640084590-665216882?nonce=2&scheduled=true",
      ),
      [true, 2],
    );
  });

  it("is a hash: 32 bytes as they are, 48 bytes by their first 32", () => {
    const base64 = Buffer.from(hash48.slice(2), "hex").toString("base64");
    for (const text of [hash32, hash32.slice(2), hash32.toUpperCase().replace("0X", "0x"), hash48, base64]) {
      assert.deepEqual(parsed(text), { kind: "transaction", by: "hash", canonical: hash32 });
    }
    assert.deepEqual(parsed(Buffer.from(hash32.slice(2), "hex").toString("base64")), {
      kind: "transaction",
      by: "hash",
      canonical: hash32,
    });
  });

  it("is a consensus timestamp, whose fraction is padded on the right", () => {
    const read = (text: string) => parsed(text).canonical;
    assert.equal(read("1640084590.665216882"), "1640084590.665216882");
    assert.equal(read("1640084590.5"), "1640084590.500000000");
  });

  it("is an entity in short, encoded, address and checksummed form", () => {
    for (const text of [
      "0.0.1135",
      "0.1135",
      "1135",
      "000000000000000000000000000000000000046f",
      "0x000000000000000000000000000000000000046F",
      "0.0.000000000000000000000000000000000000046f",
      `0.0.1135-${entityChecksum("0.0.1135", 0)}`,
    ]) {
      assert.deepEqual(parsed(text), { kind: "entity", canonical: "0.0.1135" }, text);
    }
    // 10 bits of shard, 16 of realm, 38 of number in one integer.
    const encoded = (3n << 54n) | (7n << 38n) | 1135n;
    assert.equal(parsed(String(encoded)).canonical, "3.7.1135");
    assert.equal(parsed(String(2n ** 38n - 1n)).canonical, "0.0.274877906943");
  });

  it("is a link to an explorer or a mirror node, and keeps the link's network", () => {
    for (const [link, kind, canonical, network] of [
      ["https://hashscan.io/mainnet/token/0.0.456858", "token", "0.0.456858", "mainnet"],
      ["https://hashscan.io/testnet/contract/0.0.99?p=2", "contract", "0.0.99", "testnet"],
      ["https://hashscan.io/#/testnet/token/0.0.7", "token", "0.0.7", "testnet"],
      ["https://hashscan.io/mainnet/schedule/0.0.12", "schedule", "0.0.12", "mainnet"],
      ["https://hashscan.io/mainnet/token/0.0.5/12", "token", "0.0.5", "mainnet"],
      [
        "https://hashscan.io/mainnet/transaction/1640084590.665216882",
        "transaction",
        "1640084590.665216882",
        "mainnet",
      ],
      ["https://hashscan.io/previewnet/tx/" + hash32, "transaction", hash32, "previewnet"],
      [
        "https://testnet.mirrornode.hedera.com/api/v1/contracts/results/0.0.5-1640084590-665216882/actions?limit=100",
        "transaction",
        "0.0.5-1640084590-665216882",
        "testnet",
      ],
      ["https://mainnet-public.mirrornode.hedera.com/api/v1/tokens/0.0.8", "token", "0.0.8", "mainnet"],
      ["https://mainnet.mirrornode.hedera.com/api/v1/schedules/0.0.9", "schedule", "0.0.9", "mainnet"],
    ] as const) {
      const found = parsed(link);
      assert.deepEqual([found.kind, found.canonical, found.network], [kind, canonical, network], link);
    }
  });

  it("is taken for what is wanted, or refused with the reason", () => {
    assert.equal(parsed("0.0.5", "token").kind, "token");
    assert.equal(parsed("0.0.5", "schedule").kind, "schedule");
    assert.match(
      refusal("0.0.5", "transaction"),
      /0\.0\.5 is the id of an entity, not a transaction: give a transaction's id, hash/,
    );
    assert.match(refusal(hash32, "token"), /is a transaction, not a token: give a token's id/);
    assert.match(
      refusal("https://hashscan.io/mainnet/account/0.0.5", "token"),
      /0\.0\.5 is an account, not a token/,
    );
  });

  it("is an account or a contract, by its id or by an EVM address that is not made of it", () => {
    const address = "0x" + "a1".repeat(20);
    for (const text of [
      address,
      address.toUpperCase().replace("0X", "0x"),
      address.slice(2),
      `0.0.${address.slice(2)}`,
    ])
      assert.deepEqual(parsed(text), { kind: "account", canonical: address });
    assert.deepEqual(parsed("0.0.1234", "account"), { kind: "account", canonical: "0.0.1234" });
    assert.deepEqual(parsed(`https://hashscan.io/testnet/contract/${address}`, "account"), {
      kind: "account",
      canonical: address,
      network: "testnet",
    });
    assert.match(
      refusal("https://hashscan.io/mainnet/token/0.0.5", "account"),
      /0\.0\.5 is a token, not an account: give an account's id/,
    );
  });

  it("gets one sentence that says why, if it can't be used", () => {
    assert.match(refusal(""), /Nothing was given/);
    assert.match(refusal("0xabc"), /3 hex digits: an address has 40, a transaction hash 64 or 96/);
    assert.match(refusal("0xzz"), /not hexadecimal/);
    assert.match(
      refusal("0x" + "a1".repeat(20), "token"),
      /EVM address can't be converted to an entity ID.*by id only/,
    );
    assert.match(refusal("0.0.274877906944"), /number below 274,877,906,944/);
    assert.match(refusal("1024.0.1"), /shard below 1,024/);
    assert.match(refusal("0.0.5@12"), /looks like 0\.0\.1234@1640084590\.665216882/);
    assert.match(refusal("0.0.5@1640084590.6652168821"), /looks like/);
    assert.match(refusal("0.0.99999999999999@1640084590.665216882"), /out of range/);
    assert.match(refusal("16400845901.5"), /up to 10 digits of seconds/);
    assert.match(refusal("hello"), /"hello" isn't a valid ID, hash or link/);
    assert.match(refusal("https://hashscan.io/mainnet/dashboard"), /leads to no token/);
    assert.match(refusal("https://hashscan.io/mainnet/transaction/0.0.5"), /no transaction id/);
    assert.match(refusal("x".repeat(3000)), /too long/);
    assert.doesNotMatch(refusal("\u202e$(error)gnp"), /\u202e|\$\(e/);
  });

  it("has a checksum that must belong to the id on the chosen network", () => {
    // HIP-15's own examples.
    assert.equal(entityChecksum("0.0.123", 0), "vfmkw");
    assert.equal(entityChecksum("0.0.123", 1), "esxsf");
    assert.equal(entityChecksum("0.0.123", 2), "ogizo");
    assert.equal(parsed("0.0.123-vfmkw").canonical, "0.0.123");
    assert.match(refusal("0.0.124-vfmkw"), /does not belong to 0\.0\.124/);
    assert.match(
      refusal("0.0.123-esxsf"),
      /belongs to 0\.0\.123 on Hedera Testnet, while this is Hedera Mainnet/,
    );
  });
});

describe("Networks", () => {
  it("are told by their address, and another address never passes for one of them", () => {
    for (const network of publicNetworks) assert.equal(networkAt(network.ledgerUrl).id, network.id);
    assert.equal(networkAt("https://mainnet-public.mirrornode.hedera.com/").id, "mainnet");
    for (const url of [
      "http://mainnet.mirrornode.hedera.com",
      "https://mainnet.mirrornode.hedera.com.example.org",
      "https://mainnet.mirrornode.hedera.com:8443",
      "http://127.0.0.1:5551/testnet",
    ]) {
      const network = networkAt(url);
      assert.equal(network.explorerUrl, undefined);
      assert.ok(!publicNetworks.some(({ id }) => id === network.id), url);
    }
    assert.equal(networkAt("http://127.0.0.1:5551/ledger/api/v1/").ledgerUrl, "http://127.0.0.1:5551/ledger");
    assert.throws(() => networkAt("ftp://example.org"), { code: "invalid_url" });
    assert.throws(() => selectableNetwork("localnet"), { code: "invalid_parameter" });
  });

  it("have explorer pages for what has a page", () => {
    assert.equal(explorerLink(mainnet, parsed("0.0.5", "token")), "https://hashscan.io/mainnet/token/0.0.5");
    assert.equal(explorerLink(mainnet, parsed("0.0.5")), undefined);
    assert.equal(
      explorerLink(networkAt("http://127.0.0.1:1"), { kind: "token", canonical: "0.0.5" }),
      undefined,
    );
  });
});
