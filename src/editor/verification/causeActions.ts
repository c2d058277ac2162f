import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import { bytecodeDifference } from "../../core/matching/bytecodeDifference.ts";
import type { Action, ResubmitChanges } from "../../core/matching/explanation.ts";
import { recordTitle, type JobRecord } from "../../core/jobs/jobRecord.ts";
import { implementationOf } from "../../core/chains/proxyImplementation.ts";
import { followJob } from "./followJob.ts";
import { retryJob } from "./retryJob.ts";
import { documentText } from "../../core/text/documentText.ts";
import { showDiff } from "../ui/diff.ts";
import { submittedAgain } from "./submitAgain.ts";
import { verifyContract } from "./verifyContract.ts";
import { foreign, shown } from "../../core/text/shownText.ts";
import type {
  ChainParts,
  DocumentParts,
  FollowParts,
  ResubmissionParts,
  VerificationParts,
  WorkspaceParts,
} from "./verificationParts.ts";

/** Does what a cause of a failure asks for. */
export async function takeAction(parts: VerificationParts, record: JobRecord, action: Action): Promise<void> {
  const { chainId, address } = record;
  switch (action.kind) {
    case "resubmit":
      await resubmit(parts, record, action.changes);
      return;
    case "retry":
      await retryJob(parts, record);
      return;
    case "show errors":
      await vscode.commands.executeCommand("workbench.actions.view.problems");
      return;
    case "show difference":
      await showDifference(parts, record);
      return;
    case "choose contract":
      await verifyContract(parts, {
        chainId,
        address,
        ...(action.contract && { contract: action.contract }),
      });
      return;
    case "check address":
      await verifyContract(parts, contractOf(record));
      return;
    case "submit full input":
      await verifyContract(parts, { ...contractOf(record), chainId, address });
      return;
    case "verify implementation": {
      const implementation = await implementationBehind(parts, record, action);
      await verifyContract(parts, {
        ...contractOf(record),
        chainId,
        ...(implementation !== undefined && { address: implementation }),
      });
    }
  }
}

/** Where a proxy forwards its calls to; where that has no code or the chain can't be asked, the person is asked. */
async function implementationBehind(
  parts: Pick<ChainParts, "anyNode"> & Pick<WorkspaceParts, "log">,
  { chainId, address }: JobRecord,
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
  await followJob(parts, title, (signal) => parts.jobs.submit(reviewed, { signal }));
}

/** Both codes disassembled, in the editor's own diff. */
export async function showDifference(
  { jobs, documents }: Pick<FollowParts, "jobs"> & DocumentParts,
  record: JobRecord,
): Promise<void> {
  const error = (await jobs.store.wholeJob(record.id))?.error;
  if (!error?.onchainRuntimeCode || !error.recompiledRuntimeCode) {
    throw new LedgerLensError(
      "no_bytecode",
      `The service gave no bytecodes for ${recordTitle(record)}, so there is nothing to compare.`,
    );
  }
  const { deployed, recompiled, figure } = bytecodeDifference(
    error.onchainRuntimeCode,
    error.recompiledRuntimeCode,
  );
  const title = recordTitle(record);
  const left = documents.put(
    [shown`bytecode`, foreign(record.id), shown`${title} deployed.evm`],
    documentText(deployed.text),
  );
  const right = documents.put(
    [shown`bytecode`, foreign(record.id), shown`${title} recompiled.evm`],
    documentText(recompiled.text),
  );
  await showDiff(left, right, shown`${title}: deployed ↔ recompiled code (${figure})`);
}

function contractOf({ submission }: JobRecord): { readonly contract?: string } {
  return submission ? { contract: `${submission.path}:${submission.contractName}` } : {};
}
