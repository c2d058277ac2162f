import { atOnce } from "../../../src/core/concurrency/turns.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { statusBarModel } from "../../../src/core/status/statusBarText.ts";
import type { StatusRow } from "../../../src/core/status/statusRow.ts";
import { statusRows } from "../../../src/core/status/statusRows.ts";
import {
  componentGroups,
  readStatusSummaryInPieces,
  singleComponents,
  type StatusSummary,
} from "../../../src/core/status/statusSummary.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random } from "../random.ts";
import { stateWith } from "./stateWith.ts";
import { BREAKAGES, HOSTILE_TEXTS, OTHER_FORMS, validSummary, type RawSummary } from "./summaries.ts";

const NOW = 1_800_000_500_000;
const BASES = proofSize({ sample: 11, whole: 110 });

/** Controls, format characters and lone surrogates; a zero-width space only where an icon lost its meaning. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]|\$\(|\]\(/u;

function shownTexts(rows: readonly StatusRow[]): string[] {
  return rows.flatMap((row) => [
    row.label,
    row.description ?? "",
    ...(row.tooltip ?? []),
    ...shownTexts(row.children ?? []),
  ]);
}

function checkSiblings(rows: readonly StatusRow[]): void {
  const ids = rows.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, `ids repeat: ${ids.join(", ")}`);
  for (const row of rows) {
    assert.notEqual(row.label, "", `a row without a label: ${row.id}`);
    if (row.url !== undefined) assert.match(row.url, /^https?:/);
    checkSiblings(row.children ?? []);
  }
}

/** What holds of every summary, however it came. */
function checkShown(summary: StatusSummary, names: readonly string[]): void {
  assert.deepEqual(JSON.parse(JSON.stringify(summary)), summary, "plain JSON, no field undefined");
  const state = stateWith(summary, NOW);
  const choice = { names, networkId: "mainnet" };
  const rows = statusRows(state, choice, { now: NOW, timeZone: "UTC" });
  checkSiblings(rows);
  const bar = statusBarModel(state, choice, { now: NOW, timeZone: "UTC" });
  for (const text of [...shownTexts(rows), bar.text, bar.accessibilityLabel, ...bar.tooltip])
    assert.ok(!HIDDEN.test(text), text);
  assert.ok(bar.text.length < 60, bar.text);
}

describe("A status summary", () => {
  it("is read whole where it keeps every rule", () => {
    const seeded = random("valid summaries");
    for (let round = 0; round < BASES; round++) {
      const raw = validSummary(seeded);
      const summary = atOnce(readStatusSummaryInPieces(raw, "The status page"));
      checkComplete(summary, raw);
      checkShown(summary, []);
    }
  });

  it(`is read where it breaks any one of ${BREAKAGES.length} rules, and loses nothing else`, () => {
    const seeded = random("broken summaries");
    let broken = 0;
    for (let round = 0; round < BASES; round++) {
      const raw = validSummary(seeded);
      const whole = atOnce(readStatusSummaryInPieces(raw, "The status page"));
      for (const { rule, break: breakRule, readsAs, changes } of BREAKAGES) {
        const body = breakRule(raw, seeded);
        if (body === undefined) continue;
        broken++;
        // Through text, as it would come.
        const summary = atOnce(
          readStatusSummaryInPieces(JSON.parse(JSON.stringify(body)), "The status page"),
        );
        checkShown(summary, seeded.below(4) === 0 ? ["part", "nothing like it"] : []);
        if (changes) checkOnlyOneChanged(summary, whole, rule);
        else
          assert.deepEqual(
            summary,
            readsAs ? atOnce(readStatusSummaryInPieces(readsAs(raw), "The status page")) : whole,
            rule,
          );
      }
    }
    console.log(`${BASES} summaries that keep every rule and ${broken} that break one were read`);
    assert.ok(broken >= (3000 / 110) * BASES, `only ${broken}`);
  });

  it("is refused where it is none", () => {
    for (const body of [null, [], 5, "x", {}, { message: "Not found" }, { status: "ok" }, { page: "x" }])
      assert.throws(() => atOnce(readStatusSummaryInPieces(body, "The status page")), {
        code: "wrong_shape",
      });
  });

  it("is refused where the page is of another maker, whose outages would go unseen", () => {
    for (const [maker, body] of Object.entries(OTHER_FORMS))
      assert.throws(
        () => atOnce(readStatusSummaryInPieces(body, "The status page (status.example)")),
        {
          code: "wrong_shape",
          message:
            "The status page (status.example) answers something that is not a Statuspage summary. Check the setting ledgerLens.statusUrl.",
        },
        maker,
      );
  });

  it("is still read where Statuspage's own parts come alone", () => {
    const component = { id: "a", name: "A", status: "partial_outage" };
    const incident = { id: "i", name: "I", status: "investigating", impact: "critical" };
    const indicator = (body: object) =>
      atOnce(readStatusSummaryInPieces(body, "The status page")).status.indicator;
    assert.equal(indicator({ page: {}, status: { indicator: "major", description: "Outage" } }), "major");
    assert.equal(indicator({ page: {}, components: [component] }), "major");
    assert.equal(indicator({ page: {}, incidents: [incident] }), "critical");
    assert.equal(
      indicator({
        page: {},
        status: { indicator: "none" },
        components: [{ ...component, status: "operational" }],
        new_field: { a: 1 },
      }),
      "none",
    );
  });

  it("says something of its state even where the page does not", () => {
    const component = { id: "a", name: "A", status: "major_outage" };
    assert.deepEqual(atOnce(readStatusSummaryInPieces({ components: component }, "The status page")).status, {
      indicator: "critical",
      description: "Critical trouble reported",
    });
    const incident = { id: "i", name: "I", status: "resolved", impact: "none" };
    assert.deepEqual(
      atOnce(readStatusSummaryInPieces({ page: { name: "P" }, incidents: [incident] }, "The status page"))
        .status,
      { indicator: "none", description: "No trouble reported" },
    );
    assert.deepEqual(
      atOnce(
        readStatusSummaryInPieces(
          {
            components: [
              { id: "a", status: "operational" },
              { id: "b", status: "glowing" },
            ],
          },
          "The status page",
        ),
      ).status,
      { indicator: "unknown", description: "State unknown" },
      "what is not known is not well",
    );
  });

  it("keeps texts as they were written, for those who read them by program", () => {
    for (const name of HOSTILE_TEXTS) {
      if (name.trim() === "") continue;
      assert.equal(
        atOnce(
          readStatusSummaryInPieces(
            { components: [{ id: "a", name, status: "operational" }] },
            "The status page",
          ),
        ).components[0]?.name,
        name,
      );
    }
  });
});

/** Everything that the page sent is there, in the page's order. */
function checkComplete(summary: StatusSummary, raw: RawSummary): void {
  const { components, incidents, scheduled_maintenances: maintenances } = summary;
  assert.deepEqual(idsOf(components), idsOf(raw.components));
  for (const component of components) {
    const sent = raw.components.find(({ id }) => id === component.id);
    const { start_date, ...rest } = component;
    for (const [name, value] of Object.entries(rest)) assert.deepEqual(value, sent?.[name], name);
    assert.equal(start_date?.slice(0, 10) ?? null, sent?.["start_date"]);
  }
  const groups = componentGroups(summary);
  assert.deepEqual(
    groups.map(({ group, members }) => (group ?? members[0])?.position),
    groups.map((_, at) => at + 1),
  );
  for (const { group, members } of groups) {
    if (!group) continue;
    assert.deepEqual(
      members.map(({ id }) => id),
      raw.components.find(({ id }) => id === group.id)?.["components"],
    );
  }
  assert.deepEqual(idsOf(incidents), idsOf(raw.incidents));
  assert.deepEqual(idsOf(maintenances), idsOf(raw.scheduled_maintenances));
  for (const incident of [...incidents, ...maintenances]) {
    const dates = incident.incident_updates.map(({ display_at }) => Date.parse(display_at ?? ""));
    assert.deepEqual(
      dates,
      dates.toSorted((one, other) => other - one),
      "newest first",
    );
  }
}

/** A fault in one entry leaves all others as they are, and loses none. */
function checkOnlyOneChanged(summary: StatusSummary, whole: StatusSummary, rule: string): void {
  const entries = ({ components, incidents, scheduled_maintenances }: StatusSummary) =>
    [...components, ...incidents, ...scheduled_maintenances].map((entry) => ({
      ...entry,
      // Where a group is gone its members stand on their own.
      group_id: null,
    }));
  const [before, after] = [entries(whole), entries(summary)];
  const kept = before.filter((entry) => after.some((one) => JSON.stringify(one) === JSON.stringify(entry)));
  assert.ok(before.length - kept.length <= 1, `${rule}: ${before.length - kept.length} entries changed`);
  assert.ok(before.length - after.length <= (rule === "a group is missing" ? 1 : 0), rule);
  assert.ok(singleComponents(summary).length >= singleComponents(whole).length, rule);
}

function idsOf(entries: readonly object[]): unknown[] {
  return entries.map((entry) => (entry as { id?: unknown }).id).toSorted();
}
