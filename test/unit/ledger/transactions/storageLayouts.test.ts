// Where the variables of contracts lie, by what the real solc says of them in the artifacts of a workspace.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { storageLayout, saysTheSame } from "../../../../src/core/evm/storageLayout.ts";
import { fieldAt } from "../../../../src/core/json/looseData.ts";
import { readAs } from "../../../../src/core/json/shape.ts";
import { ActionNamer } from "../../../../src/core/ledger/actions/actionNames.ts";
import { buildActionTree } from "../../../../src/core/ledger/actions/actionTree.ts";
import {
  WorkspaceNames,
  type WorkspaceNamesPorts,
} from "../../../../src/core/ledger/names/workspaceNames.ts";
import { networkAt } from "../../../../src/core/ledger/references/network.ts";
import { stateRows, type StorageLayouts } from "../../../../src/core/ledger/transactions/stateRows.ts";
import { findStorageLayouts } from "../../../../src/core/ledger/transactions/storageLayouts.ts";
import { WorkspaceIndex } from "../../../../src/core/workspace/workspaceIndex.ts";
import { compileNow } from "../../../sandbox/solcNow.ts";
import { memoryFiles } from "../../files/memoryFiles.ts";
import { mapFinder } from "../../workspace/mapFinder.ts";

const network = networkAt("http://127.0.0.1:5551");
const PROXY = `0x${"22".repeat(20)}`;
const VAULT = `0x${"11".repeat(20)}`;
const USER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

const HANDS_ON = `
  fallback() external payable {
    address to = target();
    assembly {
      calldatacopy(0, 0, calldatasize())
      let done := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
      returndatacopy(0, 0, returndatasize())
      switch done case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
    }
  }`;
const SOURCES = {
  // As OpenZeppelin's ERC1967Proxy, it has no variables.
  "src/Proxy.sol": `contract Proxy {
  function target() internal view returns (address at) {
    assembly { at := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc) }
  }${HANDS_ON}
}`,
  "src/OldProxy.sol": `contract OldProxy {
  address internal admin; address internal code; uint256 internal calls;
  constructor(address to) { admin = msg.sender; code = to; }
  function target() internal returns (address) { calls++; return code; }${HANDS_ON}
}`,
  "src/Vault.sol": `contract Vault {
  struct Seat { uint128 price; mapping(uint256 => Seat) next; }
  address internal owner; bool internal paused;
  address internal code;
  mapping(address => Seat) internal seats;
  function stop() external { owner = msg.sender; paused = true; code = msg.sender; seats[msg.sender].price = 5; }
}`,
};

interface Built {
  readonly code: string;
  readonly layout: unknown;
}

function built(sources: Readonly<Record<string, string>> = SOURCES): Readonly<Record<string, Built>> {
  const output = compileNow({
    language: "Solidity",
    sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
    settings: { outputSelection: { "*": { "*": ["evm.deployedBytecode.object", "storageLayout"] } } },
  });
  return Object.fromEntries(
    Object.keys(sources).map((path) => {
      const name = /(\w+)\.sol$/.exec(path)?.[1] ?? "";
      const contract = fieldAt(output, "contracts", path, name);
      const code = fieldAt(contract, "evm", "deployedBytecode", "object");
      return [name, { code: `0x${String(code)}`, layout: fieldAt(contract, "storageLayout") }];
    }),
  );
}

/** As forge writes it with `extra_output = ["storageLayout"]`. */
const forged = (name: string, { code, layout }: Built) => ({
  [`/w/out/${name}.sol/${name}.json`]: JSON.stringify({
    abi: [],
    deployedBytecode: { object: code },
    metadata: { settings: { compilationTarget: { [`src/${name}.sol`]: name } } },
    storageLayout: layout,
  }),
});

/** As Hardhat writes it with the plugin that keeps layouts in artifacts. */
const hardhats = (name: string, { code, layout }: Built) => ({
  [`/w/artifacts/src/${name}.sol/${name}.json`]: JSON.stringify({
    contractName: name,
    sourceName: `src/${name}.sol`,
    abi: [],
    deployedBytecode: code,
    storageLayout: layout,
  }),
});

function namer(
  artifacts: Readonly<Record<string, string>>,
  codes: Readonly<Record<string, string | undefined>>,
  ports: Partial<WorkspaceNamesPorts> = {},
): ActionNamer {
  const files: Record<string, string> = { ...artifacts };
  for (const [path, text] of Object.entries(SOURCES)) files[`/w/${path}`] = text;
  const index = new WorkspaceIndex({
    files: memoryFiles(files),
    finder: mapFinder(files, ["/w"]),
    folders: () => ["/w"],
  });
  const deployedCode = ({ address = "" }) => Promise.resolve(codes[address]);
  return new ActionNamer(network, [new WorkspaceNames({ index, deployedCode, ...ports })]);
}

const tree = buildActionTree([
  { call_type: "CALL", call_operation_type: "CALL", call_depth: 0, from: USER, to: PROXY },
  {
    call_type: "CALL",
    call_operation_type: "DELEGATECALL",
    call_depth: 1,
    caller: "0.0.2002",
    from: PROXY,
    to: VAULT,
  },
]);
const word = (hex: string) => `0x${hex.replace(/^0x/, "").padStart(64, "0")}`;
const execution = {
  state_changes: [
    {
      address: PROXY,
      contract_id: "0.0.2002",
      slot: "0x0",
      value_read: "0x0",
      value_written: word(`1${USER.slice(2)}`),
    },
    { address: PROXY, contract_id: "0.0.2002", slot: "0x1", value_read: "0x0", value_written: word(USER) },
    { address: PROXY, contract_id: "0.0.2002", slot: "0x2", value_read: "0x0", value_written: "0x1" },
  ],
};

async function rowsBy(names: ActionNamer) {
  let layouts: StorageLayouts = new Map();
  await findStorageLayouts(
    tree,
    execution,
    (address) => names.storageLayout(address),
    (found) => {
      layouts = found;
    },
  );
  return stateRows(tree, execution, layouts).map(({ variable, before, after }) => [variable, before, after]);
}

const named = [
  ["owner, paused", "owner: zero address, paused: false", `owner: ${USER}, paused: true`],
  ["code", "zero address", USER],
];

describe("Where the variables of a proxy lie", () => {
  it("is said by its implementation where the proxy was built as well and has none", async () => {
    const { Proxy: proxy, Vault: vault } = built();
    assert.ok(proxy && vault);
    assert.deepEqual(fieldAt(proxy.layout, "storage"), [], "solc says that it has none");
    const names = namer(
      { ...forged("Proxy", proxy), ...forged("Vault", vault) },
      { [PROXY]: proxy.code, [VAULT]: vault.code },
    );
    assert.ok(await names.storageLayout(PROXY), "the proxy is known, too");
    const rows = await rowsBy(names);
    assert.deepEqual(rows.slice(0, 2), named);
    // No variable of either lies there: it is where the mapping begins.
    assert.deepEqual(rows[2], [undefined, "0", "1"]);
  });

  it("is said by both, and what they say differently is told as either", async () => {
    const { OldProxy: proxy, Vault: vault } = built();
    assert.ok(proxy && vault);
    const names = namer(
      { ...forged("OldProxy", proxy), ...forged("Vault", vault) },
      { [PROXY]: proxy.code, [VAULT]: vault.code },
    );
    assert.deepEqual(await rowsBy(names), [
      ["admin or owner, paused", "0", word(`1${USER.slice(2)}`)],
      // Both have it there, by one name and one type.
      ["code", "zero address", USER],
      ["calls", "0", "1"],
    ]);
  });

  it("is asked of few facets of a diamond, however many there are, and each layout counts once", async () => {
    const layout = readAs(storageLayout, built()["Vault"]?.layout);
    assert.ok(layout);
    const facets = Array.from({ length: 40 }, (_, at) => `0x${String(at + 10).repeat(20)}`);
    const many = buildActionTree(
      facets.map((to, index) => ({
        index,
        call_type: "CALL",
        call_operation_type: "DELEGATECALL",
        call_depth: 1,
        from: PROXY,
        to,
      })),
    );
    const found = async (layoutAt: (at: number) => typeof layout) => {
      const told: StorageLayouts[] = [];
      const layoutOf = (address: string) => {
        const at = facets.indexOf(address);
        return Promise.resolve(at < 0 ? undefined : layoutAt(at));
      };
      await findStorageLayouts(many, execution, layoutOf, (layouts) => told.push(layouts));
      return told.at(-1)?.get(PROXY)?.length;
    };
    assert.equal(await found(() => structuredClone(layout)), 1);
    const [first] = layout.storage;
    assert.ok(first);
    assert.equal(await found((at) => ({ ...layout, storage: [{ ...first, label: `x${at}` }] })), 8);
  });
});

describe("Where the variables lie that two tools built", () => {
  const record = {
    recordedContract: () => Promise.resolve({ contractName: "Vault", path: "/w/src/Vault.sol" }),
  };

  it("is what both say, though the ids of their types differ", async () => {
    const { Vault: one } = built();
    // With more before it, the ids of the compiler are other ones.
    const { Vault: other } = built({ ...SOURCES, "src/Aaa.sol": "contract Aaa { enum E { A, B } E e; }" });
    assert.ok(one && other);
    assert.notDeepEqual(one.layout, other.layout);
    const [left, right] = [readAs(storageLayout, one.layout), readAs(storageLayout, other.layout)];
    assert.ok(left && right && saysTheSame(left, right));
    const names = namer({ ...forged("Vault", one), ...hardhats("Vault", other) }, {}, record);
    assert.deepEqual((await rowsBy(names)).slice(0, 2), named);
  });

  it("is what one of them says where the other does not keep it", async () => {
    const { Vault: vault } = built();
    assert.ok(vault);
    const artifacts = {
      ...hardhats("Vault", { code: vault.code, layout: undefined }),
      ...forged("Vault", vault),
    };
    assert.deepEqual((await rowsBy(namer(artifacts, {}, record))).slice(0, 2), named, "by its record");
    const byCode = namer(artifacts, { [VAULT]: vault.code });
    assert.deepEqual((await rowsBy(byCode)).slice(0, 2), named, "by its code");
  });

  it("is told by the deployed code where they differ, and not at all where that is unknown", async () => {
    const { Vault: vault } = built();
    const { Vault: older } = built({
      "src/Vault.sol":
        "contract Vault { bool internal paused; address internal owner; function f() external { paused = true; } }",
    });
    assert.ok(vault && older);
    const artifacts = { ...forged("Vault", vault), ...hardhats("Vault", older) };
    const byCode = namer(artifacts, { [PROXY]: vault.code, [VAULT]: vault.code }, record);
    assert.deepEqual((await rowsBy(byCode)).slice(0, 2), named);
    const [first] = await rowsBy(namer(artifacts, {}, record));
    assert.equal(first?.[0], undefined);
  });
});
