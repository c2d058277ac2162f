import * as vscode from "vscode";

/** Lenses of documents; what stands in them is loaded with the first document that is shown. */
export class LateLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #load: () => Promise<unknown>;
  #lensesOf: ((document: vscode.TextDocument) => Promise<vscode.CodeLens[]>) | undefined;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #registration: vscode.Disposable;

  /** @param load leads to {@link fill} */
  constructor(selector: vscode.DocumentSelector, load: () => Promise<unknown>) {
    this.#load = load;
    this.#registration = vscode.languages.registerCodeLensProvider(selector, this);
  }

  get onDidChangeCodeLenses(): vscode.Event<void> {
    return this.#changed.event;
  }

  /** Says which lenses a document has. */
  fill(lensesOf: (document: vscode.TextDocument) => Promise<vscode.CodeLens[]>): void {
    this.#lensesOf = lensesOf;
  }

  /** What stands in them may have changed. */
  changed(): void {
    this.#changed.fire();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (!this.#lensesOf) await this.#load();
    return (await this.#lensesOf?.(document)) ?? [];
  }

  dispose(): void {
    this.#changed.dispose();
    this.#registration.dispose();
  }
}
