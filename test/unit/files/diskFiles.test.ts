import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { diskFiles } from "../../../src/core/files/diskFiles.ts";
import { joinPath } from "../../../src/core/files/fileReader.ts";
import { rememberingReader } from "../../../src/core/files/folderReader.ts";
import { random } from "../random.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "ledger-lens-files-")));
after(() => {
  rmSync(root, { recursive: true, force: true });
});
mkdirSync(join(root, "contracts/empty"), { recursive: true });
writeFileSync(join(root, "contracts/A.sol"), "contract A {}");

describe("Reading a workspace from disk", () => {
  it("gives the bytes of files of every size", async () => {
    const { below, seed } = random("sizes of files");
    const sizes = [0, 1, 65_535, 65_536, 65_537, 131_072, below(300_000)];
    await Promise.all(
      sizes.map(async (size) => {
        const bytes = Buffer.alloc(size, `${seed} ${size} `);
        writeFileSync(join(root, `${size}.sol`), bytes);
        const read = await diskFiles.read(join(root, `${size}.sol`));
        assert.ok(read && Buffer.compare(read, bytes) === 0, `${size} bytes`);
      }),
    );
  });

  it("has few files open at once, however many are asked for", async (test) => {
    if (process.platform !== "linux") {
      test.skip("Nothing else lists what a process has open.");
      return;
    }
    mkdirSync(join(root, "crowd"));
    const paths = Array.from({ length: 600 }, (_, at) => join(root, `crowd/${at}.sol`));
    for (const path of paths) writeFileSync(path, path);
    const openBefore = readdirSync("/proc/self/fd").length;
    let most = 0;
    let isDone = false;
    const look = () => {
      most = Math.max(most, readdirSync("/proc/self/fd").length - openBefore);
      if (!isDone) setImmediate(look);
    };
    setImmediate(look);
    const read = await Promise.all(paths.map((path) => diskFiles.read(path)));
    isDone = true;
    assert.deepEqual(
      read.map((bytes) => new TextDecoder().decode(bytes)),
      paths,
    );
    assert.ok(most <= 100, `${most} files were open at once`);
  });

  it("keeps what is read at the same time apart", async () => {
    const names = Array.from({ length: 200 }, (_, at) => `many${at}.sol`);
    for (const name of names) writeFileSync(join(root, name), `contract ${name} {}`);
    const read = await Promise.all(names.map((name) => diskFiles.read(join(root, name))));
    assert.deepEqual(
      read.map((bytes) => new TextDecoder().decode(bytes)),
      names.map((name) => `contract ${name} {}`),
    );
  });

  it("has no file where there is none, a folder, or a name that can't be", async () => {
    for (const name of ["none.sol", "contracts", "contracts/A.sol/B.sol", "a\0b.sol", "x".repeat(5_000)]) {
      assert.equal(await diskFiles.read(join(root, name)), undefined, name.slice(0, 40));
    }
    assert.equal(await diskFiles.list(join(root, "none")), undefined);
    assert.equal(await diskFiles.list(join(root, "contracts/A.sol")), undefined);
  });

  it("knows the order that the disk has names in", { skip: process.platform === "win32" }, async () => {
    const folder = join(root, "ordered");
    for (const name of ["zeta", "alpha", "mid", "beta", "omega", ".hidden"])
      mkdirSync(join(folder, name), { recursive: true });
    const unsorted = execFileSync("ls", ["-f", folder], { encoding: "utf8" }).trim().split("\n");
    assert.deepEqual(
      await diskFiles.namesInDiskOrder?.(folder),
      unsorted.filter((name) => name !== "." && name !== ".."),
    );
    assert.equal(await diskFiles.namesInDiskOrder?.(join(folder, "none")), undefined);
    assert.equal(await diskFiles.namesInDiskOrder?.("a\0b"), undefined);
  });

  it("follows links, and says that they are some", async () => {
    symlinkSync("contracts/A.sol", join(root, "link.sol"));
    symlinkSync("contracts", join(root, "linked"));
    symlinkSync("nowhere", join(root, "dangling.sol"));
    symlinkSync("circle.sol", join(root, "circle.sol"));
    assert.equal(String(await diskFiles.read(join(root, "link.sol"))), "contract A {}");
    assert.equal(await diskFiles.realPath(join(root, "linked/A.sol")), join(root, "contracts/A.sol"));
    for (const name of [
      "gone.sol",
      "dangling.sol",
      "circle.sol",
      "contracts/A.sol/B.sol",
      "a\0b",
      "a".repeat(300),
    ])
      assert.equal(await diskFiles.realPath(join(root, name)), undefined, name);
    assert.equal(await diskFiles.read(join(root, "circle.sol")), undefined);
    const entries = new Map((await diskFiles.list(root))?.map((entry) => [entry.name, entry]));
    assert.deepEqual(entries.get("link.sol"), { name: "link.sol", kind: "file", link: true });
    assert.deepEqual(entries.get("linked"), { name: "linked", kind: "folder", link: true });
    assert.deepEqual(entries.get("contracts"), { name: "contracts", kind: "folder" });
    assert.ok(!entries.has("dangling.sol") && !entries.has("circle.sol"));
  });

  it(
    "takes no device and no pipe for a source, whose end may never come",
    { skip: process.platform === "win32" && "Windows has none in folders" },
    async () => {
      symlinkSync("/dev/zero", join(root, "zero.sol"));
      execFileSync("mkfifo", [join(root, "pipe.sol")]);
      for (const name of ["zero.sol", "pipe.sol"])
        await assert.rejects(diskFiles.read(join(root, name)), /is no regular file/);
    },
  );
});

describe("Remembering what folders hold", () => {
  const asked: string[] = [];
  const reader = rememberingReader({
    ...diskFiles,
    read: (path) => {
      asked.push(path);
      return diskFiles.read(path);
    },
    list: (path) => {
      asked.push(path);
      return diskFiles.list(path);
    },
  });

  it("asks for nothing that a listed folder does not hold", async () => {
    await reader.list(root);
    await reader.list(join(root, "contracts"));
    asked.length = 0;
    assert.equal(await reader.read(join(root, "artifacts/build-info/1.json")), undefined);
    assert.equal(await reader.list(join(root, "contracts/mocks")), undefined);
    assert.equal(await reader.read(join(root, "contracts/.B.sol")), undefined);
    assert.deepEqual(asked, []);
  });

  it("asks for what it holds, whatever the case, and for names that a disk may spell otherwise", async () => {
    const names = ["contracts/A.sol", "CONTRACTS/a.sol", "contracts/e\u0301.sol", "contracts/A.sol."];
    for (const name of names) await reader.read(join(root, name));
    assert.deepEqual(
      asked,
      names.map((name) => join(root, name)),
    );
  });
});

describe("Joining paths", () => {
  it("resolves dots and doubled slashes", () => {
    for (const [folder, relative, joined] of [
      ["/a", "b/c.sol", "/a/b/c.sol"],
      ["/a", "./b.sol", "/a/b.sol"],
      ["/a/b", "../c.sol", "/a/c.sol"],
      ["/a", "../../c.sol", "/c.sol"],
      ["/a", "b//c.sol", "/a/b/c.sol"],
      ["/a", "b/", "/a/b"],
      ["/", "a.sol", "/a.sol"],
      ["/a", "/b/../c.sol", "/c.sol"],
      ["/a", ".deps/...sol", "/a/.deps/...sol"],
      ["/a", "", "/a"],
      ["/a", "b/..", "/a"],
      ["", "a", "/a"],
    ] as const) {
      assert.equal(joinPath(folder, relative), joined, `${folder} and ${relative}`);
    }
  });
});
