import * as vscode from "vscode";
import { deploymentTime } from "../../core/chains/deploymentTime.ts";
import { systemClock } from "../../core/concurrency/clock.ts";
import type { CommitSearchResult, FoundCommit } from "../../core/deployedCommit/deployedCommitSearch.ts";
import type { LanguageName } from "../../core/sources/standardJsonInput.ts";
import { isCancellation, LedgerLensError } from "../../core/errors.ts";
import { relativePath } from "../../core/files/fileReader.ts";
import { LOCAL_VERDICTS } from "../../core/jobs/localResults.ts";
import { placesNamed } from "../../core/languages/workspaceContract.ts";
import type { Deployment } from "../../core/service/submissionRequest.ts";
import { counted, grouped } from "../../core/text/counted.ts";
import { foreign, joined, shown, type ShownText } from "../../core/text/shownText.ts";
import { optionalNumber, optionalText } from "../ui/arguments.ts";
import { askSteps } from "../ui/multiStep.ts";
import { showMessage } from "../ui/notifications.ts";
import { withProgressMessage } from "../ui/progress.ts";
import { workspaceFolderReader, workspaceFolders } from "../workspaceFiles.ts";
import { compilerInputOf, type CompilerChoice } from "./compilerInputOf.ts";
import { contractStep, type ContractState } from "./contractStep.ts";
import { deployedContract } from "./deployedContract.ts";
import { knownDeployment } from "./deploymentInspection.ts";
import { deploymentFrom, deploymentSteps, rememberChain, type PartialDeployment } from "./deploymentSteps.ts";
import type { ChainParts, VerificationParts } from "./verificationParts.ts";

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
/** So much of an id tells commits apart, as git shows it. */
const SHORT_ID = 10;

/**
 * `ledgerLens.findDeployedCommit` `{contract, chainId, address, creationTransactionHash?, from?, limitSeconds?}`: looks
 * through the history of the workspace for the commit whose files compile to the deployed code. Nothing is published, and
 * the work tree is not touched.
 */
export async function findDeployedCommit(
  parts: VerificationParts,
  args: Readonly<Record<string, unknown>>,
): Promise<CommitAnswer> {
  const state: ContractState & PartialDeployment = {
    contract: optionalText(args, "contract"),
    ...deploymentFrom(args),
  };
  const from = optionalText(args, "from");
  const limitMs = (optionalNumber(args, "limitSeconds") ?? LIMIT_SECONDS) * 1000;
  await askSteps(TITLE, state, [contractStep(parts, { offersDeployments: true }), ...deploymentSteps(parts)]);
  const { contract = "", chainId = "", address = "", creationTransactionHash } = state;
  await rememberChain(parts, chainId);
  const place = { chainId, address, ...(creationTransactionHash && { creationTransactionHash }) };
  const { result, root } = await searched(parts, contract, place, { from, limitMs });
  const name = contract.slice(contract.lastIndexOf(":") + 1);
  void tell(name, contract, place, result);
  return answerOf(result, root);
}

/** Looks through the history, under a notification that can be cancelled. */
async function searched(
  parts: VerificationParts,
  contract: string,
  place: Deployment,
  { from, limitMs }: { readonly from: string | undefined; readonly limitMs: number },
): Promise<{ readonly result: CommitSearchResult; readonly root: string }> {
  const { withHistory } = await import("./workspaceHistory.ts");
  const search = await import("../../core/deployedCommit/deployedCommitSearch.ts");
  const [named] = placesNamed(workspaceFolders(), contract);
  const started = performance.now();
  const known = await knownDeployment(parts, contract, place);
  return withProgressMessage(shown`Finding the commit of ${named.contractName}`, (report, signal) =>
    withHistory(contract, async ({ history, root }) => {
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
          return compilerInputOf(parts, `${path}:${contractName}`, choice, TITLE);
        },
        verdictOf: (input, ends) =>
          parts.local.verdict(input, deployed, { title: TITLE, started, signal: ends }),
        onProgress: ({ tried, seen, commits, best }) => {
          const equal = best === undefined ? "" : `, best ${percent(best)} equal`;
          report(
            shown`${counted(tried, "state")} compiled${equal}; ${grouped(seen)} of ${counted(commits, "commit")}`,
          );
        },
      });
      return { result, root };
    }),
  );
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
async function tell(
  name: string,
  contract: string,
  place: Deployment,
  { found, tried, commits, isCut, missing }: CommitSearchResult,
): Promise<void> {
  if (!found) {
    const looked = shown`${counted(tried.length, "state")} of ${counted(commits, "commit")}`;
    const outcome = isCut
      ? shown`${name}: the deployed commit was not found in the time (${looked} compiled).`
      : shown`${name}: no commit compiles to the deployed code (${looked} compiled).`;
    await showMessage("warning", joined([outcome, ...missing.slice(0, 1)], " "));
    return;
  }
  const { commit, verdict } = found;
  const date = new Date(commit.time).toISOString().slice(0, 10);
  const id = commit.id.slice(0, SHORT_ID);
  const of: CommitReference = {
    ...place,
    contract: contractIn(found),
    now: contract,
    commit: commit.id,
    ...lineEndsOf(found),
  };
  await showMessage(
    "information",
    shown`${name} was deployed from ${id} of ${date}, “${foreign(commit.subject, 100)}”: ${LOCAL_VERDICTS[verdict]}.`,
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

/** A commit that was found, for the buttons of its message. */
export interface CommitReference extends Deployment {
  /** Where the contract lies in the commit. */
  readonly contract: string;
  /** Where it lies, or lay, in the workspace. */
  readonly now: string;
  readonly commit: string;
  readonly lineEnds?: "windows";
}

function percent(share: number): ShownText {
  return shown`${(share * 100).toLocaleString("en", { maximumFractionDigits: 1 })} %`;
}
