import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { solidityCases } from "./solidityCases.ts";
import { languageCases, vyperCases } from "./vyperCases.ts";

/** What a failed job shows, by the cases that bring it about: each in at least two contracts. */
const table: Readonly<Record<string, readonly string[]>> = {
  "minimal proxy (EIP-1167)": [
    "minimal proxy in front of a treasury",
    "minimal proxy with appended arguments in front of a registry",
  ],
  "upgradeable proxy (EIP-1967) and beacon": [
    "EIP-1967 proxy in front of an escrow",
    "transparent proxy in front of a vault",
    "beacon proxy in front of a box",
  ],
  "delegated account (EIP-7702)": [
    "delegated account (EIP-7702)",
    "delegated account of a treasury (EIP-7702)",
  ],
  "another compiler version": [
    "escrow of 0.8.28, submitted with 0.8.37",
    "registry of 0.7.6, submitted with 0.8.24",
    "factory of 0.8.37 via IR, submitted with 0.8.24",
  ],
  "another language": [
    "Solidity escrow submitted for a Vyper faucet",
    "Solidity vault submitted for a Vyper ballot",
    "Vyper ballot submitted for a Solidity escrow",
    "Vyper faucet submitted for a Solidity vault",
  ],
  "the same auxdata, another code: files compiled along": [
    "escrow whose code the optimizer put together otherwise under the same metadata hash",
    "factory whose code the optimizer put together otherwise under the same metadata hash",
  ],
  "immutables only": [
    "immutables that the service did not put in",
    "immutables of a factory's child that the service did not put in",
  ],
  "the auxdata only: a match": [
    "treasury with another comment: a match, and why not an exact one",
    "token with another comment: a match, and why not an exact one",
    "factory with another comment: a match, although two auxdata differ",
    "orchard with Windows line endings in one of two files: a match",
  ],
  "no metadata hash, or no metadata": [
    "vault without a metadata hash, submitted with the default",
    "escrow with a metadata hash, submitted with bytecodeHash none",
    "factory without metadata, submitted with the default",
  ],
  "another kind of metadata hash": [
    "lottery with a Swarm hash, submitted with the default",
    "escrow with an IPFS hash, submitted with a Swarm hash",
  ],
  "experimental on one side": [
    "treasury in experimental mode, submitted without",
    "scale without experimental mode, submitted in it",
  ],
  "cut off at a library's placeholder": [
    "meter that is not linked, submitted with another compiler: the code breaks off",
    "station that is not linked, submitted without the optimizer: the code breaks off",
    "meter that is not linked, submitted for Paris: the code breaks off",
  ],
  "a library linked elsewhere": [
    "station linked elsewhere than submitted",
    "meter via IR linked elsewhere than submitted",
  ],
  "another EVM version: PUSH0": [
    "escrow for Paris, submitted with the default",
    "treasury for Cancun, submitted for London",
    "faucet for Paris, submitted with the default",
  ],
  "another EVM version: MCOPY, TLOAD, CLZ": [
    "registry for Shanghai, submitted for Cancun: no MCOPY",
    "assembly that Paris does not have",
    "scale that counts zeros, submitted for Prague",
    "ballot for Cancun, submitted for Shanghai",
  ],
  "another EVM version: of before Istanbul": [
    "vault for Petersburg, submitted for Istanbul: its own balance",
    "lottery for Byzantium, submitted with the default",
  ],
  "the optimizer on or off": [
    "escrow optimized, submitted without the optimizer",
    "token not optimized, submitted with the optimizer",
    "lottery via IR optimized, submitted via IR without the optimizer",
    "ballot optimized for code size, submitted with the default",
  ],
  "another number of runs": [
    "token for a million runs, submitted with 200",
    "escrow for 200 runs, submitted with a million",
    "treasury via IR for a million runs, submitted with 200",
    "factory whose child's immutables are the only difference but runs",
  ],
  "another pipeline": [
    "factory via IR, submitted by the legacy pipeline",
    "registry by the legacy pipeline, submitted via IR",
    "faucet by Venom, submitted without",
  ],
  "other functions: another contract": [
    "registry submitted for a treasury",
    "first version submitted for the second",
    "factory submitted for its child",
    "ballot submitted for a faucet",
  ],
  "other functions: edited sources": ["token with a function more", "ballot with a function more"],
  "the same functions, few instructions differ": [
    "escrow with a check that came later",
    "registry with another limit",
    "faucet with another check",
    "vesting with another comparison",
  ],
  "Vyper's immutables behind the code": [
    "faucet with immutables behind its code: a match",
    "vesting with three immutables behind its code: a match",
  ],
  "Vyper's blueprints": ["blueprint of a ballot", "blueprint of a faucet"],
  "other constructor arguments": [
    "shell whose constructor deploys another code, with bytes behind its arguments",
    "husk whose constructor deploys another code, with a word too many",
  ],
  "an abstract contract or an interface": ["abstract contract", "interface"],
  "a name or a file that is not there": ["name that the file does not have", "file that was not submitted"],
  "nothing deployed": ["nothing is deployed", "a plain account"],
  "sources that don't compile": ["sources that don't compile", "import that was not submitted"],
  "the service's own fault": [
    "the service's node does not answer",
    "the service's node does not answer for a factory",
  ],
};

describe("The decision table", () => {
  const contracts = new Map<string, string>([
    ...solidityCases.map(
      ({ name, deployed }) => [name, JSON.stringify([deployed.sources, deployed.contract])] as const,
    ),
    ...vyperCases.map(({ name, deployed }) => [name, deployed.source] as const),
    ...Object.entries(languageCases).map(([name, { solidity, vyper }]) => [name, solidity + vyper] as const),
  ]);

  for (const [row, cases] of Object.entries(table))
    it(`has at least two cases, in different contracts: ${row}`, () => {
      const missing = cases.filter((name) => !contracts.has(name));
      assert.deepEqual(missing, [], "these cases are gone");
      assert.ok(new Set(cases.map((name) => contracts.get(name))).size >= 2, cases.join(", "));
    });

  it("has 40 cases and more, each with a name of its own", () => {
    assert.ok(contracts.size >= 40);
    assert.equal(
      contracts.size,
      solidityCases.length + vyperCases.length + Object.keys(languageCases).length,
    );
    console.log(`${contracts.size} cases in ${Object.keys(table).length} rows`);
  });
});
