import { t } from "@vscode/l10n";
import { definedOnly } from "../../json/looseData.ts";
import { amountText, counted } from "../../text/counted.ts";
import { groupDigits, hbarText, integerText } from "../../text/exactDecimal.ts";
import {
  foreign,
  foreignLine,
  foreignSentence,
  foreignWhole,
  joined,
  shown,
  shortAddress,
  type ShownText,
} from "../../text/shownText.ts";
import type { ActionNamer, ActionNames } from "../actions/actionNames.ts";
import { actionWords, calledName, calledOpening, callTarget, originText } from "../actions/actionRows.ts";
import { codeInFull, codeWords } from "../actions/responseCodes.ts";
import { failingPath, isCaught, NONE, ownGas, type ActionTree } from "../actions/actionTree.ts";
import {
  calledAddress,
  isStatic,
  operationOf,
  outcomeOf,
  type ContractAction,
} from "../actions/contractAction.ts";
import { addressText, type WordForm } from "../actions/addressText.ts";
import type { TokenUnits } from "../tokens/tokenUnits.ts";
import { valuesText, valueWords } from "../actions/valueWords.ts";
import type { DefinitionPlace } from "../../text/definitionPlace.ts";
import { readTransactionId } from "../references/transactionId.ts";
import { entityIdText, fromLongZeroAddress, isEntityId, openable } from "../references/entityId.ts";
import { mayBeIncomplete } from "../requests/justSent.ts";
import { kindWords } from "../schedules/kindWords.ts";
import { dateText } from "../references/timestamp.ts";
import type { Denominations } from "../tokens/token.ts";
import { nftName, tokenName } from "../tokens/tokenText.ts";
import { balancesOf, nftSums } from "./balances.ts";
import { loggedMoves } from "./loggedMoves.ts";
import { loggedRows, nftSumRow } from "./loggedRows.ts";
import { rolesOf } from "./accountRoles.ts";
import { nameWith } from "./nameWith.ts";
import { partyText } from "./partyText.ts";
import { stateRows, wholeStateRows, type StorageLayouts } from "./stateRows.ts";
import { executionTree } from "./executionCall.ts";
import { transactionOutcome } from "./transactionOutcome.ts";
import { caughtNotes, familyNotes, unitNotes } from "./transactionNotes.ts";
import { noCallWords, whyNoActions } from "./whyNoActions.ts";
import { gasOfAll, gasSums, type CalledFunction } from "./gasSums.ts";
import type { LabelledText } from "../../text/labelledText.ts";
import type {
  CallRow,
  StorageOfContract,
  LogRow,
  NftRow,
  StateRow,
  TransactionPage,
  TransferRow,
} from "./pageModel.ts";
import type {
  ContractExecution,
  LedgerLog,
  ListedTransaction,
  TransactionRecord,
} from "./transactionRecord.ts";

/** What is known of a log by name. */
export type LogNames = Awaited<ReturnType<ActionNamer["event"]>>;

/** What a page is made of. */
export interface TransactionPageParts {
  readonly canonical: string;
  readonly networkName: string;
  readonly tree: ActionTree;
  readonly complete: boolean;
  /** Whether only the actions of some indexes were asked for. */
  readonly isFiltered?: boolean;
  /** Names that are known already. */
  readonly namesOf: (action: ContractAction) => ActionNames | undefined;
  /** What the logs are, by their position; one that is not named yet is missing. */
  readonly events?: ReadonlyMap<number, LogNames>;
  /** What the amounts of a token contract are shown in, by its address in lower case, where that is known. */
  readonly unitsOf?: ((address: string) => TokenUnits | undefined) | undefined;
  /** How many token contracts were asked and said what their amounts are shown in. */
  readonly toldContracts?: number;
  /** Missing while it is still asked for. */
  readonly record?: TransactionRecord;
  /** Milliseconds since the epoch: of what was just sent, more may come. */
  readonly now: number;
  readonly layouts?: StorageLayouts;
  /** Decimals and symbols of the tokens that were moved. */
  readonly denominations?: Denominations;
}

/**
 * The page of a transaction from what is loaded of it; its calls are {@link callRows}.
 *
 * @param form `whole` for a copy, in which nothing is shortened
 */
export function transactionPage(parts: TransactionPageParts, form: WordForm = "short"): TransactionPage {
  const { canonical, networkName, complete, isFiltered = false, namesOf, record } = parts;
  const { execution } = record ?? {};
  const tree = pageTree(parts);
  const sums = gasSums(tree, calledIn(tree, namesOf, form));
  const gas = gasOfAll(tree);
  const called = tree.actions[tree.roots[0] ?? 0] ?? {};
  return {
    title: shown`Transaction ${canonical}`,
    ...transactionOutcome(
      { tree, complete: complete && !isFiltered, namesOf, record, isFresh: isFresh(parts) },
      form,
    ),
    facts: factsOf(canonical, networkName, record, called, namesOf(called), form),
    notes: notesOf(parts, tree, form),
    callCount: tree.actions.length,
    ...(tree.actions.length === 0 && noCallWords(record) !== undefined && { isWithoutCalls: true }),
    complete,
    ...(gas !== undefined && { gas }),
    gasByContract: sums.byContract,
    gasByFunction: sums.byFunction,
    logs: (execution?.logs ?? []).map((log, at) => logRow(log, parts.events?.get(at), form)),
    state: stateByContract(slotsOf(parts, form), contractNames(parts, tree), form),
    ...allMoves(parts, tree, form),
    unknown: unknownLists(record),
  };
}

/** A plain transfer has no result, and what is sent anew no record: only what could not be read is not known. */
function unknownLists(record: TransactionRecord | undefined): TransactionPage["unknown"] {
  if (!record) return { logs: "asked", state: "asked", transfers: "asked" };
  const { execution, transaction, problems } = record;
  const isUntold = problems.length > 0;
  return {
    ...((execution ? execution.logs === undefined : isUntold) && { logs: "untold" }),
    ...((execution ? execution.state_changes === undefined : isUntold) && { state: "untold" }),
    ...(!transaction && isUntold && { transfers: "untold" }),
  };
}

/** What was called by actions as they are named, in short: a page is told anew whenever names are found. */
const knownCalls = new WeakMap<
  ContractAction,
  { readonly names: ActionNames | undefined; readonly called: CalledFunction }
>();

/** What each action called. */
export function calledIn(
  tree: ActionTree,
  namesOf: TransactionPageParts["namesOf"],
  form: WordForm = "short",
): (at: number) => CalledFunction {
  return (at) => {
    const action = tree.actions[at] ?? {};
    const names = namesOf(action);
    const known = form === "short" ? knownCalls.get(action) : undefined;
    if (known && known.names === names) return known.called;
    const { contract, name } = callTarget(action, names, form);
    const { opens } = calledOpening(action, names);
    const called = { contract, ...definedOnly({ name, opens: opens?.canonical }) };
    if (form === "short") knownCalls.set(action, { names, called });
    return called;
  };
}

/** The slots in the order in which the ledger has them. */
export function slotsOf(
  parts: Pick<TransactionPageParts, "tree" | "record" | "layouts">,
  form: WordForm,
): readonly StateRow[] {
  const execution = parts.record?.execution;
  const tree = pageTree(parts);
  if (form === "short") return stateRows(tree, execution, parts.layouts);
  return execution ? wholeStateRows(tree, execution, parts.layouts) : [];
}

/** What contracts are called, as far as a call to them or a log of them tells; by address in lower case. */
function contractNames(
  { namesOf, events, record }: TransactionPageParts,
  tree: ActionTree,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (address: string | undefined, name: string | undefined) => {
    const key = address?.toLowerCase();
    if (key !== undefined && name !== undefined && !found.has(key)) found.set(key, name);
  };
  for (const action of tree.actions) add(calledAddress(action), calledName(action, namesOf(action)));
  for (const [at, { address }] of (record?.execution?.logs ?? []).entries())
    add(address, events?.get(at)?.contract?.name ?? events?.get(at)?.token?.symbol);
  return found;
}

function stateByContract(
  rows: readonly StateRow[],
  names: ReadonlyMap<string, string>,
  form: WordForm,
): StorageOfContract[] {
  const fit = form === "short" ? foreign : foreignWhole;
  return [...Map.groupBy(rows, ({ address, contract }) => address ?? contract)].map(([key, slots]) => {
    const party = slots[0]?.contract ?? shown`unknown`;
    const name = names.get(key);
    return {
      contract: name === undefined ? party : fit(nameWith(name, party)),
      ...definedOnly({ opens: openable(party) ?? openable(slots[0]?.address) }),
      slots,
    };
  });
}

/** The calls that a page shows: the actions, or what the result says where the ledger recorded none. */
export function pageTree({
  tree,
  record,
}: {
  readonly tree: ActionTree;
  readonly record?: TransactionRecord | undefined;
}): ActionTree {
  const { execution, transaction } = record ?? {};
  if (tree.actions.length > 0 || !execution) return tree;
  return executionTree(execution, transaction?.name);
}

/** How a tree stands, for the rows of its calls. */
interface CallPlaces {
  readonly levels: Int32Array;
  /** Positions from the first call to where the failure began. */
  readonly path: ReadonlySet<number>;
  readonly origin: number | undefined;
}

const placesOf = new WeakMap<ActionTree, CallPlaces>();

/** Found once for a tree. */
function placesIn(tree: ActionTree): CallPlaces {
  const known = placesOf.get(tree);
  if (known) return known;
  const levels = new Int32Array(tree.actions.length);
  for (const at of tree.actions.keys()) {
    const parent = tree.parent[at] ?? NONE;
    levels[at] = parent === NONE ? 0 : (levels[parent] ?? 0) + 1;
  }
  const path = failingPath(tree);
  const places = { levels, path: new Set(path), origin: path.at(-1) };
  placesOf.set(tree, places);
  return places;
}

/** The rows of actions: of all of them, or of those at some positions. */
export function callRows(
  tree: ActionTree,
  namesOf: TransactionPageParts["namesOf"],
  positions: Iterable<number> = tree.actions.keys(),
): CallRow[] {
  const places = placesIn(tree);
  return Array.from(positions, (at) => callRow(tree, at, namesOf(tree.actions[at] ?? {}), places));
}

function callRow(
  tree: ActionTree,
  at: number,
  names: ActionNames | undefined,
  { levels, path, origin }: CallPlaces,
): CallRow {
  const action = tree.actions[at] ?? {};
  const words = actionWords(tree, at, names);
  const { result, value } = words;
  const failureText = origin === at ? originText(action, words) : words.failureText;
  const { contract, name, args } = callTarget(action, names);
  const { opens } = calledOpening(action, names);
  const outcome = outcomeOf(action);
  const gas = integerText(action.gas_used);
  const own = ownGas(tree, at);
  return {
    at,
    parent: tree.parent[at] ?? NONE,
    level: levels[at] ?? 0,
    operation: operationOf(action),
    contract: foreign(contract),
    ...(opens && { opens: opens.canonical }),
    outcome,
    ...(name !== undefined && { name: foreign(name) }),
    ...(args !== undefined && { args: foreign(args) }),
    ...(result !== undefined && { result: foreignSentence(result.replace(/^→ /, "")) }),
    ...(value !== undefined && { value: foreign(value) }),
    ...(gas !== undefined && { gas }),
    ...(own !== undefined && { own }),
    ...(failureText !== undefined && { failure: foreignSentence(failureText) }),
    ...(isStatic(action) && { isStatic: true }),
    ...(path.has(at) && { isOnPath: true }),
    ...(origin === at && { isOrigin: true }),
    ...(outcome === "failed" && isCaught(tree, at) && { isCaught: true }),
    ...(names?.call?.certainty === "guess" && { isGuess: true }),
    ...(names?.call?.standard !== undefined && { standard: foreign(names.call.standard) }),
    ...(sourceOf(names) && { hasSource: true }),
  };
}

/** Where the workspace has what a call ran, or the error that it failed with. */
function sourceOf(names: ActionNames | undefined): DefinitionPlace | undefined {
  return names?.error?.place ?? names?.call?.place ?? names?.contract?.place;
}

function factsOf(
  canonical: string,
  networkName: string,
  record: TransactionRecord | undefined,
  called: ContractAction,
  names: ActionNames | undefined,
  form: WordForm,
): LabelledText[] {
  const [fit, fitWhole] = form === "short" ? [foreign, foreignLine] : [foreignWhole, foreignWhole];
  const { execution, transaction } = record ?? {};
  const facts: LabelledText[] = [];
  const add = (label: ShownText, value: string | undefined, whole?: string, opened?: string) => {
    if (value !== undefined && value !== "")
      facts.push({
        label,
        value: fit(value),
        ...definedOnly({
          whole: whole === undefined || whole === value ? undefined : fitWhole(whole),
          opens: openable(opened),
        }),
      });
  };
  const fee = transaction?.charged_tx_fee;
  const { sender, payer } = sendersOf(canonical, record, called);
  const from = execution?.from;
  const moment = execution?.timestamp ?? transaction?.consensus_timestamp;
  const nameOfCalled = calledName(called, names);
  const fromIn = (one: WordForm) =>
    sender ?? (from === undefined ? undefined : partyText(undefined, from, one));
  const toIn = (one: WordForm) => {
    const to = execution
      ? receiverText(execution, called, transaction?.entity_id, one)
      : transaction?.entity_id;
    return nameOfCalled !== undefined && execution && to !== undefined ? nameWith(nameOfCalled, to) : to;
  };
  add(shown`From`, fromIn(form), wholeParty(fromIn("whole"), from), sender ?? from);
  add(shown`Paid by`, payer, undefined, payer);
  add(
    shown`To`,
    toIn(form),
    wholeParty(toIn("whole"), execution?.to),
    execution ? (execution.contract_id ?? execution.to ?? execution.address) : transaction?.entity_id,
  );
  add(shown`Value`, execution?.amount === undefined ? undefined : hbarText(execution.amount));
  add(shown`Fee`, fee === undefined ? undefined : hbarText(fee));
  add(shown`Gas`, execution && gasText(execution));
  add(shown`Block`, execution?.block_number === undefined ? undefined : groupDigits(execution.block_number));
  add(shown`Consensus`, moment && dateText(moment), moment && `${dateText(moment)} (${moment})`);
  add(shown`Memo`, transaction?.memo_base64);
  const kind = transaction?.name;
  add(shown`Type`, kind && kindWords(kind), kind && `${kindWords(kind)} (${kind})`);
  const result = execution?.result ?? transaction?.result;
  add(shown`Result`, result && codeWords(result), result && codeInFull(result));
  // What it was found by is said whatever the ledger calls it.
  const [ownId, ownHash] = canonical.startsWith("0x") ? [undefined, canonical] : [canonical, undefined];
  const hash = ownHash ?? execution?.hash;
  add(shown`Id`, transaction?.transaction_id ?? ownId);
  add(shown`Hash`, hash && form === "short" ? shortAddress(hash) : hash, hash);
  add(shown`Network`, networkName);
  return facts;
}

/**
 * The sender of a transaction, and the account that paid for it where that is another one or may be: the id of a transaction that
 * a wallet signed for the EVM is that of the account which submitted it, a relay most often (HIP-410). Each by its id; the sender
 * is missing where nothing but an address of it is known.
 */
function sendersOf(
  canonical: string,
  { execution, transaction }: Partial<TransactionRecord> = {},
  called: ContractAction,
): { readonly sender?: string | undefined; readonly payer?: string | undefined } {
  const ofId = readTransactionId(transaction?.transaction_id ?? canonical)?.payer;
  const { name: kind, nonce = "0", scheduled = false } = transaction ?? {};
  const isByPayer = kind !== undefined && kind !== "ETHEREUMTRANSACTION";
  const isOwn = isByPayer && nonce === "0" && !scheduled;
  const made = execution?.from === undefined ? undefined : fromLongZeroAddress(execution.from);
  const { caller, call_depth: depth } = called;
  const isCaller = !isOwn && depth === 0 && typeof caller === "string" && isEntityId(caller);
  const known = made ? entityIdText(made) : isCaller ? caller : undefined;
  if (known === undefined && (isOwn || (isByPayer && execution?.from === undefined))) return { sender: ofId };
  // The id of what was scheduled is that of the transaction that did so, and another account may have paid.
  return { sender: known, payer: known === ofId || scheduled ? undefined : ofId };
}

/** What a party is told as, with its address behind it where that says more, as a hover and a copy have it. */
function wholeParty(told: string | undefined, address: string | undefined): string | undefined {
  const whole = address === undefined ? undefined : addressText(address, "whole");
  return told === undefined || whole === undefined || told.includes(whole) ? told : `${told} · ${whole}`;
}

/** What a transaction called; the contract that a creation did not make has no id. */
function receiverText(
  { contract_id: id, to, address }: ContractExecution,
  called: ContractAction,
  entity: string | undefined,
  form: WordForm,
): ShownText {
  const isNamed = id !== undefined || (to ?? address) !== undefined;
  if (isNamed || entity !== undefined)
    return partyText(id ?? (isNamed ? undefined : entity), to ?? address, form);
  return operationOf(called).startsWith("create")
    ? shown`new contract`
    : partyText(undefined, undefined, form);
}

/**
 * "21,900 used of 200,000, 160,000 charged": at least a share of the limit is charged, whatever the EVM used of it. What is
 * charged is said where that is not what was used.
 */
function gasText({
  gas_consumed: consumed,
  gas_limit: limit,
  gas_used: charged,
}: ContractExecution): string | undefined {
  const parts = [
    consumed === undefined
      ? undefined
      : limit === undefined
        ? t`${groupDigits(consumed)} used`
        : t`${groupDigits(consumed)} used of ${groupDigits(limit)}`,
    charged === undefined || charged === consumed ? undefined : t`${groupDigits(charged)} charged`,
    consumed === undefined && limit !== undefined ? t`limit ${groupDigits(limit)}` : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(", ");
}

function isFresh({ canonical, record, now }: TransactionPageParts): boolean {
  const { execution, transaction } = record ?? {};
  return mayBeIncomplete(canonical, execution?.timestamp ?? transaction?.consensus_timestamp, now);
}

function notesOf(parts: TransactionPageParts, tree: ActionTree, form: WordForm): ShownText[] {
  const { canonical, complete, isFiltered = false, record, now, denominations } = parts;
  const { actions } = parts.tree;
  return [
    ...(actions.length === 0 && complete && !isFiltered && record
      ? [whyNoActions(canonical, record, now)]
      : []),
    ...(complete ? [] : [shown`${counted(actions.length, "action")} loaded so far; there are more.`]),
    ...caughtNotes(tree, parts.namesOf, form),
    ...unitNotes(parts.toldContracts),
    ...familyNotes(record?.transaction, denominations),
    ...(record?.problems ?? []).map(({ message }) => foreignSentence(message)),
  ];
}

function logRow(log: LedgerLog, names: LogNames | undefined, form: WordForm): LogRow {
  const { topics = [], data = "0x" } = log;
  const party = partyText(log.contract_id, log.address, form);
  const { event } = names ?? {};
  const contract = names?.contract?.name ?? names?.token?.symbol;
  const isWhole = form === "whole";
  const [fit, line, sentence] = isWhole
    ? [foreignWhole, foreignWhole, foreignWhole]
    : [foreign, foreignLine, foreignSentence];
  return {
    index: foreign(log.index ?? ""),
    contract: contract === undefined ? party : fit(nameWith(contract, party)),
    ...definedOnly({ opens: openable(log.contract_id) ?? openable(log.address) }),
    event: event
      ? sentence(`${event.name}(${valuesText(event.values, form)})`)
      : fit(topics[0] ?? t`without a topic`),
    raw: [
      ...(event ? [line(event.signature)] : []),
      ...(event?.values ?? []).map((value) =>
        line(`${value.name ?? value.type}: ${valueWords(value, "whole")}`),
      ),
      ...topics.map((topic, at) => line(t`topic ${at}: ${topic}`)),
      line(data === "0x" ? t`no data` : t`data: ${data}`),
    ],
    ...(event?.certainty === "guess" && { isGuess: true }),
    ...(event?.standard !== undefined && { standard: foreign(event.standard) }),
  };
}

/** What the ledger's record says was moved, then what logs say. */
function allMoves(
  parts: TransactionPageParts,
  tree: ActionTree,
  form: WordForm,
): Pick<TransactionPage, "transfers" | "nfts"> {
  const { execution, transaction } = parts.record ?? {};
  const recorded = movesOf(transaction, parts.denominations, form);
  const logged = loggedMoves(execution, transaction);
  const { transfers, nfts } = loggedRows(
    logged,
    { names: contractNames(parts, tree), unitsOf: parts.unitsOf },
    form,
  );
  return { transfers: [...recorded.transfers, ...transfers], nfts: [...recorded.nfts, ...nfts] };
}

function movesOf(
  transaction: ListedTransaction | undefined,
  denominations: Denominations = new Map(),
  form: WordForm,
): Pick<TransactionPage, "transfers" | "nfts"> {
  const fit = form === "short" ? foreign : foreignWhole;
  const roles = rolesOf(transaction);
  const balances = transaction && balancesOf(transaction);
  const transfers = (balances?.assets ?? []).flatMap(({ tokenId, changes }) =>
    changes.map(({ account, amount, reward, allowed }): TransferRow => {
      const isGiven = amount.startsWith("-");
      const sign = isGiven ? "−" : "+";
      const size = isGiven ? amount.slice(1) : amount;
      const role = roles(account);
      const known = tokenId === undefined ? undefined : denominations.get(tokenId);
      const inUnits = (one: string) =>
        tokenId === undefined ? hbarText(one) : amountText(one, known?.decimals);
      const remarks = [
        ...(reward === undefined ? [] : [shown`including a staking reward of ${hbarText(reward)}`]),
        ...(allowed === undefined ? [] : [allowanceText({ allowed, size, isGiven }, fit(inUnits(allowed)))]),
      ];
      return {
        asset: tokenId === undefined ? shown`HBAR` : fit(tokenName(tokenId, known)),
        ...definedOnly({ opensAccount: openable(account), opensAsset: openable(tokenId) }),
        account: fit(account),
        ...(tokenId === undefined && { isHbar: true }),
        ...(role !== undefined && { role }),
        ...(remarks.length > 0 && { remark: joined(remarks, ", ") }),
        ...(tokenId !== undefined && known?.decimals === undefined && { isUnscaled: true }),
        amount: fit(`${sign}${inUnits(size)}`),
        isGiven,
      };
    }),
  );
  const nfts = (balances?.nfts ?? []).map(({ tokenId, serial, from, to, isAllowed }): NftRow => {
    return {
      nft: fit(nftName(tokenId, serial, denominations.get(tokenId))),
      ...(from !== undefined && { from: fit(from) }),
      ...(to !== undefined && { to: fit(to) }),
      ...(isAllowed && { isByAllowance: true }),
      ...definedOnly({
        opensToken: openable(tokenId),
        opensFrom: openable(from),
        opensTo: openable(to),
      }),
    };
  });
  const nftRows = nftSums(balances?.nfts ?? []).map(({ tokenId, account, ...sum }) => ({
    ...nftSumRow(sum, tokenName(tokenId, denominations.get(tokenId)), form),
    account: fit(account),
    ...definedOnly({ opensAccount: openable(account), opensAsset: openable(tokenId) }),
  }));
  return { transfers: [...transfers, ...nftRows], nfts };
}

/** How much of what an account gave was taken by an allowance; of what it has in sum that may be a part, or more. */
function allowanceText(
  { allowed, size, isGiven }: { readonly allowed: string; readonly size: string; readonly isGiven: boolean },
  amount: ShownText,
): ShownText {
  if (isGiven && allowed === size) return shown`by allowance`;
  if (isGiven && BigInt(allowed) < BigInt(size)) return shown`of it ${amount} by allowance`;
  return shown`${amount} given by allowance`;
}
