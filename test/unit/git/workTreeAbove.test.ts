import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { isBelowRepository } from "../../../src/core/git/workTreeAbove.ts";

describe("Whether a folder has a history to look through", () => {
  let root: string;
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "ledger-lens-history-")));
    await mkdir(join(root, "clone", "contracts", "deep"), { recursive: true });
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it("is told by a repository in it or above it, also once one is made", async () => {
    assert.equal(await isBelowRepository(join(root, "clone")), false);
    await mkdir(join(root, "clone", ".git"));
    assert.equal(await isBelowRepository(join(root, "clone")), true);
    assert.equal(await isBelowRepository(join(root, "clone", "contracts", "deep")), true);
    assert.equal(await isBelowRepository(root), false);
  });

  it("is told by the file that a second work tree has in its place", async () => {
    await writeFile(join(root, "clone", ".git"), "gitdir: /elsewhere\n");
    assert.equal(await isBelowRepository(join(root, "clone", "contracts")), true);
  });
});
