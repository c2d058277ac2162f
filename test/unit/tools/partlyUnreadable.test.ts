import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import type { CompilerInput } from "../../../src/core/sources/standardJsonInput.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";

const ROOT = "/home/me/vault";

async function inputOf(
  files: Readonly<Record<string, string>>,
  profile?: string,
  source = "contracts/A.sol",
): Promise<{ input: CompilerInput; sentences: readonly string[] }> {
  const text = source.endsWith(".vy")
    ? "@external\ndef f() -> uint256:\n    return 1\n"
    : "pragma solidity >=0.5.0;\ncontract A {}\n";
  const folders = memoryFolders(below(ROOT, { [source]: text, ...files }));
  const contract = await findWorkspaceContract(folders, [ROOT], `${ROOT}/${source}:A`);
  const input = await contractInput(folders, [ROOT], contract, { profile });
  return {
    input,
    sentences: input.findings.filter(({ severity }) => severity !== "note").map(({ sentence }) => sentence),
  };
}

const made = "it is left out, and the input is made from the configuration and the sources.";

describe("A configuration that can't be read in part", () => {
  it("is read in the other parts: foundry.toml with an integer beyond 2^53", async () => {
    const { input, sentences } = await inputOf({
      "foundry.toml":
        "[profile.default]\ngas_limit = 9223372036854775807\noptimizer_runs = 7\nvia_ir = true\n",
    });
    assert.deepEqual(sentences, []);
    assert.deepEqual(input.stdJsonInput.settings.optimizer, { enabled: true, runs: 7 });
    assert.equal(input.stdJsonInput.settings["viaIR"], true);
  });

  it("is read in the other parts: foundry.toml with values of wrong forms, in a profile and in what it extends", async () => {
    const { input, sentences } = await inputOf(
      {
        "foundry.toml":
          'solc = "0.8.20"\n[profile.default]\noptimizer_runs = 9223372036854775807\nlibs = "lib"\n[profile.ci]\nextends = "base.toml"\nvia_ir = true\n',
        "base.toml": '[profile.ci]\noptimizer = "yes"\n[profile.default]\nbytecode_hash = "none"\n',
      },
      "ci",
    );
    assert.deepEqual(sentences, [
      "foundry.toml, profile.default: optimizer_runs has no form that Foundry takes; it is left out.",
      "foundry.toml, profile.default: libs has no form that Foundry takes; it is left out.",
      "base.toml, profile.ci: optimizer has no form that Foundry takes; it is left out.",
      "foundry.toml: solc stands in no profile, which Foundry does not take; it is left out.",
    ]);
    assert.equal(input.stdJsonInput.settings["viaIR"], true);
    assert.deepEqual(input.stdJsonInput.settings["metadata"], {
      useLiteralContent: false,
      bytecodeHash: "none",
      appendCBOR: true,
    });
  });

  for (const [place, table] of [
    [", profile.default", "profile.default.vyper"],
    ["", "vyper"],
  ] as const)
    it(`is read in the other parts: foundry.toml with an integer beyond 2^53 in [${table}]`, async () => {
      const { input, sentences } = await inputOf({
        "foundry.toml": `[${table}]\noptimize = 9223372036854775807\n[profile.default]\noptimizer_runs = 7\n`,
      });
      assert.deepEqual(sentences, [
        `foundry.toml${place}: vyper has no form that Foundry takes; it is left out.`,
      ]);
      assert.deepEqual(input.stdJsonInput.settings.optimizer, { enabled: true, runs: 7 });
    });

  it("is read in the other parts: foundry.toml with numbers that are none, for the optimizer and for some files", async () => {
    const { input, sentences } = await inputOf({
      "foundry.toml": [
        "[profile.default]",
        "optimizer_details = { yulDetails = { stackAllocation = inf } }",
        'additional_compiler_profiles = [{ name = "x", optimizer_runs = inf, via-ir = true, gas = 9223372036854775807 }]',
        "compilation_restrictions = [",
        '  { paths = "contracts/A.sol", via_ir = true, min-optimizer-runs = nan },',
        '  { paths = 3, min_evm_version = "osaka" },',
        "]\n",
      ].join("\n"),
    });
    assert.deepEqual(
      sentences,
      [
        ": optimizer_details",
        ", additional_compiler_profiles[0]: optimizer_runs",
        ", compilation_restrictions[0]: min-optimizer-runs",
        ", compilation_restrictions[1]: paths",
      ].map((what) => `foundry.toml, profile.default${what} has no form that Foundry takes; it is left out.`),
    );
    assert.deepEqual(input.stdJsonInput.settings.optimizer, { enabled: false, runs: 200 });
    assert.equal(input.stdJsonInput.settings["viaIR"], true);
  });

  it("is told where nothing of it is read: foundry.toml with a fault in one line, a profile that is not there", async () => {
    const broken = await inputOf({ "foundry.toml": "[profile.default]\noptimizer_runs = 7\nfoo = = 3\n" });
    assert.deepEqual(broken.sentences, [
      `foundry.toml is not valid TOML (line 3); ${made}`,
      "forge builds nothing while foundry.toml can't be read: what is deployed was built with another state of it, whose settings are not known.",
    ]);
    const other = await inputOf(
      { "foundry.toml": '[profile.default]\nextends = "company.toml"\noptimizer_runs = 7\n' },
      "release",
    );
    assert.deepEqual(other.sentences, [
      "foundry.toml has no profile release; the profile default is taken, as forge does.",
    ]);
    assert.equal(other.input.stdJsonInput.settings.optimizer?.runs, 7);
    const missing = await inputOf({ "foundry.toml": '[profile.default]\nextends = "company.toml"\n' });
    assert.deepEqual(missing.sentences, ["company.toml is not there; its settings are left out."]);
  });

  it("is read in the other parts: remappings.txt and the remappings of foundry.toml, with or without a tool", async () => {
    const lines = { "remappings.txt": "# ours\na/=lib/a/\nnonsense\n" };
    const foundry = await inputOf({
      ...lines,
      "foundry.toml": '[profile.default]\nremappings = ["b", "c/=lib/c/"]\n',
    });
    assert.deepEqual(foundry.sentences.toSorted(), [
      `foundry.toml: the remapping "b" is no remapping (context:prefix=target); ${made}`,
      `remappings.txt: line 1 is no remapping (context:prefix=target); ${made}`,
      `remappings.txt: line 3 is no remapping (context:prefix=target); ${made}`,
    ]);
    assert.deepEqual(foundry.input.stdJsonInput.settings.remappings, ["a/=lib/a/", "c/=lib/c/"]);
    const plain = await inputOf(lines);
    assert.deepEqual(plain.sentences.toSorted(), [
      `remappings.txt: line 1 is no remapping (context:prefix=target); ${made}`,
      `remappings.txt: line 3 is no remapping (context:prefix=target); ${made}`,
    ]);
    assert.deepEqual(plain.input.stdJsonInput.settings.remappings, ["a/=lib/a/"]);
  });

  it("is read in the other parts: a Hardhat configuration", async () => {
    const hardhat = async (exported: string) =>
      inputOf({ "hardhat.config.js": `module.exports = ${exported};\n` });
    const { input, sentences } = await hardhat(
      '{ solidity: { version: "0.8.20", settings: "fast", overrides: [] }, paths: { sources: 7 } }',
    );
    assert.equal(input.compilerVersion.split("+")[0], "0.8.20");
    assert.deepEqual(sentences, [
      "hardhat.config.js: solidity.settings has no form that Hardhat takes; it is left out.",
      "hardhat.config.js: solidity.overrides has no form that Hardhat takes; it is left out.",
      "hardhat.config.js: paths.sources has no form that Hardhat takes; it is left out.",
    ]);
    const listed = await hardhat('{ solidity: { compilers: [{ version: 8 }, { version: "0.8.21" }] } }');
    assert.equal(listed.input.compilerVersion.split("+")[0], "0.8.21");
    assert.deepEqual(listed.sentences, [
      "hardhat.config.js: solidity.compilers[0].version has no form that Hardhat takes; it is left out.",
    ]);
    for (const right of [
      '{ solidity: "0.8.20" }',
      '{ solidity: ["0.8.20", "0.8.21"], paths: { sources: ["contracts"] } }',
      '{ solidity: { profiles: { default: { version: "0.8.20" }, production: "0.8.20" } } }',
      '{ solidity: { version: "0.8.20", settings: {} }, paths: { sources: process.argv[2] } }',
    ]) {
      const { sentences: told } = await hardhat(right);
      assert.deepEqual(
        told.filter((one) => one.includes("no form")),
        [],
        right,
      );
    }
  });

  it("is read in the other parts: a Truffle configuration", async () => {
    const { input, sentences } = await inputOf({
      "truffle-config.js":
        "module.exports = { contracts_directory: 3, compilers: { solc: { version: 0.8, settings: { optimizer: { enabled: true, runs: 5 } } } } };\n",
    });
    assert.deepEqual(input.stdJsonInput.settings.optimizer, { enabled: true, runs: 5 });
    assert.deepEqual(sentences, [
      "truffle-config.js: contracts_directory has no form that Truffle takes; it is left out.",
      "truffle-config.js: compilers.solc.version has no form that Truffle takes; it is left out.",
    ]);
  });

  it("is told: package.json, which says which Hardhat it is", async () => {
    const { sentences } = await inputOf({
      "package.json": "{ nope",
      "hardhat.config.js": 'module.exports = { solidity: "0.8.20" };\n',
    });
    assert.deepEqual(sentences, [`package.json is not valid JSON; ${made}`]);
  });

  it("is read in the other parts: what Ape, moccasin and Foundry say of Vyper", async () => {
    const vyper = (files: Record<string, string>) => inputOf(files, undefined, "contracts/A.vy");
    const ape = await vyper({ "ape-config.yaml": "vyper:\n  version: 0.4.3\n  evm_version: 3\n" });
    assert.deepEqual(ape.sentences, [
      `ape-config.yaml: vyper.evm_version has no form that can be read; ${made}`,
    ]);
    assert.equal(ape.input.compilerVersion.split("+")[0], "0.4.3");
    const python = await vyper({
      "pyproject.toml":
        '[tool.ape.vyper]\nversion = "0.4.3"\nenable_decimals = "no"\n[tool.x]\nbig = 9223372036854775807\n',
      "ape-config.yaml": "",
    });
    assert.deepEqual(python.sentences, [
      `pyproject.toml: tool.ape.vyper.enable_decimals has no form that can be read; ${made}`,
    ]);
    assert.equal(python.input.compilerVersion.split("+")[0], "0.4.3");
    const foundry = await vyper({
      "foundry.toml": '[vyper]\noptimize = 3\n[profile.default]\nevm_version = "cancun"\nout = 1\n',
    });
    assert.deepEqual(foundry.sentences, [
      `foundry.toml: vyper.optimize has no form that can be read; ${made}`,
      "foundry.toml, profile.default: out has no form that Foundry takes; it is left out.",
    ]);
    const moccasin = await vyper({ "moccasin.toml": "[project]\nsrc = 3\n" });
    assert.deepEqual(moccasin.sentences, [
      `moccasin.toml: project.src has no form that can be read; ${made}`,
    ]);
    const broken = await vyper({ "moccasin.toml": "[project\n" });
    assert.deepEqual(broken.sentences, [`moccasin.toml is not valid TOML (line 1); ${made}`]);
  });

  for (const [name, text] of [
    ["a merge of what is no map", "%YAML 1.1\n---\na: &a 3\nb:\n  <<: *a\n"],
    ["an alias that leads nowhere", "a: &a [1]\nb: *c\n"],
    ["levels without end", `a: ${"[".repeat(50_000)}`],
  ] as const)
    it(`is told: YAML with ${name}`, async () => {
      const { sentences } = await inputOf({ "ape-config.yaml": text }, undefined, "contracts/A.vy");
      assert.deepEqual(sentences, [`ape-config.yaml is not valid YAML; ${made}`]);
    });

  for (const [name, text, reason] of [
    ["a list that contains itself", "a: &a [*a, *a]\n", "is nested too deeply"],
    ["a map that contains itself further down", "a: &a {b: [{c: *a}, {d: *a}]}\n", "is nested too deeply"],
    [
      "aliases that repeat a long list many times",
      `a: &a [${"1,".repeat(10_000)}]\nb: [${"*a,".repeat(90)}]\n`,
      "has too many parts",
    ],
  ] as const)
    it(`is told and does not keep anything from ending: YAML with ${name}`, async () => {
      const { sentences } = await inputOf({ "ape-config.yaml": text }, undefined, "contracts/A.vy");
      assert.deepEqual(sentences, [`ape-config.yaml ${reason}; ${made}`]);
    });

  it("is read: YAML that repeats a list by its name", async () => {
    const { input, sentences } = await inputOf(
      { "ape-config.yaml": "names: &names [a, b]\nothers: [*names, *names]\nvyper:\n  version: 0.4.3\n" },
      undefined,
      "contracts/A.vy",
    );
    assert.deepEqual(sentences, []);
    assert.match(input.compilerVersion, /^0\.4\.3\b/);
  });
});
