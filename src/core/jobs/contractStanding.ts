import { createHash } from "node:crypto";
import { chainLabel } from "../chains/chainNames.ts";
import { remembered } from "../concurrency/remembered.ts";
import { deploymentKey } from "../evm/deploymentKey.ts";
import { isDiskError } from "../files/diskError.ts";
import { ownValue } from "../json/ownValue.ts";
import { isMatch } from "../service/job.ts";
import { type Deployment } from "../service/submissionRequest.ts";
import { plainSource } from "../sources/sourceText.ts";
import { shortAddress, shown, type ShownText } from "../text/shownText.ts";
import { contractFileOf } from "./contractFile.ts";
import { isRefusedAsVerified, isVerifiedBefore, recordStatus, type JobRecord } from "./jobRecord.ts";
import type { JobStore } from "./jobStore.ts";
import { outcomeInBrief } from "./jobWords.ts";

/** Where the jobs of one contract left it. */
interface ContractStanding {
  /** The jobs that tell where it is verified, one for each deployment, newest first. */
  readonly verified: readonly JobRecord[];
  /** The newest job, where that one did not verify it: it takes nothing from what earlier ones did. */
  readonly unverified: JobRecord | undefined;
}

/**
 * Where a contract is verified: at its newest job's deployment, or, where that job did not verify it, at those of earlier
 * ones.
 *
 * @param records the contract's own, newest first
 * @param told of which deployments it is said elsewhere already how they stand
 */
export function contractStanding(
  records: readonly JobRecord[],
  told: readonly Deployment[],
): ContractStanding {
  const [newest] = records;
  if (newest && isMatch(recordStatus(newest))) return { verified: [newest], unverified: undefined };
  const seen = new Set(told.map(deploymentKey));
  const verified = records.filter((record) => {
    const key = deploymentKey(record);
    if (!isMatch(recordStatus(record)) || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return { verified, unverified: newest };
}

/**
 * The job that tells what a deployed contract was verified with: the newest one that verified it itself, before one that
 * found it verified.
 *
 * @param records the contract's own, newest first
 */
export function verifyingJob(
  deployment: Pick<Deployment, "chainId" | "address">,
  records: readonly JobRecord[],
): JobRecord | undefined {
  const key = deploymentKey(deployment);
  const verified = records.filter((record) => deploymentKey(record) === key && isMatch(recordStatus(record)));
  return verified.find((one) => !isRefusedAsVerified(one) && !isVerifiedBefore(one)) ?? verified[0];
}

/** What became of a job and where, as one line. */
export function outcomeWithChain(record: JobRecord): ShownText {
  return shown`${outcomeInBrief(record)} on ${chainLabel(record.chainId)}`;
}

/** The same with the address, beside what is told of another place. */
export function outcomeWithPlace(record: JobRecord): ShownText {
  return record.address === ""
    ? outcomeWithChain(record)
    : shown`${outcomeInBrief(record)} at ${shortAddress(record.address)} on ${chainLabel(record.chainId)}`;
}

/**
 * Where a contract is verified, as one line; deployments are counted as what tells them apart.
 *
 * @param verified a job for each deployment
 * @param isEdited whether the contract's file is no longer what was verified
 */
export function verifiedInBrief(
  verified: readonly [JobRecord, ...JobRecord[]],
  isEdited: boolean,
): ShownText {
  const words = verifiedPlaces(verified);
  return isEdited ? shown`${words}, edited since` : words;
}

function verifiedPlaces(verified: readonly [JobRecord, ...JobRecord[]]): ShownText {
  const [first] = verified;
  const count = verified.length;
  if (count === 1) return outcomeWithChain(first);
  const chains = new Set(verified.map(({ chainId }) => chainId));
  if (chains.size === 1) return shown`verified at ${count} addresses on ${chainLabel(first.chainId)}`;
  return chains.size === count
    ? shown`verified on ${count} chains`
    : shown`verified at ${count} deployments on ${chains.size} chains`;
}

/** A contract's file as it is on the screen. */
interface FileNow {
  readonly text: string;
  /** Whether it has changes that are not saved. */
  readonly isDirty: boolean;
  /** When it was last written, in milliseconds since the epoch; `undefined` where that can't be told. */
  readonly written: () => Promise<number | undefined>;
}

/** What contracts were submitted with, as far as it is still kept. */
export class SubmittedTexts {
  readonly #store: Pick<JobStore, "input">;
  /** SHA-256 of the texts, by the ids of jobs. */
  readonly #known = new Map<string, Promise<string | undefined>>();

  constructor(store: Pick<JobStore, "input">) {
    this.#store = store;
  }

  /** Whether a contract's file is no longer what a job submitted. */
  async isEdited(record: JobRecord, { text, isDirty, written }: FileNow): Promise<boolean> {
    const submitted = await remembered(this.#known, record.id, () => this.#hashOf(record));
    if (submitted !== undefined) return submitted !== hashOf(text);
    // What was submitted had to make room for newer ones: only when the file was changed is known.
    return isDirty || ((await written()) ?? 0) > record.submittedAt;
  }

  /** `undefined` where the text is not kept. */
  async #hashOf(record: JobRecord): Promise<string | undefined> {
    const file = contractFileOf(record);
    if (!file) return undefined;
    try {
      const sources = (await this.#store.input(record.id))?.sources;
      const content = sources && ownValue(sources, file.name)?.content;
      return content === undefined ? undefined : hashOf(content);
    } catch (error) {
      if (isDiskError(error)) return undefined;
      throw error;
    }
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(plainSource(text)).digest("hex");
}
