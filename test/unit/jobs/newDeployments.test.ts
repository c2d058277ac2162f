import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deployedWords, worthOffering } from "../../../src/core/jobs/deploymentOffer.ts";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { NewDeployments, type RecordChange } from "../../../src/core/jobs/newDeployments.ts";
import { projectDeployments } from "../../../src/core/tools/projectDeployments.ts";
import { findProject } from "../../../src/core/tools/project.ts";
import type { FoundDeployment } from "../../../src/core/workspace/workspaceDeployments.ts";
import { memoryFolders } from "../files/memoryFolders.ts";

const OPENED = Date.parse("2026-05-01T12:00:00Z");
const LATER = OPENED + 60_000;
const EARLIER = OPENED - 60_000;
const SEPOLIA = "11155111";

const addressOf = (at: number) => `0x9d44${at.toString(16).padStart(32, "0")}1688`;
const deployed = (at: number, rest: Partial<FoundDeployment> = {}): FoundDeployment => ({
  chainId: SEPOLIA,
  address: addressOf(at),
  contract: "Counter",
  recordedBy: "foundry",
  record: "/w/broadcast/Deploy.s.sol/11155111/run-1.json",
  when: LATER,
  defined: { path: "/w/src/Counter.sol", name: "Counter" },
  ...rest,
});
const changed = (path: string): RecordChange => ({ path, isNew: false });
const came = (path: string): RecordChange => ({ path, isNew: true });

describe("What has been deployed since a window was opened", () => {
  it("is what Foundry dates later, in whatever file of the run", () => {
    const news = new NewDeployments(OPENED);
    const all = [deployed(1), deployed(2, { when: EARLIER })];
    const change = changed("/w/broadcast/Deploy.s.sol/11155111/run-latest.json");
    assert.deepEqual(news.among(all, [change], true).deployed, [all[0]]);
    assert.deepEqual(news.among(all, [change], true).deployed, [], "it is told once");
  });

  it("is nothing of a checkout of many records, although all their files are new", () => {
    const news = new NewDeployments(OPENED);
    const all = Array.from({ length: 300 }, (_, at) =>
      deployed(at, { when: EARLIER, record: `/w/broadcast/Deploy.s.sol/${at}/run-1.json` }),
    );
    assert.deepEqual(news.among(all, [came("/w/broadcast")], true), { deployed: [], isAwaited: false });
  });

  it("is not what lies in a record whose change was not heard of yet", () => {
    const news = new NewDeployments(OPENED);
    const other = deployed(1, { record: "/w/broadcast/Other.s.sol/1/run-1.json" });
    assert.deepEqual(news.among([other], [changed("/w/broadcast/A.s.sol/1/run-1.json")], true).deployed, []);
    assert.deepEqual(news.among([other], [changed(other.record)], true).deployed, [other]);
  });

  it("is of hardhat-deploy the contract whose file was written", () => {
    const news = new NewDeployments(OPENED);
    const file = (at: number, when: number) =>
      deployed(at, { recordedBy: "hardhat-deploy", record: `/w/deployments/sepolia/C${at}.json`, when });
    const all = [file(1, LATER), file(2, EARLIER)];
    assert.deepEqual(news.among(all, [changed("/w/deployments/sepolia/C1.json")], true).deployed, [all[0]]);
  });

  for (const [recordedBy, record] of [
    ["hardhat-ignition", "/w/ignition/deployments/chain-11155111/deployed_addresses.json"],
    ["ape", "/w/.build/__local__.json"],
    ["truffle", "/w/build/contracts/Counter.json"],
  ] as const) {
    const inRecord = (at: number) => deployed(at, { recordedBy, record });

    it(`is of a record of ${recordedBy} what was not in it before`, () => {
      const news = new NewDeployments(OPENED);
      news.note([inRecord(1)], []);
      const now = [inRecord(1), inRecord(2)];
      assert.deepEqual(news.among(now, [changed(record)], true).deployed, [now[1]]);
      assert.deepEqual(news.among([...now, inRecord(3)], [changed(record)], true).deployed, [inRecord(3)]);
    });

    it(`is all of a record of ${recordedBy} that came since`, () => {
      const news = new NewDeployments(OPENED);
      // What was there before is read when the first change is heard of, and may have this one by then.
      news.note([inRecord(1)], [came(record)]);
      assert.deepEqual(news.among([inRecord(1)], [came(record)], true).deployed, [inRecord(1)]);
    });

    it(`is unknown of a record of ${recordedBy} that was never looked at, and known the next time`, () => {
      const news = new NewDeployments(OPENED);
      assert.deepEqual(news.among([inRecord(1), inRecord(2)], [changed(record)], true).deployed, []);
      const now = [inRecord(1), inRecord(2), inRecord(3)];
      assert.deepEqual(news.among(now, [changed(record)], true).deployed, [now[2]]);
    });
  }

  it("waits for the end of a run, and of what was stopped tells what was mined", () => {
    const news = new NewDeployments(OPENED);
    const mined = deployed(1, { awaits: "others" });
    const sent = deployed(2, { awaits: "itself" });
    const change = changed(mined.record);
    assert.deepEqual(news.among([mined, sent], [change], true), { deployed: [], isAwaited: true });
    assert.deepEqual(news.among([mined, sent], [change], false).deployed, [mined]);
    const all = [deployed(1), deployed(2)];
    assert.deepEqual(news.among(all, [change], true), { deployed: [all[1]], isAwaited: false });
  });
});

describe("An offer to verify what was deployed", () => {
  it("is not made of a local chain for a public service, of a foreign contract, or where a job is there", () => {
    const foreign: FoundDeployment = {
      chainId: SEPOLIA,
      address: addressOf(2),
      contract: "Proxy",
      recordedBy: "foundry",
      record: "/w/broadcast/Deploy.s.sol/11155111/run-1.json",
    };
    const own = ["31337", "1337", "298", SEPOLIA].map((chainId) => deployed(1, { chainId }));
    assert.deepEqual(worthOffering([...own, foreign], "sourcify.dev", []), [own[3]]);
    assert.deepEqual(worthOffering(own, "127.0.0.1:5555", []), own);
    const job = { chainId: SEPOLIA, address: addressOf(1).toUpperCase().replace("0X", "0x") } as JobRecord;
    assert.deepEqual(worthOffering(own, "sourcify.dev", [job]), []);
  });

  it("is made of no more than a run can have deployed", () => {
    const many = Array.from({ length: 1_200 }, (_, at) => deployed(at));
    assert.deepEqual(worthOffering(many, "sourcify.dev", []), many.slice(0, 1_000));
  });

  it("names one contract with its place, and counts several", () => {
    assert.equal(deployedWords([deployed(1)]), "Counter deployed to 0x9d44…1688 on Sepolia.");
    assert.equal(
      deployedWords([deployed(1, { chainId: "4711" })]),
      "Counter deployed to 0x9d44…1688 on chain 4711.",
    );
    assert.equal(deployedWords([1, 2, 3].map((at) => deployed(at))), "3 contracts deployed on Sepolia.");
    assert.equal(
      deployedWords([deployed(1), deployed(1, { chainId: "1" })]),
      "2 contracts deployed on 2 chains.",
    );
  });

  it("makes no link and no icon of a name that somebody else chose", () => {
    const name = "$(rocket)[Free](command:workbench.action.quit)";
    const words = deployedWords([deployed(1, { defined: { path: "/w/src/A.sol", name } })]);
    assert.doesNotMatch(words, /\]\(|\$\(/);
  });
});

describe("A record of a run that goes on", () => {
  const recordedIn = async (files: Record<string, string>) => {
    const reader = memoryFolders(files);
    return projectDeployments(reader, await findProject(reader, "/w", "/w/any"));
  };
  const hash = (at: number) => `0x${at.toString(16).padStart(64, "0")}`;

  it("says of Foundry which transactions are not sent or not mined", async () => {
    const transaction = (at: number, isSent: boolean) => ({
      hash: isSent ? hash(at) : null,
      transactionType: "CREATE",
      contractName: "Counter",
      contractAddress: addressOf(at),
      transaction: { from: addressOf(9), nonce: `0x${at}` },
    });
    const run = {
      transactions: [transaction(1, true), transaction(2, true), transaction(3, false)],
      receipts: [
        {
          transactionHash: hash(1),
          contractAddress: addressOf(1),
          from: addressOf(9),
          status: "0x1",
          blockNumber: "0x1",
          transactionIndex: "0x0",
        },
      ],
      pending: [hash(2)],
      chain: 11155111,
      timestamp: LATER,
    };
    const found = await recordedIn({
      "/w/foundry.toml": "",
      "/w/broadcast/Deploy.s.sol/11155111/run-latest.json": JSON.stringify(run),
    });
    assert.deepEqual(
      found.map(({ awaits }) => awaits),
      ["others", "itself", "itself"],
    );
  });

  it("says of Ignition whether another contract is on its way", async () => {
    const begin = (id: string) =>
      JSON.stringify({
        type: "DEPLOYMENT_EXECUTION_STATE_INITIALIZE",
        futureId: id,
        contractName: "Counter",
        constructorArgs: [],
      });
    const end = (id: string, address: string) =>
      JSON.stringify({
        type: "DEPLOYMENT_EXECUTION_STATE_COMPLETE",
        futureId: id,
        result: { type: "SUCCESS", address },
      });
    const journal = [
      JSON.stringify({ type: "DEPLOYMENT_INITIALIZE", chainId: 11155111 }),
      begin("M#A"),
      begin("M#B"),
      end("M#A", addressOf(1)),
    ];
    const of = (lines: string[]) =>
      recordedIn({
        "/w/hardhat.config.js": "module.exports = {};",
        "/w/ignition/deployments/chain-11155111/journal.jsonl": lines.join("\n"),
      });
    assert.deepEqual(
      (await of(journal)).map(({ awaits }) => awaits),
      ["others"],
    );
    const ended = await of([...journal, end("M#B", addressOf(2))]);
    assert.deepEqual(
      ended.map(({ awaits }) => awaits),
      [undefined, undefined],
    );
  });
});
