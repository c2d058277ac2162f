import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { eventually } from "../rig/eventually.ts";
import { Workbench } from "../rig/workbench.ts";
import { pressSubmit, reviewAsAPerson, submitAsAPerson } from "../verifyJourney.ts";
import { openDemo } from "./openDemo.ts";

describe("The jobs of a folder", () => {
  const demo = openDemo();

  const rows = async (workbench: Workbench) =>
    (await workbench.viewRows("Verification")).map(({ label, description }) => `${label} · ${description}`);

  const jobsIn = async (workbench: Workbench) =>
    (await rows(workbench)).filter((row) => row.startsWith("Vault"));

  /** The folders in which windows keep jobs. */
  async function jobFolders(): Promise<string[]> {
    const entries = await readdir(demo.world.editor.dataFolder, { recursive: true });
    return entries
      .filter((entry) => /ledger-lens\.ledger-lens[\\/]jobs$/.test(entry))
      .map((entry) => join(demo.world.editor.dataFolder, entry));
  }

  /** The one folder in which the windows of these tests keep jobs; it is made when the view is seen. */
  async function jobFolder(): Promise<string> {
    await demo.workbench.showView("Ledger Lens", "Verification");
    return eventually(async () => {
      const [folder, ...others] = await jobFolders();
      assert.ok(folder, "there is a folder");
      assert.deepEqual(others, [], "both windows have one folder");
      return folder;
    });
  }

  /** Looks at something else and comes back, for which the view reads what is on disk. */
  async function lookAgain(): Promise<void> {
    await demo.workbench.openViewContainer("Explorer");
    await demo.workbench.page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
    await demo.workbench.openViewContainer("Ledger Lens");
  }

  /** Leaves no job of the tests before, young or in the history. */
  async function startAfresh(): Promise<void> {
    const folder = await jobFolder();
    for (const name of await readdir(folder))
      if (name.endsWith(".job.json") || name === "history.json")
        await rm(join(folder, name), { force: true });
    await lookAgain();
    await eventually(async () => assert.deepEqual(await jobsIn(demo.workbench), []));
  }

  let verified: Promise<Readonly<Record<string, unknown>>> | undefined;
  /** A record as the extension keeps it of a contract that it verified with an exact match. */
  function verifiedRecord(): Promise<Readonly<Record<string, unknown>>> {
    verified ??= (async () => {
      const { workbench, world } = demo;
      await startAfresh();
      const { address } = await world.deployVault();
      await submitAsAPerson(workbench, { contract: "Vault", chainId: world.sandbox.chain.chainId, address });
      await workbench.waitForRow("Verification", /Vault.*exact match/);
      const folder = await jobFolder();
      const [name = ""] = (await readdir(folder)).filter((one) => one.endsWith(".job.json"));
      return JSON.parse(await readFile(join(folder, name), "utf8")) as Record<string, unknown>;
    })();
    return verified;
  }

  /** The folder with the record of one verified contract and what is written beside it; the view shows them. */
  async function withOneVerified(
    beside: (kept: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
  ): Promise<{ folder: string; kept: Readonly<Record<string, unknown>> }> {
    const kept = await verifiedRecord();
    await startAfresh();
    const folder = await jobFolder();
    // Another job: the window has heard of the end of the other one.
    const record = { ...kept, id: randomUUID() };
    for (const [id, one] of Object.entries({ [record.id]: record, ...beside(record) }))
      await writeFile(join(folder, `${id}.job.json`), typeof one === "string" ? one : JSON.stringify(one));
    await lookAgain();
    await demo.workbench.waitForRow("Verification", /Vault.*exact match/);
    return { folder, kept: record };
  }

  it("are submitted once from two windows at once, and both follow the job", () =>
    demo.workbench.keepPictureOnFailure("windows-once", async () => {
      const { workbench, world } = demo;
      const { verification, chain } = world.sandbox;
      await startAfresh();
      const { address } = await world.deployVault();
      const second = await Workbench.open(world.editor.url, world.workspace);
      try {
        const { release } = verification.hold("finished");
        const target = { contract: "Vault", chainId: chain.chainId, address };
        for (const window of [workbench, second]) await reviewAsAPerson(window, target);
        await Promise.all([pressSubmit(workbench), pressSubmit(second)]);
        for (const window of [workbench, second]) {
          await window.openViewContainer("Ledger Lens");
          await window.waitForRow("Verification", /Vault/);
        }
        release();
        for (const window of [workbench, second])
          await eventually(async () => {
            const jobs = await jobsIn(window);
            assert.equal(jobs.length, 1, jobs.join("\n"));
            assert.match(jobs[0] ?? "", /exact match/);
          });
        const posts = verification.requests.filter(
          ({ method, path }) => method === "POST" && path.toLowerCase().includes(address.toLowerCase()),
        );
        assert.equal(posts.length, 1, "one submission");
        assert.equal((await jobFolders()).length, 1, "both windows have one folder");
      } finally {
        await second.close();
      }
    }));

  /** What a file says of a job that no service would: its values are wrong. */
  const withWrongValues = (kept: Readonly<Record<string, unknown>>) => ({
    ...kept,
    id: "wrong",
    job: {
      isJobCompleted: true,
      verificationId: 5,
      error: {},
      contract: { address: 42 },
      jobStartTime: [],
    },
    contract: { match: [], address: 42 },
    explanation: { causes: [{ code: "toString" }] },
  });
  const BROKEN = '{"id": "broken", "submittedAt": "yesterday"}';

  it("are shown beside one that can't be read and one with wrong values, after a restart too", () =>
    demo.workbench.keepPictureOnFailure("windows-unreadable", async () => {
      const { workbench } = demo;
      const { folder } = await withOneVerified((kept) => ({ wrong: withWrongValues(kept), broken: BROKEN }));
      await workbench.reload();
      await workbench.openViewContainer("Ledger Lens");
      await workbench.waitForRow("Verification", /1 stored job can't be read/);
      await eventually(async () => {
        const jobs = await jobsIn(workbench);
        assert.equal(jobs.length, 2, (await rows(workbench)).join("\n"));
        assert.ok(jobs.some((job) => job.includes("exact match")));
        assert.ok(jobs.some((job) => job.includes("Not verified")));
      });
      assert.match(await readFile(join(folder, "broken.job.json"), "utf8"), /yesterday/);
    }));

  it("that can't be read are opened and removed from their rows", () =>
    demo.workbench.keepPictureOnFailure("windows-unreadable-rows", async () => {
      const { workbench } = demo;
      const { folder } = await withOneVerified((kept) => ({ wrong: withWrongValues(kept), broken: BROKEN }));
      const heading = await workbench.waitForRow("Verification", /1 stored job can't be read/);
      if ((await heading.getAttribute("aria-expanded")) === "false") await heading.click();
      await workbench.chooseFromRowMenu("Verification", /^\W*broken\.job\.json/, "Open Stored Job");
      await workbench.page.locator(".editor-instance .view-line", { hasText: "yesterday" }).first().waitFor();
      await workbench.chooseFromRowMenu("Verification", /^\W*broken\.job\.json/, "Remove Stored Job");
      await eventually(async () => {
        assert.ok((await rows(workbench)).every((row) => !row.includes("can't be read")));
        assert.ok(!(await readdir(folder)).includes("broken.job.json"));
      });
      assert.equal((await jobsIn(workbench)).length, 2, "what can be read stays");
    }));

  it("are there beside one whose answer has wrong values, now and after a restart", () =>
    demo.workbench.keepPictureOnFailure("windows-bad-answer", async () => {
      const { workbench, world } = demo;
      const { verification, chain } = world.sandbox;
      await withOneVerified((kept) => ({ wrong: withWrongValues(kept) }));
      await workbench.waitForRow("Verification", /Vault.*Not verified/);
      const { address } = await world.deployVault();
      verification.fault = ({ method, path }, response) => {
        const [, verificationId] = /^\/server\/v2\/verify\/([^/]+)$/.exec(path) ?? [];
        if (method !== "GET" || verificationId === undefined) return false;
        response.setHeader("content-type", "application/json").end(
          JSON.stringify({
            isJobCompleted: true,
            verificationId,
            jobStartTime: [],
            contract: { match: "exact_match", chainId: {}, address: 42 },
            externalVerifications: [[]],
          }),
        );
        return true;
      };
      try {
        await submitAsAPerson(workbench, { contract: "Vault", chainId: chain.chainId, address });
        const areAllThere = () =>
          eventually(async () => {
            const jobs = await jobsIn(workbench);
            assert.equal(jobs.length, 3, (await rows(workbench)).join("\n"));
            assert.equal(jobs.filter((job) => job.includes("exact match")).length, 2, jobs.join("\n"));
          });
        await areAllThere();
        await workbench.reload();
        await workbench.openViewContainer("Ledger Lens");
        await areAllThere();
      } finally {
        verification.fault = undefined;
      }
    }));

  it("stay as they were unfolded when the editor is given a new view after very many rows", () =>
    demo.workbench.keepPictureOnFailure("windows-many-rows", async () => {
      const { workbench } = demo;
      const { folder, kept } = await withOneVerified(() => ({}));
      /** A job as another window writes it; a higher number is a newer one. */
      const write = (at: number) => {
        const submission = { ...(kept["submission"] as object), contractName: `Many${at}` };
        const submittedAt = Number(kept["submittedAt"]) - (1000 - at) * 60_000;
        const record = { ...kept, id: `many-${at}`, submission, submittedAt };
        return writeFile(join(folder, `${record.id}.job.json`), JSON.stringify(record));
      };
      const lookAgainFor = async (newest: string) => {
        await lookAgain();
        await workbench.waitForRow("Verification", new RegExp(newest));
      };
      for (let at = 0; at < 100; at++) await write(at);
      await lookAgainFor("Many99");
      await workbench.clickRow("Verification", /Older jobs/);
      await workbench.waitForRow("Verification", /Many80/);
      // A click takes the view's focus to the newest, where the view then stays, and opens its page.
      await workbench.clickRow("Verification", /Many99/);
      await workbench.expandRow("Verification", /Many99/);
      await workbench.waitForRow("Verification", /What was submitted/);
      // Each look creates more than a hundred rows, of which the editor is given a new view after five hundred.
      for (let at = 100; at < 108; at++) {
        await write(at);
        await lookAgainFor(`Many${at}`);
        await eventually(async () => {
          const shown = await workbench.viewRows("Verification");
          const below = shown[shown.findIndex(({ label }) => label.startsWith("Many99")) + 1];
          assert.equal(below?.level, 2, JSON.stringify(shown));
        });
      }
      await workbench.removeFromList("Verification", /Many107/);
      await eventually(async () =>
        assert.ok((await workbench.viewRows("Verification")).every(({ label }) => label !== "Many107")),
      );
    }));
});
