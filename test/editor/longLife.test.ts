import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as vscode from "vscode";
import { proofSize } from "../rig/proofSize.ts";
import { startServer, type LoopbackServer } from "../rig/loopback/httpServer.ts";

import { world } from "./world.ts";

/** Rounds before the first measurement: caches fill, code is compiled. */
const WARM_UP = proofSize({ sample: 10, whole: 100 });
const ROUNDS = proofSize({ sample: 10, whole: 2000 });
/**
 * The most that the heap may grow in a round, in bytes. The engine compiles code for the first hundreds of rounds,
 * which a short run counts as growth.
 */
const MOST_GROWTH = proofSize({ sample: 80_000, whole: 20_000 });
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

/** Bytes of live objects in the extension host. */
function liveHeap(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
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
    await use("ledgerUrl", ledger.url);
    await vscode.commands.executeCommand("ledgerLens.ledger.focus");
  });

  after(async () => {
    await use("ledgerUrl", world().ledger);
    await ledger.stop();
  });

  /** Opens what people open, refreshes, and looks at another network in between. */
  async function lookAtTheLedger(): Promise<void> {
    const { tokens } = world().scenes;
    await use("ledgerUrl", ledger.url);
    await call("showToken", { tokenId: tokens.coin });
    await call("showTransactionActions", { transaction: TRANSACTION });
    await call("showSchedules", {});
    await call("refreshLedger");
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
      return { heap: liveHeap(), handles: handles() };
    };
    const start = await times(WARM_UP);
    const middle = await times(rounds / 2);
    const end = await times(rounds / 2);
    const growth = (from: typeof start, to: typeof start) =>
      `${((to.heap - from.heap) / (rounds / 2) / 1000).toFixed(1)} kB`;
    const marks = [start, middle, end];
    console.log(
      `${rounds} rounds of ${what}: heap ${marks.map(({ heap }) => `${(heap / 1e6).toFixed(2)} MB`).join(" → ")}, ` +
        `${growth(start, middle)} a round in the first half, ${growth(middle, end)} in the last; ` +
        `handles ${marks.map((mark) => mark.handles).join(" → ")}`,
    );
    assert.ok(end.handles <= start.handles + 5, "handles stay open");
    return (end.heap - start.heap) / rounds;
  }

  it("takes no more memory for looking at the ledger in its last hours than in its first", async function () {
    this.timeout(proofSize({ sample: 200_000, whole: 7_200_000 }));
    const growth = await live("a token, 60 actions, schedules and another network", ROUNDS, lookAtTheLedger);
    assert.ok(growth < MOST_GROWTH, `the heap grows by ${Math.round(growth / 1000)} kB a round`);
  });
});
