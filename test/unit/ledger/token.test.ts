import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import type { LedgerRow } from "../../../src/core/rows/ledgerRow.ts";
import { readLedgerKey } from "../../../src/core/ledger/tokens/ledgerKey.ts";
import { tokenRow } from "../../../src/core/ledger/tokens/tokenRows.ts";
import { tokenDocument } from "../../../src/core/ledger/tokens/tokenDocument.ts";
import { selectableNetwork } from "../../../src/core/ledger/references/network.ts";
import { parseExactJson } from "../../../src/core/json/exactJson.ts";
import { readToken } from "../../../src/core/ledger/tokens/token.ts";
import { bytesOf, entityOf, integerOf } from "../../sandbox/ledger/protobufEncoder.ts";
import { startLedger } from "./loopbackLedger.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const key = (digit: string) => ({ _type: "ED25519", key: digit.repeat(64) });

/** A stable coin with a fee; text, because figures beyond 2^53 have no place in an object. */
function coin(changes: Readonly<Record<string, string>> = {}): string {
  const fields: Record<string, string> = {
    token_id: '"0.0.456858"',
    name: '"USD Coin"',
    symbol: '"USDC"',
    memo: '""',
    type: '"FUNGIBLE_COMMON"',
    decimals: '"6"',
    total_supply: '"5432109876543"',
    initial_supply: '"0"',
    max_supply: '"9223372036854775807"',
    supply_type: '"INFINITE"',
    deleted: "false",
    freeze_default: "false",
    pause_status: '"UNPAUSED"',
    treasury_account_id: '"0.0.10"',
    admin_key: JSON.stringify(key("a")),
    fee_schedule_key: "null",
    freeze_key: JSON.stringify(key("b")),
    kyc_key: "null",
    metadata_key: "null",
    pause_key: JSON.stringify(key("c")),
    supply_key: JSON.stringify(key("d")),
    wipe_key: "null",
    metadata: '""',
    created_timestamp: '"1640084590.665216882"',
    modified_timestamp: '"1684759236.000000001"',
    expiry_timestamp: "1684759236926863003",
    auto_renew_account: '"0.0.11"',
    auto_renew_period: "7776000",
    custom_fees: '{"created_timestamp":"1640084590.665216882","fixed_fees":[],"fractional_fees":[]}',
    ...changes,
  };
  return `{${Object.entries(fields)
    .map(([name, value]) => `"${name}":${value}`)
    .join(",")}}`;
}

const mainnet = selectableNetwork("mainnet");
const read = (body: string) =>
  readToken(parseExactJson(body) as Record<string, unknown>, {
    network: mainnet,
    tokenId: "0.0.456858",
    text: body,
  });

/** The row at the end of these labels. */
function row(from: LedgerRow, ...labels: readonly string[]): LedgerRow {
  return labels.reduce((at, label) => {
    const child = at.children?.find((one) => one.label === label);
    assert.ok(child, `${at.label} has no row ${label}`);
    return child;
  }, from);
}
const said = (body: string, ...labels: readonly string[]) => row(tokenRow(read(body)), ...labels).description;

describe("Opening a token", () => {
  it("shows what it is, its state, keys and dates", async () => {
    const { service, server } = await startLedger(() => coin(), stops);
    const token = await service.token("0.456858");
    assert.deepEqual(server.asked, ["/api/v1/tokens/0.0.456858"]);
    assert.equal(token.text, coin());
    const shown = tokenRow(token);
    assert.equal(shown.label, "USD Coin (USDC)");
    assert.equal(shown.description, "0.0.456858 · fungible, 6 decimals");
    assert.equal(row(shown, "Total supply").description, "5,432,109.876543 USDC");
    assert.equal(row(shown, "Total supply").copyText, "5432109876543");
    assert.equal(row(shown, "Maximum").description, "infinite");
    assert.equal(row(shown, "Treasury").opens?.canonical, "0.0.10");
    assert.equal(row(shown, "Keys").description, "4 of 8 set");
    assert.equal(row(shown, "Fees").description, "none");
    assert.equal(row(shown, "Metadata").description, "none");
    assert.equal(row(shown, "Dates").description, "created 2021-12-21");
    assert.equal(row(shown, "Dates", "Created").description, "2021-12-21 11:03:10.665216882 UTC");
    assert.equal(row(shown, "Dates", "Auto-renew").description, "every 90 days by 0.0.11");
    const address = row(shown, "Identity", "EVM address");
    assert.equal(address.description, "0x0000…f89a", "a narrow view would cut its end");
    const whole = "0x000000000000000000000000000000000006f89a";
    assert.deepEqual([address.copyText, address.fullDescription, address.tooltip], [whole, whole, [whole]]);
  });

  it("shows supplies of 2^63 − 1 and 75 decimals to the last digit", () => {
    const body = coin({
      supply_type: '"FINITE"',
      total_supply: '"9223372036854775806"',
      decimals: '"75"',
    });
    const exact = "9223372036854775806".padStart(75, "0");
    assert.equal(said(body, "Total supply"), `0.${exact} USDC`);
    assert.equal(said(body, "Maximum"), `0.${"9223372036854775807".padStart(75, "0")} USDC`);
    assert.equal(
      said(coin({ decimals: "8", total_supply: '"9223372036854775806"' }), "Total supply"),
      "92,233,720,368.54775806 USDC",
    );
    const thousand = tokenRow(read(coin({ decimals: '"1000"', total_supply: '"12"' })));
    assert.match(row(thousand, "Total supply").tooltip?.[0] ?? "", /: 0\.0{998}12 USDC$/);
  });

  it("says of a supply what it counts, also where the symbol would be read as a number or decimals are missing", () => {
    const refused = { symbol: '"000 USDC"', decimals: '"0"', total_supply: '"4200"' };
    assert.equal(said(coin(refused), "Total supply"), "4,200 0.0.456858");
    assert.equal(said(coin({ ...refused, symbol: '""' }), "Total supply"), "4,200 0.0.456858");
    assert.equal(
      said(coin({ decimals: "null", total_supply: '"4200"' }), "Total supply"),
      "4,200 smallest units of USDC",
    );
  });

  it("calls an infinite supply infinite, whatever maximum comes with it", () => {
    for (const maximum of ['"0"', '"9223372036854775807"', "null"])
      assert.equal(said(coin({ max_supply: maximum }), "Maximum"), "infinite");
    assert.equal(said(coin({ supply_type: '"FINITE"', max_supply: '"0"' }), "Maximum"), "0 USDC");
  });

  it("says the state of pausing, and what a missing key means", () => {
    const paused = tokenRow(read(coin({ pause_status: '"PAUSED"' })));
    assert.match(paused.description ?? "", /· paused/);
    assert.equal(row(paused, "Paused").color, "warning");
    assert.equal(said(coin(), "Paused"), "no");
    assert.match(
      row(tokenRow(read(coin({ pause_status: '"NOT_APPLICABLE"' }))), "Paused").tooltip?.join() ?? "",
      /no pause key/,
    );
    assert.equal(said(coin({ pause_status: '"MELTED"' }), "Paused"), "MELTED");
    const keys = Object.fromEntries(
      (
        row(
          tokenRow(
            read(coin({ admin_key: "null", supply_key: "null", pause_key: "null", freeze_key: "null" })),
          ),
          "Keys",
        ).children ?? []
      ).map(({ label, description }) => [label, description]),
    );
    assert.deepEqual(keys, {
      Admin: "none · Token is immutable",
      Supply: "none · Token cannot be minted or burnt",
      Pause: "none · Token cannot be paused",
      Freeze: "none · Token cannot be frozen",
      KYC: "none · KYC is not required",
      Wipe: "none · Token cannot be wiped",
      "Fee schedule": "none · Custom fee schedule is immutable",
      Metadata: "none · Token metadata is immutable",
    });
    const old = read(coin().replace(/"metadata_key":null,/, ""));
    assert.equal(row(tokenRow(old), "Keys", "Metadata").description, "not in the answer");
    const { custom_fees: fees, metadata, ...rest } = JSON.parse(coin()) as Record<string, unknown>;
    assert.ok(fees !== undefined && metadata !== undefined);
    for (const label of ["Fees", "Metadata"])
      assert.equal(said(JSON.stringify(rest), label), "not in the answer");
  });

  it("never paints a date of expiry, and reads it in every form", () => {
    for (const literal of [
      "1684759236926863003",
      "1.684759236926863003e18",
      '"1684759236926863003"',
      '"1684759236.926863003"',
    ]) {
      const shown = row(tokenRow(read(coin({ expiry_timestamp: literal }))), "Dates", "Expires");
      assert.equal(shown.description, "2023-05-22 12:40:36.926863003 UTC · not in force");
      assert.equal(shown.copyText, "1684759236926863003");
      assert.equal(shown.color, undefined);
    }
    assert.equal(said(coin({ expiry_timestamp: "null" }), "Dates", "Expires"), "not set");
    assert.match(
      said(coin({ auto_renew_period: "31556888202959784" }), "Dates", "Auto-renew") ?? "",
      /^never ends \(31,556,888,202,959,784 s\)/,
    );
  });

  it("reads metadata as JSON, text, bytes, or says that it is no base64", () => {
    const base64 = (bytes: string | Uint8Array) => JSON.stringify(Buffer.from(bytes).toString("base64"));
    assert.equal(said(coin({ metadata: base64("ipfs://QmX") }), "Metadata"), "ipfs://QmX");
    const json = row(
      tokenRow(read(coin({ metadata: base64('{"supply": 9223372036854775807}') }))),
      "Metadata",
    );
    assert.equal(json.description, 'JSON · {"supply": 9223372036854775807}');
    assert.equal(json.copyText, '{"supply": 9223372036854775807}');
    assert.equal(
      said(coin({ metadata: base64(Uint8Array.of(1, 2, 255)) }), "Metadata"),
      "3 bytes · 0x0102ff",
    );
    assert.equal(said(coin({ metadata: '"%%%"' }), "Metadata"), "not base64 · %%%");
    assert.equal(said(coin({ metadata: base64("a\u202eb $(error)") }), "Metadata"), "a\\u{202e}b $ (error)");
  });

  it("shows hostile names without their teeth", () => {
    const shown = tokenRow(
      read(coin({ name: '"\\u202ednE$(error)\\u0007"', symbol: '"[x](command:y)\\n"' })),
    );
    assert.equal(shown.label, "\\u{202e}dnE$ (error)\\u{7} ([x] (command:y) )");
  });

  it("shows it as of a time, and says when it was not there yet", async () => {
    const { service, server, network } = await startLedger(
      (target) => (target.includes("timestamp=lt:1.5") ? undefined : coin()),
      stops,
    );
    const then = await service.token("0.0.456858", { timestamp: "lte:1684759236.5" });
    assert.deepEqual(server.asked, ["/api/v1/tokens/0.0.456858?timestamp=lte:1684759236.5"]);
    const shown = tokenRow(then);
    assert.match(shown.description ?? "", /as of 2023-05-22 12:40:36\.5 UTC$/);
    assert.equal(shown.context, "tokenPast");
    await assert.rejects(service.token("0.0.456858", { timestamp: "lt:1.5" }), {
      code: "not_found",
      message: `${network.name} does not have token 0.0.456858 before 1970-01-01 00:00:01.5 UTC: it may have been created later. Check the timestamp, the id, and whether it belongs to another network.`,
    });
    await assert.rejects(service.token("0.0.456858", { timestamp: "gt:1" }), { code: "invalid_parameter" });
    assert.equal(server.asked.length, 2);
  });

  it("compares two times in the lines that changed and no other", () => {
    const then = tokenDocument(read(coin({ total_supply: '"1"' }))).split("\n");
    const now = tokenDocument(read(coin())).split("\n");
    assert.equal(then.length, now.length);
    const changed = now.filter((line, at) => line !== then[at]);
    assert.deepEqual(changed, ["Total supply: 5,432,109.876543 USDC", '  "total_supply": "5432109876543"']);
    assert.ok(now.includes('  "expiry_timestamp": "1684759236926863003"'));
  });
});

describe("The fees of a token", () => {
  const fees = `{"created_timestamp":"1640084590.665216882",
    "fixed_fees":[
      {"all_collectors_are_exempt":true,"amount":9223372036854775807,"collector_account_id":"0.0.20","denominating_token_id":null},
      {"amount":150,"collector_account_id":"0.0.21","denominating_token_id":"0.0.777"},
      {"amount":7,"collector_account_id":"0.0.22","denominating_token_id":"0.0.777"},
      {"amount":5,"collector_account_id":"0.0.23","denominating_token_id":"0.0.404"},
      {"amount":1500000,"collector_account_id":"0.0.24","denominating_token_id":"0.0.456858"}],
    "fractional_fees":[
      {"all_collectors_are_exempt":false,"amount":{"numerator":1,"denominator":30000},"collector_account_id":"0.0.25","denominating_token_id":"0.0.456858","minimum":10000,"maximum":null,"net_of_transfers":true},
      {"amount":{"numerator":9223372036854775806,"denominator":9223372036854775807},"collector_account_id":"0.0.26","minimum":0.01,"maximum":50000000,"net_of_transfers":false}],
    "royalty_fees":[
      {"amount":{"numerator":1,"denominator":20},"collector_account_id":"0.0.27","fallback_fee":{"amount":250,"denominating_token_id":"0.0.777"}},
      {"amount":{"numerator":1,"denominator":0},"collector_account_id":"0.0.28","fallback_fee":null}]}`;

  it("stand in units of what they are paid in, whose decimals are looked up once", async () => {
    const { service, server } = await startLedger((target) => {
      if (target.endsWith("0.0.777"))
        return coin({ token_id: '"0.0.777"', decimals: '"2"', symbol: '"FEE"' });
      return target.endsWith("0.0.404") ? undefined : coin({ custom_fees: fees });
    }, stops);
    const token = await service.token("0.0.456858");
    await service.token("0.0.456858");
    const lookups = (id: string) => server.asked.filter((target) => target.endsWith(id)).length;
    assert.equal(lookups("0.0.456858"), 2);
    assert.equal(lookups("0.0.777"), 1);
    const rows = row(tokenRow(token), "Fees");
    assert.equal(rows.description, "5 fixed, 2 fractional, 2 royalty");
    assert.deepEqual(
      rows.children?.map(({ fullDescription, description }) => fullDescription ?? description),
      [
        "92,233,720,368.54775807 ℏ to 0.0.20",
        "1.5 FEE to 0.0.21",
        "0.07 FEE to 0.0.22",
        "5 smallest units of 0.0.404 to 0.0.23",
        "1.5 USDC to 0.0.24",
        "1/30000 (≈ 0.003333 %), at least 0.01 USDC, paid by the sender on top, to 0.0.25",
        "9223372036854775806/9223372036854775807 (≈ 100 %), at least 0.01 (as the server sent it), at most 50 USDC, to 0.0.26",
        "1/20 (5 %) of the exchanged value, 2.5 FEE where nothing is exchanged, to 0.0.27",
        "1/0 of the exchanged value, to 0.0.28",
      ],
    );
    assert.ok(rows.children[0]?.tooltip?.some((line) => line === "All fee collectors are exempt."));
    assert.ok(
      rows.children[3]?.tooltip?.some((line) => line.startsWith("The decimals of 0.0.404 are not known")),
    );
  });

  it("are looked up for the one who still asks when another has stopped", async () => {
    const controller = new AbortController();
    const coinWithFees = coin({ custom_fees: fees });
    let lookups = 0;
    const { service, server } = await startLedger((target) => {
      if (!target.endsWith("0.0.777")) return coinWithFees;
      // The first look-up never ends by itself.
      return lookups++ === 0
        ? new Promise(() => undefined)
        : coin({ token_id: '"0.0.777"', decimals: '"2"', symbol: '"FEE"' });
    }, stops);
    const first = service.token("0.0.456858", { signal: controller.signal });
    while (lookups === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = service.token("0.0.456858");
    while (server.asked.filter((target) => target.endsWith("0.0.456858")).length < 2)
      await new Promise((resolve) => setImmediate(resolve));
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(first, { code: "cancelled" });
    assert.equal(row(tokenRow(await second), "Fees").children?.[1]?.description, "1.5 FEE to 0.0.21");
  });
});

describe("The keys of a token", () => {
  const ed25519 = bytesOf(2, Buffer.alloc(32, 0xab));
  const secp256k1 = bytesOf(7, Buffer.alloc(33, 0x2c));
  const contract = entityOf(1, "0.0.1234");
  const list = (...keys: Uint8Array[]) => keys.map((one) => bytesOf(1, one));
  const encoded = (...parts: Uint8Array[]) => ({
    _type: "ProtobufEncoded",
    key: Buffer.concat(parts).toString("hex"),
  });

  it("are a tree of thresholds and lists", () => {
    const body = coin({
      admin_key: JSON.stringify(
        encoded(
          bytesOf(
            5,
            integerOf(1, 2n),
            bytesOf(2, ...list(ed25519, secp256k1, bytesOf(6, ...list(contract, entityOf(8, "0.0.9"))))),
          ),
        ),
      ),
    });
    const admin = row(tokenRow(read(body)), "Keys", "Admin");
    assert.equal(admin.description, "2 of 3 keys");
    assert.deepEqual(
      admin.children?.map(({ description }) => description),
      ["ED25519 · ababab…abab", "ECDSA secp256k1 · 2c2c2c…2c2c", "all of 2 keys"],
    );
    assert.deepEqual(
      admin.children[2]?.children?.map(({ description }) => description),
      ["Contract · 0.0.1234", "Contract, delegates included · 0.0.9"],
    );
    assert.equal(admin.children[0]?.copyText, "ab".repeat(32));
    assert.deepEqual(admin.children[0].tooltip, [`ED25519 · ${"ab".repeat(32)}`]);
  });

  it("fall back to hex where the bytes are no key", () => {
    for (const garbage of ["010101", "7b2261223a317d", "", "zz", "12".repeat(40), "32020a00"]) {
      const shown = row(
        tokenRow(read(coin({ admin_key: JSON.stringify({ _type: "ProtobufEncoded", key: garbage }) }))),
        "Keys",
        "Admin",
      );
      assert.equal(shown.description, `ProtobufEncoded, not decoded · ${garbage}`);
      assert.equal(shown.copyText, garbage);
    }
    assert.equal(
      said(coin({ admin_key: '{"_type":"BLS","key":"00ff"}' }), "Keys", "Admin"),
      "BLS, not decoded · 00ff",
    );
    assert.equal(
      said(coin({ admin_key: JSON.stringify(encoded(bytesOf(6))) }), "Keys", "Admin"),
      "empty list: no key can sign",
    );
  });

  it("end somewhere, however deep they are nested", () => {
    let nested: Uint8Array = ed25519;
    for (let depth = 0; depth < 2000; depth++) nested = bytesOf(6, bytesOf(1, nested));
    assert.equal(readLedgerKey(encoded(nested))?.kind, "unreadable");
  });
});
