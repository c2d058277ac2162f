import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LedgerLensError } from "../../../src/core/errors.ts";
import { HttpError } from "../../../src/core/http/httpError.ts";
import { problemRow } from "../../../src/core/ledger/itemRows.ts";
import { networkAt, selectableNetwork } from "../../../src/core/ledger/references/network.ts";
import { ownNetworks } from "../../../src/core/ledger/references/ownNetworks.ts";
import { pageError, statusError } from "../../../src/core/ledger/requests/ledgerError.ts";
import { readAs } from "../../../src/core/json/shape.ts";
import { pageRequest } from "../../../src/core/ledger/transactions/pageRequest.ts";
import { ledgerMending, ledgerSettingFor } from "../../../src/editor/ledger/ledgerSetting.ts";
import { GERMAN } from "../inGerman.ts";
import { mayPass } from "../../../src/editor/ui/mendingSetting.ts";

const NETWORK = networkAt("https://ledger.example");
const OK = { status: 200, hadKey: false };

describe("What failed in the ledger", () => {
  const said = (status: number) => statusError(status, {}, "token 0.0.5", NETWORK);

  it("is mended by the setting of its address where that, or the key in it, is wrong", () => {
    const mendable: readonly LedgerLensError[] = [
      said(401),
      said(403),
      pageError(OK, "token 0.0.5", NETWORK, undefined),
      new HttpError("unreachable", "ledger.example can't be reached: host not found."),
      new HttpError("invalid_url", "ledger.example has no http or https address."),
    ];
    for (const error of mendable)
      assert.equal(ledgerSettingFor(error), "ledgerLens.ledgerUrl", error.message);
    for (const error of [said(404), said(429), said(503)])
      assert.equal(ledgerSettingFor(error), undefined, error.message);
  });

  it("says so in its row, whose menu then has the setting, and may be asked by a page", () => {
    assert.equal(problemRow("It can't be reached.", "setting").context, "problem.mendable");
    assert.equal(problemRow("It is overloaded.", undefined).context, "problem");
    assert.deepEqual(readAs(pageRequest, { type: "openSettings" }), { type: "openSettings" });
  });

  it("is mended by the key where its network wants one in a header, and by no setting", () => {
    const own = ownNetworks([
      { name: "Own", ledgerUrl: "https://mirror.example/v1", headerName: "X-API-Key" },
    ]);
    const network = selectableNetwork("Own", own);
    const refused = (status: number) => [
      statusError(status, {}, "token 0.0.5", network),
      pageError({ status }, "token 0.0.5", network, undefined),
    ];
    for (const error of [...refused(401), ...refused(403)]) {
      assert.deepEqual(error.key, { origin: "https://mirror.example", headerName: "X-API-Key" });
      assert.equal(ledgerMending(error), "key", error.message);
      assert.equal(ledgerSettingFor(error), undefined);
      assert.equal(problemRow(error.message, ledgerMending(error)).context, "problem.keyless");
    }
    for (const error of [...refused(404), ...refused(503)]) assert.equal(error.key, undefined, error.message);
    assert.equal(ledgerMending(said(401)), "setting");
    assert.deepEqual(readAs(pageRequest, { type: "enterKey" }), { type: "enterKey" });
  });

  it("may pass where a service is overloaded, in whatever language that is said", () => {
    for (const status of [429, 503, 500])
      assert.ok(mayPass({ code: said(status).code, message: "" }), `${status}`);
    assert.ok(!mayPass(said(401)));
  });

  it("may pass in German where it may in English", () => {
    const code = "of_no_list";
    for (const [english, german] of Object.entries(GERMAN))
      assert.equal(mayPass({ code, message: german }), mayPass({ code, message: english }), english);
    assert.ok(mayPass({ code, message: "Versuchen Sie es später erneut." }));
  });
});
