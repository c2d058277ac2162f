import { t } from "@vscode/l10n";
import { visibleJson } from "../../json/jsonText.ts";
import { isObject } from "../../json/shape.ts";
import type { LedgerRow } from "../../rows/ledgerRow.ts";
import { asOfText, tokenRow, tokenTitle } from "./tokenRows.ts";
import type { Token } from "./token.ts";

/**
 * A token as text for the diff editor: the facts as the view shows them, uncut, then every field of the record as
 * it came, sorted. Two states of one token differ in the lines that changed and in no other.
 */
export function tokenDocument(token: Token): string {
  const facts = (tokenRow(token).children ?? []).flatMap((row) => factLines(row, 0));
  return [
    t`${tokenTitle(token)} on ${token.network.name}`,
    token.asOf === undefined ? t`now` : asOfText(token.asOf),
    "",
    ...facts,
    "",
    t`Record`,
    ...recordLines(token.record, 1),
    "",
  ].join("\n");
}

function factLines(row: LedgerRow, level: number): string[] {
  const said = row.fullDescription ?? row.description;
  return [
    `${"  ".repeat(level)}${row.label}${said ? `: ${said}` : ""}`,
    ...(row.children ?? []).flatMap((child) => factLines(child, level + 1)),
  ];
}

function recordLines(value: unknown, level: number): string[] {
  const indent = "  ".repeat(Math.min(level, 32));
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((one, at) => [String(at + 1), one])
    : isObject(value)
      ? Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
      : [];
  return entries.flatMap(([name, one]) =>
    typeof one === "object" && one !== null && level < 32
      ? [`${indent}${visibleJson(name)}`, ...recordLines(one, level + 1)]
      : [`${indent}${visibleJson(name)}: ${visibleJson(one)}`],
  );
}
