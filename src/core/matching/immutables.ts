import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { RULES } from "../languages/rules.ts";
import type { Pieces } from "../concurrency/turns.ts";
import type { ContractDeclaration, TypeName } from "../sources/sourceDeclarations.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import type { CodeTransformation } from "../service/codeTransformation.ts";
import { encodedAddress } from "../evm/address.ts";
import { groupDigits } from "../text/exactDecimal.ts";
import { firstFew } from "../text/counted.ts";
import { foreign, shortAddress } from "../text/shownText.ts";

/** What a deployment wrote into its immutables, by the ids that the compiler gives them: words without `0x`. */
type WrittenImmutables = ReadonlyMap<string, string>;

/** What stands in a deployed code where the engine found immutables: a word in each place, or all words behind the code. */
export function writtenImmutables(
  deployedCode: string,
  transformations: readonly CodeTransformation[],
): WrittenImmutables {
  const digits = deployedCode.replace(/^0x/, "");
  return new Map(
    transformations.flatMap(({ type, reason, offset, id }) => {
      const value = digits.slice(2 * offset, type === "replace" ? 2 * offset + 64 : undefined);
      return reason === "immutable" && id !== undefined && value !== "" ? [[id, value] as const] : [];
    }),
  );
}

/** An immutable as the sources declare it. */
interface DeclaredImmutable {
  readonly name: string;
  readonly type: TypeName;
}

const MAX_SHOWN = 8;
/** Hexadecimal digits of what is taken for a number: 2^96, more than any amount with 18 decimals. */
const MAX_NUMBER_DIGITS = 24;

/**
 * "beneficiary 0x7099…79c8, deadline 1,798,761,600": by their names where the sources tell which is which, else the
 * values alone; `undefined` where there are none.
 */
export function* immutablesInWordsInPieces(
  written: WrittenImmutables,
  input: Pick<StandardJsonInput, "sources" | "language">,
  contractIdentifier: string,
): Pieces<string | undefined> {
  const values = [...written].sort(([one], [other]) => Number(one) - Number(other));
  if (values.length === 0) return undefined;
  const declared = yield* declaredImmutables(input, contractIdentifier);
  // The compiler numbers what it reads in the order of the sources, and what no function reads is not in the code.
  const names = declared?.length === values.length ? declared : undefined;
  const texts = names
    ? values.map(([, value], at) => {
        const { name, type } = names[at] ?? {};
        return `${foreign(name ?? "")} ${immutableInWords(value, type)}`;
      })
    : values.flatMap(([, value]) => (value.match(/.{64}/g) ?? [value]).map(wordInWords));
  return firstFew(texts, MAX_SHOWN);
}

/**
 * The immutables of a contract and of all that it inherits from, in the order in which the compiler reads them: file
 * after file by their names. `undefined` where a base is not found, or several contracts have its name.
 */
function* declaredImmutables(
  { sources, language }: Pick<StandardJsonInput, "sources" | "language">,
  contractIdentifier: string,
): Pieces<readonly DeclaredImmutable[] | undefined> {
  const { declarations } = RULES[language];
  if (!declarations) return undefined;
  const files = new Map<string, readonly ContractDeclaration[]>();
  for (const [file, { content }] of Object.entries(sources))
    files.set(file, (yield* declarations(file, content)).contracts);
  const { file, name } = splitIdentifier(contractIdentifier);
  const found = new Map<ContractDeclaration, string>();
  const wanted = [{ file, name }];
  for (let next = wanted.pop(); next; next = wanted.pop()) {
    const { file: from, name: called } = next;
    const named = (contracts: readonly ContractDeclaration[] = []) =>
      contracts.filter((one) => one.name === called);
    const own = named(files.get(from)).map((contract) => [contract, from] as const);
    const all = [...files].flatMap(([other, contracts]) =>
      named(contracts).map((contract) => [contract, other] as const),
    );
    const [only, ...others] = own.length > 0 ? own : all;
    if (!only || others.length > 0) return undefined;
    const [contract, where] = only;
    if (found.has(contract)) continue;
    found.set(contract, where);
    for (const base of contract.bases)
      wanted.push({ file: where, name: base.slice(base.lastIndexOf(".") + 1) });
  }
  return [...found]
    .sort(([one, where], [other, elsewhere]) =>
      where === elsewhere ? one.start - other.start : where < elsewhere ? -1 : 1,
    )
    .flatMap(([{ members }]) => members.filter(({ isImmutable }) => isImmutable))
    .flatMap(({ name: called, outputs: [output] }) => (output ? [{ name: called, type: output.type }] : []));
}

/** A word by the type that it is declared with; types of the sources as what the word looks like. */
function immutableInWords(word: string, type: TypeName | undefined): string {
  const name = type?.kind === "named" ? type.name : "";
  if (word.length !== 64) return wordInWords(word);
  if (name === "bool") return BigInt(`0x${word}`) === 0n ? "false" : "true";
  const address = /^address\b/.test(name) ? encodedAddress(word) : undefined;
  if (address !== undefined) return shortAddress(address);
  const signed = /^int\d*$/.test(name);
  if (signed || /^uint\d*$/.test(name)) {
    const value = BigInt(`0x${word}`);
    return groupDigits((signed ? BigInt.asIntN(256, value) : value).toString());
  }
  const bytes = Number(/^bytes(\d+)$/.exec(name)?.[1] ?? 0);
  return bytes > 0 ? hexInWords(word.slice(0, 2 * bytes)) : wordInWords(word);
}

function hexInWords(digits: string): string {
  return digits.length > 16 ? shortAddress(`0x${digits}`) : `0x${digits}`;
}

/** A word of which nothing is known, as what it looks like: a number, an address or bytes. */
export function wordInWords(operand: string): string {
  const digits = operand.replace(/^0+(?=.)/, "");
  // No address has that many zeros in front.
  if (digits.length <= MAX_NUMBER_DIGITS) return groupDigits(BigInt(`0x${digits}`).toString());
  return digits.length <= 40
    ? shortAddress(`0x${digits.padStart(40, "0")}`)
    : shortAddress(`0x${digits.padStart(64, "0")}`);
}
