import assert from "node:assert/strict";
import { chmod, mkdir, open, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join, relative } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import {
  compileVyper,
  isVyperRelease,
  vyperFiles,
  vyperVersion,
} from "../../../src/core/compilers/vyperPrograms.ts";
import { eventually } from "../../rig/eventually.ts";
import { failureOf, TestFolder } from "./compilerFiles.ts";

const skip = process.platform === "win32" ? "programs of a shell" : false;

describe("An installed Vyper", { skip }, () => {
  let folder: TestFolder;
  beforeEach(async () => {
    folder = await TestFolder.make();
  });
  afterEach(() => folder.remove());

  /** A program of that name in a folder, which leaves a mark where it is run. */
  async function program(at: string, script: string): Promise<string> {
    await mkdir(join(folder.path, at), { recursive: true });
    const file = join(folder.path, at, "vyper");
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
    return file;
  }
  const searchPath = (...folders: string[]) => folders.join(delimiter);
  const inFolder = (...names: string[]) => names.map((name) => join(folder.path, name));

  it("is found on PATH, in its order, by its place alone", async () => {
    const mark = join(folder.path, "was run");
    const one = await program("one", `touch "${mark}"`);
    const two = await program("two", `touch "${mark}"`);
    await mkdir(join(folder.path, "three", "vyper"), { recursive: true });
    const [three = "", none = ""] = inFolder("three", "none");
    const found = await vyperFiles({
      path: undefined,
      searchPath: searchPath(
        none,
        join(folder.path, "two"),
        three,
        join(folder.path, "one"),
        join(folder.path, "two"),
      ),
      workspace: [],
    });
    assert.deepEqual(found, [two, one]);
    await assert.rejects(readFile(mark), { code: "ENOENT" });
    assert.deepEqual(await vyperFiles({ path: undefined, searchPath: undefined, workspace: [] }), []);
  });

  it("is none that PATH names from the folder of the moment, or that lies in the workspace", async () => {
    const file = await program("work/.venv/bin", "echo 0.4.3");
    await program("work-beside/bin", "echo 0.4.3");
    const [work = "", link = "", linked = "", beside = ""] = inFolder(
      "work",
      "link",
      "linked",
      "work-beside/bin",
    );
    await symlink(work, link);
    // A link outside that leads in, and a folder inside that is a link to the outside.
    await mkdir(linked);
    await symlink(file, join(linked, "vyper"));
    await symlink(beside, join(work, "outside"));
    // A link of the workspace that leads out of it, by a way that does not begin there.
    await mkdir(join(work, "out"));
    await symlink(join(beside, "vyper"), join(work, "out", "vyper"));
    const bin = join(work, ".venv", "bin");
    const all = [
      ".",
      "",
      relative(process.cwd(), bin),
      bin,
      join(link, ".venv", "bin"),
      linked,
      join(work, "outside"),
      `${bin}/../bin`,
      join(link, "out"),
    ];
    for (const workspace of [work, link, `${work}/`]) {
      const found = await vyperFiles({
        path: undefined,
        searchPath: searchPath(...all),
        workspace: [workspace],
      });
      assert.deepEqual(found, [], workspace);
      assert.deepEqual(
        await vyperFiles({ path: undefined, searchPath: searchPath(...all, beside), workspace: [workspace] }),
        [join(beside, "vyper")],
      );
    }
    // What the user names, the user means; from the root of the machine alone.
    assert.deepEqual(await vyperFiles({ path: file, searchPath: beside, workspace: [work] }), [file]);
    const fromHere = relative(process.cwd(), file);
    assert.deepEqual(await vyperFiles({ path: fromHere, searchPath: beside, workspace: [] }), []);
  });

  it("says its version, or is none", async () => {
    const says = async (script: string) => vyperVersion(await program("bin", script));
    assert.equal(await says("echo 0.4.3+commit.bff19ea"), "0.4.3+commit.bff19ea");
    assert.equal(await says("echo Vyper 0.4.3"), undefined);
    assert.equal(await says("exit 0"), undefined);
    assert.equal(await says("echo 0.4.3; exit 3"), undefined);
    assert.equal(await vyperVersion(join(folder.path, "none")), undefined);
    const notExecutable = join(folder.path, "text");
    await writeFile(notExecutable, "0.4.3");
    assert.equal(await vyperVersion(notExecutable), undefined);
    const beingWritten = await open(await program("bin", "echo 0.4.3"), "r+");
    try {
      assert.equal(await vyperVersion(join(folder.path, "bin/vyper")), undefined);
    } finally {
      await beingWritten.close();
    }
  });

  it("is of a release where number and commit agree as far as both name it", () => {
    const same = [
      ["0.4.3+commit.bff19ea", "0.4.3+commit.bff19ea2"],
      ["0.4.3+commit.bff19ea2", "0.4.3+commit.bff19ea2"],
      ["0.4.3+commit.bff19ea2", "0.4.3"],
      ["0.4.3", "0.4.3+commit.bff19ea2"],
      ["0.4.1rc3+commit.3d2b8e5", "0.4.1rc3+commit.3d2b8e5a"],
    ] as const;
    for (const [said, wanted] of same) assert.ok(isVyperRelease(said, wanted), `${said} ${wanted}`);
    const others = [
      ["0.4.3+commit.bff19eb", "0.4.3+commit.bff19ea2"],
      ["0.4.30+commit.bff19ea2", "0.4.3+commit.bff19ea2"],
      ["0.4.3rc1+commit.bff19ea2", "0.4.3+commit.bff19ea2"],
      ["0.4.3+commit.bff19ea2", "0.4.2+commit.bff19ea2"],
      ["0.4.3+commit.b", "0.4.3+commit.bff19ea2"],
      ["0.4.3+commit.", "0.4.3+commit.bff19ea2"],
    ] as const;
    for (const [said, wanted] of others) assert.ok(!isVyperRelease(said, wanted), `${said} ${wanted}`);
  });

  it("gets its input in an empty folder, of which nothing stays", async () => {
    const seen = join(folder.path, "seen");
    const file = await program(
      "bin",
      `cat > "${seen}"; printf '\\n%s\\n' "$(ls -A | wc -l)" >> "${seen}"; pwd >> "${seen}"; echo '{"contracts":{}}'`,
    );
    const output = await compileVyper({ file, version: "0.4.3" }, '{"language":"Vyper"}');
    assert.equal(output.trim(), '{"contracts":{}}');
    const [input, entries, cwd = "none"] = (await readFile(seen, "utf8")).split("\n");
    assert.deepEqual([input, entries?.trim()], ['{"language":"Vyper"}', "0"]);
    await assert.rejects(readFile(cwd), { code: "ENOENT" });
  });

  it("is told as broken where it says nothing like an answer", async () => {
    for (const script of ["echo oops >&2; exit 1", "echo oops", "exit 0"]) {
      const error = await failureOf(
        compileVyper({ file: await program("bin", script), version: "0.4.3" }, "{}"),
      );
      assert.equal(error.code, "compiler_failed");
      assert.match(
        error.message,
        /broke down while it compiled\. Try it in a terminal, or install it again\.$/,
      );
    }
    // It does not compile, which is an answer.
    const file = await program("bin", `echo '{"errors":[{"severity":"error"}]}'; exit 1`);
    assert.match(await compileVyper({ file, version: "0.4.3" }, "{}"), /errors/);
  });

  it("is given JSON that every code page reads, which says the same", async () => {
    const given = join(folder.path, "given");
    const file = await program("bin", `cat > "${given}"; echo '{}'`);
    const input = JSON.stringify({ sources: { "A.vy": { content: "# Ágnes — 🌳 \u007f" } } });
    await compileVyper({ file, version: "0.4.3" }, input);
    const text = await readFile(given, "latin1");
    assert.match(text, /^[ -~]+$/);
    assert.equal(JSON.stringify(JSON.parse(text)), input);
  });

  it("ends when it is cancelled, also one that would not", { timeout: 20_000 }, async () => {
    const mark = join(folder.path, "pid");
    const file = await program(
      "bin",
      `trap '' TERM INT HUP; echo $$ > "${mark}.new"; mv "${mark}.new" "${mark}"; while :; do sleep 0.05; done`,
    );
    const cancel = new AbortController();
    const compiled = compileVyper({ file, version: "0.4.3" }, "{}", cancel.signal);
    const pid = Number(await eventually(() => readFile(mark, "utf8")));
    cancel.abort(new Error("cancelled by the user"));
    await assert.rejects(compiled, /cancelled by the user/);
    await eventually(() => assert.throws(() => process.kill(pid, 0), { code: "ESRCH" }));
  });
});
