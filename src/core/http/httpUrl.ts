/**
 * An http or https address as the URL standard reads it; `undefined` for any other text. Blanks around it are left out,
 * while one with blanks in it is none: the standard would encode a space and drop a tab without a word.
 */
export function httpUrl(address: string): URL | undefined {
  const trimmed = address.trim();
  const url = /\s/.test(trimmed) ? undefined : URL.parse(trimmed);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}
