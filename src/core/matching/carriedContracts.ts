import type { Pieces } from "../concurrency/turns.ts";
import { compareCodesInPieces, isHarmless, type ItemPair } from "../evm/codeComparison.ts";
import type { CodeItem } from "../evm/codeItems.ts";
import { disassemble, pushedOffset, type Disassembly } from "../evm/disassembly.ts";

/** The code of a contract that lies in another one's. */
interface CarriedCode {
  /** Bytes of the code around it. */
  readonly start: number;
  readonly end: number;
  readonly code: Disassembly;
}

/** The codes of the contracts that lie in a code, without those that lie in these. */
export function carriedCodes({ sections, bytes }: Disassembly): CarriedCode[] {
  const ranges: { start: number; end: number }[] = [];
  for (const { kind, depth, start, end } of sections) {
    const last = ranges.at(-1);
    if (kind === "code" && depth === 1) ranges.push({ start, end });
    else if (depth > 0 && last?.end === start) last.end = end;
  }
  return ranges.map(({ start, end }) => ({ start, end, code: disassemble(bytes.slice(start, end)) }));
}

/** The runtime code in two creation codes, which is the contract itself. */
interface ReturnedRuntime {
  /** Where it begins in the recompiled creation code. */
  readonly start: number;
  readonly deployed: Disassembly;
  readonly compiled: Disassembly;
  /** The pairs of both creation codes that are of nothing else, and the others, without its length. */
  readonly within: readonly ItemPair[];
  readonly beside: readonly ItemPair[];
  /** Whether the deployed runtime code differs from the recompiled one as these two do. */
  readonly isAsDeployed: boolean;
}

/**
 * Finds the runtime code that two creation codes return.
 *
 * @param pairs of both creation codes
 * @param runtime what is deployed, without what the deployment appended, and what was recompiled
 * @returns `undefined` where the recompiled creation code does not carry the recompiled runtime code as it is, or where the two
 *   creation codes do not carry as many contracts
 */
export function* returnedRuntimeInPieces(
  left: Disassembly,
  right: Disassembly,
  pairs: readonly ItemPair[],
  runtime: { readonly deployed: Uint8Array; readonly compiled: Uint8Array },
): Pieces<ReturnedRuntime | undefined> {
  const [mine, theirs] = [carriedCodes(left), carriedCodes(right)];
  yield;
  const at = theirs.findIndex(({ start }) =>
    runtime.compiled.every((byte, offset) => byte === right.bytes[start + offset]),
  );
  const [one, other] = [mine[at], theirs[at]];
  if (!one || !other || mine.length !== theirs.length) return undefined;
  const isWithin = (pair: ItemPair) => isIn(pair.left, one) || isIn(pair.right, other);
  const deployed = yield* compareCodesInPieces(disassemble(runtime.deployed), one.code);
  return {
    start: other.start,
    deployed: one.code,
    compiled: other.code,
    within: pairs.filter(isWithin),
    beside: withoutLengths(
      pairs.filter((pair) => !isWithin(pair)),
      one.code,
      other.code,
    ),
    isAsDeployed: deployed.pairs.every(isHarmless),
  };
}

/**
 * Pairs without those in which the constructor pushes how long its runtime code becomes: with the words that it appends, as
 * many on either side.
 */
function withoutLengths(pairs: readonly ItemPair[], left: Disassembly, right: Disassembly): ItemPair[] {
  const appended = (item: CodeItem | undefined, { bytes }: Disassembly) => {
    const more = item?.instruction ? (pushedOffset(item.instruction) ?? -1) - bytes.length : -1;
    return more >= 0 && more % 32 === 0 ? more : undefined;
  };
  const differing = pairs.filter((pair) => !isHarmless(pair));
  const ofLeft = new Set(differing.map((pair) => appended(pair.left, left)));
  const ofRight = new Set(differing.map((pair) => appended(pair.right, right)));
  const isLength = (pair: ItemPair) =>
    [appended(pair.left, left), appended(pair.right, right)].some(
      (more) => more !== undefined && ofLeft.has(more) && ofRight.has(more),
    );
  return pairs.filter((pair) => isHarmless(pair) || !isLength(pair));
}

function isIn(item: CodeItem | undefined, { start, end }: Pick<CarriedCode, "start" | "end">): boolean {
  return item !== undefined && item.offset >= start && item.offset < end;
}
