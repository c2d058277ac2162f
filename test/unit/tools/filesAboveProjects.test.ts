import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ContractInputOptions } from "../../../src/core/compilerInput/contractInputOptions.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { projectsBelow } from "../../../src/core/tools/projectsBelow.ts";
import { inputFrom } from "../compilerInput/inputFrom.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";

const ROOT = "/home/me/monorepo";

const source = (name: string, ...imports: string[]) =>
  `// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n${imports.map((path) => `import "${path}";\n`).join("")}contract ${name} { uint256 public total; }`;

const toml = (solc: string, ...lines: string[]) =>
  ["[profile.default]", `solc = "${solc}"`, 'evm_version = "paris"', ...lines].join("\n");

/** A package at the top of a workspace, as npm and yarn put it there. */
const PACKAGE = {
  "package.json": '{ "private": true, "workspaces": ["packages/*"] }',
  "node_modules/@openzeppelin/contracts/package.json":
    '{ "name": "@openzeppelin/contracts", "version": "5.0.0" }',
  "node_modules/@openzeppelin/contracts/proxy/Proxy.sol": source("Proxy", "../utils/Address.sol"),
  "node_modules/@openzeppelin/contracts/utils/Address.sol": source("Address"),
};

/** A project of Foundry that imports it. */
const FOUNDRY = {
  ...PACKAGE,
  "packages/app/foundry.toml": toml("0.8.24", "optimizer = true", "optimizer_runs = 444"),
  "packages/app/remappings.txt": "@openzeppelin/=../../node_modules/@openzeppelin/\n",
  "packages/app/src/Vault.sol": source("Vault", "@openzeppelin/contracts/proxy/Proxy.sol"),
};
const PROXY = "node_modules/@openzeppelin/contracts/proxy/Proxy.sol:Proxy";

function keccakOf(text: string): string {
  return `0x${bytesToHex(keccak_256(new TextEncoder().encode(text)))}`;
}

/** What is told of an input that this is about. */
async function of(files: Readonly<Record<string, string>>, contract: string, options?: ContractInputOptions) {
  const input = await inputFrom(ROOT, files, contract, options);
  const { compilerVersion, contractIdentifier, stdJsonInput, project, findings, source: ground } = input;
  return {
    version: compilerVersion.replace(/\+.*/, ""),
    name: contractIdentifier,
    sources: Object.keys(stdJsonInput.sources).sort(),
    runs: stdJsonInput.settings.optimizer?.enabled === true ? stdJsonInput.settings.optimizer.runs : 0,
    project: project === ROOT ? "" : project.slice(ROOT.length + 1),
    ground,
    told: findings.filter(({ code }) => code === "several_projects" || code === "no_project"),
  };
}

describe("A contract above the project that compiles it", () => {
  it("is compiled by the project below that imports a package at the top of the workspace", async () => {
    assert.deepEqual(await of(FOUNDRY, PROXY), {
      version: "0.8.24",
      name: "../../node_modules/@openzeppelin/contracts/proxy/Proxy.sol:Proxy",
      sources: [
        "../../node_modules/@openzeppelin/contracts/proxy/Proxy.sol",
        "../../node_modules/@openzeppelin/contracts/utils/Address.sol",
      ],
      runs: 444,
      project: "packages/app",
      ground: "derived",
      told: [],
    });
  });

  it("has the name that Hardhat 2 and Truffle give a package", async () => {
    const files = {
      ...PACKAGE,
      "packages/app/contracts/Vault.sol": source("Vault", "@openzeppelin/contracts/proxy/Proxy.sol"),
    };
    const settings = "settings: { optimizer: { enabled: true, runs: 7 } }";
    const name = "@openzeppelin/contracts/proxy/Proxy.sol:Proxy";
    for (const [config, text] of [
      ["hardhat.config.js", `module.exports = { solidity: { version: "0.8.20", ${settings} } };`],
      ["truffle-config.js", `module.exports = { compilers: { solc: { version: "0.8.20", ${settings} } } };`],
    ] as const) {
      const found = await of({ ...files, [`packages/app/${config}`]: text }, PROXY);
      assert.deepEqual(
        [found.version, found.name, found.runs, found.project],
        ["0.8.20", name, 7, "packages/app"],
      );
    }
  });

  it("is what Hardhat 3 builds of a package, which lies above it", async () => {
    const found = await of(
      {
        ...PACKAGE,
        "packages/app/package.json": '{ "name": "app", "type": "module" }',
        "packages/app/node_modules/hardhat/package.json": '{ "name": "hardhat", "version": "3.0.0" }',
        "packages/app/hardhat.config.ts":
          'export default { solidity: { version: "0.8.28", npmFilesToBuild: ["@openzeppelin/contracts/proxy/Proxy.sol"] } };',
        "packages/app/contracts/Vault.sol": source("Vault"),
      },
      PROXY,
    );
    assert.deepEqual(
      [found.project, found.version, found.name],
      ["packages/app", "0.8.28", "npm/@openzeppelin/contracts@5.0.0/proxy/Proxy.sol:Proxy"],
    );
  });

  it("belongs to the project whose sources lead to it, not to another one of the workspace", async () => {
    const files = {
      ...FOUNDRY,
      "packages/aaa/foundry.toml": toml("0.8.10"),
      "packages/aaa/src/Other.sol": source("Other"),
      "tools/old/truffle-config.js": 'module.exports = { compilers: { solc: { version: "0.8.4" } } };',
      "tools/old/contracts/Other.sol": source("Other"),
    };
    assert.equal((await of(files, PROXY)).project, "packages/app");
  });

  it("belongs to the project whose build names this very file, before one that only imports it", async () => {
    const name = "../../node_modules/@openzeppelin/contracts/utils/Address.sol";
    const built = {
      ...FOUNDRY,
      "packages/zzz/foundry.toml": toml("0.8.19"),
      "packages/zzz/out/build-info/1.json": JSON.stringify({
        id: "1",
        solcVersion: "0.8.19",
        solcLongVersion: "0.8.19+commit.7dd6d404",
        input: {
          language: "Solidity",
          sources: { [name]: { content: source("Address") } },
          settings: { optimizer: { enabled: true, runs: 9 }, outputSelection: {} },
        },
      }),
    };
    const contract = "node_modules/@openzeppelin/contracts/utils/Address.sol:Address";
    const found = await of(built, contract);
    assert.deepEqual(
      [found.project, found.ground, found.runs, found.told],
      ["packages/zzz", "build-info", 9, []],
    );
    // A build of another file whose path only ends alike says nothing of this one.
    const alike = {
      ...built,
      "packages/zzz/node_modules/@openzeppelin/contracts/utils/Address.sol": source("Address"),
      "packages/zzz/out/build-info/1.json": built["packages/zzz/out/build-info/1.json"].replaceAll(
        name,
        "node_modules/@openzeppelin/contracts/utils/Address.sol",
      ),
    };
    assert.equal((await of(alike, contract)).project, "packages/app");
  });

  it("belongs to the project whose artifact names this very file", async () => {
    const name = "../../shared/Lonely.sol";
    const text = source("Lonely");
    const metadata = JSON.stringify({
      compiler: { version: "0.8.19+commit.7dd6d404" },
      language: "Solidity",
      settings: { compilationTarget: { [name]: "Lonely" }, optimizer: { enabled: true, runs: 9 } },
      sources: { [name]: { keccak256: keccakOf(text) } },
    });
    const files = {
      ...FOUNDRY,
      "shared/Lonely.sol": text,
      "packages/app/out/Lonely.sol/Lonely.json": JSON.stringify({ abi: [], rawMetadata: metadata }),
    };
    const { told, ...found } = await of(files, "shared/Lonely.sol:Lonely");
    assert.deepEqual(found, {
      version: "0.8.19",
      name: `${name}:Lonely`,
      sources: [name],
      runs: 9,
      project: "packages/app",
      ground: "metadata",
    });
    assert.deepEqual(told, []);
  });

  it("goes by the name that tells nothing of this machine where forge left an artifact under each", async () => {
    const text = source("Lonely");
    const artifact = (name: string) => ({
      abi: [],
      rawMetadata: JSON.stringify({
        compiler: { version: "0.8.19+commit.7dd6d404" },
        language: "Solidity",
        settings: { compilationTarget: { [name]: "Lonely" }, metadata: { bytecodeHash: "none" } },
        sources: { [name]: { keccak256: keccakOf(text) } },
      }),
    });
    const [byMachine, byProject] = [`${ROOT}/shared/Lonely.sol`, "../../shared/Lonely.sol"];
    for (const names of [
      [byMachine, byProject],
      [byProject, byMachine],
    ]) {
      const [first, second] = names.map((name) => JSON.stringify(artifact(name)));
      const files = {
        ...FOUNDRY,
        "shared/Lonely.sol": text,
        "packages/app/out/Lonely.sol/Lonely.json": first ?? "",
        "packages/app/out/shared/Lonely.sol/Lonely.json": second ?? "",
      };
      const found = await of(files, "shared/Lonely.sol:Lonely");
      assert.deepEqual([found.ground, found.name], ["metadata", `${byProject}:Lonely`]);
    }
  });

  it("is chosen by the deployed code where several projects compile it, and told where nothing decides", async () => {
    const files = {
      ...FOUNDRY,
      "packages/bridge/foundry.toml": toml("0.8.20"),
      "packages/bridge/remappings.txt": "@openzeppelin/=../../node_modules/@openzeppelin/\n",
      "packages/bridge/src/Bridge.sol": source("Bridge", "@openzeppelin/contracts/proxy/Proxy.sol"),
    };
    const unknown = await of(files, PROXY);
    assert.equal(unknown.version, "0.8.24");
    assert.deepEqual(
      unknown.told.map(({ severity, sentence }) => [severity, sentence]),
      [
        [
          "warning",
          "packages/app and packages/bridge compile node_modules/@openzeppelin/contracts/proxy/Proxy.sol by settings of their own, and nothing that is known of the deployment tells them apart; packages/app's settings are taken (solc 0.8.24, optimizer on with 444 runs, IR pipeline off, paris), packages/bridge's are solc 0.8.20, optimizer off, IR pipeline off, paris. Give the compiler version and settings of the deployment if they are others.",
        ],
      ],
    );
    const known = await of(files, PROXY, { deployedCompilerVersion: "0.8.20" });
    assert.deepEqual([known.project, known.version], ["packages/bridge", "0.8.20"]);
    assert.deepEqual(
      known.told.map(({ severity }) => severity),
      ["note"],
    );
    const deployment = {
      recordedBy: "foundry",
      record: `${ROOT}/packages/bridge/broadcast/Deploy.s.sol/1/run-latest.json`,
    };
    assert.equal((await of(files, PROXY, { deployment })).project, "packages/bridge");
    // Its records may lie beside the project, too.
    const launches = {
      ...files,
      "packages/bridge/foundry.toml": toml("0.8.20", 'broadcast = "../../launches"'),
    };
    const launched = { ...deployment, record: `${ROOT}/launches/Deploy.s.sol/1/run-latest.json` };
    assert.equal((await of(launches, PROXY, { deployment: launched })).project, "packages/bridge");
  });

  it("asks where the project that compiles it computes its compiler", async () => {
    const files = {
      ...PACKAGE,
      "packages/app/hardhat.config.js": "module.exports = { solidity: process.argv[2] };",
      "packages/app/contracts/Vault.sol": source("Vault", "@openzeppelin/contracts/proxy/Proxy.sol"),
    };
    await assert.rejects(
      of(files, PROXY),
      (error) => error instanceof LedgerLensError && error.code === "configuration_unknown",
    );
  });

  it("is told to be of no project where none leads to it, with what is assumed", async () => {
    const lonely = { ...FOUNDRY, "shared/Lonely.sol": source("Lonely") };
    const { version, told } = await of(lonely, "shared/Lonely.sol:Lonely", {
      releases: { solc: ["0.8.30+commit.73712a01"] },
    });
    assert.equal(version, "0.8.30");
    assert.deepEqual(
      told.map(({ severity, sentence }) => [severity, sentence]),
      [
        [
          "warning",
          "No project compiles shared/Lonely.sol: neither a build nor an import of packages/app leads to it. Assumed: solc 0.8.30, optimizer off (the newest release that every pragma allows). Give the compiler version and ledgerLens.compilerSettings if the deployment has others.",
        ],
      ],
    );
    const vyper = await of(
      {
        "packages/app/ape-config.yaml": "vyper:\n  version: 0.3.10\n",
        "packages/app/contracts/Vault.vy": "total: public(uint256)\n",
        "shared/Lonely.vy": "# @version ^0.3.9\ntotal: public(uint256)\n",
      },
      "shared/Lonely.vy:Lonely",
    );
    assert.deepEqual(
      vyper.told.map(({ code }) => code),
      ["no_project"],
    );
    // Without any project a folder is plain, and that is all there is to say.
    const plain = await of({ "shared/Lonely.sol": source("Lonely") }, "shared/Lonely.sol:Lonely");
    assert.deepEqual(plain.told, []);
  });

  it("is compiled by a project below where the one that holds it has nothing to do with it", async () => {
    const files = {
      ...FOUNDRY,
      "foundry.toml": toml("0.8.11", 'src = "top"'),
      "top/Top.sol": source("Top"),
    };
    assert.equal((await of(files, PROXY)).project, "packages/app");
    const imported = {
      ...files,
      "top/Top.sol": source("Top", "../node_modules/@openzeppelin/contracts/proxy/Proxy.sol"),
    };
    assert.equal((await of(imported, PROXY)).project, "");
  });

  it("is not compiled as its package says itself, unless no project imports it", async () => {
    const files = {
      ...FOUNDRY,
      "node_modules/@openzeppelin/contracts/foundry.toml": toml("0.8.9", 'src = "proxy"'),
    };
    const found = await of(files, PROXY);
    assert.deepEqual([found.project, found.version], ["packages/app", "0.8.24"]);
    const alone = await of({ ...files, "packages/app/src/Vault.sol": source("Vault") }, PROXY);
    assert.deepEqual([alone.project, alone.version], ["node_modules/@openzeppelin/contracts", "0.8.9"]);
  });
});

describe("The projects of a workspace", () => {
  it("are those of its folders, not what is installed and built in them", async () => {
    const reader = memoryFolders(
      below(ROOT, {
        "packages/app/foundry.toml": "",
        "packages/app/lib/solmate/foundry.toml": "",
        "packages/app/out/foundry.toml": "",
        "packages/lib/hardhat.config.ts": "",
        "node_modules/x/foundry.toml": "",
        ".cache/foundry.toml": "",
        "old/truffle-config.js": "",
        "python/ape-config.yaml": "",
      }),
    );
    const found = await projectsBelow(reader, ROOT);
    assert.deepEqual(
      found.map(({ root, tools }) => `${root.slice(ROOT.length + 1)} ${tools[0]?.name ?? ""}`),
      ["old truffle", "python ape", "packages/app foundry", "packages/lib hardhat"],
    );
  });
});
