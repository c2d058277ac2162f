import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";

interface Created {
  readonly folder: string;
  readonly files: readonly string[];
}

const create = (args: object) =>
  vscode.commands.executeCommand<Created>("ledgerLens.createSample", args) as Promise<Created>;

describe("The sample", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "ledger-lens-sample-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("is written into an empty folder, and never into one that has something", async () => {
    const { files } = await create({ folder });
    assert.ok(files.includes("src/Counter.sol"));
    for (const file of files) assert.notEqual(await readFile(join(folder, file), "utf8"), "", file);

    const own = join(folder, "src/Counter.sol");
    await writeFile(own, "// mine");
    await assert.rejects(create({ folder }), { code: "folder_not_empty" });
    assert.equal(await readFile(own, "utf8"), "// mine");
  });

  it("leaves a folder with a single file of another name as it is", async () => {
    await writeFile(join(folder, "notes.txt"), "mine");
    await assert.rejects(create({ folder }), { code: "folder_not_empty" });
    assert.deepEqual(await readdir(folder), ["notes.txt"]);
  });

  it("asks a program for a whole path", async () => {
    await assert.rejects(create({ folder: "sample" }), { code: "invalid_argument" });
    await assert.rejects(create({}), { code: "missing_argument" });
  });
});
