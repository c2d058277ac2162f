import { splitIdentifier } from "../../core/sources/contractIdentifier.ts";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import { inTurns } from "../../core/concurrency/turns.ts";
import { bytecodeDifference } from "../../core/matching/bytecodeDifference.ts";
import { codeFigureInPieces } from "../../core/matching/codeSummary.ts";
import type { Action, ResubmitChanges } from "../../core/matching/explanation.ts";
import { recordTitle, type JobRecord } from "../../core/jobs/jobRecord.ts";
import { implementationOf } from "../../core/chains/proxyImplementation.ts";
import { findDeployedCommit } from "./findDeployedCommit.ts";
import { followJob } from "./followJob.ts";
import { orElsewhere } from "./beginJob.ts";
import { retryJob } from "./retryJob.ts";
import { documentText } from "../../core/text/documentText.ts";
import { showDiff } from "../ui/diff.ts";
import { submittedAgain } from "./submitAgain.ts";
import { submitOnce, submittedOnce } from "./submittedOnce.ts";
import { choiceToLay, compilerInputOf, type WorkspaceInput } from "./compilerInputOf.ts";
import { deployedContract } from "./deployedContract.ts";
import { knownDeployment } from "./deploymentInspection.ts";
import { verifyContract } from "./verifyContract.ts";
import { verifyLocally } from "./verifyLocally.ts";
import { withProgressMessage } from "../ui/progress.ts";
import type { LocalResult } from "../../core/jobs/localResults.ts";
import { withChanges } from "../../core/matching/resubmission.ts";
import type { JobError } from "../../core/service/job.ts";
import type { StandardJsonInput } from "../../core/sources/standardJsonInput.ts";
import { foreign, shown } from "../../core/text/shownText.ts";
import type {
  ChainParts,
  DocumentParts,
  FollowParts,
  ResubmissionParts,
  VerificationParts,
  WorkspaceParts,
} from "./verificationParts.ts";

/** What a cause is of: a job, or a result of this machine. */
interface Mismatch {
  readonly chainId: string;
  readonly address: string;
  /** `path/to/File.sol:Name`; absent for a similarity search. */
  readonly contract?: string;
  /** Verifies it with what would be different. */
  readonly withChanges: (changes: ResubmitChanges) => Promise<unknown>;
  readonly retry: () => Promise<unknown>;
  readonly showDifference: () => Promise<void>;
}

/** Does what a cause of a failed job asks for. */
export async function takeAction(parts: VerificationParts, record: JobRecord, action: Action): Promise<void> {
  const { chainId, address, submission } = record;
  await take(parts, action, {
    chainId,
    address,
    ...(submission && { contract: `${submission.path}:${submission.contractName}` }),
    withChanges: (changes) => resubmit(parts, record, changes),
    retry: () => retryJob(parts, record),
    showDifference: () => showDifference(parts, record),
  });
}

/** Does what a cause of a mismatch asks for that was found on this machine. */
export async function takeLocalAction(
  parts: VerificationParts,
  result: LocalResult,
  action: Action,
): Promise<void> {
  const { path, contractName, chainId, address } = result;
  const contract = `${path}:${contractName}`;
  await take(parts, action, {
    chainId,
    address,
    contract,
    withChanges: (changes) => verifyWithChanges(parts, result, changes),
    retry: () => verifyLocally(parts, { contract, chainId, address }),
    showDifference: () => showLocalDifference(parts, result),
  });
}

async function take(parts: VerificationParts, action: Action, mismatch: Mismatch): Promise<void> {
  const { chainId, address, contract } = mismatch;
  const named = contract === undefined ? {} : { contract };
  switch (action.kind) {
    case "resubmit":
      submittedOnce.pressed();
      await mismatch.withChanges(action.changes);
      return;
    case "retry":
      await mismatch.retry();
      return;
    case "show errors":
      await vscode.commands.executeCommand("workbench.actions.view.problems");
      return;
    case "show difference":
      await mismatch.showDifference();
      return;
    case "find commit":
      await findDeployedCommit(parts, { ...named, chainId, address });
      return;
    case "choose contract":
      await verifyContract(parts, {
        chainId,
        address,
        ...(action.contract && { contract: action.contract }),
      });
      return;
    case "check address":
      await verifyContract(parts, { ...named, chainId, address }, {}, { isCorrected: true });
      return;
    case "submit full input":
      await verifyContract(parts, { ...named, chainId, address });
      return;
    case "verify implementation": {
      const implementation = await implementationBehind(parts, mismatch, action);
      await verifyContract(parts, {
        ...named,
        chainId,
        ...(implementation !== undefined && { address: implementation }),
      });
    }
  }
}

/** Where a proxy forwards its calls to; where that has no code or the chain can't be asked, the person is asked. */
async function implementationBehind(
  parts: Pick<ChainParts, "anyNode"> & Pick<WorkspaceParts, "log">,
  { chainId, address }: Pick<Mismatch, "chainId" | "address">,
  { implementation, proxy }: Extract<Action, { kind: "verify implementation" }>,
): Promise<string | undefined> {
  const chain = await parts.anyNode(chainId).catch((error: unknown) => {
    parts.log.warn(String(error));
    return undefined;
  });
  return chain ? implementationOf(address, proxy, chain) : implementation;
}

/** The same sources with other settings: nothing is published that was not published before. */
async function resubmit(
  parts: ResubmissionParts,
  record: JobRecord,
  changes: ResubmitChanges,
): Promise<void> {
  const reviewed = await submittedAgain(parts, record, changes);
  const title = reviewed.input?.contractName ?? recordTitle(record);
  await submitOnce(reviewed, () =>
    followJob(parts, title, (signal) => orElsewhere(record, () => parts.jobs.submit(reviewed, { signal }))),
  );
}

/** The last step before a submission, with what a cause asks for laid over what the workspace has. */
async function verifyWithChanges(
  parts: VerificationParts,
  { path, contractName, chainId, address }: LocalResult,
  changes: ResubmitChanges,
): Promise<void> {
  const contract = `${path}:${contractName}`;
  const known = await knownDeployment(parts, contract, { chainId, address });
  const input = await compilerInputOf(parts, contract, known, shown`Verify Contract`);
  const changed = withChanges(input, changes);
  const { compilerVersion } = changes;
  const args = {
    contract: workspaceContract(input, changed.contractIdentifier),
    chainId,
    address,
    ...(compilerVersion !== undefined && { compilerVersion }),
  };
  await verifyContract(parts, args, choiceToLay(input, changes));
}

/** A contract by the path of its file, from the name of the source unit. */
function workspaceContract({ path, files }: WorkspaceInput, identifier: string): string {
  const { file, name } = splitIdentifier(identifier);
  return `${files.find((one) => one.name === file)?.path ?? path}:${name}`;
}

/** Which codes are shown side by side. */
type CodeSide = "runtime" | "creation";

/** Two codes, and the input that one of them was compiled from, as far as it is kept. */
interface ComparedCodes {
  readonly error: JobError | null | undefined;
  readonly input: StandardJsonInput | undefined;
  readonly side: CodeSide;
}

/** Both codes of a job, in the editor's own diff. */
export async function showDifference(
  { jobs, documents }: Pick<FollowParts, "jobs"> & DocumentParts,
  record: JobRecord,
  side: CodeSide = "runtime",
): Promise<void> {
  const [job, input] = await Promise.all([jobs.store.wholeJob(record.id), jobs.store.input(record.id)]);
  await showCodes(documents, record.id, recordTitle(record), t`The service`, {
    error: job?.error,
    input,
    side,
  });
}

/** Both codes of what was compiled on this machine, as the workspace is now. */
export async function showLocalDifference(
  parts: VerificationParts,
  { path, contractName, chainId, address }: LocalResult,
  side: CodeSide = "runtime",
): Promise<void> {
  const contract = `${path}:${contractName}`;
  const compared = await withProgressMessage(
    shown`Comparing ${contractName} on this machine`,
    async (onProgress, signal) => {
      const known = await knownDeployment(parts, contract, { chainId, address });
      const title = shown`Show Bytecode Difference`;
      const input = await compilerInputOf(parts, contract, known, title);
      const deployed = await deployedContract(parts, { chainId, address }, known, signal);
      const verdict = await parts.local.verdict(input, deployed, {
        title,
        needsCodes: true,
        onProgress,
        signal,
      });
      if (verdict.verdict !== "mismatch") {
        throw new LedgerLensError(
          "codes_match",
          t`${contractName} matches by now, so there is no difference to show. Run Verify Locally to see it in the view.`,
        );
      }
      const { jobErrorOf } = await import("../../core/compilers/localVerifier.ts");
      return { error: jobErrorOf(verdict, deployed), input: input.stdJsonInput };
    },
  );
  await showCodes(parts.documents, `${chainId} ${address}`, contractName, t`The compiler`, {
    ...compared,
    side,
  });
}

/** Both codes disassembled, in the editor's own diff. */
export async function showCodes(
  documents: DocumentParts["documents"],
  id: string,
  title: string,
  compiler: string,
  { error, input, side }: ComparedCodes,
): Promise<void> {
  const [one, other] =
    side === "runtime"
      ? [error?.onchainRuntimeCode, error?.recompiledRuntimeCode]
      : [error?.onchainCreationCode, error?.recompiledCreationCode];
  const figure =
    one && other
      ? await inTurns(codeFigureInPieces(side, one, other, input, error?.recompiledCreationCode))
      : undefined;
  if (!one || !other || figure === undefined) {
    throw new LedgerLensError(
      "no_bytecode",
      t`${compiler} gave no bytecodes for ${title}, so there is nothing to compare.`,
    );
  }
  const { deployed, recompiled } = bytecodeDifference(one, other);
  const folder = [side === "runtime" ? shown`bytecode` : shown`creation code`, foreign(id)];
  const left = documents.put([...folder, shown`${title} deployed.evm`], documentText(deployed.text));
  const right = documents.put([...folder, shown`${title} recompiled.evm`], documentText(recompiled.text));
  await showDiff(
    left,
    right,
    side === "runtime"
      ? shown`${title}: deployed ↔ recompiled code (${figure})`
      : shown`${title}: deployed ↔ recompiled creation code (${figure})`,
  );
}
