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
import { findAuxdata, hashText, lastAuxdata, type Auxdata, type MetadataHash } from "../evm/auxdata.ts";
import { codeBytes } from "../evm/hex.ts";
import {
  changedFunctionsInPieces,
  changedFunctionsInWords,
  functionInWords,
  MAX_SHOWN,
  otherFunctionsInWords,
  type SubmittedContract,
} from "./changedFunctions.ts";
import { returnedRuntimeInPieces } from "./carriedContracts.ts";
import {
  addressesOf,
  appendedBytes,
  endsAtPlaceholder,
  isSameHash,
  isUnlinked,
  type AddressFinding,
} from "./codeFindings.ts";
import type { Pieces } from "../concurrency/turns.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import { counted, firstFew, grouped } from "../text/counted.ts";
import type { CodeMap, CodeSummary, DifferingPlace, PartKind } from "./codeSummaryShape.ts";
import type { LabelledText } from "../text/labelledText.ts";
import { foreign, foreignLine, foreignSentence, shown, type ShownText } from "../text/shownText.ts";
import { bytesOfPlaces, differingPlaces } from "./differingPlaces.ts";
import { linkedAddresses } from "./causes/findingCauses.ts";
import { wordInWords } from "./immutables.ts";
import { sideTextsInWords, textsOfOneSideInPieces } from "./sideTexts.ts";
import {
  hexOfValue,
  placedValuesInPieces,
  valueDifferencesInPieces,
  valuesInWords,
  type ValueDifference,
} from "./valueDifferences.ts";

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
 * @param creationCode the recompiled one, in which Vyper says how much a deployment appends
 * @returns `undefined` where one of the codes is empty, as that of an abstract contract
 */
export function* codeSummaryInPieces(
  deployedCode: string,
  recompiledCode: string,
  submitted?: SubmittedSources,
  creationCode?: string | null,
): Pieces<CodeSummary | undefined> {
  const codes = runtimeCodes(deployedCode, recompiledCode, submitted, creationCode);
  return codes && (yield* summed(codes));
}

/**
 * The same for a deployed and a recompiled creation code. Of the runtime code in it, which is the contract itself, nothing is
 * said again that the summary of the runtime codes says.
 *
 * @param deployedCode the data of the creation, with the constructor's arguments behind the code
 * @param runtime both runtime codes, where these are summed up beside it
 * @returns `undefined` where one of the codes is empty
 */
export function* creationSummaryInPieces(
  deployedCode: string,
  recompiledCode: string,
  submitted?: SubmittedSources,
  runtime?: { readonly deployed: string; readonly recompiled: string },
): Pieces<CodeSummary | undefined> {
  const codes = creationCodes(deployedCode, recompiledCode, submitted);
  const own = runtime && runtimeCodes(runtime.deployed, runtime.recompiled, submitted, recompiledCode);
  return codes && (yield* summed(codes, own));
}

/**
 * The figure of such a summary alone, for a row or a title: "4,812 bytes, 212 differ in 9 places".
 *
 * @param side of which code the two are
 * @param submitted see {@link codeSummaryInPieces}, as `creationCode`
 */
export function* codeFigureInPieces(
  side: "runtime" | "creation",
  deployedCode: string,
  recompiledCode: string,
  submitted?: SubmittedSources,
  creationCode?: string | null,
): Pieces<ShownText | undefined> {
  const codes =
    side === "runtime"
      ? runtimeCodes(deployedCode, recompiledCode, submitted, creationCode)
      : creationCodes(deployedCode, recompiledCode, submitted);
  if (!codes) return undefined;
  yield;
  const { pairs } = yield* compareCodesInPieces(
    disassemble(codes.whole.slice(0, codes.rest.from)),
    codes.right,
  );
  return figureOf(codes, pairs, differingPlaces(pairs));
}

function runtimeCodes(
  deployedCode: string,
  recompiledCode: string,
  submitted: SubmittedSources | undefined,
  creationCode: string | null | undefined,
): ComparedCodes | undefined {
  const [whole, own] = [codeBytes(deployedCode), codeBytes(recompiledCode)];
  if (whole.length === 0 || own.length === 0) return undefined;
  const right = disassemble(own);
  const isCut = endsAtPlaceholder({ code: right, auxdata: lastAuxdata(own) });
  const appended = isCut ? [] : appendedWords(whole, own, submitted?.language, creationCode);
  const compared = isCut ? own.length : whole.length - 32 * appended.length;
  return {
    whole,
    own,
    right,
    isCut,
    rest: { from: compared, kind: isCut ? "unknown" : "immutable" },
    appended,
    behind: [],
    auxdata: [lastAuxdata(whole), lastAuxdata(own)],
    submitted,
  };
}

function creationCodes(
  deployedCode: string,
  recompiledCode: string,
  submitted: SubmittedSources | undefined,
): ComparedCodes | undefined {
  const [whole, own] = [codeBytes(deployedCode), codeBytes(recompiledCode)];
  if (whole.length === 0 || own.length === 0) return undefined;
  const right = disassemble(own);
  const isCut = endsAtPlaceholder({ code: right, auxdata: lastAuxdata(own) });
  const end = isCut ? own.length : endOfCreationCode(whole, own);
  const passed = whole.length - end;
  const behind =
    isCut || passed === 0
      ? []
      : [{ label: shown`Constructor arguments`, value: shown`${counted(passed, "byte")} behind the code` }];
  const rest = { from: end, kind: isCut ? "unknown" : "arguments" } as const;
  const auxdata = [
    findAuxdata(isCut ? whole : whole.subarray(0, end)).at(-1),
    findAuxdata(own).at(-1),
  ] as const;
  return { whole, own, right, isCut, rest, appended: [], behind, auxdata, submitted };
}

/**
 * Where the constructor's arguments begin, as far as the codes tell: behind the last auxdata of the code, those of contracts
 * within it counted, solc keeps nothing but constants, of which the recompiled code has about as many bytes. The arguments
 * may hold codes with auxdata of their own.
 */
function endOfCreationCode(whole: Uint8Array, own: Uint8Array): number {
  const found = findAuxdata(own);
  const last = found.at(-1);
  const deployed = findAuxdata(whole);
  const same = deployed[found.length - 1] ?? deployed.at(-1);
  if (last && same) return Math.min(whole.length, same.end + own.length - last.end);
  const more = whole.length - own.length;
  return more > 0 && more % 32 === 0 ? own.length : whole.length;
}

/** Where the names of values and functions are looked for; those of functions need the contract's identifier. */
type SubmittedSources = Pick<StandardJsonInput, "sources" | "language"> &
  Partial<Pick<StandardJsonInput, "settings">> & { readonly contractIdentifier?: string };

/** Two codes, and what of the deployed one is compared. */
interface ComparedCodes {
  readonly whole: Uint8Array;
  readonly own: Uint8Array;
  readonly right: ReturnType<typeof disassemble>;
  /** Whether the recompiled code breaks off at the placeholder of a library. */
  readonly isCut: boolean;
  /** What lies in the deployed code behind the part that is compared. */
  readonly rest: { readonly from: number; readonly kind: PartKind };
  /** Immutables behind the code. */
  readonly appended: readonly string[];
  /** What is said of what lies behind. */
  readonly behind: readonly LabelledText[];
  /** What says of each code by which sources it was made. */
  readonly auxdata: readonly [deployed: Auxdata | undefined, compiled: Auxdata | undefined];
  readonly submitted: SubmittedSources | undefined;
}

/** @param runtime where two creation codes are summed up, those that they return */
function* summed(codes: ComparedCodes, runtime?: ComparedCodes): Pieces<CodeSummary> {
  const { whole, own, right, isCut, rest, appended, behind, auxdata, submitted } = codes;
  yield;
  const left = disassemble(whole.slice(0, rest.from));
  yield;
  const compared = yield* compareCodesInPieces(left, right);
  const { pairs } = compared;
  const returned =
    runtime &&
    (yield* returnedRuntimeInPieces(left, right, pairs, {
      deployed: runtime.whole.subarray(0, runtime.rest.from),
      compiled: runtime.own,
    }));
  const other = returned?.within.every(isHarmless) === false ? returned : undefined;
  // What the runtime codes differ in is told of these.
  const isToldBefore = other?.isAsDeployed === true;
  const comparison = isToldBefore ? { ...compared, pairs: other.beside } : compared;
  const addresses = addressesOf(comparison);
  const constants = yield* valueDifferencesInPieces(left, right, comparison);
  const told: readonly ValueDifference[] = [
    ...(constants ?? []),
    ...addresses
      .filter((address) => !isUnlinked(address))
      .map(({ deployed, own: compiled }) => ({
        deployed: BigInt(`0x${deployed}`),
        compiled: BigInt(`0x${compiled}`),
        isAddress: true as const,
      })),
  ];
  const placed = submitted ? yield* placedValuesInPieces(told, submitted) : told;
  // An address that no constant of the sources is may be that of a library.
  const texts =
    constants === undefined
      ? sideTextsInWords(yield* textsOfOneSideInPieces(left, right, comparison, submitted))
      : undefined;
  const values = placed.filter((value) => !value.isAddress || value.place !== undefined);
  const isValue = ({ own: compiled }: AddressFinding) =>
    values.some((value) => value.isAddress && value.compiled === BigInt(`0x${compiled}`));
  const contract = submitted && submittedContract(submitted);
  const found = [
    ...(other && !isToldBefore
      ? [
          yield* changedFunctionsInPieces(
            other.deployed,
            other.compiled,
            yield* compareCodesInPieces(other.deployed, other.compiled),
            contract,
          ),
        ]
      : []),
    yield* changedFunctionsInPieces(left, right, comparison, contract, returned?.start),
  ].filter((functions) => functions !== undefined);
  const changed = found.flatMap((functions) => functions.changed);
  const functionsSaid = found
    .flatMap((functions) => [otherFunctionsInWords(functions), changedFunctionsInWords(functions)])
    .filter((words) => words !== "");
  const places = differingPlaces(pairs);
  return {
    figure: figureOf(codes, pairs, places),
    deployed: mapOf(whole.length, pairs, "left", rest),
    compiled: mapOf(own.length, pairs, "right"),
    facts: [
      ...(isToldBefore ? [sameDifferenceFact(other.beside)] : []),
      ...(values.length > 0 ? [valuesFact(values)] : []),
      ...(functionsSaid.length > 0
        ? [
            {
              label: shown`Functions`,
              value: shown`${functionsSaid.join(". ")}`,
              ...(changed.length > MAX_SHOWN && {
                whole: foreignLine(changed.map(functionInWords).join(", ")),
              }),
            },
          ]
        : []),
      ...(texts === undefined ? [] : [{ label: shown`Texts`, value: shown`${texts}` }]),
      ...[...addresses, ...(isCut ? addressBehind(whole, own.length) : [])]
        .filter((address) => !isValue(address))
        .map((address) => addressFact(address, submitted?.settings?.["libraries"])),
      ...immutableFacts([...writtenInPlace(comparison), ...appended]),
      ...behind,
      ...(isToldBefore && hasSameHashes(auxdata, runtime?.auxdata)
        ? []
        : [isCut ? unknownMetadataFact(auxdata[0]?.hash) : metadataFact(auxdata)]),
    ],
    places: places.slice(0, MAX_PLACES),
    placeCount: places.length,
  };
}

function submittedContract({
  contractIdentifier = "",
  settings = {},
  ...sources
}: SubmittedSources): SubmittedContract {
  return { stdJsonInput: { ...sources, settings }, contractIdentifier };
}

/** The immutables that Vyper's deployment appends to the runtime code: whole words behind it. */
function appendedWords(
  whole: Uint8Array,
  own: Uint8Array,
  language: StandardJsonInput["language"] | undefined,
  creationCode: string | null | undefined,
): string[] {
  const bytes = appendedBytes(whole, own, language, creationCode);
  const start = whole.length - bytes;
  return Array.from({ length: bytes / 32 }, (_, at) =>
    bytesToHex(whole.subarray(start + 32 * at, start + 32 * (at + 1))),
  );
}

/** How much of the deployed code differs, metadata and what a deployment writes left out. */
function figureOf(
  { whole, own, right, isCut }: Pick<ComparedCodes, "whole" | "own" | "right" | "isCut">,
  pairs: readonly ItemPair[],
  places: readonly DifferingPlace[],
): ShownText {
  const differing = differingFigure(pairs, places);
  // More bytes than the deployed code has are those of the compiled one.
  if (bytesOfPlaces(places) > whole.length)
    return shown`${counted(whole.length, "byte")} deployed, ${grouped(right.bytes.length)} compiled; ${differing}`;
  return isCut
    ? shown`${counted(whole.length, "byte")}; of the first ${grouped(own.length)}, up to a library that is not linked, ${differing}`
    : shown`${counted(whole.length, "byte")}, ${differing}`;
}

/** "212 differ in 9 places", "none differ besides the metadata" */
function differingFigure(pairs: readonly ItemPair[], places: readonly DifferingPlace[]): string {
  const bytes = bytesOfPlaces(places);
  if (bytes === 0)
    return pairs.some((pair) => kindOf(pair) === "metadata")
      ? t`none differ besides the metadata`
      : t`none differ`;
  const where = counted(places.length, "place");
  return bytes === 1 ? t`1 differs in ${where}` : t`${grouped(bytes)} differ in ${where}`;
}

/** @param beside what is of no runtime code */
function sameDifferenceFact(beside: readonly ItemPair[]): LabelledText {
  const places = differingPlaces(beside);
  return {
    label: shown`Difference`,
    value:
      places.length === 0
        ? shown`the same as in the runtime code`
        : shown`the same as in the runtime code; of the other bytes, ${differingFigure(beside, places)}`,
  };
}

function valuesFact(values: readonly ValueDifference[]): LabelledText {
  const whole = values.map(({ deployed, compiled }) => `${hexOfValue(deployed)} → ${hexOfValue(compiled)}`);
  return {
    label: shown`Values`,
    value: foreignSentence(valuesInWords(values)),
    whole: foreignLine(whole.join(", ")),
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

/** @param rest what lies behind the part that was compared */
function mapOf(
  bytes: number,
  pairs: readonly ItemPair[],
  side: "left" | "right",
  rest: { readonly from: number; readonly kind: PartKind } = { from: bytes, kind: "same" },
): CodeMap {
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
    if (cell.kind === "same" && (at + 1) * size > rest.from) cell.kind = rest.kind;
  });
  return {
    bytes,
    cells: cells.map(({ kind, differing }) => ({
      kind,
      share: size === 0 ? 0 : Math.min(1, Math.round((100 * differing) / size) / 100),
    })),
  };
}

function addressFact(address: AddressFinding, libraries: unknown): LabelledText {
  const { deployed, own } = address;
  const library = linkedAddresses(libraries).find((one) => one.address === own)?.name;
  return {
    label: shown`Address`,
    value: isUnlinked(address)
      ? shown`0x${deployed} deployed, of a library that was not linked`
      : library === undefined
        ? shown`0x${deployed} deployed, 0x${own} compiled`
        : shown`0x${deployed} deployed, 0x${own} compiled, of the library ${library}`,
  };
}

/** What the deployment wrote into the places that solc leaves for it. */
function writtenInPlace({ pairs }: CodeComparison): string[] {
  return pairs.flatMap(({ relation, left }) =>
    relation === "immutable" ? (left?.instruction?.operand ?? []) : [],
  );
}

/** What the deployment wrote in, each value once. */
function immutableFacts(written: readonly string[]): LabelledText[] {
  const values = new Set(written);
  if (values.size === 0) return [];
  const words = firstFew(Array.from(values, wordInWords), MAX_IMMUTABLES);
  return [
    {
      label: shown`Immutables`,
      value: shown`${counted(values.size, "value")} that the deployment wrote: ${words}`,
      whole: foreignLine([...values].map((value) => `0x${value}`).join(", ")),
    },
  ];
}

/** The address in the deployed code where the recompiled one breaks off. */
function addressBehind(whole: Uint8Array, at: number): AddressFinding[] {
  const address = whole.subarray(at, at + 20);
  return whole[at - 1] === PUSH20 && address.length === 20
    ? [{ deployed: bytesToHex(address), own: "" }]
    : [];
}

/** Whether two creation codes carry the metadata hashes of their runtime codes, and no others. */
function hasSameHashes(
  [one, other]: ComparedCodes["auxdata"],
  [deployed, compiled]: ComparedCodes["auxdata"] = [undefined, undefined],
): boolean {
  return isSameHash(one?.hash, deployed?.hash) && isSameHash(other?.hash, compiled?.hash);
}

function unknownMetadataFact(hash: MetadataHash | undefined): LabelledText {
  return {
    label: shown`Metadata hash`,
    value: hash
      ? shown`${hashText(hash)} deployed; that of the compiled code is behind the library`
      : shown`none deployed`,
  };
}

function metadataFact([deployed, compiled]: ComparedCodes["auxdata"]): LabelledText {
  const label = shown`Metadata hash`;
  const [one, other] = [deployed?.hash, compiled?.hash];
  const texts = [one, other].map((hash) => (hash ? foreign(hashText(hash)) : t`none`));
  if (!deployed && !compiled) return { label, value: shown`neither code carries metadata` };
  if (isSameHash(one, other)) return { label, value: shown`the same: ${texts[0] ?? ""}` };
  if (!one && !other) return { label, value: shown`neither code carries one` };
  return { label, value: shown`${texts[0] ?? ""} deployed, ${texts[1] ?? ""} compiled` };
}
