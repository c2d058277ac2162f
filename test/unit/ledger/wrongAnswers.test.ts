import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readOpenedItems } from "../../../src/core/ledger/openedItems.ts";
import { NoticeMemory } from "../../../src/core/status/noticeMemory.ts";
import { knownCompilers } from "../../../src/core/compilerInput/compilerLists.ts";
import { PublishConsent } from "../../../src/core/verification/publishConsent.ts";
import { codeOf } from "../verification/jobWorld.ts";
import { placesIn, replaced, WRONG_VALUES } from "../verification/wrongValues.ts";
import { serviceOf } from "./strangeChecks.ts";

describe("A ledger that answers about something else than was asked", () => {
  it("gives no token and no schedule, but an error", async () => {
    const service = serviceOf(() =>
      JSON.stringify({ token_id: "0.0.5", schedule_id: "0.0.5", decimals: "1" }),
    );
    assert.equal(await codeOf(service.token("0.0.6")), "wrong_answer");
    assert.equal(await codeOf(service.schedule("0.0.6")), "wrong_answer");
    assert.equal((await service.token("0.0.5")).decimals, 1);
  });
});

describe("What is remembered with a wrong value", () => {
  const kept = {
    items: [
      { kind: "token", networkId: "mainnet", canonical: "0.0.5", pinned: true, label: "a", description: "b" },
    ],
    notices: { mutedUntil: 5, mutedKeys: ["a"], told: [{ key: "a", level: "degraded", at: 5 }] },
    consent: [{ origin: "https://a.example", agreedAt: 5, kinds: ["project /w"] }],
    lists: { solc: ["0.8.28+commit.7893614a"], vyper: ["0.4.0+commit.e9db8d9f"] },
  };

  it("spoils only itself", () => {
    let cells = 0;
    for (const place of placesIn(kept)) {
      for (const wrong of WRONG_VALUES) {
        cells++;
        const all = (replaced(kept, place, wrong) ?? {}) as Readonly<Record<string, unknown>>;
        const storage = (name: string) => ({ get: () => all[name], set: () => undefined });
        for (const { label, description, canonical } of readOpenedItems({
          get: () => all["items"],
          update: () => Promise.resolve(),
        }))
          for (const text of [label, description, canonical]) assert.equal(typeof text, "string");
        const notices = new NoticeMemory(storage("notices"));
        notices.wasTold("a", "degraded", 0);
        notices.mutedUntil(1);
        notices.keepOnly(["a"]);
        notices.tell([{ key: "b", level: "degraded" }], 6);
        const consent = new PublishConsent(storage("consent"));
        const scope = { kinds: ["project /w", "more"], isUnremarkable: true };
        assert.equal(consent.covers("https://a.example", scope), false, "an agreement never grows");
        assert.ok(knownCompilers(storage("lists")).solc.length > 10);
      }
    }
    console.log(`${cells} wrong memories`);
  });
});
