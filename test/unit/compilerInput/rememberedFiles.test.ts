import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import { readRecord, unpackOutput } from "../../../src/core/compilerInput/recordReading.ts";
import { rememberedDisk } from "../../rig/rememberedDisk.ts";
import type { FolderReader } from "../../../src/core/files/folderReader.ts";
import { eventually } from "../../rig/eventually.ts";

const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

function project(files: Readonly<Record<string, string>>) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "remembered-")));
  folders.push(root);
  write(root, files);
  const read: string[] = [];
  const reader: FolderReader = {
    ...rememberedDisk,
    read: (path, largest) => {
      read.push(path.slice(root.length + 1));
      return rememberedDisk.read(path, largest);
    },
    open: (path, largest) => {
      read.push(path.slice(root.length + 1));
      return rememberedDisk.open?.(path, largest) ?? Promise.resolve(undefined);
    },
  };
  const input = async (contract: string) => {
    read.length = 0;
    const found = await findWorkspaceContract(reader, [root], contract);
    return contractInput(reader, [root], found);
  };
  return { root, input, read };
}

describe("The project that compiles a contract above it", () => {
  it("is found once, and again when one of its files is written or another project comes", async () => {
    const app = {
      "packages/app/foundry.toml": '[profile.default]\nsolc = "0.8.24"\n',
      "packages/app/remappings.txt": "shared/=../../shared/\n",
      "packages/app/src/App.sol": 'import "shared/Shared.sol"; contract App {}',
    };
    const { root, input, read } = project({ ...app, "shared/Shared.sol": "contract Shared {}" });
    const found = async () => (await input("shared/Shared.sol:Shared")).compilerVersion.split("+")[0];
    assert.equal(await found(), "0.8.24");
    assert.ok(read.includes("packages/app/src/App.sol"), "its sources are read for the first contract");
    // What was written a moment ago is not remembered yet.
    await eventually(async () => {
      assert.equal(await found(), "0.8.24");
      assert.ok(!read.includes("packages/app/src/App.sol"), "and not for the next one");
    });
    write(root, {
      "packages/app/src/App.sol": "contract App {}",
      "packages/bridge/foundry.toml": '[profile.default]\nsolc = "0.8.20"\n',
      "packages/bridge/remappings.txt": "shared/=../../shared/\n",
      "packages/bridge/src/Bridge.sol": 'import "shared/Shared.sol"; contract Bridge {}',
    });
    assert.equal(await found(), "0.8.20");
  });
});

describe("The remappings of a Hardhat 3 project", () => {
  it("are learnt once, and again when one of its files is written, made or deleted", async () => {
    const { root, input, read } = project({
      "hardhat.config.ts": 'export default { solidity: "0.8.28" };',
      "package.json": '{ "name": "p", "type": "module" }',
      "node_modules/hardhat/package.json": '{ "name": "hardhat", "version": "3.0.0" }',
      "node_modules/oz/package.json": '{ "name": "oz", "version": "5.0.0" }',
      "node_modules/oz/Token.sol": "contract Token {}",
      "node_modules/dep/package.json": '{ "name": "dep", "version": "1.0.0" }',
      "node_modules/dep/D.sol": "contract D {}",
      "contracts/A.sol": "contract A {}",
      "contracts/B.sol": 'import "oz/Token.sol"; contract B {}',
    });
    const remappings = async () => (await input("contracts/A.sol:A")).stdJsonInput.settings.remappings;
    assert.deepEqual(await remappings(), ["project/:oz/=npm/oz@5.0.0/"]);
    assert.ok(read.includes("contracts/B.sol"), "every source is read for the first contract");
    // What was written a moment ago is not remembered yet.
    await eventually(async () => {
      assert.deepEqual(await remappings(), ["project/:oz/=npm/oz@5.0.0/"]);
      assert.ok(!read.includes("contracts/B.sol"), "no other source is read for the next one");
    });
    write(root, { "contracts/B.sol": 'import "dep/D.sol"; contract B {}' });
    assert.deepEqual(await remappings(), ["project/:dep/=npm/dep@1.0.0/"]);
    write(root, { "node_modules/dep/package.json": '{ "name": "dep", "version": "2.0.0" }' });
    assert.deepEqual(await remappings(), ["project/:dep/=npm/dep@2.0.0/"]);
    write(root, { "contracts/deep/C.sol": 'import "oz/Token.sol"; contract C {}' });
    assert.deepEqual(await remappings(), ["project/:dep/=npm/dep@2.0.0/", "project/:oz/=npm/oz@5.0.0/"]);
    rmSync(join(root, "contracts/deep/C.sol"));
    assert.deepEqual(await remappings(), ["project/:dep/=npm/dep@2.0.0/"]);
  });
});

const NO_CODE = { bytecode: {}, deployedBytecode: {} };

describe("The record of a build", () => {
  const record = (text: string) => ({
    _format: "hh-sol-build-info-1",
    solcVersion: "0.8.20",
    solcLongVersion: "0.8.20+commit.a1b79de6",
    input: {
      language: "Solidity",
      sources: { "contracts/A.sol": { content: text }, "contracts/B.sol": { content: "contract B {}" } },
      settings: {},
    },
    output: {
      contracts: {
        "contracts/A.sol": { A: { metadata: `metadata of ${text}`, evm: { bytecode: { object: "60" } } } },
        "contracts/B.sol": { B: { metadata: "äöü", evm: {} }, __proto__: {} },
      },
    },
  });

  it("is read once for all its contracts, and again when it is written", async () => {
    const { root, input, read } = project({
      "hardhat.config.js": 'module.exports = { solidity: "0.8.20" };',
      "contracts/A.sol": "contract A {}",
      "contracts/B.sol": "contract B {}",
      "artifacts/build-info/1.json": JSON.stringify(record("contract A {}")),
    });
    const path = "artifacts/build-info/1.json";
    const first = await input("contracts/A.sol:A");
    assert.equal(first.source, "build-info");
    // What was written a moment ago is not remembered yet.
    await eventually(async () => {
      assert.deepEqual(await input("contracts/A.sol:A"), first);
      assert.ok(!read.includes(path));
    });
    assert.equal((await input("contracts/B.sol:B")).contractIdentifier, "contracts/B.sol:B");
    assert.ok(!read.includes(path));
    write(root, {
      "contracts/A.sol": "contract A { uint x; }",
      [path]: JSON.stringify(record("contract A { uint x; }")),
    });
    const third = await input("contracts/A.sol:A");
    assert.ok(read.includes(path));
    assert.equal(third.stdJsonInput.sources["contracts/A.sol"]?.content, "contract A { uint x; }");
    rmSync(join(root, path));
    assert.equal((await input("contracts/A.sol:A")).source, "derived");
  });

  it("keeps the same of each contract, packed or not", () => {
    const bytes = () => Buffer.from(JSON.stringify(record("contract A {}")));
    const all = readRecord({ bytes: bytes(), path: "/r.json" });
    assert.ok("record" in all && all.outputs);
    for (const contractName of ["A", "B", "C", "__proto__", "constructor"]) {
      const one = readRecord({ bytes: bytes(), path: "/r.json", contractName });
      assert.ok("record" in one);
      const unpacked: unknown = JSON.parse(
        JSON.stringify(unpackOutput(all.outputs, all.attached, contractName)),
      );
      assert.deepEqual(unpacked, JSON.parse(JSON.stringify(one.record.output)), contractName);
    }
  });

  it("is the same where its output is odd, or repeats a name", () => {
    const outputs: readonly (readonly [string, unknown])[] = [
      ["null", undefined],
      ["[]", undefined],
      ['{"contracts":[]}', undefined],
      ['{"errors":[],"contracts":{}}', {}],
      ['{"contracts":{"a":[],"b":7,"c":{}}}', { c: {} }],
      ['{"contracts":{"a":{"A":{"metadata":"1"}},"a":{}}}', { a: {} }],
      ['{"contracts":{"a":{}},"contracts":{"b":{}}}', { b: {} }],
      ['{"contracts":{"a":{"A":[{"x":[]},{}]}}}', { a: { A: [{}, {}] } }],
      ['{"contracts":{"a":{"A":7,"B":{}}}}', { a: { A: { evm: NO_CODE } } }],
      [
        '{"contracts":{"a":{"A":{"metadata":"\\u00e4","evm":{"bytecode":{"object":"60","opcodes":"x"},"deployedBytecode":{"object":1}}}}}}',
        { a: { A: { metadata: "ä", evm: { bytecode: { object: "60" }, deployedBytecode: {} } } } },
      ],
    ];
    const before = JSON.stringify(record("contract A {}")).replace(/,"output":.*$/, "");
    for (const [output, contracts] of outputs) {
      const bytes = Buffer.from(`${before},"output":${output}}`);
      const one = readRecord({ bytes, path: "/r.json", contractName: "A" });
      const all = readRecord({ bytes, path: "/r.json" });
      assert.ok("record" in one && "record" in all, output);
      const expected = contracts === undefined ? undefined : { contracts };
      assert.deepEqual(JSON.parse(JSON.stringify(one.record.output ?? null)), expected ?? null, output);
      const unpacked = all.outputs && unpackOutput(all.outputs, all.attached, "A");
      assert.deepEqual(JSON.parse(JSON.stringify(unpacked ?? null)), expected ?? null, output);
    }
  });
});
