import * as vscode from "vscode";
import type { showToken } from "./editor/ledger/showToken.ts";
import type { showTransactionActions } from "./editor/ledger/showTransactionActions.ts";
import type { showStatus } from "./editor/status/showStatus.ts";
import type { checkJob } from "./editor/verification/checkJob.ts";
import type { predictMatch } from "./editor/verification/predictMatch.ts";
import type { submitAfterReview } from "./editor/verification/verifyContract.ts";
import type { verifyLocally } from "./editor/verification/verifyLocally.ts";
import type { LedgerLensApi } from "./ledgerLensApi.ts";

/** What a command answers; the compiler compares it with what is promised to others. */
type AnswerOf<Command extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<Command>>;

/** What `activate` answers. Every method is the command of the same purpose, called with an argument object. */
export function exportedApi(): LedgerLensApi {
  return Object.freeze<LedgerLensApi>({
    version: 1,
    predict: (args) => called<AnswerOf<typeof predictMatch>>("predictMatch", args),
    verifyLocally: (args) =>
      called<Extract<AnswerOf<typeof verifyLocally>, { readonly verdict: unknown }>>("verifyLocally", args),
    explain: (args) => called<AnswerOf<typeof checkJob>>("checkJob", args),
    showTransaction: (args) =>
      called<AnswerOf<typeof showTransactionActions>>("showTransactionActions", args),
    showToken: (args) => called<AnswerOf<typeof showToken>>("showToken", args),
    status: () => called<AnswerOf<typeof showStatus>>("showStatus", {}),
    submit: (args) => called<AnswerOf<typeof submitAfterReview>>("submitAfterReview", args),
  });
}

/** A call without arguments is one of a program, too, and asks for nothing. */
async function called<Answer>(command: string, args: object | undefined): Promise<Answer> {
  return vscode.commands.executeCommand<Answer>(`ledgerLens.${command}`, { ...args });
}
