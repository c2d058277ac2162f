// The manifest as the editor shows it: with the English texts of package.nls.json in the place of their keys.
import { readFileSync } from "node:fs";

/** package.json of the extension, with its texts. */
export function readManifest() {
  const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
  return withTexts(read("package.json"), read("package.nls.json"));
}

/** The same value with the text of each `%key%`; a key without a text stays as it is, as the editor leaves it. */
export function withTexts(value, texts) {
  if (Array.isArray(value)) return value.map((one) => withTexts(one, texts));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTexts(one, texts)]));
  const key = typeof value === "string" ? /^%([\w.-]+)%$/.exec(value)?.[1] : undefined;
  return key !== undefined && Object.hasOwn(texts, key) ? texts[key] : value;
}
