import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import * as vscode from "vscode";

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
}

describe("Activation", () => {
  const extension = vscode.extensions.getExtension("ledger-lens.ledger-lens");

  /** The files of the extension that were read. */
  function loaded(): string[] {
    const folder = join(extension?.extensionPath ?? "", "dist");
    return Object.keys(require.cache).flatMap((path) => (dirname(path) === folder ? [basename(path)] : []));
  }

  it("finds the extension and activates it", async () => {
    assert.ok(extension);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it("loads no subject before it is seen or asked for anything", () => {
    assert.ok(loaded().includes("extension.js"));
    assert.deepEqual(
      loaded().filter((file) => !/^(?:extension|chunk-\w+)\.js$/.test(file)),
      [],
    );
  });

  it("registers every command that the manifest declares", async () => {
    const manifest = extension?.packageJSON as Manifest;
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = manifest.contributes.commands
      .map(({ command }) => command)
      .filter((command) => !registered.has(command));
    assert.deepEqual(missing, []);
  });

  it("takes the first call of a command, and loads what that one needs", async () => {
    await assert.rejects(async () => vscode.commands.executeCommand("ledgerLens.verifyContract", {}), {
      code: "missing_argument",
    });
    const subjects = (name: string) => loaded().filter((file) => file.startsWith(name)).length;
    assert.equal(subjects("verificationSubject-"), 1);
    assert.equal(subjects("ledgerSubject-"), 0, "the ledger was neither seen nor asked");
    assert.deepEqual(
      loaded().filter((file) => /^(?:contractInput|explain|predict|abi\w*)-/.test(file)),
      [],
      "nothing was built, explained or decoded",
    );
  });
});
