import type { EngineVerdict } from "../../core/compilers/compilerQuestions.ts";
import type { LocalVerdict } from "../../core/compilers/localVerifier.ts";
import { placedContract } from "../../core/jobs/jobWords.ts";
import { LOCAL_VERDICTS, MAX_CAUSES, type LocalResult } from "../../core/jobs/localResults.ts";
import type { Deployment } from "../../core/service/submissionRequest.ts";
import type { FoundDeployment } from "../../core/workspace/workspaceDeployments.ts";
import { foreign, foreignSentence, joined, shown } from "../../core/text/shownText.ts";
import * as vscode from "vscode";
import { rememberChain } from "../lastChains.ts";
import { UserCancelled } from "../ui/action.ts";
import { optionalText } from "../ui/arguments.ts";
import { showMessage, type MessageButton } from "../ui/notifications.ts";
import { withProgressMessage } from "../ui/progress.ts";
import { oneOrMany } from "./chosenDeployment.ts";
import { compilerInputOf, type KnownDeployment, type WorkspaceInput } from "./compilerInputOf.ts";
import { deployedContract } from "./deployedContract.ts";
import { commitButton } from "./followJob.ts";
import { explanationOf, toldExplanation, type ToldExplanation } from "./explainJob.ts";
import { localResultDetails } from "./localResultDetails.ts";
import type { VerdictOptions } from "./localVerification.ts";
import type { DeploymentsAnswer, EarlierLook } from "./manyDeployments.ts";
import type { ManyKind } from "./manySteps.ts";
import type { VerificationParts } from "./verificationParts.ts";

/** What `verifyLocally` resolves to. */
interface LocalAnswer
  extends
    Pick<LocalVerdict, "verdict" | "compiler">,
    Pick<EngineVerdict, "runtimeMatch" | "creationMatch" | "transformations"> {
  /** Why it does not match. */
  readonly explanation?: ToldExplanation;
}

const TITLE = shown`Verify Locally`;
/** Of many deployments. */
const AT_ONCE = 2;

/**
 * `ledgerLens.verifyLocally` `{contract, chainId, address, creationTransactionHash?, compilerVersion?}`: compiles a contract
 * on this machine and compares it with the deployed code by the public service's own engine. Nothing is published. Many at
 * once are `{deployments: "all", chainId?}`, `{addresses: [...], chainId, contract?}` or `{diamond, chainId}`.
 */
export async function verifyLocally(
  parts: VerificationParts,
  args: Readonly<Record<string, unknown>>,
): Promise<LocalAnswer | DeploymentsAnswer> {
  const chosen = await oneOrMany(parts, TITLE, args);
  if ("many" in chosen) return verifyManyLocally(parts, chosen.many, args);
  const { contract, place, known } = chosen;
  const choice = { ...known, compilerVersion: optionalText(args, "compilerVersion") };
  const input = await compilerInputOf(parts, contract, choice, TITLE);
  const { answer, result } = await verifiedHere(parts, input, place, known);
  const publish = {
    label: shown`Verify…`,
    run: () => vscode.commands.executeCommand("ledgerLens.verifyThis", { contract, ...place }),
  };
  void tell(parts, result, parts.deploymentStates.isOutOfReach(place) ? undefined : publish);
  return answer;
}

/**
 * The same for those of many recorded deployments that a person chose.
 *
 * @throws UserCancelled where they cancelled it; what came of it until then is shown
 */
export async function verifyRecordedLocally(
  parts: VerificationParts,
  recorded: readonly FoundDeployment[],
): Promise<void> {
  const cancelled = new AbortController();
  await verifyManyLocally(parts, "deployments", {}, { recorded, onCancelled: () => cancelled.abort() });
  if (cancelled.signal.aborted) throw new UserCancelled();
}

/** The same for many, as `deployments`, `addresses` or `diamond` say. */
async function verifyManyLocally(
  parts: VerificationParts,
  kind: ManyKind,
  args: Readonly<Record<string, unknown>>,
  among: {
    readonly recorded?: readonly FoundDeployment[];
    readonly earlier?: EarlierLook;
    readonly onCancelled?: () => void;
  } = {},
): Promise<DeploymentsAnswer> {
  const compilerVersion = optionalText(args, "compilerVersion");
  const { inspectMany } = await import("./manyDeployments.ts");
  return inspectMany(parts, {
    title: TITLE,
    message: shown`Verifying deployments on this machine`,
    kind,
    args,
    ...among,
    again: (earlier) => verifyManyLocally(parts, kind, args, { earlier }),
    atOnce: AT_ONCE,
    files: "work tree",
    look: async ({ parts: once, place, contract, known, inputOf, title, started, report, signal }) => {
      const input = await inputOf(contract, { ...known, compilerVersion });
      const options = { title, started, onProgress: report, signal };
      const { verdict, reason } = (await judgedHere(once, input, place, known, options)).result;
      return { verdict, reason };
    },
  });
}

/** The same for what a review shows, to the byte, while it is open. */
export async function verifyReviewed(
  parts: VerificationParts,
  input: WorkspaceInput,
  place: Deployment,
  known: KnownDeployment,
): Promise<void> {
  const { result } = await verifiedHere(parts, input, place, known);
  void tell(parts, result);
}

/** Compiles an input, compares it, and keeps the result for the view. */
async function verifiedHere(
  parts: VerificationParts,
  input: WorkspaceInput,
  place: Deployment,
  known: KnownDeployment,
): Promise<{ readonly answer: LocalAnswer; readonly result: LocalResult }> {
  const started = performance.now();
  return withProgressMessage(
    shown`Verifying ${input.contractName} on this machine`,
    async (report, signal) => {
      report(shown`reading the deployed code`);
      return judgedHere(parts, input, place, known, { title: TITLE, started, onProgress: report, signal });
    },
  );
}

/** The same under another progress. */
async function judgedHere(
  parts: VerificationParts,
  input: WorkspaceInput,
  place: Deployment,
  known: KnownDeployment,
  options: VerdictOptions & { readonly signal: AbortSignal },
): Promise<{ readonly answer: LocalAnswer; readonly result: LocalResult }> {
  const { chainId, address } = place;
  const deployed = await deployedContract(parts, place, known, options.signal);
  const verdict = await parts.local.verdict(input, deployed, { ...options, needsCodes: true });
  await rememberChain(parts, chainId);
  const { jobErrorOf } = await import("../../core/compilers/localVerifier.ts");
  const { verdictReason } = await import("../../core/compilers/compiledPrediction.ts");
  const error = verdict.verdict === "mismatch" ? jobErrorOf(verdict, deployed) : undefined;
  const explanation = error && (await explanationOf(parts, error, input));
  parts.diagnostics.showLocal(input, place, error);
  const reason = explanation?.summary ?? verdictReason(verdict, deployed);
  const result: LocalResult = {
    path: input.path,
    contractName: input.contractName,
    chainId,
    address,
    verdict: verdict.verdict,
    compilerVersion: verdict.compiler.version,
    at: Date.now(),
    reason,
    ...(explanation && { causes: explanation.causes.slice(0, MAX_CAUSES) }),
    details: await localResultDetails(input, verdict, deployed),
  };
  await parts.localResults.add(result, { input: input.stdJsonInput, answer: { ...verdict, deployed } });
  parts.log.info(
    `${input.contractName} on chain ${chainId} at ${address}, compiled here: ${verdict.verdict}`,
  );
  const { runtimeMatch, creationMatch, transformations } = verdict.engine;
  const answer = {
    verdict: verdict.verdict,
    runtimeMatch,
    creationMatch,
    transformations,
    compiler: verdict.compiler,
    ...(explanation && { explanation: toldExplanation(explanation) }),
  };
  return { answer, result };
}

/** The result as a message; no code waits for its buttons. */
async function tell(parts: VerificationParts, result: LocalResult, publish?: MessageButton): Promise<void> {
  const { contractName, verdict, reason, causes = [] } = result;
  const contract = placedContract(foreign(contractName), result);
  const isVerified = parts.deploymentStates.isVerified(result, parts.jobs.store.all());
  const outcome = isVerified
    ? shown`${contract}: ${LOCAL_VERDICTS[verdict]} on this machine.`
    : shown`${contract}: ${LOCAL_VERDICTS[verdict]} on this machine; nothing was published.`;
  const details = { label: shown`Show Details`, run: async () => (await parts.pages()).showLocal(result) };
  if (verdict === "mismatch") {
    const find = await commitButton({ causes }, result, result);
    await showMessage("error", joined([outcome, foreignSentence(reason)], " "), ...find, details);
  } else await showMessage("information", outcome, ...(publish && !isVerified ? [publish] : []), details);
}
