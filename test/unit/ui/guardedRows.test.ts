import { atOnce } from "../../../src/core/concurrency/turns.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { contentRow } from "../../../src/core/ledger/itemRows.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { readSchedule } from "../../../src/core/ledger/schedules/schedule.ts";
import { statusRows } from "../../../src/core/status/statusRows.ts";
import { readStatusSummaryInPieces } from "../../../src/core/status/statusSummary.ts";
import { shown } from "../../../src/core/text/shownText.ts";
import type { ViewRow } from "../../../src/core/rows/viewRow.ts";
import { DrawnRows, type RowSource } from "../../../src/editor/ui/drawnRows.ts";
import { faultLog, guardedRows } from "../../../src/editor/ui/guardedRows.ts";
import { nodeOf, nodesOf, renewNode, type ViewNode } from "../../../src/editor/ui/viewNode.ts";

type Node = ViewNode<ViewRow>;

const row = (id: string, children: readonly ViewRow[] = []): ViewRow => ({
  id,
  label: shown`Row ${id}`,
  ...(children.length > 0 && { children }),
});

/** Fails where a name is read, as code does that was not made for what it met. */
const poisoned = <T extends object>(value: T, field: keyof T): T =>
  Object.defineProperty({ ...value }, field, {
    get: () => {
      throw new Error("This row has a fault.");
    },
    enumerable: true,
  });

const labels = (rows: readonly ViewRow[]): string[] =>
  rows.flatMap(({ label, children = [] }) => [label, ...labels(children)]);

describe("A row that can't be made", () => {
  function view(source: Partial<RowSource<Node, string>>) {
    const told: string[] = [];
    const guarded = guardedRows<Node, string>(
      {
        childrenOf: (node) =>
          nodesOf(node ? (node.row.children ?? []) : [row("a", [row("b")]), row("c")], node),
        draw: ({ row: { label } }) => ({ item: label }),
        renew: renewNode,
        ...source,
      },
      {
        standIn: nodeOf,
        drawStandIn: ({ label }) => label,
        faultOf: (node) => node.row.fault,
        tell: faultLog({ error: (message) => told.push(message) }, "Ledger"),
      },
    );
    const drawn = new DrawnRows(guarded, (one, other) => one === other);
    const draw = async (under?: Node): Promise<string[]> => {
      const lines: string[] = [];
      for (const node of await drawn.children(under)) lines.push(drawn.item(node), ...(await draw(node)));
      return lines;
    };
    return { draw, drawn, told };
  }

  it("has a row that says so in its place, is logged once, and leaves the others", async () => {
    const { draw, drawn, told } = view({
      draw: (node) => {
        if (node.id === "/a") throw new Error("no");
        return { item: node.row.label };
      },
    });
    const expected = ["This row can't be shown", "Row b", "Row c"];
    assert.deepEqual(await draw(), expected);
    assert.deepEqual(await draw(), expected);
    assert.deepEqual(await drawn.changes(), []);
    assert.equal(told.length, 1);
    assert.match(told[0] ?? "", /^The row "\/a" of the Ledger view can't be drawn: Error: no\n/);
  });

  it("takes only its own children with it, made at once or later", async () => {
    const roots = [row("a"), row("c")];
    for (const fault of [
      () => {
        throw new Error("no");
      },
      () => Promise.reject(new Error("no")),
    ]) {
      const { draw, told } = view({
        childrenOf: (node) => (node?.id === "/a" ? fault() : nodesOf(node ? [] : roots, node)),
      });
      for (let times = 0; times < 2; times++)
        assert.deepEqual(await draw(), ["Row a", "This row can't be shown", "Row c"]);
      assert.equal(told.length, 1);
    }
  });

  it("does not empty the view of the services", () => {
    const summary = atOnce(
      readStatusSummaryInPieces(
        {
          page: { name: "Status" },
          status: { indicator: "none" },
          components: [
            { id: "1", name: "One", status: "operational" },
            { id: "2", name: "Two", status: "operational" },
          ],
          incidents: [
            { id: "3", name: "Three", status: "investigating" },
            { id: "4", name: "Four", status: "investigating" },
          ],
        },
        "The status page",
      ),
    );
    const [one, two] = summary.components;
    const [three, four] = summary.incidents;
    assert.ok(one && two && three && four);
    const health = {
      host: "a.example",
      state: "unchecked",
      latencyMs: undefined,
      checkedAt: undefined,
      misses: 0,
      lastError: undefined,
    } as const;
    const shownRows = labels(
      statusRows(
        {
          host: "status.example",
          summary: {
            ...summary,
            components: [poisoned(one, "description"), two],
            incidents: [poisoned(three, "shortlink"), four],
          },
          confirmedAt: 0,
          checking: false,
          offline: false,
          miss: undefined,
          misses: 0,
          verification: { ...health, service: "verification" },
          ledger: { ...health, service: "ledger" },
          nodes: [],
        },
        { names: [], networkId: "mainnet" },
        { now: 0 },
      ),
    );
    assert.equal(shownRows.filter((label) => label === "This row can't be shown").length, 2);
    for (const name of ["Two", "Four"]) assert.ok(shownRows.includes(name), shownRows.join("\n"));
  });

  it("does not empty a list of schedules", () => {
    const network = networkAt("http://127.0.0.1:1");
    const [one, two] = ["0.0.1", "0.0.2"].map((id) => readSchedule({ schedule_id: id }, network));
    assert.ok(one && two);
    const list = { schedules: [poisoned(one, "signatures"), two], complete: true, pages: { network } };
    // Nothing was found out about either.
    const findings = { known: () => undefined };
    const content = { kind: "schedules", list, findings } as unknown as Parameters<typeof contentRow>[1];
    const { children = [] } = contentRow("", content, 0);
    assert.equal(children.length, 2);
    assert.equal(children[0]?.label, "This row can't be shown");
    assert.match(children[1]?.label ?? "", /0\.0\.2/);
  });
});
