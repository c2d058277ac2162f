import { isAddress } from "../evm/address.ts";
import { field } from "../json/looseData.ts";

/** A contract that a project's records say was deployed. */
export interface RecordedDeployment {
  /** Decimal. */
  readonly chainId: string;
  /** 0x and 40 digits, as recorded. */
  readonly address: string;
  /** `path/File.sol:Name` where the record says the file, else the bare name. */
  readonly contract: string;
  /** 0x and 64 digits in lower case. */
  readonly creationTransactionHash?: string;
  /** The name of a recorder of the table of tools. */
  readonly recordedBy: string;
  /** The file of the record, absolute. */
  readonly record: string;
  /** Another file that says it, absolute, where a tool writes two. */
  readonly alsoIn?: string;
  /** Milliseconds since 1970. */
  readonly when?: number;
  /** Where the run that recorded it has not come to its end: what is waited for, its own transaction or others. */
  readonly awaits?: "itself" | "others";
  /** The arguments of the constructor as the record holds them. */
  readonly constructorArguments?: readonly unknown[];
  /** The code that the creation ran, 0x and lower-case digits, the constructor's arguments at its end. */
  readonly creationCode?: string;
}

/** An address in a record, or `undefined` for what is none. */
export function recordedAddress(value: unknown): string | undefined {
  return typeof value === "string" && isAddress(value) ? value : undefined;
}

/** A transaction hash in a record, in lower case. */
export function recordedHash(value: unknown): string | undefined {
  return typeof value === "string" && /^0x[0-9a-fA-F]{64}$/.test(value) ? value.toLowerCase() : undefined;
}

/** Whether a receipt in a record says that its transaction failed, so that nothing was deployed by it. */
export function isFailed(receipt: unknown): boolean {
  const status = field(receipt, "status");
  return status === 0 || status === false || (typeof status === "string" && /^(?:0x)?0+$/.test(status));
}
