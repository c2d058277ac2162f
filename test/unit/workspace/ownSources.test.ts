import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WorkspaceIndex } from "../../../src/core/workspace/workspaceIndex.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";
import { mapFinder } from "./mapFinder.ts";

const ROOT = "/w";

/** The contracts that a workspace of these files offers; a source that is only named holds one contract. */
async function offered(files: Readonly<Record<string, string>>): Promise<string[]> {
  const named = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      text === "" && path.endsWith(".sol") ? "contract C {}" : text,
    ]),
  );
  const all = below(ROOT, named);
  const index = new WorkspaceIndex({
    files: memoryFolders(all),
    finder: mapFinder(all, [ROOT]),
    folders: () => [ROOT],
  });
  return (await index.contracts()).map(({ path }) => path.slice(ROOT.length + 1));
}

describe("The contracts that are offered", () => {
  it("lie in folders of any name, as long as no project says that these are not its own", async () => {
    const own = [
      "contracts/build/Builder.sol",
      "contracts/cache/Cache.sol",
      "contracts/dist/Distributor.sol",
      "contracts/lib/Maths.sol",
      "packages/lib/contracts/Token.sol",
      "contracts/out/Out.sol",
      "contracts/artifacts/Art.sol",
      "contracts/broadcast/Cast.sol",
    ];
    const found = await offered({
      "hardhat.config.ts": 'export default { solidity: "0.8.20" };',
      ...Object.fromEntries(own.map((path) => [path, ""])),
      "artifacts/build-info/Copy.sol": "",
      "cache/Copy.sol": "",
      "node_modules/@oz/Token.sol": "",
      "packages/a/node_modules/@oz/Token.sol": "",
    });
    assert.deepEqual(found, own.sort());
  });

  it("lie not in what foundry.toml and its profiles name as dependencies and outputs", async () => {
    const found = await offered({
      "foundry.toml":
        '[profile.default]\nlibs = ["deps", "node_modules"]\nout = "made"\n[profile.ci]\ncache_path = "warm"\n',
      "deps/oz/src/Token.sol": "",
      "dependencies/solady-1.0/src/Token.sol": "",
      "made/Flat.sol": "",
      "warm/Flat.sol": "",
      "lib/Own.sol": "",
      "src/lib/Own.sol": "",
      "src/deps/Own.sol": "",
    });
    assert.deepEqual(found, ["lib/Own.sol", "src/deps/Own.sol", "src/lib/Own.sol"]);
  });

  it("lie in a project's sources, even below a folder of dependencies, and never in a dependency's", async () => {
    const found = await offered({
      "packages/a/foundry.toml": '[profile.default]\nsrc = "lib/mine"\nlibs = ["lib", "../../shared"]\n',
      "packages/a/lib/mine/Vault.sol": "",
      "packages/a/lib/oz/foundry.toml": '[profile.default]\nsrc = "src"\n',
      "packages/a/lib/oz/src/Token.sol": "",
      "packages/b/lib/Vault.sol": "",
      "shared/oz/Token.sol": "",
    });
    assert.deepEqual(found, ["packages/a/lib/mine/Vault.sol", "packages/b/lib/Vault.sol"]);
  });

  it("lie not where a plain folder keeps packages", async () => {
    const found = await offered({
      "lib/oz/contracts/Token.sol": "",
      "lib/Maths.sol": "",
      "x/remappings.txt": "@oz/=lib/oz/\nmine/=src/\n",
      "x/lib/oz/Token.sol": "",
      "x/src/Vault.sol": "",
      ".venv/lib/python3.11/site-packages/snekmate/auth/ownable.vy": "@external\ndef f(): pass\n",
    });
    assert.deepEqual(found, ["lib/Maths.sol", "x/src/Vault.sol"]);
  });

  it("are others as soon as a configuration says so", async () => {
    const all = below(ROOT, {
      "foundry.toml": "[profile.default]\n",
      "lib/Own.sol": "contract Own {}",
      "src/A.sol": "contract A {}",
    });
    const index = new WorkspaceIndex({
      files: {
        ...memoryFolders(all),
        read: (path) => memoryFolders(all).read(path),
        list: (path) => memoryFolders(all).list(path),
      },
      finder: mapFinder(all, [ROOT]),
      folders: () => [ROOT],
    });
    const names = async () => (await index.contracts()).map(({ name }) => name);
    assert.deepEqual(await names(), ["A"]);
    all[`${ROOT}/foundry.toml`] = '[profile.default]\nlibs = ["deps"]\n';
    index.invalidate(`${ROOT}/foundry.toml`);
    assert.deepEqual(await names(), ["Own", "A"]);
    all[`${ROOT}/foundry.toml`] = '[profile.default]\nlibs = ["src", "lib"]\nsrc = "."\n';
    index.invalidate(`${ROOT}/foundry.toml`);
    assert.deepEqual(await names(), []);
    all[`${ROOT}/foundry.toml`] = '[profile.default]\nextends = "shared/base.toml"\n';
    all[`${ROOT}/shared/base.toml`] = '[profile.default]\nlibs = ["deps"]\n';
    index.invalidate(`${ROOT}/foundry.toml`);
    assert.deepEqual(await names(), ["Own", "A"]);
    all[`${ROOT}/shared/base.toml`] = '[profile.default]\nlibs = ["lib"]\n';
    index.invalidate(`${ROOT}/shared/base.toml`);
    assert.deepEqual(await names(), ["A"], "what it extends counts as it does");
  });
});

describe("What a configuration takes from another file", () => {
  const CONTRACTS = {
    "contracts/A.sol": "contract A {}",
    "one/B.sol": "contract B {}",
    "two/C.sol": "contract C {}",
  };
  const importing = (from: string) =>
    `import ${from}; export default { paths: { artifacts: settings.made } };`;
  const CASES: Readonly<
    Record<string, readonly [files: Record<string, string>, path: string, after: string]>
  > = {
    "a script that hardhat.config.ts imports": [
      {
        "hardhat.config.ts": importing('{ settings } from "./config/settings"'),
        "config/settings.ts": 'export const settings = { made: "./one" };',
      },
      "config/settings.ts",
      'export const settings = { made: "./two" };',
    ],
    "data that hardhat.config.ts imports": [
      {
        "hardhat.config.ts": importing('settings from "./settings.json"'),
        "settings.json": '{ "made": "./one" }',
      },
      "settings.json",
      '{ "made": "./two" }',
    ],
    "a file of any name that foundry.toml extends": [
      {
        "foundry.toml": '[profile.default]\nextends = "base.cfg"\n',
        "base.cfg": '[profile.default]\nlibs = ["one"]\n',
      },
      "base.cfg",
      '[profile.default]\nlibs = ["two"]\n',
    ],
  };

  for (const [what, [files, path, after]] of Object.entries(CASES))
    it(`decides what is offered as soon as it changes: ${what}`, async () => {
      const all = below(ROOT, { ...CONTRACTS, ...files, "scripts/deploy.ts": "" });
      const index = new WorkspaceIndex({
        files: memoryFolders(all),
        finder: mapFinder(all, [ROOT]),
        folders: () => [ROOT],
      });
      const names = async () => (await index.contracts()).map(({ name }) => name);
      assert.deepEqual(await names(), ["A", "C"]);
      all[`${ROOT}/${path}`] = after;
      assert.ok(index.isConfiguredBy(`${ROOT}/${path}`));
      index.invalidate(`${ROOT}/${path}`);
      assert.deepEqual(await names(), ["A", "B"]);
      assert.ok(!index.isConfiguredBy(`${ROOT}/scripts/deploy.ts`), "of other scripts nothing is taken");
    });

  it("decides it, too, once its folder was moved there as a whole, of which alone the editor tells", async () => {
    const [files = {}] = CASES["a script that hardhat.config.ts imports"] ?? [];
    const all = below(ROOT, { ...CONTRACTS, ...files });
    const path = `${ROOT}/config/settings.ts`;
    const { [path]: settings = "" } = all;
    Reflect.deleteProperty(all, path);
    const index = new WorkspaceIndex({
      files: memoryFolders(all),
      finder: mapFinder(all, [ROOT]),
      folders: () => [ROOT],
    });
    const names = async () => (await index.contracts()).map(({ name }) => name);
    assert.deepEqual(await names(), ["A", "B", "C"]);
    all[path] = settings;
    assert.ok(index.invalidateFolder(`${ROOT}/config`));
    assert.deepEqual(await names(), ["A", "C"]);
    assert.ok(!index.invalidateFolder(`${ROOT}/elsewhere`), "what lies elsewhere is nothing to it");
  });
});

describe("A Vyper module", () => {
  const OWNED =
    "owner: address\n@deploy\ndef __init__():\n    self.owner = msg.sender\n@external\ndef who() -> address:\n    return self.owner\n";

  it("is offered if it initializes what it uses, by itself or through another one", async () => {
    const found = await offered({
      "owned.vy": OWNED,
      "coin.vy": "import owned as o\nuses: o\n@external\ndef f() -> address:\n    return o.owner\n",
      "whole.vy":
        "import owned\nimport coin\ninitializes: owned\ninitializes: coin[o := owned]\nexports: coin.f\n@deploy\ndef __init__():\n    owned.__init__()\n",
      "both.vy":
        "import owned\nimport outer\nuses: owned\ninitializes: outer\n@external\ndef f() -> address:\n    return owned.owner\n",
      "outer.vy":
        "import owned as inner\ninitializes: inner\n@deploy\ndef __init__():\n    inner.__init__()\n@external\ndef f(): pass\n",
      "open.vy":
        "import owned\nimport other\nuses: (\n  owned,\n  )\ninitializes: other\n@external\ndef f() -> address:\n    return owned.owner\n",
      "other.vy": "x: uint256\n@external\ndef f(): pass\n",
      "comment.vy": "# uses: nothing\n@external\ndef f(): pass\n",
    });
    assert.deepEqual(found, ["both.vy", "comment.vy", "other.vy", "outer.vy", "owned.vy", "whole.vy"]);
  });
});
