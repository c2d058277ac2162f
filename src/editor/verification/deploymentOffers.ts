import * as vscode from "vscode";
import { Settling } from "../../core/concurrency/settling.ts";
import { worthOffering, deployedWords } from "../../core/jobs/deploymentOffer.ts";
import type { JobStore } from "../../core/jobs/jobStore.ts";
import { PendingChanges } from "../../core/jobs/pendingChanges.ts";
import { NewDeployments, type RecordChange } from "../../core/jobs/newDeployments.ts";
import { rememberingReader } from "../../core/files/folderReader.ts";
import { isInside, joinPath, parentFolder } from "../../core/files/fileReader.ts";
import { shown } from "../../core/text/shownText.ts";
import { findProject } from "../../core/tools/project.ts";
import { projectDeployments } from "../../core/tools/projectDeployments.ts";
import type { FoundDeployment } from "../../core/workspace/workspaceDeployments.ts";
import { settings } from "../settings.ts";
import type { Log } from "../ui/log.ts";
import { showMessage } from "../ui/notifications.ts";
import { NewFolders } from "../newFolders.ts";
import type { WatchedWorkspace } from "../watchedWorkspace.ts";
import { workspaceFolderReader, workspaceFolders } from "../workspaceFiles.ts";
import type { OfferedDeployments } from "./offeredDeployments.ts";
import type { RecordedVerification } from "./verifyRecorded.ts";

/** A tool writes several records in one go, and some write one after the other. */
const QUIET_MS = 2_000;
/** What is written beside a record may be written all the time. */
const LONGEST_MS = 10_000;
/** The window that a person works in goes first. */
const UNFOCUSED_MS = 1_500;

/** What offers are made of. */
interface OfferNeeds {
  readonly workspace: Pick<WatchedWorkspace, "readDeployments">;
  readonly store: Pick<JobStore, "load" | "all">;
  readonly offered: OfferedDeployments;
  readonly log: Pick<Log, "error">;
  /** When this window began to watch: what was recorded before is not offered. */
  readonly since: number;
}

/**
 * Offers to verify what a tool has deployed while the window is open, each deployment once. It reads records and asks
 * nothing of a network; what is chosen shows what is published before anything goes.
 */
export class DeploymentOffers implements vscode.Disposable {
  readonly #needs: OfferNeeds;
  readonly #news: NewDeployments;
  readonly #changes = new PendingChanges();
  /** What records held before, by the folders in which a file changed. */
  readonly #remembered = new Map<string, Promise<void>>();
  #looking: Promise<void> = Promise.resolve();
  readonly #settling = new Settling(() => this.#lookNext(), QUIET_MS, LONGEST_MS);
  /** Of a run that is waited for. */
  #awaiting: NodeJS.Timeout | undefined;
  /** Verifications that begin by themselves, one after the other. */
  #begun: Promise<unknown> = Promise.resolve();
  /** All that lies in a folder that came while the window is open has come since, too. */
  readonly #newFolders = new NewFolders((path) => {
    this.recordChanged({ path, isNew: true });
  });
  readonly #disposables = new Set<vscode.Disposable>();
  readonly #end = new AbortController();

  constructor(needs: OfferNeeds) {
    this.#needs = needs;
    this.#news = new NewDeployments(needs.since);
  }

  remember(): void {
    for (const folder of workspaceFolders()) this.#rememberAt(joinPath(folder, "any"));
  }

  #rememberAt(path: string): void {
    const place = parentFolder(path);
    if (!this.#remembered.has(place)) this.#remembered.set(place, this.#readOld(path));
  }

  recordChanged(change: RecordChange): void {
    if (this.#end.signal.aborted) return;
    this.#changes.add(change, Date.now());
    // What a record held before the first change that is told of may still be all that it holds.
    if (change.isNew) void this.#newFolders.watch(change.path);
    else this.#rememberAt(change.path);
    this.#settling.hear(vscode.window.state.focused ? QUIET_MS : QUIET_MS + UNFOCUSED_MS);
  }

  dispose(): void {
    this.#end.abort();
    this.#settling.stop();
    clearTimeout(this.#awaiting);
    this.#newFolders.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** @param path of a file, of whose project the records are read */
  async #readOld(path: string): Promise<void> {
    const folder = workspaceFolders().find((one) => isInside(path, one));
    if (folder === undefined) return;
    const files = rememberingReader(workspaceFolderReader);
    try {
      const project = await findProject(files, folder, path);
      this.#news.note(await projectDeployments(files, project, workspaceFolders()), this.#changes.all);
    } catch (fault) {
      this.#needs.log.error(`The records of deployments of ${path} could not be looked for.`);
      this.#needs.log.error(fault);
    }
  }

  #lookNext(): void {
    clearTimeout(this.#awaiting);
    this.#looking = this.#looking.then(() => this.#look());
  }

  async #look(): Promise<void> {
    await Promise.all(this.#remembered.values());
    const changes = this.#changes.take();
    try {
      const { found } = await this.#needs.workspace.readDeployments();
      const left = this.#changes.patienceMs(Date.now());
      const { deployed, isAwaited } = this.#news.among(found, changes, left > 0);
      if (isAwaited && left > 0) {
        this.#changes.putBack(changes, Date.now());
        clearTimeout(this.#awaiting);
        if (!this.#end.signal.aborted) this.#awaiting = setTimeout(() => this.#lookNext(), left);
      } else this.#changes.settled();
      if (deployed.length > 0) await this.#offer(deployed);
    } catch (fault) {
      if (this.#end.signal.aborted) return;
      this.#needs.log.error("What was deployed could not be offered for verification.");
      this.#needs.log.error(fault);
    }
  }

  async #offer(deployed: readonly FoundDeployment[]): Promise<void> {
    const { store, offered } = this.#needs;
    await store.load();
    const host = URL.parse(settings.verificationUrl)?.host ?? "";
    const worth = worthOffering(deployed, host, store.all());
    const { withoutCheckedOut } = await import("./checkedOutRecords.ts");
    const deployments = await offered.take(await withoutCheckedOut(worth, this.#end.signal));
    if (deployments.length === 0 || this.#end.signal.aborted) return;
    if (settings.offerVerification === "always") this.#begin(deployments);
    // It stands until it is answered.
    else if (settings.offerVerification === "ask") void ask(deployments);
  }

  /** Begins where a person sees it, and not while they answer another. */
  #begin(deployments: readonly FoundDeployment[]): void {
    this.#begun = this.#begun
      .then(() => this.#focused())
      .then(() => verify({ deployments, isUnasked: true }))
      .then(undefined, () => undefined);
  }

  #focused(): Promise<void> {
    return new Promise((resolve) => {
      if (vscode.window.state.focused) {
        resolve();
        return;
      }
      const listening = vscode.window.onDidChangeWindowState(({ focused }) => {
        if (!focused) return;
        listening.dispose();
        this.#disposables.delete(listening);
        resolve();
      });
      this.#disposables.add(listening);
    });
  }
}

function ask(deployments: readonly FoundDeployment[]): Promise<void> {
  return showMessage(
    "information",
    deployedWords(deployments),
    {
      label: deployments.length > 1 ? shown`Verify All…` : shown`Verify`,
      run: () => verify({ deployments, isUnasked: false }),
    },
    {
      label: shown`Always`,
      run: async () => {
        await setAlways();
        await verify({ deployments, isUnasked: false });
      },
    },
    { label: shown`Not Now`, run: () => undefined },
  );
}

function verify(what: RecordedVerification): Thenable<unknown> {
  return vscode.commands.executeCommand("ledgerLens.verifyRecorded", what);
}

/** For all workspaces, and for this one where it says something of its own. */
async function setAlways(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("ledgerLens");
  const isOfWorkspace = configuration.inspect("offerVerification")?.workspaceValue !== undefined;
  const { Global, Workspace } = vscode.ConfigurationTarget;
  await configuration.update("offerVerification", "always", isOfWorkspace ? Workspace : Global);
}
