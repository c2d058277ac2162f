import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { FINDING_CODES, type InputFinding } from "../../../src/core/sources/inputFinding.ts";
import type { InputFile, StandardJsonInput } from "../../../src/core/sources/standardJsonInput.ts";
import { isFinished, recordStatus } from "../../../src/core/jobs/jobRecord.ts";
import { outcomeSentence } from "../../../src/core/jobs/jobWords.ts";
import { distinctFiles } from "../../../src/core/jobs/publishReview.ts";
import { retryOffer } from "../../../src/core/jobs/retryOffer.ts";
import {
  agreedBeforeInPieces,
  AgreedSubmission,
  SubmissionReview,
  type ReviewedInput,
} from "../../../src/core/jobs/submissionReview.ts";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { random } from "../random.ts";
import { agreed, reviewFor, type TestSubmission } from "./agreed.ts";
import {
  ADDRESS,
  codeOf,
  finished,
  ID,
  INPUT,
  PARTIAL,
  OTHER_ID,
  pending,
  stopWorlds,
  SUBMISSION,
  WHOLE,
  world,
} from "./jobWorld.ts";
import { MemoryStorage } from "./memoryStorage.ts";

afterEach(stopWorlds);

/** Jobs at a service that keeps what it gets, and another service that must get nothing. */
async function twoServices(job: (id: string) => object = () => pending, storage = new MemoryStorage()) {
  const bodies: string[] = [];
  const first = await world((request, response) => {
    if (request.method !== "POST") {
      const { url = "" } = request;
      if (!url.includes("/contract/")) return job(url.split("/").at(-1) ?? "");
      response.statusCode = 404;
      return { match: null, chainId: "296", address: ADDRESS };
    }
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      bodies.push(text);
      response.end(JSON.stringify({ verificationId: bodies.length === 1 ? ID : OTHER_ID }));
    });
    return undefined;
  }, storage);
  const second = await world(() => ({ verificationId: ID }));
  return { ...first, bodies, elsewhere: second.server };
}

describe("What was shown", () => {
  it("can't be changed any more by who made the input", async () => {
    const { jobs, bodies, server } = await twoServices();
    const input = structuredClone(INPUT) as {
      -readonly [Field in keyof typeof INPUT]: (typeof INPUT)[Field];
    };
    const review = reviewFor(server.url, { ...SUBMISSION, input });
    const sources = input.stdJsonInput.sources as Record<string, { content: string }>;
    assert.throws(() => {
      (sources["A.sol"] ?? assert.fail()).content = "contract Evil {}";
    }, TypeError);
    assert.throws(() => {
      sources["B.sol"] = { content: "contract B {}" };
    }, TypeError);
    input.stdJsonInput = WHOLE.stdJsonInput;
    input.compilerVersion = "0.8.1+commit.df193b15";
    await jobs.submit(review.agreed());
    assert.deepEqual(bodies, [
      JSON.stringify({
        stdJsonInput: INPUT.stdJsonInput,
        compilerVersion: INPUT.compilerVersion,
        contractIdentifier: INPUT.contractIdentifier,
      }),
    ]);
  });

  it("can't be changed while a large one is still being made in pieces", () => {
    const { compilerVersion, contractIdentifier, contractName, path, source, stdJsonInput } = INPUT;
    const many = (count: number): StandardJsonInput => ({
      ...stdJsonInput,
      sources: Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          at === 0 ? "A.sol" : `F${at}.sol`,
          { content: `// ${at}` },
        ]),
      ),
    });
    const reviewed = {
      compilerVersion,
      contractIdentifier,
      contractName,
      path,
      source,
      stdJsonInput: many(300),
      compilerReason: "",
      files: [],
      findings: [],
      warnings: [],
      project: "/w",
      changedSinceBuild: [],
      wholeBuild: { stdJsonInput: many(301), files: [] },
    };
    const pieces = SubmissionReview.inPieces("https://a.example", SUBMISSION, reviewed);
    let last = pieces.next();
    assert.ok(!last.done, "others have their turn in between");
    const sources = reviewed.stdJsonInput.sources as Record<string, { content: string }>;
    assert.throws(() => {
      (sources["A.sol"] ?? assert.fail()).content = "contract Evil {}";
    }, TypeError);
    reviewed.stdJsonInput = WHOLE.stdJsonInput;
    reviewed.contractIdentifier = "B.sol:B";
    while (!last.done) last = pieces.next();
    const { shown } = last.value;
    const sent = JSON.parse(last.value.agreed().request.body) as typeof reviewed;
    assert.equal(sent.contractIdentifier, "A.sol:A");
    assert.deepEqual(sent.stdJsonInput, many(300));
    assert.deepEqual(
      shown.files.filter(({ onlyIfNeeded }) => !onlyIfNeeded).map(({ unit }) => unit),
      Object.keys(sent.stdJsonInput.sources).sort(),
    );
  });

  it("goes to the service that it was shown for, whatever is configured when it is sent", async () => {
    const { jobs, bodies, server, elsewhere, configure } = await twoServices();
    const reviewed = agreed(server.url, SUBMISSION);
    configure(elsewhere.url);
    const record = await jobs.submit(reviewed);
    assert.equal(record.service, server.url);
    assert.equal(bodies.length, 1);
    assert.deepEqual(elsewhere.asked, []);
  });

  it("is the only thing that is taken: what only looks like it is not", async () => {
    const { jobs, bodies, server } = await twoServices();
    const reviewed = agreed(server.url, SUBMISSION);
    const copy = {
      service: server.url,
      request: reviewed.request,
      deployment: reviewed.deployment,
      kept: {},
    };
    for (const fake of [copy, Object.create(AgreedSubmission.prototype) as object, structuredClone(copy)])
      await assert.rejects(jobs.submit(fake as never), TypeError);
    assert.deepEqual(bodies, []);
    assert.deepEqual(jobs.store.all(), []);
  });

  it("is not agreed to where the service would reject it", () => {
    const findings: InputFinding[] = [
      { code: "empty_source", severity: "error", sentence: "A.sol is empty." },
    ];
    assert.throws(() => reviewOf(findings).agreed(), { code: "empty_source", message: "A.sol is empty." });
  });
});

/** A review of a small input with something to say of it. */
function reviewOf(
  findings: readonly InputFinding[],
  { file = {}, ...more }: Partial<ReviewedInput> & { readonly file?: Partial<InputFile> } = {},
): SubmissionReview {
  const stdJsonInput = structuredClone(INPUT.stdJsonInput);
  const { compilerVersion, contractIdentifier, contractName, path, source } = INPUT;
  return atOnce(
    SubmissionReview.inPieces("https://a.example/server", SUBMISSION, {
      compilerVersion,
      contractIdentifier,
      contractName,
      path,
      source,
      stdJsonInput,
      compilerReason: "",
      files: [{ name: "A.sol", path: "/w/A.sol", bytes: 13, origin: "project", ...file }],
      findings,
      warnings: [],
      project: "/w",
      changedSinceBuild: [],
      ...more,
    }),
  );
}

describe("The list of files", () => {
  it("has every text that goes and no other, whatever is known of files", () => {
    const chance = random("published texts");
    for (let round = 0; round < 200; round++) {
      const name = () => `${["src", "lib", "x"][chance.below(3)] ?? ""}/F${chance.below(6)}.sol`;
      const texts = (count: number) =>
        Object.fromEntries(
          Array.from({ length: count }, () => [name(), { content: `// ${chance.below(4)}` }]),
        );
      const first = texts(1 + chance.below(5));
      const whole = chance.below(2) === 0 ? undefined : { ...texts(chance.below(6)), ...first };
      // Records may tell of any file, of none, or of the same one for all.
      const files = Object.keys({ ...whole, ...first })
        .filter(() => chance.below(4) > 0)
        .map((one): InputFile => ({
          name: one,
          path: chance.below(2) === 0 ? "/w/out/1.json" : `/w/${one}`,
          bytes: 0,
          origin: chance.below(2) === 0 ? "project" : "dependency",
        }));
      const input = (sources: StandardJsonInput["sources"]): StandardJsonInput => ({
        language: "Solidity",
        sources,
        settings: {},
      });
      const review = reviewOf([], {
        stdJsonInput: input(first),
        files,
        record: "/w/out/1.json",
        ...(whole && { wholeBuild: { stdJsonInput: input(whole), files } }),
      });
      const listed = review.shown.files.map(({ unit, text }) => `${unit} ${text}`).sort();
      const going = Object.entries({ ...whole, ...first }).map(([unit, { content }]) => `${unit} ${content}`);
      assert.deepEqual(listed, going.sort());
      const { request, kept } = review.agreed();
      const sent = JSON.parse(request.body) as { stdJsonInput: StandardJsonInput };
      assert.deepEqual(sent.stdJsonInput.sources, first);
      for (const [unit, { content }] of Object.entries(kept.whole?.stdJsonInput.sources ?? {}))
        assert.ok(listed.includes(`${unit} ${content}`), "nothing of a second try was not shown");
    }
  });

  it("counts the texts of several submissions, not the records that they are in", () => {
    const inRecord = (content: string, more: Record<string, { content: string }> = {}) => {
      const sources = { "A.sol": { content }, ...more };
      return reviewOf([], {
        stdJsonInput: { language: "Solidity", sources, settings: {} },
        files: Object.keys(sources).map((name) => ({
          name,
          path: "/w/out/1.json",
          bytes: 1,
          origin: "dependency" as const,
        })),
        record: "/w/out/1.json",
      }).shown;
    };
    const one = inRecord("contract A {}", { "B.sol": { content: "contract B {}" } });
    const other = inRecord("contract A { }");
    assert.deepEqual(
      atOnce(distinctFiles([one, one, other])).map(({ unit, text }) => [unit, text]),
      [
        ["A.sol", "contract A {}"],
        ["A.sol", "contract A { }"],
        ["B.sol", "contract B {}"],
      ],
    );
  });

  it("has the JSON interfaces of Vyper, which go as well", () => {
    const stdJsonInput: StandardJsonInput = {
      language: "Vyper",
      sources: { "A.sol": { content: "# A" } },
      interfaces: { "I.json": { abi: [] } },
      settings: {},
    };
    const { files } = reviewOf([], { stdJsonInput }).shown;
    assert.deepEqual(files.map(({ unit, text }) => [unit, text]).sort(), [
      ["A.sol", "# A"],
      ["I.json", '{"abi":[]}'],
    ]);
  });
});

describe("What an agreement for later is about", () => {
  const isUnremarkable = (review: SubmissionReview) => review.scope.isUnremarkable;

  it("is plain for files of the project and its dependencies of which there is nothing to say", () => {
    const { scope } = reviewOf([{ code: "default_settings", severity: "note", sentence: "Defaults." }]);
    assert.deepEqual(scope, {
      kinds: ["files project", "language Solidity", "project /w"],
      isUnremarkable: true,
    });
    assert.deepEqual(reviewOf([], { file: { origin: "dependency" } }).scope.kinds, [
      "files dependency",
      "language Solidity",
      "project /w",
    ]);
  });

  it("is not plain for any finding but a few notes, also for one that is not known here", () => {
    const notes = ["unneeded_sources", "several_profiles", "default_settings"];
    for (const code of [...FINDING_CODES, "something_new" as never])
      for (const severity of ["warning", "note"] as const)
        assert.equal(
          isUnremarkable(reviewOf([{ code, severity, sentence: `${code}.` }])),
          severity === "note" && notes.includes(code),
          `${severity} ${code}`,
        );
  });

  it("is not plain for a file from outside, a text that is only in a record, and one of which nothing is known", () => {
    assert.equal(isUnremarkable(reviewOf([], { file: { origin: "workspace" } })), false);
    assert.equal(isUnremarkable(reviewOf([], { file: { path: "/w/1.json" }, record: "/w/1.json" })), false);
    assert.equal(isUnremarkable(reviewOf([], { files: [] })), false);
    assert.equal(isUnremarkable(reviewOf([])), true);
  });

  it("is not plain for the files of a commit, of which a person saw none in the work tree", () => {
    assert.equal(isUnremarkable(reviewOf([], { isOfCommit: true })), false);
    assert.equal(isUnremarkable(reviewOf([], { isOfCommit: false })), true);
  });

  it("is another kind with a whole build that may follow", () => {
    assert.ok(reviewFor("https://a.example", PARTIAL).scope.kinds.includes("whole build"));
  });
});

describe("What changed while it was shown", () => {
  const before = () => reviewFor("https://a.example/server", PARTIAL);
  const changed = (change: Partial<TestSubmission["input"]>, service = "https://a.example/server") =>
    before().changesIn(reviewFor(service, { ...PARTIAL, input: { ...INPUT, wholeBuild: WHOLE, ...change } }));
  const sources = (content: Record<string, string>) =>
    Object.fromEntries(Object.entries(content).map(([name, text]) => [name, { content: text }]));

  it("is nothing for the very same, also with another spelling of the service", () => {
    assert.equal(changed({}), undefined);
    assert.equal(changed({}, "HTTPS://A.example:443/server/"), undefined);
  });

  for (const [what, change, words] of [
    [
      "a file",
      { stdJsonInput: { ...INPUT.stdJsonInput, sources: sources({ "A.sol": "contract A { }" }) } },
      /^A\.sol$/,
    ],
    [
      "a file more and a setting",
      {
        stdJsonInput: {
          language: "Solidity",
          sources: sources({ "A.sol": "contract A {}", "C.sol": "contract C {}" }),
          settings: { viaIR: true },
        },
      },
      /^C\.sol and the compiler settings$/,
    ],
    ["the compiler", { compilerVersion: "0.8.1+commit.df193b15" }, /^the compiler$/],
    [
      "a file of the second try",
      {
        wholeBuild: {
          ...WHOLE,
          stdJsonInput: {
            ...WHOLE.stdJsonInput,
            sources: sources({ "A.sol": "contract A {}", "B.sol": "contract B { }" }),
          },
        },
      },
      /^B\.sol$/,
    ],
    ["that there is a second try", { wholeBuild: undefined }, /^B\.sol$/],
    [
      "where a file is",
      { files: [{ name: "A.sol", path: "/elsewhere/A.sol" }] },
      /^what is known of the files$/,
    ],
  ] as const) {
    it(`is said of ${what}`, () => assert.match(changed(change as never) ?? "", words));
  }

  it("is said of the service, with both hosts", () => {
    assert.equal(changed({}, "https://b.example/server"), "the service (a.example then, b.example now)");
    assert.match(changed({}, "http://a.example/server") ?? "", /the service/);
    assert.match(changed({}, "https://a.example:8443/server") ?? "", /a\.example:8443 now/);
  });

  it("is said of a search for the same code", () => {
    const search = (service: string) => SubmissionReview.ofSimilarity(service, SUBMISSION);
    assert.equal(search("https://a.example").changesIn(search("https://a.example/")), undefined);
    assert.match(search("https://a.example").changesIn(search("https://b.example")) ?? "", /b\.example now/);
  });
});

describe("What was agreed for a service that is no longer the configured one", () => {
  const transient = () => finished(null, { customCode: "cannot_fetch_bytecode", message: "RPC" });

  it("is not tried again by itself anywhere, and where a person says so it goes to the agreed one", async () => {
    const { jobs, bodies, server, elsewhere, configure } = await twoServices((id) =>
      id === ID ? transient() : { ...finished("match"), verificationId: id },
    );
    const { id } = await jobs.submit(agreed(server.url, SUBMISSION));
    await jobs.wait(id, { limitMs: 60_000 });
    configure(elsewhere.url);
    assert.equal(await codeOf(jobs.retry(id)), "service_changed");
    assert.equal(await codeOf(jobs.retry(id, { agreedFor: elsewhere.url })), "service_changed");
    assert.equal(bodies.length, 1);
    const again = await jobs.retry(id, { agreedFor: server.url });
    assert.equal(again.service, server.url);
    assert.equal(recordStatus(await jobs.wait(again.id, { limitMs: 60_000 })), "match");
    assert.equal(bodies[1], bodies[0]);
    assert.deepEqual(elsewhere.asked, []);
  });

  it("has no second try by itself, which is kept and goes where a person says", async () => {
    const { jobs, bodies, server, elsewhere, configure } = await twoServices((id) =>
      id === ID
        ? finished(null, { customCode: "no_match", message: "no" })
        : { ...finished("exact_match"), verificationId: id },
    );
    const { id } = await jobs.submit(agreed(server.url, PARTIAL));
    configure(elsewhere.url);
    const first = await jobs.wait(id, { limitMs: 60_000 });
    assert.equal(first.id, id, "the answer is the job that ran");
    assert.equal(bodies.length, 1);
    assert.match(outcomeSentence(first), /was not sent, since the configured service is another one now\.$/);
    const kept = jobs.store.get(first.secondTry?.id ?? "") ?? assert.fail();
    assert.equal(kept.problem?.code, "service_changed");
    assert.ok(isFinished(kept));
    assert.equal(retryOffer(kept, 0), "try again");
    await jobs.recover();
    await jobs.check(id);
    assert.equal(bodies.length, 1);
    assert.equal(await codeOf(jobs.retry(kept.id)), "service_changed");
    await jobs.retry(kept.id, { agreedFor: server.url });
    assert.equal(recordStatus(await jobs.wait(kept.id, { limitMs: 60_000 })), "exact_match");
    assert.equal(bodies.length, 2);
    assert.deepEqual(elsewhere.asked, []);
  });

  it("is shown anew for the other service, with every text that goes", async () => {
    const { jobs, server } = await twoServices(transient);
    const { id } = await jobs.submit(agreed(server.url, PARTIAL));
    const record = jobs.store.get(id) ?? assert.fail();
    const changes = { settings: { viaIR: true } };
    const review = atOnce(
      SubmissionReview.ofKeptInPieces("https://b.example", record, await jobs.kept(record), changes),
    );
    assert.equal(review.shown.host, "b.example");
    assert.deepEqual(
      review.shown.files.map(({ unit, text, place }) => [unit, text, place]),
      [["A.sol", "contract A {}", "project"]],
    );
    const again = review.agreed();
    assert.equal(again.service, "https://b.example");
    assert.deepEqual(
      (JSON.parse(again.request.body) as { stdJsonInput: StandardJsonInput }).stdJsonInput.settings,
      {
        viaIR: true,
      },
    );
    assert.equal(again.kept.whole, undefined, "other settings were not those of the build");
    const whole = atOnce(
      SubmissionReview.ofKeptInPieces("https://b.example", record, await jobs.kept(record)),
    );
    assert.deepEqual(
      whole.shown.files.map(({ unit, onlyIfNeeded }) => [unit, onlyIfNeeded]),
      [
        ["A.sol", false],
        ["B.sol", true],
      ],
    );
  });
});

describe("What is kept of a submission", () => {
  it("goes again as it was, for the service of its record, to the byte", async () => {
    const { jobs, bodies, server } = await twoServices();
    const { id } = await jobs.submit(agreed(server.url, PARTIAL));
    const record = jobs.store.get(id) ?? assert.fail();
    const again = atOnce(agreedBeforeInPieces(record, await jobs.kept(record)));
    assert.equal(again.request.body, bodies[0]);
    assert.equal(again.service, server.url);
  });

  it("goes under other names where a cause asks for them, shown as the very files that go", async () => {
    const { jobs, bodies, server } = await twoServices();
    const { id } = await jobs.submit(agreed(server.url, SUBMISSION));
    const record = jobs.store.get(id) ?? assert.fail();
    const changes = {
      sourceNames: { "A.sol": "src/A.sol" },
      settings: { remappings: ["b/=lib/b/"], optimizer: { runs: 1 } },
    };
    const kept = await jobs.kept(record);
    const review = atOnce(SubmissionReview.ofKeptInPieces(server.url, record, kept, changes));
    assert.deepEqual(
      review.shown.files.map(({ unit, path, isOnDisk }) => ({ unit, path, isOnDisk })),
      [{ unit: "src/A.sol", path: "/w/A.sol", isOnDisk: true }],
    );
    await jobs.submit(review.agreed());
    const sent = JSON.parse(bodies[1] ?? "") as Record<string, unknown>;
    assert.equal(sent["contractIdentifier"], "src/A.sol:A");
    assert.deepEqual(sent["stdJsonInput"], {
      language: "Solidity",
      sources: { "src/A.sol": { content: "contract A {}" } },
      settings: { remappings: ["b/=lib/b/"], optimizer: { runs: 1 } },
    });
    const again = atOnce(agreedBeforeInPieces(record, kept, changes));
    assert.equal(again.request.body, bodies[1]);
    assert.deepEqual(
      again.kept.files?.map(({ name }) => name),
      ["src/A.sol"],
    );
  });

  it("is not sent when it was changed on disk since it was agreed to", async () => {
    const storage = new MemoryStorage();
    const { jobs, bodies, server } = await twoServices(
      () => finished(null, { customCode: "cannot_fetch_bytecode", message: "RPC" }),
      storage,
    );
    const { id } = await jobs.submit(agreed(server.url, SUBMISSION));
    await jobs.wait(id, { limitMs: 60_000 });
    const other = { ...INPUT.stdJsonInput, sources: { "A.sol": { content: "contract Evil {}" } } };
    const zipped = new Blob([JSON.stringify(other)]).stream().pipeThrough(new CompressionStream("gzip"));
    storage.files.set(`${id}.input.json.gz`, new Uint8Array(await new Response(zipped).arrayBuffer()));
    assert.equal(await codeOf(jobs.retry(id)), "input_changed");
    assert.equal(bodies.length, 1);
  });
});
