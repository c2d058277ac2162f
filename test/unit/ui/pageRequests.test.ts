import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { verificationPageRequest } from "../../../src/core/jobs/page/pageRequest.ts";
import { readAs } from "../../../src/core/json/shape.ts";
import { pageRequest } from "../../../src/core/ledger/transactions/pageRequest.ts";

describe("What a page may ask for", () => {
  const STRANGE = [
    undefined,
    null,
    "ready",
    42,
    [],
    {},
    { type: "toString" },
    { type: "__proto__" },
    { type: ["ready"] },
    { type: "describe" },
    { type: "describe", at: "0" },
    { type: "describe", at: -1 },
    { type: "describe", at: Number.NaN },
    { type: "goToSource", at: 1e99 },
    { type: "press" },
    { type: "press", id: 1 },
    { type: "open", canonical: ["0.0.5"] },
    { type: "copyCall" },
    { type: "copyCallJson", at: "1" },
    { type: "search" },
    { type: "search", text: ["x"] },
    { type: "openFile", at: { valueOf: 1 } },
    { type: "executeCommand", command: "workbench.action.terminal.new" },
  ];

  it("is what its model lists, and nothing that is strange", () => {
    for (const message of STRANGE) {
      assert.equal(readAs(pageRequest, message), undefined, JSON.stringify(message));
      assert.equal(readAs(verificationPageRequest, message), undefined, JSON.stringify(message));
    }
    assert.deepEqual(readAs(pageRequest, { type: "goToSource", at: 3, command: "x" }), {
      type: "goToSource",
      at: 3,
    });
    assert.deepEqual(readAs(pageRequest, { type: "search", text: "0.0.5" }), {
      type: "search",
      text: "0.0.5",
    });
    assert.deepEqual(readAs(pageRequest, { type: "ready" }), { type: "ready" });
    assert.deepEqual(readAs(verificationPageRequest, { type: "press", id: "cause 0" }), {
      type: "press",
      id: "cause 0",
    });
    assert.deepEqual(readAs(verificationPageRequest, { type: "open", canonical: "0x12" }), {
      type: "open",
      canonical: "0x12",
    });
    assert.deepEqual(readAs(verificationPageRequest, { type: "openFile", at: 2 }), {
      type: "openFile",
      at: 2,
    });
  });
});
