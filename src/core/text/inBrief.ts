import { shortAddress } from "./shownText.ts";

/** Hex of the lengths that addresses, keys and hashes have, and the ids of builds and jobs; digits alone are a number. */
const LONG_ID =
  /(?<!\w)(?:(?:0x|(?=\d*[a-f]))(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{66}|[0-9a-f]{96})|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?!\w)/gi;

/** A text with its long ids shortened in the middle: where space is short, one that is cut at its end looks like any other. */
export function withShortIds(text: string): string {
  return text.replace(LONG_ID, shortAddress);
}

/**
 * A path that fits a line: ids are shortened, and where that does not do, folders in the middle are left out, and then the
 * middle of the file's name.
 *
 * @param characters 10 or more
 */
export function pathInBrief(path: string, characters: number): string {
  const short = withShortIds(path);
  if (short.length <= characters) return short;
  const segments = short.split("/");
  for (let left = 2; left < segments.length; left++) {
    const shorter = [segments[0], "…", ...segments.slice(left)].join("/");
    if (shorter.length <= characters) return shorter;
  }
  const name = Array.from(`…/${segments.at(-1) ?? ""}`);
  if (name.length <= characters) return name.join("");
  const kept = characters - 1;
  return `${name.slice(0, Math.ceil(kept / 2)).join("")}…${name.slice(-Math.floor(kept / 2)).join("")}`;
}

/** A longer name would leave the words behind it no place in a sidebar of the usual width. */
const NAME_CHARACTERS = 20;
const [NAME_HEAD, NAME_TAIL] = [9, 8];

/** A name as the label of a row: a long one is shortened in the middle, since names differ at their ends ("VaultV2"). */
export function nameInBrief(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= NAME_CHARACTERS) return name;
  return `${characters.slice(0, NAME_HEAD).join("")}…${characters.slice(-NAME_TAIL).join("")}`;
}
