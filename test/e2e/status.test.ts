import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { longIt } from "../rig/longTest.ts";
import { eventually } from "../rig/eventually.ts";
import { chooseByKeys, goToRow, tabTo } from "./byKeys.ts";
import { openDemo } from "./openDemo.ts";
import { lookAtStatus, statusGlance, STATUS_ITEM } from "../statusJourney.ts";
import { askForAddress, pressSubmit } from "../verifyJourney.ts";

const MIRROR_NODE = "Mirror Node REST API Public Mainnet";

describe("A person looks at the state of the services", () => {
  const demo = openDemo();

  let askedBefore = 0;
  before(() => {
    askedBefore = demo.world.sandbox.statusPage.traffic.requests;
  });

  it("has sent no request before Ledger Lens is used", () => {
    assert.equal(askedBefore, 0);
  });

  it("sees a quiet item while all is well, and the components in the view", () =>
    demo.workbench.keepPictureOnFailure("status-well", async () => {
      await lookAtStatus(demo.workbench);
      await eventually(async () => {
        const { bar, rows } = await statusGlance(demo.workbench);
        assert.match(bar.text, /^Ledger Lens$/);
        assert.match(bar.label, /operational/);
        assert.ok(rows.some(({ label }) => label === "Components"));
        assert.ok(rows.some(({ label }) => label === "Your services"));
      });
    }));

  it("sees an outage begin, be worked on and end", () =>
    demo.workbench.keepPictureOnFailure("status-outage", async () => {
      const { statusPage } = demo.world.sandbox;
      const id = statusPage.beginIncident({
        name: "Elevated error rates",
        impact: "critical",
        body: "We are investigating.",
        components: { [MIRROR_NODE]: "major_outage" },
      });
      await lookAtStatus(demo.workbench, /outage/);
      await eventually(async () => {
        const { bar, rows } = await statusGlance(demo.workbench);
        assert.match(bar.label, /major outage/);
        assert.match(bar.text, /^Hedera Mainnet: major outage$/);
        const incident = rows.find(({ label }) => label === "Elevated error rates");
        assert.match(
          incident?.description ?? "",
          /^Mirror Node REST API Public Mainnet · investigating · since/,
        );
      });
      const { text } = await demo.workbench.waitForNotification(/Mirror Node REST API Public Mainnet/);
      assert.match(text, /has a major outage since .*: Elevated error rates\.$/);
      statusPage.updateIncident(id, {
        status: "identified",
        body: "A <b>database</b><br />is&nbsp;slow.",
        components: { [MIRROR_NODE]: "degraded_performance" },
      });
      await lookAtStatus(demo.workbench, /degraded/);
      await eventually(async () => {
        const { rows } = await statusGlance(demo.workbench);
        assert.ok(rows.some(({ description }) => description.includes("A database is slow.")));
      });
      statusPage.resolveIncident(id);
      await lookAtStatus(demo.workbench, /Ledger Lens/);
      await eventually(async () => {
        const { rows } = await statusGlance(demo.workbench);
        assert.ok(!rows.some(({ label }) => label === "Elevated error rates"));
      });
    }));

  it("opens the view by a click on the item", () =>
    demo.workbench.keepPictureOnFailure("status-click", async () => {
      await lookAtStatus(demo.workbench);
      await demo.workbench.runCommand("View: Show Explorer");
      await demo.workbench.page.locator(`.statusbar-item[id="${STATUS_ITEM}"]`).click();
      await demo.workbench.waitForRow("Service Status", /Components/);
    }));

  describe("and has no pointer", () => {
    longIt("verifies, reads the page and presses its buttons, and takes the job out of the list", () =>
      demo.workbench.keepPictureOnFailure("keys-verify", async () => {
        const { workbench, world } = demo;
        const { keyboard } = workbench.page;
        const { address } = await world.deployVault();
        await askForAddress(workbench, { contract: "Vault", chainId: world.sandbox.chain.chainId });
        await workbench.typeAndAccept(address);
        await pressSubmit(workbench, () => keyboard.press("Enter"));
        await workbench.waitForNotification(/^Vault at \S+ on .* is verified: exact match/);
        const job = /Vault.*exact match/;
        await goToRow(workbench, "Verification", job);
        await keyboard.press("Enter");
        const page = workbench.editorPage();
        await page.getByRole("heading", { level: 1, name: /Vault is verified: exact match/ }).waitFor();
        await tabTo(workbench, page.getByRole("button", { name: "Raw JSON" }));
        await keyboard.press("Enter");
        await workbench.page.locator(".tab.active", { hasText: "verification.jsonc" }).waitFor();
        await goToRow(workbench, "Verification", job);
        await chooseByKeys(workbench, "Remove from List");
        await workbench.page.locator(".pane-body", { hasText: "No contract verified" }).first().waitFor();
      }),
    );

    it("reads how the services are", () =>
      demo.workbench.keepPictureOnFailure("keys-status", async () => {
        const { workbench } = demo;
        await workbench.runCommand("Ledger Lens: Show Service Status");
        await workbench.waitForRow("Service Status", /Components/);
        await goToRow(workbench, "Service Status", /^Components/);
        await workbench.page.keyboard.press("ArrowRight");
        await workbench.waitForRow("Service Status", /^Mainnet/);
        await goToRow(workbench, "Service Status", /^Mainnet/);
        await workbench.page.keyboard.press("ArrowRight");
        await workbench.waitForRow("Service Status", /Mirror Node REST API/);
      }));
  });
});
