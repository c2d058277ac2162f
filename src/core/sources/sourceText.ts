import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";

const DECODER = new TextDecoder("utf-8", { fatal: true });

/** The texts of bytes that are still there: nothing that is open is written to. */
const decoded = new WeakMap<Uint8Array, string>();

/**
 * A source as text, its bytes untouched: line endings stay, and the text encodes to the same bytes again.
 * Only a byte-order mark goes, which no deployed source can have contained (solc rejects it).
 *
 * @throws LedgerLensError `source_not_utf8` when the bytes are no UTF-8, which JSON could not carry unchanged.
 */
export function decodeSource(path: string, bytes: Uint8Array): string {
  const known = decoded.get(bytes);
  if (known !== undefined) return known;
  try {
    const text = DECODER.decode(bytes);
    decoded.set(bytes, text);
    return text;
  } catch (cause) {
    throw new LedgerLensError(
      "source_not_utf8",
      t`${path} is not valid UTF-8, so it can't be submitted unchanged. Save it as UTF-8.`,
      {
        cause,
      },
    );
  }
}

/** True when the bytes begin with a UTF-8 byte-order mark, which {@link decodeSource} drops. */
export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/**
 * A source without what editors and git change by themselves, to be compared: a byte-order mark, and line endings, also how
 * many there are behind the last line.
 */
export function plainSource(text: string): string {
  return text
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/(?<!\n)\n+$/, "");
}

/** How a text became another one; `undefined` where they are the same. */
export function changeBetween(before: string, after: string): "edited" | "line endings" | undefined {
  if (before === after) return undefined;
  return plainSource(before) === plainSource(after) ? "line endings" : "edited";
}
