import { t } from "@vscode/l10n";
import { ownValue } from "../../json/ownValue.ts";
import { matching, readAs, type LooseObject } from "../../json/shape.ts";
import { entityIdText, isEntityId, fromLongZeroAddress } from "../references/entityId.ts";
import { wrongSubject } from "./ledgerError.ts";
import { addressShape } from "./ledgerShapes.ts";
import { parseLedgerReference } from "../references/ledgerReference.ts";
import type { LedgerNetwork } from "../references/network.ts";
import { timestampNanos } from "../references/timestamp.ts";

/** What was asked, and of whom. */
export interface LedgerQuestion {
  readonly network: LedgerNetwork;
  /** As a sentence continues: "token 0.0.5". */
  readonly what: string;
}

/** An id, or numbers in the place of one: those that are too large for an id are said of something else, too. */
const idNumbers = matching(/^\d{1,20}\.\d{1,20}\.\d{1,20}$/, () => t`an id`);
/** The same of a moment, which mirror nodes write with its nanoseconds. */
const momentNumbers = matching(/^\d{1,20}\.\d{1,20}$/, () => t`a moment`);

/**
 * Checks that an answer is about the entity that was asked for. What it does not say, here and in the checks below, is
 * not held against it: servers leave fields out.
 *
 * @param asked `shard.realm.num`
 * @throws LedgerError `wrong_answer`
 */
export function checkEntity({ network, what }: LedgerQuestion, asked: string, id: unknown): void {
  const answered = readAs(idNumbers, id);
  if (answered === undefined || answered === asked || !isEntityId(asked)) return;
  throw wrongSubject(what, network, answered);
}

/**
 * Checks that a contract's record is that of the contract that was asked for. One that was created at an address of its
 * own answers to the address that is made of its id, too.
 *
 * @param asked `shard.realm.num`, or an address with `0x`
 * @throws LedgerError `wrong_answer`
 */
export function checkContract({ network, what }: LedgerQuestion, asked: string, record: LooseObject): void {
  const id = ownValue(record, "contract_id");
  const address = readAs(addressShape, ownValue(record, "evm_address"))?.toLowerCase();
  if (address !== undefined && address === asked.toLowerCase()) return;
  if (!asked.startsWith("0x")) {
    checkEntity({ network, what }, asked, id);
    return;
  }
  const askedId = fromLongZeroAddress(asked);
  if (askedId) checkEntity({ network, what }, entityIdText(askedId), id);
  else if (address !== undefined) throw wrongSubject(what, network, address);
}

/**
 * Checks that an answer is about the moment that was asked for.
 *
 * @param asked `seconds.nanoseconds`
 * @throws LedgerError `wrong_answer`
 */
export function checkMoment({ network, what }: LedgerQuestion, asked: string, timestamp: unknown): void {
  const answered = readAs(momentNumbers, timestamp);
  if (answered === undefined || timestampNanos(answered) === timestampNanos(asked)) return;
  throw wrongSubject(what, network, answered);
}

/** A moment as mirror nodes write it; digits without a point are no more than a number. */
function momentIn(value: unknown): string | undefined {
  const written = readAs(momentNumbers, value);
  return timestampNanos(written) === undefined ? undefined : written;
}

/**
 * Checks that an answer is about the transaction that was asked for.
 *
 * @param asked `0.0.5-s-n`
 * @throws LedgerError `wrong_answer`
 */
export function checkTransaction(
  { network, what }: LedgerQuestion,
  asked: string,
  id: string | undefined,
): void {
  const answered = canonicalId(id, network);
  if (answered !== undefined && answered !== asked) throw wrongSubject(what, network, answered);
}

/**
 * Whether something that the ledger lists is of a transaction, as far as it says so.
 *
 * @param id of the transaction, in any form
 */
export function isOfTransaction(
  network: LedgerNetwork,
  id: string | undefined,
  listed: string | undefined,
): boolean {
  const [asked, answered] = [id, listed].map((one) => canonicalId(one, network));
  return asked === undefined || answered === undefined || asked === answered;
}

/** `0.0.5-s-n`; `undefined` for what is no id of a transaction. */
function canonicalId(id: string | undefined, network: LedgerNetwork): string | undefined {
  if (id === undefined) return undefined;
  const read = parseLedgerReference(id, network, "transaction");
  return "error" in read || read.kind !== "transaction" || read.by !== "id" ? undefined : read.canonical;
}

/**
 * Checks entry by entry that contract actions are those of one transaction, which has one moment.
 *
 * @param moment of the transaction, where it is known: `seconds.nanoseconds`
 */
export function actionCheck(
  question: LedgerQuestion,
  moment: string | undefined,
): (action: LooseObject) => void {
  let known = momentIn(moment);
  return (action) => {
    const timestamp = ownValue(action, "timestamp");
    if (known !== undefined) checkMoment(question, known, timestamp);
    known ??= momentIn(timestamp);
  };
}
