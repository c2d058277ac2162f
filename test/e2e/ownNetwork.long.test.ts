import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { findAsAPerson, openFind } from "../ledgerJourney.ts";
import { startEditor, type EditorServer } from "../rig/editorServer.ts";
import { eventually } from "../rig/eventually.ts";
import { startServer, type LoopbackServer } from "../rig/loopback/httpServer.ts";
import { packageExtension } from "../rig/packagedExtension.ts";
import { Workbench } from "../rig/workbench.ts";

/** Where this person verifies, as a rule; nothing listens there. */
const PRIVATE = "https://127.0.0.1:9/private";
const KEY = "4f1c9a77-never-to-be-shown";

describe("A person adds a network of their own, with a key", () => {
  let [workspace, own, slow]: [string, LoopbackServer, LoopbackServer] = ["", never(), never()];
  let editor: EditorServer;
  let workbench: Workbench;
  const waiting: (() => void)[] = [];
  before(async () => {
    const token = (id: string, symbol: string) =>
      JSON.stringify({
        token_id: id,
        name: symbol,
        symbol,
        decimals: "0",
        total_supply: "7",
        type: "FUNGIBLE_COMMON",
      });
    const hasKey = ({ headers }: IncomingMessage) => headers["x-example-key"] === KEY;
    own = await startServer((request, response) => {
      const isOfCalls = request.url?.includes("/contracts/results/") === true;
      const calls = [
        { call_depth: 0, index: 0, result_data_type: "OUTPUT", timestamp: "1700000001.000000001" },
      ];
      // The keys of a window in a browser end with it.
      const [id = ""] = /0\.0\.\d+/.exec(request.url ?? "") ?? [];
      const [status, body] =
        hasKey(request) || isOfCalls
          ? [200, isOfCalls ? JSON.stringify({ actions: calls, links: {} }) : token(id, "OWN")]
          : [401, JSON.stringify({ message: `no key like ${String(request.headers["x-example-key"])}` })];
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
    slow = await startServer((_, response) => {
      waiting.push(() =>
        response.writeHead(200, { "content-type": "application/json" }).end(token("0.0.88", "SLOW")),
      );
    });
    workspace = await mkdtemp(join(tmpdir(), "own-network-"));
    await writeFile(join(workspace, "Vault.sol"), "contract Vault {}\n");
    editor = await startEditor({
      vsix: [await packageExtension()],
      settings: {
        "ledgerLens.ledgerUrl": slow.url,
        "ledgerLens.statusUrl": own.url,
        "ledgerLens.verificationUrl": PRIVATE,
        "ledgerLens.networks": [
          {
            name: "Example Ledger",
            ledgerUrl: own.url,
            verificationUrl: `${own.url}/verification`,
            chainId: "4242",
            headerName: "X-Example-Key",
          },
          { name: "Slow Ledger", ledgerUrl: slow.url },
        ],
      },
    });
    workbench = await Workbench.open(editor.url, workspace);
    await workbench.openViewContainer("Ledger Lens");
    await workbench.showOnly("Ledger");
  });
  after(async () => {
    await workbench.close();
    await editor.stop();
    await Promise.all([own.stop(), slow.stop()]);
    await rm(workspace, { recursive: true, force: true });
  });

  const select = async (name: string) => {
    await workbench.runCommand("Ledger Lens: Select Network…");
    await workbench.waitForQuestion("Which ledger?");
    await workbench.pick(name);
  };

  const header = () => workbench.page.locator(".pane-header", { hasText: "Ledger" }).innerText();
  const isShown = (name: string) =>
    eventually(async () => assert.match(await header(), new RegExp(name, "i")));

  /** Chooses the network that needs a key, and says the key where this window has none yet. */
  const selectOwn = async (key = KEY) => {
    await select("Example Ledger");
    const question = workbench.page.locator('.quick-input-widget:visible input[placeholder*="Key"]');
    await Promise.race([question.waitFor(), isShown("Example Ledger")]);
    if (await question.isVisible()) await workbench.typeAndAccept(key);
    await isShown("Example Ledger");
  };

  it("switches while something loads, which is left", () =>
    workbench.keepPictureOnFailure("own-network-switch", async () => {
      if (/example/i.test(await header())) await select("Slow Ledger");
      await openFind(workbench);
      await workbench.type("0.0.88");
      await workbench.waitForEntry(/Token/);
      await workbench.accept();
      await eventually(() => assert.ok(waiting.length > 0, "it is being asked for"));
      await selectOwn("wrong-key-first");
      for (const answer of waiting) answer();
    }));

  it("is told that the key is wrong, enters it from the row that says so, and sees a token", () =>
    workbench.keepPictureOnFailure("own-network-key", async () => {
      await selectOwn("wrong-key-first");
      await findAsAPerson(workbench, {
        paste: "0.0.77",
        offered: /Token/,
        opens: /key is missing or wrong.*Select Network.*X-Example-Key/,
      });
      await workbench.chooseFromRowMenu("Ledger", /key is missing or wrong/, "Enter Key…");
      await workbench.waitForQuestion("Key");
      await workbench.typeAndAccept(KEY);
      await workbench.waitForRow("Ledger", /OWN/);
      assert.equal(slow.asked.filter((target) => target.includes("0.0.77")).length, 0);
    }));

  it("is told by the page of a transaction that another network is chosen, and goes back to its own there", () =>
    workbench.keepPictureOnFailure("own-network-page", async () => {
      const page = () => workbench.editorPage();
      await selectOwn();
      await findAsAPerson(workbench, {
        paste: "0.0.5@1700000000.000000001",
        offered: /\d/,
        opens: /Succeeded/,
      });
      await page()
        .getByRole("heading", { name: /Succeeded/ })
        .waitFor();
      await select("Slow Ledger");
      await isShown("Slow Ledger");
      await workbench.reloadedBy(() => workbench.runCommand("Developer: Reload Window"));
      await page().getByText("This is of Example Ledger, while Slow Ledger is chosen.").waitFor();
      await page().getByRole("button", { name: "Change Network" }).click();
      // The verification service changes with it, which a person is asked about.
      await workbench.waitForQuestion("This is of Example Ledger, and Ledger Lens shows Slow Ledger");
      await workbench.waitForEntry(/loaded there.*verification service/);
      await workbench.pick("Switch to Example Ledger");
      await page()
        .getByRole("heading", { name: /Succeeded/ })
        .waitFor();
      assert.equal(slow.asked.filter((target) => target.includes("results")).length, 0);
    }));

  it("chooses a network by keys alone, after which the service of before is set again, also over a reload", () =>
    workbench.keepPictureOnFailure("own-network-keys", async () => {
      await selectOwn();
      assert.equal(await setService(), `${own.url}/verification`);
      await workbench.reloadedBy(() => workbench.runCommand("Developer: Reload Window"));
      await workbench.runCommand("Ledger Lens: Select Network…");
      await workbench.pickByKeys("Which ledger?", "Slow Ledger");
      await isShown("Slow Ledger");
      await eventually(async () => assert.equal(await setService(), PRIVATE));
    }));

  /** The verification service in the user's settings, where the editor keeps those of addresses. */
  async function setService(): Promise<unknown> {
    const text = await readFile(join(editor.dataFolder, "server/data/Machine/settings.json"), "utf8");
    return (JSON.parse(text) as Readonly<Record<string, unknown>>)["ledgerLens.verificationUrl"];
  }

  it("sees no error of the switch, and the key never again: on no page, in no log, in no file", async () => {
    await selectOwn();
    await findAsAPerson(workbench, { paste: "0.0.78", offered: /Token/, opens: /OWN/ });
    const told = await workbench.notifications();
    assert.deepEqual(
      told.map(({ text }) => text).filter((text) => !text.includes("key is missing or wrong")),
      [],
    );
    assert.ok(!(await workbench.page.content()).includes(KEY));
    const files = await readdir(editor.dataFolder, { recursive: true, withFileTypes: true });
    let read = 0;
    for (const file of files) {
      if (!file.isFile() || !/\.(?:log|json|txt)$/.test(file.name)) continue;
      // What is installed has the texts of all messages.
      if (file.parentPath.startsWith(join(editor.dataFolder, "extensions"))) continue;
      const text = await readFile(join(file.parentPath, file.name), "utf8");
      assert.ok(!text.includes(KEY), file.name);
      assert.ok(
        !/Cannot resolve tree item|failed unexpectedly/.test(text),
        `${file.name}: an internal error`,
      );
      read++;
    }
    assert.ok(read > 0, "there are files to look at");
  });
});

function never(): never {
  return undefined as never;
}
