import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { diskError } from "../../../src/core/files/diskError.ts";
import { localAction, LocalResults, type LocalResult } from "../../../src/core/jobs/localResults.ts";
import { answeredCauses } from "../../../src/core/matching/causes/answeredCauses.ts";
import { causesByHistory, FIND_COMMIT, type Cause } from "../../../src/core/matching/explanation.ts";
import type { StandardJsonInput } from "../../../src/core/sources/standardJsonInput.ts";
import { MemoryStorage } from "./memoryStorage.ts";
import { verificationRows, type VerificationPicture } from "../../../src/core/jobs/verificationRows.ts";
import { inGerman } from "../inGerman.ts";

const NOW = Date.UTC(2026, 10, 22, 12);

function result(change: Partial<LocalResult> = {}): LocalResult {
  return {
    path: "/w/contracts/Vault.sol",
    contractName: "Vault",
    chainId: "296",
    address: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
    verdict: "exact_match",
    compilerVersion: "0.8.28+commit.7893614a",
    at: NOW - 120_000,
    reason: "Compiled here with 0.8.28, the code is that of the deployment, metadata hash included.",
    ...change,
  };
}

function kept(first?: unknown) {
  return sessions(first)();
}

/** Opens what is kept as one session after the other would. */
function sessions(first?: unknown, files = new MemoryStorage()) {
  let value = first;
  return () =>
    new LocalResults(
      {
        get: () => value,
        set: (changed) => void (value = JSON.parse(JSON.stringify(changed)) as unknown),
      },
      files,
    );
}

const INPUT: StandardJsonInput = {
  language: "Solidity",
  sources: { "contracts/Vault.sol": { content: "contract Vault { uint constant FEE = 52; }" } },
  settings: { evmVersion: "cancun" },
};
const ANSWER = { verdict: "mismatch", deployed: { runtimeCode: "0x6001" } };

const PICTURE: VerificationPicture = {
  records: [],
  deployments: [],
  stateOf: () => undefined,
  isWaitedFor: () => false,
  now: NOW,
};

describe("What was verified on this machine", () => {
  it("is kept once for each deployment, the newest first, and told to the view", async () => {
    const results = kept();
    let told = 0;
    results.onChange(() => told++);
    await results.add(result({ verdict: "mismatch" }));
    await results.add(result({ address: `0x${"11".repeat(20)}` }));
    await results.add(result());
    assert.deepEqual(
      results.all().map(({ address, verdict }) => [address.slice(0, 6), verdict]),
      [
        ["0x5FbD", "exact_match"],
        ["0x1111", "exact_match"],
      ],
    );
    await results.remove(result());
    assert.equal(results.all().length, 1);
    assert.equal(told, 4);
  });

  it("is read as far as it can be, whatever another version kept", () => {
    for (const odd of [undefined, 3, "x", {}, [{}], [{ ...result(), verdict: "perfect" }], [null]])
      assert.deepEqual(kept(odd).all(), []);
    assert.equal(kept([{}, result()]).all().length, 1);
    const known: Cause = { code: "server", confidence: 0.5, evidence: "It was busy." };
    const [read] = kept([
      { ...result(), causes: [{ code: "of another version", evidence: "x" }, known] },
    ]).all();
    assert.deepEqual(read?.causes, [known]);
  });

  it("keeps what was compiled beside it, over a restart and over what a search adds", async () => {
    const open = sessions();
    await open().add(result(), { input: INPUT, answer: ANSWER });
    await open().add({ ...result(), reason: "Proven by a search." });
    const later = open();
    assert.equal(later.all()[0]?.reason, "Proven by a search.");
    assert.equal(await later.hasInput(result()), true);
    assert.deepEqual(await later.input(result()), INPUT);
    assert.deepEqual(await later.answer(result()), ANSWER);
  });

  it("never takes what was compiled for another result of the same deployment for its own", async () => {
    const files = new MemoryStorage();
    const results = sessions(undefined, files)();
    await results.add(result(), { input: INPUT, answer: ANSWER });
    files.write = () => Promise.reject(diskError(Object.assign(new Error(), { code: "ENOSPC" }), "x", "/w"));
    const newer = result({ at: NOW });
    await results.add(newer, { input: { ...INPUT, sources: {} }, answer: ANSWER });
    assert.equal(results.all()[0]?.at, NOW, "a full disk takes no verdict away");
    assert.equal(await results.hasInput(newer), false);
    assert.equal(await results.input(newer), undefined);
  });

  it("leaves nothing of what was compiled behind once the result is gone", async () => {
    const files = new MemoryStorage();
    const results = sessions(undefined, files)();
    for (let at = 0; at < 22; at++)
      await results.add(result({ chainId: String(at) }), { input: INPUT, answer: ANSWER });
    assert.equal(files.files.size, 40);
    const first = results.all()[0] ?? assert.fail();
    await results.remove(first);
    assert.equal(files.files.size, 38);
    // A session that ended in between left some, of which no result is kept.
    await sessions([], files)().hasInput(first);
    assert.equal(files.files.size, 0);
  });

  it("makes room for newer ones", async () => {
    const results = kept();
    for (let at = 0; at < 25; at++) await results.add(result({ chainId: String(at) }));
    assert.equal(results.all().length, 20);
    assert.equal(results.all()[0]?.chainId, "24");
  });

  it("offers the commit where the sources were edited, and the difference once beside it", () => {
    const edited = (evidence: string): Cause => ({
      code: "edited_source",
      confidence: 0.9,
      evidence,
      action: FIND_COMMIT,
    });
    const causes = [edited("A value differs: 25 deployed, 52 compiled."), edited("An address differs.")];
    const [read] = kept([result({ verdict: "mismatch", causes })]).all();
    assert.deepEqual(read?.causes, causes, "it is kept");
    const localResults = [read];
    const [group] = verificationRows({ ...PICTURE, localResults });
    const rows = group?.children?.[0]?.children ?? [];
    assert.deepEqual(
      rows.map(({ description, action }) => [description, action?.kind]),
      [
        ["A value differs: 25 deployed, 52 compiled. · 90 % · Find the Commit", "find commit"],
        ["An address differs. · 90 % · Find the Commit", "find commit"],
        [result().compilerVersion, undefined],
        ["Show Bytecode Difference", "show difference"],
      ],
    );
    assert.ok(
      rows.every(({ action, context }) => (action === undefined) === !/^cause\../.test(context ?? "")),
    );
  });

  it("is not sent to a history where there is none", () => {
    const retry = { kind: "retry", label: "Try Again" } as const;
    const cause: Cause = { code: "edited_source", confidence: 0.9, evidence: "An address differs." };
    assert.deepEqual(
      causesByHistory(
        [
          { ...cause, action: FIND_COMMIT },
          { ...cause, action: retry },
        ],
        false,
      ),
      [cause, { ...cause, action: retry }],
    );
  });

  it("is sent to a history that came after it was kept, and no more to one that has gone", () => {
    const cause: Cause = {
      code: "edited_source",
      confidence: 0.9,
      evidence: "Other.",
      fix: "Submit others.",
    };
    const rowsOf = (kind: Cause, hasHistory?: () => boolean) => {
      const localResults = kept([result({ verdict: "mismatch", causes: [kind] })]).all();
      const [group] = verificationRows({ ...PICTURE, localResults, ...(hasHistory && { hasHistory }) });
      return (group?.children?.[0]?.children ?? []).flatMap(({ action }) => action?.label ?? []);
    };
    const looked = { ...cause, action: FIND_COMMIT };
    const both = ["Find the Commit", "Show Bytecode Difference"];
    assert.deepEqual(
      rowsOf(cause, () => true),
      both,
    );
    assert.deepEqual(
      rowsOf(looked, () => false),
      [],
    );
    assert.deepEqual([rowsOf(cause), rowsOf(looked)], [[], both], "until that is known it is as it was kept");
  });

  it("has rows of its own, which say that nothing was published and why it does not match", () => {
    const causes: readonly Cause[] = [
      { code: "edited_source", confidence: 0.9, evidence: "A value differs: 25 deployed, 52 compiled." },
      {
        code: "optimizer",
        confidence: 0.5,
        evidence: "The deployed code is optimized.",
        fix: "Switch the optimizer on.",
        action: {
          kind: "resubmit",
          label: "Resubmit Optimized",
          localLabel: "Verify Optimized",
          changes: { settings: { optimizer: { enabled: true } } },
        },
      },
      {
        code: "server",
        confidence: 0.1,
        evidence: "The service may have been busy.",
        action: { kind: "retry", label: "Try Again" },
      },
    ];
    const localResults = [result(), result({ chainId: "1", verdict: "mismatch", causes })];
    const [group, ...others] = verificationRows({ ...PICTURE, localResults });
    assert.deepEqual(others, []);
    assert.equal(group?.label, "Verified on this machine");
    assert.equal(group.description, "not published");
    const [first, second] = group.children ?? [];
    assert.equal(first?.label, "Vault");
    assert.match(first.description ?? "", /^exact match · .* · 0x5FbD…0aa3 · 2 min ago$/);
    assert.equal(first.context, "localResult.matching");
    const isOutOfReach = () => true;
    const [unseen] = verificationRows({ ...PICTURE, localResults, isOutOfReach })[0]?.children ?? [];
    assert.equal(unseen?.context, "localResult.local", "a chain that the service can't see");
    const stateOf = () => "exact_match" as const;
    const [recorded] = verificationRows({ ...PICTURE, localResults, stateOf });
    assert.doesNotMatch(
      [recorded, ...(recorded?.children ?? [])]
        .flatMap((row) => [row?.description, ...(row?.tooltip ?? [])])
        .join("\n"),
      /published/i,
      "of what is on record as verified",
    );
    assert.equal(recorded?.children?.[0]?.context, "localResult.local");
    assert.match(second?.description ?? "", /^no match · /);
    assert.equal(second?.context, "localResult.mismatch");
    const withHistory = verificationRows({ ...PICTURE, localResults, hasHistory: () => true })[0];
    assert.equal(withHistory?.children?.[1]?.context, "localResult.mismatch.tracked");
    const [edited, optimizer, server, compiler] = second.children ?? [];
    assert.equal(edited?.label, "The sources differ");
    assert.equal(edited.description, "A value differs: 25 deployed, 52 compiled. · 90 %");
    // What a button would do is done here: nothing was submitted that could be submitted again.
    assert.match(optimizer?.description ?? "", / · 50 % · Verify Optimized$/);
    assert.equal(optimizer?.context, "cause.resubmit");
    assert.equal(optimizer.localResult, second.localResult);
    assert.equal(optimizer.action?.kind, "resubmit");
    assert.equal(server?.action, undefined);
    assert.equal(compiler?.label, "Compiler");
    assert.notEqual(first.icon, "pass-filled", "never mistaken for a published one");
  });

  it("is offered to be verified with another compiler in German, too, also after a restart", () =>
    inGerman(async () => {
      const said =
        "Failed fetching solc v0.8.28+commit.00000000 for platform bin. Please check if the version is valid.";
      const { causes } = atOnce(
        answeredCauses(
          {
            error: {
              customCode: "compiler_error",
              message: said,
              errorId: "1",
              errorData: { compilerErrorMessage: said },
            },
            submitted: {
              compilerVersion: "0.8.28+commit.00000000",
              contractIdentifier: "contracts/Vault.sol:Vault",
              stdJsonInput: { language: "Solidity", sources: {}, settings: {} },
            },
          },
          undefined,
          undefined,
        ),
      );
      const results = kept();
      await results.add(result({ verdict: "mismatch", causes }));
      const [cause] = results.all()[0]?.causes ?? [];
      const own = cause?.action && localAction(cause.action);
      assert.deepEqual(
        [cause?.action?.label, own?.label],
        ["Mit 0.8.28 erneut einreichen", "Mit 0.8.28 verifizieren"],
      );
    }));

  it("has the one label that an earlier version kept", () => {
    const action = { kind: "submit full input", label: "Submit All Files" };
    const cause = { code: "server", confidence: 1, evidence: "A file is missing.", action };
    const [{ causes = [] } = {}] = kept([{ ...result({ verdict: "mismatch" }), causes: [cause] }]).all();
    assert.ok(causes[0]?.action);
    assert.equal(localAction(causes[0].action)?.label, "Submit All Files");
  });
});
