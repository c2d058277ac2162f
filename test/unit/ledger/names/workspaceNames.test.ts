import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AbiCoder } from "ethers";
import { ActionNamer } from "../../../../src/core/ledger/actions/actionNames.ts";
import type { NameSource } from "../../../../src/core/ledger/names/nameSource.ts";
import { networkAt } from "../../../../src/core/ledger/references/network.ts";
import {
  WorkspaceNames,
  type WorkspaceNamesPorts,
} from "../../../../src/core/ledger/names/workspaceNames.ts";
import { selectorNumber } from "../../../../src/core/evm/abiEntry.ts";
import { selectorText } from "../../../rig/selectorText.ts";
import { WorkspaceIndex } from "../../../../src/core/workspace/workspaceIndex.ts";
import { memoryFiles } from "../../files/memoryFiles.ts";
import { mapFinder } from "../../workspace/mapFinder.ts";

const network = networkAt("http://127.0.0.1:5551");
const VAULT = `0x${"11".repeat(20)}`;
const SAFE = `0x${"22".repeat(20)}`;
const CLONE = `0x${"33".repeat(20)}`;
const selectorOf = (signature: string) => selectorText(selectorNumber(signature));

const FILES = {
  "/w/Vault.sol": `import "./Base.sol";\ncontract Vault is Base {\n  error Closed(uint256 until);\n  function open(uint256 a) external {}\n}`,
  "/w/Safe.sol": `import "./Base.sol";\ncontract Safe is Base {\n  error Closed(uint256 until);\n  function open(uint256 a) external {}\n  function give(address to) public override {}\n}`,
  "/w/Base.sol": `abstract contract Base {\n  function give(address to) public virtual {}\n}`,
  "/w/artifacts/Vault.sol/Vault.json": JSON.stringify({
    contractName: "Vault",
    sourceName: "Vault.sol",
    abi: [],
    deployedBytecode: "0x6001600255",
  }),
};

const CODES: Readonly<Record<string, string>> = {
  [VAULT]: "0x6001600255",
  [SAFE]: "0x6001600355",
  [CLONE]: `0x363d3d373d3d3d363d73${VAULT.slice(2)}5af43d82803e903d91602b57fd5bf3`,
};

function names(ports: Partial<WorkspaceNamesPorts> = {}) {
  const files: Record<string, string> = { ...FILES };
  const index = new WorkspaceIndex({
    files: memoryFiles(files),
    finder: mapFinder(files, ["/w"]),
    folders: () => ["/w"],
  });
  const asked: string[] = [];
  const source = new WorkspaceNames({
    index,
    deployedCode: ({ address = "" }) => {
      asked.push(address);
      return Promise.resolve(CODES[address] ?? "0x");
    },
    ...ports,
  });
  const placeOf = async (signature: string, address: string | undefined) => {
    const [found] = await source.definitions("function", selectorOf(signature), { network, address });
    return found?.place && `${found.place.path}:${found.place.line}`;
  };
  return { source, index, asked, files, placeOf };
}

describe("Names from the workspace", () => {
  it("know the contract by its code, and jump to where it defines or inherits what was called", async () => {
    const { source, asked, placeOf } = names();
    assert.deepEqual(await source.contractName({ network, address: VAULT }), {
      name: "Vault",
      place: { path: "/w/Vault.sol", line: 1, character: 9 },
    });
    assert.equal(await placeOf("open(uint256)", VAULT), "/w/Vault.sol:3");
    assert.equal(await placeOf("give(address)", VAULT), "/w/Base.sol:1");
    const [error] = await source.definitions("error", selectorOf("Closed(uint256)"), {
      network,
      address: VAULT,
    });
    assert.deepEqual(error?.place, { path: "/w/Vault.sol", line: 2, character: 8 });
    assert.deepEqual(asked, [VAULT], "the code is asked for once");
  });

  it("know a minimal proxy by the code behind it", async () => {
    const { source, placeOf } = names();
    assert.equal((await source.contractName({ network, address: CLONE }))?.name, "Vault");
    assert.equal(await placeOf("open(uint256)", CLONE), "/w/Vault.sol:3");
  });

  it("name the function of an unknown contract, and tell no place that may be another's", async () => {
    const { source, placeOf } = names();
    assert.equal(await source.contractName({ network, address: SAFE }), undefined);
    const [found] = await source.definitions("function", selectorOf("open(uint256)"), {
      network,
      address: SAFE,
    });
    assert.ok(found);
    assert.equal(found.place, undefined);
    assert.equal(await placeOf("nothing()", SAFE), undefined);
    assert.equal(
      (await source.definitions("function", selectorOf("open(uint256)"), { network, address: undefined }))
        .length,
      1,
    );
  });

  it("believe records of deployments before they ask for code", async () => {
    const { source, asked, placeOf } = names({
      recordedContract: ({ address }) =>
        Promise.resolve(address === SAFE ? { contractName: "Safe", path: "/w/Safe.sol" } : undefined),
    });
    assert.equal((await source.contractName({ network, address: SAFE }))?.name, "Safe");
    assert.equal(await placeOf("give(address)", SAFE), "/w/Safe.sol:4");
    assert.deepEqual(asked, []);
    const nameOnly = names({ recordedContract: () => Promise.resolve({ contractName: "Safe" }) });
    assert.deepEqual(
      (await nameOnly.source.contractName({ network, address: SAFE }))?.place?.path,
      "/w/Safe.sol",
    );
  });

  it("still name functions when no node can be asked for code", async () => {
    const failing = names({ deployedCode: () => Promise.reject(new Error("no node")) });
    assert.equal(await failing.source.contractName({ network, address: VAULT }), undefined);
    assert.equal(await failing.placeOf("give(address)", VAULT), undefined);
    const [found] = await failing.source.definitions("function", selectorOf("give(address)"), {
      network,
      address: VAULT,
    });
    assert.ok(found);
  });

  it("follow a build: the contract at an address is looked for again", async () => {
    const { source, index, files } = names();
    assert.equal(await source.contractName({ network, address: SAFE }), undefined);
    const path = "/w/artifacts/Safe.sol/Safe.json";
    files[path] = JSON.stringify({
      contractName: "Safe",
      sourceName: "Safe.sol",
      abi: [],
      deployedBytecode: CODES[SAFE],
    });
    index.invalidate(path);
    assert.equal((await source.contractName({ network, address: SAFE }))?.name, "Safe");
  });

  it("are what the rows of a transaction show, before any other source is asked", async () => {
    const { source } = names();
    const other: NameSource = {
      certainty: "guess",
      definitions: () => assert.fail("asked"),
      contractName: () => assert.fail("asked"),
    };
    const namer = new ActionNamer(network, [source, other]);
    const coder = AbiCoder.defaultAbiCoder();
    const named = await namer.name({
      call_type: "CALL",
      call_operation_type: "CALL",
      to: VAULT,
      input: selectorOf("open(uint256)") + coder.encode(["uint256"], [2n ** 255n]).slice(2),
      result_data: selectorOf("Closed(uint256)") + coder.encode(["uint256"], [9n]).slice(2),
      result_data_type: "REVERT_REASON",
    });
    assert.equal(named.contract?.name, "Vault");
    assert.equal(named.call?.certainty, "workspace");
    assert.equal(named.call.place?.line, 3);
    assert.deepEqual(
      named.call.values.map(({ name, text }) => [name, text]),
      [["a", String(2n ** 255n)]],
    );
    assert.equal(named.error?.signature, "Closed(uint256)");
    assert.equal(named.error.place?.line, 2);
  });
});
