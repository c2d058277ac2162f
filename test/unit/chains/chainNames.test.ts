import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { explorerPage } from "../../../src/core/chains/blockExplorers.ts";
import {
  chainLabel,
  chainName,
  chainTitle,
  useChainNames,
  type NamedChain,
} from "../../../src/core/chains/chainNames.ts";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { jobFacts } from "../../../src/core/jobs/verificationRows.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";

/** What a service says when it is asked for its chains. */
async function listed(chains: readonly object[]): Promise<void> {
  const answer = { status: 200, body: chains, text: "", headers: {}, durationMs: 1 };
  const client = { request: () => Promise.resolve(answer) };
  await new VerificationService(client, "https://verify.example").chains();
}

describe("The name of a chain", () => {
  const own = new Map<string, string>();
  const kept: NamedChain[][] = [];
  beforeEach(() => {
    own.clear();
    kept.length = 0;
    useChainNames({
      own: (chainId) => own.get(chainId),
      kept: [{ chainId: "5001", name: "Of an earlier session" }],
      keep: (names) => kept.push([...names]),
    });
  });

  it("is that of the service's list where none is shipped, from the list to the end of the job, also in a later session", async () => {
    assert.equal(chainLabel("7001"), "Chain 7001");
    await listed([{ chainId: 7001, name: "Ember", supported: true, rpc: [] }]);
    assert.equal(chainTitle("7001"), "Ember");
    assert.equal(chainName("7001"), "Ember");
    assert.equal(chainLabel("7001"), "Ember (7001)");
    assert.ok(kept.at(-1)?.some(({ chainId, name }) => chainId === "7001" && name === "Ember"));
    assert.equal(chainName("5001"), "Of an earlier session");
    const count = kept.length;
    await listed([{ chainId: 7001, name: "Ember" }]);
    assert.equal(kept.length, count, "nothing new is not written again");
  });

  it("is the shipped one before and after a service was asked, which can't rename it", async () => {
    for (const name of ["Sandbox 31337", "Sepolia"]) {
      await listed([
        { chainId: 31337, name },
        { chainId: 1, name },
      ]);
      assert.equal(chainLabel("31337"), "Local chain (31337)");
      assert.equal(chainLabel("1"), "Ethereum Mainnet (1)");
    }
  });

  it("is there, with an explorer, for the test chains that contracts are tried on before a service was asked", () => {
    for (const [chainId, name] of [
      ["97", "BNB Smart Chain Testnet"],
      ["43113", "Avalanche Fuji"],
      ["80002", "Polygon Amoy"],
      ["84532", "Base Sepolia"],
      ["421614", "Arbitrum Sepolia"],
      ["560048", "Hoodi"],
      ["11155111", "Sepolia"],
      ["11155420", "OP Sepolia"],
    ] as const) {
      assert.equal(chainTitle(chainId), name);
      assert.match(explorerPage(chainId, `0x${"1".repeat(40)}`) ?? "", /^https:/, name);
    }
  });

  it("is the one that the person gave a network in the settings, before all others", async () => {
    await listed([{ chainId: 7002, name: "Ashes" }]);
    own.set("7002", "Our test chain");
    own.set("31337", "Our node");
    assert.equal(chainLabel("7002"), "Our test chain (7002)");
    assert.equal(chainLabel("31337"), "Our node (31337)");
  });

  it("does not pass for that of another chain, whoever gives it", async () => {
    own.set("7003", "ethereum  mainnet");
    own.set("7004", "Ethereum M\u0430innet");
    await listed([
      { chainId: 7005, name: "Hedera Testnet" },
      { chainId: 7006, name: "" },
      { chainId: 7007 },
      { chainId: 7008, name: `Evil\u202e [a](command:b)${"x".repeat(150)}` },
    ]);
    for (const id of ["7003", "7004", "7005", "7006", "7007"]) assert.equal(chainLabel(id), `Chain ${id}`);
    assert.match(chainName("7008"), /^Evil\\u\{202e\} \[a\] \(command:b\)x+…$/);
    assert.ok(chainName("7008").length <= 60);
  });

  it("does not pass for another one's by what stands before, between or behind its words", async () => {
    const names = [
      "Hedera Mainnet (295)",
      "Hedera Mainnet (295) (666)",
      "Hedera Mainnet \uff08\uff12\uff19\uff15\uff09",
      "Hedera  Mainnet.",
      "Hedera-Mainnet [295]!",
      "\u00b7 HEDERA Mainnet \u2713",
      "H\u00e9dera Mainnet",
      `Hedera Mainnet${" ".repeat(60)}x`,
    ];
    await listed(names.map((name, at) => ({ chainId: 6_600 + at, name })));
    for (const [at, name] of names.entries())
      assert.equal(chainLabel(String(6_600 + at)), `Chain ${6_600 + at}`, name);
    const others = ["Hedera Mainnet 2", "Sepolia Fork", "Base (old)", "\u0413\u0440\u0430\u0434"];
    await listed(others.map((name, at) => ({ chainId: 6_700 + at, name })));
    for (const [at, name] of others.entries()) assert.equal(chainTitle(String(6_700 + at)), name);
    await listed([{ chainId: 295, name: "Hedera Mainnet (295)" }]);
    assert.equal(chainLabel("295"), "Hedera Mainnet (295)");
  });

  it("is the same in the row of a job that an earlier version stored, which has none", async () => {
    await listed([{ chainId: 7009, name: "Cinder" }]);
    const record: JobRecord = {
      id: "job",
      stage: "submitted",
      service: "https://verify.example",
      chainId: "7009",
      address: `0x${"12".repeat(20)}`,
      submittedAt: 1,
    };
    assert.ok(jobFacts(record).some(({ label }) => label === "Cinder (7009)"));
  });
});
