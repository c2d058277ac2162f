import { t } from "@vscode/l10n";
import { Misfit, type Shape } from "../../json/shape.ts";
import { integerText } from "../../text/exactDecimal.ts";

/** A text that says something; the ledger's numbers as texts, since servers differ in which of them they quote. */
export const said: Shape<string> = (value) => {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" ? String(value) : new Misfit(() => t`a text`);
};

/** The exact decimal digits of an integer, however it is written. */
export const integer: Shape<string> = (value) => integerText(value) ?? new Misfit(() => t`an integer`);
