import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { actionRow } from "../../../src/core/ledger/actions/actionRows.ts";
import { actionsAsJson, actionsAsText } from "../../../src/core/ledger/actions/actionText.ts";
import { scheduleRow } from "../../../src/core/ledger/schedules/scheduleRows.ts";
import { tokenRow } from "../../../src/core/ledger/tokens/tokenRows.ts";
import { tokenDocument } from "../../../src/core/ledger/tokens/tokenDocument.ts";
import { NOW, startLedger } from "./loopbackLedger.ts";
import { assertDrawable } from "./strangeChecks.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

describe("A body that is nested deeper than the engine can write", () => {
  it("is shown with words in place of what is too deep", async () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const { service } = await startLedger((target) => {
      if (target.includes("/actions"))
        return `{"actions":[${`{"index":0,"call_depth":0,"result_data_type":${deep},"to":${deep},"value":${deep}},`.repeat(2)}{"index":0,"result_data":${deep},"result_data_type":"ERROR"}]}`;
      if (target.includes("/schedules"))
        return `{"transaction_body":${deep},"admin_key":${deep},"signatures":[${deep}]}`;
      return `{"name":"Deep","expiry_timestamp":${deep},"admin_key":${deep},"metadata":${deep},"pause_status":${deep},"custom_fees":{"fixed_fees":[{"amount":${deep}}]},"future":${deep}}`;
    }, stops);
    const token = await service.token("0.0.5");
    assertDrawable(tokenRow(token));
    assert.match(tokenDocument(token), /"future"/);
    const { schedule } = await service.schedule("0.0.5");
    assertDrawable(scheduleRow(schedule, NOW));
    const { tree } = await service.actions("0.0.5@1.2");
    assert.equal(tree.actions.length, 3);
    for (const at of tree.actions.keys()) assertDrawable(actionRow(tree, at, undefined));
    assert.match(actionsAsText(tree), /! /);
    assert.equal((JSON.parse(actionsAsJson(tree)) as unknown[]).length, 3);
  });
});
