import assert from "node:assert/strict";
import { parseExactJson } from "../../../src/core/json/exactJson.ts";
import type { LedgerRow } from "../../../src/core/rows/ledgerRow.ts";
import { LedgerService } from "../../../src/core/ledger/ledgerService.ts";
import type { JsonGetter } from "../../../src/core/ledger/requests/ledgerRequest.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { NOW } from "./loopbackLedger.ts";

/** So many bodies are generated for each endpoint. */
const network = networkAt("http://127.0.0.1:1");

/** A service to which a ledger answers these bodies; 404 where there is none. */
export function serviceOf(bodyAt: (target: string) => string | undefined): LedgerService {
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
export function leaves(value: unknown): Set<string> {
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

export function assertNoDigitLost(integers: ReadonlySet<string>, record: unknown): void {
  const found = leaves(record);
  for (const digits of integers) if (!found.has(digits)) assert.fail(`${digits} is lost`);
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]|\$\(|\]\(/u;

/** Whether a text may be drawn. */
export function isPlain(text: string): boolean {
  return !HIDDEN.test(text);
}

/** Whether a row may be drawn: nothing hostile in it, no two siblings with one id, nothing endless. */
export function assertDrawable(row: LedgerRow): void {
  const { label, description = "", fullDescription = "", tooltip = [], children = [] } = row;
  for (const text of [label, description, fullDescription, ...tooltip])
    if (!isPlain(text)) assert.fail(`hostile: ${JSON.stringify(text)}`);
  if (label.length > 500 || description.length > 1500 || tooltip.some((line) => line.length > 5000))
    assert.fail(`long: ${JSON.stringify(row)}`);
  assertDistinct(children);
  for (const child of children) assertDrawable(child);
}

export function assertDistinct(rows: readonly LedgerRow[]): void {
  const ids = rows.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) assert.fail(`repeated: ${ids.join(" ")}`);
}

/** An integer field as it should be shown, by BigInt and the language's own grouping; of anything else nothing is said. */
export function bigintOf(value: unknown): bigint | undefined {
  return (typeof value === "number" && Number.isSafeInteger(value)) ||
    (typeof value === "string" && /^-?\d{1,100}$/.test(value))
    ? BigInt(value)
    : undefined;
}

export function scaled(amount: bigint, decimals: number): string {
  const size = String(amount < 0n ? -amount : amount).padStart(decimals + 1, "0");
  const whole = BigInt(size.slice(0, size.length - decimals)).toLocaleString("en-US");
  let end = size.length;
  while (end > size.length - decimals && size[end - 1] === "0") end--;
  const fraction = size.slice(size.length - decimals, end);
  return `${amount < 0n ? "-" : ""}${whole}${fraction && `.${fraction}`}`;
}

export function find(row: LedgerRow, id: string): LedgerRow {
  const found = row.children?.find((child) => child.id === id);
  assert.ok(found, `no row ${id}`);
  return found;
}
