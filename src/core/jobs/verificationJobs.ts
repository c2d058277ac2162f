import { deploymentKey } from "../evm/deploymentKey.ts";
import { recordedNow } from "./recordedNow.ts";
import { t } from "@vscode/l10n";
import { isCancellation, LedgerLensError } from "../errors.ts";
import { ChainSupport, type ChainObstacle } from "../service/chainSupport.ts";
import { isDiskError } from "../files/diskError.ts";
import { withJointSignal } from "../concurrency/jointSignal.ts";
import { inTurns } from "../concurrency/turns.ts";
import type { Clock } from "../concurrency/clock.ts";
import { HttpError, isPassingFault, isPassingStatus, wrongAnswer } from "../http/httpError.ts";
import { keptAddress } from "../http/keptAddress.ts";
import { errorCodeOf } from "../service/errorCodes.ts";
import {
  statusInWords,
  isOfEarlier,
  jobStatusOf,
  toMatch,
  type VerificationJob,
  type VerifiedContract,
} from "../service/job.ts";
import { isGivenUp, pollPause } from "./jobPollPace.ts";
import {
  hasPlace,
  isFinished,
  isInDoubt,
  recordStatus,
  recordTitle,
  wasAgreedHere,
  type JobRecord,
} from "./jobRecord.ts";
import type { JobStore } from "./jobStore.ts";
import { hostOf } from "./jobWords.ts";
import {
  agreedBeforeInPieces,
  AgreedSubmission,
  secondTryInPieces,
  type KeptSubmission,
} from "./submissionReview.ts";
import { requestHash } from "./requestHash.ts";
import { checkAbout } from "../service/answerAbout.ts";
import { type Deployment } from "../service/submissionRequest.ts";
import { inPool } from "../concurrency/inPool.ts";
import { ServiceRefusal, type VerificationService } from "../service/verificationService.ts";
import type { SubmissionParts, WholeSubmission } from "./submissionParts.ts";
import { SubmissionsUnderWay } from "./submissionsUnderWay.ts";

/** So many polls in a row may fail before waiting ends; each has the client's own retries behind it. */
const MAX_FAILED_POLLS = 3;
/** Services work on few requests at once, and so do we. */
const CHECKS_AT_ONCE = 4;
/** Several times what a submission with all its retries takes. */
const LONGEST_SENDING_MS = 15 * 60_000;

interface VerificationJobsOptions {
  readonly store: JobStore;
  /** The service at an address; the configured one by default. */
  readonly service: (url?: string) => VerificationService;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
}

/**
 * Submits, follows and remembers verifications. A record is on disk before the request goes out, so that a submission
 * whose answer is lost, in the network or by a crash, is known to be in doubt: it is settled by what the service has
 * on record and is never sent again by itself.
 */
export class VerificationJobs {
  readonly #options: VerificationJobsOptions;
  /** What services list, which is asked for once for all that ask. */
  readonly chainSupport: ChainSupport;
  /** The commands that wait for a job, by the job's id. */
  readonly #waitedFor = new Map<string, Set<AbortController>>();
  readonly #underWay = new SubmissionsUnderWay();
  /** The records whose submission this session is at work on. */
  readonly #sending = new Set<string>();

  constructor(options: VerificationJobsOptions) {
    this.#options = options;
    this.chainSupport = new ChainSupport(options.clock);
  }

  get store(): JobStore {
    return this.#options.store;
  }

  /**
   * The newest record of a contract at the service where it was to go, if it is one of a submission that may have arrived.
   *
   * @param since in milliseconds since the epoch: an earlier submission says nothing of this one
   */
  inDoubt(
    { service, deployment }: Pick<AgreedSubmission, "service" | "deployment">,
    since: number,
  ): JobRecord | undefined {
    const place = { ...deployment, service: keptAddress(service) };
    const newest = this.store.all().find((record) => isForSame(record, place));
    return newest && newest.submittedAt >= since && isInDoubt(newest) ? newest : undefined;
  }

  /** What keeps the service at an address from taking anything of a chain, as far as that is known before. */
  chainObstacle(service: string, chainId: string, signal?: AbortSignal): Promise<ChainObstacle | undefined> {
    return this.chainSupport.obstacle(this.#options.service(service), chainId, signal);
  }

  /**
   * Submits what was reviewed, those bytes to that service, and answers the record of the job. What the service has with
   * an exact match is answered as finished and nothing is sent. A job that is already running for the same contract is
   * answered, if it is ours, or waited for.
   *
   * @throws what {@link VerificationService.submit} throws; the record, if there is one, says what is known.
   */
  async submit(
    reviewed: AgreedSubmission,
    { signal, recorded }: { readonly signal?: AbortSignal | undefined } & Recorded = {},
  ): Promise<JobRecord> {
    // A caller in JavaScript could hand over anything; only a review makes what may go.
    if (!AgreedSubmission.isOne(reviewed)) throw new TypeError("Only what was reviewed is submitted.");
    return this.#underWay.once(keptAddress(reviewed.service), reviewed.deployment, signal, {
      request: () => requestHash(reviewed.request),
      work: (signal) => this.#begin(reviewed, { recorded }, signal),
    });
  }

  /**
   * Sends the same again, to the same service: what was sent then, though the files may have changed since. A submission
   * that was refused or is in doubt goes on in its own record; a job that failed gets another one beside it.
   *
   * @param options.agreedFor the service that it goes to, where a person said so although another one is configured
   * @throws LedgerLensError `input_forgotten` when what was sent had to make room, `input_changed` when what is kept is
   * not what was sent, `service_changed` when another service is configured than it was agreed for; else as
   * {@link submit}.
   */
  async retry(
    id: string,
    { signal, agreedFor }: { readonly signal?: AbortSignal; readonly agreedFor?: string } = {},
  ): Promise<JobRecord> {
    const record = this.#record(id);
    if (this.#isSentElsewhere(record)) return record;
    if (agreedFor !== record.service) this.checkService(record);
    return this.#underWay.once(record.service, record, signal, {
      // What an earlier version kept has no hash of its own, and is the same as itself alone.
      request: () => Promise.resolve(record.requestSha256 ?? id),
      work: async (signal) => {
        // What was waited for may have been this very record.
        const now = this.#record(id);
        const isSentNow = now.stage === "submitted" && record.stage !== "submitted";
        if (isSentNow || this.#sending.has(id) || this.#isSentElsewhere(now)) return now;
        const reviewed = await inTurns(agreedBeforeInPieces(now, await this.kept(now)));
        const running = await this.#sameAtWork(now, signal);
        if (running) return running;
        const latest = this.#record(id);
        if (latest.verificationId !== now.verificationId) return latest;
        return latest.job ? this.#begin(reviewed, {}, signal) : this.#send(reviewed, now, {}, signal);
      },
    });
  }

  /**
   * What is kept of a submission besides its record.
   *
   * @throws LedgerLensError `input_forgotten` when what was sent had to make room or was never here, `input_changed` when
   * what is kept is not what was sent.
   */
  async kept(record: JobRecord): Promise<KeptSubmission> {
    const { store } = this.#options;
    const { id } = record;
    if (!wasAgreedHere(record)) throw submittedElsewhere(record);
    const [stdJsonInput, files] = await Promise.all([store.input(id), store.files(id)]);
    const kept = { stdJsonInput, files };
    await checkUnchanged(record, await inTurns(agreedBeforeInPieces(record, kept)));
    const second = await this.#keptSecondTry(record);
    return { ...kept, wholeBuild: second === "changed" ? undefined : second?.whole };
  }

  /**
   * All of the build that is kept for a second try of a submission, and the request that it comes to.
   *
   * @returns `undefined` where nothing is kept, `changed` for what is not what was agreed to
   */
  async #keptSecondTry(record: JobRecord): Promise<SecondSubmission | "changed" | undefined> {
    const whole = await this.store.whole(record.id);
    const second = whole && (await secondSubmission(record, whole));
    if (!second) return whole && "changed";
    return (await requestHash(second.reviewed.request)) === record.wholeSha256 ? second : "changed";
  }

  /**
   * Checks that a submission goes where it was agreed for when it is sent to the configured service.
   *
   * @throws LedgerLensError `service_changed`.
   */
  checkService(record: JobRecord): void {
    const { service } = this.#options;
    const configured = service();
    if (keptAddress(configured.url) === record.service) return;
    const agreedHost = hostOf(record);
    const other = configured.host === agreedHost ? t`another address there` : configured.host;
    throw new LedgerLensError(
      "service_changed",
      t`${recordTitle(record)} was not submitted: it was agreed for ${agreedHost}, and ${other} is configured now. Submit it again to say where it goes.`,
    );
  }

  async #begin(
    reviewed: AgreedSubmission,
    known: Recorded,
    signal: AbortSignal | undefined,
    about: Partial<JobRecord> = {},
  ): Promise<JobRecord> {
    const { store, clock, newId } = this.#options;
    const { input, deployment, request } = reviewed;
    const service = this.#options.service(reviewed.service);
    await this.chainSupport.checkReach(service, deployment.chainId, signal);
    const first: JobRecord = {
      id: newId(),
      stage: "prepared",
      service: keptAddress(reviewed.service),
      ...deployment,
      requestSha256: await requestHash(request),
      ...(input && { submission: input }),
      submittedAt: clock.now(),
      ...(about.stage === undefined && { sender: store.session }),
      ...about,
    };
    this.#sending.add(first.id);
    try {
      const { whole } = reviewed.kept;
      const second = whole && (await secondSubmission(first, whole));
      const record = second ? { ...first, wholeSha256: await requestHash(second.reviewed.request) } : first;
      const kept = { ...reviewed.kept, whole: second?.whole };
      const other = await this.#added(record, kept, signal).catch(notSubmitted(record));
      if (other) return other;
      return record.stage === "refused" ? record : await this.#send(reviewed, record, known, signal);
    } finally {
      this.#sending.delete(first.id);
    }
  }

  /**
   * Keeps a new record, unless the same request runs for the contract already, here or in another window: that job is
   * answered. One whose answer may be there is asked for first, so that what is over stands against nothing.
   */
  async #added(
    record: JobRecord,
    parts: SubmissionParts,
    signal: AbortSignal | undefined,
  ): Promise<JobRecord | undefined> {
    const { store } = this.#options;
    const asked = new Set<string>();
    for (;;) {
      const found = await store.add(record, parts, (records) =>
        records.find(
          (other) =>
            isSameRequest(other, record) &&
            (this.#isSentElsewhere(other) ||
              (other.stage === "submitted" &&
                !asked.has(other.id) &&
                !isFinished(other) &&
                !isGivenUp(other, record.submittedAt))),
        ),
      );
      if (found.id === record.id) return found === record ? undefined : found;
      if (this.#isSentElsewhere(found)) return found;
      asked.add(found.id);
      const running = await this.#stillAtWork(found.id, signal);
      if (running) return running;
    }
  }

  /** The job of the same request, in this record or another, where it is not over, or another window is at work on it. */
  async #sameAtWork(record: JobRecord, signal: AbortSignal | undefined): Promise<JobRecord | undefined> {
    const { store, clock } = this.#options;
    await store.refresh();
    const same = this.#runningFor(record).filter((other) => isSameRequest(other, record));
    for (const other of [this.#record(record.id), ...same]) {
      if (this.#isSentElsewhere(other)) return other;
      if (other.stage !== "submitted" || isGivenUp(other, clock.now())) continue;
      const running = await this.#stillAtWork(other.id, signal);
      if (running) return running;
    }
    return undefined;
  }

  /**
   * A job as its service has it now; nothing where that is over or the service does not know it. One of which it says nothing that
   * can be read may run.
   */
  async #stillAtWork(id: string, signal: AbortSignal | undefined): Promise<JobRecord | undefined> {
    try {
      await this.#checked(id, signal);
    } catch (error) {
      if (isCancellation(error)) throw error;
      if (isTurnedDown(error)) return undefined;
    }
    const now = this.store.get(id);
    return now && !isFinished(now) ? now : undefined;
  }

  /** Whether another window is at work on a submission. */
  #isSentElsewhere({ sender, submittedAt }: JobRecord): boolean {
    // No request takes so long: what names a session that seems to run may name a process that came later.
    const isYoung = this.#options.clock.now() - submittedAt < LONGEST_SENDING_MS;
    return sender !== undefined && isYoung && this.store.isOther(sender);
  }

  async #send(
    reviewed: AgreedSubmission,
    start: JobRecord,
    { recorded }: Recorded,
    signal: AbortSignal | undefined,
  ): Promise<JobRecord> {
    const { store } = this.#options;
    const { id } = start;
    const { deployment } = reviewed;
    const service = this.#options.service(reviewed.service);
    this.#sending.add(id);
    let record = start;
    let isSent = false;
    const before = new Map(this.store.all().map((one) => [one.id, one]));
    // Of what is begun anew this was seen to when it was kept.
    const isBegunElsewhere = (other: JobRecord) =>
      start.stage !== "prepared" &&
      other.id !== id &&
      isSameRequest(other, start) &&
      (this.#isSentElsewhere(other) || isSentSince(before.get(other.id), other));
    try {
      const contract =
        recorded === undefined || this.#isVerifiedSince(start, recorded)
          ? await recordedNow(service, deployment, throwFinal, signal, { retries: 1 })
          : (recorded ?? undefined);
      const isOurs =
        (isInDoubt(start) || start.stage === "adopted") &&
        isNewer(contract, start.before) &&
        !(await this.#isOfOther(contract, start, signal));
      if (contract && (isOurs || contract.match === "exact_match")) {
        const told = isOurs ? undefined : this.#exactBefore(record);
        if (told && start.stage === "prepared") {
          await store.remove(id);
          return told;
        }
        const stage = isOurs ? start.stage : "refused";
        return await this.#changed(record, { stage, contract, problem: undefined, sender: undefined });
      }
      await this.chainSupport.check(service, deployment.chainId, signal);
      // What can't be kept is not sent: nothing would be known of it.
      let other: JobRecord | undefined;
      const claimed = await store
        .changeIf(id, (now, all) =>
          (other = all.find(isBegunElsewhere)) ||
          this.#isSentElsewhere(now) ||
          (now.stage === "submitted" && now.verificationId !== start.verificationId) ||
          // Another window sent it meanwhile, and who asked for this was not told that it may have arrived.
          (isInDoubt(now) && !isInDoubt(start))
            ? undefined
            : {
                stage: "submitting",
                sender: store.session,
                submittedAt: this.#options.clock.now(),
                problem: undefined,
                // That of a job that was lost says nothing of this one.
                verificationId: undefined,
                ...(start.before === undefined && contract && { before: contract }),
              },
        )
        .catch(notSubmitted(record));
      if (!claimed) throw removedMeanwhile();
      if (other) return other;
      if (claimed.stage !== "submitting" || claimed.sender !== store.session) return claimed;
      record = claimed;
      isSent = true;
      const verificationId = await service.submit(reviewed.request, signal);
      return await this.#changed(record, { stage: "submitted", verificationId, sender: undefined });
    } catch (error) {
      if (error instanceof ServiceRefusal) {
        const contract = await this.#recordedAnyway(error, service, deployment, signal);
        if (contract) return await this.#changed(record, { stage: "refused", contract, sender: undefined });
        if (error.code === "duplicate_verification_request") {
          const taken = await this.#takenFor(record, isInDoubt(start));
          if (taken) return taken;
        }
      }
      const isDoubtful = (isSent && mayHaveArrived(error)) || isInDoubt(start);
      await this.#changed(record, {
        stage: isDoubtful ? "unconfirmed" : "refused",
        problem: problemOf(error),
        ...(!isDoubtful && { verificationId: start.verificationId }),
        sender: undefined,
      });
      throw error;
    } finally {
      this.#sending.delete(id);
    }
  }

  /** Whether a job has come to more, in another window perhaps, than the service had on record when it was asked. */
  #isVerifiedSince(record: JobRecord, recorded: VerifiedContract | null): boolean {
    const before = toMatch(recorded?.match);
    if (before === "exact_match") return false;
    const more = before === undefined ? ["match", "exact_match"] : ["exact_match"];
    return this.#othersFor(record).some((one) => more.includes(recordStatus(one)));
  }

  /** The record of an earlier submission that says the same of a contract as the service does: an exact match. */
  #exactBefore(record: JobRecord): JobRecord | undefined {
    return this.#othersFor(record).find(
      (one) => one.submission !== undefined && recordStatus(one) === "exact_match",
    );
  }

  /**
   * What the service has of a contract, where a refusal calls it verified: that word alone means an exact match. Some say so
   * with the status alone, which means nothing where they have none on record.
   */
  async #recordedAnyway(
    { code, status }: ServiceRefusal,
    service: VerificationService,
    deployment: Deployment,
    signal: AbortSignal | undefined,
  ): Promise<VerifiedContract | undefined> {
    const isSaid = code === "already_verified";
    if (!isSaid && (status !== 409 || code !== "service_error")) return undefined;
    const contract = await service.contract(deployment, signal).catch(() => undefined);
    if (contract && toMatch(contract.match)) return contract;
    const { chainId, address } = deployment;
    return isSaid ? { match: "exact_match", chainId, address } : undefined;
  }

  /**
   * The record that a submission goes on in which the service refuses, being at work on the contract already.
   *
   * @param mayBeOwn whether that may be an earlier try of the same submission, the answer to which was lost
   * @returns `undefined` where the service is at work on something else that was submitted from here: its outcome is not
   * that of this submission, which stays refused and can be tried again
   */
  async #takenFor(record: JobRecord, mayBeOwn: boolean): Promise<JobRecord | undefined> {
    const { store, clock } = this.#options;
    await store.refresh();
    const running = this.#runningFor(record);
    const same = running.find((other) => isSameRequest(other, record));
    const isLost = (one: JobRecord) => isGivenUp(one, clock.now());
    if (same) {
      await store.remove(record.id);
      // One that has no end for hours is lost there, now that the service will not begin another for it.
      return isLost(same) ? this.#changed(same, { stage: "adopted", problem: undefined }) : same;
    }
    // Had it been its own, the service would not have taken another one with an id.
    const isOfAnother = (other: JobRecord) =>
      !mayBeOwn || (other.verificationId !== undefined && isOtherRequest(other, record));
    if (running.some((other) => !isLost(other) && isOfAnother(other))) return undefined;
    return this.#changed(record, { stage: "adopted", problem: undefined, sender: undefined });
  }

  /**
   * Takes up what an earlier session left in the middle: what was not sent is marked so, what may have been sent is in
   * doubt from here on, and a second try that was due is made. Call it once the store is loaded.
   */
  async recover(signal?: AbortSignal): Promise<void> {
    for (const record of this.store.all()) {
      try {
        await this.#recover(record, signal);
      } catch (error) {
        // What is wrong with one is not wrong with the others; it is taken up the next time.
        if (isCancellation(error)) throw error;
      }
    }
  }

  async #recover(record: JobRecord, signal: AbortSignal | undefined): Promise<void> {
    if (this.#sending.has(record.id) || this.#isSentElsewhere(record)) return;
    const recovered = await this.#recovered(record);
    if (recovered.job?.isJobCompleted && this.store.hasWhole(record.id))
      await this.#secondTry(recovered, signal);
  }

  /** What was left in the middle, as it is known to be. */
  async #recovered(record: JobRecord): Promise<JobRecord> {
    const title = recordTitle(record);
    const host = hostOf(record);
    if (record.stage === "prepared")
      return this.#changed(record, {
        stage: "refused",
        sender: undefined,
        problem: {
          code: "interrupted",
          message: t`${title} was not submitted: the editor ended before anything was sent to ${host}. Try again.`,
        },
      });
    if (record.stage === "submitting")
      return this.#changed(record, {
        stage: "unconfirmed",
        sender: undefined,
        problem: {
          code: "interrupted",
          message: t`The editor ended while ${title} was being submitted, so ${host} may be at work on it. Wait for it, or submit again: a running job is not begun twice.`,
        },
      });
    return record;
  }

  /** Asks for a job that this workspace does not know yet, and keeps it; one that it knows by then stays the only one. */
  async adopt(verificationId: string, signal?: AbortSignal): Promise<JobRecord> {
    const { store, clock, newId } = this.#options;
    const service = this.#options.service();
    const job = await service.job(verificationId, signal);
    const startedAt = Date.parse(job.jobStartTime ?? "");
    const record: JobRecord = {
      id: newId(),
      stage: "submitted",
      service: keptAddress(service.url),
      ...NO_PLACE,
      ...placeOf(NO_PLACE, job),
      verificationId: job.verificationId,
      submittedAt: Number.isNaN(startedAt) ? clock.now() : startedAt,
      // What was finished before is not followed to the explorers.
      ...(job.isJobCompleted && { finishedAt: startedAt || 0 }),
    };
    // It may be followed, or have been submitted, from another window or by another command just now.
    const known = await store.add(record, {}, (records) =>
      records.find((one) => one.service === record.service && one.verificationId === record.verificationId),
    );
    if (job.contract) checkAbout(known, job.contract);
    return this.#took(known, job, signal);
  }

  /**
   * Asks once how a job stands. A submission in doubt, and one that waits for another user's job, are settled by what
   * the service has on record of the contract. A job that failed because the input was only a part of the build is
   * sent again with all of it, once; `secondTry` of the answered record then names that job.
   */
  async check(id: string, signal?: AbortSignal): Promise<JobRecord> {
    const record = await this.#checked(id, signal);
    const isAtWork = this.#sending.has(id) || this.#isSentElsewhere(record);
    return isAtWork || record.verificationId === undefined ? record : this.#secondTry(record, signal);
  }

  /** The same without a second try. */
  async #checked(id: string, signal: AbortSignal | undefined): Promise<JobRecord> {
    const known = this.#record(id);
    if (this.#sending.has(id)) return known;
    if (this.#isSentElsewhere(known)) {
      await this.store.refresh();
      return this.#record(id);
    }
    // The window that was at work on it is gone.
    const record = known.sender === undefined ? known : await this.#recovered(known);
    try {
      const service = this.#options.service(record.service);
      if (record.verificationId) {
        const job = await service.job(record.verificationId, signal, record);
        return await this.#took(record, job, signal);
      }
      const contract = await service.contract(record, signal);
      const isSettled = isNewer(contract, record.before);
      const isOfOther = isSettled && (await this.#isOfOther(contract, record, signal));
      // Nothing better can come of what is verified exactly.
      const isOver = isSettled && (!isOfOther || contract?.match === "exact_match");
      return await this.#changed(record, {
        checkedAt: this.#options.clock.now(),
        ...(isOver && { contract, problem: undefined, ...(isOfOther && { stage: "refused" }) }),
      });
    } catch (error) {
      if (!isCancellation(error)) await this.#changed(record, { problem: problemOf(error) });
      throw error;
    }
  }

  /**
   * Asks once how every job stands that is not finished; one that can't be asked for stands in no other's way.
   *
   * @throws the first error, when all were asked for
   */
  async checkOpen(): Promise<void> {
    await this.store.load();
    const faults: unknown[] = [];
    const open = this.store.all().filter((record) => !isFinished(record));
    await inPool(open, CHECKS_AT_ONCE, async ({ id }) => {
      // One that was removed meanwhile is not missed.
      if (this.store.get(id)) await this.check(id).catch((error: unknown) => faults.push(error));
    });
    if (faults.length > 0) throw faults[0];
  }

  /** Whether a command waits for this job now. */
  isWaitedFor(id: string): boolean {
    return this.#waitedFor.has(id);
  }

  /** Lets the commands that wait for a job go on; the job itself is not touched. */
  stopWaiting(id: string): void {
    for (const waiting of this.#waitedFor.get(id) ?? []) waiting.abort();
  }

  /**
   * Follows a job until it is finished, the signal aborts or `limitMs` have passed; the record is answered as
   * it stands then. `onUpdate` is called after every look.
   *
   * @throws the last error after several looks in a row failed; the job stays and can be checked again.
   */
  async wait(
    id: string,
    options: { signal?: AbortSignal; limitMs: number; onUpdate?: (record: JobRecord) => void },
  ): Promise<JobRecord> {
    return this.#wait(id, options, true);
  }

  /** @param followed whether a second try is waited for, too; that one has none, even if its record names one */
  async #wait(
    id: string,
    options: { signal?: AbortSignal; limitMs: number; onUpdate?: (record: JobRecord) => void },
    followed: boolean,
  ): Promise<JobRecord> {
    const stop = new AbortController();
    const waiting = this.#waitedFor.get(id) ?? new Set();
    this.#waitedFor.set(id, waiting.add(stop));
    try {
      return await withJointSignal([options.signal, stop.signal], (signal) =>
        this.#waitUntil(id, { ...options, signal }, followed),
      );
    } finally {
      waiting.delete(stop);
      if (waiting.size === 0) this.#waitedFor.delete(id);
    }
  }

  async #waitUntil(
    id: string,
    {
      signal,
      limitMs,
      onUpdate,
    }: { signal?: AbortSignal; limitMs: number; onUpdate?: (record: JobRecord) => void },
    followed: boolean,
  ): Promise<JobRecord> {
    const { clock, random } = this.#options;
    const started = clock.now();
    let slept = 0;
    // A clock that is set back takes nothing away from what was waited.
    const passedMs = () => Math.max(clock.now() - started, slept);
    let record = this.#record(id);
    let failures = 0;
    for (let polls = 0; !isFinished(record); polls++) {
      const passed = passedMs();
      if (signal?.aborted || passed >= limitMs) break;
      const pause = Math.min(pollPause(polls, passed) * (0.9 + random() / 5), limitMs - passed);
      try {
        await clock.sleep(pause, signal);
        slept += pause;
        record = await this.check(id, signal);
        failures = 0;
        onUpdate?.(record);
      } catch (error) {
        if (signal?.aborted) break;
        if (!isPassing(error) || ++failures === MAX_FAILED_POLLS) throw error;
      }
    }
    const stored = this.store.get(id) ?? record;
    // What is over for one who waits may be on its way to a second try by another one's look.
    const isToFollow = followed && !signal?.aborted && stored.verificationId !== undefined;
    const last = isToFollow ? await this.#secondTry(stored, signal) : stored;
    const { secondTry } = last;
    if (!followed || !secondTry || secondTry.isWithheld || !this.store.get(secondTry.id)) return last;
    const left = Math.max(0, limitMs - passedMs());
    const options = { limitMs: left, ...(signal && { signal }), ...(onUpdate && { onUpdate }) };
    return this.#wait(secondTry.id, options, false);
  }

  /** Sends all that the build compiled after a job with a part of it failed, once; answers the first job. */
  async #secondTry(record: JobRecord, signal: AbortSignal | undefined): Promise<JobRecord> {
    const { store } = this.#options;
    const { submission, secondTry, secondTryOf } = record;
    if (!isFinished(record) || !store.hasWhole(record.id)) return record;
    const error = record.job?.error;
    const because = error?.customCode;
    const isDue =
      submission && error && recordStatus(record) === "failed" && errorCodeOf(error)?.wholeBuildMayHelp;
    // The id tells which job it is for, so that it stays the only one.
    const id = `${record.id}-whole-build`;
    const isSending = this.#sending.has(id);
    const second =
      isDue && !isSending && !secondTry && !secondTryOf ? await this.#keptSecondTry(record) : undefined;
    if (isSending) {
      // It is this caller's, too: who began it may leave, and what came of the first job is not known without it.
      const request = () => Promise.resolve(record.wholeSha256 ?? id);
      const work = () => Promise.resolve(this.#record(id));
      await this.#underWay.once(record.service, record, signal, { request, work }).catch(() => {
        // Its own record says why it did not go out.
      });
    }
    if (second === "changed" && !store.get(id)) {
      await store.forgetWhole(record.id);
      return this.#changed(record, { problem: problemOf(wholeBuildChanged(record)) });
    }
    if (because !== undefined && second && second !== "changed" && !store.get(id)) {
      const about = { id, secondTryOf: { id: record.id, because }, ...this.#withheld(record) };
      const { reviewed } = second;
      const request = () => requestHash(reviewed.request);
      const work = (joint: AbortSignal) => this.#begin(reviewed, {}, joint, about);
      await this.#underWay.once(record.service, record, signal, { request, work }).catch(() => {
        // Its own record says why it did not go out.
      });
    }
    await store.forgetWhole(record.id);
    const isLinked = secondTry !== undefined || because === undefined || !store.get(id);
    if (isLinked) return record;
    const isWithheld = store.get(id)?.problem?.code === "service_changed";
    return this.#changed(record, { secondTry: { id, because, ...(isWithheld && { isWithheld }) } });
  }

  /** What keeps a second try from going out by itself: the user was not asked about the service that is configured now. */
  #withheld(record: JobRecord): Partial<JobRecord> {
    try {
      this.checkService(record);
      return {};
    } catch (error) {
      return { stage: "refused", problem: problemOf(error) };
    }
  }

  /** Takes over what the service says of a job; a failure because of an earlier success is that success. */
  async #took(record: JobRecord, job: VerificationJob, signal?: AbortSignal): Promise<JobRecord> {
    const now = this.#options.clock.now();
    // What is finished stays so, even if the service has forgotten it.
    if (record.job?.isJobCompleted && !job.isJobCompleted)
      return this.#changed(record, { checkedAt: now, problem: undefined });
    checkSameVerdict(record, job);
    const change: Partial<JobRecord> = {
      ...placeOf(record, job),
      job,
      checkedAt: now,
      problem: undefined,
      ...(job.isJobCompleted && record.finishedAt === undefined && { finishedAt: now }),
    };
    const placed = { ...record, ...change };
    if (isOfEarlier(job) && hasPlace(placed)) {
      const contract = await this.#recorded(placed, signal);
      if (toMatch(contract?.match)) return this.#changed(record, { ...change, contract });
    }
    return this.#changed(record, change);
  }

  /** What the service has on record of the contract of a job; a service without such look-ups has said all it knows. */
  async #recorded(record: JobRecord, signal?: AbortSignal): Promise<VerifiedContract | undefined> {
    try {
      return await this.#options.service(record.service).contract(record, signal);
    } catch (error) {
      const isKnown = error instanceof HttpError || error instanceof ServiceRefusal;
      if (isKnown && error.status === 404) return undefined;
      throw error;
    }
  }

  /**
   * Whether what the service has on record came of another submission of the contract from here, with other bytes, or may have:
   * of one that is not known to be over it is asked.
   */
  async #isOfOther(
    contract: VerifiedContract | undefined,
    record: JobRecord,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    for (const other of this.#runningFor(record)) {
      if (other.verificationId === undefined || !isOtherRequest(other, record)) continue;
      try {
        await this.#checked(other.id, signal);
      } catch (error) {
        if (isCancellation(error)) throw error;
        if (isPassing(error)) return true;
      }
    }
    return this.store
      .all()
      .some(
        (other) =>
          isForSame(other, record) && isOtherRequest(other, record) && isResultOf(other.job, contract),
      );
  }

  /** The other records of the same contract at the same service. */
  #othersFor(record: JobRecord): JobRecord[] {
    return this.store.all().filter((other) => other.id !== record.id && isForSame(other, record));
  }

  /** The jobs of those, those with an id before those that are in doubt. */
  #runningFor(record: JobRecord): JobRecord[] {
    const running = this.#othersFor(record).filter(
      (other) => other.stage !== "prepared" && !isFinished(other),
    );
    const hasId = ({ verificationId }: JobRecord) => verificationId !== undefined;
    return [...running.filter(hasId), ...running.filter((one) => !hasId(one))];
  }

  #record(id: string): JobRecord {
    const record = this.store.get(id);
    if (record) return record;
    throw removedMeanwhile();
  }

  /** Changes a record; what the disk does not take is told all the same, and kept with the next change. */
  async #changed(record: JobRecord, change: Partial<JobRecord>): Promise<JobRecord> {
    try {
      return (await this.store.update(record.id, change)) ?? { ...record, ...change };
    } catch (error) {
      if (!isDiskError(error)) throw error;
      return this.store.get(record.id) ?? { ...record, ...change };
    }
  }
}

/** Says of a disk that refused a record what it means for the submission. */
function notSubmitted(record: JobRecord): (error: unknown) => never {
  return (error) => {
    if (!isDiskError(error)) throw error;
    // On a full disk every folder is; else it is this one that a person has to look at.
    const place = error.code === "disk_full" || error.folder === undefined ? "" : t` in ${error.folder}`;
    throw new LedgerLensError(
      error.code,
      t`${recordTitle(record)} was not submitted: the list of jobs${place} can't be written because ${error.fault}. ${error.advice}`,
      { cause: error, ...(error.detail !== undefined && { detail: error.detail }) },
    );
  };
}

/** What the service has on record, if it was asked just now; `null` for nothing. It is asked otherwise. */
interface Recorded {
  readonly recorded?: VerifiedContract | null | undefined;
}

/**
 * A job is judged once: of what it came to, nothing is taken back.
 *
 * @throws HttpError `wrong_answer`
 */
function checkSameVerdict({ job: known }: JobRecord, job: VerificationJob): void {
  if (!known?.isJobCompleted) return;
  const [before, now] = [jobStatusOf(known), jobStatusOf(job)];
  if (before !== now)
    throw wrongAnswer(
      t`The verification service`,
      t`${statusInWords(now)} where the same job was ${statusInWords(before)}`,
    );
}

/** What is kept must be what was agreed to, to the byte: a file of the editor's own storage may have been changed. */
async function checkUnchanged(record: JobRecord, { request }: AgreedSubmission): Promise<void> {
  if (record.requestSha256 === undefined || record.requestSha256 === (await requestHash(request))) return;
  throw new LedgerLensError(
    "input_changed",
    t`What is kept of ${recordTitle(record)} is not what was submitted. Verify the contract from its files.`,
  );
}

/** Of a job that was followed by its id nothing was agreed to: not even what kind of submission it was is known. */
function submittedElsewhere(record: JobRecord): LedgerLensError {
  return new LedgerLensError(
    "input_forgotten",
    t`${recordTitle(record)} was not submitted from here, so that what was submitted is not known. Verify the contract from its files.`,
  );
}

function wholeBuildChanged(record: JobRecord): LedgerLensError {
  return new LedgerLensError(
    "input_changed",
    t`What is kept of the whole build of ${recordTitle(record)} is not what was agreed to, so there was no second try with it. Verify the contract from its files.`,
  );
}

/** A second try with all of the build. */
interface SecondSubmission {
  readonly whole: WholeSubmission;
  readonly reviewed: AgreedSubmission;
}

/** `undefined` for what could never go: the service takes no more than so many bytes. */
async function secondSubmission(
  record: JobRecord,
  whole: WholeSubmission,
): Promise<SecondSubmission | undefined> {
  const { submission } = record;
  if (!submission) return undefined;
  try {
    return { whole, reviewed: await inTurns(secondTryInPieces({ ...record, submission }, whole)) };
  } catch (error) {
    if (error instanceof LedgerLensError) return undefined;
    throw error;
  }
}

/** Faults that may be gone at the next look. */
function isPassing(error: unknown): boolean {
  // A gateway answers with a page where the service does not answer.
  if (error instanceof HttpError) return isPassingFault(error) || error.code === "not_json";
  return error instanceof ServiceRefusal && isPassingStatus(error.status);
}

/** Whether a service answered that it has nothing to say. */
function isTurnedDown(error: unknown): boolean {
  if (isPassing(error) || !(error instanceof HttpError || error instanceof ServiceRefusal)) return false;
  return error.status !== undefined && error.status >= 400 && error.status < 500;
}

/** Throws a fault that goes for what is sent next, too. */
function throwFinal(error: LedgerLensError): void {
  const isFinal =
    error instanceof HttpError
      ? !["not_json", "wrong_shape", "timeout", "too_large"].includes(error.code)
      : !(error instanceof ServiceRefusal) || error.code === "unsupported_chain";
  if (isFinal) throw error;
}

const NO_PLACE: Deployment = { chainId: "", address: "" };

/** The place of a job's contract, for a record of a job that was taken up by its id before the service named the place. */
function placeOf(record: Deployment, { contract }: VerificationJob): Partial<Deployment> {
  const { chainId, address } = contract ?? {};
  return hasPlace(record) || !chainId || !address ? {} : { chainId, address };
}

/** Whether a contract on record is not the one that was there before. */
function isNewer(contract: VerifiedContract | undefined, before: VerifiedContract | undefined): boolean {
  if (!contract || !toMatch(contract.match)) return false;
  const fields = ["match", "runtimeMatch", "creationMatch", "verifiedAt", "matchId"] as const;
  return !before || fields.some((field) => contract[field] !== before[field]);
}

/**
 * Whether the service may have begun a job although its answer was none, or one that says nothing: of all that can go
 * wrong behind a request only what is known to be a refusal is one.
 */
function mayHaveArrived(error: unknown): boolean {
  if (error instanceof ServiceRefusal)
    return error.status === 504 || (error.code === "service_error" && error.status >= 500);
  if (error instanceof HttpError) {
    if (!error.sent) return false;
    // A service that redirects has done nothing, but with "see other", which is said when it was done.
    if (error.code === "redirect_refused") return error.status === 303;
    return error.status === undefined || error.status < 400 || error.status >= 500;
  }
  // A parameter that is refused before anything is sent; any other fault is one of ours, and tells nothing.
  return !(error instanceof LedgerLensError);
}

/** Whether two records are about the same contract at the same service. */
function isForSame(one: JobRecord, other: Deployment & Pick<JobRecord, "service">): boolean {
  return one.service === other.service && deploymentKey(one) === deploymentKey(other);
}

/** Whether two records are of the same bytes for the same contract; of what an earlier version kept that is not known. */
function isSameRequest(one: JobRecord, other: JobRecord): boolean {
  return (
    isForSame(one, other) && one.requestSha256 !== undefined && one.requestSha256 === other.requestSha256
  );
}

/** Whether the submission of a record was taken meanwhile, whatever came of it, or may have been. */
function isSentSince(before: JobRecord | undefined, now: JobRecord): boolean {
  return now.stage === "submitted"
    ? now.verificationId !== before?.verificationId
    : isInDoubt(now) && !(before && isInDoubt(before));
}

/** Whether two records are known to be of different bytes. */
function isOtherRequest({ requestSha256: one }: JobRecord, { requestSha256: other }: JobRecord): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** Whether a job said of its contract the very thing that is on record. */
function isResultOf(job: VerificationJob | undefined, contract: VerifiedContract | undefined): boolean {
  if (!job?.isJobCompleted || isOfEarlier(job) || !toMatch(job.contract?.match)) return false;
  const { matchId, verifiedAt } = job.contract ?? {};
  if (matchId !== undefined && contract?.matchId !== undefined) return matchId === contract.matchId;
  return verifiedAt !== undefined && verifiedAt === contract?.verifiedAt;
}

function removedMeanwhile(): LedgerLensError {
  return new LedgerLensError(
    "job_not_found",
    t`This job is no longer in the list. Submit the contract again.`,
  );
}

function problemOf(error: unknown): { code: string; message: string } {
  if (error instanceof LedgerLensError) return { code: error.code, message: error.message };
  return { code: "internal", message: error instanceof Error ? error.message : String(error) };
}
