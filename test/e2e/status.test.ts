import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startDemoWorld, type DemoWorld } from "../demoWorld.ts";
import { Workbench } from "../rig/workbench.ts";
import { lookAtStatus, STATUS_ITEM } from "../statusJourney.ts";

const MIRROR_NODE = "Mirror Node REST API Public Mainnet";

describe("A person looks at the state of the services", () => {
  let world: DemoWorld;
  let workbench: Workbench;
  const cleanUp: (() => Promise<void>)[] = [];

  before(async () => {
    world = await startDemoWorld();
    cleanUp.unshift(() => world.stop());
    workbench = await Workbench.open(world.editor.url, world.workspace);
    cleanUp.unshift(() => workbench.close());
  });

  after(async () => {
    for (const stop of cleanUp) await stop();
  });

  it("has asked nobody before Ledger Lens is used", () => {
    assert.equal(world.sandbox.statusPage.traffic.requests, 0);
  });

  it("sees a quiet item while all is well, and the components in the view", () =>
    workbench.keepPictureOnFailure("status-well", async () => {
      const { bar, rows } = await lookAtStatus(workbench);
      assert.match(bar.text, /^Ledger Lens$/);
      assert.match(bar.label, /well/);
      assert.ok(rows.some(({ label }) => label === "Components"));
      assert.ok(rows.some(({ label }) => label === "Your services"));
    }));

  it("sees an outage begin, be worked on and end", () =>
    workbench.keepPictureOnFailure("status-outage", async () => {
      const { statusPage } = world.sandbox;
      const id = statusPage.beginIncident({
        name: "Elevated error rates",
        impact: "critical",
        body: "We are investigating.",
        components: { [MIRROR_NODE]: "major_outage" },
      });
      const during = await lookAtStatus(workbench, /outage/);
      assert.match(during.bar.label, /major outage/);
      assert.ok(during.rows.some(({ label }) => label === "Elevated error rates"));
      const { text } = await workbench.waitForNotification(/Mirror Node REST API Public Mainnet/);
      assert.match(text, /has a major outage since .*: Elevated error rates\.$/);
      statusPage.updateIncident(id, {
        status: "identified",
        body: "A database is slow.",
        components: { [MIRROR_NODE]: "degraded_performance" },
      });
      const better = await lookAtStatus(workbench, /degraded/);
      assert.ok(better.rows.some(({ description }) => description.includes("A database is slow.")));
      statusPage.resolveIncident(id);
      const { rows } = await lookAtStatus(workbench, /Ledger Lens/);
      assert.ok(!rows.some(({ label }) => label === "Elevated error rates"));
    }));

  it("opens the view by a click on the item", () =>
    workbench.keepPictureOnFailure("status-click", async () => {
      await workbench.runCommand("View: Show Explorer");
      await workbench.page.locator(`.statusbar-item[id="${STATUS_ITEM}"]`).click();
      await workbench.waitForRow("Service Status", /Components/);
    }));
});
