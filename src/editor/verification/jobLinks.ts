import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { hasPlace, recordStatus, type JobRecord } from "../../core/jobs/jobRecord.ts";
import { explorerPage } from "../../core/chains/blockExplorers.ts";
import { isMatch } from "../../core/service/job.ts";
import type { Deployment } from "../../core/service/submissionRequest.ts";
import { LedgerLensError } from "../../core/errors.ts";
import { mayHoldKeyInPath, shownHost } from "../../core/http/shownAddress.ts";
import { shown, type ShownText } from "../../core/text/shownText.ts";
import { copyText } from "../ui/clipboard.ts";
import type { LedgerLink } from "../uriLinks.ts";
import type { ServiceParts } from "./verificationParts.ts";

/** Opens the contract's or the job's page at the service. */
export async function openJobAtService(parts: ServiceParts, record: JobRecord): Promise<void> {
  await vscode.env.openExternal(vscode.Uri.parse(linkOf(parts, record)));
}

/** Opens the contract's page at the explorer of its chain; where none is known, none of our menus offers it. */
export async function openChainExplorer({ chainId, address }: Deployment): Promise<void> {
  const page = explorerPage(chainId, address);
  if (page !== undefined) await vscode.env.openExternal(vscode.Uri.parse(page));
}

/** Shows something in the ledger view, or on the page of its transaction. */
export async function showInLedger(link: LedgerLink): Promise<void> {
  await vscode.commands.executeCommand("ledgerLens.openLedgerLink", link);
}

/**
 * Copies the contract's or the job's page.
 *
 * @returns what is told of it.
 * @throws LedgerLensError `key_in_address` where the link may carry a key to its reader
 */
export async function copyJobLink(parts: ServiceParts, record: JobRecord): Promise<ShownText> {
  if (mayHoldKeyInPath(parts.service(record.service).url))
    throw new LedgerLensError(
      "key_in_address",
      t`The link was not copied, since the path of the address of ${shownHost(record.service)} may hold a key. Open it there instead.`,
    );
  return copyText(linkOf(parts, record), shown`Link copied`);
}

function linkOf(parts: ServiceParts, record: JobRecord): string {
  const service = parts.service(record.service);
  const status = recordStatus(record);
  const isVerified = isMatch(status);
  return (isVerified && hasPlace(record)) || !record.verificationId
    ? service.contractPage(record)
    : service.jobPage(record.verificationId);
}
