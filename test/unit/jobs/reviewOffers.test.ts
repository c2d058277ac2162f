import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import {
  CHANGE_ADDRESS,
  changesToTry,
  compiledOffer,
  offersLeft,
  offersOfCode,
} from "../../../src/core/jobs/reviewOffers.ts";
import { hasOtherFunctions } from "../../../src/core/matching/contractSearch.ts";
import type { Cause } from "../../../src/core/matching/explanation.ts";
import { predict } from "../../../src/core/matching/predict.ts";
import { withChanges } from "../../../src/core/matching/resubmission.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { compileNow } from "../../sandbox/solcNow.ts";

const SOURCES = {
  "src/Shop.sol": {
    content: `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Shop {
    mapping(address => uint256) public priced;

    function total(uint256 count) external view returns (uint256) {
        return priced[msg.sender] * count + 0;
    }
}

contract Market is Shop {
    function set(uint256 price) external {
        priced[msg.sender] = price;
    }
}
`,
  },
};

/** Forwards to the address in the slot of EIP-1967. */
const PROXY = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Forwarder {
    fallback() external payable {
        assembly {
            let target := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc)
            calldatacopy(0, 0, calldatasize())
            let isDone := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(isDone) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}
`;

type Name = "Shop" | "Market";

interface Output {
  readonly metadata: string;
  readonly evm: {
    readonly deployedBytecode: { readonly object: string };
    readonly methodIdentifiers: Readonly<Record<string, string>>;
  };
}

const inputWith = (settings: CompilerSettings) => ({
  language: "Solidity" as const,
  sources: SOURCES,
  settings,
});

/** What solc makes of a contract. */
function built(name: Name, settings: CompilerSettings = {}) {
  const selected = ["metadata", "evm.deployedBytecode.object", "evm.methodIdentifiers"];
  const { contracts } = compileNow({
    ...inputWith(settings),
    settings: { ...settings, outputSelection: { "*": { "*": selected } } },
  }) as { contracts: Readonly<Record<string, Readonly<Record<string, Output>>>> };
  const output = contracts["src/Shop.sol"]?.[name];
  if (!output) throw new Error(`${name} does not compile.`);
  const { deployedBytecode, methodIdentifiers } = output.evm;
  const selectors = Object.entries(methodIdentifiers).map(([signature, selector]) => [selector, signature]);
  return {
    code: `0x${deployedBytecode.object}`,
    metadata: output.metadata,
    selectors: Object.fromEntries(selectors) as Readonly<Record<string, string>>,
  };
}

const FOLDER = "/shop";
const contracts = (["Shop", "Market"] as const).flatMap((name) => [
  { name: `${FOLDER}/test/Mock${name}.sol:Mock${name}`, selectors: built(name).selectors },
  { name: `${FOLDER}/src/Shop.sol:${name}`, selectors: built(name).selectors },
]);

/** What a review of the shop offers where a code is deployed. */
async function offered(
  deployedCode: string,
  { name = "Shop", isBuilt = true }: { readonly name?: Name; readonly isBuilt?: boolean } = {},
  implementation?: string,
) {
  const { code, metadata, selectors } = built(name);
  const stdJsonInput = inputWith({});
  const localBuild = {
    language: "Solidity" as const,
    compilerVersion: "0.8.37",
    settings: {},
    selectors,
    ...(isBuilt && { metadata, runtimeBytecode: code }),
  };
  const predicted = await predict({ deployedCode, localBuild }, () => Promise.resolve(implementation));
  const submitted = {
    compilerVersion: "0.8.37",
    contractIdentifier: `src/Shop.sol:${name}`,
    stdJsonInput,
  };
  const isBehind = (contract: string) => contract.includes("/test/");
  return atOnce(offersOfCode(predicted, deployedCode, { submitted, selectors, contracts, isBehind }));
}

describe("A review offers before anything is sent", () => {
  it("nothing where the code is the contract's", async () => {
    assert.deepEqual(await offered(built("Shop").code), []);
    assert.deepEqual(await offered(built("Shop").code, { isBuilt: false }), []);
    const { code, selectors } = built("Shop");
    assert.equal(hasOtherFunctions(code, Object.keys(selectors)), false);
    assert.equal(hasOtherFunctions("0x", Object.keys(selectors)), false);
    assert.equal(hasOtherFunctions(code, Object.keys(built("Market").selectors)), true);
  });

  it("another address where nothing is deployed, the very same offer each time, and leaves it when compiling adds nothing", async () => {
    for (const isBuilt of [true, false]) {
      const offers = await offered("0x", { isBuilt });
      assert.deepEqual(offers, [CHANGE_ADDRESS]);
      assert.equal(offers[0], CHANGE_ADDRESS);
      assert.deepEqual(offersLeft(offers, "mismatch"), offers);
    }
  });

  it("the contract behind a proxy, and nothing else", async () => {
    const behind = "0x00000000000000000000000000000000feed0001";
    const minimal = `0x363d3d373d3d3d363d73${behind.slice(2)}5af43d82803e903d91602b57fd5bf3`;
    const [offer, ...others] = await offered(minimal);
    assert.deepEqual(others, []);
    assert.deepEqual(offer, {
      kind: "implementation",
      address: behind,
      label: "Verify the Implementation",
      description: "0x0000…0001",
      evidence: "This address is a minimal proxy (EIP-1167)",
    });
  });

  it("at a proxy whose code does not name it what the chain tells, or asks for the address", async () => {
    const { contracts: output } = compileNow({
      language: "Solidity",
      sources: { "Forwarder.sol": { content: PROXY } },
      settings: { outputSelection: { "*": { "*": ["evm.deployedBytecode.object"] } } },
    }) as { contracts: Record<string, Record<string, Output>> };
    const code = `0x${output["Forwarder.sol"]?.["Forwarder"]?.evm.deployedBytecode.object ?? ""}`;
    const behind = "0x00000000000000000000000000000000feed0002";
    for (const isBuilt of [true, false])
      for (const implementation of [behind, undefined]) {
        const [offer, ...others] = await offered(code, { isBuilt }, implementation);
        assert.deepEqual(others, []);
        assert.ok(offer?.kind === "implementation");
        assert.equal(offer.address, implementation);
        assert.equal(offer.description, implementation && "0x0000…0002");
        assert.equal(offer.evidence, "This address is a proxy (EIP-1967)");
      }
  });

  it("the settings that the metadata hash proves, which then make the deployed code", async () => {
    const cases = [
      [{ optimizer: { enabled: true, runs: 999_999 } }, "Compile With the Optimizer as Deployed", /999,999/],
      [{ evmVersion: "paris" }, "Compile for the EVM Version as Deployed", /^EVM version paris$/],
      [
        { viaIR: true, optimizer: { enabled: true, runs: 10_000 } },
        "Compile With the Settings as Deployed",
        /IR pipeline on/,
      ],
    ] as const;
    for (const [settings, label, description] of cases) {
      const { code } = built("Shop", settings);
      const [offer, ...others] = await offered(code);
      assert.deepEqual(others, []);
      assert.equal(offer?.label, label);
      assert.match(offer.description ?? "", description);
      assert.equal(offer.evidence, "Proven by the metadata hash of the deployed code");
      assert.ok(offer.kind === "settings");
      const submitted = {
        compilerVersion: "0.8.37",
        contractIdentifier: "src/Shop.sol:Shop",
        stdJsonInput: inputWith({}),
      };
      const changed = withChanges(submitted, offer.changes).stdJsonInput.settings;
      assert.equal(built("Shop", changed).code, code);
    }
  });

  it("no settings that are only likely", async () => {
    // An optimizer leaves its marks, which is no proof of what was set.
    const optimized = { optimizer: { enabled: true, runs: 999_999 } };
    assert.deepEqual(await offered(built("Shop", optimized).code, { isBuilt: false }), []);
    const bare = { ...optimized, metadata: { bytecodeHash: "none" as const } };
    assert.deepEqual(await offered(built("Shop", bare).code), []);
  });

  it("the contract of the workspace that has the deployed functions, one of the tests last", async () => {
    for (const isBuilt of [true, false]) {
      const offers = await offered(built("Market").code, { isBuilt });
      assert.deepEqual(
        offers.map((offer) => [offer.label, offer.kind === "contract" && offer.contract, offer.evidence]),
        [
          [
            "Verify Market Instead",
            `${FOLDER}/src/Shop.sol:Market`,
            "Market has exactly the functions of the deployed code; Shop has 2 of 3",
          ],
          [
            "Verify MockMarket Instead",
            `${FOLDER}/test/MockMarket.sol:MockMarket`,
            "MockMarket has exactly the functions of the deployed code; Shop has 2 of 3",
          ],
        ],
      );
    }
    const [less] = await offered(built("Shop").code, { name: "Market" });
    assert.equal(less?.label, "Verify Shop Instead");
    assert.equal(less.evidence, "Shop has exactly the functions of the deployed code; Market has 1 more");
  });

  it("after compiling only what is of use by then", async () => {
    const settings = await offered(built("Shop", { evmVersion: "paris" }).code);
    const contract = await offered(built("Market").code);
    const all = [...settings, ...contract];
    assert.deepEqual(offersLeft(all, "mismatch"), all);
    assert.deepEqual(offersLeft(all, "unknown"), all);
    assert.deepEqual(offersLeft(all, "match"), settings);
    assert.deepEqual(offersLeft(all, "exact_match"), []);
  });

  it("what compiling shows, tried for causes that change settings alone", () => {
    const cause = (confidence: number, changes: object): Cause => ({
      code: "optimizer",
      confidence,
      evidence: "It looks optimized.",
      action: { kind: "resubmit", label: "Resubmit", localLabel: "Verify", changes },
    });
    const on = { settings: { optimizer: { enabled: true } } };
    const causes = [
      cause(0.9, { contractIdentifier: "Other" }),
      cause(0.8, on),
      { ...cause(0.7, on), action: { kind: "retry", label: "Submit Again" } } as const,
      cause(0.2, { settings: { viaIR: true } }),
    ];
    assert.deepEqual(changesToTry({ summary: "", causes }), [on]);
    const { label, description, evidence } = compiledOffer(on, "match");
    assert.deepEqual(
      [label, description, evidence],
      [
        "Compile With the Optimizer as Deployed",
        "optimizer on",
        "Proven by compiling on this machine: match",
      ],
    );
  });
});
