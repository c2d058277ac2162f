import * as vscode from "vscode";
import type { JobStorage } from "../core/verification/jobStore.ts";

/** Keeps jobs as files in the extension's storage folder of this workspace. */
export class JobFiles implements JobStorage {
  readonly #folder: vscode.Uri;
  #writes = 0;

  constructor(storage: vscode.Uri) {
    this.#folder = vscode.Uri.joinPath(storage, "jobs");
  }

  async list(): Promise<string[]> {
    try {
      return (await vscode.workspace.fs.readDirectory(this.#folder)).map(([name]) => name);
    } catch {
      // Nothing was kept yet.
      return [];
    }
  }

  async read(name: string): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#file(name)));
    } catch {
      return undefined;
    }
  }

  async write(name: string, content: string): Promise<void> {
    await vscode.workspace.fs.createDirectory(this.#folder);
    // A rename replaces the file as a whole: a crash leaves the old one or the new one.
    const fresh = this.#file(`${name}.${process.pid}-${++this.#writes}.new`);
    await vscode.workspace.fs.writeFile(fresh, new TextEncoder().encode(content));
    await vscode.workspace.fs.rename(fresh, this.#file(name), { overwrite: true });
  }

  async remove(name: string): Promise<void> {
    try {
      await vscode.workspace.fs.delete(this.#file(name));
    } catch {
      // It is gone already.
    }
  }

  #file(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, name);
  }
}
