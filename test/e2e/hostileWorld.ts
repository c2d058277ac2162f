import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEditor, type EditorServer } from "../rig/editorServer.ts";
import { eventually } from "../rig/eventually.ts";
import { startServer, type LoopbackServer } from "../rig/loopback/httpServer.ts";
import { packageExtension } from "../rig/packagedExtension.ts";
import { ADDRESS, ENDLESS, failedRecord, hostileAnswer, LINK } from "../attacks/hostile/hostileAnswers.ts";
import { startStatusPage, type StatusPageServer } from "../sandbox/statusPage.ts";

/** A folder and three services that say hostile things in every field, and an editor that looks at them. */
export interface HostileWorld {
  readonly workspace: string;
  readonly editor: EditorServer;
  readonly statusPage: StatusPageServer;
  /**
   * Puts a record of a failed verification of the folder's Vault beside those that the extension keeps, once it has made
   * room for them, which it does when its view is seen. It is read when the window is loaded anew.
   */
  storeJob(id: string, said: { readonly contractName: string; readonly chainId: string }): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it all on loopback. */
export async function startHostileWorld(): Promise<HostileWorld> {
  const workspace = await hostileWorkspace();
  const [service, statusPage, vsix] = await Promise.all([
    hostileService(),
    startStatusPage({ maxAgeSeconds: 0 }),
    packageExtension(),
  ]);
  const editor = await startEditor({
    vsix: [vsix],
    settings: {
      "ledgerLens.verificationUrl": service.url,
      "ledgerLens.ledgerUrl": service.url,
      "ledgerLens.statusUrl": statusPage.url,
    },
  });
  return {
    workspace,
    editor,
    statusPage,
    async storeJob(id, said) {
      const jobs = await eventually(async () => {
        const entries = await readdir(editor.dataFolder, { recursive: true });
        return (
          entries.find((entry) => /ledger-lens\.ledger-lens[\\/]jobs$/.test(entry)) ??
          assert.fail("there is no folder for jobs")
        );
      });
      const record = failedRecord(id, { path: vaultIn(workspace), service: service.url, ...said });
      await writeFile(join(editor.dataFolder, jobs, `${id}.job.json`), JSON.stringify(record));
    },
    async stop() {
      await editor.stop();
      await Promise.all([service.stop(), statusPage.stop()]);
      await rm(workspace, { recursive: true, force: true });
    },
  };
}

async function hostileWorkspace(): Promise<string> {
  const workspace = await mkdtemp(join(tmpdir(), "hostile-"));
  const broadcast = join(workspace, "broadcast/Deploy.s.sol/296");
  await mkdir(join(workspace, "src", LINK), { recursive: true });
  await mkdir(broadcast, { recursive: true });
  const write = (path: string, text: string) => writeFile(join(workspace, path), text);
  const head = "// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\n";
  await write("foundry.toml", '[profile.default]\nsrc = "src"\nsolc = "0.8.28"\n');
  await writeFile(vaultIn(workspace), `${head}contract Vault { uint256 public total; }\n`);
  await write("src/Broken.sol", `${head}import "./${LINK}.sol";\ncontract Broken {}\n`);
  const transaction = {
    hash: `0x${"cd".repeat(32)}`,
    transactionType: "CREATE",
    contractName: ENDLESS,
    contractAddress: ADDRESS,
  };
  const run = { chain: 296, timestamp: 1_700_000_000, transactions: [transaction], receipts: [] };
  await writeFile(join(broadcast, "run-latest.json"), JSON.stringify(run));
  return workspace;
}

const vaultIn = (workspace: string) => join(workspace, "src", LINK, "Vault.sol");

/** A verification service and a ledger at one address. */
async function hostileService(): Promise<LoopbackServer> {
  return startServer((request, response) => {
    const [status, body] = hostileAnswer(request.method ?? "", request.url ?? "");
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
}
