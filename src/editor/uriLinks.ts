import { t } from "@vscode/l10n";
import type { Uri } from "vscode";
import { LedgerLensError } from "../core/errors.ts";

/** Something of the ledger that a link names. */
export interface LedgerLink {
  readonly kind: "transaction" | "token" | "schedule" | "address";
  /** An identifier in any form, as it came. */
  readonly id: string;
  /** Of a public network, or the name of an own one; the chosen one where it is missing. */
  readonly network?: string;
}

/** A verification job that a link names. */
export interface JobLink {
  readonly kind: "job";
  /** The service's verification id, as it came. */
  readonly id: string;
}

const LEDGER_KINDS = ["transaction", "token", "schedule", "address"] as const;
/** Nothing that is named is longer. */
const MAX_ID = 200;

/**
 * Reads a link that the editor hands over: `vscode://ledger-lens.ledger-lens/transaction?id=0.0.5-1-2&network=testnet`, with
 * `token`, `schedule`, `address` and `job` in the place of `transaction`. Anybody can write one: it names what to show, and
 * neither a server nor a command.
 *
 * @throws LedgerLensError `invalid_link`
 */
export function readUriLink({ path, query }: Pick<Uri, "path" | "query">): LedgerLink | JobLink {
  const kind = path.replace(/^\/|\/$/g, "");
  // The editor has decoded the query: a plus sign is one of a hash in base64, and no blank.
  const asked = new URLSearchParams(query.replaceAll("%", "%25").replaceAll("+", "%2B"));
  const id = asked.get("id")?.trim() ?? "";
  const network = asked.get("network")?.trim();
  // Of two values nobody can say which one is meant.
  const isClear = ["id", "network"].every((name) => asked.getAll(name).length <= 1);
  const isId = isClear && id !== "" && id.length <= MAX_ID && !id.includes("://");
  const ofLedger = LEDGER_KINDS.find((one) => one === kind);
  if (isId && kind === "job") return { kind: "job", id };
  if (isId && ofLedger) return { kind: ofLedger, id, ...(network && { network }) };
  throw new LedgerLensError(
    "invalid_link",
    t`This link names nothing that Ledger Lens can open. It should look like vscode://ledger-lens.ledger-lens/transaction?id=… or have token, schedule, address or job in the place of transaction.`,
  );
}
