import { basename, dirname, join } from "node:path";

/** So many windows of a workspace have a folder besides that of the first. */
const MAX_WINDOWS = 9;

/** The editor's own ids of workspaces are hexadecimal: a hash, which may be negative, or the time for an untitled one. */
const OF_ANOTHER_WINDOW = /^(-?[0-9a-f]+)-[1-9]$/;

/**
 * The storage folder that all windows of a workspace share. The editor locks `workspaceStorage/<workspace>/` for the
 * first window and gives later ones `<workspace>-1` to `<workspace>-9`, of which the desktop deletes what lies in them
 * after a while (microsoft/vscode, src/vs/workbench/api/node/extHostStoragePaths.ts and
 * src/vs/code/electron-utility/sharedProcess/contrib/storageDataCleaner.ts). Which of them a window gets is chance.
 *
 * A window without a folder has no such folder: it is given the one that is the same for all windows, which stays as it
 * is; so does what is of no known form.
 *
 * @param path the storage folder that the editor gave, of an extension
 */
export function sharedStorage(path: string): string {
  const ofWindow = dirname(path);
  const workspace = OF_ANOTHER_WINDOW.exec(basename(ofWindow))?.[1];
  return workspace !== undefined && isWorkspaceStorage(dirname(ofWindow))
    ? join(dirname(ofWindow), workspace, basename(path))
    : path;
}

/** The storage folders that later windows of a workspace were given; see {@link sharedStorage}. */
export function otherWindowsStorage(path: string): string[] {
  const shared = sharedStorage(path);
  const ofWorkspace = dirname(shared);
  if (!isWorkspaceStorage(dirname(ofWorkspace))) return [];
  return Array.from({ length: MAX_WINDOWS }, (_, at) => join(`${ofWorkspace}-${at + 1}`, basename(shared)));
}

function isWorkspaceStorage(path: string): boolean {
  return basename(path) === "workspaceStorage";
}
