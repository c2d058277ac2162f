import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../core/errors.ts";
import { ownValue } from "../../core/json/ownValue.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** The argument by which a program agrees to what a person would be shown first. */
export const CONFIRMATION = "confirmPublish: true";

/** Whether a program agreed itself, and not by something that its object inherits. */
export function confirmsPublishing(args: Arguments): boolean {
  return ownValue(args, "confirmPublish") === true;
}

/** The codes of findings that a program knows of and lets go all the same. */
export function confirmedFindings(args: Arguments): readonly string[] {
  const value = ownValue(args, "confirmFindings") ?? [];
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  throw new LedgerLensError(
    "invalid_argument",
    t`The argument confirmFindings must be a list of codes, such as ["possible_secret"]. Correct it and call the command again.`,
  );
}

/** An optional text of an argument object. */
export function optionalText(args: Arguments, name: string): string | undefined {
  const value = ownValue(args, name);
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  throw new LedgerLensError(
    "invalid_argument",
    t`The argument ${name} must be a text. Correct it and call the command again.`,
  );
}

/** An optional text or number of an argument object, such as a chain id. */
export function optionalTextOrNumber(args: Arguments, name: string): string | undefined {
  const value = ownValue(args, name);
  return typeof value === "number" ? String(value) : optionalText(args, name);
}

/** An optional number of an argument object. */
export function optionalNumber(args: Arguments, name: string): number | undefined {
  const value = ownValue(args, name);
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && value >= 0) return value;
  throw new LedgerLensError(
    "invalid_argument",
    t`The argument ${name} must be a number. Correct it and call the command again.`,
  );
}
