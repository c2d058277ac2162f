// How much a proof tries. A proof that lasts more than a few seconds runs whole in `npm run test:long`, and as a seeded
// sample in `npm test`. `test/run.ts` finds what `npm run test:long` runs by the name `*.long.test.ts` or by this
// function's name in the text of a test file, so a test file calls it itself and not through another file.

/** The environment variable that says `long` while proofs run whole. */
export const PROOF = "LEDGER_LENS_PROOF";
/** The environment variable with the seed of the random proofs: it repeats a run with what that printed. */
export const SEED = "LEDGER_LENS_SEED";

/** True while proofs run whole. */
export function isWholeProof(): boolean {
  return process.env[PROOF] === "long";
}

/** The size of a proof in this run: of its sample, or of the whole. */
export function proofSize<T>({ sample, whole }: { readonly sample: T; readonly whole: T }): T {
  return isWholeProof() ? whole : sample;
}

/** How a test is named as skipped that only `npm run test:long` runs. */
export const LEFT_TO_LONG = "left to npm run test:long";

/** The seed of every sample, so that what was compiled for one run serves the next, and no commit fails by its draw. */
const SAMPLE_SEED = 20_261_122;

/**
 * The seed of a random proof, printed with the proof's name.
 *
 * @returns an integer from 0 to below 2^32: what the environment names; where it names none, always the same for a
 *   sample, and a new one each time for the whole
 */
export function seed(name: string): number {
  const given = process.env[SEED] ?? "";
  const drawn = isWholeProof() ? Math.floor(Math.random() * 2 ** 32) : SAMPLE_SEED;
  const found = given === "" ? drawn : Number(given);
  if (!Number.isInteger(found)) throw new Error(`${SEED} has to be an integer, and is "${given}".`);
  console.log(`${name}: ${SEED}=${found}`);
  return found;
}
