import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { sampleEdits } from "../demoWorld.ts";
import { eventually } from "../rig/eventually.ts";
import { longIt } from "../rig/longTest.ts";
import { proofSize } from "../rig/proofSize.ts";
import { recordBroadcast, removeBroadcast } from "../sandbox/broadcastRecord.ts";
import { recordHardhatBuild, removeHardhatBuild } from "../sandbox/hardhatRecord.ts";
import {
  askForAddress,
  pressSubmit,
  reviewAsAPerson,
  submitAsAPerson,
  verifyAsAPerson,
  verifyLocallyAsAPerson,
} from "../verifyJourney.ts";
import { accessibilityFindings, THEMES, UNLIKE_THEMES } from "./accessibility.ts";
import { goToRow } from "./byKeys.ts";
import { openDemo } from "./openDemo.ts";

const LOOKED_AT = proofSize({ sample: UNLIKE_THEMES, whole: THEMES });

/** The part of a browser's element and window that a test reads. */
interface Scrolled {
  scrollTop: number;
  readonly scrollWidth: number;
  readonly clientWidth: number;
}
interface PageWindow {
  getComputedStyle(element: unknown): { readonly outlineStyle: string };
}

describe("A person verifies a contract with the packaged extension", () => {
  const demo = openDemo();

  const submissions = () =>
    demo.world.sandbox.verification.requests.filter(({ method }) => method === "POST").length;
  const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
  /** The message that a vault at an address is verified. */
  const verifiedAt = (address: string) =>
    new RegExp(`^Vault at ${short(address)} on Local chain is verified: exact match\\.$`, "i");
  /** Does something with the workspace as a person changed it, and takes the change back. */
  const whileChanged = async (
    [file, find, replacement]: (typeof sampleEdits)[keyof typeof sampleEdits],
    work: () => Promise<unknown>,
  ) => {
    await demo.world.edit(file, find, replacement);
    try {
      await work();
    } finally {
      await demo.world.edit(file, replacement, find);
    }
  };

  /** Has a job in the list that failed; one is submitted where none is. */
  const haveFailure = async () => {
    const { workbench, world } = demo;
    await workbench.showView("Ledger Lens", "Verification");
    const rows = await workbench.viewRows("Verification");
    if (rows.some(({ description }) => description.startsWith("No match"))) return;
    const { address } = await world.deployVault();
    const target = { contract: "Vault", chainId: world.sandbox.chain.chainId, address };
    await whileChanged(sampleEdits.constant, () => verifyAsAPerson(workbench, target));
  };

  it("sees what is sent, and then an exact match", () =>
    demo.workbench.keepPictureOnFailure("verify-exact", async () => {
      const { address } = await demo.world.deployVault();
      const before = submissions();
      const journey = await verifyAsAPerson(demo.workbench, {
        contract: "Vault",
        chainId: demo.world.sandbox.chain.chainId,
        address,
      });
      assert.match(journey.review.join("\n"), /Sends 12 files to 127\.0\.0\.1:\d+\./);
      assert.ok(
        journey.review.includes(
          "Sources are sent to a service on this machine · 12 files (10 from dependencies), 29.2 kB",
        ),
      );
      assert.match(journey.review.join("\n"), /Local chain \(31337\) · 0x/);
      assert.match(journey.review.join("\n"), /Files · 12 files \(10 from dependencies\)/);
      assert.match(journey.review.join("\n"), /solc 0\.8\.37\+commit\.f401782d/);
      assert.match(journey.message, verifiedAt(address));
      const [open = "", ...others] = journey.buttons;
      assert.match(open, /^Open at 127\.0\.0\.1:\d+$/);
      assert.deepEqual(others, ["Copy Link", "Show Details"]);
      await demo.workbench.openViewContainer("Ledger Lens");
      await demo.workbench.waitForRow("Verification", /Vault.*exact match/);
      assert.equal(submissions() - before, 1);
      // The node was asked for the deployed code, and how that went is told.
      await demo.workbench.showView("Ledger Lens", "Service Status");
      await demo.workbench.expandRow("Service Status", /Your services/);
      await demo.workbench.waitForRow(
        "Service Status",
        /Node of Local chain \(31337\).*127\.0\.0\.1:\d+ · \d+ ms/,
      );
    }));

  it("is told that it was verified before, and how the edited file differs from that, and nothing is sent", () =>
    demo.workbench.keepPictureOnFailure("verify-before", async () => {
      const { address } = await demo.world.deployVault();
      const target = { contract: "Vault", chainId: demo.world.sandbox.chain.chainId, address };
      await verifyAsAPerson(demo.workbench, target);
      await demo.workbench.showView("Ledger Lens", "Verification");
      const rows = async () =>
        (await demo.workbench.viewRows("Verification")).filter(({ description }) =>
          description.toLowerCase().includes(short(address).toLowerCase()),
        );
      const before = submissions();
      await whileChanged(sampleEdits.constant, async () => {
        await demo.workbench.clearNotifications();
        await askForAddress(demo.workbench, target);
        await demo.workbench.typeAndAccept(address);
        const { text, buttons } = await demo.workbench.waitForNotification(
          /^Vault at \S+ on .* is verified already/,
        );
        assert.match(
          text,
          /^Vault at \S+ on Local chain is verified already: exact match\. Nothing new was published, and contracts\/Vault\.sol here is not what was verified\.$/,
        );
        assert.deepEqual(
          buttons.map((label) => label.replace(/127.*/, "…")),
          ["Compare With Workspace", "Open at …", "Show Details"],
          "more of them are cut",
        );
        await demo.workbench.waitForRow("Verification", /Vault.*exact match, edited since/);
        await demo.workbench.clickNotificationButton("Compare With Workspace");
        await demo.workbench.page.locator(".tab", { hasText: "Vault.sol: verified ↔ workspace" }).waitFor();
      });
      await demo.workbench.clearNotifications();
      await askForAddress(demo.workbench, target);
      await demo.workbench.typeAndAccept(address);
      const { text } = await demo.workbench.waitForNotification(/^Vault at \S+ on .* is verified already/);
      assert.match(text, /Nothing new was published: the files here are the verified ones\.$/);
      assert.equal(submissions(), before);
      await eventually(async () => assert.equal((await rows()).length, 1));
    }));

  /** Of a test that records deployments, which the others know nothing of. */
  const withoutRecordAfter = async (name: string, work: () => Promise<void>) => {
    try {
      await demo.workbench.keepPictureOnFailure(name, work);
    } finally {
      await removeBroadcast(demo.world.workspace);
      // The rows of jobs fold as they come out of their group, below the hands of the test after this one.
      await eventually(async () =>
        assert.ok(
          !(await demo.workbench.viewRows("Verification")).some(({ label }) => label === "Deployments found"),
        ),
      );
    }
  };

  it("sees what was deployed, and verifies it without typing anything", () =>
    withoutRecordAfter("verify-deployed", async () => {
      const { chain } = demo.world.sandbox;
      const [first, third] = [await demo.world.deployVault(), await demo.world.deployVault()];
      const before = submissions();
      const target = { contract: "Vault", chainId: chain.chainId, address: first.address };
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
      const { text } = await demo.workbench.waitForNotification(/^Vault at \S+ on .* is verified/);
      assert.match(text, verifiedAt(third.address));
      await demo.workbench.waitForRow("Verification", new RegExp(`exact match .*${short(third.address)}`));
      assert.equal(submissions() - before, 2);
    }));

  it("reads the review that a row's button opens, with no hover of the row above it", () =>
    withoutRecordAfter("verify-hover", async () => {
      const { workbench, world } = demo;
      const deployed = await world.deployVault();
      await recordBroadcast(world.workspace, world.sandbox.chain.chainId, [deployed]);
      await workbench.openViewContainer("Ledger Lens");
      await workbench.showOnly("Verification");
      const row = await workbench.waitForRow(
        "Verification",
        new RegExp(`not verified .*${short(deployed.address)}`),
      );
      const hover = workbench.page.locator(".workbench-hover", { hasText: "Recorded by" });
      await row.hover({ position: { x: 90, y: 10 } });
      await hover.waitFor();
      await row.locator('.action-label[aria-label="Verify…"]').click();
      await workbench.waitForQuestion("Press Enter to submit");
      await hover.waitFor({ state: "hidden" });
      await workbench.page.keyboard.press("Escape");
    }));

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
      await eventually(async () => assert.deepEqual(await demo.workbench.cutEntries(), []));
      await demo.workbench.page.keyboard.press("Escape");
      await demo.world.edit(file, edited, text);
    }));

  it("reads a whole review at 1,280 × 800, also where it offers the contract that is deployed", () =>
    demo.workbench.keepPictureOnFailure("review-whole", async () => {
      const { workbench, world } = demo;
      for (const [{ address }, offer] of [
        [await world.deployVault(), /expected|Can't predict/],
        [world.token, /Verify Token/],
      ] as const) {
        await reviewAsAPerson(workbench, {
          contract: "Vault",
          chainId: world.sandbox.chain.chainId,
          address,
        });
        await workbench.waitForEntry(offer);
        assert.deepEqual(workbench.page.viewportSize(), { width: 1280, height: 800 });
        // What is learned of the deployed code may still make a line longer.
        await eventually(async () => assert.deepEqual(await workbench.cutEntries(), []));
        if (address === world.token.address) {
          // Where it can't fit, it is seen that it does not.
          await workbench.page.setViewportSize({ width: 500, height: 300 });
          await eventually(async () => assert.notDeepEqual(await workbench.cutEntries(), []));
          await workbench.page.setViewportSize({ width: 1280, height: 800 });
        }
        await workbench.page.keyboard.press("Escape");
      }
    }));

  longIt("reads a whole review of a build of Hardhat at 1,280 × 800", () =>
    demo.workbench.keepPictureOnFailure("review-hardhat", async () => {
      const { workbench, world } = demo;
      const { chain, compilers } = world.sandbox;
      const { address } = await world.deployVault();
      await recordHardhatBuild(world.workspace, compilers, "contracts/Vault.sol:Vault");
      try {
        await reviewAsAPerson(workbench, { contract: "Vault", chainId: chain.chainId, address });
        await workbench.waitForEntry(/Exact match expected.*metadata hash/);
        await workbench.waitForEntry(/Read from.*artifacts\/build-info/);
        assert.deepEqual(workbench.page.viewportSize(), { width: 1280, height: 800 });
        await eventually(async () => assert.deepEqual(await workbench.cutEntries(), []));
        await workbench.page.keyboard.press("Escape");
        // What is to be said of the files is longer than a line.
        await whileChanged(sampleEdits.comment, async () => {
          await reviewAsAPerson(workbench, { contract: "Vault", chainId: chain.chainId, address });
          await workbench.waitForEntry(/contracts\/Vault\.sol has changed since/);
          await workbench.waitForEntry(/expected|Can't predict/);
          await eventually(async () => assert.deepEqual(await workbench.cutEntries(), []));
        });
      } finally {
        await workbench.page.keyboard.press("Escape");
        await removeHardhatBuild(world.workspace);
      }
    }),
  );

  it("sees a failure after a constant was changed, and nothing was sent twice", () =>
    demo.workbench.keepPictureOnFailure("verify-changed", async () => {
      const { address } = await demo.world.deployVault();
      const before = submissions();
      await whileChanged(sampleEdits.constant, async () => {
        const journey = await verifyAsAPerson(demo.workbench, {
          contract: "Vault",
          chainId: demo.world.sandbox.chain.chainId,
          address,
        });
        assert.match(
          journey.message,
          /^Vault at \S+ on Local chain does not match\. A value differs: 25 deployed, 52 compiled, in FEE_BASIS_POINTS/,
        );
      });
      await demo.workbench.openViewContainer("Ledger Lens");
      await demo.workbench.waitForRow("Verification", /Vault.*No match/);
      assert.equal(submissions() - before, 1);
    }));

  it("opens from the row of a job each file as it was sent, and the job's page", () =>
    demo.workbench.keepPictureOnFailure("verify-rows", async () => {
      const { workbench } = demo;
      await haveFailure();
      await workbench.runCommand("View: Close All Editors");
      await workbench.showOnly("Verification");
      await workbench.expandRow("Verification", /No match/);
      await workbench.expandRow("Verification", /What was submitted/);
      const clicked = async (row: RegExp, tab: RegExp) => {
        // A list that is drawn anew may swallow a click.
        await eventually(async () => {
          await workbench.clickRow("Verification", row);
          await workbench.page.getByRole("tab", { name: tab }).waitFor({ timeout: 5_000 });
        });
      };
      await clicked(/Vault\.sol(?!:)/, /^Vault\.sol/);
      await workbench.waitForEditor(/^Vault\.sol/, /FEE_BASIS_POINTS\s*=\s*52/);
      await workbench.runCommand("View: Close All Editors");
      await clicked(/What was submitted/, /^✕ Vault/);
      await workbench.runCommand("View: Close All Editors");
    }));

  it("opens the page of a job from the row of a cause, by a click and by Enter", () =>
    demo.workbench.keepPictureOnFailure("verify-cause-row", async () => {
      const { workbench } = demo;
      await haveFailure();
      const cause = /FEE_BASIS_POINTS/;
      const isOpen = () =>
        workbench
          .editorPage()
          .getByRole("heading", { level: 1, name: /^Vault does not match/ })
          .waitFor({ timeout: 5_000 });
      for (const open of [
        () => workbench.clickRow("Verification", cause),
        async () => {
          await goToRow(workbench, "Verification", cause);
          await workbench.page.keyboard.press("Enter");
        },
      ]) {
        await workbench.runCommand("View: Close All Editors");
        await workbench.page.locator("iframe.webview").first().waitFor({ state: "detached" });
        // A list that is drawn anew may swallow a click.
        await eventually(async () => {
          await workbench.expandRow("Verification", /No match/);
          await open();
          await isOpen();
        });
      }
      await workbench.runCommand("View: Close All Editors");
    }));

  it("is shown as many files of all deployments as are sent", () =>
    withoutRecordAfter("verify-all", async () => {
      const { chain, verification } = demo.world.sandbox;
      const [first, second] = [await demo.world.deployVault(), await demo.world.deployVault()];
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
        [, shown = ""] = /Sends (\d+) files/.exec(submit) ?? assert.fail(submit);
        await pressSubmit(demo.workbench);
        await demo.workbench.waitForNotification(/^Deployments: 1 not verified/);
      });
      const bodies = verification.requests.slice(sent).filter(({ method }) => method === "POST");
      const names = bodies.flatMap(({ body }) => {
        const { stdJsonInput } = JSON.parse(body) as { stdJsonInput: { sources: object } };
        return Object.keys(stdJsonInput.sources);
      });
      assert.equal(names.length, Number(shown));
    }));

  describe("and reads the page of a verification", () => {
    const page = () => demo.workbench.editorPage();
    const part = (name: string) => page().getByRole("region", { name });
    const heading = (name: RegExp, timeout?: number) =>
      page()
        .getByRole("heading", { level: 1, name })
        .waitFor({ ...(timeout !== undefined && { timeout }) });
    const deployed = async () => ({
      contract: "Vault",
      chainId: demo.world.sandbox.chain.chainId,
      address: (await demo.world.deployVault()).address,
    });
    const requests = () => demo.world.sandbox.verification.requests;
    /** Unfolds what is folded; what is unfolded stays so. */
    const unfold = async (of: ReturnType<typeof part>, summary: RegExp) => {
      const fold = of.locator("details", { has: page().locator("summary", { hasText: summary }) });
      if ((await fold.getAttribute("open")) === null) await fold.locator("summary").click();
      await fold.and(page().locator("[open]")).waitFor();
    };
    const PLACES = /places? that differs?/;
    const FILES = /Settings and files/;
    /** A tab names its address where another one has the same contract. */
    const clickTab = async (address: string) => {
      const tabs = demo.workbench.page.getByRole("tab", { name: /^✕ Vault/ });
      const named = tabs.filter({ hasText: new RegExp(short(address), "i") });
      await demo.workbench.showEditor(((await named.count()) > 0 ? named : tabs).first());
    };
    let mismatch: Awaited<ReturnType<typeof deployed>> | undefined;
    /** Puts the page of a vault that does not match in front, all of it unfolded; one is submitted where none was. */
    const openMismatch = async () => {
      const { workbench } = demo;
      if (mismatch) await clickTab(mismatch.address);
      else {
        const target = await deployed();
        await whileChanged(sampleEdits.constant, () => verifyAsAPerson(workbench, target));
        await workbench.clickNotificationButton("Show Details");
        mismatch = target;
      }
      await heading(
        new RegExp(`^Vault does not match · Local chain \\(31337\\) · ${short(mismatch.address)}$`, "i"),
      );
      await unfold(part("Runtime code"), PLACES);
      await unfold(part("What was submitted"), FILES);
      return mismatch;
    };

    it("reads why it does not match, which value differs and where, what was sent, and opens each", () =>
      demo.workbench.keepPictureOnFailure("page-mismatch", async () => {
        const { workbench } = demo;
        const target = await openMismatch();
        await eventually(async () => {
          const causes = await part("Causes").getByRole("listitem").allInnerTexts();
          assert.match(
            causes[0] ?? "",
            /^A value differs: 25 deployed, 52 compiled, in FEE_BASIS_POINTS \(Vault\.sol:\d+\); everything else/,
          );
          assert.equal(await page().locator(".sentence").count(), 0, "the head and the causes say it");
          const code = await part("Runtime code").innerText();
          assert.match(code, /^Runtime code\s+[\d,]+ bytes, \d+ differ in \d+ places?/);
          assert.match(code, /Immutables\s+2 values that the deployment wrote: /);
          assert.match(code, /Metadata hash\s+ipfs:\/\/\w+ deployed, ipfs:\/\/\w+ compiled/);
        });
        assert.equal(await part("Runtime code").getByRole("img").count(), 2);
        // Asked for while it is in front, it leads to its causes: else nothing would be seen to happen.
        const led = page().locator("section:focus", { hasText: "A value differs: 25 deployed" });
        const which = workbench.page.locator(
          '.quick-input-widget:visible input[placeholder^="Which failed verification"]',
        );
        assert.equal(await led.count(), 0);
        await workbench.runCommand("Ledger Lens: Why a Verification Failed…");
        // Only where others failed before it is it asked which.
        await Promise.race([led.waitFor(), which.waitFor()]);
        if (await which.isVisible()) await workbench.acceptByKeys("Which failed verification");
        await led.waitFor();
        // The file as it was sent, not as it is by now.
        await part("What was submitted")
          .getByRole("button", { name: /Vault\.sol$/ })
          .click();
        await workbench.waitForEditor(/^Vault\.sol/, /FEE_BASIS_POINTS\s*=\s*52/);
        await openMismatch();
        await page().getByRole("button", { name: "Show Bytecode Difference" }).click();
        await workbench.page.locator(".tab", { hasText: "deployed ↔ recompiled code" }).waitFor();
        await openMismatch();
        await page().getByRole("button", { name: "Raw JSON" }).click();
        await workbench.page.locator(".tab", { hasText: "verification.jsonc" }).waitFor();
        await openMismatch();
        await page().getByRole("button", { name: "Copy Address" }).click();
        await page().getByRole("status").filter({ hasText: "Address copied" }).waitFor();
        // The demo's ledger is that of the chain: what the page names opens there.
        await page()
          .getByRole("button", { name: new RegExp(`^${target.address}$`, "i") })
          .click();
        await workbench.waitForRow("Ledger", /^(?:Contract|Vault) 0\.0\.\d+/);
      }));

    const showIn = async (theme: string) => {
      const folder = join(demo.world.workspace, ".vscode");
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "settings.json"), JSON.stringify({ "workbench.colorTheme": theme }));
    };

    it("can be used by everybody: axe finds nothing wrong in any theme", () =>
      demo.workbench.keepPictureOnFailure("page-mismatch-axe", async () => {
        await openMismatch();
        for (const [theme, kind] of LOOKED_AT) {
          await showIn(theme);
          await page().locator(`body.${kind}`).waitFor();
          if (process.env["PICTURES"]) await demo.workbench.screenshot(`/tmp/theme-${theme}.png`);
          assert.deepEqual(await accessibilityFindings(demo.workbench), [], theme);
        }
      }));

    /** At 200 % a screen has half as many pixels of the page. */
    const atTwiceTheSize = async (work: () => Promise<void>) => {
      const size = demo.workbench.page.viewportSize();
      assert.ok(size);
      await demo.workbench.page.setViewportSize({ width: size.width / 2, height: size.height / 2 });
      try {
        await work();
      } finally {
        await demo.workbench.page.setViewportSize(size);
      }
    };

    const scrolled = () =>
      page()
        .locator("html")
        .evaluate((element) => {
          const { scrollTop, scrollWidth, clientWidth } = element as unknown as Scrolled;
          return { scrollTop, scrollWidth, clientWidth };
        });

    longIt("can be read at twice the size in every theme, without going from side to side", () =>
      demo.workbench.keepPictureOnFailure("page-mismatch-zoomed", () =>
        atTwiceTheSize(async () => {
          await openMismatch();
          await part("Runtime code").getByRole("table").waitFor();
          const { scrollWidth, clientWidth } = await scrolled();
          assert.equal(scrollWidth, clientWidth);
          for (const [theme, kind] of LOOKED_AT) {
            await showIn(theme);
            await page().locator(`body.${kind}`).waitFor();
            assert.deepEqual(await accessibilityFindings(demo.workbench), [], theme);
          }
        }),
      ),
    );

    longIt("can be used by keys alone: they reach each button, show where they are, and press it", () =>
      demo.workbench.keepPictureOnFailure("page-mismatch-keys", async () => {
        const { workbench } = demo;
        const { keyboard } = workbench.page;
        await openMismatch();
        const reachable = page().locator("button:visible, summary:visible");
        const all = await reachable.allInnerTexts();
        assert.ok(all.length > 15, all.join(", "));
        await reachable.first().focus();
        const reached: string[] = [];
        for (let at = 0; at < all.length; at++) {
          const focused = page().locator(":focus");
          reached.push(await focused.innerText());
          const outline = await focused.evaluate(
            (element) => (globalThis as unknown as PageWindow).getComputedStyle(element).outlineStyle,
          );
          if (at > 0) assert.equal(outline, "solid", reached.at(-1));
          await keyboard.press("Tab");
        }
        assert.deepEqual(reached, all);
        const folded = page().locator("summary", { hasText: "Settings and files" });
        await folded.focus();
        await keyboard.press("Space");
        await part("What was submitted").getByRole("table").waitFor({ state: "hidden" });
        await keyboard.press("Enter");
        await part("What was submitted").getByRole("table").waitFor();
        await page().getByRole("button", { name: "Compiler Input" }).focus();
        await keyboard.press("Enter");
        await workbench.waitForEditor(/^standard JSON input\.json/, /"language":\s*"Solidity"/);
        await openMismatch();
      }),
    );

    longIt("finds the page as it was left, after it was hidden and after the window was loaded anew", () =>
      demo.workbench.keepPictureOnFailure("page-mismatch-reload", () =>
        atTwiceTheSize(async () => {
          const { workbench } = demo;
          const { address } = await openMismatch();
          const top = async () => (await scrolled()).scrollTop;
          await page()
            .locator("html")
            .evaluate((element) => {
              (element as unknown as Scrolled).scrollTop = 320;
            });
          const isAsLeft = async () => {
            await heading(/^Vault does not match/);
            await part("What was submitted")
              .getByRole("button", { name: /Vault\.sol$/ })
              .waitFor();
            await part("Runtime code").getByRole("table").waitFor();
            await eventually(async () => assert.equal(await top(), 320));
          };
          await eventually(async () => assert.equal(await top(), 320));
          await workbench.runCommand("File: New Untitled Text File");
          await clickTab(address);
          await isAsLeft();
          await workbench.reloadedBy(() => workbench.runCommand("Developer: Reload Window"));
          await isAsLeft();
        }),
      ),
    );

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
          // The row tells each second how long it takes already: a click on one that is drawn anew selects, and opens nothing.
          await eventually(async () => {
            await workbench.clickRow("Verification", /Vault.*compiling/);
            await heading(/^Vault: compiling, \d+ s · /, 5_000);
          });
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
            /Immutables\s+token 0x[0-9a-f]{4}…[0-9a-f]{4}, unlockTime [\d,]+ \(value written, \d+ places in the runtime code\)/,
          );
        });
        assert.equal(await page().getByRole("region", { name: "Causes" }).count(), 0);
      }));

    longIt("reads what was compiled on this machine, of which nothing was published", () =>
      demo.workbench.keepPictureOnFailure("page-local", async () => {
        const { workbench, world } = demo;
        const target = await deployed();
        const submitted = requests().filter(({ method }) => method === "POST").length;
        const [file, find, replacement] = sampleEdits.constant;
        await world.edit(file, find, replacement);
        await verifyLocallyAsAPerson(workbench, target);
        await world.edit(file, replacement, find);
        await workbench.openViewContainer("Ledger Lens");
        await workbench.clickRow("Verification", /Vault.*no match · Local chain/i);
        await heading(/^Vault: no match on this machine · /);
        await page().getByText("Verified locally: nothing was published.").waitFor();
        await eventually(async () =>
          assert.match(
            await part("Causes").getByRole("listitem").first().innerText(),
            /^A value differs: 25 deployed, 52 compiled, in FEE_BASIS_POINTS/,
          ),
        );
        // The file as it was compiled, not as it is by now.
        await part("What was compiled").getByText("Settings and files").click();
        await part("What was compiled")
          .getByRole("button", { name: /Vault\.sol$/ })
          .click();
        await workbench.waitForEditor(/^Vault\.sol/, /FEE_BASIS_POINTS\s*=\s*52/);
        const back = () =>
          workbench.page
            .getByRole("tab", { name: /^✕ Vault/ })
            .last()
            .click();
        await back();
        await page().getByRole("button", { name: "Compiler Input" }).click();
        await workbench.waitForEditor(/^standard JSON input\.json/, /"language":\s*"Solidity"/);
        await back();
        await page().getByRole("button", { name: "Raw JSON" }).click();
        await workbench.waitForEditor(/^Vault verification\.json/, /"verdict":\s*"mismatch"/);
        await back();
        // The files are as they were deployed again.
        await page().getByRole("button", { name: "Compare Again" }).click();
        await heading(/^Vault: exact match on this machine · /);
        assert.match(
          await part("What the deployment wrote into the code").innerText(),
          /Immutables\s+token 0x[0-9a-f]{4}…[0-9a-f]{4}, unlockTime [\d,]+ \(value written, \d+ places in the runtime code\)/,
        );
        assert.equal(requests().filter(({ method }) => method === "POST").length, submitted);
      }),
    );
  });
});
