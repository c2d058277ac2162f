import { t } from "@vscode/l10n";
import { agreedSlotAt } from "../../evm/proxy.ts";
import type { StorageLayout } from "../../evm/storageLayout.ts";
import {
  ADDRESS_TYPE,
  storedText,
  StoredVariables,
  textsIn,
  type StoredVariable,
} from "../../evm/storedVariables.ts";
import { groupDigits } from "../../text/exactDecimal.ts";
import { foreign, foreignLine, foreignWhole } from "../../text/shownText.ts";
import { addressText, type WordForm } from "../actions/addressText.ts";
import type { ActionTree } from "../actions/actionTree.ts";
import { hexDigits } from "../actions/contractAction.ts";
import type { StateRow } from "./pageModel.ts";
import { partyText } from "./partyText.ts";
import type { ContractExecution } from "./transactionRecord.ts";

/** So many words of a transaction are tried as keys of mappings. */
const MAX_WORDS = 500;
const MAX_TEXTS = 100;

type StateChange = NonNullable<ContractExecution["state_changes"]>[number];

/**
 * Where the variables of contracts lie, by address in lower case: by the layout of the contract itself, then by those of
 * what runs in its storage.
 */
export type StorageLayouts = ReadonlyMap<string, readonly StorageLayout[]>;

const NO_LAYOUTS: StorageLayouts = new Map();

interface KeptRows {
  readonly execution: ContractExecution;
  readonly layouts: StorageLayouts;
  readonly rows: readonly StateRow[];
}

/** A page is told anew whenever a name is found, and looking for the keys of mappings takes thousands of hashes. */
const keptRows = new WeakMap<ActionTree, KeptRows>();

/**
 * The slots that a transaction read or wrote, by the names of the variables in them where a layout says; the same rows for
 * the same tree, execution and layouts.
 */
export function stateRows(
  tree: ActionTree,
  execution: ContractExecution | undefined,
  layouts: StorageLayouts = NO_LAYOUTS,
): readonly StateRow[] {
  if (!execution) return [];
  const kept = keptRows.get(tree);
  if (kept?.execution === execution && kept.layouts === layouts) return kept.rows;
  const rows = rowsOf(execution.state_changes ?? [], variablesIn(tree, execution, layouts), "short");
  keptRows.set(tree, { execution, layouts, rows });
  return rows;
}

/** The same rows with nothing shortened in them, for a copy. */
export function wholeStateRows(
  tree: ActionTree,
  execution: ContractExecution,
  layouts: StorageLayouts = NO_LAYOUTS,
): readonly StateRow[] {
  return rowsOf(execution.state_changes ?? [], variablesIn(tree, execution, layouts), "whole");
}

/** By address in lower case. */
function variablesIn(
  tree: ActionTree,
  execution: ContractExecution,
  layouts: StorageLayouts,
): ReadonlyMap<string, readonly StoredVariables[]> {
  if (layouts.size === 0) return new Map();
  const [words, texts] = [keyWordsOf(tree, execution), keyTextsOf(tree, execution)];
  return new Map(
    [...layouts].map(([address, ofContract]) => [
      address,
      ofContract.map((layout) => new StoredVariables(layout, words, texts, addressInWords)),
    ]),
  );
}

function rowsOf(
  changes: readonly StateChange[],
  variables: ReadonlyMap<string, readonly StoredVariables[]>,
  form: WordForm,
): StateRow[] {
  const fit = form === "short" ? foreignLine : foreignWhole;
  return changes.map((change) => {
    const { contract_id: id, address, slot, value_read: read, value_written: written } = change;
    const contract = partyText(id, address, form);
    const lying = slot === undefined ? [] : readingsOf(change, variables, numberOf(slot));
    const [shownOnes = [], ...others] = lying.length > 0 ? lying : [agreedVariables(change)];
    const name = [shownOnes, ...others].map(namesOf).reduce((one, other) => t`${one} or ${other}`);
    const textIn = (hex: string | undefined, ones: readonly StoredVariable[]) => valueText(hex, ones, form);
    // Which of them wrote there is not known, so that their values are told where they are the same.
    const isAgreed = others.every(
      (ones) =>
        textIn(read, ones) === textIn(read, shownOnes) &&
        textIn(written, ones) === textIn(written, shownOnes),
    );
    const valued = isAgreed ? shownOnes : [];
    return {
      contract,
      ...(address !== undefined && { address: address.toLowerCase() }),
      slot: fit(slot ?? t`unknown`),
      ...(shownOnes.length > 0 && {
        variable: (form === "short" ? foreign : foreignWhole)(name),
      }),
      before: fit(textIn(read, valued) ?? t`unknown`),
      ...(written !== undefined && { after: fit(textIn(written, valued) ?? written) }),
      ...(form === "short" && valued.length === 0 && wordsOfRow(read, written)),
    };
  });
}

/**
 * What lies in a slot by each layout that knows something there, without those that say the same; of what lies there
 * together what was changed, where that can be told.
 */
function readingsOf(
  { address, value_read: read, value_written: written }: StateChange,
  variables: ReadonlyMap<string, readonly StoredVariables[]>,
  slot: bigint,
): readonly (readonly StoredVariable[])[] {
  const isChanged = (one: StoredVariable) =>
    written === undefined || read === undefined || textOf(read, one) !== textOf(written, one);
  const readings = new Map<string, readonly StoredVariable[]>();
  for (const ofLayout of variables.get(address?.toLowerCase() ?? "") ?? []) {
    const found = ofLayout.at(slot);
    if (found.length === 0) continue;
    const changed = found.filter(isChanged);
    const told = changed.length > 0 ? changed : found;
    const key = JSON.stringify(told);
    if (!readings.has(key)) readings.set(key, told);
  }
  return [...readings.values()];
}

function namesOf(variables: readonly StoredVariable[]): string {
  return variables.map(({ name }) => name).join(", ");
}

/** The words themselves, where a row says them as numbers. */
function wordsOfRow(read: string | undefined, written: string | undefined): Pick<StateRow, "words"> {
  const words = {
    ...(read !== undefined && { before: foreignLine(read) }),
    ...(written !== undefined && { after: foreignLine(written) }),
  };
  return { words };
}

/** What lies in the slot of a proxy that a standard names; nothing where its values are no addresses. */
function agreedVariables({
  slot,
  value_read: read,
  value_written: written,
}: StateChange): readonly StoredVariable[] {
  const agreed = slot === undefined ? undefined : agreedSlotAt(numberOf(slot));
  const isAddress = (hex: string | undefined) => hex === undefined || numberOf(hex) >> 160n === 0n;
  if (!agreed || !isAddress(read) || !isAddress(written)) return [];
  return [{ name: agreedName(agreed), type: "address", offset: 0, bytes: 20 }];
}

/** "implementation (EIP-1967)" */
function agreedName({ holds, standard }: NonNullable<ReturnType<typeof agreedSlotAt>>): string {
  switch (holds) {
    case "implementation":
      return t`implementation (${standard})`;
    case "beacon":
      return t`beacon (${standard})`;
    case "admin":
      return t`admin (${standard})`;
  }
}

/** The words of 32 bytes that a transaction names: addresses, arguments, what was logged; hex without `0x`. */
function keyWordsOf(tree: ActionTree, execution: ContractExecution): string[] {
  const words = new Set<string>();
  const add = (hex: unknown) => {
    const digits = hexDigits(hex);
    if (words.size < MAX_WORDS && digits !== "" && digits.length <= 64) words.add(digits.padStart(64, "0"));
  };
  const addAll = (digits: string) => {
    for (const one of digits.match(/.{64}/g)?.slice(0, MAX_WORDS) ?? []) add(`0x${one}`);
  };
  for (const address of [execution.from, execution.to, execution.address]) add(address);
  for (const { from, to } of tree.actions) [from, to].forEach(add);
  for (const { topics = [] } of execution.logs ?? []) topics.forEach(add);
  for (const { input } of tree.actions) addAll(hexDigits(input).slice(8));
  for (const { data } of execution.logs ?? []) addAll(hexDigits(data));
  return [...words];
}

/** The texts and bytes that calls were given and that were logged; hex without `0x`. */
function keyTextsOf(tree: ActionTree, execution: ContractExecution): string[] {
  const data = [
    ...tree.actions.map(({ input }) => hexDigits(input).slice(8)),
    ...(execution.logs ?? []).map((log) => hexDigits(log.data)),
  ];
  return [...new Set(data.flatMap((one) => textsIn(one, MAX_TEXTS)))].slice(0, MAX_TEXTS);
}

function numberOf(hex: string): bigint {
  const digits = hexDigits(hex);
  return digits === "" ? 0n : BigInt(`0x${digits}`);
}

function addressInWords(address: string): string {
  return addressText(address, "whole");
}

function textOf(hex: string, variable: StoredVariable): string {
  const text = storedText(hexDigits(hex).slice(-64), variable);
  if (ADDRESS_TYPE.test(variable.type)) return addressInWords(text);
  return /^-?\d+$/.test(text) ? groupDigits(text) : text;
}

/** What is larger more likely is a hash, an address or several values than a number. */
const NUMBER_BITS = 64n;

/**
 * The values of variables in a word, with their names where there are several. Where no variable is known, a row has a small
 * number as that and a copy the word.
 */
function valueText(
  hex: string | undefined,
  variables: readonly StoredVariable[],
  form: WordForm,
): string | undefined {
  if (hex === undefined) return undefined;
  const [first, ...others] = variables;
  if (!first) {
    const number = numberOf(hex);
    return form === "short" && number >> NUMBER_BITS === 0n ? groupDigits(String(number)) : hex;
  }
  if (others.length === 0) return textOf(hex, first);
  return variables.map((one) => `${one.name}: ${textOf(hex, one)}`).join(", ");
}
