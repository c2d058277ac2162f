import assert from "node:assert/strict";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as vscode from "vscode";
import { eventually, PATIENCE_MS } from "../rig/eventually.ts";
import { proofSize } from "../rig/proofSize.ts";
import { startServer, type LoopbackServer } from "../rig/loopback/httpServer.ts";

import { world } from "./world.ts";

/** Rounds before the first measurement: caches fill, code is compiled. */
const WARM_UP = proofSize({ sample: 8, whole: 200 });
const ROUNDS = proofSize({ sample: 8, whole: 2000 });
/** So often these rounds are lived through at most, until the heap has settled: on a slow machine caches fill later. */
const MAX_DAYS = proofSize({ sample: 4, whole: 1 });
/** The heap is looked at so often meanwhile; an even number. */
const PARTS = 8;
/** The most that live objects may grow in a round, in bytes. */
const MAX_GROWTH = 20_000;
const JOB = "7b2f0000-0000-4000-8000-";
const ACTIONS = 60;
/** So many transactions are opened on a network, one after the other; the list is full of the newest of them. */
const TRANSACTIONS = proofSize({ sample: 4, whole: 1100 });

/** Runs a command of ours; one that hangs is named. */
async function call(command: string, args?: object): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${command} does not end`)), PATIENCE_MS);
  });
  try {
    await Promise.race([vscode.commands.executeCommand(`ledgerLens.${command}`, args), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function use(setting: string, value: string): Promise<void> {
  await vscode.workspace
    .getConfiguration("ledgerLens")
    .update(setting, value, vscode.ConfigurationTarget.Global);
}

/**
 * Bytes of live objects in the extension host, and of compiled code, which grows by what is run often enough and not
 * by what is kept.
 */
async function liveHeap(): Promise<{ readonly objects: number; readonly code: number }> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // What is told of the end of objects comes after they are collected, and lets go of others.
  for (let times = 0; times < 4; times++) await endOfAnObject(collect);
  collect();
  let objects = 0;
  let code = 0;
  for (const { space_name: space, space_used_size: size } of getHeapSpaceStatistics()) {
    if (/code|trusted/.test(space)) code += size;
    else objects += size;
  }
  return { objects, code };
}

/** Is told of the end of objects, and calls what was left for it. */
const ends = new FinalizationRegistry<() => void>((told) => {
  told();
});

/** Collects until an object of now is gone and its end was told, and with it that of all that were gone before. */
async function endOfAnObject(collect: () => void): Promise<void> {
  const end = { isTold: false };
  ends.register({}, () => (end.isTold = true));
  while (!end.isTold) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * By how much a heap grows in a round: the median over any two looks at it, which something that is kept once, or let go
 * of once, does not change.
 */
function usualGrowth(heaps: readonly number[], roundsBetween: number): number {
  const slopes = heaps.flatMap((from, at) =>
    heaps.slice(at + 1).map((to, later) => (to - from) / ((later + 1) * roundsBetween)),
  );
  return slopes.sort((one, other) => one - other)[Math.floor(slopes.length / 2)] ?? 0;
}

/** What keeps the extension host awake, without what comes and goes by itself. */
function handles(): number {
  return process.getActiveResourcesInfo().filter((kind) => !/Timeout|Immediate|FSReq|Req/.test(kind)).length;
}

function action(index: number): object {
  return {
    call_depth: 0,
    call_operation_type: "CALL",
    call_type: "CALL",
    caller: `0.0.${1000 + index}`,
    caller_type: "CONTRACT",
    from: `0x${"1".repeat(40)}`,
    gas: 8_000_000,
    gas_used: 100_000 + index,
    index,
    input: `0xa9059cbb${index.toString(16).padStart(128, "0")}`,
    recipient: `0.0.${2000 + index}`,
    recipient_type: "CONTRACT",
    result_data: `0x${"1".padStart(64, "0")}`,
    result_data_type: "OUTPUT",
    timestamp: "1676540001.234390005",
    to: `0x${"2".repeat(40)}`,
    value: 0,
  };
}

function transaction(number: number): string {
  return `0x7a${number.toString(16).padStart(62, "0")}`;
}

/** A ledger with any number of transactions of many actions; all else is as the sandbox's ledger said it once. */
async function startLedger(): Promise<LoopbackServer> {
  const answers = new Map<string, Promise<{ status: number; body: string }>>();
  const asked = async (path: string) => {
    const response = await fetch(world().ledger + path);
    return { status: response.status, body: await response.text() };
  };
  const actions = JSON.stringify({
    actions: Array.from({ length: ACTIONS }, (_, index) => action(index)),
    links: { next: null },
  });
  return startServer((request, response) => {
    const say = ({ status, body }: { status: number; body: string }) =>
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    const path = (request.url ?? "").replace(/0x7a[0-9a-f]{62}/, transaction(0));
    if (path.includes(transaction(0)) && path.includes("/actions")) {
      say({ status: 200, body: actions });
      return;
    }
    const answer = answers.get(path) ?? asked(path);
    answers.set(path, answer);
    void answer.then(say, () => response.destroy());
  });
}

/** A service that is at work on a job for as long as its command waits. */
async function startService(isAtWork: () => boolean): Promise<LoopbackServer> {
  let address = "";
  let jobs = 0;
  return startServer((request, response) => {
    const path = request.url ?? "";
    const { chainId } = world();
    address = /^\/v2\/verify\/similarity\/\d+\/(0x\w+)/.exec(path)?.[1] ?? address;
    const contract = { match: "exact_match", runtimeMatch: "exact_match", chainId, address };
    const [status, body] =
      request.method === "POST"
        ? [202, { verificationId: JOB + String(++jobs).padStart(12, "0") }]
        : path.startsWith("/v2/verify/")
          ? [200, { isJobCompleted: !isAtWork(), verificationId: path.split("/").at(-1), contract }]
          : [404, { match: null, chainId, address }];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
}

/** Where the extension keeps the jobs: the paths of their files. */
async function jobFiles(): Promise<string[]> {
  const data = process.env["LEDGER_LENS_EDITOR_DATA"] ?? "";
  const files = await readdir(data, { recursive: true });
  return files.filter((file) => file.endsWith(".job.json")).map((file) => join(data, file));
}

/** Removes jobs, such as those of other suites, whose services are gone: a request for all jobs would wait for them. */
async function removeJobs(): Promise<void> {
  for (const file of await jobFiles())
    await call("removeJob", { row: { record: { id: basename(file, ".job.json") } } });
}

/** Counts the drawings of rows whose id matches, in every view. */
function countRows(pattern: RegExp) {
  const ids = new WeakMap<object, string>();
  let count = 0;
  Object.defineProperty(vscode.TreeItem.prototype, "id", {
    configurable: true,
    get(this: object) {
      return ids.get(this);
    },
    set(this: object, id: string) {
      ids.set(this, id);
      if (pattern.test(id)) count++;
    },
  });
  return {
    get count() {
      return count;
    },
    stop: () => Reflect.deleteProperty(vscode.TreeItem.prototype, "id"),
  };
}

describe("A long day in one window", () => {
  const ledgers: LoopbackServer[] = [];
  let service: LoopbackServer;
  /** The addresses whose jobs the service is at work on. */
  const atWork = new Set<string>();
  /** The ids that were made since the last verification began. */
  let ids: string[] = [];

  before(async () => {
    ledgers.push(await startLedger(), await startLedger());
    service = await startService(() => atWork.size > 0);
    await removeJobs();
    await use("ledgerUrl", ledgers[0]?.url ?? "");
    await use("verificationUrl", service.url);
    // A person cancels on the job's row, which knows the id that the job was given; here it is overheard.
    const newId = crypto.randomUUID.bind(crypto);
    crypto.randomUUID = () => {
      const id = newId();
      ids.push(id);
      return id;
    };
    await vscode.commands.executeCommand("ledgerLens.verification.focus");
    await vscode.commands.executeCommand("ledgerLens.ledger.focus");
  });

  after(async () => {
    Reflect.deleteProperty(crypto, "randomUUID");
    await use("ledgerUrl", world().ledger);
    await use("verificationUrl", world().service);
    for (const server of [...ledgers, service]) await server.stop();
  });

  /** Begins a job that the service is at work on, and cancels the waiting for it. */
  async function verifyAndCancel(address: string): Promise<void> {
    ids = [];
    atWork.add(address);
    const args = { chainId: world().chainId, address, confirmPublish: true, waitSeconds: 20 };
    const verifying = call("verifyBySimilarity", args).finally(() => atWork.delete(address));
    while (atWork.has(address)) {
      for (const id of [...ids]) await call("stopWaiting", { row: { record: { id } } });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await verifying;
  }

  /** Opens what people open, refreshes, verifies, cancels, and goes to the other network. */
  async function oneRound(number: number): Promise<void> {
    await call("showToken", { tokenId: world().scenes.tokens.coin });
    await call("showTransactionActions", {
      transaction: transaction(Math.floor(number / 2) % TRANSACTIONS),
    });
    await call("showSchedules", {});
    await call("refreshLedger");
    await verifyAndCancel(`0x${(number + 1).toString(16).padStart(40, "0")}`);
    await call("refreshVerification");
    await use("ledgerUrl", ledgers[(number + 1) % 2]?.url ?? "");
    // What these servers keep for other tests is none of the extension's.
    for (const { asked } of [...ledgers, service]) asked.length = 0;
  }

  let rounds = 0;

  async function live(count: number) {
    for (const end = rounds + count; rounds < end; rounds++) await oneRound(rounds);
    for (const server of [...ledgers, service]) server.closeIdle();
    return { ...(await liveHeap()), handles: handles() };
  }

  /** Lives through a day, and tells what the heap and the handles did; resolves to what the heap grew by in a round. */
  async function liveThroughDay(): Promise<number> {
    const start = await live(0);
    const began = performance.now();
    const marks = [start];
    while (marks.length <= PARTS) marks.push(await live(ROUNDS / PARTS));
    const seconds = (performance.now() - began) / 1000;
    const middle = marks[PARTS / 2] ?? start;
    const end = marks[PARTS] ?? start;
    const grown = (from: typeof start, to: typeof start, kind: "objects" | "code") =>
      `${((to[kind] - from[kind]) / (ROUNDS / 2) / 1000).toFixed(1)} kB`;
    const half = (from: typeof start, to: typeof start) =>
      `${grown(from, to, "objects")} and ${grown(from, to, "code")} of code a round, handles ${from.handles} → ${to.handles}`;
    console.log(
      `${ROUNDS} rounds of a token, ${ACTIONS} actions, schedules, a cancelled job, refreshing and another network in ` +
        `${seconds.toFixed(0)} s, after ${rounds - ROUNDS}: first half ${half(start, middle)}; ` +
        `last half ${half(middle, end)}; objects ${marks.map(({ objects }) => (objects / 1e6).toFixed(2)).join(", ")} MB`,
    );
    // How many connections are open at one look is chance; what stays open does not go away.
    const inFirstHalf = Math.max(...marks.slice(0, PARTS / 2 + 1).map((mark) => mark.handles));
    await eventually(() => {
      const atEnd = handles();
      assert.ok(atEnd <= inFirstHalf + 5, `handles stay open: ${inFirstHalf}, then ${atEnd}`);
    });
    return usualGrowth(
      marks.map(({ objects }) => objects),
      ROUNDS / PARTS,
    );
  }

  it("creates no row of a thousand jobs while nothing happens", async () => {
    await verifyAndCancel(`0x${"1d".repeat(20)}`);
    await call("refreshVerification");
    const [file = ""] = await jobFiles();
    const kept = JSON.parse(await readFile(file, "utf8")) as object;
    await removeJobs();
    const jobs = Array.from({ length: 1000 }, (_, at) => {
      // Older than what is still told in minutes, and than what the service is asked about.
      const submittedAt = Date.now() - 86_400_000 - at * 60_000;
      return {
        ...kept,
        id: `idle-${at}`,
        submittedAt,
        checkedAt: submittedAt,
        finishedAt: submittedAt - 600_000,
      };
    });
    const paths = jobs.map(({ id }) => join(dirname(file), `${id}.job.json`));
    for (const [at, path] of paths.entries()) await writeFile(path, JSON.stringify(jobs[at]));
    const rows = countRows(/\/(?:job idle-|older)/);
    try {
      await vscode.commands.executeCommand("workbench.view.explorer");
      await vscode.commands.executeCommand("ledgerLens.verification.focus");
      await eventually(() => {
        assert.ok(rows.count > 20, "twenty jobs and the group of the others are drawn");
        return Promise.resolve();
      });
      // What another suite verified a moment ago tells the seconds for a minute, and every five of them all rows are
      // compared; a job that told a time would never come to rest.
      const drawn: number[] = [];
      while (drawn.length < 12 && drawn.at(-1) !== 0) {
        const before = rows.count;
        await new Promise((resolve) => setTimeout(resolve, 6_000));
        drawn.push(rows.count - before);
      }
      assert.equal(drawn.at(-1), 0, `rows that were drawn in six seconds each: ${drawn.join(", ")}`);
    } finally {
      rows.stop();
      for (const path of paths) await rm(path, { force: true });
    }
  });

  it("takes no more memory in its last hours than in its first", async function () {
    this.timeout(proofSize({ sample: 600_000, whole: 7_200_000 }));
    await live(WARM_UP);
    const days: number[] = [];
    // What is kept of every round is kept in each of the days.
    while (days.length < MAX_DAYS && (days.at(-1) ?? MAX_GROWTH) >= MAX_GROWTH)
      days.push(await liveThroughDay());
    const grown = days.map((growth) => (growth / 1000).toFixed(1)).join(", then ");
    assert.ok((days.at(-1) ?? MAX_GROWTH) < MAX_GROWTH, `the heap grows by ${grown} kB a round`);
  });
});
