import assert from "node:assert/strict";
import { compileNow } from "../../sandbox/solcNow.ts";
import { describe, it } from "node:test";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { predict } from "../../../src/core/matching/predict.ts";
import { implementationOf, type ChainState } from "../../../src/core/chains/proxyImplementation.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { random } from "../random.ts";
import { recordedCompilations } from "../evm/recordedCompilations.ts";
import type { LocalBuild } from "../../../src/core/matching/localBuild.ts";

const sources = {
  "src/Shop.sol": `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import "./Prices.sol";

contract Shop is Prices {
    address public immutable keeper = msg.sender;

    function total(uint256 count) external view returns (uint256) {
        return priced[msg.sender] * count;
    }
}
`,
  "src/Prices.sol": `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Prices {
    mapping(address => uint256) public priced;

    function set(uint256 price) external {
        priced[msg.sender] = price;
    }
}
`,
};

interface Output {
  metadata: string;
  evm: { deployedBytecode: { object: string } };
}

/** A build of the shop as a local build, and the code that it deploys. */
function build(contents: Readonly<Record<string, string>> = sources, settings: object = {}) {
  const output = compileNow({
    language: "Solidity",
    sources: Object.fromEntries(Object.entries(contents).map(([name, content]) => [name, { content }])),
    settings: {
      ...settings,
      outputSelection: { "*": { "*": ["metadata", "evm.deployedBytecode.object"] } },
    },
  }) as { contracts: Record<string, Record<string, Output>> };
  const shop = output.contracts["src/Shop.sol"]?.["Shop"];
  if (!shop) throw new Error("The shop does not compile.");
  const runtimeBytecode = shop.evm.deployedBytecode.object;
  const localBuild: LocalBuild = { metadata: shop.metadata, runtimeBytecode, sources: contents };
  // The immutable as a deployment writes it.
  const deployedCode = `0x${runtimeBytecode.replaceAll(`7f${"00".repeat(32)}`, `7f${"00".repeat(12)}${"ab".repeat(20)}`)}`;
  return { deployedCode, localBuild };
}

const crlf = (content: string) => content.replaceAll("\n", "\r\n");

describe("A prediction", () => {
  it("is an exact match when the deployed code carries the build's metadata hash", async () => {
    const { deployedCode, localBuild } = build();
    const { prediction, reasons } = await predict({ deployedCode, localBuild });
    assert.equal(prediction, "exact_match");
    assert.match(reasons[0] ?? "", /ipfs:\/\/Qm/);
    const { runtimeBytecode, ...withoutCode } = localBuild;
    assert.ok(runtimeBytecode);
    assert.equal((await predict({ deployedCode, localBuild: withoutCode })).prediction, "exact_match");
  });

  it("proves the settings of the deployed build", async () => {
    for (const [settings, wanted] of [
      [{ optimizer: { enabled: true, runs: 999_999 } }, /optimizer on/],
      [{ evmVersion: "paris" }, /evmVersion paris, the local one osaka/],
      [{ viaIR: true, optimizer: { enabled: true, runs: 10_000 } }, /viaIR on/],
    ] as const) {
      const { prediction, reasons, proven } = await predict({
        deployedCode: build(sources, settings).deployedCode,
        localBuild: build().localBuild,
      });
      assert.equal(prediction, "mismatch");
      assert.match(reasons.join(" "), wanted);
      assert.ok((proven?.differences.length ?? 0) > 0);
    }
  });

  it("finds the line endings of the deployed files, each for itself", async () => {
    const local = build().localBuild;
    const all = Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, crlf(content)]));
    const everywhere = await predict({ deployedCode: build(all).deployedCode, localBuild: local });
    assert.equal(everywhere.prediction, "exact_match", everywhere.reasons.join(" "));
    assert.match(everywhere.reasons.join(" "), /CRLF/);
    const mixed = { ...sources, "src/Prices.sol": crlf(sources["src/Prices.sol"]) };
    const one = await predict({ deployedCode: build(mixed).deployedCode, localBuild: local });
    assert.equal(one.prediction, "match");
    assert.match(one.reasons.join(" "), /src\/Prices\.sol with Windows line endings/);
    assert.equal(one.proven?.differences[0]?.kind, "file");
    const shorter = { ...sources, "src/Shop.sol": sources["src/Shop.sol"].trimEnd() };
    const end = await predict({ deployedCode: build(shorter).deployedCode, localBuild: local });
    assert.match(end.reasons.join(" "), /src\/Shop\.sol .*none at the end/);
  });

  it("tells a record that is older than the files", async () => {
    const { deployedCode, localBuild } = build();
    const edited = { ...sources, "src/Prices.sol": `${sources["src/Prices.sol"]}// later` };
    const stale = await predict({ deployedCode, localBuild: { ...localBuild, sources: edited } });
    assert.equal(stale.prediction, "unknown");
    assert.match(stale.reasons[0] ?? "", /src\/Prices\.sol has changed since/);
    const newer = await predict({
      deployedCode: build(edited).deployedCode,
      localBuild: { ...localBuild, sources: edited },
    });
    assert.match(newer.reasons.join(" "), /as on disk now/);
  });

  it("is a mismatch where the code differs, and a match where only a comment does", async () => {
    const local = build().localBuild;
    const other = {
      ...sources,
      "src/Prices.sol": sources["src/Prices.sol"].replace("= price;", "= price + 1;"),
    };
    assert.equal(
      (await predict({ deployedCode: build(other).deployedCode, localBuild: local })).prediction,
      "mismatch",
    );
    const comment = {
      ...sources,
      "src/Prices.sol": sources["src/Prices.sol"].replace("mapping", "/* prices */ mapping"),
    };
    assert.equal(
      (await predict({ deployedCode: build(comment).deployedCode, localBuild: local })).prediction,
      "match",
    );
  });

  it("says that a match is the most there can be", async () => {
    for (const metadata of [{ bytecodeHash: "none" }, { appendCBOR: false }]) {
      const { deployedCode, localBuild } = build(sources, { metadata });
      const { prediction, ceiling, reasons } = await predict({ deployedCode, localBuild });
      assert.deepEqual([prediction, ceiling], ["match", "match"]);
      assert.match(reasons.join(" "), /A match is the most that is possible/);
    }
    const vyper = recordedCompilations.find(({ compiler }) => compiler.startsWith("Vyper 0.3.10"));
    const { prediction, reasons } = await predict({
      deployedCode: `${vyper?.runtimeCode ?? ""}${"00".repeat(31)}05`,
      localBuild: {
        language: "Vyper",
        compilerVersion: "0.3.10",
        ...(vyper && { runtimeBytecode: vyper.runtimeCode }),
      },
    });
    assert.equal(prediction, "match");
    assert.match(reasons.join(" "), /Vyper before 0\.4\.1/);
  });

  it("goes by the creation code where the service can't tell what Vyper wrote behind the runtime code", async () => {
    const vyper = recordedCompilations.find(({ compiler }) => compiler.startsWith("Vyper 0.3.10"));
    const runtime = vyper?.runtimeCode ?? assert.fail();
    const predicted = (deployedCreationCode?: string) =>
      predict({
        deployedCode: `${runtime}${"00".repeat(31)}05`,
        ...(deployedCreationCode !== undefined && { deployedCreationCode }),
        localBuild: {
          language: "Vyper",
          compilerVersion: "0.3.7",
          runtimeBytecode: runtime,
          creationBytecode: "0x6001aabb",
        },
      });
    assert.equal((await predicted()).prediction, "unknown");
    assert.match((await predicted()).reasons.join(" "), /Name the creation transaction/);
    assert.equal((await predicted(`0x6001aabb${"00".repeat(31)}05`)).prediction, "match");
    const other = await predicted(`0x6002aabb${"00".repeat(31)}05`);
    assert.equal(other.prediction, "mismatch");
    assert.match(other.reasons.join(" "), /the constructor differs/);
  });

  it("says without a build what speaks against a match, and else that it is unknown", async () => {
    const selectors = { "1249c58b": "mint()" };
    const without = (settings: CompilerSettings, compilerVersion = "0.8.37", other = {}): LocalBuild => ({
      language: "Solidity",
      compilerVersion,
      settings,
      sources,
      ...other,
    });
    const optimizer = { enabled: true, runs: 200 };
    const { deployedCode } = build(sources, { optimizer });
    const told = (localBuild: LocalBuild) => predict({ deployedCode, localBuild });
    for (const [localBuild, wanted, why] of [
      [without({ optimizer }), "unknown", /^There is no local build to compare\. Build the project/],
      [without({ optimizer }, "0.8.28"), "unknown", /compiled with 0\.8\.37, the local build with 0\.8\.28/],
      [
        without({ optimizer, evmVersion: "paris" }),
        "mismatch",
        /uses PUSH0, .* Shanghai; the settings say Paris/,
      ],
      [without({ optimizer, metadata: { bytecodeHash: "none" } }), "mismatch", /carries a metadata hash/],
      [without({}), "unknown", /looks optimized; the settings have the optimizer off/],
      [without({ optimizer, viaIR: true }), "unknown", /not compiled via IR; the settings have viaIR on/],
      [without({ optimizer }, "0.8.37", { selectors }), "mismatch", /does not have mint\(\)/],
      [without({ optimizer }, "0.8.37", { language: "Vyper" }), "mismatch", /made by Solidity 0\.8\.37/],
    ] as const) {
      const { prediction, reasons, isWithoutBuild } = await told(localBuild);
      assert.equal(prediction, wanted, reasons.join(" "));
      assert.equal(isWithoutBuild === true, reasons.join(" ").includes("no local build"));
      assert.match(reasons[0] ?? "", why);
      for (const reason of reasons) assert.match(reason, /^[A-Z].*\.$/);
    }
  });

  it("takes neither a proxy nor another setting for a mismatch as long as no code proves it", async () => {
    const slot = "360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
    const upgradeable = `0x365f5f375f5f365f7f${slot}545af43d5f5f3e5f3d91603e57fd5bf3`;
    const minimal = `0x363d3d373d3d3d363d73${"5f".repeat(20)}5af43d82803e903d91602b57fd5bf3`;
    const settings = { optimizer: { enabled: true, runs: 200 } };
    const own: LocalBuild = { language: "Solidity", compilerVersion: "0.8.37", settings, sources };
    const target = `0x${"36".repeat(20)}`;
    for (const [deployedCode, localBuild, wanted] of [
      [upgradeable, own, "unknown"],
      [upgradeable, { ...own, selectors: {} }, "unknown"],
      [
        upgradeable,
        { ...own, selectors: { "1249c58b": "mint()", "2e1a7d4d": "withdraw(uint256)" } },
        "mismatch",
      ],
      [upgradeable, build().localBuild, "mismatch"],
      [minimal, own, "mismatch"],
    ] as const) {
      const told = await predict({ deployedCode, localBuild }, () => Promise.resolve(target));
      assert.equal(told.prediction, wanted, told.reasons.join(" "));
      assert.ok(told.implementation);
    }
    const { runtimeBytecode, ...unbuilt } = build().localBuild;
    assert.ok(runtimeBytecode);
    for (const [changed, wanted] of [
      [{ optimizer: { enabled: true, runs: 999_999 } }, "unknown"],
      [{ evmVersion: "prague" }, "unknown"],
      [{ metadata: { useLiteralContent: true } }, "match"],
      [{ metadata: { bytecodeHash: "bzzr1" } }, "unknown"],
    ] as const) {
      const told = await predict({ deployedCode: build(sources, changed).deployedCode, localBuild: unbuilt });
      assert.equal(told.prediction, wanted, told.reasons.join(" "));
      assert.ok(told.proven);
    }
  });

  it("does not take another comment for another code when it has no code to compare", async () => {
    const { runtimeBytecode, ...local } = build().localBuild;
    assert.ok(runtimeBytecode);
    const comment = {
      ...sources,
      "src/Prices.sol": sources["src/Prices.sol"].replace("mapping", "/* prices */ mapping"),
    };
    const { prediction, reasons } = await predict({
      deployedCode: build(comment).deployedCode,
      localBuild: local,
    });
    assert.equal(prediction, "unknown");
    assert.match(reasons[0] ?? "", /is unknown without the code of the local build/);
  });

  it("finds every way to write a file", async () => {
    const local = build().localBuild;
    const name = "src/Prices.sol";
    const original = sources[name];
    for (const [content, wanted] of [
      [crlf(original), /Windows line endings \(CRLF\)/],
      [original.trimEnd(), /none at the end/],
      [`${original}\n`, /one more at the end/],
      [crlf(original).trimEnd(), /Windows line endings \(CRLF\) and none at the end/],
    ] as const) {
      const { deployedCode } = build({ ...sources, [name]: content });
      const { prediction, reasons, proven } = await predict({ deployedCode, localBuild: local });
      assert.match(prediction, /match$/);
      assert.match(reasons.join(" "), wanted);
      assert.match(reasons.join(" "), /src\/Prices\.sol/);
      assert.deepEqual(
        proven?.differences.map((one) => one.kind === "file" && one.contents[name]),
        [content],
      );
    }
  });

  it("says that nothing is deployed", async () => {
    const { prediction, reasons } = await predict({ deployedCode: "0x", localBuild: build().localBuild });
    assert.equal(prediction, "mismatch");
    assert.match(reasons[0] ?? "", /Nothing is deployed/);
  });

  it("points from a proxy to its implementation", async () => {
    const { localBuild } = build();
    const at = "5fbdb2315678afecb367f032d93f642f64180aa3";
    const minimal = await predict({
      deployedCode: `0x363d3d373d3d3d363d73${at}5af43d82803e903d91602b57fd5bf3`,
      localBuild,
    });
    assert.deepEqual([minimal.prediction, minimal.implementation], ["mismatch", `0x${at}`]);
    const slot = "360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
    const proxy = `0x365f5f375f5f365f7f${slot}545af43d5f5f3e5f3d91603e57fd5bf3`;
    const asked: (string | undefined)[] = [];
    const upgradeable = await predict({ deployedCode: proxy, localBuild }, (found) => {
      asked.push(found.slot);
      return Promise.resolve(`0x${at}`);
    });
    assert.deepEqual(asked, [`0x${slot}`]);
    assert.equal(upgradeable.implementation, `0x${at}`);
    const silent = await predict({ deployedCode: proxy, localBuild }, () => Promise.resolve(undefined));
    assert.equal(silent.proxy?.kind, "EIP-1967");
    assert.match(silent.reasons[0] ?? "", /a proxy \(EIP-1967\), not the contract itself/);
  });

  it("takes no proxy for its own implementation, and asks for few of thousands of addresses", async () => {
    const at = "36".repeat(20);
    let asked = 0;
    const answer = (word: string) => () => {
      asked++;
      return Promise.resolve(word);
    };
    const itself = `0x${at.padStart(64, "0")}`;
    const chain: ChainState = { code: answer("0x"), storageAt: answer(itself), call: answer(itself) };
    const slot = `0x${"01".repeat(32)}`;
    for (const kind of ["EIP-1967", "EIP-1967 beacon"] as const)
      assert.equal(await implementationOf(`0x${at}`, { kind, slot }, chain), undefined);
    asked = 0;
    const addresses = Array.from({ length: 50_000 }, (_, one) => `0x${one.toString(16).padStart(40, "1")}`);
    assert.equal(await implementationOf(`0x${at}`, { kind: "other", addresses }, chain), undefined);
    assert.ok(asked < 50, `${asked} questions`);
  });

  it("takes a node that refuses for one that does not know, and stops when it is told to", async () => {
    const slot = `0x${"36".repeat(32)}`;
    const refusing = (error: Error): ChainState => ({
      code: () => Promise.reject(error),
      storageAt: () => Promise.reject(error),
      call: () => Promise.reject(error),
    });
    const proxy = { kind: "EIP-1967", slot } as const;
    assert.equal(await implementationOf(slot, proxy, refusing(new Error("no answer"))), undefined);
    await assert.rejects(
      implementationOf(slot, proxy, refusing(new LedgerLensError("cancelled", "Stopped."))),
      { code: "cancelled" },
    );
  });

  it("never invents a match from noise", async () => {
    const { below } = random("predictions of noise");
    const { localBuild } = build();
    for (let round = 0; round < 20; round++) {
      const noise = Array.from({ length: 1 + below(400) }, () =>
        below(256).toString(16).padStart(2, "0"),
      ).join("");
      const { prediction } = await predict({ deployedCode: `0x${noise}`, localBuild });
      assert.notEqual(prediction, "exact_match");
      assert.notEqual(prediction, "match");
    }
  });
});
