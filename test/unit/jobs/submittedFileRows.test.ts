import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import type { SubmittedFile } from "../../../src/core/jobs/submissionParts.ts";
import { submittedFileRows } from "../../../src/core/jobs/submittedFileRows.ts";
import { jobFacts } from "../../../src/core/jobs/verificationRows.ts";
import { FULL } from "./fullRecord.ts";

const RECORD: JobRecord = {
  ...FULL,
  submission: {
    compilerVersion: "0.8.28+commit.7893614a",
    contractIdentifier: "contracts/Vault.sol:Vault",
    source: "derived",
    path: "/w/contracts/Vault.sol",
    contractName: "Vault",
    fileCount: 3,
  },
};

const file = (name: string, place: SubmittedFile["place"] = "project"): SubmittedFile => ({
  name,
  path: `/w/${name}`,
  place,
});

describe("The files of a submission", () => {
  it("are rows, the contract's own first, then those of the project, each with where it is from", () => {
    const rows = submittedFileRows(RECORD, [
      file("@openzeppelin/contracts/access/Ownable.sol", "dependency"),
      file("contracts/Fees.sol"),
      file("contracts/Vault.sol"),
    ]);
    assert.deepEqual(
      rows.map(({ label, description }) => `${label} · ${description}`),
      [
        "Vault.sol · contracts",
        "Fees.sol · contracts",
        "Ownable.sol · @openzeppelin/contracts/access · dependency",
      ],
    );
    assert.deepEqual(rows[0]?.submittedFile, file("contracts/Vault.sol"));
    assert.equal(rows[0].record, RECORD);
  });

  it("are the contract's file of the workspace where they are no longer kept, and none of a similarity search", () => {
    const rows = submittedFileRows(RECORD, []);
    assert.deepEqual(
      rows.map(({ submittedFile }) => submittedFile),
      [{ name: "contracts/Vault.sol", path: "/w/contracts/Vault.sol" }],
    );
    const { submission, ...similarity } = RECORD;
    assert.ok(submission);
    assert.deepEqual(submittedFileRows(similarity, []), []);
  });

  it("are counted where there are very many", () => {
    const many = Array.from({ length: 1_500 }, (_, at) => file(`contracts/Many${at}.sol`));
    const rows = submittedFileRows(RECORD, many);
    assert.equal(rows.length, 201);
    assert.equal(rows.at(-1)?.description, "1,300");
  });

  it("are below what was submitted, which says so only of what was", () => {
    const named = (record: JobRecord) => jobFacts(record).find(({ hasFiles }) => hasFiles)?.label;
    assert.equal(named(RECORD), "What was submitted");
    assert.equal(named({ ...RECORD, stage: "refused" }), "What was not published");
  });
});
