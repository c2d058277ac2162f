import { definedOnly } from "../../json/looseData.ts";
import { isCancellation } from "../../errors.ts";
import type { DecodedCall, DecodedValue } from "../../evm/abiDecoding.ts";
import type { MemberKind } from "../../evm/abiEntry.ts";
import { isHardFailure } from "./actionFailure.ts";
import { calledAddress, hexDigits, operationOf, selectorOf, type ContractAction } from "./contractAction.ts";
import type {
  NameCertainty,
  NamedContract,
  NamedDefinition,
  NameScope,
  NameSource,
} from "../names/nameSource.ts";
import type { LedgerNetwork } from "../references/network.ts";
import type { DefinitionPlace } from "../../text/definitionPlace.ts";
import { systemContractAt, systemFunction, unpackRedirect } from "./systemContracts.ts";

/** A function or error that was found under a selector. */
export interface NamedCall extends DecodedCall {
  readonly certainty: NameCertainty;
  readonly place?: DefinitionPlace;
}

/** A log as the ledger has it. */
interface LoggedEvent {
  readonly address?: string | undefined;
  /** 32 bytes each, hex with `0x`. */
  readonly topics?: readonly string[] | undefined;
  readonly data?: string | undefined;
}

/** What is known about an action by name. */
export interface ActionNames {
  readonly contract?: NamedContract & { readonly certainty: NameCertainty };
  readonly call?: NamedCall;
  readonly results?: readonly DecodedValue[];
  readonly error?: NamedCall;
  /** The token to which `redirectForToken` handed the call; {@link call} is then the inner one. */
  readonly redirectedTo?: string;
}

/**
 * Names contracts, functions and errors of actions: system contracts by themselves, everything else by the sources in
 * their order. Answers are kept, so that a row can be drawn at once when it is drawn again.
 */
export class ActionNamer {
  readonly #network: LedgerNetwork;
  readonly #sources: readonly NameSource[];
  readonly #known = new WeakMap<ContractAction, ActionNames>();
  readonly #contracts = new Map<string, Promise<ActionNames["contract"]>>();
  readonly #definitions = new Map<string, Promise<readonly CertainDefinition[]>>();

  constructor(network: LedgerNetwork, sources: readonly NameSource[]) {
    this.#network = network;
    this.#sources = sources;
  }

  /** What {@link name} found before; nothing is asked. */
  known(action: ContractAction): ActionNames | undefined {
    return this.#known.get(action);
  }

  /** Names an action. Only cancellation rejects. */
  async name(action: ContractAction, signal?: AbortSignal): Promise<ActionNames> {
    const known = this.#known.get(action);
    if (known) return known;
    const address = calledAddress(action);
    const scope: NameScope = { network: this.#network, address, ...(signal && { signal }) };
    const redirect = unpackRedirect(action.input);
    const [contract, call, error] = await Promise.all([
      this.#contractAt(scope),
      redirect ? this.#call(redirect.input, redirect.token, scope) : this.#callOf(action, scope),
      this.#error(action, scope),
    ]);
    signal?.throwIfAborted();
    const names: ActionNames = definedOnly({
      contract,
      call: call?.named,
      error,
      redirectedTo: redirect?.token,
    });
    const results = call && !redirect ? await this.#results(action, call.definition) : undefined;
    const complete = results ? { ...names, results } : names;
    this.#known.set(action, complete);
    return complete;
  }

  /**
   * Names a log. Only cancellation rejects.
   *
   * @param log.address of the contract that wrote it
   */
  async event(
    { address, topics = [], data = "0x" }: LoggedEvent,
    signal?: AbortSignal,
  ): Promise<Pick<ActionNames, "contract"> & { readonly event?: NamedCall }> {
    const scope: NameScope = {
      network: this.#network,
      address: address?.toLowerCase(),
      ...(signal && { signal }),
    };
    const [contract, definitions] = await Promise.all([
      this.#contractAt(scope),
      this.#defined("event", topics[0]?.toLowerCase() ?? "", scope),
    ]);
    signal?.throwIfAborted();
    if (definitions.length === 0) return definedOnly({ contract });
    const { abiDecoder } = await import("../../evm/abiDecoding.ts");
    const decoder = abiDecoder();
    for (const { abi, certainty, place } of definitions) {
      const decoded =
        certainty === "guess" && typeof abi === "string"
          ? decoder.decodeGuessedLog(abi.replace(/^event /, ""), topics, data)
          : decoder.decodeLog(abi, topics, data);
      if (decoded && !decoded.isMalformed)
        return definedOnly({ contract, event: { ...decoded, certainty, ...(place && { place }) } });
    }
    return definedOnly({ contract });
  }

  async #callOf(action: ContractAction, scope: NameScope): Promise<FoundCall | undefined> {
    // A creation's input is code.
    if (operationOf(action).startsWith("create") || selectorOf(action) === undefined) return undefined;
    const input = `0x${hexDigits(action.input)}`;
    return this.#call(input, scope.address, scope);
  }

  async #call(input: string, address: string | undefined, scope: NameScope): Promise<FoundCall | undefined> {
    if (!/^0x[0-9a-f]{8}/.test(input) || systemContractAt(scope.address)?.kind === "precompile")
      return undefined;
    const selector = input.slice(0, 10);
    const ofSystem = systemContractAt(scope.address) ? systemFunction(selector) : undefined;
    const definitions: readonly CertainDefinition[] =
      ofSystem === undefined
        ? await this.#defined("function", selector, { ...scope, address })
        : [{ abi: ofSystem, certainty: "system" }];
    return this.#best(definitions, input);
  }

  async #error(action: ContractAction, scope: NameScope): Promise<NamedCall | undefined> {
    const data = `0x${hexDigits(action.result_data)}`;
    const isBuiltIn = /^0x(?:08c379a0|4e487b71)/.test(data);
    if (!isHardFailure(action) || action.result_data_type === "ERROR" || isBuiltIn || data.length < 10)
      return undefined;
    const definitions = await this.#defined("error", data.slice(0, 10), scope);
    const found = await this.#best(definitions, data);
    return found?.named.isMalformed === false ? found.named : undefined;
  }

  async #results(
    action: ContractAction,
    definition: CertainDefinition,
  ): Promise<readonly DecodedValue[] | undefined> {
    if (action.result_data_type !== "OUTPUT") return undefined;
    const { abiDecoder } = await import("../../evm/abiDecoding.ts");
    const decoder = abiDecoder();
    return decoder.decodeResult(definition.abi, `0x${hexDigits(action.result_data)}`);
  }

  /** The first definition that fits the data; a guess has to give the data again when it is encoded. */
  async #best(definitions: readonly CertainDefinition[], data: string): Promise<FoundCall | undefined> {
    if (definitions.length === 0) return undefined;
    const { abiDecoder } = await import("../../evm/abiDecoding.ts");
    const decoder = abiDecoder();
    let malformed: FoundCall | undefined;
    for (const definition of definitions) {
      const decoded = decoder.decode(definition.abi, data);
      if (!decoded || (definition.certainty === "guess" && !decoded.isCanonical)) continue;
      const { certainty, place } = definition;
      const found: FoundCall = { named: { ...decoded, certainty, ...(place && { place }) }, definition };
      if (!decoded.isMalformed) return found;
      malformed ??= found;
    }
    return malformed;
  }

  #defined(kind: MemberKind, selector: string, scope: NameScope): Promise<readonly CertainDefinition[]> {
    return this.#once(this.#definitions, `${kind} ${selector} ${scope.address ?? ""}`, scope, async () => {
      for (const source of this.#sources) {
        const found = await this.#asked(() => source.definitions(kind, selector, scope));
        if (found && found.length > 0) {
          return found.map((one) => ({ ...one, certainty: source.certainty }));
        }
      }
      return [];
    });
  }

  #contractAt(scope: NameScope): Promise<ActionNames["contract"]> {
    const system = systemContractAt(scope.address);
    if (system) return Promise.resolve({ name: system.name, certainty: "system" });
    if (scope.address === undefined) return Promise.resolve(undefined);
    return this.#once(this.#contracts, scope.address, scope, async () => {
      for (const source of this.#sources) {
        const found = await this.#asked(() => source.contractName(scope));
        if (found) return { ...found, certainty: source.certainty };
      }
      return undefined;
    });
  }

  /** One question for all callers that ask the same; a cancelled one is forgotten, and asked again for the others. */
  #once<T>(cache: Map<string, Promise<T>>, key: string, scope: NameScope, ask: () => Promise<T>): Promise<T> {
    const known = cache.get(key);
    if (known) {
      return known.catch((error: unknown) => {
        if (scope.signal?.aborted === true) throw error;
        return this.#once(cache, key, scope, ask);
      });
    }
    const answer = ask().catch((error: unknown) => {
      cache.delete(key);
      throw error;
    });
    cache.set(key, answer);
    return answer;
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (isCancellation(error) || (error instanceof Error && error.name === "AbortError")) throw error;
      return undefined;
    }
  }
}

interface CertainDefinition extends NamedDefinition {
  readonly certainty: NameCertainty;
}

interface FoundCall {
  readonly named: NamedCall;
  readonly definition: CertainDefinition;
}
