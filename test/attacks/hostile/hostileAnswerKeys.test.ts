import { atOnce } from "../../../src/core/concurrency/turns.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { knownCompilers, refreshCompilerLists } from "../../../src/core/languages/compilerLists.ts";
import { parseExactJson } from "../../../src/core/json/exactJson.ts";
import type { JsonClient, JsonResponse } from "../../../src/core/http/jsonClient.ts";
import { readOpenedItems } from "../../../src/core/ledger/openedItems.ts";
import { networkAt, selectableNetwork } from "../../../src/core/ledger/references/network.ts";
import { SignatureNames } from "../../../src/core/ledger/names/signatureNames.ts";
import { VerifiedNames } from "../../../src/core/ledger/names/verifiedNames.ts";
import { NotificationMemory } from "../../../src/core/status/notificationMemory.ts";
import { readStatusSummaryInPieces } from "../../../src/core/status/statusSummary.ts";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";
import { jobFacts } from "../../../src/core/jobs/verificationRows.ts";
import { PublishConsent } from "../../../src/core/jobs/publishConsent.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { optionalNumber, optionalText, optionalTextOrNumber } from "../../../src/editor/ui/arguments.ts";
import { serviceOf } from "../../unit/ledger/strangeChecks.ts";
import { FULL } from "../../unit/jobs/fullRecord.ts";
import { ADDRESS, ID } from "../../unit/jobs/jobWorld.ts";
import { MemoryStorage } from "../../unit/jobs/memoryStorage.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random } from "../../unit/random.ts";
import { checkKeys } from "./keyVariants.ts";

/** One of so many variants is tried. */
const ONE_OF = proofSize({ sample: 6, whole: 1 });
const dice = random("keys of answers");

const DEPLOYMENT = { chainId: "296", address: ADDRESS };
const ABI = [{ type: "function", name: "a", inputs: [{ name: "b", type: "uint256" }], outputs: [] }];
/** `transfer(address,uint256)`. */
const TRANSFER = "0xa9059cbb";
const TIME = "1700000000.123456789";
const NETWORK = selectableNetwork("testnet");
const LEDGER = networkAt("http://127.0.0.1:1").ledgerUrl;

/** A client to whom everything is answered by one text. */
function answering(text: string): Pick<JsonClient, "request"> {
  const response: JsonResponse = {
    status: 200,
    headers: {},
    body: parseExactJson(text),
    text,
    durationMs: 1,
  };
  return { request: () => Promise.resolve(response) };
}

const verification = (text: string) => new VerificationService(answering(text), "https://verify.example");

const JOB = FULL.job;
const CONTRACT = {
  match: "exact_match",
  creationMatch: "exact_match",
  runtimeMatch: "exact_match",
  chainId: "296",
  address: ADDRESS,
  verifiedAt: "2026-01-01T00:00:00Z",
  matchId: "7",
};
const SUMMARY = {
  page: { id: "a", name: "Status", url: "https://status.example", updated_at: "2026-01-01T00:00:00Z" },
  status: { indicator: "minor", description: "Some" },
  components: [{ id: "1", name: "Mainnet", status: "operational", group: true, components: ["2"] }],
  incidents: [
    {
      id: "i",
      name: "Slow",
      status: "investigating",
      impact: "minor",
      created_at: "2026-01-01T00:00:00Z",
      incident_updates: [{ id: "u", status: "investigating", body: "We look.", created_at: "2026-01-01" }],
      components: [{ id: "1", name: "Mainnet" }],
    },
  ],
  scheduled_maintenances: [{ id: "m", name: "Work", status: "scheduled", scheduled_for: "2026-01-02" }],
};

const ANSWERS: readonly (readonly [what: string, example: unknown, read: (json: string) => unknown])[] = [
  ["a job of the verification service", JOB, (json) => verification(json).job(ID)],
  ["a contract of the verification service", CONTRACT, (json) => verification(json).contract(DEPLOYMENT)],
  [
    "the list of chains",
    [{ chainId: 296, name: "Hedera Testnet", supported: true, rpc: ["https://rpc.example"] }],
    (json) => verification(json).chains(),
  ],
  [
    "the acceptance of a submission",
    { verificationId: ID },
    (json) =>
      verification(json).submit({ path: "/v2/verify/1/0x", body: "{}", size: 2 } as unknown as Parameters<
        VerificationService["submit"]
      >[0]),
  ],
  [
    "signatures of a service",
    {
      ok: true,
      result: { function: { [TRANSFER]: [{ name: "transfer(address,uint256)", filtered: false }] } },
    },
    (json) =>
      new SignatureNames({
        http: answering(json),
        url: () => "https://names.example",
        isEnabled: () => true,
        clock: { now: () => 0, sleep: () => Promise.resolve() },
      }).definitions("function", TRANSFER, { network: NETWORK, address: undefined }),
  ],
  [
    "names of verified contracts",
    { abi: ABI, compilation: { name: "Vault" }, proxyResolution: { implementations: [ADDRESS] } },
    async (json) => {
      const names = new VerifiedNames({ http: answering(json), url: () => "https://verify.example" });
      const scope = { network: NETWORK, address: ADDRESS.toLowerCase() };
      return [await names.contractName(scope), await names.definitions("function", "0xf0fdf834", scope)];
    },
  ],
  [
    "a token",
    {
      token_id: "0.0.5",
      name: "Coin",
      symbol: "C",
      decimals: "2",
      total_supply: "100",
      admin_key: { _type: "ED25519", key: "ab" },
      custom_fees: {
        created_timestamp: TIME,
        fixed_fees: [{ amount: 1, denominating_token_id: null, collector_account_id: "0.0.9" }],
        fractional_fees: [{ amount: { numerator: 1, denominator: 2 }, minimum: 1 }],
      },
    },
    (json) => serviceOf(() => json).token("0.0.5"),
  ],
  [
    "contract actions",
    {
      actions: [
        {
          call_depth: 0,
          call_operation_type: "CALL",
          call_type: "CALL",
          caller: "0.0.1",
          from: ADDRESS,
          to: ADDRESS,
          input: `${TRANSFER}00`,
          result_data: "0x",
          result_data_type: "OUTPUT",
          gas: 5,
          index: 0,
          value: 0,
        },
      ],
      links: { next: null },
    },
    async (json) => (await serviceOf(() => json).actions(`0x${"ab".repeat(32)}`)).pages.items,
  ],
  [
    "a schedule",
    {
      schedule_id: "0.0.5",
      creator_account_id: "0.0.1",
      memo: "rent",
      signatures: [{ public_key_prefix: "a", consensus_timestamp: TIME, type: "ED25519" }],
      admin_key: { _type: "ED25519", key: "ab" },
      transaction_body: "",
    },
    (json) => serviceOf(() => json).schedule("0.0.5"),
  ],
  [
    "a list of schedules",
    { schedules: [{ schedule_id: "0.0.5", memo: "rent" }], links: { next: null } },
    async (json) => (await serviceOf(() => json).schedules()).schedules,
  ],
  [
    "the result of a schedule",
    { transactions: [{ result: "SUCCESS", transaction_id: "0.0.1-1-1", nonce: 0 }] },
    async (json) => {
      const service = serviceOf((target) =>
        target.includes("/schedules/")
          ? JSON.stringify({ schedule_id: "0.0.5", executed_timestamp: TIME })
          : json,
      );
      return service.scheduleResult((await service.schedule("0.0.5")).schedule);
    },
  ],
  [
    "a contract of the ledger",
    { evm_address: ADDRESS, runtime_bytecode: "0x6001", contract_id: "0.0.5" },
    (json) => serviceOf(() => json).contract("0.0.5", networkAt(LEDGER)),
  ],
  [
    "a status summary",
    SUMMARY,
    (json) => atOnce(readStatusSummaryInPieces(JSON.parse(json), "The status page")),
  ],
  [
    "the list of Solidity compilers",
    {
      builds: [
        { path: "a", version: "0.8.99", longVersion: "0.8.99+commit.7893614a", build: "commit.7893614a" },
      ],
      releases: { "0.8.99": "a" },
    },
    (json) =>
      refreshed(json, [{ tag_name: "v0.4.0", assets: [{ name: "vyper.0.4.0+commit.e9db8d9f.linux" }] }]),
  ],
  [
    "the list of Vyper compilers",
    [{ tag_name: "v0.9.9", assets: [{ name: "vyper.0.9.9+commit.e9db8d9f.linux" }] }],
    (json) => refreshed({ builds: [{ longVersion: "0.8.28+commit.7893614a" }] }, json),
  ],
];

/** What is added by lists of which one is a text. */
function refreshed(solc: unknown, vyper: unknown): Promise<unknown> {
  const body = (value: unknown): unknown => (typeof value === "string" ? JSON.parse(value) : value);
  return refreshCompilerLists(
    {
      request: ({ service }) =>
        Promise.resolve({
          status: 200,
          headers: {},
          body: body(service.includes("Vyper") ? vyper : solc),
          text: "",
          durationMs: 1,
        }),
    },
    { get: () => undefined, set: () => undefined },
  ).then(({ added }) => added);
}

describe("An answer with keys that every object inherits", () => {
  for (const [what, example, read] of ANSWERS)
    it(`is read as with any other keys: ${what}`, async () => {
      assert.ok((await checkKeys(what, example, read, () => dice.below(ONE_OF) === 0)) >= 5);
    });
});

const RECORD = { ...FULL, id: "job" };

/** What a store makes of its files: the jobs, what is shown of them, and what it would write. */
async function stored(storage: MemoryStorage): Promise<unknown> {
  const store = new JobStore(storage);
  await store.load();
  await store.update("job", { checkedAt: 7 });
  return [
    store.all(),
    store.all().flatMap((record) => jobFacts(record).map(({ label, description }) => [label, description])),
    // What is put aside has a name of its own.
    store.unreadable().map(({ file, reason }) => [file.replace(/[0-9a-f-]{36}/, "…"), reason]),
    [...storage.files.keys()].filter((name) => name.endsWith(".job.json")).map((name) => storage.text(name)),
  ];
}

const INPUT = {
  language: "Solidity",
  sources: { "A.sol": { content: "contract A {}" } },
  settings: { optimizer: { enabled: true, runs: 200 }, libraries: { "L.sol": { L: ADDRESS } } },
};

/** A store with a job and one attachment, as it was written by an earlier session. */
async function withAttachment<T>(
  kind: string,
  json: string,
  read: (store: JobStore) => Promise<T>,
): Promise<T> {
  const storage = new MemoryStorage();
  storage.put("job.job.json", JSON.stringify(RECORD));
  const packed = new Blob([json]).stream().pipeThrough(new CompressionStream("gzip"));
  storage.files.set(`job.${kind}.json.gz`, new Uint8Array(await new Response(packed).arrayBuffer()));
  const store = new JobStore(storage);
  await store.load();
  return read(store);
}

const KEPT: typeof ANSWERS = [
  [
    "a stored job",
    RECORD,
    (json) => {
      const storage = new MemoryStorage();
      storage.put("job.job.json", json);
      return stored(storage);
    },
  ],
  [
    "the history of jobs",
    [RECORD],
    (json) => {
      const storage = new MemoryStorage();
      storage.put("history.json", json);
      return stored(storage);
    },
  ],
  ["a stored input", INPUT, (json) => withAttachment("input", json, (store) => store.input("job"))],
  [
    "stored places of files",
    [{ name: "A.sol", path: "/w/A.sol", place: "project" }],
    (json) => withAttachment("files", json, (store) => store.files("job")),
  ],
  [
    "what a second try would send",
    { stdJsonInput: INPUT, files: [{ name: "A.sol", path: "/w/A.sol" }] },
    (json) => withAttachment("whole", json, (store) => store.whole("job")),
  ],
  [
    "a stored answer",
    { ...JOB, compilationTime: "999" },
    (json) => withAttachment("answer", json, (store) => store.wholeJob("job")),
  ],
  [
    "stored bytecodes",
    { recompiledCreationCode: "0x1234", onchainRuntimeCode: "0x5678" },
    (json) => withAttachment("codes", json, (store) => store.wholeJob("job")),
  ],
  [
    "opened items of the ledger",
    [{ kind: "token", networkId: "mainnet", canonical: "0.0.5", pinned: true, label: "a", description: "b" }],
    (json) => readOpenedItems({ get: () => JSON.parse(json) as unknown, update: () => Promise.resolve() }),
  ],
  [
    "what was told of the status",
    { mutedUntil: 5, told: [{ key: "a", level: "degraded", at: 5 }] },
    (json) => {
      const memory = new NotificationMemory({ get: () => JSON.parse(json) as unknown, set: () => undefined });
      return [memory.wasTold("a", "degraded", 6), memory.mutedUntil(1)];
    },
  ],
  [
    "what was agreed to",
    [{ service: "https://a.example", agreedAt: 5, kinds: ["project /w"] }],
    (json) =>
      new PublishConsent({ get: () => JSON.parse(json) as unknown, set: () => undefined }).covers(
        "https://a.example",
        { kinds: ["project /w"], isUnremarkable: true },
      ),
  ],
  [
    "kept lists of compilers",
    { solc: ["0.8.99+commit.7893614a"], vyper: ["0.9.9+commit.e9db8d9f"] },
    (json) => knownCompilers({ get: () => JSON.parse(json) as unknown, set: () => undefined }),
  ],
];

describe("What is kept, with keys that every object inherits", () => {
  for (const [what, example, read] of KEPT)
    it(`is read as with any other keys: ${what}`, async () => {
      assert.ok((await checkKeys(what, example, read, () => dice.below(ONE_OF) === 0)) >= 5);
    });
});

describe("An argument object with keys that every object inherits", () => {
  it("is read as with any other keys", async () => {
    const read = (json: string) => {
      const args = JSON.parse(json) as Record<string, unknown>;
      return [
        ...["contract", "address", "tokenId", "toString", "constructor"].map((name) =>
          told(() => optionalText(args, name)),
        ),
        told(() => optionalTextOrNumber(args, "chainId")),
        told(() => optionalNumber(args, "waitSeconds")),
      ];
    };
    const example = { contract: "A.sol:A", chainId: 296, address: ADDRESS, tokenId: "0.0.5", waitSeconds: 1 };
    await checkKeys("arguments", example, (json) => read(json).filter((_, at) => at !== 3 && at !== 4));
    assert.deepEqual(read("{}"), Array(7).fill(undefined), "what every object inherits is no argument");
  });
});

function told(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
}
