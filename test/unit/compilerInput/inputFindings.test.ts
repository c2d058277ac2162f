import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { buildRecordOf } from "../../../src/core/compilerInput/buildRecord.ts";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import { checkInputInPieces } from "../../../src/core/compilerInput/inputChecks.ts";
import {
  completeSolcVersion,
  withSolcReleaseList,
} from "../../../src/core/languages/solidity/solcReleases.ts";
import type { StandardJsonInput } from "../../../src/core/sources/standardJsonInput.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";
import type { ContractInputOptions } from "../../../src/core/compilerInput/contractInputOptions.ts";

const ROOT = "/home/me/vault";

async function build(
  files: Readonly<Record<string, string>>,
  contract: string,
  options: ContractInputOptions = {},
) {
  const reader = memoryFolders(below(ROOT, files));
  return contractInput(reader, [ROOT], await findWorkspaceContract(reader, [ROOT], contract), options);
}

const check = (input: Partial<StandardJsonInput>, contractIdentifier = "A.sol:A") =>
  atOnce(
    checkInputInPieces({
      stdJsonInput: {
        language: "Solidity",
        sources: { "A.sol": { content: "contract A {}" } },
        settings: {},
        ...input,
      },
      contractIdentifier,
      files: [],
    }),
  ).map(({ code, severity }) => `${severity} ${code}`);

describe("Before an input is sent", () => {
  it("nothing is said of a sound one", () => assert.deepEqual(check({}), []));

  it("what the service would reject is an error", () => {
    assert.deepEqual(check({ sources: { "A.sol": { content: "x" }, "B.sol": { content: "" } } }), [
      "error empty_source",
    ]);
    assert.deepEqual(check({}, "B.sol:A"), ["error unknown_identifier"]);
    assert.deepEqual(check({ settings: undefined as never }), ["error missing_settings"]);
    assert.deepEqual(check({ sources: { "A.sol": { content: "\ufeffcontract A {}" } } }), [
      "error byte_order_mark",
    ]);
    assert.deepEqual(check({ sources: { "A.sol": { content: "x".repeat(31 * 1024 * 1024) } } }), [
      "error too_large",
    ]);
  });

  it("what would be public and should not be is a warning", () => {
    assert.deepEqual(check({ settings: { remappings: ["@a/=/home/me/a/"] } }), ["warning absolute_path"]);
    assert.deepEqual(check({ settings: { remappings: [":@a/=C:\\a\\"] } }), ["warning absolute_path"]);
    assert.deepEqual(check({ settings: { remappings: ["src/:@a/=lib/a/", ":g=/", "ctx:b/="] } }), []);
    assert.deepEqual(check({ sources: { "A.sol": { content: "x" }, "/home/me/B.sol": { content: "y" } } }), [
      "warning absolute_path",
    ]);
    const key = `// PRIVATE_KEY=0x${"ab".repeat(32)}`;
    assert.deepEqual(check({ sources: { "A.sol": { content: key } } }), ["warning possible_secret"]);
  });

  it("what should not go is told without what becomes of it, which depends on the service", () => {
    const sources = {
      "A.sol": { content: `// PRIVATE_KEY=0x${"ab".repeat(32)}` },
      "/home/me/B.txt": { content: "y" },
    };
    const findings = atOnce(
      checkInputInPieces({
        stdJsonInput: { language: "Solidity", sources, settings: { note: `key 0x${"ab".repeat(32)}` } },
        contractIdentifier: "A.sol:A",
        files: [{ name: "/home/me/B.txt", path: "/home/me/B.txt", bytes: 1, origin: "project" }],
      }),
    );
    assert.deepEqual(
      new Set(findings.map(({ code }) => code)),
      new Set(["possible_secret", "unknown_setting", "absolute_path", "not_a_source"]),
    );
    for (const { sentence } of findings) {
      assert.doesNotMatch(sentence, /public|publish/);
      assert.match(sentence, /is sent with the sources\.$/);
    }
  });

  it("nothing is said of what looks like a secret in a package, which is public already", async () => {
    const files = (text: string) => ({
      "contracts/A.sol": 'import "lib/B.sol"; contract A {}',
      "node_modules/lib/B.sol": "// nothing",
      "contracts/C.sol": `${text}\ncontract C {}`,
      "node_modules/lib/D.sol": text,
      "contracts/E.sol": 'import "lib/D.sol"; contract E {}',
    });
    const key = `// PRIVATE_KEY=0x${"ab".repeat(32)}`;
    const codesOf = async (contract: string) =>
      (await build(files(key), contract)).findings.map(({ code }) => code);
    assert.ok((await codesOf("contracts/C.sol:C")).includes("possible_secret"));
    assert.ok(!(await codesOf("contracts/E.sol:E")).includes("possible_secret"));
  });

  it("its size is counted exactly where it is near to what the service takes", () => {
    const source = (bytes: number) => ({ sources: { "A.sol": { content: "x".repeat(bytes) } } });
    assert.deepEqual(check(source(29 * 1024 * 1024)), []);
    assert.deepEqual(check(source(30 * 1024 * 1024)), ["error too_large"]);
    // A zero character takes six bytes of JSON.
    assert.deepEqual(check({ sources: { "A.sol": { content: "\0".repeat(5.1 * 1024 * 1024) } } }), [
      "error too_large",
    ]);
  });
});

describe("What the service would reject is found before it is sent", () => {
  const PROJECT = {
    "foundry.toml": "",
    "src/A.sol": 'pragma solidity ^0.8.0; import "./B.sol"; contract A {}',
    "src/B.sol": "contract B {}",
  };
  const errorsOf = ({ findings }: { findings: readonly { severity: string; sentence: string }[] }) =>
    findings.filter(({ severity }) => severity === "error").map(({ sentence }) => sentence);

  it("an empty file, by its name; not one that a build compiled besides", async () => {
    const empty = await build({ ...PROJECT, "src/B.sol": "" }, "src/A.sol:A");
    assert.deepEqual(errorsOf(empty), ["src/B.sol is empty, which the service rejects; remove its import."]);
    const sources = { ...PROJECT, "src/Empty.sol": "" };
    const input = {
      language: "Solidity",
      sources: Object.fromEntries(
        Object.entries(sources)
          .filter(([path]) => path.endsWith(".sol"))
          .map(([path, content]) => [path, { content }]),
      ),
      settings: {},
    };
    const record = JSON.stringify({ source_id_to_path: {}, solcVersion: "0.8.28", input });
    const built = await build({ ...sources, "out/build-info/1.json": record }, "src/A.sol:A");
    assert.equal(built.source, "build-info");
    assert.deepEqual(errorsOf(built), []);
    assert.ok(Object.hasOwn(built.wholeBuild?.stdJsonInput.sources ?? {}, "src/Empty.sol"));
  });

  it("a byte-order mark, which is left out of what was never compiled with it", async () => {
    const marked = await build({ ...PROJECT, "src/B.sol": "\ufeffcontract B {}" }, "src/A.sol:A");
    assert.equal(marked.stdJsonInput.sources["src/B.sol"]?.content, "contract B {}");
    assert.deepEqual(errorsOf(marked), []);
    assert.match(marked.warnings.join(), /src\/B\.sol begins with a byte-order mark/);
  });

  it("Vyper sources and interfaces with one stem", () => {
    const vyper = {
      language: "Vyper" as const,
      sources: { "a/x.vy": { content: "#" }, "b/x.vyi": { content: "#" } },
      interfaces: { "c/y.json": {}, "a/y.json": {} },
    };
    assert.deepEqual(check(vyper, "a/x.vy:x"), ["error stem_collision", "error stem_collision"]);
    assert.deepEqual(
      check({ ...vyper, sources: { "a/x.vy": { content: "#" } }, interfaces: {} }, "a/x.vy:x"),
      [],
    );
  });

  it("paths of the machine in names, remappings and search paths, of Windows too", () => {
    for (const remapping of ["a/=/opt/a/", "/home/me/lib/:a/=lib/a/", "a/=D:/a/", "a/=d:\\a\\"])
      assert.deepEqual(
        check({ settings: { remappings: [remapping] } }),
        ["warning absolute_path"],
        remapping,
      );
    for (const name of [
      "/home/me/A.sol",
      "C:/me/A.sol",
      "c:\\me\\A.sol",
      "\\\\server\\A.sol",
      "file:///A.sol",
    ])
      assert.deepEqual(
        check({ sources: { [name]: { content: "x" } } }, `${name}:A`),
        ["warning absolute_path"],
        name,
      );
    for (const name of [
      "src/A.sol",
      "@a/b/A.sol",
      "../a/A.sol",
      "https://github.com/a/A.sol",
      "project:/contracts/A.sol",
    ])
      assert.deepEqual(check({ sources: { [name]: { content: "x" } } }, `${name}:A`), [], name);
    const vyper = { language: "Vyper" as const, sources: { "x.vy": { content: "#" } } };
    assert.deepEqual(check({ ...vyper, settings: { search_paths: [".", "/usr/lib"] } }, "x.vy:x"), [
      "warning absolute_path",
    ]);
  });

  it("which profile of foundry.toml is taken, where it has several", async () => {
    const files = { ...PROJECT, "foundry.toml": "[profile.default]\n[profile.ci]\nvia_ir = true\n" };
    const found = await build(files, "src/A.sol:A");
    assert.match(
      found.warnings.join(),
      /foundry\.toml has the profile ci besides default, whose settings are taken/,
    );
    const chosen = await build(files, "src/A.sol:A", { profile: "ci" });
    assert.equal(chosen.stdJsonInput.settings["viaIR"], true);
    assert.doesNotMatch(chosen.warnings.join(), /whose settings are taken/);
  });
});

describe("The compiler", () => {
  const HARDHAT = {
    "hardhat.config.js":
      'module.exports = { solidity: { compilers: [{ version: "0.8.19" }, { version: "0.8.24" }, { version: "0.7.6" }] } };',
    "contracts/A.sol": 'pragma solidity ^0.8.0; import "./B.sol"; contract A {}',
  };

  it("is the newest configured one that every pragma allows", async () => {
    const input = await build(
      { ...HARDHAT, "contracts/B.sol": "pragma solidity <0.8.24;" },
      "contracts/A.sol:A",
    );
    assert.equal(input.compilerVersion, "0.8.19+commit.7dd6d404");
    assert.equal(input.compilerReason, "set in hardhat.config.js");
  });

  it("is refused with the file and line that exclude the configured ones", async () => {
    await assert.rejects(
      build({ ...HARDHAT, "contracts/B.sol": "\npragma solidity ^0.8.25;" }, "contracts/A.sol:A"),
      {
        code: "no_compiler",
        message:
          /^hardhat\.config\.js sets solc 0\.7\.6, 0\.8\.19, 0\.8\.24, which contracts\/B\.sol, line 2 \(\^0\.8\.25\) exclude/,
      },
    );
  });

  it("is the one that the deployed code names, unless a pragma excludes it", async () => {
    const files = { "A.sol": "pragma solidity ^0.8.20; contract A {}" };
    const input = await build(files, "A.sol:A", { deployedCompilerVersion: "0.8.24" });
    assert.equal(input.compilerVersion, "0.8.24+commit.e11b9ed9");
    const excluded = await build(files, "A.sol:A", { deployedCompilerVersion: "0.8.19" });
    assert.notEqual(excluded.compilerVersion, "0.8.19+commit.7dd6d404");
    assert.match(
      excluded.warnings.join(),
      /compiled by solc 0\.8\.19, which A\.sol, line 1 \(\^0\.8\.20\) excludes/,
    );
  });

  it("is found in a refreshed list of releases", async () => {
    const releases = withSolcReleaseList({
      builds: [{ longVersion: "0.9.0+commit.01234567" }, { longVersion: "0.9.1-nightly+commit.01234567" }, 1],
    });
    assert.equal(completeSolcVersion("0.9.0", releases), "0.9.0+commit.01234567");
    assert.throws(() => completeSolcVersion("0.9.0"), { code: "invalid_compiler_version" });
    const input = await build({ "A.sol": "contract A {}" }, "A.sol:A", { releases: { solc: releases } });
    assert.equal(input.compilerVersion, "0.9.0+commit.01234567");
    assert.deepEqual(withSolcReleaseList("nonsense"), withSolcReleaseList(undefined));
  });
});

describe("Records that other tools leave", () => {
  const SOURCE = "pragma solidity ^0.8.0; contract Box {}";
  const input = (name: string) => ({
    language: "Solidity",
    sources: { [name]: { content: SOURCE } },
    settings: { optimizer: { enabled: true, runs: 9 } },
  });

  it("hardhat-deploy's inputs serve when there is no build", async () => {
    const metadata = {
      compiler: { version: "0.8.24+commit.e11b9ed9" },
      settings: { compilationTarget: { "contracts/Box.sol": "Box" } },
    };
    const files = {
      "hardhat.config.js": "module.exports = {};",
      "contracts/Box.sol": SOURCE,
      "deployments/sepolia/.chainId": "11155111",
      "deployments/sepolia/Box.json": JSON.stringify({
        address: "0x",
        solcInputHash: "abc",
        metadata: JSON.stringify(metadata),
      }),
      "deployments/sepolia/solcInputs/abc.json": JSON.stringify(input("contracts/Box.sol")),
    };
    const built = await build(files, "contracts/Box.sol:Box");
    assert.equal(built.source, "build-info");
    assert.equal(built.compilerVersion, "0.8.24+commit.e11b9ed9");
    assert.equal(built.stdJsonInput.settings.optimizer?.runs, 9);
  });

  it("Remix writes its build-info below the folder of the contract", async () => {
    const record = {
      _format: "hh-sol-build-info-1",
      solcVersion: "0.8.24",
      solcLongVersion: "0.8.24+commit.e11b9ed9",
      input: input("contracts/Box.sol"),
      output: {},
    };
    const built = await build(
      {
        ".deps/npm/x/y.sol": "",
        "contracts/Box.sol": SOURCE,
        "contracts/artifacts/build-info/1.json": JSON.stringify(record),
      },
      "contracts/Box.sol:Box",
    );
    assert.equal(built.source, "build-info");
    assert.deepEqual(built.changedSinceBuild, []);
  });

  it("Remix's fetched dependencies keep the text of their import as name", async () => {
    const built = await build(
      {
        ".deps/npm/@openzeppelin/contracts@4.9.0/Ownable.sol": 'import "./Context.sol";',
        ".deps/npm/@openzeppelin/contracts@4.9.0/Context.sol": "// context",
        ".deps/github/a/b/src/C.sol": "// c",
        "contracts/A.sol":
          'import "@openzeppelin/contracts@4.9.0/Ownable.sol"; import "https://github.com/a/b/blob/main/src/C.sol"; contract A {}',
      },
      "contracts/A.sol:A",
    );
    assert.deepEqual(Object.keys(built.stdJsonInput.sources), [
      "@openzeppelin/contracts@4.9.0/Context.sol",
      "@openzeppelin/contracts@4.9.0/Ownable.sol",
      "contracts/A.sol",
      "https://github.com/a/b/blob/main/src/C.sol",
    ]);
  });

  it("Truffle's own files are named project:/", async () => {
    const built = await build(
      {
        "truffle-config.js": 'module.exports = { compilers: { solc: { version: "0.8.19" } } };',
        "contracts/A.sol": 'pragma solidity ^0.8.0; import "./B.sol"; import "pkg/C.sol"; contract A {}',
        "contracts/B.sol": "// b",
        "node_modules/pkg/C.sol": "// c",
      },
      "contracts/A.sol:A",
    );
    assert.equal(built.contractIdentifier, "project:/contracts/A.sol:A");
    assert.deepEqual(Object.keys(built.stdJsonInput.sources), [
      "pkg/C.sol",
      "project:/contracts/A.sol",
      "project:/contracts/B.sol",
    ]);
  });

  it("what is no record is none", () => {
    for (const json of [undefined, null, 1, [], {}, { input: {} }])
      assert.equal(buildRecordOf(json, "/x.json"), undefined);
  });

  it("what has the form of a record but for one part is none, and says which part", () => {
    const solidity = input("a");
    for (const [json, reason] of [
      [
        { input: { language: "Solidity", sources: { a: {} } }, solcVersion: "0.8.1" },
        "holds a source without its text",
      ],
      [{ input: solidity, solcVersion: "9.9.9" }, "names no release of a compiler"],
      [{ input: solidity, solcVersion: 8 }, "names no release of a compiler"],
      [{ input: { ...solidity, language: "Solidty" } }, "names no language that a compiler knows"],
      [
        { input: { ...solidity, settings: { remappings: "a=b" } } },
        "holds a setting of a wrong form (remappings)",
      ],
      [
        { input: { ...solidity, settings: { remappings: [1] } } },
        "holds a setting of a wrong form (remappings)",
      ],
      [
        { input: { ...solidity, settings: { optimizer: "on" } } },
        "holds a setting of a wrong form (optimizer)",
      ],
      [
        { input: { ...solidity, settings: { libraries: { A: 1 } } } },
        "holds a setting of a wrong form (libraries)",
      ],
      [{ input: { ...solidity, settings: [] } }, "holds settings of a wrong form"],
      [
        { input: { ...solidity, sources: { "a\0.sol": { content: "" } } } },
        "holds a source whose name is none",
      ],
    ] as const)
      assert.deepEqual(buildRecordOf({ solcVersion: "0.8.30", ...json }, "/x.json"), { reason });
  });
});
