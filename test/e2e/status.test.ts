import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { eventually } from "../rig/eventually.ts";
import { openDemo } from "./openDemo.ts";
import { lookAtStatus, statusGlance, STATUS_ITEM } from "../statusJourney.ts";

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
        assert.match(bar.text, /^Mirror Node REST API Public…: major outage$/);
        const incident = rows.find(({ label }) => label === "Elevated error rates");
        assert.match(
          incident?.description ?? "",
          /investigating · Mirror Node REST API Public Mainnet · since/,
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
});
