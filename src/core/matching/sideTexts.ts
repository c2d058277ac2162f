import { t } from "@vscode/l10n";
import { eachInPieces, type Pieces } from "../concurrency/turns.ts";
import { isHarmless, type CodeComparison } from "../evm/codeComparison.ts";
import { constantUses } from "../evm/constants.ts";
import type { Disassembly } from "../evm/disassembly.ts";
import { languageOfPath } from "../languages/language.ts";
import type { SourceWriting } from "../languages/languageRules.ts";
import { RULES } from "../languages/rules.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import { firstFew } from "../text/counted.ts";
import { placeFinder } from "../text/definitionPlace.ts";
import { foreign } from "../text/shownText.ts";
import { SOLIDITY_WRITING } from "./constantPlaces.ts";
import { textOfWord } from "./valueDifferences.ts";

/** Texts, such as those of errors, that one of two codes has and the other has not, in the order of the code. */
interface SideTexts {
  readonly deployed: readonly string[];
  readonly compiled: readonly PlacedText[];
}

/** A text with where the submitted sources say it, as long as that is one place. */
interface PlacedText {
  readonly text: string;
  readonly place?: {
    /** The function that it stands in, or else what is given it as its value. */
    readonly name?: string;
    readonly file: string;
    /** From 1. */
    readonly line: number;
  };
}

/** A word that is as long as the selector of an error may look like a text by chance. */
const LEAST_CHARACTERS = 5;
/** More of them come from a setting, such as one that leaves the texts of errors out. */
const MAX_SHOWN = 3;
const WORD_BYTES = 32;
/** No text of an error is longer than so many words. */
const MAX_WORDS = 8;
/** Longer than an assignment is before its value. */
const MAX_ASSIGNMENT = 300;
const ASSIGNED = /(?<![\w$])([A-Za-z_$][\w$]*)\s{0,50}(?::[^=\n]{0,200})?=\s{0,50}$/;
/** A source that is longer is a library of data. */
const MAX_SOURCE_CHARACTERS = 1_000_000;

/** The texts that only one of two codes has, as far as it is code that differs there, and not a value that was written in. */
export function* textsOfOneSideInPieces(
  deployed: Disassembly,
  compiled: Disassembly,
  { pairs }: CodeComparison,
  input: Pick<StandardJsonInput, "sources" | "language"> | undefined,
): Pieces<SideTexts> {
  const [mine, theirs] = [yield* textsIn(deployed), yield* textsIn(compiled)];
  const ofLeft = new Set(mine.map(({ text }) => text));
  const ofRight = new Set(theirs.map(({ text }) => text));
  const differing = (side: "left" | "right") =>
    new Set(pairs.flatMap((pair) => (isHarmless(pair) ? [] : (pair[side]?.offset ?? []))));
  const [left, right] = [differing("left"), differing("right")];
  const only = (texts: readonly CodeText[], others: ReadonlySet<string>, offsets: ReadonlySet<number>) => [
    ...new Set(
      texts
        .filter(({ text, at }) => !others.has(text) && at.some((offset) => offsets.has(offset)))
        .map(({ text }) => text),
    ),
  ];
  const own = only(theirs, ofLeft, right);
  return {
    deployed: only(mine, ofRight, left),
    compiled: input && own.length > 0 ? yield* placed(own, input) : own.map((text) => ({ text })),
  };
}

/** A text with the offsets of the instructions that begin to make its words. */
interface CodeText {
  readonly text: string;
  readonly at: readonly number[];
}

function* textsIn({ sections }: Disassembly): Pieces<CodeText[]> {
  const found: CodeText[] = [];
  for (const section of sections) {
    if (section.kind !== "code") continue;
    const uses = constantUses(section.instructions);
    const lengths = new Set(uses.map(({ value }) => value));
    const words = uses.flatMap(({ value, offset }) => {
      const text = textOfWord(value);
      return text === undefined ? [] : [{ text, offset }];
    });
    for (let next = 0; next < words.length;) {
      const [count, text] = wholeText(words.slice(next, next + MAX_WORDS), lengths);
      if (text.length >= LEAST_CHARACTERS)
        found.push({ text, at: words.slice(next, next + count).map(({ offset }) => offset) });
      next += count;
    }
    yield;
  }
  return found;
}

/** How many words a text has, and all of it: where it is longer than one, the code has its length, too. */
function wholeText(
  words: readonly { readonly text: string }[],
  lengths: ReadonlySet<bigint>,
): [count: number, text: string] {
  let text = "";
  for (const [at, { text: word }] of words.entries()) {
    text += word;
    const bytes = Buffer.byteLength(text);
    if (at > 0 && lengths.has(BigInt(bytes))) return [at + 1, text];
    if (bytes < (at + 1) * WORD_BYTES) break;
  }
  return [1, words[0]?.text ?? ""];
}

function* placed(
  texts: readonly string[],
  { sources, language }: Pick<StandardJsonInput, "sources" | "language">,
): Pieces<PlacedText[]> {
  const shown = texts.slice(0, MAX_SHOWN);
  const places = new Map<string, PlacedText["place"]>();
  for (const [file, { content }] of Object.entries(sources)) {
    if (content.length > MAX_SOURCE_CHARACTERS) continue;
    const writing = RULES[languageOfPath(file) ?? language].writing ?? SOLIDITY_WRITING;
    const plain = content.replace(writing.comment, (text) => text.replace(/[^\n]/g, " "));
    const placeOf = placeFinder(file, plain);
    yield* eachInPieces(shown, (text) => {
      const [at, ...others] = placesOf(plain, text);
      if (at === undefined) return;
      // In several places it says nothing of where the change is.
      const isElsewhere = others.length > 0 || places.has(text);
      const name = isElsewhere
        ? undefined
        : (functionAround(plain, at, writing) ?? assignedBefore(plain, at));
      const place = { ...(name !== undefined && { name }), file, line: placeOf(at).line + 1 };
      places.set(text, isElsewhere ? undefined : place);
    });
  }
  return texts.map((text) => {
    const place = places.get(text);
    return { text, ...(place && { place }) };
  });
}

/** The first places where a text stands between quotes, two at most. */
function placesOf(plain: string, text: string): number[] {
  return [`"${text}"`, `'${text}'`]
    .flatMap((quoted) => {
      const first = plain.indexOf(quoted);
      return first === -1 ? [] : [first, plain.indexOf(quoted, first + 1)];
    })
    .filter((at) => at !== -1)
    .slice(0, 2);
}

/** The function that a place is in: the last one that begins before it and has not ended there. */
function functionAround(
  plain: string,
  at: number,
  { functionHead, isInFunction }: SourceWriting,
): string | undefined {
  const before = plain.slice(0, at);
  const last = [...before.matchAll(functionHead)].at(-1);
  if (!last || !isInFunction(before.slice(last.index + last[0].length))) return undefined;
  return last[1] ?? last[2];
}

/** What is given a text as its value: the name before it, with its type between where the language has it there. */
function assignedBefore(plain: string, at: number): string | undefined {
  return ASSIGNED.exec(plain.slice(Math.max(0, at - MAX_ASSIGNMENT), at))?.[1];
}

/** `Only the compiled code has "Ledger: overdrawn" in _debit (Ledger.sol:20)`; `undefined` where there is none. */
export function sideTextsInWords({ deployed, compiled }: SideTexts): string | undefined {
  const parts = [
    ...(deployed.length > 0
      ? [
          t`Only the deployed code has ${firstFew(
            deployed.map((text) => `"${foreign(text)}"`),
            MAX_SHOWN,
          )}`,
        ]
      : []),
    ...(compiled.length > 0
      ? [
          t`Only the compiled code has ${firstFew(
            compiled.map((one) => placedInWords(one)),
            MAX_SHOWN,
          )}`,
        ]
      : []),
  ];
  return parts.length === 0 ? undefined : parts.join(". ");
}

function placedInWords({ text, place }: PlacedText): string {
  const quoted = `"${foreign(text)}"`;
  if (!place) return quoted;
  const where = `${foreign(place.file.slice(place.file.lastIndexOf("/") + 1))}:${place.line}`;
  return place.name === undefined
    ? t`${quoted} in ${where}`
    : t`${quoted} in ${foreign(place.name)} (${where})`;
}
