import type * as vscode from "vscode";
import type { Page } from "./page.ts";

/** A page of a kind that is open. */
interface OpenPage {
  readonly page: Pick<Page<never, never>, "onVisibility" | "onClosed" | "reveal" | "dispose">;
}

/** The open pages of a kind, one for each thing that they are of. */
export class OpenPages<Open extends OpenPage> implements vscode.Disposable {
  readonly #make: (key: string, panel: vscode.WebviewPanel) => Open;
  readonly #shows: (page: object, isVisible: boolean) => void;
  readonly #open = new Map<string, Open>();

  /**
   * @param make fills a panel with the page of what a key names
   * @param shows is told of every page when it is shown or hidden
   */
  constructor(
    make: (key: string, panel: vscode.WebviewPanel) => Open,
    shows: (page: object, isVisible: boolean) => void,
  ) {
    this.#make = make;
    this.#shows = shows;
  }

  [Symbol.iterator](): Iterator<[key: string, page: Open]> {
    return this.#open.entries();
  }

  /**
   * Brings a page to the front, or opens it in a new panel.
   *
   * @returns the page that was open before; `undefined` for a new one
   */
  show(
    key: string,
    newPanel: (options: { readonly focus: boolean }) => vscode.WebviewPanel,
    options: { readonly focus: boolean },
  ): Open | undefined {
    const open = this.#open.get(key);
    if (open) open.page.reveal(options);
    else this.fill(key, newPanel(options));
    return open;
  }

  /** Fills a panel, which may be one that the editor brings back after the window was loaded anew. */
  fill(key: string, panel: vscode.WebviewPanel): void {
    // One was opened before the editor brought this one back; two of one thing would not both be told of changes.
    this.close(key);
    const open = this.#make(key, panel);
    this.#open.set(key, open);
    open.page.onVisibility((isVisible) => this.#shows(open, isVisible));
    open.page.onClosed(() => {
      if (this.#open.get(key) === open) this.#open.delete(key);
    });
  }

  /** Closes a page, where it is open. */
  close(key: string): void {
    this.#open.get(key)?.page.dispose();
  }

  dispose(): void {
    for (const { page } of this.#open.values()) page.dispose();
  }
}
