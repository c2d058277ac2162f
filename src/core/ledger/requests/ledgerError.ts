import { t } from "@vscode/l10n";
import { ifReadable, listOf, mapped, object, readAs } from "../../json/shape.ts";
import { LedgerLensError, type HeaderKey, type Remedy } from "../../errors.ts";
import { askAgainAdvice } from "../../http/rateLimits.ts";
import { keyAdvice, keyReason, refusesKey } from "../../http/refusedKey.ts";
import { wordsBesideJson } from "../../json/wordsBesideJson.ts";
import { foreign } from "../../text/shownText.ts";
import { said } from "./ledgerShapes.ts";
import type { LedgerNetwork } from "../references/network.ts";

/** What the ledger may say instead of an answer, as the stable `code` of a {@link LedgerError}. */
type LedgerErrorCode =
  | "not_found"
  | "invalid_parameter"
  | "rate_limited"
  | "unavailable"
  | "forbidden"
  | "server_error"
  | "not_json"
  | "wrong_shape"
  | "wrong_answer"
  | "foreign_link"
  | "repeated_page"
  | "too_large";

/** The ledger gave no usable answer. */
export class LedgerError extends LedgerLensError {
  declare readonly code: LedgerErrorCode;
  /** The status that came, if one came. */
  readonly status: number | undefined;

  constructor(
    code: LedgerErrorCode,
    message: string,
    options: {
      detail?: string;
      cause?: unknown;
      status?: number;
      key?: HeaderKey | undefined;
      remedy?: Remedy;
    } = {},
  ) {
    super(code, message, options);
    this.status = options.status;
  }
}

/** A transaction that was waited for and is not there, which may still come: a moment later it may be asked for again. */
export class NotImportedYet extends LedgerError {
  constructor(transaction: string, network: LedgerNetwork, cause: LedgerLensError) {
    super(
      "not_found",
      t`Transaction ${transaction} is not on the mirror node of ${network.name}. Check it, and whether it belongs to another network; if it was just sent, try again in a moment.`,
      { status: 404, cause, remedy: { mayPass: true } },
    );
  }
}

/** What is known of a refused request beside the answer. */
interface RefusalContext {
  /** Whether a key went along with the request. */
  readonly hadKey?: boolean | undefined;
  /** How long the ledger asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * The sentence for a status that is no success.
 *
 * @param what was asked for, as a sentence continues: "token 0.0.5"
 */
export function statusError(
  status: number,
  body: unknown,
  what: string,
  network: LedgerNetwork,
  { hadKey = false, retryAfterMs }: RefusalContext = {},
): LedgerError {
  // One for each bad parameter (hiero-mirror-node, httpErrorHandler.js).
  const said = readAs(errorBody, body)?._status.messages ?? [];
  const key = refusesKey(status) ? keyOf(network) : undefined;
  const advice = keyAdvice(key, "ledgerLens.ledgerUrl");
  const options = { status, detail: said.map(({ raw }) => raw).join("; "), key };
  switch (status) {
    case 400:
      return new LedgerError(
        "invalid_parameter",
        t`${network.name} can't look up ${what}: ${said.flatMap(({ plain }) => plain || []).join("; ") || t`it does not accept the request`}. Correct it and try again.`,
        options,
      );
    case 401:
    case 403:
      return new LedgerError(
        "forbidden",
        t`${network.name} refuses to show ${what}: ${keyReason(status, hadKey)} (status ${status}). ${advice}.`,
        options,
      );
    case 404:
      return new LedgerError(
        "not_found",
        t`${network.name} does not have ${what}. Check the id, and whether it belongs to another network.`,
        options,
      );
    case 429:
      return new LedgerError(
        "rate_limited",
        t`${network.name} had too many requests and did not show ${what}. ${askAgainAdvice(retryAfterMs)}`,
        options,
      );
    case 502:
    case 503:
    case 504:
      return new LedgerError(
        "unavailable",
        t`${network.name} is overloaded or its database is slow, so it did not show ${what} (status ${status}). Try again in a minute.`,
        options,
      );
    default:
      return new LedgerError(
        "server_error",
        t`${network.name} answered with status ${status} when asked for ${what}. Try again later.`,
        options,
      );
  }
}

/** The key that a network wants in a header. */
function keyOf({ ledgerUrl, keyHeader: headerName }: LedgerNetwork): HeaderKey | undefined {
  return headerName === undefined ? undefined : { origin: new URL(ledgerUrl).origin, headerName };
}

/** An error whose body is not JSON, mostly an HTML page of a gateway; its status says more than its text. */
export function pageError(
  { status, ...context }: RefusalContext & { readonly status: number | undefined },
  what: string,
  network: LedgerNetwork,
  cause: unknown,
): LedgerError {
  if (status !== undefined && status >= 300) {
    const { code, message, key } = statusError(status, undefined, what, network, context);
    return new LedgerError(code, message, { status, cause, key, detail: t`The body was not JSON.` });
  }
  return new LedgerError(
    "not_json",
    t`${network.name} answered with something else than JSON when asked for ${what}. Check the setting ledgerLens.ledgerUrl.`,
    { cause, ...(status !== undefined && { status }) },
  );
}

/** The body is JSON, but not what was asked for. */
export function shapeError(what: string, network: LedgerNetwork, expectation: string): LedgerError {
  return new LedgerError(
    "wrong_shape",
    t`${network.name} answered with ${what} in a form that Ledger Lens does not know (${expectation}). Check the setting ledgerLens.ledgerUrl.`,
  );
}

/** The body is about something else than what was asked for. */
export function wrongSubject(what: string, network: LedgerNetwork, answered: string): LedgerError {
  return new LedgerError(
    "wrong_answer",
    t`${network.name} answered about ${foreign(answered)} where ${what} was asked, so its answer is not used. Check the setting ledgerLens.ledgerUrl, then try again.`,
  );
}

const errorBody = object({
  _status: object({
    messages: listOf(
      mapped(
        object({ message: ifReadable(said), detail: ifReadable(said) }),
        ({ message = t`no reason given`, detail }) => ({
          plain: inPlainWords(message),
          raw: foreign(detail === undefined ? message : `${message}: ${detail}`),
        }),
      ),
      10,
    ),
  }),
});

/** What the parameters are called by people. */
const PARAMETERS: ReadonlyMap<string, string> = new Map([
  ["tokenid", t`the token id is not valid`],
  ["scheduleid", t`the schedule id is not valid`],
  ["schedule.id", t`the schedule id is not valid`],
  ["account.id", t`the account id is not valid`],
  ["timestamp", t`the timestamp or its operator is not valid`],
  ["index", t`the index or its operator is not valid`],
  ["order", t`the order must be asc or desc`],
  ["limit", t`the limit must be a number from 1 to 100`],
]);

function inPlainWords(came: string): string {
  const message = wordsBesideJson(came);
  const parameter = /^Invalid parameter: (.+)$/.exec(message)?.[1];
  if (parameter !== undefined) {
    return PARAMETERS.get(parameter.toLowerCase()) ?? t`its parameter "${foreign(parameter)}" is not valid`;
  }
  const unknown = /^Unknown query parameter: (.+)$/.exec(message)?.[1];
  if (unknown !== undefined) return t`it does not know the parameter "${foreign(unknown)}" here`;
  if (message.startsWith("Invalid Transaction id")) return t`the transaction id is not valid`;
  if (message.startsWith("Invalid shard or realm")) return t`the address belongs to another shard or realm`;
  return foreign(message.slice(0, 300)).replace(/\.\s*$/, "");
}
