import type { ValuePart } from "../../evm/abiDecoding.ts";
import { groupDigits } from "../../text/exactDecimal.ts";
import { withShortIds } from "../../text/inBrief.ts";
import { addressText, type WordForm } from "./addressText.ts";
import type { NamedValue } from "./tokenAmounts.ts";
import { counted } from "../../text/counted.ts";

const INTEGER = /^u?int\d*$/;

/** "from: 0.0.1001, amount: 10.0 SMC" */
export function valuesText(values: readonly NamedValue[], form: WordForm): string {
  return values
    .map((value) => {
      const words = valueWords(value, form);
      return value.name === undefined ? words : `${value.name}: ${words}`;
    })
    .join(", ");
}

/** A value as a row says it, or as a copy and a tooltip do, which have a number behind what it means. */
export function valueWords(value: NamedValue, form: WordForm): string {
  const { meaning, amount } = value;
  if (form === "short") return meaning ?? amount ?? plainWords(value, form);
  const plain = plainWords(value, form);
  if (meaning !== undefined) return INTEGER.test(value.type) ? `${meaning} (${plain})` : meaning;
  return amount === undefined ? plain : `${amount} (${counted(value.text, "smallest unit")})`;
}

function plainWords({ type, text, parts, calls }: NamedValue, form: WordForm): string {
  if (INTEGER.test(type)) return groupDigits(text);
  const plain = form === "short" ? withShortIds : (one: string) => one;
  const own: readonly ValuePart[] = type === "address" || type === "bytes" ? [{ type, at: 0, text }] : [];
  let [words, end] = ["", 0];
  for (const part of parts ?? own) {
    const call = calls?.get(part.at);
    words += plain(text.slice(end, part.at));
    words += call ? `${call.name}(${valuesText(call.values, form)})` : partWords(part, form);
    end = part.at + part.text.length;
  }
  return words + plain(text.slice(end));
}

/** A part of a list or a struct. A copy has its integers without commas: a program takes a list apart at its commas. */
function partWords({ type, text }: ValuePart, form: WordForm): string {
  if (type === "address") return addressText(text, form);
  if (form === "whole") return text;
  return type === "integer" ? groupDigits(text) : withShortIds(text);
}
