import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../errors.ts";

/** Which actions of a transaction to fetch. */
export interface ActionQuery {
  /** A number, with `eq:`, `ne:`, `gt:`, `gte:`, `lt:` or `lte:` before it if wanted. */
  readonly index?: string | number;
  /** Per page, 1 to 100. Default 100. */
  readonly limit?: number;
  readonly order?: "asc" | "desc";
}

/**
 * The query string, with `?`.
 *
 * @throws LedgerLensError `invalid_parameter` before anything is sent
 */
export function actionQueryString({ index, limit = 100, order }: ActionQuery): string {
  const parameters = new URLSearchParams({ limit: checkLimit(limit) });
  if (index !== undefined) parameters.set("index", checkIndex(index));
  if (order !== undefined) parameters.set("order", checkOrder(order));
  return `?${parameters.toString().replaceAll("%3A", ":")}`;
}

/** @throws LedgerLensError `invalid_parameter` */
export function checkLimit(limit: unknown): string {
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 1 && limit <= 100)
    return String(limit);
  throw new LedgerLensError(
    "invalid_parameter",
    t`The limit can't be used: give a whole number from 1 to 100.`,
  );
}

/** @throws LedgerLensError `invalid_parameter` */
export function checkOrder(order: unknown): string {
  if (order === "asc" || order === "desc") return order;
  throw new LedgerLensError("invalid_parameter", t`The order can\'t be used: give "asc" or "desc".`);
}

function checkIndex(index: unknown): string {
  const text = typeof index === "number" ? String(index) : index;
  if (typeof text === "string" && /^(?:(?:gte?|lte?|eq|ne):)?\d{1,10}$/.test(text)) return text;
  throw new LedgerLensError(
    "invalid_parameter",
    t`The index can't be used: give a number of up to 10 digits, with gt:, gte:, lt:, lte:, eq: or ne: before it if wanted.`,
  );
}
