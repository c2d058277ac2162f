import { splitIdentifier } from "../../core/sources/contractIdentifier.ts";
import { documentSegments } from "../../core/text/documentPath.ts";
import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import { relativePath } from "../../core/files/fileReader.ts";
import type { CommitFiles } from "../../core/deployedCommit/commitFiles.ts";
import { shortCommit } from "../../core/git/shortCommit.ts";
import { ownValue } from "../../core/json/ownValue.ts";
import type { CompilerInput } from "../../core/sources/standardJsonInput.ts";
import { sourceDocument } from "../../core/text/documentText.ts";
import { foreign, shown } from "../../core/text/shownText.ts";
import { showMessage } from "../ui/notifications.ts";
import { uriOf, workspaceFiles } from "../workspaceFiles.ts";
import { compilerInputOf } from "./compilerInputOf.ts";
import type { CommitReference } from "./findDeployedCommit.ts";
import type { CompilerParts, DocumentParts } from "./verificationParts.ts";

/** A file of a contract, as it was in a commit and as it is now; absent where there is none. */
interface ChangedSource {
  readonly now: vscode.Uri;
  readonly before?: vscode.Uri;
  readonly isThere: boolean;
}

/** Shows in the editor's own diff what of a contract's files is other than in a commit, one after the other. */
export async function showChangesSince(
  parts: CompilerParts & DocumentParts,
  { contract, now, commit, lineEnds }: CommitReference,
): Promise<void> {
  const { withCommitFiles } = await import("./workspaceHistory.ts");
  const id = shortCommit(commit);
  const changed = await withCommitFiles(now, commit, lineEnds ?? "stored", async (files) => {
    const then = await compilerInputOf(parts, contract, { files, staleBuild: "skip" });
    return changedSources(parts, id, files, then, await inputNow(parts, now));
  });
  const name = foreign(splitIdentifier(contract).name);
  if (changed.length === 0) {
    await showMessage("information", shown`Nothing that ${name} is compiled from changed since ${id}.`);
    return;
  }
  await vscode.commands.executeCommand(
    "vscode.changes",
    shown`${name}: ${id} ↔ workspace`,
    changed.map(({ now: uri, before, isThere }) => [uri, before, isThere ? uri : undefined]),
  );
}

/** What is compiled now; a contract may be gone, or its configuration be one that has to be asked for. */
async function inputNow(parts: CompilerParts, contract: string): Promise<CompilerInput | undefined> {
  try {
    return await compilerInputOf(parts, contract, { staleBuild: "skip" });
  } catch (error) {
    if (error instanceof LedgerLensError) return undefined;
    throw error;
  }
}

async function changedSources(
  { documents }: DocumentParts,
  commit: string,
  files: CommitFiles,
  then: CompilerInput,
  now: CompilerInput | undefined,
): Promise<ChangedSource[]> {
  const changed: ChangedSource[] = [];
  const seen = new Set<string>();
  for (const { name, path } of then.files) {
    const text = ownValue(then.stdJsonInput.sources, name)?.content;
    if (text === undefined || seen.has(path)) continue;
    seen.add(path);
    const bytes = await workspaceFiles.read(path).catch(() => undefined);
    if (bytes && Buffer.from(text, "utf8").equals(bytes)) continue;
    const before = documents.put(
      [
        shown`commit`,
        foreign(commit),
        ...documentSegments((relativePath(path, then.project) ?? path).replace(/^\//, "")),
      ],
      sourceDocument(text),
    );
    changed.push({ now: uriOf(path), before, isThere: bytes !== undefined });
  }
  for (const { path } of now?.files ?? []) {
    if (seen.has(path)) continue;
    seen.add(path);
    // What was not compiled with it may have been there all the same.
    const before = await files.read(path).catch(() => undefined);
    if (!before) changed.push({ now: uriOf(path), isThere: true });
  }
  return changed;
}
