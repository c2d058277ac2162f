import { t } from "@vscode/l10n";
import { whileWanted } from "../concurrency/whileWanted.ts";
import { isCancellation, LedgerLensError } from "../errors.ts";
import { deploymentKey } from "../evm/deploymentKey.ts";
import { HttpError } from "../http/httpError.ts";
import { type Deployment } from "../service/submissionRequest.ts";
import { ServiceRefusal } from "../service/verificationService.ts";
import type { JobRecord } from "./jobRecord.ts";

/** A submission that this session is at work on. */
interface UnderWay {
  readonly request: () => Promise<string>;
  readonly done: Promise<JobRecord>;
  /** Its callers: it is stopped once none is left. */
  readonly wantedBy: Set<object>;
  readonly stop: AbortController;
}

/** What is to be submitted. */
interface Wanted {
  /** What tells its request from others of the same contract: the SHA-256 of its body. */
  readonly request: () => Promise<string>;
  readonly work: (signal: AbortSignal) => Promise<JobRecord>;
}

/** What a session submits: of a contract at a service one thing at a time. */
export class SubmissionsUnderWay {
  readonly #all = new Map<string, UnderWay>();

  /**
   * What is asked for while the same is being submitted, as by a button that is pressed twice, is that one, and it goes on as
   * long as one of those who asked wants it. Another request waits until that one's fate is known and has its own.
   *
   * @throws what the work throws, the reason of the signal, and {@link LeftToOthers}
   */
  async once(
    service: string,
    deployment: Deployment,
    signal: AbortSignal | undefined,
    { request, work }: Wanted,
  ): Promise<JobRecord> {
    const key = `${service} ${deploymentKey(deployment)}`;
    for (let other = this.#all.get(key); other; other = this.#all.get(key)) {
      const isSame = await asksForSame(other, request);
      try {
        if (isSame) return await outcome(other, isSame.caller, signal);
        await whileWanted(other.done, signal);
      } catch (error) {
        if (signal?.aborted || (isSame && isOfRequest(error))) throw error;
      }
    }
    const stop = new AbortController();
    const own: UnderWay = { request, done: work(stop.signal), wantedBy: new Set(), stop };
    this.#all.set(key, own);
    const end = () => void this.#all.delete(key);
    own.done.then(end, end);
    return outcome(own, {}, signal);
  }
}

/** Who leaves a submission that another command goes on with is told so: it may well be sent. */
export class LeftToOthers extends LedgerLensError {
  constructor(cause: unknown) {
    super("cancelled", t`The command was cancelled.`, {
      cause,
    });
  }
}

/**
 * Whether another request is the same, and the caller whom it is done for from then on. It is wanted while that is found out,
 * which takes its time: the one who began it may leave meanwhile.
 */
async function asksForSame(
  { request: other, wantedBy, stop }: UnderWay,
  request: UnderWay["request"],
): Promise<{ readonly caller: object } | undefined> {
  const caller = {};
  wantedBy.add(caller);
  let isSame = false;
  try {
    isSame = (await other()) === (await request());
    return isSame ? { caller } : undefined;
  } finally {
    if (!isSame) wantedBy.delete(caller);
    if (wantedBy.size === 0) stop.abort();
  }
}

async function outcome(
  { done, wantedBy, stop }: UnderWay,
  caller: object,
  signal: AbortSignal | undefined,
): Promise<JobRecord> {
  wantedBy.add(caller);
  try {
    return await whileWanted(done, signal);
  } catch (error) {
    wantedBy.delete(caller);
    if (!signal?.aborted) throw error;
    if (wantedBy.size > 0) throw isCancellation(error) ? new LeftToOthers(error) : error;
    // What became of it is known before it is told that it was stopped.
    stop.abort(signal.reason);
    return await done;
  }
}

/**
 * Whether an error goes for the request, so that each of its callers has it. That the first one was cancelled is not what the
 * second one wants, and what is wrong with the first one's record is not wrong with the second's.
 */
function isOfRequest(error: unknown): boolean {
  return !isCancellation(error) && (error instanceof ServiceRefusal || error instanceof HttpError);
}
