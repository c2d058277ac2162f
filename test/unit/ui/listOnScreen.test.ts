import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import type { QuickPickItem } from "vscode";
import { ListOnScreen } from "../../../src/editor/ui/listOnScreen.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random } from "../random.ts";
import { QuickPickWindow, separator } from "./quickPickWindow.ts";

/** Lines called by letters, with the words that the list has for them. */
const lines = (letters: string, words = ""): readonly QuickPickItem[] =>
  letters.split("").map((label) => ({ label, description: words }));

/** A list on the screen of a window, and what each Enter was pressed on. */
function shown(first: string, active?: string, ask?: () => Promise<void>) {
  const pressed: (string | undefined)[] = [];
  const isCertain: boolean[] = [];
  const window = new QuickPickWindow<QuickPickItem>(() => {
    const on = list.pressed();
    pressed.push(on && (on.line?.label ?? `${on.shown.label} is gone`));
    if (on) isCertain.push(on.isCertain);
  });
  const told: (string | undefined)[] = [];
  const list = new ListOnScreen(window.input, {
    alike: ({ label }, among) => among.find((line) => line.label === label),
    separator: () => separator(""),
    askWindow: ask ?? window.ask,
    told: (line) => told.push(line?.label),
  });
  const give = (letters: string, words = "") =>
    list.give(() => {
      const next = lines(letters, words);
      return { lines: next, active: list.placeAmong(next) };
    });
  list.give(() => {
    const next = lines(first);
    return { lines: next, active: next.find(({ label }) => label === active) };
  });
  return {
    window,
    list,
    give,
    pressed,
    isCertain,
    told,
    /** The active line on the screen, once all is sent and heard. */
    settled: async () => {
      for (let rounds = 0; rounds < 12; rounds++) {
        mock.timers.tick(1);
        window.gets();
        await window.hears();
      }
      return window.focused?.label;
    },
  };
}

describe("Lists that replace each other while a person moves in them", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("begin at the line that is asked for, and else at the first", async () => {
    assert.equal(await shown("ABC", "B").settled(), "B");
    assert.equal(await shown("ABC").settled(), "A");
  });

  it("keep the line that the person went to, whether this thread heard of it before the list or behind", async () => {
    for (const isHeard of [true, false])
      for (const [by, line] of [
        [1, "C"],
        [-1, "A"],
      ] as const) {
        const { window, give, settled } = shown("ABC", "B");
        await settled();
        window.move(by);
        if (isHeard) await window.hears();
        give("XBAC");
        assert.equal(await settled(), line);
      }
  });

  it("keep it where several come before the window has drawn any", async () => {
    const { window, give, settled } = shown("ABC", "B");
    await settled();
    give("XABC");
    mock.timers.tick(1);
    give("YXCBA");
    mock.timers.tick(1);
    window.move(1);
    give("ZC");
    assert.equal(await settled(), "C");
  });

  it("begin at the first line, or at none, where the one that the person was at is gone", async () => {
    const { give, settled } = shown("ABC", "B");
    await settled();
    give("CA");
    assert.equal(await settled(), "C");
    give("");
    assert.equal(await settled(), undefined);
  });

  it("have a line active that is asked for while the list is on its way", async () => {
    const { list, give, settled } = shown("ABC");
    await settled();
    give("CBA");
    list.activate(lines("B")[0] ?? { label: "" });
    assert.equal(await settled(), "B");
  });

  it("have one active that was asked for right before the list", async () => {
    const { list, give, settled } = shown("ABC");
    await settled();
    list.activate(list.lines[1] ?? { label: "" });
    give("CBA");
    assert.equal(await settled(), "B");
  });

  it("do not undo a move by a line that was made active at the same time", async () => {
    const { window, list, settled } = shown("ABCD", "B");
    await settled();
    list.activate(list.lines[3] ?? { label: "" });
    mock.timers.tick(1);
    window.move(-1);
    assert.equal(await settled(), "A");
  });

  it("are told of by their own lines alone", async () => {
    const { window, give, told, settled } = shown("AB");
    await settled();
    told.splice(0);
    give("BA", "other words");
    window.move(1);
    await window.hears();
    assert.deepEqual(told, [], "it is still the list before");
    await settled();
    assert.deepEqual([...new Set(told)].sort(), ["A", "B"]);
  });

  it("have a heading first which is no line", async () => {
    const heading = separator("recent");
    const { list, settled } = shown("ABC", "B");
    await settled();
    list.give(() => {
      const next = [heading, ...lines("CAB")];
      return { lines: next, active: list.placeAmong(next) };
    });
    assert.equal(await settled(), "B");
  });

  it("take few places, however many lists come, and give those back that the window has done with", async () => {
    const { window, give, settled } = shown("ABC");
    for (let lists = 0; lists < 50; lists++) {
      give(lists % 2 === 0 ? "CBA" : "ABC");
      await settled();
      assert.ok(window.length <= 6, String(window.length));
    }
  });

  it("are none any more once the question is answered", async () => {
    const { list, give, settled } = shown("ABC");
    await settled();
    give("BA");
    give("CAB");
    list.dispose();
    await settled();
    assert.deepEqual(
      list.lines.map(({ label }) => label),
      ["B", "A"],
    );
  });
});

describe("An Enter in a list that is being replaced", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  // The line that was meant has the place now that another one had, or the one that the new list begins at.
  for (const [before, at, moves, after, meant] of [
    ["ABC", "B", [-1], "BAC", "A"],
    ["CD", "C", [1], "XCD", "D"],
    ["FEG", "F", [1, 1, 1, 1], "BFEG", "E"],
    ["ABC", "B", [-1, 1], "CAB", "B"],
  ] as const)
    it(`is for what was on the screen: ${before} at ${at}, ${moves.join(" ")}, and ${after} comes`, async () => {
      for (const ask of [
        undefined,
        () => new Promise<void>(() => undefined),
        () => Promise.reject(new Error("gone")),
      ]) {
        const { window, give, pressed, isCertain, settled } = shown(before, at, ask);
        await settled();
        give(after);
        mock.timers.tick(1);
        for (const by of moves) window.move(by);
        window.enter();
        await settled();
        assert.deepEqual(pressed, [meant]);
        assert.deepEqual(isCertain, [true]);
      }
    });

  it("is for no line where that one is gone", async () => {
    const { window, give, pressed, settled } = shown("ABC", "B");
    await settled();
    give("CA");
    mock.timers.tick(1);
    window.enter();
    await settled();
    assert.deepEqual(pressed, ["B is gone"]);
  });

  it("is for no line where none is active, though the editor says that the hidden one is", async () => {
    const { window, give, pressed, settled } = shown("ABC");
    await settled();
    window.type("nothing like it");
    give("XABC");
    mock.timers.tick(1);
    window.gets();
    window.enter();
    window.enter();
    await settled();
    assert.deepEqual(pressed, [undefined, undefined]);
  });

  it("is for what is found, also where the line that the list began at is hidden by what is typed", async () => {
    const { window, give, pressed, settled } = shown("ABCD", "D");
    await settled();
    give("XABCD");
    mock.timers.tick(1);
    window.type("C");
    assert.equal(await settled(), "C");
    window.enter();
    await settled();
    assert.deepEqual(pressed, ["C"]);
  });

  it("is for the active line of the screen, whatever comes and is pressed, in whatever order", async () => {
    const source = random("lists and Enters");
    for (let round = 0; round < proofSize({ sample: 300, whole: 20_000 }); round++) {
      const letters = () =>
        ["A", "B", "C", "D", "E"]
          .filter(() => source.below(4) > 0)
          .sort(() => source.next() - 0.5)
          .join("") || "A";
      const never = () => new Promise<void>(() => undefined);
      const answers = source.below(4) > 0;
      const { window, give, pressed, settled } = shown(letters(), "B", answers ? undefined : never);
      await settled();
      const meant: (string | undefined)[] = [];
      const story: string[] = [];
      const steps: Readonly<Record<string, () => unknown>> = {
        list: () => {
          const next = letters();
          story.push(next);
          give(next);
        },
        up: () => window.move(-1),
        down: () => window.move(1),
        type: () => window.type(source.pick(["", "", "A", "C", "nothing"])),
        enter: () => {
          meant.push(window.focused?.label);
          window.enter();
        },
        sent: () => mock.timers.tick(1),
        gets: () => window.gets(),
        hears: () => window.hears(),
      };
      for (let left = 3 + source.below(25); left > 0; left--) {
        const name = source.oneOf(Object.keys(steps));
        story.push(name);
        await steps[name]?.();
      }
      const line = await settled();
      const said = `seed ${source.seed}, round ${round}: ${story.join(" ")}`;
      if (answers)
        assert.equal(line === undefined, window.shown.length === 0, `an Enter that is never taken, ${said}`);
      const taken = pressed.map((one) => one?.replace(" is gone", ""));
      assert.deepEqual(taken, meant, said);
    }
  });
});
