import assert from "node:assert/strict";
import { glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type Mocha from "mocha";
import * as vscode from "vscode";

/** The files that a developer writes, as far as all suites read them. */
const FILES = "contracts/**/*.sol";

/**
 * Lets each suite fail by itself that ends with a file of the sample other than it was at first, on the disk or unsaved. The
 * file is put back, so that what comes after does not fail for it.
 */
export async function keepSample(suites: readonly Mocha.Suite[]): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "/";
  const texts = new Map<string, string>();
  for await (const path of glob(FILES, { cwd: folder })) {
    const file = join(folder, path);
    texts.set(file, await readFile(file, "utf8"));
  }
  for (const suite of suites) {
    suite.afterAll("leaves the sample as it was", async () => {
      const changed: string[] = [];
      for (const [file, text] of texts) {
        if ((await readFile(file, "utf8").catch(() => undefined)) === text) continue;
        changed.push(file);
        await writeFile(file, text);
      }
      const unsaved = vscode.workspace.textDocuments.filter(
        ({ isDirty, uri }) => isDirty && texts.has(uri.fsPath),
      );
      for (const { uri } of unsaved) {
        await vscode.window.showTextDocument(uri);
        await vscode.commands.executeCommand("workbench.action.files.revert", uri);
      }
      assert.deepEqual([...changed, ...unsaved.map(({ uri }) => uri.fsPath)], []);
    });
  }
}
