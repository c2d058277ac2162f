import * as vscode from "vscode";
import type { Parts } from "../../container.ts";
import { runAction } from "../action.ts";
import type { VerificationRow } from "../views/verificationView.ts";
import { checkJob } from "./checkJob.ts";
import { exportCompilerInput } from "./exportCompilerInput.ts";
import { copyJobLink, openJobInExplorer } from "./jobLinks.ts";
import { verifyBySimilarity } from "./verifyBySimilarity.ts";
import { verifyContract } from "./verifyContract.ts";

/** A command that a person calls without, and others with, an argument object. */
type Command = (parts: Parts, args: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** Commands of the palette; their argument objects are part of the product's contract. */
const COMMANDS: Readonly<Record<string, readonly [title: string, command: Command]>> = {
  "ledgerLens.verifyContract": ["Verify Contract", verifyContract],
  "ledgerLens.verifyBySimilarity": ["Verify by Similarity", verifyBySimilarity],
  "ledgerLens.checkJob": ["Check Verification Job", checkJob],
  "ledgerLens.exportCompilerInput": ["Export Compiler Input", exportCompilerInput],
};

/** Commands of a row of the verification view. */
const ROW_COMMANDS: Readonly<
  Record<string, readonly [title: string, command: (parts: Parts, row: VerificationRow) => Promise<unknown>]>
> = {
  "ledgerLens.showJobDetails": ["Show Details", ({ jobDocuments }, { record }) => jobDocuments.show(record)],
  "ledgerLens.openJobInExplorer": [
    "Open in Explorer",
    (parts, { record }) => openJobInExplorer(parts, record),
  ],
  "ledgerLens.copyJobLink": ["Copy Link", (parts, { record }) => copyJobLink(parts, record)],
  "ledgerLens.checkThisJob": ["Check Again", ({ jobs }, { record }) => jobs.check(record.id)],
  "ledgerLens.removeJob": ["Remove from List", ({ jobs }, { record }) => jobs.store.remove(record.id)],
};

/** Registers every command of the manifest. */
export function registerCommands(parts: Parts): vscode.Disposable {
  const { log, jobs } = parts;
  const register = vscode.commands.registerCommand;
  return vscode.Disposable.from(
    ...Object.entries(COMMANDS).map(([id, [title, command]]) =>
      register(id, (argument: unknown) => {
        const args = isRecord(argument) && !(argument instanceof vscode.Uri) ? argument : undefined;
        return runAction(log, title, { interactive: args === undefined }, () => command(parts, args ?? {}));
      }),
    ),
    ...Object.entries(ROW_COMMANDS).map(([id, [title, command]]) =>
      register(id, (row: VerificationRow) =>
        runAction(log, title, { interactive: true }, () => command(parts, row)),
      ),
    ),
    register("ledgerLens.refreshVerification", () =>
      runAction(log, "Refresh", { interactive: true }, async () => {
        await jobs.store.load();
        const open = jobs.store
          .all()
          .filter(({ job, contract, stage }) => stage !== "refused" && !contract && !job?.isJobCompleted);
        for (const { id } of open) await jobs.check(id);
      }),
    ),
    register("ledgerLens.showLog", () => log.show()),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
