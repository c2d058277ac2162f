import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { AbiCoder } from "ethers";
import type { Clock } from "../../../../src/core/concurrency/clock.ts";
import { JsonClient } from "../../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../../rig/directNetwork.ts";
import { abiDecoder } from "../../../../src/core/evm/abiDecoding.ts";
import {
  networkAt,
  publicNetwork,
  type LedgerNetwork,
} from "../../../../src/core/ledger/references/network.ts";
import { ActionNamer } from "../../../../src/core/ledger/actions/actionNames.ts";
import { SignatureNames } from "../../../../src/core/ledger/names/signatureNames.ts";
import { VerifiedNames } from "../../../../src/core/ledger/names/verifiedNames.ts";
import { selectorNumber, topicOf } from "../../../../src/core/evm/abiEntry.ts";
import { selectorText } from "../../../rig/selectorText.ts";
import { startServer } from "../../../rig/loopback/httpServer.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const selectorOf = (signature: string) => selectorText(selectorNumber(signature));

/** Time that passes when a test says so; short sleeps end at once. */
function heldClock(): Clock & { pass(milliseconds: number): void } {
  let now = 0;
  return {
    now: () => now,
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
    pass: (milliseconds) => {
      now += milliseconds;
    },
  };
}

type Answer = { readonly status?: number; readonly body?: unknown } | undefined;

/** A service that answers by path and query; no answer is a broken connection. */
async function service(answer: (path: string) => Answer) {
  const server = await startServer((request, response) => {
    const found = answer(request.url ?? "");
    if (!found) {
      response.destroy();
      return;
    }
    response.statusCode = found.status ?? 200;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(found.body));
  });
  const clock = heldClock();
  const http = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1", clock });
  stops.push(
    () => http.dispose(),
    () => server.stop(),
  );
  return { server, clock, http };
}

function hedera(name: string): LedgerNetwork {
  const network = publicNetwork(name);
  assert.ok(network);
  return network;
}

const VAULT = `0x${"11".repeat(20)}`;
const PROXY = `0x${"22".repeat(20)}`;
const OPEN = { type: "function", name: "open", inputs: [{ name: "a", type: "uint256" }], outputs: [] };
const CLOSED = { type: "error", name: "Closed", inputs: [] };

async function verified(answer: (path: string) => Answer) {
  const { server, clock, http } = await service(answer);
  return { server, clock, names: new VerifiedNames({ http, url: () => `${server.url}/server/`, clock }) };
}

describe("Names from the verification service", () => {
  it("are those of the contract at the address, on the network's own chain, asked for once", async () => {
    const { server, names } = await verified(() => ({
      body: { abi: [OPEN, CLOSED, null, { type: "function" }], compilation: { name: "Va\u202eult" } },
    }));
    const scope = { network: hedera("testnet"), address: VAULT };
    const [found, , , name] = await Promise.all([
      names.definitions("function", selectorOf("open(uint256)"), scope),
      names.definitions("error", selectorOf("Closed()"), scope),
      names.definitions("function", selectorOf("open(uint256)"), scope),
      names.contractName(scope),
    ]);
    assert.equal((found[0]?.abi as { name: string }).name, "open");
    assert.equal(name?.name, "Va\\u{202e}ult");
    assert.deepEqual(server.asked, [`/server/v2/contract/296/${VAULT}?fields=abi,compilation`]);
    await names.contractName({ ...scope, network: hedera("mainnet") });
    assert.equal(server.asked[1], `/server/v2/contract/295/${VAULT}?fields=abi,compilation`);
    const decoder = abiDecoder();
    const data = selectorOf("open(uint256)") + AbiCoder.defaultAbiCoder().encode(["uint256"], [7]).slice(2);
    assert.equal(found[0] && decoder.decode(found[0].abi, data)?.values[0]?.text, "7");
  });

  it("are none for a ledger without a chain id, for a failed creation and for a selector that is none", async () => {
    const { server, names } = await verified(() => ({ body: {} }));
    const selector = selectorOf("open(uint256)");
    const elsewhere = networkAt("http://127.0.0.1:5551");
    assert.deepEqual(
      await names.definitions("function", selector, { network: elsewhere, address: VAULT }),
      [],
    );
    assert.equal(await names.contractName({ network: elsewhere, address: VAULT }), undefined);
    assert.deepEqual(
      await names.definitions("function", selector, { network: hedera("testnet"), address: undefined }),
      [],
    );
    assert.deepEqual(
      await names.definitions("function", "0x12", { network: hedera("testnet"), address: VAULT }),
      [],
    );
    assert.deepEqual(server.asked, []);
  });

  it("of a proxy are those of the contract behind it", async () => {
    const { server, names } = await verified((path) => {
      if (path.includes("proxyResolution"))
        return {
          body: { proxyResolution: { isProxy: true, implementations: [{ address: VAULT, name: "Vault" }] } },
        };
      return path.includes(PROXY)
        ? { body: { abi: [], compilation: { name: "ERC1967Proxy" } } }
        : { body: { abi: [OPEN], compilation: { name: "Vault" } } };
    });
    const scope = { network: hedera("testnet"), address: PROXY };
    const found = await names.definitions("function", selectorOf("open(uint256)"), scope);
    assert.equal((found[0]?.abi as { name: string }).name, "open");
    assert.equal((await names.contractName(scope))?.name, "ERC1967Proxy");
    assert.equal(server.asked.length, 3);
  });

  it("are none for what is not verified, which is not asked again", async () => {
    const { server, names } = await verified(() => ({
      status: 404,
      body: { match: null, creationMatch: null, runtimeMatch: null, chainId: "296", address: VAULT },
    }));
    const scope = { network: hedera("testnet"), address: VAULT };
    assert.equal(await names.contractName(scope), undefined);
    assert.deepEqual(await names.definitions("error", selectorOf("Closed()"), scope), []);
    assert.equal(server.asked.filter((path) => path.includes("fields=abi")).length, 1);
  });

  for (const [fault, answer] of Object.entries<Answer>({
    "answers with a failure": { status: 500, body: { customCode: "internal_error" } },
    "breaks the connection": undefined,
  })) {
    it(`are none while the service ${fault}, which is left alone for a minute`, async () => {
      let isDown = true;
      const { server, names, clock } = await verified(() => (isDown ? answer : { body: { abi: [OPEN] } }));
      const scope = { network: hedera("testnet"), address: VAULT };
      const selector = selectorOf("open(uint256)");
      assert.deepEqual(await names.definitions("function", selector, scope), []);
      const asked = server.asked.length;
      isDown = false;
      assert.deepEqual(await names.definitions("function", selector, { ...scope, address: PROXY }), []);
      assert.equal(server.asked.length, asked);
      clock.pass(60_001);
      assert.equal((await names.definitions("function", selector, scope)).length, 1);
    });
  }

  it("are none where the answer is about another contract, which spoils no other answer", async () => {
    for (const about of [
      { chainId: "1" },
      { chainId: 1 },
      { address: PROXY },
      { chainId: "296", address: PROXY },
      { chainId: "1", address: VAULT },
    ]) {
      const { names } = await verified((path) => ({
        body: {
          ...(path.includes(VAULT)
            ? about
            : { chainId: "296", address: PROXY.toUpperCase().replace("X", "x") }),
          abi: [OPEN],
          compilation: { name: "Vault" },
          proxyResolution: { implementations: [{ address: PROXY }] },
        },
      }));
      const scope = { network: hedera("testnet"), address: VAULT };
      const selector = selectorOf("open(uint256)");
      assert.equal(await names.contractName(scope), undefined, JSON.stringify(about));
      assert.deepEqual(await names.definitions("function", selector, scope), []);
      assert.equal((await names.definitions("function", selector, { ...scope, address: PROXY })).length, 1);
    }
  });

  it("of a proxy come from no answer about another proxy", async () => {
    const { names } = await verified((path) => {
      if (path.includes("proxyResolution"))
        return { body: { address: VAULT, proxyResolution: { implementations: [VAULT] } } };
      return { body: path.includes(PROXY) ? { abi: [] } : { abi: [OPEN] } };
    });
    const scope = { network: hedera("testnet"), address: PROXY };
    assert.deepEqual(await names.definitions("function", selectorOf("open(uint256)"), scope), []);
  });

  it("are few, however often an ABI repeats a function", async () => {
    const { names } = await verified(() => ({ body: { abi: Array.from({ length: 5_000 }, () => OPEN) } }));
    const scope = { network: hedera("testnet"), address: VAULT };
    const found = await names.definitions("function", selectorOf("open(uint256)"), scope);
    assert.ok(found.length <= 20, `${found.length} definitions`);
  });

  it("survive whatever a service may send", async () => {
    const bodies: unknown[] = [
      null,
      [],
      "text",
      { abi: {}, compilation: [] },
      { abi: [{ type: "function", name: "open", inputs: "no" }], compilation: { name: 5 } },
      { abi: [{ type: "function", name: "__proto__", inputs: [{ type: "tuple", components: 1 }] }] },
      { abi: [OPEN], proxyResolution: { implementations: [1, null, { address: "x" }, "0x12"] } },
    ];
    for (const body of bodies) {
      const { names } = await verified(() => ({ body }));
      const scope = { network: hedera("testnet"), address: VAULT };
      assert.deepEqual(await names.definitions("function", "0xffffffff", scope), []);
      assert.equal(await names.contractName(scope), undefined);
    }
  });

  it("are given up for who stops waiting alone", async () => {
    const { names } = await verified(() => ({ body: { abi: [OPEN] } }));
    const scope = { network: hedera("testnet"), address: VAULT };
    const controller = new AbortController();
    const selector = selectorOf("open(uint256)");
    const first = names.definitions("function", selector, { ...scope, signal: controller.signal });
    const second = names.definitions("function", selector, scope);
    controller.abort();
    await assert.rejects(first, { name: "AbortError" });
    assert.equal((await second).length, 1);
  });
});

const TRANSFER = selectorOf("transfer(address,uint256)");

async function signatures(answer: (path: string) => Answer, isEnabled = () => true) {
  const { server, clock, http } = await service(answer);
  return { server, clock, names: new SignatureNames({ http, url: () => server.url, isEnabled, clock }) };
}

describe("Names from a signature service", () => {
  const scope = { network: hedera("testnet"), address: VAULT };

  it("are asked for only where the user switched them on", async () => {
    let isOn = false;
    const { server, names } = await signatures(
      () => ({
        body: { ok: true, result: { function: { [TRANSFER]: [{ name: "transfer(address,uint256)" }] } } },
      }),
      () => isOn,
    );
    assert.deepEqual(await names.definitions("function", TRANSFER, scope), []);
    assert.deepEqual(server.asked, []);
    isOn = true;
    assert.deepEqual(await names.definitions("function", TRANSFER, scope), [
      { abi: "function transfer(address,uint256)" },
    ]);
    assert.deepEqual(await names.definitions("error", TRANSFER, scope), [
      { abi: "error transfer(address,uint256)" },
    ]);
    assert.equal(server.asked.length, 1, "a function and an error are one question");
  });

  it("are asked for together, a hundred at once, each selector once and nothing else of the transaction", async () => {
    const { server, names } = await signatures(() => ({
      body: { ok: true, result: { function: {}, event: {} } },
    }));
    const selectors = Array.from({ length: 250 }, (_, at) => selectorText(at));
    await Promise.all(
      [...selectors, ...selectors].map((selector) => names.definitions("function", selector, scope)),
    );
    assert.equal(server.asked.length, 3);
    for (const path of server.asked)
      assert.match(
        path,
        /^\/signature-database\/v1\/lookup\?function=0x[0-9a-f]{8}(?:,0x[0-9a-f]{8})*&filter=true$/,
      );
    const asked = server.asked.flatMap((path) => path.match(/0x[0-9a-f]{8}/g) ?? []);
    assert.deepEqual(asked.sort(), selectors);
  });

  it("name an event by its whole topic, where functions and errors are asked by four bytes", async () => {
    const event = "Swapped(address,uint256)";
    const topic = topicOf(event);
    const { server, names } = await signatures((path) => ({
      body: {
        ok: true,
        result: {
          // The service answers by what it was asked for, and may lie.
          function: {},
          event: path.includes(topic) ? { [topic]: [{ name: "Traded(address)" }, { name: event }] } : {},
        },
      },
    }));
    assert.deepEqual(await names.definitions("event", topic, scope), [{ abi: `event ${event}` }]);
    assert.deepEqual(server.asked, [`/signature-database/v1/lookup?event=${topic}&filter=true`]);
    assert.deepEqual(await names.definitions("event", topic.slice(0, 10), scope), []);
    assert.deepEqual(await names.definitions("function", topic, scope), []);
    assert.equal(server.asked.length, 1, "what names no event or function is not asked for");
  });

  it("decode a log whichever of its parameters are indexed, after the sources that are trusted more", async () => {
    const event = "Swapped(address,uint256,address)";
    const topic = topicOf(event);
    const { server, names } = await signatures(() => ({
      body: { ok: true, result: { event: { [topic]: [{ name: event }] } } },
    }));
    const word = (hex: string) => hex.padStart(64, "0");
    const [first, last] = ["aa".repeat(20), "bb".repeat(20)];
    const trusted = { certainty: "verified" as const, contractName: () => Promise.resolve(undefined) };
    const named = await new ActionNamer(hedera("testnet"), [
      { ...trusted, definitions: () => Promise.resolve([]) },
      names,
    ]).event({
      address: VAULT,
      topics: [topic, `0x${word(first)}`, `0x${word(last)}`],
      data: `0x${word("64")}`,
    });
    assert.equal(named.event?.certainty, "guess");
    assert.deepEqual(
      named.event.values.map(({ text }) => text.toLowerCase()),
      [`0x${first}`, "100", `0x${last}`],
    );
    assert.equal(server.asked.length, 1);
    const full = `event Swapped(address indexed who, uint256 amount, address indexed to)`;
    const known = await new ActionNamer(hedera("testnet"), [
      { ...trusted, definitions: () => Promise.resolve([{ abi: full }]) },
      names,
    ]).event({
      address: VAULT,
      topics: [topic, `0x${word(first)}`, `0x${word(last)}`],
      data: `0x${word("64")}`,
    });
    assert.equal(known.event?.certainty, "verified");
    assert.equal(server.asked.length, 1, "who is trusted more keeps the others from being asked");
  });

  it("put those of verified contracts first, and leave out junk and lies", async () => {
    const { names } = await signatures(() => ({
      body: {
        ok: true,
        result: {
          function: {
            [TRANSFER]: [
              { name: "many_msg_babbage(bytes1)", filtered: false, hasVerifiedContract: false },
              { name: "transfer(bytes4[9],bytes5[6],int48[11])", filtered: true },
              { name: "transfer(address,uint256)", filtered: false, hasVerifiedContract: true },
              { name: "approve(address,uint256)", filtered: false, hasVerifiedContract: true },
              { name: "transfer(address, uint256) payable" },
              { name: 5 },
              null,
            ],
          },
        },
      },
    }));
    assert.deepEqual(
      (await names.definitions("function", TRANSFER, scope)).map(({ abi }) => abi),
      ["function transfer(address,uint256)", "function many_msg_babbage(bytes1)"],
    );
  });

  it("can be decoded with, tuples too", async () => {
    const signature = "place((uint256,address)[],bytes)";
    const selector = selectorOf(signature);
    const { names } = await signatures(() => ({
      body: { ok: true, result: { function: { [selector]: [{ name: signature }] } } },
    }));
    const [found] = await names.definitions("function", selector, scope);
    const data =
      selector +
      AbiCoder.defaultAbiCoder()
        .encode(["tuple(uint256,address)[]", "bytes"], [[[1n, VAULT]], "0x12"])
        .slice(2);
    const decoded = found && abiDecoder().decode(found.abi, data);
    assert.deepEqual(
      decoded?.values.map(({ text }) => text),
      [`[(1, ${VAULT})]`, "0x12"],
    );
  });

  it("are none while the service fails or says something else, which is left alone for a minute", async () => {
    for (const answer of [
      { status: 500, body: { ok: false } },
      { body: [] },
      { body: { ok: true } },
      undefined,
    ]) {
      let isDown = true;
      const { server, names, clock } = await signatures(() =>
        isDown ? answer : { body: { ok: true, result: { function: { [TRANSFER]: null } } } },
      );
      assert.deepEqual(await names.definitions("function", TRANSFER, scope), []);
      const asked = server.asked.length;
      assert.deepEqual(await names.definitions("function", "0x00000001", scope), []);
      assert.equal(server.asked.length, asked);
      isDown = false;
      clock.pass(60_001);
      assert.deepEqual(await names.definitions("function", TRANSFER, scope), []);
      assert.equal(server.asked.length, asked + 1);
    }
  });
});
