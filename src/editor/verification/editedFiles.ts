import * as vscode from "vscode";
import { isInside } from "../../core/files/fileReader.ts";
import { contractFileOf } from "../../core/jobs/contractFile.ts";
import { SubmittedTexts } from "../../core/jobs/contractStanding.ts";
import type { JobRecord } from "../../core/jobs/jobRecord.ts";
import type { JobStore } from "../../core/jobs/jobStore.ts";
import { uriOf, workspaceFolders } from "../workspaceFiles.ts";

/** Which jobs' contracts have files that are no longer what the jobs submitted, as it was when that was last looked at. */
export class EditedFiles {
  readonly #texts: SubmittedTexts;
  #edited: ReadonlySet<string> = new Set();

  constructor(store: Pick<JobStore, "input">) {
    this.#texts = new SubmittedTexts(store);
  }

  has({ id }: JobRecord): boolean {
    return this.#edited.has(id);
  }

  /** Looks at the files of jobs; answers whether one of them is not as it was before. */
  async look(records: readonly JobRecord[]): Promise<boolean> {
    const looked = await Promise.all(
      records.map(async (record) => ((await this.#isEdited(record)) ? record.id : [])),
    );
    const before = this.#edited;
    this.#edited = new Set(looked.flat());
    return before.size !== this.#edited.size || [...before].some((id) => !this.#edited.has(id));
  }

  async #isEdited(record: JobRecord): Promise<boolean> {
    const path = contractFileOf(record)?.path;
    if (path === undefined || !isInOpenFolder(path)) return false;
    const uri = uriOf(path);
    const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    const text = open?.getText() ?? (await textOf(uri));
    // A file that is gone has no text to compare.
    if (text === undefined) return false;
    const written = async () => (await statOf(uri))?.mtime;
    return this.#texts.isEdited(record, { text, isDirty: open?.isDirty ?? false, written });
  }
}

/** Whether a file is in an open folder. */
export async function isInWorkspace(path: string | undefined): Promise<boolean> {
  return path !== undefined && isInOpenFolder(path) && (await statOf(uriOf(path))) !== undefined;
}

export function isInOpenFolder(path: string): boolean {
  return workspaceFolders().some((folder) => isInside(path, folder));
}

/** A file as it is now, with what is not saved; `undefined` where it can't be read. */
export async function textNow(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  // The editor gives every line of an open file the same end.
  return open?.isDirty ? open.getText() : textOf(uri);
}

async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  return vscode.workspace.fs.readFile(uri).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => undefined,
  );
}

async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  return vscode.workspace.fs.stat(uri).then(
    (stats) => stats,
    () => undefined,
  );
}
