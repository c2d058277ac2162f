import { splitIdentifier } from "../../core/sources/contractIdentifier.ts";
import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import { carriesMetadataHash, readLocalBuild } from "../../core/compilerInput/localBuildReader.ts";
import { codeFigureInPieces } from "../../core/matching/codeSummary.ts";
import { earlierTries } from "../../core/jobs/earlierTries.ts";
import { inTurns } from "../../core/concurrency/turns.ts";
import { recordStatus, type JobRecord, type SubmittedInput } from "../../core/jobs/jobRecord.ts";
import type { SubmittedFile } from "../../core/jobs/submissionParts.ts";
import {
  causesByHistory,
  type Cause,
  type Explanation,
  type ExplanationInput,
} from "../../core/matching/explanation.ts";
import type { JobError } from "../../core/service/job.ts";
import type { StandardJsonInput } from "../../core/sources/standardJsonInput.ts";
import { compilerInputOf } from "./compilerInputOf.ts";
import { openedFiles, uriOf } from "../workspaceFiles.ts";
import { hasHistory } from "../workTrees.ts";
import { callableContracts } from "../../core/workspace/localContracts.ts";
import type { CompilerParts, ExplanationParts, WorkspaceParts } from "./verificationParts.ts";

/**
 * Finds out why a job failed and keeps it with the record; any other job is answered as it is. Nothing is fetched and
 * nothing is compiled: the answer comes from the two codes, from what was submitted and from the workspace.
 */
export async function explained(parts: ExplanationParts, record: JobRecord): Promise<JobRecord> {
  const { jobs, log } = parts;
  if (record.explanation || recordStatus(record) !== "failed" || !record.job?.error || !record.submission)
    return record;
  const { store } = jobs;
  const [job, stdJsonInput, files] = await Promise.all([
    store.wholeJob(record.id),
    store.input(record.id),
    store.files(record.id),
  ]);
  if (!job?.error || !stdJsonInput) return record;
  try {
    const { onchainRuntimeCode, recompiledRuntimeCode, recompiledCreationCode } = job.error;
    const explanation = await explanationOf(parts, job.error, {
      ...record.submission,
      stdJsonInput,
      files,
      earlier: await earlierTries(store, record, stdJsonInput),
    });
    const difference =
      onchainRuntimeCode && recompiledRuntimeCode
        ? await inTurns(
            codeFigureInPieces(
              "runtime",
              onchainRuntimeCode,
              recompiledRuntimeCode,
              stdJsonInput,
              recompiledCreationCode,
            ),
          )
        : undefined;
    return (await store.update(record.id, { explanation, difference })) ?? record;
  } catch (error) {
    // A failed verification without its reason is better than none.
    log.error(error);
    return record;
  }
}

/** What did not match, as it was compiled. */
interface ExplainedInput
  extends
    Pick<SubmittedInput, "path" | "contractName" | "compilerVersion" | "contractIdentifier">,
    Pick<ExplanationInput, "earlier"> {
  readonly stdJsonInput: StandardJsonInput;
  readonly files: readonly Pick<SubmittedFile, "name" | "path">[];
}

/** Why an input did not match, from an error of the service or of what was compiled here. */
export async function explanationOf(
  parts: CompilerParts & WorkspaceParts,
  error: JobError,
  { stdJsonInput, files, earlier, ...submitted }: ExplainedInput,
): Promise<Explanation> {
  const { explainInPieces } = await import("../../core/matching/explain.ts");
  const { compilerVersion, contractIdentifier } = submitted;
  const metadata = await provenMetadata(parts, submitted, error.recompiledRuntimeCode);
  const explanation = await inTurns(
    explainInPieces({
      error,
      submitted: {
        compilerVersion,
        contractIdentifier,
        stdJsonInput,
        ...(metadata !== undefined && { metadata }),
      },
      localContracts: await callableContracts(parts.workspace.index),
      workspaceName: workspaceNames(files),
      ...(earlier && { earlier }),
    }),
  );
  return {
    ...explanation,
    causes: causesByHistory(explanation.causes, await hasHistory(submitted.path)),
  };
}

/** An explanation as a program gets it: without the buttons of its causes. */
export interface ToldExplanation {
  readonly summary: string;
  /** The most likely first. */
  readonly causes: readonly Omit<Cause, "action">[];
}

/** What a program gets of an explanation. */
export function toldExplanation({ summary, causes }: Explanation): ToldExplanation {
  return { summary, causes: causes.map(({ action: _action, ...cause }) => cause) };
}

/** Contracts by the paths of their files in the workspace, whatever names the files were submitted under. */
function workspaceNames(files: ExplainedInput["files"]): (contract: string) => string {
  return (contract) => {
    const { file, name } = splitIdentifier(contract);
    const path = files.find((one) => one.name === file)?.path ?? file;
    if (!path.startsWith("/")) return contract;
    return `${vscode.workspace.asRelativePath(uriOf(path))}:${name}`;
  };
}

/** The metadata of the local build, where the recompiled code carries its metadata hash: then it proves settings. */
async function provenMetadata(
  parts: CompilerParts,
  { path, contractName }: Pick<SubmittedInput, "path" | "contractName">,
  recompiledCode: string | null | undefined,
): Promise<string | undefined> {
  if (!recompiledCode) return undefined;
  try {
    const input = await compilerInputOf(parts, `${path}:${contractName}`);
    const { metadata } = await readLocalBuild(await openedFiles(), input);
    return metadata !== undefined && carriesMetadataHash(recompiledCode, metadata) ? metadata : undefined;
  } catch (error) {
    // The files may have gone since: the codes tell enough.
    if (error instanceof LedgerLensError) return undefined;
    throw error;
  }
}
