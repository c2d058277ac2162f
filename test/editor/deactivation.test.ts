import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { createRequire } from "node:module";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { world } from "./world.ts";

const JOB = "7b2f0000-0000-4000-8000-000000000001";
/** What keeps working by itself: timers, connections, watchers, threads, child processes. */
const KINDS =
  /^(Timeout|TCPWRAP|TLSWRAP|PIPEWRAP|FSEVENTWRAP|STATWATCHER|WORKER|PROCESSWRAP|GETADDRINFOREQWRAP)$/;

/** What the files of a folder started and have not ended, by its id: what it is, and where it was started. */
function watchWhatIsStarted(folder: string) {
  const open = new Map<number, { readonly kind: string; readonly stack: string }>();
  const hook = createHook({
    init(id, kind) {
      if (!KINDS.test(kind)) return;
      const depth = Error.stackTraceLimit;
      Error.stackTraceLimit = 60;
      const { stack = "" } = new Error(kind);
      Error.stackTraceLimit = depth;
      if (stack.includes(folder)) open.set(id, { kind, stack });
    },
    destroy: (id) => void open.delete(id),
  }).enable();
  return { open, stop: () => hook.disable() };
}

/** What the editor calls in `dist/extension.js`. */
interface OurModule {
  activate(context: object): void;
  deactivate(): Promise<void>;
}

/** The extension under test, with the path of its bundle; it may be over. */
function ourExtension(): { readonly bundle: string; readonly packageJSON: object } {
  const extension = vscode.extensions.all.find(({ packageJSON }) => {
    const { name } = packageJSON as { name?: string };
    return name === "ledger-lens";
  });
  assert.ok(extension);
  const packageJSON = extension.packageJSON as { readonly main: string };
  return { bundle: join(extension.extensionPath, packageJSON.main), packageJSON };
}

/** As the editor hands it to an extension that is new to it. */
function newContext(packageJSON: object): object {
  const memory = { get: () => undefined, update: () => Promise.resolve() };
  const storageUri = vscode.Uri.file(join(tmpdir(), "ledger-lens-never-stored"));
  return {
    extension: { packageJSON },
    subscriptions: [],
    workspaceState: memory,
    globalState: memory,
    storageUri,
    globalStorageUri: storageUri,
  };
}

async function use(setting: string, value: unknown): Promise<void> {
  await vscode.workspace
    .getConfiguration("ledgerLens")
    .update(setting, value, vscode.ConfigurationTarget.Global);
}

// The last suite: the extension is over when it ends.
describe("When the extension ends", () => {
  let service: Server;
  const connections = new Set<Socket>();

  before(async () => {
    service = createServer((request, response) => {
      const body =
        request.method === "POST"
          ? { verificationId: JOB }
          : request.url?.includes(JOB)
            ? { isJobCompleted: false, verificationId: JOB }
            : { match: null };
      response
        .writeHead(request.method === "POST" ? 202 : 200, { "content-type": "application/json" })
        .end(JSON.stringify(body));
    });
    service.on("connection", (socket) => {
      connections.add(socket);
      socket.once("close", () => connections.delete(socket));
    });
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    await use("verificationUrl", `http://127.0.0.1:${(service.address() as AddressInfo).port}`);
  });
  after(async () => {
    await use("verificationUrl", world().service);
    service.close();
    service.closeAllConnections();
  });

  it("leaves no timer, connection, watcher or command behind, whatever was under way", async () => {
    const { bundle } = ourExtension();
    const started = watchWhatIsStarted(`${dirname(bundle)}/`);
    try {
      for (const view of ["verification", "ledger", "status"])
        await vscode.commands.executeCommand(`ledgerLens.${view}.focus`);
      await vscode.commands.executeCommand("ledgerLens.showStatus", {});
      await vscode.commands.executeCommand("ledgerLens.showToken", { tokenId: world().scenes.tokens.coin });
      // The service never finishes this job, so that it is asked for again and again.
      await vscode.commands.executeCommand("ledgerLens.verifyBySimilarity", {
        chainId: world().chainId,
        address: `0x${"d".repeat(40)}`,
        confirmPublish: true,
        waitSeconds: 0,
      });
      const count = () => [...started.open.values()].map(({ kind }) => kind);
      assert.ok(count().includes("Timeout"), "the extension has a timer, or nothing is seen here");
      assert.ok(connections.size > 0, "the service has a connection");
      console.log(`under way: ${count().join(", ")}`);

      // The same module that the editor loaded.
      await (createRequire(bundle)(bundle) as OurModule).deactivate();

      await eventually(() => {
        const left = [...started.open.values()].map(({ kind, stack }) => `${kind} of ${stack}`);
        assert.deepEqual(left, []);
        assert.equal(connections.size, 0, "connections stay open");
        return Promise.resolve();
      });
      await assert.rejects(
        async () => vscode.commands.executeCommand("ledgerLens.showStatus", {}),
        /not found/,
        "the commands are gone",
      );
    } finally {
      started.stop();
    }
  });

  it("leaves nothing of what was still being loaded", async () => {
    const { bundle, packageJSON } = ourExtension();
    const started = watchWhatIsStarted(`${dirname(bundle)}/`);
    try {
      const again = createRequire(bundle)(bundle) as OurModule;
      again.activate(newContext(packageJSON));
      const asked = ["showStatus", "showSchedules", "verifyContract", "checkJob"].map((command) =>
        Promise.resolve(vscode.commands.executeCommand(`ledgerLens.${command}`, {})),
      );
      const outcomes = Promise.allSettled(asked);
      await again.deactivate();
      for (const outcome of await outcomes) {
        assert.equal(outcome.status, "rejected");
        assert.equal((outcome.reason as { code?: string }).code, "cancelled", String(outcome.reason));
      }
      await eventually(() => {
        const left = [...started.open.values()].map(({ kind, stack }) => `${kind} of ${stack}`);
        assert.deepEqual(left, []);
        assert.equal(connections.size, 0, "connections stay open");
        return Promise.resolve();
      });
    } finally {
      started.stop();
    }
  });
});
