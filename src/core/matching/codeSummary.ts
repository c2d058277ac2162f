import { t } from "@vscode/l10n";
import {
  compareCodesInPieces,
  isHarmless,
  type CodeComparison,
  type ItemPair,
} from "../evm/codeComparison.ts";
import { bytesToHex } from "@noble/hashes/utils.js";
import { disassemble } from "../evm/disassembly.ts";
import { PUSH20 } from "../evm/opcodes.ts";
import { hashText, lastAuxdata } from "../evm/auxdata.ts";
import { codeBytes } from "../evm/hex.ts";
import {
  addressesOf,
  endsAtPlaceholder,
  isSameHash,
  isUnlinked,
  type AddressFinding,
} from "./codeFindings.ts";
import type { Pieces } from "../concurrency/turns.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import { counted, grouped } from "../text/counted.ts";
import type { CodeMap, CodeSummary, DifferingPlace, PartKind } from "./codeSummaryShape.ts";
import type { LabelledText } from "../text/labelledText.ts";
import { foreign, foreignLine, foreignSentence, shortAddress, shown } from "../text/shownText.ts";
import { placedValuesInPieces, valueDifferences, valuesInWords } from "./valueDifferences.ts";

/** Cells of a map: a page of 400 pixels still shows each. */
const CELLS = 120;
const MAX_PLACES = 20;
const MAX_IMMUTABLES = 8;

/**
 * Sums up how a deployed and a recompiled runtime code differ.
 *
 * A recompiled code that breaks off at the placeholder of a library is compared as far as it goes.
 *
 * @param deployedCode 0x-prefixed
 * @param submitted where the names of the values that differ are looked for
 * @returns `undefined` where one of the codes is empty, as that of an abstract contract
 */
export function* codeSummaryInPieces(
  deployedCode: string,
  recompiledCode: string,
  submitted?: Pick<StandardJsonInput, "sources" | "language">,
): Pieces<CodeSummary | undefined> {
  const [whole, own] = [codeBytes(deployedCode), codeBytes(recompiledCode)];
  if (whole.length === 0 || own.length === 0) return undefined;
  const right = disassemble(own);
  const isCut = endsAtPlaceholder({ code: right, auxdata: lastAuxdata(own) });
  const left = disassemble(isCut ? whole.slice(0, own.length) : whole);
  yield;
  const comparison = yield* compareCodesInPieces(left, right);
  const { pairs, differingBytes } = comparison;
  const places = differingPlaces(pairs);
  const where = places.length === 0 ? "" : t` in ${counted(places.length, "place")}`;
  const differing = `${differingBytes === 0 ? "none" : grouped(differingBytes)} ${differingBytes === 1 ? "differs" : "differ"}${where}`;
  const values = valueDifferences(comparison);
  const placed = values && submitted ? yield* placedValuesInPieces(values, submitted) : values;
  return {
    figure: isCut
      ? shown`${counted(whole.length, "byte")}; of the first ${grouped(own.length)}, up to a library that is not linked, ${differing}`
      : shown`${counted(whole.length, "byte")}, ${differing}`,
    deployed: mapOf(whole.length, pairs, "left", left.bytes.length),
    compiled: mapOf(own.length, pairs, "right"),
    facts: [
      ...(placed ? [{ label: shown`Values`, value: foreignSentence(valuesInWords(placed)) }] : []),
      ...[...addressesOf(comparison), ...(isCut ? addressBehind(whole, own.length) : [])].map(addressFact),
      ...immutableFacts(comparison),
      isCut ? unknownMetadataFact(whole) : metadataFact(whole, own),
    ],
    places: places.slice(0, MAX_PLACES),
    placeCount: places.length,
  };
}

/** What of a pair differs. */
function kindOf(pair: ItemPair): PartKind {
  const { relation } = pair;
  if (relation === "same" || relation === "immutable" || relation === "address") return relation;
  return isHarmless(pair) ? "metadata" : "code";
}

/** What weighs most in a cell where several meet comes last. */
const WEIGHTS: readonly PartKind[] = ["same", "metadata", "immutable", "address", "code"];

/** @param known how much of the code was compared */
function mapOf(bytes: number, pairs: readonly ItemPair[], side: "left" | "right", known = bytes): CodeMap {
  const cells = Array.from({ length: CELLS }, (): { kind: PartKind; differing: number } => ({
    kind: "same",
    differing: 0,
  }));
  const size = bytes / CELLS;
  for (const pair of pairs) {
    const item = pair[side];
    const kind = kindOf(pair);
    if (!item || kind === "same") continue;
    const end = item.offset + item.length;
    for (let at = Math.floor(item.offset / size); at < CELLS && at * size < end; at++) {
      const cell = cells[at];
      if (!cell) continue;
      cell.differing += Math.min(end, (at + 1) * size) - Math.max(item.offset, at * size);
      if (WEIGHTS.indexOf(kind) > WEIGHTS.indexOf(cell.kind)) cell.kind = kind;
    }
  }
  cells.forEach((cell, at) => {
    if (cell.kind === "same" && (at + 1) * size > known) cell.kind = "unknown";
  });
  return {
    bytes,
    cells: cells.map(({ kind, differing }) => ({
      kind,
      share: size === 0 ? 0 : Math.min(1, Math.round((100 * differing) / size) / 100),
    })),
  };
}

/** The stretches that differ, moved places and what a deployment writes left out. */
function differingPlaces(pairs: readonly ItemPair[]): DifferingPlace[] {
  const places: DifferingPlace[] = [];
  let behind = 0;
  for (let at = 0; at < pairs.length; at++) {
    let pair = pairs[at];
    if (!pair || isHarmless(pair)) {
      if (pair?.left) behind = pair.left.offset + pair.left.length;
      continue;
    }
    const offset = pair.left?.offset ?? behind;
    let [deployedBytes, compiledBytes] = [0, 0];
    for (; pair && !isHarmless(pair); pair = pairs[++at]) {
      deployedBytes += pair.left?.length ?? 0;
      compiledBytes += pair.right?.length ?? 0;
    }
    at--;
    behind = offset + deployedBytes;
    places.push({ offset, deployedBytes, compiledBytes });
  }
  return places;
}

function addressFact(address: AddressFinding): LabelledText {
  const { deployed, own } = address;
  return {
    label: shown`Address`,
    value: isUnlinked(address)
      ? shown`0x${deployed} deployed, of a library that was not linked`
      : shown`0x${deployed} deployed, 0x${own} compiled`,
  };
}

/** What the deployment wrote in, each value once. */
function immutableFacts({ pairs }: CodeComparison): LabelledText[] {
  const values = new Set(
    pairs.flatMap(({ relation, left }) =>
      relation === "immutable" ? (left?.instruction?.operand ?? []) : [],
    ),
  );
  if (values.size === 0) return [];
  const listed = [...values].slice(0, MAX_IMMUTABLES).map(wordInWords);
  const more = values.size - listed.length;
  const rest = more > 0 ? t` and ${grouped(more)} more` : "";
  return [
    {
      label: shown`Immutables`,
      value: shown`${counted(values.size, "value")} that the deployment wrote: ${listed.join(", ")}${rest}`,
      whole: foreignLine([...values].map((value) => `0x${value}`).join(", ")),
    },
  ];
}

function wordInWords(operand: string): string {
  const digits = operand.replace(/^0+(?=.)/, "");
  if (digits.length <= 13) return grouped(Number(`0x${digits}`));
  return digits.length <= 40
    ? shortAddress(`0x${digits.padStart(40, "0")}`)
    : `0x${digits.slice(0, 4)}…${digits.slice(-4)}`;
}

/** The address in the deployed code where the recompiled one breaks off. */
function addressBehind(whole: Uint8Array, at: number): AddressFinding[] {
  const address = whole.subarray(at, at + 20);
  return whole[at - 1] === PUSH20 && address.length === 20
    ? [{ deployed: bytesToHex(address), own: "" }]
    : [];
}

function unknownMetadataFact(whole: Uint8Array): LabelledText {
  const hash = lastAuxdata(whole)?.hash;
  return {
    label: shown`Metadata hash`,
    value: hash
      ? shown`${hashText(hash)} deployed; that of the compiled code is behind the library`
      : shown`none deployed`,
  };
}

function metadataFact(left: Uint8Array, right: Uint8Array): LabelledText {
  const label = shown`Metadata hash`;
  const [deployed, compiled] = [lastAuxdata(left), lastAuxdata(right)];
  const [one, other] = [deployed?.hash, compiled?.hash];
  const texts = [one, other].map((hash) => (hash ? foreign(hashText(hash)) : "none"));
  if (!deployed && !compiled) return { label, value: shown`neither code carries metadata` };
  if (isSameHash(one, other)) return { label, value: shown`the same: ${texts[0] ?? ""}` };
  if (!one && !other) return { label, value: shown`neither code carries one` };
  return { label, value: shown`${texts[0] ?? ""} deployed, ${texts[1] ?? ""} compiled` };
}
