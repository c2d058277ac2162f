import { inPool } from "../../concurrency/inPool.ts";
import { SharedAnswer } from "../../concurrency/toldLimits.ts";
import { definedOnly } from "../../json/looseData.ts";
import { orNothing } from "../../errors.ts";
import type { AbiDecoder, DecodedCall, DecodedValue } from "../../evm/abiDecoding.ts";
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
import { entityIdText, fromLongZeroAddress, longZeroAddress, parseEntityId } from "../references/entityId.ts";
import type { StorageLayout } from "../../evm/storageLayout.ts";
import type { Denominations } from "../tokens/token.ts";
import type { LedgerNetwork } from "../references/network.ts";
import type { DefinitionPlace } from "../../text/definitionPlace.ts";
import {
  argumentsInUnits,
  countsUnits,
  erc20ArgumentsInUnits,
  erc20ResultsInUnits,
  errorInUnits,
  resultsInUnits,
  type NamedValue,
  type PackedCall,
} from "./tokenAmounts.ts";
import type { NamedToken, TokenUnits } from "../tokens/tokenUnits.ts";
import { tokenCalled, TracedTokens } from "./tracedTokens.ts";
import { withMeanings } from "./valueMeanings.ts";
import {
  systemContractAt,
  systemFunctions,
  unpackHandedOn,
  unpackRedirect,
  unpackRedirectResult,
} from "./systemContracts.ts";

/** What the amounts of an action are shown in. */
interface ActionUnits {
  /** The token that the call is about. */
  readonly token: NamedToken | undefined;
  /** What a token that is a contract like any other said of itself. */
  readonly traced: TokenUnits | undefined;
  /** Of the one that failed with an error of its own. */
  readonly failing: TokenUnits | undefined;
}

/** A function or error that was found under a selector. */
export interface NamedCall extends DecodedCall {
  readonly values: readonly NamedValue[];
  readonly certainty: NameCertainty;
  readonly place?: DefinitionPlace;
  /** The standard that it is of: `ERC-20`. */
  readonly standard?: string;
  /** The definition names results. */
  readonly hasResults?: true;
}

/** A log as the ledger has it. */
interface LoggedEvent {
  readonly address?: string | undefined;
  /** As the ledger names it. */
  readonly contract_id?: string | undefined;
  /** 32 bytes each, hex with `0x`. */
  readonly topics?: readonly string[] | undefined;
  readonly data?: string | undefined;
}

/** What is known about an action by name. */
export interface ActionNames {
  readonly contract?: NamedContract & { readonly certainty: NameCertainty };
  readonly call?: NamedCall;
  readonly results?: readonly NamedValue[];
  readonly error?: NamedCall;
  /** The token, account or schedule to which a facade's call was handed on; {@link call} is then the inner one. */
  readonly redirectedTo?: string;
  /** The token that {@link call} is about, as far as it is looked up. */
  readonly token?: NamedToken;
}

/** Looks up tokens; what can't be found out is left out. */
type TokenLookUp = (
  network: LedgerNetwork,
  ids: readonly string[],
  signal: AbortSignal | undefined,
) => Promise<Denominations>;

/** Asks a token contract for its decimals and its symbol. */
type ContractLookUp = (scope: NameScope) => Promise<TokenUnits | undefined>;

/**
 * Names contracts, functions and errors of actions: system contracts by themselves, everything else by the sources in
 * their order. Answers are kept, so that a row can be drawn at once when it is drawn again.
 */
export class ActionNamer {
  readonly #network: LedgerNetwork;
  readonly #sources: readonly NameSource[];
  /** Tokens, accounts and schedules to which calls were handed on: what is called there is a facade of the network. */
  readonly #facades = new Set<string>();
  readonly #tokens = new Set<string>();
  readonly #known = new WeakMap<ContractAction, ActionNames>();
  readonly #contracts = new Map<string, SharedAnswer<ActionNames["contract"]>>();
  readonly #definitions = new Map<string, SharedAnswer<readonly CertainDefinition[]>>();
  readonly #otherReadings = new WeakMap<ContractAction, ActionNames>();

  readonly #lookUp: TokenLookUp | undefined;
  readonly #denominations = new Map<string, NamedToken>();
  readonly #withUnits = new WeakMap<ActionNames, ActionUnits & { readonly names: ActionNames }>();
  readonly #traced = new TracedTokens();
  readonly #askedTokens = new Map<string, SharedAnswer<void>>();
  readonly #addresses = new Set<string>();
  readonly #ask: ContractLookUp | undefined;
  /** What was asked; the answers are kept by who asks. */
  readonly #askedContracts = new Set<string>();
  /** How many of them are tokens with units. */
  #toldContracts = 0;

  /**
   * @param lookUp of the network's tokens
   * @param ask token contracts
   */
  constructor(
    network: LedgerNetwork,
    sources: readonly NameSource[],
    lookUp?: TokenLookUp,
    ask?: ContractLookUp,
  ) {
    this.#network = network;
    this.#sources = sources;
    this.#lookUp = lookUp;
    this.#ask = ask;
  }

  /**
   * Learns from calls that were handed on which addresses are facades, and from answers what the decimals of tokens are; before
   * any of these actions is named.
   */
  learnTokens(actions: readonly ContractAction[]): void {
    this.#traced.learn(actions);
    for (const { input } of actions) {
      const facade = unpackHandedOn(input)?.to;
      if (facade !== undefined) this.#facades.add(facade);
      const token = unpackRedirect(input)?.token;
      if (token !== undefined) this.#tokens.add(token);
    }
  }

  /** What {@link name} found before; nothing is asked. */
  known(action: ContractAction): ActionNames | undefined {
    const names = this.#reading(action);
    if (!names) return undefined;
    const called = this.#denominations.get(tokenIdOf(calledAddress(action)) ?? "");
    // One that a log told, and no call that was handed on, as where the ledger has no actions.
    const token =
      this.#denominations.get(this.#tokenAbout(action) ?? "") ?? (names.contract ? undefined : called);
    const said = this.#traced.at(tokenCalled(action));
    const failing = names.error && (token ?? called ?? said);
    const isPlain = names.redirectedTo === undefined && names.call?.certainty !== "system";
    const traced = token === undefined && isPlain ? said : undefined;
    return (token ?? failing ?? traced) ? this.#inUnits(names, { token, traced, failing }) : names;
  }

  /** By what is known by now of the contract that was called: logs come later than calls. */
  #reading(action: ContractAction): ActionNames | undefined {
    const other = this.#otherReadings.get(action);
    const isOther = other?.call && other.call.standard === this.#traced.standardOf(action);
    return isOther === true ? other : this.#known.get(action);
  }

  /** With the amounts of tokens in their units, made once for what is drawn over and over. */
  #inUnits(names: ActionNames, units: ActionUnits): ActionNames {
    const { token, traced, failing } = units;
    const made = this.#withUnits.get(names);
    if (made && made.token === token && made.traced === traced && made.failing === failing) return made.names;
    const { call, results, error } = names;
    const all: ActionNames = {
      ...names,
      ...(traced &&
        call && {
          call: { ...call, values: erc20ArgumentsInUnits(call, traced) },
          ...(results && { results: erc20ResultsInUnits(results, call.signature, traced) }),
        }),
      ...(token && {
        token,
        ...(call?.certainty === "system" && {
          call: { ...call, values: argumentsInUnits(call.values, token) },
          ...(results && { results: resultsInUnits(results, call.name, token) }),
        }),
        // One without decimals may have serial numbers, whatever the function calls them.
        ...(call &&
          call.certainty !== "system" &&
          token.decimals > 0 && {
            call: { ...call, values: erc20ArgumentsInUnits(call, token) },
            ...(results && { results: erc20ResultsInUnits(results, call.signature, token) }),
          }),
      }),
      ...(error &&
        failing && { error: { ...error, values: errorInUnits(error.values, error.name, failing) } }),
    };
    this.#withUnits.set(names, { ...units, names: all });
    return all;
  }

  /**
   * Looks up the tokens that named actions are about, each once, so that {@link known} has their symbols and decimals.
   * Only cancellation rejects.
   *
   * @returns whether any was found that was not known before
   */
  async lookUpTokens(actions: readonly ContractAction[], signal?: AbortSignal): Promise<boolean> {
    if (!this.#lookUp) return false;
    const wanted = new Set(
      actions.map((action) => this.#tokenAbout(action)).filter((id) => id !== undefined),
    );
    const unknown = [...wanted].filter((id) => !this.#denominations.has(id));
    await this.#askTokens(unknown, signal);
    return unknown.some((id) => this.#denominations.has(id));
  }

  /**
   * What the amounts of the token at an address are shown in, as far as it is known by now; nothing is asked.
   *
   * @param address in lower case
   */
  unitsAt(address: string): TokenUnits | undefined {
    return this.#traced.at(address) ?? this.#denominations.get(tokenIdOf(address) ?? "");
  }

  /** Looks up tokens, each once. */
  async #askTokens(ids: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const lookUp = this.#lookUp;
    if (!lookUp) return;
    const unasked = ids.filter((id) => !this.#askedTokens.has(id));
    if (unasked.length > 0) {
      const asked = new SharedAnswer(async () => {
        const found = await lookUp(this.#network, unasked, signal);
        for (const [id, token] of found) this.#denominations.set(id, { id, ...token });
      });
      for (const id of unasked) this.#askedTokens.set(id, asked);
      asked.value.catch(() => {
        for (const id of unasked) this.#askedTokens.delete(id);
      });
    }
    const all = new Set(ids.flatMap((id) => this.#askedTokens.get(id) ?? []));
    await Promise.all([...all].map((asked) => asked.toldTo(asked.value)));
  }

  /**
   * Asks the contracts that actions or logs show as ERC-20 tokens for their decimals and symbols, each once and so many at
   * most, so that {@link known} and {@link event} have them. Only cancellation rejects.
   *
   * @returns whether anything is known now that was not before
   */
  async lookUpContracts(logs: readonly LoggedEvent[], signal?: AbortSignal): Promise<boolean> {
    const ask = this.#ask;
    if (!ask) return false;
    for (const { address, topics = [] } of logs) this.#traced.learnLog(address, topics);
    const shownOnes = Map.groupBy(this.#traced.shownAsErc20(), contractsIn(logs));
    const before = this.#toldContracts;
    await inPool([...shownOnes], ASKED_AT_ONCE, async ([contract, addresses]) => {
      let units = this.#unitsOf(contract, addresses);
      const isAsked = this.#askedContracts.has(contract) || addresses.some((one) => this.#isOfNetwork(one));
      if (!units && !isAsked && this.#askedContracts.size < MAX_ASKED_CONTRACTS) {
        this.#askedContracts.add(contract);
        try {
          units = await ask({ network: this.#network, address: contract, ...(signal && { signal }) });
        } catch (error) {
          this.#askedContracts.delete(contract);
          throw error;
        }
        if (units) this.#toldContracts++;
      }
      // One contract has two addresses where it was created by an id: calls and logs name it by either.
      if (units) for (const address of [contract, ...addresses]) this.#traced.learnAsked(address, units);
    });
    return this.#toldContracts !== before;
  }

  #unitsOf(contract: string, addresses: readonly string[]): TokenUnits | undefined {
    return [contract, ...addresses].map((one) => this.unitsAt(one)).find((units) => units !== undefined);
  }

  /** How many contracts were asked and said their units. */
  get toldContracts(): number {
    return this.#toldContracts;
  }

  /** A token of the network, which its own record tells. */
  #isOfNetwork(address: string): boolean {
    return this.#facades.has(address) || this.#tokens.has(address);
  }

  /** Whether an action is about a token that was not looked up. */
  wantsToken(action: ContractAction): boolean {
    const id = this.#lookUp && this.#tokenAbout(action);
    return id !== undefined && !this.#askedTokens.has(id);
  }

  #tokenAbout(action: ContractAction): string | undefined {
    const names = this.#known.get(action);
    return names && this.#tokenOf(action, names);
  }

  /**
   * The id of the token whose facade was called, or that a system contract was told. What is called by a function of ERC-20 at
   * an address that is made of an id, and has no name of its own, may be a token, too: an action that hands the call on is
   * not recorded everywhere.
   */
  #tokenOf(action: ContractAction, { call, contract }: ActionNames): string | undefined {
    if (!call) return undefined;
    if (call.certainty !== "system")
      return contract === undefined && countsUnits(call.signature) && tokenCalled(action) !== undefined
        ? tokenIdOf(calledAddress(action))
        : undefined;
    const called = calledAddress(action);
    const told =
      unpackRedirect(action.input)?.token ??
      (called !== undefined && this.#tokens.has(called)
        ? called
        : call.values.find(({ name, type }) => name === "token" && type === "address")?.text);
    return tokenIdOf(told);
  }

  /** Names an action. Only cancellation rejects. */
  async name(action: ContractAction, signal?: AbortSignal): Promise<ActionNames> {
    const known = this.known(action);
    if (known) return known;
    const address = calledAddress(action);
    const scope = this.#scopeOf(address, signal);
    const redirect = unpackHandedOn(action.input);
    const [contract, call, error] = await Promise.all([
      this.#contractAt(scope),
      redirect ? this.#call(redirect.input, redirect.to, scope, action) : this.#callOf(action, scope),
      this.#error(action, scope),
    ]);
    signal?.throwIfAborted();
    const names: ActionNames = definedOnly({
      contract,
      call: call?.named,
      error,
      redirectedTo: redirect?.to,
    });
    const results = call && (await this.#results(action, call.definition));
    const values = call && (await this.#unpacked(call.named.values, scope));
    const complete: ActionNames = {
      ...names,
      ...(call && values !== call.named.values && values && { call: { ...call.named, values } }),
      ...(results && { results: withMeanings(results, call.named.signature) }),
    };
    this.#known.set(action, complete);
    if (call?.other) this.#otherReadings.set(action, { ...names, call: call.other });
    return complete;
  }

  /**
   * Arguments with the calls that are in their bytes, as a multicall has them. Such a call is one where a definition that is
   * no guess gives just those bytes; it is looked for where the call around it is, so that no other source is asked.
   */
  async #unpacked(
    values: readonly NamedValue[],
    scope: NameScope,
    room: PackingRoom = { calls: MAX_PACKED_CALLS, digits: MAX_PACKED_DIGITS },
    depth = 1,
  ): Promise<readonly NamedValue[]> {
    if (!values.some(hasBytes)) return values;
    return Promise.all(
      values.map(async (value) => {
        const { type, text, parts = type === "bytes" ? [{ type, at: 0, text }] : [] } = value;
        const calls = new Map<number, PackedCall>();
        for (const part of parts) {
          if (part.type !== "bytes" || !CALL_DATA.test(part.text)) continue;
          if (room.calls === 0 || part.text.length > room.digits) break;
          room.calls--;
          room.digits -= part.text.length;
          const call = await this.#packed(part.text, scope);
          if (!call) continue;
          const inner =
            depth < MAX_PACKED_DEPTH
              ? await this.#unpacked(call.values, scope, room, depth + 1)
              : call.values;
          calls.set(part.at, { name: call.name, values: inner });
        }
        return calls.size === 0 ? value : { ...value, calls };
      }),
    );
  }

  async #packed(data: string, scope: NameScope): Promise<PackedCall | undefined> {
    const selector = data.slice(0, 10).toLowerCase();
    const definitions = await this.#defined("function", selector, scope, "guess");
    scope.signal?.throwIfAborted();
    const named = (await this.#best(definitions, data))?.named;
    return named?.isCanonical === true ? named : undefined;
  }

  /** Where the variables of a contract lie, by the first source that knows. Only cancellation rejects. */
  async storageLayout(address: string, signal?: AbortSignal): Promise<StorageLayout | undefined> {
    const scope = this.#scopeOf(address.toLowerCase(), signal);
    for (const source of this.#sources) {
      const found = await orNothing(async () => source.storageLayout?.(scope));
      signal?.throwIfAborted();
      if (found) return found;
    }
    return undefined;
  }

  /**
   * Names a log. Only cancellation rejects.
   *
   * @param log.address of the contract that wrote it
   */
  async event(
    { address, topics = [], data = "0x" }: LoggedEvent,
    signal?: AbortSignal,
  ): Promise<Pick<ActionNames, "contract" | "token"> & { readonly event?: NamedCall }> {
    this.#traced.learnLog(address, topics);
    const scope = this.#scopeOf(address?.toLowerCase(), signal);
    const [contract, definitions] = await Promise.all([
      this.#contractAt(scope),
      this.#defined("event", topics[0]?.toLowerCase() ?? "", scope),
    ]);
    signal?.throwIfAborted();
    if (definitions.length === 0) return definedOnly({ contract });
    const { abiDecoder } = await import("../../evm/abiDecoding.ts");
    const decoder = abiDecoder();
    for (const { abi, certainty, place, standard } of definitions) {
      const decoded =
        certainty === "guess" && typeof abi === "string"
          ? decoder.decodeGuessedLog(abi.replace(/^event /, ""), topics, data)
          : decoder.decodeLog(abi, topics, data);
      if (decoded && !decoded.isMalformed) {
        const token = TOKEN_EVENTS.has(decoded.name) ? await this.#tokenAt(scope, contract) : undefined;
        // ERC-20 does not index the amount, as standards of collectibles do with their serial numbers.
        const traced = topics.length === 3 ? this.#traced.at(scope.address) : undefined;
        const plain = withMeanings(decoded.values, decoded.signature);
        const values = token
          ? argumentsInUnits(plain, token)
          : traced
            ? erc20ArgumentsInUnits({ ...decoded, values: plain }, traced)
            : plain;
        return definedOnly({
          contract,
          token,
          event: { ...decoded, values, certainty, ...definedOnly({ place, standard }) },
        });
      }
    }
    return definedOnly({ contract });
  }

  /** The token of the network that wrote a log: its address is made of its id, and nothing else names it. */
  async #tokenAt(
    { address, signal }: NameScope,
    contract: ActionNames["contract"],
  ): Promise<NamedToken | undefined> {
    const id = contract ? undefined : tokenIdOf(address);
    if (id === undefined) return undefined;
    await this.#askTokens([id], signal);
    return this.#denominations.get(id);
  }

  async #callOf(action: ContractAction, scope: NameScope): Promise<FoundCall | undefined> {
    // A creation's input is code.
    if (operationOf(action).startsWith("create") || selectorOf(action) === undefined) return undefined;
    const input = `0x${hexDigits(action.input)}`;
    return this.#call(input, scope.address, scope, action);
  }

  async #call(
    input: string,
    address: string | undefined,
    scope: NameScope,
    action: ContractAction,
  ): Promise<FoundCall | undefined> {
    const system = systemContractAt(scope.address);
    if (!/^0x[0-9a-f]{8}/.test(input) || system?.kind === "precompile") return undefined;
    const selector = input.slice(0, 10);
    const isSystem = system !== undefined || this.#facades.has(address ?? "");
    const ofSystem = isSystem ? await systemFunctions(selector, system?.name) : [];
    return ofSystem.length === 0
      ? this.#found("function", selector, { ...scope, address }, input, action)
      : this.#best(
          ofSystem.map((abi) => ({ abi, certainty: "system" })),
          input,
          action,
        );
  }

  async #error(action: ContractAction, scope: NameScope): Promise<NamedCall | undefined> {
    const data = `0x${hexDigits(action.result_data)}`;
    const isBuiltIn = /^0x(?:08c379a0|4e487b71)/.test(data);
    if (!isHardFailure(action) || action.result_data_type === "ERROR" || isBuiltIn || data.length < 10)
      return undefined;
    const found = await this.#found("error", data.slice(0, 10), scope, data, action);
    return found?.named.isMalformed === false ? found.named : undefined;
  }

  async #results(
    action: ContractAction,
    definition: CertainDefinition,
  ): Promise<readonly DecodedValue[] | undefined> {
    if (action.result_data_type !== "OUTPUT") return undefined;
    const { abiDecoder } = await import("../../evm/abiDecoding.ts");
    const decoder = abiDecoder();
    const data = `0x${hexDigits(action.result_data)}`;
    const inner = innerResult(action);
    const result = inner === data ? undefined : decoder.decodeResult(definition.abi, inner);
    return result ?? decoder.decodeResult(definition.abi, data);
  }

  /** The definition that fits best: one of a standard, which may meet a selector by chance, gives way if it does not fit. */
  async #found(
    kind: MemberKind,
    selector: string,
    scope: NameScope,
    data: string,
    action: ContractAction,
  ): Promise<FoundCall | undefined> {
    const definitions = await this.#defined(kind, selector, scope);
    const best = await this.#best(definitions, data, action);
    if (definitions[0]?.certainty !== "standard" || best?.named.isMalformed === false) return best;
    return this.#best(await this.#defined(kind, selector, scope, "standard"), data);
  }

  /** The first definition that fits the data; a guess has to give the data again when it is encoded. */
  async #best(
    definitions: readonly CertainDefinition[],
    data: string,
    action?: ContractAction,
  ): Promise<FoundCall | undefined> {
    if (definitions.length === 0) return undefined;
    const { abiDecoder } = await import("../../evm/abiDecoding.ts");
    const decoder = abiDecoder();
    let malformed: FoundCall | undefined;
    const result = action?.result_data_type === "OUTPUT" ? innerResult(action).slice(2) : undefined;
    // Two standards have approve(address,uint256), and so has a token's facade: what the contract is, or else what came back
    // tells which it was.
    const isShipped = definitions[0]?.standard !== undefined || definitions[0]?.certainty === "system";
    const standard =
      action && (this.#traced.standardOf(action) ?? (data.endsWith(GREATEST_WORD) ? "ERC-20" : undefined));
    const fitness = (one: CertainDefinition) =>
      (standard !== undefined && one.standard === standard ? 2 : 0) +
      (result !== undefined && answers(decoder, one, result) ? 1 : 0);
    const inOrder =
      definitions.length > 1 && isShipped
        ? definitions.toSorted((one, other) => fitness(other) - fitness(one))
        : definitions;
    const namedBy = (definition: CertainDefinition): NamedCall | undefined => {
      const decoded = decoder.decode(definition.abi, data);
      if (!decoded || (definition.certainty === "guess" && !decoded.isCanonical)) return undefined;
      return {
        ...decoded,
        values: withMeanings(decoded.values, decoded.signature),
        certainty: definition.certainty,
        ...definedOnly({ place: definition.place, standard: definition.standard }),
        ...(decoder.hasResults(definition.abi) && { hasResults: true }),
      };
    };
    for (const definition of inOrder) {
      const named = namedBy(definition);
      if (!named) continue;
      if (named.isMalformed) {
        malformed ??= { named, definition };
        continue;
      }
      const rival = RIVALS.get(definition.standard ?? "");
      const other = result ? undefined : inOrder.find((one) => one.standard === rival);
      return {
        named,
        definition,
        ...(rival !== undefined && other && definedOnly({ other: namedBy(other) })),
      };
    }
    return malformed;
  }

  /** @param without a source that is passed over */
  #defined(
    kind: MemberKind,
    selector: string,
    scope: NameScope,
    without?: NameCertainty,
  ): Promise<readonly CertainDefinition[]> {
    const key = `${kind} ${selector} ${scope.address ?? ""} ${without ?? ""}`;
    return this.#once(this.#definitions, key, scope, async () => {
      for (const source of this.#sources) {
        if (source.certainty === without) continue;
        const found = await orNothing(() => source.definitions(kind, selector, scope));
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
        const found = await orNothing(async () => source.contractName?.(scope));
        if (found) return { ...found, certainty: source.certainty };
      }
      return undefined;
    });
  }

  /** Without the address where so many were asked about that a ledger must have made them up. */
  #scopeOf(address: string | undefined, signal: AbortSignal | undefined): NameScope {
    const isAsked =
      address === undefined ||
      this.#addresses.has(address) ||
      this.#addresses.size < MAX_ADDRESSES ||
      systemContractAt(address) !== undefined;
    if (isAsked && address !== undefined) this.#addresses.add(address);
    return { network: this.#network, address: isAsked ? address : undefined, ...(signal && { signal }) };
  }

  /** One question for all callers that ask the same; a cancelled one is forgotten, and asked again for the others. */
  #once<T>(
    cache: Map<string, SharedAnswer<T>>,
    key: string,
    scope: NameScope,
    ask: () => Promise<T>,
  ): Promise<T> {
    const known = cache.get(key);
    if (known) {
      return known.toldTo(known.value).catch((error: unknown) => {
        if (scope.signal?.aborted === true) throw error;
        return this.#once(cache, key, scope, ask);
      });
    }
    const answer = new SharedAnswer(() =>
      ask().catch((error: unknown) => {
        cache.delete(key);
        throw error;
      }),
    );
    cache.set(key, answer);
    return answer.toldTo(answer.value);
  }
}

/** So many contracts of a transaction are asked what they are; a swap over many pools has some ten tokens. */
const MAX_ASKED_CONTRACTS = 40;
const ASKED_AT_ONCE = 4;

/** By which address a contract is asked that a log names by its id as well: the one that is made of the id. */
function contractsIn(logs: readonly LoggedEvent[]): (address: string) => string {
  const known = new Map(
    logs.flatMap(({ address, contract_id: text }) => {
      const id = text === undefined ? undefined : parseEntityId(text);
      return address !== undefined && id ? [[address.toLowerCase(), longZeroAddress(id)] as const] : [];
    }),
  );
  return (address) => known.get(address) ?? address;
}

/** No transaction has the gas for calls of so many contracts; each is a question to services. */
const MAX_ADDRESSES = 6_000;

/** Calls within calls are looked for so deep, so many in one call, and in so much of its data. */
const MAX_PACKED_DEPTH = 3;
const MAX_PACKED_CALLS = 100;
const MAX_PACKED_DIGITS = 200_000;

/** How much of that is left. */
interface PackingRoom {
  calls: number;
  digits: number;
}

/** A collectible with this serial number there is none, and an allowance without a limit is written so. */
const GREATEST_WORD = "f".repeat(64);

/** A selector and whole words. */
const CALL_DATA = /^0x[0-9a-f]{8}(?:[0-9a-f]{64})*$/i;

function hasBytes({ type, parts }: NamedValue): boolean {
  return type === "bytes" || parts?.some((part) => part.type === "bytes") === true;
}

/** Events of tokens whose values count smallest units (ERC-20). */
const TOKEN_EVENTS: ReadonlySet<string> = new Set(["Transfer", "Approval"]);

/** The id in the address of a token of the network. */
function tokenIdOf(address: string | undefined): string | undefined {
  const id = address === undefined ? undefined : fromLongZeroAddress(address);
  return id && entityIdText(id);
}

interface CertainDefinition extends NamedDefinition {
  readonly certainty: NameCertainty;
}

/** Whether a definition is one of a function that gives such a result. */
function answers(decoder: AbiDecoder, { abi }: CertainDefinition, result: string): boolean {
  return result === "" ? !decoder.hasResults(abi) : decoder.decodeResult(abi, `0x${result}`) !== undefined;
}

/** What came back, with `0x`: of a call that was handed on, without the response code that may be in front of it. */
function innerResult(action: ContractAction): string {
  const data = `0x${hexDigits(action.result_data)}`;
  // The code would be read as the result itself.
  return (unpackHandedOn(action.input) && unpackRedirectResult(data)) ?? data;
}

interface FoundCall {
  readonly named: NamedCall;
  readonly definition: CertainDefinition;
  /** The same call in the reading of another standard, where what came back does not tell which it is. */
  readonly other?: NamedCall;
}

/** Standards of tokens that share functions, each with the other. */
const RIVALS: ReadonlyMap<string, string> = new Map([
  ["ERC-20", "ERC-721"],
  ["ERC-721", "ERC-20"],
]);
