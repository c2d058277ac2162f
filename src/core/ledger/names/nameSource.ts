import type { DefinitionPlace } from "../../text/definitionPlace.ts";
import type { MemberKind } from "../../evm/abiEntry.ts";
import type { StorageLayout } from "../../evm/storageLayout.ts";
import type { AbiItem } from "../../evm/abiDecoding.ts";
import type { LedgerNetwork } from "../references/network.ts";

/**
 * How far a name can be trusted. `system`: the contract is part of the network. `workspace`: an artifact of the
 * open workspace. `verified`: the verified source at the verification service. `standard`: a standard has a function
 * with this selector. `guess`: other contracts have one.
 */
export type NameCertainty = "system" | "workspace" | "verified" | "standard" | "guess";

/** A definition that fits a selector. */
export interface NamedDefinition {
  readonly abi: AbiItem;
  readonly place?: DefinitionPlace;
  /** The standard that it is of: `ERC-20`. */
  readonly standard?: string;
}

/** A contract's name. */
export interface NamedContract {
  readonly name: string;
  readonly place?: DefinitionPlace;
}

/** Where a name is wanted. */
export interface NameScope {
  readonly network: LedgerNetwork;
  /** Lower case, with `0x`; `undefined` for a failed creation. */
  readonly address: string | undefined;
  readonly signal?: AbortSignal;
}

/**
 * A source of names. Sources are asked in the order of trust; the first that knows wins. A source that can't be reached
 * answers with nothing: a trace without names is better than none.
 */
export interface NameSource {
  readonly certainty: NameCertainty;
  /** @param selector `0x` and 8 lower-case hex digits; of an event its first topic, whole */
  definitions(kind: MemberKind, selector: string, scope: NameScope): Promise<readonly NamedDefinition[]>;
  /** Missing for a source that knows no contracts. */
  contractName?(scope: NameScope): Promise<NamedContract | undefined>;
  /** Where the variables of a contract lie; missing for a source that never knows. */
  storageLayout?(scope: NameScope): Promise<StorageLayout | undefined>;
}
