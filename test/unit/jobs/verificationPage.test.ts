import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { readAs } from "../../../src/core/json/shape.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import { FIND_COMMIT, type Cause } from "../../../src/core/matching/explanation.ts";
import { storedJob } from "../../../src/core/jobs/storedJob.ts";
import { jobFacts } from "../../../src/core/jobs/verificationRows.ts";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { explainedInBrief } from "../../../src/core/jobs/jobWords.ts";
import { jobPage } from "../../../src/core/jobs/page/jobPage.ts";
import { localPage } from "../../../src/core/jobs/page/localPage.ts";
import type { VerificationPage } from "../../../src/core/jobs/page/pageModel.ts";
import { LocalResults, type LocalResult } from "../../../src/core/jobs/localResults.ts";
import type { CodeSummary } from "../../../src/core/matching/codeSummaryShape.ts";
import { foreignLine } from "../../../src/core/text/shownText.ts";
import { FULL } from "./fullRecord.ts";
import { MemoryStorage } from "./memoryStorage.ts";

const NOW = 60_000;
/** A record without some of what it has. */
function without(record: JobRecord, ...names: readonly (keyof JobRecord)[]): JobRecord {
  const left = Object.entries(record).filter(([name]) => !names.some((one) => one === name));
  return Object.fromEntries(left) as unknown as JobRecord;
}

const FAILED = without(FULL, "secondTry", "secondTryOf", "problem");
const of = (record: Parameters<typeof jobPage>[0], details: Parameters<typeof jobPage>[1] = {}) =>
  jobPage(record, details, { now: NOW, isWaitedFor: false, isInLedger: false });
const labels = ({ buttons }: Pick<VerificationPage, "buttons">) => buttons.map(({ label }) => label);

const CREATION: CodeSummary = {
  figure: foreignLine("900 bytes, 4 differ in 1 place"),
  deployed: { bytes: 900, cells: [{ kind: "arguments", share: 0 }] },
  compiled: { bytes: 868, cells: [{ kind: "code", share: 0.5 }] },
  facts: [],
  places: [
    { offset: 12, deployedBytes: 2, compiledBytes: 2, values: { deployed: "0x0102", compiled: "0x0304" } },
  ],
  placeCount: 1,
};

/** Sources that are not those that were deployed, as they are told where there was no history to look through. */
const EDITED: Cause = {
  code: "edited_source",
  confidence: 0.8,
  evidence: "x",
  fix: "Submit the sources as they were deployed, from version control.",
};

describe("The page of a job", () => {
  it("of what is verified offers to compare it with the file, where that is in the workspace", () => {
    const job = { ...(FAILED.job ?? assert.fail()), contract: { match: "exact_match" } };
    const verified = without(
      { ...FAILED, job: without(job as never, "error" as never) as never },
      "explanation",
    );
    const compares = (details: Parameters<typeof of>[1]) =>
      labels(of(verified, details)).some((label) => label === "Compare With Workspace");
    assert.equal(of(verified).outcome, "verified");
    assert.equal(compares({ hasFile: true }), true);
    assert.equal(compares({}), false);
    assert.ok(!labels(of(FAILED, { hasFile: true })).some((label) => label === "Compare With Workspace"));
  });

  it("opens its address and its creation transaction in the ledger of its own chain, and has the hash whole for any", () => {
    const pageWhere = (isInLedger: boolean) =>
      jobPage(FAILED, {}, { now: NOW, isWaitedFor: false, isInLedger });
    const opening = ({ facts }: VerificationPage) =>
      facts.flatMap(({ label, opens }) => (opens === undefined ? [] : [[label, opens]]));
    const hash = FAILED.creationTransactionHash;
    assert.deepEqual(opening(pageWhere(true)), [
      ["Address", FAILED.address],
      ["Creation transaction", hash],
    ]);
    assert.deepEqual(opening(pageWhere(false)), []);
    for (const page of [pageWhere(true), pageWhere(false)]) {
      assert.equal(page.facts.find(({ label }) => label === "Creation transaction")?.whole, hash);
      assert.ok(labels(page).some((label) => label === "Copy Transaction Hash"));
    }
    const unknown = labels(of(without(FAILED, "creationTransactionHash")));
    assert.ok(!unknown.some((label) => label === "Copy Transaction Hash"));
  });

  it("of what does not match says so in its head, why in its causes, and nothing of that anywhere else", () => {
    const error = {
      customCode: "no_match",
      message: "The onchain and recompiled bytecodes don't match.",
      errorId: "1",
    };
    const causes = [
      { code: "optimizer", confidence: 1, evidence: "The runs differ.", fix: "Use 200." },
    ] as const;
    const failed = {
      ...FAILED,
      job: { ...FAILED.job, error } as typeof FAILED.job,
      explanation: { summary: "The runs differ.", causes },
    } as unknown as JobRecord;
    const page = of(failed);
    assert.equal(page.headline, "A does not match");
    assert.deepEqual(page.sentences, []);
    const codeOf = ({ facts }: typeof page) => facts.find(({ label }) => label === "Error code")?.value;
    assert.equal(codeOf(page), "no_match · The onchain and recompiled bytecodes don't match.");
    const other = { ...error, message: "Chain 296 was not asked." };
    const told = of({ ...failed, job: { ...failed.job, error: other } as typeof failed.job });
    assert.match(
      told.sentences.join("\n"),
      /^\S+ says: Chain 296 was not asked\.$/,
      "what is said nowhere else",
    );
    assert.equal(codeOf(told), "no_match");
    // Without a cause, the sentence is all there is.
    const plain = of(without(failed, "explanation"));
    assert.match(plain.sentences[0] ?? "", /^A does not match/);
  });

  it("of what is deployed nowhere says that as certain, with one button, and nothing of codes", () => {
    const error = { customCode: "contract_not_deployed", message: "No contract there.", errorId: "1" };
    const input = {
      error,
      submitted: {
        compilerVersion: "0.8.28",
        contractIdentifier: "a.sol:A",
        stdJsonInput: { language: "Solidity", sources: {}, settings: {} },
      },
    } as const;
    const explanation = atOnce(explainInPieces(input));
    const job = { ...(FAILED.job ?? assert.fail()), error };
    const note = { codeNote: foreignLine("The service gave no codes to compare.") };
    const page = of({ ...FAILED, job, explanation }, note);
    assert.equal(page.lead?.label, "Change Address");
    assert.deepEqual(
      page.causes.map(({ certainty, button }) => [certainty, button]),
      [["proven", undefined]],
    );
    assert.equal(page.codeNote, undefined);
    assert.ok(of(FAILED, note).codeNote, "of codes that could have been there");
  });

  it("of a failure says the outcome first, then its causes with their buttons, then what was asked where", () => {
    const page = of(FAILED);
    assert.equal(page.headline, "A does not match");
    assert.match(page.place, /^Hedera Testnet \(296\) · 0x5FbD…0aa3$/);
    assert.equal(page.outcome, "failed");
    assert.deepEqual(
      page.causes.map(({ evidence, certainty, button }) => [evidence, certainty, button?.id, button?.label]),
      [["x", "very likely", undefined, undefined]],
    );
    assert.equal(page.lead?.id, "cause 0", "the button of an only cause stands once");
    const [cause] = FAILED.explanation?.causes ?? [];
    const two = of({
      ...FAILED,
      explanation: { summary: "x", causes: [cause, cause].flatMap((one) => one ?? []) },
    });
    assert.deepEqual(
      [two.lead?.id, ...two.causes.map(({ button }) => button?.id)],
      ["cause 0", "cause 0", "cause 1"],
    );
    assert.equal(page.facts.find(({ label }) => label === "Error code")?.value, "no_match");
    assert.deepEqual(labels(page), [
      "Open at 127.0.0.1:9",
      "Copy Link",
      "Open in Block Explorer",
      "Copy Address",
      "Copy Transaction Hash",
      "Raw JSON",
    ]);
    const finds = labels(of(FAILED, { code: CREATION, hasHistory: true })).slice(0, 2);
    assert.deepEqual(finds, ["Find the Settings", "Find the Commit"]);
    assert.ok(
      !labels(of(FAILED, { code: CREATION })).some((label) => label === "Find the Commit"),
      "no search in a history that is not there",
    );
    assert.ok(
      labels(of({ ...FAILED, chainId: "31337" })).every((label) => label !== "Open in Block Explorer"),
    );
    assert.deepEqual(
      page.explorers.map(({ name, words, button }) => [name, words, button?.id, button?.label]),
      // A service may call any page so: where it leads is said.
      [["Etherscan", "submitted", "explorer 0", "Open e.example"]],
    );
  });

  it("of a contract that an explorer did not verify says so, with the reason that it gave", () => {
    const explorers = (externalVerifications: object) =>
      of({ ...FULL, job: { ...FULL.job, externalVerifications } as typeof FULL.job }).explorers.map(
        ({ name, words }) => `${name} ${words}`,
      );
    assert.deepEqual(
      explorers({
        etherscan: { error: "Max daily rate limit reached" },
        blockscout: { error: "" },
        routescan: { verificationId: "VERIFIER_ALREADY_VERIFIED" },
      }),
      [
        "Etherscan not verified there: Max daily rate limit reached",
        "Blockscout not verified there, without a reason",
        "Routescan verified there already",
      ],
    );
  });

  it("of a job that waits offers to ask now, and says for how long it has been compiling", () => {
    const page = of(without(FAILED, "job", "explanation", "difference"));
    assert.equal(page.outcome, "pending");
    assert.match(page.headline, /^A: compiling, 59 s$/);
    assert.ok(labels(page).some((label) => label === "Check Now"));
    assert.deepEqual(page.causes, []);
  });

  it("that a service does not take for its chain offers this machine and another chain, and not the same again", () => {
    const refused = {
      ...without(FAILED, "job", "explanation", "difference", "verificationId"),
      stage: "refused" as const,
    };
    const problem = { code: "unsupported_chain", message: "It does not know this chain." };
    const page = of({ ...refused, problem });
    assert.deepEqual(
      page.buttons.slice(0, 2).map(({ id, label }) => [id, label]),
      [
        ["verify locally", "Verify Locally…"],
        ["choose chain", "Choose Another Chain…"],
      ],
    );
    assert.ok(
      labels(page).every((label) => label !== "Try Again"),
      labels(page).join(),
    );
    const ofSearch = of({ ...without(refused, "submission"), problem });
    assert.ok(
      labels(ofSearch).every((label) => label !== "Verify Locally…"),
      "a search has no sources to compile",
    );
    const limited = of({ ...refused, problem: { code: "rate_limited", message: "Too many requests." } });
    assert.ok(
      labels(limited).every((label) => label !== "Choose Another Chain…"),
      labels(limited).join(),
    );
  });

  it("shows how the creation code differs, too, where it was compared", () => {
    const page = of(FAILED, { creationCode: CREATION });
    assert.deepEqual(page.creationCode, CREATION);
    assert.equal(page.creationButton?.label, "Show Creation Code Difference");
    assert.equal(of(FAILED).creationButton, undefined);
  });

  it("of a match says what keeps it from an exact one, and nothing of causes", () => {
    const page = of({ ...FAILED, contract: { match: "match" } });
    assert.equal(page.headline, "A is verified: match");
    assert.equal(page.outcome, "verified");
    assert.match(page.sentences[0] ?? "", /^A is verified: match\. The code is equal/);
  });

  it("of a compiler that the service can't get names it, and says nothing against the sources", () => {
    const said = "Failed fetching solc v0.8.30+commit.73712a01 for platform bin";
    const error = {
      customCode: "compiler_error",
      message: "Compiler error",
      errorData: { compilerErrorMessage: said },
    };
    const submitted = {
      compilerVersion: "0.8.30+commit.73712a01",
      contractIdentifier: "A.sol:A",
      stdJsonInput: { language: "Solidity" as const, sources: { "A.sol": { content: "" } }, settings: {} },
    };
    const explanation = atOnce(explainInPieces({ error, submitted }));
    const page = of({ ...FAILED, job: { ...FAILED.job, error } as typeof FAILED.job, explanation });
    assert.equal(page.headline, "A was not compiled");
    assert.deepEqual(page.sentences, [], "the head and the cause say it, once");
    const { evidence = "", fix = "" } = page.causes[0] ?? {};
    assert.match(
      `${evidence} ${fix}`,
      /^The service could not get the compiler solc 0\.8\.30 \(Failed fetching solc .*\)\. Try again later/,
    );
    assert.equal(page.lead?.label, "Try Again");
    assert.equal(page.causes[0]?.button, undefined);
    assert.ok(!labels(page).some((label) => label === "Try Again"), "it stands beside that of the cause");
  });

  it("of a compiler that gave nothing is not headed as if the sources were wrong, and offers to try again", () => {
    const error = { customCode: "no_compiler_output", message: "The compiler returned no output" };
    const submitted = {
      compilerVersion: "0.8.30+commit.73712a01",
      contractIdentifier: "A.sol:A",
      stdJsonInput: { language: "Solidity" as const, sources: { "A.sol": { content: "" } }, settings: {} },
    };
    const explanation = atOnce(explainInPieces({ error, submitted }));
    const record = { ...FAILED, job: { ...FAILED.job, error } as typeof FAILED.job, explanation };
    const page = of(record);
    assert.equal(page.headline, "A was not compiled");
    assert.doesNotMatch(JSON.stringify(page), /doesn't compile/);
    assert.equal(explainedInBrief(record), "No compiler output");
    assert.equal(page.lead?.label, "Try Again");
    assert.equal(
      page.causes[0]?.evidence,
      "The compiler at the service gave no output (The compiler returned no output): nothing was compared, and that tells nothing of the sources.",
    );
  });

  it("of sources that don't compile says the kind of the error and where", () => {
    const error = {
      customCode: "compiler_error",
      message: "Compiler error",
      errorData: {
        compilerErrors: [
          {
            severity: "error",
            type: "TypeError",
            message: "Type uint256 is not implicitly convertible to expected type uint128.",
            formattedMessage: "TypeError: …\n --> src/A.sol:45:9:\n",
            sourceLocation: { file: "src/A.sol", start: 1, end: 2 },
          },
        ],
      },
    };
    const submitted = {
      compilerVersion: "0.8.24+commit.e11b9ed9",
      contractIdentifier: "src/A.sol:A",
      stdJsonInput: {
        language: "Solidity" as const,
        sources: { "src/A.sol": { content: "" } },
        settings: {},
      },
    };
    const explanation = atOnce(explainInPieces({ error, submitted }));
    const page = of({ ...FAILED, job: { ...FAILED.job, error } as typeof FAILED.job, explanation });
    assert.equal(page.headline, "A doesn't compile");
    assert.deepEqual(page.sentences, [], "the head and the cause say it, once");
    assert.equal(
      page.causes[0]?.evidence,
      "The compiler reports: TypeError in src/A.sol:45: Type uint256 is not implicitly convertible to expected type uint128.",
    );
    assert.equal(page.causes[0].fix, "Correct the sources, or submit those of the deployment.");
  });

  it("of a verified contract says how well each of the codes matches, and what is not known of the creation", () => {
    const matched = (creationMatch: string | null, more: object = {}) => {
      const { facts } = of({
        ...without(FAILED, "creationTransactionHash"),
        contract: { match: "match", runtimeMatch: "match", creationMatch },
        ...more,
      });
      return facts
        .filter(({ label }) => label === "Runtime code" || label === "Creation code")
        .map(({ value }) => value);
    };
    assert.deepEqual(matched("exact_match"), ["match", "exact match"]);
    assert.deepEqual(matched(null), ["match", "no match, or the service does not know it"]);
    assert.deepEqual(matched(null, { creationTransactionHash: `0x${"1".repeat(64)}` }), [
      "match",
      "no match",
    ]);
  });

  it("of an exact match says why the runtime code is only a match: the hash is in the creation code", () => {
    const runtime = (metadataHashIn: "creation code" | "runtime code", runtimeMatch = "match") =>
      of({
        ...FAILED,
        ...(FAILED.submission && { submission: { ...FAILED.submission, metadataHashIn } }),
        contract: { match: "exact_match", runtimeMatch, creationMatch: "exact_match" },
      }).facts.find(({ label }) => label === "Runtime code");
    assert.equal(runtime("creation code")?.value, "match; the metadata hash is in the creation code");
    assert.match(
      runtime("creation code")?.whole ?? "",
      /^The runtime code carries no metadata hash, .* Vyper /,
    );
    const unknown = "match; the exact match is that of the creation code";
    assert.equal(runtime("runtime code")?.value, unknown);
    assert.doesNotMatch(runtime("runtime code")?.whole ?? assert.fail(), /Vyper/);
    assert.equal(runtime("creation code", "exact_match")?.value, "exact match");
    const taken = {
      ...FAILED,
      contract: { match: "exact_match", runtimeMatch: "match", creationMatch: "exact_match" },
    };
    delete (taken as { submission?: unknown }).submission;
    const [fact] = of(taken).facts.filter(({ label }) => label === "Runtime code");
    assert.equal(fact?.value, unknown, "as of a contract that was verified elsewhere");
  });

  it("of a verified contract says what was written into its immutables", () => {
    const verified = {
      runtime: [{ type: "replace", reason: "immutable", offset: 5, id: "3" }],
      creation: [],
      immutables: new Map(),
      constructorInputs: [],
    } as const;
    const { transformations } = of(
      { ...FAILED, contract: { match: "match" } },
      { verified, immutables: "owner 0x7099…79c8" },
    );
    assert.deepEqual(
      transformations.map(({ label, value }) => [label, value]),
      [["Immutables", "owner 0x7099…79c8 (value written, 1 place in the runtime code)"]],
    );
  });

  it("groups the digits of a constructor's numbers, and has them as they are in the hover", async () => {
    const { constructorArguments } = await import("../../../src/core/evm/constructorArguments.ts");
    const word = (value: bigint) => value.toString(16).padStart(64, "0");
    assert.deepEqual(
      constructorArguments(`0x${word(1_798_761_600n)}${word(7n)}`, [
        { name: "deadline", type: "uint64" },
        { name: "root", type: "bytes32" },
      ]).map(({ label, value, whole }) => [label, value, whole]),
      [
        ["deadline", "1,798,761,600", "uint64 deadline = 1798761600"],
        ["root", `0x${word(7n)}`, `bytes32 root = 0x${word(7n)}`],
      ],
    );
  });

  it("has the button that looks for the commit beside the fix that needs it, where there is a history", () => {
    const runs: Cause = {
      code: "optimizer_runs",
      confidence: 0.5,
      evidence: "y",
      action: { kind: "resubmit", label: "Resubmit With 200 Runs", localLabel: "", changes: {} },
    };
    const told = (causes: readonly Cause[], hasHistory?: boolean) => {
      // As an earlier session wrote it.
      const stored: unknown = JSON.parse(
        JSON.stringify({ ...FAILED, explanation: { summary: "x", causes } }),
      );
      const record = readAs(storedJob, stored);
      assert.ok(record);
      const details = { code: CREATION, ...(hasHistory !== undefined && { hasHistory }) };
      const page = of(record, details);
      const [own, ...rest] = jobFacts(record, NOW, hasHistory).flatMap(({ action }) => action?.label ?? []);
      return {
        lead: page.lead?.label,
        head: labels(page).filter((label) => label.startsWith("Find")),
        causes: page.causes.map(({ button }) => button?.label),
        rows: [own, ...rest].filter((label) => label !== "Show Bytecode Difference"),
      };
    };
    const [search, resubmit] = ["Find the Commit", "Resubmit With 200 Runs"];
    // A cause of before there was a history, or of an earlier version, has none of its own.
    for (const edited of [EDITED, { ...EDITED, action: FIND_COMMIT }]) {
      assert.deepEqual(told([edited], true), {
        lead: undefined,
        head: ["Find the Settings"],
        causes: [search],
        rows: [search],
      });
      assert.deepEqual(told([edited, runs], true), {
        lead: undefined,
        head: ["Find the Settings"],
        causes: [search, resubmit],
        rows: [search, resubmit],
      });
      assert.deepEqual(told([runs, edited], true), {
        lead: resubmit,
        head: ["Find the Settings"],
        causes: [resubmit, search],
        rows: [resubmit, search],
      });
      assert.deepEqual(told([edited], false), {
        lead: undefined,
        head: ["Find the Settings"],
        causes: [undefined],
        rows: [],
      });
    }
    assert.deepEqual(
      told([{ ...EDITED, action: FIND_COMMIT }]).causes,
      [search],
      "not away until it is known",
    );
  });

  it("offers to look for sources and settings unless equal metadata proves these", () => {
    const explained = (code: "extra_files" | "edited_source") =>
      of(
        { ...FAILED, explanation: { summary: "x", causes: [{ code, confidence: 0.97, evidence: "x" }] } },
        { code: CREATION, hasHistory: true },
      );
    const finds = (page: VerificationPage) => labels(page).filter((label) => label.startsWith("Find"));
    assert.deepEqual(finds(explained("edited_source")), ["Find the Settings", "Find the Commit"]);
    assert.deepEqual(finds(explained("extra_files")), []);
  });

  it("shows nothing of what others said as anything but text", () => {
    const hostile = "[x](command:a) $(bug) \u202e<img src=x onerror=alert(1)>";
    const page = of({
      ...FAILED,
      job: { ...FAILED.job, error: { customCode: hostile, message: hostile } } as typeof FAILED.job,
      explanation: {
        summary: hostile,
        causes: [{ code: "server", confidence: 1, evidence: hostile, fix: hostile }],
      },
    });
    const told = JSON.stringify(page);
    assert.doesNotMatch(told, /\u202e|\]\(|\$\(/);
  });
});

describe("The page of a result of this machine", () => {
  const RESULT: LocalResult = {
    path: "/w/Vault.sol",
    contractName: "Vault",
    chainId: "296",
    address: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
    verdict: "mismatch",
    compilerVersion: "0.8.28+commit.7893614a",
    at: NOW,
    reason: "A value differs.",
    causes: [
      {
        code: "optimizer_runs",
        confidence: 1,
        evidence: "Runs differ.",
        action: {
          kind: "resubmit",
          label: "Resubmit With 200 Runs",
          localLabel: "Verify With 200 Runs",
          changes: {},
        },
      },
    ],
    details: {
      sent: { brief: foreignLine("solc 0.8.28"), facts: [], files: [], fileCount: 0 },
      compiler: [{ label: foreignLine("Compiler"), value: foreignLine("solc 0.8.28") }],
      runtimeMatch: null,
      creationMatch: null,
      transformations: [],
      constructorArguments: [],
    },
  };

  const SEEN = {
    hasInput: true,
    hasHistory: true,
    canBePublished: true,
    isVerified: false,
    isInLedger: false,
  };

  it("has the button that looks for the commit beside the fix that needs it, too", () => {
    const local = (hasHistory: boolean) => {
      const result: LocalResult = { ...RESULT, causes: [EDITED] };
      const { lead, causes, buttons } = localPage(result, { ...SEEN, hasHistory });
      return [
        lead,
        causes[0]?.button?.label,
        labels({ buttons }).some((label) => label === "Find the Commit"),
      ];
    };
    assert.deepEqual(local(true), [undefined, "Find the Commit", false]);
    assert.deepEqual(local(false), [undefined, undefined, false]);
  });

  it("says a reason once that is its first cause", () => {
    const evidence = "Runs differ.";
    const page = localPage({ ...RESULT, reason: evidence }, SEEN);
    assert.deepEqual(page.sentences, ["Verified locally: nothing was published."]);
    assert.equal(page.causes[0]?.evidence, evidence);
    assert.equal(localPage(RESULT, SEEN).sentences[0], RESULT.reason, "another one is told");
  });

  it("says that nothing was published, and offers to verify where a job would be submitted again", () => {
    const page = localPage(RESULT, SEEN);
    assert.equal(page.headline, "Vault: no match on this machine");
    assert.ok(page.sentences.includes(foreignLine("Verified locally: nothing was published.")));
    assert.equal(page.lead?.label, "Verify With 200 Runs");
    assert.deepEqual(labels(page), [
      "Find the Settings",
      "Find the Commit",
      "Compare Again",
      "Copy Address",
      "Raw JSON",
    ]);
    assert.deepEqual(
      labels(localPage(RESULT, { ...SEEN, hasHistory: false })),
      ["Find the Settings", "Compare Again", "Copy Address", "Raw JSON"],
      "no search in a history that is not there",
    );
    const exact = localPage({ ...RESULT, verdict: "exact_match", causes: [] }, SEEN);
    assert.deepEqual(labels(exact), ["Verify…", "Copy Address", "Raw JSON"]);
    const unseen = localPage(
      { ...RESULT, verdict: "exact_match", causes: [] },
      { ...SEEN, canBePublished: false },
    );
    assert.deepEqual(labels(unseen), ["Compare Again", "Copy Address", "Raw JSON"]);
    // What is verified already is not offered again, and says nothing of what was published.
    const verified = localPage(
      { ...RESULT, verdict: "exact_match", causes: [] },
      { ...SEEN, isVerified: true },
    );
    assert.deepEqual(labels(verified), ["Compare Again", "Copy Address", "Raw JSON"]);
    assert.doesNotMatch(verified.sentences.join("\n"), /published/);
  });

  it("of a Vyper contract says why the runtime code is only a match beside an exact creation code", () => {
    const details = {
      ...(RESULT.details ?? assert.fail()),
      runtimeMatch: "match",
      creationMatch: "exact_match",
    } as const;
    const runtime = (path: string, compilerVersion: string) =>
      localPage({ ...RESULT, path, compilerVersion, details, verdict: "exact_match" }, SEEN).facts.find(
        ({ label }) => label === "Runtime code",
      )?.value;
    assert.equal(
      runtime("/w/Vault.vy", "0.4.3+commit.bff19ea2"),
      "match; the metadata hash is in the creation code",
    );
    const unknown = "match; the exact match is that of the creation code";
    assert.equal(runtime("/w/Vault.vy", "0.3.7+commit.6020b8bb"), unknown, "before Vyper wrote a hash");
    assert.equal(runtime("/w/Vault.sol", "0.8.28+commit.7893614a"), unknown);
  });

  it("opens its address in the ledger of its own chain alone", () => {
    const opens = (isInLedger: boolean) =>
      localPage(RESULT, { ...SEEN, isInLedger })
        .facts.map((fact) => fact.opens)
        .filter(Boolean);
    assert.deepEqual(opens(true), [RESULT.address]);
    assert.deepEqual(opens(false), []);
  });

  it("opens its files and the compiler input as that of a job does, as long as they are kept", () => {
    const page = localPage(RESULT, SEEN);
    assert.equal(page.hasFiles, true);
    assert.deepEqual(
      page.sentButtons.map(({ label }) => label),
      ["Compiler Input"],
    );
    const later = localPage(RESULT, { ...SEEN, hasInput: false });
    assert.equal(later.hasFiles, false);
    assert.deepEqual(later.sentButtons, []);
    assert.ok(labels(later).some((label) => label === "Raw JSON"));
  });

  it("shows after a restart how the creation code differs, also beside a runtime code that matches", async () => {
    let stored: unknown;
    const storage = {
      get: () => stored,
      set: (value: unknown) => void (stored = JSON.parse(JSON.stringify(value)) as unknown),
    };
    const details = { ...(RESULT.details ?? assert.fail()), creationCode: CREATION };
    await new LocalResults(storage, new MemoryStorage()).add({ ...RESULT, details });
    const [kept] = new LocalResults(storage, new MemoryStorage()).all();
    const page = localPage(kept ?? assert.fail(), { ...SEEN, hasInput: false });
    assert.deepEqual(page.creationCode, CREATION);
    assert.equal(page.creationButton?.label, "Show Creation Code Difference");
    const match = localPage({ ...RESULT, details, verdict: "match" }, { ...SEEN, hasInput: false });
    assert.deepEqual(match.creationCode, CREATION);
    assert.equal(match.creationButton, undefined, "of a match no difference can be made anew");
  });

  it("is there after a restart, and shows nothing that was changed on the disk as anything but text", async () => {
    let stored: unknown;
    const results = new LocalResults(
      {
        get: () => stored,
        set: (value) => void (stored = JSON.parse(JSON.stringify(value)) as unknown),
      },
      new MemoryStorage(),
    );
    await results.add(RESULT);
    const [first] = results.all();
    assert.deepEqual(first, RESULT);
    stored = JSON.parse(JSON.stringify(stored).replace("solc 0.8.28", "\\u202e[x](command:a)")) as unknown;
    const [changed] = results.all();
    assert.ok(changed);
    assert.doesNotMatch(JSON.stringify(localPage(changed, SEEN)), /\u202e|\]\(/);
    stored = [{ ...RESULT, details: { sent: 1 } }];
    assert.equal(results.all()[0]?.details, undefined, "a result without its details is still a result");
  });
});
