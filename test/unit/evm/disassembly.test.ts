import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { codeBytes } from "../../../src/core/evm/hex.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { alignInPieces } from "../../../src/core/evm/alignment.ts";
import { compareCodes } from "../../../src/core/evm/codeComparison.ts";
import { disassemble } from "../../../src/core/evm/disassembly.ts";
import { findEntries, findSelectors } from "../../../src/core/evm/dispatcher.ts";
import { opcodeName, opcodeOf } from "../../../src/core/evm/opcodes.ts";
import { findProxy } from "../../../src/core/evm/proxy.ts";
import { bytesOfPlaces, differingPlaces } from "../../../src/core/matching/differingPlaces.ts";
import { random } from "../random.ts";
import { recordedCompilations } from "./recordedCompilations.ts";
import { compile, contract } from "./solc.ts";

const garden = `
contract Plant { uint256 public immutable height; constructor(uint256 h) { height = h; } }
contract Garden {
    Plant[] public plants;
    mapping(address => uint256) public seeds;
    error NoSeeds(address who);
    function plant(uint256 height) external returns (Plant made) {
        if (seeds[msg.sender] == 0) revert NoSeeds(msg.sender);
        made = new Plant(height);
        plants.push(made);
    }
    function give(address to, uint256 count) external { seeds[to] += count; }
    function a() external pure returns (bytes4) { return 0x01ffc9a7; }
    function b() external view returns (uint256) { return block.timestamp; }
    function c(bytes4 x) external pure returns (bool) { return x == 0xdeadbeef; }
    fallback() external payable { if (msg.sig == 0x12345678) seeds[msg.sender]++; }
}`;

const settings = [
  {},
  { optimizer: { enabled: true, runs: 200 } },
  { optimizer: { enabled: true, runs: 1_000_000 } },
  { viaIR: true },
  { viaIR: true, optimizer: { enabled: true, runs: 200 } },
];

/** What Vyper made of small contracts, recorded from it: what deploys, the runtime code, and what lies behind that. */
const vyperCreations = [
  {
    compiler: "Vyper 0.3.4 without its optimizer",
    deploying: "61009561000f6000396100956000f3",
    runtimeCode:
      "600436101561000d5761007e565b60003560e01c34151561008557630dbe671f81141561004757600436141561008557610034565b600160006040015260206040610045565bf35b63cd580ff381141561007857602436141561008557610061565b60006004013560006040015260206040610076565bf35b5061007e565b60006000fd005b600080fda165767970657283000304",
    behind: "",
  },
  {
    compiler: "Vyper 0.3.7, nothing but __default__",
    deploying: "61002361000f6000396100236000f3",
    runtimeCode: "6003361161000c57610014565b60003560e01c505b00a165767970657283000307000b",
    behind: "",
  },
  {
    compiler: "Vyper 0.3.8, nothing but a __default__ that passes",
    deploying: "61001461000f6000396100146000f3",
    runtimeCode: "5f3560e01c5000a165767970657283000308000b",
    behind: "",
  },
  {
    compiler: "Vyper 0.3.8, optimize none, with an immutable",
    deploying:
      "604d5150610008565b3415156100825760205f5f01610086015f395f51604d52610024565b61004d61003460003961006d6000f3",
    runtimeCode:
      "5f3560e01c630c55699c81141561002e57610015565b602061004d5f395f515f604001526020604061002c565bf35b50610034565b610039565b61003e565b00a165767970657283000308000b",
    behind: "005b5f80fd",
  },
] as const;

/** Contracts of which little more than their auxdata is left, and what carries them. */
const littleContracts = {
  Nothing: "contract Nothing {}",
  Taking: "contract Taking { receive() external payable {} }",
  TakingAll: "contract TakingAll { fallback() external payable {} }",
  Refusing: "contract Refusing { fallback() external { revert(); } }",
  Library: "library Library { function f() internal {} }",
  Factory: "contract Nothing {} contract Factory { function f() external { new Nothing(); } }",
};

const factory = `
contract Nothing {}
contract Taking { receive() external payable {} }
contract TakingAll { fallback() external payable {} }
contract Refusing { fallback() external { revert(); } }
contract Named {
    string public name;
    constructor(string memory n) { name = n; }
    function words() external pure returns (string memory) {
        return "the quick brown fox jumps over the lazy dog and never comes back [9] to the place it came from";
    }
}
contract Factory {
    bytes constant TABLE = hex"00010203040506070809101112131415161718192021222324252627282930";
    function nothing() external returns (address) { return address(new Nothing()); }
    function taking() external returns (address) { return address(new Taking()); }
    function takingAll() external returns (address) { return address(new TakingAll{salt: 0}()); }
    function refusing() external returns (address) { return address(new Refusing()); }
    function named() external returns (address) {
        return address(new Named("the quick brown fox jumps over the lazy dog [9] and never comes back"));
    }
    function at(uint256 place) external pure returns (bytes1) { return TABLE[place]; }
}`;

describe("A disassembled code", () => {
  it("is cut without gaps, with embedded contracts and auxdata where they are", () => {
    for (const setting of settings) {
      const { evm } = contract(compile(garden, setting), "Garden");
      for (const { object } of [evm.bytecode, evm.deployedBytecode]) {
        const { bytes, sections, auxdatas } = disassemble(codeBytes(object));
        let end = 0;
        for (const section of sections) {
          assert.equal(section.start, end);
          end = section.end;
        }
        assert.equal(end, bytes.length);
        assert.equal(auxdatas.length, 2);
        const depths = sections.filter(({ kind }) => kind === "code").map(({ depth }) => depth);
        assert.deepEqual(depths, object === evm.bytecode.object ? [0, 1, 2, 3] : [0, 1, 2]);
      }
    }
  });

  it("knows the EVM version of each instruction", () => {
    const since = (name: string) => {
      for (let byte = 0; byte < 256; byte++) if (opcodeName(byte) === name) return opcodeOf(byte)?.since;
      return undefined;
    };
    assert.deepEqual(
      [
        "PUSH0",
        "MCOPY",
        "TLOAD",
        "TSTORE",
        "BLOBBASEFEE",
        "BASEFEE",
        "CHAINID",
        "SELFBALANCE",
        "SHR",
        "CREATE2",
      ].map(since),
      [
        "shanghai",
        "cancun",
        "cancun",
        "cancun",
        "cancun",
        "london",
        "istanbul",
        "istanbul",
        "constantinople",
        "constantinople",
      ],
    );
    assert.deepEqual(["CLZ", "RETURNDATASIZE", "ADD"].map(since), ["osaka", "byzantium", "homestead"]);
  });

  it("is covered without gaps also where a code within it is in front of the auxdata that is not its own", () => {
    const [before, within, behind] = [
      "61023e51503461002b5760206102825f395f5161023e52335f5561023e61002f6100003961025e610000f35b5f80fd",
      `5f3560e01c60026005820660011b61023401601e395f51565b638da5cb5b81186100335734610230575f54604052602060a2646970667358221220${"12".repeat(32)}64736f6c634300081c0033`,
      `${"5b".repeat(540)}8419023e810a1820a16576797065728300030a0015`,
    ];
    const bytes = codeBytes(`0x${before}${within}${behind}`);
    const { sections } = disassemble(bytes);
    assert.equal(
      sections.reduce((end, section) => (assert.equal(section.start, end), section.end), 0),
      bytes.length,
    );
  });

  it("is cut alike where two builds differ in a comment alone, however little of a contract it carries", () => {
    for (const [name, source] of Object.entries(littleContracts))
      for (const setting of [
        {},
        { optimizer: { enabled: true } },
        { viaIR: true, optimizer: { enabled: true } },
      ])
        for (let build = 0; build < 4; build++) {
          const { evm } = contract(compile(`// ${build}\n${source}`, setting), name);
          const { bytes, sections } = disassemble(codeBytes(evm.bytecode.object));
          const codes = sections.filter(({ kind }) => kind === "code");
          const what = `${name} ${JSON.stringify(setting)}, build ${build}`;
          assert.deepEqual(
            codes.map(({ depth }) => depth),
            name === "Factory" ? [0, 1, 2, 3] : [0, 1],
            what,
          );
          const runtime = codeBytes(evm.deployedBytecode.object);
          const start = codes[1]?.start ?? 0;
          assert.deepEqual(bytes.slice(start, start + runtime.length), runtime, what);
          assert.ok(
            sections.every(({ kind }) => kind !== "data"),
            what,
          );
        }
  });

  it("takes no hash of metadata for a contract, whatever number points into it", () => {
    const hash = `60006000f3${"12".repeat(27)}`;
    const auxdata = `a2646970667358221220${hash}64736f6c634300081c0033`;
    // The offset of the hash, which begins with what returns, and what is left of the auxdata from there on.
    const bytes = codeBytes(`0x6010602b00fe${auxdata}`);
    assert.deepEqual(
      disassemble(bytes).sections.map(({ kind, start, end }) => [kind, start, end]),
      [
        ["code", 0, 6],
        ["auxdata", 6, 59],
      ],
    );
  });

  it("has the contracts of a factory where they are, and no text or table that it copies among them", () => {
    for (const setting of [
      ...settings,
      { viaIR: true, metadata: { appendCBOR: false } },
      { metadata: { appendCBOR: false } },
    ]) {
      const contracts = compile(factory, setting);
      const objects = Object.values(contracts).flatMap(({ evm }) => [
        evm.bytecode.object,
        evm.deployedBytecode.object,
      ]);
      const whole = contract(contracts, "Factory").evm.deployedBytecode.object;
      const { sections } = disassemble(codeBytes(whole));
      const carried = sections.filter(({ kind, depth }) => kind === "code" && depth > 0);
      // Without metadata two of them are equal, and lie there once.
      const children = new Set(objects.filter((object) => object !== whole && whole.includes(object)));
      assert.equal(carried.length, children.size, JSON.stringify(setting));
      for (const { start } of carried)
        assert.ok(
          objects.some((object) => whole.startsWith(object, 2 * start)),
          `${start} ${JSON.stringify(setting)}`,
        );
    }
  });

  it("takes no constant that is copied for a contract, also where its bytes could run", () => {
    // Hashes of roles: solc keeps a constant that a constructor uses often behind all else, and copies it from there.
    const roles = [
      "6b607da3dc21eea76a18562cb4feda95b4aabc98dfa18671ea7e72a96728c65b",
      "5afea353f832b53979b5b951270efd93d05b57a98f5358852417c29295c77a23",
      "65fd542588cd6cff9284ad23acc61c5a6337cbdea5f54235580982fcfa78ffe0",
    ];
    for (const role of roles) {
      const uses = Array.from(
        { length: 8 },
        (_, at) => `if (block.number > ${at}) m[block.timestamp + ${at}] = 0x${role};`,
      );
      const source = `contract C { mapping(uint256 => bytes32) public m; constructor() { ${uses.join(" ")} } }`;
      const settings = { optimizer: { enabled: true, runs: 1 } };
      const { object } = contract(compile(source, settings), "C").evm.bytecode;
      assert.equal(object.split(role).length, 2, "is there once");
      const { sections } = disassemble(codeBytes(object));
      assert.deepEqual(
        sections.map(({ kind, depth }) => [kind, depth]),
        [
          ["code", 0],
          ["code", 1],
          ["auxdata", 1],
          ["data", 0],
        ],
      );
    }
  });

  it("has Vyper's runtime code where it is copied from, of whatever release and optimizer", () => {
    for (const { compiler, deploying, runtimeCode, behind } of vyperCreations) {
      const creation = disassemble(codeBytes(`0x${deploying}${runtimeCode}${behind}`));
      const codes = creation.sections.filter(({ kind }) => kind === "code");
      const start = deploying.length / 2;
      const [own] = disassemble(codeBytes(`0x${runtimeCode}`)).sections;
      assert.deepEqual(
        codes.map((code) => [code.start, code.end]),
        [
          [0, start],
          [start, start + (own?.end ?? 0)],
        ],
        compiler,
      );
    }
  });

  it("has no more codes within each other than anybody deploys, and what is deeper is data", () => {
    const levels = 20_000;
    const bytes = new Uint8Array(12 * levels + 5);
    // Each deploys all that is behind it.
    for (let at = 0; at < 12 * levels; at += 12) {
      const size = bytes.length - at - 12;
      bytes.set(
        [0x62, size >> 16, (size >> 8) & 0xff, size & 0xff, 0x80, 0x60, 12, 0x5f, 0x39, 0x5f, 0xf3, 0xfe],
        at,
      );
    }
    bytes.set([0x60, 1, 0x60, 0, 0xf3], 12 * levels);
    const { sections } = disassemble(bytes);
    assert.deepEqual([sections.at(-1)?.kind, sections.at(-1)?.depth], ["data", 32]);
    assert.equal(sections.length, 34);
  });

  it("never takes pushed data for an instruction", () => {
    const { sections } = disassemble(codeBytes("0x615b5b5b7f5b"));
    const [code] = sections;
    assert.ok(code?.kind === "code");
    assert.deepEqual(
      code.instructions.map(({ opcode, operand }) => [opcodeName(opcode), operand]),
      [
        ["PUSH2", "5b5b"],
        ["JUMPDEST", ""],
        ["PUSH32", "5b"],
      ],
    );
  });

  it("survives any bytes", () => {
    const { below } = random("disassembly of noise");
    for (let round = 0; round < 300; round++) {
      const bytes = Uint8Array.from({ length: below(600) }, () => below(256));
      const code = disassemble(bytes);
      const covered = code.sections.reduce((sum, { start, end }) => sum + end - start, 0);
      assert.equal(covered, bytes.length);
      findSelectors(code);
      findProxy(code);
      assert.deepEqual(differingPlaces(compareCodes(code, code).pairs), []);
    }
  });
});

describe("Two codes compared", () => {
  it("differ where a number that looks like a jump target is another one", () => {
    const code = (operand: string) => disassemble(codeBytes(`61${operand}5061000b50005b005b00`));
    const { pairs } = compareCodes(code("0009"), code("000b"));
    assert.equal(bytesOfPlaces(differingPlaces(pairs)), 1, "of the three bytes of the push");
    assert.deepEqual(
      pairs.filter(({ relation }) => relation !== "same").map(({ relation }) => relation),
      ["jump"],
    );
  });

  it("are the same where jumps only moved", () => {
    const compiled = contract(compile(garden), "Garden").evm.deployedBytecode.object;
    const edited = garden.replace("+= count; }", "+= count; seeds[to]++; }");
    const longer = contract(compile(edited), "Garden").evm.deployedBytecode.object;
    const { pairs, likeness } = compareCodes(
      disassemble(codeBytes(compiled)),
      disassemble(codeBytes(longer)),
    );
    assert.ok(likeness > 0.9);
    const moved = pairs.filter(
      ({ left, right, relation }) =>
        relation === "same" && left?.instruction?.operand !== right?.instruction?.operand,
    );
    assert.ok(moved.length > 20, "offsets behind the edit moved and count as the same");
  });
});

describe("The selectors of a code", () => {
  it("are those of the contract, however it was compiled", () => {
    for (const release of ["solc", "solc-0.8.24"])
      for (const setting of settings) {
        const { evm } = contract(compile(garden, setting, { release }), "Garden");
        const wanted = [...Object.values(evm.methodIdentifiers), "12345678"].sort();
        assert.deepEqual(findSelectors(disassemble(codeBytes(evm.deployedBytecode.object))), wanted);
      }
  });

  it("are read of older solc, and of Vyper's tables", () => {
    for (const { compiler, runtimeCode, selectors } of recordedCompilations)
      assert.deepEqual(findSelectors(disassemble(codeBytes(runtimeCode))), selectors, compiler);
  });

  it("lead each to a place of its own in the code, by comparisons and by Vyper's tables", () => {
    for (const { compiler, runtimeCode, selectors } of recordedCompilations) {
      const code = disassemble(codeBytes(runtimeCode));
      const { entries, table } = findEntries(code) ?? { entries: new Map<string, { offset: number }>() };
      assert.deepEqual([...entries.keys()].sort(), selectors, compiler);
      assert.equal(
        new Set([...entries.values()].map(({ offset }) => offset)).size,
        selectors.length,
        compiler,
      );
      assert.equal(table !== undefined, /gas|codesize/.test(compiler), compiler);
    }
  });
});

describe("A proxy", () => {
  const at = "5fbdb2315678afecb367f032d93f642f64180aa3";

  it("is known by what it does", () => {
    const cases: [string, string, string?][] = [
      [`363d3d373d3d3d363d73${at}5af43d82803e903d91602b57fd5bf3`, "EIP-1167", at],
      // With PUSH0, as Solady and 0xSplits write it.
      [`365f5f375f5f365f73${at}5af43d5f5f3e5f3d91602a57fd5bf3`, "EIP-1167", at],
      [`ef0100${at}`, "EIP-7702", at],
    ];
    for (const [code, kind, implementation] of cases)
      assert.deepEqual(findProxy(disassemble(codeBytes(code))), {
        kind,
        implementation: `0x${implementation ?? ""}`,
      });
  });

  it("is not a contract that only delegates calls of its own", () => {
    const { evm } = contract(
      compile(
        `contract Upgradeable { function upgrade(address to, bytes calldata data) external { assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, to) } (bool ok, ) = to.delegatecall(data); require(ok); } }`,
      ),
      "Upgradeable",
    );
    assert.equal(findProxy(disassemble(codeBytes(evm.deployedBytecode.object))), undefined);
  });
});

describe("Two lists lined up", () => {
  it("agree in every run, in order, and in all that was left alone", () => {
    const { below, next } = random("alignment");
    for (let round = 0; round < 1_000; round++) {
      const left = Array.from({ length: below(80) }, () => String(below(2 + (round % 20))));
      const right = left.flatMap((item) => {
        const draw = next();
        return draw < 0.1 ? [] : draw < 0.2 ? [item, "new"] : [item];
      });
      let [a, b] = [0, 0];
      for (const run of atOnce(alignInPieces(left, right))) {
        assert.ok(run.left >= a && run.right >= b && run.length > 0);
        assert.deepEqual(
          left.slice(run.left, run.left + run.length),
          right.slice(run.right, run.right + run.length),
        );
        [a, b] = [run.left + run.length, run.right + run.length];
      }
      assert.deepEqual(
        atOnce(alignInPieces(left, left)),
        left.length > 0 ? [{ left: 0, right: 0, length: left.length }] : [],
      );
    }
  });
});
