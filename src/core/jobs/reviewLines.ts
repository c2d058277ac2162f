import { t } from "@vscode/l10n";
import type { Prediction } from "../matching/predict.ts";
import type { CompilerInput } from "../sources/standardJsonInput.ts";
import { pathInBrief, withShortIds } from "../text/inBrief.ts";
import { foreign, foreignSentence, type ShownText } from "../text/shownText.ts";

/**
 * So many characters of a sentence fit below a line of a review in a window of 1,280 × 800. There the editor gives a line
 * 575 pixels, and a character takes up to 7 on average in DejaVu Sans, the widest of the fonts that are usual, at 13 pixels.
 */
export const DETAIL_CHARACTERS = 82;

/** The same of what may hold a path, whose characters are wider. */
const PATH_DETAIL_CHARACTERS = 76;

/** The same of the label of the first line of a part, beside the name of which 485 pixels are left, and 20 less for the icon. */
export const LABEL_CHARACTERS = 66;

/** The same of where the input was read from, behind "Files" in the first line of a part: 450 pixels in smaller print, 5.8 each. */
export const SOURCE_CHARACTERS = 76;

/** Why a result is expected, where it fits below a line: the sentence itself, and in brief where that is too long. */
export function expectationDetail({
  reasons: [reason],
  brief,
}: Pick<Prediction, "reasons" | "brief">): ShownText | undefined {
  if (reason === undefined) return undefined;
  const sentence = foreignSentence(firstSentence(reason));
  if (fits(sentence)) return sentence;
  const short = brief === undefined ? undefined : foreignSentence(withShortIds(brief));
  return short !== undefined && fits(short) ? short : foreign(t`Select this line to read why.`);
}

/**
 * A sentence of any length as a row of a review: what its label has no room for goes on below. Few are longer than both, and
 * these end with `…`.
 */
export function sentenceRow(sentence: string): { readonly label: ShownText; readonly detail?: ShownText } {
  const text = foreignSentence(withShortIds(sentence));
  if (text.length <= LABEL_CHARACTERS) return { label: text };
  const end = endOfWords(text, LABEL_CHARACTERS);
  const rest = text.slice(end).trim();
  const more =
    rest.length <= PATH_DETAIL_CHARACTERS ? rest.length : endOfWords(rest, PATH_DETAIL_CHARACTERS - 1);
  return {
    label: foreign(text.slice(0, end)),
    detail: foreign(`${rest.slice(0, more)}${more < rest.length ? "…" : ""}`),
  };
}

/** Where the last whole word ends; a word that is longer than all there is room for is divided. */
function endOfWords(text: string, characters: number): number {
  const space = text.lastIndexOf(" ", characters);
  return space > 0 ? space : characters;
}

/**
 * Where an input was read from, in a line.
 *
 * @param record the path of the record of the build, as it is shown; `undefined` where there is none
 */
export function sourceInBrief(source: CompilerInput["source"], record: string | undefined): string {
  const words = (file: string) => {
    switch (source) {
      case "build-info":
        return file === "" ? t`the build on disk` : t`the build in${file}`;
      case "metadata":
        return t`the metadata in${file || t` the artifact`}, every file checked`;
      case "derived":
        return t`the project's configuration and the imports`;
    }
  };
  if (record === undefined) return words("");
  return words(` ${pathInBrief(record, SOURCE_CHARACTERS - words(" ").length)}`);
}

function fits(text: string): boolean {
  return text.length <= DETAIL_CHARACTERS;
}

/** A line holds one sentence; all of it is behind the line. */
function firstSentence(text: string): string {
  return /^.*?\.(?=\s)/.exec(text)?.[0] ?? text;
}
