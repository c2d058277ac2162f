import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { globCovers } from "../../../src/core/files/globPattern.ts";
import { isToolConfiguration } from "../../../src/core/tools/tool.ts";
import { findProject } from "../../../src/core/tools/project.ts";
import { deploymentPlaces } from "../../../src/core/tools/projectDeployments.ts";

import { SCRIPT_GLOB, WATCHED_GLOB } from "../../../src/core/workspace/watchedFiles.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";

const ROOT = "/home/me/vault";

/** As the editor has it, whose `*` stands for names that begin with a dot, too. */
const isWatched = (path: string) => globCovers(WATCHED_GLOB, `/${path}`);

/** Names that one place knew and another did not. */
const CONFIGURATIONS = [
  ...["ts", "cts", "mts", "js", "cjs", "mjs"].map((ending) => `hardhat.config.${ending}`),
  ...["truffle-config.js", "truffle.js", "foundry.toml", "moccasin.toml", "remix.config.json"],
  ...["ape-config.yaml", "ape-config.yml", "ape-config.json"],
];

describe("What is watched", () => {
  for (const name of CONFIGURATIONS)
    it(`is ${name}, which tells a project and says its folders`, async () => {
      const path = `packages/core/${name}`;
      assert.ok(isWatched(path), "watched");
      assert.ok(isToolConfiguration(`${ROOT}/${path}`), "says folders");
      const files = memoryFolders(below(ROOT, { [path]: "", "packages/core/src/A.sol": "" }));
      const { root, tools } = await findProject(files, ROOT, `${ROOT}/packages/core/src/A.sol`);
      assert.equal(root, `${ROOT}/packages/core`);
      assert.equal(tools.length, 1);
    });

  it("is pyproject.toml, which tells a project of Ape where it has a table of it", async () => {
    const toolsWith = async (text: string, more: Record<string, string> = {}) => {
      const written = { "packages/core/pyproject.toml": text, "packages/core/contracts/A.vy": "", ...more };
      const files = memoryFolders(below(ROOT, written));
      const { root, tools } = await findProject(files, ROOT, `${ROOT}/packages/core/contracts/A.vy`);
      return [root.slice(ROOT.length), ...tools.map(({ title }) => title)];
    };
    const python = '[project]\nname = "vault"\n# see [tool.ape]\n[tool.apex]\nape = 1\n';
    assert.deepEqual(await toolsWith(python), [""], "of any other Python package it says nothing");
    for (const text of ['description = """\n[tool.ape]\n"""\n', "notes = '''\n[tool.moccasin]\n'''\n"])
      assert.deepEqual(await toolsWith(text), [""], `a text tells of no table: ${text}`);
    // The same TOML in all the ways in which it is written.
    for (const table of [
      "[tool.ape]",
      "[tool.ape.vyper]\nversion = '0.4.0'",
      " [ tool . ape ]\r\nname = 'vault'",
      "[[tool.ape.dependencies]]\nname = 'oz'",
      '[tool."ape"]',
      "['tool'.ape]",
      "[tool]\nape.name = 'vault'",
      "[tool]\nape = { name = 'vault' }",
    ])
      assert.deepEqual(await toolsWith(`${python}${table}\n`), ["/packages/core", "Ape"], table);
    assert.deepEqual(await toolsWith(`${python}[tool.moccasin.project]\n`), ["/packages/core", "moccasin"]);
    assert.deepEqual(await toolsWith("tool.moccasin = { project = { src = 'src' } }\n"), [
      "/packages/core",
      "moccasin",
    ]);
    const foundry = { "packages/core/foundry.toml": "" };
    assert.deepEqual(await toolsWith("[tool.ape]", foundry), ["/packages/core", "Foundry", "Ape"]);
    assert.ok(
      isToolConfiguration(`${ROOT}/packages/core/pyproject.toml`),
      "what it says is read again when it changes",
    );
  });

  it("are scripts, apart, which a configuration may import", () => {
    for (const path of ["config/settings.ts", "settings.cjs", "a/b/index.js"])
      assert.ok(globCovers(SCRIPT_GLOB, `/${path}`), path);
    for (const path of ["src/A.sol", "base.toml"]) assert.ok(!globCovers(SCRIPT_GLOB, `/${path}`), path);
  });

  it("is every source, artifact and record", () => {
    for (const path of [
      ...["src/A.sol", "src/B.vy", "src/C.vyi", "src/D.yul", "src/E.fe", "fe.toml", "remappings.txt"],
      ...["out/A.sol/A.json", "ignition/deployments/x/journal.jsonl", ".deployments.db"],
      ...["deployments/mainnet/.chainId", "pyproject.toml"],
    ])
      assert.ok(isWatched(path), path);
    for (const path of ["README.md", "src/a.ts", "script.py"]) assert.ok(!isWatched(path), path);
  });

  it("finds the records of deployments where the configurations put them", async () => {
    const places = async (files: Record<string, string>) => {
      const reader = memoryFolders(below(ROOT, { ...files, "src/A.sol": "" }));
      const project = await findProject(reader, ROOT, `${ROOT}/src/A.sol`);
      return (await deploymentPlaces(reader, project)).map((path) => path.slice(ROOT.length + 1)).sort();
    };
    assert.deepEqual(await places({}), []);
    assert.deepEqual(await places({ "foundry.toml": "" }), ["broadcast"]);
    assert.deepEqual(
      await places({
        "foundry.toml": '[profile.default]\nbroadcast = "launches"\n[profile.ci]\nbroadcast = "ci/runs"\n',
      }),
      ["ci/runs", "launches"],
    );
    assert.deepEqual(
      await places({
        "hardhat.config.cts":
          'module.exports = { solidity: "0.8.24", paths: { deployments: "records", ignition: "lit" } };',
      }),
      ["lit", "records"],
    );
    assert.deepEqual(await places({ "moccasin.toml": '[project]\ndb_path = "data/all.db"\n' }), [
      "data/all.db",
    ]);
    // What the configuration itself says is deployed is read anew with every change of one.
    assert.deepEqual(await places({ "ape-config.yml": "" }), [".build", "deployments"]);
    assert.deepEqual(
      await places({ "truffle-config.js": 'module.exports = { contracts_build_directory: "./abis" };' }),
      ["abis"],
    );
  });
});
