import * as vscode from "vscode";
import { recordStatus, type JobRecord } from "../../core/jobs/jobRecord.ts";
import type { ServiceParts } from "./verificationParts.ts";

/** Opens the contract's page at the service. */
export async function openJobInExplorer(parts: ServiceParts, record: JobRecord): Promise<void> {
  await vscode.env.openExternal(vscode.Uri.parse(linkOf(parts, record)));
}

/** Copies the contract's or the job's page. */
export async function copyJobLink(parts: ServiceParts, record: JobRecord): Promise<void> {
  await vscode.env.clipboard.writeText(linkOf(parts, record));
}

function linkOf(parts: ServiceParts, record: JobRecord): string {
  const service = parts.service(record.service);
  const status = recordStatus(record);
  const isVerified = status === "exact_match" || status === "match";
  return isVerified || !record.verificationId
    ? service.contractPage(record)
    : service.jobPage(record.verificationId);
}
