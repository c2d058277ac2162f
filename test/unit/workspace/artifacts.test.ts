import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { collectSkipped } from "../../../src/core/files/skippedFiles.ts";
import { ArtifactIndex } from "../../../src/core/workspace/artifactIndex.ts";
import { DeployedCode, codeDigestOf } from "../../../src/core/matching/codeDigest.ts";
import { WorkspaceIndex } from "../../../src/core/workspace/workspaceIndex.ts";
import { SolidityCompilers } from "../../sandbox/solidityCompilers.ts";
import { mostAtOnce } from "../../rig/mostAtOnce.ts";
import { memoryFiles } from "../files/memoryFiles.ts";
import { random } from "../random.ts";
import { mapFinder } from "./mapFinder.ts";

const compilers = new SolidityCompilers();
after(() => compilers.stop());

const ABI = [
  { type: "constructor", inputs: [] },
  {
    type: "function",
    name: "open",
    inputs: [{ name: "a", type: "uint256" }],
    outputs: [],
    stateMutability: "view",
  },
  { type: "error", name: "Closed", inputs: [] },
];
const CODE = "0x6001600201";

/** One contract as each tool writes it. */
const LAYOUTS: Readonly<Record<string, { path: string; json: unknown; source?: string }>> = {
  "Hardhat 2": {
    path: "/w/artifacts/contracts/Vault.sol/Vault.json",
    source: "/w/contracts/Vault.sol",
    json: {
      _format: "hh-sol-artifact-1",
      contractName: "Vault",
      sourceName: "contracts/Vault.sol",
      abi: ABI,
      bytecode: "0x00",
      deployedBytecode: CODE,
      linkReferences: {},
      deployedLinkReferences: {},
    },
  },
  "Hardhat 3": {
    path: "/w/artifacts/contracts/Vault.sol/Vault.json",
    source: "/w/contracts/Vault.sol",
    json: {
      _format: "hh3-artifact-1",
      contractName: "Vault",
      sourceName: "contracts/Vault.sol",
      inputSourceName: "project/contracts/Vault.sol",
      buildInfoId: "solc-0_8_28-1",
      abi: ABI,
      bytecode: "0x00",
      deployedBytecode: CODE,
      immutableReferences: {},
    },
  },
  Foundry: {
    path: "/w/out/Vault.sol/Vault.0.8.28.json",
    source: "/w/src/Vault.sol",
    json: {
      abi: ABI,
      bytecode: { object: "0x00", sourceMap: "", linkReferences: {} },
      deployedBytecode: { object: CODE, sourceMap: "", linkReferences: {}, immutableReferences: {} },
      methodIdentifiers: { "open(uint256)": "690e7c09" },
      rawMetadata: "{}",
      metadata: { settings: { compilationTarget: { "src/Vault.sol": "Vault" } } },
    },
  },
  "Foundry without metadata": {
    path: "/w/out/Vault.sol/Vault.json",
    json: { abi: ABI, bytecode: { object: "0x00" }, deployedBytecode: { object: CODE } },
  },
  Truffle: {
    path: "/w/build/contracts/Vault.json",
    source: "/w/contracts/Vault.sol",
    json: {
      contractName: "Vault",
      abi: ABI,
      deployedBytecode: CODE,
      sourcePath: "project:/contracts/Vault.sol",
    },
  },
  "Truffle, whose artifacts have metadata since 5.2": {
    path: "/w/build/contracts/Vault.json",
    source: "/w/contracts/Vault.sol",
    json: {
      contractName: "Vault",
      abi: ABI,
      metadata: JSON.stringify({
        settings: { compilationTarget: { "project:/contracts/Vault.sol": "Vault" } },
      }),
      deployedBytecode: CODE,
      sourcePath: "/w/contracts/Vault.sol",
    },
  },
  "Truffle of old": {
    path: "/w/build/contracts/Vault.json",
    source: "/w/contracts/Vault.sol",
    json: { contractName: "Vault", abi: ABI, deployedBytecode: CODE, sourcePath: "/w/contracts/Vault.sol" },
  },
  "hardhat-deploy": {
    path: "/w/deployments/testnet/Vault_Main.json",
    source: "/w/contracts/Vault.sol",
    json: {
      address: "0x0000000000000000000000000000000000000001",
      abi: ABI,
      deployedBytecode: CODE,
      metadata: JSON.stringify({ settings: { compilationTarget: { "contracts/Vault.sol": "Vault" } } }),
    },
  },
  Remix: {
    path: "/w/contracts/artifacts/Vault.json",
    json: {
      deploy: {},
      data: { bytecode: { object: "00" }, deployedBytecode: { object: "6001600201" } },
      abi: ABI,
    },
  },
  Ape: {
    path: "/w/.build/Vault.json",
    source: "/w/contracts/Vault.vy",
    json: {
      contractName: "Vault",
      sourceId: "contracts/Vault.vy",
      abi: ABI,
      runtimeBytecode: { bytecode: CODE },
    },
  },
  "an Ape project": {
    path: "/w/.build/__local__.json",
    source: "/w/contracts/Vault.vy",
    json: {
      contractTypes: {
        Vault: {
          contractName: "Vault",
          sourceId: "contracts/Vault.vy",
          abi: ABI,
          runtimeBytecode: { bytecode: CODE },
        },
      },
    },
  },
};

function artifactsIn(files: Record<string, string>) {
  return new ArtifactIndex(memoryFiles(files), mapFinder(files, ["/w"]));
}

describe("Artifacts of build tools", () => {
  for (const [tool, { path, json, source }] of Object.entries(LAYOUTS)) {
    it(`are read as ${tool} writes them`, async () => {
      const files = {
        [path]: JSON.stringify(json),
        ...(source !== undefined && { [source]: "contract Vault {}" }),
      };
      const index = artifactsIn(files);
      const [artifact, ...others] = await index.all();
      assert.ok(artifact);
      assert.deepEqual(others, []);
      assert.equal(artifact.contractName, "Vault");
      assert.equal(await index.sourceOf(artifact), source);
      assert.deepEqual([...artifact.functions], [0x690e7c09]);
      assert.equal(artifact.errors.length, 1);
      assert.deepEqual(
        (await index.withCode(new DeployedCode(CODE))).map(({ contractName }) => contractName),
        ["Vault"],
      );
      assert.equal((await index.abiOf(artifact)).length, 2);
    });
  }

  it("have any name in a language of free names, and an identifier else", async () => {
    const built = { abi: ABI, deployedBytecode: { object: CODE } };
    const index = artifactsIn({
      "/w/out/my-vault.vy/my-vault.json": JSON.stringify(built),
      "/w/out/two words.vy/two words.0.4.3.json": JSON.stringify(built),
      "/w/out/my-vault.sol/my-vault.json": JSON.stringify(built),
      "/w/out/my-vault.json": JSON.stringify(built),
      "/w/.build/__local__.json": JSON.stringify({
        contractTypes: {
          "no-vault": { sourceId: "contracts/no-vault.sol", abi: ABI },
          "an-auction": { sourceId: "contracts/an-auction.vy", abi: ABI },
        },
      }),
    });
    assert.deepEqual(
      (await index.all()).map(({ contractName }) => contractName),
      ["an-auction", "my-vault", "two words"],
    );
  });

  it("are not found in what only looks like one", async () => {
    const [sample] = Object.values(LAYOUTS);
    const json = JSON.stringify(sample?.json);
    const index = artifactsIn({
      "/w/artifacts/build-info/1.json": json,
      "/w/artifacts/contracts/A.sol/A.dbg.json": json,
      "/w/contracts/artifacts/A_metadata.json": json,
      "/w/node_modules/pkg/artifacts/A.json": json,
      "/w/deployments/testnet/solcInputs/1.json": json,
      "/w/package.json": json,
      "/w/out/A.sol/A.json": json.slice(0, 50),
      "/w/out/B.sol/B.json": "[1, null]",
      "/w/out/C.sol/C.json": JSON.stringify({
        abi: [null, 1, { type: "function", name: "a b", inputs: [] }],
        contractName: "not a name",
      }),
      "/w/out/D.sol/D.json": "",
    });
    assert.deepEqual(await index.all(), []);
  });

  it("never name a source outside their project", async () => {
    const index = artifactsIn({
      "/w/p/out/A.sol/A.json": JSON.stringify({ contractName: "A", abi: [], sourceName: "../../secret.sol" }),
      "/w/p/out/B.sol/B.json": JSON.stringify({ contractName: "B", abi: [], sourcePath: "/secret.sol" }),
      "/w/secret.sol": "",
      "/secret.sol": "",
    });
    for (const artifact of await index.all()) assert.equal(await index.sourceOf(artifact), undefined);
  });

  it("give names to what no source declares, and follow a build", async () => {
    const path = "/w/out/Vault.sol/Vault.json";
    const files: Record<string, string> = { [path]: JSON.stringify(LAYOUTS["Foundry"]?.json) };
    const index = new WorkspaceIndex({
      files: memoryFiles(files),
      finder: mapFinder(files, ["/w"]),
      folders: () => ["/w"],
    });
    assert.deepEqual(
      (await index.members("function", "0x690e7c09")).map(({ signature, place }) => [signature, place]),
      [["open(uint256)", undefined]],
    );
    const version = index.version;
    files[path] = JSON.stringify({ abi: [], contractName: "Vault" });
    index.invalidate(path);
    assert.notEqual(index.version, version);
    assert.deepEqual(await index.members("function", "0x690e7c09"), []);
  });
});

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
library Maths { function twice(uint256 x) public pure returns (uint256) { return 2 * x; } }
contract Vault {
    uint256 public immutable unlockTime;
    address public immutable owner;
    bytes4 public immutable kind;
    constructor(uint256 t, address o) { unlockTime = t; owner = o; kind = 0x12345678; }
    function f(uint256 x) external view returns (uint256) { return Maths.twice(x) + unlockTime; }
}
contract Twin { uint256 public immutable a; constructor(uint256 x) { a = x; } }
contract Factory { function make() external returns (Twin) { return new Twin(1); } }
contract Plain { function f(uint256 x) external pure returns (uint256) { return x + 1; } }
contract Plain2 { function f(uint256 x) external pure returns (uint256) { return x + 2; } }
`;

interface Compiled {
  readonly abi: unknown;
  readonly metadata: string;
  readonly evm: {
    readonly deployedBytecode: {
      readonly object: string;
      readonly immutableReferences: Readonly<Record<string, readonly { start: number; length: number }[]>>;
      readonly linkReferences: Readonly<
        Record<string, Readonly<Record<string, readonly { start: number }[]>>>
      >;
    };
  };
}

async function compile(content: string, settings: object = {}): Promise<Readonly<Record<string, Compiled>>> {
  const output = await compilers.compile("0.8.28", {
    language: "Solidity",
    sources: { "Vault.sol": { content } },
    settings: { ...settings, outputSelection: { "*": { "*": ["abi", "metadata", "evm.deployedBytecode"] } } },
  });
  return output?.contracts?.["Vault.sol"] as unknown as Readonly<Record<string, Compiled>>;
}

/** The code as a constructor leaves it: immutables filled in, libraries linked, a library's own address written. */
function deployed({ evm: { deployedBytecode } }: Compiled, { next }: { next: () => number }): string {
  const digits = (length: number) =>
    Array.from({ length }, () => Math.floor(next() * 16).toString(16)).join("");
  let hex = deployedBytecode.object.replace(/__\$[0-9a-f]{34}\$__/g, digits(40));
  const write = (start: number, value: string) => {
    hex = hex.slice(0, start * 2) + value + hex.slice(start * 2 + value.length);
  };
  for (const [, places] of Object.entries(deployedBytecode.immutableReferences)) {
    const value = digits(64);
    for (const { start } of places) write(start, value);
  }
  if (hex.startsWith(`73${"0".repeat(40)}30`)) write(1, digits(40));
  return `0x${hex}`;
}

describe("Deployed code", () => {
  for (const [way, settings] of Object.entries({
    "with the legacy pipeline": {},
    "through the IR, optimized": { viaIR: true, optimizer: { enabled: true } },
    "without a metadata hash": { metadata: { bytecodeHash: "none" } },
  })) {
    it(`is told by its artifact, whatever the constructor wrote into it, compiled ${way}`, async () => {
      const contracts = await compile(SOURCE, settings);
      const files = Object.fromEntries(
        Object.entries(contracts).map(([name, { abi, evm }]) => [
          `/w/artifacts/Vault.sol/${name}.json`,
          JSON.stringify({
            contractName: name,
            sourceName: "Vault.sol",
            abi,
            deployedBytecode: `0x${evm.deployedBytecode.object}`,
          }),
        ]),
      );
      files["/w/Vault.sol"] = SOURCE;
      const index = new WorkspaceIndex({
        files: memoryFiles(files),
        finder: mapFinder(files, ["/w"]),
        folders: () => ["/w"],
      });
      const source = random(`deployments ${way}`);
      for (const [name, compiled] of Object.entries(contracts)) {
        const code = deployed(compiled, source);
        const found = await index.contractOfCode(new DeployedCode(code));
        assert.equal(found?.name, name);
        assert.equal(found.path, "/w/Vault.sol");
        assert.equal((await index.placeOf(found))?.path, "/w/Vault.sol");
        // Another operand is another contract.
        const other = code.replace(/6080(?=(?:80)?6040)/, "6081");
        assert.notEqual(other, code);
        assert.equal(await index.contractOfCode(new DeployedCode(other)), undefined);
      }
    });
  }

  it("of a source in which only a comment has changed is still told; of twins only the metadata tells which", async () => {
    const before = await compile(SOURCE);
    const after = await compile(`// a comment\n${SOURCE}`);
    const [vault, factory] = [before["Vault"], before["Factory"]];
    assert.ok(vault && factory);
    const changed = new DeployedCode(deployed(after["Vault"] ?? vault, random("comment")));
    const digest = codeDigestOf(vault.evm.deployedBytecode.object, false);
    assert.ok(digest && changed.matches(digest));
    assert.equal(changed.hasMetadataOf(digest), false);
    const inFactory = codeDigestOf(factory.evm.deployedBytecode.object, false);
    assert.ok(inFactory);
    const otherFactory = new DeployedCode(after["Factory"]?.evm.deployedBytecode.object ?? "");
    assert.ok(otherFactory.matches(inFactory), "the metadata of what a factory makes is masked, too");

    const twins = "contract A { function f() external {} }";
    const a = (await compile(twins))["A"];
    const b = (await compile(twins.replace("contract A", "contract B")))["B"];
    assert.ok(a && b);
    const artifact = (name: string, { evm }: Compiled) =>
      JSON.stringify({ contractName: name, abi: [], deployedBytecode: evm.deployedBytecode.object });
    const files: Record<string, string> = {
      "/w/out/A.json": artifact("A", a),
      "/w/out/B.json": artifact("B", b),
    };
    const index = new WorkspaceIndex({
      files: memoryFiles(files),
      finder: mapFinder(files, ["/w"]),
      folders: () => ["/w"],
    });
    const codeOf = ({ evm }: Compiled) => new DeployedCode(evm.deployedBytecode.object);
    assert.equal((await index.contractOfCode(codeOf(b)))?.name, "B");
    const c = (await compile(`// neither\n${twins}`))["A"];
    assert.ok(c);
    assert.equal(await index.contractOfCode(codeOf(c)), undefined, "A or B");
  });

  it("of Vyper may have immutables behind it, of a proxy the address that it calls", () => {
    const digest = codeDigestOf("0x60015f5260205ff3", true);
    assert.ok(digest);
    assert.ok(new DeployedCode(`0x60015f5260205ff3${"00".repeat(31)}05`).matches(digest));
    assert.ok(!new DeployedCode("0x60015f5260205f").matches(digest));
    const address = "aa".repeat(20);
    assert.equal(
      new DeployedCode(`0x363d3d373d3d3d363d73${address}5af43d82803e903d91602b57fd5bf3`).delegate,
      `0x${address}`,
    );
    assert.equal(new DeployedCode(`0xef0100${address}`).delegate, `0x${address}`);
    assert.equal(new DeployedCode(CODE).delegate, undefined);
    assert.equal(codeDigestOf("0x", false), undefined);
    assert.equal(codeDigestOf("no hex", false), undefined);
    assert.equal(new DeployedCode("0x").isEmpty, true);
  });
});

describe("Artifacts that can't be read", () => {
  const files = {
    "/w/out/A.sol/A.json": JSON.stringify({ abi: ABI, deployedBytecode: { object: CODE } }),
    "/w/out/B.sol/B.json": "{",
    "/w/out/C.sol/C.json": `{"abi":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    "/w/out/D.sol/D.json": new Uint8Array([0xff, 0xfe, 0x7b]),
    "/w/out/E.sol/E.json": `{"abi":[${"[],".repeat(17_000_000)}[]]}`,
  };

  it("are skipped by name, each told once, and the others have their names", async () => {
    const reader = memoryFiles(files);
    const told: string[] = [];
    collectSkipped(reader, undefined, ({ path, reason }) => told.push(`${path} ${reason}`));
    const index = new ArtifactIndex(reader, mapFinder(files, ["/w"]));
    for (let round = 0; round < 2; round++) {
      assert.deepEqual(
        (await index.all()).map(({ contractName }) => contractName),
        ["A"],
      );
      index.invalidate("/w/out/B.sol/B.json");
    }
    assert.deepEqual(told.sort(), [
      "/w/out/B.sol/B.json is not valid JSON",
      "/w/out/C.sol/C.json is nested too deeply",
      "/w/out/D.sol/D.json is not UTF-8 text",
      "/w/out/E.sol/E.json has too many parts",
    ]);
  });

  it("hide no error that is not theirs", async () => {
    const reader = { ...memoryFiles(files), read: () => Promise.reject(new TypeError("ours")) };
    await assert.rejects(new ArtifactIndex(reader, mapFinder(files, ["/w"])).all(), TypeError);
  });

  it("are no large ones: those are read on another thread", async (test) => {
    const ast = Array.from({ length: 120_000 }, (_, id) => ({
      id,
      nodeType: "Block",
      src: "1:2:3",
      nodes: [{}],
    }));
    const path = "/w/out/Large.sol/Large.json";
    const large = {
      [path]: JSON.stringify({ abi: ABI, deployedBytecode: { object: CODE }, ast: { nodes: ast } }),
    };
    assert.ok(large[path].length > 4 * 1024 * 1024);
    const most = mostAtOnce(test);
    const [found] = await new ArtifactIndex(memoryFiles(large), mapFinder(large, ["/w"])).all();
    assert.equal(found?.contractName, "Large");
    assert.equal(found.functions.length, 1);
    assert.ok(most.units < 65_536, `${most.units} units of JSON were parsed on this thread`);
  });
});
