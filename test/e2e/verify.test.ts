import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sampleEdits } from "../demoWorld.ts";
import { openDemo } from "./openDemo.ts";
import { verifyAsAPerson } from "../verifyJourney.ts";

describe("A person verifies a contract with the packaged extension", () => {
  const demo = openDemo();

  const submissions = () =>
    demo.world.sandbox.verification.requests.filter(({ method }) => method === "POST").length;
  let before = 0;

  it("sees what is sent, and then an exact match", () =>
    demo.workbench.keepPictureOnFailure("verify-exact", async () => {
      const [{ address }] = demo.world.vaults;
      before = submissions();
      const journey = await verifyAsAPerson(demo.workbench, {
        contract: "Vault",
        chainId: demo.world.sandbox.chain.chainId,
        address,
      });
      assert.match(
        journey.review.join("\n"),
        /Publishes 12 files, which can't be taken back · Local chain \(31337\)/,
      );
      assert.match(journey.review.join("\n"), /solc 0\.8\.37\+commit\.f401782d/);
      assert.equal(journey.message, "Vault is verified: exact match.");
      assert.deepEqual(journey.buttons, ["Open in Explorer", "Copy Link", "Show Details"]);
      await demo.workbench.openViewContainer("Ledger Lens");
      await demo.workbench.waitForRow("Verification", /Vault.*exact match/);
    }));

  it("sees a failure after a constant was changed, and nothing was sent twice", () =>
    demo.workbench.keepPictureOnFailure("verify-changed", async () => {
      const [, { address }] = demo.world.vaults;
      await demo.world.edit(...sampleEdits.constant);
      await demo.workbench.clearNotifications();
      const journey = await verifyAsAPerson(demo.workbench, {
        contract: "Vault",
        chainId: demo.world.sandbox.chain.chainId,
        address,
      });
      assert.match(journey.message, /^Vault does not match: /);
      await demo.workbench.openViewContainer("Ledger Lens");
      await demo.workbench.waitForRow("Verification", /Vault.*no match/);
      assert.equal(submissions() - before, 2);
    }));
});
