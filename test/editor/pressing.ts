import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { openList, type Screen } from "./shownQuestions.ts";

/** A key of the question that is on the screen, or its button. */
type Key = "accept" | "back" | "first" | "next" | "previous" | "last" | "hide";

/** So long a person looks whether something comes of a key before pressing it again. */
const LOOK_MS = 700;
const PAUSE_MS = 50;

/** Presses a key in the question that is on the screen. */
export function press(key: Key): Thenable<unknown> {
  return vscode.commands.executeCommand(
    key === "back" ? "workbench.action.quickInputBack" : `quickInput.${key}`,
  );
}

/**
 * Presses something again, as long as it takes until something comes of it: what is asked may not be there yet, and an Enter
 * that comes too early sends nothing. A list that was left is answered: what comes of it may take long, and a key that is
 * pressed meanwhile would answer the next list.
 *
 * @param aim goes to what the keys are for, before each try; throws where it is not there yet
 */
export function pressUntil(keys: readonly Key[], look: () => void, aim?: () => void): Promise<void> {
  const lookFor = async (milliseconds: number): Promise<void> => {
    for (const end = performance.now() + milliseconds; ;) {
      try {
        look();
        return;
      } catch (error) {
        if (performance.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  };
  let isFirst = true;
  let answered: string | undefined;
  return eventually(async () => {
    const isLeft = answered !== undefined && openList() !== answered;
    if (!isFirst && !isLeft) {
      aim?.();
      answered ??= openList();
      for (const key of keys) await press(key);
    }
    const first = isFirst;
    isFirst = false;
    await lookFor(first ? 0 : LOOK_MS);
  });
}

/**
 * Takes a line of the list that is open, as soon as it is there. Before each Enter it is made the active one again: a list
 * that is drawn anew meanwhile may begin at another line.
 */
export function takeLine(screen: Pick<Screen, "choose">, line: RegExp, look: () => void): Promise<void> {
  return pressUntil(["accept"], look, () => screen.choose(line));
}
