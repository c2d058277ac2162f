import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { sampleEdits } from "../demoWorld.ts";
import { eventually } from "../rig/eventually.ts";
import { submitAsAPerson, verifyAsAPerson, verifyLocallyAsAPerson } from "../verifyJourney.ts";
import { accessibilityFindings, THEMES } from "./accessibility.ts";
import { openDemo } from "./openDemo.ts";

describe("A person reads the page of a verification", () => {
  const demo = openDemo();
  const page = () => demo.workbench.editorPage();
  const part = (name: string) => page().getByRole("region", { name });
  const heading = (name: RegExp) => page().getByRole("heading", { level: 1, name }).waitFor();
  const deployed = async () => ({
    contract: "Vault",
    chainId: demo.world.sandbox.chain.chainId,
    address: (await demo.world.deployVault()).address,
  });
  const requests = () => demo.world.sandbox.verification.requests;

  it("reads why it does not match, which value differs and where, what was sent, and opens each", () =>
    demo.workbench.keepPictureOnFailure("page-mismatch", async () => {
      const { workbench, world } = demo;
      const target = await deployed();
      const [file, find, replacement] = sampleEdits.constant;
      await world.edit(file, find, replacement);
      await verifyAsAPerson(workbench, target);
      await world.edit(file, replacement, find);
      await workbench.clickNotificationButton("Show Details");
      await heading(/^Vault does not match · Local chain \(31337\) · 0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}$/);
      await eventually(async () => {
        const causes = await part("Causes").getByRole("listitem").allInnerTexts();
        assert.match(
          causes[0] ?? "",
          /^A value differs: 25 deployed, 52 compiled, in FEE_BASIS_POINTS \(Vault\.sol:\d+\); everything else/,
        );
        const code = await part("Runtime code").innerText();
        assert.match(code, /^Runtime code\s+[\d,]+ bytes, \d+ differ in \d+ places?/);
        assert.match(code, /Immutables\s+2 values that the deployment wrote: /);
        assert.match(code, /Metadata hash\s+ipfs:\/\/\w+ deployed, ipfs:\/\/\w+ compiled/);
      });
      assert.equal(await part("Runtime code").getByRole("img").count(), 2);
      // The file as it was sent, not as it is by now.
      await page().getByText("Settings and files").click();
      await part("What was compiled")
        .getByRole("button", { name: /Vault\.sol$/ })
        .click();
      await workbench.waitForEditor(/^Vault\.sol/, /FEE_BASIS_POINTS\s*=\s*52/);
      await workbench.page.getByRole("tab", { name: /^✕ Vault/ }).click();
      await page().getByRole("button", { name: "Show Bytecode Difference" }).click();
      await workbench.page.locator(".tab", { hasText: "deployed ↔ recompiled code" }).waitFor();
      await workbench.page.getByRole("tab", { name: /^✕ Vault/ }).click();
      await page().getByRole("button", { name: "Raw JSON" }).click();
      await workbench.page.locator(".tab", { hasText: "verification.jsonc" }).waitFor();
      await workbench.page.getByRole("tab", { name: /^✕ Vault/ }).click();
    }));

  it("can be used by everybody: axe finds nothing wrong in any theme", () =>
    demo.workbench.keepPictureOnFailure("page-mismatch-axe", async () => {
      for (const [theme, kind] of THEMES) {
        const folder = join(demo.world.workspace, ".vscode");
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, "settings.json"), JSON.stringify({ "workbench.colorTheme": theme }));
        await page().locator(`body.${kind}`).waitFor();
        if (process.env["PICTURES"]) await demo.workbench.screenshot(`/tmp/theme-${theme}.png`);
        assert.deepEqual(await accessibilityFindings(demo.workbench), [], theme);
      }
    }));

  it("finds the page again after the window was loaded anew, with the files unfolded", () =>
    demo.workbench.keepPictureOnFailure("page-mismatch-reload", async () => {
      await demo.workbench.reloadedBy(() => demo.workbench.runCommand("Developer: Reload Window"));
      await heading(/^Vault does not match/);
      await part("What was compiled")
        .getByRole("button", { name: /Vault\.sol$/ })
        .waitFor();
    }));

  it("watches a job that is not finished, and reads what the deployment was given once it is", () =>
    demo.workbench.keepPictureOnFailure("page-pending", async () => {
      const { workbench, world } = demo;
      const target = await deployed();
      const held = world.sandbox.verification.hold("finished");
      try {
        await workbench.clearNotifications();
        await submitAsAPerson(workbench, target);
        await held.reached;
        await workbench.openViewContainer("Ledger Lens");
        const row = await workbench.waitForRow("Verification", /Vault.*compiling/);
        await row.click();
        await heading(/^Vault: compiling, \d+ s · /);
        await page().getByRole("button", { name: "Check Now" }).waitFor();
      } finally {
        held.release();
      }
      await heading(/^Vault is verified: exact match · /);
      await eventually(async () => {
        const given = await part("Constructor arguments").innerText();
        assert.match(given, /token_\s+0x[0-9a-fA-F]{40}/);
        assert.match(given, /owner_\s+0x[0-9a-fA-F]{40}/);
        assert.match(given, /unlockTime_\s+\d+/);
        assert.match(
          await part("What the deployment wrote into the code").innerText(),
          /Immutables\s+value written, \d+ places in the runtime code/,
        );
      });
      assert.equal(await page().getByRole("region", { name: "Causes" }).count(), 0);
    }));

  it("reads what was compiled on this machine, of which nothing was published", () =>
    demo.workbench.keepPictureOnFailure("page-local", async () => {
      const { workbench, world } = demo;
      const target = await deployed();
      const submitted = requests().filter(({ method }) => method === "POST").length;
      const [file, find, replacement] = sampleEdits.constant;
      await world.edit(file, find, replacement);
      await verifyLocallyAsAPerson(workbench, target);
      await world.edit(file, replacement, find);
      await workbench.openViewContainer("Ledger Lens");
      const row = await workbench.waitForRow("Verification", /Vault.*no match · Local chain/i);
      await row.click();
      await heading(/^Vault: no match on this machine · /);
      await page().getByText("Verified locally: nothing was published.").waitFor();
      await eventually(async () =>
        assert.match(
          await part("Causes").getByRole("listitem").first().innerText(),
          /^A value differs: 25 deployed, 52 compiled, in FEE_BASIS_POINTS/,
        ),
      );
      // The files are as they were deployed again.
      await page().getByRole("button", { name: "Compare Again" }).click();
      await heading(/^Vault: exact match on this machine · /);
      assert.match(
        await part("What the deployment wrote into the code").innerText(),
        /Immutables\s+value written, \d+ places in the runtime code/,
      );
      assert.equal(requests().filter(({ method }) => method === "POST").length, submitted);
    }));
});
