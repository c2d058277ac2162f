import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openDemo } from "./openDemo.ts";
import { reviewAsAPerson, verifyLocallyAsAPerson } from "../verifyJourney.ts";

describe("A person verifies on this machine with the packaged extension", () => {
  const demo = openDemo();

  it("is asked for the download, sees a row of its own kind, and is told what to expect before sending", () =>
    demo.workbench.keepPictureOnFailure("verify-locally", async () => {
      const { world, workbench } = demo;
      const { address } = await world.deployVault();
      const target = { contract: "Vault", chainId: world.sandbox.chain.chainId, address };
      const submissions = () =>
        world.sandbox.verification.requests.filter(({ method }) => method === "POST").length;
      const before = submissions();
      const { asked, message } = await verifyLocallyAsAPerson(workbench, target);
      assert.equal(asked[0], "solc 0.8.37 is not on this machine. Download it to compile here?");
      assert.match(
        asked.join("\n"),
        /Download solc 0\.8\.37 · \d+\.\d MB · From 127\.0\.0\.1:\d+; later ones/,
      );
      assert.equal(message, "Vault: exact match on this machine; nothing was published.");
      await workbench.openViewContainer("Ledger Lens");
      await workbench.waitForRow("Verification", /Verified on this machine.*not published/);
      await workbench.waitForRow("Verification", /Vault.*exact match · Local chain/);
      await reviewAsAPerson(workbench, target);
      await workbench.waitForEntry(/Exact match expected.*Compiled here with 0\.8\.37, the code is that/);
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
      const again = await verifyLocallyAsAPerson(workbench, target);
      assert.deepEqual(again.asked, []);
      assert.equal(again.message, message);
      assert.equal(world.compilerList.asked.length, requests);
    }));
});
