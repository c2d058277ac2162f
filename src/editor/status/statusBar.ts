import * as vscode from "vscode";
import { statusBarModel } from "../../core/status/statusBarModel.ts";
import type { StatusMonitor } from "../../core/status/statusMonitor.ts";
import { nextWordsAt } from "../../core/text/timeWords.ts";
import { settings } from "../settings.ts";
import { StatusItem } from "../ui/statusItem.ts";
import { shown } from "../../core/text/shownText.ts";

/** The age in the tooltip is drawn again no sooner. */
const TIMES_EVERY_MS = 30_000;

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
  #timer: NodeJS.Timeout | undefined;
  #drawn = "";

  constructor(monitor: StatusMonitor) {
    this.#monitor = monitor;
    this.#disposables = [
      this.#item,
      { dispose: monitor.onChange(() => this.#draw()) },
      { dispose: () => clearTimeout(this.#timer) },
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
    const now = Date.now();
    const model = statusBarModel(this.#monitor.state, settings.watch, { now });
    const drawn = JSON.stringify(model);
    if (drawn !== this.#drawn) this.#item.draw(model);
    this.#drawn = drawn;
    this.#drawTimesLater(now);
  }

  /** Nothing is awake for an item that is not shown, or that tells no time. */
  #drawTimesLater(now: number): void {
    clearTimeout(this.#timer);
    const { confirmedAt } = this.#monitor.state;
    if (!this.#release || confirmedAt === undefined) return;
    const wait = Math.max(nextWordsAt([confirmedAt], now, undefined) - now, TIMES_EVERY_MS);
    // No unref: what Node keeps of a timer that is no reason to stay awake outlives its being cleared.
    this.#timer = setTimeout(() => this.#draw(), wait);
  }
}
