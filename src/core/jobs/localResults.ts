import { storedChainIdShape } from "../chains/chainIdShape.ts";
import { createHash } from "node:crypto";
import { deploymentKey } from "../evm/deploymentKey.ts";
import { isDiskError } from "../files/diskError.ts";
import { anyJson, ifReadable, instant, listOf, object, oneOf, readAs, text } from "../json/shape.ts";
import { causesByHistory, type Action, type Cause } from "../matching/explanation.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import { shown, type ShownText } from "../text/shownText.ts";
import { JobAttachments } from "./jobAttachments.ts";
import type { JobStorage } from "./jobStorage.ts";
import { localDetails, type LocalDetails } from "./page/localDetails.ts";
import { storedCause, storedInput } from "./storedJob.ts";

/** So many causes are kept of a result. */
export const MAX_CAUSES = 10;

const localResult = object({
  path: text(10_000),
  contractName: text(1_000),
  chainId: storedChainIdShape,
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

/**
 * The causes of a result as they are offered.
 *
 * @param hasHistory see {@link causesByHistory}
 */
export function offeredLocalCauses(
  { causes = [] }: Pick<LocalResult, "causes">,
  hasHistory: boolean | undefined,
): Cause[] {
  return causesByHistory(causes, hasHistory).map(({ action, ...cause }) => {
    const own = action && localAction(action);
    return own ? { ...cause, action: own } : cause;
  });
}

/** Where results are kept, for one workspace: like a memento of the editor. */
interface ResultStorage {
  get(): unknown;
  set(value: readonly LocalResult[]): PromiseLike<void> | void;
}

/** What belongs to a result and is kept beside it, as large as the sources are. */
interface LocalParts {
  /** What was compiled. */
  readonly input: StandardJsonInput;
  /** All that the comparison came to, its codes included; JSON. */
  readonly answer: unknown;
}

/** Older ones make room. */
const MAX_RESULTS = 20;

/**
 * The last results of verifying here, one of each deployment, the newest first. What was compiled lies in files beside them;
 * what the disk refuses of it is not kept.
 */
export class LocalResults {
  readonly #storage: ResultStorage;
  readonly #files: JobStorage;
  readonly #parts: JobAttachments;
  readonly #listeners = new Set<() => void>();
  #listed: Promise<void> | undefined;

  constructor(storage: ResultStorage, files: JobStorage) {
    this.#storage = storage;
    this.#files = files;
    this.#parts = new JobAttachments(files);
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

  /** @param parts of a result that is new; one that was changed keeps what it has */
  async add(result: LocalResult, parts?: LocalParts): Promise<void> {
    if (parts) await this.#write(result, parts);
    await this.#keep([result, ...this.all().filter((one) => localResultId(one) !== localResultId(result))]);
  }

  /** Whether the input of a result is kept. */
  async hasInput(result: LocalResult): Promise<boolean> {
    await this.#list();
    return this.#parts.has(partsId(result), "input");
  }

  /** What was compiled; `undefined` when it had to make room for newer ones, or an earlier version kept the result. */
  async input(result: LocalResult): Promise<StandardJsonInput | undefined> {
    return ifDiskAnswers(this.#parts.read(partsId(result), "input", storedInput));
  }

  /** All that the comparison came to; `undefined` as for {@link input}. */
  async answer(result: LocalResult): Promise<unknown> {
    return ifDiskAnswers(this.#parts.read(partsId(result), "answer", anyJson));
  }

  async remove(result: LocalResult): Promise<void> {
    await this.#keep(this.all().filter((one) => localResultId(one) !== localResultId(result)));
  }

  async #keep(kept: readonly LocalResult[]): Promise<void> {
    const before = this.all();
    const left = kept.slice(0, MAX_RESULTS);
    await this.#storage.set(left);
    for (const listener of this.#listeners) listener();
    const ids = new Set(left.map(partsId));
    await this.#list();
    for (const id of before.map(partsId)) if (!ids.has(id)) await ifDiskAnswers(this.#parts.remove(id));
  }

  async #write(result: LocalResult, { input, answer }: LocalParts): Promise<void> {
    await this.#list();
    const id = partsId(result);
    const oldestFirst = () => this.all().map(partsId).reverse();
    const write = async () => {
      await this.#parts.write(id, "answer", answer, oldestFirst);
      await this.#parts.write(id, "input", input, oldestFirst);
    };
    await ifDiskAnswers(write());
  }

  /** Looks once what earlier sessions kept, and takes away what belongs to no result any more. */
  #list(): Promise<void> {
    this.#listed ??= ifDiskAnswers(
      this.#files.list().then(async (files) => {
        this.#parts.found(files);
        const ids = new Set(this.all().map(partsId));
        await this.#parts.removeOrphans((id) => ids.has(id));
      }),
    );
    return this.#listed;
  }
}

/** Names the files of a result: what was compiled for an earlier one of the same deployment is not mistaken for its own. */
function partsId(result: LocalResult): string {
  return createHash("sha256")
    .update(`${localResultId(result)} ${result.at}`)
    .digest("hex");
}

/** What a disk refuses counts as nothing. */
async function ifDiskAnswers<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isDiskError(error)) return undefined;
    throw error;
  }
}

const results = listOf(localResult);

/** What tells one result from another: the contract and where it is deployed. */
export function localResultId(result: LocalResult): string {
  return `${result.path}:${result.contractName} ${deploymentKey(result)}`;
}
