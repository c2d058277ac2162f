import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { knownPlaces } from "../../../src/core/jobs/knownPlaces.ts";
import type { FoundDeployment } from "../../../src/core/workspace/workspaceDeployments.ts";

const [FIRST, SECOND, THIRD] = ["aa", "bb", "cc"].map((digits) => `0x${digits.repeat(20)}`) as [
  string,
  string,
  string,
];

let jobs = 0;
function job(address: string, change: Partial<JobRecord> = {}, contractName = "Vault"): JobRecord {
  return {
    id: String(++jobs),
    stage: "submitted",
    service: "https://service.example",
    chainId: "296",
    address,
    submittedAt: 1_700_000_000_000 - jobs,
    submission: {
      compilerVersion: "0.8.28+commit.7893614a",
      contractIdentifier: `src/Vault.sol:${contractName}`,
      source: "derived",
      path: "/w/src/Vault.sol",
      contractName,
      fileCount: 1,
    },
    ...change,
  };
}

function recorded(address: string, name = "Vault"): FoundDeployment {
  const defined = { path: "/w/src/Vault.sol", name };
  return { chainId: "296", address, contract: name, recordedBy: "foundry", record: "/w/run.json", defined };
}

const placesOf = (found: readonly FoundDeployment[], records: readonly JobRecord[], contract = "Vault") =>
  knownPlaces(["/w"], `src/Vault.sol:${contract}`, { found, jobs: records });
const addresses = (places: ReturnType<typeof placesOf>) => places.map(({ address }) => address);

describe("Where a contract is known to be", () => {
  it("is what tools recorded, then where it was submitted, the newest first and each place once", () => {
    const [newest, again, atRecord] = [job(THIRD), job(SECOND), job(FIRST.toUpperCase().replace("0X", "0x"))];
    const older = job(THIRD);
    const places = placesOf([recorded(FIRST)], [newest, again, atRecord, older]);
    assert.deepEqual(addresses(places), [FIRST, THIRD, SECOND]);
    assert.deepEqual(
      places.map((place) => place.jobs),
      [[atRecord], [newest, older], [again]],
    );
    assert.deepEqual(
      places.map((place) => place.recorded?.recordedBy),
      ["foundry", undefined, undefined],
    );
  });

  it("is at another chain another place, with the transaction that made it where that is known", () => {
    const creationTransactionHash = `0x${"12".repeat(32)}`;
    const places = placesOf([], [job(FIRST), job(FIRST, { chainId: "295", creationTransactionHash })]);
    assert.deepEqual(
      places.map(({ chainId, creationTransactionHash: hash }) => [chainId, hash]),
      [
        ["296", undefined],
        ["295", creationTransactionHash],
      ],
    );
  });

  it("is nothing of another contract, of a search without a contract, or of an address where nothing is", () => {
    const causes = [{ code: "not_deployed", confidence: 1, evidence: "" }] as const;
    const records = [
      job(FIRST, {}, "Other"),
      job(SECOND, { submission: undefined } as unknown as Partial<JobRecord>),
      job(THIRD, { explanation: { summary: "", causes } }),
    ];
    assert.deepEqual(placesOf([recorded(FIRST, "Other")], records), []);
    assert.deepEqual(addresses(placesOf([], records, "Other")), [FIRST]);
  });

  it("have no creation transaction where a record has an empty hash, which to the service is none", () => {
    const hash = `0x${"12".repeat(32)}`;
    for (const [creationTransactionHash, kept] of [
      ["", undefined],
      [hash, hash],
    ] as const) {
      const [bySubmission] = placesOf([], [job(FIRST, { creationTransactionHash })]);
      const [byRecord] = placesOf([{ ...recorded(FIRST), creationTransactionHash }], []);
      for (const place of [bySubmission, byRecord]) {
        assert.equal(place?.creationTransactionHash, kept);
        assert.equal(place !== undefined && "creationTransactionHash" in place, kept !== undefined);
      }
    }
  });
});
