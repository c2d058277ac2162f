import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { CONTRACT_ENDINGS } from "../../../src/core/languages/language.ts";
import { contractsOfFile } from "../../../src/core/workspace/contractsOfFile.ts";
import { workspaceDeployments } from "../../../src/core/workspace/workspaceDeployments.ts";
import { repositoryRoot } from "../../rig/paths.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";
import { boaDatabase } from "../tools/boaDatabase.ts";

interface MenuEntry {
  readonly command: string;
  readonly when: string;
}

const { contributes } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
  readonly contributes: { readonly menus: Readonly<Record<string, readonly MenuEntry[]>> };
};

const ROOT = "/home/me/vault";
const ADDRESS = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const IGNITION = "ignition/deployments/chain-11155111";

/** By the tool: the files of a project, and those of them in whose menu its deployment is found. */
const PROJECTS: Readonly<
  Record<string, { readonly files: Record<string, string | Uint8Array>; readonly records: readonly string[] }>
> = {
  Ape: {
    files: {
      "ape-config.yaml": "name: vault\n",
      ".build/__local__.json": JSON.stringify({
        deployments: { "11155111": { Vault: { address: ADDRESS, contract_type: "Vault" } } },
      }),
    },
    records: [".build/__local__.json"],
  },
  "Ape, exported": {
    files: {
      "ape-config.yaml": "name: vault\n",
      "deployments/ethereum/sepolia/Vault.json": JSON.stringify([
        { address: ADDRESS, contract_type: "Vault" },
      ]),
    },
    records: ["deployments/ethereum/sepolia/Vault.json"],
  },
  Truffle: {
    files: {
      "truffle-config.js": "module.exports = {};",
      "build/contracts/Vault.json": JSON.stringify({
        contractName: "Vault",
        networks: { "11155111": { address: ADDRESS } },
      }),
    },
    records: ["build/contracts/Vault.json"],
  },
  moccasin: {
    files: {
      "moccasin.toml": "[networks.sepolia]\nchain_id = 11155111\n",
      ".deployments.db": boaDatabase([
        {
          contract_address: ADDRESS,
          contract_name: "Vault",
          filename: "src/Vault.vy",
          broadcast_ts: 1,
          tx_dict: '{"chainId": 11155111}',
        },
      ]),
    },
    records: [".deployments.db"],
  },
  "Hardhat Ignition": {
    files: {
      "hardhat.config.js": "module.exports = {};",
      [`${IGNITION}/deployed_addresses.json`]: JSON.stringify({ "M#Vault": ADDRESS }),
      [`${IGNITION}/journal.jsonl`]: `${JSON.stringify({ type: "DEPLOYMENT_INITIALIZE", chainId: 11155111 })}\n`,
    },
    records: [`${IGNITION}/deployed_addresses.json`, `${IGNITION}/journal.jsonl`],
  },
};

/** The conditions on paths in a menu, by the commands. */
function pathsOf(menu: string): Map<string, RegExp[]> {
  const found = new Map<string, RegExp[]>();
  for (const { command, when } of contributes.menus[menu] ?? []) {
    const source = /resourcePath =~ \/((?:[^/\\]|\\.)+)\/ /.exec(when)?.[1];
    if (source !== undefined) found.set(command, [...(found.get(command) ?? []), new RegExp(source)]);
  }
  return found;
}

const MENUS = ["explorer/context", "editor/context"];
const COMMANDS = ["ledgerLens.verifyContract", "ledgerLens.predictMatch", "ledgerLens.verifyLocally"];

/** The commands that a menu has for a path. */
function offered(menu: string, path: string): string[] {
  return [...pathsOf(menu)].flatMap(([command, patterns]) =>
    patterns.some((one) => one.test(path)) ? [command] : [],
  );
}

/** Where each tool leaves the artifact of `Vault`, unless told otherwise. */
const ARTIFACTS = [
  "out/Vault.sol/Vault.json",
  "out/Vault.sol/Vault.0.8.28.json",
  "artifacts/contracts/Vault.sol/Vault.json",
  "build/contracts/Vault.json",
  "artifacts/Vault.json",
  ".build/Vault.json",
  "out/Vault.json",
  "out/Vault.vy/Vault.json",
  "out/Vault.yul/Vault.json",
];

describe("The menu of a source and of an artifact", () => {
  it("is there for a source of every language", () => {
    for (const menu of MENUS) {
      const patterns = (contributes.menus[menu] ?? []).flatMap(({ when }) => {
        const source = /resourceExtname =~ \/((?:[^/\\]|\\.)+)\/ /.exec(when)?.[1];
        return source === undefined ? [] : [new RegExp(source)];
      });
      assert.equal(patterns.length, COMMANDS.length);
      for (const pattern of patterns) {
        for (const ending of CONTRACT_ENDINGS) assert.match(`.${ending}`, pattern);
        assert.doesNotMatch(".solx", pattern);
      }
    }
  });

  for (const artifact of ARTIFACTS)
    it(`is there for ${artifact}, also where the system writes paths with backslashes, and knows its contract`, () => {
      const path = `${ROOT}/${artifact}`;
      for (const menu of MENUS) {
        assert.deepEqual(offered(menu, path), COMMANDS);
        assert.deepEqual(offered(menu, `c:${path.replaceAll("/", "\\")}`), COMMANDS);
      }
      const ending = /\.(vy|yul)\//.exec(artifact)?.[1] ?? "sol";
      const vault = { path: `${ROOT}/src/Vault.${ending}`, name: "Vault" };
      assert.deepEqual(contractsOfFile(path, { contracts: [vault], deployments: [] }).contracts, [vault]);
    });

  it("is not there for what lies beside artifacts", () => {
    for (const path of ["artifacts/Vault_metadata.json", "out/Vault.sol/Vault.dbg.json", "output/Vault.json"])
      assert.deepEqual(offered("explorer/context", `${ROOT}/${path}`), [], path);
  });
});

describe("The menu of a record of deployments", () => {
  for (const [tool, { files, records }] of Object.entries(PROJECTS)) {
    it(`is there for ${tool}, and knows what was deployed`, async () => {
      const reader = memoryFolders(below(ROOT, { ...files, "src/Vault.vy": "" }));
      const vault = { path: `${ROOT}/src/Vault.vy`, name: "Vault" };
      const { found } = await workspaceDeployments(reader, [ROOT], [vault]);
      for (const record of records) {
        const path = `${ROOT}/${record}`;
        for (const menu of MENUS) assert.deepEqual(offered(menu, path), COMMANDS, `${menu} of ${record}`);
        const { deployments } = contractsOfFile(path, { contracts: [vault], deployments: found });
        assert.deepEqual(
          deployments.map(({ chainId, address, defined }) => ({ chainId, address, defined })),
          [{ chainId: "11155111", address: ADDRESS, defined: vault }],
          record,
        );
      }
    });
  }

  it("is there for nothing else of these tools", () => {
    const patterns = [...pathsOf("explorer/context").values()].flat();
    for (const path of [
      "ape-config.yaml",
      ".build/cache.db",
      "data/journal.jsonl",
      "app.db",
      "moccasin.toml",
    ])
      assert.ok(!patterns.some((one) => one.test(`${ROOT}/${path}`)), path);
  });
});
