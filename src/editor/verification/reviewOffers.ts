import { splitIdentifier } from "../../core/sources/contractIdentifier.ts";
import * as vscode from "vscode";
import { LedgerLensError, isCancellation } from "../../core/errors.ts";
import { inTurns } from "../../core/concurrency/turns.ts";
import type { ReviewOffer } from "../../core/jobs/reviewOffers.ts";
import { callableContracts, selectorsOf } from "../../core/workspace/localContracts.ts";
import { withChanges } from "../../core/matching/resubmission.ts";
import { uriOf } from "../workspaceFiles.ts";
import type { CompilerChoice, WorkspaceInput } from "./compilerInputOf.ts";
import { lastInLists } from "./contractStep.ts";
import { explanationOf } from "./explainJob.ts";
import type { CodePrediction } from "./predictMatch.ts";
import type { CompilerParts, LocalParts, WorkspaceParts } from "./verificationParts.ts";

/**
 * What the deployed code alone offers in the place of what a review is of. Of the files of a commit no other contract is
 * offered, since the workspace's are not theirs.
 */
export async function offersByCode(
  { workspace: { index } }: Pick<WorkspaceParts, "workspace">,
  input: WorkspaceInput,
  { commit }: Pick<CompilerChoice, "commit">,
  { predicted, deployed }: CodePrediction,
): Promise<ReviewOffer[]> {
  const { offersOfCode } = await import("../../core/jobs/reviewOffers.ts");
  const { hasOtherFunctions } = await import("../../core/matching/contractSearch.ts");
  const { path, contractName: name } = input;
  const own = { path, name };
  const isLast = lastInLists();
  const selectors = await selectorsOf(index, own);
  const isLookedFor =
    commit === undefined &&
    !predicted.isCertain &&
    hasOtherFunctions(deployed.runtimeCode, Object.keys(selectors));
  // All contracts of a workspace are read for it.
  const found = isLookedFor ? await callableContracts(index) : [];
  return inTurns(
    offersOfCode(predicted, deployed.runtimeCode, {
      submitted: input,
      selectors,
      contracts: found.filter((contract) => contract.name !== `${path}:${name}`),
      isBehind: (contract) => isLast(definedAt(contract)),
    }),
  );
}

/** A contract by the path of its file and its name, from `path/to/File.sol:Name`. */
function definedAt(contract: string): { readonly path: string; readonly name: string } {
  const { file: path, name } = splitIdentifier(contract);
  return { path, name };
}

/**
 * Other settings, where those of the review don't make the deployed code and these do, as compiling shows.
 *
 * @returns none where nothing that the codes point to does, or nothing can be compiled here
 */
export async function offersByCompiling(
  parts: WorkspaceParts & CompilerParts & Pick<LocalParts, "local">,
  input: WorkspaceInput,
  { deployed }: CodePrediction,
  signal: AbortSignal,
): Promise<ReviewOffer[]> {
  const { changesToTry, compiledOffer } = await import("../../core/jobs/reviewOffers.ts");
  const { jobErrorOf } = await import("../../core/compilers/localVerifier.ts");
  try {
    const verdict = await parts.local.verdict(input, deployed, { needsCodes: true, signal });
    const explanation = await explanationOf(parts, jobErrorOf(verdict, deployed), input);
    for (const changes of changesToTry(explanation)) {
      const { verdict: outcome } = await parts.local.verdict(withChanges(input, changes), deployed, {
        signal,
      });
      if (outcome !== "mismatch") return [compiledOffer(changes, outcome)];
    }
  } catch (error) {
    if (!(error instanceof LedgerLensError) || isCancellation(error)) throw error;
    parts.log.debug(`No other settings were compiled for the review: ${error.message}`);
  }
  return [];
}

/** The path of an offered contract's file, as it is shown. */
export function offeredPath(contract: string): string {
  return vscode.workspace.asRelativePath(uriOf(definedAt(contract).path));
}
