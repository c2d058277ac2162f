import assert from "node:assert/strict";
import { after, before as beforeAll, describe, it } from "node:test";
import { sampleEdits, startDemoWorld, type DemoWorld } from "../demoWorld.ts";
import { Workbench } from "../rig/workbench.ts";
import { verifyAsAPerson } from "../verifyJourney.ts";

describe("A person verifies a contract with the packaged extension", () => {
  let world: DemoWorld;
  let workbench: Workbench;
  const cleanUp: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    world = await startDemoWorld();
    cleanUp.unshift(() => world.stop());
    workbench = await Workbench.open(world.editor.url, world.workspace);
    cleanUp.unshift(() => workbench.close());
  });

  after(async () => {
    for (const stop of cleanUp) await stop();
  });

  const submissions = () =>
    world.sandbox.verification.requests.filter(({ method }) => method === "POST").length;
  let before = 0;

  it("sees what is sent, and then an exact match", () =>
    workbench.keepPictureOnFailure("verify-exact", async () => {
      const [{ address }] = world.vaults;
      before = submissions();
      const journey = await verifyAsAPerson(workbench, {
        contract: "Vault",
        chainId: world.sandbox.chain.chainId,
        address,
      });
      assert.match(
        journey.review.join("\n"),
        /Publishes 12 files, which can't be taken back · Local chain \(31337\)/,
      );
      assert.match(journey.review.join("\n"), /solc 0\.8\.37\+commit\.f401782d/);
      assert.equal(journey.message, "Vault is verified: exact match.");
      assert.deepEqual(journey.buttons, ["Open in Explorer", "Copy Link", "Show Details"]);
      await workbench.openViewContainer("Ledger Lens");
      await workbench.waitForRow("Verification", /Vault.*exact match/);
    }));

  it("sees a failure after a constant was changed, and nothing was sent twice", () =>
    workbench.keepPictureOnFailure("verify-changed", async () => {
      const [, { address }] = world.vaults;
      await world.edit(...sampleEdits.constant);
      await workbench.clearNotifications();
      const journey = await verifyAsAPerson(workbench, {
        contract: "Vault",
        chainId: world.sandbox.chain.chainId,
        address,
      });
      assert.match(journey.message, /^Vault does not match: /);
      await workbench.openViewContainer("Ledger Lens");
      await workbench.waitForRow("Verification", /Vault.*no match/);
      assert.equal(submissions() - before, 2);
    }));
});
