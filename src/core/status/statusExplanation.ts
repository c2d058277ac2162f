import { isConnectionFault, isPassingStatus } from "../http/httpError.ts";
import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";
import { foreign } from "../text/shownText.ts";
import { httpStatusOf, type MeasuredService } from "./serviceHealth.ts";
import { isTrouble, severity } from "./statusLevel.ts";
import { statusProblems, type StatusProblem } from "./statusProblems.ts";
import { componentGroups, type StatusSummary } from "./statusSummary.ts";
import { networkWordsIn, watchedComponents } from "./statusWatch.ts";
import { localTime, type TimeZone } from "../text/timeWords.ts";

/** What older summaries say may long be over. */
const MAX_AGE_MS = 60 * 60_000;

/** What a request to a service goes through, by the words that status pages use for it. */
const PARTS: Readonly<Record<MeasuredService, RegExp>> = {
  ledger: /mirror|\bapi\b|network|uptime|consensus|ledger|\bnodes?\b/i,
  verification: /verif|sourcify|smart contract/i,
};
/** The part that answers the request itself goes before the network behind it. */
const NEAREST: Readonly<Record<MeasuredService, RegExp>> = {
  ledger: /mirror/i,
  verification: /verif|sourcify/i,
};

/**
 * One sentence for a request that failed, if the status page knows of trouble that fits: in a part that the
 * request goes through, of the network that it was for, or of no network in particular.
 *
 * @param networkId `mainnet`, `testnet`, `previewnet`, or anything else for a ledger of another kind
 */
export function explainByStatus(
  service: MeasuredService,
  networkId: string,
  known: { readonly summary: StatusSummary; readonly confirmedAt: number } | undefined,
  { now, timeZone }: { readonly now: number; readonly timeZone?: TimeZone },
): string | undefined {
  if (!known || now - known.confirmedAt > MAX_AGE_MS) return undefined;
  const { summary } = known;
  const watch = watchedComponents(summary, { names: [], networkId });
  const groupNames = new Map<string, string>(
    componentGroups(summary).flatMap(({ group, members }) =>
      members.map(({ id }) => [`component:${id}`, group?.name ?? ""] as const),
    ),
  );
  const fitting = statusProblems(summary, watch).filter((problem) => {
    if (!isTrouble(problem.level)) return false;
    const where = `${problem.subject} ${groupNames.get(problem.key) ?? ""} ${problem.incident?.name ?? ""}`;
    const networks = networkWordsIn(where).map((word) => word.toLowerCase());
    return PARTS[service].test(where) && (networks.length === 0 || networks.includes(networkId));
  });
  const isNear = ({ subject }: StatusProblem) => Number(NEAREST[service].test(subject));
  const [problem] = fitting.toSorted(
    (one, other) => isNear(other) - isNear(one) || severity(other.level) - severity(one.level),
  );
  if (!problem) return undefined;
  const page = foreign(summary.page.name);
  const since = problem.since === undefined ? "" : t` since ${localTime(problem.since, now, timeZone)}`;
  if (problem.key.startsWith("incident:"))
    return t`${page} reports "${problem.subject}"${since} (${problem.words}), which may be the reason.`;
  const incident = problem.incident ? `, "${problem.incident.name}"` : "";
  return t`${page} reports ${problem.subject}: ${problem.words}${since}${incident}, which may be the reason.`;
}

/** Whether trouble of a service can be the reason of an error: it did not answer, or with an error of its own. */
export function isServiceFailure(error: unknown): boolean {
  if (!(error instanceof LedgerLensError)) return false;
  return isConnectionFault(error) || error.code === "not_json" || isPassingStatus(httpStatusOf(error));
}

/** The error with one more sentence, where trouble of the service fits it; any other error, and one of another address, as it is. */
export function explainedError(error: LedgerLensError, explain: () => string | undefined): LedgerLensError {
  if (error.setting !== undefined || !isServiceFailure(error)) return error;
  const sentence = explain();
  if (sentence === undefined || error.message.includes(sentence)) return error;
  return new LedgerLensError(error.code, `${error.message} ${sentence}`, {
    cause: error,
    key: error.key,
    ...(error.detail !== undefined && { detail: error.detail }),
  });
}
