import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { CompilerStore, type UnfinishedCompiler } from "../../../src/core/compilers/compilerStore.ts";
import { buildOf, failureOf, LONG_VERSION, sha256Of, TestFolder } from "./compilerFiles.ts";

const MAX_BYTES = 10_000;

describe("The store of compilers", () => {
  let folder: TestFolder;
  let path: string;
  let store: CompilerStore;
  beforeEach(async () => {
    folder = await TestFolder.make();
    path = join(folder.path, "store");
    store = new CompilerStore(path, MAX_BYTES);
  });
  afterEach(() => folder.remove());

  const writes = (bytes: Uint8Array) => (unfinished: UnfinishedCompiler) => unfinished.append(bytes);
  const placeOf = (bytes: Uint8Array) => join(path, `soljson-${sha256Of(bytes)}.js`);
  /** Lets time pass for a file. */
  const age = async (file: string, seconds: number) => {
    const then = Date.now() / 1000 - seconds;
    await utimes(file, then, then);
  };

  it("keeps a file under its hash, for its owner alone, and finds it again in another session", async () => {
    const bytes = randomBytes(1_000);
    const file = await store.keep(buildOf(bytes), writes(bytes));
    assert.equal(file, placeOf(bytes));
    assert.deepEqual(await readFile(file), bytes);
    assert.equal(await new CompilerStore(path, MAX_BYTES).fileOf(buildOf(bytes)), file);
    if (process.platform !== "win32")
      assert.deepEqual([(await stat(path)).mode & 0o777, (await stat(file)).mode & 0o777], [0o700, 0o600]);
  });

  it("keeps nothing of a file that is not the release's, and says so in one sentence", async () => {
    const bytes = randomBytes(1_000);
    const error = await failureOf(store.keep(buildOf(bytes), writes(randomBytes(1_000))));
    assert.equal(error.code, "compiler_refused");
    assert.equal(
      error.message,
      `The file that came as solc ${LONG_VERSION} is not the one that its makers released, so it was not kept. Check ledgerLens.solcListUrl, then try again.`,
    );
    assert.deepEqual(await readdir(path), []);
    // The next begins anew.
    await store.keep(buildOf(bytes), (unfinished) => {
      assert.equal(unfinished.bytes, 0);
      return unfinished.append(bytes);
    });
  });

  it("takes away those that were used longest ago where all are more than it may hold, and never the newest", async () => {
    const [first, second, third] = [randomBytes(4_000), randomBytes(4_000), randomBytes(4_000)];
    await store.keep(buildOf(first), writes(first));
    await store.keep(buildOf(second), writes(second));
    await age(placeOf(first), 200);
    await age(placeOf(second), 100);
    // To be asked for is to be used.
    await store.fileOf(buildOf(first));
    await store.keep(buildOf(third), writes(third));
    const kept = (await store.list()).map(({ sha256 }) => sha256);
    assert.deepEqual(new Set(kept), new Set([sha256Of(first), sha256Of(third)]));
    const huge = randomBytes(MAX_BYTES + 1);
    await store.keep(buildOf(huge), writes(huge));
    assert.deepEqual(
      (await store.list()).map(({ bytes }) => bytes),
      [MAX_BYTES + 1],
    );
  });

  it("goes on with what an earlier fetch left", async () => {
    const bytes = randomBytes(2_000);
    const broken = store.keep(buildOf(bytes), async (unfinished) => {
      await unfinished.append(bytes.subarray(0, 800));
      throw new Error("broke off");
    });
    await assert.rejects(broken, /broke off/);
    await store.keep(buildOf(bytes), (unfinished) => {
      assert.equal(unfinished.bytes, 800);
      return unfinished.append(bytes.subarray(800));
    });
    assert.deepEqual(await readdir(path), [`soljson-${sha256Of(bytes)}.js`]);
  });

  it("goes on with what a session that crashed left, once it is abandoned, and only one session does", async () => {
    const bytes = randomBytes(2_000);
    await mkdir(path);
    const left = join(path, `${LONG_VERSION}.11111111-2222-4333-8444-555555555555.unfinished`);
    await writeFile(left, bytes.subarray(0, 700));
    // It may still be written.
    await store.keep(buildOf(bytes), (unfinished) => {
      assert.equal(unfinished.bytes, 0);
      return unfinished.append(bytes);
    });
    await store.empty();
    await writeFile(left, bytes.subarray(0, 700));
    await age(left, 300);
    const starts: number[] = [];
    const begun = Promise.withResolvers<undefined>();
    const goesOn = new CompilerStore(path, MAX_BYTES).keep(buildOf(bytes), async (unfinished) => {
      starts.push(unfinished.bytes);
      // The server takes a while before its first byte: the other session comes meanwhile.
      await begun.promise;
      await unfinished.append(bytes.subarray(unfinished.bytes));
    });
    await whenever(() => starts.length === 1);
    const other = new CompilerStore(path, MAX_BYTES).keep(buildOf(bytes), async (unfinished) => {
      starts.push(unfinished.bytes);
      begun.resolve(undefined);
      await unfinished.append(bytes.subarray(unfinished.bytes));
    });
    assert.deepEqual(await Promise.all([goesOn, other]), [placeOf(bytes), placeOf(bytes)]);
    assert.deepEqual(starts, [700, 0]);
    assert.deepEqual(await readFile(placeOf(bytes)), bytes);
  });

  it("forgets what was not gone on with in a week", async () => {
    await mkdir(path);
    const left = join(path, "0.8.27+commit.40a35a09.11111111-2222-4333-8444-555555555555.unfinished");
    await writeFile(left, "some");
    await age(left, 8 * 24 * 3_600);
    const bytes = randomBytes(100);
    await store.keep(buildOf(bytes), writes(bytes));
    assert.deepEqual(await readdir(path), [`soljson-${sha256Of(bytes)}.js`]);
  });

  it("lists what it keeps, and is emptied with what came only in part", async () => {
    const [first, second] = [randomBytes(1_000), randomBytes(2_000)];
    await store.keep(buildOf(first), writes(first));
    await store.keep(buildOf(second, "0.8.27+commit.40a35a09"), writes(second));
    await age(placeOf(first), 60);
    await writeFile(join(path, "0.8.26+commit.8a97fa7a.unfinished"), "some");
    await writeFile(join(path, "notes of the user.txt"), "kept");
    assert.deepEqual(
      (await store.list()).map(({ sha256, bytes }) => [sha256, bytes]),
      [
        [sha256Of(second), 2_000],
        [sha256Of(first), 1_000],
      ],
    );
    assert.equal(await store.empty(), 3_000);
    assert.deepEqual(await readdir(path), ["notes of the user.txt"]);
    assert.deepEqual(await new CompilerStore(join(path, "none"), 1).list(), []);
  });

  describe("with something else in the place of a file", { skip: process.platform === "win32" }, () => {
    const bytes = randomBytes(1_000);
    const strangers: readonly (readonly [name: string, make: (place: string) => Promise<unknown>])[] = [
      [
        "a link to the very file",
        async (place) => {
          const target = join(folder.path, "elsewhere.js");
          await writeFile(target, bytes);
          await symlink(target, place);
        },
      ],
      ["a link to nothing", (place) => symlink(join(folder.path, "nothing"), place)],
      ["a pipe", (place) => Promise.resolve(execFileSync("mkfifo", [place]))],
      [
        "a folder",
        async (place) => {
          await mkdir(place);
          await writeFile(join(place, "notes.txt"), "kept");
        },
      ],
    ];
    for (const [name, make] of strangers) {
      it(`takes ${name} for no compiler, and puts one there`, { timeout: 20_000 }, async () => {
        await mkdir(path);
        await make(placeOf(bytes));
        assert.equal(await store.fileOf(buildOf(bytes)), undefined);
        assert.equal(await store.keep(buildOf(bytes), writes(bytes)), placeOf(bytes));
        assert.equal(await store.fileOf(buildOf(bytes)), placeOf(bytes));
        assert.deepEqual(await readFile(placeOf(bytes)), bytes);
      });

      it(`does not go on with ${name}`, { timeout: 20_000 }, async () => {
        await mkdir(path);
        await make(join(path, `${LONG_VERSION}.unfinished`));
        const file = await store.keep(buildOf(bytes), (unfinished) => {
          assert.equal(unfinished.bytes, 0);
          return unfinished.append(bytes);
        });
        assert.deepEqual(await readFile(file), bytes);
      });
    }
  });
});

async function whenever(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
