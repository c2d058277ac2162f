import * as vscode from "vscode";
import { statusBarModel } from "../core/status/statusBarModel.ts";
import type { StatusMonitor } from "../core/status/statusMonitor.ts";
import { settings } from "./settings.ts";
import { StatusItem } from "./ui/statusItem.ts";
import { shown } from "../core/text/shownText.ts";

/** Ages in the tooltip are drawn again so often. */
const REDRAW_MS = 30_000;

/** The item that sums up how the services are. A click opens the view. */
export class StatusBar implements vscode.Disposable {
  readonly #monitor: StatusMonitor;
  readonly #item = new StatusItem(
    "ledgerLens.status",
    shown`Ledger Lens Service Status`,
    "ledgerLens.openStatus",
  );
  readonly #disposables: readonly { dispose(): unknown }[];
  #release: (() => void) | undefined;
  #isInUse = false;

  constructor(monitor: StatusMonitor) {
    this.#monitor = monitor;
    const timer = setInterval(() => this.#draw(), REDRAW_MS);
    timer.unref();
    this.#disposables = [
      this.#item,
      { dispose: monitor.onChange(() => this.#draw()) },
      { dispose: () => clearInterval(timer) },
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("ledgerLens")) this.#apply();
      }),
    ];
    this.#apply();
  }

  /** Somebody works with Ledger Lens in this window: from now on the item keeps itself up to date. */
  begin(): void {
    if (this.#isInUse) return;
    this.#isInUse = true;
    this.#apply();
  }

  dispose(): void {
    this.#release?.();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #apply(): void {
    const { isShown } = settings.statusBar;
    if (!isShown || !this.#isInUse) {
      this.#release?.();
      this.#release = undefined;
    } else {
      this.#release ??= this.#monitor.use();
    }
    this.#draw();
    this.#item.show(isShown);
  }

  #draw(): void {
    this.#item.draw(statusBarModel(this.#monitor.state, settings.watch, { now: Date.now() }));
  }
}
