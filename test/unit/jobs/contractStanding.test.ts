import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  contractStanding,
  outcomeWithChain,
  outcomeWithPlace,
  SubmittedTexts,
  verifiedInBrief,
  verifyingJob,
} from "../../../src/core/jobs/contractStanding.ts";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import type { StandardJsonInput } from "../../../src/core/sources/standardJsonInput.ts";
import { inGerman } from "../inGerman.ts";
import { shortAddress } from "../../../src/core/text/shownText.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const [FIRST, SECOND, THIRD] = ["11", "22", "33"].map((digits) => `0x${digits.repeat(20)}`) as [
  string,
  string,
  string,
];

let jobs = 0;
function job(address: string, match: string | null, change: Partial<JobRecord> = {}): JobRecord {
  const verificationId = `7b2f0000-0000-4000-8000-${String(++jobs).padStart(12, "0")}`;
  return {
    id: String(jobs),
    stage: "submitted",
    service: "https://service.example",
    chainId: "296",
    address,
    verificationId,
    submittedAt: NOW,
    submission: {
      compilerVersion: "0.8.28+commit.7893614a",
      contractIdentifier: "src/Vault.sol:Vault",
      source: "derived",
      path: "/w/src/Vault.sol",
      contractName: "Vault",
      fileCount: 1,
    },
    job: {
      isJobCompleted: true,
      verificationId,
      contract: { match },
      ...(match === null && { error: { customCode: "no_match", message: "", errorId: "1" } }),
    },
    ...change,
  };
}

/** What stands above the contract of jobs, newest first. */
function line(records: readonly JobRecord[], isEdited = false, told: JobRecord[] = []): string {
  const { verified, unverified } = contractStanding(records, told);
  const [first, ...others] = verified;
  return [
    ...(first ? [verifiedInBrief([first, ...others], isEdited)] : []),
    ...(unverified ? [outcomeWithChain(unverified)] : []),
  ].join(" | ");
}

describe("How a contract stands after several jobs", () => {
  it("begins with where it is verified, and has a newest job that failed behind that", () => {
    const failed = job(THIRD, null);
    assert.equal(line([failed]), "No match on Hedera Testnet (296)");
    assert.equal(
      line([failed, job(FIRST, "exact_match", { chainId: "31337" })]),
      "exact match on Local chain (31337) | No match on Hedera Testnet (296)",
    );
  });

  it("names the address of a failed one where it stands beside another place, as far as it has one", () => {
    assert.equal(
      outcomeWithPlace(job(THIRD, null)),
      `No match at ${shortAddress(THIRD)} on Hedera Testnet (296)`,
    );
    assert.equal(outcomeWithPlace(job("", null)), "No match on Hedera Testnet (296)");
  });

  it("keeps what is verified when a submission was refused, also at the same address", () => {
    const refused = { stage: "refused", job: undefined, verificationId: undefined } as never;
    const verified = job(FIRST, "exact_match", { chainId: "31337" });
    assert.equal(
      line([job(FIRST, null, refused), verified]),
      "exact match on Local chain (31337) | not submitted on Hedera Testnet (296)",
    );
    const again = job(FIRST, null, { ...(refused as object), chainId: "31337" });
    assert.equal(
      line([again, verified]),
      "exact match on Local chain (31337) | not submitted on Local chain (31337)",
    );
  });

  it("counts several deployments, each once, as what they are", () => {
    const failed = job(THIRD, null);
    const many = [
      failed,
      job(FIRST, null),
      job(FIRST, "match"),
      job(SECOND, "exact_match"),
      job(SECOND, "match"),
    ];
    assert.equal(
      line(many),
      "verified at 2 addresses on Hedera Testnet (296) | No match on Hedera Testnet (296)",
    );
    const onMainnet = job(FIRST, "exact_match", { chainId: "1" });
    assert.match(line([failed, onMainnet, job(FIRST, "match")]), /^verified on 2 chains \| /);
    assert.match(line([...many, onMainnet]), /^verified at 3 deployments on 2 chains \| /);
  });

  it("says no second time what stands beside it", () => {
    const failed = job(THIRD, null);
    const verified = job(FIRST, "exact_match");
    assert.equal(line([failed, verified], false, [verified]), "No match on Hedera Testnet (296)");
    assert.equal(line([verified, job(SECOND, "match")]), "exact match on Hedera Testnet (296)");
  });

  it("is of a text that is no longer there once the file is edited, where it was verified", async () => {
    const verified = [job(FIRST, "exact_match")];
    assert.equal(line(verified, true), "exact match on Hedera Testnet (296), edited since");
    assert.equal(line([job(FIRST, null)], true), "No match on Hedera Testnet (296)");
    assert.equal(
      await inGerman(() => line(verified, true)),
      "exakte Übereinstimmung auf Hedera Testnet (296), seitdem bearbeitet",
    );
  });
});

describe("Whether a file is what was verified", () => {
  const inputs = new Map<string, StandardJsonInput>();
  let reads = 0;
  const texts = new SubmittedTexts({
    input: (id) => {
      reads++;
      return Promise.resolve(inputs.get(id));
    },
  });
  const file = (text: string, written?: number) => ({
    text,
    isDirty: false,
    written: () => Promise.resolve(written),
  });
  const keep = (record: JobRecord, content: string, name = "src/Vault.sol") =>
    inputs.set(record.id, { language: "Solidity", sources: { [name]: { content } }, settings: {} } as never);

  it("is told by what the job submitted, whatever its line endings, and read once", async () => {
    const record = job(FIRST, "exact_match");
    keep(record, "contract Vault {\n}\n");
    assert.equal(await texts.isEdited(record, file("\ufeffcontract Vault {\r\n}\r\n")), false);
    assert.equal(await texts.isEdited(record, file("contract Vault { }\n")), true);
    assert.equal(reads, 1);
  });

  it("is told by when it was changed where that made room for newer ones, or is a text of a build record alone", async () => {
    const gone = job(FIRST, "exact_match");
    const bundled = job(FIRST, "exact_match");
    keep(bundled, "contract Vault {}");
    const submission = bundled.submission && { ...bundled.submission, path: "/w/out/Vault.json" };
    for (const record of [gone, { ...bundled, ...(submission && { submission }) }]) {
      assert.equal(await texts.isEdited(record, file("", NOW - 1)), false);
      assert.equal(await texts.isEdited(record, file("", undefined)), false);
      assert.equal(await texts.isEdited(record, file("", NOW + 1)), true);
      assert.equal(await texts.isEdited(record, { ...file("", NOW - 1), isDirty: true }), true);
    }
  });

  it("is told by the job that verified it, before a later one that found it verified", () => {
    const first = job(FIRST, "exact_match");
    const again = job(FIRST, null, {
      stage: "refused",
      job: undefined,
      contract: { match: "exact_match" },
    });
    const failed = job(FIRST, null);
    assert.equal(verifyingJob(first, [failed, again, first, job(SECOND, "match")]), first);
    assert.equal(verifyingJob(first, [again]), again);
    assert.equal(verifyingJob(first, [failed]), undefined);
  });
});
