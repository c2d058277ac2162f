import { createHash } from "node:crypto";
import type { Chain } from "../chain.ts";
import { actionsOfTrace, type CallFrame, type LedgerAction } from "./contractActions.ts";
import type { LedgerEntities } from "./ledgerEntities.ts";
import { nanosOf } from "./ledgerStore.ts";

/** A transaction as the chain has it. */
export interface ChainTransaction {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly input: string;
  readonly value: string;
  readonly gas: string;
}

/** A receipt of the chain. */
export interface ChainReceipt {
  readonly status: string;
  readonly gasUsed: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly transactionIndex: string;
  readonly contractAddress: string | null;
  readonly logsBloom: string;
  readonly logs: readonly {
    readonly address: string;
    readonly data: string;
    readonly topics: readonly string[];
  }[];
}

/** A transaction of the ledger: one of the chain, a child of one, or the creation of a schedule. */
export interface LedgerTransaction {
  /** 48 bytes. The first 32 of a transaction of the chain are its hash there. */
  readonly hash: string;
  /** `0.0.n-seconds-nanos`; children share it with their parent, and schedules with what they run. */
  readonly id: string;
  /** `seconds.nanoseconds` */
  readonly consensus: string;
  readonly name: string;
  readonly nonce: number;
  readonly result: string;
  readonly scheduled: boolean;
  /** Consensus timestamp of the transaction that caused it. */
  readonly parent?: string;
  readonly actions: readonly LedgerAction[];
  readonly onChain?: { readonly transaction: ChainTransaction; readonly receipt: ChainReceipt };
}

/** Valid start of a transaction to consensus; the ledger does not look further for what an id names. */
const LONGEST_VALIDITY_NANOS = 35n * 60n * 1_000_000_000n;
/** A transaction becomes valid a little before consensus. */
const SECONDS_TO_CONSENSUS = 3;
/** What a transaction's hash has more than its hash on the chain. */
const HASH_END = "07".repeat(16);

/** The transactions of the sandbox's chain, and their contract actions from real traces. */
export class LedgerTransactions {
  readonly #chain: Chain;
  readonly #entities: LedgerEntities;
  #all: LedgerTransaction[] = [];
  #nextBlock = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(chain: Chain, entities: LedgerEntities) {
    this.#chain = chain;
    this.#entities = entities;
  }

  /** By consensus timestamp, ascending. */
  async all(): Promise<readonly LedgerTransaction[]> {
    const before = this.#reading.catch(() => undefined);
    this.#reading = before.then(() => this.#readBlocks());
    await this.#reading;
    return this.#all;
  }

  /**
   * By id, hash of 32 bytes, or consensus timestamp. An id names a transaction of nonce 0 that reached consensus
   * within 35 minutes of its valid start; successful ones go first, then the latest (hiero-mirror-node,
   * rest/service/transactionService.js).
   */
  async find(name: string): Promise<LedgerTransaction | undefined> {
    const all = await this.all();
    const hash = `0x${name.toLowerCase().replace(/^0x/, "")}`;
    const [, start = ""] = /^[\d.]+-(\d+-\d+)$/.exec(name) ?? [];
    if (start === "") return all.find((one) => one.hash.slice(0, 66) === hash || one.consensus === name);
    const until = nanosOf(start.replace("-", ".")) + LONGEST_VALIDITY_NANOS;
    const named = all.filter((one) => one.id === name && one.nonce === 0 && nanosOf(one.consensus) <= until);
    return named.findLast(({ result }) => result === "SUCCESS") ?? named.at(-1);
  }

  /**
   * Makes a transaction of the chain one that a schedule ran.
   *
   * @param secondsBefore when the schedule was created, whose id it then has; without it the ledger does not know of
   * the creation, as one that began to listen later
   * @returns the transaction, and the consensus timestamp of the schedule's creation
   */
  async runBySchedule(
    hash: string,
    secondsBefore?: number,
  ): Promise<{ readonly transaction: LedgerTransaction; readonly created?: string }> {
    const found = await this.find(hash);
    if (!found) throw new Error(`There is no transaction ${hash}.`);
    const [seconds = "", nanos = ""] = found.consensus.split(".");
    const payer = found.id.split("-")[0] ?? "";
    const creation = secondsBefore === undefined ? undefined : Number(seconds) - secondsBefore;
    const id = creation === undefined ? found.id : `${payer}-${creation - SECONDS_TO_CONSENSUS}-${nanos}`;
    const transaction = { ...found, id, scheduled: true };
    this.#all = this.#all.map((one) => (one === found ? transaction : one));
    if (creation === undefined) return { transaction };
    const created = `${creation}.${nanos}`;
    this.#add({
      hash: hashOf(`${id} creation`),
      id,
      consensus: created,
      name: "SCHEDULECREATE",
      nonce: 0,
      result: "SUCCESS",
      scheduled: false,
      actions: [],
    });
    return { transaction, created };
  }

  #add(...transactions: readonly LedgerTransaction[]): void {
    this.#all = [...this.#all, ...transactions].sort((one, other) =>
      nanosOf(one.consensus) < nanosOf(other.consensus) ? -1 : 1,
    );
  }

  async #readBlocks(): Promise<void> {
    const last = Number(await this.#chain.rpc<string>("eth_blockNumber"));
    for (; this.#nextBlock <= last; this.#nextBlock++) {
      const block = await this.#chain.rpc<{ timestamp: string; transactions: ChainTransaction[] }>(
        "eth_getBlockByNumber",
        `0x${this.#nextBlock.toString(16)}`,
        true,
      );
      const found: LedgerTransaction[] = [];
      for (const [at, transaction] of block.transactions.entries()) {
        // Children come a nanosecond after their parent each.
        const nanos = (this.#nextBlock % 1000) * 1_000_000 + at * 1000;
        found.push(...(await this.#read(transaction, Number(block.timestamp), nanos)));
      }
      this.#add(...found);
    }
  }

  async #read(transaction: ChainTransaction, seconds: number, nanos: number): Promise<LedgerTransaction[]> {
    const receipt = await this.#chain.rpc<ChainReceipt>("eth_getTransactionReceipt", transaction.hash);
    const written = (more: number) => String(nanos + more).padStart(9, "0");
    const consensus = `${seconds}.${written(0)}`;
    const id = `${this.#entities.idOf(transaction.from)}-${seconds - SECONDS_TO_CONSENSUS}-${written(0)}`;
    const actions = await this.#trace(transaction, consensus);
    const parent: LedgerTransaction = {
      hash: `${transaction.hash}${HASH_END}`,
      id,
      consensus,
      name: "ETHEREUMTRANSACTION",
      nonce: 0,
      result: resultOf(receipt, actions[0]),
      scheduled: false,
      actions,
      onChain: { transaction, receipt },
    };
    // What a system contract does is a transaction of its own.
    const children = actions
      .filter(({ call_type: type }) => type === "SYSTEM")
      .map(({ result_data_type: type }, at): LedgerTransaction => ({
        hash: hashOf(`${transaction.hash} ${at + 1}`),
        id,
        consensus: `${seconds}.${written(at + 1)}`,
        name: "CRYPTOTRANSFER",
        nonce: at + 1,
        result:
          type !== "OUTPUT"
            ? "INVALID_OPERATION"
            : parent.result === "SUCCESS"
              ? "SUCCESS"
              : "REVERTED_SUCCESS",
        scheduled: false,
        parent: consensus,
        actions: [],
      }));
    return [parent, ...children];
  }

  async #trace(transaction: ChainTransaction, consensus: string): Promise<LedgerAction[]> {
    const { hash, to, input } = transaction;
    // A transfer between accounts has no contract actions.
    if (to !== null && input === "0x" && !(await this.#hasCode(to))) return [];
    const root = await this.#chain.rpc<CallFrame>("debug_traceTransaction", hash, { tracer: "callTracer" });
    const addresses = new Set<string>();
    const created = new Set<string>();
    const collect = ({ type, from, to: target, calls }: CallFrame): void => {
      addresses.add(from);
      if (target !== undefined) addresses.add(target);
      if (type.startsWith("CREATE")) {
        if (target !== undefined) created.add(target);
        // A constructor that failed is not named, but its calls name it.
        for (const call of calls ?? []) created.add(call.from);
      }
      calls?.forEach(collect);
    };
    collect(root);
    const accounts = new Set<string>();
    for (const address of addresses) if (!(await this.#hasCode(address))) accounts.add(address);
    // What was created and reverted has no code, and is no account either.
    return actionsOfTrace(
      root,
      consensus,
      this.#entities,
      (address) => accounts.has(address) && !created.has(address) && !/^0x0{36}/.test(address),
    );
  }

  async #hasCode(address: string): Promise<boolean> {
    return (await this.#chain.rpc<string>("eth_getCode", address, "latest")) !== "0x";
  }
}

/** SHA-384, as hashes of the ledger are. */
function hashOf(text: string): string {
  return `0x${createHash("sha384").update(text).digest("hex")}`;
}

function resultOf({ status }: ChainReceipt, root: LedgerAction | undefined): string {
  if (status === "0x1") return "SUCCESS";
  return root?.result_data_type === "ERROR"
    ? Buffer.from(root.result_data.slice(2), "hex").toString()
    : "CONTRACT_REVERT_EXECUTED";
}
