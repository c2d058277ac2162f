// The watch of new folders of records, on the real file system; what it takes of the editor is its kind of address alone.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { eventually } from "../../rig/eventually.ts";

const EDITOR = `
  export const workspace = {};
  export const FileType = {};
  export class FileSystemError extends Error {}
  export const Uri = { file: (path) => ({ scheme: "file", fsPath: path, path }) };
`;
registerHooks({
  resolve: (name, context, next) =>
    name === "vscode"
      ? { url: `data:text/javascript,${encodeURIComponent(EDITOR)}`, format: "module", shortCircuit: true }
      : next(name, context),
});
const { NewRecordFolders } = await import("../../../src/editor/verification/newRecordFolders.ts");

const isLinux = process.platform === "linux";

describe(
  "Folders of records that come while the window is open",
  { skip: !isLinux && "only Linux needs it" },
  () => {
    let root = "";
    let heard: string[] = [];
    let folders: InstanceType<typeof NewRecordFolders>;
    beforeEach(async () => {
      root = await realpath(await mkdtemp(join(tmpdir(), "new-records-")));
      heard = [];
      // As deployments are offered: what is heard of may be a folder itself.
      folders = new NewRecordFolders((path) => {
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
  },
);
