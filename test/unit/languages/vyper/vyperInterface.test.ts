import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { selectorText } from "../../../rig/selectorText.ts";
import { atOnce } from "../../../../src/core/concurrency/turns.ts";
import { vyperRules } from "../../../../src/core/languages/vyper/vyperRules.ts";
import type { SourceInterface } from "../../../../src/core/workspace/sourceIndex.ts";
import { WorkspaceIndex } from "../../../../src/core/workspace/workspaceIndex.ts";
import { memoryFiles } from "../../files/memoryFiles.ts";
import { mapFinder } from "../../workspace/mapFinder.ts";

const AUCTION = `# pragma version ~=0.4.3
# pragma enable-decimals
"""
@title def decoy(a: uint256): pass
"""
from ethereum.ercs import IERC20
import mod as m
import IThing

struct Inner:
    a: uint256
    b: address

struct Order:
    inner: Inner  # comment: uint256
    amounts: DynArray[uint256, 10]
    price: decimal

flag Kind:
    A
    B

interface Remote:
    def ping(a: uint256, k: Kind) -> uint256: view
    def pong(o: Order): nonpayable

N: constant(uint256) = 2 * 3
owner: public(address)
token: public(immutable(IERC20))
balances: public(HashMap[address, HashMap[uint256, Order]])
lists: public(DynArray[uint256[N], 5])
name_: public(String[32])
hidden: uint256

@external
@view
def f(
    a: uint256,  # first, (
    b: Order,
    c: DynArray[Inner, N] = [],
    d: String[10] = "x, y)",
) -> (uint256, Inner):
    """
    def g(): pass
    """
    return a, b.inner

@internal
def g(a: uint256) -> uint256:
    return a

@external
@payable
def h(k: Kind, r: Remote, t: IERC20, x: m.Thing, y: IThing, z: bytes32[N + 1], w: Bytes[4]) -> Order:
    return empty(Order)

@external
def __default__():
    pass
`;

function interfaceOf(
  files: Readonly<Record<string, string>>,
  path: string,
): Promise<SourceInterface | undefined> {
  const index = new WorkspaceIndex({
    files: memoryFiles(files),
    finder: mapFinder(files, ["/w"]),
    folders: () => ["/w"],
  });
  return index.interfaceOf(path);
}

describe("Reading the interface of Vyper sources", () => {
  it("gives what Vyper 0.4.3 gives for its -f method_identifiers", async () => {
    const read = await interfaceOf(
      {
        "/w/Auction.vy": AUCTION,
        "/w/mod.vy": "struct Thing:\n    a: int128\n    b: bool\n",
        "/w/IThing.vyi": "@external\n@view\ndef thing(a: uint256) -> uint256: ...\n",
      },
      "/w/Auction.vy",
    );
    const [auction, remote] = read?.contracts ?? [];
    assert.ok(auction && remote);
    const identifiers = Object.fromEntries(
      auction.members.map(({ signature = "", selector }) => [signature, selectorText(selector ?? 0)]),
    );
    assert.deepEqual(identifiers, {
      "f(uint256,((uint256,address),uint256[],int168))": "0xeedc7cb5",
      "f(uint256,((uint256,address),uint256[],int168),(uint256,address)[])": "0x3beccda0",
      "f(uint256,((uint256,address),uint256[],int168),(uint256,address)[],string)": "0x4a2ba00c",
      "h(uint256,address,address,(int128,bool),address,bytes32[7],bytes)": "0x25a75407",
      "owner()": "0x8da5cb5b",
      "token()": "0xfc0c546a",
      "balances(address,uint256)": "0xcbf1304d",
      "lists(uint256,uint256)": "0x62210d7a",
      "name_()": "0xe2b9e186",
    });
    assert.deepEqual(
      auction.members.find(({ name }) => name === "h")?.abi?.outputs?.map(({ type }) => type),
      ["tuple"],
    );
    assert.deepEqual(
      [auction.name, auction.kind, remote.name, remote.kind],
      ["Auction", "contract", "Remote", "interface"],
    );
    assert.deepEqual(
      remote.members.map(({ signature, isImplemented }) => [signature, isImplemented]),
      [
        ["ping(uint256,uint256)", false],
        ["pong(((uint256,address),uint256[],int168))", false],
      ],
    );
    const lines = AUCTION.split("\n");
    for (const { name, place } of auction.members)
      assert.equal(lines[place.line]?.slice(place.character, place.character + name.length), name);
  });

  it("names the types of Vyper 0.3 as that compiler does", async () => {
    const read = await interfaceOf(
      {
        "/w/Old.vy":
          "# @version ^0.3.9\nfrom vyper.interfaces import ERC20\nenum Kind:\n    A\n    B\nprice: public(decimal)\n@external\ndef f(t: ERC20, k: Kind, d: decimal = 1.0, n: uint8[2] = [1, 2]) -> decimal:\n    return d\n",
      },
      "/w/Old.vy",
    );
    const members = read?.contracts[0]?.members ?? [];
    assert.deepEqual(
      members.map(({ signature }) => signature),
      [
        "price()",
        "f(address,uint256,fixed168x10,uint8[2])",
        "f(address,uint256,fixed168x10)",
        "f(address,uint256)",
      ],
    );
    assert.equal(members[0]?.abi?.outputs?.[0]?.type, "fixed168x10");
  });

  it("names a decimal as the newest compiler that the pragma allows does", async () => {
    const typeWith = async (pragma: string) => {
      const text = `# pragma version ${pragma}\nprice: public(decimal)\n`;
      const read = await interfaceOf({ "/w/A.vy": text }, "/w/A.vy");
      return read?.contracts[0]?.members[0]?.abi?.outputs?.[0]?.type;
    };
    assert.equal(await typeWith(">=0.3.10"), "int168");
    assert.equal(await typeWith("0.4.0"), "int168");
    assert.equal(await typeWith(">=0.3.10,<0.4.0"), "fixed168x10");
    assert.equal(await typeWith("~=0.3.7"), "fixed168x10");
  });

  it("finds the types of modules however their import is written", async () => {
    for (const written of ["from . import(mod)", "from .import mod", "from . import (\n    mod,\n)"]) {
      const read = await interfaceOf(
        {
          "/w/A.vy": `${written}\n@external\ndef f(x: mod.Thing):\n    pass\n`,
          "/w/mod.vy": "struct Thing:\n    a: int128\n",
        },
        "/w/A.vy",
      );
      assert.deepEqual(
        read?.contracts[0]?.members.map(({ signature }) => signature),
        ["f((int128))"],
        written,
      );
    }
  });

  it("tells contracts from modules as the list of contracts does", async () => {
    for (const [text, kind] of [
      ['"""\n@external\n"""\nX: constant(uint256) = 1\n', "abstract contract"],
      ["event Paid:\n    amount: uint256\n", "abstract contract"],
      ["@internal\ndef f():\n    pass\n", "abstract contract"],
      ["@external\ndef __default__():\n    pass\n", "contract"],
      ["@deploy\ndef __init__():\n    pass\n", "contract"],
      ["import m\nexports: m.__interface__\n", "contract"],
      ["import m\nuses: m\n@external\ndef f():\n    pass\n", "abstract contract"],
      ["import m\ninitializes: m\nuses: m\n@external\ndef f():\n    pass\n", "contract"],
    ] as const) {
      const read = await interfaceOf({ "/w/A.vy": text, "/w/m.vy": "x: uint256\n" }, "/w/A.vy");
      assert.equal(read?.contracts[0]?.kind, kind, text);
      assert.deepEqual(
        atOnce(vyperRules.definitions("/w/A.vy", text)).map((one) => one.kind),
        [kind],
        text,
      );
    }
  });
});
