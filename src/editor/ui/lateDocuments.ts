import * as vscode from "vscode";
import type { DocumentText } from "../../core/text/documentText.ts";

/** Read-only documents of a scheme; what they hold is loaded with the first of them. */
export class LateDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly scheme: string;
  readonly #load: () => Promise<unknown>;
  #contentOf: ((uri: vscode.Uri) => Promise<DocumentText>) | undefined;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;

  /** @param load leads to {@link fill} */
  constructor(scheme: string, load: () => Promise<unknown>) {
    this.scheme = scheme;
    this.#load = load;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  get onDidChange(): vscode.Event<vscode.Uri> {
    return this.#changed.event;
  }

  /** Says what the documents hold. */
  fill(contentOf: (uri: vscode.Uri) => Promise<DocumentText>): void {
    this.#contentOf = contentOf;
  }

  /** What the open ones hold may have changed. */
  changed(): void {
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === this.scheme) this.#changed.fire(uri);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<DocumentText | undefined> {
    if (!this.#contentOf) await this.#load();
    return this.#contentOf?.(uri);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#registration.dispose();
  }
}
