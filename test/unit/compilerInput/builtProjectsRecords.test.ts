import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import type { CompilerInput } from "../../../src/core/sources/standardJsonInput.ts";
import { piecesOf } from "../../rig/turnsOf.ts";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { divideInput } from "../../../src/core/compilerInput/wholeBuild.ts";
import { errorCodeOf } from "../../../src/core/service/errorCodes.ts";
import type { FolderReader } from "../../../src/core/files/folderReader.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";
import type { ContractInputOptions } from "../../../src/core/compilerInput/contractInputOptions.ts";

const A = 'pragma solidity ^0.8.0; import "./B.sol"; contract A {}';
const B = "pragma solidity ^0.8.0; contract B {}";
const EDITED = "pragma solidity ^0.8.0; contract B { uint now_; }";

type Sources = Readonly<Record<string, string>>;

function input(sources: Sources, settings: Readonly<Record<string, unknown>> = {}) {
  return {
    language: "Solidity" as const,
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
    settings,
  };
}

const hardhatRecord = (sources: Sources, runs: number) =>
  JSON.stringify({
    _format: "hh-sol-build-info-1",
    solcLongVersion: "0.8.28+commit.7893614a",
    input: input(sources, { optimizer: { enabled: true, runs } }),
  });

const foundryRecord = (sources: Sources, settings: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({ source_id_to_path: {}, solcVersion: "0.8.28", input: input(sources, settings) });

async function build(
  root: string,
  files: Readonly<Record<string, string>>,
  contract: string,
  options: ContractInputOptions & { readonly modified?: Readonly<Record<string, number>> } = {},
): Promise<CompilerInput> {
  const { modified = {}, ...rest } = options;
  const reader: FolderReader = {
    ...memoryFolders(below(root, files)),
    modified: (path) => Promise.resolve(modified[path.slice(root.length + 1)]),
  };
  return contractInput(reader, [root], await findWorkspaceContract(reader, [root], contract), rest);
}

const ROOT = "/home/me/vault";

describe("A project that both Hardhat and Foundry build", () => {
  const FILES = {
    "hardhat.config.js": 'module.exports = { solidity: "0.8.28" };',
    "foundry.toml": '[profile.default]\nsrc = "contracts"\ncache_path = "cache_forge"\n',
    "contracts/A.sol": A,
    "contracts/B.sol": B,
    "artifacts/build-info/h.json": hardhatRecord({ "contracts/A.sol": A, "contracts/B.sol": B }, 7),
    "artifacts/contracts/A.sol/A.dbg.json": JSON.stringify({ buildInfo: "../../build-info/h.json" }),
    "out/build-info/f.json": foundryRecord({ "contracts/A.sol": A, "contracts/B.sol": B }, { viaIR: true }),
    "cache_forge/solidity-files-cache.json": JSON.stringify({
      files: { "contracts/A.sol": { artifacts: { A: { "0.8.28": { default: { build_id: "f" } } } } } },
    }),
  };
  const runsOf = ({ stdJsonInput }: CompilerInput) => stdJsonInput.settings.optimizer?.runs ?? "Foundry's";

  it("is submitted as the newer build made it, and says that there is another", async () => {
    for (const [newer, runs] of [
      ["artifacts/build-info/h.json", 7],
      ["out/build-info/f.json", "Foundry's"],
    ] as const) {
      const modified = { "artifacts/build-info/h.json": 1, "out/build-info/f.json": 1, [newer]: 2 };
      const found = await build(ROOT, FILES, "contracts/A.sol:A", { modified });
      assert.equal(runsOf(found), runs);
      assert.match(
        found.warnings.join(),
        /Several builds hold A .* the newest, (?:artifacts|out)\/build-info/,
      );
    }
  });

  it("is submitted as the build made it that has the files as they are, however old", async () => {
    const stale = hardhatRecord({ "contracts/A.sol": A, "contracts/B.sol": EDITED }, 7);
    const found = await build(ROOT, { ...FILES, "artifacts/build-info/h.json": stale }, "contracts/A.sol:A", {
      modified: { "artifacts/build-info/h.json": 2, "out/build-info/f.json": 1 },
    });
    assert.equal(runsOf(found), "Foundry's");
    assert.deepEqual(found.changedSinceBuild, []);
  });

  it("is submitted as the tool made it that deployed it", async () => {
    for (const [recordedBy, runs] of [
      ["hardhat-ignition", 7],
      ["foundry", "Foundry's"],
    ] as const) {
      const found = await build(ROOT, FILES, "contracts/A.sol:A", {
        modified: { "artifacts/build-info/h.json": 1, "out/build-info/f.json": 1 },
        deployment: { recordedBy, record: `${ROOT}/x/y.json` },
      });
      assert.equal(runsOf(found), runs);
      assert.ok(!found.findings.some(({ code }) => code === "several_builds"));
    }
  });
});

describe("The build that Ignition keeps of a deployment", () => {
  const FILES = {
    "hardhat.config.js": 'module.exports = { solidity: "0.8.28" };',
    "contracts/A.sol": A,
    "contracts/B.sol": EDITED,
    "artifacts/build-info/now.json": hardhatRecord({ "contracts/A.sol": A, "contracts/B.sol": EDITED }, 7),
    "artifacts/contracts/A.sol/A.dbg.json": JSON.stringify({ buildInfo: "../../build-info/now.json" }),
    "ignition/deployments/chain-1/artifacts/M#A.json": JSON.stringify({
      contractName: "A",
      sourceName: "contracts/A.sol",
    }),
    // Written on Windows.
    "ignition/deployments/chain-1/artifacts/M#A.dbg.json": JSON.stringify({
      buildInfo: "..\\build-info\\then.json",
    }),
    "ignition/deployments/chain-1/build-info/then.json": hardhatRecord(
      { "contracts/A.sol": A, "contracts/B.sol": B },
      9,
    ),
  };

  it("goes before newer ones for that deployment, and names what has changed since", async () => {
    const deployment = {
      recordedBy: "hardhat-ignition" as const,
      record: `${ROOT}/ignition/deployments/chain-1/deployed_addresses.json`,
    };
    const found = await build(ROOT, FILES, "contracts/A.sol:A", { deployment });
    assert.equal(found.stdJsonInput.settings.optimizer?.runs, 9);
    assert.deepEqual(
      found.changedSinceBuild.map(({ name }) => name),
      ["contracts/B.sol"],
    );
    await assert.rejects(build(ROOT, FILES, "contracts/A.sol:A", { deployment, staleBuild: "refuse" }), {
      code: "stale_build",
      message: /^contracts\/B\.sol has changed since the build in ignition\/deployments\//,
    });
    assert.equal((await build(ROOT, FILES, "contracts/A.sol:A")).stdJsonInput.settings.optimizer?.runs, 7);
  });
});

describe("A build on Windows", () => {
  const WINDOWS = "/c:/Users/Me/vault";

  it("is found behind backslashes, and read by names with slashes", async () => {
    const found = await build(
      WINDOWS,
      {
        "hardhat.config.js": 'module.exports = { solidity: "0.8.28" };',
        "contracts/A.sol": A,
        "contracts/B.sol": B,
        "artifacts/contracts/A.sol/A.dbg.json": JSON.stringify({ buildInfo: "..\\..\\build-info\\1.json" }),
        "artifacts/build-info/1.json": hardhatRecord({ "contracts/A.sol": A, "contracts/B.sol": B }, 7),
        "artifacts/build-info/2.json": hardhatRecord({ "contracts/A.sol": A, "contracts/B.sol": B }, 8),
      },
      "contracts\\A.sol:A",
    );
    assert.equal(found.contractIdentifier, "contracts/A.sol:A");
    assert.equal(found.stdJsonInput.settings.optimizer?.runs, 7);
    assert.deepEqual(found.findings, []);
  });

  it("keeps the names that it has in absolute form, says so, and finds the files behind them", async () => {
    const sources = {
      "C:/Users/Me/vault/src/A.sol": 'import "C:/Users/Me/vault/src/B.sol"; contract A {}',
      "C:/Users/Me/vault/src/B.sol": B,
    };
    const files = {
      "foundry.toml": "",
      "src/A.sol": sources["C:/Users/Me/vault/src/A.sol"],
      "src/B.sol": EDITED,
      "out/build-info/1.json": foundryRecord(sources),
      "cache/solidity-files-cache.json": JSON.stringify({
        files: { "src\\A.sol": { artifacts: { A: { "0.8.28": { default: { build_id: "1" } } } } } },
      }),
    };
    const found = await build(WINDOWS, files, "src/A.sol:A");
    assert.equal(found.contractIdentifier, "C:/Users/Me/vault/src/A.sol:A");
    assert.deepEqual(
      found.changedSinceBuild.map(({ path, change }) => [path, change]),
      [[`${WINDOWS}/src/B.sol`, "edited"]],
    );
    assert.ok(found.findings.some(({ code }) => code === "absolute_path"));
  });

  it("derives names with slashes alone", async () => {
    const found = await build(
      WINDOWS,
      {
        "foundry.toml": '[profile.default]\r\nremappings = ["@b/=lib\\\\b/src/"]\r\n',
        "src/A.sol": 'pragma solidity ^0.8.0;\r\nimport "b/B.sol";\r\ncontract A {}\r\n',
        "lib/b/src/B.sol": B,
      },
      "src\\A.sol:A",
    );
    assert.deepEqual(Object.keys(found.stdJsonInput.sources), ["lib/b/src/B.sol", "src/A.sol"]);
    assert.ok(!found.stdJsonInput.sources["src/A.sol"]?.content.includes("\r"));
  });
});

describe("A monorepo", () => {
  it("has its hoisted files under the names by which they were compiled, though forge records absolute ones", async () => {
    // What forge 1.7.1 hands to solc for a remapping that climbs out of the project; solc reads the rest from disk.
    const owned = 'import "./Base.sol"; contract Owned {}';
    const sources = {
      "src/A.sol": 'import "@oz/Owned.sol"; contract A {}',
      "../../node_modules/@oz/Owned.sol": owned,
      "/build/agent/mono/node_modules/@oz/Base.sol": B,
    };
    const found = await build(
      ROOT,
      {
        "packages/core/foundry.toml": "",
        "packages/core/src/A.sol": sources["src/A.sol"],
        "node_modules/@oz/Owned.sol": owned,
        "node_modules/@oz/Base.sol": B,
        "packages/core/out/build-info/1.json": foundryRecord(sources, {
          remappings: ["@oz/=../../node_modules/@oz/"],
        }),
      },
      "packages/core/src/A.sol:A",
    );
    assert.equal(found.source, "build-info");
    assert.deepEqual(Object.keys(found.stdJsonInput.sources).sort(), [
      "../../node_modules/@oz/Base.sol",
      "../../node_modules/@oz/Owned.sol",
      "src/A.sol",
    ]);
    assert.deepEqual(found.changedSinceBuild, []);
    assert.ok(!found.findings.some(({ code }) => code === "absolute_path"), "the unneeded name does not go");
  });

  it("has the line endings of the disk where the compiler read a hoisted file, and forge recorded others", async () => {
    const owned = 'import "./Base.sol"; contract Owned {}';
    const onDisk = `${B}\r\ncontract Other {}\r\n`;
    const sources = {
      "src/A.sol": 'import "@oz/Owned.sol"; contract A {}\n',
      "../../node_modules/@oz/Owned.sol": `${owned}\n`,
      "/build/agent/mono/node_modules/@oz/Base.sol": onDisk.replaceAll("\r\n", "\n"),
    };
    const files = {
      "packages/core/foundry.toml": "",
      "packages/core/src/A.sol": 'import "@oz/Owned.sol"; contract A {}\r\n',
      "node_modules/@oz/Owned.sol": `${owned}\r\n`,
      "packages/core/out/build-info/1.json": foundryRecord(sources, {
        remappings: ["@oz/=../../node_modules/@oz/"],
      }),
    };
    const found = await build(
      ROOT,
      { ...files, "node_modules/@oz/Base.sol": onDisk },
      "packages/core/src/A.sol:A",
    );
    assert.deepEqual(
      Object.values(found.stdJsonInput.sources).map(({ content }) => content.includes("\r")),
      [false, false, true],
    );
    assert.equal(found.stdJsonInput.sources["../../node_modules/@oz/Base.sol"]?.content, onDisk);
    assert.equal(found.files.find(({ name }) => name.endsWith("Base.sol"))?.bytes, Buffer.byteLength(onDisk));
    assert.deepEqual(found.changedSinceBuild, []);
    // What was edited since is no longer what the compiler read.
    const edited = await build(
      ROOT,
      { ...files, "node_modules/@oz/Base.sol": `// edited\r\n${onDisk}` },
      "packages/core/src/A.sol:A",
    );
    assert.equal(
      edited.stdJsonInput.sources["../../node_modules/@oz/Base.sol"]?.content,
      sources["/build/agent/mono/node_modules/@oz/Base.sol"],
    );
    assert.equal(edited.changedSinceBuild.length, 1);
  });

  it("keeps projects apart that lie in one folder, each with its own tool and its own build", async () => {
    const files = {
      "package.json": '{ "workspaces": ["packages/*"] }',
      "node_modules/@oz/B.sol": B,
      "packages/one/foundry.toml": 'profile.default.remappings = ["@oz/=../../node_modules/@oz/"]\n',
      "packages/one/src/A.sol": 'pragma solidity ^0.8.0; import "@oz/B.sol"; contract A {}',
      "packages/two/hardhat.config.js": 'module.exports = { solidity: { version: "0.8.24" } };',
      "packages/two/contracts/A.sol": 'pragma solidity ^0.8.0; import "@oz/B.sol"; contract A {}',
    };
    const one = await build(ROOT, files, "packages/one/src/A.sol:A");
    assert.deepEqual(Object.keys(one.stdJsonInput.sources), ["../../node_modules/@oz/B.sol", "src/A.sol"]);
    assert.equal(one.project, `${ROOT}/packages/one`);
    const two = await build(ROOT, files, "packages/two/contracts/A.sol:A");
    assert.deepEqual(Object.keys(two.stdJsonInput.sources), ["@oz/B.sol", "contracts/A.sol"]);
    assert.equal(two.stdJsonInput.settings.evmVersion, "paris");
  });
});

describe("A project of Hardhat that puts its artifacts beside itself, for a frontend", () => {
  const files = memoryFolders(
    below(ROOT, {
      "chain/hardhat.config.js":
        'module.exports = { solidity: "0.8.28", paths: { artifacts: "../frontend/src/artifacts" } };',
      "chain/contracts/B.sol": B,
      "frontend/src/artifacts/build-info/1.json": hardhatRecord({ "contracts/B.sol": B }, 777),
      // What a folder of that name below the project holds is of something else.
      "chain/frontend/src/artifacts/build-info/2.json": hardhatRecord({ "contracts/B.sol": B }, 1),
    }),
  );
  const inOpen = async (folder: string) =>
    contractInput(
      files,
      [folder],
      await findWorkspaceContract(files, [folder], `${ROOT}/chain/contracts/B.sol:B`),
    );

  it("is submitted as its build made it", async () => {
    const { source, stdJsonInput, findings } = await inOpen(ROOT);
    assert.deepEqual([source, stdJsonInput.settings.optimizer?.runs], ["build-info", 777]);
    assert.deepEqual(findings, []);
  });

  it("is told that they are not read where the folder that holds both is not open", async () => {
    const { source, findings } = await inOpen(`${ROOT}/chain`);
    assert.equal(source, "derived");
    assert.deepEqual(
      findings.filter(({ code }) => code === "outside_project").map(({ sentence }) => sentence),
      [
        `${ROOT}/frontend/src/artifacts/build-info lies outside the open folders and is not read; open the folder that holds both.`,
      ],
    );
  });
});

describe("A record that can't be compiled again", () => {
  it("is passed over for what can be: something that is imported is not in it", async () => {
    const found = await build(
      ROOT,
      {
        "foundry.toml": "",
        "src/A.sol": A,
        "src/B.sol": B,
        "out/build-info/1.json": foundryRecord({ "src/A.sol": A }),
      },
      "src/A.sol:A",
    );
    assert.equal(found.source, "derived");
  });
});

describe("What a build compiled besides", () => {
  it("is told apart by the imports and remappings of the input itself", () => {
    const whole = input(
      {
        "src/A.sol": 'import "x/B.sol";',
        "lib/x/B.sol": 'import "../y/C.sol";',
        "lib/y/C.sol": "",
        "src/D.sol": 'import "./A.sol";',
      },
      { remappings: [":x/=lib/x/"] },
    );
    const divided = atOnce(divideInput(whole, "src/A.sol", ROOT));
    assert.deepEqual(Object.keys(divided?.needed ?? {}), ["src/A.sol", "lib/x/B.sol", "lib/y/C.sol"]);
    assert.equal(divided?.whole, whole);
    const vyper = { ...whole, language: "Vyper" as const };
    assert.equal(atOnce(divideInput(vyper, "src/A.sol", ROOT))?.needed, vyper.sources);
  });

  it("is told apart in pieces, also where one source imports everything", () => {
    const names = Array.from({ length: 2_000 }, (_, at) => `src/L${at}.sol`);
    const others = names.map((name) => [name, "library L {}"] as const);
    const imports = names.map((name) => `import "${name}";`).join("");
    const whole = input({ "src/A.sol": imports, ...Object.fromEntries(others), "src/D.sol": "" });
    const divided = atOnce(divideInput(whole, "src/A.sol", ROOT));
    assert.equal(Object.keys(divided?.needed ?? {}).length, 2_001);
    assert.ok(piecesOf(divideInput(whole, "src/A.sol", ROOT)) > 2_000);
  });

  it("is worth a second try when the code came out different or did not compile, not otherwise", () => {
    const codes = [
      "extra_file_input_bug",
      "no_match",
      "bytecode_length_mismatch",
      "compiler_error",
      "already_verified",
      "contract_not_deployed",
      "internal_error",
    ];
    assert.deepEqual(
      codes.filter((customCode) => errorCodeOf({ customCode, message: "" })?.wholeBuildMayHelp),
      codes.slice(0, 4),
    );
  });

  it("takes settings that are set by hand as well", async () => {
    const found = await build(
      ROOT,
      {
        "foundry.toml": "",
        "src/A.sol": A,
        "src/B.sol": B,
        "src/C.sol": "contract C {}",
        "out/build-info/1.json": foundryRecord({
          "src/A.sol": A,
          "src/B.sol": B,
          "src/C.sol": "contract C {}",
        }),
      },
      "src/A.sol:A",
      { settings: { viaIR: true } },
    );
    assert.equal(found.stdJsonInput.settings["viaIR"], true);
    assert.equal(found.wholeBuild?.stdJsonInput.settings["viaIR"], true);
    assert.deepEqual(found.wholeBuild.files.length, 3);
  });
});

describe("A build of forge that knows a shared file by two names", () => {
  const MONO = "/home/me/mono";
  const SHARED = "pragma solidity ^0.8.0; contract P {}";
  const USER = 'pragma solidity ^0.8.0; import "@shared/P.sol"; contract A is P {}';
  const NAMES = ["../shared/P.sol", `${MONO}/shared/P.sol`];
  const files = {
    "app/foundry.toml": "",
    "app/remappings.txt": "@shared/=../shared/",
    "app/src/A.sol": USER,
    "shared/P.sol": SHARED,
    "app/out/build-info/f.json": JSON.stringify({
      ...(JSON.parse(
        foundryRecord({ ...Object.fromEntries(NAMES.map((name) => [name, SHARED])), "src/A.sol": USER }),
      ) as object),
      output: {
        contracts: Object.fromEntries(NAMES.map((name) => [name, { P: { metadata: `made as ${name}` } }])),
      },
    }),
  };
  const deployedAs = (name: string) => ({
    settings: {},
    signsAgainst: () => ({ contradictions: [], doubts: [] }),
    hasMetadataHashOf: (metadata: string) => metadata === `made as ${name}`,
  });

  it("takes the name that the project's own sources use, and says nothing of several builds", async () => {
    const { contractIdentifier, findings } = await build(MONO, files, "shared/P.sol:P");
    assert.equal(contractIdentifier, "../shared/P.sol:P");
    assert.deepEqual(
      findings.filter(({ code }) => code === "several_builds" || code === "absolute_path"),
      [],
    );
  });

  it("takes the one whose metadata hash is in the deployed code", async () => {
    for (const name of NAMES) {
      const { contractIdentifier } = await build(MONO, files, "shared/P.sol:P", {
        deployedSigns: deployedAs(name),
      });
      assert.equal(contractIdentifier, `${name}:P`);
    }
  });
});
