import { chainIdOf } from "../core/chainId.ts";
import { t } from "@vscode/l10n";
import type { Uri } from "vscode";
import { LedgerLensError } from "../core/errors.ts";

/** Something of the ledger that a link names. */
export interface LedgerLink {
  readonly kind: "transaction" | "token" | "schedule" | "address";
  /** An identifier in any form, as it came. */
  readonly id: string;
  /** Of a public network, or the name of an own one, as it came: it is read by those that there are. */
  readonly network?: string;
  /** Of the network, in decimal digits. */
  readonly chainId?: string;
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
 * `token`, `schedule`, `address` and `job` in the place of `transaction`, and `chainId` in that of `network`. Any page can hold
 * one: it names what to show, and neither a server nor a command.
 *
 * @throws LedgerLensError `invalid_link`
 */
export function readUriLink({ path, query }: Pick<Uri, "path" | "query">): LedgerLink | JobLink {
  const kind = path.replace(/^\/|\/$/g, "");
  // The editor has decoded the whole query (URI.parse of its vs/base/common/uri.ts): any sign may be one of a value, such as a
  // plus sign of a hash in base64 or `&` of a network's name, and only what we read ourselves begins another value.
  const written = query.split(/(?:^|&)(id|network|chainId)=/).slice(1);
  const valuesOf = (name: string) =>
    written.flatMap((one, at) => (at % 2 === 0 && one === name ? [written[at + 1]?.trim() ?? ""] : []));
  const [ids, networks, chainIds] = [valuesOf("id"), valuesOf("network"), valuesOf("chainId")];
  // No id has such a sign: what comes behind it is something that we do not read.
  const alone = (value: string | undefined) => value?.replace(/&.*/s, "").trim();
  const id = alone(ids[0]) ?? "";
  const [network] = networks;
  const chainId = chainIdOf(alone(chainIds[0]) ?? "");
  // Of two values it is unknown which one is meant.
  const isOnce = [ids, networks, chainIds].every(({ length }) => length <= 1);
  const isClear = isOnce && (chainIds.length === 0 || chainId !== undefined);
  const isId = isClear && id !== "" && id.length <= MAX_ID && !id.includes("://");
  const ofLedger = LEDGER_KINDS.find((one) => one === kind);
  if (isId && kind === "job") return { kind: "job", id };
  if (isId && ofLedger)
    return {
      kind: ofLedger,
      id,
      ...(network && { network }),
      ...(chainId !== undefined && { chainId }),
    };
  throw new LedgerLensError(
    "invalid_link",
    t`This link names nothing that Ledger Lens can open. It should look like vscode://ledger-lens.ledger-lens/transaction?id=… or have token, schedule, address or job in the place of transaction.`,
  );
}
