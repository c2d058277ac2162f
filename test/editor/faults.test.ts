import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually, PATIENCE_MS } from "../rig/eventually.ts";
import { startFaultProxy, type FaultProxy } from "../rig/loopback/faultProxy.ts";
import { FAULTS } from "../rig/loopback/faults.ts";
import { proofSize } from "../rig/proofSize.ts";
import { random } from "../unit/random.ts";
import { watchScreen } from "./shownQuestions.ts";
import { vault, world } from "./world.ts";

/** Faults that no attempt waits for: the product's own time-outs are half a minute. */
const QUICK = FAULTS.filter(
  ({ name, fault }) =>
    "answer" in fault && !/byte at a time|no answer comes|without end|502|503|504|429|chain/.test(name),
);

type Setting = "verificationUrl" | "ledgerUrl";

/** A command, the setting of the service that it asks, and what it answers where nothing goes wrong. */
interface Asking {
  readonly command: string;
  readonly setting: Setting;
  readonly args: () => object;
  readonly comparable: (answer: unknown) => unknown;
}

const { below } = random("commands and faults in the extension host");
const freshAddress = () => `0x${Array.from({ length: 40 }, () => below(10)).join("")}`;
const asJson = (answer: unknown) => JSON.parse(JSON.stringify(answer)) as unknown;
const status = (answer: unknown) => (answer as { status: string }).status;

const ASKING: readonly Asking[] = [
  {
    command: "verifyContract",
    setting: "verificationUrl",
    // Nothing is deployed there, so that every cell submits something of its own.
    args: () => ({
      contract: "contracts/Vault.sol:Vault",
      chainId: world().chainId,
      address: freshAddress(),
      confirmPublish: true,
    }),
    comparable: status,
  },
  {
    command: "showToken",
    setting: "ledgerUrl",
    args: () => ({ tokenId: world().scenes.tokens.coin }),
    comparable: asJson,
  },
  { command: "showSchedules", setting: "ledgerUrl", args: () => ({ limit: 5 }), comparable: asJson },
];

const originals = (): Readonly<Record<Setting, string>> => ({
  verificationUrl: world().service,
  ledgerUrl: world().ledger,
});

async function set(setting: Setting, url: string): Promise<void> {
  await vscode.workspace
    .getConfiguration("ledgerLens")
    .update(setting, url, vscode.ConfigurationTarget.Global);
}

async function within<T>(work: Thenable<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("It hangs.")), PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function call(command: string, args: object): Promise<unknown> {
  return within(vscode.commands.executeCommand(`ledgerLens.${command}`, args));
}

function checkError(error: unknown): void {
  const { code, message } = error as { code?: string; message: string };
  assert.match(code ?? message, /^[a-z][a-z0-9_]{2,40}$/, "a stable code");
  assert.notEqual(code, "internal", message);
  assert.match(message, /^[^\n\r]{1,1200}[.]$/, "one sentence");
  assert.doesNotMatch(message, /<html|\{"|\[object|undefined/i);
}

describe("A service at fault", () => {
  const proxies = new Map<Setting, FaultProxy>();

  before(async () => {
    for (const [setting, url] of Object.entries(originals()) as [Setting, string][]) {
      const { origin, pathname } = new URL(url);
      const proxy = await startFaultProxy(origin);
      proxies.set(setting, proxy);
      await set(setting, proxy.url + pathname.replace(/\/$/, ""));
    }
  });

  after(async () => {
    for (const [setting, url] of Object.entries(originals()) as [Setting, string][]) await set(setting, url);
    for (const proxy of proxies.values()) await proxy.stop();
  });

  it("costs a command one sentence, sends nothing twice, and is over when it is over", async function () {
    this.timeout(3_600_000);
    const all = ASKING.flatMap((asking) => QUICK.map((fault) => ({ asking, fault })));
    const cells = Array.from(
      { length: proofSize({ sample: 6, whole: all.length }) },
      () => all.splice(below(all.length), 1)[0],
    );
    for (const cell of cells) {
      if (!cell) continue;
      const { asking, fault } = cell;
      const proxy = proxies.get(asking.setting);
      assert.ok(proxy);
      const args = asking.args();
      const sentBefore = proxy.forwarded.length;
      await proxy.spoil(fault.fault, { meets: () => true });
      try {
        await call(asking.command, {
          ...args,
          ...(asking.setting === "verificationUrl" && { waitSeconds: 1 }),
        });
      } catch (error) {
        checkError(error);
      } finally {
        await proxy.mend();
      }
      const sent = proxy.forwarded.slice(sentBefore).filter(({ method }) => method === "POST");
      assert.ok(sent.length <= 1, `${asking.command}, ${fault.name}: sent ${sent.length} times`);
      const again = asking.comparable(await call(asking.command, asking.args()));
      const expected = asking.comparable(await call(asking.command, asking.args()));
      assert.deepEqual(again, expected, `${asking.command}, ${fault.name}`);
    }
    console.log(
      `commands and faults in the extension host: ${cells.length} of ${cells.length + all.length} cells`,
    );
  });
});

describe("A command of a person that fails for a reason that may pass", () => {
  it("says it once, with a way to do the same again and to the setting that says where to ask", async () => {
    const configuration = () => vscode.workspace.getConfiguration("ledgerLens");
    const nowhere = "http://127.0.0.1:9";
    const lists = configuration().inspect("solcListUrl")?.globalValue;
    const screen = watchScreen();
    try {
      await configuration().update("solcListUrl", `${nowhere}/list.json`, vscode.ConfigurationTarget.Global);
      const said = /can't be reached/;
      const asked = Promise.resolve(vscode.commands.executeCommand("ledgerLens.refreshCompilerList"));
      await eventually(() => assert.deepEqual(screen.buttonsOf(said), ["Try Again", "Show Log"]));
      assert.equal(screen.messages.filter((message) => message.includes("can't be reached")).length, 1);
      screen.pressButton(said, "Try Again");
      void asked;
      await eventually(() =>
        assert.equal(screen.messages.filter((message) => message.includes("can't be reached")).length, 2),
      );
      await set("verificationUrl", nowhere);
      const link = { kind: "job", id: crypto.randomUUID() };
      void vscode.commands.executeCommand("ledgerLens.openJobLink", link);
      await eventually(() =>
        assert.deepEqual(screen.buttonsOf(/verification service.*can't be reached/), [
          "Try Again",
          "Open Settings",
          "Show Log",
        ]),
      );
    } finally {
      screen.stop();
      await set("verificationUrl", originals().verificationUrl);
      await configuration().update("solcListUrl", lists, vscode.ConfigurationTarget.Global);
    }
  });
});

describe("An argument object, also an empty one", () => {
  const MISSING: Readonly<Record<string, object>> = {
    verifyContract: {},
    verifyBySimilarity: {},
    checkJob: {},
    explainFailure: {},
    exportCompilerInput: {},
    predictMatch: {},
    verifyLocally: {},
    findSettings: {},
    showToken: {},
    showTransactionActions: {},
    showSchedule: {},
    selectNetwork: {},
  };

  for (const [command, args] of Object.entries(MISSING)) {
    it(`never asks: ${command}`, async () => {
      await assert.rejects(call(command, args), (error: { code: string; message: string }) => {
        assert.equal(error.code, "missing_argument");
        checkError(error);
        return true;
      });
    });
  }

  it("names what is missing", async () => {
    const half = {
      contract: "contracts/Vault.sol:Vault",
      chainId: world().chainId,
      address: vault(0).address,
    };
    await assert.rejects(call("verifyContract", half), /Give confirmPublish: true in it/);
    await assert.rejects(call("predictMatch", { contract: half.contract }), /Give chainId, address in it/);
  });

  it("shows all schedules where no account is named", async () => {
    const { schedules } = (await call("showSchedules", {})) as { schedules: unknown[] };
    assert.ok(schedules.length > 0);
  });
});
