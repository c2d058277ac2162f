import { splitIdentifier } from "../../core/sources/contractIdentifier.ts";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { deploymentTime } from "../../core/chains/deploymentTime.ts";
import { systemClock } from "../../core/concurrency/clock.ts";
import type { CommitSearchResult, FoundCommit } from "../../core/deployedCommit/deployedCommitSearch.ts";
import type { LanguageName } from "../../core/sources/standardJsonInput.ts";
import { percentEqual } from "../../core/evm/codeDistance.ts";
import { isCancellation, LedgerLensError } from "../../core/errors.ts";
import { relativePath } from "../../core/files/fileReader.ts";
import { LOCAL_VERDICTS } from "../../core/jobs/localResults.ts";
import { placesNamed } from "../../core/languages/workspaceContract.ts";
import { shortCommit } from "../../core/git/shortCommit.ts";
import type { Deployment } from "../../core/service/submissionRequest.ts";
import { counted, grouped } from "../../core/text/counted.ts";
import { foreign, joined, shown, type ShownText } from "../../core/text/shownText.ts";
import { optionalNumber, optionalText } from "../ui/arguments.ts";
import { showMessage } from "../ui/notifications.ts";
import { withProgressMessage } from "../ui/progress.ts";
import { workspaceFolderReader, workspaceFolders } from "../workspaceFiles.ts";
import { oneOrMany, type ChosenDeployment } from "./chosenDeployment.ts";
import { compilerInputOf, type CompilerChoice } from "./compilerInputOf.ts";
import { deployedContract } from "./deployedContract.ts";
import type { DeploymentsAnswer, EarlierLook, ManyLook } from "./manyDeployments.ts";
import type { ManyKind } from "./manySteps.ts";
import type { ChainParts, VerificationParts } from "./verificationParts.ts";
import type { HistoryOf } from "./workspaceHistory.ts";
import { capitalised } from "../../core/text/capitalised.ts";

/** What `findDeployedCommit` resolves to. */
interface CommitAnswer {
  readonly found?: {
    /** The whole id. */
    readonly commit: string;
    /** When it was made, as ISO 8601. */
    readonly date: string;
    readonly subject: string;
    readonly verdict: FoundCommit["verdict"];
    /** Where the contract lies in it: `path/to/File.sol:Name`. */
    readonly contract: string;
    /** Absent where the files are as they are stored. */
    readonly lineEnds?: "windows";
    /** Only the log of this clone has the commit: it was amended, rebased or left behind. */
    readonly isInNoBranch?: true;
    readonly input: {
      readonly compilerVersion: string;
      readonly contractIdentifier: string;
      readonly stdJsonInput: { readonly language: LanguageName };
    };
  };
  /** The states that were looked at: a commit of each, and how far its code is from the deployed one, from 0 to 1. */
  readonly tried: readonly { readonly what: string; readonly distance?: number; readonly reason?: string }[];
  readonly seconds: number;
  /** Commits in this clone. */
  readonly commits: number;
  /** The time was over before all of them had their turn. */
  readonly isCut: boolean;
  /** What commits were compiled with and is not here, as sentences. */
  readonly missing: readonly string[];
}

const TITLE = shown`Find the Commit`;
const LIMIT_SECONDS = 300;
const MAX_LIMIT_SECONDS = 3_600;

/**
 * `ledgerLens.findDeployedCommit` `{contract, chainId, address, creationTransactionHash?, from?, limitSeconds?}`: looks
 * through the history of the workspace for the commit whose files compile to the deployed code. Nothing is published, and
 * the work tree is not touched. Many at once are `{deployments: "all", chainId?}`, `{addresses: [...], chainId, contract?}`
 * or `{diamond, chainId}`.
 */
export async function findDeployedCommit(
  parts: VerificationParts,
  args: Readonly<Record<string, unknown>>,
): Promise<CommitAnswer | DeploymentsAnswer> {
  const limits = limitsFrom(args);
  const chosen = await oneOrMany(parts, TITLE, args);
  if ("many" in chosen) return findManyCommits(parts, chosen.many, args);
  const [{ contractName }] = placesNamed(workspaceFolders(), chosen.contract);
  const { withHistories } = await import("./workspaceHistory.ts");
  const started = performance.now();
  const { result, root } = await withProgressMessage(
    shown`Finding the commit of ${contractName}`,
    (report, signal) =>
      withHistories((historyOf) => {
        const inputOf = (of: string, choice: CompilerChoice) => compilerInputOf(parts, of, choice, TITLE);
        const look = { ...chosen, parts, inputOf, title: TITLE, started, report, signal };
        return searched(look, limits, historyOf);
      }),
  );
  void tell(chosen, result);
  return answerOf(result, root);
}

/** The same for many, as `deployments`, `addresses` or `diamond` say; the limit is that of each. */
async function findManyCommits(
  parts: VerificationParts,
  kind: ManyKind,
  args: Readonly<Record<string, unknown>>,
  earlier?: EarlierLook,
): Promise<DeploymentsAnswer> {
  const limits = limitsFrom(args);
  const { withHistories } = await import("./workspaceHistory.ts");
  const { inspectMany } = await import("./manyDeployments.ts");
  return withHistories((historyOf) =>
    inspectMany(parts, {
      title: TITLE,
      message: shown`Finding the commits of deployments`,
      kind,
      args,
      earlier,
      again: (looked) => findManyCommits(parts, kind, args, looked),
      // A search has a limit of time, and is alone in it.
      atOnce: 1,
      files: "commits",
      look: async (look) => {
        const { result } = await searched(look, limits, historyOf);
        const { found } = result;
        if (!found) return { reason: capitalised(missed(result)) };
        const { commit, verdict } = found;
        const date = new Date(commit.time).toISOString();
        return { contract: contractIn(found), commit: commit.id, date, subject: commit.subject, verdict };
      },
    }),
  );
}

/** By what a search is bounded. */
interface SearchLimits {
  readonly from: string | undefined;
  readonly limitMs: number;
}

function limitsFrom(args: Readonly<Record<string, unknown>>): SearchLimits {
  const limitMs = Math.min(optionalNumber(args, "limitSeconds") ?? LIMIT_SECONDS, MAX_LIMIT_SECONDS) * 1000;
  return { from: optionalText(args, "from"), limitMs };
}

/** Looks through the history. */
async function searched(
  { parts, contract, place, known, inputOf, title, started, report, signal }: ManyLook,
  { from, limitMs }: SearchLimits,
  historyOf: HistoryOf,
): Promise<{ readonly result: CommitSearchResult; readonly root: string }> {
  const search = await import("../../core/deployedCommit/deployedCommitSearch.ts");
  const [named] = placesNamed(workspaceFolders(), contract);
  const { history, root } = await historyOf(contract);
  report(shown`reading the deployed code`);
  const deployed = await deployedContract(parts, place, known, signal);
  const hash = place.creationTransactionHash ?? known.deployment?.creationTransactionHash;
  const deployedAt =
    (await timeOf(parts, { ...place, creationTransactionHash: hash }, signal)) ?? known.deployment?.when;
  report(shown`reading the history`);
  const result = await search.searchDeployedCommit({
    history,
    disk: workspaceFolderReader,
    root,
    contract: named,
    deployed,
    deployedAt,
    from,
    limitMs,
    clock: systemClock,
    signal,
    inputOf: (files, { path, contractName }) => {
      const choice: CompilerChoice = { ...known, files, staleBuild: "skip" };
      return inputOf(`${path}:${contractName}`, choice);
    },
    verdictOf: (input, ends) => parts.local.verdict(input, deployed, { title, started, signal: ends }),
    onProgress: ({ tried, seen, commits, least }) => {
      const equal = least === undefined ? "" : t`, best ${percentEqual(least)} equal`;
      report(
        shown`${counted(tried, "state")} compiled${equal}; ${grouped(seen)} of ${counted(commits, "commit")}`,
      );
    },
  });
  return { result, root };
}

/** When it was deployed; a chain that does not tell leaves it open. */
async function timeOf(
  parts: ChainParts,
  deployment: {
    readonly chainId: string;
    readonly address: string;
    readonly creationTransactionHash: string | undefined;
  },
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const node = await parts.anyNode(deployment.chainId, signal);
    return node && (await deploymentTime(node, deployment, signal));
  } catch (error) {
    if (!(error instanceof LedgerLensError) || isCancellation(error)) throw error;
    return undefined;
  }
}

function answerOf(
  { found, tried, seconds, commits, isCut, missing }: CommitSearchResult,
  root: string,
): CommitAnswer {
  return {
    ...(found && {
      found: {
        commit: found.commit.id,
        date: new Date(found.commit.time).toISOString(),
        subject: found.commit.subject,
        verdict: found.verdict,
        contract: contractIn(found),
        ...lineEndsOf(found),
        ...(found.isInNoBranch && { isInNoBranch: true }),
        input: {
          compilerVersion: found.input.compilerVersion,
          contractIdentifier: found.input.contractIdentifier,
          stdJsonInput: found.input.stdJsonInput,
        },
      },
    }),
    tried: tried.map(({ commit, distance, reason }) => ({
      what: commit.id,
      ...(distance !== undefined && { distance }),
      ...(reason !== undefined && { reason: reason.replaceAll(`${root}/`, "") }),
    })),
    seconds,
    commits,
    isCut,
    missing,
  };
}

function lineEndsOf({ checkout }: FoundCommit): { readonly lineEnds?: "windows" } {
  return checkout === "windows" ? { lineEnds: "windows" } : {};
}

function contractIn({ contract: { path, folder, contractName } }: FoundCommit): string {
  return `${relativePath(path, folder) ?? path}:${contractName}`;
}

/** The result as a message; no code waits for its buttons. */
async function tell({ contract, place }: ChosenDeployment, result: CommitSearchResult): Promise<void> {
  const name = splitIdentifier(contract).name;
  const { found } = result;
  if (!found) {
    await showMessage("warning", shown`${name}: ${missed(result)}`);
    return;
  }
  const { commit, verdict } = found;
  const date = new Date(commit.time).toISOString().slice(0, 10);
  const id = shortCommit(commit.id);
  const of: CommitReference = {
    ...place,
    contract: contractIn(found),
    now: contract,
    commit: commit.id,
    ...lineEndsOf(found),
  };
  await showMessage(
    "information",
    shown`${name} was deployed from ${id} of ${date}, “${foreign(commit.subject, 100)}”: ${LOCAL_VERDICTS[verdict]}.${found.isInNoBranch ? t` It is in no branch any more.` : ""}`,
    {
      label: shown`Verify This Commit…`,
      run: () => vscode.commands.executeCommand("ledgerLens.verifyThis", of),
    },
    {
      label: shown`Show What Changed Since`,
      run: () => vscode.commands.executeCommand("ledgerLens.showChangesSince", of),
    },
  );
}

/** Why no commit was found, with what is missing first. */
function missed({ tried, commits, isCut, missing }: CommitSearchResult): ShownText {
  const looked = shown`${counted(tried.length, "state")} of ${counted(commits, "commit")}`;
  const outcome = isCut
    ? shown`the deployed commit was not found in the time (${looked} compiled).`
    : shown`no commit compiles to the deployed code (${looked} compiled).`;
  return joined([outcome, ...missing.slice(0, 1)], " ");
}

/** A commit that was found, for the buttons of its message. */
export interface CommitReference extends Deployment {
  /** Where the contract lies in the commit. */
  readonly contract: string;
  /** Where it lies, or lay, in the workspace. */
  readonly now: string;
  readonly commit: string;
  readonly lineEnds?: "windows";
}
