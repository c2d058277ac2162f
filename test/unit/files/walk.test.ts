import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import { lastSegment } from "../../../src/core/files/fileReader.ts";
import { UnreadableFile } from "../../../src/core/files/unreadableFile.ts";
import { diskFiles } from "../../../src/core/files/diskFiles.ts";
import { skippedFiles } from "../../../src/core/files/skippedFiles.ts";
import { walkFiles, walkFolders } from "../../../src/core/files/walk.ts";
import { rememberingReader, type FolderReader } from "../../../src/core/files/folderReader.ts";
import { findProject } from "../../../src/core/tools/project.ts";
import { projectDeployments } from "../../../src/core/tools/projectDeployments.ts";

const roots: string[] = [];
after(() => Promise.all(roots.map((root) => rm(root, { recursive: true, force: true }))));

async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "ledger-lens-walk-"));
  roots.push(root);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return root;
}

/** Eight links in a folder that lead to the folder itself. */
async function eightLinks(place: string): Promise<void> {
  await mkdir(place, { recursive: true });
  for (let at = 0; at < 8; at++) await symlink(".", join(place, `l${at}`));
}

/** The disk, and how many folders of it were listed. */
function counting(): FolderReader & { readonly lists: () => number } {
  let lists = 0;
  return {
    ...diskFiles,
    list: (path) => {
      lists++;
      return diskFiles.list(path);
    },
    lists: () => lists,
  };
}

/** The disk, where no folder called `one…` is listed before several of them are asked for; and how many that were. */
function answeringTogether(several: number): FolderReader & { readonly most: () => number } {
  const waiting: (() => void)[] = [];
  let most = 0;
  return {
    ...diskFiles,
    list: async (path) => {
      if (lastSegment(path).startsWith("one"))
        await new Promise<void>((resolve) => {
          most = Math.max(most, waiting.push(resolve));
          if (waiting.length >= several) for (const answer of waiting.splice(0)) answer();
        });
      return diskFiles.list(path);
    },
    most: () => most,
  };
}

const skip = process.platform === "win32" && "links take rights there";

describe("A walk over folders", { skip }, () => {
  it("waits for several folders together, and answers in the order of their names", async () => {
    const names = Array.from({ length: 12 }, (_, at) => `one${String(at).padStart(2, "0")}/A.sol`);
    const root = await folder(Object.fromEntries(names.map((name) => [name, ""])));
    const files = answeringTogether(12);
    assert.deepEqual(
      await walkFiles(files, root, ".sol"),
      names.map((name) => join(root, name)),
    );
    assert.equal(files.most(), 12);
  });

  it("says which folder can't be listed, of several that it asks for together", async () => {
    const root = await folder({ "a/A.sol": "", "b/B.sol": "", "c/C.sol": "" });
    const unreadable: FolderReader = {
      ...diskFiles,
      list: (path) =>
        path.endsWith("/b") || path.endsWith("/c")
          ? Promise.reject(new UnreadableFile(path, "may not be listed", undefined))
          : diskFiles.list(path),
    };
    await assert.rejects(walkFiles(unreadable, root, ".sol"), /\/b may not be listed/);
    const files = rememberingReader(unreadable);
    assert.deepEqual(await walkFiles(files, root, ".sol"), [`${root}/a/A.sol`]);
    assert.deepEqual(
      skippedFiles(files).map(({ path }) => path),
      [`${root}/b`, `${root}/c`],
    );
  });

  it("comes to every real folder once, by its own name where it has one", async () => {
    const root = await folder({ "a/A.sol": "", "a/b/B.sol": "", "c/C.sol": "" });
    await eightLinks(join(root, "a/b"));
    // Two folders that lead to each other, and one that only a link leads to.
    await symlink("../c", join(root, "a/to-c"));
    await symlink("../a", join(root, "c/to-a"));
    const outside = await folder({ "D.sol": "" });
    await symlink(outside, join(root, "a/outside"));
    const files = await walkFiles(rememberingReader(diskFiles), root, ".sol");
    assert.deepEqual(files, [`${root}/a/A.sol`, `${root}/c/C.sol`, `${root}/a/b/B.sol`]);
    const linked = await folder({ "node_modules/p/P.sol": "", "contracts/A.sol": "" });
    await symlink("../node_modules/p", join(linked, "contracts/p"));
    const place = `${linked}/contracts`;
    assert.deepEqual(await walkFiles(diskFiles, place, ".sol"), [`${place}/A.sol`]);
    assert.deepEqual(await walkFiles(diskFiles, place, ".sol", { within: linked }), [
      `${place}/A.sol`,
      `${place}/p/P.sol`,
    ]);
  });

  it("stops where there is no end, and says so", async () => {
    const endless: FolderReader = {
      read: () => Promise.resolve(undefined),
      realPath: (path) => Promise.resolve(path),
      list: () => Promise.resolve([{ name: "d", kind: "folder" }]),
    };
    const deep = rememberingReader(endless);
    assert.equal((await walkFolders(deep, "/w")).length, 65);
    assert.match(skippedFiles(deep)[0]?.reason ?? "", /nested too deeply/);
    const names = Array.from({ length: 100 }, (_, at) => ({ name: `d${at}`, kind: "folder" as const }));
    const wide = rememberingReader({ ...endless, list: () => Promise.resolve(names) });
    assert.equal((await walkFolders(wide, "/w")).length, 20_000);
    assert.match(skippedFiles(wide)[0]?.reason ?? "", /holds 20,000 folders or more/);
  });
});

describe("Eight links to the folder that they are in", { skip }, () => {
  for (const [place, configuration] of [
    ["out", "foundry.toml"],
    ["lib", "foundry.toml"],
    ["broadcast", "foundry.toml"],
    ["cache", "foundry.toml"],
    ["contracts", "hardhat.config.js"],
    ["artifacts", "hardhat.config.js"],
    ["artifacts/build-info", "hardhat.config.js"],
    ["ignition/deployments", "hardhat.config.js"],
    ["deployments", "hardhat.config.js"],
    ["node_modules", "hardhat.config.js"],
    ["deployments", "ape-config.yaml"],
  ] as const) {
    it(`in ${place} of a project with ${configuration} end in a few requests`, async () => {
      const isHardhat3 = place === "contracts";
      const ofHardhat = isHardhat3 ? "export default" : "module.exports =";
      const root = await folder({
        [configuration]: configuration === "hardhat.config.js" ? `${ofHardhat} { solidity: "0.8.30" };` : "",
        "package.json": isHardhat3 ? '{ "devDependencies": { "hardhat": "^3.0.0" } }' : "{}",
        "contracts/A.sol": "pragma solidity >=0.7.0; contract A {}",
      });
      await eightLinks(join(root, place));
      const files = counting();
      const contract = await findWorkspaceContract(files, [root], "contracts/A.sol:A");
      const input = await contractInput(files, [root], contract);
      assert.deepEqual(Object.keys(input.stdJsonInput.sources).length, 1);
      const project = await findProject(files, root, contract.path);
      assert.deepEqual(await projectDeployments(rememberingReader(files), project), []);
      assert.ok(files.lists() < 250, `${files.lists()} folders were listed`);
    });
  }
});

describe("Libraries that name each other as their libraries", () => {
  it("are read a bounded number of times", async () => {
    const names = Array.from({ length: 12 }, (_, at) => `p${at}`);
    const root = await folder({
      "foundry.toml": "",
      "src/A.sol": "pragma solidity ^0.8.0; contract A {}",
      ...Object.fromEntries(
        names.map((name) => [`lib/${name}/foundry.toml`, '[profile.default]\nlibs = [".."]\n']),
      ),
    });
    const input = await contractInput(
      diskFiles,
      [root],
      await findWorkspaceContract(diskFiles, [root], "src/A.sol:A"),
    );
    assert.match(input.warnings.join("\n"), /too many projects that name each other/);
  });
});
