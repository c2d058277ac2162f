import assert from "node:assert/strict";
import { it } from "node:test";
import { LedgerLensError } from "../../../src/core/errors.ts";
import type { Random } from "../../unit/random.ts";
import { mutatedText } from "./mutations.ts";
import { sharedObjects } from "./prototypes.ts";
import type { TextReader } from "./textReaders.ts";

/** Inputs for each reader, in a sample and as a whole. */
export const FUZZ_INPUTS = { sample: 300, whole: 1_000_000 };

const shared = sharedObjects();

/** What is tried. */
interface Trial<T> {
  readonly name: string;
  readonly inputs: number;
  readonly input: () => T;
  readonly read: (input: T) => unknown;
  /** Whether an error is an answer of the reader's. */
  readonly mayFail: (error: unknown) => boolean;
  /** An input as it is said in a failure. */
  readonly written: (input: T) => string;
}

/**
 * Reads one input after the other and says how many were taken: a fuzz that reaches nothing proves nothing. Errors have no
 * stack while it does: to take those down would last longer than all the reading. What fails is read again, with one.
 */
export async function tryAll<T>({ name, inputs, input, read, mayFail, written }: Trial<T>): Promise<void> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  let taken = 0;
  try {
    for (let at = 0; at < inputs; at++) {
      const one = input();
      try {
        const result = read(one);
        if (isTaken(result instanceof Promise ? await result : result)) taken++;
      } catch (error) {
        if (mayFail(error)) continue;
        Error.stackTraceLimit = stackTraceLimit;
        await Promise.resolve(one)
          .then(read)
          .catch((cause: unknown) => assert.fail(new Error(`${name} failed for ${written(one)}`, { cause })));
        throw error;
      }
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  shared.assertUntouched(name);
  assert.ok(taken > 0, `${name} took none of its inputs`);
  const share = Math.round((100 * taken) / inputs);
  console.log(`${name}: ${inputs.toLocaleString("en")} inputs, ${share} % of them taken`);
}

function isTaken(result: unknown): boolean {
  if (result === undefined || result === null || result === false) return false;
  return typeof result !== "object" || Object.values(result).some((part) => isTaken(part) && part !== 0);
}

/** A test of each reader of texts. */
export function tryTextReaders(readers: readonly TextReader[], dice: Random, inputs: number): void {
  for (const { name, read, examples } of readers)
    it(`${name} reads any text or says why not`, () =>
      tryAll({
        name,
        inputs,
        input: () => mutatedText(dice, examples),
        read,
        mayFail: (error) => error instanceof LedgerLensError,
        written: JSON.stringify,
      }));
}
