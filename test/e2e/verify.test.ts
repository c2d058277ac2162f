import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sampleEdits } from "../demoWorld.ts";
import { recordBroadcast, removeBroadcast } from "../sandbox/broadcastRecord.ts";
import { openDemo } from "./openDemo.ts";
import { pressSubmit, reviewAsAPerson, verifyAsAPerson } from "../verifyJourney.ts";

describe("A person verifies a contract with the packaged extension", () => {
  const demo = openDemo();

  const submissions = () =>
    demo.world.sandbox.verification.requests.filter(({ method }) => method === "POST").length;
  const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
  /** Does something with the workspace as a person changed it, and takes the change back. */
  const whileChanged = async (
    [file, find, replacement]: (typeof sampleEdits)[keyof typeof sampleEdits],
    work: () => Promise<void>,
  ) => {
    await demo.world.edit(file, find, replacement);
    try {
      await work();
    } finally {
      await demo.world.edit(file, replacement, find);
    }
  };

  it("sees what is sent, and then an exact match", () =>
    demo.workbench.keepPictureOnFailure("verify-exact", async () => {
      const { address } = await demo.world.deployVault();
      const before = submissions();
      await demo.workbench.clearNotifications();
      const journey = await verifyAsAPerson(demo.workbench, {
        contract: "Vault",
        chainId: demo.world.sandbox.chain.chainId,
        address,
      });
      assert.match(
        journey.review.join("\n"),
        /Publishes 12 files at 127\.0\.0\.1:\d+\. They are public there, and it can't be taken back\./,
      );
      assert.match(journey.review.join("\n"), /Local chain \(31337\) · 0x/);
      assert.match(journey.review.join("\n"), /Files · 12 files \(10 from dependencies\)/);
      assert.match(journey.review.join("\n"), /solc 0\.8\.37\+commit\.f401782d/);
      assert.equal(journey.message, "Vault is verified: exact match.");
      assert.deepEqual(journey.buttons, ["Open in Block Explorer", "Copy Link", "Show Details"]);
      await demo.workbench.openViewContainer("Ledger Lens");
      await demo.workbench.waitForRow("Verification", /Vault.*exact match/);
      assert.equal(submissions() - before, 1);
    }));

  it("sees what was deployed, and verifies it without typing anything", () =>
    demo.workbench
      .keepPictureOnFailure("verify-deployed", async () => {
        const { chain } = demo.world.sandbox;
        const [first, third] = [await demo.world.deployVault(), await demo.world.deployVault()];
        const before = submissions();
        const target = { contract: "Vault", chainId: chain.chainId, address: first.address };
        await demo.workbench.clearNotifications();
        await verifyAsAPerson(demo.workbench, target);
        await recordBroadcast(demo.world.workspace, chain.chainId, [first, third]);
        await demo.workbench.openViewContainer("Ledger Lens");
        await demo.workbench.showOnly("Verification");
        await demo.workbench.waitForRow("Verification", /Deployments found/);
        await demo.workbench.waitForRow("Verification", new RegExp(`exact match .*${short(first.address)}`));
        const open = new RegExp(`not verified .*${short(third.address)}`);
        await demo.workbench.waitForRow("Verification", open);
        await demo.workbench.clearNotifications();
        await demo.workbench.chooseFromRowMenu("Verification", open, "Verify…");
        await demo.workbench.waitForQuestion("Press Enter to submit");
        await demo.workbench.waitForEntry(/expected|Can't predict/);
        await pressSubmit(demo.workbench);
        const { text } = await demo.workbench.waitForNotification(/^Vault is verified/);
        assert.equal(text, "Vault is verified: exact match.");
        await demo.workbench.waitForRow("Verification", new RegExp(`exact match .*${short(third.address)}`));
        assert.equal(submissions() - before, 2);
      })
      .finally(() => removeBroadcast(demo.world.workspace)));

  it("is told what changed while it was shown, and nothing goes before that was looked at", () =>
    demo.workbench.keepPictureOnFailure("verify-changed-meanwhile", async () => {
      const { address } = await demo.world.deployVault();
      const [file, text, edited] = sampleEdits.comment;
      await demo.workbench.clearNotifications();
      const { chainId } = demo.world.sandbox.chain;
      await reviewAsAPerson(demo.workbench, { contract: "Vault", chainId, address });
      const sent = submissions();
      await demo.world.edit(file, text, edited);
      await pressSubmit(demo.workbench);
      await demo.workbench.waitForEntry(
        /Nothing was sent, because this changed while it was shown: contracts\/Vault\.sol\./,
      );
      assert.equal(submissions(), sent);
      await demo.workbench.page.keyboard.press("Escape");
      await demo.world.edit(file, edited, text);
    }));

  it("sees a failure after a constant was changed, and nothing was sent twice", () =>
    demo.workbench.keepPictureOnFailure("verify-changed", async () => {
      const { address } = await demo.world.deployVault();
      const before = submissions();
      await demo.workbench.clearNotifications();
      await whileChanged(sampleEdits.constant, async () => {
        const journey = await verifyAsAPerson(demo.workbench, {
          contract: "Vault",
          chainId: demo.world.sandbox.chain.chainId,
          address,
        });
        assert.match(journey.message, /^Vault does not match: /);
      });
      await demo.workbench.openViewContainer("Ledger Lens");
      await demo.workbench.waitForRow("Verification", /Vault.*No match/);
      assert.equal(submissions() - before, 1);
    }));

  it("is shown as many files of all deployments as are sent", () =>
    demo.workbench
      .keepPictureOnFailure("verify-all", async () => {
        const { chain, verification } = demo.world.sandbox;
        const [first, second] = [await demo.world.deployVault(), await demo.world.deployVault()];
        await demo.workbench.clearNotifications();
        await verifyAsAPerson(demo.workbench, {
          contract: "Vault",
          chainId: chain.chainId,
          address: first.address,
        });
        await recordBroadcast(demo.world.workspace, chain.chainId, [first, second]);
        await demo.workbench.clearNotifications();
        const sent = verification.requests.length;
        let shown = "";
        await whileChanged(sampleEdits.constant, async () => {
          await demo.workbench.runCommand("Ledger Lens: Verify All Deployments…");
          await demo.workbench.waitForQuestion("Which deployments");
          await demo.workbench.accept();
          await demo.workbench.waitForQuestion("Press Enter to submit");
          const [submit = ""] = await demo.workbench.entries();
          [, shown = ""] = /Publishes (\d+) files/.exec(submit) ?? assert.fail(submit);
          await pressSubmit(demo.workbench);
          await demo.workbench.waitForNotification(/^Deployments: 1 not verified/);
        });
        const bodies = verification.requests.slice(sent).filter(({ method }) => method === "POST");
        const names = bodies.flatMap(({ body }) => {
          const { stdJsonInput } = JSON.parse(body) as { stdJsonInput: { sources: object } };
          return Object.keys(stdJsonInput.sources);
        });
        assert.equal(names.length, Number(shown));
      })
      .finally(() => removeBroadcast(demo.world.workspace)));
});
