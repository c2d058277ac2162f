import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { createRequire } from "node:module";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { world } from "./world.ts";

const JOB = "7b2f0000-0000-4000-8000-000000000001";
/** What keeps working by itself: timers, connections, watchers, threads, child processes. */
const KINDS =
  /^(Timeout|TCPWRAP|TLSWRAP|PIPEWRAP|FSEVENTWRAP|STATWATCHER|WORKER|PROCESSWRAP|GETADDRINFOREQWRAP)$/;

/** What the extension started and has not ended, by its id: what it is, and where it was started. */
function watchWhatIsStarted(bundle: string) {
  const open = new Map<number, { readonly kind: string; readonly stack: string }>();
  const hook = createHook({
    init(id, kind) {
      if (!KINDS.test(kind)) return;
      const depth = Error.stackTraceLimit;
      Error.stackTraceLimit = 60;
      const { stack = "" } = new Error(kind);
      Error.stackTraceLimit = depth;
      if (stack.includes(bundle)) open.set(id, { kind, stack });
    },
    destroy: (id) => void open.delete(id),
  }).enable();
  return { open, stop: () => hook.disable() };
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
    const extension = vscode.extensions.all.find(({ packageJSON }) => {
      const { name } = packageJSON as { name?: string };
      return name === "ledger-lens";
    });
    assert.ok(extension);
    const { main } = extension.packageJSON as { main: string };
    const bundle = join(extension.extensionPath, main);
    const started = watchWhatIsStarted(bundle.replace(/\.js$/, ""));
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
      const loaded = createRequire(bundle)(bundle) as { deactivate(): Promise<void> };
      await loaded.deactivate();

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
});
