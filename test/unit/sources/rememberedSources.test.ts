import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noteSkipped } from "../../../src/core/files/skippedFiles.ts";
import { rememberingReader, type FolderReader } from "../../../src/core/files/folderReader.ts";
import { AdmittedSources } from "../../../src/core/sources/admittedSources.ts";
import { RememberedResults } from "../../../src/core/sources/rememberedResults.ts";
import { SteppingDisk } from "../files/steppingDisk.ts";

/** Each test has files of its own: what is remembered lasts as long as the process. */
let folders = 0;
function freshFolder(): string {
  return `/remembered/${++folders}`;
}

/** What one job after the other reads in a file. */
async function textAt(disk: SteppingDisk, folders: readonly string[], path: string): Promise<string> {
  const sources = await AdmittedSources.of(rememberingReader(disk.reader), { folders });
  const found = await sources.at(path);
  if (!found) return "nothing";
  return "bytes" in found ? new TextDecoder().decode(found.bytes) : `outside: ${found.forbidden}`;
}

describe("A source that was opened before", () => {
  it("is not read again while it is the same", async () => {
    const root = freshFolder();
    const disk = new SteppingDisk({ [`${root}/A.sol`]: "one" });
    for (let time = 0; time < 3; time++) assert.equal(await textAt(disk, [root], `${root}/A.sol`), "one");
    assert.deepEqual(disk.read, [`${root}/A.sol`]);
    disk.clock++;
    disk.write(`${root}/A.sol`, "two");
    assert.equal(await textAt(disk, [root], `${root}/A.sol`), "two");
    disk.delete(`${root}/A.sol`);
    assert.equal(await textAt(disk, [root], `${root}/A.sol`), "nothing");
  });

  it("is read again where it was written in the very step of the clock in which it was read", async (context) => {
    context.mock.timers.enable({ apis: ["Date"], now: 1_700_000_000_050 });
    const root = freshFolder();
    const disk = new SteppingDisk({});
    disk.clock = 1_700_000_000_001;
    for (const text of ["one", "two", "six"]) {
      disk.write(`${root}/A.sol`, text);
      assert.equal(await textAt(disk, [root], `${root}/A.sol`), text);
    }
  });

  it("is read again where the clock knows whole seconds only", async (context) => {
    context.mock.timers.enable({ apis: ["Date"], now: 1_700_000_001_500 });
    const root = freshFolder();
    const disk = new SteppingDisk({});
    disk.clock = 1_700_000_000_000;
    for (const text of ["one", "two"]) {
      disk.write(`${root}/A.sol`, text);
      assert.equal(await textAt(disk, [root], `${root}/A.sol`), text);
    }
  });

  it("is judged by where its folder lies now", async () => {
    const [root, other] = [freshFolder(), freshFolder()];
    const disk = new SteppingDisk({ [`${root}/src/A.sol`]: "one", [`${other}/A.sol`]: "one" });
    assert.equal(await textAt(disk, [root], `${root}/src/A.sol`), "one");
    // The same states in another place, as after its folder was moved and a link put there.
    disk.links.set(`${root}/src`, other);
    assert.equal(await textAt(disk, [root], `${root}/src/A.sol`), `outside: ${other}/A.sol`);
    disk.links.clear();
    assert.equal(await textAt(disk, [other], `${root}/src/A.sol`), `outside: ${root}/src/A.sol`);
  });
});

describe("What was made of many files", () => {
  /** Makes a list of what is in a folder, and what one of its files says. */
  async function made(
    jobs: RememberedResults<string>,
    files: FolderReader,
    root: string,
    within?: (files: FolderReader) => void,
  ): Promise<string> {
    return jobs.get(files, "key", async (asked) => {
      const names = (await asked.files.list(root))?.map(({ name }) => name) ?? [];
      const bytes = await asked.files.read(`${root}/A.sol`);
      within?.(files);
      return `${names.sort().join(" ")}: ${bytes ? new TextDecoder().decode(bytes) : "nothing"}`;
    });
  }

  it("is made again when one of them changes, comes or goes", async () => {
    const root = freshFolder();
    const disk = new SteppingDisk({ [`${root}/A.sol`]: "one" });
    const jobs = new RememberedResults<string>();
    const next = () => made(jobs, rememberingReader(disk.reader), root);
    assert.deepEqual([await next(), await next()], ["A.sol: one", "A.sol: one"]);
    assert.equal(disk.read.length, 1);
    const steps: readonly (readonly [() => void, string])[] = [
      [() => disk.write(`${root}/A.sol`, "two"), "A.sol: two"],
      [() => disk.write(`${root}/B.sol`, "more"), "A.sol B.sol: two"],
      [() => disk.delete(`${root}/A.sol`), "B.sol: nothing"],
      [() => disk.write(`${root}/A.sol`, "six"), "A.sol B.sol: six"],
    ];
    for (const [change, expected] of steps) {
      disk.clock++;
      change();
      assert.deepEqual([await next(), await next()], [expected, expected]);
    }
  });

  it("is made again when a source of it changes that needed not be opened for it", async () => {
    const root = freshFolder();
    const disk = new SteppingDisk({ [`${root}/A.sol`]: "one", [`${root}/B.sol`]: "red" });
    const jobs = new RememberedResults<string>();
    const next = async () => {
      const files = rememberingReader(disk.reader);
      const sources = await AdmittedSources.of(files, { folders: [root] });
      return jobs.get(files, "key", async (asked) => {
        const all = asked.sources(sources);
        const texts = [await all.at(`${root}/A.sol`), await all.at(`${root}/B.sol`)];
        return texts.map((one) => (one && "bytes" in one ? Buffer.from(one.bytes).toString() : "")).join(" ");
      });
    };
    assert.equal(await next(), "one red");
    for (const [name, text, expected] of [
      ["B.sol", "blue", "one blue"],
      ["A.sol", "two", "two blue"],
      ["B.sol", "pink", "two pink"],
    ] as const) {
      disk.clock++;
      disk.write(`${root}/${name}`, text);
      assert.equal(await next(), expected);
    }
  });

  it("is not remembered of a file that was looked for in vain, once it is there", async () => {
    const root = freshFolder();
    const disk = new SteppingDisk({ [`${root}/B.sol`]: "" });
    const jobs = new RememberedResults<string>();
    const isThere = () =>
      jobs.get(disk.reader, "key", async ({ files }) => String(await files.read(`${root}/A.sol`)));
    assert.equal(await isThere(), "undefined");
    disk.write(`${root}/A.sol`, "x");
    assert.notEqual(await isThere(), "undefined");
  });

  it("is not remembered of files that were changed since their folder was listed", async () => {
    const root = freshFolder();
    const disk = new SteppingDisk({ [`${root}/A.sol`]: "one" });
    const jobs = new RememberedResults<string>();
    const job = { ...rememberingReader(disk.reader), since: disk.clock + 1_000 };
    await job.list(root);
    // Long before the job asks for what is remembered, and long after it began.
    disk.clock += 30_000;
    disk.write(`${root}/B.sol`, "more");
    assert.equal(await made(jobs, job, root), "A.sol: one");
    assert.equal(await made(jobs, rememberingReader(disk.reader), root), "A.sol B.sol: one");
  });

  it("is for a reader that may see the same alone, and told of again where something was left out", async () => {
    const root = freshFolder();
    const disk = new SteppingDisk({ [`${root}/A.sol`]: "one" });
    const jobs = new RememberedResults<string>();
    const scoped = (scope: string) => rememberingReader({ ...disk.reader, scope });
    for (const scope of ["this", "that", "this"]) await made(jobs, scoped(scope), root);
    assert.equal(disk.read.length, 2);
    for (let time = 0; time < 2; time++) {
      const told: FolderReader[] = [];
      await made(jobs, scoped("noted"), root, (files) => {
        told.push(files);
        noteSkipped(files, `${root}/broken`, "is broken");
      });
      assert.equal(told.length, 1);
    }
  });
});
