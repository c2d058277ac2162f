import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { codeBytes } from "../../../src/core/evm/hex.ts";
import { analyseCode } from "../../../src/core/matching/codeTraits.ts";
import { compareVersions } from "../../../src/core/versions.ts";
import { isWholeProof } from "../../rig/proofSize.ts";
import { chosenReleases } from "./corpora.ts";
import type { KeptCompilations } from "./keptCompilations.ts";

/** Contracts of which so little is left that most signs are missing, by what is special about them. */
const SMALL: Readonly<Record<string, string>> = {
  "only internal functions":
    "library C { function a(uint x) internal pure returns (uint) { return x + 1; } }",
  "a library's public function":
    "library C { function a(uint x) public pure returns (uint) { return x + 1; } }",
  "a library over storage":
    "library C { struct S { mapping(address => uint) m; } function a(S storage s, address x) public { s.m[x] += 1; } function b(S storage s, address x) public view returns (uint) { return s.m[x]; } }",
  "a library with loops":
    "library C { function a(uint[] memory x) public pure returns (uint s) { for (uint i = 0; i < x.length; i++) s += x[i]; } }",
  "nothing but a constructor": "contract C { uint x; constructor(uint y) { x = y; } }",
  nothing: "contract C { }",
  receives: "contract C { uint x; receive() external payable { x++; } }",
  "falls back": "contract C { uint x; fallback() external { x++; } }",
  "falls back for value": "contract C { uint x; fallback() external payable { x++; } }",
  "receives and falls back":
    "contract C { uint x; fallback() external payable { x++; } receive() external payable { x += 2; } }",
  "one function that is paid": "contract C { uint x; function f() external payable { x++; } }",
  "one function": "contract C { uint x; function f() external { x++; } }",
  "one view": "contract C { function f() external pure returns (uint) { return 1; } }",
  "one value": "contract C { uint public x; }",
  "two values": "contract C { uint public x; address public y; }",
  "a setter": "contract C { uint public x; function set(uint y) external { x = y; } }",
  forwards:
    "contract C { function f(address a, bytes calldata d) external returns (bool ok) { (ok, ) = a.call(d); } }",
  "a text": 'contract C { function name() external pure returns (string memory) { return "a name"; } }',
  "a stored text":
    "contract C { string public name; function set(string calldata n) external { name = n; } }",
  "an event":
    "contract C { event E(address indexed a, uint v); function f(uint v) external { emit E(msg.sender, v); } }",
  "a requirement":
    'contract C { address o; constructor() { o = msg.sender; } function f() external view { require(msg.sender == o, "not the owner"); } }',
  "an immutable": "contract C { address public immutable o; constructor() { o = msg.sender; } }",
  "a constant": "contract C { uint public constant X = 1e18; }",
  "takes ether out":
    "contract C { receive() external payable { } function out(address payable a) external { a.transfer(address(this).balance); } }",
  "a flag": "contract C { bool public on; function flip() external { on = !on; } }",
  "a list": "contract C { uint[] public l; function add(uint x) external { l.push(x); } }",
  "makes another":
    "contract D { uint public x; } contract C { function make() external returns (address) { return address(new D()); } }",
  "library of text":
    "library C { function len(string memory s) public pure returns (uint) { return bytes(s).length; } }",
  "falls back with an answer":
    "contract C { fallback(bytes calldata d) external returns (bytes memory) { return d; } }",
  "only receives nothing": "contract C { receive() external payable { } }",
  "a structure":
    "contract C { struct S { uint a; address b; } S public s; function set(uint a, address b) external { s = S(a, b); } }",
  approvals:
    "contract C { mapping(address => mapping(address => uint)) public allowance; function approve(address a, uint v) external { allowance[msg.sender][a] = v; } }",
  "a modifier":
    "contract C { address public owner = msg.sender; modifier only() { require(msg.sender == owner); _; } function hand(address a) external only { owner = a; } }",
  "a hash":
    "contract C { function h(bytes calldata d) external pure returns (bytes32) { return keccak256(d); } }",
  "a sum of a list":
    "contract C { function sum(uint[] calldata l) external pure returns (uint s) { for (uint i = 0; i < l.length; i++) s += l[i]; } }",
  tries:
    "interface I { function f() external; } contract C { function t(I i) external returns (bool) { try i.f() { return true; } catch { return false; } } }",
  "an enumeration":
    "contract C { enum E { A, B, D } E public e; function next() external { e = e == E.A ? E.B : E.D; } }",
  deposits:
    'contract C { mapping(address => uint) public of_; receive() external payable { of_[msg.sender] += msg.value; } function out() external { uint v = of_[msg.sender]; of_[msg.sender] = 0; (bool ok, ) = msg.sender.call{value: v}(""); require(ok); } }',
  "packed bytes":
    "contract C { function p(address a, uint8 b) external pure returns (bytes memory) { return abi.encodePacked(a, b); } }",
  "a beacon": "contract C { address public implementation; constructor(address i) { implementation = i; } }",
  arithmetic:
    "contract C { function f(uint a, uint b) external pure returns (uint) { return a * b / (a + b); } }",
  "delegates everything":
    "contract C { address to; fallback() external payable { (bool ok, ) = to.delegatecall(msg.data); require(ok); } }",
};

/** The same as releases before 0.6.0 write them. */
const OLD: typeof SMALL = {
  "falls back": "contract C { uint x; function() external { x++; } }",
  "falls back for value": "contract C { uint x; function() external payable { x++; } }",
  "receives nothing": "contract C { function() external payable { } }",
  "a setter": "contract C { uint public x; function set(uint y) external { x = y; } }",
  "one value": "contract C { uint public x; }",
  "two values": "contract C { uint public x; address public y; }",
  "one function": "contract C { uint x; function f() external { x++; } }",
  one: "contract C { function f() external returns (uint) { return 1; } }",
  "a flag": "contract C { bool public on; function flip() external { on = !on; } }",
  "a list": "contract C { uint[] public l; function add(uint x) external { l.push(x); } }",
  "a library's public function": "library C { function a(uint x) public returns (uint) { return x + 1; } }",
  "a requirement":
    "contract C { address o = msg.sender; function f() external { require(msg.sender == o); } }",
  "delegates everything":
    "contract C { address to; function() external payable { assembly { calldatacopy(0, 0, calldatasize) let ok := delegatecall(gas, sload(0), 0, calldatasize, 0, 32) return(0, 32) } } }",
};

const OPTIMIZERS = [
  { enabled: false },
  { enabled: true, runs: 1 },
  { enabled: true, runs: 200 },
  { enabled: true, runs: 1_000_000 },
];
/** `viaIR` was accepted from 0.8.13 on without a word of warning. */
const OLDEST_IR = "0.8.13";

describe("A contract that is nearly empty", () => {
  let compilers: KeptCompilations;
  let versions: readonly string[];

  before(async () => {
    ({ compilers, versions } = await chosenReleases("compilers of small contracts", isWholeProof()));
  });
  after(() => compilers.stop());

  /** Those of a release; in a sample each is compiled by one of the releases. */
  const contractsOf = (version: string) =>
    Object.entries(compareVersions(version, "0.6.0") < 0 ? OLD : SMALL).filter(
      (_, at) => isWholeProof() || versions[at % versions.length] === version,
    );

  it("is never taken for one of the other pipeline, or for one that was or was not optimized", async () => {
    const wrong: string[] = [];
    const told = { pipeline: 0, optimizer: 0, codes: 0 };
    for (const version of versions)
      for (const [what, content] of contractsOf(version))
        for (const viaIR of compareVersions(version, OLDEST_IR) >= 0 ? [false, true] : [false])
          for (const optimizer of OPTIMIZERS) {
            const output = (await compilers.compile(version, {
              language: "Solidity",
              sources: { "c.sol": { content: `pragma solidity >=0.4.0;\n${content}\n` } },
              settings: {
                optimizer,
                ...(viaIR && { viaIR }),
                outputSelection: { "*": { "*": ["evm.deployedBytecode.object"] } },
              },
            })) as unknown as {
              contracts?: { "c.sol": { C?: { evm: { deployedBytecode: { object: string } } } } };
            };
            const code = output.contracts?.["c.sol"].C?.evm.deployedBytecode.object;
            if (!code) continue;
            told.codes++;
            const { pipeline, isOptimized } = analyseCode(codeBytes(`0x${code}`));
            const at = `${version}, ${what}, ${JSON.stringify(optimizer)}${viaIR ? ", via IR" : ""}`;
            if (pipeline !== undefined) told.pipeline++;
            if (isOptimized !== undefined) told.optimizer++;
            if (pipeline === (viaIR ? "legacy" : "ir"))
              wrong.push(`${at}: taken for ${pipeline} ${code.slice(0, 300)}`);
            if (isOptimized === !optimizer.enabled)
              wrong.push(`${at}: taken for ${isOptimized ? "" : "not "}optimized ${code.slice(0, 300)}`);
          }
    console.log(
      `${versions.join(", ")}: ${told.codes} codes, pipeline told of ${told.pipeline}, optimizer of ${told.optimizer}; wrong: ${wrong.length}`,
    );
    assert.deepEqual(wrong, []);
    assert.ok(told.codes > 20 * versions.length, `${told.codes}`);
  });
});
