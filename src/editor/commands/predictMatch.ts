import type { Parts } from "../../container.ts";
import { localMetadata } from "../../core/compilerInput/localMetadata.ts";
import { readDeployedCode } from "../../core/verification/deployedCode.ts";
import {
  predict,
  type PredictedOutcome,
  type Prediction,
} from "../../core/verification/prediction/predict.ts";
import type { CompilerInput } from "../../core/compilerInput/standardJsonInput.ts";
import { askSteps } from "../multiStep.ts";
import { workspaceFiles } from "../workspaceFiles.ts";
import { optionalText } from "./arguments.ts";
import { compilerInputOf } from "./compilerInputOf.ts";
import { contractStep, type ContractState } from "./contractStep.ts";
import { deploymentFrom, deploymentSteps, type DeploymentState } from "./deploymentSteps.ts";
import * as vscode from "vscode";
import { visibleText } from "../../core/visibleText.ts";

/** What `predictMatch` resolves to. */
export interface PredictedMatch {
  readonly prediction: PredictedOutcome;
  /** Sentences, the decisive one first. */
  readonly reasons: readonly string[];
}

const WORDS: Readonly<Record<PredictedOutcome, string>> = {
  exact_match: "exact match expected",
  match: "match expected",
  mismatch: "no match expected",
  unknown: "can't be told",
};

/**
 * `ledgerLens.predictMatch` `{contract, chainId, address}`: what a verification would come to, from the deployed code
 * and the local build. Nothing is submitted.
 */
export async function predictMatch(
  parts: Parts,
  args: Readonly<Record<string, unknown>>,
): Promise<PredictedMatch> {
  const state: ContractState & DeploymentState = {
    contract: optionalText(args, "contract"),
    ...deploymentFrom(args),
  };
  const isAsked = state.contract === undefined || state.chainId === undefined || state.address === undefined;
  await askSteps("Predict Match", state, [contractStep(parts), ...deploymentSteps(parts)]);
  const { contract = "", chainId = "", address = "" } = state;
  const input = await compilerInputOf(contract);
  const { prediction, reasons } = await predictionOf(parts, input, { chainId, address });
  if (isAsked) {
    const [reason = ""] = reasons;
    void vscode.window.showInformationMessage(
      visibleText(`${input.contractName}: ${WORDS[prediction]}. ${reason}`),
    );
  }
  return { prediction, reasons };
}

/**
 * What a submission of an input would come to, from the deployed code and the local build.
 *
 * @throws LedgerLensError `no_code_source` when nobody can be asked for the code, and what the last one asked said
 */
export async function predictionOf(
  { codeReaders }: Parts,
  input: CompilerInput,
  deployment: { readonly chainId: string; readonly address: string },
  signal?: AbortSignal,
): Promise<Prediction> {
  const deployedCode = await readDeployedCode(codeReaders, deployment, signal);
  const metadata = await localMetadata(workspaceFiles, input);
  const { language, sources } = input.stdJsonInput;
  return predict({
    deployedCode,
    localBuild: {
      ...((language === "Solidity" || language === "Vyper") && { language }),
      compilerVersion: input.compilerVersion,
      ...(metadata !== undefined && { metadata }),
      sources: Object.fromEntries(Object.entries(sources).map(([name, { content }]) => [name, content])),
    },
  });
}
