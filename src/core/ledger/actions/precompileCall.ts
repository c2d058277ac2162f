import { withShortIds } from "../../text/inBrief.ts";
import { addressText, type WordForm } from "./addressText.ts";
import { calledAddress, hexDigits, outcomeOf, type ContractAction } from "./contractAction.ts";
import { systemContractAt } from "./systemContracts.ts";

/** What a precompiled contract was given and what it answered; it has no functions, so that both are bare data. */
interface PrecompileCall {
  readonly name: string;
  readonly args: string;
  /** Missing where it answered with nothing. */
  readonly result?: string;
}

const WORD_DIGITS = 64;
const ADDRESS_DIGITS = 40;

/** A call of a precompiled contract in words; `undefined` for any other. */
export function precompileCall(action: ContractAction, form: WordForm): PrecompileCall | undefined {
  const system = systemContractAt(calledAddress(action));
  if (system?.kind !== "precompile") return undefined;
  const { name } = system;
  const fit = form === "short" ? withShortIds : (text: string) => text;
  const input = hexDigits(action.input);
  const output = outcomeOf(action) === "succeeded" ? hexDigits(action.result_data) : "";
  const isWord = output.length === WORD_DIGITS;
  const address = `0x${output.slice(-ADDRESS_DIGITS)}`;
  const signed = name === "ecrecover" ? signatureText(input) : undefined;
  const result =
    name === "ecrecover" && isWord
      ? addressText(address, form)
      : // A hash of 20 bytes.
        fit(name === "ripemd160" && isWord ? address : `0x${output}`);
  return {
    name,
    args: input === "" ? "" : fit(signed ?? `0x${input}`),
    ...(output !== "" && { result }),
  };
}

/** The hash that was signed and its signature, where they are whole. */
function signatureText(input: string): string | undefined {
  const [hash, v, r, s] = input.match(/.{64}/g) ?? [];
  if (input.length !== 4 * WORD_DIGITS || hash === undefined || v === undefined) return undefined;
  return `hash: 0x${hash}, v: ${BigInt(`0x${v}`)}, r: 0x${r ?? ""}, s: 0x${s ?? ""}`;
}
