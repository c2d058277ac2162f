import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startRecordingService, type RecordingService } from "../editor/recordingService.ts";
import { startEditor, type EditorServer } from "../rig/editorServer.ts";
import { startServer, type LoopbackServer } from "../rig/loopback/httpServer.ts";
import { packageExtension } from "../rig/packagedExtension.ts";
import { Workbench } from "../rig/workbench.ts";
import { askForAddress, pressSubmit, reviewAsAPerson } from "../verifyJourney.ts";

const TARGET = { contract: "Own", chainId: "296", address: `0x${"ab".repeat(20)}` };

/** So often a key presses that is held down. */
const REPEAT_MS = 30;

/** So many files are imported by the second contract. */
const MANY = 1_200;

/** A node that keeps its answers back, once it is told to, from the second time that it is asked for code. */
interface SlowNode extends LoopbackServer {
  hold(): void;
  release(): void;
}

async function startSlowNode(): Promise<SlowNode> {
  let release: () => void = () => undefined;
  let released = Promise.resolve();
  let asked = 0;
  const server = await startServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      const { id, method } = JSON.parse(text) as { id: number; method: string };
      const isHeld = method === "eth_getCode" && ++asked > 1;
      void (isHeld ? released : Promise.resolve()).then(() =>
        response
          .setHeader("content-type", "application/json")
          .end(JSON.stringify({ jsonrpc: "2.0", id, result: "0x6001600101" })),
      );
    });
  });
  return {
    ...server,
    hold() {
      asked = 0;
      released = new Promise<void>((resolve) => (release = resolve));
    },
    release: () => release(),
  };
}

describe("A review", () => {
  let service: RecordingService;
  let node: SlowNode;
  let editor: EditorServer;
  let workbench: Workbench;
  let folder = "";

  before(async () => {
    [service, node] = await Promise.all([startRecordingService(), startSlowNode()]);
    folder = await mkdtemp(join(tmpdir(), "late-"));
    await writeFile(join(folder, "Own.sol"), "pragma solidity ^0.8.0;\ncontract Own {}\n");
    const names = Array.from({ length: MANY }, (_, at) => `many/${at}.sol`);
    await mkdir(join(folder, "many"));
    for (const name of names)
      await writeFile(
        join(folder, name),
        `pragma solidity ^0.8.0;\nlibrary L${name.replace(/\D/g, "")} {}\n`,
      );
    await writeFile(
      join(folder, "Many.sol"),
      `pragma solidity ^0.8.0;\n${names.map((name) => `import "./${name}";\n`).join("")}contract Many {}\n`,
    );
    editor = await startEditor({
      vsix: [await packageExtension()],
      settings: {
        "ledgerLens.verificationUrl": service.url,
        "ledgerLens.rpcUrls": { [TARGET.chainId]: node.url },
      },
    });
    workbench = await Workbench.open(editor.url, folder);
  });

  after(async () => {
    node.release();
    await workbench.close();
    await editor.stop();
    await Promise.all([service.stop(), node.stop(), rm(folder, { recursive: true, force: true })]);
  });

  const isReviewed = () =>
    workbench.page
      .locator('.quick-input-widget:visible input[placeholder^="Press Enter to submit"]')
      .isVisible();

  it("keeps the line that was chosen when its later part arrives, so that Enter looks at the files and sends nothing", () =>
    workbench.keepPictureOnFailure("review-late", async () => {
      node.hold();
      await reviewAsAPerson(workbench, TARGET);
      await workbench.waitForEntry(/Comparing with the deployed code/);
      await workbench.moveTo(/^Files/);
      node.release();
      await workbench.waitForEntry(/expected|Can't predict/);
      await workbench.accept();
      await workbench.waitForQuestion("Files that are sent");
      assert.deepEqual(service.received, []);
      await workbench.page.keyboard.press("Escape");
    }));

  it("is not answered by an Enter too many of the question before, nor by a key that is held down", () =>
    workbench.keepPictureOnFailure("review-early", async () => {
      await askForAddress(workbench, TARGET);
      const { keyboard } = workbench.page;
      await keyboard.insertText(TARGET.address);
      // The editor repeats a key that goes down again before it goes up, and none waits until the one before was taken.
      const pressed: Promise<void>[] = [];
      const repeat = async () => {
        pressed.push(keyboard.down("Enter"));
        await new Promise((resolve) => setTimeout(resolve, REPEAT_MS));
      };
      while (!(await isReviewed())) await repeat();
      for (let times = 0; times < 40; times++) await repeat();
      await Promise.all(pressed);
      await keyboard.up("Enter");
      assert.deepEqual(service.received, []);
      assert.ok(await isReviewed(), "the review is still asked");
      await keyboard.press("Escape");
    }));

  it("is answered by a click that is done again where nothing came of the first one, which was too early", () =>
    workbench.keepPictureOnFailure("review-click", async () => {
      service.refusal = "unsupported_chain";
      await reviewAsAPerson(workbench, TARGET);
      // Its row is another one's where the list is drawn anew during the click.
      await workbench.waitForEntry(/expected|Can't predict/);
      const submit = workbench.page.locator(".quick-input-widget:visible .monaco-list-row", {
        hasText: "Submit to",
      });
      await pressSubmit(workbench, () => submit.first().click());
      await workbench.waitForNotification(/does not know this chain/);
      await workbench.clearNotifications();
      service.refusal = undefined;
    }));

  it("comes back from each of its lists at the line of that list, where another Enter sends nothing", () =>
    workbench.keepPictureOnFailure("review-back", async () => {
      await reviewAsAPerson(workbench, TARGET);
      for (const [line, question] of [
        [/Compiler/, "Which compiler?"],
        [/Optimizer/, "200"],
        [/EVM version/, "Which EVM version?"],
        [/Files/, "Files that are sent"],
      ] as const) {
        await workbench.moveTo(line);
        await workbench.accept();
        await workbench.waitForQuestion(question);
        await workbench.page.locator('.quick-input-widget:visible .action-label[aria-label^="Back"]').click();
        await workbench.waitForQuestion("Press Enter to submit");
        await workbench.waitForFocusOn(line);
        await workbench.accept();
        await workbench.waitForQuestion(question);
        assert.deepEqual(service.received, []);
        await workbench.page.locator('.quick-input-widget:visible .action-label[aria-label^="Back"]').click();
        await workbench.waitForQuestion("Press Enter to submit");
      }
      await workbench.page.keyboard.press("Escape");
    }));

  it("has a line for the first of very many files, and a document with all of them", () =>
    workbench.keepPictureOnFailure("review-many", async () => {
      await reviewAsAPerson(workbench, { ...TARGET, contract: "Many" });
      await workbench.moveTo(/^Files/);
      await workbench.accept();
      await workbench.waitForQuestion("Files that are sent");
      const [all = "", first = ""] = await workbench.entries();
      assert.equal(all, "List of all 1,201 files · the first 1,000 are below");
      assert.match(first, /^Many\.sol · [\d,]+ bytes$/);
      await workbench.accept();
      await workbench.page.locator(".tab", { hasText: "files" }).first().waitFor();
      await workbench.page
        .locator(".view-line", { hasText: /many\/1007\.sol\s·\s\d+\sbytes/ })
        .first()
        .waitFor();
      assert.deepEqual(service.received, []);
      await workbench.page.keyboard.press("Escape");
    }));
});
