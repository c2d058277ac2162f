import assert from "node:assert/strict";
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { ENGINE_VERSION, KeptVerdicts, type KeptVerdict } from "../../../src/core/compilers/keptVerdicts.ts";
import { repositoryRoot } from "../../rig/paths.ts";
import { sha256Of, TestFolder } from "./compilerFiles.ts";

const keyOf = (text: string) => sha256Of(Buffer.from(text));
const VERDICT: KeptVerdict = {
  compiler: { version: "0.8.28+commit.7893614a", source: "downloaded", sha256: keyOf("a compiler") },
  engine: {
    runtimeMatch: "match",
    creationMatch: null,
    isOfOtherText: true,
    transformations: {
      runtime: [{ type: "replace", reason: "immutable", offset: 12, id: "7" }],
      creation: [],
    },
  },
};
const MISMATCH: KeptVerdict = {
  compiler: { version: "0.3.10+commit.91361694", source: "installed" },
  engine: {
    runtimeMatch: null,
    creationMatch: null,
    transformations: { runtime: [], creation: [] },
    error: { code: "no_match", message: "The bytecodes don't match." },
  },
};

describe("Verdicts that are kept", () => {
  let folder: TestFolder;
  let path: string;
  beforeEach(async () => {
    folder = await TestFolder.make();
    path = join(folder.path, "kept", "verdicts");
  });
  afterEach(() => folder.remove());
  const fileOf = (key: string) => join(path, `${key}.json`);

  it("are there for another session, each under what decides it", async () => {
    const kept = new KeptVerdicts(path);
    assert.equal(await kept.get(keyOf("one")), undefined);
    await kept.set(keyOf("one"), VERDICT);
    await kept.set(keyOf("two"), MISMATCH);
    await kept.set(keyOf("one"), VERDICT);
    const later = new KeptVerdicts(path);
    assert.deepEqual(await later.get(keyOf("one")), VERDICT);
    assert.deepEqual(await later.get(keyOf("two")), MISMATCH);
    assert.equal(await later.get(keyOf("three")), undefined);
    assert.equal((await readdir(path)).length, 2, "nothing is left beside them");
  });

  it("hold what the engine said and no code, whatever they are given", async () => {
    const kept = new KeptVerdicts(path);
    const engine = {
      ...VERDICT.engine,
      recompiledRuntimeCode: "0xc0de",
      compilerErrors: ["contract Secret"],
    };
    await kept.set(keyOf("one"), { ...VERDICT, engine });
    assert.doesNotMatch(await readFile(fileOf(keyOf("one")), "utf8"), /c0de|Secret/);
    assert.deepEqual(await kept.get(keyOf("one")), VERDICT);
  });

  it("are not known where they are damaged, of another version or no file of ours", async () => {
    const kept = new KeptVerdicts(path);
    const key = keyOf("one");
    await kept.set(key, VERDICT);
    const written = await readFile(fileOf(key), "utf8");
    const changed = (change: object) => JSON.stringify({ ...(JSON.parse(written) as object), ...change });
    for (const odd of [
      "",
      "null",
      written.slice(0, -1),
      written.replace('"match"', '"perfect"'),
      changed({ format: 1 }),
      changed({ engineVersion: "0.0.1" }),
      changed({ engine: undefined }),
      "[".repeat(50_000),
      `${written}${" ".repeat(70_000)}`,
    ]) {
      await writeFile(fileOf(key), odd);
      assert.equal(await kept.get(key), undefined, odd.slice(0, 40));
      await kept.set(key, VERDICT);
      assert.deepEqual(await kept.get(key), VERDICT, "and is written again");
    }
    const elsewhere = join(folder.path, "elsewhere.json");
    await writeFile(elsewhere, written);
    await symlink(elsewhere, fileOf(keyOf("link")));
    assert.equal(await kept.get(keyOf("link")), undefined);
    await kept.set(keyOf("link"), MISMATCH);
    assert.equal(await readFile(elsewhere, "utf8"), written, "what a link leads to is left alone");
    assert.deepEqual(await kept.get(keyOf("link")), MISMATCH);
    await mkdir(fileOf(keyOf("folder")));
    assert.equal(await kept.get(keyOf("folder")), undefined);
    await kept.set(keyOf("folder"), VERDICT);
    assert.deepEqual(await kept.get(keyOf("folder")), VERDICT);
  });

  it("are bounded: those that were used longest ago go", async () => {
    const kept = new KeptVerdicts(path);
    await kept.set(keyOf("used"), VERDICT);
    const old = new Date(Date.now() - 60 * 60_000);
    const keys = Array.from({ length: 1_999 }, (_, at) => keyOf(`verdict ${at}`));
    for (const [at, key] of keys.entries()) {
      await writeFile(fileOf(key), "{}");
      const when = new Date(old.getTime() + at);
      await utimes(fileOf(key), when, when);
    }
    await utimes(fileOf(keyOf("used")), new Date(0), new Date(0));
    assert.deepEqual(await kept.get(keyOf("used")), VERDICT, "and is used now");
    const later = new KeptVerdicts(path);
    await later.set(keyOf("one more"), VERDICT);
    const left = await readdir(path);
    assert.equal(left.length, 1_800);
    for (const key of [keyOf("used"), keyOf("one more"), keys.at(-1) ?? ""])
      assert.ok(left.includes(`${key}.json`));
    assert.ok(!left.includes(`${keys[0] ?? ""}.json`));
    await later.set(keyOf("another"), VERDICT);
    assert.equal((await readdir(path)).length, 1_801, "it is cut down only when it is full");
  });

  it("are not kept where a file has the folder's name, which is no fault", async () => {
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, "");
    const kept = new KeptVerdicts(path);
    await kept.set(keyOf("one"), VERDICT);
    assert.equal(await kept.get(keyOf("one")), undefined);
  });

  it("are of the engine that is installed", async () => {
    const manifest = join(repositoryRoot, "node_modules/@ethereum-sourcify/lib-sourcify/package.json");
    const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
    assert.equal(ENGINE_VERSION, version);
  });
});
