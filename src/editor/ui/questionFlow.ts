import { AsyncLocalStorage } from "node:async_hooks";
import type * as vscode from "vscode";
import { UserCancelled } from "./action.ts";
import { currentCall } from "./asking.ts";
import type { DeliberateEnter } from "./deliberateEnter.ts";

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

/** Takes back what was answered last in the flow that goes on now; `undefined` leaves it at that. */
export function takerBack(): (otherwise: TickedOtherwise | undefined) => void {
  const flow = Flow.now();
  return (otherwise) => {
    if (flow) flow.otherwise = otherwise;
  };
}

/** Thrown where other lines are ticked in a list than when it was answered, before anything came of that: it is asked again. */
export class TickedOtherwise extends Error {
  readonly values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    super("Other lines are ticked.");
    this.values = values;
  }
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
export async function answerOf<T>(
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
