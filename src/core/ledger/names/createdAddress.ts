import type { MemberKind } from "../../evm/abiEntry.ts";
import { fromLongZeroAddress } from "../references/entityId.ts";
import type { LedgerContract } from "../ledgerService.ts";
import type { NamedContract, NamedDefinition, NameScope, NameSource } from "./nameSource.ts";

/** The ledger's own record of a contract; `undefined` for what is none there. */
type ContractLookUp = (scope: NameScope) => Promise<LedgerContract | undefined>;

/**
 * Asks a source of names for the address at which a contract was created, where the ledger names it by its number:
 * services beside the ledger know nothing of such numbers.
 */
export class NamesAtCreatedAddress implements NameSource {
  readonly certainty;
  readonly #source: NameSource;
  readonly #contractAt: ContractLookUp;

  constructor(source: NameSource, contractAt: ContractLookUp) {
    this.certainty = source.certainty;
    this.#source = source;
    this.#contractAt = contractAt;
  }

  async definitions(
    kind: MemberKind,
    selector: string,
    scope: NameScope,
  ): Promise<readonly NamedDefinition[]> {
    return this.#source.definitions(kind, selector, await this.#created(scope));
  }

  async contractName(scope: NameScope): Promise<NamedContract | undefined> {
    return this.#source.contractName?.(await this.#created(scope));
  }

  async #created(scope: NameScope): Promise<NameScope> {
    // Contract actions name a contract by the address that is made of its number.
    if (scope.address === undefined || !fromLongZeroAddress(scope.address)) return scope;
    const contract = await this.#contractAt(scope);
    return contract ? { ...scope, address: contract.address } : scope;
  }
}
