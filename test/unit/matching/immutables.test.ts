import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { immutablesInWordsInPieces, writtenImmutables } from "../../../src/core/matching/immutables.ts";
import { compileNow } from "../../sandbox/solcNow.ts";

const OWNED = `pragma solidity >=0.7.0;
abstract contract Owned {
    address internal immutable owner = msg.sender;
    function isOwner() public view returns (bool) { return msg.sender == owner; }
}
`;
const VAULT = `pragma solidity >=0.7.0;
import "../lib/Owned.sol";
contract Other { uint256 public immutable unrelated = 9; }
contract Vault is Owned {
    uint64 public immutable opensAt;
    bytes4 private immutable tag;
    bool public immutable isOpen;
    int256 public immutable drift;
    Other public immutable other;
    uint256 public total;
    constructor(Other other_) {
        opensAt = 1; tag = 0x01020304; isOpen = true; drift = -1; other = other_;
    }
    function tagged() external view returns (bytes4) { return tag; }
}
`;
const sources = { "src/Vault.sol": { content: VAULT }, "lib/Owned.sol": { content: OWNED } };
const input = { language: "Solidity" as const, sources };

const OWNER = "70997970c51812dc3a010c7d01b50e0d17dc79c8";
/** What is written, by the names in the sources. */
const WORDS: Readonly<Record<string, string>> = {
  owner: OWNER.padStart(64, "0"),
  opensAt: (1_798_761_600).toString(16).padStart(64, "0"),
  tag: "01020304".padEnd(64, "0"),
  isOpen: "1".padStart(64, "0"),
  drift: "f".repeat(64),
  other: OWNER.padStart(64, "0"),
};

interface Node {
  readonly id?: number;
  readonly name?: string;
  readonly nodeType?: string;
  readonly nodes?: readonly Node[];
}

/** The ids of a real compiler's immutables with the names that its own syntax tree has for them. */
function namedIds(release: string): { id: string; name: string }[] {
  const output = compileNow(
    {
      ...input,
      settings: {
        outputSelection: { "*": { "*": ["evm.deployedBytecode.immutableReferences"], "": ["ast"] } },
      },
    },
    release,
  ) as {
    contracts: Record<
      string,
      Record<string, { evm: { deployedBytecode: { immutableReferences: Record<string, unknown> } } }>
    >;
    sources: Record<string, { ast: Node }>;
  };
  const variables = Object.values(output.sources)
    .flatMap(({ ast }) => ast.nodes ?? [])
    .flatMap(({ nodes = [] }) => nodes)
    .filter(({ nodeType }) => nodeType === "VariableDeclaration");
  const { immutableReferences = {} } =
    output.contracts["src/Vault.sol"]?.["Vault"]?.evm.deployedBytecode ?? {};
  return Object.keys(immutableReferences).map((id) => {
    const name = variables.find((one) => one.id === Number(id))?.name;
    return { id, name: name ?? assert.fail(`nothing is called ${id}`) };
  });
}

describe("What a deployment wrote into its immutables", () => {
  for (const release of ["solc-0.7.6", "solc-0.8.24", "solc-0.8.28", "solc"])
    it(`is told by name and type, inherited ones too, as ${release} numbers them`, () => {
      const ids = namedIds(release);
      assert.equal(ids.length, 6);
      const written = new Map(ids.map(({ id, name }) => [id, WORDS[name] ?? ""]));
      assert.equal(
        atOnce(immutablesInWordsInPieces(written, input, "src/Vault.sol:Vault")),
        "owner 0x7099…79c8, opensAt 1,798,761,600, tag 0x01020304, isOpen true, drift -1, other 0x7099…79c8",
      );
    });

  it("is told without names where the sources leave open which is which", () => {
    const written = new Map([
      ["9", WORDS["opensAt"] ?? ""],
      ["31", WORDS["owner"] ?? ""],
    ]);
    const told = (given: typeof input) =>
      atOnce(immutablesInWordsInPieces(written, given, "src/Vault.sol:Vault"));
    assert.equal(told(input), "1,798,761,600, 0x7099…79c8", "no function reads some of them");
    const [vault, owned] = [
      "contract Vault is Owned { uint256 immutable a; }",
      "contract Owned { uint256 immutable b; }",
    ];
    const twice = { "src/Vault.sol": vault, "a/Owned.sol": owned, "b/Owned.sol": owned };
    const given = Object.fromEntries(Object.entries(twice).map(([name, content]) => [name, { content }]));
    assert.equal(told({ ...input, sources: given as typeof sources }), "1,798,761,600, 0x7099…79c8");
    assert.equal(atOnce(immutablesInWordsInPieces(new Map(), input, "src/Vault.sol:Vault")), undefined);
  });

  it("is read of the deployed code where a verification on this machine found the places", () => {
    const code = `0x607f${WORDS["opensAt"] ?? ""}5b`;
    const at = [{ type: "replace", reason: "immutable", offset: 2, id: "9" }] as const;
    assert.deepEqual([...writtenImmutables(code, at)], [["9", WORDS["opensAt"]]]);
    // Vyper appends them, all as one.
    const appended = `0x6001${WORDS["owner"] ?? ""}${WORDS["opensAt"] ?? ""}`;
    const behind = writtenImmutables(appended, [{ type: "insert", reason: "immutable", offset: 2, id: "0" }]);
    const vyper = {
      language: "Vyper" as const,
      sources: { "a.vy": { content: "owner: immutable(address)\n" } },
    };
    assert.equal(atOnce(immutablesInWordsInPieces(behind, vyper, "a.vy:a")), "0x7099…79c8, 1,798,761,600");
  });
});
