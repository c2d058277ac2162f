import { AsyncLocalStorage } from "node:async_hooks";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { foreignSentence, shown, type ShownText } from "../../core/text/shownText.ts";
import { UserCancelled } from "./action.ts";
import { checkMayAsk, currentCall, stopSignal } from "./asking.ts";
import { DeliberateEnter } from "./deliberateEnter.ts";
import { ListOnScreen } from "./listOnScreen.ts";
import { quickPickItem, type PickQuestion, type StepChoice } from "./quickPick.ts";

/** Questions of a command of which each is followed by another one, or by what comes of the answers. */
class Flow {
  readonly #call = currentCall();
  /** Whether a person took away what they had answered, and wants nothing to come of it. */
  isLeft = false;
  /** What is ticked now in the list that was answered last, where that is not the answer. */
  otherwise: TickedOtherwise | undefined;
  isOver = false;

  /** The one that goes on: what a button of its messages begins, also later, is a command of its own. */
  static now(): Flow | undefined {
    const flow = flows.getStore();
    return flow && !flow.isOver && flow.#call === currentCall() ? flow : undefined;
  }
}

const flows = new AsyncLocalStorage<Flow>();

/**
 * The question that was answered last, while its flow goes on. It stays on the screen until the next one is there: a
 * question that is taken away hands the keyboard back to the page below it, which on a busy machine may take it when the
 * next question is on the screen already.
 */
let answered: { readonly input: vscode.QuickInput; readonly flow: Flow } | undefined;

/**
 * @returns whether it follows none that is on the screen
 * @throws UserCancelled when the user left before it could be shown, TickedOtherwise as {@link checkNotLeft}
 */
function show(input: vscode.QuickInput): boolean {
  checkNotLeft();
  const flow = Flow.now();
  const isFirst = answered === undefined || answered.flow !== flow;
  input.show();
  takeAnsweredAway(flow);
  return isFirst;
}

/** What was answered or gone back from is kept until the next question, what was left is gone already. */
function end(input: vscode.QuickInput, isFollowed: boolean): void {
  const flow = Flow.now();
  if (!flow || !isFollowed) {
    input.dispose();
    return;
  }
  takeAnsweredAway(flow);
  input.busy = true;
  input.onDidHide(() => {
    if (answered?.input === input) flow.isLeft = true;
  });
  answered = { input, flow };
}

/** @param flow the one that goes on; another one is left, as where its question is taken away before it is answered */
function takeAnsweredAway(flow: Flow | undefined): void {
  const before = answered;
  answered = undefined;
  if (before && before.flow !== flow) before.flow.isLeft = true;
  before?.input.dispose();
}

/**
 * What comes before anything that is kept of an answer.
 *
 * @throws UserCancelled when the user left after the last answer, while something was still being found out; TickedOtherwise
 * when they ticked other lines of the list meanwhile
 */
export function checkNotLeft(): void {
  const flow = Flow.now();
  if (flow?.isLeft) throw new UserCancelled();
  const otherwise = flow?.otherwise;
  if (!flow || !otherwise) return;
  flow.otherwise = undefined;
  throw otherwise;
}

/** Thrown where other lines are ticked in a list than when it was answered, before anything came of that: it is asked again. */
export class TickedOtherwise extends Error {
  readonly values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    super("Other lines are ticked.");
    this.values = values;
  }
}

/** Thrown by a step when the user goes back. */
class GoBack extends Error {}

/** One question. It reads what earlier steps answered and adds its own answer. */
export interface Step<State> {
  /** Finds out what the step goes by, whenever it is reached and not known; answers whether there is anything to ask. */
  readonly prepare?: (state: State) => Promise<boolean>;
  /** A step whose answer is known is not shown; going back passes over it. */
  readonly isKnown: (state: State) => boolean;
  /** Whether there is an answer that a person goes back to where it is wrong: the question is passed over at first. */
  readonly isAnswered?: (state: State) => boolean;
  /** The argument that answers it, as a program gives it: "tokenId". */
  readonly argument?: string;
  /** Whether its answer decides which questions come behind it. */
  readonly decides?: boolean;
  readonly ask: (state: State, frame: StepFrame) => Promise<void>;
}

/** What the inputs of a flow have in common. */
export interface StepFrame {
  readonly title: ShownText;
  /** Which question it is of those that are put to the person, from 1: what is known is not counted. */
  readonly step: number;
  /** How many these are to the end; absent where an answer decides that, or the way back leads to one passed over. */
  readonly totalSteps?: number | undefined;
  readonly canGoBack: boolean;
  /** Whether each answer may be all that something waits for to be sent, so that it has to be meant as one that sends. */
  readonly maySend?: boolean;
}

/**
 * Asks what is missing, one question after the other, with a way back.
 *
 * @param maySend whether something may be sent after the last answer without a question of its own
 * @throws UserCancelled when the user leaves.
 */
export async function askSteps<State>(
  title: ShownText,
  state: State,
  steps: readonly Step<State>[],
  maySend: () => boolean = () => false,
): Promise<void> {
  const missing = steps.filter(({ isKnown }) => !isKnown(state));
  if (missing.length > 0)
    checkMayAsk(
      title,
      missing.flatMap(({ argument }) => argument ?? []),
    );
  await inOneFlow(() => askEach(title, state, missing, maySend));
}

/**
 * Asks questions of which each stays on the screen, once it is answered, until the next one is there.
 *
 * @throws UserCancelled when the user leaves, also after the last answer while something is still being found out
 */
export async function inOneFlow<T>(questions: () => Promise<T>): Promise<T> {
  const outer = Flow.now();
  const flow = outer ?? new Flow();
  return flows.run(flow, async () => {
    try {
      const answers = await questions();
      checkNotLeft();
      return answers;
    } finally {
      if (answered?.flow === flow) takeAnsweredAway(flow);
      flow.isOver = outer === undefined;
    }
  });
}

async function askEach<State>(
  title: ShownText,
  state: State,
  missing: readonly Step<State>[],
  maySend: () => boolean,
): Promise<void> {
  const asked = new Set<number>();
  /** Whether something was passed over, which the way back leads to. */
  let mayGrow = false;
  for (let at = 0; at < missing.length;) {
    const step = missing[at];
    // An earlier step may have answered this one; what was asked once is asked again on the way back and forth.
    const isFirstTime = !asked.has(at);
    if (!step || (isFirstTime && step.isKnown(state))) {
      at++;
      continue;
    }
    if (step.prepare && !(await step.prepare(state))) {
      asked.delete(at);
      at++;
      continue;
    }
    const before = [...asked].filter((other) => other < at);
    asked.add(at);
    if (isFirstTime && step.isAnswered?.(state)) {
      mayGrow = true;
      at++;
      continue;
    }
    const number = before.length + 1;
    const ahead = missing.filter((one, other) => other > at && (asked.has(other) || !one.isKnown(state)));
    const isOpen =
      mayGrow ||
      ahead.some(({ prepare, isAnswered }) => prepare !== undefined || isAnswered?.(state) === true) ||
      missing.some(({ decides }, other) => decides === true && asked.has(other));
    try {
      await step.ask(state, {
        title,
        step: number,
        totalSteps: isOpen ? undefined : number + ahead.length,
        canGoBack: before.length > 0,
        maySend: maySend(),
      });
      at++;
    } catch (error) {
      if (!(error instanceof GoBack)) throw error;
      at = before.reduce((one, other) => Math.max(one, other));
    }
  }
}

/** What makes an input a question. */
interface Asking<T> {
  /** Listens for what answers it, or leads elsewhere. */
  readonly listen: (resolve: (answer: T) => void, reject: (reason: Error) => void) => void;
  /** Called once it is shown. */
  readonly shown?: () => void;
  /** What it needs no longer once it is answered or left. */
  readonly needs: readonly { dispose(): unknown }[];
}

/**
 * Shows an input until it is answered.
 *
 * @param signal takes it away
 * @throws UserCancelled when the user leaves, or it is taken away
 */
async function answerOf<T>(
  input: vscode.QuickInput,
  enter: Pick<DeliberateEnter<never>, "beginAgain" | "shown" | "dispose">,
  signal: AbortSignal | undefined,
  { listen, shown: isShown, needs }: Asking<T>,
): Promise<T> {
  const leave = () => input.hide();
  // What was never on the screen, since its command was left, takes nothing away from another one.
  let isFollowed = false;
  try {
    return await new Promise<T>((resolve, reject) => {
      listen(resolve, reject);
      input.onDidHide(() => {
        isFollowed = false;
        reject(new UserCancelled());
      });
      enter.beginAgain();
      enter.shown(show(input));
      isFollowed = true;
      if (signal?.aborted) leave();
      else signal?.addEventListener("abort", leave, { once: true });
      isShown?.();
    });
  } finally {
    signal?.removeEventListener("abort", leave);
    for (const one of needs) one.dispose();
    enter.dispose();
    end(input, isFollowed);
  }
}

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

/** Any command that the window runs is answered behind what it told before. */
const askWindow = () => vscode.commands.executeCommand("setContext", "ledgerLens.listIsDrawn", true);

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
    list: { activate: (line) => list.activate(line) },
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
  const flow = Flow.now();
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
        if (flow && answer)
          flow.otherwise = haveSameMembers(answer, ticked) ? undefined : new TickedOtherwise([...ticked]);
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
