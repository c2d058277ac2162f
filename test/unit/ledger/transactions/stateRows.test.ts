import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bytesToHex } from "@noble/hashes/utils.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import { ActionNamer } from "../../../../src/core/ledger/actions/actionNames.ts";
import { buildActionTree, delegatesOf } from "../../../../src/core/ledger/actions/actionTree.ts";
import { WorkspaceNames } from "../../../../src/core/ledger/names/workspaceNames.ts";
import { networkAt } from "../../../../src/core/ledger/references/network.ts";
import { stateRows, wholeStateRows } from "../../../../src/core/ledger/transactions/stateRows.ts";
import { storageLayout, type StorageLayout } from "../../../../src/core/evm/storageLayout.ts";
import { storedText, StoredVariables } from "../../../../src/core/evm/storedVariables.ts";
import { readAs } from "../../../../src/core/json/shape.ts";
import { WorkspaceIndex } from "../../../../src/core/workspace/workspaceIndex.ts";
import { proofSize } from "../../../rig/proofSize.ts";
import { memoryFiles } from "../../files/memoryFiles.ts";
import { random } from "../../random.ts";
import { mapFinder } from "../../workspace/mapFinder.ts";

const ROUNDS = proofSize({ sample: 10, whole: 2_000 });
const network = networkAt("http://127.0.0.1:5551");
const VAULT = `0x${"11".repeat(20)}`;
const PROXY = `0x${"22".repeat(20)}`;
const USER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

/** As forge writes it with `extra_output = ["storageLayout"]`. */
const LAYOUT = {
  storage: [
    { astId: 1, contract: "src/Vault.sol:Vault", label: "owner", offset: 0, slot: "0", type: "t_address" },
    { astId: 2, contract: "src/Vault.sol:Vault", label: "paused", offset: 20, slot: "0", type: "t_bool" },
    { astId: 3, contract: "src/Vault.sol:Vault", label: "balances", offset: 0, slot: "1", type: "t_map" },
  ],
  types: {
    t_address: { encoding: "inplace", label: "address", numberOfBytes: "20" },
    t_bool: { encoding: "inplace", label: "bool", numberOfBytes: "1" },
    t_uint256: { encoding: "inplace", label: "uint256", numberOfBytes: "32" },
    t_map: {
      encoding: "mapping",
      key: "t_address",
      label: "mapping(address => uint256)",
      numberOfBytes: "32",
      value: "t_uint256",
    },
  },
};

const word = (hex: string) => hex.replace(/^0x/, "").padStart(64, "0");
const balanceSlot = `0x${bytesToHex(keccak_256(hexToBytes(word(USER) + word("1"))))}`;

const FILES = {
  "/w/src/Vault.sol": "contract Vault { address owner; bool paused; mapping(address => uint256) balances; }",
  "/w/out/Vault.sol/Vault.json": JSON.stringify({
    abi: [],
    deployedBytecode: { object: "0x6001600255" },
    metadata: { settings: { compilationTarget: { "src/Vault.sol": "Vault" } } },
    storageLayout: LAYOUT,
  }),
};

function namer(): ActionNamer {
  const files: Record<string, string> = { ...FILES };
  const index = new WorkspaceIndex({
    files: memoryFiles(files),
    finder: mapFinder(files, ["/w"]),
    folders: () => ["/w"],
  });
  const deployedCode = ({ address = "" }) => Promise.resolve(address === VAULT ? "0x6001600255" : "0x6003");
  return new ActionNamer(network, [new WorkspaceNames({ index, deployedCode })]);
}

const call = {
  call_type: "CALL",
  call_operation_type: "CALL",
  call_depth: 0,
  from: USER,
  to: PROXY,
  recipient: "0.0.2002",
  input: `0xa9059cbb${word(USER)}${word("19")}`,
};
const handedOn = {
  ...call,
  call_operation_type: "DELEGATECALL",
  call_depth: 1,
  caller: "0.0.2002",
  from: PROXY,
  to: VAULT,
};

describe("The storage that a transaction wrote", () => {
  it("is told by the variables of the workspace's build, a proxy's by those of what it runs", async () => {
    const tree = buildActionTree([call, handedOn]);
    const [delegate = ""] = delegatesOf(tree, { id: "0.0.2002", address: "0x1" });
    assert.equal(delegate, VAULT);
    assert.equal(await namer().storageLayout(PROXY), undefined, "a proxy has no variables of its own");
    const layout = await namer().storageLayout(delegate);
    assert.ok(layout);
    const changes = [
      { address: PROXY, slot: "0x0", value_read: USER, value_written: `0x1${USER.slice(2)}` },
      { address: PROXY, slot: balanceSlot, value_read: "0x0", value_written: "0xf4240" },
      { address: PROXY, slot: "0x7", value_read: "0x5" },
    ];
    const execution = { state_changes: changes };
    const layouts = new Map([[PROXY, [layout]]]);
    const rows = stateRows(tree, execution, layouts);
    assert.equal(stateRows(tree, execution, layouts), rows, "nothing is looked for twice");
    assert.deepEqual(
      rows.map(({ variable, before, after }) => [variable, before, after]),
      [
        ["paused", "false", "true"],
        [`balances[${USER}]`, "0", "1,000,000"],
        [undefined, "5", undefined],
      ],
    );
  });

  it("is told of any proxy by the slots that standards name, and of others as numbers where these are small", () => {
    const slotOf = (text: string) =>
      `0x${(BigInt(`0x${bytesToHex(keccak_256(new TextEncoder().encode(text)))}`) - 1n).toString(16)}`;
    const change = (slot: string, value_read: string, value_written?: string) => ({
      address: PROXY,
      slot,
      value_read,
      ...(value_written !== undefined && { value_written }),
    });
    const zero = `0x${word("0")}`;
    const large = `0x${word("10000000000000000")}`;
    const packed = `0x${"11".repeat(32)}`;
    const execution = {
      state_changes: [
        change(slotOf("eip1967.proxy.implementation"), `0x${word("7d3")}`, `0x${word("7d4")}`),
        change(slotOf("eip1967.proxy.admin"), zero, `0x${word(USER)}`),
        change(slotOf("eip1967.proxy.beacon"), `0x${word("7d5")}`),
        change(slotOf("eip1967.proxy.implementation"), zero, packed),
        change("0x7", `0x${word("1")}`, `0x${word("f4240")}`),
        change("0x8", "0xffffffffffffffff", large),
      ],
    };
    const tree = buildActionTree([call]);
    const told = (rows: ReturnType<typeof stateRows>) =>
      rows.map(({ variable, before, after }) => [variable, before, after]);
    const named = [
      ["implementation (EIP-1967)", "0.0.2003", "0.0.2004"],
      ["admin (EIP-1967)", "zero address", USER],
      ["beacon (EIP-1967)", "0.0.2005", undefined],
    ];
    const rows = stateRows(tree, execution);
    assert.deepEqual(told(rows), [
      ...named,
      // No address, so that it is something else there.
      [undefined, "0", packed],
      [undefined, "1", "1,000,000"],
      [undefined, "18,446,744,073,709,551,615", large],
    ]);
    assert.deepEqual(rows[4]?.words, { before: `0x${word("1")}`, after: `0x${word("f4240")}` });
    assert.deepEqual(told(wholeStateRows(tree, execution)), [
      ...named,
      [undefined, zero, packed],
      [undefined, `0x${word("1")}`, `0x${word("f4240")}`],
      [undefined, "0xffffffffffffffff", large],
    ]);
  });

  it("has accounts by the ids that their addresses are made of, as values and as keys", async () => {
    const account = `0x${word("3e9").slice(24)}`;
    const slot = `0x${bytesToHex(keccak_256(hexToBytes(word(account) + word("1"))))}`;
    const layout = await namer().storageLayout(VAULT);
    assert.ok(layout);
    const rows = stateRows(
      buildActionTree([{ ...call, from: account }]),
      {
        state_changes: [
          { address: PROXY, slot: "0x0", value_read: "0x0", value_written: account },
          { address: PROXY, slot, value_read: "0x5", value_written: "0x6" },
        ],
      },
      new Map([[PROXY, [layout]]]),
    );
    assert.deepEqual(
      rows.map(({ variable, before, after }) => [variable, before, after]),
      [
        ["owner", "zero address", "0.0.1001"],
        ["balances[0.0.1001]", "5", "6"],
      ],
    );
  });

  it("keeps its slots where no build says what lies there", () => {
    const [row] = stateRows(buildActionTree([]), {
      state_changes: [{ address: PROXY, slot: "0x7", value_read: "0x5" }],
    });
    assert.deepEqual([row?.variable, row?.slot, row?.before, row?.after], [undefined, "0x7", "5", undefined]);
  });

  it("is looked up in strange layouts without a fault, and never without an end", () => {
    const dice = random("strange layouts");
    const types = ["t_a", "t_b", "t_c", "t_d"];
    const variable = () => ({
      label: dice.pick(["x", "", "‮y"]),
      slot: dice.pick([
        "0",
        "1",
        "115792089237316195423570985008687907853269984665640564039457584007913129639935",
      ]),
      offset: dice.below(32),
      type: dice.oneOf(types),
    });
    for (let round = 0; round < ROUNDS; round++) {
      const made = Object.fromEntries(
        types.map((id) => [
          id,
          {
            encoding: dice.pick(["inplace", "mapping", "dynamic_array", "bytes", "other"]),
            label: dice.pick([
              "uint256",
              "uint8[3]",
              "string",
              "address",
              "bool",
              "bytes4",
              "int16",
              "struct S",
            ]),
            numberOfBytes: dice.pick(["0", "1", "20", "32", "96", "9".repeat(78)]),
            key: dice.oneOf(types),
            value: dice.oneOf(types),
            ...(dice.below(3) === 0 && { base: dice.oneOf(types) }),
            ...(dice.below(3) === 0 && { members: [variable(), variable()] }),
          },
        ]),
      );
      const layout: StorageLayout | undefined = readAs(storageLayout, {
        storage: [variable(), variable(), variable()],
        types: made,
      });
      assert.ok(layout, `${dice.seed} ${round}`);
      const variables = new StoredVariables(layout, [word(USER), word("5")]);
      for (const slot of [0n, 1n, BigInt(balanceSlot)])
        for (const one of variables.at(slot)) assert.equal(typeof storedText("f".repeat(64), one), "string");
    }
  });
});
