import assert from "node:assert/strict";
import * as vscode from "vscode";

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
}

describe("Activation", () => {
  const extension = vscode.extensions.getExtension("ledger-lens.ledger-lens");

  it("finds the extension and activates it", async () => {
    assert.ok(extension);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it("loads no HTTP machinery before the first request, and no tool's rules before the first verification", () => {
    const files = Object.keys(require.cache).filter((path) => path.includes("/dist/"));
    assert.ok(files.some((path) => path.endsWith("/extension.js")));
    assert.deepEqual(
      files.filter((path) => /\/(?:transport|contractInput|explain|predict|abi)-\w+\.js$/.test(path)),
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
});
