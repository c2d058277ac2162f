import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import type { QuickPick, QuickPickItem } from "vscode";
import { MovesMeanwhile } from "../../../src/editor/ui/movesMeanwhile.ts";

const lines = (words: string): readonly QuickPickItem[] =>
  ["Offer", "Compiler", "Optimizer", "EVM version"].map((label) => ({ label, description: words }));

/** A list in an editor that tells what a test says, by the places of lines, and whose window answers when it does. */
function list(first = lines("before"), windowAnswers = Promise.resolve()) {
  let tell: (active: readonly QuickPickItem[]) => void = () => undefined;
  const input = {
    value: "",
    items: first,
    activeItems: first.slice(2, 3),
    onDidChangeActive: (listener: typeof tell) => {
      tell = listener;
      return { dispose: () => undefined };
    },
  };
  const moves = new MovesMeanwhile(input as unknown as QuickPick<QuickPickItem>, () => windowAnswers);
  const shown = () => `${input.activeItems[0]?.label ?? ""} ${input.activeItems[0]?.description ?? ""}`;
  return {
    moves,
    shown,
    /** Gives the editor a list as soon as that may be, which keeps the line that a person is at. */
    replace: (items: readonly QuickPickItem[]) =>
      moves.onceDrawn((went) => {
        const before = input.items;
        const alike = (line: QuickPickItem | undefined) => items.find(({ label }) => label === line?.label);
        const given = alike(went ?? input.activeItems[0]);
        input.items = items;
        if (given) input.activeItems = [given];
        moves.replacedAt(given, (told) => alike(before[items.indexOf(told)]));
      }),
    /** The editor tells of the line at a place. */
    tells: (place: number) => {
      const line = input.items[place];
      if (line) input.activeItems = [line];
      tell(line ? [line] : []);
    },
    at: (place: number) => input.items[place] ?? { label: "" },
    words: () => input.items.at(-1)?.description,
    search: (text: string) => {
      input.value = text;
    },
  };
}

describe("Lists that replace each other while a person moves in them", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "setImmediate"] }));
  afterEach(() => mock.timers.reset());
  /** All that was said meanwhile is heard. */
  const turns = () => {
    for (let left = 4; left > 0; left--) mock.timers.tick(1);
  };

  it("are drawn one at a time, and of those that wait the last", () => {
    const { replace, tells, words } = list();
    replace(lines("one"));
    replace(lines("two"));
    replace(lines("three"));
    assert.equal(words(), "one");
    tells(0);
    tells(2);
    assert.equal(words(), "one", "an Enter of the same turn is of the list that is on the screen");
    turns();
    assert.equal(words(), "three");
  });

  it("keep the line that the person went to", () => {
    const { replace, tells, shown } = list();
    replace(lines("one"));
    replace(lines("two"));
    for (const place of [3, 0, 2]) tells(place);
    turns();
    assert.equal(shown(), "EVM version two");
  });

  it("keep it where that is the first one", () => {
    const { replace, tells, shown } = list();
    replace(lines("one"));
    replace(lines("two"));
    for (const place of [0, 0, 2]) tells(place);
    turns();
    assert.equal(shown(), "Offer two");
  });

  it("keep it where the editor tells nothing", async () => {
    const { replace, tells, shown, words } = list();
    replace(lines("one"));
    tells(3);
    replace(lines("two"));
    mock.timers.tick(1_000);
    await Promise.resolve();
    turns();
    assert.equal(words(), "two");
    assert.equal(shown(), "EVM version two");
  });

  it("keep it where the window stands still, however long, before it tells", async () => {
    const window = Promise.withResolvers<undefined>();
    const { replace, tells, shown, words } = list(lines("before"), window.promise);
    replace(lines("one"));
    replace(lines("two"));
    mock.timers.tick(60_000);
    turns();
    assert.equal(words(), "one");
    for (const place of [3, 0, 2]) tells(place);
    window.resolve(undefined);
    await window.promise;
    turns();
    assert.equal(shown(), "EVM version two");
  });

  it("are told of though a heading is first", () => {
    const heading = { label: "recent", kind: -1 } as unknown as QuickPickItem;
    const headed = (words: string) => [heading, ...lines(words)];
    const { replace, tells, moves } = list(headed("before"));
    replace(headed("one"));
    assert.ok(moves.isBeingDrawn);
    tells(1);
    tells(3);
    assert.ok(!moves.isBeingDrawn);
  });

  it("wait for a line that was made the active one, which the editor would set before the list", () => {
    const { moves, replace, words } = list();
    moves.activate(lines("before")[1] ?? { label: "" });
    replace(lines("one"));
    assert.equal(words(), "before");
    turns();
    assert.equal(words(), "one");
  });

  it("are searched by the editor, whose first line is no move", () => {
    const { replace, tells, shown, words, search } = list();
    search("i");
    replace([{ label: "Learned", description: "one" }, ...lines("one")]);
    replace(lines("two"));
    for (const place of [1, 3]) tells(place);
    turns();
    assert.equal(words(), "two");
    assert.equal(shown(), "Optimizer two");
  });

  it("leave it open which line an Enter is for that the window may have pressed in the list before", async () => {
    const window = Promise.withResolvers<undefined>();
    const { replace, tells, moves, search, at } = list(lines("before").slice(1), window.promise);
    search("i");
    replace(lines("one"));
    assert.deepEqual(moves.meantBy(at(2)), { line: at(2), isCertain: true }, "as it was given");
    tells(0);
    assert.deepEqual(moves.meantBy(at(0)), { line: at(1), isCertain: false });
    mock.timers.tick(1);
    window.resolve(undefined);
    await window.promise;
    tells(0);
    assert.deepEqual(moves.meantBy(at(0)), { line: at(0), isCertain: true });
  });

  it("leave nothing open where the lines kept their places, or the list is known to be drawn", () => {
    const { replace, tells, moves, at } = list(lines("before"), new Promise(() => undefined));
    replace(lines("one"));
    tells(3);
    assert.deepEqual(moves.meantBy(at(3)), { line: at(3), isCertain: true });
    for (const place of [0, 2]) tells(place);
    turns();
    replace([{ label: "Learned" }, ...lines("two")]);
    for (const place of [0, 3]) tells(place);
    assert.deepEqual(moves.meantBy(at(3)), { line: at(3), isCertain: true });
  });

  it("are none any more once the question is answered", () => {
    const { moves, replace, words } = list();
    replace(lines("one"));
    replace(lines("two"));
    moves.dispose();
    mock.timers.tick(2_000);
    turns();
    replace(lines("three"));
    assert.equal(words(), "one");
  });
});
