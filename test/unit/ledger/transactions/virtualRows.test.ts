import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { virtualRows } from "../../../../src/pages/transaction/virtualRows.ts";
import { random } from "../../random.ts";

describe("The rows that are drawn of a list", () => {
  it("are those that are seen, wherever it is scrolled, in the order of their lines once it rests", () => {
    const dice = random("drawn rows");
    for (let list = 0; list < 40; list++) {
      let shown = Array.from({ length: dice.below(400) }, (_, line) => `line ${line}`);
      let lines = 1 + dice.below(30);
      let line = 0;
      let before: ReturnType<typeof virtualRows<string>> | undefined;
      for (let step = 0; step < 60; step++) {
        const kind = dice.below(12);
        if (kind === 0) shown = shown.slice(0, dice.below(shown.length + 1));
        else if (kind === 1) shown = [...shown, ...Array.from({ length: 50 }, (_, at) => `more ${at}`)];
        else if (kind === 2) lines = 1 + dice.below(30);
        else if (kind < 8) line += dice.below(2 * lines + 1) - lines;
        else line = dice.below(shown.length + 1);
        line = Math.max(0, Math.min(line, shown.length - 1));
        const seen = { line, lines };
        before = virtualRows(shown, seen, before?.now);
        const { rows } = before;
        const drawn = new Map(rows.map((row) => [row.line, row.one]));
        assert.equal(drawn.size, rows.length, "no line twice");
        assert.equal(new Set(rows.map(({ place }) => place)).size, rows.length, "no place twice");
        for (const row of rows) assert.equal(row.one, shown[row.line]);
        for (let at = line; at < Math.min(line + lines, shown.length); at++)
          assert.equal(drawn.get(at), shown[at]);
        if (dice.below(3) > 0) continue;
        before = virtualRows(shown, seen, before.now);
        assert.equal(before.hasOld, false);
        const at = before.rows.map((row) => row.line);
        assert.deepEqual(
          at,
          at.map((_, offset) => (at[0] ?? 0) + offset),
        );
      }
    }
  });

  it("stand where they stood after a jump, and only those that are seen say something else at once", () => {
    const shown = Array.from({ length: 10_000 }, (_, line) => line);
    const lines = 20;
    let { now, rows } = virtualRows(shown, { line: 0, lines }, undefined);
    for (const line of [100, 180, 5_000, 60, 9_000]) {
      const next = virtualRows(shown, { line, lines }, now);
      assert.deepEqual(
        next.rows.map(({ place }) => place),
        rows.map(({ place }) => place),
      );
      const others = next.rows.filter((row, at) => row.line !== rows[at]?.line).map((row) => row.line);
      assert.deepEqual(
        others,
        Array.from({ length: lines }, (_, at) => line + at),
      );
      assert.equal(next.hasOld, true);
      ({ now, rows } = next);
    }
  });

  it("stay in their places where the list is scrolled by a few lines", () => {
    const shown = Array.from({ length: 1_000 }, (_, line) => line);
    const one = virtualRows(shown, { line: 100, lines: 20 }, undefined);
    const next = virtualRows(shown, { line: 103, lines: 20 }, one.now);
    const places = new Map(one.rows.map(({ line, place }) => [line, place]));
    const stayed = next.rows.filter(({ line, place }) => places.get(line) === place);
    assert.equal(stayed.length, one.rows.length - 3);
    assert.equal(next.hasOld, false);
  });
});
