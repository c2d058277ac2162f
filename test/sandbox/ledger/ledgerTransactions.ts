import type { Chain } from "../chain.ts";
import { actionsOfTrace, type CallFrame, type LedgerAction } from "./contractActions.ts";
import type { LedgerEntities } from "./ledgerEntities.ts";

interface ChainTransaction {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly input: string;
  readonly value: string;
  readonly gas: string;
}

/** A transaction of the chain as the ledger knows it. */
export interface LedgerTransaction {
  /** 32 bytes; the ledger's own hash has 16 more. */
  readonly hash: string;
  /** `0.0.n-seconds-nanos` */
  readonly id: string;
  /** `seconds.nanoseconds` */
  readonly consensus: string;
  readonly onChain: ChainTransaction;
}

/** The transactions of the sandbox's chain, and their contract actions from real traces. */
export class LedgerTransactions {
  readonly #chain: Chain;
  readonly #entities: LedgerEntities;
  readonly #known: LedgerTransaction[] = [];
  readonly #actions = new Map<string, Promise<LedgerAction[]>>();
  #nextBlock = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(chain: Chain, entities: LedgerEntities) {
    this.#chain = chain;
    this.#entities = entities;
  }

  /** By id, 32-byte hash or consensus timestamp. */
  async find(name: string): Promise<LedgerTransaction | undefined> {
    await this.#readNew();
    const hash = `0x${name.toLowerCase().replace(/^0x/, "")}`;
    return this.#known.find((one) => one.id === name || one.hash === hash || one.consensus === name);
  }

  actions(transaction: LedgerTransaction): Promise<LedgerAction[]> {
    let actions = this.#actions.get(transaction.hash);
    if (!actions) {
      actions = this.#trace(transaction);
      this.#actions.set(transaction.hash, actions);
    }
    return actions;
  }

  async #trace({ hash, consensus, onChain }: LedgerTransaction): Promise<LedgerAction[]> {
    const isPlain = onChain.to !== null && onChain.input === "0x" && (await this.#code(onChain.to)) === "0x";
    // A transfer between accounts has no contract actions.
    if (isPlain) return [];
    const root = await this.#chain.rpc<CallFrame>("debug_traceTransaction", hash, { tracer: "callTracer" });
    const addresses = new Set<string>();
    const collect = (frame: CallFrame): void => {
      addresses.add(frame.from);
      if (frame.to !== undefined) addresses.add(frame.to);
      frame.calls?.forEach(collect);
    };
    collect(root);
    const accounts = new Set<string>();
    for (const address of addresses) if ((await this.#code(address)) === "0x") accounts.add(address);
    // A contract that was not created has no code, and is no account either.
    const isCreated = (address: string) => onChain.to === null && address === root.to;
    return actionsOfTrace(
      root,
      consensus,
      this.#entities,
      (address) => accounts.has(address) && !isCreated(address) && !/^0x0{36}/.test(address),
    );
  }

  async #code(address: string): Promise<string> {
    return this.#chain.rpc<string>("eth_getCode", address, "latest");
  }

  #readNew(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#readBlocks());
    return this.#reading;
  }

  async #readBlocks(): Promise<void> {
    const last = Number(await this.#chain.rpc<string>("eth_blockNumber"));
    for (; this.#nextBlock <= last; this.#nextBlock++) {
      const block = await this.#chain.rpc<{ timestamp: string; transactions: ChainTransaction[] }>(
        "eth_getBlockByNumber",
        `0x${this.#nextBlock.toString(16)}`,
        true,
      );
      for (const [at, onChain] of block.transactions.entries()) {
        const seconds = Number(block.timestamp);
        const nanos = String(this.#nextBlock * 1000 + at).padStart(9, "0");
        this.#known.push({
          hash: onChain.hash,
          // A transaction becomes valid a little before consensus.
          id: `${this.#entities.idOf(onChain.from)}-${seconds - 3}-${nanos}`,
          consensus: `${seconds}.${nanos}`,
          onChain,
        });
      }
    }
  }
}
