const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/**
 * The text of a string literal with its quotes, as it is in the code: `\xNN` gives a byte, `\uNNNN` a character, and an
 * escaped line break vanishes (docs/grammar/SolidityLexer.g4, `EscapeSequence`).
 *
 * @returns `undefined` for one of bytes that are no text, and for one that is not closed
 */
export function solidityText(literal: string): string | undefined {
  const [, prefix, double, single] = /^(hex|unicode)?(?:"([^]*)"|'([^]*)')$/.exec(literal) ?? [];
  const body = double ?? single;
  if (body === undefined) return undefined;
  if (prefix === "hex") return decoded(Buffer.from(body.replaceAll("_", ""), "hex"));
  if (!body.includes("\\")) return body;
  const bytes: Buffer[] = [];
  for (const [part] of body.matchAll(/\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\\r\n|\\[^]|[^\\]+/g)) {
    if (part.startsWith("\\x")) bytes.push(Buffer.from(part.slice(2), "hex"));
    else if (part.startsWith("\\u"))
      bytes.push(Buffer.from(String.fromCharCode(parseInt(part.slice(2), 16))));
    else if (/^\\[\r\n]/.test(part)) continue;
    else if (part.startsWith("\\")) bytes.push(Buffer.from(ESCAPES.get(part.slice(1)) ?? part.slice(1)));
    else bytes.push(Buffer.from(part));
  }
  return decoded(Buffer.concat(bytes));
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
