import { parse, type ParserOptions } from "@babel/parser";
import type { Program } from "@babel/types";

/** In UTF-16 units, for a script and all that it imports; a person writes a tenth of this. */
export const MAX_SCRIPT_CHARACTERS = 128 * 1024;

/** How often the parser may look at characters: once for each and a few times more is what an honest script takes. */
const MAX_LOOKS_PER_CHARACTER = 4;
const MIN_LOOKS = 50_000;

const OPTIONS: ParserOptions = {
  sourceType: "unambiguous",
  allowReturnOutsideFunction: true,
  plugins: ["typescript"],
};

/** A script that was parsed, or the line at which it can't be. */
type ParsedScript = { readonly program: Program } | { readonly line: number };

/** Parses JavaScript or TypeScript. Never throws: for what is too long, too deep or ambiguous too often the line is 1. */
export function parseScript(text: string): ParsedScript {
  if (text.length > MAX_SCRIPT_CHARACTERS) return { line: 1 };
  try {
    return { program: parse(new CountedText(text) as unknown as string, OPTIONS).program };
  } catch (error) {
    if (error instanceof SyntaxError)
      return { line: (error as { readonly loc?: { readonly line: number } }).loc?.line ?? 1 };
    // Brackets in brackets until the stack is full.
    if (error instanceof RangeError || error instanceof TooManyLooks) return { line: 1 };
    throw error;
  }
}

class TooManyLooks extends Error {}

/**
 * Counts how often the parser asks for a character. What may be an arrow function or a call with type arguments it tries
 * in one way and then in another, and each within the other: without an end to it, `f<a>(` written thirty times takes
 * hours.
 */
class CountedText extends String {
  #looks: number;

  constructor(text: string) {
    super(text);
    this.#looks = MIN_LOOKS + MAX_LOOKS_PER_CHARACTER * text.length;
  }

  override charCodeAt(index: number): number {
    if (--this.#looks < 0) throw new TooManyLooks();
    return super.charCodeAt(index);
  }
}
