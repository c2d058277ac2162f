import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { codeSummaryInPieces, creationSummaryInPieces } from "../../../src/core/matching/codeSummary.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { compile, contract } from "../evm/solc.ts";
import { random } from "../random.ts";

const VAULT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Vault {
    uint256 constant FEE = 25;
    address immutable owner;
    uint256 public total;
    constructor(address owner_) { owner = owner_; }
    function pay(uint256 amount) external returns (uint256) {
        require(msg.sender == owner);
        total += amount;
        return amount * FEE / 10_000;
    }
}
`;
const OWNER = "70997970c51812dc3a010c7d01b50e0d17dc79c8";

function codeOf(source: string): string {
  return contract(compile(source), "Vault").evm.deployedBytecode.object;
}

/** As a deployment does: the owner stands in the places that the compiler left empty. */
function deployed(code: string): string {
  return `0x${code.replaceAll(`7f${"00".repeat(32)}`, `7f${"00".repeat(12)}${OWNER}`)}`;
}

const summed = (one: string, other: string, source?: string) =>
  atOnce(
    codeSummaryInPieces(
      one,
      other,
      source === undefined
        ? undefined
        : { language: "Solidity", sources: { "src/Vault.sol": { content: source } } },
    ),
  );

function known(summary: ReturnType<typeof summed>): NonNullable<typeof summary> {
  assert.ok(summary);
  return summary;
}

describe("What two codes differ in, as a person would sum it up", () => {
  it("names the value that differs, where the sources say it, and what the deployment wrote", () => {
    const edited = VAULT.replace("= 25", "= 52");
    const {
      figure,
      facts,
      places,
      placeCount,
      deployed: map,
    } = known(summed(deployed(codeOf(VAULT)), `0x${codeOf(edited)}`, edited));
    assert.match(figure, /^\d[\d,]* bytes, 1 differs in 1 place$/);
    const told = Object.fromEntries(facts.map(({ label, value }) => [label, value]));
    assert.equal(told["Values"], "A value differs: 25 deployed, 52 compiled, in FEE (Vault.sol:4)");
    assert.equal(told["Immutables"], "1 value that the deployment wrote: 0x7099…79c8");
    assert.match(told["Metadata hash"] ?? "", /^ipfs:\/\/\w+ deployed, ipfs:\/\/\w+ compiled$/);
    assert.equal(places.length, placeCount);
    assert.deepEqual(
      places.map(({ deployedBytes, compiledBytes, values }) => [deployedBytes, compiledBytes, values]),
      [[1, 1, { deployed: "0x19", compiled: "0x34" }]],
    );
    const kinds = new Set(map.cells.map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), ["code", "immutable", "metadata", "same"]);
  });

  it("names a value where one code has a number twice and makes the second by copying the first", () => {
    const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Vault {
    uint256 public total;
    uint256 internal constant WORD = 139;
    function set(uint256 amount) external { total = amount + 3; }
    function word() external pure returns (uint256) { return WORD; }
}
`;
    const edited = source.replace("= 139", "= 32");
    const [one = "", other = ""] = [source, edited].map((text) => {
      const compiled = compile(text, { optimizer: { enabled: true, runs: 200 }, viaIR: true });
      return `0x${contract(compiled, "Vault").evm.deployedBytecode.object}`;
    });
    const told = Object.fromEntries(
      known(summed(one, other, edited)).facts.map(({ label, value }) => [label, value]),
    );
    assert.equal(told["Values"], "A value differs: 139 deployed, 32 compiled, in WORD (Vault.sol:5)");
  });

  it("counts of a word that is pushed, or that is data, only the bytes that differ, and says where they are", () => {
    const word = (last: string) => `${"ab".repeat(31)}${last}`;
    const whole = { deployed: `0xcd${word("01").slice(2)}`, compiled: `0x${word("02")}` };
    const last = { deployed: "0x01", compiled: "0x02" };
    for (const [one, other, bytes, offset, values] of [
      [`7f${word("01")}5000`, `7f${word("02")}5000`, 1, 32, last],
      [`7fcd${word("01").slice(2)}5000`, `7f${word("02")}5000`, 2, 1, whole],
      [`600050fe${word("01")}`, `600050fe${word("02")}`, 1, 35, last],
      ["60195000", "60345000", 1, 1, { deployed: "0x19", compiled: "0x34" }],
    ] as const) {
      const { figure, places } = known(atOnce(codeSummaryInPieces(`0x${one}`, `0x${other}`)));
      assert.match(figure, bytes === 1 ? /, 1 differs in 1 place$/ : /, 2 differ in 1 place$/, one);
      assert.deepEqual(places, [{ offset, deployedBytes: bytes, compiledBytes: bytes, values }], one);
    }
  });

  it("has what stands in a short place of each code, also of one that has nothing there, and not of a long one", () => {
    const placesOf = (one: string, other: string) =>
      known(atOnce(codeSummaryInPieces(`0x${one}`, `0x${other}`))).places.map(({ values }) => values);
    assert.deepEqual(placesOf("60015060025000", "60015000"), [{ deployed: "0x600250", compiled: "0x" }]);
    const long = "6001506002506003506004506005506006506007506008506009506010506011506012";
    assert.ok(placesOf(`${long}5000`, "00").some((values) => values === undefined));
  });

  const creationOf = (source: string) => contract(compile(source), "Vault").evm.bytecode.object;
  const argument = `${"00".repeat(12)}${OWNER}`;
  const created = (one: string, other: string, source: string) =>
    known(
      atOnce(
        creationSummaryInPieces(`0x${one}`, `0x${other}`, {
          language: "Solidity",
          sources: { "src/Vault.sol": { content: source } },
        }),
      ),
    );

  it("tells both lengths where the compiled code has more that differs than the deployed one has at all", () => {
    const small = "0x600160020160005260206000f3";
    const { figure } = known(summed(small, `0x${codeOf(VAULT)}`));
    assert.match(figure, /^13 bytes deployed, [\d,]+ compiled; [\d,]+ differ in \d+ places?$/);
  });

  it("tells in the creation code what a constructor does otherwise from its arguments and the metadata", () => {
    const edited = VAULT.replace("owner = owner_;", "owner = owner_; total = 7;");
    const summary = created(creationOf(VAULT) + argument, creationOf(edited), edited);
    assert.match(summary.figure, /bytes, \d+ differ in \d+ places?$/);
    assert.ok(summary.placeCount > 0);
    const told = Object.fromEntries(summary.facts.map(({ label, value }) => [label, value]));
    assert.equal(told["Constructor arguments"], "32 bytes behind the code");
    assert.match(told["Metadata hash"] ?? "", /^ipfs:\/\/\w+ deployed, ipfs:\/\/\w+ compiled$/);
    const kinds = (map: typeof summary.deployed) => new Set(map.cells.map(({ kind }) => kind));
    assert.deepEqual([...kinds(summary.deployed)].sort(), ["arguments", "metadata", "same"]);
    assert.deepEqual([...kinds(summary.compiled)].sort(), ["code", "metadata", "same"]);
    assert.equal(summary.deployed.cells.at(-1)?.kind, "arguments");
  });

  it("takes no code among the constructor's arguments for the end of the creation code", () => {
    const other = creationOf(VAULT.replace("= 25", "= 99"));
    const passed = argument + other;
    const edited = VAULT.replace("= 25", "= 52");
    const { facts, placeCount } = created(creationOf(VAULT) + passed, creationOf(edited), edited);
    const told = Object.fromEntries(facts.map(({ label, value }) => [label, value]));
    assert.equal(
      told["Constructor arguments"],
      `${(passed.length / 2).toLocaleString("en-US")} bytes behind the code`,
    );
    assert.equal(told["Values"], "A value differs: 25 deployed, 52 compiled, in FEE (Vault.sol:4)");
    assert.equal(placeCount, 1);
  });

  const PIPELINES: readonly CompilerSettings[] = [
    {},
    { viaIR: true, optimizer: { enabled: true, runs: 200 } },
  ];
  const toldOfCreation = (one: string, other: string, settings: CompilerSettings, runtimeOf = one) => {
    const [mine, theirs, run] = [one, other, runtimeOf].map(
      (source) => contract(compile(source, settings), "Vault").evm,
    );
    const { facts } = known(
      atOnce(
        creationSummaryInPieces(
          `0x${mine?.bytecode.object ?? ""}${argument}`,
          `0x${theirs?.bytecode.object ?? ""}`,
          {
            language: "Solidity",
            settings,
            sources: { "src/Vault.sol": { content: other } },
            contractIdentifier: "src/Vault.sol:Vault",
          },
          {
            deployed: deployed(run?.deployedBytecode.object ?? ""),
            recompiled: `0x${theirs?.deployedBytecode.object ?? ""}`,
          },
        ),
      ),
    );
    return facts.map(({ label, value }) => `${label}: ${value}`);
  };

  it("says of the runtime code in the creation code that it has the same difference, and nothing else again", () => {
    const [fee, paid] = [VAULT.replace("= 25", "= 52"), VAULT.replace("total += amount;", "total = amount;")];
    for (const settings of PIPELINES)
      for (const edited of [fee, paid]) {
        const [difference, ...others] = toldOfCreation(VAULT, edited, settings);
        assert.match(
          difference ?? "",
          /^Difference: the same as in the runtime code(?:; of the other bytes, |$)/,
        );
        assert.deepEqual(others, ["Constructor arguments: 32 bytes behind the code"]);
      }
    const started = fee.replace("owner = owner_;", "owner = owner_; total = 7;");
    for (const settings of PIPELINES)
      assert.match(
        toldOfCreation(VAULT, started, settings)[0] ?? "",
        /^Difference: the same as in the runtime code; of the other bytes, \d+ differ in \d+ places?$/,
      );
  });

  it("names the contract's own functions where another runtime code is deployed than the creation code carries", () => {
    for (const settings of PIPELINES) {
      const edited = VAULT.replace("total += amount;", "total += amount + 1;");
      const told = toldOfCreation(VAULT, edited, settings, VAULT.replace("= 25", "= 52"));
      assert.ok(
        told.includes(
          "Functions: The code of pay(uint256) (Vault.sol:8) differs; that of the other function is the same",
        ),
        told.join("\n"),
      );
    }
  });

  it("names a contract that the constructor creates apart from the contract itself, or its functions alone", () => {
    const child = (name: string) =>
      `contract ${name} { uint256 public size; function grow(uint256 by) external { size += by; } }\n`;
    const maker = (children: string, made: string) =>
      children + VAULT.replace("owner = owner_;", `owner = owner_; total = ${made}`);
    const one = maker(child("Child"), "uint160(address(new Child()));");
    const two = maker(
      child("Child") + child("Twin").replace("size += by", "size = size + by"),
      "uint160(address(new Child())) + uint160(address(new Twin()));",
    );
    const settings = PIPELINES[1] ?? {};
    const edit = (source: string) => source.replace("size += by", "size += 2 * by");
    const [told, twins] = [one, two].map((source) => toldOfCreation(source, edit(source), settings));
    assert.ok(
      told?.includes(
        "Functions: The code of grow(uint256) (Vault.sol:1) in Child, which the code carries, differs",
      ),
      told?.join("\n"),
    );
    assert.ok(
      twins?.includes("Functions: The code of grow(uint256) in a contract that the code carries differs"),
      twins?.join("\n"),
    );
    const both = toldOfCreation(one, edit(one).replace("= 25", "= 52"), settings);
    assert.match(both[0] ?? "", /^Difference: the same as in the runtime code; of the other bytes, /);
    assert.ok(
      both.some((fact) => fact.includes("grow(uint256) (Vault.sol:1) in Child, which the code carries")),
    );
  });

  it("tells a value of a contract that is created, and not where that has its immutables", () => {
    const maker = (delay: string) => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Wallet {
    uint256 public constant DELAY = ${delay};
    address public immutable guardian = msg.sender;
    function readyAt() external view returns (uint256) { return block.timestamp + DELAY; }
}
contract Vault {
    function make() external returns (Wallet) { return new Wallet(); }
}
`;
    const [one, other] = [maker("1 hours"), maker("1 days")];
    const { facts } = known(summed(`0x${codeOf(one)}`, `0x${codeOf(other)}`, other));
    assert.equal(
      facts.find(({ label }) => label === "Values")?.value,
      "A value differs: 3,600 deployed, 86,400 compiled, in DELAY (Vault.sol:4)",
    );
  });

  it("says of a code that breaks off at a library only what is before it, and the metadata of the deployed one", () => {
    const lending = (rate: number) => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
library RateMath { function twice(uint256 x) external pure returns (uint256) { return 2 * x; } }
contract Vault {
    uint256 public constant BASE = ${rate};
    function rate(uint256 x) external pure returns (uint256) { return RateMath.twice(x + BASE); }
}
`;
    const library = "5fbdb2315678afecb367f032d93f642f64180aa3";
    const codesOf = (source: string) =>
      contract(compile(source, { optimizer: { enabled: true, runs: 200 } }), "Vault").evm;
    const linked = (code: string) => code.replaceAll(/__\$[0-9a-f]{34}\$__/g, library);
    const cut = (code: string) => code.slice(0, code.indexOf("__$"));
    const [mine, theirs] = [codesOf(lending(450)), codesOf(lending(475))];
    const input = {
      language: "Solidity" as const,
      sources: { "src/Vault.sol": { content: lending(475) } },
      settings: {},
    };
    const creation = known(
      atOnce(
        creationSummaryInPieces(
          `0x${linked(mine.bytecode.object)}`,
          `0x${cut(theirs.bytecode.object)}`,
          input,
        ),
      ),
    );
    assert.match(
      creation.facts.find(({ label }) => label === "Metadata hash")?.value ?? "",
      /^ipfs:\/\/\w+ deployed; that of the compiled code is behind the library$/,
    );
    const { causes } = atOnce(
      explainInPieces({
        error: {
          customCode: "no_match",
          message: "",
          onchainRuntimeCode: `0x${linked(mine.deployedBytecode.object)}`,
          recompiledRuntimeCode: `0x${cut(theirs.deployedBytecode.object)}`,
        },
        submitted: {
          compilerVersion: "0.8.37+commit.f401782d",
          contractIdentifier: "src/Vault.sol:Vault",
          stdJsonInput: input,
        },
      }),
    );
    assert.deepEqual(
      causes.map(({ code, action }) => [code, action?.label]),
      [
        ["edited_source", "Find the Commit"],
        ["unlinked_library", "Resubmit With RateMath Linked"],
      ],
    );
    assert.equal(
      causes[0]?.evidence,
      "A value differs: 450 deployed, 475 compiled, in BASE (Vault.sol:5); everything else up to the library that is not linked is the same.",
    );
    assert.ok(causes[1]?.evidence.endsWith(`the deployed code has 0x${library} there.`));
  });

  it("counts no byte twice, and tells no amount as an address", () => {
    const plain = known(
      summed(
        `0x${contract(compile(VAULT, { viaIR: true, optimizer: { enabled: true } }), "Vault").evm.deployedBytecode.object}`,
        `0x${codeOf(VAULT)}`,
      ),
    );
    const differing = Number(/[,;] ([\d,]+) differ/.exec(plain.figure)?.[1]?.replaceAll(",", ""));
    assert.ok(differing <= Math.max(plain.deployed.bytes, plain.compiled.bytes), plain.figure);
    const amount = (5_000n * 10n ** 18n).toString(16).padStart(64, "0");
    const code = codeOf(VAULT).replaceAll(`7f${"00".repeat(32)}`, `7f${amount}`);
    assert.equal(
      known(summed(`0x${code}`, `0x${codeOf(VAULT)}`)).facts.find(({ label }) => label === "Immutables")
        ?.value,
      "1 value that the deployment wrote: 5,000,000,000,000,000,000,000",
    );
  });

  it("says nothing of arguments where a creation code has none", () => {
    const code = creationOf(VAULT);
    const { figure, facts } = created(code, code, VAULT);
    assert.match(figure, /bytes, none differ$/);
    assert.ok(facts.every(({ label }) => label !== "Constructor arguments"));
  });

  it("says of equal codes that nothing differs", () => {
    const code = `0x${codeOf(VAULT)}`;
    const { figure, places, deployed: one, compiled: other, facts } = known(summed(code, code));
    assert.match(figure, /bytes, none differ$/);
    assert.deepEqual(places, []);
    assert.ok([...one.cells, ...other.cells].every(({ kind, share }) => kind === "same" && share === 0));
    assert.match(facts.map(({ value }) => value).join("\n"), /^the same: ipfs:/);
  });

  it("bears any two codes: the maps are of their lengths, and no part is more than whole", () => {
    const { below } = random("code summaries");
    const bytes = (count: number) =>
      Array.from({ length: count }, () => below(256).toString(16).padStart(2, "0")).join("");
    const real = codeOf(VAULT);
    for (let at = 0; at < 60; at++) {
      const from = below(real.length / 2) * 2;
      const cut = `${real.slice(0, from)}${bytes(below(40))}${real.slice(from + 2 * below(60))}`;
      const [one, other] = [
        `0x${below(2) ? cut : bytes(below(3_000))}`,
        `0x${below(3) ? real : bytes(below(9))}`,
      ];
      const found = summed(one, other, VAULT);
      assert.equal(found === undefined, one === "0x" || other === "0x");
      if (!found) continue;
      const { deployed: left, compiled: right, places, placeCount } = found;
      assert.equal(left.bytes, one.length / 2 - 1);
      assert.equal(right.bytes, other.length / 2 - 1);
      for (const { cells } of [left, right]) {
        assert.equal(cells.length, 120);
        assert.ok(cells.every(({ share }) => share >= 0 && share <= 1));
      }
      assert.ok(places.length <= placeCount);
      for (const { offset, deployedBytes, values } of places) {
        assert.ok(offset + deployedBytes <= left.bytes);
        if (!values) continue;
        assert.notEqual(values.deployed, values.compiled);
        const there = one.slice(2 + 2 * offset).slice(0, values.deployed.length - 2);
        assert.equal(values.deployed, `0x${there}`, "the very bytes of the deployed code");
        assert.ok(other.includes(values.compiled.slice(2)));
      }
    }
  });
});
