import type { Match } from "./verifier.ts";

/** The better of the two (services/server/src/server/services/utils/util.ts, `getTotalMatchLevel`). */
export function totalMatch(runtime: Match, creation: Match): Match {
  return rank(runtime) >= rank(creation) ? runtime : creation;
}

interface Matches {
  readonly runtimeMatch: Match;
  readonly creationMatch: Match;
}

/** Whether one of the matches is better and the other no worse (`isBetterVerification` of the same file). */
export function isBetter(one: Matches, than: Matches): boolean {
  const runtime = rank(one.runtimeMatch) - rank(than.runtimeMatch);
  const creation = rank(one.creationMatch) - rank(than.creationMatch);
  return runtime >= 0 && creation >= 0 && runtime + creation > 0;
}

function rank(match: Match): number {
  return match === "exact_match" ? 2 : match === "match" ? 1 : 0;
}
