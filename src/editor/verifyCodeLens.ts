import * as vscode from "vscode";
import { isConcrete } from "../core/compilerInput/plainFolder.ts";
import { scanSolidity } from "../core/compilerInput/solidityScanner.ts";
import { isInside } from "../core/files.ts";
import { chainLabel } from "../core/verification/chains.ts";
import { recordStatus, type JobRecord } from "../core/verification/jobRecord.ts";
import type { JobStore } from "../core/verification/jobStore.ts";
import { outcomeInBrief } from "./jobWords.ts";
import { settings } from "./settings.ts";
import { workspaceFolders } from "./workspaceFiles.ts";

const ICONS = {
  exact_match: "pass-filled",
  match: "pass",
  failed: "error",
  pending: "sync",
} as const;

/** Above every contract of the open folders that can be deployed: *Verify…*, and how its last verification stands. */
export class VerifyCodeLens implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #store: JobStore;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: readonly { dispose(): unknown }[];

  constructor(store: JobStore) {
    this.#store = store;
    this.#disposables = [
      this.#changed,
      { dispose: store.onChange(() => this.#changed.fire()) },
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("ledgerLens.codeLens")) this.#changed.fire();
      }),
      vscode.languages.registerCodeLensProvider({ scheme: "file", pattern: "**/*.sol" }, this),
    ];
  }

  get onDidChangeCodeLenses(): vscode.Event<void> {
    return this.#changed.event;
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { path } = document.uri;
    if (!settings.codeLens || !workspaceFolders().some((folder) => isInside(path, folder))) return [];
    // Other people's code is not the user's to verify.
    if (path.includes("/node_modules/")) return [];
    const contracts = scanSolidity(document.getText()).definitions.filter(isConcrete);
    if (contracts.length === 0) return [];
    await this.#store.load();
    const records = this.#store.all();
    return contracts.flatMap(({ name, start }) => {
      const { line } = document.positionAt(start);
      const range = new vscode.Range(line, 0, line, 0);
      const record = records.find(
        ({ submission }) => submission?.path === path && submission.contractName === name,
      );
      const verify = new vscode.CodeLens(range, {
        title: "Verify…",
        command: "ledgerLens.verifyThis",
        arguments: [{ contract: `${path}:${name}` }],
      });
      return record ? [stateLens(range, record), verify] : [verify];
    });
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

function stateLens(range: vscode.Range, record: JobRecord): vscode.CodeLens {
  return new vscode.CodeLens(range, {
    title: `$(${ICONS[recordStatus(record)]}) ${outcomeInBrief(record)} on ${chainLabel(record.chainId)}`,
    command: "ledgerLens.showJobDetails",
    arguments: [{ record }],
  });
}
