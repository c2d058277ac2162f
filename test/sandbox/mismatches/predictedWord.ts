import type { PredictedOutcome } from "../../../src/core/matching/predict.ts";

/** Answers of the service that come from comparing codes, which is what a prediction foretells. */
export const COMPARED = /^(?:exact_match|match|no_match|bytecode_length_mismatch|extra_file_input_bug)$/;

/** The word that a prediction should have used for what the service answered. */
export function predictedOf(answer: string): PredictedOutcome {
  return answer === "match" || answer === "exact_match" ? answer : "mismatch";
}
