import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { eventually } from "../rig/eventually.ts";
import { Workbench } from "../rig/workbench.ts";
import { reviewAsAPerson, submitAsAPerson } from "../verifyJourney.ts";
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

  it("are submitted once from two windows at once, and both follow the job", () =>
    demo.workbench.keepPictureOnFailure("windows-once", async () => {
      const { workbench, world } = demo;
      const { verification, chain } = world.sandbox;
      const [{ address }] = world.vaults;
      const second = await Workbench.open(world.editor.url, world.workspace);
      try {
        const { release } = verification.hold("finished");
        const target = { contract: "Vault", chainId: chain.chainId, address };
        for (const window of [workbench, second]) await reviewAsAPerson(window, target);
        await Promise.all([workbench.accept(), second.accept()]);
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

  it("are shown beside one that can't be read and one with wrong values, after a restart too", () =>
    demo.workbench.keepPictureOnFailure("windows-unreadable", async () => {
      const { workbench } = demo;
      const [folder] = await jobFolders();
      assert.ok(folder);
      const file = (await readdir(folder)).find((name) => name.endsWith(".job.json")) ?? "";
      const kept = JSON.parse(await readFile(join(folder, file), "utf8")) as Readonly<
        Record<string, unknown>
      >;
      const wrong = {
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
      };
      await writeFile(join(folder, "wrong.job.json"), JSON.stringify(wrong));
      await writeFile(join(folder, "broken.job.json"), '{"id": "broken", "submittedAt": "yesterday"}');
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
      const [folder] = await jobFolders();
      assert.ok(folder);
      await workbench.showOnly("Verification");
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
      const [, { address }] = world.vaults;
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
      const [folder] = await jobFolders();
      assert.ok(folder);
      const file = (await readdir(folder)).find((name) => /^(?!wrong).*\.job\.json$/.test(name)) ?? "";
      const kept = JSON.parse(await readFile(join(folder, file), "utf8")) as {
        readonly submittedAt: number;
        readonly submission: object;
      };
      /** A job as another window writes it; a higher number is a newer one. */
      const write = (at: number) => {
        const submission = { ...kept.submission, contractName: `Many${at}` };
        const submittedAt = kept.submittedAt - (1000 - at) * 60_000;
        const record = { ...kept, id: `many-${at}`, submission, submittedAt };
        return writeFile(join(folder, `${record.id}.job.json`), JSON.stringify(record));
      };
      const lookAgain = async (newest: string) => {
        await workbench.page.keyboard.press("Control+Shift+E");
        await workbench.page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
        await workbench.openViewContainer("Ledger Lens");
        await workbench.waitForRow("Verification", new RegExp(newest));
      };
      for (let at = 0; at < 100; at++) await write(at);
      await workbench.showOnly("Verification");
      await lookAgain("Many99");
      await (await workbench.waitForRow("Verification", /Older jobs/)).click();
      await workbench.waitForRow("Verification", /Many80/);
      const unfolded = await workbench.waitForRow("Verification", /Many99/);
      await unfolded.click();
      await workbench.waitForRow("Verification", /What was submitted/);
      // Each look creates more than a hundred rows, of which the editor is given a new view after five hundred.
      for (let at = 100; at < 108; at++) {
        await write(at);
        await lookAgain(`Many${at}`);
        await eventually(async () => {
          const shown = await workbench.viewRows("Verification");
          const below = shown[shown.findIndex(({ label }) => label.startsWith("Many99")) + 1];
          assert.equal(below?.level, 2, JSON.stringify(shown));
        });
      }
      await workbench.chooseFromRowMenu("Verification", /Many107/, "Remove from List");
      await eventually(async () =>
        assert.ok((await workbench.viewRows("Verification")).every(({ label }) => label !== "Many107")),
      );
    }));
});
