import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { foreignSentence, shown, type ShownText } from "../../core/text/shownText.ts";
import { checkMayAsk, stopSignal } from "./asking.ts";
import { askWindow } from "./askWindow.ts";
import { DeliberateEnter } from "./deliberateEnter.ts";
import { ListOnScreen } from "./listOnScreen.ts";
import { GoBack, type StepFrame } from "./multiStep.ts";
import { answerOf, takerBack, TickedOtherwise } from "./questionFlow.ts";
import { quickPickItem, type PickQuestion, type StepChoice } from "./quickPick.ts";

/** A pick from a list that may grow while it is open. */
interface PickOptions<T> {
  readonly placeholder: ShownText;
  /** Shown at once. */
  readonly choices: readonly StepChoice<T>[];
  /** Replaces the list when it arrives, and its words by `show` before that; its failure leaves the list as it is. */
  readonly later?: (
    signal: AbortSignal,
    show: (choices: readonly StepChoice<T>[]) => void,
  ) => Promise<readonly StepChoice<T>[]>;
  /** The value of the line to begin at, where that is not the first. */
  readonly beginAt?: T | undefined;
  /** Takes the list away, as a person does who leaves. Default: when the program that called the command wants it no longer. */
  readonly signal?: AbortSignal | undefined;
  /** Offers what is typed itself, when it makes sense, in place of the line that it stands for. */
  readonly typed?: (text: string) => StepChoice<T> | undefined;
  /** Says in the whole list that nothing of it is like what is typed, and what to do. */
  readonly nothing?: (text: string) => Pick<StepChoice<never>, "icon" | "label" | "detail">;
}

/** Says in a list that an Enter was noticed, and that it takes another one. */
function askAgainIn(input: vscode.QuickPick<vscode.QuickPickItem>, placeholder: ShownText): () => void {
  return () => (input.placeholder = shown`${placeholder} · ${pressAgain()}`);
}

const pressAgain = () => shown`Press Enter again to confirm`;

/**
 * So long the list stays on the screen whose line was chosen; then that line alone does, while something is found out: what
 * is pressed meanwhile is for no other line.
 */
const CHOSEN_ALONE_MS = 250;

/** Shows a quick pick and answers the value of the choice. What sends something is chosen by a deliberate Enter only. */
export async function pick<T>(frame: StepFrame, options: PickOptions<T>): Promise<T> {
  checkMayAsk(frame.title);
  const input = vscode.window.createQuickPick<Line<T>>();
  const abort = new AbortController();
  Object.assign(input, framed(frame), {
    placeholder: options.placeholder,
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  let choices = options.choices;
  /** Those that came last, which are given as soon as the editor may have them. */
  let wanted = choices;
  /** Whether the editor shows nothing of the list for what is typed. */
  let isNothing = false;
  const textNow = () => input.value.trim();
  /** The choice that is typed itself. */
  const typedNow = () => options.typed?.(textNow());
  /** Which text each line of such a choice is of. */
  const texts = new WeakMap<object, string>();
  const linesNow = () => {
    const text = textNow();
    const typed = typedNow();
    const nothing = isNothing && !input.busy && text !== "" ? options.nothing?.(text) : undefined;
    const lines = choices.map(({ found, ...choice }) =>
      quickPickItem<T>(text === "" ? choice : { ...choice, ...found }),
    );
    if (typed) {
      const same = choices.findIndex(({ value }) => value === typed.value);
      const line = quickPickItem(typed);
      texts.set(line, text);
      lines.splice(same < 0 ? lines.length : same, 1, line);
    }
    if (nothing) lines.push(quickPickItem<T>({ ...nothing, alwaysShow: true }));
    return lines;
  };
  /** Gives the editor the list for what is typed, and with what came meanwhile. */
  const give = () =>
    list.give(() => {
      const isReplaced = wanted !== choices;
      choices = wanted;
      const lines = linesNow();
      if (!isReplaced) return { lines };
      // Other words for the same lines are no other list.
      if (!haveSameValues(list.lines, lines)) enter.beginAgain();
      // Else it begins at its first line, which may send something.
      return { lines, active: list.placeAmong(lines) };
    });
  const enter = new DeliberateEnter<Line<T>>({
    askWindow,
    activate: (line) => list.activate(line),
    askAgain: askAgainIn(input, options.placeholder),
  });
  const list = new ListOnScreen<Line<T>>(input, {
    alike: sameLine,
    separator: () => ({ label: "", kind: vscode.QuickPickItemKind.Separator }),
    askWindow,
    told: (active, isMove) => {
      enter.told(isMove);
      if (!options.nothing) return;
      // Only the editor knows what it finds alike; a line that can't be chosen is the one that says so.
      const isNothingNow = textNow() !== "" && active?.value === undefined;
      if (isNothingNow === isNothing) return;
      isNothing = isNothingNow;
      give();
    },
  });
  list.give(() => {
    const lines = linesNow();
    const { beginAt } = options;
    return { lines, active: lines.find(({ value }) => beginAt !== undefined && value === beginAt) };
  });
  if (options.later) {
    input.busy = true;
    const replace = (more: readonly StepChoice<T>[]) => {
      // The same list is not drawn again.
      if (isDeepStrictEqual(more, wanted)) return;
      wanted = more;
      give();
    };
    void options
      .later(abort.signal, replace)
      .then(replace)
      .catch(() => undefined)
      .finally(() => {
        input.busy = false;
        if (isNothing) give();
      });
  }
  const { signal = stopSignal() } = options;
  const { line, value } = await answerOf<{ readonly line: Line<T>; readonly value: T }>(
    input,
    enter,
    signal,
    {
      listen: (resolve, reject) => {
        input.onDidChangeValue(() => {
          enter.typed();
          if (!options.typed) return;
          give();
          // The line of a text is another one than that of the text before.
          if (typedNow()?.sends === true) enter.beginAgain();
        });
        input.onDidAccept(() => {
          const text = textNow();
          const pressed = list.pressed();
          // Until the editor has drawn the line of a text, it goes on with that of the text before.
          const textOfLine = pressed && texts.get(pressed.shown);
          const known = textOfLine === undefined || textOfLine === text ? pressed : undefined;
          // An Enter right behind a paste comes before the line of the text is drawn, and is meant for it; what only that line
          // says, such as another network, has to be seen first.
          const typed = typedNow();
          const ofPaste = typed?.isSaidByText === true ? quickPickItem(typed) : undefined;
          const choice = known ? (textOfLine === text ? known.shown : known.line) : ofPaste;
          if (choice?.value === undefined) return;
          const answer = { line: choice, value: choice.value };
          const isCertain = known?.isCertain ?? true;
          const isTold = known !== undefined && isCertain && known.line === known.shown;
          if (choice.sends === true || frame.maySend === true || !isCertain) {
            enter.pressedOn(choice, isTold, () => resolve(answer));
            // The editor tells of no click on a line that it has chosen already.
            input.selectedItems = [];
          } else {
            enter.pressed();
            resolve(answer);
          }
        });
        input.onDidTriggerButton(() => reject(new GoBack()));
      },
      needs: [list, { dispose: () => abort.abort() }],
    },
  );
  setTimeout(() => (input.items = [line]), CHOSEN_ALONE_MS);
  return value;
}

type Line<T> = ReturnType<typeof quickPickItem<T>>;

/** The line that stands for the same, in the same words where several do. */
function sameLine<T>({ value, label }: Line<T>, lines: readonly Line<T>[]): Line<T> | undefined {
  const alike = value === undefined ? [] : lines.filter((line) => line.value === value);
  return alike.find((line) => line.label === label) ?? alike[0];
}

/** Whether two lists have the same lines in the same order, whatever these say. */
function haveSameValues(
  before: readonly { readonly value?: unknown }[],
  after: readonly { readonly value?: unknown }[],
): boolean {
  return before.length === after.length && before.every(({ value }, at) => value === after[at]?.value);
}

/**
 * Shows a list of which several lines may be ticked, and answers these. It stays on the screen until the next question is there,
 * and what is ticked otherwise meanwhile takes the answer back.
 *
 * @param maySend whether something may be sent then without a further question: a deliberate Enter accepts it only
 * @see checkNotLeft which throws TickedOtherwise then
 */
export async function pickTicked<T>(
  { title, placeholder, choices }: PickQuestion<T>,
  maySend: boolean,
): Promise<T[]> {
  checkMayAsk(title);
  const input = vscode.window.createQuickPick<Line<T>>();
  const enter = new DeliberateEnter({ askWindow, askAgain: askAgainIn(input, placeholder) });
  const takeBack = takerBack();
  Object.assign(input, {
    title,
    placeholder,
    canSelectMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  input.items = choices.map(quickPickItem);
  input.selectedItems = input.items.filter((_, at) => choices[at]?.picked === true);
  const tickedNow = () => input.selectedItems.flatMap(({ value }) => (value === undefined ? [] : [value]));
  let ticked = new Set(tickedNow());
  let answer: ReadonlySet<T> | undefined;
  return answerOf<T[]>(input, enter, stopSignal(), {
    listen: (resolve) => {
      input.onDidChangeValue(() => enter.typed());
      input.onDidChangeSelection(() => {
        const before = ticked;
        ticked = new Set(tickedNow());
        // The editor tells of the first ones, too.
        if (haveSameMembers(before, ticked)) return;
        enter.typed();
        if (answer) takeBack(haveSameMembers(answer, ticked) ? undefined : new TickedOtherwise([...ticked]));
      });
      const take = () => {
        answer ??= ticked;
        resolve([...answer]);
      };
      input.onDidAccept(() => {
        if (maySend) enter.pressedOn({ value: title }, true, take);
        else {
          enter.pressed();
          take();
        }
      });
    },
    needs: [],
  });
}

function haveSameMembers<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): boolean {
  return one.size === other.size && [...one].every((member) => other.has(member));
}

/** A text to type. */
interface InputOptions {
  readonly prompt: ShownText;
  readonly placeholder: ShownText;
  readonly value?: string;
  /** Whether nothing is an answer too. */
  readonly mayBeEmpty?: boolean;
  /** Throws for what can't be used; the error's message is shown. Answers the value to use. */
  readonly check: (text: string) => string;
  /** What is typed is not shown. */
  readonly isSecret?: boolean;
  /** A slower look at a value that passed; answers what is said of it under the box. */
  readonly look?: (value: string, signal: AbortSignal) => Promise<SaidOfValue | undefined>;
}

/** What a look at a value found. */
interface SaidOfValue {
  readonly message: ShownText;
  /** Whether the value is likely to be a wrong one. */
  readonly isWarning: boolean;
}

/** Shows an input box and answers the checked value. */
export async function askText(frame: StepFrame, options: InputOptions): Promise<string> {
  checkMayAsk(frame.title);
  const input = vscode.window.createInputBox();
  const enter = new DeliberateEnter({
    askWindow,
    askAgain: () =>
      (input.validationMessage = { message: pressAgain(), severity: vscode.InputBoxValidationSeverity.Info }),
  });
  let looking = new AbortController();
  Object.assign(input, framed(frame), {
    prompt: options.prompt,
    placeholder: options.placeholder,
    value: options.value ?? "",
    password: options.isSecret === true,
    ignoreFocusOut: true,
  });
  const checked = (): string | undefined => {
    try {
      const value = options.check(input.value);
      input.validationMessage = undefined;
      return value;
    } catch (error) {
      input.validationMessage = foreignSentence((error as Error).message);
      return undefined;
    }
  };
  const look = async (value: string): Promise<void> => {
    const { signal } = looking;
    const said = await options.look?.(value, signal).catch(() => undefined);
    if (signal.aborted || !said) return;
    const { Info, Warning } = vscode.InputBoxValidationSeverity;
    input.validationMessage = { message: said.message, severity: said.isWarning ? Warning : Info };
  };
  const lookNow = () => {
    const value = checked();
    if (value !== undefined) void look(value);
  };
  return answerOf<string>(input, enter, stopSignal(), {
    listen: (resolve, reject) => {
      input.onDidChangeValue((text) => {
        enter.typed();
        looking.abort();
        looking = new AbortController();
        if (text === "") {
          input.validationMessage = undefined;
          return;
        }
        lookNow();
      });
      input.onDidAccept(() => {
        const value = checked();
        if (value === undefined) return;
        if (frame.maySend === true) enter.pressedOn({ value }, true, () => resolve(value));
        else {
          enter.pressed();
          resolve(value);
        }
      });
      input.onDidTriggerButton(() => reject(new GoBack()));
    },
    // What is there to be corrected is looked at like what is typed.
    shown: () => {
      if (input.value !== "") lookNow();
    },
    needs: [{ dispose: () => looking.abort() }],
  });
}

function framed({ title, step, totalSteps, canGoBack }: StepFrame) {
  const count = totalSteps !== undefined && totalSteps > 1 ? { step, totalSteps } : {};
  return { title, ...count, buttons: canGoBack ? [vscode.QuickInputButtons.Back] : [] };
}

/** One line of text outside a flow of steps; `undefined` when the user leaves. */
export async function askLine(
  title: ShownText,
  { prompt, placeholder, value = "" }: Omit<InputOptions, "check" | "look" | "mayBeEmpty">,
): Promise<string | undefined> {
  checkMayAsk(title);
  return vscode.window.showInputBox({ title, prompt, placeHolder: placeholder, value });
}
