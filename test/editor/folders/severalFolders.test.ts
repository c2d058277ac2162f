import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { ExportedInput } from "../../../src/editor/verification/exportCompilerInput.ts";
import { sha256, startRecordingService } from "../recordingService.ts";

const [FIRST = "", SECOND = ""] = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);

const exported = (contract: string): Thenable<ExportedInput> =>
  vscode.commands.executeCommand<ExportedInput>("ledgerLens.exportCompilerInput", { contract });

/** Files in memory, as an extension shows those of a server. */
class MemoryFiles implements vscode.FileSystemProvider {
  readonly #files: ReadonlyMap<string, string>;
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  constructor(files: Readonly<Record<string, string>>) {
    this.#files = new Map(Object.entries(files));
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const text = this.#files.get(path);
    if (text === undefined && this.#below(path).length === 0) throw vscode.FileSystemError.FileNotFound(path);
    const type = text === undefined ? vscode.FileType.Directory : vscode.FileType.File;
    return { type, ctime: 0, mtime: 0, size: text?.length ?? 0 };
  }

  readDirectory({ path }: vscode.Uri): [string, vscode.FileType][] {
    const names = new Map<string, vscode.FileType>();
    for (const rest of this.#below(path)) {
      const [name = "", ...deeper] = rest.split("/");
      names.set(name, deeper.length > 0 ? vscode.FileType.Directory : vscode.FileType.File);
    }
    return [...names];
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    const text = this.#files.get(path);
    if (text === undefined) throw vscode.FileSystemError.FileNotFound(path);
    return new TextEncoder().encode(text);
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  writeFile(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  #below(path: string): string[] {
    const start = `${path.replace(/\/+$/, "")}/`;
    return [...this.#files.keys()]
      .filter((one) => one.startsWith(start))
      .map((one) => one.slice(start.length));
  }
}

describe("A workspace of several folders", () => {
  it("compiles a contract with the settings of its own folder", async () => {
    for (const [folder, runs] of [
      [FIRST, 7],
      [SECOND, 9],
    ] as const) {
      const { stdJsonInput, contractIdentifier } = await exported(`${folder}/contracts/Own.sol:Own`);
      assert.deepEqual(stdJsonInput.settings.optimizer, { enabled: true, runs }, folder);
      assert.equal(contractIdentifier, "contracts/Own.sol:Own");
    }
  });

  it("finds a contract by a relative path where one folder has it, and says which ones do where several have", async () => {
    const { stdJsonInput } = await exported("contracts/Other.sol:Other");
    assert.deepEqual(stdJsonInput.settings.optimizer, { enabled: true, runs: 9 });
    const refusal = await Promise.resolve(exported("contracts/Own.sol:Own")).then(
      (): never => assert.fail("one of two was chosen"),
      (error: unknown) => error as Error & { code: string },
    );
    assert.equal(refusal.code, "ambiguous_contract");
    assert.match(refusal.message, /in several open folders: first, second\. Write its absolute path\.$/);
  });
});

describe("A service that one of several folders names in its own settings", () => {
  it("keeps its contracts from another one until it is known of, and gets no other folder's", async () => {
    const [usual, ofSecond] = [await startRecordingService(), await startRecordingService()];
    const { Global, WorkspaceFolder } = vscode.ConfigurationTarget;
    const configuration = vscode.workspace.getConfiguration("ledgerLens");
    const inSecond = vscode.workspace.getConfiguration("ledgerLens", vscode.Uri.file(SECOND));
    const before = configuration.inspect("verificationUrl")?.globalValue;
    await configuration.update("verificationUrl", usual.url, Global);
    await inSecond.update("verificationUrl", ofSecond.url, WorkspaceFolder);
    const verify = (contract: string, confirmFindings: readonly string[] = []) =>
      vscode.commands.executeCommand<{ status: string }>("ledgerLens.verifyContract", {
        contract,
        chainId: "1",
        address: `0x${"12".repeat(20)}`,
        confirmPublish: true,
        confirmFindings,
      });
    try {
      const other = `${SECOND}/contracts/Other.sol:Other`;
      await assert.rejects(Promise.resolve(verify(other)), { code: "not_confirmed" });
      assert.equal(usual.received.length, 0);
      assert.equal((await verify(`${FIRST}/contracts/Own.sol:Own`)).status, "exact_match");
      assert.equal((await verify(other, ["other_service"])).status, "exact_match");
      assert.deepEqual([usual.received.length, ofSecond.received.length], [2, 0]);
    } finally {
      await inSecond.update("verificationUrl", undefined, WorkspaceFolder);
      await configuration.update("verificationUrl", before, Global);
      await usual.stop();
      await ofSecond.stop();
    }
  });
});

describe("A folder in the file system of another extension", () => {
  const head = "// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\n";
  const sources = {
    "contracts/Remote.sol": `${head}import "./parts/Part.sol";\ncontract Remote is Part {}\n`,
    "contracts/parts/Part.sol": `${head}contract Part { uint256 public part; }\n`,
  };
  let registration: vscode.Disposable;
  before(() => {
    const files = new MemoryFiles({
      ...Object.fromEntries(Object.entries(sources).map(([name, text]) => [`/virtual/${name}`, text])),
      "/virtual/foundry.toml":
        "[profile.default]\nsrc = 'contracts'\noptimizer = true\noptimizer_runs = 21\n",
    });
    registration = vscode.workspace.registerFileSystemProvider("ledger-lens-memory", files, {
      isCaseSensitive: true,
      isReadonly: true,
    });
  });
  after(() => void registration.dispose());

  it("gives its contracts with what they import and its tool's settings", async () => {
    const { stdJsonInput, contractIdentifier } = await exported("/virtual/contracts/Remote.sol:Remote");
    assert.equal(contractIdentifier, "contracts/Remote.sol:Remote");
    assert.deepEqual(Object.keys(stdJsonInput.sources).sort(), [
      "contracts/Remote.sol",
      "contracts/parts/Part.sol",
    ]);
    assert.deepEqual(stdJsonInput.settings.optimizer, { enabled: true, runs: 21 });
  });

  it("is verified like one on the disk: its files are sent as they are, once, and the job is followed to its end", async () => {
    const service = await startRecordingService();
    const configuration = vscode.workspace.getConfiguration("ledgerLens");
    const before = configuration.inspect("verificationUrl")?.globalValue;
    await configuration.update("verificationUrl", service.url, vscode.ConfigurationTarget.Global);
    try {
      const verify = (address: string) =>
        vscode.commands.executeCommand<{ status: string; explanation?: { causes: readonly object[] } }>(
          "ledgerLens.verifyContract",
          {
            contract: "/virtual/contracts/Remote.sol:Remote",
            chainId: "1",
            address,
            confirmPublish: true,
          },
        );
      assert.equal((await verify(`0x${"34".repeat(20)}`)).status, "exact_match");
      assert.deepEqual(
        service.received.map((one) => one.sources),
        [Object.fromEntries(Object.entries(sources).map(([name, text]) => [name, sha256(text)]))],
      );
      assert.deepEqual(service.received[0]?.settings["optimizer"], { enabled: true, runs: 21 });
      service.failure = "no_match";
      assert.equal((await verify(`0x${"56".repeat(20)}`)).status, "failed");
      assert.equal(service.received.length, 2);
    } finally {
      await configuration.update("verificationUrl", before, vscode.ConfigurationTarget.Global);
      await service.stop();
    }
  });

  it("says of a verification on this machine what it comes to, or one sentence why not", async () => {
    const refusal = await Promise.resolve(
      vscode.commands.executeCommand<object>("ledgerLens.verifyLocally", {
        contract: "/virtual/contracts/Remote.sol:Remote",
        chainId: "1",
        address: `0x${"12".repeat(20)}`,
      }),
    ).then(
      (): never => assert.fail("nothing can be asked for the code"),
      (error: unknown) => error as Error & { code: string },
    );
    assert.match(refusal.message, /^[A-Z][^\n]*\.$/);
    assert.notEqual(refusal.code, "internal");
  });
});
