import type { Pieces } from "../../concurrency/turns.ts";
import { compareBodiesInPieces } from "../../evm/bodyComparison.ts";
import type { Comparison } from "../comparison.ts";

/** How sure a setting is at the most where an edit of a few functions explains the same. */
export const OF_FEW_FUNCTIONS = 0.3;
/** More functions an edit changes seldom. */
const MAX_EDITED_FUNCTIONS = 3;
/** So many functions remain for each of them. */
const SAME_FOR_EACH = 3;

/**
 * Whether it is proven that only a few functions run other code, and that all others run the same: a setting of the optimizer
 * seldom does that.
 */
export function* isOfFewFunctionsInPieces({
  deployed,
  recompiled,
}: Pick<Comparison, "deployed" | "recompiled">): Pieces<boolean> {
  const bodies = yield* compareBodiesInPieces(deployed.code, recompiled.code);
  if (!bodies || bodies.unclear.length > 0 || bodies.isRestChanged) return false;
  const { changed, same } = bodies;
  return (
    changed.length > 0 &&
    changed.length <= MAX_EDITED_FUNCTIONS &&
    same.length >= SAME_FOR_EACH * changed.length
  );
}
