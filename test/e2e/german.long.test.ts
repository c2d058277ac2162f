import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startEditor, type EditorServer } from "../rig/editorServer.ts";
import { eventually } from "../rig/eventually.ts";
import { startServer, type LoopbackServer } from "../rig/loopback/httpServer.ts";
import { packageExtension } from "../rig/packagedExtension.ts";
import { Workbench } from "../rig/workbench.ts";

const TOKEN = { token_id: "0.0.77", name: "Probe", symbol: "PRB", decimals: "2", total_supply: "1234500" };
const FAILED_CALL = {
  call_depth: 0,
  call_type: "CALL",
  caller: "0.0.5",
  caller_type: "ACCOUNT",
  from: "0x0000000000000000000000000000000000000005",
  gas: 60_000,
  gas_used: 31_000,
  index: 0,
  input: "0xa9059cbb",
  recipient: "0.0.2009",
  recipient_type: "CONTRACT",
  result_data: "0x",
  result_data_type: "REVERT_REASON",
  timestamp: "1700000000.000000001",
  to: "0x00000000000000000000000000000000000007d9",
  value: 0,
};

describe("A person works in German", () => {
  let [workspace, ledger]: [string, LoopbackServer] = ["", undefined as never];
  let editor: EditorServer;
  let workbench: Workbench;
  before(async () => {
    ledger = await startServer((request, response) => {
      const path = request.url ?? "";
      const body = path.includes("/tokens/0.0.77")
        ? TOKEN
        : path.includes("/actions")
          ? { actions: [FAILED_CALL], links: { next: null } }
          : undefined;
      response
        .writeHead(body ? 200 : 404, { "content-type": "application/json" })
        .end(JSON.stringify(body ?? { _status: { messages: [{ message: "Not found" }] } }));
    });
    workspace = await mkdtemp(join(tmpdir(), "german-"));
    await writeFile(join(workspace, "Vault.sol"), "contract Vault {}\n");
    editor = await startEditor({
      vsix: [await packageExtension()],
      language: "de",
      settings: { "ledgerLens.ledgerUrl": ledger.url, "ledgerLens.statusUrl": ledger.url },
    });
    workbench = await Workbench.open(editor.url, workspace);
    await workbench.openViewContainer("Ledger Lens");
  });
  after(async () => {
    await workbench.close();
    await editor.stop();
    await ledger.stop();
    await rm(workspace, { recursive: true, force: true });
  });

  it("finds the commands by their German names, and reads a token", () =>
    workbench.keepPictureOnFailure("german-token", async () => {
      await workbench.page.locator(".pane-body", { hasText: "Vertrag verifizieren…" }).first().waitFor();
      await workbench.runCommand("Ledger Lens: Token anzeigen…");
      await workbench.waitForQuestion("Welches Token");
      await workbench.type("0.0.77");
      await workbench.waitForEntry(/Token/);
      await workbench.accept();
      await workbench.showOnly("Ledger");
      await eventually(async () => {
        const rows = await workbench.viewRows("Ledger");
        assert.deepEqual(
          ["Gesamtmenge", "Schlüssel", "Gebühren"].filter(
            (wanted) => !rows.some(({ label }) => label === wanted),
          ),
          [],
          JSON.stringify(rows),
        );
      });
    }));

  it("is told in German what went wrong and what to do", () =>
    workbench.keepPictureOnFailure("german-error", async () => {
      await workbench.runCommand("Ledger Lens: Geplante Transaktion anzeigen…");
      await workbench.waitForQuestion("Welche geplante Transaktion");
      await workbench.type("0.0.99");
      await workbench.waitForEntry(/Geplante Transaktion|Zeitplan/);
      await workbench.accept();
      const { text, buttons } = await workbench.waitForNotification(/0\.0\.99/);
      assert.match(text, /hat das Gesuchte nicht/);
      assert.ok(buttons.length < 3, buttons.join());
    }));

  it("reads the page of a transaction", () =>
    workbench.keepPictureOnFailure("german-page", async () => {
      await workbench.runCommand("Ledger Lens: Vertragsaktionen einer Transaktion anzeigen…");
      await workbench.waitForQuestion("Welche Transaktion");
      await workbench.type("0.0.5@1700000000.000000001");
      await workbench.waitForEntry(/Transaktion/);
      await workbench.accept();
      const page = workbench.editorPage();
      await page.getByRole("tab", { name: /^Aufrufe/ }).waitFor();
      // Its parts arrive one after another.
      const said = await eventually(async () => {
        const text = await page.locator("body").innerText();
        for (const words of ["ohne Grund zurückgesetzt", "Gasverbrauch: 31,000", "Eigenes", "An: 0.0.2009"])
          assert.ok(text.includes(words), `${words} in ${text}`);
        return text;
      });
      // What is English still would be a sentence of ours.
      assert.doesNotMatch(said, /\b(?:the|with|of|From|To)\b/);
      assert.equal(await page.locator("html").getAttribute("lang"), "de");
    }));
});
