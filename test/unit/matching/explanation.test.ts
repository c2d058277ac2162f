import { atOnce } from "../../../src/core/concurrency/turns.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { codeBytes, linkedAt } from "../../../src/core/evm/hex.ts";
import { codeFigureInPieces, codeSummaryInPieces } from "../../../src/core/matching/codeSummary.ts";
import { bytecodeDifference } from "../../../src/core/matching/bytecodeDifference.ts";
import type { ExplanationInput } from "../../../src/core/matching/explanation.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import { random } from "../random.ts";
import { compile, contract } from "../evm/solc.ts";
import { proofSize } from "../../rig/proofSize.ts";

const savings = `
contract Savings {
    address public immutable owner;
    mapping(address => uint256) public saved;
    event Saved(address indexed who, uint256 amount);
    constructor(address owner_) { owner = owner_; }
    function save() external payable { saved[msg.sender] += msg.value; emit Saved(msg.sender, msg.value); }
    function take(uint256 amount) external {
        require(amount <= saved[msg.sender], "not so much");
        saved[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }
}`;

/** A proxy with an administrator, who pays nothing: what it receives and what it forwards goes the same way. */
const forwarder = `
contract Savings {
    address target;
    uint256 sizes;
    receive() external payable { forward(); }
    fallback() external payable { forward(); }
    function ofAdministrator() internal returns (bytes memory) {
        require(msg.value == 0);
        sizes += msg.data.length;
        return abi.encode(target);
    }
    function forward() internal {
        address to = target;
        if (msg.sender == to) {
            bytes memory answer = ofAdministrator();
            assembly { return(add(answer, 32), mload(answer)) }
        }
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}`;

function runtimeOf(source: string, settings: object = {}): string {
  return `0x${contract(compile(source, settings), "Savings").evm.deployedBytecode.object}`;
}

function inputOf(
  error: Partial<ExplanationInput["error"]>,
  settings: CompilerSettings = {},
): ExplanationInput {
  return {
    error: { customCode: "no_match", message: "", ...error },
    submitted: {
      compilerVersion: "0.8.37+commit.f401782d",
      stdJsonInput: { language: "Solidity", sources: { "Savings.sol": { content: savings } }, settings },
      contractIdentifier: "Savings.sol:Savings",
    },
  };
}

describe("An explanation", () => {
  it("says in the product's words what was deployed, what was sent and what to press", () => {
    const optimizer = (runs: number) => ({ optimizer: { enabled: true, runs } });
    const { summary, causes } = atOnce(
      explainInPieces(
        inputOf(
          {
            onchainRuntimeCode: runtimeOf(savings, optimizer(1_000_000)),
            recompiledRuntimeCode: runtimeOf(savings, optimizer(200)),
          },
          optimizer(200),
        ),
      ),
    );
    const [first] = causes;
    assert.equal(first?.code, "optimizer_runs");
    assert.match(summary, /^The deployed code was optimized for more runs .*; you sent 200\.$/);
    assert.deepEqual(first.action, {
      kind: "resubmit",
      label: "Resubmit With 1,000,000 Runs",
      localLabel: "Verify With 1,000,000 Runs",
      changes: { settings: { optimizer: { enabled: true, runs: 1_000_000 } } },
    });
    assert.ok(causes.every((cause, at) => at === 0 || cause.confidence <= (causes[at - 1]?.confidence ?? 0)));
    assert.deepEqual(JSON.parse(JSON.stringify(causes)), causes);
  });

  it("takes an optimized contract without functions for one of the IR pipeline only where it is", () => {
    const legacy = { optimizer: { enabled: true, runs: 200 } };
    const sentSettings = { optimizer: { enabled: false, runs: 200 } };
    for (const [settings, code] of [
      [legacy, "optimizer"],
      [{ ...legacy, optimizer: { enabled: true, runs: 1_000_000 } }, "optimizer"],
      [{ ...legacy, viaIR: true }, "via_ir"],
    ] as const) {
      const { causes } = atOnce(
        explainInPieces(
          inputOf(
            {
              onchainRuntimeCode: runtimeOf(forwarder, settings),
              recompiledRuntimeCode: runtimeOf(forwarder, sentSettings),
            },
            sentSettings,
          ),
        ),
      );
      assert.equal(causes[0]?.code, code, JSON.stringify(settings));
    }
  });

  it("says which value differs where nothing else does", () => {
    const taking = (limit: string, reason: string) =>
      savings.replace(
        'require(amount <= saved[msg.sender], "not so much");',
        `require(amount <= ${limit}, "${reason}"); require(amount <= saved[msg.sender]);`,
      );
    const evidence = (deployed: string, sent: string) => {
      const edited = atOnce(
        explainInPieces(
          inputOf({ onchainRuntimeCode: runtimeOf(deployed), recompiledRuntimeCode: runtimeOf(sent) }),
        ),
      ).causes.find(({ code }) => code === "edited_source");
      assert.equal(edited?.action?.kind, "find commit");
      return edited.evidence;
    };
    const rest = "; everything else in the code is the same.";
    const take =
      "The code of take(uint256) (Savings.sol:8) differs; that of the other 3 functions is the same.";
    for (const [deployed, sent, words] of [
      ["25", "52", "25 deployed, 52 compiled"],
      ["25", "25000", "25 deployed, 25,000 compiled"],
      ["1 ether", "2 ether", "1,000,000,000,000,000,000 deployed, 2,000,000,000,000,000,000 compiled"],
    ] as const)
      assert.equal(
        evidence(taking(deployed, "too much"), taking(sent, "too much")),
        `A value differs: ${words}${rest} ${take}`,
      );
    assert.equal(
      evidence(taking("25", "too much"), taking("25", "far too much")),
      `A value differs: "too much" deployed, "far too much" compiled${rest} ${take}`,
    );
    assert.equal(
      evidence(taking("25", "too much"), taking("52", "no")),
      `2 values differ: 25 deployed, 52 compiled; "too much" deployed, "no" compiled${rest} ${take}`,
    );
    // A word that is written with fewer bytes is shifted to its place by a number that says no more.
    const optimized = { optimizer: { enabled: true, runs: 200 } };
    const named = (name: string) =>
      savings.replace(
        "function save()",
        `function called() external pure returns (string memory) { return "${name}"; }\n    function save()`,
      );
    const [one, two] = [named("Harbor Names"), named("Harbour Names")];
    const given = inputOf(
      { onchainRuntimeCode: runtimeOf(one, optimized), recompiledRuntimeCode: runtimeOf(two, optimized) },
      optimized,
    );
    const sources = { "Savings.sol": { content: two } };
    const submitted = { ...given.submitted, stdJsonInput: { ...given.submitted.stdJsonInput, sources } };
    assert.equal(
      atOnce(explainInPieces({ ...given, submitted })).causes.find(({ code }) => code === "edited_source")
        ?.evidence,
      `A value differs: "Harbor Names" deployed, "Harbour Names" compiled, in Savings.sol:7${rest} The code of called() (Savings.sol:7) differs; that of the other 4 functions is the same.`,
    );
    const other = savings.replace("-= amount", "-= amount + 1");
    assert.match(
      evidence(savings, other),
      /^The code of take\(uint256\) \(Savings\.sol:8\) differs; that of the other 3 functions is the same\. In all \d+ bytes? differ/,
    );
  });

  it("names the text that one of the codes has alone, and where the sources have it", () => {
    const checked = savings.replace(
      "saved[msg.sender] -= amount;",
      'require(amount > 0, "nothing to take, and so nothing is taken of it"); saved[msg.sender] -= amount;',
    );
    const [plain, own] = [runtimeOf(savings), runtimeOf(checked)];
    const evidence = (deployed: string, sent: string, content: string) => {
      const input = inputOf({ onchainRuntimeCode: deployed, recompiledRuntimeCode: sent });
      const stdJsonInput = { ...input.submitted.stdJsonInput, sources: { "src/Savings.sol": { content } } };
      const { causes } = atOnce(
        explainInPieces({ ...input, submitted: { ...input.submitted, stdJsonInput } }),
      );
      return causes.find(({ code }) => code === "edited_source")?.evidence ?? "";
    };
    const text = '"nothing to take, and so nothing is taken of it"';
    assert.match(
      evidence(plain, own, checked),
      new RegExp(`Only the compiled code has ${text} in take \\(Savings\\.sol:10\\)\\.$`),
    );
    assert.ok(evidence(own, plain, savings).endsWith(` Only the deployed code has ${text}.`));
    // Where several places have it, none is named.
    const twice = `${checked}\ncontract Other { string s = ${text}; }`;
    assert.ok(evidence(plain, own, twice).endsWith(` Only the compiled code has ${text}.`));
    // What a deployment wrote is no text of the sources, whatever it looks like.
    const written = plain.replaceAll(`7f${"00".repeat(32)}`, `7f${"5e".repeat(32)}`);
    assert.notEqual(written, plain);
    assert.ok(!evidence(written, own, checked).includes("^^^^"));
  });

  it("says nothing of the sources where zeros alone are written otherwise, and a changed constant beside that", () => {
    const [paris, shanghai] = [{ evmVersion: "paris" }, { evmVersion: "shanghai" }];
    const limited = (limit: number) =>
      savings
        .replace("mapping", `uint256 constant LIMIT = ${limit}; mapping`)
        .replace("require(", "require(amount < LIMIT); require(");
    const explained = (deployed: string, sent: string) => {
      const input = inputOf(
        { onchainRuntimeCode: runtimeOf(deployed, paris), recompiledRuntimeCode: runtimeOf(sent, shanghai) },
        shanghai,
      );
      const sources = { "Savings.sol": { content: sent } };
      const stdJsonInput = { ...input.submitted.stdJsonInput, sources };
      return atOnce(explainInPieces({ ...input, submitted: { ...input.submitted, stdJsonInput } })).causes;
    };
    assert.deepEqual(
      explained(limited(900), limited(900)).map(({ code }) => code),
      ["evm_version"],
    );
    const [first, second] = explained(limited(900), limited(1_800));
    assert.equal(first?.code, "evm_version");
    assert.equal(second?.code, "edited_source");
    assert.ok(second.confidence >= 0.8, `no EVM version changes a constant: ${second.confidence}`);
    // Zeros differ, too, so that it does not say that nothing else does.
    assert.equal(second.evidence, "A value differs: 900 deployed, 1,800 compiled, in LIMIT (Savings.sol:4).");
  });

  it("leaves out of a difference what Vyper's deployment appends", () => {
    const body = (limit: string) => `5f3560e01c5f52602052${limit}5f5260205ff3${"5b".repeat(30)}`;
    const input = inputOf({
      onchainRuntimeCode: `0x${body("60fa")}${"00".repeat(12)}${"70".repeat(20)}`,
      recompiledRuntimeCode: `0x${body("6034")}`,
    });
    const vyper = { language: "Vyper" as const, sources: { "a.vy": { content: "" } }, settings: {} };
    const submitted = {
      compilerVersion: "0.3.10+commit.91361694",
      contractIdentifier: "a.vy:a",
      stdJsonInput: vyper,
    };
    const { causes } = atOnce(explainInPieces({ ...input, submitted }));
    assert.equal(
      causes.find(({ code }) => code === "edited_source")?.evidence,
      "A value differs: 250 deployed, 52 compiled; everything else in the code is the same.",
    );
  });

  it("offers another address where the workspace has no other contract that could have been deployed", () => {
    const other = runtimeOf("pragma solidity ^0.8.0; contract Savings { fallback() external payable {} }");
    const explained = (names: readonly string[]) =>
      atOnce(
        explainInPieces({
          ...inputOf({ onchainRuntimeCode: other, recompiledRuntimeCode: runtimeOf(savings) }),
          localContracts: names.map((name) => ({ name, selectors: {} })),
        }),
      ).causes[0];
    const alone = explained(["/bank/Savings.sol:Savings"]);
    assert.equal(alone?.code, "wrong_contract");
    assert.deepEqual(alone.action, { kind: "check address", label: "Change Address" });
    assert.match(alone.evidence, /^The deployed code does not have .+; no function was found in it\.$/);
    const beside = explained(["/bank/Savings.sol:Savings", "/bank/Other.sol:Other"]);
    assert.deepEqual(beside?.action, { kind: "choose contract", label: "Choose Contract" });
  });

  it("names the functions that are missing, and the contract that has them", () => {
    const deployed = savings.replace(
      "function save()",
      "function close() external { saved[owner] = 0; }\n    function save()",
    );
    const { causes } = atOnce(
      explainInPieces({
        ...inputOf({ onchainRuntimeCode: runtimeOf(deployed), recompiledRuntimeCode: runtimeOf(savings) }),
        localContracts: [
          {
            name: "/home/alice/bank/src/SavingsV2.sol:Savings",
            selectors: Object.fromEntries(
              Object.entries(contract(compile(deployed), "Savings").evm.methodIdentifiers).map(
                ([signature, selector]) => [selector, signature],
              ),
            ),
          },
        ],
        workspaceName: (name) => name.replace("/home/alice/bank/", ""),
      }),
    );
    assert.equal(causes[0]?.code, "wrong_contract");
    assert.match(causes[0].evidence, /close\(\)/);
    assert.match(
      causes[0].evidence,
      /^The deployed code has exactly the functions of src\/SavingsV2\.sol:Savings\. The deployed code has /,
    );
    assert.equal(causes[0].fix, "src/SavingsV2.sol:Savings has exactly the deployed functions: submit it.");
    assert.deepEqual(causes[0].action, {
      kind: "choose contract",
      label: "Submit Savings",
      contract: "/home/alice/bank/src/SavingsV2.sol:Savings",
    });
  });

  it("does not take a code that breaks off at a library's placeholder for a shorter one", () => {
    const source = `library Sums { function sum(uint256 a, uint256 b) external pure returns (uint256) { return a + b; } }
contract Savings { function f(uint256 a) external pure returns (uint256) { return Sums.sum(a, 3); } function g() external pure returns (uint256) { return 4; } }`;
    const whole = runtimeOf(source);
    const truncated = whole.slice(0, whole.indexOf("__"));
    const linked = linkedAt(whole, "aa".repeat(20));
    const input = inputOf({ onchainRuntimeCode: linked, recompiledRuntimeCode: truncated });
    const { causes } = atOnce(
      explainInPieces({
        ...input,
        submitted: {
          ...input.submitted,
          stdJsonInput: { ...input.submitted.stdJsonInput, sources: { "Savings.sol": { content: source } } },
        },
      }),
    );
    assert.equal(causes[0]?.code, "unlinked_library");
    assert.match(causes[0].evidence, new RegExp(`0x${"aa".repeat(20)}`));
    assert.deepEqual(causes[0].action, {
      kind: "resubmit",
      label: "Resubmit With Sums Linked",
      localLabel: "Verify With Sums Linked",
      changes: { settings: { libraries: { "Savings.sol": { Sums: `0x${"aa".repeat(20)}` } } } },
    });
    // Another setting is still told from what is there.
    const paris = runtimeOf(source, { evmVersion: "paris" });
    const other = atOnce(
      explainInPieces(
        inputOf(
          { onchainRuntimeCode: linked, recompiledRuntimeCode: paris.slice(0, paris.indexOf("__")) },
          { evmVersion: "paris" },
        ),
      ),
    );
    assert.equal(other.causes[0]?.code, "evm_version");
  });

  it("shows an unknown code with the service's own words, made harmless", () => {
    const { causes } = atOnce(
      explainInPieces(inputOf({ customCode: "moon_phase", message: "The moon\u202e is $(wrong)\n." })),
    );
    assert.equal(causes[0]?.code, "server");
    assert.match(causes[0].evidence, /The moon\\u\{202e\} is/);
    assert.ok(!causes[0].evidence.includes("$(wrong)"));
  });

  it("answers every code of the service, with and without bytecodes", () => {
    const codes = `contract_not_deployed cannot_fetch_bytecode compiled_bytecode_is_zero extra_file_input_bug
      bytecode_length_mismatch no_match onchain_runtime_bytecode_not_available invalid_language compiler_error
      no_compiler_output contract_not_found_in_compiler_output invalid_compiler_version unsupported_compiler_version
      cannot_generate_cbor_auxdata_positions metadata_not_set missing_source missing_or_invalid_source
      invalid_compilation_target unsupported_language already_verified internal_error no_similar_match_found
      compiler_timeout compiler_out_of_memory job_abandoned`.split(/\s+/);
    const code = runtimeOf(savings);
    for (const customCode of codes)
      for (const codesGiven of [{}, { onchainRuntimeCode: code, recompiledRuntimeCode: code }]) {
        const { summary, causes } = atOnce(
          explainInPieces(inputOf({ customCode, message: "said", ...codesGiven })),
        );
        assert.ok(summary.endsWith("."), summary);
        assert.ok(!/[!]|please|successfully/i.test(JSON.stringify(causes)), customCode);
        if (!/no_match|length/.test(customCode) || "onchainRuntimeCode" in codesGiven)
          assert.ok(causes.length > 0, customCode);
      }
  });

  it("survives any bytes as codes", () => {
    const { below } = random("explanations of noise");
    const noise = () =>
      `0x${Array.from({ length: below(300) }, () => below(256).toString(16).padStart(2, "0")).join("")}`;
    const real = runtimeOf(savings);
    for (let round = 0; round < proofSize({ sample: 60, whole: 5_000 }); round++) {
      const { causes } = atOnce(
        explainInPieces(
          inputOf({
            onchainRuntimeCode: noise(),
            recompiledRuntimeCode: round % 2 === 0 ? noise() : real,
            onchainCreationCode: noise(),
            recompiledCreationCode: noise(),
          }),
        ),
      );
      assert.ok(causes.every(({ confidence }) => confidence >= 0 && confidence <= 1));
    }
  });
});

describe("The bytecode difference", () => {
  const figureOf = (deployed: string, compiled: string) =>
    atOnce(codeFigureInPieces("runtime", deployed, compiled));

  it("marks what differs and not what moved, names immutables and decodes auxdata", () => {
    const edited = savings.replace('"not so much"', '"much less than that"');
    const owner = "70997970c51812dc3a010c7d01b50e0d17dc79c8";
    const deployed = runtimeOf(savings).replaceAll(`7f${"00".repeat(32)}`, `7f${"00".repeat(12)}${owner}`);
    const { deployed: left, recompiled: right } = bytecodeDifference(deployed, runtimeOf(edited));
    assert.match(left.text, new RegExp(`^; immutable #1 = 0x${owner}$`, "m"));
    assert.match(left.text, / {2}PUSH32 immutable #1$/m);
    assert.match(left.text, /^; metadata hash ipfs:\/\/Qm/m);
    assert.match(left.text, /^; compiler Solidity 0\.8\.37$/m);
    const [ours, theirs] = [left.text.split("\n"), right.text.split("\n")];
    const onlyOurs = ours.filter((line) => !theirs.includes(line));
    // The string and its length, and the two lines of the metadata hash.
    assert.ok(onlyOurs.length <= 3, onlyOurs.join("\n"));
    assert.ok(onlyOurs.some((line) => line.includes(Buffer.from("not so much").toString("hex"))));
    assert.equal(left.offsets.length, ours.length - 1);
  });

  it("says that nothing differs when only immutables do", () => {
    const code = runtimeOf(savings);
    const deployed = code.replaceAll(`7f${"00".repeat(32)}`, `7f${"11".repeat(32)}`);
    const bytes = codeBytes(code).length.toLocaleString("en-US");
    assert.equal(figureOf(deployed, code), `${bytes} bytes, none differ`);
  });

  it("is counted in one way everywhere: metadata is told apart from the code that differs", () => {
    const code = runtimeOf(savings);
    const bytes = codeBytes(code).length.toLocaleString("en-US");
    assert.equal(
      figureOf(code, runtimeOf(`${savings}// edited\n`)),
      `${bytes} bytes, none differ besides the metadata`,
    );
    const edited = runtimeOf(savings.replace('"not so much"', '"much less than that"'));
    assert.match(figureOf(code, edited) ?? "", /^[\d,]+ bytes, \d\d differ in \d places$/);
    assert.equal(figureOf(code, edited), atOnce(codeSummaryInPieces(code, edited))?.figure);
  });

  it("lines up codes of the largest size that have nothing in common", () => {
    const { pick } = random("large codes");
    const large = () => {
      let code = "";
      while (code.length < 2 * 24_576)
        code += pick(["01", "50", "51", "80", "90", "5b", "6001", "60ff", "54"]);
      return `0x${code}5b00`;
    };
    const { deployed, recompiled } = bytecodeDifference(large(), large());
    assert.ok(deployed.offsets.length > 15_000 && recompiled.offsets.length > 15_000);
  });
});
