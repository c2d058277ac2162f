import { t } from "@vscode/l10n";
import type { LabelledText } from "../text/labelledText.ts";
import { groupDigits } from "../text/exactDecimal.ts";
import { foreign, foreignLine, shown } from "../text/shownText.ts";
import { abiDecoder } from "./abiDecoding.ts";

/**
 * The arguments that a constructor was given, a line each: decoded where its parameters are known and the data is what
 * they say, else the data as it is.
 *
 * @param data 0x-prefixed; what stands behind the creation code
 * @param inputs the constructor's parameters as its JSON ABI has them
 */
export function constructorArguments(data: string, inputs: readonly unknown[] = []): LabelledText[] {
  if (!/^0x(?:[\da-f]{2})+$/i.test(data)) return [];
  // A constructor has no results: what it was given is laid out as what a function returns.
  const item = { type: "function", name: "constructor", inputs: [], outputs: inputs };
  const values = inputs.length > 0 ? abiDecoder().decodeResult(item, data) : undefined;
  if (!values) return [{ label: shown`Data`, value: foreign(data), whole: foreignLine(data) }];
  return values.map(({ name, type, text }, at) => ({
    label: foreign(name ?? t`argument ${at + 1}`),
    value: foreign(/^u?int\d*$/.test(type) ? groupDigits(text) : text),
    whole: foreignLine(`${type} ${name ?? ""} = ${text}`),
  }));
}
