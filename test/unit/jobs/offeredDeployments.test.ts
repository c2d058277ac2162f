import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { OfferedDeployments } from "../../../src/editor/verification/offeredDeployments.ts";

const deployed = (at: number) => ({
  chainId: "11155111",
  address: `0x9d44${at.toString(16).padStart(32, "0")}1688`,
  contract: "Counter",
  recordedBy: "foundry",
  record: "/w/broadcast/Deploy.s.sol/11155111/run-1.json",
});

describe("What is offered", () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), "ledger-lens-offered-"))));
  after(() => rm(folder, { recursive: true }));

  it("goes as a whole to one of several windows, and to none after a restart", async () => {
    const run = Array.from({ length: 20 }, (_, at) => deployed(at));
    const windows = Array.from({ length: 6 }, () => new OfferedDeployments(join(folder, "a")));
    const taken = await Promise.all(windows.map((one) => one.take(run)));
    assert.deepEqual(taken.map(({ length }) => length).sort(), [0, 0, 0, 0, 0, 20]);
    const upperCase = { ...deployed(20), address: deployed(20).address.toUpperCase().replace("0X", "0x") };
    const restarted = new OfferedDeployments(join(folder, "a"));
    assert.deepEqual(await restarted.take([...run, upperCase]), [upperCase]);
    assert.deepEqual(await restarted.take([deployed(20)]), []);
  });

  it("is forgotten after a year", async () => {
    const offered = new OfferedDeployments(join(folder, "b"));
    await offered.take([deployed(1), deployed(2)]);
    const [first = ""] = await readdir(join(folder, "b"));
    const year = new Date(Date.now() - 365 * 24 * 3_600_000);
    await utimes(join(folder, "b", first), year, year);
    await offered.take([]);
    assert.equal((await readdir(join(folder, "b"))).length, 1);
  });
});
