import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFile, mkdir, open, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { after, afterEach, before, beforeEach, describe, it, mock } from "node:test";
import { CompilerDownloads } from "../../../src/core/compilers/compilerDownloads.ts";
import type { CompilerQuestion } from "../../../src/core/compilers/compilerQuestions.ts";
import { CompilerStore } from "../../../src/core/compilers/compilerStore.ts";
import { CompilerThread } from "../../../src/core/compilers/compilerThread.ts";
import { KeptVerdicts } from "../../../src/core/compilers/keptVerdicts.ts";
import { LocalVerifier, type LocalInput } from "../../../src/core/compilers/localVerifier.ts";
import { LocalCompilers } from "../../../src/core/compilers/localCompilers.ts";
import { officialBuilds, type OfficialBuild } from "../../../src/core/compilers/officialBuilds.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { startCompilerList, type CompilerList, type ListedCompiler } from "../../sandbox/compilerList.ts";
import { repositoryCompilers } from "../../sandbox/listedCompilers.ts";
import { buildOf, failureOf, sha256Of, TestFolder } from "../../unit/compilers/compilerFiles.ts";

const GREETER =
  'contract Greeter { function greet() external pure returns (string memory) { return "hi"; } }';

/** Each modifier doubles what is in it: thirty of them want more than any machine has. */
const growing = (modifiers: number) =>
  `contract Growing { uint x; modifier m { x = x + 1; _; x = x * 3; _; } function f() public ${"m ".repeat(modifiers)} { x = x / 7; } }`;

const asking = (content: string): CompilerQuestion => ({
  kind: "compile",
  input: JSON.stringify({
    language: "Solidity",
    sources: { "A.sol": { content } },
    settings: { outputSelection: { "*": { "*": ["evm.bytecode.object"] } } },
  }),
});
const codeIn = (answer: string | undefined) => /"object":"([0-9a-f]+)"/.exec(answer ?? "")?.[1];

describe("Compilers that run here", { timeout: 240_000 }, () => {
  let compilers: readonly ListedCompiler[];
  let list: CompilerList;
  let folder: TestFolder;
  before(async () => {
    compilers = await repositoryCompilers();
    list = await startCompilerList({ compilers });
  });
  after(() => list.stop());
  beforeEach(async () => {
    folder = await TestFolder.make();
  });
  afterEach(() => folder.remove());

  const listed = (short: string): ListedCompiler => {
    const found = compilers.find(({ longVersion }) => longVersion.startsWith(`${short}+`));
    if (!found) throw new Error(`solc ${short} is not installed`);
    return found;
  };
  const storePath = () => join(folder.path, "store");
  const download = { mayDownload: () => Promise.resolve(true) };
  function made({
    maxThreads = 2,
    places = [],
    buildOf = (longVersion) => officialBuilds.get(longVersion),
  }: {
    maxThreads?: number;
    places?: readonly string[];
    buildOf?: (longVersion: string) => OfficialBuild | undefined;
  } = {}): LocalCompilers {
    const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
    folder.onEnd(() => client.dispose());
    const store = new CompilerStore(storePath(), 1024 ** 3);
    const local = new LocalCompilers({
      store,
      downloads: new CompilerDownloads(client, store, () => list.listUrl),
      buildOf,
      placesOf: () => places,
      maxThreads,
    });
    folder.onEnd(() => local.dispose());
    return local;
  }
  /** How often a compiler's file was sent since. */
  const sentSince = (at: number) => list.asked.slice(at).filter((path) => path.endsWith(".js")).length;

  it("come from the list once, and from the store in another session", async () => {
    const { longVersion, sha256 } = listed("0.8.28");
    const [at, first] = [list.asked.length, made()];
    assert.equal(await first.ask(longVersion, asking(GREETER)), undefined, "nothing is fetched unasked");
    assert.equal(sentSince(at), 0);
    const answered = await Promise.all([1, 2].map(() => first.ask(longVersion, asking(GREETER), download)));
    assert.equal(sentSince(at), 1);
    for (const one of answered) {
      assert.ok(one && codeIn(one.answer));
      assert.equal(one.compiler.sha256, sha256);
      assert.equal(one.compiler.longVersion, longVersion);
      assert.match(one.compiler.version, /^0\.8\.28\+commit\.7893614a/);
    }
    assert.ok(answered.some((one) => one?.compiler.source === "downloaded"));
    const again = await made().ask(longVersion, asking(GREETER));
    assert.equal(again?.compiler.source, "kept");
    assert.equal(again.answer, answered[0]?.answer);
    assert.equal(sentSince(at), 1);
  });

  it("are loaded once for many questions", async () => {
    const { longVersion, file } = listed("0.8.28");
    const copy = join(folder.path, "soljson.js");
    await copyFile(file, copy);
    const local = made({ maxThreads: 1, places: [copy] });
    const first = await local.ask(longVersion, asking(GREETER));
    assert.deepEqual([first?.compiler.source, first?.compiler.file], ["other tool", copy]);
    // Whoever loaded it again would find nothing.
    await rename(copy, `${copy}.gone`);
    const answers = await Promise.all([1, 2, 3].map(() => local.ask(longVersion, asking(GREETER))));
    assert.ok(answers.every((one) => one?.answer === first?.answer));
  });

  it("end when nothing asks for them for a minute, and are loaded again by the next question", async () => {
    const { longVersion, file } = listed("0.8.28");
    const local = made({ maxThreads: 1, places: [file] });
    const threads: Worker[] = [];
    const started = (thread: Worker) => threads.push(thread);
    process.on("worker", started);
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const first = await local.ask(longVersion, asking(GREETER));
      // Each question gives it its whole time again.
      for (let at = 0; at < 3; at++) {
        mock.timers.tick(59_999);
        assert.equal((await local.ask(longVersion, asking(GREETER)))?.answer, first?.answer);
      }
      const [thread] = threads;
      assert.ok(thread && threads.length === 1);
      const ended = once(thread, "exit");
      mock.timers.tick(60_000);
      await ended;
      assert.equal((await local.ask(longVersion, asking(GREETER)))?.answer, first?.answer);
      assert.equal(threads.length, 2);
    } finally {
      mock.timers.reset();
      process.off("worker", started);
    }
  });

  it("give a verdict that is kept for the next session, without a word of the sources", async () => {
    const { longVersion, file } = listed("0.8.28");
    const verdicts = new KeptVerdicts(join(folder.path, "verdicts"));
    const inputOf = (content: string): LocalInput => ({
      compilerVersion: longVersion,
      contractIdentifier: "A.sol:Greeter",
      stdJsonInput: { language: "Solidity", sources: { "A.sol": { content } }, settings: {} },
    });
    const deployedOf = (runtimeCode: string) => ({
      chainId: "1",
      address: `0x${"12".repeat(20)}`,
      runtimeCode,
    });
    const here = new LocalVerifier(made({ places: [file] }), verdicts);
    const other = await here.verify(inputOf(GREETER), deployedOf("0x6001"));
    assert.equal(other?.verdict, "mismatch");
    const deployed = deployedOf(other.engine.recompiledRuntimeCode ?? "");
    const found = await here.verify(inputOf(GREETER), deployed);
    assert.equal(found?.verdict, "exact_match");
    const refused = await here.verify(inputOf("contract Greeter { unknown x; }"), deployed);
    assert.ok(refused?.engine.compilerErrors);
    const names = await readdir(join(folder.path, "verdicts"));
    assert.equal(names.length, 2, "what a compiler refuses is not kept");
    for (const name of names) {
      const kept = await readFile(join(folder.path, "verdicts", name), "utf8");
      assert.doesNotMatch(kept, /Greeter|greet|A\.sol/);
      assert.ok(!kept.includes(deployed.runtimeCode.slice(2, 60)), "nor the codes");
    }

    // A session without a compiler.
    const later = new LocalVerifier(made(), verdicts);
    const { runtimeMatch, creationMatch, transformations } = found.engine;
    const engine = { runtimeMatch, creationMatch, transformations };
    assert.deepEqual(await later.verify(inputOf(GREETER), deployed), {
      ...found,
      engine,
      isWithoutCodes: true,
    });
    const again = await later.verify(inputOf(GREETER), deployedOf("0x6001"), { needsCodes: true });
    assert.equal(again?.verdict, "mismatch", "without a compiler the verdict is all there is");
    assert.deepEqual(again.engine.error, other.engine.error);
    assert.equal(again.engine.recompiledRuntimeCode, undefined);
    assert.equal(await later.verify(inputOf(`${GREETER} `), deployed), undefined);
    // With one, what can't be told without the codes is compiled again.
    const whole = new LocalVerifier(made({ places: [file] }), verdicts);
    const codes = await whole.verify(inputOf(GREETER), deployedOf("0x6001"), { needsCodes: true });
    assert.equal(codes?.engine.recompiledRuntimeCode, other.engine.recompiledRuntimeCode);
  });

  it("run from another tool's cache by their hash alone, also through a link", async () => {
    const { longVersion, file } = listed("0.8.28");
    const other = listed("0.8.24").file;
    const link = join(folder.path, "link.js");
    await symlink(file, link);
    const changed = join(folder.path, "changed.js");
    await writeFile(changed, Buffer.concat([await readFile(file), Buffer.from("\n")]));
    const evil = join(folder.path, "evil.js");
    const mark = join(folder.path, "was run");
    await writeFile(evil, `require("fs").writeFileSync(${JSON.stringify(mark)}, "x"); process.exit(0);`);
    const pipe = join(folder.path, "pipe.js");
    if (process.platform !== "win32") execFileSync("mkfifo", [pipe]);
    const sparse = join(folder.path, "sparse.js");
    const handle = await open(sparse, "w");
    await handle.truncate(10 * 1024 ** 3);
    await handle.close();
    const places = [evil, pipe, sparse, changed, other, folder.path, "/dev/zero", join(folder.path, "none")];
    assert.equal(await made({ places }).ask(longVersion, asking(GREETER)), undefined);
    const found = await made({ places: [...places, link] }).ask(longVersion, asking(GREETER));
    assert.deepEqual([found?.compiler.file, found?.compiler.source], [link, "other tool"]);
    await assert.rejects(readFile(mark), { code: "ENOENT" });
  });

  it("never run from a file that was changed on the disk, which is fetched anew", async () => {
    const { longVersion, sha256, file } = listed("0.8.28");
    await mkdir(storePath());
    const kept = join(storePath(), `soljson-${sha256}.js`);
    const mark = join(folder.path, "was run");
    await writeFile(kept, `require("fs").writeFileSync(${JSON.stringify(mark)}, "x");`);
    const local = made();
    assert.equal(await local.ask(longVersion, asking(GREETER)), undefined);
    await assert.rejects(readFile(kept), { code: "ENOENT" }, "it is taken away");
    await writeFile(kept, `require("fs").writeFileSync(${JSON.stringify(mark)}, "x");`);
    const found = await local.ask(longVersion, asking(GREETER), download);
    assert.equal(found?.compiler.source, "downloaded");
    await assert.rejects(readFile(mark), { code: "ENOENT" });
    assert.equal(sha256Of(await readFile(kept)), sha256Of(await readFile(file)));
  });

  it("run only what was hashed, while a file is changed from one moment to the next", async () => {
    const { longVersion, file } = listed("0.8.28");
    const mark = join(folder.path, "was run");
    const [good, evil, place] = ["good.js", "evil.js", "place.js"].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ];
    await copyFile(file, good);
    await writeFile(evil, `require("fs").writeFileSync(${JSON.stringify(mark)}, "x");`);
    const over = new AbortController();
    const swapping = (async () => {
      for (let turn = 0; !over.signal.aborted; turn++) {
        const next = join(folder.path, `next-${turn % 2}`);
        await symlink(turn % 2 === 0 ? good : evil, next).catch(() => undefined);
        await rename(next, place);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const outcomes = { ran: 0, refused: 0 };
    try {
      for (let round = 0; round < 3; round++) {
        const local = made({ places: [place] });
        const found = await local.ask(longVersion, asking(GREETER));
        outcomes[found ? "ran" : "refused"]++;
        if (found) assert.ok(codeIn(found.answer));
        local.dispose();
      }
    } finally {
      over.abort();
      await swapping;
    }
    console.log(
      `while its file changed, a compiler ran ${outcomes.ran} and was refused ${outcomes.refused} times`,
    );
    await assert.rejects(readFile(mark), { code: "ENOENT" });
  });

  it("are official releases alone, whatever a configuration calls one", async () => {
    const at = list.asked.length;
    const local = made();
    for (const version of [
      "0.8.28+commit.7893614a/../../x",
      "../../../../etc/passwd",
      "0.8.28-nightly.2024.10.9+commit.7893614a",
      "0.8.99+commit.00000000",
      "0.4.10+commit.f0d539ae",
      "latest",
    ]) {
      const error = await failureOf(local.ask(version, asking(GREETER), download));
      assert.equal(error.code, "compiler_unknown", version);
      assert.match(error.message, /is no release that Ledger Lens can run: .*\.$/);
    }
    assert.equal(list.asked.length, at);
  });

  it("end with one sentence where a source wants more memory than they may have", async () => {
    for (const [short, kind] of [
      ["0.7.6", "compile"],
      ["0.8.28", "verdict"],
    ] as const) {
      const { file, sha256 } = listed(short);
      const start = { files: [file], sha256: [sha256], maxMemoryBytes: 192 * 1024 * 1024 };
      const verdict: CompilerQuestion = {
        kind: "verdict",
        deployed: { chainId: "1", address: `0x${"11".repeat(20)}`, runtimeCode: "0x6001" },
        submission: {
          compilerVersion: listed(short).longVersion,
          contractIdentifier: "A.sol:Growing",
          input: (asking(growing(30)) as { input: string }).input,
        },
      };
      const thread = new CompilerThread(`solc ${short}`, start);
      assert.ok(codeIn(await thread.ask(asking(GREETER))));
      const error = await failureOf(thread.ask(kind === "compile" ? asking(growing(30)) : verdict));
      assert.equal(error.code, "compiler_out_of_memory", `${short}: ${error.message}`);
      assert.equal(
        error.message,
        `solc ${short} needs more memory than it may have to compile this. Compile fewer files, or build with your own tool.`,
      );
      assert.ok(thread.isOver);
      assert.equal((await failureOf(thread.ask(asking(GREETER)))).code, "compiler_out_of_memory");
    }
  });

  it("are cancelled in the midst of it, and the next gets its turn at once", async () => {
    const { longVersion, file } = listed("0.8.28");
    const local = made({ maxThreads: 1, places: [file] });
    await local.ask(longVersion, asking(GREETER));
    const cancel = new AbortController();
    const endless = local.ask(longVersion, asking(growing(30)), { signal: cancel.signal });
    const order: string[] = [];
    const leaves = new AbortController();
    const queued = ["first", "second", "third"].map(async (name) => {
      const wish = name === "second" ? { signal: leaves.signal } : {};
      const answer = await local.ask(longVersion, asking(GREETER), wish);
      order.push(name);
      return answer;
    });
    const second = assert.rejects(queued[1] ?? Promise.resolve(), /not wanted/);
    leaves.abort(new Error("not wanted"));
    await second;
    assert.deepEqual(order, []);
    const rejected = assert.rejects(endless, /cancelled by the user/);
    cancel.abort(new Error("cancelled by the user"));
    await rejected;
    for (const at of [0, 2]) assert.ok(codeIn((await queued[at])?.answer));
    assert.deepEqual(order, ["first", "third"]);
    await assert.rejects(local.ask(longVersion, asking(GREETER), { signal: cancel.signal }), /cancelled by/);
  });

  it("are ended after ten minutes", async () => {
    const { file, sha256 } = listed("0.8.28");
    const thread = new CompilerThread("solc 0.8.28", {
      files: [file],
      sha256: [sha256],
      maxMemoryBytes: 1024 ** 3,
    });
    await thread.loaded;
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const endless = failureOf(thread.ask(asking(growing(30))));
      mock.timers.tick(10 * 60_000);
      const error = await endless;
      assert.equal(error.code, "compiler_too_slow");
      assert.equal(
        error.message,
        "solc 0.8.28 was ended after 10 minutes. Compile fewer files, or build with your own tool.",
      );
    } finally {
      mock.timers.reset();
    }
  });

  it("don't wait for a person who is asked about another one", async () => {
    const [here, wanted] = [listed("0.8.28"), listed("0.8.24")];
    const local = made({ maxThreads: 1, places: [here.file] });
    const answer = Promise.withResolvers<boolean>();
    const asked = Promise.withResolvers<undefined>();
    const waits = local.ask(wanted.longVersion, asking(GREETER), {
      mayDownload: () => {
        asked.resolve(undefined);
        return answer.promise;
      },
    });
    await asked.promise;
    assert.ok(await local.ask(here.longVersion, asking(GREETER)));
    answer.resolve(false);
    assert.equal(await waits, undefined);
  });

  it("end with the extension, whatever they do", async () => {
    const { longVersion, file } = listed("0.8.28");
    const local = made({ maxThreads: 1, places: [file] });
    const all = [growing(30), GREETER, GREETER].map((source) =>
      failureOf(local.ask(longVersion, asking(source))),
    );
    local.dispose();
    assert.deepEqual(
      (await Promise.all(all)).map(({ code }) => code),
      ["cancelled", "cancelled", "cancelled"],
    );
    assert.equal((await failureOf(local.ask(longVersion, asking(GREETER)))).code, "cancelled");
  });

  it("are told as broken where one ends or throws by itself, and the next question finds another", async () => {
    for (const [script, detail] of [
      ["process.exit(7);", /code 7/],
      ['throw new Error("boom");', /boom/],
      ['require("child_process");', /asks for child_process/],
      ["globalThis.process.exit(7);", /thread ended/],
      ['Promise.reject(new Error("later"));', /later|cwrap/],
    ] as const) {
      const bytes = Buffer.from(script);
      const file = join(folder.path, `${sha256Of(bytes)}.js`);
      await writeFile(file, bytes);
      // As if its makers had released it: what the hash lets in is held all the same.
      const local = made({ places: [file], buildOf: (longVersion) => buildOf(bytes, longVersion) });
      const error = await failureOf(local.ask(listed("0.8.28").longVersion, asking(GREETER)));
      assert.equal(error.code, "compiler_failed");
      assert.match(error.message, /^solc 0\.8\.28 [^.]*\. [^.]*\.$/);
      assert.match(error.detail ?? "", detail);
    }
    const { longVersion, file } = listed("0.8.28");
    assert.ok(await made({ places: [file] }).ask(longVersion, asking(GREETER)));
  });
});
