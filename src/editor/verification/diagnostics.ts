import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as vscode from "vscode";
import { deploymentKey } from "../../core/evm/deploymentKey.ts";
import { compilerProblems, type CompilerProblem } from "../../core/jobs/compilerProblems.ts";
import { isVerifiedSince, type FailedCompilation } from "../../core/jobs/failedCompilation.ts";
import type { JobError } from "../../core/service/job.ts";
import type { DeploymentStates } from "../../core/jobs/deploymentStates.ts";
import { type Deployment } from "../../core/service/submissionRequest.ts";
import type { StandardJsonInput } from "../../core/sources/standardJsonInput.ts";
import type { JobRecord } from "../../core/jobs/jobRecord.ts";
import type { JobStore } from "../../core/jobs/jobStore.ts";
import { ownValue } from "../../core/json/ownValue.ts";
import { diagnostic } from "../ui/diagnostic.ts";
import { uriOf } from "../workspaceFiles.ts";

/** The problems of a job that are shown. */
interface ShownProblems {
  /** The job; absent for what was compiled here. */
  readonly id: string | undefined;
  readonly failed: FailedCompilation;
  readonly files: readonly vscode.Uri[];
  /** Ends with them: tells of changes that were not made in an editor. */
  readonly watchers: readonly vscode.Disposable[];
}

/** What was compiled here, and where its sources are. */
interface CompiledInput {
  /** Absolute path of the contract's file. */
  readonly path: string;
  readonly contractName: string;
  readonly stdJsonInput: StandardJsonInput;
  readonly files: readonly { readonly name: string; readonly path: string }[];
}

/**
 * What the compiler at the service, or on this machine, said, among the problems of the workspace's files. A file's problems go when it
 * changes, in an editor or on disk; those of a job go when it is repeated or removed, and when the contract is verified in
 * whatever way.
 */
export class CompilerDiagnostics implements vscode.Disposable {
  readonly #store: JobStore;
  readonly #collection = vscode.languages.createDiagnosticCollection("ledgerLens");
  /** By the contract's file and name that they belong to. */
  readonly #shown = new Map<string, ShownProblems>();
  /** What was compiled, by the paths of the files with problems: the news of a change may come after what was made of it. */
  readonly #compiled = new Map<string, string>();
  readonly #disposables: readonly { dispose(): unknown }[];

  /** @param states what the service is found to have on record, verified from here or not */
  constructor(store: JobStore, states: Pick<DeploymentStates, "onChange">) {
    this.#store = store;
    this.#disposables = [
      this.#collection,
      { dispose: store.onChange(() => this.#endOver()) },
      {
        dispose: states.onChange((deployment, state) => {
          if (state !== "not_verified") this.#endAt(deployment);
        }),
      },
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && document.getText() !== this.#compiled.get(document.uri.fsPath))
          this.#collection.delete(document.uri);
      }),
    ];
  }

  /** Shows what the compiler said of a job; nothing for a job that failed otherwise. */
  async show(record: JobRecord): Promise<void> {
    this.clear(record);
    const error = record.job?.error;
    const [input, files] = await Promise.all([this.#store.input(record.id), this.#store.files(record.id)]);
    if (!error || !input || !this.#store.get(record.id)) return;
    // A second look at the same job may have come first.
    this.clear(record);
    const { path, contractName } = record.submission ?? {};
    const failed = {
      chainId: record.chainId,
      address: record.address,
      path,
      contractName,
      at: record.submittedAt,
    };
    this.#show(keyOf(record), error, { stdJsonInput: input, files, id: record.id, failed });
  }

  /** Shows what a compiler on this machine said of an input; without an error, what it said before goes. */
  showLocal(
    { path, contractName, stdJsonInput, files }: CompiledInput,
    { chainId, address }: Pick<Deployment, "chainId" | "address">,
    error: JobError | undefined,
  ): void {
    const key = `${path}:${contractName}`;
    this.#end(key);
    const failed = { chainId, address, path, contractName, at: Date.now() };
    if (error) this.#show(key, error, { stdJsonInput, files, id: undefined, failed });
  }

  #show(
    key: string,
    error: JobError,
    {
      stdJsonInput,
      files,
      id,
      failed,
    }: Pick<CompiledInput, "files" | "stdJsonInput"> & Pick<ShownProblems, "id" | "failed">,
  ): void {
    const paths = new Map(files.map(({ name, path }) => [name, path]));
    const byPath = new Map<string, CompilerProblem[]>();
    for (const problem of compilerProblems(error, stdJsonInput)) {
      const path = (problem.name && paths.get(problem.name)) ?? failed.path;
      if (path === undefined) continue;
      const problems = byPath.get(path);
      if (problems) problems.push(problem);
      else byPath.set(path, [problem]);
    }
    if (byPath.size === 0) return;
    const shown = [...byPath].map(([path, problems]) => {
      const uri = uriOf(path);
      this.#collection.set(uri, problems.map(diagnosticOf));
      const name = files.find((file) => file.path === path)?.name ?? "";
      const content = ownValue(stdJsonInput.sources, name)?.content;
      if (content !== undefined) this.#compiled.set(uri.fsPath, content);
      return { uri, watcher: this.#watched(uri) };
    });
    this.#shown.set(key, {
      id,
      failed,
      files: shown.map(({ uri }) => uri),
      watchers: shown.map(({ watcher }) => watcher),
    });
  }

  /** Takes away what an earlier job of the same contract showed. */
  clear(record: JobRecord): void {
    this.#end(keyOf(record));
  }

  dispose(): void {
    for (const key of [...this.#shown.keys()]) this.#end(key);
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #end(key: string): void {
    const { files = [], watchers = [] } = this.#shown.get(key) ?? {};
    for (const watcher of watchers) watcher.dispose();
    for (const uri of files) {
      this.#collection.delete(uri);
      this.#compiled.delete(uri.fsPath);
    }
    this.#shown.delete(key);
  }

  /** Ends the problems of jobs that were removed, and of contracts that have been verified since, in whichever window. */
  #endOver(): void {
    if (this.#shown.size === 0) return;
    const records = this.#store.all();
    for (const [key, { id, failed }] of this.#shown) {
      const isRemoved = id !== undefined && !this.#store.get(id);
      if (isRemoved || isVerifiedSince(failed, records)) this.#end(key);
    }
  }

  /** Ends the problems of what is verified at the service, by whomever. */
  #endAt(deployment: Deployment): void {
    for (const [key, { failed }] of this.#shown)
      if (deploymentKey(failed) === deploymentKey(deployment)) this.#end(key);
  }

  #watched(uri: vscode.Uri): vscode.Disposable {
    // A file's name may hold what a pattern reads otherwise.
    const folder = new vscode.RelativePattern(vscode.Uri.file(dirname(uri.fsPath)), "*");
    const watcher = vscode.workspace.createFileSystemWatcher(folder, true);
    const end = async (changed: vscode.Uri) => {
      if (changed.fsPath !== uri.fsPath) return;
      const text = await readFile(uri.fsPath, "utf8").catch(() => undefined);
      if (text === undefined || text !== this.#compiled.get(uri.fsPath)) this.#collection.delete(uri);
    };
    watcher.onDidChange(end);
    watcher.onDidDelete(end);
    return watcher;
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
