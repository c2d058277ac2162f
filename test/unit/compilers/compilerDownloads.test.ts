import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm, utimes } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, it } from "node:test";
import type { Clock } from "../../../src/core/concurrency/clock.ts";
import { CompilerDownloads, type DownloadProgress } from "../../../src/core/compilers/compilerDownloads.ts";
import { CompilerStore } from "../../../src/core/compilers/compilerStore.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { eventually } from "../../rig/eventually.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";
import { startCompilerList, type Interference } from "../../sandbox/compilerList.ts";
import { buildOf, failureOf, LONG_VERSION, randomCompiler, TestFolder } from "./compilerFiles.ts";

/** Large enough to come in pieces. */
const BYTES = 400_000;

/** Waits pass at once. */
const hasty: Clock = {
  now: () => Date.now(),
  sleep: (_milliseconds, signal) =>
    signal?.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve(),
};

describe("Fetching a compiler", () => {
  let folder: TestFolder;
  let compiler: Awaited<ReturnType<typeof randomCompiler>>;
  beforeEach(async () => {
    folder = await TestFolder.make();
    compiler = await randomCompiler(folder.path, BYTES);
  });
  afterEach(() => folder.remove());

  const storePath = () => join(folder.path, "store");
  const build = () => buildOf(compiler.content);
  /** What a window has: another one has the same store. */
  function windowFor(listUrl: string): CompilerDownloads {
    const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
    folder.onEnd(() => client.dispose());
    const store = new CompilerStore(storePath(), 1024 * 1024 * 1024);
    return new CompilerDownloads(client, store, () => listUrl, hasty);
  }
  async function list(interfere?: Interference, wrong: readonly string[] = []) {
    const started = await startCompilerList({
      compilers: [compiler],
      wrong,
      ...(interfere && { interfere }),
    });
    folder.onEnd(() => started.stop());
    return { server: started, downloads: windowFor(started.listUrl) };
  }
  /** Connections that break as soon as so much was taken: what came just before a break may get lost. */
  let breaks: { readonly at: number; readonly end: () => void }[] = [];
  const breaking = ({ done }: DownloadProgress) => {
    for (const one of breaks) if (done >= one.at) one.end();
    breaks = breaks.filter(({ at }) => done < at);
  };
  /** Sends a part of the file, and breaks the connection once {@link breaking} hears that it was taken. */
  function partly(response: ServerResponse, from: number, to: number, headers: Record<string, string>): void {
    const status = from === 0 ? 200 : 206;
    response.writeHead(status, { "content-length": String(BYTES - from), ...headers });
    response.write(compiler.content.subarray(from, to));
    breaks.push({ at: to, end: () => response.destroy() });
  }
  const rangeOf = (header: string | undefined) => Number(/^bytes=(\d+)-$/.exec(header ?? "")?.[1] ?? 0);

  it("says how large it is, and how far it came, and keeps it", async () => {
    const { server, downloads } = await list();
    assert.equal(await downloads.sizeOf(build()), BYTES);
    const progress: DownloadProgress[] = [];
    const file = await downloads.fetch(build(), (one) => progress.push(one));
    assert.deepEqual(await readFile(file), compiler.content);
    assert.deepEqual(progress.at(0), { done: 0, of: undefined });
    assert.deepEqual(progress.at(-1), { done: BYTES, of: BYTES });
    assert.ok(progress.every(({ done }, at) => at === 0 || done >= (progress[at - 1]?.done ?? 0)));
    assert.equal(server.asked.at(-1), `/bin/soljson-v${LONG_VERSION}.js`);
    assert.equal(downloads.place.host, `127.0.0.1:${server.port}`);
  });

  it("goes on by a range where the connection broke, as often as something comes", async () => {
    const ranges: number[] = [];
    const { downloads } = await list((request, response) => {
      const from = rangeOf(request.headers.range);
      ranges.push(from);
      if (ranges.length > 3) return false;
      partly(
        response,
        from,
        from + 50_000,
        from === 0 ? {} : { "content-range": `bytes ${from}-${BYTES - 1}/${BYTES}` },
      );
      return true;
    });
    assert.deepEqual(await readFile(await downloads.fetch(build(), breaking)), compiler.content);
    assert.equal(ranges.length, 4);
    assert.ok(
      ranges.every((from, at) => at === 0 || from > (ranges[at - 1] ?? 0)),
      ranges.join(),
    );
  });

  it("comes in more pieces than it may fail, with no wait that grows, whether each ends well or breaks", async () => {
    for (const isBreaking of [false, true]) {
      const pauses: number[] = [];
      const { server } = await list((request, response) => {
        const from = rangeOf(request.headers.range);
        const to = Math.min(BYTES, from + 25_000);
        const headers = { "content-range": `bytes ${from}-${to - 1}/${BYTES}` };
        if (isBreaking && to < BYTES) partly(response, from, to, from === 0 ? {} : headers);
        else response.writeHead(206, headers).end(compiler.content.subarray(from, to));
        return true;
      });
      const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
      folder.onEnd(() => client.dispose());
      const store = new CompilerStore(join(folder.path, `store ${isBreaking}`), 1024 * 1024 * 1024);
      const downloads = new CompilerDownloads(client, store, () => server.listUrl, {
        now: () => Date.now(),
        sleep: (milliseconds) => {
          pauses.push(milliseconds);
          return Promise.resolve();
        },
      });
      assert.deepEqual(await readFile(await downloads.fetch(build(), breaking)), compiler.content);
      assert.deepEqual([...new Set(pauses)], [500]);
      assert.equal(pauses.length, 15);
    }
  });

  it("goes on though all compilers are removed meanwhile, and says so where its file was taken away", async () => {
    for (const isTaken of [false, true]) {
      let asked = 0;
      const { server, downloads } = await list((_request, response) => {
        if (++asked > 1) return false;
        partly(response, 0, 50_000, {});
        return true;
      });
      const store = new CompilerStore(storePath(), 1024 * 1024 * 1024);
      let emptied: Promise<unknown> | undefined;
      const fetching = downloads.fetch(build(), (progress) => {
        if (progress.done >= 50_000)
          emptied ??= isTaken ? rm(storePath(), { recursive: true }) : store.empty();
        void emptied?.then(() => breaking(progress));
      });
      if (isTaken) {
        const error = await failureOf(fetching);
        assert.deepEqual([error.code, error.remedy?.mayPass], ["compiler_missing", true], error.message);
      } else assert.deepEqual(await readFile(await fetching), compiler.content);
      await server.stop();
    }
  });

  it("begins again at a server that ignores ranges", async () => {
    let asked = 0;
    const { downloads } = await list((_request, response) => {
      if (++asked === 1) partly(response, 0, 50_000, {});
      else response.writeHead(200, { "content-length": String(BYTES) }).end(compiler.content);
      return true;
    });
    assert.deepEqual(await readFile(await downloads.fetch(build(), breaking)), compiler.content);
    assert.equal(asked, 2);
  });

  it("begins again where what is here is no beginning of it, or another part comes than was asked for", async () => {
    for (const answer of [
      (response: ServerResponse) => response.writeHead(416).end(),
      (response: ServerResponse) =>
        response
          .writeHead(206, { "content-range": `bytes 7-${BYTES - 1}/${BYTES}` })
          .end(compiler.content.subarray(7)),
      (response: ServerResponse) => response.writeHead(206).end(compiler.content.subarray(7)),
    ]) {
      let asked = 0;
      const { downloads } = await list((_request, response) => {
        if (++asked === 1) partly(response, 0, 50_000, {});
        else if (asked === 2) answer(response);
        else return false;
        return true;
      });
      assert.deepEqual(await readFile(await downloads.fetch(build(), breaking)), compiler.content);
      assert.equal(asked, 3);
    }
  });

  it("goes on in another session where one gave up", async () => {
    let isDown = true;
    const ranges: number[] = [];
    const { server, downloads } = await list((request, response) => {
      const from = rangeOf(request.headers.range);
      ranges.push(from);
      if (isDown && from === 0) partly(response, 0, 50_000, {});
      else if (isDown) response.destroy();
      return isDown;
    });
    const error = await failureOf(downloads.fetch(build(), breaking));
    assert.equal(error.code, "unreachable", error.message);
    assert.equal(ranges.length, 6, "five times in vain behind what came");
    isDown = false;
    assert.deepEqual(await readFile(await windowFor(server.listUrl).fetch(build())), compiler.content);
    assert.ok((ranges.at(-1) ?? 0) > 0);
  });

  it("keeps nothing of another file, and says so", async () => {
    const { downloads } = await list(undefined, [LONG_VERSION]);
    assert.equal((await failureOf(downloads.fetch(build()))).code, "compiler_refused");
    assert.deepEqual(await readdir(storePath()), []);
  });

  it("keeps nothing of a file whose rest comes from another one", async () => {
    let asked = 0;
    const { downloads } = await list((request, response) => {
      const from = rangeOf(request.headers.range);
      if (++asked === 1) partly(response, 0, 50_000, {});
      else
        response
          .writeHead(206, { "content-range": `bytes ${from}-${BYTES - 1}/${BYTES}` })
          .end(Buffer.alloc(BYTES - from));
      return true;
    });
    assert.equal((await failureOf(downloads.fetch(build(), breaking))).code, "compiler_refused");
    assert.deepEqual(await readdir(storePath()), []);
    // The next begins anew.
    asked = -100;
  });

  it("refuses what is longer or shorter than the release", async () => {
    for (const body of [
      compiler.content.subarray(0, 1_000),
      Buffer.concat([compiler.content, Buffer.from("x")]),
    ]) {
      const { downloads } = await list((_request, response) => {
        response.writeHead(200, { "content-length": String(body.length) }).end(body);
        return true;
      });
      assert.equal((await failureOf(downloads.fetch(build()))).code, "compiler_refused");
      assert.deepEqual(await readdir(storePath()), []);
    }
  });

  it("says where a file does not come whole, again and again", async () => {
    const { downloads } = await list((_request, response) => {
      // No length: it ends as if it were whole, and a part of it never comes.
      response.writeHead(200, { "content-length": String(BYTES) });
      response.write(compiler.content.subarray(0, 10), () => response.socket?.end());
      return true;
    });
    const error = await failureOf(downloads.fetch(build()));
    assert.ok(["compiler_missing", "unreachable"].includes(error.code), error.message);
  });

  it("stops at what is larger than any release, said or not", { timeout: 60_000 }, async () => {
    let sent = 0;
    for (const headers of [{ "content-length": String(10 * 1024 ** 3) }, {}]) {
      const { downloads } = await list((_request, response) => {
        response.writeHead(200, headers);
        const chunk = Buffer.alloc(1024 * 1024);
        const more = () => {
          while (!response.destroyed && sent < 10 * 1024 ** 3) {
            sent += chunk.length;
            if (!response.write(chunk)) {
              response.once("drain", more);
              return;
            }
          }
        };
        more();
        return true;
      });
      const error = await failureOf(downloads.fetch(build()));
      assert.equal(error.code, "compiler_refused");
      assert.match(
        error.message,
        /larger than any release, so it is not kept\. Check ledgerLens\.solcListUrl\.$/,
      );
      assert.ok(sent < 200 * 1024 * 1024, `${sent} bytes were taken`);
    }
    const left = await readdir(storePath());
    for (const name of left) assert.equal((await readFile(join(storePath(), name))).length, 0, name);
  });

  it("follows no redirect to another host", async () => {
    const other = await startServer((_request, response) => response.end(compiler.content));
    folder.onEnd(() => other.stop());
    const { downloads } = await list((_request, response) => {
      response.writeHead(302, { location: `${other.url}/soljson-v${LONG_VERSION}.js` }).end();
      return true;
    });
    assert.equal((await failureOf(downloads.fetch(build()))).code, "redirect_refused");
    assert.deepEqual(other.asked, []);
  });

  it("says in one sentence which compiler a server does not have", async () => {
    const { server, downloads } = await list();
    const error = await failureOf(downloads.fetch({ ...build(), longVersion: "0.8.99+commit.00000000" }));
    assert.equal(error.code, "compiler_missing");
    assert.equal(
      error.message,
      `solc 0.8.99+commit.00000000 can't be fetched: 127.0.0.1:${server.port} answered with status 404. Check ledgerLens.solcListUrl, or try again later.`,
    );
    assert.equal(await downloads.sizeOf({ ...build(), longVersion: "0.8.99+commit.00000000" }), undefined);
  });

  it("asks beside the list, wherever that lies and whatever its address has, and tells no key of it", async () => {
    const asked: string[] = [];
    const server = await startServer((request, response) => {
      asked.push(`${request.url ?? ""} ${request.headers.authorization ?? "none"}`);
      response.writeHead(404).end();
    });
    folder.onEnd(() => server.stop());
    for (const [address, expected] of [
      ["/a/b/list.json?token=secret#part", "/a/b/"],
      ["/a/b/", "/a/b/"],
      ["", "/"],
      ["/../../x/%2e%2e/list.json", "/"],
    ] as const) {
      const error = await failureOf(windowFor(`${server.url}${address}`).fetch(build()));
      assert.equal(asked.at(-1), `${expected}soljson-v${LONG_VERSION}.js none`);
      assert.doesNotMatch(error.message, /secret/);
    }
    const withPassword = windowFor(`http://user:secret@127.0.0.1:${server.port}/list.json`);
    const error = await failureOf(withPassword.fetch(build()));
    assert.doesNotMatch(`${error.message} ${error.detail ?? ""} ${withPassword.place.host}`, /secret/);
    for (const address of ["file:///etc/list.json", "not an address", "ftp://host/list.json"])
      assert.equal((await failureOf(windowFor(address).fetch(build()))).code, "invalid_url", address);
  });

  it("comes once for all that wait for it, and goes on for those that stay", async () => {
    const responses: ServerResponse[] = [];
    const { server, downloads } = await list((_request, response) => {
      response.writeHead(200, { "content-length": String(BYTES) });
      response.write(compiler.content.subarray(0, 50_000));
      responses.push(response);
      return true;
    });
    const leaves = new AbortController();
    const heard: number[] = [];
    const [gone, ...stay] = [
      downloads.fetch(build(), undefined, leaves.signal),
      downloads.fetch(build(), ({ done }) => heard.push(done)),
      downloads.fetch(build()),
    ];
    await whenever(() => (heard.at(-1) ?? 0) > 0);
    const reason = new Error("not needed any more");
    leaves.abort(reason);
    await assert.rejects(gone, (error) => error === reason);
    responses[0]?.end(compiler.content.subarray(50_000));
    const files = await Promise.all(stay);
    assert.equal(new Set(files).size, 1);
    assert.deepEqual(await readFile(files[0]), compiler.content);
    assert.equal(server.asked.length, 1);
    assert.equal(heard.at(-1), BYTES);
  });

  it("ends when the last that waits leaves, and leaves what came to the next", async () => {
    let ended = 0;
    const { downloads } = await list((request, response) => {
      if (rangeOf(request.headers.range) > 0) return false;
      response.on("close", () => ended++);
      response.writeHead(200, { "content-length": String(BYTES) });
      response.write(compiler.content.subarray(0, 50_000));
      return true;
    });
    const cancel = new AbortController();
    let done = 0;
    const fetched = downloads.fetch(build(), (one) => (done = one.done), cancel.signal);
    await whenever(() => done === 50_000);
    cancel.abort(new Error("cancelled by the user"));
    await assert.rejects(fetched, /cancelled by the user/);
    await whenever(() => ended === 1);
    const progress: number[] = [];
    // At once: the one that was left may still be ending.
    const file = await downloads.fetch(build(), (one) => progress.push(one.done));
    assert.deepEqual(await readFile(file), compiler.content);
    await assert.rejects(downloads.fetch(build(), undefined, cancel.signal), /cancelled by the user/);
  });

  it(
    "comes whole for two windows at once, and goes on where one was killed",
    { timeout: 60_000 },
    async () => {
      const held: ServerResponse[] = [];
      const ranges: number[] = [];
      const { server } = await list((request, response) => {
        const from = rangeOf(request.headers.range);
        ranges.push(from);
        if (ranges.length > 2) return false;
        // The first two come in part, and wait.
        response.writeHead(200, { "content-length": String(BYTES) });
        response.write(compiler.content.subarray(0, 50_000));
        held.push(response);
        return true;
      });
      const program = fileURLToPath(new URL("./fetchingWindow.ts", import.meta.url));
      const start = () => {
        const child = fork(program, [storePath(), server.listUrl, LONG_VERSION, build().sha256[0] ?? ""], {
          stdio: ["ignore", "pipe", "inherit", "ipc"],
          // No test runner, which this process may be.
          execArgv: [],
        });
        folder.onEnd(() => child.kill("SIGKILL"));
        let [done, said] = [0, ""];
        child.on("message", (bytes) => (done = Number(bytes)));
        child.stdout?.setEncoding("utf8").on("data", (text: string) => (said += text));
        return { child, over: once(child, "close"), done: () => done, said: () => said.trim() };
      };
      const [killed, stays] = [start(), start()];
      await eventually(() => assert.deepEqual([killed.done(), stays.done()], [50_000, 50_000]));
      killed.child.kill("SIGKILL");
      await killed.over;
      for (const response of held) response.end(compiler.content.subarray(50_000));
      await stays.over;
      assert.deepEqual(await readFile(stays.said()), compiler.content);
      const left = (await readdir(storePath())).filter((name) => name.endsWith(".unfinished"));
      assert.equal(left.length, 1, left.join());
      // The file of the window that was killed is gone on with once it is abandoned, here because the other's is gone.
      await rm(stays.said());
      const then = Date.now() / 1000 - 300;
      await utimes(join(storePath(), left[0] ?? ""), then, then);
      const next = [start(), start()];
      await Promise.all(next.map(({ over }) => over));
      for (const { said } of next) assert.deepEqual(await readFile(said()), compiler.content);
      assert.deepEqual(
        ranges.slice(2).toSorted((a, b) => a - b),
        [0, 50_000],
      );
      assert.equal((await readdir(storePath())).length, 1);
    },
  );

  it("ends with the extension", async () => {
    const started = await startCompilerList({
      compilers: [compiler],
      interfere: (_request, response) => {
        response.writeHead(200, { "content-length": String(BYTES) });
        response.write(compiler.content.subarray(0, 50_000));
        return true;
      },
    });
    folder.onEnd(() => started.stop());
    const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
    const store = new CompilerStore(storePath(), 1024 * 1024);
    const downloads = new CompilerDownloads(client, store, () => started.listUrl, hasty);
    let done = 0;
    const fetched = downloads.fetch(build(), (one) => (done = one.done));
    await whenever(() => done > 0);
    await client.dispose();
    assert.equal((await failureOf(fetched)).code, "cancelled");
  });
});

async function whenever(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
