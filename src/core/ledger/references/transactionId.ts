import { isEntityId } from "./entityId.ts";

/** The parts of a transaction's id as it is written. */
interface TransactionIdParts {
  /** `shard.realm.num`: three numbers, which may be too large for an account. */
  readonly payer: string;
  /** Of the valid start: 1 to 19 digits of seconds since the epoch, and 1 to 9 of nanoseconds. */
  readonly seconds: string;
  readonly nanos: string;
  /** Which of the transactions of the id is meant: `?scheduled`, `/1`, both, or nothing. */
  readonly which: string;
}

const FORM =
  /^(\d+\.\d+\.\d+)(?:@(\d{1,19})\.(\d{1,9})|-(\d{1,19})-(\d{1,9}))((?:\?scheduled(?:=true)?|\/\d{1,9})*)$/;

/**
 * Reads `0.0.5-s-n`, as mirror nodes write an id, or `0.0.5@s.n`, as SDKs do (hiero-mirror-node, rest/api/v1/openapi.yml,
 * TransactionId).
 */
export function readTransactionId(text: string): TransactionIdParts | undefined {
  const [, payer, atSeconds, atNanos, seconds = atSeconds, nanos = atNanos, which = ""] =
    FORM.exec(text) ?? [];
  if (payer === undefined || seconds === undefined || nanos === undefined) return undefined;
  return { payer, seconds, nanos, which };
}

/** Whether a text is the id of a transaction and nothing more, with a payer that may be. */
export function isTransactionId(text: string): boolean {
  const parts = readTransactionId(text);
  return parts?.which === "" && isEntityId(parts.payer);
}
