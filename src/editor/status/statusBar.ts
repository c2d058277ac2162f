import type * as vscode from "vscode";
import { statusBarModel } from "../../core/status/statusBarText.ts";
import type { StatusMonitor } from "../../core/status/statusMonitor.ts";
import { nextWordsAt } from "../../core/text/timeWords.ts";
import type { StatusEntry } from "./statusEntry.ts";
import { watchChoice } from "./watchChoice.ts";

/** The age in the tooltip is drawn again no sooner. */
const TIMES_EVERY_MS = 30_000;

/** Keeps the item that sums up how the services are up to date. */
export class StatusBar implements vscode.Disposable {
  readonly #monitor: StatusMonitor;
  readonly #entry: Pick<StatusEntry, "draw">;
  readonly #isHederaUsed: () => boolean;
  readonly #stop: () => void;
  #release: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #drawn = "";

  /** @param isHederaUsed whether the page, which is Hedera's, tells of something that is used here */
  constructor(
    monitor: StatusMonitor,
    entry: Pick<StatusEntry, "draw" | "fill">,
    isHederaUsed: () => boolean,
  ) {
    this.#monitor = monitor;
    this.#isHederaUsed = isHederaUsed;
    this.#entry = entry;
    this.#stop = monitor.onChange(() => this.#draw());
    entry.fill((isFollowed) => this.#apply(isFollowed));
  }

  dispose(): void {
    this.#release?.();
    this.#stop();
    clearTimeout(this.#timer);
  }

  #apply(isFollowed: boolean): void {
    if (isFollowed) {
      this.#release ??= this.#monitor.use();
    } else {
      this.#release?.();
      this.#release = undefined;
    }
    this.#draw();
  }

  #draw(): void {
    const now = Date.now();
    const model = statusBarModel(this.#monitor.state, watchChoice(), {
      now,
      isHederaUsed: this.#isHederaUsed(),
    });
    const drawn = JSON.stringify(model);
    if (drawn !== this.#drawn) this.#entry.draw(model);
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
