import { t } from "@vscode/l10n";
import { groupDigits, scaleDown } from "./exactDecimal.ts";
import { foreign } from "./shownText.ts";

/** An integer with group separators. */
export function grouped(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

/** "1 byte", "4,812 bytes"; digits count exactly, however many they are: "-1 smallest unit". */
export function counted(count: number | string, noun: string): string {
  const words = typeof count === "number" ? grouped(count) : groupDigits(count);
  return t(`{0} ${/^\D?1$/.test(words) ? noun : plural(noun)}`, words);
}

/** An amount in smallest units for a person: `"5,432,109.876543"`, or the raw amount and its unit. */
export function amountText(amount: string, decimals: number | undefined): string {
  return decimals === undefined ? counted(amount, "smallest unit") : groupDigits(scaleDown(amount, decimals));
}

/** As English has it of the nouns here. */
function plural(noun: string): string {
  return noun.endsWith("s") ? `${noun}es` : `${noun}s`;
}

/** "29.2 kB". */
export function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toLocaleString("en-US", { maximumFractionDigits: 1 })} kB`;
}

/** "8.9 MB". */
export function megabytes(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
}

/**
 * The first few of some texts, and how many more.
 *
 * @param count of all, where not all are given
 */
export function firstFew(texts: readonly string[], limit: number, count = texts.length): string {
  const more = count - limit;
  const first = texts.slice(0, limit).join(", ");
  return more > 0 ? t`${first} and ${grouped(more)} more` : first;
}

/** Names in a sentence, made visible: the first few, and how many more. */
export function listed(names: readonly string[], limit = 3): string {
  // There may be thousands.
  const shown = names.slice(0, limit).map((text) => foreign(text));
  const last = shown.at(-1);
  return names.length > limit || shown.length < 2 || last === undefined
    ? firstFew(shown, limit, names.length)
    : t`${shown.slice(0, -1).join(", ")} and ${last}`;
}
