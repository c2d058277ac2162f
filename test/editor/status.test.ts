import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { StatusSummary } from "../../src/core/status/statusSummary.ts";
import { startServer, type LoopbackServer } from "../rig/loopback/httpServer.ts";
import { startStatusPage, type StatusPageServer } from "../sandbox/statusPage.ts";
import { world } from "./world.ts";

async function use(setting: string, value: unknown): Promise<void> {
  await vscode.workspace
    .getConfiguration("ledgerLens")
    .update(setting, value, vscode.ConfigurationTarget.Global);
}

function showStatus(): Thenable<StatusSummary> {
  return vscode.commands.executeCommand<StatusSummary>("ledgerLens.showStatus", {});
}

describe("Asking how the services are", () => {
  let page: StatusPageServer;
  let server: LoopbackServer | undefined;

  before(async () => {
    page = await startStatusPage();
    await use("statusUrl", page.url);
  });
  after(async () => {
    await use("statusUrl", world().statusPage);
    await page.stop();
    await server?.stop();
  });

  it("answers the summary in one form, lists always lists", async () => {
    const summary = await showStatus();
    assert.equal(summary.status.indicator, "none");
    assert.ok(summary.components.length > 5);
    assert.deepEqual(summary.incidents, []);
    assert.deepEqual(summary.scheduled_maintenances, []);
    assert.deepEqual(JSON.parse(JSON.stringify(summary)), summary);
  });

  it("asks conditionally: an answer that has not changed costs no body", async () => {
    const { full, notModified } = page.traffic;
    await showStatus();
    await showStatus();
    assert.equal(page.traffic.full, full);
    assert.equal(page.traffic.notModified, notModified + 2);
  });

  it("knows of an outage, and says so where a request fails because of it", async () => {
    const name = "Mirror Node REST API Public Mainnet";
    page.beginIncident({
      name: "Elevated error rates",
      impact: "critical",
      body: "We are investigating.",
      components: { [name]: "major_outage" },
    });
    const summary = await showStatus();
    assert.equal(summary.incidents[0]?.name, "Elevated error rates");
    assert.equal(summary.components.find((component) => component.name === name)?.status, "major_outage");
    page.beginIncident({
      name: "Mirror nodes answer slowly everywhere",
      impact: "major",
      body: "We are investigating.",
      components: {},
    });
    await showStatus();
    server = await startServer((_request, response) => {
      response.writeHead(500, { "content-type": "application/json" }).end("{}");
    });
    await use("ledgerUrl", server.url);
    try {
      await vscode.commands.executeCommand("ledgerLens.showToken", { tokenId: "0.0.5" });
      assert.fail("expected a refusal");
    } catch (error) {
      const { code, message } = error as { code: string; message: string };
      assert.equal(code, "server_error");
      assert.match(
        message,
        /status 500.*\. .* reports "Mirror nodes answer slowly everywhere" since [\d:]+ \(investigating\), which may be the reason\.$/,
      );
    } finally {
      await use("ledgerUrl", world().ledger);
    }
  });

  it("rejects with one sentence when the page does not tell", async () => {
    page.fault = { status: 503 };
    try {
      await showStatus();
      assert.fail("expected a refusal");
    } catch (error) {
      const { code, message } = error as { code: string; message: string };
      assert.equal(code, "status_page_unavailable");
      assert.match(message, /^The status page \(127\.0\.0\.1:\d+\) does not answer now \(status 503\)\./);
    } finally {
      page.fault = undefined;
    }
  });
});
