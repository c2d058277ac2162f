import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { unreadableRecords } from "../../../src/core/tools/unreadableRecords.ts";
import type { FoundDeployment } from "../../../src/core/workspace/workspaceDeployments.ts";
import { deploymentInBrief, DeploymentStates } from "../../../src/core/jobs/deploymentStates.ts";
import type { CauseCode } from "../../../src/core/matching/explanation.ts";
import type { JobError } from "../../../src/core/service/job.ts";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { repositoryRoot } from "../../rig/paths.ts";
import { jobFacts, verificationRows, type VerificationRow } from "../../../src/core/jobs/verificationRows.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const VAULT = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const TOKEN = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512";

function job(change: Partial<JobRecord> = {}): JobRecord {
  return {
    id: "1",
    stage: "submitted",
    service: "https://service.example",
    chainId: "296",
    address: VAULT,
    verificationId: "7b2f0000-0000-4000-8000-000000000000",
    submittedAt: NOW - 2 * MINUTE,
    submission: {
      compilerVersion: "0.8.28+commit.7893614a",
      contractIdentifier: "contracts/Vault.sol:Vault",
      source: "derived",
      path: "/w/contracts/Vault.sol",
      contractName: "Vault",
      fileCount: 14,
    },
    ...change,
  };
}

/** Without a job of the service. */
function unsent({ verificationId: _none, ...record }: JobRecord): JobRecord {
  return record;
}

const finished = (match: string | null) => ({
  job: {
    isJobCompleted: true,
    verificationId: "7b2f0000-0000-4000-8000-000000000000",
    contract: { match },
  },
});

function deployment(name: string, address: string): FoundDeployment {
  return {
    chainId: "296",
    address,
    contract: `contracts/${name}.sol:${name}`,
    recordedBy: "foundry",
    record: "/w/broadcast/Deploy.s.sol/296/run-latest.json",
    when: NOW - 3 * MINUTE,
    defined: { path: `/w/contracts/${name}.sol`, name },
  };
}

const OFFERED = ["checkCauseAddress", "retryJob", "verifyDeploymentLocally", "chooseAnotherChain"];

/** What of this the menu of a job's row has, as the manifest says. */
function menuOf(record: JobRecord): string[] {
  const [row] = verificationRows({ ...picture, records: [record] });
  return offeredOn(row, OFFERED);
}

/** What of these commands the menu of a row has. */
function offeredOn(row: VerificationRow | undefined, commands: readonly string[]): string[] {
  const manifest = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
    readonly contributes: {
      readonly menus: Readonly<
        Record<string, readonly Readonly<Record<"command" | "when" | "group", string>>[]>
      >;
    };
  };
  const context = row?.context?.replaceAll(".", " ") ?? "";
  return (manifest.contributes.menus["view/item/context"] ?? [])
    .filter(({ group }) => !group.startsWith("inline"))
    .flatMap(({ command, when }) => {
      const pattern = /^view == ledgerLens\.verification && viewItem =~ \/(.+)\/$/.exec(when)?.[1];
      const name = command.replace("ledgerLens.", "");
      return pattern !== undefined && commands.includes(name) && new RegExp(pattern).test(context)
        ? [name]
        : [];
    })
    .toSorted();
}

describe("Jobs of one contract", () => {
  it("tells jobs of one contract at one address apart by their chains, and names no address that tells nothing", () => {
    const placed = (id: string, chainId: string, address: string) =>
      job({ ...finished("exact_match"), id, chainId, address });
    const told = (...records: readonly JobRecord[]) =>
      verificationRows({ ...picture, records })
        .flatMap((row) => [row, ...(row.children ?? [])])
        .flatMap(({ isJob, description }) => (isJob ? (description ?? "") : []));
    const both = told(placed("a", "11155111", VAULT), placed("b", "296", VAULT.toLowerCase()));
    assert.equal(both.length, 2);
    assert.match(both[0] ?? "", /^exact match · Sepolia/);
    assert.match(both[1] ?? "", /^exact match · Hedera Testnet/);
    const three = told(placed("a", "11155111", VAULT), placed("b", "296", VAULT), placed("c", "296", TOKEN));
    assert.match(three[0] ?? "", /^exact match · 0x5FbD…0aa3 · Sepolia/);
    assert.match(three[2] ?? "", /^exact match · 0xe7f1…0512 · (?!Hedera)/);
  });

  it("tells jobs of one contract apart by their addresses, behind the outcome, and shows no address where none is needed", () => {
    const at = (id: string, address: string) => job({ id, address, ...finished("exact_match") });
    const records = [at("1", `0x${"11".repeat(20)}`), at("2", `0x${"22".repeat(20)}`)];
    const rowsOf = (all: readonly JobRecord[]) =>
      verificationRows({
        records: all,
        deployments: [],
        stateOf: () => undefined,
        isWaitedFor: () => false,
        now: NOW,
      }).map(({ label, description = "" }) => `${label} · ${description}`);
    assert.deepEqual(rowsOf(records), [
      "Vault · exact match · 0x1111…1111 · 2 min ago",
      "Vault · exact match · 0x2222…2222 · 2 min ago",
    ]);
    assert.deepEqual(rowsOf([...records.slice(0, 1), at("3", `0x${"11".repeat(20)}`)]), [
      "Vault · exact match · 2 min ago",
      "Vault · exact match · 2 min ago",
    ]);
  });
});

describe("Records of deployments that can't be read", () => {
  const picture = {
    records: [job()],
    deployments: [deployment("Token", TOKEN)],
    stateOf: () => undefined,
    isWaitedFor: () => false,
    now: NOW,
  };

  it("have a row that names them, beside what was found", () => {
    const unreadable = unreadableRecords(
      [
        { path: "/w/broadcast/A.s.sol/1/run-latest.json", reason: "is not valid JSON" },
        { path: "/w/.deployments.db", reason: "is larger than 64 MB" },
      ],
      ["/w"],
    );
    const rows = verificationRows({ ...picture, unreadableRecords: unreadable });
    const text = read(rows).join("\n");
    assert.match(
      text,
      /2 deployment records can't be read.*broadcast\/A\.s\.sol\/1\/run-latest\.json is not valid JSON/,
    );
    assert.match(text, /Token/);
  });

  it("have a row where an error of ours is why nothing was found, and the jobs stay", () => {
    const rows = verificationRows({ ...picture, deployments: [], deploymentsFault: new Error("ours") });
    assert.equal(rows.length, 2);
    assert.ok(rows[0]?.fault instanceof Error);
    assert.equal(rows[1]?.isJob, true);
  });
});

/** A row and what stands under it, read aloud. */
function read(rows: readonly VerificationRow[], depth = 0): string[] {
  return rows.flatMap((row) => [
    `${"  ".repeat(depth)}${row.label}${row.description ? ` · ${row.description}` : ""}`,
    ...read(row.children ?? [], depth + 1),
  ]);
}

const picture = {
  records: [],
  deployments: [],
  stateOf: () => undefined,
  isWaitedFor: () => false,
  now: NOW,
};

describe("The rows of the verification view", () => {
  it("are the jobs alone where no deployment was found", () => {
    const records = [job({ id: "2", submittedAt: NOW - 12_000 }), job(finished("exact_match"))];
    assert.deepEqual(read(verificationRows({ ...picture, records })), [
      "Vault · compiling, 12 s",
      "Vault · exact match · 2 min ago",
    ]);
  });

  it("tell what was deployed, and how it stands, before the jobs", () => {
    const deployments = [deployment("Vault", VAULT), deployment("Token", TOKEN)];
    const states = { [VAULT]: "not_verified", [TOKEN]: "exact_match" } as const;
    const rows = verificationRows({
      ...picture,
      records: [job(finished("match"))],
      deployments,
      stateOf: ({ address }) => states[address as keyof typeof states],
    });
    assert.deepEqual(read(rows), [
      "Deployments found · 2",
      "  Vault · not verified · Hedera Testnet (296) · 0x5FbD…0aa3",
      "  Token · exact match · Hedera Testnet (296) · 0xe7f1…0512",
      "Jobs · 1",
      "  Vault · match · 2 min ago",
    ]);
    const [vault, token] = rows[0]?.children ?? [];
    assert.equal(vault?.context, "deployment.verifiable.told.explored");
    assert.equal(token?.context, "deployment.verified.explored");
    assert.notEqual(vault.icon, token.icon);
  });

  it("open the page of each that was submitted, and have its link where the service has something", () => {
    const offered = (row: VerificationRow | undefined) =>
      offeredOn(row, ["showJobDetails", "openJobAtService", "copyJobLink"]);
    const all = ["copyJobLink", "openJobAtService", "showJobDetails"];
    const [verified, before, failed, refused] = verificationRows({
      ...picture,
      records: [
        job({ id: "1", ...finished("exact_match") }),
        unsent(job({ id: "2", ...finished("exact_match") })),
        job({ id: "3", ...finished(null) }),
        unsent(job({ id: "4", stage: "refused", problem: { code: "rate_limited", message: "" } })),
      ],
    });
    assert.deepEqual(offered(verified), all);
    assert.deepEqual(offered(before), all, "what was verified before has no job there, but its own page");
    assert.deepEqual(offered(failed), all);
    assert.deepEqual(offered(refused), ["showJobDetails"]);
    const deployed = (records: readonly JobRecord[]) =>
      verificationRows({ ...picture, records, deployments: [deployment("Vault", VAULT)] })[0]?.children?.[0];
    assert.deepEqual(offered(deployed([job({ address: VAULT, ...finished("exact_match") })])), [
      "showJobDetails",
    ]);
    assert.deepEqual(offered(deployed([])), []);
  });

  it("say that the file is edited since, where it was verified, and offer to compare the two", () => {
    const verified = { id: "1", ...finished("exact_match") };
    const records = [job({ ...finished(null), id: "2" }), job(verified)];
    const rows = (isEdited: boolean) =>
      verificationRows({
        ...picture,
        records,
        deployments: [deployment("Vault", VAULT)],
        stateOf: () => "exact_match" as const,
        isEdited: () => isEdited,
        hasFile: () => true,
      }).flatMap(({ children = [] }) => children);
    const [found, failed, own] = rows(true);
    assert.match(found?.description ?? "", /^exact match, edited since · /);
    assert.match(failed?.description ?? "", /^Not verified · /, "what was not verified has no since");
    assert.match(own?.description ?? "", /^exact match, edited since · /);
    assert.match(own?.context ?? "", /\.comparable\b/);
    assert.doesNotMatch(failed?.context ?? "", /comparable/);
    assert.match(rows(false)[0]?.description ?? "", /^exact match · /);
  });

  it("offer Verify Locally for what is on a chain that the service can't see, and nothing that publishes it", () => {
    const isOutOfReach = ({ chainId }: { readonly chainId: string }) => chainId === "31337";
    const here = { ...deployment("Vault", VAULT), chainId: "31337" };
    const contexts = (deployments: readonly FoundDeployment[]) => {
      const [found] = verificationRows({ ...picture, deployments, isOutOfReach });
      return [found?.context, ...(found?.children ?? []).map(({ context }) => context)];
    };
    assert.deepEqual(contexts([here, deployment("Token", TOKEN)]), [
      "deployments",
      "deployment.local",
      "deployment.verifiable.explored",
    ]);
    assert.deepEqual(contexts([here]), ["deployments.local", "deployment.local"]);
    const [tracked] = verificationRows({ ...picture, deployments: [here], hasHistory: () => true });
    assert.equal(tracked?.context, "deployments.tracked", "where there is a history to look through");
    const [found] = verificationRows({ ...picture, deployments: [here], isOutOfReach });
    assert.match(
      found?.children?.[0]?.tooltip?.join("\n") ?? "",
      /can't see this chain\. Use Verify Locally\.$/,
    );
  });

  it("offer a block explorer where the chain has one that is known, and nowhere else", () => {
    const explored = (records: readonly JobRecord[], deployments: readonly FoundDeployment[]) =>
      verificationRows({ ...picture, records, deployments })
        .flatMap((row) => row.children ?? [row])
        .map(({ context = "" }) => /\bexplored\b/.test(context));
    assert.deepEqual(explored([job(finished("match"))], [deployment("Vault", VAULT)]), [true, true]);
    const local = { ...deployment("Vault", VAULT), chainId: "31337" };
    assert.deepEqual(explored([job({ chainId: "31337" })], [local]), [false, false]);
    assert.deepEqual(explored([job({ address: "" })], []), [false], "a job that does not say where");
  });

  it("offer to show the contract in the ledger where that is of its chain", () => {
    const rows = (isInLedger: (chainId: string) => boolean, record = job(finished("match"))) =>
      verificationRows({
        ...picture,
        records: [record],
        deployments: [deployment("Vault", VAULT), { ...deployment("Token", TOKEN), chainId: "1" }],
        isInLedger,
      })
        .flatMap((row) => row.children ?? [row])
        .map(({ context = "" }) => /^(?:job|deployment)\b.*\binLedger\b/.test(context));
    assert.deepEqual(
      rows((chainId) => chainId === "296"),
      [true, false, true],
    );
    assert.deepEqual(
      rows(() => false),
      [false, false, false],
    );
    assert.equal(rows(() => true, job({ address: "" })).at(-1), false, "a job that does not say where");
  });

  it("leave the outcome its place in a sidebar of the usual width, whatever a contract is called, and have the name whole beside", () => {
    const NAMES = ["TransparentUpgradeableProxy", "TransparentBeaconUpgradeableProxy"];
    const named = (name: string): JobRecord => {
      const { submission } = job();
      return job({
        ...finished("exact_match"),
        id: name,
        address: name.includes("Beacon") ? TOKEN : VAULT,
        ...(submission && { submission: { ...submission, contractName: name } }),
      });
    };
    const deployments = NAMES.map((name, at) => deployment(name, at === 0 ? VAULT : TOKEN));
    const rows = verificationRows({ ...picture, records: NAMES.map(named), deployments }).flatMap(
      ({ children = [] }) => children,
    );
    assert.equal(rows.length, 4);
    for (const { label, wholeLabel = "", tooltip = [] } of rows) {
      assert.equal(label, "Transpare…bleProxy");
      assert.ok(NAMES.includes(wholeLabel));
      assert.ok(tooltip.join("\n").includes(wholeLabel), "the pointer has it");
    }
    const jobs = rows.filter(({ isJob }) => isJob);
    // What looks the same is told apart by the address.
    assert.deepEqual(
      jobs.map(({ description }) => description),
      ["exact match · 0x5FbD…0aa3 · 2 min ago", "exact match · 0xe7f1…0512 · 2 min ago"],
    );
    const [short] = verificationRows({ ...picture, records: [job()] });
    assert.deepEqual([short?.label, short?.wholeLabel], ["Vault", undefined]);
  });

  it("tell an exact match from a match at a glance, and what is given up from what is waited for", () => {
    const icon = (change: Partial<JobRecord>) =>
      verificationRows({ ...picture, records: [job(change)] })[0]?.icon;
    const icons = [
      icon(finished("exact_match")),
      icon(finished("match")),
      icon(finished(null)),
      icon({}),
      icon({ submittedAt: NOW - 5 * 60 * MINUTE }),
      icon({ stage: "unconfirmed" }),
    ];
    assert.equal(new Set(icons).size, icons.length, icons.join(" "));
    const [given] = verificationRows({ ...picture, records: [job({ submittedAt: NOW - 5 * 60 * MINUTE })] });
    assert.match(given?.description ?? "", /^given up after 4 h/);
    assert.match(given?.context ?? "", /checkable/);
  });

  it("tell of a deployment what its newest job came to, and no mismatch where none was found", () => {
    const said = (change: Partial<JobRecord>) => {
      const [row] = verificationRows({
        ...picture,
        records: [job(change)],
        deployments: [deployment("Vault", VAULT)],
        stateOf: () => "failed",
      });
      const rows = [row, ...(row?.children ?? [])];
      return rows.find((one) => one?.id.startsWith("deployment "))?.description?.split(" · ")[0];
    };
    const failed = (customCode: string): Partial<JobRecord> => ({
      job: {
        isJobCompleted: true,
        verificationId: "7b2f0000-0000-4000-8000-000000000000",
        error: { customCode, message: "" },
      },
    });
    assert.equal(said(failed("no_match")), "no match");
    assert.equal(said(failed("compiler_error")), "doesn't compile");
    assert.equal(
      said({ stage: "refused", problem: { code: "no_connection", message: "x" } }),
      "not submitted",
    );
  });

  it("name the likeliest cause of a failure, and offer what would help", () => {
    const record = job({
      job: {
        isJobCompleted: true,
        verificationId: "7b2f0000-0000-4000-8000-000000000000",
        error: { customCode: "no_match", message: "no match" },
      },
      difference: "4,812 bytes, 212 differ in 9 places",
      explanation: {
        summary: "Deployed code was optimized for 1,000,000 runs; you sent 200.",
        causes: [
          {
            code: "optimizer_runs",
            confidence: 0.97,
            evidence: "Deployed code was optimized for 1,000,000 runs; you sent 200.",
            action: {
              kind: "resubmit",
              label: "Resubmit With 1,000,000",
              localLabel: "Verify With 1,000,000",
              changes: { settings: { optimizer: { runs: 1_000_000 } } },
            },
          },
        ],
      },
    });
    const [row] = verificationRows({ ...picture, records: [record] });
    assert.equal(row?.description, "No match: the optimizer runs differ · 2 min ago");
    const facts = read(jobFacts(record));
    assert.ok(
      facts.includes(
        "The optimizer runs differ · Deployed code was optimized for 1,000,000 runs; you sent 200. · 97 % · Resubmit With 1,000,000",
      ),
      facts.join("\n"),
    );
    assert.match(facts[0] ?? "", /^The optimizer runs differ/, "the outcome comes first");
    assert.ok(facts.includes("Hedera Testnet (296) · 0x5FbD…0aa3"), facts.join("\n"));
    const submitted = jobFacts(record, NOW).find(({ icon }) => icon === "clock");
    // A time as all views have it, and the exact one as all tooltips and pages do.
    assert.match(submitted?.label ?? "", /^Submitted (?:yesterday )?\d\d:\d\d$/);
    const exact = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT/;
    assert.match(submitted?.tooltip?.at(-1) ?? "", exact);
    const deployed = { ...deployment("Vault", VAULT), when: NOW };
    const [group, jobs] = verificationRows({ ...picture, records: [record], deployments: [deployed] });
    for (const row of [group?.children?.[0], jobs?.children?.[0]])
      assert.match(row?.tooltip?.join("\n") ?? "", exact);
    assert.equal(submitted?.description, "service.example · job 7b2f00…0000");
    assert.equal(submitted.copyText, record.verificationId);
    assert.ok(submitted.tooltip?.[0]?.includes(record.verificationId ?? "none"));
    assert.ok(facts.includes("Runtime code · 4,812 bytes, 212 differ in 9 places"));
    assert.ok(facts.includes("What was submitted · solc 0.8.28 · 14 files · contracts/Vault.sol:Vault"));
    const sent = jobFacts(record, NOW).find(({ icon }) => icon === "json");
    assert.deepEqual(sent?.tooltip, ["contracts/Vault.sol:Vault", "solc 0.8.28+commit.7893614a", "14 files"]);
  });

  it("say what the compiler refused and where, and why a contract can't match", () => {
    const brief = (error: JobError, code?: CauseCode) => {
      const [row] = verificationRows({
        ...picture,
        records: [
          job({
            job: { isJobCompleted: true, verificationId: "7b2f0000-0000-4000-8000-000000000000", error },
            ...(code && {
              explanation: { summary: "", causes: [{ code, confidence: 0.8, evidence: "It is so." }] },
            }),
          }),
        ],
      });
      return row?.description?.replace(" · 2 min ago", "");
    };
    const compilerErrors = (entry: object) => ({
      customCode: "compiler_error",
      message: "Compiler error",
      errorData: {
        compilerErrors: [
          { severity: "warning", message: "SPDX" },
          { severity: "error", ...entry },
        ],
      },
    });
    const typeError = {
      type: "TypeError",
      errorCode: "7576",
      message: "Undeclared identifier.",
      formattedMessage: "TypeError: Undeclared identifier.\n  --> contracts/Vault.sol:19:5:\n",
      sourceLocation: { file: "contracts/Vault.sol", start: 5, end: 9 },
    };
    assert.equal(
      brief(compilerErrors(typeError), "compiler_error"),
      "Doesn't compile: TypeError in Vault.sol:19",
    );
    assert.equal(brief(compilerErrors({ message: "Stack too deep" })), "Doesn't compile");
    assert.equal(
      brief(compilerErrors({ type: "$(bug)[a](command:b)\u202e", sourceLocation: { file: "a/$(x).sol" } })),
      "Doesn't compile: $ (bug)[a] (command:b)\\u{202e} in $ (x).sol",
    );
    assert.equal(
      brief({ customCode: "no_match", message: "" }, "edited_source"),
      "No match: the sources differ",
    );
    assert.equal(brief({ customCode: "no_match", message: "" }), "No match");
    assert.equal(
      brief({ customCode: "contract_not_deployed", message: "" }, "not_deployed"),
      "Nothing deployed",
    );
    assert.equal(
      brief({ customCode: "brand_new", message: "" }, "server"),
      "Not verified: the service failed",
    );
  });

  it("offer in their menu what the page of the failure does", () => {
    const error = { customCode: "contract_not_deployed", message: "" };
    const { verificationId = "" } = job();
    const action = { kind: "check address", label: "Change Address" } as const;
    const notDeployed = job({
      job: { isJobCompleted: true, verificationId, error },
      explanation: {
        summary: "",
        causes: [{ code: "not_deployed", confidence: 0.9, evidence: "Nothing is deployed there.", action }],
      },
    });
    assert.deepEqual(menuOf(notDeployed), ["checkCauseAddress", "retryJob"]);
    const refused = { stage: "refused", problem: { code: "unsupported_chain", message: "No." } } as const;
    assert.deepEqual(menuOf(job(refused)), ["chooseAnotherChain", "verifyDeploymentLocally"]);
    const { submission, ...search } = job(refused);
    assert.ok(submission);
    assert.deepEqual(menuOf(search), [], "a search has no sources");
    assert.deepEqual(menuOf(job({ ...refused, problem: { code: "rate_limited", message: "" } })), [
      "retryJob",
    ]);
    assert.deepEqual(menuOf(job(finished("exact_match"))), []);
  });

  it("show hostile names for what they are", () => {
    const hostile = deployment("Vault", VAULT);
    const rows = verificationRows({
      ...picture,
      deployments: [{ ...hostile, defined: { path: "/w/a.sol", name: "Va\u202eult $(bug)" } }],
    });
    const text = read(rows).join("\n");
    assert.ok(!text.includes("\u202e"));
    assert.ok(!text.includes("$(bug)"));
  });

  it("are made for a thousand jobs without what stands under them", () => {
    const records = Array.from({ length: 1000 }, (_, at) => job({ id: String(at) }));
    const rows = verificationRows({ ...picture, records });
    assert.equal(rows.length, 1000);
    assert.ok(rows.every((row) => row.isJob && row.children === undefined));
  });
});

describe("How deployments stand", () => {
  const service = (answers: Readonly<Record<string, string | null | Error>>) => {
    const asked: string[] = [];
    let running = 0;
    let most = 0;
    return {
      asked,
      most: () => most,
      url: "https://service.example",
      contract: async ({ address }: { address: string }) => {
        asked.push(address);
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        const answer = answers[address];
        if (answer instanceof Error) throw answer;
        return answer === undefined ? undefined : { match: answer };
      },
    };
  };

  it("is asked once each, two at a time", async () => {
    const addresses = Array.from({ length: 9 }, (_, at) => `0x${String(at).repeat(40)}`);
    const one = service({ [addresses[0] ?? ""]: "exact_match" });
    const states = new DeploymentStates(() => one);
    const deployments = addresses.map((address) => ({ chainId: "296", address }));
    await Promise.all([states.ask(deployments), states.ask(deployments)]);
    assert.deepEqual([...one.asked].sort(), addresses);
    assert.ok(one.most() <= 2);
    assert.equal(states.of({ chainId: "296", address: addresses[0] ?? "" }, []), "exact_match");
    assert.equal(states.of({ chainId: "296", address: addresses[1] ?? "" }, []), "not_verified");
  });

  it("is not asked of a public service about what is on a chain of this machine", async () => {
    const one = service({});
    const deployments = ["31337", "1337", "298", "296"].map((chainId) => ({ chainId, address: VAULT }));
    const states = new DeploymentStates(() => one);
    await states.ask(deployments);
    assert.equal(one.asked.length, 1);
    const near = { ...service({}), url: "http://127.0.0.1:5555" };
    await new DeploymentStates(() => near).ask(deployments);
    assert.equal(near.asked.length, 4);
  });

  it("is told as a failure though a newer job at another service ended well", () => {
    const at = { chainId: "296", address: VAULT.toLowerCase() };
    const failed = job(finished(null));
    const elsewhere = { ...job(finished("exact_match")), service: "https://other.example" };
    const states = new DeploymentStates(() => service({}));
    const records = [elsewhere, failed];
    assert.equal(states.of(at, records), "failed");
    const here = states.jobsHere(records);
    assert.deepEqual(here, [failed]);
    assert.equal(deploymentInBrief(at, "failed", here), deploymentInBrief(at, "failed", [failed]));
    assert.equal(states.newestJob(at, records), failed, "the page that its row opens");
    assert.equal(states.newestJob(at, [elsewhere]), elsewhere, "where there is none here");
  });

  it("is not edited since by what another service has", () => {
    const here = job(finished("exact_match"));
    const elsewhere = { ...job(finished("exact_match")), service: "https://other.example", id: "elsewhere" };
    const states = new DeploymentStates(() => service({}));
    const records = [elsewhere, here];
    const rowOf = (edited: JobRecord) => {
      const [found] = verificationRows({
        ...picture,
        records,
        deployments: [deployment("Vault", VAULT)],
        stateOf: (one) => states.of(one, records),
        jobsHere: (all) => states.jobsHere(all),
        isEdited: (record) => record === edited,
      });
      return found?.children?.[0]?.description ?? "";
    };
    assert.match(rowOf(here), /^exact match, edited since · /);
    assert.match(rowOf(elsewhere), /^exact match · /);
  });

  it("is not told by a job at another service", async () => {
    const one = service({});
    const states = new DeploymentStates(() => ({ ...one, url: "https://other.example" }));
    const at = { chainId: "296", address: VAULT.toLowerCase() };
    const there = job(finished("exact_match"));
    assert.equal(states.of(at, [there]), undefined);
    await states.ask([at]);
    assert.deepEqual([states.of(at, [there]), states.isVerified(at, [there])], ["not_verified", false]);
    assert.equal(new DeploymentStates(() => one).of(at, [there]), "exact_match");
  });

  it("is kept as the answer of the service that was asked, though another one is configured by then", async () => {
    const one = service({ [VAULT]: "exact_match" });
    let configured = one;
    const states = new DeploymentStates(() => configured);
    const at = { chainId: "296", address: VAULT };
    const asking = states.ask([at]);
    configured = { ...service({}), url: "https://other.example" };
    await asking;
    assert.equal(states.of(at, []), undefined);
    await states.ask([at]);
    assert.equal(states.of(at, []), "not_verified");
    configured = one;
    assert.equal(states.of(at, []), "exact_match");
  });

  it("stays unknown after a fault, and is asked again only on demand", async () => {
    const one = service({ [VAULT]: new Error("The service is down") });
    const states = new DeploymentStates(() => one);
    const deployments = [{ chainId: "296", address: VAULT }];
    await states.ask(deployments);
    await states.ask(deployments);
    assert.equal(states.of({ chainId: "296", address: VAULT }, []), undefined);
    assert.equal(one.asked.length, 1);
    states.forget();
    await states.ask(deployments);
    assert.equal(one.asked.length, 2);
  });

  it("is what the newest job came to, unless the service has better", () => {
    const states = new DeploymentStates(() => service({}));
    const at = { chainId: "296", address: VAULT.toLowerCase() };
    assert.equal(states.of(at, [job()]), "pending");
    assert.equal(states.of(at, [job(finished("match"))]), "match");
    // A later job that failed or was refused takes nothing from it, unless the service no longer has it.
    const refused = { stage: "refused" as const, job: undefined };
    for (const later of [finished(null), refused]) {
      assert.equal(states.of(at, [job(later), job(finished("match"))]), "match");
      states.learn(at, null, "https://service.example");
      assert.equal(states.of(at, [job(later), job(finished("match"))]), "failed");
      states.forget();
    }
    states.learn(at, "match", "https://service.example");
    assert.equal(states.of(at, [job(finished(null))]), "match");
    states.learn(at, "exact_match", "https://service.example");
    assert.equal(states.of(at, [job(finished(null))]), "exact_match");
  });
});
