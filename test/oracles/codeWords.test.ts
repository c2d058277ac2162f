// How a deployed and a recompiled code differ, in words: real compilers make pairs of codes of which it is known what was
// changed between them, and the summary of the page has to say that, and nothing else.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { hexToBytes } from "@noble/hashes/utils.js";
import { getAddress } from "ethers";
import { atOnce } from "../../src/core/concurrency/turns.ts";
import { disassemble } from "../../src/core/evm/disassembly.ts";
import { JUMPDEST } from "../../src/core/evm/opcodes.ts";
import { fieldAt } from "../../src/core/json/looseData.ts";
import { codeSummaryInPieces } from "../../src/core/matching/codeSummary.ts";
import type { CodeSummary } from "../../src/core/matching/codeSummaryShape.ts";
import { proofSize, seed } from "../rig/proofSize.ts";
import { compileNow } from "../sandbox/solcNow.ts";
import { vyperEnvironment } from "../sandbox/vyperEnvironment.ts";
import { randomFrom, type Random } from "../unit/random.ts";
import { compileInputs } from "./vyper/vyperPrograms.ts";

/** What was changed, and how a person may read it. */
interface Change {
  readonly name: string;
  readonly deployed: string;
  readonly compiled: string;
  /** Accepted spellings of each side. */
  readonly spelt: readonly [readonly string[], readonly string[]];
}

interface CodePair {
  readonly name: string;
  readonly deployed: string;
  readonly compiled: string;
  readonly input: Parameters<typeof codeSummaryInPieces>[2];
  readonly changes: readonly Change[];
  /** Values that the deployment wrote, in digits. */
  readonly written: readonly string[];
  readonly addresses: readonly (readonly [deployed: string, compiled: string])[];
  readonly metadata: RegExp;
  /** The recompiled one. */
  readonly creationCode?: string;
}

const grouped = (value: bigint) => value.toString().replace(/\B(?=(\d{3})+$)/g, ",");
const hexOf = (random: Random, bytes: number) =>
  Array.from({ length: bytes }, () => random.below(256).toString(16).padStart(2, "0")).join("");

/** A constant of a kind, with two values that differ. */
function changeOf(
  random: Random,
  name: string,
  language: "Solidity" | "Vyper",
): Change & { readonly type: string } {
  const kind = random.pick(["small", "large", "ether", "address", "word", "text"] as const);
  const numbers = (values: readonly [bigint, bigint], type: string, written?: (value: bigint) => string) => ({
    name,
    type,
    deployed: (written ?? String)(values[0]),
    compiled: (written ?? String)(values[1]),
    spelt: values.map((value) => [grouped(value), value.toString(), `0x${value.toString(16)}`]) as never,
  });
  const other = (first: bigint, next: () => bigint) => {
    for (;;) {
      const second = next();
      if (second !== first) return second;
    }
  };
  switch (kind) {
    case "small": {
      // Of one byte and of two.
      const one = BigInt(2 + random.below(500));
      return numbers([one, other(one, () => BigInt(2 + random.below(500)))], "uint256");
    }
    case "large": {
      const one = BigInt(`0x1${hexOf(random, 6)}`);
      return numbers([one, other(one, () => BigInt(`0x1${hexOf(random, 6)}`))], "uint256");
    }
    case "ether": {
      const one = BigInt(1 + random.below(90));
      const two = other(one, () => BigInt(1 + random.below(90)));
      const scale = 10n ** 18n;
      if (language === "Vyper") return numbers([one * scale, two * scale], "uint256");
      const told = (value: bigint) => [
        grouped(value * scale),
        (value * scale).toString(),
        `${value} ether`,
        `${value}e18`,
      ];
      return {
        name,
        type: "uint256",
        deployed: `${one} ether`,
        compiled: `${two} ether`,
        spelt: [told(one), told(two)],
      };
    }
    case "address": {
      const value = () => checksummed(hexOf(random, 20));
      const values = [value(), value()] as const;
      return {
        name,
        type: "address",
        deployed: values[0],
        compiled: values[1],
        spelt: values.map((value) => [
          value,
          value.toLowerCase(),
          short(value),
          short(value.toLowerCase()),
        ]) as never,
      };
    }
    case "word": {
      const value = () => `0x${hexOf(random, 32)}`;
      const values = [value(), value()] as const;
      return {
        name,
        type: "bytes32",
        deployed: values[0],
        compiled: values[1],
        spelt: values.map((value) => [value, short(value), `${value.slice(0, 6)}…`]) as never,
      };
    }
    case "text": {
      const words = ["alpha", "gamma", "delta", "sigma", "omega"];
      const one = random.oneOf(words);
      const two = random.oneOf(words.filter((word) => word !== one));
      return {
        name,
        type: language === "Vyper" ? "String[5]" : "string",
        deployed: `"${one}"`,
        compiled: `"${two}"`,
        spelt: [[one], [two]],
      };
    }
  }
}

const checksummed = (digits: string) => getAddress(`0x${digits}`);
const short = (value: string) => `${value.slice(0, 6)}…${value.slice(-4)}`;

const OPENZEPPELIN = [
  "token/ERC20/ERC20.sol",
  "token/ERC20/IERC20.sol",
  "token/ERC20/extensions/IERC20Metadata.sol",
  "utils/Context.sol",
  "interfaces/draft-IERC6093.sol",
];
const packages = Object.fromEntries(
  OPENZEPPELIN.map((file) => [
    `@openzeppelin/contracts/${file}`,
    { content: readFileSync(`node_modules/@openzeppelin/contracts/${file}`, "utf8") },
  ]),
);

interface SolidityOutput {
  readonly object: string;
  readonly immutableReferences: Readonly<Record<string, readonly { start: number; length: number }[]>>;
}

function compiledVault(content: string, settings: object, release: string, isToken: boolean): SolidityOutput {
  const output = compileNow(
    {
      language: "Solidity",
      sources: { "src/Vault.sol": { content }, ...(isToken ? packages : {}) },
      settings: { ...settings, outputSelection: { "*": { "*": ["evm.deployedBytecode"] } } },
    },
    release,
  );
  const found = fieldAt(output, "contracts", "src/Vault.sol", "Vault", "evm", "deployedBytecode");
  if (found === undefined) throw new Error(JSON.stringify(fieldAt(output, "errors")));
  return found as SolidityOutput;
}

const METADATA = [
  [undefined, undefined, /^ipfs:\S+ deployed, ipfs:\S+ compiled$/],
  [{ bytecodeHash: "none" }, { bytecodeHash: "none" }, /^neither code carries one$/],
  [{ bytecodeHash: "none" }, undefined, /^none deployed, ipfs:\S+ compiled$/],
  [undefined, { bytecodeHash: "none" }, /^ipfs:\S+ deployed, none compiled$/],
  [
    { appendCBOR: false, bytecodeHash: "none" },
    { appendCBOR: false, bytecodeHash: "none" },
    /^neither code carries metadata$/,
  ],
  [{ bytecodeHash: "bzzr1" }, { bytecodeHash: "bzzr1" }, /^bzz\S+ deployed, bzz\S+ compiled$/],
  [{ appendCBOR: false, bytecodeHash: "none" }, undefined, /^none deployed, ipfs:\S+ compiled$/],
] as const;

function solidityPair(random: Random): CodePair {
  const release = random.pick(["solc", "solc-0.8.28", "solc-0.8.24"]);
  const isToken = release !== "solc-0.8.24" && random.below(4) === 0;
  const changes = Array.from({ length: random.below(3) }, (_, at) =>
    changeOf(random, `LIMIT_${at}`, "Solidity"),
  );
  const immutables = Array.from({ length: random.below(4) }, (_, at) => ({
    name: `given${at}`,
    type: random.pick(["address", "uint256", "uint64", "bytes32", "bool"]),
  }));
  const hasLibrary = random.below(3) === 0;
  const [ofDeployed, ofCompiled, metadata] = random.oneOf(METADATA);
  const code = (side: "deployed" | "compiled") => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
${isToken ? 'import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";' : ""}
library Rates { function share(uint256 a, uint256 b) external pure returns (uint256) { return (a * b) / 10_000; } }
contract Vault ${isToken ? 'is ERC20("Vault", "V") ' : ""}{
    uint256 public total;
${changes.map((one) => `    ${one.type} internal constant ${one.name} = ${one[side]};`).join("\n")}
${immutables.map((one) => `    ${one.type} internal immutable ${one.name};`).join("\n")}
    constructor(${immutables.map((one) => `${one.type} ${one.name}_`).join(", ")}) { ${immutables.map((one) => `${one.name} = ${one.name}_;`).join(" ")} }
    function set(uint256 amount) external { total = ${hasLibrary ? "Rates.share(amount, 3)" : "amount + 3"}; }
${changes.map((one, at) => `    function limit${at}() external pure returns (${one.type === "string" ? "string memory" : one.type}) { return ${one.name}; }`).join("\n")}
${immutables.map((one) => `    function ${one.name}Of() external view returns (${one.type}) { return ${one.name}; }`).join("\n")}
}
// ${side === "deployed" ? "as it was deployed" : "as it is now"}
`;
  const optimizer = { enabled: random.below(2) === 0, runs: random.pick([1, 200, 10_000]) };
  const viaIR = release !== "solc-0.8.24" && random.below(5) === 0;
  const addresses = [hexOf(random, 20), hexOf(random, 20)] as const;
  const isSameLibrary = random.below(2) === 0;
  const settings = (metadataSettings: object | undefined, library: string) => ({
    optimizer: viaIR ? { ...optimizer, enabled: true } : optimizer,
    ...(viaIR ? { viaIR } : {}),
    ...(metadataSettings ? { metadata: metadataSettings } : {}),
    ...(hasLibrary ? { libraries: { "src/Vault.sol": { Rates: `0x${library}` } } } : {}),
  });
  const deployed = compiledVault(code("deployed"), settings(ofDeployed, addresses[0]), release, isToken);
  const compiled = compiledVault(
    code("compiled"),
    settings(ofCompiled, isSameLibrary ? addresses[0] : addresses[1]),
    release,
    isToken,
  );
  let digits = deployed.object;
  const written: string[] = [];
  const ordered = Object.entries(deployed.immutableReferences).sort(([a], [b]) => Number(a) - Number(b));
  ordered.forEach(([, places], at) => {
    const { type } = immutables[at] ?? { type: "uint256" };
    const value =
      type === "address"
        ? hexOf(random, 20)
        : type === "bytes32"
          ? `f${hexOf(random, 32).slice(1)}`
          : type === "bool"
            ? "01"
            : `1${hexOf(random, 3)}`;
    written.push(value);
    for (const { start, length } of places)
      digits = `${digits.slice(0, 2 * start)}${value.padStart(2 * length, "0")}${digits.slice(2 * (start + length))}`;
  });
  return {
    name: `${release}${viaIR ? " via IR" : ""}${isToken ? " with OpenZeppelin" : ""}${hasLibrary ? " with a library" : ""}: ${changes.map(({ type }) => type).join(", ") || "no constant"}, ${immutables.length} immutables`,
    deployed: `0x${digits}`,
    compiled: `0x${compiled.object}`,
    input: {
      language: "Solidity",
      sources: { "src/Vault.sol": { content: code("compiled") } },
      settings: settings(ofCompiled, isSameLibrary ? addresses[0] : addresses[1]),
    },
    changes,
    written: [...new Set(written)],
    addresses: hasLibrary && !isSameLibrary ? [addresses] : [],
    metadata,
  };
}

/** Metadata of Vyper: a trailer without a hash up to 0.3.9, and none in the runtime code from 0.3.10 on. */
const VYPERS = [
  ["0.3.7", /^neither code carries one$/],
  ["0.3.10", /^neither code carries (?:one|metadata)$/],
  ["0.4.3", /^neither code carries (?:one|metadata)$/],
] as const;

async function vyperPairs(random: Random, count: number): Promise<CodePair[]> {
  const pairs: CodePair[] = [];
  for (const [version, metadata] of VYPERS) {
    const environment = vyperEnvironment(version);
    if ("missing" in environment) continue;
    const isNew = version.startsWith("0.4");
    const made = Array.from({ length: Math.ceil(count / VYPERS.length) }, () => {
      const changes = Array.from({ length: random.below(3) }, (_, at) =>
        changeOf(random, `LIMIT_${at}`, "Vyper"),
      );
      const immutables = Array.from({ length: random.below(4) }, (_, at) => ({
        name: `GIVEN_${at}`,
        type: random.pick(["address", "uint256", "bytes32"]),
      }));
      const code = (side: "deployed" | "compiled") => `# @version ${version}
total: public(uint256)
${changes.map((one) => `${one.name}: constant(${one.type}) = ${one[side]}`).join("\n")}
${immutables.map((one) => `${one.name}: immutable(${one.type})`).join("\n")}

${isNew ? "@deploy" : "@external"}
def __init__(${immutables.map((one, at) => `a${at}: ${one.type}`).join(", ")}):
${immutables.map((one, at) => `    ${one.name} = a${at}`).join("\n") || "    pass"}

@external
def set(amount: uint256):
    self.total = amount + 3

${changes.map((one, at) => `@external\n@view\ndef limit${at}() -> ${one.type}:\n    return ${one.name}`).join("\n\n")}

${immutables.map((one, at) => `@external\n@view\ndef given${at}() -> ${one.type}:\n    return ${one.name}`).join("\n\n")}
# ${side}
`;
      return { changes, immutables, code };
    });
    const inputs = made.flatMap(({ code }) =>
      (["deployed", "compiled"] as const).map((side) => ({
        language: "Vyper",
        sources: { "Vault.vy": { content: code(side) } },
        settings: { outputSelection: { "Vault.vy": ["evm.bytecode", "evm.deployedBytecode"] } },
      })),
    );
    const outputs = await compileInputs({ bin: environment.bin, folder: "." }, inputs);
    made.forEach(({ changes, immutables, code }, at) => {
      const [deployed, compiled] = [0, 1].map((side) => {
        const object = fieldAt(
          outputs[2 * at + side],
          "contracts",
          "Vault.vy",
          "Vault",
          "evm",
          "deployedBytecode",
          "object",
        );
        if (typeof object !== "string")
          throw new Error(JSON.stringify(outputs[2 * at + side]).slice(0, 2_000));
        return object.replace(/^0x/, "");
      });
      const written = immutables.map(({ type }) =>
        type === "address"
          ? hexOf(random, 20)
          : type === "bytes32"
            ? `f${hexOf(random, 32).slice(1)}`
            : `1${hexOf(random, 3)}`,
      );
      pairs.push({
        name: `Vyper ${version}: ${changes.map(({ type }) => type).join(", ") || "no constant"}, ${immutables.length} immutables`,
        deployed: `0x${deployed ?? ""}${written.map((value) => value.padStart(64, "0")).join("")}`,
        compiled: `0x${compiled ?? ""}`,
        input: { language: "Vyper", sources: { "Vault.vy": { content: code("compiled") } } },
        changes,
        written,
        addresses: [],
        metadata,
        creationCode: String(
          fieldAt(outputs[2 * at + 1], "contracts", "Vault.vy", "Vault", "evm", "bytecode", "object"),
        ),
      });
    });
  }
  return pairs;
}

/** Immutables are told as numbers, short addresses or shortened words; any of them will do. */
function isTold(text: string, digits: string): boolean {
  const plain = digits.replace(/^0+/, "");
  return [
    grouped(BigInt(`0x${digits}`)),
    short(`0x${digits}`),
    short(`0x${plain.padStart(40, "0")}`),
    `0x${plain}`,
  ].some((one) => text.includes(one));
}

function judge(pair: CodePair, summary: CodeSummary | undefined): void {
  assert.ok(summary);
  const facts = Object.fromEntries(
    summary.facts.map(({ label, value, whole }) => [label, `${value} ${whole ?? ""}`]),
  );
  const told = summary.facts.map(({ label, value }) => `${label}: ${value}`).join("\n");
  const { changes, written, addresses, metadata } = pair;
  assert.match(summary.facts.find(({ label }) => label === "Metadata hash")?.value ?? "", metadata, told);
  const ofFunctions = summary.facts.find(({ label }) => label === "Functions")?.value;
  const ofValues = summary.facts.filter(({ label }) => label !== "Functions").map(({ value }) => value);
  assert.equal(/differ|Only the/.test(ofValues.join("\n")), changes.length > 0, `values: ${told}`);
  if (changes.length === 0 && ofFunctions !== undefined) {
    // Of the functions only `set` calls the library, whose address is in its code.
    assert.ok(addresses.length > 0, told);
    assert.match(ofFunctions, /^The code of 0x60fe47b1 differs; /, told);
  }
  for (const { name, compiled, spelt } of changes) {
    for (const spellings of spelt)
      assert.ok(
        spellings.some((one) => told.includes(one)),
        `${spellings.join(" or ")} is not told:\n${told}`,
      );
    // Of several constants of a value it is not known which one is meant.
    if (changes.filter((one) => one.compiled === compiled).length > 1) continue;
    assert.ok(told.includes(`in ${name} `) || told.includes(`${name} (`), `${name} is not named:\n${told}`);
  }
  for (const value of written)
    assert.ok(isTold(facts["Immutables"] ?? "", value), `${value} is not told:\n${told}`);
  assert.equal("Immutables" in facts, written.length > 0, told);
  for (const [one, other] of addresses)
    assert.ok(
      [one, other].every((address) => (facts["Address"] ?? "").includes(address)),
      told,
    );
  assert.equal("Address" in facts, addresses.length > 0, told);
  if (addresses.length > 0) assert.match(told, /of the library Rates$/m);
  if (changes.length + addresses.length === 0) {
    assert.match(summary.figure, /none differ(?: besides the metadata)?$/, `${summary.figure}\n${told}`);
    assert.equal(summary.placeCount, 0);
    const kinds = [...summary.deployed.cells, ...summary.compiled.cells].map(({ kind }) => kind);
    assert.ok(!kinds.includes("code"), "no part of the maps is of the code");
  } else {
    assert.ok(summary.placeCount > 0, "nothing differs");
    // Of functions that give the same the IR pipeline makes one, and two of them are another code.
    const isOneOfTwo = (["deployed", "compiled"] as const).some(
      (side) => new Set(changes.map((one) => one[side])).size < changes.length,
    );
    const most = isOneOfTwo ? Infinity : 3 * (changes.length + addresses.length);
    assert.ok(summary.placeCount <= most, `${summary.placeCount} places`);
  }
  assert.doesNotMatch(told, /undefined|NaN|0x0x|\bnull\b/);
}

/** A contract that reckons with a number and returns it; and a comment by which its metadata differ. */
const reckoning = (limit: number) => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Vault {
    uint256 public total;
    mapping(address => uint256) public shares;
    uint256 internal constant LIMIT = ${limit};
    function set(uint256 amount) external { require(amount > LIMIT, "Vault: too little"); total = amount; }
    function share(uint256 amount) public view returns (uint256) { return (amount * LIMIT) / (total + 1); }
    function take(uint256 amount) external { shares[msg.sender] += share(amount); total -= amount; }
    function limit() external pure returns (uint256) { return LIMIT; }
}
`;

/** Two codes, the number of each of which is the offset of a jump target in it. */
function placePair(random: Random): {
  readonly numbers: readonly number[];
  readonly codes: readonly string[];
} {
  const release = random.pick(["solc", "solc-0.8.28", "solc-0.8.24"]);
  const viaIR = release !== "solc-0.8.24" && random.below(4) === 0;
  const settings = { optimizer: { enabled: viaIR || random.below(2) === 0, runs: 200 }, viaIR };
  const compiled = (limit: number) => {
    const { object } = compiledVault(reckoning(limit), settings, release, false);
    const targets = disassemble(hexToBytes(object))
      .sections.flatMap((section) => (section.kind === "code" ? section.instructions : []))
      .filter(({ opcode, offset }) => opcode === JUMPDEST && offset > 0xff)
      .map(({ offset }) => offset);
    return { object, targets };
  };
  // Of another number of two bytes the code is as long.
  const { targets } = compiled(0xffff);
  for (;;) {
    const numbers = [random.oneOf(targets), random.oneOf(targets)] as const;
    const codes = numbers.map(compiled);
    if (numbers[0] === numbers[1] || !codes.every((one, at) => one.targets.includes(numbers[at] ?? 0)))
      continue;
    return { numbers, codes: codes.map(({ object }) => `0x${object}`) };
  }
}

describe("How two codes differ, in words", () => {
  it("is a number, too, that is the offset of a jump target by chance", () => {
    const random = randomFrom(seed("numbers that are places"));
    for (let pair = 0; pair < proofSize({ sample: 6, whole: 60 }); pair++) {
      const { numbers, codes } = placePair(random);
      const [deployed = "", compiled = ""] = codes;
      const input: CodePair["input"] = {
        language: "Solidity",
        sources: { "src/Vault.sol": { content: reckoning(numbers[1] ?? 0) } },
      };
      const summary = atOnce(codeSummaryInPieces(deployed, compiled, input));
      const told = summary?.facts.map(({ label, value }) => `${label}: ${value}`).join("\n") ?? "";
      const [mine = "", theirs = ""] = numbers.map((value) => grouped(BigInt(value)));
      assert.match(told, new RegExp(`A value differs: ${mine} deployed, ${theirs} compiled, in LIMIT`), told);
    }
  });

  it("is what was changed between them, and nothing else", async () => {
    const random = randomFrom(seed("code words"));
    const count = proofSize({ sample: 6, whole: 400 });
    const pairs = [
      ...Array.from({ length: count }, () => solidityPair(random)),
      ...(await vyperPairs(random, count / 2)),
    ];
    const wrong: string[] = [];
    for (const pair of pairs) {
      try {
        judge(pair, atOnce(codeSummaryInPieces(pair.deployed, pair.compiled, pair.input, pair.creationCode)));
      } catch (error) {
        wrong.push(`${pair.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    console.log(`code words: ${pairs.length - wrong.length} of ${pairs.length} pairs are told`);
    assert.deepEqual(wrong, []);
  });
});
