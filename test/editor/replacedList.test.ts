import assert from "node:assert/strict";
import * as vscode from "vscode";
import { foreign } from "../../src/core/text/shownText.ts";
import { pick } from "../../src/editor/ui/multiStep.ts";
import { eventually } from "../rig/eventually.ts";
import { press } from "./pressing.ts";
import { watchScreen, type Screen } from "./shownQuestions.ts";

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
});
