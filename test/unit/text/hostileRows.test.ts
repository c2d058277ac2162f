import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { FoundDeployment } from "../../../src/core/workspace/workspaceDeployments.ts";
import { actionRow, reasonRow } from "../../../src/core/ledger/actions/actionRows.ts";
import { scheduleRow } from "../../../src/core/ledger/schedules/scheduleRows.ts";
import { tokenRow } from "../../../src/core/ledger/tokens/tokenRows.ts";
import { compilerProblems } from "../../../src/core/jobs/compilerProblems.ts";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { outcomeSentence } from "../../../src/core/jobs/jobWords.ts";
import { jobFacts, verificationRows } from "../../../src/core/jobs/verificationRows.ts";
import type { ViewRow } from "../../../src/core/rows/viewRow.ts";
import { ADDRESS, ENDLESS, failedJob, hostileAnswer, LINK } from "../../attacks/hostile/hostileAnswers.ts";
import { NOW, startLedger } from "../ledger/loopbackLedger.ts";
import { EDITORS_ICON, EDITORS_LINK } from "./editorsRules.ts";

const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Every text that a row draws, and those of the rows under it. */
function textsOf(row: ViewRow): string[] {
  const { label, description = "", tooltip = [], children = [] } = row;
  return [label, description, ...tooltip, ...children.flatMap(textsOf)];
}

function assertHarmless(texts: readonly string[], longest = 4_100): void {
  assert.ok(
    texts.some((text) => text.includes("[Sign in] (command:")),
    "the hostile text is there, as text",
  );
  for (const text of texts) {
    assert.doesNotMatch(text, EDITORS_LINK);
    assert.doesNotMatch(text, EDITORS_ICON);
    assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Cs}]/u);
    assert.ok(text.length <= longest, `${text.length} characters: ${text.slice(0, 80)}`);
  }
}

const record = (): JobRecord => ({
  id: "1",
  stage: "submitted",
  service: "https://service.example",
  chainId: "296",
  address: ADDRESS,
  verificationId: "7b2f0000-0000-4000-8000-000000000000",
  submittedAt: NOW,
  submission: {
    compilerVersion: LINK,
    contractIdentifier: `src/${LINK}/Vault.sol:Vault`,
    source: "derived",
    path: `/w/src/${LINK}/Vault.sol`,
    contractName: ENDLESS,
    fileCount: 1,
  },
  job: failedJob(),
});

describe("Hostile answers and files, on their way to the screen", () => {
  it("come to the ledger view as text", async () => {
    const { service } = await startLedger((target) => JSON.stringify(hostileAnswer("GET", target)[1]), stops);
    assertHarmless(textsOf(tokenRow(await service.token("0.0.5"))));
    const { schedule } = await service.schedule("0.0.6");
    assertHarmless(textsOf(scheduleRow(schedule, NOW)));
    const { tree } = await service.actions(`0x${"12".repeat(32)}`);
    assertHarmless([actionRow(tree, 0, undefined), reasonRow(tree, 0, undefined)].flatMap(textsOf));
  });

  it("come to the verification view, the outcome and the problems as text", () => {
    const one: FoundDeployment = {
      chainId: "296",
      address: ADDRESS,
      contract: ENDLESS,
      recordedBy: "foundry",
      record: `/w/${LINK}/run-latest.json`,
    };
    const picture = {
      records: [record()],
      deployments: [one],
      unreadable: [],
      stateOf: () => undefined,
      isWaitedFor: () => false,
      now: NOW,
    };
    assertHarmless(verificationRows(picture).flatMap(textsOf));
    assertHarmless(jobFacts(record()).flatMap(textsOf));
    const input = { language: "Solidity", sources: {}, settings: {} } as const;
    const [problem] = compilerProblems(failedJob().error, input);
    assert.ok(problem);
    assertHarmless([problem.message, problem.code ?? ""], 1_000);
  });

  it("make sentences that end with what to do, whatever their length", () => {
    const said = outcomeSentence(record());
    assertHarmless([said], 1_000);
    assert.match(said, /… doesn't compile: .*… The details list every error\.$/);
  });
});
