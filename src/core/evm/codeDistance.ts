import { inTurns, type Pieces } from "../concurrency/turns.ts";
import { compareCodesInPieces, isHarmless } from "./codeComparison.ts";
import { disassemble, type Disassembly } from "./disassembly.ts";

/**
 * How far a compiled code is from a deployed one: the share of the bytes that differ, from 0 to 1. Auxdata, immutables and
 * addresses of libraries do not count.
 *
 * @param compiled places of libraries as zeros
 */
export function codeDistance(
  deployed: Disassembly,
  compiled: Uint8Array,
  signal?: AbortSignal,
): Promise<number> {
  return inTurns(distanceInPieces(deployed, compiled), signal);
}

/** How much of two codes is equal, by their distance: "98.4 %"; never 100 where anything differs. */
export function percentEqual(distance: number): string {
  return distance === 0 ? "100 %" : `${(Math.floor(1_000 * (1 - distance)) / 10).toFixed(1)} %`;
}

function* distanceInPieces(deployed: Disassembly, compiled: Uint8Array): Pieces<number> {
  const own = disassemble(compiled);
  yield;
  const { pairs } = yield* compareCodesInPieces(deployed, own);
  let [changed, onlyDeployed, onlyOwn] = [0, 0, 0];
  for (const pair of pairs) {
    if (isHarmless(pair)) continue;
    const { left, right } = pair;
    if (left && right) changed += Math.max(left.length, right.length);
    else if (left) onlyDeployed += left.length;
    else onlyOwn += right?.length ?? 0;
  }
  const longer = Math.max(1, deployed.bytes.length, own.bytes.length);
  return Math.min(1, (changed + Math.max(onlyDeployed, onlyOwn)) / longer);
}
