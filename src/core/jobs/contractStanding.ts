import { createHash } from "node:crypto";
import { chainLabel } from "../chains/chains.ts";
import { remembered } from "../concurrency/remembered.ts";
import { isDiskError } from "../files/diskError.ts";
import { ownValue } from "../json/ownValue.ts";
import { deploymentKey, type Deployment } from "../service/submissionRequest.ts";
import { plainSource } from "../sources/sourceText.ts";
import { shown, type ShownText } from "../text/shownText.ts";
import { isRefusedAsVerified, isVerifiedBefore, recordStatus, type JobRecord } from "./jobRecord.ts";
import type { JobStore } from "./jobStore.ts";
import { outcomeInBrief } from "./jobWords.ts";

/** Where the jobs of one contract left it. */
export interface ContractStanding {
  readonly newest: JobRecord;
  /** Where the newest job did not verify it: at how many other places an earlier one did. */
  readonly verifiedElsewhere: number;
  /** Whether the contract's file is no longer what the newest job verified. */
  readonly isEdited: boolean;
}

/** Whether a job ended with its contract verified. */
function isVerified(record: JobRecord): boolean {
  const status = recordStatus(record);
  return status === "exact_match" || status === "match";
}

/**
 * At how many places other than that of its newest job a contract is verified.
 *
 * @param records the contract's own, newest first
 * @param told of which deployments that is said elsewhere already
 */
export function verifiedElsewhere(
  [newest, ...earlier]: readonly JobRecord[],
  told: readonly Deployment[] = [],
): number {
  if (!newest || isVerified(newest)) return 0;
  const not = new Set([newest, ...told].map(deploymentKey));
  const places = new Set(earlier.filter(isVerified).map(deploymentKey));
  return [...places].filter((place) => !not.has(place)).length;
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
  const verified = records.filter((record) => deploymentKey(record) === key && isVerified(record));
  return verified.find((one) => !isRefusedAsVerified(one) && !isVerifiedBefore(one)) ?? verified[0];
}

/** How a contract stands, as one line: the newest outcome, and what a person would take it for otherwise. */
export function standingInBrief({
  newest,
  verifiedElsewhere: others,
  isEdited,
}: ContractStanding): ShownText {
  const outcome = outcomeInBrief(newest);
  const chain = chainLabel(newest.chainId);
  if (others === 1) return shown`${outcome} on ${chain} · verified at 1 other address`;
  if (others > 1) return shown`${outcome} on ${chain} · verified at ${others} other addresses`;
  return isEdited && isVerified(newest)
    ? shown`${outcome} on ${chain}, edited since`
    : shown`${outcome} on ${chain}`;
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
  async #hashOf({ id, submission }: JobRecord): Promise<string | undefined> {
    const { path = "", contractIdentifier = "" } = submission ?? {};
    const name = contractIdentifier.slice(0, contractIdentifier.lastIndexOf(":"));
    // A text that is only in a record of a build has that record's path.
    if (endingOf(name) !== endingOf(path)) return undefined;
    try {
      const sources = (await this.#store.input(id))?.sources;
      const content = sources && ownValue(sources, name)?.content;
      return content === undefined ? undefined : hashOf(content);
    } catch (error) {
      if (isDiskError(error)) return undefined;
      throw error;
    }
  }
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf("."));
}

function hashOf(text: string): string {
  return createHash("sha256").update(plainSource(text)).digest("hex");
}
