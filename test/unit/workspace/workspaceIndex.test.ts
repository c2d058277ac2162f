import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WorkspaceIndex, type KnownMember } from "../../../src/core/workspace/workspaceIndex.ts";
import { selectorNumber } from "../../../src/core/evm/abiEntry.ts";
import { selectorText } from "../../rig/selectorText.ts";
import { memoryFiles } from "../files/memoryFiles.ts";
import { random } from "../random.ts";
import { mapFinder } from "./mapFinder.ts";

const selectorOf = (signature: string) => selectorText(selectorNumber(signature));

/** A workspace in a map, which a test may change as a person changes files. */
function workspace(files: Record<string, string>, folders: readonly string[] = ["/w"]) {
  const reader = memoryFiles(files);
  const index = new WorkspaceIndex({
    files: reader,
    finder: mapFinder(files, folders),
    folders: () => folders,
  });
  return {
    index,
    asked: reader.asked,
    /** Writes a file, or deletes it. */
    save: (path: string, text: string | undefined) => {
      if (text === undefined) Reflect.deleteProperty(files, path);
      else files[path] = text;
      index.invalidate(path);
    },
    functionsNamed: (signature: string): Promise<readonly KnownMember[]> =>
      index.members("function", selectorOf(signature)),
    placesOf: async (signature: string): Promise<string[]> => {
      const found = await index.members("function", selectorOf(signature));
      return found.map(({ place }) => (place ? `${place.path}:${place.line}:${place.character}` : "nowhere"));
    },
  };
}

describe("What the workspace knows of functions and errors", () => {
  it("finds a function by its selector where it is written, inherited from a package or not", async () => {
    const { placesOf, index } = workspace({
      "/w/contracts/Vault.sol": `import {Owned as Mine} from "pkg/Owned.sol";\ncontract Vault is Mine {\n  function  open(uint a) external {}\n}`,
      "/w/node_modules/pkg/Owned.sol": `import "./Errors.sol";\ncontract Owned {\n  address public owner;\n\tfunction give(address to) public virtual {}\n}`,
      "/w/node_modules/pkg/Errors.sol": `error NotOwner(address caller);`,
      "/w/node_modules/pkg/Unused.sol": `contract Unused { function unused() public {} }`,
    });
    assert.deepEqual(await placesOf("open(uint256)"), ["/w/contracts/Vault.sol:2:12"]);
    assert.deepEqual(await placesOf("owner()"), ["/w/node_modules/pkg/Owned.sol:2:17"]);
    assert.deepEqual(await placesOf("give(address)"), ["/w/node_modules/pkg/Owned.sol:3:10"]);
    assert.deepEqual(await placesOf("unused()"), [], "no file imports it");
    const [error] = await index.members("error", selectorOf("NotOwner(address)"));
    assert.deepEqual(error?.place, { path: "/w/node_modules/pkg/Errors.sol", line: 0, character: 6 });
  });

  it("tells the function of the contract that was called from the one that it overrides", async () => {
    const { index, placesOf } = workspace({
      "/w/A.sol": `interface I { function f() external; }\nabstract contract A is I {\n  function f() public virtual {}\n}`,
      "/w/B.sol": `import "./A.sol";\ncontract B is A {\n  function f() public override {}\n}\ncontract C is A {}`,
    });
    const of = async (name: string) =>
      (await index.memberOf({ name, path: "/w/B.sol" }, "function", selectorOf("f()")))?.place;
    assert.deepEqual(await of("B"), { path: "/w/B.sol", line: 2, character: 11 });
    assert.deepEqual(await of("C"), { path: "/w/A.sol", line: 2, character: 11 });
    // Without a contract two implementations are equally likely: what is told is the interface's.
    assert.deepEqual(await placesOf("f()"), ["/w/A.sol:0:23"]);
  });

  it("tells no place where several are equally likely, but the name", async () => {
    const { functionsNamed } = workspace({
      "/w/A.sol": "contract A { function pay(address payable to) external payable {} }",
      "/w/B.sol": "contract B { function pay(address who) external {} }",
    });
    const found = await functionsNamed("pay(address)");
    assert.deepEqual(
      found.map(({ signature, place }) => [signature, place]),
      [["pay(address)", undefined]],
    );
  });

  it("keeps the name and the place of what it can't resolve, and no selector", async () => {
    const { index, functionsNamed } = workspace({
      "/w/A.sol": `import "missing/Types.sol";\ncontract A {\n  function f(Unknown a) external {}\n  function g(uint8 a) external {}\n}`,
    });
    const [contract] = (await index.interfaceOf("/w/A.sol"))?.contracts ?? [];
    const [f, g] = contract?.members ?? [];
    assert.deepEqual(f, {
      kind: "function",
      name: "f",
      isImplemented: true,
      place: { path: "/w/A.sol", line: 2, character: 11 },
      contract: { name: "A", kind: "contract" },
    });
    assert.equal(g?.signature, "g(uint8)");
    assert.equal((await functionsNamed("g(uint8)")).length, 1);
  });

  it("finds imports through remappings, lib folders and packages, and reads nothing outside the folders", async () => {
    const { index, asked } = workspace({
      "/w/remappings.txt": "@oz/=lib/oz/contracts/\nevil/=../../secret/",
      "/w/src/A.sol": `import {T} from "@oz/T.sol";\nimport {U} from "dep/U.sol";\nimport {V} from "src/V.sol";\nimport {E} from "evil/E.sol";\nimport {F} from "../../secret/E.sol";\ncontract A { function f(T t, U u, V v) external {} function g(E e) external {} }`,
      "/w/lib/oz/contracts/T.sol": "type T is uint32;",
      "/w/lib/dep/src/U.sol": "enum U { A }",
      "/w/src/V.sol": "interface V {}",
      "/secret/E.sol": "type E is uint8; type F is uint8;",
    });
    const [contract] = (await index.interfaceOf("/w/src/A.sol"))?.contracts ?? [];
    assert.deepEqual(
      contract?.members.map(({ signature }) => signature),
      ["f(uint32,uint8,address)", undefined],
    );
    assert.deepEqual(
      asked.filter((path) => !path.startsWith("/w/") && !path.startsWith("/node_modules/")),
      [],
    );
  });

  it("knows at once what is saved, also where a type is declared in another file", async () => {
    const { save, functionsNamed, placesOf } = workspace({
      "/w/Types.sol": "struct Order { uint256 amount; }",
      "/w/Middle.sol": 'import "./Types.sol";',
      "/w/A.sol": 'import "./Middle.sol";\ncontract A { function buy(Order calldata o) external {} }',
      "/w/B.sol": "contract B { function f() external {} }",
    });
    assert.equal((await functionsNamed("buy((uint256))")).length, 1);
    save("/w/Types.sol", "struct Order { uint256 amount; address to; }");
    assert.equal((await functionsNamed("buy((uint256))")).length, 0);
    assert.equal((await functionsNamed("buy((uint256,address))")).length, 1);
    save("/w/B.sol", "\n\ncontract B { function f() external {} }");
    assert.deepEqual(await placesOf("f()"), ["/w/B.sol:2:22"]);
    save("/w/New.sol", "contract New { function fresh() external {} }");
    assert.deepEqual(await placesOf("fresh()"), ["/w/New.sol:0:24"]);
    save("/w/New.sol", undefined);
    assert.deepEqual(await placesOf("fresh()"), []);
    save("/w/Types.sol", undefined);
    assert.equal((await functionsNamed("buy((uint256,address))")).length, 0);
    save("/w/Types.sol", "struct Order { bool yes; }");
    assert.equal((await functionsNamed("buy((bool))")).length, 1);
  });

  it("survives whatever a file may hold", async () => {
    const source = random("garbage sources");
    const pieces = [
      "contract",
      " A ",
      "{",
      "}",
      "(",
      ")",
      "[",
      "]",
      ";",
      ",",
      "is",
      "function ",
      "error ",
      "struct ",
      "enum ",
      "mapping",
      "=>",
      "uint256 ",
      "import ",
      '"./A.sol"',
      "public ",
      "using ",
      " for ",
      "type ",
      "= ",
      "/*",
      "*/",
      "//",
      "\n",
      '"',
      "returns ",
      "\u{1f600}",
      "\ud800",
      "def ",
      "@external\n",
      ": ",
      "#",
      "    ",
    ] as const;
    for (let round = 0; round < 1000; round++) {
      const text = Array.from({ length: source.below(60) }, () => source.pick(pieces)).join("");
      const { index, functionsNamed } = workspace({
        "/w/A.sol": text,
        "/w/B.vy": text,
        "/w/out/A.sol/A.json": text,
      });
      await index.contracts();
      await functionsNamed("f()");
      await index.interfaceOf("/w/B.vy");
    }
  });

  it("ends with inheritance, imports, structs and constants that go in circles", async () => {
    const { index } = workspace({
      "/w/A.sol": `import {X as Y} from "./B.sol";\nimport "./A.sol";\ncontract A is B { struct S { S s; T t; } struct T { S s; } function f(S memory s) public {} function g(Y y) public {} uint constant N = M; uint constant M = N + 1; function h(uint[N] memory x) public {} }\ncontract B is A {}`,
      "/w/B.sol": 'import {Y as X} from "./A.sol";\nimport * as Y from "./A.sol";',
    });
    const [a] = (await index.interfaceOf("/w/A.sol"))?.contracts ?? [];
    assert.deepEqual(
      a?.members.filter(({ kind }) => kind === "function").map(({ name, selector }) => [name, selector]),
      [
        ["f", undefined],
        ["g", undefined],
        ["h", undefined],
      ],
    );
    assert.ok((await index.membersOf({ path: "/w/A.sol", name: "A" })).length > 0);
    const doubled = Array.from({ length: 60 }, (_, at) => `struct S${at + 1} { S${at} a; S${at} b; }`).join(
      "\n",
    );
    const { index: wide } = workspace({
      "/w/A.sol": `struct S0 { uint a; }\n${doubled}\ncontract A { function f(S60 memory s) public {} function g(S3 memory s) public {} }`,
    });
    const [b] = (await wide.interfaceOf("/w/A.sol"))?.contracts ?? [];
    assert.deepEqual(
      b?.members.map(({ signature }) => signature?.length),
      [undefined, "g()".length + 8 * "uint256".length + 7 * "(,)".length + 8 * "()".length],
    );
  });
});

describe("The contracts of the workspace", () => {
  const files = () => ({
    "/w/src/b/Vault.sol":
      "interface I {}\nabstract contract Base {}\ncontract Vault is Base {}\nlibrary Maths {}",
    "/w/src/a/Token.sol": "contract Token {}",
    "/w/src/Auction.vy": "@external\ndef bid():\n    pass\n",
    "/w/src/maths.vy": "@internal\ndef add():\n    pass\n",
    "/w/src/IAuction.vyi": "@external\ndef bid(): ...\n",
    "/w/node_modules/pkg/Owned.sol": "contract Owned {}",
    "/w/lib/dep/src/Dep.sol": "contract Dep {}",
  });
  const names = async (index: WorkspaceIndex) =>
    (await index.contracts()).map(({ path, name }) => `${path.slice("/w/src/".length)}:${name}`);

  it("are those that can be deployed, by path and in the order of each file; dependencies are not among them", async () => {
    const { index } = workspace(files());
    assert.deepEqual(await names(index), [
      "Auction.vy:Auction",
      "a/Token.sol:Token",
      "b/Vault.sol:Vault",
      "b/Vault.sol:Maths",
    ]);
  });

  it("are read once, and after a change only what has changed", async () => {
    const { index, asked, save } = workspace(files());
    await names(index);
    const before = asked.length;
    assert.equal(before, 5);
    await names(index);
    assert.equal(asked.length, before);
    save("/w/src/a/Token.sol", "contract Coin {}\ncontract Token {}");
    save("/w/src/c/New.sol", "contract New {}");
    save("/w/node_modules/pkg/Owned.sol", "contract Other {}");
    assert.deepEqual((await names(index)).slice(1, 3), ["a/Token.sol:Coin", "a/Token.sol:Token"]);
    assert.deepEqual(asked.slice(before).sort(), ["/w/src/a/Token.sol", "/w/src/c/New.sol"]);
    save("/w/src/c/New.sol", undefined);
    assert.ok(!(await names(index)).includes("c/New.sol:New"));
  });
});
