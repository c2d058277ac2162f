import { chainIdOf } from "../../core/chainId.ts";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { chainLabel } from "../../core/chains/chainNames.ts";
import { LedgerLensError } from "../../core/errors.ts";
import { shownHost } from "../../core/http/shownAddress.ts";
import { runsHere } from "../../core/http/thisMachine.ts";
import { ownValue } from "../../core/json/ownValue.ts";
import type { LooseObject } from "../../core/json/shape.ts";
import type { TransactionActionsRecord } from "../../core/ledger/actions/transactionActions.ts";
import type { StatusSummary } from "../../core/status/statusSummary.ts";
import { shown, type ShownText } from "../../core/text/shownText.ts";
import { settings } from "../settings.ts";
import { optionalText, optionalTextOrNumber } from "../ui/arguments.ts";
import type { AgentTool, ToolInput } from "../ui/languageModelTools.ts";
import {
  actionsAnswer,
  jobAnswer,
  localAnswer,
  predictionAnswer,
  statusAnswer,
  tokenAnswer,
  type ToldJob,
  type ToldLocalVerdict,
  type ToldPrediction,
} from "./toolAnswers.ts";

/** So long an agent waits for a job. */
const WAIT_SECONDS = 60;

const DEPLOYMENT = ["contract", "chainId", "address", "creationTransactionHash", "compilerVersion"] as const;

/**
 * The tools by the names of the manifest. Each hands the arguments that it names, and no other, to the command of the same
 * purpose, whose checks hold here, too: nothing that an agent writes can agree for the person.
 */
const TOOLS: Readonly<Record<string, AgentTool>> = {
  ledgerlens_predict: {
    progress: shown`Comparing the local build with the deployed code`,
    question: (input) => ({
      title: shown`Predict a verification?`,
      message: shown`The node of ${chainOf(input)} is asked for the code at ${word(input, "address")}, which is compared with ${word(input, "contract")}. Nothing is published.`,
    }),
    answer: async (input, stop) =>
      predictionAnswer(await called<ToldPrediction>("predictMatch", input, stop, DEPLOYMENT)),
  },
  ledgerlens_verify_locally: {
    progress: shown`Compiling on this machine and comparing with the deployed code`,
    question: (input) => ({
      title: shown`Compile and verify on this machine?`,
      message: shown`${word(input, "contract")} is compiled here and compared with the code at ${word(input, "address")} on ${chainOf(input)}, for which a node is asked. An official compiler is downloaded where you agreed to that before. Nothing is published.`,
    }),
    answer: async (input, stop) =>
      localAnswer(await called<ToldLocalVerdict>("verifyLocally", input, stop, DEPLOYMENT)),
  },
  // The chat's question can be answered once for all times: it is the review that decides, each time.
  ledgerlens_submit: {
    progress: shown`Waiting for the review of what would be published`,
    question: (input) => ({
      title: shown`Review a submission?`,
      message: runsHere(shownHost(settings.verificationUrl))
        ? shown`The sources of ${word(input, "contract")} would be sent to ${shownHost(settings.verificationUrl)}, a service on this machine, for ${word(input, "address")} on ${chainOf(input)}. You are shown every file first; nothing is sent before you choose Submit there.`
        : shown`The sources of ${word(input, "contract")} would become public at ${shownHost(settings.verificationUrl)}, for ${word(input, "address")} on ${chainOf(input)}. You are shown every file first; nothing is sent before you choose Submit there.`,
    }),
    answer: async (input, stop) =>
      jobAnswer(
        await called<ToldJob>("submitAfterReview", input, stop, DEPLOYMENT, { waitSeconds: WAIT_SECONDS }),
      ),
  },
  ledgerlens_explain: {
    progress: shown`Asking how the verification ended`,
    question: (input) => ({
      title: shown`Explain a verification job?`,
      message: shown`${shownHost(settings.verificationUrl)} is asked for job ${word(input, "verificationId")}. Nothing is published.`,
    }),
    answer: async (input, stop) =>
      jobAnswer(
        await called<ToldJob>("checkJob", input, stop, ["verificationId"], { waitSeconds: WAIT_SECONDS }),
      ),
  },
  ledgerlens_show_transaction: {
    progress: shown`Asking the ledger for a transaction`,
    question: (input) => ({
      title: shown`Ask the ledger for a transaction?`,
      message: shown`${shownHost(settings.ledgerUrl)} is asked for ${word(input, "transaction")}.`,
    }),
    answer: async (input, stop) =>
      actionsAnswer(
        await called<TransactionActionsRecord>("showTransactionActions", input, stop, ["transaction"]),
      ),
  },
  ledgerlens_show_token: {
    progress: shown`Asking the ledger for a token`,
    question: (input) => ({
      title: shown`Ask the ledger for a token?`,
      message: shown`${shownHost(settings.ledgerUrl)} is asked for ${word(input, "tokenId")}.`,
    }),
    answer: async (input, stop) =>
      tokenAnswer(await called<LooseObject>("showToken", input, stop, ["tokenId", "timestamp"])),
  },
  // Names nothing of the person's: the page is the one that the view asks, too.
  ledgerlens_status: {
    progress: shown`Asking for the service status`,
    answer: async (input, stop) => statusAnswer(await called<StatusSummary>("showStatus", input, stop, [])),
  },
};

/** The same, looked up by a name that comes from elsewhere. */
export const AGENT_TOOLS: ReadonlyMap<string, AgentTool> = new Map(Object.entries(TOOLS));

/**
 * Calls a command as any other program does.
 *
 * @param stop ends it with its requests, compilations and questions
 * @param names the arguments that go along, of what the agent gave
 */
async function called<Answer>(
  command: string,
  input: ToolInput,
  stop: AbortSignal,
  names: readonly string[],
  more: object = {},
): Promise<Answer> {
  const given = names.flatMap((name) => {
    const value = ownValue(input, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const args = { ...Object.fromEntries(given), ...more };
  const answer = await vscode.commands.executeCommand<Answer | undefined>(
    `ledgerLens.${command}`,
    args,
    stop,
  );
  if (answer !== undefined) return answer;
  throw new LedgerLensError("internal", t`The command gave no answer. The log has the details.`);
}

/** An argument in a question to the person. */
function word(input: ToolInput, name: string): string {
  return optionalText(input, name) ?? t`(not given)`;
}

function chainOf(input: ToolInput): ShownText {
  const chainId = optionalTextOrNumber(input, "chainId");
  return chainId === undefined
    ? shown`an unnamed chain`
    : shown`${chainLabel(chainIdOf(chainId) ?? chainId)}`;
}
