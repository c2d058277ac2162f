import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { contractInput } from "../../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../../src/core/languages/workspaceContract.ts";
import { installedSolc } from "../../../../src/core/languages/solidity/installedSolc.ts";
import { solcReleases } from "../../../../src/core/languages/solidity/solcReleases.ts";
import { rememberedDisk } from "../../../rig/rememberedDisk.ts";
import type { FolderReader } from "../../../../src/core/files/folderReader.ts";
import { below, memoryFolders } from "../../files/memoryFolders.ts";

const ROOT = "/home/me/vault";
const NEWEST = solcReleases.at(-1)?.split("+")[0] ?? "";

async function compilerOf(
  files: FolderReader,
  root: string,
  path: string,
  deployedCompilerVersion?: string,
): Promise<{ version: string; reason: string | undefined }> {
  const contract = await findWorkspaceContract(files, [root], `${root}/${path}:C`);
  const input = await contractInput(files, [root], contract, { deployedCompilerVersion });
  return { version: input.compilerVersion.split("+")[0] ?? "", reason: input.compilerReason };
}

function source(pragma: string, ...imports: readonly string[]): string {
  return [`pragma solidity ${pragma};`, ...imports.map((path) => `import "${path}";`), "contract C {}"].join(
    "\n",
  );
}

describe("The compiler of a Foundry project that names none", () => {
  const versions = async (files: Record<string, string>, ...paths: readonly string[]) => {
    const folders = memoryFolders(below(ROOT, { "foundry.toml": "[profile.default]\n", ...files }));
    return Promise.all(paths.map(async (path) => (await compilerOf(folders, ROOT, path)).version));
  };

  it("is one for all files where there is one for all", async () => {
    const files = {
      "src/A.sol": source("0.8.19"),
      "src/B.sol": source("^0.8.0"),
      "test/B.t.sol": source(">=0.8.0", "../src/B.sol"),
    };
    assert.deepEqual(await versions(files, "src/A.sol", "src/B.sol", "test/B.t.sol"), [
      "0.8.19",
      "0.8.19",
      "0.8.19",
    ]);
    // A test decides as well as a source.
    assert.deepEqual(
      await versions({ "src/B.sol": source("^0.8.0"), "test/T.t.sol": source("=0.8.20") }, "src/B.sol"),
      ["0.8.20"],
    );
  });

  it("is one that is in use already where there is none for all", async () => {
    const files = {
      "src/A.sol": source("0.8.19"),
      "src/B.sol": source("0.7.6"),
      "src/C.sol": source(">=0.7.0"),
      "src/D.sol": source("^0.7.0", "./C.sol"),
      "script/E.s.sol": source("^0.8.20"),
      "lib/x/src/L.sol": source(">=0.6.0"),
      "test/F.t.sol": source("^0.7.0", "x/L.sol"),
    };
    assert.deepEqual(
      await versions(
        files,
        "src/C.sol",
        "src/D.sol",
        "src/B.sol",
        // Nothing else takes it, and it comes first.
        "script/E.s.sol",
        "lib/x/src/L.sol",
      ),
      [NEWEST, "0.7.6", "0.7.6", NEWEST, "0.7.6"],
    );
  });

  it("goes by restrictions, and without what is skipped", async () => {
    const files = {
      "foundry.toml":
        '[profile.default]\nskip = ["*/old/**"]\ncompilation_restrictions = [{ paths = "src/A.sol", version = "=0.8.21" }]\n',
      "src/A.sol": source("^0.8.0"),
      "src/B.sol": source("^0.8.0"),
      "test/old/Old.sol": source("0.8.4"),
    };
    assert.deepEqual(await versions(files, "src/A.sol", "src/B.sol"), ["0.8.21", "0.8.21"]);
  });

  it("is one that is installed where that is possible, even if another one is newer", async () => {
    const files = memoryFolders({
      ...below(ROOT, {
        "foundry.toml": "",
        "src/A.sol": source("^0.8.0"),
        "src/B.sol": source(">=0.8.0 <0.8.25"),
        "other/foundry.toml": "",
        "other/src/A.sol": source("^0.8.20"),
        "other/src/B.sol": source("^0.7.0"),
      }),
      "/home/me/.svm/0.8.19/solc-0.8.19": "",
      "/home/me/.svm/0.8.28/solc-0.8.28": "",
      "/home/me/.svm/.global-version": "",
    });
    const installed = () => installedSolc(files, "/home/me", "linux");
    assert.deepEqual((await installed()).toSorted(), ["0.8.19", "0.8.28"]);
    const compiler = async (path: string) => {
      const contract = await findWorkspaceContract(files, [ROOT], `${ROOT}/${path}:C`);
      const input = await contractInput(files, [ROOT], contract, { installedSolc: installed });
      return `${input.compilerVersion.split("+")[0]}: ${input.compilerReason}`;
    };
    const reason = "the newest installed release for all files that are compiled together";
    assert.equal(await compiler("src/A.sol"), `0.8.19: ${reason}`);
    assert.equal(await compiler("src/B.sol"), `0.8.19: ${reason}`);
    assert.equal(await compiler("other/src/A.sol"), `0.8.28: ${reason}`);
    assert.equal(await compiler("other/src/B.sol"), "0.7.6: the newest release that every pragma allows");
    const elsewhere = memoryFolders({ "/Users/me/Library/Application Support/svm/0.8.7/solc-0.8.7": "" });
    assert.deepEqual(await installedSolc(elsewhere, "/Users/me", "darwin"), ["0.8.7"]);
    assert.deepEqual(await installedSolc(elsewhere, "/Users/you", "darwin"), []);
  });

  it("is the one of the deployed code where that is possible", async () => {
    const files = memoryFolders(
      below(ROOT, {
        "foundry.toml": "",
        "src/A.sol": source("0.8.19"),
        "src/B.sol": source("^0.8.0"),
      }),
    );
    assert.equal((await compilerOf(files, ROOT, "src/B.sol", "0.8.24")).version, "0.8.24");
    assert.deepEqual(await compilerOf(files, ROOT, "src/B.sol"), {
      version: "0.8.19",
      reason: "the newest release for all files that are compiled together",
    });
  });

  describe("on disk", () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "ledger-lens-versions-")));
    after(() => rmSync(root, { recursive: true, force: true }));
    const write = (path: string, text: string, seconds: number) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
      utimesSync(join(root, path), seconds, seconds);
    };
    const version = async () => (await compilerOf(rememberedDisk, root, "src/B.sol")).version;

    it("follows every change of a file, of the files that there are, and of the settings", async () => {
      write("foundry.toml", "", 1_000);
      write("src/A.sol", source("0.8.19"), 1_000);
      write("src/B.sol", source("^0.8.0"), 1_000);
      assert.equal(await version(), "0.8.19");
      assert.equal(await version(), "0.8.19");
      write("src/A.sol", source("0.8.20"), 1_001);
      assert.equal(await version(), "0.8.20");
      write("test/C.sol", source("<0.8.30"), 1_000);
      rmSync(join(root, "src/A.sol"));
      assert.equal(await version(), "0.8.29");
      write("foundry.toml", '[profile.default]\nskip = ["test/**"]\n', 1_000);
      assert.equal(await version(), NEWEST);
    });
  });
});
