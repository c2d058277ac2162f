import * as vscode from "vscode";
import type { RecordChange } from "../../core/jobs/newDeployments.ts";
import { ACCUMULATED_RECORDS, RECORDS_GLOB } from "../../core/tools/tool.ts";
import { settings } from "../settings.ts";

/** By then the window has started; records are read from then on where they don't say when something was deployed. */
const STARTED_MS = 3_000;

/** What is loaded when a record changes. */
interface RecordedOffers {
  /** Reads what the records of the open folders hold now, which is not new. */
  remember(): void;
  recordChanged(change: RecordChange): void;
}

/**
 * Watches for the deployments that tools record, and loads nothing before there is one. Nothing is told where the setting
 * or the folder forbids it.
 */
export class DeploymentWatcher implements vscode.Disposable {
  readonly #offers: () => Promise<RecordedOffers>;
  readonly #disposables: readonly vscode.Disposable[];
  readonly #starting: NodeJS.Timeout;

  constructor(offers: () => Promise<RecordedOffers>) {
    this.#offers = offers;
    const watcher = vscode.workspace.createFileSystemWatcher(RECORDS_GLOB, false, false, true);
    const changed = (path: string, isNew: boolean) => {
      this.#tell((one) => one.recordChanged({ path, isNew }));
    };
    this.#disposables = [
      watcher,
      watcher.onDidCreate(({ path }) => changed(path, true)),
      watcher.onDidChange(({ path }) => changed(path, false)),
    ];
    this.#starting = setTimeout(() => void this.#started(), STARTED_MS);
  }

  dispose(): void {
    clearTimeout(this.#starting);
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #started(): Promise<void> {
    const places = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
      ACCUMULATED_RECORDS.map((place) => vscode.Uri.joinPath(uri, place)),
    );
    const found = await Promise.all(
      places.map((place) =>
        vscode.workspace.fs.stat(place).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (found.includes(true)) this.#tell((one) => one.remember());
  }

  #tell(what: (offers: RecordedOffers) => void): void {
    if (settings.offerVerification === "never" || !vscode.workspace.isTrusted) return;
    // What can't be loaded is told by the view, which needs the same.
    this.#offers().then(what, () => undefined);
  }
}
