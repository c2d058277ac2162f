// What ships about chains, compared with the list that most libraries of the web take theirs from.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { EXPLORERS, explorerPage } from "../../src/core/chains/blockExplorers.ts";
import { wellKnownChains } from "../../src/core/chains/chainNames.ts";
import { publicNetworks } from "../../src/core/ledger/references/network.ts";
import { repositoryRoot } from "../rig/paths.ts";
import { lockedPackages } from "./oraclePackages.ts";

interface ListedChain {
  readonly id: number;
  readonly name: string;
  readonly testnet?: boolean;
  readonly rpcUrls: Readonly<Record<string, { readonly http: readonly string[] }>>;
  readonly blockExplorers?: Readonly<Record<string, { readonly url: string }>>;
}

const ADDRESS = "0x5FbDB2315678afecb367f032d93F642f64180aa3";

describe("What ships about chains, beside viem's list of them", () => {
  const listed = new Map<string, ListedChain>();

  before(async () => {
    const packages = await lockedPackages(join(repositoryRoot, "test/oracles/chainList"));
    const chains = createRequire(join(packages, "package.json"))("viem/chains") as Record<string, unknown>;
    for (const chain of Object.values(chains)) if (isChain(chain)) listed.set(String(chain.id), chain);
    assert.ok(listed.size > 400, `${listed.size} chains`);
  });

  it("leads to the explorer that the list has for each chain", () => {
    for (const [chainId, explorer] of EXPLORERS) {
      assert.ok(explorersOf(chainId).includes(explorer), `${chainId}: ${explorer}`);
      assert.equal(explorerPage(chainId, ADDRESS), `${explorer}/address/${ADDRESS}`);
    }
    assert.equal(explorerPage("31337", ADDRESS), undefined);
  });

  it("has an explorer for every well-known chain that is still in use", () => {
    const without = wellKnownChains.filter(
      (id) =>
        explorersOf(id).length > 0 &&
        !EXPLORERS.has(id) &&
        !publicNetworks.some(({ chainId }) => chainId === id),
    );
    // Holesky was given up.
    assert.deepEqual(without, ["17000"]);
  });

  it("asks the ledger's networks at the nodes of the list, and opens its explorer", () => {
    for (const { name, chainId = "", rpcUrl = "", explorerUrl = "" } of publicNetworks) {
      const chain = listed.get(chainId) ?? assert.fail(name);
      assert.equal(chain.name, name);
      assert.ok(explorersOf(chainId).includes(explorerUrl), explorerUrl);
      assert.ok(
        Object.values(chain.rpcUrls).some(({ http }) => http.includes(rpcUrl)),
        rpcUrl,
      );
    }
  });

  function explorersOf(chainId: string): string[] {
    return Object.values(listed.get(chainId)?.blockExplorers ?? {}).map(({ url }) => url.replace(/\/$/, ""));
  }
});

function isChain(value: unknown): value is ListedChain {
  return typeof value === "object" && value !== null && "id" in value && "rpcUrls" in value;
}
