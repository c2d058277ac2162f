import { isHarmless, type ItemPair } from "../evm/codeComparison.ts";
import { itemHex } from "../evm/codeItems.ts";
import { MAX_VALUE_BYTES, type DifferingPlace } from "./codeSummaryShape.ts";

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
    const stretch: ItemPair[] = [];
    for (; pair && differs(pair); pair = pairs[++at]) stretch.push(pair);
    at--;
    const start = stretch[0]?.left?.offset ?? behind;
    const sides = counterparts(stretch);
    const parts = sides.map(differenceOf);
    const first = parts[0]?.first ?? 0;
    const values = valuesFrom(first, sides);
    places.push({
      offset: start + first,
      deployedBytes: parts.reduce((sum, { deployedBytes }) => sum + deployedBytes, 0),
      compiledBytes: parts.reduce((sum, { compiledBytes }) => sum + compiledBytes, 0),
      ...(values && { values }),
    });
    behind = start + stretch.reduce((sum, { left }) => sum + (left?.length ?? 0), 0);
  }
  return places;
}

/** What stands for each other in a stretch that differs, as hex: two items of a pair, or all that has no counterpart between. */
interface Counterparts {
  deployed: string;
  compiled: string;
}

function counterparts(stretch: readonly ItemPair[]): Counterparts[] {
  const parts: Counterparts[] = [];
  let unpaired: Counterparts | undefined;
  for (const { left, right } of stretch) {
    const [deployed, compiled] = [left ? itemHex(left) : "", right ? itemHex(right) : ""];
    if (left && right) {
      parts.push({ deployed, compiled });
      unpaired = undefined;
      continue;
    }
    if (!unpaired) parts.push((unpaired = { deployed: "", compiled: "" }));
    unpaired.deployed += deployed;
    unpaired.compiled += compiled;
  }
  return parts;
}

/**
 * How many bytes differ, and where the first one is. What has the same length is compared byte by byte: of a word with another
 * last byte that is one. A jump may lead elsewhere by the same bytes, which is one, too.
 */
function differenceOf({ deployed, compiled }: Counterparts) {
  const [deployedBytes, compiledBytes] = [deployed.length / 2, compiled.length / 2];
  if (deployedBytes !== compiledBytes) return { first: 0, deployedBytes, compiledBytes };
  let first: number | undefined;
  let bytes = 0;
  for (let at = 0; at < deployed.length; at += 2)
    if (deployed.slice(at, at + 2) !== compiled.slice(at, at + 2)) {
      first ??= at / 2;
      bytes++;
    }
  const differing = Math.max(1, bytes);
  return { first: first ?? 0, deployedBytes: differing, compiledBytes: differing };
}

/** What stands in a stretch from a byte of it on, up to the last that differs, where that is short enough to be compared. */
function valuesFrom(first: number, sides: readonly Counterparts[]): DifferingPlace["values"] {
  const from = (side: keyof Counterparts) =>
    sides
      .map((part) => part[side])
      .join("")
      .slice(2 * first);
  let [deployed, compiled] = [from("deployed"), from("compiled")];
  if (deployed.length === compiled.length)
    while (deployed !== "" && deployed.slice(-2) === compiled.slice(-2))
      [deployed, compiled] = [deployed.slice(0, -2), compiled.slice(0, -2)];
  const bytes = Math.max(deployed.length, compiled.length) / 2;
  return bytes === 0 || bytes > MAX_VALUE_BYTES
    ? undefined
    : { deployed: `0x${deployed}`, compiled: `0x${compiled}` };
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
