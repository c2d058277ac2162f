import assert from "node:assert/strict";
import * as vscode from "vscode";
import { foreign } from "../../src/core/text/shownText.ts";
import { inOneFlow } from "../../src/editor/ui/questionFlow.ts";
import { pick, pickTicked } from "../../src/editor/ui/questions.ts";
import type { StepChoice } from "../../src/editor/ui/quickPick.ts";
import { eventually } from "../rig/eventually.ts";
import { standStill } from "../rig/standStill.ts";
import { press, pressUntil } from "./pressing.ts";
import { watchScreen, type Screen } from "./shownQuestions.ts";

/** Up to so many lists come before the last one. */
const LISTS = 5;

describe("A list that is replaced while a person moves in it", () => {
  let screen: Screen;
  beforeEach(() => (screen = watchScreen()));
  afterEach(async () => {
    await press("hide");
    screen.stop();
  });

  const lines = (words: string) =>
    ["Compiler", "Optimizer", "EVM version", "Files"].map((label) => ({
      icon: "gear",
      label: foreign(label),
      description: foreign(words),
      value: label,
    }));
  const activeLine = () => screen.questions.at(-1)?.active ?? "";

  it("has the line active that the person went to, though the key was not heard of when the list came", async () => {
    const came = Promise.withResolvers<undefined>();
    const answer = pick(
      { title: foreign("Replaced"), step: 1, totalSteps: 1, canGoBack: false },
      {
        placeholder: foreign("Which line?"),
        choices: lines("before"),
        beginAt: "Optimizer",
        later: async () => {
          await came.promise;
          // What was learned meanwhile stands before all others.
          const learned = { icon: "lightbulb", label: foreign("Offer"), value: "Offer" };
          return [learned, ...lines("after")];
        },
      },
    );
    answer.catch(() => undefined);
    await eventually(() => assert.match(activeLine(), /Optimizer \| before/));
    const moved = press("next");
    came.resolve(undefined);
    await moved;
    await eventually(() => assert.match(activeLine(), /EVM version \| after/));
    // The editor may still tell of the list before, and is told of the line in a turn of its own.
    for (let rounds = 0; rounds < 5; rounds++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      await vscode.commands.executeCommand("setContext", "ledgerLens.test.round", rounds);
    }
    assert.match(activeLine(), /EVM version \| after/);
    await press("accept");
    assert.equal(await answer, "EVM version");
  });

  it("has it, too, where lists come faster than the editor tells of them, whenever the key is pressed", async () => {
    for (let lists = 1; lists <= LISTS; lists++)
      for (let pressedAt = 0; pressedAt <= lists; pressedAt++) {
        const came = Promise.withResolvers<undefined>();
        let moved: Thenable<unknown> | undefined;
        const answer = pick(
          { title: foreign("Replaced again and again"), step: 1, totalSteps: 1, canGoBack: false },
          {
            placeholder: foreign("Which line?"),
            choices: lines("before"),
            beginAt: "Optimizer",
            later: async (_signal, show) => {
              await came.promise;
              const learned = { icon: "lightbulb", label: foreign("Offer"), value: "Offer" };
              for (let list = 0; list < lists; list++) {
                if (list === pressedAt) moved = press("next");
                show([learned, ...lines(`list ${list}`)]);
                await new Promise((resolve) => setTimeout(resolve, list));
              }
              moved ??= press("next");
              return [learned, ...lines("after")];
            },
          },
        );
        answer.catch(() => undefined);
        await eventually(() => assert.match(activeLine(), /Optimizer \| before/));
        came.resolve(undefined);
        await eventually(() => assert.ok(moved));
        await moved;
        await eventually(() =>
          assert.match(activeLine(), /EVM version \| after/, `${lists} lists, ${pressedAt}: ${activeLine()}`),
        );
        await press("accept");
        assert.equal(await answer, "EVM version");
      }
  });
});

describe("A list that is replaced while a person searches it", () => {
  let screen: Screen;
  beforeEach(() => (screen = watchScreen()));
  afterEach(async () => {
    await press("hide");
    screen.stop();
  });

  const lines = (labels: readonly string[]) =>
    labels.map((label) => ({ label: foreign(label), value: label }));
  const shown = () => screen.questions.at(-1);
  /** When the other list comes after the text, in milliseconds. */
  const LATE_MS = [-8, -1, 0, 1, 4, 16, 64];
  /** So long the window goes on without this thread, and tells of the list that it has. */
  const STILL_MS = 200;

  /** Searches a list, which is replaced at that time. */
  async function searched(
    sought: string,
    beginAt: string,
    late: number,
  ): Promise<{ readonly answer: Promise<string> }> {
    const came = Promise.withResolvers<undefined>();
    const answer = pick(
      { title: foreign("Sought"), step: 1, totalSteps: 1, canGoBack: false },
      {
        placeholder: foreign("Which line?"),
        choices: lines(["Alpha", "Beta", "Gamma", "Delta"]),
        beginAt,
        later: async () => {
          await came.promise;
          return lines(["Offer", "Omega", "Alpha", "Beta", "Gamma", "Delta"]);
        },
        typed: (value) =>
          value === ""
            ? undefined
            : { label: foreign(value), value, description: foreign("as typed"), alwaysShow: true },
        nothing: (text) => ({ icon: "info", label: foreign(`Nothing is like ${text}`) }),
      },
    );
    answer.catch(() => undefined);
    await eventually(() => assert.equal(shown()?.active, beginAt));
    const comes = () => {
      came.resolve(undefined);
    };
    if (late < 0) comes();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, -late)));
    screen.search(sought);
    setTimeout(comes, Math.max(0, late));
    return { answer };
  }

  it("has the line active that was found, also where the list comes in the middle of the search", async () => {
    for (const sought of ["Beta", "Gamma", "Epsilon"])
      for (const late of LATE_MS) {
        const { answer } = await searched(sought, "Delta", late);
        await eventually(() => {
          assert.equal(shown()?.active, `${sought} | as typed`);
          assert.ok(shown()?.lines.includes("Omega"));
        });
        await press("accept");
        assert.equal(await answer, sought, `${late} ms`);
      }
  });

  it("gives what was typed by an Enter right behind the text, and not the line after it", async () => {
    for (const sought of ["Alpha", "Beta", "Gamma"])
      for (const late of LATE_MS) {
        const { answer } = await searched(sought, sought, late);
        await pressUntil(["accept"], () => assert.equal(shown()?.isOpen, false));
        assert.equal(await answer, sought, `${late} ms`);
      }
  });

  it("gives it, too, where this thread stands still when the list comes, and is told of the line before behind that", async () => {
    for (const sought of ["Alpha", "Beta"])
      for (const late of LATE_MS.filter((one) => one >= 0)) {
        const { answer } = await searched(sought, sought, late + 1);
        setTimeout(() => {
          standStill(STILL_MS);
        }, late);
        await pressUntil(["accept"], () => assert.equal(shown()?.isOpen, false));
        assert.equal(await answer, sought, `${late} ms`);
      }
  });
});

describe("An Enter that is pressed while another list is on its way", () => {
  let screen: Screen;
  beforeEach(() => (screen = watchScreen()));
  afterEach(async () => {
    await press("hide");
    screen.stop();
  });

  const active = () => screen.questions.at(-1)?.active;

  /** Asks with a list that another one follows when a test says so. */
  function asked(labels: string, beginAt: string) {
    const lines = (letters: string): StepChoice<string>[] =>
      letters
        .split("")
        .map((letter) =>
          letter === "-"
            ? { label: foreign("others"), isSeparator: true }
            : { label: foreign(letter), value: letter },
        );
    let tell: ((choices: readonly StepChoice<string>[]) => void) | undefined;
    let taken: string | undefined;
    pick<string>(
      { title: foreign("On its way"), step: 1, totalSteps: 1, canGoBack: false },
      {
        placeholder: foreign("Which line?"),
        choices: lines(labels),
        beginAt,
        later: (_signal, show) => {
          tell = show;
          return new Promise(() => undefined);
        },
      },
    ).then(
      (value) => (taken = value),
      () => undefined,
    );
    return { comes: (letters: string) => tell?.(lines(letters)), taken: () => taken };
  }

  it("takes the line that is on the screen, whatever line has its place in the other list", async () => {
    for (const [labels, beginAt, keys, other, meant] of [
      ["ABC", "B", ["previous"], "BAC", "A"],
      ["CD", "C", ["next"], "-CD", "D"],
      ["FEG", "F", ["next", "next", "next", "next"], "BFEG", "E"],
      ["ABC", "B", ["previous", "next"], "CAB", "B"],
    ] as const) {
      const { comes, taken } = asked(labels, beginAt);
      await eventually(() => assert.equal(active(), beginAt));
      // The window gets the keys before it gets the list.
      const pressed = [...keys, "accept" as const].map((key) => press(key));
      comes(other);
      await Promise.all(pressed);
      await eventually(() => assert.equal(taken(), meant));
    }
  });

  it("takes nothing where what is typed leaves no line, also where the other list begins at a hidden one", async () => {
    const { comes, taken } = asked("ABC", "B");
    await eventually(() => assert.equal(active(), "B"));
    screen.search("nothing like it");
    comes("CAB");
    await eventually(() => assert.equal(active(), ""));
    for (let presses = 0; presses < 3; presses++) await press("accept");
    screen.search("");
    await eventually(() => assert.equal(active(), "C"));
    assert.equal(taken(), undefined);
    await pressUntil(["accept"], () => assert.equal(taken(), "C"));
  });

  it("takes what is found, where the other list would begin at a line that is hidden by what is typed", async () => {
    const { comes, taken } = asked("ABCD", "D");
    await eventually(() => assert.equal(active(), "D"));
    screen.search("C");
    comes("EFABCD");
    await eventually(() => assert.equal(active(), "C"));
    await pressUntil(["accept"], () => assert.equal(taken(), "C"));
  });
});

describe("A line that sends something", () => {
  let screen: Screen;
  beforeEach(() => (screen = watchScreen()));
  afterEach(async () => {
    await press("hide");
    screen.stop();
  });

  const line = (label: string, sends?: true): StepChoice<string> => ({
    label: foreign(label),
    value: label,
    ...(sends && { sends }),
  });
  const REVIEW = [line("Submit", true), line("Always", true), line("Public"), line("Files")];
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const activeLine = () => screen.questions.at(-1)?.active ?? "";
  const MAX_TRIES = 10;
  /** Longer than a list has to be seen before Enter sends, with what a busy machine takes from it. */
  const SEEN_MS = 2_500;

  /** Asks with a list to which `more` may be told later; `chosen` is what came of it so far. */
  function ask(): { tell: (lines: readonly StepChoice<string>[]) => void; chosen: () => string | undefined } {
    let chosen: string | undefined;
    let tell: ((lines: readonly StepChoice<string>[]) => void) | undefined;
    const never = Promise.withResolvers<readonly StepChoice<string>[]>();
    pick<string>(
      { title: foreign("Sending"), step: 1, totalSteps: 1, canGoBack: false },
      {
        placeholder: foreign("Which line?"),
        choices: REVIEW,
        later: (_signal, show) => {
          tell = show;
          return never.promise;
        },
      },
    ).then(
      (value) => (chosen = value),
      () => undefined,
    );
    return { tell: (lines) => tell?.(lines), chosen: () => chosen };
  }

  for (const offers of [["Offer"], ["Offer", "Another offer"]])
    it(`is not taken by an Enter for another one, where ${offers.length} came on top of the list meanwhile`, async () => {
      const { tell, chosen } = ask();
      await eventually(() => assert.match(activeLine(), /Submit/));
      await pause(SEEN_MS);
      // The keys are pressed in one turn of the window, which has not heard of the new list.
      const keys = [press("next"), press("next"), press("accept")];
      tell([...offers.map((label) => line(label)), ...REVIEW]);
      await Promise.all(keys);
      await pause(SEEN_MS);
      assert.ok([undefined, "Public"].includes(chosen()), chosen());
    });

  it("is not taken by an Enter that came too early, of which is heard late because this thread stood still", async () => {
    // A window that is busy may press the key when the list was seen long enough, which nothing here can tell from a press
    // that is taken though it came too early: one try of which nothing came shows that such a press can be told.
    const tryOnce = async (): Promise<"not taken" | "taken or not heard of"> => {
      await pause(SEEN_MS);
      const { chosen } = ask();
      await eventually(() => assert.match(activeLine(), /Submit/));
      const key = { isBack: false };
      const pressed = press("accept").then(() => (key.isBack = true));
      await pause(15);
      standStill(800);
      // What came meanwhile lies there to be read.
      for (let turns = 0; turns < 6; turns++) await new Promise((resolve) => setImmediate(resolve));
      const isHeard = key.isBack;
      await pressed;
      await pause(SEEN_MS);
      const isTaken = chosen() !== undefined;
      await press("hide");
      return isHeard && !isTaken ? "not taken" : "taken or not heard of";
    };
    for (let tries = 1; (await tryOnce()) !== "not taken"; tries++)
      assert.ok(tries < MAX_TRIES, `taken, or not heard of while this thread stood still, in ${tries} tries`);
  });

  it("is not taken by a key that is held down, and is by one that is pressed once", async () => {
    const { chosen } = ask();
    await eventually(() => assert.match(activeLine(), /Submit/));
    await pause(SEEN_MS);
    await Promise.all(Array.from({ length: 8 }, () => press("accept")));
    await pause(SEEN_MS);
    assert.equal(chosen(), undefined);
    await press("accept");
    await eventually(() => assert.equal(chosen(), "Submit"));
  });

  it("is taken by one Enter once the list with what was learned meanwhile was seen", async () => {
    const { tell, chosen } = ask();
    await eventually(() => assert.match(activeLine(), /Submit/));
    tell([line("Offer"), ...REVIEW]);
    await pause(SEEN_MS);
    tell([line("Offer"), ...REVIEW].map((one) => ({ ...one, description: foreign("other words") })));
    await eventually(() => assert.match(activeLine(), /Submit \| other words/));
    await pause(SEEN_MS);
    await press("accept");
    await eventually(() => assert.equal(chosen(), "Submit"));
  });

  it("is not taken where something is ticked right after Enter, and then takes what is ticked", async () => {
    const meddled = 3;
    const { createQuickPick } = vscode.window;
    let [list, accepted]: [vscode.QuickPick<vscode.QuickPickItem> | undefined, number] = [undefined, 0];
    const tick = (count: number) => list && (list.selectedItems = list.items.slice(0, count));
    Object.assign(vscode.window, {
      createQuickPick: () => {
        list = createQuickPick();
        list.onDidAccept(() => {
          accepted++;
          if (accepted <= meddled) setTimeout(() => tick(2), 20);
        });
        return list;
      },
    });
    const choices = ["A", "B"].map((label) => ({
      label: foreign(label),
      value: label,
      picked: label === "A",
    }));
    let taken: readonly string[] | undefined;
    try {
      void pickTicked({ title: foreign("Ticked"), placeholder: foreign("Which ones?"), choices }, true).then(
        (values) => (taken = values),
        () => undefined,
      );
    } finally {
      Object.assign(vscode.window, { createQuickPick });
    }
    await pressUntil(
      ["accept"],
      () => assert.ok(taken),
      async () => {
        await pause(SEEN_MS);
        tick(1);
      },
    );
    assert.ok(accepted > meddled, `${accepted}`);
    assert.deepEqual(taken, ["A"]);
  });
});

describe("A question that is answered", () => {
  let screen: Screen;
  beforeEach(() => (screen = watchScreen()));
  afterEach(async () => {
    await press("hide");
    screen.stop();
  });

  it("can still be left while what comes of it is found out, and nothing comes of it then", async () => {
    const found = Promise.withResolvers<undefined>();
    let isAnswered = false;
    const flow = inOneFlow(async () => {
      const title = foreign("Answered");
      const choices = [{ label: foreign("One"), value: 1, picked: true }];
      const ticked = await pickTicked({ title, placeholder: foreign("Which lines?"), choices }, false);
      isAnswered = true;
      await found.promise;
      return ticked;
    });
    const outcome = flow.then(String, (error: unknown) => (error as Error).constructor.name);
    await pressUntil(["accept"], () => assert.ok(isAnswered));
    assert.equal(screen.questions.at(-1)?.isOpen, true, "it stays until something comes of it");
    await press("hide");
    await eventually(() => assert.equal(screen.questions.at(-1)?.isOpen, false));
    found.resolve(undefined);
    assert.equal(await outcome, "UserCancelled");
  });

  /** A command that asks one list, and takes its time to find out what comes of the answer. */
  function command(label: string) {
    const found = Promise.withResolvers<undefined>();
    let isAnswered = false;
    const flow = inOneFlow(async () => {
      const choices = [{ label: foreign(label), value: label, picked: true }];
      const ticked = await pickTicked(
        { title: foreign(label), placeholder: foreign("Which lines?"), choices },
        false,
      );
      isAnswered = true;
      await found.promise;
      return ticked;
    });
    const outcome = flow.then(String, (error: unknown) => (error as Error).constructor.name);
    return { outcome, isAnswered: () => isAnswered, isFound: () => found.resolve(undefined) };
  }

  const lastIsOpen = () => screen.questions.at(-1)?.isOpen;
  const lines = () => screen.questions.findLast(({ isOpen }) => isOpen)?.lines;

  it("stays left when another command asks, which is not left with it", async () => {
    const first = command("First");
    await pressUntil(["accept"], () => assert.ok(first.isAnswered()));
    await press("hide");
    await eventually(() => assert.equal(lastIsOpen(), false));
    const second = command("Second");
    await eventually(() => assert.deepEqual(lines(), ["Second"]));
    first.isFound();
    assert.equal(await first.outcome, "UserCancelled");
    await pressUntil(["accept"], () => assert.ok(second.isAnswered()));
    second.isFound();
    assert.equal(await second.outcome, "Second");
  });

  it("is left alone, with what comes of it, by the end of another command", async () => {
    const first = command("First");
    await pressUntil(["accept"], () => assert.ok(first.isAnswered()));
    const second = command("Second");
    await eventually(() => assert.deepEqual(lines(), ["Second"]));
    await pressUntil(["accept"], () => assert.ok(second.isAnswered()));
    first.isFound();
    await first.outcome;
    assert.equal(lastIsOpen(), true, "the second one is still to be seen");
    await press("hide");
    await eventually(() => assert.equal(lastIsOpen(), false));
    second.isFound();
    assert.equal(await second.outcome, "UserCancelled");
  });

  it("does not come back over the question of another command, which took it away", async () => {
    const found = Promise.withResolvers<undefined>();
    let isAnswered = false;
    const frame = { title: foreign("First"), step: 1, totalSteps: 1, canGoBack: false };
    const ask = (label: string) =>
      pick(frame, { placeholder: foreign(label), choices: [{ label: foreign(label), value: label }] });
    const first = inOneFlow(async () => {
      await ask("First");
      isAnswered = true;
      await found.promise;
      return ask("Next");
    }).then(String, (error: unknown) => (error as Error).constructor.name);
    await pressUntil(["accept"], () => assert.ok(isAnswered));
    const second = command("Second");
    await eventually(() => assert.deepEqual(lines(), ["Second"]));
    found.resolve(undefined);
    assert.equal(await first, "UserCancelled");
    await pressUntil(["accept"], () => assert.ok(second.isAnswered()));
    second.isFound();
    assert.equal(await second.outcome, "Second");
  });
});
