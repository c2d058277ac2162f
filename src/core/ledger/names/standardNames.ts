import {
  readSelector,
  selectorNumber,
  topicOf,
  signatureOfText,
  type MemberKind,
} from "../../evm/abiEntry.ts";
import type { NamedDefinition, NameSource } from "./nameSource.ts";

/**
 * The functions, errors and events of standards that ship with the extension. They say what a selector most likely is,
 * wherever it is met; nothing is asked for them, and the table is loaded at its first use.
 */
export class StandardNames implements NameSource {
  readonly certainty = "standard";
  #table: Promise<StandardDefinitions> | undefined;

  /** A selector says nothing about the contract. */
  contractName(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async definitions(kind: MemberKind, selector: string): Promise<readonly NamedDefinition[]> {
    const number = readSelector(selector);
    if (number === undefined) return [];
    this.#table ??= import("./standardTable.ts").then(({ STANDARD_TABLE }) => readTable(STANDARD_TABLE));
    const found = (await this.#table).get(`${kind} ${number}`) ?? [];
    return kind === "event" ? found.filter(({ topic }) => topic === selector) : found;
  }
}

/** By kind and number of the selector. */
type StandardDefinitions = ReadonlyMap<string, readonly (NamedDefinition & { readonly topic?: string })[]>;

function readTable(table: string): StandardDefinitions {
  const found = new Map<string, (NamedDefinition & { readonly topic?: string })[]>();
  let standard = "";
  for (const line of table.trim().split("\n")) {
    if (line.startsWith("# ")) {
      standard = line.slice(2);
      continue;
    }
    const kind = line.startsWith("error ") ? "error" : line.startsWith("event ") ? "event" : "function";
    const abi = kind === "function" ? `function ${line}` : line;
    const signature = signatureOfText(abi);
    const key = `${kind} ${selectorNumber(signature)}`;
    const definition = { abi, standard, ...(kind === "event" && { topic: topicOf(signature) }) };
    found.set(key, [...(found.get(key) ?? []), definition]);
  }
  return found;
}
