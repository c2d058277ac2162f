import type { Random } from "../../unit/random.ts";
import { INHERITED_NAMES } from "./prototypes.ts";
import { UNITS } from "./shapes.ts";

const LONGEST_WINDOW = 200;

/** A text made of a whole example, or of a part of one, with a few changes; whole now and then, so that more is reached. */
export function mutatedText({ below }: Random, examples: readonly string[]): string {
  const example = () => examples[below(examples.length)] ?? "";
  const unit = () => UNITS[below(UNITS.length)] ?? "";
  let text = example();
  if (text.length > LONGEST_WINDOW && below(2) > 0) {
    const from = below(text.length - LONGEST_WINDOW);
    text = text.slice(from, from + LONGEST_WINDOW);
  }
  for (let change = [0, 0, 1, 3][below(4)] ?? 0; change >= 0; change--) {
    const at = below(text.length + 1);
    const end = Math.min(text.length, at + below(12));
    const [before, part, after] = [text.slice(0, at), text.slice(at, end), text.slice(end)];
    const changed = [
      () => before + unit() + part + after,
      () => before + after,
      // A name that every object inherits in the place of a word, a key among them.
      () =>
        before + text.slice(at).replace(/[\w$]+/, () => INHERITED_NAMES[below(INHERITED_NAMES.length)] ?? ""),
      () => before + part + part + after,
      () => before + unit().repeat(1 + below(4)) + after,
      () => before + String.fromCharCode(below(below(2) === 0 ? 128 : 65_536)) + after,
      () => before + example().slice(below(40), 40 + below(40)) + after,
    ];
    text = changed[below(changed.length)]?.() ?? text;
  }
  return text;
}

/** Bytes of an example with a few changes. */
export function mutatedBytes({ below }: Random, examples: readonly Uint8Array[]): Uint8Array {
  const example = () => Buffer.from(examples[below(examples.length)] ?? []);
  let bytes = example();
  for (let change = [0, 0, 1, 3][below(4)] ?? 0; change >= 0; change--) {
    const at = below(bytes.length + 1);
    const end = Math.min(bytes.length, at + below(12));
    const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
    const noise = Buffer.from(
      Array.from({ length: 1 + below(4) }, () => [0, 1, 0x7f, 0x80, 0xff, below(256)][below(6)] ?? 0),
    );
    const changed = [
      [before, noise, after],
      [before, noise, part, after],
      [before, after],
      [before, part, part, after],
      [before, example().subarray(below(40), 40 + below(40)), after],
    ];
    bytes = Buffer.concat(changed[below(changed.length)] ?? []);
  }
  return bytes;
}
