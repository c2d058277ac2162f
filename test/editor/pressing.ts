import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { openList, type Screen } from "./shownQuestions.ts";

/** A key of the question that is on the screen, or its button. */
type Key = "accept" | "back" | "first" | "next" | "previous" | "last" | "hide";

/** So long a person looks whether something comes of a key before pressing it again. */
const LOOK_MS = 700;
const PAUSE_MS = 50;
/** So long a key is held down, and so often it presses meanwhile. */
const HOLD_MS = 2_500;
const REPEAT_MS = 30;
/** So often the window is spoken with until it has told all that it drew. */
const TURNS = 3;

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
export function pressUntil(
  keys: readonly Key[],
  look: () => void,
  aim?: () => void | Promise<void>,
): Promise<void> {
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
      await aim?.();
      answered ??= openList();
      for (const key of keys) await press(key);
    }
    const first = isFirst;
    isFirst = false;
    await lookFor(first ? 0 : LOOK_MS);
  });
}

/** Takes a line of the list that is open, as soon as it is there. */
export function takeLine(screen: Pick<Screen, "questions">, line: RegExp, look: () => void): Promise<void> {
  return pressUntil(["accept"], look, () => moveTo(screen, line));
}

/**
 * Goes down the list that is open until a line is the active one. It is the editor that moves and tells where to: a line that
 * the extension makes the active one by itself may be another one again when the editor has drawn the list.
 *
 * @param line is looked for in what stands first in the lines
 * @throws where there is no such line
 */
export async function moveTo(screen: Pick<Screen, "questions">, line: RegExp): Promise<void> {
  const open = () => screen.questions.findLast(({ isOpen }) => isOpen);
  const isThere = () => line.test(open()?.active?.split(" | ", 1)[0] ?? "");
  // A list that is replaced is told of by its first line before the one that it was given.
  const isThereForGood = async () => {
    for (let turns = 0; turns < TURNS; turns++) {
      if (!isThere()) return false;
      await vscode.commands.executeCommand("setContext", "ledgerLens.test.turn", turns);
    }
    return isThere();
  };
  for (let left = open()?.lines.length ?? 0; !(await isThereForGood()); left--) {
    if (left < 0) throw new Error(`No line like ${String(line)} is there to go to.`);
    if (!isThere()) await press("next");
  }
}

/** Presses Enter as a key does that is held down: again and again without a pause, whatever comes of it. */
export async function holdEnter(): Promise<void> {
  const pressed: Thenable<unknown>[] = [];
  for (const until = performance.now() + HOLD_MS; performance.now() < until;) {
    pressed.push(press("accept"));
    await new Promise((resolve) => setTimeout(resolve, REPEAT_MS));
  }
  await Promise.all(pressed);
}
