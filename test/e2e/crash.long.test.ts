import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { eventually } from "../rig/eventually.ts";
import { submitAsAPerson } from "../verifyJourney.ts";
import { openDemo } from "./openDemo.ts";

describe("The extension host is killed in the middle of a verification", () => {
  const demo = openDemo();

  const requests = (method: string, part: string) =>
    demo.world.sandbox.verification.requests.filter(
      (one) => one.method === method && one.path.toLowerCase().includes(part.toLowerCase()),
    );

  /** How many contracts were submitted until now, by whichever tests ran. */
  const submitted = () => new Set(requests("POST", "/v2/verify/").map(({ path }) => path.toLowerCase())).size;

  /** Jobs of the view that ended with an exact match. */
  const exactMatches = async () =>
    (await demo.workbench.viewRows("Verification")).filter(
      ({ label, description }) => label.startsWith("Vault") && description.startsWith("exact match"),
    ).length;

  /** Submits a contract, kills the extension host as soon as `moment` resolves, and comes back. */
  async function killAt(address: string, moment: () => Promise<unknown>, release: () => void): Promise<void> {
    const { workbench, world } = demo;
    await workbench.openViewContainer("Ledger Lens");
    await submitAsAPerson(workbench, { contract: "Vault", chainId: world.sandbox.chain.chainId, address });
    await moment();
    assert.ok((await world.editor.killExtensionHosts()) > 0, "there was an extension host to kill");
    release();
    await workbench.reload();
    await workbench.openViewContainer("Ledger Lens");
  }

  /** The job is still in the view, ends verified by itself, and the service accepted one submission. */
  async function endsVerifiedOnce(address: string): Promise<void> {
    await demo.workbench.waitForRow("Verification", /Vault/);
    await eventually(async () => assert.equal(await exactMatches(), submitted()));
    assert.equal(requests("POST", address).length, 1, "one submission");
  }

  it("after the service began the job and before its id was kept", () =>
    demo.workbench.keepPictureOnFailure("crash-accepted", async () => {
      const [{ address }] = demo.world.vaults;
      const { reached, release } = demo.world.sandbox.verification.hold("accepted");
      await killAt(address, () => reached, release);
      await endsVerifiedOnce(address);
    }));

  it("while the job is pending", () =>
    demo.workbench.keepPictureOnFailure("crash-pending", async () => {
      const [, { address }] = demo.world.vaults;
      const { release } = demo.world.sandbox.verification.hold("finished");
      const looks = requests("GET", "/v2/verify/").length;
      await killAt(
        address,
        () =>
          eventually(() => {
            assert.ok(requests("GET", "/v2/verify/").length > looks);
            return Promise.resolve();
          }),
        release,
      );
      await endsVerifiedOnce(address);
    }));

  it("while the service says that the job is finished", () =>
    demo.workbench.keepPictureOnFailure("crash-finished", async () => {
      const [, , { address }] = demo.world.vaults;
      const { reached, release } = demo.world.sandbox.verification.hold("told");
      await killAt(address, () => reached, release);
      await endsVerifiedOnce(address);
    }));

  it("while explorers are told of it", () =>
    demo.workbench.keepPictureOnFailure("crash-explorers", async () => {
      const { verification } = demo.world.sandbox;
      const { address } = await demo.world.deployVault();
      verification.explorers = {
        etherscan: { verificationId: "abc", explorerUrl: `https://explorer.example/address/${address}` },
        blockscout: { verificationId: "VERIFIER_ALREADY_VERIFIED" },
      };
      const { release } = verification.hold("explorers");
      await killAt(
        address,
        () =>
          eventually(async () => {
            assert.equal(requests("POST", address).length, 1);
            assert.equal(await exactMatches(), submitted());
          }),
        release,
      );
      await endsVerifiedOnce(address);
      await demo.workbench.expandRow("Verification", /Vault.*exact match/);
      await eventually(async () => {
        const rows = await demo.workbench.viewRows("Verification");
        const facts = rows.map(({ label, description }) => `${label} · ${description}`);
        assert.ok(facts.includes("Etherscan · submitted · explorer.example"), facts.join("\n"));
        assert.ok(facts.includes("Blockscout · verified there already"), facts.join("\n"));
      });
    }));
});
