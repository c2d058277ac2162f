import { selectorNumber, signatureOfText, topicOf, type MemberKind } from "../../evm/abiEntry.ts";
import { HEDERA_TABLE } from "./hederaTable.ts";
import type { NamedDefinition } from "./nameSource.ts";
import { STANDARD_TABLE } from "./standardTable.ts";

/** A definition of a table: human-readable ABI. */
export interface ShippedDefinition extends NamedDefinition {
  readonly abi: string;
  /** The standard or the system contract that it is of: `ERC-20`, `Hedera Token Service`. */
  readonly standard: string;
  /** Of an event. */
  readonly topic?: string;
}

/** By kind and number of the selector. */
type Definitions = ReadonlyMap<string, readonly ShippedDefinition[]>;

let standards: Definitions | undefined;
let systemContracts: Definitions | undefined;

/** What standards have under a selector; where none has anything, what the network's own contracts have. */
export function standardDefinitions(kind: MemberKind, selector: number): readonly ShippedDefinition[] {
  const found = ofStandards(kind, selector);
  return found.length > 0 ? found : systemDefinitions(kind, selector);
}

/**
 * What a system contract has under a selector, or else what the first of the others has; a facade's functions are those of
 * its service. Behind them stands what standards have there: a token answers `setApprovalForAll` with a response code, where
 * ERC-721 has no result.
 *
 * @param contract the system contract's name
 */
export function systemDefinitions(
  kind: MemberKind,
  selector: number,
  contract?: string,
): readonly ShippedDefinition[] {
  systemContracts ??= readTable(HEDERA_TABLE);
  const found = systemContracts.get(`${kind} ${selector}`) ?? [];
  const owner = found.find(({ standard }) => standard === contract) ?? found[0];
  if (!owner) return [];
  return [...found.filter(({ standard }) => standard === owner.standard), ...ofStandards(kind, selector)];
}

function ofStandards(kind: MemberKind, selector: number): readonly ShippedDefinition[] {
  standards ??= readTable(STANDARD_TABLE);
  return standards.get(`${kind} ${selector}`) ?? [];
}

function readTable(table: string): Definitions {
  const found = new Map<string, ShippedDefinition[]>();
  let standard = "";
  for (const line of expanded(table)) {
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

/** The lines of a table, in which a line `$a=address` says what `$a` stands for behind it. */
export function expanded(table: string): readonly string[] {
  const phrases = new Map<string, string>();
  const lines: string[] = [];
  for (const line of table.trim().split("\n")) {
    const whole = line.replace(/\$\w(?!=)/g, (sign) => phrases.get(sign) ?? sign);
    const [, sign, phrase] = /^(\$\w)=(.*)$/.exec(whole) ?? [];
    if (sign !== undefined && phrase !== undefined) phrases.set(sign, phrase);
    else lines.push(whole);
  }
  return lines;
}
