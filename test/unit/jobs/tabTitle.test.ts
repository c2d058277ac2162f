import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { tabTitle, type PageTab } from "../../../src/core/jobs/page/tabTitle.ts";
import { foreign } from "../../../src/core/text/shownText.ts";

const [ONE, OTHER] = [`0x${"ab".repeat(20)}`, `0x${"cd".repeat(20)}`];
const tab = (name: string, chainId: string, address: string, outcome: PageTab["outcome"] = "verified") => ({
  title: foreign(name),
  outcome,
  deployment: { chainId, address },
});
const titles = (...tabs: PageTab[]) => tabs.map((one) => tabTitle(one, tabs));

describe("The tab of a verification's page", () => {
  it("has the contract's name, also beside others and another page of the same deployment", () => {
    assert.deepEqual(titles(tab("Vault", "1", ONE)), ["✓ Vault"]);
    assert.deepEqual(titles(tab("Vault", "1", ONE), tab("Token", "1", OTHER)), ["✓ Vault", "✓ Token"]);
    assert.deepEqual(titles(tab("Vault", "1", ONE), tab("Vault", "1", ONE.toUpperCase(), "failed")), [
      "✓ Vault",
      "✕ Vault",
    ]);
    assert.equal(tabTitle(tab("Vault", "1", ONE), []), "✓ Vault");
  });

  it("has the address where another of that name is of another one, whatever came of it", () => {
    assert.deepEqual(
      titles(tab("Vault", "1", ONE), tab("Vault", "1", OTHER, "failed"), tab("Token", "1", ONE)),
      ["✓ Vault · 0xabab…abab", "✕ Vault · 0xcdcd…cdcd", "✓ Token"],
    );
  });

  it("has the chain where another of that name has the address on another one", () => {
    assert.deepEqual(titles(tab("Vault", "1", ONE), tab("Vault", "11155111", ONE)), [
      "✓ Vault · Ethereum Mainnet",
      "✓ Vault · Sepolia",
    ]);
    assert.deepEqual(
      titles(tab("Vault", "1", ONE), tab("Vault", "11155111", ONE), tab("Vault", "1", OTHER)),
      [
        "✓ Vault · 0xabab…abab · Ethereum Mainnet",
        "✓ Vault · 0xabab…abab · Sepolia",
        "✓ Vault · 0xcdcd…cdcd",
      ],
    );
  });
});
