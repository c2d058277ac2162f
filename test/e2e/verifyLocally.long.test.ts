import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { eventually } from "../rig/eventually.ts";
import { recordBroadcast, removeBroadcast } from "../sandbox/broadcastRecord.ts";
import { lookAtStatus } from "../statusJourney.ts";
import {
  askByKeys,
  pressSubmit,
  reviewAsAPerson,
  submitAsAPerson,
  verifyLocallyAsAPerson,
} from "../verifyJourney.ts";
import { accessibilityFindings, sidebarFindings, THEMES } from "./accessibility.ts";
import { chooseByKeys, goToRow } from "./byKeys.ts";
import { openDemo } from "./openDemo.ts";

describe("A person verifies on this machine with the packaged extension", () => {
  const demo = openDemo();
  let isAgreed = false;

  /** The download is asked about before the first one, in whichever test that is, and never again. */
  const isAskedOnce = (asked: readonly string[]) => {
    if (isAgreed) {
      assert.deepEqual(asked, []);
      return;
    }
    isAgreed = true;
    assert.equal(asked[0], "solc 0.8.37 is not on this machine. Download it to compile here?");
    assert.match(asked.join("\n"), /Download solc 0\.8\.37 · \d+\.\d MB · From 127\.0\.0\.1:\d+; later ones/);
  };

  const verifyLocally = async (address: string): Promise<string> => {
    const target = { contract: "Vault", chainId: demo.world.sandbox.chain.chainId, address };
    const { asked, message } = await verifyLocallyAsAPerson(demo.workbench, target);
    isAskedOnce(asked);
    return message;
  };

  it("is asked for the download, sees a row of its own kind, and is told what to expect before sending", () =>
    demo.workbench.keepPictureOnFailure("verify-locally", async () => {
      const { world, workbench } = demo;
      const { address } = await world.deployVault();
      const target = { contract: "Vault", chainId: world.sandbox.chain.chainId, address };
      const submissions = () =>
        world.sandbox.verification.requests.filter(({ method }) => method === "POST").length;
      const before = submissions();
      const message = await verifyLocally(address);
      assert.match(
        message,
        /^Vault at 0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4} on Local chain: exact match on this machine; nothing was published\.$/,
      );
      await workbench.openViewContainer("Ledger Lens");
      await workbench.waitForRow("Verification", /Verified on this machine.*not published/);
      await workbench.waitForRow("Verification", /Vault.*exact match · Local chain/);
      await reviewAsAPerson(workbench, target);
      await workbench.waitForEntry(
        /Exact match expected.*Compiled here with 0\.8\.37: the deployed code, metadata hash included/,
      );
      await workbench.page.keyboard.press("Escape");
      assert.equal(submissions(), before);

      // Nothing is compiled again in a later session: there is no compiler, and none is asked for.
      await workbench.runCommand("Ledger Lens: Manage Compilers…");
      await workbench.clickQuickPickEntry(/Remove All/);
      await workbench.waitForNotification(/^The downloaded compilers were removed/);
      await workbench.reload();
      await workbench.openViewContainer("Ledger Lens");
      await workbench.waitForRow("Verification", /Vault.*exact match · Local chain/);
      const requests = world.compilerList.asked.length;
      assert.equal(await verifyLocally(address), message);
      assert.equal(world.compilerList.asked.length, requests);
    }));

  it("sees in the walkthrough why a verification failed, by an example for which nothing is asked", () =>
    demo.workbench.keepPictureOnFailure("example", async () => {
      const { world, workbench } = demo;
      // A view that is open asks now and then whether the service answers.
      const asked = () =>
        world.sandbox.verification.requests.filter(({ path }) => /verify|contract/.test(path)).length;
      const before = asked();
      await workbench.runCommand("Welcome: Open Walkthrough...");
      await workbench.clickQuickPickEntry(/Get Started with Ledger Lens/);
      const step = workbench.page.locator(".getting-started-step", {
        hasText: "See why a verification failed",
      });
      await step.click();
      await step.getByRole("button", { name: "Show Example" }).click();

      const page = workbench.editorPage();
      await page
        .getByRole("heading", { level: 1, name: /Example: Counter does not match · Local chain \(31337\)/ })
        .waitFor();
      await page
        .getByText("This is an example that comes with Ledger Lens: nothing was sent anywhere.")
        .waitFor();
      await page
        .getByRole("listitem")
        .filter({ hasText: /10 deployed, 11 compiled, in LARGEST_STEP \(Counter\.sol:6\)/ })
        .waitFor();
      assert.deepEqual(await accessibilityFindings(workbench), []);
      const tab = workbench.page.getByRole("tab", { name: "✕ Example: Counter" });
      await page.getByRole("button", { name: "Show Bytecode Difference" }).click();
      await workbench.page
        .getByRole("tab", { name: /Counter: deployed ↔ recompiled code \(363 bytes, 3 differ in 3 places/ })
        .waitFor();
      await workbench.showEditor(tab);
      await page.getByRole("button", { name: "Compiler Input" }).click();
      await workbench.waitForEditor(/standard JSON input\.json/, /"evmVersion"/);
      await workbench.showEditor(tab);
      assert.equal(asked(), before);
      // It comes back with the window.
      await workbench.reloadedBy(() => workbench.runCommand("Developer: Reload Window"));
      await page.getByRole("heading", { level: 1, name: /Example: Counter does not match/ }).waitFor();
      await workbench.runCommand("View: Close All Editors");
    }));

  describe("and axe finds nothing wrong", () => {
    const page = () => demo.workbench.editorPage();
    const heading = (name: RegExp) => page().getByRole("heading", { level: 1, name });
    const deployed = async () => ({
      contract: "Vault",
      chainId: demo.world.sandbox.chain.chainId,
      address: (await demo.world.deployVault()).address,
    });
    /** Opens the page of a row by a click, again where a list that is drawn anew took none. */
    const openPage = (row: RegExp, headed: RegExp) =>
      eventually(async () => {
        await demo.workbench.clickRow("Verification", row);
        await heading(headed).waitFor({ timeout: 5_000 });
      });

    /** Takes the jobs that verified something out of the list. */
    const removeVerified = async () => {
      const { workbench } = demo;
      const verified = /exact match · (?!Local chain)/;
      await workbench.openViewContainer("Ledger Lens");
      await workbench.showOnly("Verification");
      const jobs = async () =>
        (await workbench.viewRows("Verification")).filter(({ label, description }) =>
          verified.test(label + description),
        );
      while ((await jobs()).length > 0) await workbench.removeFromList("Verification", verified);
    };

    it("in the sidebar: with welcome texts, jobs and the state of the services", () =>
      demo.workbench.keepPictureOnFailure("sidebar-axe", async () => {
        const { workbench } = demo;
        await workbench.openViewContainer("Ledger Lens");
        await workbench.showOnly("Ledger");
        await workbench.page.locator(".pane-body", { hasText: "Look up a transaction" }).first().waitFor();
        assert.deepEqual(await sidebarFindings(workbench), [], "Ledger");
        await lookAtStatus(workbench);
        assert.deepEqual(await sidebarFindings(workbench), [], "Service Status");
        await verifyLocally((await deployed()).address);
        await workbench.openViewContainer("Ledger Lens");
        await workbench.showOnly("Verification");
        await workbench.expandRow("Verification", /Vault.*exact match · Local chain/);
        assert.deepEqual(await sidebarFindings(workbench), [], "Verification");
      }));

    it("on the page of a verdict, of a job that runs, of one that is verified, and of one that is gone", () =>
      demo.workbench.keepPictureOnFailure("states-axe", async () => {
        const { workbench, world } = demo;
        await removeVerified();
        await verifyLocally((await deployed()).address);
        await workbench.openViewContainer("Ledger Lens");
        await workbench.showOnly("Verification");
        await openPage(/Vault.*exact match · Local chain/, /exact match on this machine/);
        assert.deepEqual(await accessibilityFindings(workbench), [], "a verdict");
        const held = world.sandbox.verification.hold("finished");
        try {
          await workbench.clearNotifications();
          await submitAsAPerson(workbench, await deployed());
          await held.reached;
          await openPage(/Vault.*compiling/, /^(?:⋯ )?Vault: compiling/);
          assert.deepEqual(await accessibilityFindings(workbench), [], "a job that runs");
        } finally {
          held.release();
        }
        await heading(/Vault is verified: exact match/).waitFor();
        const folder = join(world.workspace, ".vscode");
        await mkdir(folder, { recursive: true });
        for (const [theme, kind] of THEMES) {
          await writeFile(join(folder, "settings.json"), JSON.stringify({ "workbench.colorTheme": theme }));
          await page().locator(`body.${kind}`).waitFor();
          assert.deepEqual(await accessibilityFindings(workbench), [], `verified, ${theme}`);
        }
        await removeVerified();
        await workbench.reloadedBy(() => workbench.runCommand("Developer: Reload Window"));
        await page()
          .getByText(/no longer in the list/)
          .waitFor();
        assert.deepEqual(await accessibilityFindings(workbench), [], "a job that is gone");
      }));
  });

  describe("and has no pointer", () => {
    const page = () => demo.workbench.editorPage();
    const target = (address: string) => ({
      contract: "Vault",
      chainId: demo.world.sandbox.chain.chainId,
      address,
    });
    const submissions = () =>
      demo.world.sandbox.verification.requests.filter(({ method }) => method === "POST");

    it("verifies on this machine, and opens the verdict by the button of the message", () =>
      demo.workbench.keepPictureOnFailure("keys-locally", async () => {
        const { workbench, world } = demo;
        const { address } = await world.deployVault();
        await workbench.clearNotifications();
        await askByKeys(workbench, target(address), "Ledger Lens: Verify Locally…");
        const told = workbench.waitForNotification(/^Vault at \S+ on .*: exact match on this machine/);
        told.catch(() => undefined);
        const question = workbench.page.locator(
          '.quick-input-widget:visible input[placeholder*="is not on this machine"]',
        );
        await Promise.race([question.waitFor(), told]);
        if (await question.isVisible()) {
          const { placeholder } = await workbench.quickInput();
          isAskedOnce([placeholder, ...(await workbench.entries())]);
          await workbench.acceptByKeys("is not on this machine");
        } else isAskedOnce([]);
        const { buttons } = await told;
        assert.ok(buttons.includes("Show Details"), buttons.join(", "));
        await workbench.pressNotificationButton("Show Details");
        await page()
          .getByRole("heading", { level: 1, name: /Vault: exact match on this machine/ })
          .waitFor();
      }));

    it("unfolds the causes of a failed job, applies the fix of the first one, and opens the page of what came of it", () =>
      demo.workbench.keepPictureOnFailure("keys-fix", async () => {
        const { workbench, world } = demo;
        const { keyboard } = workbench.page;
        const { address } = await world.deployVault({ evmVersion: "paris" });
        await workbench.clearNotifications();
        await askByKeys(workbench, target(address));
        await pressSubmit(workbench, () => keyboard.press("Enter"));
        await workbench.waitForNotification(/^Vault at \S+ on .* does not match/);
        const failed = /Vault.*No match/;
        await goToRow(workbench, "Verification", failed);
        const row = await workbench.waitForRow("Verification", failed);
        if ((await row.getAttribute("aria-expanded")) !== "true") await keyboard.press("ArrowRight");
        const cause = /Resubmit for Paris/;
        await workbench.waitForRow("Verification", cause);
        await workbench.clearNotifications();
        await goToRow(workbench, "Verification", cause);
        await chooseByKeys(workbench, "Apply Suggested Fix");
        await workbench.waitForNotification(/^Vault at \S+ on .* is verified/);
        await workbench.pressNotificationButton("Show Details");
        await page()
          .getByRole("heading", { level: 1, name: /Vault is verified/ })
          .waitFor();
        await goToRow(workbench, "Verification", failed);
        await chooseByKeys(workbench, "Remove from List");
        await row.waitFor({ state: "detached" });
      }));

    it("takes one of all deployments away before they are verified", () =>
      demo.workbench.keepPictureOnFailure("keys-all", async () => {
        const { workbench, world } = demo;
        const { keyboard } = workbench.page;
        const deployments = [await world.deployVault(), await world.deployVault()];
        const { chainId } = world.sandbox.chain;
        const sent = submissions().length;
        await recordBroadcast(world.workspace, chainId, deployments);
        try {
          await workbench.clearNotifications();
          await workbench.runCommand("Ledger Lens: Verify All Deployments…");
          await workbench.waitForQuestion("Which deployments");
          const focused = workbench.page.locator(".quick-input-widget:visible .monaco-list-row.focused");
          const ticked = workbench.page.locator(
            '.quick-input-widget:visible .monaco-list-row[aria-checked="true"]',
          );
          await eventually(async () => assert.equal(await ticked.count(), 2));
          await keyboard.press("ArrowDown");
          await focused.waitFor();
          await keyboard.press("Space");
          await eventually(async () => assert.equal(await ticked.count(), 1));
          const text = await ticked.innerText();
          const left = deployments.find(({ address }) =>
            text.toLowerCase().includes(address.slice(-4).toLowerCase()),
          );
          assert.ok(left, text);
          await workbench.acceptByKeys("Which deployments");
          await pressSubmit(workbench, () => keyboard.press("Enter"));
          await workbench.waitForNotification(/^Deployments: 1 verified/);
          const paths = submissions()
            .slice(sent)
            .map(({ path }) => path.toLowerCase());
          assert.deepEqual(
            paths.map((path) => path.includes(left.address.toLowerCase())),
            [true],
          );
        } finally {
          await removeBroadcast(world.workspace);
        }
      }));
  });
});
