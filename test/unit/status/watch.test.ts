import { atOnce } from "../../../src/core/concurrency/turns.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { HttpError } from "../../../src/core/http/httpError.ts";
import {
  explainByStatus,
  explainedError,
  isServiceFailure,
} from "../../../src/core/status/statusExplanation.ts";
import { readStatusSummaryInPieces } from "../../../src/core/status/statusSummary.ts";
import { watchedComponents } from "../../../src/core/status/statusWatch.ts";
import {
  agoWords,
  countdownWords,
  durationWords,
  inWords,
  localSpan,
  localTime,
} from "../../../src/core/text/timeWords.ts";

const NOW = Date.parse("2026-11-24T13:52:00Z");

const component = (name: string, rest: object = {}) => ({ id: name, name, status: "operational", ...rest });

const PAGE = {
  page: { name: "Hedera" },
  components: [
    component("Hedera Mainnet (v0.66.1) | Network Uptime"),
    component("Mirror Node REST API Public Mainnet"),
    component("Mirror Node REST API Public Testnet"),
    component("Consensus", { group_id: "Previewnet" }),
    component("Testnet faucet", { group_id: "Previewnet" }),
    component("Previewnet", { group: true }),
    component("Smart Contract Verification"),
    component("Portal"),
  ],
};

/** The page with components in other states and with incidents. */
function pageWith(statuses: Record<string, string>, incidents: object[] = []) {
  return atOnce(
    readStatusSummaryInPieces(
      {
        ...PAGE,
        components: PAGE.components.map((one) => ({ ...one, status: statuses[one.name] ?? one.status })),
        incidents,
      },
      "The status page",
    ),
  );
}

const watched = (names: string[], networkId: string, summary = pageWith({})) => {
  const { ids, chosenBy, unmatched } = watchedComponents(summary, { names, networkId });
  return { ids: [...ids], chosenBy, unmatched };
};

describe("What is watched", () => {
  it("is what names the network in use, by its own name or else by its group's", () => {
    assert.deepEqual(watched([], "mainnet"), {
      ids: ["Hedera Mainnet (v0.66.1) | Network Uptime", "Mirror Node REST API Public Mainnet"],
      chosenBy: "network",
      unmatched: [],
    });
    assert.deepEqual(watched([], "previewnet").ids, ["Consensus"]);
    assert.deepEqual(watched([], "testnet").ids, ["Mirror Node REST API Public Testnet", "Testnet faucet"]);
  });

  it("is everything where nothing names the network", () => {
    assert.equal(watched([], "127.0.0.1:5551").ids.length, 7);
    assert.equal(watched([], "127.0.0.1:5551").chosenBy, "default");
    const other = atOnce(
      readStatusSummaryInPieces({ components: [component("API"), component("Website")] }, "The status page"),
    );
    assert.deepEqual(watched([], "mainnet", other).ids, ["API", "Website"]);
  });

  it("is the one that is named, where its name begins that of another", () => {
    const pieces = readStatusSummaryInPieces(
      { components: [component("API"), component("API Gateway"), component("Web API")] },
      "The status page",
    );
    const page = atOnce(pieces);
    assert.deepEqual(watched(["api"], "mainnet", page).ids, ["API"]);
    assert.deepEqual(watched(["API", "Web"], "mainnet", page).ids, ["API", "Web API"]);
  });

  it("is what the user names, whatever version stands in the name by now", () => {
    assert.deepEqual(watched(["hedera mainnet | network UPTIME"], "testnet"), {
      ids: ["Hedera Mainnet (v0.66.1) | Network Uptime"],
      chosenBy: "user",
      unmatched: [],
    });
    assert.deepEqual(watched(["Hedera Mainnet (v0.61.0) | Network Uptime"], "testnet").chosenBy, "user");
    assert.deepEqual(watched(["Previewnet"], "mainnet").ids, ["Consensus", "Testnet faucet"]);
    assert.equal(watched(["*"], "mainnet").ids.length, 7);
  });

  it("falls back to the network where the user's names fit nothing, and says so", () => {
    assert.deepEqual(watched(["Portal", "gone"], "mainnet").unmatched, ["gone"]);
    const { chosenBy, unmatched } = watched(["gone", " "], "mainnet");
    assert.deepEqual([chosenBy, unmatched], ["network", ["gone"]]);
  });
});

describe("When a request fails", () => {
  const explain = (
    service: "verification" | "ledger",
    networkId: string,
    summary: ReturnType<typeof pageWith>,
    confirmedAt = NOW - 60_000,
  ) => explainByStatus(service, networkId, { summary, confirmedAt }, { now: NOW, timeZone: "UTC" });

  it("trouble that fits is named, the nearest part first", () => {
    const summary = pageWith(
      {
        "Hedera Mainnet (v0.66.1) | Network Uptime": "major_outage",
        "Mirror Node REST API Public Mainnet": "partial_outage",
      },
      [
        {
          id: "i",
          name: "Elevated error rates",
          status: "identified",
          impact: "major",
          started_at: "2026-11-24T08:10:00-05:00",
          components: [{ id: "Mirror Node REST API Public Mainnet" }],
        },
      ],
    );
    assert.equal(
      explain("ledger", "mainnet", summary),
      'Hedera reports Mirror Node REST API Public Mainnet: partial outage since 13:10, "Elevated error rates", which may be the reason.',
    );
    assert.equal(explain("ledger", "testnet", summary), undefined);
    assert.equal(explain("ledger", "127.0.0.1:5551", summary), undefined);
    assert.equal(explain("verification", "mainnet", summary), undefined);
  });

  it("the time is that of the part itself, which an incident may have reached later than it began", () => {
    const incident = (began: string) => [
      {
        id: "i",
        name: "Elevated error rates",
        status: "identified",
        impact: "major",
        started_at: began,
        components: [{ id: "Mirror Node REST API Public Mainnet" }],
      },
    ];
    const summary = atOnce(
      readStatusSummaryInPieces(
        {
          ...PAGE,
          components: PAGE.components.map((one) =>
            one.name === "Mirror Node REST API Public Mainnet"
              ? { ...one, status: "partial_outage", updated_at: "2026-11-24T13:25:00Z" }
              : one,
          ),
          incidents: incident("2026-11-24T11:00:00Z"),
        },
        "The status page",
      ),
    );
    assert.equal(
      explain("ledger", "mainnet", summary),
      'Hedera reports Mirror Node REST API Public Mainnet: partial outage since 13:25, "Elevated error rates", which may be the reason.',
    );
  });

  it("an incident without components counts by its name", () => {
    const incident = (name: string) =>
      pageWith({}, [
        { id: "i", name, status: "investigating", impact: "critical", created_at: "2026-11-24T13:00:00Z" },
      ]);
    assert.equal(
      explain("ledger", "testnet", incident("Testnet network is down")),
      'Hedera reports "Testnet network is down" since 13:00 (investigating), which may be the reason.',
    );
    assert.equal(explain("ledger", "mainnet", incident("Testnet network is down")), undefined);
    assert.equal(explain("ledger", "mainnet", incident("Portal login")), undefined);
    assert.match(explain("verification", "mainnet", incident("Contract verification is slow")) ?? "", /slow/);
  });

  it("a component of the verification service counts for verification only", () => {
    const summary = pageWith({ "Smart Contract Verification": "degraded_performance" });
    assert.match(
      explain("verification", "testnet", summary) ?? "",
      /Smart Contract Verification: degraded performance/,
    );
    assert.equal(explain("ledger", "testnet", summary), undefined);
  });

  it("nothing is said while all is well, or from what is long past", () => {
    const out = pageWith({ "Mirror Node REST API Public Mainnet": "major_outage" });
    assert.equal(explain("ledger", "mainnet", pageWith({})), undefined);
    assert.equal(explain("ledger", "mainnet", out, NOW - 2 * 3_600_000), undefined);
    assert.equal(explainByStatus("ledger", "mainnet", undefined, { now: NOW }), undefined);
    assert.notEqual(explain("ledger", "mainnet", out), undefined);
  });

  it("the sentence joins the error of a service that failed, and no other", () => {
    const failed = new HttpError("timeout", "The ledger did not answer within 30 s.", { detail: "log" });
    const explained = explainedError(failed, () => "Hedera reports an outage.");
    assert.deepEqual(
      [explained.code, explained.message, explained.detail],
      ["timeout", "The ledger did not answer within 30 s. Hedera reports an outage.", "log"],
    );
    assert.equal(
      explainedError(explained, () => "Hedera reports an outage."),
      explained,
      "said once",
    );
    assert.equal(
      explainedError(failed, () => undefined),
      failed,
    );
    const mistake = new LedgerLensError("invalid_parameter", "This is no token.");
    assert.equal(
      explainedError(mistake, () => "x"),
      mistake,
    );
    const status = (code: number) => new HttpError("not_json", "x", { status: code });
    assert.ok(isServiceFailure(status(503)));
    assert.ok(!isServiceFailure(new HttpError("cancelled", "x")));
  });
});

describe("Times in words", () => {
  const at = (iso: string) => Date.parse(iso);
  it("read as people say them", () => {
    assert.deepEqual(
      [0, 59_999, 42 * 60_000, 65 * 60_000, 3_600_000, 26.5 * 3_600_000, 49 * 3_600_000, -5].map(
        durationWords,
      ),
      ["0 s", "59 s", "42 min", "1 h 5 min", "1 h", "1 day 2 h", "2 days 1 h", "0 s"],
    );
    assert.deepEqual(
      [1000, 40_000, 90_000, 26 * 3_600_000, 48 * 3_600_000, -90_000].map((passed) =>
        agoWords(NOW - passed, NOW),
      ),
      ["just now", "40 s ago", "1 min ago", "1 day 2 h ago", "2 days ago", "just now"],
    );
    assert.deepEqual(
      [59_999, 26 * 60_000, 185 * 60_000, 180 * 60_000, 24 * 3_600_000, 61.5 * 86_400_000].map((left) =>
        inWords(NOW + left, NOW),
      ),
      ["in 59 s", "in 26 min", "in 3 h 5 min", "in 3 h", "in 1 day", "in 61 days 12 h"],
    );
    assert.deepEqual(
      [30_000, 26 * 60_000, 5 * 3_600_000, 24 * 3_600_000, 50 * 3_600_000].map((left) =>
        countdownWords(NOW + left, NOW),
      ),
      ["in less than a minute", "in 26 min", "in 5 h", "in 1 day", "in 2 days"],
    );
  });

  it("know the day in the reader's own time zone, also when clocks change", () => {
    assert.deepEqual(
      [
        "2026-11-24T23:30:00Z",
        "2026-11-25T00:30:00Z",
        "2026-11-23T10:00:00Z",
        "2026-12-02T10:00:00Z",
        "2027-01-05T10:00:00Z",
      ].map((iso) => localTime(at(iso), NOW, "UTC")),
      ["23:30", "tomorrow 00:30", "yesterday 10:00", "2 Dec 10:00", "5 Jan 2027 10:00"],
    );
    assert.equal(localTime(at("2026-11-24T23:30:00Z"), NOW, "Europe/Berlin"), "tomorrow 00:30");
    // The night in which Berlin's clocks go back has 25 hours.
    assert.equal(localTime(at("2026-10-25T22:30:00Z"), at("2026-10-24T22:30:00Z"), "Europe/Berlin"), "23:30");
    assert.equal(
      localSpan(at("2026-11-24T23:00:00Z"), at("2026-11-25T01:00:00Z"), NOW, "UTC"),
      "23:00–tomorrow 01:00",
    );
  });
});
