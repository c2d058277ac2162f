import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import * as vscode from "vscode";
import { vault, world } from "./world.ts";

const CONTRACT = "contracts/Vault.sol:Vault";

/** Calls a command that must fail; answers its error. */
async function refusal(command: string, args: object): Promise<{ code: string; message: string }> {
  try {
    await vscode.commands.executeCommand(`ledgerLens.${command}`, args);
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    assert.match(message, /^[^\n]+[.]$/, "one sentence or two, without a line break");
    return { code, message };
  }
  throw new Error(`${command} was expected to fail.`);
}

/** Points the extension at a service that behaves badly while `work` runs. */
async function withService(listener: RequestListener, work: () => Promise<void>): Promise<void> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const configuration = vscode.workspace.getConfiguration("ledgerLens");
  const { port } = server.address() as AddressInfo;
  await configuration.update(
    "verificationUrl",
    `http://127.0.0.1:${port}`,
    vscode.ConfigurationTarget.Global,
  );
  try {
    await work();
  } finally {
    await configuration.update("verificationUrl", world().service, vscode.ConfigurationTarget.Global);
    server.closeAllConnections();
    server.close();
  }
}

describe("Bad input", () => {
  const good = () => ({
    contract: CONTRACT,
    chainId: world().chainId,
    address: vault(0).address,
    confirmPublish: true,
  });

  it("names what is wrong with an argument", async () => {
    const cases: readonly (readonly [object, string, RegExp])[] = [
      [{ address: "0x1234" }, "invalid_address", /0x1234.*not an address/],
      [{ address: "0xE7f1725E7734CE288F8367e1Bb143E90bb3F0512" }, "invalid_address", /checksum/],
      [{ chainId: "0x127" }, "invalid_chain_id", /0x127/],
      [{ contract: "contracts/Vault.sol" }, "invalid_contract", /does not name a contract/],
      [{ contract: "contracts/Nothing.sol:Nothing" }, "file_not_found", /contracts\/Nothing\.sol/],
      [{ contract: "contracts/Vault.sol:Vaultt" }, "contract_not_found", /It has Vault/],
      [{ compilerVersion: "0.8.999" }, "invalid_compiler_version", /0\.8\.999/],
      [{ creationTransactionHash: "0x12" }, "invalid_transaction_hash", /0x12/],
      [{ chainId: "424242" }, "unsupported_chain", /does not know this chain/],
    ];
    for (const [change, code, message] of cases) {
      const error = await refusal("verifyContract", { ...good(), ...change });
      assert.equal(error.code, code);
      assert.match(error.message, message);
    }
    assert.equal((await refusal("checkJob", { verificationId: "42" })).code, "invalid_verification_id");
  });

  it("says that an address in the settings is none, whatever stands there, and works again once that is mended", async () => {
    const settings = vscode.workspace.getConfiguration("ledgerLens");
    const set = (name: string, value: unknown) =>
      settings.update(name, value, vscode.ConfigurationTarget.Global);
    const commands = {
      verificationUrl: () => refusal("checkJob", { verificationId: "7b2f0000-0000-4000-8000-000000000001" }),
      ledgerUrl: () => refusal("showToken", { tokenId: "0.0.1234" }),
      statusUrl: () => refusal("showStatus", {}),
    };
    for (const [name, refused] of Object.entries(commands)) {
      const before = settings.inspect(name)?.globalValue;
      for (const value of [5, {}, ["https://a.example"], true]) {
        await set(name, value);
        try {
          const { code, message } = await refused();
          assert.equal(code, "invalid_url", message);
          assert.match(message, /settings? (?:of Ledger Lens|ledgerLens\.)/);
        } finally {
          await set(name, before);
        }
      }
    }
    const [watched, seconds] = ["watchedComponents", "statusPollSeconds"].map(
      (name) => settings.inspect(name)?.globalValue,
    );
    await set("watchedComponents", "Mainnet");
    await set("statusPollSeconds", "often");
    try {
      assert.ok(await vscode.commands.executeCommand("ledgerLens.showStatus", {}));
    } finally {
      await set("watchedComponents", watched);
      await set("statusPollSeconds", seconds);
    }
  });

  it("says that nothing is deployed at an address", async () => {
    const answer = await vscode.commands.executeCommand<{
      status: string;
      job: { error: { customCode: string } };
    }>("ledgerLens.verifyContract", { ...good(), address: "0x00000000000000000000000000000000000000aa" });
    assert.equal(answer.status, "failed");
    assert.equal(answer.job.error.customCode, "contract_not_deployed");
  });

  it("says that the service answered with a page instead of JSON", () =>
    withService(
      (_request, response) =>
        response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>Welcome"),
      async () => {
        const { code, message } = await refusal("verifyContract", good());
        assert.equal(code, "not_json");
        assert.match(message, /an HTML page/);
      },
    ));

  it("says that the service can't be reached", async () => {
    const configuration = vscode.workspace.getConfiguration("ledgerLens");
    await configuration.update("verificationUrl", "http://127.0.0.1:9", vscode.ConfigurationTarget.Global);
    try {
      const { code, message } = await refusal("verifyContract", good());
      assert.equal(code, "unreachable");
      assert.match(message, /nothing listens there/);
    } finally {
      await configuration.update("verificationUrl", world().service, vscode.ConfigurationTarget.Global);
    }
  });

  it("stops reading a body of 100 MB", () =>
    withService(
      (_request, response) => {
        response.writeHead(202, { "content-type": "application/json" });
        const chunk = Buffer.alloc(1024 * 1024, " ");
        const write = (left: number): void => {
          if (left === 0) response.end("{}");
          else response.write(chunk, () => write(left - 1));
        };
        write(100);
      },
      async () => {
        const { code, message } = await refusal("verifyContract", good());
        assert.equal(code, "too_large");
        assert.match(message, /64 MB/);
      },
    ));

  it("keeps a job that never ends and answers that it is pending", () => {
    const verificationId = "11111111-2222-4333-8444-555555555555";
    return withService(
      (request, response) => {
        response.writeHead(request.method === "POST" ? 202 : 200, { "content-type": "application/json" });
        response.end(JSON.stringify({ verificationId, isJobCompleted: false, contract: { match: null } }));
      },
      async () => {
        const answer = await vscode.commands.executeCommand<{ status: string }>("ledgerLens.verifyContract", {
          ...good(),
          waitSeconds: 1,
        });
        assert.equal(answer.status, "pending");
        const again = await vscode.commands.executeCommand<{ status: string }>("ledgerLens.checkJob", {
          verificationId,
          waitSeconds: 0,
        });
        assert.equal(again.status, "pending");
      },
    );
  });
});
