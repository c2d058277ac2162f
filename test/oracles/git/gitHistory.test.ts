import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, it } from "node:test";
import { openHistory, type GitHistory } from "../../../src/core/git/gitHistory.ts";
import { findWorkTree, workTreeAt } from "../../../src/core/git/repositoryFolders.ts";
import { TestRepository } from "./repository.ts";

describe("The history of a repository", () => {
  const made: TestRepository[] = [];
  const opened: GitHistory[] = [];
  afterEach(async () => {
    for (const history of opened.splice(0)) await history.dispose();
    for (const repository of made.splice(0)) repository.remove();
  });
  const repository = () => {
    const one = new TestRepository();
    made.push(one);
    return one;
  };
  const open = async (root: string) => {
    const workTree = await findWorkTree(root);
    assert.ok(workTree, "there is a repository");
    const history = await openHistory("git", workTree);
    opened.push(history);
    return history;
  };

  it("is that which git log tells, merges, tags and branches that are not checked out included", async () => {
    const one = repository();
    one.commit("First", { "a.txt": "1\n" });
    one.git("checkout", "-q", "-b", "side");
    one.commit("On a side", { "b.txt": "1\n" });
    one.git("checkout", "-q", "main");
    one.commit("Second", { "a.txt": "2\n" });
    one.merge("side");
    one.git("checkout", "-q", "-b", "left");
    const tagged = one.commit("Tagged: with an ümlaut", { "c.txt": "1\n" });
    one.git("tag", "-a", "-m", "a tag", "v1", tagged);
    one.git("checkout", "-q", "main");
    one.git("branch", "-q", "-D", "left");
    const { commits, missingParents, isCut } = await (await open(one.root)).commits();
    const told = one.git("log", "--branches", "--tags", "--format=%H %T %ct %P|%s").split("\n");
    const found = commits.map(
      ({ id, tree, time, parents, subject }) =>
        `${id} ${tree} ${time / 1000} ${parents.join(" ")}|${subject}`,
    );
    assert.deepEqual(found.sort(), told.sort());
    assert.equal(found.length, 5);
    assert.deepEqual([missingParents, isCut], [[], false]);
  });

  it("is looked at from a branch, a tag or a commit, and from nothing that is an expression or an option", async () => {
    const one = repository();
    const first = one.commit("First", { "a.txt": "1\n" });
    one.git("tag", "v1");
    one.git("branch", "old");
    one.commit("Second", { "a.txt": "2\n" });
    const history = await open(one.root);
    const subjects = async (from: string) =>
      (await history.commits({ from })).commits.map(({ subject }) => subject);
    for (const from of ["v1", "old", "refs/heads/old", first, first.slice(0, 8), first.toUpperCase()])
      assert.deepEqual(await subjects(from), ["First"], from);
    assert.deepEqual(await subjects("HEAD"), ["Second", "First"]);
    for (const from of ["main~1", "--all", "--output=/tmp/x", "HEAD^{tree}", "nothing", "", ":/Second"])
      await assert.rejects(subjects(from), { code: "unknown_revision" }, from);
  });

  it("gives files byte for byte, and folders with links and submodules", async () => {
    const one = repository();
    const inner = repository();
    const recorded = inner.commit("Inner", { "lib.txt": "lib\n" });
    const odd = "ä ö\r\n\u0000end";
    one.write({ "src/odd name.txt": odd, "big.txt": "x".repeat(5_000_000) });
    symlinkSync("src/odd name.txt", join(one.root, "link"));
    one.git("submodule", "--quiet", "add", inner.root, "lib/inner");
    const id = one.commit("All");
    const { objects, ...history } = await open(one.root);
    const commit = await objects.commit(id);
    const top = (await objects.tree(commit?.tree ?? "")) ?? [];
    assert.deepEqual(
      top.map(({ name, kind }) => `${name} ${kind}`),
      [".gitmodules file", "big.txt file", "lib folder", "link link", "src folder"],
    );
    const idOf = (entries: typeof top, name: string) =>
      entries.find((entry) => entry.name === name)?.id ?? "";
    const src = (await objects.tree(idOf(top, "src"))) ?? [];
    const bytes = await objects.blob(idOf(src, "odd name.txt"), 1_000);
    assert.equal(Buffer.from(bytes ?? []).toString(), odd);
    await assert.rejects(objects.blob(idOf(top, "big.txt"), 1_000), { code: "git_object_too_large" });
    assert.equal((await objects.blob(idOf(top, "big.txt"), 5_000_000))?.length, 5_000_000);
    assert.equal(await objects.blob("0".repeat(40), 1_000), undefined);
    const lib = (await objects.tree(idOf(top, "lib"))) ?? [];
    assert.deepEqual(lib, [{ name: "inner", kind: "submodule", id: recorded }]);
    for (const isCheckedOut of [true, false]) {
      if (!isCheckedOut) rmSync(join(one.root, "lib"), { recursive: true });
      const submodule = await history.submodule("lib/inner", "lib/inner");
      assert.equal((await submodule?.objects.commit(recorded))?.subject, "Inner");
    }
    assert.equal(await history.submodule("lib/inner", "../../.."), undefined);
    assert.equal(
      await history.submodule("lib/inner", "lib/inner", recorded),
      await history.submodule("lib/inner", "lib/inner"),
      "one process for all commits that have it",
    );
  });

  it("has submodules of a work tree beside it, which keeps their objects itself", async () => {
    const one = repository();
    const inner = repository();
    const old = inner.commit("Old", { "lib.txt": "old\n" });
    one.git("submodule", "--quiet", "add", inner.root, "lib/inner");
    one.commit("All");
    const beside = join(one.root, "..", `beside-${process.pid}`);
    try {
      one.git("worktree", "add", "-q", beside);
      const recorded = inner.commit("New", { "lib.txt": "new\n" });
      one.git("-C", beside, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init");
      one.git("-C", join(beside, "lib/inner"), "fetch", "-q", "origin");
      const history = await open(beside);
      for (const id of [old, recorded]) {
        const submodule = await history.submodule("lib/inner", "lib/inner", id);
        assert.equal((await submodule?.objects.commit(id))?.id, id);
      }
    } finally {
      rmSync(beside, { recursive: true, force: true });
    }
  });

  it("ends though links among the logs lead in a circle, and though a tag names a large file", async () => {
    const one = repository();
    const first = one.commit("First", { "a.txt": "1\n" });
    const logs = join(one.root, ".git/logs/refs/heads");
    for (const name of ["one", "other"]) symlinkSync(".", join(logs, name));
    one.write({ "big.bin": "x".repeat(17 * 1024 * 1024) });
    one.git("tag", "big", one.git("hash-object", "-w", "big.bin").trim());
    const history = await open(one.root);
    assert.deepEqual(
      (await history.formerCommits(AbortSignal.timeout(60_000))).map(({ id }) => id),
      [first],
    );
    assert.deepEqual(
      (await history.commits()).commits.map(({ id }) => id),
      [first],
    );
    const aborted = AbortSignal.abort();
    await assert.rejects(history.formerCommits(aborted), { name: "AbortError" });
  });

  it("leaves the work tree, the index and the folder of git as they are", async () => {
    const one = repository();
    one.commit("First", { "a.txt": "1\n" });
    const stateOf = () =>
      readdirSync(one.root, { recursive: true, encoding: "utf8" })
        .sort()
        .map((path) => `${path} ${statSync(join(one.root, path)).mtimeMs}`);
    const before = stateOf();
    const history = await open(one.root);
    const [commit] = (await history.commits()).commits;
    await history.objects.tree(commit?.tree ?? "");
    assert.deepEqual(stateOf(), before);
  });

  it("names what a shallow clone lacks", async () => {
    const one = repository();
    const first = one.commit("First", { "a.txt": "1\n" });
    one.commit("Second", { "a.txt": "2\n" });
    const clone = `${one.root}-clone`;
    one.git("clone", "-q", "--depth", "1", `file://${one.root}`, clone);
    try {
      const { commits, missingParents } = await (await open(clone)).commits();
      assert.deepEqual(
        commits.map(({ subject }) => subject),
        ["Second"],
      );
      assert.deepEqual(missingParents, [first]);
    } finally {
      rmSync(clone, { recursive: true });
    }
  });

  it("is read of a second work tree, and of no repository that a folder only points at", async () => {
    const one = repository();
    one.commit("First", { "a.txt": "1\n" });
    const second = `${one.root}-second`;
    const strange = repository();
    try {
      one.git("worktree", "add", "-q", "-b", "other", second);
      assert.equal((await (await open(second)).commits()).commits.length, 1);

      const pointing = join(strange.root, "pointing");
      mkdirSync(pointing);
      writeFileSync(join(pointing, ".git"), `gitdir: ${join(one.root, ".git")}\n`);
      assert.equal(await workTreeAt(pointing), undefined);
      const linked = join(strange.root, "linked");
      mkdirSync(linked);
      symlinkSync(join(one.root, ".git"), join(linked, ".git"));
      assert.equal(await workTreeAt(linked), undefined);
      const borrowing = join(strange.root, "borrowing");
      mkdirSync(join(borrowing, ".git"), { recursive: true });
      for (const part of ["objects", "refs", "HEAD"])
        symlinkSync(join(one.root, ".git", part), join(borrowing, ".git", part));
      assert.equal(await workTreeAt(borrowing), undefined);
      const [named, packed] = [repository(), repository()];
      for (const borrower of [named, packed]) borrower.git("commit", "-q", "--allow-empty", "-m", "Own");
      writeFileSync(join(named.root, ".git/objects/info/alternates"), `${join(one.root, ".git/objects")}\n`);
      one.git("repack", "-a", "-d", "-q");
      for (const file of readdirSync(join(one.root, ".git/objects/pack")))
        symlinkSync(join(one.root, ".git/objects/pack", file), join(packed.root, ".git/objects/pack", file));
      const stranger = one.git("rev-parse", "HEAD").trim();
      for (const borrower of [named, packed]) {
        assert.equal(borrower.git("cat-file", "-t", stranger).trim(), "commit", "git itself reads it there");
        assert.equal(await workTreeAt(borrower.root), undefined);
        await assert.rejects(findWorkTree(join(borrower.root, "src")), { code: "repository_borrows" });
      }
    } finally {
      rmSync(second, { recursive: true, force: true });
    }
  });

  it("ends with one sentence where git is missing or the repository is damaged", async () => {
    const one = repository();
    one.commit("First", { "a.txt": "1\n" });
    const workTree = await workTreeAt(one.root);
    assert.ok(workTree);
    const history = await openHistory("/nowhere/git", workTree);
    opened.push(history);
    await assert.rejects(history.commits(), { code: "git_missing" });
    await assert.rejects(history.objects.blob("0".repeat(40), 1), { code: "git_missing" });
    writeFileSync(join(one.root, ".git", "HEAD"), "ref: refs/heads/../../../../etc/passwd\n");
    writeFileSync(join(one.root, ".git", "packed-refs"), "not a ref\n");
    await assert.rejects((await open(one.root)).commits(), { code: "git_failed" });
  });
});
