import { t } from "@vscode/l10n";
import { LANGUAGES } from "../../core/languages/language.ts";
import { readDeployedCode } from "../../core/chains/deployedCode.ts";
import type { PredictedOutcome, Prediction } from "../../core/matching/predict.ts";
import { readLocalBuild } from "../../core/compilerInput/localBuildReader.ts";
import { isCancellation, LedgerLensError } from "../../core/errors.ts";
import { implementationOf } from "../../core/chains/proxyImplementation.ts";
import { selectorsOf } from "../../core/workspace/localContracts.ts";
import { mayAsk, stopSignal } from "../ui/asking.ts";
import { askSteps } from "../ui/multiStep.ts";
import { showMessage } from "../ui/notifications.ts";
import { openedFiles } from "../workspaceFiles.ts";
import { optionalText } from "../ui/arguments.ts";
import { compilerInputOf, type KnownDeployment, type WorkspaceInput } from "./compilerInputOf.ts";
import {
  contractFrom,
  contractStep,
  placeStep,
  type ContractParts,
  type ContractState,
} from "./contractStep.ts";
import { knownDeployment } from "./deploymentInspection.ts";
import { deploymentFrom, deploymentSteps, type PartialDeployment } from "./deploymentSteps.ts";
import * as vscode from "vscode";
import { foreignSentence, joined, shown, type ShownText } from "../../core/text/shownText.ts";
import type { DeployedContract } from "../../core/compilers/compilerQuestions.ts";
import type {
  ChainParts,
  CompilerParts,
  DeploymentParts,
  LocalParts,
  WorkspaceParts,
} from "./verificationParts.ts";

/** What a prediction is made with. */
type PredictionParts = WorkspaceParts & ChainParts & Pick<LocalParts, "local">;

/** What `predictMatch` resolves to. */
interface PredictedMatch {
  readonly prediction: PredictedOutcome;
  /** Sentences, the decisive one first. */
  readonly reasons: readonly string[];
  /** Where a proxy forwards its calls to: verify the contract there. */
  readonly implementation?: string;
}

const WORDS: Readonly<Record<Exclude<PredictedOutcome, "unknown">, string>> = {
  exact_match: t`exact match expected`,
  match: t`match expected`,
  mismatch: t`no match expected`,
};

/**
 * `ledgerLens.predictMatch` `{contract, chainId, address, compilerVersion?, creationTransactionHash?}`: what a
 * verification would come to, from the deployed code and the local build. Nothing is submitted.
 */
export async function predictMatch(
  parts: PredictionParts & CompilerParts & DeploymentParts & ContractParts,
  args: Readonly<Record<string, unknown>>,
): Promise<PredictedMatch> {
  const state: ContractState & PartialDeployment = {
    ...contractFrom(args),
    ...deploymentFrom(args),
  };
  await askSteps(shown`Predict Match`, state, [
    contractStep(parts),
    placeStep(parts),
    ...deploymentSteps(parts),
  ]);
  const { contract = "", chainId = "", address = "" } = state;
  const known = await knownDeployment(parts, contract, { chainId, address });
  const choice = { ...known, compilerVersion: optionalText(args, "compilerVersion") };
  const input = await compilerInputOf(parts, contract, choice, shown`Predict Match`);
  const { creationTransactionHash } = state;
  const deployed = { chainId, address, creationTransactionHash, deployment: known.deployment };
  const { prediction, reasons, implementation } = await predictionOf(parts, input, deployed, stopSignal());
  if (mayAsk()) {
    const [reason = ""] = reasons;
    const outcome =
      prediction === "unknown"
        ? shown`Can't predict the result for ${input.contractName}.`
        : shown`${input.contractName}: ${WORDS[prediction]}.`;
    const text = joined([outcome, foreignSentence(reason)], " ");
    const verifyImplementation = {
      label: shown`Verify Implementation`,
      run: () =>
        vscode.commands.executeCommand("ledgerLens.verifyThis", {
          contract,
          chainId,
          address: implementation,
        }),
    };
    void showMessage("information", text, ...(implementation === undefined ? [] : [verifyImplementation]));
  }
  return { prediction, reasons, ...(implementation !== undefined && { implementation }) };
}

/** A deployment as a prediction knows it. */
interface PredictedDeployment extends Pick<KnownDeployment, "deployment"> {
  readonly chainId: string;
  readonly address: string;
  readonly creationTransactionHash?: string | undefined;
}

/** How a prediction is asked for. */
interface PredictionOptions {
  /** Told what is compiled. */
  readonly onProgress?: ((message: ShownText) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What the codes alone tell of a submission. */
export interface CodePrediction {
  readonly predicted: Prediction;
  /** What was read of the chain. */
  readonly deployed: DeployedContract;
}

/**
 * What a submission of an input would come to, from the deployed code and the local build, and compiled here where these
 * leave it open.
 *
 * @throws LedgerLensError `no_code_source` when there is no source to ask for the code, and what the last one asked said
 */
async function predictionOf(
  parts: PredictionParts,
  input: WorkspaceInput,
  deployment: PredictedDeployment,
  signal: AbortSignal | undefined,
): Promise<Prediction> {
  return compiledToo(parts, input, await predictedByCodes(parts, input, deployment, signal), { signal });
}

/**
 * The same from the codes alone.
 *
 * @throws LedgerLensError as {@link predictionOf}
 */
export async function predictedByCodes(
  parts: ChainParts & WorkspaceParts,
  input: WorkspaceInput,
  deployment: PredictedDeployment,
  signal?: AbortSignal,
): Promise<CodePrediction> {
  const deployedCode = await readDeployedCode(parts.codeReaders, deployment, signal);
  const creationCode = await creationCodeOf(parts, deployment, signal);
  const { path, contractName: name } = input;
  const localBuild = {
    ...(await readLocalBuild(await openedFiles(), input)),
    selectors: await selectorsOf(parts.workspace.index, { path, name }),
  };
  const { predict } = await import("../../core/matching/predict.ts");
  // Vyper's integrity hash stands only in the creation code; what else stands there is for the compiled code.
  const { hasHashInCreationCode } = LANGUAGES[input.stdJsonInput.language];
  const deployedCreationCode = hasHashInCreationCode ? creationCode : undefined;
  const known = { deployedCode, localBuild, ...(deployedCreationCode && { deployedCreationCode }) };
  const predicted = await predict(known, async (proxy) => {
    const chain = await parts.anyNode(deployment.chainId, signal);
    return chain && implementationOf(deployment.address, proxy, chain, signal);
  });
  const { chainId, address } = deployment;
  const deployed = { chainId, address, runtimeCode: deployedCode, ...(creationCode && { creationCode }) };
  return { predicted, deployed };
}

/** What compiling says of a prediction that the codes alone leave open; the reason stands in it where that is not possible. */
export async function compiledToo(
  { local, log }: Pick<PredictionParts, "local" | "log">,
  input: WorkspaceInput,
  { predicted, deployed }: CodePrediction,
  options: PredictionOptions = {},
): Promise<Prediction> {
  if (predicted.isCertain) return predicted;
  try {
    const verdict = await local.verdict(input, deployed, options);
    const { compiledPrediction } = await import("../../core/compilers/compiledPrediction.ts");
    return compiledPrediction(predicted, verdict, deployed);
  } catch (error) {
    if (!(error instanceof LedgerLensError) || isCancellation(error)) throw error;
    log.debug(`Nothing was compiled for the prediction: ${error.message}`);
    return { ...predicted, reasons: [...predicted.reasons, error.message] };
  }
}

/** The code that created the contract, where its transaction is known. */
export async function creationCodeOf(
  parts: Pick<PredictionParts, "anyNode" | "log">,
  { chainId, creationTransactionHash: given, deployment }: PredictedDeployment,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const hash = given ?? deployment?.creationTransactionHash;
  if (hash === undefined) return deployment?.creationCode;
  try {
    const code = await (await parts.anyNode(chainId, signal))?.creationCode(hash, signal);
    return code ?? deployment?.creationCode;
  } catch (error) {
    // Without it a match can still be told from none.
    if (!(error instanceof LedgerLensError) || isCancellation(error)) throw error;
    parts.log.debug(`The creation transaction could not be read: ${error.message}`);
    return deployment?.creationCode;
  }
}
