import { t } from "@vscode/l10n";
import { bytesToHex } from "@noble/hashes/utils.js";
import { base64ToBytes } from "../evm/hex.ts";
import { isCancellation, LedgerLensError } from "../errors.ts";
import {
  anyObject,
  anything,
  flag,
  ifReadable,
  listOf,
  object,
  readAs,
  type LooseObject,
  type Shaped,
} from "../json/shape.ts";
import { definedOnly } from "../json/looseData.ts";
import { ownValue } from "../json/ownValue.ts";
import { systemClock, type Clock } from "../concurrency/clock.ts";
import { SharedAnswer } from "../concurrency/toldLimits.ts";
import { MAX_DECIMALS, unitSymbol } from "./tokens/tokenUnits.ts";
import { actionQueryString, checkLimit, checkOrder, type ActionQuery } from "./actions/actionQuery.ts";
import { denominationsOf, readCustomFees } from "./tokens/customFees.ts";
import { readDecimals } from "../text/exactDecimal.ts";
import {
  actionCheck,
  type LedgerQuestion,
  checkContract,
  checkEntity,
  checkMoment,
  checkTransaction,
  isOfTransaction,
} from "./requests/answerChecks.ts";
import { LedgerError, shapeError } from "./requests/ledgerError.ts";
import { addressShape, hex, integer, said } from "./requests/ledgerShapes.ts";
import { LedgerPages } from "./requests/ledgerPages.ts";
import {
  parseLedgerReference,
  type EntityReference,
  type LedgerReference,
  type ReferenceKind,
  type TransactionReference,
} from "./references/ledgerReference.ts";
import {
  askContract,
  askLedger,
  MAX_BYTES,
  MAX_LIST_BYTES,
  type JsonGetter,
} from "./requests/ledgerRequest.ts";
import { publicNetwork, type LedgerNetwork } from "./references/network.ts";
import {
  readSchedule,
  scheduleIdOf,
  scheduleState,
  type Schedule,
  type ScheduleState,
} from "./schedules/schedule.ts";
import type { KeyHolder } from "./schedules/keyHolders.ts";
import { signersOf, type KeyAnswer, type Signer } from "./schedules/missingSignatures.ts";
import type { ScheduleResult } from "./schedules/scheduleRows.ts";
import { isEntityId } from "./references/entityId.ts";
import { checkTimestampQuery, timestampNanos } from "./references/timestamp.ts";
import { isTransactionId, readTransactionId } from "./references/transactionId.ts";
import { asOfText } from "./tokens/tokenRows.ts";
import { MAX_RESULTS, MAX_TRANSFERS, readAccount, type LedgerAccount } from "./accounts/account.ts";
import { readLedgerKey } from "./tokens/ledgerKey.ts";
import { readToken, type Denominations, type Token } from "./tokens/token.ts";
import { TransactionActions } from "./actions/transactionActions.ts";
import {
  readExecution,
  readTransactions,
  transactionAmong,
  type ContractExecution,
  type ListedTransaction,
  type TransactionRecord,
} from "./transactions/transactionRecord.ts";

/**
 * How many pages of an account's newest entries are asked for until one has any. Hedera's mirror nodes look through 60 days for
 * a page and name the next one (hiero-mirror-node, rest configuration, `bindTimestampRange` and
 * `maxTransactionsTimestampRange`): six are a year.
 */
const MAX_PAGES_OF_ACCOUNT = 6;

/**
 * How many tokens are looked up at once: the 40 that an account's rows tell. The network allows 10 fees of a token, and 20
 * tokens in a transfer.
 */
const MAX_DENOMINATIONS = 40;

/** Which schedules to list. */
export interface ScheduleQuery {
  /** Of the creator; any form of an id. */
  readonly accountId?: string;
  /** Per page, 1 to 100. Default 25. */
  readonly limit?: number;
  /** By id. Default `desc`: newest first. */
  readonly order?: "asc" | "desc";
}

/** Schedules as far as they are loaded. */
export class ScheduleList {
  readonly pages: LedgerPages;

  constructor(pages: LedgerPages) {
    this.pages = pages;
  }

  /**
   * Each id once, as it came first: pages may overlap while new schedules come in. Those without an id are numbered, so
   * that they can be told apart.
   */
  get schedules(): Schedule[] {
    const seen = new Set<string>();
    let nameless = 0;
    return this.pages.items.flatMap((record) => {
      const schedule = readSchedule(record, this.pages.network);
      if (scheduleIdOf(record) === undefined) return [{ ...schedule, scheduleId: `unknown ${++nameless}` }];
      if (seen.has(schedule.scheduleId)) return [];
      seen.add(schedule.scheduleId);
      return [schedule];
    });
  }

  get complete(): boolean {
    return this.pages.complete;
  }

  /** What `showSchedules` resolves to. */
  toRecord(): { readonly schedules: readonly LooseObject[]; readonly complete: boolean } {
    return { schedules: this.pages.items, complete: this.complete };
  }
}

/** A contract as the ledger describes it. */
export interface LedgerContract {
  /** The address at which it was created, lower case. */
  readonly address: string;
  /** The deployed code, with `0x`; `undefined` where the ledger does not tell. */
  readonly runtimeCode?: string;
}

/** A schedule and the body that it was read from. */
export interface LoadedSchedule {
  readonly schedule: Schedule;
  readonly state: ScheduleState;
  /** The body as it came. */
  readonly text: string;
}

/**
 * The ledger query interface. Everything is asked of the network that is chosen when the call begins, and carries it;
 * every parameter is checked before anything is sent.
 */
export class LedgerService {
  readonly #client: JsonGetter;
  readonly #network: () => LedgerNetwork;
  readonly #clock: Pick<Clock, "now">;
  /** Decimals of a token never change, so they are looked up once. */
  readonly #denominations = new Map<
    string,
    SharedAnswer<{ decimals: number; symbol?: string } | undefined>
  >();

  constructor(options: {
    readonly client: JsonGetter;
    readonly network: () => LedgerNetwork;
    readonly clock?: Pick<Clock, "now">;
    /** Called when the ledger limits requests, with the milliseconds until it is asked again. */
    readonly onLimited?: (milliseconds: number) => void;
  }) {
    const { client, onLimited } = options;
    this.#client = !onLimited
      ? client
      : {
          request: (request) =>
            client.request({
              ...request,
              onWait: ({ status, ms }) => {
                if (status === 429) onLimited(ms);
              },
            }),
        };
    this.#network = options.network;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * A token, now or at a time.
   *
   * @param tokenId in any form that people have
   * @param options.timestamp `seconds.nanoseconds` with `eq:`, `lt:` or `lte:` before it
   * @throws LedgerLensError `invalid_parameter`, `other_network`; LedgerError, HttpError
   */
  async token(
    tokenId: string,
    options: {
      readonly timestamp?: string;
      readonly signal?: AbortSignal;
      /** The one that is asked, where the chosen one may be another by then. */
      readonly network?: LedgerNetwork;
    } = {},
  ): Promise<Token> {
    const { network = this.#network() } = options;
    const { canonical } = this.#entity(tokenId, network, "token");
    const asOf = options.timestamp === undefined ? undefined : checkTimestampQuery(options.timestamp);
    const query = asOf === undefined ? "" : `?timestamp=${asOf}`;
    const what = asOf === undefined ? t`token ${canonical}` : t`token ${canonical} ${asOfText(asOf)}`;
    const { body, text } = await askLedger(
      this.#client,
      network,
      `/api/v1/tokens/${canonical}${query}`,
      what,
      options.signal,
    ).catch((error: unknown) => {
      throw asOf !== undefined && error instanceof LedgerError && error.code === "not_found"
        ? new LedgerError(
            "not_found",
            t`${network.name} does not have ${what}: it may have been created later. Check the timestamp, the id, and whether it belongs to another network.`,
            { status: 404, cause: error },
          )
        : error;
    });
    const record = aboutToken({ what, network }, canonical, body);
    const wanted = denominationsOf(readCustomFees(ownValue(record, "custom_fees"))).filter(
      (one) => one !== canonical,
    );
    const denominations = await this.denominations(network, wanted, options.signal);
    return readToken(
      record,
      { network, tokenId: canonical, text, ...(asOf !== undefined && { asOf }) },
      denominations,
    );
  }

  /**
   * The contract actions of a transaction: the first page; the rest on demand.
   *
   * @param transaction in any form that people have; a scheduled one, a child, and a consensus timestamp are first
   * looked up for their hash
   * @throws LedgerLensError `invalid_parameter`, `other_network`; LedgerError, HttpError
   */
  async actions(
    transaction: string,
    query: ActionQuery = {},
    signal?: AbortSignal,
  ): Promise<TransactionActions> {
    const network = this.#network();
    const reference = this.#transaction(transaction, network);
    const queryString = actionQueryString(query);
    const { canonical, moment, transactionId } = await this.#actionsPath(reference, network, signal);
    const what = t`the contract actions of ${canonical}`;
    const pages = await LedgerPages.open(
      this.#client,
      network,
      `/api/v1/contracts/results/${canonical}/actions${queryString}`,
      { field: "actions", what, check: actionCheck({ what, network }, moment), signal },
    );
    // A hash does not say when it was sent, which tells whether actions may still come.
    const isUndated = moment === undefined && reference.by === "hash";
    const actions = new TransactionActions(canonical, pages, {
      moment,
      transactionId,
      isFiltered: query.index !== undefined,
    });
    if (isUndated && pages.complete && pages.items.length === 0) {
      const execution = await partOf(() => this.#executionBeside(actions, signal), []);
      if (execution) actions.record = { execution, problems: [] };
    }
    return actions;
  }

  /**
   * What became of a transaction without contract actions: its result says it, or where nothing was executed its record. It
   * is kept with the actions.
   */
  async lookIntoOutcome(actions: TransactionActions): Promise<void> {
    const { record } = actions;
    if (record?.execution ?? record?.transaction) return;
    const execution = await partOf(() => this.#executionBeside(actions, undefined), []);
    const transaction = execution
      ? undefined
      : await partOf(() => this.#transactionBeside(actions, momentOf(actions, undefined), undefined), []);
    // The page may have asked for more meanwhile.
    actions.record ??= { ...definedOnly({ execution, transaction }), problems: [] };
  }

  /**
   * What the ledger says of a transaction beside its contract actions: fee, gas, logs, storage and transfers. A network
   * that lacks a part loses that part and nothing else.
   *
   * @throws LedgerLensError `cancelled`
   */
  async transactionRecord(actions: TransactionActions, signal?: AbortSignal): Promise<TransactionRecord> {
    const { network, canonical } = actions;
    const problems: LedgerLensError[] = [];
    const part = <T>(ask: () => Promise<T>) => partOf(ask, problems);
    const firstMoment = readAs(said, actions.pages.items[0]?.["timestamp"]);
    const execution = await part(async () => {
      const read = actions.record?.execution ?? (await this.#executionBeside(actions, signal));
      const what = t`the result of ${canonical}`;
      if (read && firstMoment !== undefined) checkMoment({ what, network }, firstMoment, read.timestamp);
      return read;
    });
    const moment = momentOf(actions, execution);
    const found = await part(() => this.#transactionBeside(actions, moment, signal));
    const transaction =
      found && execution && found.children === undefined
        ? ((await part(() => this.#withChildren(actions, found, signal))) ?? found)
        : found;
    actions.record = {
      ...definedOnly({ execution, transaction }),
      problems: problems.filter((error) => !isAbsent(error)),
    };
    return actions.record;
  }

  /** The result of a transaction; `undefined` where the ledger has none. */
  async #executionBeside(
    actions: TransactionActions,
    signal: AbortSignal | undefined,
  ): Promise<ContractExecution | undefined> {
    const { canonical, network } = actions;
    const what = t`the result of ${canonical}`;
    const target = `/api/v1/contracts/results/${canonical}`;
    const body = await this.#answerBeside(actions, target, what, signal, MAX_LIST_BYTES);
    if (body === undefined) return undefined;
    const read = readExecution(body);
    if (!read) throw shapeError(what, network, t`no object`);
    return read;
  }

  /**
   * The record of a transaction; `undefined` where the ledger has none. By its id, to which its children answer, too; by its
   * moment where that is not known, for a hash of 32 bytes names no transaction there.
   */
  async #transactionBeside(
    actions: TransactionActions,
    moment: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ListedTransaction | undefined> {
    const id = idOf(actions);
    const byId = id === undefined ? undefined : await this.#listedBeside(actions, { id, moment }, signal);
    if (byId !== undefined || moment === undefined) return byId;
    return this.#listedBeside(actions, { moment }, signal);
  }

  /** The same transaction with its children, where it was found by its moment: that is not theirs. */
  async #withChildren(
    actions: TransactionActions,
    found: ListedTransaction,
    signal: AbortSignal | undefined,
  ): Promise<ListedTransaction | undefined> {
    const { consensus_timestamp: moment, transaction_id: written } = found;
    const id = written === undefined ? undefined : idForm(written);
    if (id === undefined || moment === undefined || idOf(actions) !== undefined) return found;
    return this.#listedBeside(actions, { id, moment }, signal);
  }

  async #listedBeside(
    actions: TransactionActions,
    { id, moment }: { readonly id?: string; readonly moment: string | undefined },
    signal: AbortSignal | undefined,
  ): Promise<ListedTransaction | undefined> {
    const { canonical, network } = actions;
    const what = t`transaction ${canonical}`;
    const target = id === undefined ? `?timestamp=${moment ?? ""}` : `/${id}`;
    const body = await this.#answerBeside(actions, `/api/v1/transactions${target}`, what, signal);
    if (body === undefined) return undefined;
    const listed = readTransactions(body);
    if (!listed) throw shapeError(what, network, t`no list "${"transactions"}"`);
    const found = listed.filter((one) => isOfTransaction(network, id, one.transaction_id));
    if (id !== undefined && found.length === 0)
      checkTransaction({ what, network }, id, listed[0]?.transaction_id);
    const own = transactionAmong(found, moment);
    if (!own && moment !== undefined) checkMoment({ what, network }, moment, found[0]?.consensus_timestamp);
    return own;
  }

  /** The body of an answer about a transaction; `undefined` for what the ledger does not have. */
  #answerBeside(
    actions: TransactionActions,
    target: string,
    what: string,
    signal: AbortSignal | undefined,
    maxBytes?: number,
  ): Promise<unknown> {
    const ask = async () => {
      try {
        return (await askLedger(this.#client, actions.network, target, what, signal, maxBytes)).body;
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    };
    return actions.answer(target, ask, signal);
  }

  /**
   * Schedules, newest first unless asked otherwise.
   *
   * @throws LedgerLensError `invalid_parameter`, `other_network`; LedgerError, HttpError
   */
  async schedules(query: ScheduleQuery = {}, signal?: AbortSignal): Promise<ScheduleList> {
    const network = this.#network();
    const { accountId, limit = 25, order = "desc" } = query;
    const account =
      accountId === undefined || accountId === ""
        ? ""
        : `account.id=${this.#entity(accountId, network, undefined).canonical}&`;
    const target = `/api/v1/schedules?${account}limit=${checkLimit(limit)}&order=${checkOrder(order)}`;
    return new ScheduleList(
      await LedgerPages.open(this.#client, network, target, {
        field: "schedules",
        what: t`the schedules`,
        signal,
      }),
    );
  }

  /**
   * One schedule.
   *
   * @throws LedgerLensError `invalid_parameter`, `other_network`; LedgerError, HttpError
   */
  async schedule(scheduleId: string, signal?: AbortSignal): Promise<LoadedSchedule> {
    const network = this.#network();
    const { canonical } = this.#entity(scheduleId, network, "schedule");
    const what = t`schedule ${canonical}`;
    const { record, text } = await this.#record(`/api/v1/schedules/${canonical}`, what, network, signal);
    checkEntity({ what, network }, canonical, scheduleIdOf(record));
    const schedule = readSchedule({ ...record, schedule_id: canonical }, network);
    return { schedule: { ...schedule, record }, state: this.stateOf(schedule), text };
  }

  /**
   * A contract by its address or id; `undefined` where the network has none. Contract actions name contracts by the
   * number in their id, other services by the address that they were created at, so this is where the two meet.
   *
   * @param idOrAddress `0.0.n`, or an address with `0x`
   * @throws LedgerError, HttpError
   */
  async contract(
    idOrAddress: string,
    network: LedgerNetwork,
    signal?: AbortSignal,
  ): Promise<LedgerContract | undefined> {
    let record;
    try {
      ({ record } = await this.#contractRecord(idOrAddress, network, signal));
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
    const { evm_address: address, runtime_bytecode: code } = readAs(contractRecord, record) ?? {};
    return {
      address: (address ?? idOrAddress).toLowerCase(),
      ...(code !== undefined && { runtimeCode: code.startsWith("0x") ? code : `0x${code}` }),
    };
  }

  /**
   * What a function of a contract answers now, without a transaction: hex with `0x`; `undefined` where it reverts.
   *
   * @param address with `0x`
   * @param data `0x` and hex: the selector and the arguments
   * @throws LedgerError, HttpError
   */
  async callContract(address: string, data: string, network: LedgerNetwork): Promise<string | undefined> {
    try {
      const body = await askContract(this.#client, network, { to: address, data });
      return readAs(contractAnswer, body)?.result;
    } catch (error) {
      if (error instanceof LedgerError && error.code === "invalid_parameter") return undefined;
      throw error;
    }
  }

  /**
   * An account, which a contract is, too, with its newest executions, and what is no contract with its newest transfers. A network
   * that lacks a part loses that part and nothing else. Of a quiet one older pages are asked for until one has entries, six at most
   * of each list.
   *
   * @param account its id in any form that people have, or its EVM address
   * @param network the one that is asked, where the chosen one may be another by then
   * @throws LedgerLensError `invalid_parameter`, `other_network`; LedgerError, HttpError
   */
  async account(
    account: string,
    signal?: AbortSignal,
    network: LedgerNetwork = this.#network(),
  ): Promise<LedgerAccount> {
    const { canonical } = this.#entity(account, network, "account");
    const texts: string[] = [];
    const problems: LedgerLensError[] = [];
    const part = (ask: () => Promise<LedgerRecord>, faults: LedgerLensError[]) =>
      partOf(async () => {
        const { record, text } = await ask();
        texts.push(text);
        return record;
      }, faults);
    const noContract: LedgerLensError[] = [];
    const [own, contract] = await Promise.all([
      part(() => this.#accountRecord(canonical, network, signal), problems),
      part(() => this.#contractRecord(canonical, network, signal), noContract),
    ]);
    // What may be a contract is not shown as an account.
    const reason =
      noContract.find((error) => !isAbsent(error)) ??
      problems.find((error) => !isAbsent(error)) ??
      problems[0];
    if (!contract && reason && (!own || !noContract.every(isAbsent))) throw reason;
    const answers = { ...(own && { account: own }), ...(contract && { contract }) };
    const { id, address } = readAccount(answers, { network, canonical, texts });
    const of = contract
      ? `contracts/${id ?? canonical}/results?`
      : `contracts/results?from=${address ?? canonical}&`;
    const target = `/api/v1/${of}limit=${MAX_RESULTS}&order=desc`;
    const transfersOf = `/api/v1/transactions?account.id=${id ?? ""}&limit=${MAX_TRANSFERS}&order=desc`;
    const newest = (list: string, field: string, what: string, maxBytes?: number) =>
      partOf(async () => {
        const options = { field, what, signal, ...definedOnly({ maxBytes }) };
        const pages = await this.#firstEntries(network, list, options);
        for (const text of pages.texts) texts.push(text);
        return { list: { [field]: pages.items }, goesOn: pages.items.length === 0 && !pages.complete };
      }, problems);
    const [results, transfers] = await Promise.all([
      newest(target, "results", t`the latest results of ${canonical}`),
      // A contract's calls tell more of it, and an address alone is not asked for there.
      contract || id === undefined
        ? undefined
        : // Unlike executions they have no data with them.
          newest(transfersOf, "transactions", t`the latest transfers of ${canonical}`, MAX_BYTES),
    ]);
    return readAccount(
      {
        ...answers,
        ...(results && { results: results.list, hasOlderResults: results.goesOn }),
        ...(transfers && { transfers: transfers.list, hasOlderTransfers: transfers.goesOn }),
      },
      { network, canonical, texts },
    );
  }

  /**
   * A list as far as its first page with entries, or as far as is looked for one. What can't be followed leaves what is there.
   *
   * @throws LedgerError, HttpError of the first page
   */
  async #firstEntries(
    network: LedgerNetwork,
    target: string,
    options: {
      readonly field: string;
      readonly what: string;
      readonly maxBytes?: number;
      readonly signal: AbortSignal | undefined;
    },
  ): Promise<LedgerPages> {
    const pages = await LedgerPages.open(this.#client, network, target, {
      ...options,
      maxEmptyPages: MAX_PAGES_OF_ACCOUNT,
    });
    const { signal } = options;
    await partOf(() => pages.loadAll({ atMost: 1, ...(signal && { signal }) }), []);
    return pages;
  }

  /**
   * What a text names on the chosen network, in the form in which the ledger is asked.
   *
   * @throws LedgerLensError `invalid_parameter`, `other_network`
   */
  reference(text: string, wanted: ReferenceKind | undefined): LedgerReference {
    const network = this.#network();
    return wanted === "transaction" ? this.#transaction(text, network) : this.#entity(text, network, wanted);
  }

  stateOf(schedule: Schedule): ScheduleState {
    return scheduleState(schedule, this.#clock.now());
  }

  /**
   * What became of an executed schedule: executed does not mean succeeded. `undefined` for one that was not executed,
   * and where the ledger has no transaction at that time.
   *
   * @throws LedgerError, HttpError
   */
  async scheduleResult(schedule: Schedule, signal?: AbortSignal): Promise<ScheduleResult | undefined> {
    const { network, executed } = schedule;
    if (executed === undefined || timestampNanos(executed) === undefined) return undefined;
    const what = t`the executed transaction`;
    const [transaction] = await this.#transactions(network, `?timestamp=${executed}`, what, signal);
    if (transaction?.result === undefined) return undefined;
    checkMoment({ what, network }, executed, transaction.consensus_timestamp);
    const { result, transaction_id: transactionId } = transaction;
    const hash = hashOf(transaction);
    return {
      result,
      ...(transactionId !== undefined && { transactionId }),
      ...(hash !== undefined && { hash }),
    };
  }

  /**
   * Who has to sign a schedule for certain, and what is there of their signatures. What can't be found out is unknown; only
   * cancellation rejects.
   *
   * @param keyOf where a key may be known already; the ledger is asked by default
   */
  signers(
    schedule: Schedule,
    keyOf = (holder: KeyHolder) => this.heldKey(holder, schedule.network),
  ): Promise<readonly Signer[]> {
    return signersOf(schedule, keyOf);
  }

  /** The key that something has; `undefined` where that can't be found out. Only cancellation rejects. */
  async heldKey(
    { kind, id, field }: KeyHolder,
    network: LedgerNetwork,
    signal?: AbortSignal,
  ): Promise<KeyAnswer> {
    const found = await partOf(() => {
      switch (kind) {
        case "account":
        case "receiver":
          return this.#accountRecord(id, network, signal);
        case "contract":
          return this.#contractRecord(id, network, signal);
        default:
          return this.#entityRecord(kind, id, network, signal);
      }
    }, []);
    if (kind === "receiver" && found && ownValue(found.record, "receiver_sig_required") !== true)
      return "none";
    const value = found && ownValue(found.record, field);
    // An account without a key gets it when it first signs.
    return value === null && field !== "key" ? "none" : readLedgerKey(value);
  }

  /** A token, a topic or a schedule by its id. */
  async #entityRecord(
    kind: string,
    id: string,
    network: LedgerNetwork,
    signal: AbortSignal | undefined,
  ): Promise<LedgerRecord> {
    const found = await this.#record(`/api/v1/${kind}s/${id}`, id, network, signal);
    checkEntity({ what: id, network }, id, ownValue(found.record, `${kind}_id`));
    return found;
  }

  async #accountRecord(
    canonical: string,
    network: LedgerNetwork,
    signal: AbortSignal | undefined,
  ): Promise<LedgerRecord> {
    const what = t`account ${canonical}`;
    const found = await this.#record(
      `/api/v1/accounts/${canonical}?transactions=false`,
      what,
      network,
      signal,
    );
    checkContract({ what, network }, canonical, {
      contract_id: ownValue(found.record, "account"),
      evm_address: ownValue(found.record, "evm_address"),
    });
    return found;
  }

  async #contractRecord(
    idOrAddress: string,
    network: LedgerNetwork,
    signal: AbortSignal | undefined,
  ): Promise<LedgerRecord> {
    const what = t`contract ${idOrAddress}`;
    const target = `/api/v1/contracts/${encodeURIComponent(idOrAddress)}`;
    const found = await this.#record(target, what, network, signal);
    checkContract({ what, network }, idOrAddress, found.record);
    return found;
  }

  /** @throws LedgerError, HttpError */
  async #record(
    target: string,
    what: string,
    network: LedgerNetwork,
    signal: AbortSignal | undefined,
  ): Promise<LedgerRecord> {
    const { body, text } = await askLedger(this.#client, network, target, what, signal);
    const record = readAs(anyObject, body);
    if (!record) throw shapeError(what, network, t`no object`);
    return { record, text };
  }

  #entity(text: string, network: LedgerNetwork, wanted: ReferenceKind | undefined): EntityReference {
    const found = parseLedgerReference(text, network, wanted);
    if ("error" in found) throw new LedgerLensError("invalid_parameter", found.error);
    if (found.kind === "transaction")
      throw new LedgerLensError(
        "invalid_parameter",
        t`This is a transaction: give an entity's id such as 0.0.1234.`,
      );
    if (found.canonical.startsWith("0x") && wanted !== "account")
      throw new LedgerLensError(
        "invalid_parameter",
        t`This EVM address can't be converted to an entity ID, and schedules are listed by the id of their creator: give the id such as 0.0.1234.`,
      );
    this.#checkNetwork(found, network);
    return found;
  }

  #transaction(text: string, network: LedgerNetwork): TransactionReference {
    const found = parseLedgerReference(text, network, "transaction");
    if ("error" in found) throw new LedgerLensError("invalid_parameter", found.error);
    if (found.kind !== "transaction")
      throw new LedgerLensError("invalid_parameter", t`This is no transaction.`);
    this.#checkNetwork(found, network);
    return found;
  }

  #checkNetwork({ network: linked }: { readonly network?: string }, network: LedgerNetwork): void {
    if (linked === undefined || linked === network.id || publicNetwork(network.id) === undefined) return;
    throw new LedgerLensError(
      "other_network",
      t`This link belongs to ${publicNetwork(linked)?.name ?? linked}, while ${network.name} is chosen. Switch the network and open it again.`,
    );
  }

  /** The id or hash that the actions interface takes: only nonce 0, and no 48-byte hash; and when it was, if known. */
  async #actionsPath(
    reference: TransactionReference,
    network: LedgerNetwork,
    signal: AbortSignal | undefined,
  ): Promise<{
    readonly canonical: string;
    readonly moment?: string | undefined;
    readonly transactionId?: string | undefined;
  }> {
    const { canonical } = reference;
    const what = t`transaction ${canonical}`;
    let found: readonly LedgerTransaction[];
    if (reference.by === "hash") return { canonical };
    if (reference.by === "timestamp") {
      found = await this.#transactions(network, `?timestamp=${canonical}`, what, signal);
    } else if (!reference.scheduled && reference.nonce === 0) {
      return { canonical };
    } else {
      const query = new URLSearchParams({
        ...(reference.nonce > 0 && { nonce: String(reference.nonce) }),
        ...(reference.scheduled && { scheduled: "true" }),
      });
      found = await this.#transactions(network, `/${canonical}?${query.toString()}`, what, signal);
    }
    const transaction = transactionOf(reference, found);
    if (!transaction) {
      throw new LedgerError(
        "not_found",
        t`${network.name} does not have ${what}. Check it, and whether it belongs to another network.`,
      );
    }
    if (reference.by === "timestamp")
      checkMoment({ what, network }, canonical, transaction.consensus_timestamp);
    else checkTransaction({ what, network }, canonical, transaction.transaction_id);
    const hash = hashOf(transaction);
    if (hash === undefined) throw shapeError(what, network, t`no transaction hash`);
    const { consensus_timestamp: moment, transaction_id: written } = transaction;
    return { canonical: hash, moment, transactionId: written === undefined ? undefined : idForm(written) };
  }

  async #transactions(
    network: LedgerNetwork,
    target: string,
    what: string,
    signal: AbortSignal | undefined,
  ): Promise<readonly LedgerTransaction[]> {
    const { body } = await askLedger(this.#client, network, `/api/v1/transactions${target}`, what, signal);
    const answer = readAs(transactionList, body);
    if (!answer) throw shapeError(what, network, t`no list "${"transactions"}"`);
    return answer.transactions;
  }

  /** Decimals and symbols of tokens, looked up once. What can't be found out is left out: the token itself counts. */
  async denominations(
    network: LedgerNetwork,
    tokens: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Denominations> {
    const known = await Promise.all(
      tokens
        .filter(isEntityId)
        .slice(0, MAX_DENOMINATIONS)
        .map(async (token) => [token, await this.#denomination(network, token, signal)] as const),
    );
    return new Map(known.flatMap(([token, found]) => (found ? [[token, found] as const] : [])));
  }

  #denomination(
    network: LedgerNetwork,
    token: string,
    signal: AbortSignal | undefined,
  ): Promise<{ decimals: number; symbol?: string } | undefined> {
    const key = `${network.ledgerUrl} ${token}`;
    let asked = this.#denominations.get(key);
    if (!asked) {
      asked = new SharedAnswer(() => this.#askDenomination(network, token, signal));
      this.#denominations.set(key, asked);
      const forget = () => this.#denominations.delete(key);
      void asked.value.then((found) => found ?? forget(), forget);
      return asked.toldTo(asked.value);
    }
    // Another caller asked first, and may have cancelled.
    return asked.toldTo(asked.value).catch((error: unknown) => {
      if (signal?.aborted === true) throw error;
      return this.#denomination(network, token, signal);
    });
  }

  async #askDenomination(
    network: LedgerNetwork,
    token: string,
    signal: AbortSignal | undefined,
  ): Promise<{ decimals: number; symbol?: string } | undefined> {
    try {
      const { body } = await askLedger(
        this.#client,
        network,
        `/api/v1/tokens/${token}`,
        t`token ${token}`,
        signal,
      );
      const record = aboutToken({ what: t`token ${token}`, network }, token, body);
      const { decimals: stated, symbol: said } = readAs(denominationRecord, record) ?? {};
      const decimals = readDecimals(stated);
      if (decimals === undefined || decimals > MAX_DECIMALS) return undefined;
      const symbol = unitSymbol(said);
      return { decimals, ...(symbol !== undefined && { symbol }) };
    } catch (error) {
      if (isCancellation(error)) throw error;
      return undefined;
    }
  }
}

/** An object that the ledger answered, and the body as it came. */
interface LedgerRecord {
  readonly record: LooseObject;
  readonly text: string;
}

/** `0.0.5-s-n`, in which form transactions are asked for; `undefined` for what is no id. */
function idForm(written: string): string | undefined {
  const id = isTransactionId(written) ? readTransactionId(written) : undefined;
  return id && `${id.payer}-${id.seconds}-${id.nanos}`;
}

/** The id of a transaction, as far as it is known before its record is. */
function idOf({ canonical, transactionId }: TransactionActions): string | undefined {
  return canonical.startsWith("0x") ? transactionId : canonical;
}

/** When a transaction was executed, by what the ledger said of it. */
function momentOf(
  { executedAt, pages }: TransactionActions,
  execution: ContractExecution | undefined,
): string | undefined {
  const said = [pages.items[0]?.["timestamp"], execution?.timestamp, executedAt];
  return said.filter((one) => typeof one === "string").find((one) => timestampNanos(one) !== undefined);
}

function isAbsent(error: unknown): boolean {
  return error instanceof LedgerLensError && error.code === "not_found";
}

/** Asks for a part of something; why it can't be had is kept. Cancellation, and what is no error of ours, rejects. */
async function partOf<T>(ask: () => Promise<T>, problems: LedgerLensError[]): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isCancellation(error) || !(error instanceof LedgerLensError)) throw error;
    problems.push(error);
    return undefined;
  }
}

const contractRecord = object({ evm_address: ifReadable(addressShape), runtime_bytecode: ifReadable(said) });

const contractAnswer = object({ result: ifReadable(hex) });

const denominationRecord = object({ decimals: ifReadable(anything), symbol: ifReadable(said) });

const ledgerTransaction = object({
  transaction_id: ifReadable(said),
  consensus_timestamp: ifReadable(said),
  nonce: ifReadable(integer),
  result: ifReadable(said),
  scheduled: ifReadable(flag),
  transaction_hash: ifReadable(anything),
});

/** What is asked of a transaction's record. */
type LedgerTransaction = Shaped<typeof ledgerTransaction>;

const transactionList = object({ transactions: listOf(ledgerTransaction) });

/** @throws LedgerError `wrong_shape`, `wrong_answer` */
function aboutToken(question: LedgerQuestion, tokenId: string, body: unknown): LooseObject {
  const record = readAs(anyObject, body);
  if (!record) throw shapeError(question.what, question.network, t`no object`);
  checkEntity(question, tokenId, ownValue(record, "token_id"));
  return record;
}

/**
 * The one that is meant: a scheduled transaction comes with its children, and one of those may stand in front. What says that
 * it is another one is not it.
 */
function transactionOf(
  reference: TransactionReference,
  found: readonly LedgerTransaction[],
): LedgerTransaction | undefined {
  if (reference.by !== "id") return found[0];
  const nonce = String(reference.nonce);
  const fitting = found.filter(
    (one) => (one.nonce ?? nonce) === nonce && (one.scheduled ?? reference.scheduled) === reference.scheduled,
  );
  return fitting.find((one) => one.nonce !== undefined) ?? fitting[0];
}

/** `0x` and the first 32 bytes of a transaction's hash, which is base64 of 48 bytes. */
function hashOf({ transaction_hash }: LedgerTransaction): string | undefined {
  const bytes = base64ToBytes(transaction_hash);
  return bytes && bytes.length >= 32 ? `0x${bytesToHex(bytes.subarray(0, 32))}` : undefined;
}
