import { t } from "@vscode/l10n";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { chainIdOf } from "../chainId.ts";
import { isAddress } from "../evm/address.ts";
import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { LedgerLensError } from "../errors.ts";
import { counted } from "../text/counted.ts";
import { foreign } from "../text/shownText.ts";

/**
 * The parameters of the verification interface, checked by its own patterns before anything is sent. Each
 * function answers the value in the form to send, or throws a {@link LedgerLensError} whose code is
 * `invalid_chain_id`, `invalid_address`, `invalid_transaction_hash`, `invalid_compiler_version`,
 * `invalid_contract_identifier` or `invalid_verification_id`.
 */

/** `^\d+$`, 1 to 20 characters, with zeros in front or without; a number is accepted too. */
export function checkChainId(value: string | number): string {
  const chainId = chainIdOf(value);
  if (chainId !== undefined) return chainId;
  throw new LedgerLensError(
    "invalid_chain_id",
    t`"${foreign(String(value).trim())}" is not a chain id. Use its decimal digits, like 295.`,
  );
}

/**
 * `0x` and 40 hexadecimal digits in any case. Mixed case is an EIP-55 checksum and must be right: the service
 * refuses a wrong one, and a wrong one is most often a typing error.
 *
 * @returns the address with its checksum.
 */
export function checkAddress(value: string): string {
  const text = value.trim();
  if (text === "")
    throw new LedgerLensError("invalid_address", t`Type an address: 0x and 40 hexadecimal digits.`);
  if (!isAddress(text)) {
    throw new LedgerLensError("invalid_address", noAddress(text));
  }
  const checksummed = checksumAddress(text);
  const digits = text.slice(2);
  if (text !== checksummed && digits !== digits.toLowerCase() && digits !== digits.toUpperCase()) {
    throw new LedgerLensError(
      "invalid_address",
      t`The checksum of ${text} is wrong. Check the address; these digits would be written ${checksummed}.`,
    );
  }
  return checksummed;
}

/** What is wrong with a text that has not the form of an address. */
function noAddress(text: string): string {
  const shown = foreign(text);
  const [, prefix = "", hex] = /^(0x)?([0-9a-f]*)$/i.exec(text) ?? [];
  if (prefix !== "" && hex !== undefined && hex.length !== 40)
    return t`"${shown}" is not an address: it has ${counted(hex.length, "hex digit")}, an address has 40.`;
  if (hex?.length === 40) return t`"${shown}" is not an address: an address begins with 0x.`;
  if (text.startsWith("0x")) return t`"${shown}" is not an address: only 0 to 9 and a to f may follow 0x.`;
  return t`"${shown}" is not an address. Use 0x and 40 hexadecimal digits.`;
}

/** An address in EIP-55 form. */
function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  return `0x${digits.replace(/[a-f]/g, (digit, at: number) => (hash.charAt(at) >= "8" ? digit.toUpperCase() : digit))}`;
}

/** `0x` and 64 hexadecimal digits; the interface takes lower case only, so that is what is answered. */
export function checkTransactionHash(value: string): string {
  const text = value.trim().toLowerCase();
  if (/^0x[0-9a-f]{64}$/.test(text)) return text;
  throw new LedgerLensError(
    "invalid_transaction_hash",
    t`"${foreign(value.trim())}" is not the hash of a transaction. Use 0x and 64 hexadecimal digits.`,
  );
}

/** `^v?\d+\.\d+\.\d+.*$`. */
export function checkCompilerVersion(value: string): string {
  const text = value.trim();
  if (/^v?\d+\.\d+\.\d+[^\r\n]*$/.test(text)) return text;
  throw new LedgerLensError(
    "invalid_compiler_version",
    t`"${foreign(text)}" is not a compiler version. Use a form like 0.8.30+commit.73712a01.`,
  );
}

/** `<source unit name>:<contract name>`, the name behind the last colon. */
export function checkContractIdentifier(value: string): string {
  const { file, name } = splitIdentifier(value);
  if (file !== "" && name !== "") return value;
  throw new LedgerLensError(
    "invalid_contract_identifier",
    t`"${foreign(value)}" is not a contract identifier. Use path/to/File.sol:ContractName.`,
  );
}

/** A UUID in lower case. */
export function checkVerificationId(value: string): string {
  const text = value.trim().toLowerCase();
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text)) return text;
  throw new LedgerLensError(
    "invalid_verification_id",
    t`"${foreign(value.trim())}" is not a verification id. Use the UUID that the service gave for the submission.`,
  );
}
