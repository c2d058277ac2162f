import * as vscode from "vscode";
import { compilerProblems, type CompilerProblem } from "../core/verification/compilerProblems.ts";
import type { JobRecord } from "../core/verification/jobRecord.ts";
import type { JobStore } from "../core/verification/jobStore.ts";
import { diagnostic } from "./ui/diagnostic.ts";
import { uriOf } from "./workspaceFiles.ts";

/**
 * What the compiler at the service said, among the problems of the workspace's files. A file's problems go when it
 * changes, those of a job when it is repeated.
 */
export class CompilerDiagnostics implements vscode.Disposable {
  readonly #store: JobStore;
  readonly #collection = vscode.languages.createDiagnosticCollection("ledgerLens");
  /** Files with problems, by the contract's file and name that they belong to. */
  readonly #files = new Map<string, readonly vscode.Uri[]>();
  readonly #disposables: readonly { dispose(): unknown }[];

  constructor(store: JobStore) {
    this.#store = store;
    this.#disposables = [
      this.#collection,
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#collection.delete(document.uri);
      }),
      vscode.workspace.onDidDeleteFiles(({ files }) => {
        for (const file of files) this.#collection.delete(file);
      }),
    ];
  }

  /** Shows what the compiler said of a job; nothing for a job that failed otherwise. */
  async show(record: JobRecord): Promise<void> {
    this.clear(record);
    const error = record.job?.error;
    const [input, files] = await Promise.all([this.#store.input(record.id), this.#store.files(record.id)]);
    if (!error || !input) return;
    const paths = new Map(files.map(({ name, path }) => [name, path]));
    const byPath = new Map<string, CompilerProblem[]>();
    for (const problem of compilerProblems(error, input)) {
      const path = (problem.name && paths.get(problem.name)) ?? record.submission?.path;
      if (path === undefined) continue;
      const problems = byPath.get(path);
      if (problems) problems.push(problem);
      else byPath.set(path, [problem]);
    }
    const shown = [...byPath].map(([path, problems]) => {
      const uri = uriOf(path);
      this.#collection.set(uri, problems.map(diagnosticOf));
      return uri;
    });
    if (shown.length > 0) this.#files.set(keyOf(record), shown);
  }

  /** Takes away what an earlier job of the same contract showed. */
  clear(record: JobRecord): void {
    for (const uri of this.#files.get(keyOf(record)) ?? []) this.#collection.delete(uri);
    this.#files.delete(keyOf(record));
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

function severityOf(severity: CompilerProblem["severity"]): vscode.DiagnosticSeverity {
  switch (severity) {
    case "error":
      return vscode.DiagnosticSeverity.Error;
    case "warning":
      return vscode.DiagnosticSeverity.Warning;
    case "info":
      return vscode.DiagnosticSeverity.Information;
  }
}

function keyOf({ submission }: JobRecord): string {
  return `${submission?.path ?? ""}:${submission?.contractName ?? ""}`;
}

function diagnosticOf({ start, end, message, severity, code }: CompilerProblem): vscode.Diagnostic {
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  return diagnostic(range, message, severityOf(severity), code);
}
