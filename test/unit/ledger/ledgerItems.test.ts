import type { Clock } from "../../../src/core/concurrency/clock.ts";
import { eventually } from "../../rig/eventually.ts";
import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { tellOfLimit } from "../../../src/core/concurrency/toldLimits.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { ActionNamer } from "../../../src/core/ledger/actions/actionNames.ts";
import { contentRow, waitingChanges, waitingWords } from "../../../src/core/ledger/itemRows.ts";
import { LedgerItems } from "../../../src/core/ledger/ledgerItems.ts";
import { LedgerService } from "../../../src/core/ledger/ledgerService.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import type { ItemMemory } from "../../../src/core/ledger/openedItems.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** What outlives a run. */
function memory(): ItemMemory & { readonly kept: Map<string, unknown> } {
  const kept = new Map<string, unknown>();
  return {
    kept,
    get: (name) => kept.get(name),
    update: (name, value) => {
      // As VS Code does, so that nothing is shared by reference.
      kept.set(name, JSON.parse(JSON.stringify(value)));
      return Promise.resolve();
    },
  };
}

/** One run of the editor: its items, on the network whose address is in `at`. */
function session(at: { url: string }, kept: ItemMemory, clock?: Clock): LedgerItems {
  const client = new JsonClient({
    network: () => DIRECT_NETWORK,
    userAgent: "test/1",
    ...(clock && { clock }),
  });
  stops.push(() => client.dispose());
  const network = () => networkAt(at.url);
  const items: LedgerItems = new LedgerItems({
    service: new LedgerService({
      client,
      network,
      onLimited: (ms) => items.limited(ms),
      ...(clock && { clock }),
    }),
    network,
    memory: kept,
    namer: (of) => new ActionNamer(of, []),
    titleOf: (canonical, content) => contentRow(canonical, content, 0),
    ...(clock && { clock }),
  });
  stops.push(() => items.dispose());
  return items;
}

const PAGE = 100;

/** A ledger with tokens of every id, and one transaction of so many actions. */
async function ledger(name: string, actions = 0) {
  let respond: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  const server = await startServer((request, response) => {
    if (respond?.(request, response)) return;
    const url = new URL(request.url ?? "", "http://ledger");
    response.setHeader("content-type", "application/json");
    const tokenId = /^\/api\/v1\/tokens\/(.*)$/.exec(url.pathname)?.[1];
    if (tokenId === "0.0.404") {
      response.writeHead(404).end('{"_status":{"messages":[{"message":"Not found"}]}}');
    } else if (tokenId !== undefined) {
      response.end(
        JSON.stringify({ token_id: tokenId, name, symbol: "T", decimals: "0", total_supply: "1" }),
      );
    } else {
      const from = Number(/gt:(\d+)/.exec(url.search)?.[1] ?? -1) + 1;
      const page = Array.from({ length: Math.max(0, Math.min(PAGE, actions - from)) }, (_, at) => ({
        index: from + at,
        call_depth: from + at === 0 ? 0 : 1,
        result_data_type: "OUTPUT",
      }));
      const next = from + PAGE < actions ? `${url.pathname}?limit=${PAGE}&index=gt:${from + PAGE - 1}` : null;
      response.end(JSON.stringify({ actions: page, links: { next } }));
    }
  });
  stops.push(() => server.stop());
  return {
    ...server,
    answerWith: (other: typeof respond) => (respond = other),
  };
}

const labels = (items: LedgerItems) =>
  items.visible().map(({ label, pinned }) => `${pinned ? "* " : ""}${label}`);

async function failure(work: Promise<unknown>): Promise<LedgerLensError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof LedgerLensError, `expected a failure, got ${String(error)}`);
  return error;
}

describe("the items of the ledger view", () => {
  it("puts what was opened last on top, pinned ones above all, and finds all again after a restart", async () => {
    const server = await ledger("Coin");
    const kept = memory();
    const items = session(server, kept);
    await items.open({ kind: "token", tokenId: "0.0.1" });
    await items.open({ kind: "token", tokenId: "0.0.2" });
    const { item } = await items.open({ kind: "token", tokenId: "0.0.3" });
    await items.open({ kind: "token", tokenId: "0.0.1" });
    items.setPinned(item.id, true);
    const expected = ["0.0.3", "0.0.1", "0.0.2"];
    assert.deepEqual(
      items.visible().map(({ canonical }) => canonical),
      expected,
    );
    const asked = server.asked.length;
    const restarted = session(server, kept);
    assert.deepEqual(labels(restarted), ["* Coin (T)", "Coin (T)", "Coin (T)"]);
    assert.deepEqual(
      restarted.visible().map(({ canonical, content }) => [canonical, content]),
      expected.map((id) => [id, undefined]),
    );
    assert.equal(server.asked.length, asked, "nothing is fetched before it is shown");
    await restarted.refresh(item.id);
    assert.equal(restarted.get(item.id)?.content?.kind, "token");
  });

  it("remembers many, but not without end", async () => {
    const server = await ledger("Coin");
    const items = session(server, memory());
    const { item } = await items.open({ kind: "token", tokenId: "0.0.1" });
    items.setPinned(item.id, true);
    for (let id = 2; id <= 30; id++) await items.open({ kind: "token", tokenId: `0.0.${id}` });
    assert.equal(items.visible().length, 16);
    assert.equal(items.visible()[0]?.canonical, "0.0.1");
    assert.equal(items.visible()[1]?.canonical, "0.0.30");
  });

  it("never shows one network's items under another's name", async () => {
    const [one, other] = [await ledger("One"), await ledger("Other")];
    const at = { url: one.url };
    const items = session(at, memory());
    const { item } = await items.open({ kind: "token", tokenId: "0.0.7" });
    at.url = other.url;
    assert.deepEqual(labels(items), []);
    const refused = await failure(items.refresh(item.id));
    assert.equal(refused.code, "other_network");
    const [its, chosen] = [one.url, other.url].map((url) => new URL(url).host);
    assert.equal(
      refused.message,
      `This is of ${its}, while ${chosen} is chosen. Change the network to load it.`,
    );
    assert.equal(other.asked.length, 0, "the item of one network is not loaded from another");
    await items.open({ kind: "token", tokenId: "0.0.7" });
    assert.deepEqual(labels(items), ["Other (T)"]);
    at.url = one.url;
    assert.deepEqual(labels(items), ["One (T)"]);
  });

  it("keeps an answer to its network when the network is switched while it is on its way", async () => {
    const [one, other] = [await ledger("One"), await ledger("Other")];
    const at = { url: one.url };
    const items = session(at, memory());
    const opening = items.open({ kind: "token", tokenId: "0.0.7" });
    at.url = other.url;
    const { content } = await opening;
    assert.equal(content.token.name, "One");
    assert.deepEqual(labels(items), []);
    at.url = one.url;
    assert.deepEqual(labels(items), ["One (T)"]);
  });

  it("loads the first page, then up to 1,000 more with progress, and goes on when asked", async () => {
    const server = await ledger("Coin", 2350);
    const items = session(server, memory());
    const { item, content } = await items.open({ kind: "transaction", transaction: "0.0.5-1700000000-1" });
    assert.equal(content.actions.tree.actions.length, 100);
    assert.equal(server.asked.length, 1);
    const progress: number[] = [];
    items.onChange(() => progress.push(items.get(item.id)?.loading?.entries ?? -1));
    await items.more(item.id);
    assert.equal(content.actions.tree.actions.length, 1100);
    assert.deepEqual([...new Set(progress)].slice(0, 3), [100, 200, 300]);
    await items.more(item.id);
    await items.more(item.id);
    assert.equal(content.actions.tree.actions.length, 2350);
    assert.equal(content.actions.complete, true);
    assert.equal(items.get(item.id)?.loading, undefined);
  });

  it("stops when asked, keeps what came, and goes on from there", async () => {
    const server = await ledger("Coin", 2000);
    const items = session(server, memory());
    const { item, content } = await items.open({ kind: "transaction", transaction: "0.0.5-1700000000-1" });
    items.onChange(() => {
      if ((items.get(item.id)?.loading?.entries ?? 0) >= 300) items.stop(item.id);
    });
    assert.equal((await failure(items.more(item.id))).code, "cancelled");
    assert.equal(content.actions.tree.actions.length, 300);
    assert.equal(items.get(item.id)?.problem, undefined, "who stops it knows why");
    const before = server.asked.length;
    await setTimeout(20);
    assert.equal(server.asked.length, before);
  });

  it("keeps what came before a fault, says what happened, and goes on later", async () => {
    const server = await ledger("Coin", 250);
    const items = session(server, memory());
    const { item, content } = await items.open({ kind: "transaction", transaction: "0.0.5-1700000000-1" });
    server.answerWith((_request, response) => {
      response.writeHead(403, { "content-type": "text/html" }).end("<!doctype html>403 Forbidden");
      return true;
    });
    assert.equal((await failure(items.more(item.id))).code, "forbidden");
    assert.equal(items.get(item.id)?.problem?.code, "forbidden");
    assert.equal(content.actions.tree.actions.length, 100);
    server.answerWith(undefined);
    await items.more(item.id);
    assert.equal(items.get(item.id)?.problem, undefined);
    assert.equal(content.actions.tree.actions.length, 250);
  });

  it("waits for a transaction that was just sent, which keeps its row, and ends when it is there", async () => {
    const now = 1_800_000_000_000;
    let [time, unknown] = [now, 3];
    const waits: number[] = [];
    const clock: Clock = {
      now: () => time,
      sleep: (milliseconds, signal) => {
        signal?.throwIfAborted();
        waits.push(milliseconds);
        time += milliseconds;
        return Promise.resolve();
      },
    };
    const server = await ledger("Coin", 2);
    const refuse = (_request: IncomingMessage, response: ServerResponse) => {
      if (unknown-- <= 0) return false;
      response.writeHead(404).end('{"_status":{"messages":[{"message":"Not found"}]}}');
      return true;
    };
    server.answerWith(refuse);
    const items = session(server, memory(), clock);
    const told = new Set<string>();
    items.onChange(() => {
      for (const { loading } of items.visible())
        if (loading) told.add(loading.isAwaited ? "awaited" : "loading");
    });
    const sent = (secondsAgo: number) => `0.0.5-${now / 1_000 - secondsAgo}-000000001`;
    const { content } = await items.open({ kind: "transaction", transaction: sent(4) });
    assert.equal(content.actions.tree.actions.length, 2);
    assert.deepEqual(waits, [2_000, 2_000, 2_000]);
    assert.ok(told.has("awaited"));
    // It never comes: after half a minute that is said.
    unknown = Infinity;
    time = now;
    waits.length = 0;
    const never = await failure(items.open({ kind: "transaction", transaction: sent(10) }));
    assert.equal(never.code, "not_found");
    assert.equal(waits.length, 15);
    // Its row stays, with what to do: it may come later.
    assert.match(items.visible()[0]?.problem?.message ?? "", /is not on the mirror node of .*try again/);
    // A hash does not tell when it was sent: one that a person has just given may be as new.
    for (const [isEntered, tries] of [
      [true, 15],
      [false, 5],
    ] as const) {
      waits.length = 0;
      const transaction = `0x${(isEntered ? "ab" : "cd").repeat(32)}`;
      const hash = await failure(items.open({ kind: "transaction", transaction, isEntered }));
      assert.deepEqual([hash.code, waits.length], ["not_found", tries]);
      const kept = items.visible()[0];
      assert.deepEqual([kept?.canonical, kept?.problem], [transaction, hash]);
      assert.equal(kept?.label, isEntered ? "Transaction 0xabab…abab" : "Transaction 0xcdcd…cdcd");
    }
    const [waited] = items.visible();
    unknown = 1;
    await items.refresh(waited?.id ?? "");
    assert.equal(items.get(waited?.id ?? "")?.content?.kind, "transaction", "it came after all");
    // One of yesterday is not waited for, nor one that was refused for another reason.
    unknown = Infinity;
    waits.length = 0;
    const before = items.visible().length;
    assert.equal(
      (await failure(items.open({ kind: "transaction", transaction: sent(86_400) }))).code,
      "not_found",
    );
    assert.equal(items.visible().length, before);
    assert.deepEqual(waits, []);
  });

  it("says of an empty transaction whose actions may still come that they are not imported yet, however it was named", async () => {
    const now = 1_800_000_000_000;
    const server = await ledger("Coin");
    const asked: string[] = [];
    let secondsAgo = 4;
    server.answerWith((request, response) => {
      const path = new URL(request.url ?? "", "http://ledger").pathname;
      asked.push(path);
      const moment = `${now / 1_000 - secondsAgo}.000000001`;
      response.end(
        JSON.stringify(
          path.endsWith("/actions")
            ? { actions: [], links: { next: null } }
            : path.startsWith("/api/v1/transactions")
              ? { transactions: [{ consensus_timestamp: moment, transaction_hash: "q6ur".repeat(16) }] }
              : { timestamp: moment },
        ),
      );
      return true;
    });
    const items = session(server, memory(), { now: () => now, sleep: () => Promise.resolve() });
    const rowsOf = async (transaction: string) => {
      const { item, content } = await items.open({ kind: "transaction", transaction });
      const { description, children = [] } = contentRow(item.canonical, content, now);
      return [description, ...children.map(({ label }) => label)];
    };
    const notYet = [
      "contract actions not imported yet",
      "The mirror node has not imported the contract actions yet.",
    ];
    const hash = `0x${"ab".repeat(32)}`;
    assert.deepEqual(await rowsOf(`0.0.5-${now / 1_000 - 4}-000000001`), notYet);
    assert.equal(asked.length, 1, "an id says when it was sent");
    assert.deepEqual(await rowsOf(hash), notYet);
    assert.deepEqual(await rowsOf(`${now / 1_000 - 4}.000000001`), notYet);
    secondsAgo = 3_600;
    assert.deepEqual(await rowsOf(hash), [
      "no contract actions",
      "The ledger has no contract actions of this transaction.",
    ]);
    // What can't be found out is no failure of the transaction.
    server.answerWith((request, response) => {
      const isActions = request.url?.includes("/actions") ?? false;
      response.writeHead(isActions ? 200 : 404).end(isActions ? '{"actions":[]}' : "{}");
      return true;
    });
    assert.equal((await rowsOf(hash))[0], "no contract actions");
  });

  it("ends waiting for a transaction when it is told to", async () => {
    const server = await ledger("Coin");
    server.answerWith((_request, response) => {
      response.writeHead(404).end('{"_status":{"messages":[{"message":"Not found"}]}}');
      return true;
    });
    const items = session(server, memory());
    const transaction = `0.0.5-${Math.floor(Date.now() / 1_000)}-000000001`;
    const opened = failure(items.open({ kind: "transaction", transaction }));
    await eventually(() => assert.equal(items.visible()[0]?.loading?.isAwaited, true));
    items.stop(items.visible()[0]?.id ?? "");
    assert.equal((await opened).code, "cancelled");
  });

  it("says at once that the ledger limits requests, and counts down until it is asked again", async () => {
    const server = await ledger("Coin");
    let limited = 1;
    server.answerWith((_request, response) => {
      if (limited-- <= 0) return false;
      response.writeHead(429, { "retry-after": "42" }).end("{}");
      return true;
    });
    const goOn = Promise.withResolvers<undefined>();
    const clock: Clock = { now: () => 0, sleep: () => goOn.promise };
    const items = session(server, memory(), clock);
    const opened = items.open({ kind: "token", tokenId: "0.0.5" });
    await eventually(() => assert.equal(items.visible()[0]?.loading?.resumesAt, 42_000));
    const loading = items.visible()[0]?.loading;
    assert.equal(waitingWords(loading, 0), "too many requests for the ledger, going on in 42 s");
    assert.deepEqual(waitingChanges(loading, 0), { changesAt: 1_000 });
    assert.equal(waitingWords(loading, 41_500), "too many requests for the ledger, going on in 1 s");
    assert.equal(waitingWords(loading, 42_000), undefined);
    assert.deepEqual(waitingChanges(loading, 42_000), {});
    goOn.resolve(undefined);
    await opened;
    assert.deepEqual(labels(items), ["Coin (T)"]);
  });

  it("says so of an item, too, whose names and keys are looked for once it is loaded", async () => {
    const server = await ledger("Coin");
    const moment = 1_700_000_000;
    const goOn = Promise.withResolvers<undefined>();
    const clock: Clock = { now: () => moment * 1_000, sleep: () => goOn.promise };
    let limited = 1;
    server.answerWith((request, response) => {
      const isAccount = request.url?.startsWith("/api/v1/accounts/") ?? false;
      if (isAccount && limited-- > 0) response.writeHead(429, { "retry-after": "42" }).end("{}");
      else if (isAccount) response.end("{}");
      else
        response.end(
          JSON.stringify({
            schedule_id: "0.0.7",
            payer_account_id: "0.0.9",
            consensus_timestamp: `${moment}.000000001`,
          }),
        );
      return true;
    });
    const items = session(server, memory(), clock);
    const { item } = await items.open({ kind: "schedule", scheduleId: "0.0.7" });
    const longest = { service: networkAt(server.url).name, resumesAt: (moment + 42) * 1_000 };
    await eventually(() => assert.deepEqual(items.get(item.id)?.waiting, longest));
    assert.equal(items.get(item.id)?.loading, undefined);
    items.telling(item.id, () => tellOfLimit({ service: "Another", ms: 1_000 }));
    assert.deepEqual(items.get(item.id)?.waiting, longest, "what is there last counts");
    goOn.resolve(undefined);
    await items.refresh(item.id);
    assert.equal(items.get(item.id)?.waiting, undefined, "it was loaded anew since");
  });

  it("asks no other network for a transaction that it waits for", async () => {
    const [server, other] = [await ledger("Coin"), await ledger("Other", 2)];
    server.answerWith((_request, response) => {
      response.writeHead(404).end('{"_status":{"messages":[{"message":"Not found"}]}}');
      return true;
    });
    const at = { url: server.url };
    const waits = Promise.withResolvers<undefined>();
    const clock: Clock = { now: () => Date.now(), sleep: () => waits.promise };
    const items = session(at, memory(), clock);
    const transaction = `0.0.5-${Math.floor(Date.now() / 1_000)}-000000001`;
    const opened = failure(items.open({ kind: "transaction", transaction }));
    await eventually(() => assert.equal(items.visible()[0]?.loading?.isAwaited, true));
    at.url = other.url;
    waits.resolve(undefined);
    assert.equal((await opened).code, "cancelled");
    assert.deepEqual(items.visible(), []);
  });

  it("loads as many actions again as were there, and after a restart as many as it is told", async () => {
    const server = await ledger("Coin", 450);
    const kept = memory();
    const items = session(server, kept);
    const { item } = await items.open({ kind: "transaction", transaction: `0x${"ab".repeat(32)}` });
    const count = (of: LedgerItems) => {
      const content = of.get(item.id)?.content;
      return content?.kind === "transaction" ? content.actions.tree.actions.length : undefined;
    };
    assert.equal(count(items), 100);
    await items.more(item.id);
    const seen: (number | undefined)[] = [];
    const end = items.onChange(() => seen.push(count(items)));
    await items.refresh(item.id);
    end();
    assert.deepEqual([...new Set(seen)], [450], "what is seen stays until as much of it is there again");
    const restarted = session(server, kept);
    await restarted.refresh(item.id, { atLeast: 250 });
    assert.equal(count(restarted), 300);
    const other = session(server, kept);
    await other.refresh(item.id);
    assert.equal(count(other), 100);
  });

  it("leaves no row of something that is not there, but one of something that can be tried again", async () => {
    const server = await ledger("Coin");
    const items = session(server, memory());
    assert.equal((await failure(items.open({ kind: "token", tokenId: "0.0.404" }))).code, "not_found");
    assert.equal(
      (await failure(items.open({ kind: "token", tokenId: "nonsense" }))).code,
      "invalid_parameter",
    );
    assert.equal(
      (await failure(items.open({ kind: "token", tokenId: "0.0.5", timestamp: "gt:1.5" }))).code,
      "invalid_parameter",
    );
    assert.deepEqual(labels(items), []);
    server.answerWith((_request, response) => {
      response.writeHead(403).end();
      return true;
    });
    assert.equal((await failure(items.open({ kind: "token", tokenId: "0.0.5" }))).code, "forbidden");
    assert.deepEqual(labels(items), ["Token 0.0.5"]);
    server.answerWith(undefined);
    await items.refresh(items.visible()[0]?.id ?? "");
    assert.deepEqual(labels(items), ["Coin (T)"]);
  });

  it("ends one load of an item when another begins, and shows the later answer", async () => {
    const server = await ledger("Coin");
    const items = session(server, memory());
    const held: ServerResponse[] = [];
    server.answerWith((_request, response) => held.length === 0 && held.push(response) > 0);
    const first = failure(items.open({ kind: "token", tokenId: "0.0.5" }));
    while (held.length === 0) await setTimeout(1);
    await items.open({ kind: "token", tokenId: "0.0.5" });
    held[0]?.setHeader("content-type", "application/json");
    held[0]?.end('{"token_id":"0.0.5","name":"Old","symbol":"T"}');
    assert.equal((await first).code, "cancelled");
    assert.deepEqual(labels(items), ["Coin (T)"]);
  });

  it("keeps what each of two windows opened and pinned, whichever of them writes last", async () => {
    const [server, kept] = [await ledger("Coin"), memory()];
    const [one, other] = [session(server, kept), session(server, kept)];
    const stored = () => session(server, kept).visible();
    assert.deepEqual([one.visible(), other.visible()], [[], []]);
    const { item } = await one.open({ kind: "token", tokenId: "0.0.1001" });
    one.setPinned(item.id, true);
    const second = (await other.open({ kind: "token", tokenId: "0.0.2002" })).item;
    assert.deepEqual(
      stored().map(({ canonical, pinned }) => [canonical, pinned]),
      [
        ["0.0.1001", true],
        ["0.0.2002", false],
      ],
    );
    assert.equal(other.visible().length, 2);
    other.remove(item.id);
    other.setPinned(second.id, true);
    await other.refresh(second.id);
    assert.deepEqual(
      stored().map(({ canonical, pinned }) => [canonical, pinned]),
      [["0.0.2002", true]],
    );
    await one.open({ kind: "token", tokenId: "0.0.3003" });
    assert.ok(stored().some(({ canonical, pinned }) => canonical === "0.0.2002" && pinned));
  });

  it("lets what one of two windows removed stay away there, and go in the other where that does not work with it", async () => {
    const [server, kept] = [await ledger("Coin"), memory()];
    const first = session(server, kept);
    for (const tokenId of ["0.0.1", "0.0.2", "0.0.3"]) await first.open({ kind: "token", tokenId });
    const [one, other] = [session(server, kept), session(server, kept)];
    const shown = (items: LedgerItems) => items.visible().map(({ canonical }) => canonical);
    assert.deepEqual([shown(one), shown(other)], [["0.0.3", "0.0.2", "0.0.1"], shown(one)]);
    const idOf = (canonical: string) =>
      one.visible().find((item) => item.canonical === canonical)?.id ?? assert.fail(canonical);
    await other.refresh(idOf("0.0.2"));
    one.remove(idOf("0.0.1"));
    one.remove(idOf("0.0.2"));
    let told = 0;
    other.onChange((id) => void (id === undefined && told++));
    await other.open({ kind: "token", tokenId: "0.0.4" });
    assert.deepEqual(shown(other), ["0.0.4", "0.0.3", "0.0.2"], "it is loaded there");
    await one.open({ kind: "token", tokenId: "0.0.5" });
    assert.deepEqual(shown(one), ["0.0.5", "0.0.4", "0.0.3"]);
    assert.deepEqual(shown(session(server, kept)).sort(), ["0.0.2", "0.0.3", "0.0.4", "0.0.5"]);
    told = 0;
    one.setPinned(idOf("0.0.3"), true);
    await other.refresh(idOf("0.0.4"));
    assert.ok(told > 0 && other.get(idOf("0.0.3"))?.pinned, "a pin of the other window is told");
    await one.open({ kind: "token", tokenId: "0.0.2" });
    assert.equal(shown(one).includes("0.0.2"), true, "what is opened again is there again");
    await assert.rejects(one.open({ kind: "token", tokenId: "0.0.404" }));
    await other.refresh(idOf("0.0.4"));
    assert.equal(shown(other).includes("0.0.404"), false);
  });

  it("reads a list that another program wrote without falling over it", () => {
    const kept = memory();
    for (const strange of [
      null,
      5,
      "x",
      [null, 5, { kind: "bogus" }, { kind: "token" }],
      { kind: "token" },
    ]) {
      kept.kept.set("ledgerItems", strange);
      assert.deepEqual(session({ url: "http://127.0.0.1:1" }, kept).visible(), []);
    }
  });
});
