import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mock } from "node:test";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as vscode from "vscode";
import { proofSize } from "../rig/proofSize.ts";
import { startServer, type LoopbackServer } from "../rig/loopback/httpServer.ts";

import { world } from "./world.ts";

/** Rounds before the first measurement: caches fill, code is compiled. */
const WARM_UP = proofSize({ sample: 3, whole: 100 });
const ROUNDS = proofSize({ sample: 6, whole: 2000 });
/**
 * The most that the heap may grow in a round, in bytes. The engine compiles code for the first hundreds of rounds, more
 * than a short run may keep: there only the other objects count.
 */
const MOST_GROWTH = proofSize({ sample: 70_000, whole: 20_000 });
const JOB = "7b2f0000-0000-4000-8000-";
const ACTIONS = 60;
const TRANSACTION = `0x${"7a".repeat(32)}`;

/** Runs a command of ours; one that hangs is named. */
async function call(command: string, args?: object): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${command} did not end within 30 s`)), 30_000);
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
function liveHeap(): { readonly objects: number; readonly code: number } {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  let objects = 0;
  let code = 0;
  for (const { space_name: space, space_used_size: size } of getHeapSpaceStatistics()) {
    if (/code|trusted/.test(space)) code += size;
    else objects += size;
  }
  return { objects, code };
}

/** The editor draws what it was told of within a fifth of a second. */
function drawn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 300));
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

describe("A long day in one window", () => {
  let ledger: LoopbackServer;
  let service: LoopbackServer;
  /** The addresses whose jobs the service is at work on. */
  const atWork = new Set<string>();

  before(async function () {
    // What the sandbox's ledger says once is said again without asking it.
    const answers = new Map<string, Promise<{ status: number; body: string }>>();
    const asked = async (path: string) => {
      const response = await fetch(world().ledger + path);
      return { status: response.status, body: await response.text() };
    };
    ledger = await startServer((request, response) => {
      const path = request.url ?? "";
      const say = ({ status, body }: { status: number; body: string }) =>
        response.writeHead(status, { "content-type": "application/json" }).end(body);
      if (path.includes(TRANSACTION) && path.includes("/actions")) {
        const actions = Array.from({ length: ACTIONS }, (_, index) => action(index));
        say({ status: 200, body: JSON.stringify({ actions, links: { next: null } }) });
        return;
      }
      const answer = answers.get(path) ?? asked(path);
      answers.set(path, answer);
      void answer.then(say, () => response.destroy());
    });
    let address = "";
    let jobs = 0;
    service = await startServer((request, response) => {
      const path = request.url ?? "";
      address = /^\/v2\/verify\/similarity\/\d+\/(0x\w+)/.exec(path)?.[1] ?? address;
      const contract = {
        match: "exact_match",
        runtimeMatch: "exact_match",
        chainId: world().chainId,
        address,
      };
      const [status, body] =
        request.method === "POST"
          ? [202, { verificationId: JOB + String(++jobs).padStart(12, "0") }]
          : path.startsWith("/v2/verify/")
            ? [200, { isJobCompleted: atWork.size === 0, verificationId: path.split("/").at(-1), contract }]
            : [404, { match: null, chainId: world().chainId, address }];
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    await use("ledgerUrl", ledger.url);
    await use("verificationUrl", service.url);
    await vscode.commands.executeCommand("ledgerLens.verification.focus");
    await vscode.commands.executeCommand("ledgerLens.ledger.focus");
  });

  after(async () => {
    await use("ledgerUrl", world().ledger);
    await use("verificationUrl", world().service);
    await ledger.stop();
    await service.stop();
  });

  /** Begins a job that the service is at work on, and cancels the waiting for it. */
  async function verifyAndCancel(address: string): Promise<void> {
    // A person cancels on the job's row, which knows the id that the job was given; here it is overheard.
    const ids: string[] = [];
    const overheard = mock.method(crypto, "randomUUID", () => {
      const id = randomUUID();
      ids.push(id);
      return id;
    });
    try {
      atWork.add(address);
      const args = { chainId: world().chainId, address, confirmPublish: true, waitSeconds: 20 };
      const verifying = call("verifyBySimilarity", args).finally(() => atWork.delete(address));
      while (atWork.has(address)) {
        for (const id of ids) await call("stopWaiting", { row: { record: { id } } });
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await verifying;
    } finally {
      overheard.mock.restore();
    }
  }

  /** Opens what people open, refreshes, verifies and cancels, and looks at another network in between. */
  async function oneRound(number: number): Promise<void> {
    const { tokens } = world().scenes;
    await use("ledgerUrl", ledger.url);
    await call("showToken", { tokenId: tokens.coin });
    await call("showTransactionActions", { transaction: TRANSACTION });
    await call("showSchedules", {});
    await call("refreshLedger");
    await verifyAndCancel(`0x${(number + 1).toString(16).padStart(40, "0")}`);
    await drawn();
    await use("ledgerUrl", world().ledger);
    await call("showToken", { tokenId: tokens.coin });
    await drawn();
  }

  /** Does something again and again, and tells what the heap and the handles did. */
  async function live(what: string, rounds: number, round: (number: number) => Promise<void>) {
    let number = 0;
    const times = async (count: number) => {
      for (const end = number + count; number < end; number++) await round(number);
      return { ...liveHeap(), handles: handles() };
    };
    const start = await times(WARM_UP);
    const middle = await times(rounds / 2);
    const end = await times(rounds / 2);
    const growth = (from: typeof start, to: typeof start) =>
      `${((to.objects - from.objects) / (rounds / 2) / 1000).toFixed(1)} kB and ` +
      `${((to.code - from.code) / (rounds / 2) / 1000).toFixed(1)} kB of code`;
    const marks = [start, middle, end];
    console.log(
      `${rounds} rounds of ${what}: heap ${marks.map(({ objects }) => `${(objects / 1e6).toFixed(2)} MB`).join(" → ")}, ` +
        `${growth(start, middle)} a round in the first half, ${growth(middle, end)} in the last; ` +
        `handles ${marks.map((mark) => mark.handles).join(" → ")}`,
    );
    assert.ok(end.handles <= start.handles + 5, "handles stay open");
    const objects = end.objects - start.objects;
    return proofSize({ sample: objects, whole: objects + end.code - start.code }) / rounds;
  }

  it("takes no more memory in its last hours than in its first", async function () {
    this.timeout(proofSize({ sample: 200_000, whole: 7_200_000 }));
    const growth = await live(
      "a token, 60 actions, schedules, a cancelled job and another network",
      ROUNDS,
      oneRound,
    );
    assert.ok(growth < MOST_GROWTH, `the heap grows by ${Math.round(growth / 1000)} kB a round`);
  });
});
