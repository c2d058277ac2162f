// What a service may answer, put together by chance from what servers are known to say, and read as its page shows it.
// A person reads the headline first, then the sentences, then the causes: all have to say the same, in whole sentences.
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { VerificationPage } from "../../../src/core/jobs/page/pageModel.ts";
import { proofSize, seed } from "../../rig/proofSize.ts";
import { compileNow } from "../../sandbox/solcNow.ts";
import { compile, contract } from "../evm/solc.ts";
import { randomFrom, type Random } from "../random.ts";
import { answeredJob, type ServiceAnswers, type SubmittedContract } from "./answeredJob.ts";
import { ADDRESS, ID, stopWorlds } from "./jobWorld.ts";

const COMPILER = "0.8.37+commit.6b6d8f3c";
const LIBRARY = "70997970c51812dc3a010c7d01b50e0d17dc79c8";

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
library Rates { function share(uint256 a, uint256 b) external pure returns (uint256) { return (a * b) / 10_000; } }
contract Vault {
    uint256 public total;
    function pay(uint256 amount) external { total += Rates.share(amount, 25); }
    function refund(uint256 amount) external { total -= Rates.share(amount, 30); }
}
`;
const BROKEN = SOURCE.replace("total -= Rates", "totl -= Rates");

const standardInput = (content: string): SubmittedContract => ({
  stdJsonInput: { language: "Solidity", sources: { "src/Vault.sol": { content } }, settings: {} },
  contractIdentifier: "src/Vault.sol:Vault",
  contractName: "Vault",
  compilerVersion: COMPILER,
});

const vault = contract(compile(SOURCE, {}, { file: "src/Vault.sol" }), "Vault");
/** As the service stores it: decoding stops at the first character of a placeholder. */
const stored = (hex: string) => `0x${Buffer.from(hex, "hex").toString("hex")}`;
const linked = (hex: string) => `0x${hex.replace(/__\$[0-9a-f]{34}\$__/g, LIBRARY)}`;
const UNLINKED = {
  recompiledRuntimeCode: stored(vault.evm.deployedBytecode.object),
  onchainRuntimeCode: linked(vault.evm.deployedBytecode.object),
  recompiledCreationCode: stored(vault.evm.bytecode.object),
  onchainCreationCode: linked(vault.evm.bytecode.object),
};

const COMPILER_ERRORS = (
  compileNow({
    language: "Solidity",
    sources: { "src/Vault.sol": { content: BROKEN } },
    settings: { outputSelection: { "*": { "*": ["metadata"] } } },
  }) as { errors: { severity: string }[] }
).errors;

const LOOKUP = { match: null, creationMatch: null, runtimeMatch: null, chainId: "296", address: ADDRESS };
const CODES = ["no_match", "bytecode_length_mismatch", "extra_file_input_bug"] as const;
const OTHERS = [
  "cannot_fetch_bytecode",
  "contract_not_deployed",
  "compiled_bytecode_is_zero",
  "onchain_runtime_bytecode_not_available",
  "onchain_creation_bytecode_not_available",
  "invalid_language",
  "no_compiler_output",
  "contract_not_found_in_compiler_output",
  "invalid_compiler_version",
  "unsupported_compiler_version",
  "cannot_generate_cbor_auxdata_positions",
  "metadata_not_set",
  "missing_source",
  "invalid_compilation_target",
  "etherscan_rate_limit",
  "unsupported_language",
  "internal_error",
  "no_similar_match_found",
  "compiler_timeout",
  "compiler_out_of_memory",
  "job_abandoned",
] as const;

const MESSAGES = [
  "The onchain and recompiled bytecodes don't match.",
  'The compiled contract bytecode is "0x". Are you trying to verify an abstract contract?',
  "Unknown error",
  "too many connections from this IP",
  "Chain 296 not found",
  "Stopped: the worker ran out of memory!",
  "",
  "   ",
  "Error: connect ECONNREFUSED 10.0.0.3:5432.",
] as const;

interface StrangeCase {
  readonly name: string;
  readonly answers: ServiceAnswers;
  readonly submitted: SubmittedContract;
  readonly check: (page: VerificationPage, refusal: Error | undefined) => void;
}

const failedJob = (error: unknown, more: object = {}): ServiceAnswers => ({
  job: () => ({ isJobCompleted: true, verificationId: ID, contract: LOOKUP, error, ...more }),
});

/** An error without what servers leave out. */
function errorOf(random: Random, customCode: unknown, more: object = {}) {
  const message = random.oneOf([...MESSAGES, undefined, null, 7]);
  const errorData = random.oneOf([undefined, null, {}, [], { compilerErrors: [] }, "x"]);
  return {
    message: typeof message === "string" ? message : "",
    error: {
      ...(customCode === undefined ? {} : { customCode }),
      ...(message === undefined ? {} : { message }),
      ...(random.below(2) === 0 ? { errorId: ID } : {}),
      ...(errorData === undefined ? {} : { errorData }),
      ...more,
    },
  };
}

/** What the service said stands somewhere, once. */
function tells(page: VerificationPage, message: string): void {
  const said = message.trim().replace(/[.!?]*$/, "");
  if (said === "" || /^unknown error$/i.test(said)) return;
  assert.ok(
    textsOf(page).some((text) => text.includes(said)),
    `what the service said is nowhere: ${said}`,
  );
  assert.ok(page.sentences.filter((text) => text.includes(said)).length <= 1, `said twice: ${said}`);
}

const kinds: Readonly<Record<string, (random: Random) => Omit<StrangeCase, "name">>> = {
  "code cut at a library's placeholder"(random) {
    const { error, message } = errorOf(random, random.pick([...CODES.slice(0, 2), undefined] as never), {
      ...UNLINKED,
      ...(random.below(2) === 0 ? {} : { recompiledCreationCode: null, onchainCreationCode: null }),
    });
    return {
      answers: failedJob(error),
      submitted: standardInput(SOURCE),
      check(page) {
        tells(page, message);
        const [first] = page.causes;
        assert.match(first?.evidence ?? "none", /library/, "the library is the first cause");
        const cut = UNLINKED.recompiledRuntimeCode.length / 2 - 1;
        assert.ok(
          page.causes.every(({ evidence }) => !/\b0 bytes\b|\bsources changed\b/.test(evidence)),
          "nothing is said of sources of which nothing is known",
        );
        assert.ok(page.code);
        assert.ok(
          page.code.places.every(({ offset }) => offset < cut),
          "what is behind the placeholder is not compared",
        );
        assert.doesNotMatch(
          page.code.facts.map(({ value }) => value).join(),
          /none compiled/,
          "of the metadata of the compiled code nothing is known",
        );
      },
    };
  },
  "verified already, as an error of the job"(random) {
    const { error } = errorOf(random, "already_verified");
    const contracts = [
      undefined,
      [404, LOOKUP],
      [404, { error: "Not found" }],
      [404, "<!DOCTYPE html><pre>Cannot GET /v2/contract</pre>"],
      [404, ""],
      [200, { ...LOOKUP, match: "match", runtimeMatch: "match" }],
      [200, { ...LOOKUP, match: "exact_match", runtimeMatch: "exact_match", creationMatch: null }],
    ] as const;
    const contract = random.oneOf(contracts);
    const own =
      random.below(4) === 0 ? { contract: { ...LOOKUP, match: "match", runtimeMatch: "match" } } : {};
    return {
      answers: { ...failedJob(error, own), ...(contract && { contract }) },
      submitted: standardInput(SOURCE),
      check(page) {
        assert.equal(page.outcome, "verified", "it is verified");
        assert.match(page.headline, /verified/);
        assert.doesNotMatch(
          [page.headline, ...page.sentences].join(" "),
          /not verified|does not match|waiting|could not finish/,
        );
      },
    };
  },
  "an error of a code that says what it is about"(random) {
    const code = random.oneOf(OTHERS);
    const { error, message } = errorOf(random, code);
    return {
      answers: failedJob(error),
      submitted: standardInput(SOURCE),
      check(page) {
        assert.equal(page.outcome, "failed");
        assert.doesNotMatch(page.headline, /does not match/);
        assert.equal(page.facts.find(({ label }) => label === "Error code")?.value, code);
        if (!["contract_not_deployed", "compiled_bytecode_is_zero"].includes(code)) tells(page, message);
      },
    };
  },
  "an error without a code, or of one that nobody knows"(random) {
    const code = random.oneOf([undefined, null, "", 42, "quota_exceeded"]);
    const { error, message } = errorOf(random, code);
    const contract = random.oneOf([LOOKUP, null, undefined]);
    return {
      answers: failedJob(random.below(6) === 0 ? message : error, { contract }),
      submitted: standardInput(SOURCE),
      check(page) {
        assert.equal(page.outcome, "failed");
        assert.equal(page.headline, "Vault is not verified");
        tells(page, message);
      },
    };
  },
  "what the compiler said, in one place or the other"(random) {
    const listed = random.pick(["data", "message", "both"]);
    const json = JSON.stringify(COMPILER_ERRORS);
    const error = {
      customCode: "compiler_error",
      message:
        listed === "data"
          ? "Compiler error"
          : `${random.pick(["Compiler error: ", "Compilation failed\n", ""])}${json}`,
      ...(listed === "message" ? {} : { errorData: { compilerErrors: COMPILER_ERRORS } }),
    };
    return {
      answers: failedJob(error),
      submitted: standardInput(BROKEN),
      check(page) {
        assert.equal(page.headline, "Vault doesn't compile");
        const told = textsOf(page).join("\n");
        assert.match(told, /src\/Vault\.sol:7/, "the place is said");
        assert.match(told, /Undeclared identifier/, "the error is said");
      },
    };
  },
  "a compiler error that says nothing more"(random) {
    const { error, message } = errorOf(random, "compiler_error");
    return {
      answers: failedJob(error),
      submitted: standardInput(SOURCE),
      check(page) {
        assert.equal(page.outcome, "failed");
        tells(page, message);
      },
    };
  },
  "a refusal"(random) {
    const status = random.pick([400, 403, 404, 404, 404, 409, 413, 422]);
    const body = random.oneOf<unknown>([
      { customCode: "unsupported_chain", message: "Chain 296 not found", errorId: ID },
      { customCode: "unsupported_chain" },
      { error: "Not found", message: "Not found" },
      {
        message: "request/params/address must match pattern",
        errors: [{ path: "/x", message: "must match" }],
      },
      LOOKUP,
      {},
      [],
      null,
      "",
      "<!DOCTYPE html><html><body><pre>Cannot POST /v2/verify</pre></body></html>",
      { customCode: "route_not_found", message: "Route not found?" },
      { errors: ["Unknown"] },
    ]);
    return {
      answers: { post: [status, body] },
      submitted: standardInput(SOURCE),
      check(page, refusal) {
        if (status === 409) return;
        assert.ok(refusal, "it is refused");
        assert.match(refusal.message, /[.?]$/);
        assert.equal(page.headline, "Vault was not submitted");
        assert.equal(page.outcome, "failed");
        const isChain =
          typeof body === "object" &&
          body !== null &&
          "customCode" in body &&
          body.customCode === "unsupported_chain";
        if (!isChain) return;
        assert.match(page.sentences.join(" "), /chain/);
        assert.ok(!page.buttons.some(({ id }) => id === "retry"), "the same again is refused again");
      },
    };
  },
  "explorers that answer late, or were done before"(random) {
    const one = () =>
      random.oneOf<object | string | null>([
        { verificationId: "VERIFIER_ALREADY_VERIFIED" },
        {
          verificationId: "VERIFIER_ALREADY_VERIFIED",
          explorerUrl: `https://scan.example/address/${ADDRESS}`,
        },
        { verificationId: "VERIFIER_ALREADY_VERIFIED", error: "Contract source code already verified" },
        { verificationId: "abc", statusUrl: "https://api.scan.example/status?guid=abc" },
        { error: "Max rate limit reached, please use API Key for higher rate limit." },
        { error: "" },
        {},
        null,
      ]);
    const entries = { etherscan: one(), blockscout: one(), routescan: one() };
    const late = 1 + random.below(4);
    return {
      answers: {
        job: (asked) => ({
          isJobCompleted: true,
          verificationId: ID,
          contract: { ...LOOKUP, match: "exact_match", runtimeMatch: "exact_match" },
          ...(asked > late ? { externalVerifications: entries } : {}),
        }),
      },
      submitted: standardInput(SOURCE),
      check(page) {
        assert.equal(page.headline, "Vault is verified: exact match");
        for (const { name, words, button } of page.explorers) {
          const entry = Object.entries(entries).find(([key]) => key === name.toLowerCase())?.[1];
          assert.ok(typeof entry === "object" && entry !== null);
          const isDone = "verificationId" in entry && entry.verificationId === "VERIFIER_ALREADY_VERIFIED";
          if (isDone) assert.match(words, /verified/, `${name}: ${words}`);
          if (isDone) assert.doesNotMatch(words, /fail/, `${name}: ${words}`);
          if (!("explorerUrl" in entry) && !("statusUrl" in entry)) assert.equal(button, undefined);
        }
      },
    };
  },
};

/** All that a person reads. */
function textsOf(page: VerificationPage): string[] {
  return [
    page.headline,
    ...page.sentences,
    ...page.causes.flatMap(({ evidence, fix }) => [evidence, ...(fix === undefined ? [] : [fix])]),
    ...page.explorers.map(({ words }) => words),
    ...page.facts.map(({ value }) => value),
    ...(page.code ? [page.code.figure, ...page.code.facts.map(({ value }) => value)] : []),
  ];
}

/** Rules that hold for whatever is answered. */
function reads(page: VerificationPage): void {
  const sentences = [
    ...page.sentences,
    ...page.causes.flatMap(({ evidence, fix }) => [evidence, fix ?? "x."]),
  ];
  for (const text of textsOf(page)) {
    assert.doesNotMatch(text, /\bundefined\b|\bNaN\b|\[object|\bnull\b/, text);
    assert.doesNotMatch(text, /[[{]\s*"/, `JSON: ${text}`);
    assert.doesNotMatch(text, /: ?[.,;]|\(\)|^\W*$|\s[.]$/, `an empty place: ${text}`);
    assert.doesNotMatch(text, /[.?!][.](?:\s|$)/, `two ends: ${text}`);
    // A place (`Vault.sol:7`), a host and a time have no space behind their colon.
    const colons = text
      .replace(/"[^"]*"|:\d+:/g, "")
      .split(/[.?!] /)
      .map((part) => part.split(/: /).length - 1);
    const own = MESSAGES.some((message) => message.includes(": ") && text.includes(message.slice(0, 12)));
    assert.ok(own || Math.max(...colons) <= 1 || /^\S+ says: /.test(text), `a colon behind a colon: ${text}`);
  }
  for (const text of sentences) assert.match(text, /[.?!)]$/, `no end: ${text}`);
  assert.equal(new Set(page.sentences).size, page.sentences.length, "a sentence is said twice");
}

/** The cases of a seed; the same for the same. */
function casesOf(from: number, count: number): StrangeCase[] {
  const random = randomFrom(from);
  const names = Object.keys(kinds);
  return Array.from({ length: count }, (_, at) => {
    const name = names[at % names.length] ?? "";
    const made = kinds[name]?.(random);
    assert.ok(made);
    return { name: `${name} (${at})`, ...made };
  });
}

after(stopWorlds);

describe("The page of a job that a service answered strangely", () => {
  it("says one thing, in whole sentences, whatever was answered", async () => {
    const wrong: string[] = [];
    const cases = casesOf(seed("strange failures"), proofSize({ sample: 30, whole: 2_000 }));
    for (const { name, answers, submitted, check } of cases) {
      const { page, refusal } = await answeredJob(answers, submitted);
      try {
        reads(page);
        check(page, refusal);
      } catch (error) {
        wrong.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    console.log(`strange failures: ${cases.length - wrong.length} of ${cases.length} pages read well`);
    assert.deepEqual(wrong, []);
  });
});
