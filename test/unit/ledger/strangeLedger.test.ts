import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { parseExactJson } from "../../../src/core/http/exactJson.ts";
import { filterActions } from "../../../src/core/ledger/actionFilter.ts";
import { ActionNamer } from "../../../src/core/ledger/actionNames.ts";
import {
  actionLine,
  actionRow,
  actionWords,
  reasonRow,
  transactionRow,
} from "../../../src/core/ledger/actionRows.ts";
import { actionsAsJson, actionsAsText } from "../../../src/core/ledger/actionText.ts";
import {
  childrenOf,
  failingPath,
  type ActionTree,
  type NestedAction,
} from "../../../src/core/ledger/actionTree.ts";
import type { LedgerRow } from "../../../src/core/ledger/ledgerRow.ts";
import { LedgerService } from "../../../src/core/ledger/ledgerService.ts";
import type { JsonGetter } from "../../../src/core/ledger/ledgerRequest.ts";
import { networkAt } from "../../../src/core/ledger/network.ts";
import type { Schedule, ScheduleState } from "../../../src/core/ledger/schedule.ts";
import { scheduleRow } from "../../../src/core/ledger/scheduleRows.ts";
import { tokenRow } from "../../../src/core/ledger/tokenRows.ts";
import { tokenText } from "../../../src/core/ledger/tokenText.ts";
import type { Token } from "../../../src/core/ledger/token.ts";
import type { TransactionActions } from "../../../src/core/ledger/transactionActions.ts";
import { random, type Random } from "../random.ts";
import { NOW, startLedger } from "./loopbackLedger.ts";
import {
  someShape,
  strangeActions,
  strangeSchedule,
  strangeSchedules,
  strangeToken,
  type StrangeBody,
} from "./strangeLedger.ts";

const BODIES = 5000;
const network = networkAt("http://127.0.0.1:1");
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A service to which a ledger answers these bodies; 404 where there is none. */
function serviceOf(bodyAt: (target: string) => string | undefined): LedgerService {
  const client: JsonGetter = {
    request({ url }) {
      const text = bodyAt(url.slice(network.ledgerUrl.length));
      return Promise.resolve(
        text === undefined
          ? { status: 404, headers: {}, body: undefined, text: "" }
          : { status: 200, headers: {}, body: parseExactJson(text), text },
      );
    },
  };
  return new LedgerService({ client, network: () => network, clock: { now: () => NOW } });
}

/** Every number and text in a value, as text; without recursion, because bodies may be deep. */
function leaves(value: unknown): Set<string> {
  const found = new Set<string>();
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === "object" && one !== null) {
      for (const part of Object.values(one)) open.push(part);
    } else {
      found.add(Object.is(one, -0) ? "0" : String(one));
    }
  }
  return found;
}

function assertNoDigitLost(integers: ReadonlySet<string>, record: unknown): void {
  const found = leaves(record);
  for (const digits of integers) if (!found.has(digits)) assert.fail(`${digits} is lost`);
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]|\$\(/u;

/** Whether a text may be drawn; what makes an icon harmless is all that may hide in it. */
function isPlain(text: string): boolean {
  return !HIDDEN.test(text) || !HIDDEN.test(text.replaceAll("$\u200b", ""));
}

/** Whether a row may be drawn: nothing hostile in it, no two siblings with one id, nothing endless. */
function assertDrawable(row: LedgerRow): void {
  const { label, description = "", fullDescription = "", tooltip = [], children = [] } = row;
  for (const text of [label, description, fullDescription, ...tooltip])
    if (!isPlain(text)) assert.fail(`hostile: ${JSON.stringify(text)}`);
  if (label.length > 500 || description.length > 1500 || tooltip.some((line) => line.length > 5000))
    assert.fail(`long: ${JSON.stringify(row)}`);
  assertDistinct(children);
  for (const child of children) assertDrawable(child);
}

function assertDistinct(rows: readonly LedgerRow[]): void {
  const ids = rows.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) assert.fail(`repeated: ${ids.join(" ")}`);
}

/** An integer field as it should be shown, by BigInt and the language's own grouping; of anything else nothing is said. */
function bigintOf(value: unknown): bigint | undefined {
  return (typeof value === "number" && Number.isSafeInteger(value)) ||
    (typeof value === "string" && /^-?\d{1,100}$/.test(value))
    ? BigInt(value)
    : undefined;
}

function scaled(amount: bigint, decimals: number): string {
  const size = String(amount < 0n ? -amount : amount).padStart(decimals + 1, "0");
  const whole = BigInt(size.slice(0, size.length - decimals)).toLocaleString("en-US");
  let end = size.length;
  while (end > size.length - decimals && size[end - 1] === "0") end--;
  const fraction = size.slice(size.length - decimals, end);
  return `${amount < 0n ? "-" : ""}${whole}${fraction && `.${fraction}`}`;
}

function find(row: LedgerRow, id: string): LedgerRow {
  const found = row.children?.find((child) => child.id === id);
  assert.ok(found, `no row ${id}`);
  return found;
}

describe(`${BODIES.toLocaleString("en-US")} strange tokens`, () => {
  function check({ text, integers }: StrangeBody, token: Token): void {
    assert.equal(token.text, text);
    assertNoDigitLost(integers, token.record);
    const inText = tokenText(token);
    for (const digits of integers) if (!inText.includes(digits)) assert.fail(`${digits} is not in the text`);
    const row = tokenRow(token);
    assertDrawable(row);
    const { record } = token;
    const total = bigintOf(record["total_supply"]);
    const decimals =
      record["type"] === "NON_FUNGIBLE_UNIQUE" ? 0 : Number(bigintOf(record["decimals"]) ?? NaN);
    if (total !== undefined) {
      const shown = find(row, "total");
      assert.equal(shown.copyText, String(total));
      assert.ok(shown.tooltip?.some((line) => line.includes(total.toLocaleString("en-US"))));
      if (decimals >= 0 && decimals < 10_000)
        assert.ok(shown.tooltip?.[0]?.startsWith(`Total supply: ${scaled(total, decimals)}`));
    }
    if (record["supply_type"] === "INFINITE") assert.equal(find(row, "maximum").description, "infinite");
    const expiry = find(find(row, "dates"), "expiry");
    const nanos = bigintOf(record["expiry_timestamp"]);
    if (nanos !== undefined) assert.equal(expiry.copyText, String(nanos));
    assert.equal(expiry.color, undefined);
    const keys = find(row, "keys").children ?? [];
    assert.equal(keys.length, 8);
    for (const { id, description = "" } of keys) {
      assert.equal(description.startsWith("none · "), record[id] === null);
      assert.equal(description === "not in the answer", record[id] === undefined);
    }
    assert.equal(find(row, "fees").children?.length ?? 0, token.fees.length);
  }

  it("lose no digit and reach no row with anything hostile", async () => {
    const source = random("strange tokens");
    for (let round = 0; round < BODIES; round++) {
      const body = strangeToken(source);
      const service = serviceOf((target) => {
        if (target.endsWith("/0.0.123456")) return body.text;
        return source.below(2) === 0 ? strangeToken(source).text : undefined;
      });
      check(body, await service.token("0.0.123456"));
    }
  });
});

describe(`${BODIES.toLocaleString("en-US")} strange lists of actions`, () => {
  function positionsOf(nodes: readonly NestedAction[]): number[] {
    const positions: number[] = [];
    const open = [...nodes];
    for (let node = open.pop(); node; node = open.pop()) {
      positions.push(node.position);
      open.push(...node.children);
    }
    return positions.sort((one, other) => one - other);
  }

  function reachable(tree: ActionTree): number[] {
    const positions: number[] = [];
    const open = [...tree.roots];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      positions.push(at);
      open.push(...childrenOf(tree, at));
    }
    return positions.sort((one, other) => one - other);
  }

  const hasFailed = ({ result_data_type: type }: Readonly<Record<string, unknown>>) =>
    type === "REVERT_REASON" || type === "ERROR";

  async function check(
    integers: ReadonlySet<string>,
    actions: TransactionActions,
    hasNames = true,
  ): Promise<void> {
    const { tree } = actions;
    const record = actions.toRecord();
    assertNoDigitLost(integers, record.actions);
    const everything = Array.from(tree.actions.keys());
    assert.deepEqual(reachable(tree), everything);
    assert.deepEqual(positionsOf(record.tree), everything);
    const distinct = new Set(actions.pages.items.map((item) => JSON.stringify(item)));
    assert.ok(tree.actions.length >= distinct.size, "an action is lost");

    const namer = new ActionNamer(network, []);
    const path = failingPath(tree);
    const words: string[] = [];
    const namesOf = hasNames ? await Promise.all(tree.actions.map((action) => namer.name(action))) : [];
    for (const at of everything) {
      const action = tree.actions[at] ?? {};
      const names = namesOf[at];
      const row = actionRow(tree, at, names, path);
      assertDrawable(row);
      words.push(actionLine(actionWords(tree, at, names)));
      assert.equal(row.icon === "error", hasFailed(action));
      if (hasFailed(action)) {
        assert.equal(row.color, "error");
        assert.match(row.description ?? "", /reverted|failed/);
        assert.doesNotMatch(row.description ?? "", /\bOK\b/);
        assertDrawable(reasonRow(tree, at, names));
      }
      const gas = bigintOf(action.gas_used);
      if (gas !== undefined)
        assert.ok(row.description?.includes(`${gas.toLocaleString("en-US")} gas`), row.description);
      const value = bigintOf(action.value);
      if (value !== undefined && value !== 0n)
        assert.ok(row.description?.includes(`${scaled(value, 8)} ℏ`), row.description);
    }
    assertDrawable(
      transactionRow(
        { networkId: network.id, networkName: network.name, canonical: actions.canonical },
        tree,
        { complete: true },
      ),
    );

    const failures = everything.filter((at) => hasFailed(tree.actions[at] ?? {}));
    const { visible } = filterActions(tree, { hideStatic: true }, (at) => words[at] ?? "");
    for (const failed of failures) {
      for (let at = failed; at >= 0; at = tree.parent[at] ?? -1)
        assert.equal(visible[at], 1, "a failed action is hidden");
    }
    const lines = actionsAsText(tree, (action) => namer.known(action))
      .split("\n")
      .slice(0, -1);
    assert.equal(lines.length, everything.length);
    assert.equal(lines.filter((line) => /^ *(?:\[level \d+\] )?!!? /.test(line)).length, failures.length);
    for (const line of lines) assert.ok(isPlain(line), line);
    const copied = parseExactJson(actionsAsJson(tree));
    assert.equal((copied as unknown[]).length, everything.length);
    assertNoDigitLost(integers, copied);
    if (failures.length > 0 && tree.roots.some((root) => hasFailed(tree.actions[root] ?? {})))
      assert.ok(hasFailed(tree.actions[path.at(-1) ?? -1] ?? {}), "the failing path ends nowhere");
  }

  it("lose no digit, hide no failure and reach no row with anything hostile", async () => {
    const source = random("strange actions");
    for (let bodies = 0; bodies < BODIES;) {
      const pages = Array.from({ length: source.pick([1, 1, 1, 2, 3]) }, (_, at) => at);
      const made = pages.map((at) =>
        strangeActions(
          source,
          someShape(source),
          at === pages.length - 1 ? null : `/api/v1/x?page=${at + 1}`,
        ),
      );
      bodies += made.length;
      const service = serviceOf((target) => made[Number(/page=(\d+)/.exec(target)?.[1] ?? 0)]?.text);
      const actions = await service.actions("0.0.5@1.2");
      await actions.pages.loadAll();
      assert.deepEqual(
        actions.pages.texts,
        made.map(({ text }) => text),
      );
      await check(new Set(made.flatMap(({ integers }) => [...integers])), actions);
    }
  });

  it("may have 10,000 actions, 1,024 levels, one index for all, or none in order", async () => {
    const source = random("large lists");
    const shapes = [
      { count: 10_000, depth: (at: number) => at % 12, index: (at: number) => at },
      {
        count: 10_000,
        depth: (at: number) => (at * 7919) % 300,
        index: (at: number) => (at * 6007) % 10_000,
      },
      { count: 1025, depth: (at: number) => at, index: (at: number) => at },
      { count: 500, depth: (at: number) => at * 1000, index: (at: number) => 500 - at },
      { count: 500, depth: () => 1, index: () => 4 },
    ];
    for (const shape of shapes) {
      const body = strangeActions(source, shape, null);
      const actions = await serviceOf(() => body.text).actions("0.0.5@1.2");
      await check(body.integers, actions, false);
    }
  });
});

/** The state by the server's rule, written again from its description. */
function stateOf(record: Readonly<Record<string, unknown>>): ScheduleState | undefined {
  const {
    executed_timestamp: executed,
    deleted,
    expiration_time: expiration,
    consensus_timestamp: created,
  } = record;
  const isGiven = (value: unknown) => value !== null && value !== undefined && value !== "";
  const isTime = (value: unknown): value is string =>
    typeof value === "string" && /^\d{1,10}\.\d{1,9}$/.test(value);
  if (isTime(executed)) return "executed";
  if (isGiven(executed)) return undefined;
  if (deleted === true) return "deleted";
  const end = isGiven(expiration) ? expiration : created;
  if (!isTime(end)) return undefined;
  const [seconds = "", fraction = ""] = end.split(".");
  const milliseconds = Number(seconds) * 1000 + Number(fraction.padEnd(9, "0")) / 1e6;
  return NOW >= milliseconds + (end === expiration ? 60_000 : 31 * 60_000) ? "expired" : "pending";
}

function checkSchedule(source: Random, schedule: Schedule, state: ScheduleState): void {
  const expected = stateOf(schedule.record);
  if (expected !== undefined) assert.equal(state, expected);
  const result = source.pick([
    undefined,
    { result: "SUCCESS" },
    { result: "\u202e$(pass)", transactionId: "\u0007[x](command:y)" },
  ]);
  const row = scheduleRow(schedule, NOW, result);
  assertDrawable(row);
  assert.equal(row.context, `schedule.${state}`);
  assert.ok(row.description?.startsWith(state), row.description);
  assert.equal(find(row, "signatures").children?.length ?? 0, schedule.signatures.length);
  const { transaction_body: body } = schedule.record;
  const hex =
    typeof body === "string" && /^[\w+/]*=*$/.test(body)
      ? Buffer.from(body, "base64").toString("hex")
      : undefined;
  if (hex !== undefined && schedule.bodyHex === hex) assert.equal(find(row, "body").copyText, `0x${hex}`);
  for (const { amount } of schedule.body?.transfers ?? []) assert.match(amount, /^-?\d+$/);
}

describe(`${BODIES.toLocaleString("en-US")} strange schedules, one by one and ${BODIES.toLocaleString("en-US")} lists of them`, () => {
  it("lose no digit and have the state that the server gives them", async () => {
    const source = random("strange schedules");
    for (let round = 0; round < BODIES; round++) {
      const body = strangeSchedule(source);
      const service = serviceOf(() => body.text);
      const { schedule, state, text } = await service.schedule("0.0.77");
      assert.equal(text, body.text);
      assert.equal(schedule.scheduleId, "0.0.77");
      assertNoDigitLost(body.integers, schedule.record);
      checkSchedule(source, schedule, state);
    }
  });

  it("are listed without losing one", async () => {
    const source = random("strange lists of schedules");
    for (let round = 0; round < BODIES; round++) {
      const body = strangeSchedules(source);
      const service = serviceOf(() => body.text);
      const list = await service.schedules();
      assertNoDigitLost(body.integers, list.toRecord().schedules);
      const { schedules } = list;
      for (const schedule of schedules) checkSchedule(source, schedule, service.stateOf(schedule));
      assertDistinct(schedules.map((schedule) => scheduleRow(schedule, NOW)));
      const ids = list.pages.items.map(({ schedule_id: id }) => id);
      for (const id of ids)
        if (typeof id === "string" && id !== "")
          assert.ok(schedules.some(({ scheduleId }) => scheduleId === id));
    }
  });
});

describe("A body that is nested deeper than the engine can write", () => {
  it("is shown with words in place of what is too deep", async () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const { service } = await startLedger((target) => {
      if (target.includes("/actions"))
        return `{"actions":[${`{"index":0,"call_depth":0,"result_data_type":${deep},"to":${deep},"value":${deep}},`.repeat(2)}{"index":0,"result_data":${deep},"result_data_type":"ERROR"}]}`;
      if (target.includes("/schedules"))
        return `{"transaction_body":${deep},"admin_key":${deep},"signatures":[${deep}]}`;
      return `{"name":"Deep","expiry_timestamp":${deep},"admin_key":${deep},"metadata":${deep},"pause_status":${deep},"custom_fees":{"fixed_fees":[{"amount":${deep}}]},"future":${deep}}`;
    }, stops);
    const token = await service.token("0.0.5");
    assertDrawable(tokenRow(token));
    assert.match(tokenText(token), /"future"/);
    const { schedule } = await service.schedule("0.0.5");
    assertDrawable(scheduleRow(schedule, NOW));
    const { tree } = await service.actions("0.0.5@1.2");
    assert.equal(tree.actions.length, 3);
    for (const at of tree.actions.keys()) assertDrawable(actionRow(tree, at, undefined));
    assert.match(actionsAsText(tree), /! /);
    assert.equal((JSON.parse(actionsAsJson(tree)) as unknown[]).length, 3);
  });
});
