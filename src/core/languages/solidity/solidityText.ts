const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/**
 * The text of a string literal with its quotes, as it is in the code (docs/grammar/SolidityLexer.g4); `undefined` for one of
 * bytes that are no text.
 */
export function solidityText(literal: string): string | undefined {
  const [, prefix = "", body] = /^(hex|unicode)?["']([^]*)["']$/.exec(literal) ?? [];
  if (body === undefined) return undefined;
  if (prefix === "hex") return decoded(Buffer.from(body.replaceAll("_", ""), "hex"));
  const bytes: Buffer[] = [];
  for (const [part] of body.matchAll(/\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[^]|[^\\]+/g)) {
    if (part.startsWith("\\x")) bytes.push(Buffer.from(part.slice(2), "hex"));
    else if (part.startsWith("\\u"))
      bytes.push(Buffer.from(String.fromCharCode(parseInt(part.slice(2), 16))));
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
