// The watch of new folders, on the real file system; what it takes of the editor is its kind of address alone.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { standInForEditor } from "../../rig/editorStandIn.ts";
import { eventually } from "../../rig/eventually.ts";

const EDITOR = `
  export const workspace = {};
  export const FileType = {};
  export class FileSystemError extends Error {}
  export const Uri = { file: (path) => ({ scheme: "file", fsPath: path, path }) };
`;
standInForEditor(EDITOR);
const { NewFolders } = await import("../../../src/editor/newFolders.ts");

/** How many watches the process has, as the system counts them. */
async function watches(): Promise<number> {
  const open = await readdir("/proc/self/fdinfo");
  const infos = await Promise.all(
    open.map((fd) => readFile(`/proc/self/fdinfo/${fd}`, "utf8").catch(() => "")),
  );
  return infos
    .join("\n")
    .split("\n")
    .filter((line) => line.startsWith("inotify wd:")).length;
}

const isLinux = process.platform === "linux";

describe("Folders that come while the window is open", { skip: !isLinux && "only Linux needs it" }, () => {
  let root = "";
  let heard: string[] = [];
  let folders: InstanceType<typeof NewFolders>;
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "new-folders-")));
    heard = [];
    // As deployments are offered: what is heard of may be a folder itself.
    folders = new NewFolders((path) => {
      heard.push(path);
      void folders.watch(path);
    });
  });
  afterEach(async () => {
    folders.dispose();
    await rm(root, { recursive: true, force: true });
  });

  const isHeard = (end: string) =>
    eventually(() =>
      assert.ok(
        heard.some((path) => path.endsWith(end)),
        `${end} in ${heard.join()}`,
      ),
    );

  it("are heard after a hundred others came and went", async () => {
    for (let at = 0; at < 100; at++) {
      const path = join(root, `deployments${at}`);
      await mkdir(path);
      await folders.watch(path);
      await rm(path, { recursive: true });
      // It is told, and then nothing of it is kept.
      await eventually(() => assert.ok(heard.length > at));
    }
    const path = join(root, "broadcast");
    await mkdir(path);
    await folders.watch(path);
    await writeFile(join(path, "run-latest.json"), "{}");
    await isHeard("run-latest.json");
  });

  it("are heard where one was removed and made again", async () => {
    const path = join(root, "broadcast");
    await mkdir(path);
    await folders.watch(path);
    await rm(path, { recursive: true });
    await eventually(() => assert.ok(heard.length > 0));
    const inner = join(path, "Deploy.s.sol");
    await mkdir(inner, { recursive: true });
    await folders.watch(inner);
    await writeFile(join(inner, "run-latest.json"), "{}");
    await isHeard("run-latest.json");
  });

  it("are heard in whatever lies below them, as deep as it was made in one go", async () => {
    const path = join(root, "deployments");
    const deep = join(path, "chain-1/artifacts/inner");
    await mkdir(deep, { recursive: true });
    await folders.watch(path);
    await writeFile(join(deep, "first.json"), "{}");
    await isHeard("inner/first.json");
    const later = join(deep, "one/two/three");
    await mkdir(later, { recursive: true });
    await isHeard("/one");
    await eventually(async () => {
      await writeFile(join(later, "second.json"), "{}");
      assert.ok(heard.some((one) => one.endsWith("three/second.json")));
    });
  });

  it("are watched themselves, and not each of their files or what packages and the repository have", async () => {
    const path = join(root, "out");
    for (const folder of ["a", "b", "node_modules/c", ".git/d"]) {
      await mkdir(join(path, folder), { recursive: true });
      for (let at = 0; at < 300; at++) await writeFile(join(path, folder, `${at}.json`), "{}");
    }
    const before = await watches();
    await folders.watch(path);
    assert.equal((await watches()) - before, 3, "out, a and b");
    await rm(join(path, "a"), { recursive: true });
    await isHeard("out/a");
    await eventually(async () => assert.equal((await watches()) - before, 2));
    folders.dispose();
    await eventually(async () => assert.equal((await watches()) - before, 0));
  });

  it("are so many at most, whatever makes them", async () => {
    const path = join(root, "cache");
    for (let at = 0; at < 600; at++) await mkdir(join(path, String(at)), { recursive: true });
    const before = await watches();
    await folders.watch(path);
    assert.equal((await watches()) - before, 512);
  });

  it("are no links, which may lead out of the workspace and to the whole disk", async () => {
    const outside = await mkdtemp(join(tmpdir(), "outside-"));
    try {
      const linked = join(root, "deployments");
      await symlink(outside, linked);
      await folders.watch(linked);
      const own = join(root, "broadcast");
      await mkdir(own);
      await folders.watch(own);
      await writeFile(join(outside, "private.txt"), "");
      await writeFile(join(own, "run-latest.json"), "{}");
      await isHeard("run-latest.json");
      assert.ok(!heard.some((path) => path.includes("private")), heard.join());
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });
});
