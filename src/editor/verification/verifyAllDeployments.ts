import { deploymentKey } from "../../core/evm/deploymentKey.ts";
import { WAIT_LIMIT_SECONDS } from "./followJob.ts";
import { onRecord } from "./onRecord.ts";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import { systemClock } from "../../core/concurrency/clock.ts";
import { recorderTitle } from "../../core/tools/tool.ts";
import { noDeployments, type UnreadableRecords } from "../../core/tools/unreadableRecords.ts";
import type { FoundDeployment } from "../../core/workspace/workspaceDeployments.ts";
import { agoWords } from "../../core/text/timeWords.ts";
import { chainLabel } from "../../core/chains/chainNames.ts";
import { shortAddress, foreign, foreignSentence, joined, shown } from "../../core/text/shownText.ts";
import { runsHere } from "../../core/http/thisMachine.ts";
import { distinctFiles, type PublishedFile } from "../../core/jobs/publishReview.ts";
import type { AgreedSubmission, SubmissionReview } from "../../core/jobs/submissionReview.ts";
import type { VerificationService } from "../../core/service/verificationService.ts";
import { inTurns } from "../../core/concurrency/turns.ts";
import { reasonsOfMany, summaryOfMany, verifyMany, type ManyOutcome } from "../../core/jobs/verifyMany.ts";
import { runAction, UserCancelled, waysOut } from "../ui/action.ts";
import { explained } from "./explainJob.ts";
import type { StepFrame } from "../ui/multiStep.ts";
import { type Choice, separator, type StepChoice } from "../ui/quickPick.ts";
import { checkMayAsk, stopSignal } from "../ui/asking.ts";
import { showMessage } from "../ui/notifications.ts";
import { CONFIRMATION, confirmedFindings, confirmsPublishing } from "../ui/arguments.ts";
import { withProgressMessage } from "../ui/progress.ts";
import { checkNotLeft, inOneFlow, TickedOtherwise } from "../ui/questionFlow.ts";
import { pick, pickTicked } from "../ui/questions.ts";
import { uriOf } from "../workspaceFiles.ts";
import type { CompilerChoice } from "./compilerInputOf.ts";
import { question } from "./contractStep.ts";
import { knownDeployment } from "./deploymentInspection.ts";
import { fateLine, filesInBrief, showFiles } from "./publishedFiles.ts";
import { changedItems } from "./reviewStep.ts";
import { agreedByCaller, reviewOf, type InputReview } from "./inputReview.ts";
import { verifyRecordedLocally } from "./verifyLocally.ts";
import type { DocumentParts, ReviewParts, VerificationParts, WorkspaceParts } from "./verificationParts.ts";

/** What became of one deployment. */
export interface DeploymentOutcome {
  readonly contract: string;
  readonly chainId: string;
  readonly address: string;
  readonly outcome: ManyOutcome<FoundDeployment>["outcome"];
  readonly reason?: string;
}

/** Deployments that a person chooses from. */
interface OfferedChoice {
  readonly only: readonly FoundDeployment[];
  /** Whether it began by itself: then the review is shown whatever was agreed to before. */
  readonly isUnasked: boolean;
}

/**
 * `ledgerLens.verifyAllDeployments` `{confirmPublish: true, confirmFindings?, staleBuild?: "use"}`: verifies what the project's own records say
 * was deployed, over all chains; what is verified already is skipped. A person sees every file that goes before, and
 * those very texts go to the service that was shown.
 *
 * @param offered what is chosen from, where that is not all that was recorded
 */
export async function verifyAllDeployments(
  parts: VerificationParts,
  args: Readonly<Record<string, unknown>>,
  offered?: OfferedChoice,
): Promise<readonly DeploymentOutcome[]> {
  const { found: recorded, unreadable, fault } = await parts.workspace.readDeployments();
  if (fault !== undefined) throw fault;
  const only = offered && new Set(offered.only.map(deploymentKey));
  const found = recorded.filter((one) => one.defined && (!only || only.has(deploymentKey(one))));
  if (found.length === 0) throw noDeployments(unreadable);
  const isConfirmed = confirmsPublishing(args);
  const findings = confirmedFindings(args);
  if (!isConfirmed) checkMayAsk(t`Verify All Deployments`, [CONFIRMATION]);
  const staleBuild = isConfirmed && args["staleBuild"] !== "use" ? "refuse" : "use";
  // A caller is told of each why it was refused; what a person chose of this machine's chains is verified here.
  const { chosen, agreed } = isConfirmed
    ? { chosen: found, agreed: confirmedByCaller(parts, parts.service(), staleBuild, findings) }
    : await askWhichAndAgree(parts, found, unreadable, offered?.isUnasked ?? false);
  if (!agreed) return [];
  for (const { service, scope } of agreed.forGood) await parts.consent.give(service, scope);
  const outcomes = await withProgressMessage(shown`Verifying deployments`, (report, signal) =>
    verifyMany({
      deployments: chosen,
      jobs: parts.jobs,
      service: agreed.service,
      clock: systemClock,
      reviewedOf: agreed.reviewedOf,
      finish: (record) => explained(parts, record),
      onProgress: (done, all) =>
        report(shown`${done.toLocaleString("en-US")} of ${all.toLocaleString("en-US")}`, 100 / all),
      limitMs: WAIT_LIMIT_SECONDS * 1000,
      signal,
    }),
  );
  parts.follower.start();
  for (const { deployment, recorded } of outcomes)
    if (recorded) parts.deploymentStates.learn(deployment, recorded, agreed.service.url);
  void tell(
    outcomes,
    () => verifyAllDeployments(parts, {}, { only: left(outcomes), isUnasked: false }),
    parts,
  );
  return outcomes.map(({ deployment, outcome, reason, record }) => {
    const because = reason ?? record?.explanation?.causes[0]?.evidence;
    return {
      contract: nameOf(deployment),
      chainId: deployment.chainId,
      address: deployment.address,
      outcome,
      ...(because !== undefined && { reason: because }),
    };
  });
}

/** Lets a person choose, verifies here what only this machine reaches, and asks whether the rest may go. */
async function askWhichAndAgree(
  parts: VerificationParts,
  found: readonly FoundDeployment[],
  unreadable: UnreadableRecords | undefined,
  isUnasked: boolean,
): Promise<{ readonly chosen: readonly FoundDeployment[]; readonly agreed?: Agreed }> {
  const { here, chosen, agreed } = await inOneFlow(async () => {
    const chainIds = found.map(({ chainId }) => chainId);
    await parts.jobs.chainSupport.learnPublic(parts.service(), chainIds, stopSignal());
    for (let ticked: readonly unknown[] | undefined; ;) {
      try {
        const picked = await choose(parts, found, unreadable, ticked);
        const here = picked.filter((one) => parts.deploymentStates.isOutOfReach(one));
        const chosen = picked.filter((one) => !here.includes(one));
        // What is verified here takes its time, and no question waits on the screen for that.
        const isNext = here.length === 0;
        const agreed = isNext ? await agree(parts, chosen, isUnasked) : undefined;
        // Here, where it is asked again, and not only at the end of the flow.
        checkNotLeft();
        return { here, chosen, agreed };
      } catch (error) {
        if (!(error instanceof TickedOtherwise)) throw error;
        ticked = error.values;
      }
    }
  });
  if (agreed) return { chosen, agreed };
  await verifyRecordedLocally(parts, here);
  return { chosen, ...(chosen.length > 0 && { agreed: await agree(parts, chosen, isUnasked) }) };
}

/** What is not verified and may be the next time. */
function left(outcomes: readonly ManyOutcome<FoundDeployment>[]): FoundDeployment[] {
  return outcomes
    .filter(({ outcome }) => outcome === "refused" || outcome === "not sent")
    .map(({ deployment }) => deployment);
}

/** What came of them in one message, with why and with the ways out that the errors give reason for. */
async function tell(
  outcomes: readonly ManyOutcome<FoundDeployment>[],
  again: () => Promise<unknown>,
  { log }: Pick<WorkspaceParts, "log">,
): Promise<void> {
  const caller = {
    again: () => runAction(log, t`Verify All Deployments`, { interactive: true }, again),
    addressSetting: "ledgerLens.verificationUrl",
  };
  const buttons = outcomes.flatMap(({ code, reason, setting, key, remedy }) =>
    code === undefined || reason === undefined ? [] : waysOut({ code, setting, key, remedy }, caller),
  );
  const reasons = reasonsOfMany(outcomes, nameOf);
  await showMessage(
    reasons.length === 0 ? "information" : "warning",
    joined([foreignSentence(summaryOfMany(outcomes, nameOf)), ...reasons], " "),
    ...new Map(buttons.map((button) => [button.label, button])).values(),
  );
}

function nameOf({ defined, contract }: FoundDeployment): string {
  return defined?.name ?? contract;
}

/** What may go: to this service, and for a deployment what was agreed to. */
interface Agreed {
  readonly service: VerificationService;
  /** What was agreed to for good with it, which is kept once it can't be left any more. */
  readonly forGood: readonly Pick<SubmissionReview, "service" | "scope">[];
  readonly reviewedOf: (deployment: FoundDeployment) => Promise<AgreedSubmission>;
}

/** A caller agreed beforehand; each input is built once, right before it goes. */
function confirmedByCaller(
  parts: ReviewParts,
  service: VerificationService,
  staleBuild: CompilerChoice["staleBuild"],
  findings: readonly string[],
): Agreed {
  return {
    service,
    forGood: [],
    reviewedOf: async (deployment) =>
      agreedByCaller(parts, await deploymentReview(parts, service, deployment, staleBuild), findings),
  };
}

async function deploymentReview(
  parts: ReviewParts,
  service: VerificationService,
  deployment: FoundDeployment,
  staleBuild: CompilerChoice["staleBuild"],
): Promise<InputReview> {
  const contract = `${deployment.defined?.path ?? ""}:${nameOf(deployment)}`;
  const known = await knownDeployment(parts, contract, deployment);
  return reviewOf(parts, service.url, contract, deployment, { ...known, staleBuild });
}

/**
 * Those of chains that the service can't see stand apart, and are chosen for a verification on this machine.
 *
 * @param ticked what is ticked at first, where that is not what is left to verify
 */
async function choose(
  parts: Pick<VerificationParts, "jobs" | "deploymentStates" | "service" | "consent">,
  found: readonly FoundDeployment[],
  unreadable: UnreadableRecords | undefined,
  ticked: readonly unknown[] | undefined,
): Promise<FoundDeployment[]> {
  await parts.jobs.store.load();
  const records = parts.jobs.store.all();
  const choiceOf = (deployment: FoundDeployment): Choice<FoundDeployment> => {
    const { chainId, address, recordedBy, when, record } = deployment;
    const isDone = parts.deploymentStates.of(deployment, records) === "exact_match";
    const verified = parts.deploymentStates.verifiedInWords(deployment, records);
    const deployed = when === undefined ? t`deployed` : t`deployed ${agoWords(when, Date.now())}`;
    return {
      label: foreign(nameOf(deployment)),
      description: shown`${chainLabel(chainId)} · ${shortAddress(address)}${verified === undefined ? "" : ` · ${verified}`}`,
      detail: shown`${deployed} by ${recorderTitle(recordedBy)}, ${vscode.workspace.asRelativePath(uriOf(record))}`,
      picked: ticked?.includes(deployment) ?? (!isDone && !parts.deploymentStates.isOutOfReach(deployment)),
      value: deployment,
    };
  };
  const [here = [], seen = []] = [true, false].map((isLocal) =>
    found.filter((one) => parts.deploymentStates.isOutOfReach(one) === isLocal).map(choiceOf),
  );
  const choices = [
    ...seen,
    ...(here.length === 0
      ? []
      : [separator(shown`Verify Locally: ${parts.service().host} can't see these chains`), ...here]),
  ];
  const picked = await pickTicked(
    {
      title: shown`Verify All Deployments`,
      placeholder: question(shown`Which deployments?`, unreadable),
      choices,
    },
    // What was agreed to for good goes without a further question.
    parts.consent.mayCover(parts.service().url),
  );
  if (picked.length === 0) throw new UserCancelled();
  return picked;
}

/** What goes for the chosen deployments if it is agreed to, frozen; without an input the reason why. */
interface Plan {
  readonly service: VerificationService;
  readonly reviews: ReadonlyMap<string, PlannedReview>;
}

interface PlannedReview {
  readonly deployment: FoundDeployment;
  readonly outcome: { readonly review: SubmissionReview } | { readonly refused: LedgerLensError };
}

/** Builds every input once, for the service that is configured now; what is verified there already is left out. */
async function planNow(
  parts: ReviewParts & Pick<VerificationParts, "jobs">,
  chosen: readonly FoundDeployment[],
): Promise<Plan> {
  const service = parts.service();
  const reviews = new Map<string, PlannedReview>();
  for (const deployment of chosen) {
    const key = deploymentKey(deployment);
    if (reviews.has(key) || (await onRecord(parts, service, deployment)) !== null) continue;
    try {
      // It may be another service than the one that it was chosen for.
      await parts.jobs.chainSupport.checkReach(service, deployment.chainId, stopSignal());
      const { review } = await deploymentReview(parts, service, deployment, "use");
      review.agreed();
      reviews.set(key, { deployment, outcome: { review } });
    } catch (error) {
      // Without an input nothing is published; the summary says why.
      if (!(error instanceof LedgerLensError)) throw error;
      reviews.set(key, { deployment, outcome: { refused: error } });
    }
  }
  return { service, reviews };
}

function reviewsIn({ reviews }: Plan): { deployment: FoundDeployment; review: SubmissionReview }[] {
  return [...reviews.values()].flatMap(({ deployment, outcome }) =>
    "review" in outcome ? [{ deployment, review: outcome.review }] : [],
  );
}

/** What is different in a later plan, in words; nothing where both send the very same. */
async function changesBetween(before: Plan, now: Plan): Promise<string | undefined> {
  const later = new Map(reviewsIn(now).map(({ deployment, review }) => [deploymentKey(deployment), review]));
  const changes = new Set<string>();
  for (const { deployment, review } of reviewsIn(before)) {
    const other = later.get(deploymentKey(deployment));
    const change = other
      ? await inTurns(review.changesInPieces(other))
      : t`what goes for ${nameOf(deployment)}`;
    if (change !== undefined) changes.add(change);
  }
  const known = new Set(reviewsIn(before).map(({ deployment }) => deploymentKey(deployment)));
  for (const { deployment } of reviewsIn(now))
    if (!known.has(deploymentKey(deployment))) changes.add(t`what goes for ${nameOf(deployment)}`);
  return changes.size === 0 ? undefined : [...changes].slice(0, 3).join("; ");
}

/**
 * Shows which files of all the chosen contracts are published, and asks whether they may be. What was shown is what goes;
 * if anything is different by the time of the agreement, it is said and shown again.
 */
async function agree(
  parts: ReviewParts & DocumentParts & Pick<VerificationParts, "consent" | "jobs">,
  chosen: readonly FoundDeployment[],
  isUnasked: boolean,
): Promise<Agreed> {
  let plan = await planNow(parts, chosen);
  let changed: string | undefined;
  // What came by itself begins at a line that sends nothing: an Enter may be on its way to something else.
  let lookedAt: "files" | undefined = isUnasked ? "files" : undefined;
  const frame: StepFrame = { title: shown`Verify All Deployments`, step: 1, totalSteps: 1, canGoBack: false };
  for (;;) {
    const { service } = plan;
    const reviews = reviewsIn(plan);
    const isCovered = reviews.every(({ review }) => parts.consent.covers(review.service, review.scope));
    if (reviews.length === 0 || (changed === undefined && isCovered && !isUnasked)) return agreedTo(plan);
    const groups = reviews.map(({ deployment, review }) => ({
      title: shown`${nameOf(deployment)} · ${chainLabel(deployment.chainId)} · ${shortAddress(deployment.address)}`,
      files: review.shown.files,
    }));
    const files = await inTurns(distinctFiles(groups));
    const item = await pick(frame, {
      placeholder: isUnasked
        ? shown`Select Submit to send what is shown, or an item to see it`
        : shown`Press Enter to submit, or select an item to see it`,
      choices: [...changedItems(changed), ...planItems(service.host, reviews, files, isUnasked)],
      beginAt: changed === undefined ? lookedAt : undefined,
    });
    if (item !== "files") {
      const now = await planNow(parts, chosen);
      changed = await changesBetween(plan, now);
      if (changed === undefined) {
        checkNotLeft();
        return agreedTo(plan, item === "always" ? reviews.map(({ review }) => review) : []);
      }
      plan = now;
      continue;
    }
    lookedAt = item;
    try {
      await showFiles(parts, { ...frame, canGoBack: true }, groups);
    } catch (error) {
      // Back returns to this step; leaving leaves the command.
      if (error instanceof LedgerLensError) throw error;
    }
  }
}

function planItems(
  host: string,
  reviews: readonly { readonly review: SubmissionReview }[],
  files: readonly PublishedFile[],
  isUnasked: boolean,
): StepChoice<"submit" | "always" | "files">[] {
  const all = { files, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  const sentences = reviews.flatMap(({ review }) =>
    [...review.findings, ...review.shown.concerns]
      .filter(({ severity }) => severity !== "note")
      .map(({ sentence }) => sentence),
  );
  const always: StepChoice<"always"> = {
    icon: "check-all",
    label: shown`Submit, and Do Not Ask Again`,
    detail: shown`For ${host} from this workspace; asks again where possible secrets are found`,
    value: "always",
    sends: true,
  };
  return [
    {
      icon: "cloud-upload",
      label: shown`Submit to ${host}`,
      detail: runsHere(host) ? shown`Sends ${filesInBrief(all)}.` : shown`Publishes ${filesInBrief(all)}.`,
      value: "submit",
      sends: true,
    },
    ...(isUnasked ? [] : [always]),
    { ...fateLine(host), value: "files" },
    ...[...new Set(sentences)].map((sentence) => ({
      icon: "warning",
      label: foreignSentence(sentence),
      value: "files" as const,
    })),
    { icon: "files", label: shown`Files`, description: filesInBrief(all), value: "files" },
  ];
}

function agreedTo({ service, reviews }: Plan, forGood: Agreed["forGood"] = []): Agreed {
  return {
    service,
    forGood,
    reviewedOf: (deployment) => {
      const outcome = reviews.get(deploymentKey(deployment))?.outcome;
      if (outcome && "review" in outcome) return Promise.resolve(outcome.review.agreed());
      return Promise.reject(
        outcome?.refused ??
          new LedgerLensError(
            "not_reviewed",
            t`${nameOf(deployment)} was verified at ${service.host} when the files were shown and is not now. Verify it once more.`,
          ),
      );
    },
  };
}
