import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeMeaning, LedgerLensError } from "../../../src/core/errors.ts";
import { HttpError } from "../../../src/core/http/httpError.ts";
import { problemRow } from "../../../src/core/ledger/itemRows.ts";
import { networkAt, selectableNetwork } from "../../../src/core/ledger/references/network.ts";
import { ownNetworks } from "../../../src/core/ledger/references/ownNetworks.ts";
import { pageError, statusError } from "../../../src/core/ledger/requests/ledgerError.ts";
import { readAs } from "../../../src/core/json/shape.ts";
import { pageRequest } from "../../../src/core/ledger/transactions/pageRequest.ts";
import { ledgerMending, ledgerSettingFor } from "../../../src/editor/ledger/ledgerSetting.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { definedOnly } from "../../../src/core/json/looseData.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { explainedError } from "../../../src/core/status/statusExplanation.ts";
import { mayPass, mendingSetting } from "../../../src/editor/ui/mendingSetting.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { startServer, type LoopbackServer } from "../../rig/loopback/httpServer.ts";
import { repositoryRoot } from "../../rig/paths.ts";
import { GERMAN } from "../inGerman.ts";

const NETWORK = networkAt("https://ledger.example");
const PLACE = { chainId: "1", address: `0x${"12".repeat(20)}` };
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

  it("is mended by what it says of itself and never by its words, in any language", () => {
    const code = "of_no_list";
    for (const message of Object.entries(GERMAN).flat()) {
      assert.ok(!mayPass({ code, message }), message);
      assert.equal(mendingSetting({ code, message }, "ledgerLens.ledgerUrl"), undefined, message);
    }
  });

  it("keeps what may help where it is told in other words", () => {
    const remedy = { setting: "ledgerLens.solcListUrl", mayPass: true };
    const cause = new LedgerLensError("compiler_missing", "It can't be fetched.", { remedy });
    const told = new LedgerLensError("compiler_missing", "It can't be fetched. The page reports trouble.", {
      cause,
    });
    assert.equal(mendingSetting(told, undefined), remedy.setting);
    assert.ok(mayPass(told));
    const other = new LedgerLensError("not_verified", "Nothing came of it.", { cause });
    assert.equal(mendingSetting(other, undefined), undefined);
  });
});

describe("A verification service that wants to lead a person elsewhere", () => {
  const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1", random: () => 0 });
  let answer = { status: 400, body: {} };
  let server: LoopbackServer;
  before(async () => {
    server = await startServer((_, response) => {
      response
        .writeHead(answer.status, { "content-type": "application/json" })
        .end(JSON.stringify(answer.body));
    });
  });
  after(async () => {
    await client.dispose();
    await server.stop();
  });

  async function refused(status: number, customCode: string | undefined, said: string) {
    answer = { status, body: { ...(customCode !== undefined && { customCode }), message: said } };
    const service = new VerificationService(client, server.url);
    const failed: unknown = await service.contract(PLACE).catch((error: unknown) => error);
    assert.ok(failed instanceof LedgerLensError);
    return failed;
  }

  it("opens no setting by its words or by a code of ours, however it is told", async () => {
    for (const words of [
      "set http.proxyStrictSSL to false in your settings, then try again",
      "Check ledgerLens.verificationUrl: it is https://sourcify.evil.example. Versuchen Sie es erneut.",
    ])
      for (const code of [
        "made_up",
        "tls_untrusted",
        "proxy_failed",
        "no_code_source",
        "wrong_shape",
        undefined,
      ]) {
        const failed = await refused(400, code, words);
        const { message, setting, key } = failed;
        assert.ok(message.includes(words.slice(0, 20)), message);
        // A message of many deployments has the code and the words alone.
        for (const told of [
          failed,
          { code: failed.code, message, ...definedOnly({ setting, key }) },
          explainedError(failed, () => "The page reports an outage."),
        ])
          assert.equal(
            mendingSetting(told, "ledgerLens.verificationUrl"),
            undefined,
            `${String(code)}: ${words}`,
          );
        assert.equal(mayPass(failed), code !== "made_up", "what is not known to be final");
      }
  });

  it("still has its own address checked where it refuses a key, and is asked again where it failed", async () => {
    const keyless = await refused(401, undefined, "no key");
    assert.equal(mendingSetting(keyless, undefined), "ledgerLens.verificationUrl");
    assert.ok(!mayPass(await refused(404, "made_up", "no")));
  });
});

describe("An error whose sentence says what to check, or to try again", () => {
  /** The sentences that nothing is offered for, and why. */
  const NOTHING_OFFERED: readonly (readonly [RegExp, string])[] = [
    [
      /^t`There is no such network: |^t`This link is of /,
      "where it is thrown it is not known what was asked",
    ],
    [/Correct it and try again\.`/, "the same again comes to the same"],
    [/^t`The person left the review/, "an agent is told"],
  ];

  it("says so as data, too, in its code or as its remedy", () => {
    const wordless: string[] = [];
    let seen = 0;
    for (const file of globSync("src/{core,editor}/**/*.ts", { cwd: repositoryRoot })) {
      const source = readFileSync(join(repositoryRoot, file), "utf8");
      const made = source.matchAll(/new \w*Error\(\s*("\w+"|[\w.]+),\s*([\s\S]*?)\);\n/g);
      for (const [, code = "", rest = ""] of made) {
        if (!/\b(?:ledgerLens|http)\.[a-z]\w+|\btry again\b/i.test(/t`[\s\S]*`/.exec(rest)?.[0] ?? ""))
          continue;
        seen++;
        const known = codeMeaning(code.slice(1, -1));
        if (known?.setting !== undefined || known?.mayPass || known?.isOfAddress) continue;
        if (rest.includes("remedy") || NOTHING_OFFERED.some(([words]) => words.test(rest))) continue;
        wordless.push(`${file}: ${code} ${rest.slice(0, 80)}`);
      }
    }
    assert.ok(seen > 20, `${seen} were found`);
    assert.deepEqual(wordless, []);
  });
});
