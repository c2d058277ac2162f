import { filesApart, type FileApart } from "../../core/jobs/filesApart.ts";
import type { ChangedFile } from "../../core/sources/standardJsonInput.ts";
import type { AgreedSubmission } from "../../core/jobs/submissionReview.ts";
import { shown } from "../../core/text/shownText.ts";
import { mostAlikePaths } from "../../core/workspace/alikePaths.ts";
import type { MessageButton } from "../ui/notifications.ts";
import { showBesideVerified } from "./openVerifiedSource.ts";
import type { DocumentParts, ServiceParts } from "./verificationParts.ts";

/** How the files of a submission differ from those that its contract was verified with before. */
export interface EarlierSources {
  /** The files here that are not among the verified ones, those that were edited before those with other line endings. */
  readonly apart: readonly FileApart[];
  /** Shows the first of them beside the verified one that it is of. */
  readonly button: MessageButton | undefined;
}

/**
 * Compares what would have been submitted with what the service has; `undefined` where the service does not show that. A
 * file that was edited since the build is not what the build compiled, and is told, too.
 *
 * @throws LedgerLensError `cancelled`
 */
export async function comparedWithVerified(
  parts: ServiceParts & DocumentParts,
  { service, deployment, kept }: AgreedSubmission,
  signal: AbortSignal,
  changedSinceBuild: readonly ChangedFile[] = [],
): Promise<EarlierSources | undefined> {
  const verified = await parts.service(service).verifiedSources(deployment, signal);
  if (!verified || verified.files.size === 0 || !kept.input) return undefined;
  const changes = new Map(filesApart(kept.input.sources, verified.files).map((file) => [file.name, file]));
  for (const { name, change } of changedSinceBuild)
    if (change === "edited") changes.set(name, { name, change });
  const files = Object.keys(kept.input.sources).flatMap((name) => changes.get(name) ?? []);
  const apart = [
    ...files.filter(({ change }) => change === "edited"),
    ...files.filter(({ change }) => change !== "edited"),
  ];
  const first = apart[0]?.name;
  const path = kept.files?.find(({ name }) => name === first)?.path;
  if (first === undefined || path === undefined) return { apart, button: undefined };
  const [theirs] = verified.files.has(first) ? [first] : mostAlikePaths(first, [...verified.files.keys()]);
  const text = theirs === undefined ? undefined : verified.files.get(theirs);
  if (theirs === undefined || text === undefined) return { apart, button: undefined };
  const show = () => showBesideVerified(parts, deployment, { name: theirs, text }, path);
  return { apart, button: { label: shown`Compare With Workspace`, run: show } };
}
