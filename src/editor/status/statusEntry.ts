import * as vscode from "vscode";
import { initialItem } from "../../core/status/initialStatusItem.ts";
import { WorkSigns } from "../../core/status/workSigns.ts";
import { shown } from "../../core/text/shownText.ts";
import { settings } from "../settings.ts";
import { StatusItem, type StatusItemModel } from "../ui/statusItem.ts";

/** The item of the status bar, which is there at once; what it says is loaded when Ledger Lens is used. */
export class StatusEntry implements vscode.Disposable {
  /** Whether a person works with Ledger Lens, which decides how often the status page is asked. */
  readonly work = new WorkSigns(Date.now);
  readonly #load: () => Promise<unknown>;
  readonly #item = new StatusItem(
    "ledgerLens.status",
    shown`Ledger Lens Service Status`,
    "ledgerLens.openStatus",
  );
  readonly #onSettings: vscode.Disposable;
  #apply: ((isFollowed: boolean) => void) | undefined;
  #isInUse = false;

  /** @param load leads to {@link fill} */
  constructor(load: () => Promise<unknown>) {
    this.#load = load;
    this.#onSettings = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("ledgerLens")) this.#settingsChanged();
    });
    this.#item.draw(initialItem());
    this.#settingsChanged();
  }

  /** A command runs. */
  commandRan(): void {
    this.work.sign();
    this.begin();
  }

  /** Ledger Lens is used in this window: from now on the item keeps itself up to date. */
  begin(): void {
    if (this.#isInUse) return;
    this.#isInUse = true;
    this.#settingsChanged();
  }

  /** @param apply is called now and after every change of the settings: whether the item is kept up to date */
  fill(apply: (isFollowed: boolean) => void): void {
    this.#apply = apply;
    apply(this.#isFollowed);
  }

  draw(model: StatusItemModel): void {
    this.#item.draw(model);
  }

  dispose(): void {
    this.#item.dispose();
    this.#onSettings.dispose();
  }

  get #isFollowed(): boolean {
    return this.#isInUse && settings.statusBar.isShown;
  }

  #settingsChanged(): void {
    if (this.#apply) this.#apply(this.#isFollowed);
    // What can't be loaded is told by the command that begins this, or by the view.
    else if (this.#isFollowed) this.#load().catch(() => undefined);
    this.#item.show(settings.statusBar.isShown);
  }
}
