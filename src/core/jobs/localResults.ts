import { ifReadable, instant, listOf, object, oneOf, readAs, text } from "../json/shape.ts";
import type { Action, Cause } from "../matching/explanation.ts";
import { shown, type ShownText } from "../text/shownText.ts";
import { localDetails, type LocalDetails } from "./page/localDetails.ts";
import { storedCause } from "./storedJob.ts";

/** So many causes are kept of a result. */
export const MAX_CAUSES = 10;

const localResult = object({
  path: text(10_000),
  contractName: text(1_000),
  chainId: text(100),
  address: text(100),
  verdict: oneOf("exact_match", "match", "mismatch"),
  compilerVersion: text(200),
  at: instant,
  reason: text(10_000),
  causes: ifReadable(listOf(storedCause, MAX_CAUSES)),
  details: ifReadable(localDetails),
});

/** What compiling here came to for a deployment; nothing of it was published. */
export interface LocalResult {
  /** Absolute path of the contract's file. */
  readonly path: string;
  readonly contractName: string;
  readonly chainId: string;
  readonly address: string;
  readonly verdict: "exact_match" | "match" | "mismatch";
  /** In the full form. */
  readonly compilerVersion: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** A sentence. */
  readonly reason: string;
  /** Why it does not match, the most likely cause first. */
  readonly causes?: readonly Cause[];
  /** What its page shows; absent in what an earlier version kept. */
  readonly details?: LocalDetails;
}

/** Verdicts in words. */
export const LOCAL_VERDICTS: Readonly<Record<LocalResult["verdict"], ShownText>> = {
  exact_match: shown`exact match`,
  match: shown`match`,
  mismatch: shown`no match`,
};

/**
 * What a button of a cause does for a result of this machine, of which no service knows: instead of submitting again, the
 * last step before a submission opens with what would be different.
 *
 * @returns `undefined` where there is nothing to do here
 */
export function localAction(action: Action): Action | undefined {
  switch (action.kind) {
    case "resubmit":
    case "submit full input":
      return { ...action, label: action.localLabel };
    case "retry":
      return undefined;
    default:
      return action;
  }
}

/** Where results are kept, for one workspace: like a memento of the editor. */
interface ResultStorage {
  get(): unknown;
  set(value: readonly LocalResult[]): PromiseLike<void> | void;
}

/** Older ones make room. */
const MAX_RESULTS = 20;

/** The last results of verifying here, one of each deployment, the newest first. */
export class LocalResults {
  readonly #storage: ResultStorage;
  readonly #listeners = new Set<() => void>();

  constructor(storage: ResultStorage) {
    this.#storage = storage;
  }

  /** Calls back after one came or went; answers how to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What can't be read counts as nothing. */
  all(): readonly LocalResult[] {
    return readAs(results, this.#storage.get()) ?? [];
  }

  async add(result: LocalResult): Promise<void> {
    await this.#keep([result, ...this.all().filter((one) => localResultId(one) !== localResultId(result))]);
  }

  async remove(result: LocalResult): Promise<void> {
    await this.#keep(this.all().filter((one) => localResultId(one) !== localResultId(result)));
  }

  async #keep(kept: readonly LocalResult[]): Promise<void> {
    await this.#storage.set(kept.slice(0, MAX_RESULTS));
    for (const listener of this.#listeners) listener();
  }
}

const results = listOf(localResult);

/** What tells one result from another: the contract and where it is deployed. */
export function localResultId({ path, contractName, chainId, address }: LocalResult): string {
  return `${path}:${contractName} ${chainId} ${address.toLowerCase()}`;
}
