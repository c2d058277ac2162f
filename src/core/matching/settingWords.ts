import { t } from "@vscode/l10n";
import { asRecord } from "../json/looseData.ts";
import { counted, grouped } from "../text/counted.ts";
import { foreign, shown, type ShownText } from "../text/shownText.ts";

/** What a compiler setting is, behind its name: "on", "ipfs", "none", "bytecodeHash ipfs, useLiteralContent on". */
export function settingValueInWords(value: unknown): string {
  if (typeof value === "boolean") return value ? t`on` : t`off`;
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.length === 0 ? t`none` : value.map(settingValueInWords).join(", ");
  if (typeof value !== "object" || value === null)
    return value === undefined ? t`none` : JSON.stringify(value);
  const parts = Object.entries(value).map(([name, member]) => `${name} ${settingValueInWords(member)}`);
  return parts.length === 0 ? t`none` : parts.join(", ");
}

/** What the optimizer of settings is, behind its name: "on, 200 runs", "off", "on, 200 runs, with details". */
export function optimizerInWords(optimizer: unknown): string {
  const { isOn, runs, hasDetails } = optimizerParts(optimizer);
  const words = !isOn ? t`off` : runs === undefined ? t`on` : t`on, ${counted(runs, "run")}`;
  return hasDetails ? t`${words}, with details` : words;
}

/** A compiler setting in a row of others: "optimizer on, 200 runs", "EVM version paris", "IR pipeline on", else its name. */
export function settingInWords(name: string, value: unknown): ShownText {
  switch (name) {
    case "optimizer": {
      const { isOn, runs, hasDetails } = optimizerParts(value);
      const words = !isOn
        ? shown`optimizer off`
        : runs === undefined
          ? shown`optimizer on`
          : shown`optimizer on, ${counted(runs, "run")}`;
      return hasDetails ? shown`${words}, with details` : words;
    }
    case "evmVersion":
      return typeof value === "string" ? shown`EVM version ${value}` : shown`the compiler's own EVM version`;
    case "viaIR":
      return value === true ? shown`IR pipeline on` : shown`IR pipeline off`;
    default:
      return foreign(name);
  }
}

/** An optimizer of which parts are switched is on unless it says otherwise. */
function optimizerParts(optimizer: unknown) {
  const { enabled, runs, details } = asRecord(optimizer) ?? {};
  const hasDetails = details !== undefined && details !== null;
  return {
    isOn: enabled === true || (enabled === undefined && hasDetails),
    runs: typeof runs === "number" ? grouped(runs) : undefined,
    hasDetails,
  };
}
