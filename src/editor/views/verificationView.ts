import * as vscode from "vscode";
import { failureMeaning } from "../../core/verification/failureMeaning.ts";
import { chainLabel } from "../../core/verification/chains.ts";
import type { Action, Cause } from "../../core/verification/explanation/explanation.ts";
import { recordStatus, recordTitle, type JobRecord } from "../../core/verification/jobRecord.ts";
import type { JobStore } from "../../core/verification/jobStore.ts";
import { visibleText } from "../../core/visibleText.ts";
import { hostOf, outcomeInBrief, outcomeSentence } from "../jobWords.ts";
import { relativeTime } from "../relativeTime.ts";

/** A row of the view: a job, or a fact about one. */
export interface VerificationRow {
  readonly record: JobRecord;
  /** Absent on the job's own row. */
  readonly fact?: {
    readonly label: string;
    readonly description: string;
    readonly icon: string;
    readonly tooltip?: string;
    readonly context?: string;
    /** What the row offers to do. */
    readonly action?: Action;
  };
}

/** The `ledgerLens.verification` view: the jobs of this workspace, newest first. */
export class VerificationView implements vscode.TreeDataProvider<VerificationRow>, vscode.Disposable {
  readonly #store: JobStore;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #disposables: readonly { dispose(): unknown }[];

  /** @param onVisible is called when somebody looks at the view */
  constructor(store: JobStore, onVisible: () => void) {
    this.#store = store;
    const stop = store.onChange(() => this.#changed.fire(undefined));
    const view = vscode.window.createTreeView("ledgerLens.verification", {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    if (view.visible) onVisible();
    this.#disposables = [
      this.#changed,
      { dispose: stop },
      view,
      view.onDidChangeVisibility(({ visible }) => {
        if (visible) onVisible();
      }),
    ];
  }

  get onDidChangeTreeData(): vscode.Event<undefined> {
    return this.#changed.event;
  }

  async getChildren(row?: VerificationRow): Promise<VerificationRow[]> {
    if (row) return row.fact ? [] : factsOf(row.record);
    await this.#store.load();
    return this.#store.all().map((record) => ({ record }));
  }

  getTreeItem({ record, fact }: VerificationRow): vscode.TreeItem {
    if (fact) {
      const item = new vscode.TreeItem(fact.label);
      item.description = fact.description;
      item.tooltip = visibleText(fact.tooltip ?? `${fact.label}: ${fact.description}`);
      if (fact.context !== undefined) item.contextValue = fact.context;
      item.iconPath = new vscode.ThemeIcon(fact.icon);
      return item;
    }
    const status = recordStatus(record);
    const item = new vscode.TreeItem(
      visibleText(recordTitle(record)),
      vscode.TreeItemCollapsibleState.Collapsed,
    );
    item.id = record.id;
    item.description = `${outcomeInBrief(record)} · ${relativeTime(record.submittedAt)}`;
    item.iconPath = iconOf(record);
    item.contextValue = [
      "job",
      ...(status === "exact_match" || status === "match" ? ["verified"] : []),
      ...(status === "pending" ? ["checkable"] : []),
      ...(record.difference === undefined ? [] : ["different"]),
      ...(mayBeRetried(record) ? ["retryable"] : []),
      ...(record.verificationId ? ["linked"] : []),
    ].join(" ");
    item.tooltip = `${outcomeSentence(record)}\n${chainLabel(record.chainId)} · ${record.address}\nSubmitted ${new Date(record.submittedAt).toLocaleString()}`;
    item.accessibilityInformation = { label: `${item.label as string}, ${item.description}` };
    return item;
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

/** Whether the same submission may do better: it was refused, or failed for a reason that passes. */
function mayBeRetried({ stage, job, contract }: JobRecord): boolean {
  if (contract?.match) return false;
  return stage === "refused" || (job?.error ? failureMeaning(job.error) === "transient" : false);
}

function iconOf(record: JobRecord): vscode.ThemeIcon {
  const status = recordStatus(record);
  switch (status) {
    case "exact_match":
      return new vscode.ThemeIcon("pass-filled", new vscode.ThemeColor("testing.iconPassed"));
    case "match":
      return new vscode.ThemeIcon("pass", new vscode.ThemeColor("testing.iconPassed"));
    case "failed":
      return new vscode.ThemeIcon("error", new vscode.ThemeColor("testing.iconFailed"));
    case "pending":
      return record.verificationId && !record.problem
        ? new vscode.ThemeIcon("sync~spin")
        : new vscode.ThemeIcon("question", new vscode.ThemeColor("testing.iconQueued"));
  }
}

/** A cause as a row: what speaks for it, and what would help. */
function causeFact({ evidence, confidence, fix, action }: Cause) {
  const certainty = `${Math.round(confidence * 100)} %`;
  return {
    label: evidence,
    description: action ? `${certainty} · ${action.label}` : certainty,
    icon: "lightbulb",
    tooltip: [evidence, fix, `${certainty} sure`].filter((line) => line !== undefined).join("\n"),
    ...(action && { context: "cause", action }),
  };
}

function factsOf(record: JobRecord): VerificationRow[] {
  const { submission, job, problem } = record;
  const facts = [
    { label: chainLabel(record.chainId), description: record.address, icon: "location" },
    ...(record.explanation
      ? record.explanation.causes.map(causeFact)
      : job?.error || problem
        ? [{ label: "Outcome", description: outcomeSentence(record), icon: "lightbulb" }]
        : []),
    ...(record.difference === undefined
      ? []
      : [
          {
            label: "Runtime code",
            description: record.difference,
            icon: "file-binary",
            context: "cause",
            action: { kind: "show difference", label: "Show Difference" } as const,
          },
        ]),
    ...(submission
      ? [
          {
            label: "What was submitted",
            description: `${submission.contractIdentifier} · solc ${submission.compilerVersion} · ${submission.fileCount} ${submission.fileCount === 1 ? "file" : "files"}`,
            icon: "json",
          },
        ]
      : [{ label: "Similarity search", description: "no source was submitted", icon: "search" }]),
    {
      label: `Submitted ${new Date(record.submittedAt).toLocaleTimeString()}`,
      description: [
        hostOf(record),
        ...(job?.compilationTime ? [`compiled in ${(Number(job.compilationTime) / 1000).toFixed(1)} s`] : []),
        ...(record.verificationId ? [`job ${record.verificationId}`] : []),
      ].join(" · "),
      icon: "clock",
    },
  ];
  return facts.map((fact) => ({
    record,
    fact: { ...fact, label: visibleText(fact.label), description: visibleText(fact.description) },
  }));
}
