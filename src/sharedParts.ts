import type { Memento, Uri } from "vscode";
import { JobStore } from "./core/jobs/jobStore.ts";
import { nameChains } from "./editor/tellChainNames.ts";
import { tellPrivateChains } from "./editor/tellPrivateChains.ts";
import type { Own } from "./editor/ownedParts.ts";
import type { Log } from "./editor/ui/log.ts";
import { JobFiles } from "./editor/verification/jobFiles.ts";
import { WatchedWorkspace } from "./editor/watchedWorkspace.ts";
import { rememberFiles } from "./editor/workspaceFiles.ts";

/** What more than one subject knows of the workspace. */
interface SharedParts {
  /** Its contracts and their deployments. */
  readonly workspace: WatchedWorkspace;
  /** The jobs that are kept for it. */
  readonly store: JobStore;
}

/**
 * @param storage of this workspace, or of all where no folder is open
 * @param globalMemory of all windows
 */
export function sharedParts(own: Own, log: Log, storage: Uri, globalMemory: Memento): SharedParts {
  own(rememberFiles());
  own(nameChains(globalMemory));
  own(tellPrivateChains());
  return { workspace: own(new WatchedWorkspace(log)), store: new JobStore(new JobFiles(storage)) };
}
