import type { ShownText } from "../../core/text/shownText.ts";
import { checkMayAsk } from "./asking.ts";
import { inOneFlow } from "./questionFlow.ts";

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

/** Thrown by a step when the user goes back. */
export class GoBack extends Error {}

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
