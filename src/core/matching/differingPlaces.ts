import { isHarmless, type ItemPair } from "../evm/codeComparison.ts";
import type { DifferingPlace } from "./codeSummaryShape.ts";

/** The stretches in which two codes differ, moved places, metadata and what a deployment writes left out. */
export function differingPlaces(pairs: readonly ItemPair[]): DifferingPlace[] {
  const places: DifferingPlace[] = [];
  let behind = 0;
  for (let at = 0; at < pairs.length; at++) {
    let pair = pairs[at];
    if (!pair || !differs(pair)) {
      if (pair?.left) behind = pair.left.offset + pair.left.length;
      continue;
    }
    const offset = pair.left?.offset ?? behind;
    let [deployedBytes, compiledBytes] = [0, 0];
    for (; pair && differs(pair); pair = pairs[++at]) {
      deployedBytes += pair.left?.length ?? 0;
      compiledBytes += pair.right?.length ?? 0;
    }
    at--;
    behind = offset + deployedBytes;
    places.push({ offset, deployedBytes, compiledBytes });
  }
  return places;
}

/** How many bytes these are, on the side that has more of them: never more than a whole code, and at least one in each place. */
export function bytesOfPlaces(places: readonly DifferingPlace[]): number {
  const sum = (bytesOf: (place: DifferingPlace) => number) =>
    places.reduce((bytes, place) => bytes + bytesOf(place), 0);
  return Math.max(
    places.length,
    sum(({ deployedBytes }) => deployedBytes),
    sum(({ compiledBytes }) => compiledBytes),
  );
}

/** Whether a pair differs in more than what a deployment writes and the compiler leaves behind the code. */
function differs(pair: ItemPair): boolean {
  const { relation, right } = pair;
  return relation === "address" ? !/^0*$/.test(right?.instruction?.operand ?? "") : !isHarmless(pair);
}
