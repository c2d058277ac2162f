import { t } from "@vscode/l10n";
import { isCancellation, ledgerLensError } from "../errors.ts";
import { chainLabel } from "../chains/chainNames.ts";
import { inPool } from "../concurrency/inPool.ts";
import { deploymentKey } from "../evm/deploymentKey.ts";
import { type Deployment } from "../service/submissionRequest.ts";
import { counted } from "../text/counted.ts";
import { markdownCode, markdownTable, markdownText } from "../text/markdown.ts";
import { foreignSentence, joined, shown, type ShownText } from "../text/shownText.ts";
import { LOCAL_VERDICTS, type LocalResult } from "./localResults.ts";

/** What became of a deployment that was looked at among many. */
export interface DeploymentResult {
  /** `path/to/File.sol:Name`; absent where it is not known. */
  readonly contract?: string;
  /** The whole id of the commit that was deployed, where one was found. */
  readonly commit?: string;
  /** When it was made, as ISO 8601. */
  readonly date?: string;
  readonly subject?: string;
  /** Absent where nothing was compared, or no commit was found. */
  readonly verdict?: LocalResult["verdict"];
  /** Why it is not known, or why it does not match; one sentence. */
  readonly reason?: string;
}

/** A row of the table. */
export interface DeploymentRow extends DeploymentResult, Pick<Deployment, "chainId" | "address"> {}

/** How many deployments are looked at. */
interface TableOptions<D extends Deployment> {
  /** One that is named twice has one row, by the first one. */
  readonly deployments: readonly D[];
  readonly atOnce: number;
  /** A LedgerLensError is told in the deployment's row, with the contract where it was told before. */
  readonly look: (deployment: D, tell: (contract: string) => void) => Promise<DeploymentResult>;
  /** Told of what was declined by a person, and of errors of ours, which are told in the row, too. */
  readonly onFailure: (error: unknown) => void;
  /** Before the first and after each deployment. */
  readonly onProgress: (done: number, all: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Looks at many deployments, over any chains, each once. What fails is told in its row and stops nothing; a cancellation
 * leaves the others as they are.
 *
 * @returns a row for each deployment, in their order
 */
export async function deploymentRows<D extends Deployment>({
  deployments,
  atOnce,
  look,
  onFailure,
  onProgress,
  signal,
}: TableOptions<D>): Promise<DeploymentRow[]> {
  const byKey = new Map<string, D>();
  for (const one of deployments) if (!byKey.has(deploymentKey(one))) byKey.set(deploymentKey(one), one);
  const distinct = [...byKey.values()];
  let done = 0;
  onProgress(done, distinct.length);
  return inPool(distinct, atOnce, async (deployment) => {
    const { chainId, address } = deployment;
    let known: Pick<DeploymentResult, "contract"> = {};
    let found: DeploymentResult;
    try {
      const tell = (contract: string) => (known = { contract });
      found = signal?.aborted ? { reason: CANCELLED } : await look(deployment, tell);
    } catch (error) {
      if (!signal?.aborted) onFailure(error);
      found = { reason: signal?.aborted ? CANCELLED : sentenceOf(error) };
    }
    onProgress(++done, distinct.length);
    return { chainId, address, ...known, ...found };
  });
}

const CANCELLED = t`Not looked at: the command was cancelled.`;

function sentenceOf(error: unknown): string {
  return isCancellation(error)
    ? t`Nothing was compiled: what it needs was declined.`
    : ledgerLensError(error).message;
}

/**
 * The rows as a table of Markdown: address, contract, commit and verdict, and the chain where there are several. All ids
 * are whole.
 *
 * @param files what was compiled where no commit is said
 */
export function deploymentTable(rows: readonly DeploymentRow[], files: "work tree" | "commits"): string {
  const hasChains = new Set(rows.map(({ chainId }) => chainId)).size > 1;
  const titles = [...(hasChains ? [t`Chain`] : []), t`Address`, t`Contract`, t`Commit`, t`Verdict`];
  const cells = rows.map((row) => [
    ...(hasChains ? [markdownText(chainLabel(row.chainId))] : []),
    markdownCode(row.address),
    row.contract === undefined ? "unknown" : markdownCode(row.contract),
    commitCell(row, files),
    verdictCell(row),
  ]);
  return markdownTable(titles, cells);
}

function commitCell({ commit, date, verdict }: DeploymentRow, files: "work tree" | "commits"): string {
  if (commit !== undefined) return `${markdownCode(commit)} ${markdownText(date?.slice(0, 10) ?? "")}`.trim();
  return files === "work tree" && verdict !== undefined ? files : "–";
}

function verdictCell({ verdict, reason }: DeploymentRow): string {
  const words = verdict === undefined ? "unknown" : LOCAL_VERDICTS[verdict];
  const isExplained = reason !== undefined && (verdict === undefined || verdict === "mismatch");
  return isExplained ? `${words}: ${markdownText(foreignSentence(reason))}` : words;
}

/** "12 deployments: 9 exact match, 1 match, 1 no match, 1 unknown" */
export function tableSummary(rows: readonly DeploymentRow[]): ShownText {
  const kinds = ["exact_match", "match", "mismatch", undefined] as const;
  const counts = kinds.flatMap((kind) => {
    const count = rows.filter(({ verdict }) => verdict === kind).length;
    return count === 0 ? [] : [shown`${count} ${kind === undefined ? t`unknown` : LOCAL_VERDICTS[kind]}`];
  });
  return joined([shown`${counted(rows.length, "deployment")}`, joined(counts, ", ")], ": ");
}
