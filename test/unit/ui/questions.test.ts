// Questions of several commands at once; of the editor the stand-in has the lists alone, of which one is on the screen at a
// time, as in the real one, which tells later that one was hidden.
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { networkAt, publicNetworks } from "../../../src/core/ledger/references/network.ts";
import type { LedgerItems } from "../../../src/core/ledger/ledgerItems.ts";
import { foreign } from "../../../src/core/text/shownText.ts";
import { eventually } from "../../rig/eventually.ts";
import { standInForEditor } from "../../rig/editorStandIn.ts";

const EDITOR = `
  export const QuickInputButtons = { Back: { isBack: true } };
  export const QuickPickItemKind = { Separator: -1 };
  export const shown = [];
  let onScreen;
  class List {
    items = []; activeItems = []; selectedItems = []; value = ""; listeners = {};
    #on = (name) => (listener) => void (this.listeners[name] ??= []).push(listener);
    onDidAccept = this.#on("accept"); onDidHide = this.#on("hide"); onDidTriggerButton = this.#on("button");
    onDidChangeValue = this.#on("value"); onDidChangeActive = this.#on("active");
    onDidChangeSelection = this.#on("selection");
    /** The place of the active line on the screen, by which the window tells it. */
    #place = -1;
    fire(name, value) { for (const listener of this.listeners[name] ?? []) listener(value); }
    get isOpen() { return onScreen === this; }
    show() {
      const before = onScreen;
      onScreen = this;
      shown.push(this);
      if (before && before !== this) setImmediate(() => before.fire("hide"));
    }
    hide() { if (onScreen === this) { onScreen = undefined; setImmediate(() => this.fire("hide")); } }
    dispose() { if (onScreen === this) onScreen = undefined; this.fire("hide"); }
    write(text) { this.value = text; this.fire("value"); }
    get #lines() { return this.items.filter(({ kind, label }) => kind !== -1 || label !== ""); }
    #goTo(line) {
      this.#place = this.items.indexOf(line);
      this.fire("active", [line]);
    }
    async draw() {
      await new Promise((resolve) => setTimeout(resolve, 10));
      this.#goTo(this.#lines.at(-1));
    }
    enter() {
      const line = this.items[this.#place];
      if (line) this.fire("selection", [line]);
      this.fire("accept");
    }
    accept(at = 0) {
      this.#goTo(this.#lines[at]);
      this.enter();
    }
  }
  export const window = { createQuickPick: () => new List() };
  export const commands = { executeCommand: async () => undefined };
  const configuration = { get: (name, usual) => usual, inspect: () => undefined };
  export const workspace = { isTrusted: true, getConfiguration: () => configuration };
`;
standInForEditor(EDITOR);

/** A list as the stand-in has it. */
interface List {
  readonly title: string;
  readonly isOpen: boolean;
  readonly buttons: readonly unknown[];
  accept(at?: number): void;
  hide(): void;
  /** A person writes a text in it, which the command hears of before the editor draws the lines that this comes to. */
  write(text: string): void;
  /** The editor draws its lines, and tells of the one that is active then: the last one. */
  draw(): Promise<void>;
  /** A person presses Enter. */
  enter(): void;
  fire(name: string): void;
  value: string;
  readonly items: readonly { readonly label: string }[];
  selectedItems: readonly object[];
}
const { shown } = (await import("vscode")) as unknown as { readonly shown: List[] };
const { askSteps } = await import("../../../src/editor/ui/multiStep.ts");
const { checkNotLeft, inOneFlow, TickedOtherwise } = await import("../../../src/editor/ui/questionFlow.ts");
const { pick, pickTicked } = await import("../../../src/editor/ui/questions.ts");
const { askLedgerReference } = await import("../../../src/editor/ledger/ledgerReferenceStep.ts");

const frame = (label: string) => ({ title: foreign(label), step: 1, canGoBack: false });
const ask = (label: string) =>
  pick(frame(label), { placeholder: foreign(label), choices: [{ label: foreign(label), value: label }] });
const last = () => shown.at(-1) ?? assert.fail("no question was shown");
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A command that asks, finds something out, and asks once more. */
function command(label: string) {
  const found = Promise.withResolvers<undefined>();
  const outcome = inOneFlow(async () => {
    await ask(label);
    await found.promise;
    return ask(`${label}, next`);
  }).then(String, (error: unknown) => (error as Error).constructor.name);
  return { outcome, isFound: () => found.resolve(undefined) };
}

describe("A command that was left", () => {
  beforeEach(() => void shown.splice(0));

  it("leaves the answered question of another one on the screen, and what comes of it, when it would ask on", async () => {
    const first = command("First");
    last().accept();
    await turn();
    const second = command("Second");
    last().accept();
    await turn();
    const [, kept] = shown;
    first.isFound();
    assert.equal(await first.outcome, "UserCancelled");
    assert.equal(kept?.isOpen, true, "the answered question of the second is still to be seen");
    second.isFound();
    await turn();
    assert.equal(last().title, "Second, next");
    last().accept();
    assert.equal(await second.outcome, "Second, next");
  });
});

describe("A list with ticks that was answered, while nothing came of that yet", () => {
  beforeEach(() => void shown.splice(0));
  const choices = ["A", "B", "C"].map((label) => ({ label: foreign(label), value: label, picked: true }));
  const tick = (list: List, labels: string) => {
    list.selectedItems = list.items.filter(({ label }) => labels.includes(label));
    list.fire("selection");
  };
  const question = { title: foreign("Which"), placeholder: foreign("Which ones?"), choices };
  /** Answers what is ticked, and then lets a person tick other lines: what the command goes on with. */
  const goesOnWith = (then: (list: List) => void) =>
    inOneFlow(async () => {
      const answer = pickTicked(question, false);
      last().enter();
      const ticked = await answer;
      then(last());
      checkNotLeft();
      return ticked.join("");
    }).catch((error: unknown) =>
      error instanceof TickedOtherwise ? `again with ${error.values.join("")}` : String(error),
    );

  it("takes the answer back where another line is ticked or one no more", async () => {
    assert.equal(await goesOnWith((list) => tick(list, "AC")), "again with AC");
    assert.equal(await goesOnWith((list) => tick(list, "")), "again with ");
  });

  it("goes on where the same is ticked as before", async () => {
    assert.equal(await goesOnWith(() => undefined), "ABC");
    const there = (list: List) => {
      tick(list, "A");
      tick(list, "ABC");
    };
    assert.equal(await goesOnWith(there), "ABC");
  });

  it("asks nothing more before that is known", async () => {
    const outcome = inOneFlow(async () => {
      const answer = pickTicked(question, false);
      last().enter();
      await answer;
      tick(last(), "B");
      return ask("Next");
    }).catch((error: unknown) => (error as Error).constructor.name);
    assert.equal(await outcome, "TickedOtherwise");
    assert.deepEqual(
      shown.map(({ title }) => title),
      ["Which"],
    );
  });
});

describe("A list of which a line was chosen, while something is found out", () => {
  it("shows that line alone before long", async () => {
    shown.splice(0);
    const { outcome, isFound } = command("First");
    const list = last();
    list.accept();
    await eventually(() =>
      assert.deepEqual(
        list.items.map(({ label }) => label),
        ["First"],
      ),
    );
    assert.ok(list.isOpen);
    isFound();
    await eventually(() => assert.equal(last().title, "First, next"));
    last().accept();
    assert.equal(await outcome, "First, next");
  });
});

describe("An Enter right behind a paste, before the line of the text is drawn", () => {
  beforeEach(() => void shown.splice(0));
  const typed = (text: string) =>
    /\d/.test(text)
      ? { label: foreign(text), value: text, isSaidByText: !text.startsWith("https:") }
      : undefined;
  const question = (maySend: boolean) => {
    const outcome = pick(
      { ...frame("Find"), maySend },
      { placeholder: foreign("Paste an id"), choices: [{ label: foreign("Vault"), value: "vault" }], typed },
    ).then(String, (error: unknown) => (error as Error).constructor.name);
    return { outcome, list: last() };
  };

  it("chooses what the text names", async () => {
    const { outcome, list } = question(false);
    list.value = "0.0.1001";
    list.fire("value");
    list.enter();
    list.hide();
    assert.equal(await outcome, "0.0.1001");
  });

  it("chooses nothing where the text names nothing, nor what only the line says, nor where it may send something", async () => {
    for (const [text, maySend] of [
      ["nothing", false],
      ["https://other.example/0.0.1001", false],
      ["0.0.1001", true],
    ] as const) {
      const { outcome, list } = question(maySend);
      list.value = text;
      list.fire("value");
      list.enter();
      await turn();
      list.hide();
      assert.equal(await outcome, "UserCancelled", text);
    }
  });

  it("does not choose what the text before it named, whose line is still on the screen", async () => {
    for (const [before, text, chosen] of [
      ["0.0.1001", "0.0.2002", "0.0.2002"],
      ["https://other.example/0.0.1001", "0.0.2002", "0.0.2002"],
      ["0.0.1001", "https://other.example/0.0.2002", "UserCancelled"],
      ["0.0.1001", "nothing", "UserCancelled"],
    ] as const) {
      const { outcome, list } = question(false);
      list.write(before);
      await list.draw();
      list.write(text);
      list.enter();
      await turn();
      list.hide();
      assert.equal(await outcome, chosen, `${before}, then ${text}`);
    }
  });

  it("chooses what the text before it named once that is written again", async () => {
    const { outcome, list } = question(false);
    list.write("0.0.1001");
    await list.draw();
    list.write("0.0.2002");
    list.write("0.0.1001");
    list.enter();
    assert.equal(await outcome, "0.0.1001");
  });
});

describe("What is found on a network", () => {
  beforeEach(() => void shown.splice(0));
  const [mainnet, testnet] = publicNetworks.map(({ ledgerUrl }) => ledgerUrl);
  let chosen = mainnet;
  beforeEach(() => (chosen = mainnet));
  const LINK = "https://hashscan.io/testnet/token/0.0.5";
  const question = () => {
    const outcome = askLedgerReference(
      {
        items: { visible: () => [] } as unknown as LedgerItems,
        network: () => networkAt(chosen ?? ""),
        networks: {
          use: () => Promise.resolve(),
          changesService: () => false,
          places: () => foreign("https://testnet.mirrornode.hedera.com"),
        },
      },
      frame("Find"),
      { placeholder: foreign("Paste an id"), kinds: [] },
    ).then(
      (answer) => ("switchesTo" in answer ? answer.switchesTo.id : "chosen"),
      (error: unknown) => (error as Error).constructor.name,
    );
    return { outcome, list: last() };
  };

  it("by a link of another one is not found by an Enter before its line is drawn, in whose place is that of the text before", async () => {
    // The last character is typed before the editor has drawn the line of those before it.
    for (const before of [LINK.slice(0, -1), "0.0.5"]) {
      const { outcome, list } = question();
      list.write(before);
      list.write(LINK);
      await list.draw();
      list.enter();
      await sleep(200);
      list.hide();
      assert.equal(await outcome, "UserCancelled", before);
    }
  });

  it("is not looked for on another one that is chosen elsewhere while the question says which", async () => {
    const { outcome, list } = question();
    list.write("0.0.5");
    await list.draw();
    chosen = testnet;
    list.enter();
    assert.equal(await outcome, "LedgerLensError");
  });

  it("by a link of another one is found once its line was seen", async () => {
    const { outcome, list } = question();
    list.write(LINK);
    await list.draw();
    await sleep(700);
    list.enter();
    assert.equal(await outcome, "testnet");
  });
});

describe("The way back", () => {
  beforeEach(() => void shown.splice(0));

  it("leads over questions that are answered meanwhile to the last one that was put, and forth through all of them", async () => {
    const state: Record<string, string> = { known: "before" };
    const step = (name: string, isAsked = () => true) => ({
      isKnown: (known: typeof state) => known[name] !== undefined,
      prepare: () => Promise.resolve(isAsked()),
      ask: async (known: typeof state, own: ReturnType<typeof frame>) => {
        const answer = await pick(
          { ...own, title: foreign(name) },
          {
            placeholder: foreign(name),
            choices: ["1", "2"].map((value) => ({ label: foreign(value), value })),
          },
        );
        known[name] = answer;
        if (name === "a") known["b"] = answer;
      },
    });
    let isAsked = true;
    const steps = [step("known"), step("a"), step("b"), step("c", () => isAsked), step("d")];
    const done = askSteps(foreign("Steps"), state, steps);
    for (const at of [0, 1]) {
      await turn();
      last().accept(at);
    }
    await turn();
    assert.equal(last().title, "d");
    // There is nothing to ask any more where the way back leads.
    isAsked = false;
    last().fire("button");
    await turn();
    assert.equal(last().title, "d");
    last().fire("button");
    await turn();
    assert.equal(last().title, "a");
    assert.deepEqual(last().buttons, []);
    last().accept(1);
    await turn();
    last().accept(1);
    await done;
    assert.deepEqual(state, { known: "before", a: "2", b: "2", c: "2", d: "2" });
  });
});
