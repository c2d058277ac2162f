import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ActionNamer } from "../../../../src/core/ledger/actions/actionNames.ts";
import { networkAt } from "../../../../src/core/ledger/references/network.ts";
import { speedscopeProfile } from "../../../../src/core/ledger/transactions/speedscope.ts";
import {
  callRows,
  pageTree,
  transactionPage,
} from "../../../../src/core/ledger/transactions/transactionPage.ts";
import { flameBars } from "../../../../src/pages/transaction/flame.ts";
import { lineOfCall, visibleCalls } from "../../../../src/pages/transaction/visibleCalls.ts";
import { proofSize } from "../../../rig/proofSize.ts";
import { random } from "../../random.ts";
import { isPlain, leaves, serviceOf } from "../strangeChecks.ts";
import { someShape, strangeActions, strangeResult, strangeTransactions } from "../strangeLedger.ts";

const network = networkAt("http://127.0.0.1:1");
const PAGES = proofSize({ sample: 200, whole: 10_000 });

describe(`The pages of ${PAGES.toLocaleString("en-US")} strange transactions`, () => {
  it("name every call, draw each within its caller, and show nothing hostile", async () => {
    const source = random("pages of strange transactions");
    for (let made = 0; made < PAGES; made++) {
      const actionsBody = strangeActions(source, someShape(source), null).text;
      const resultBody = strangeResult(source).text;
      const transactionBody = strangeTransactions(source).text;
      const service = serviceOf((target) =>
        target.includes("/actions")
          ? actionsBody
          : target.includes("/results/")
            ? resultBody
            : target.includes("/transactions")
              ? transactionBody
              : undefined,
      );
      const actions = await service.actions("0.0.5@1.2");
      const record = await service.transactionRecord(actions);
      const namer = new ActionNamer(network, []);
      const logs = record.execution?.logs ?? [];
      const events = new Map(
        await Promise.all(logs.map(async (log, at) => [at, await namer.event(log)] as const)),
      );
      const parts = {
        canonical: actions.canonical,
        networkName: network.name,
        tree: actions.tree,
        complete: actions.complete,
        now: 0,
        namesOf: (action: Readonly<Record<string, unknown>>) => namer.known(action),
        record,
        events,
      };
      const tree = pageTree(parts);
      for (const action of tree.actions) await namer.name(action);
      const page = transactionPage(parts);
      const rows = callRows(tree, parts.namesOf);

      for (const text of [...leaves(page), ...leaves(rows)])
        assert.ok(isPlain(text), `hostile: ${JSON.stringify(text)}`);
      for (const row of rows) assert.notEqual(row.contract.trim(), "", "a call has no name");
      assert.equal(page.callCount, rows.length);
      assert.notEqual(page.headline, "");

      for (const root of [undefined, ...(rows.length > 0 ? [source.below(rows.length)] : [])])
        for (const { from, width } of flameBars(rows, root, 0))
          assert.ok(from >= 0 && width >= 0 && from + width <= 1 + 1e-9, `a bar from ${from}, ${width} wide`);
      const profile = speedscopeProfile(tree, "x", String);
      assert.doesNotMatch(profile, /"(?:at|endValue)":null/);

      const folded = new Set(rows.filter(() => source.below(3) === 0).map(({ at }) => at));
      const shown = visibleCalls(rows, { filter: "", hidesStatic: false, folded });
      for (const { at } of rows) {
        const line = lineOfCall(shown, rows, at);
        let caller = at;
        while (caller >= 0 && !shown.some(({ row }) => row.at === caller))
          caller = rows[caller]?.parent ?? -1;
        assert.equal(shown[line]?.row.at, caller, "what is folded away is stood for by its caller");
      }
    }
  });
});
