import { atOnce } from "../../../src/core/concurrency/turns.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import type { CompilerSettings, StandardJsonInput } from "../../../src/core/sources/standardJsonInput.ts";
import { unsupportedSettings } from "../../../src/core/compilerInput/unsupportedSettings.ts";
import { SubmissionReview } from "../../../src/core/jobs/submissionReview.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";
import { compileNow } from "../../sandbox/solcNow.ts";

const LIBRARY = `0x${"12".repeat(20)}`;
/** What should not be published unseen. */
const FOREIGN = "what a stranger wrote, 51c7";

/** Every setting that solc reads, one way or another, in every form that it takes. */
const SOLC: CompilerSettings = {
  remappings: ["@openzeppelin/=node_modules/@openzeppelin/", "lib/a/:ds-test/=lib/ds-test/src/"],
  optimizer: {
    enabled: true,
    runs: 1_000_000,
    details: {
      peephole: true,
      inliner: true,
      jumpdestRemover: true,
      orderLiterals: false,
      deduplicate: false,
      cse: false,
      constantOptimizer: false,
      simpleCounterForLoopUncheckedIncrement: true,
      yul: true,
      yulDetails: { stackAllocation: true, optimizerSteps: "dhfoDgvulfnTUtnIf[xa[r]EscLM]jmul:fDnTOc" },
    },
  },
  evmVersion: "tangerineWhistle",
  viaIR: false,
  libraries: { "src/Math.sol": { Math: LIBRARY }, "A.sol": { $L: LIBRARY }, "": { "src/B.sol:B": LIBRARY } },
  metadata: { useLiteralContent: true, bytecodeHash: "none", appendCBOR: false },
  debug: { revertStrings: "strip", debugInfo: ["location", "snippet"] },
  modelChecker: {
    contracts: { "A.sol": ["A"] },
    divModNoSlacks: true,
    engine: "chc",
    extCalls: "trusted",
    invariants: ["contract", "reentrancy"],
    showProvedSafe: true,
    showUnproved: true,
    showUnsupported: true,
    solvers: ["smtlib2", "z3"],
    targets: ["assert", "underflow"],
    timeout: 20_000,
  },
  outputSelection: {
    "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.immutableReferences"], "": ["ast"] },
    "A.sol": { A: ["*"] },
  },
};

/** What Vyper reads of its settings, and what it writes into its bundles. */
const VYPER: CompilerSettings = {
  evmVersion: "cancun",
  optimize: "codesize",
  experimentalCodegen: false,
  bytecodeMetadata: true,
  enable_decimals: true,
  debug: false,
  search_paths: ["lib/pypi", "."],
  outputSelection: { "A.vy": ["*"], "src/B.vy": { "*": ["abi", "evm.bytecode"] } },
};

const inputOf = (settings: unknown, language: StandardJsonInput["language"] = "Solidity") => ({
  language,
  sources: { [language === "Vyper" ? "A.vy" : "A.sol"]: { content: "contract A {}" } },
  settings: settings as CompilerSettings,
});

/** Each way of putting a text into a value: instead of any part of it, and under a key of any table. */
function* planted(value: unknown): Generator {
  yield FOREIGN;
  if (Array.isArray(value)) {
    yield [...(value as unknown[]), FOREIGN];
    yield [...(value as unknown[]), { [FOREIGN]: true }];
  } else if (typeof value === "object" && value !== null) {
    for (const more of [FOREIGN, true, LIBRARY, [], {}]) yield { ...value, [FOREIGN]: more };
    for (const [key, inner] of Object.entries(value))
      for (const changed of planted(inner)) yield { ...value, [key]: changed };
  }
}

function* tables(value: unknown, at: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  yield at;
  for (const [key, inner] of Object.entries(value)) yield* tables(inner, [...at, key]);
}

function withKey(value: unknown, [first, ...rest]: readonly string[], key: string): CompilerSettings {
  const table = value as CompilerSettings;
  return first === undefined
    ? { ...table, [key]: true }
    : { ...table, [first]: withKey(table[first], rest, key) };
}

/** What the newest solc says of the form of settings. */
function saidBySolc(settings: CompilerSettings): string {
  const { errors = [] } = compileNow(inputOf(settings)) as {
    errors?: { type: string; message: string }[];
  };
  return errors.flatMap(({ type, message }) => (type === "JSONError" ? [message] : [])).join("; ");
}

describe("A setting that a compiler reads", () => {
  it("is known in every form, of solc and of Vyper", () => {
    assert.deepEqual(unsupportedSettings(inputOf(SOLC)), []);
    assert.deepEqual(unsupportedSettings(inputOf(SOLC, "Yul")), []);
    assert.deepEqual(unsupportedSettings(inputOf(VYPER, "Vyper")), []);
    assert.deepEqual(unsupportedSettings(inputOf({}, "Fe")), []);
  });

  it("is one that the real solc takes, which refuses every other key in the same places", () => {
    assert.equal(saidBySolc(SOLC), "");
    const chosenByProject = /^(?:libraries|outputSelection|modelChecker\.contracts)\b/;
    const places = [...tables(SOLC)].filter((place) => !chosenByProject.test(place.join(".")));
    assert.ok(places.length >= 6, String(places.length));
    for (const place of places) {
      const more = withKey(SOLC, place, "note");
      assert.match(saidBySolc(more), /Unknown key "note"/, place.join("."));
      assert.deepEqual(unsupportedSettings(inputOf(more)), [[...place, "note"].join(".")]);
    }
  });
});

describe("A text in the settings that no compiler reads", () => {
  for (const [language, settings] of [
    ["Solidity", SOLC],
    ["Yul", SOLC],
    ["Vyper", VYPER],
    ["Fe", {}],
  ] as const) {
    it(`is found wherever it stands, ${language}`, () => {
      const all = [...planted(settings)].slice(1);
      assert.ok(all.length > 4);
      for (const one of all)
        assert.notDeepEqual(unsupportedSettings(inputOf(one, language)), [], JSON.stringify(one));
      console.log(`texts in settings of ${language}: ${all.length} places`);
    });
  }

  it("is found in a checksum that is none", () => {
    const input = inputOf(VYPER, "Vyper");
    assert.deepEqual(unsupportedSettings({ ...input, integrity: "5b".repeat(32) }), []);
    assert.deepEqual(unsupportedSettings({ ...input, integrity: FOREIGN }), ["integrity"]);
  });

  const PROJECTS: Readonly<Record<string, { files: Record<string, string>; mine?: CompilerSettings }>> = {
    "Hardhat's configuration": {
      files: {
        "hardhat.config.js": `module.exports = { solidity: { version: "0.8.28", settings: { optimizer: { enabled: true, note: "${FOREIGN}" } } } };`,
      },
    },
    "Truffle's configuration": {
      files: {
        "truffle-config.js": `module.exports = { compilers: { solc: { version: "0.8.28", settings: { optimizer: { note: "${FOREIGN}" } } } } };`,
      },
    },
    "a folder's ledgerLens.compilerSettings": { files: {}, mine: { optimizer: { note: FOREIGN } } },
  };

  it("in foundry.toml does not go, as forge passes over it", async () => {
    const toml = `[profile.default.optimizer_details]\nyul = true\nnote = "${FOREIGN}"\n`;
    const files = { "foundry.toml": toml, "src/A.sol": "pragma solidity ^0.8.0; contract A {}" };
    const reader = memoryFolders(below("/w", files));
    const found = await findWorkspaceContract(reader, ["/w"], "src/A.sol:A");
    const { settings } = (await contractInput(reader, ["/w"], found)).stdJsonInput;
    assert.deepEqual(settings.optimizer, { enabled: false, runs: 200, details: { yul: true } });
  });

  for (const [where, { files, mine = {} }] of Object.entries(PROJECTS)) {
    it(`in ${where} is shown each time, and a program has to say that it knows of it`, async () => {
      const reader = memoryFolders(
        below("/w", { ...files, "src/A.sol": "pragma solidity ^0.8.0; contract A {}" }),
      );
      const found = await findWorkspaceContract(reader, ["/w"], "src/A.sol:A");
      const input = await contractInput(reader, ["/w"], found, { defaultSettings: mine });
      assert.ok(JSON.stringify(input.stdJsonInput.settings).includes(FOREIGN), "it would go");
      const review = atOnce(
        SubmissionReview.inPieces(
          "https://sourcify.dev/server",
          { chainId: "296", address: LIBRARY },
          { ...input, ...found },
        ),
      );
      const concern = review.shown.concerns.find(({ code }) => code === "unknown_setting");
      assert.match(
        concern?.sentence ?? "",
        /^The compiler settings hold optimizer\.\S*note, which solc is not known/,
      );
      assert.equal(review.scope.isUnremarkable, false, "no agreement covers it");
      assert.throws(() => review.agreedUnseen([]), { code: "not_confirmed" });
      assert.ok(review.agreedUnseen(["unknown_setting"]).request.body.includes(FOREIGN));
    });
  }
});
