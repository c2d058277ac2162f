import { encodedAddress } from "../../evm/address.ts";
import { readSelector } from "../../evm/abiEntry.ts";
import { fromLongZeroAddress } from "../references/entityId.ts";

/** A contract that is part of the network. */
interface SystemContract {
  readonly name: string;
  /** A precompiled contract of the EVM has no functions: its input is data. */
  readonly kind: "hedera" | "precompile";
}

const CONTRACTS: Readonly<Record<number, string>> = {
  0x167: "Hedera Token Service",
  0x168: "Exchange Rate",
  0x169: "Pseudorandom Number Generator",
  0x16a: "Hedera Account Service",
  0x16b: "Hedera Schedule Service",
  0x16c: "Hedera Token Service (0x16c)",
};

const PRECOMPILES: Readonly<Record<number, string>> = {
  0x01: "ecrecover",
  0x02: "sha256",
  0x03: "ripemd160",
  0x04: "identity",
  0x05: "modexp",
  0x06: "ecAdd",
  0x07: "ecMul",
  0x08: "ecPairing",
  0x09: "blake2f",
  0x0a: "pointEvaluation",
  0x0b: "bls12G1Add",
  0x0c: "bls12G1Msm",
  0x0d: "bls12G2Add",
  0x0e: "bls12G2Msm",
  0x0f: "bls12PairingCheck",
  0x10: "bls12MapFpToG1",
  0x11: "bls12MapFp2ToG2",
  0x100: "p256Verify",
};

/** The system contract or precompile at an address. */
export function systemContractAt(address: string | undefined): SystemContract | undefined {
  const id = address === undefined ? undefined : fromLongZeroAddress(address);
  if (id?.shard !== 0 || id.realm !== 0) return undefined;
  const hedera = CONTRACTS[id.num];
  if (hedera !== undefined) return { name: hedera, kind: "hedera" };
  const precompile = PRECOMPILES[id.num];
  return precompile === undefined ? undefined : { name: precompile, kind: "precompile" };
}

/** What of the contracts that answer with a response code has another answer: redirectForToken, hasScheduleCapacity. */
const OTHER_ANSWERS: ReadonlySet<string> = new Set(["0x618dc65e", "0xdfb4a999"]);

/** Whether a contract's function answers with a response code in its first word. */
export function answersWithResponseCode(address: string | undefined, selector: string | undefined): boolean {
  if (OTHER_ANSWERS.has(selector ?? "")) return false;
  const { shard, realm, num } = (address === undefined ? undefined : fromLongZeroAddress(address)) ?? {};
  if (shard !== 0 || realm !== 0) return false;
  return num === 0x167 || num === 0x16b || num === 0x16c;
}

/**
 * The definitions, as human-readable ABI, that a function of a system contract or of a facade can have by its selector: what
 * it came back with tells one from another.
 *
 * @param selector `0x` and 8 hex digits
 * @param contract the system contract's name, where one is called
 */
export async function systemFunctions(selector: string, contract?: string): Promise<readonly string[]> {
  const number = readSelector(selector);
  if (number === undefined) return [];
  const { systemDefinitions } = await import("../names/shippedTables.ts");
  return systemDefinitions("function", number, contract).map(({ abi }) => abi);
}

/** A call that was handed on to a token: `redirectForToken` packs the token's address and the inner call. */
interface RedirectedCall {
  /** 20 bytes, with `0x`. */
  readonly token: string;
  /** The call to the token, with `0x`. */
  readonly input: string;
}

/** A call that a facade handed on to its service. */
interface HandedOnCall {
  /** The token, account or schedule: 20 bytes, with `0x`. */
  readonly to: string;
  /** The call to it, with `0x`. */
  readonly input: string;
}

/** `redirectForToken`; with `redirectForAccount` (HIP-906) and `redirectForScheduleTxn` (HIP-755). */
const TO_TOKEN = /^0x618dc65e[0-9a-f]*$/i;
const TO_ANY = /^0x(?:618dc65e|e4cbd3a7|5c3889ca)[0-9a-f]*$/i;

/** Unpacks `redirectForToken(address,bytes)` (HIP-218), as {@link unpackHandedOn} does; `undefined` for any other input. */
export function unpackRedirect(input: unknown): RedirectedCall | undefined {
  const found = typeof input === "string" && TO_TOKEN.test(input) ? unpackHandedOn(input) : undefined;
  return found && { token: found.to, input: found.input };
}

/**
 * Unpacks a call that a facade handed on: selector, 20 bytes of address, inner call data, without the ABI's padding. The
 * padded form is accepted as well; `undefined` for any other input.
 */
export function unpackHandedOn(input: unknown): HandedOnCall | undefined {
  const digits = typeof input === "string" && TO_ANY.test(input) ? input.slice(10).toLowerCase() : "";
  if (digits.length < 40) return undefined;
  const isPadded = digits.slice(64, 128) === "40".padStart(64, "0");
  const to = isPadded ? encodedAddress(digits.slice(0, 64)) : undefined;
  if (to === undefined) return { to: `0x${digits.slice(0, 40)}`, input: `0x${digits.slice(40)}` };
  const length = Number(`0x${digits.slice(128, 192) || "0"}`);
  const inner = digits.slice(192, 192 + Math.min(length, digits.length) * 2);
  return { to, input: `0x${inner}` };
}

/**
 * What a call that was handed on returned, where the answer is that of `redirectForToken` itself: a response code and the
 * bytes of the result, and nothing behind them; `undefined` for any other answer.
 */
export function unpackRedirectResult(data: string): string | undefined {
  const digits = data.slice(2);
  if (!/^0{60}/.test(digits) || digits.slice(64, 128) !== "40".padStart(64, "0")) return undefined;
  const length = Number(`0x${digits.slice(128, 192) || "0"}`);
  const isWhole = digits.length === 192 + 64 * Math.ceil(length / 32);
  return isWhole ? `0x${digits.slice(192, 192 + length * 2)}` : undefined;
}
