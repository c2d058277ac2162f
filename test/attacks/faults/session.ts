import { systemClock, type Clock } from "../../../src/core/concurrency/clock.ts";
import { JsonClient, type JsonRequest } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { refreshCompilerLists } from "../../../src/core/languages/compilerLists.ts";
import { ActionNamer } from "../../../src/core/ledger/actions/actionNames.ts";
import { contentRow } from "../../../src/core/ledger/itemRows.ts";
import { LedgerItems } from "../../../src/core/ledger/ledgerItems.ts";
import { LedgerService } from "../../../src/core/ledger/ledgerService.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { VerifiedNames } from "../../../src/core/ledger/names/verifiedNames.ts";
import { StatusMonitor } from "../../../src/core/status/statusMonitor.ts";
import { WorkSigns } from "../../../src/core/status/workSigns.ts";
import { statusRows } from "../../../src/core/status/statusRows.ts";
import { readDeployedCode, type CodeReader } from "../../../src/core/chains/deployedCode.ts";
import { isFinished, recordStatus, type JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";
import { JsonRpc } from "../../../src/core/chains/jsonRpc.ts";
import { predict } from "../../../src/core/matching/predict.ts";
import { VerificationJobs } from "../../../src/core/jobs/verificationJobs.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { verifyMany } from "../../../src/core/jobs/verifyMany.ts";
import { agreed, submitTo } from "../../unit/jobs/agreed.ts";
import { INPUT } from "../../unit/jobs/jobWorld.ts";
import { MemoryStorage } from "../../unit/jobs/memoryStorage.ts";
import { memoryStorage } from "../../unit/status/statusWorld.ts";
import { ADDRESSES, CHAIN, OLD_JOB, SCHEDULE, TOKEN, TRANSACTION } from "./services.ts";

/** The addresses in force; a test changes them as a user changes settings. */
export interface Addresses {
  verification: string;
  ledger: string;
  status: string;
  node: string;
  solcList: string;
  vyperList: string;
}

/** So long an attempt lasts where something goes wrong, and where nothing does; the product gives it 10 s and more. */
const TIMEOUT_MS = { disturbed: 800, undisturbed: 15_000 };
/** Nor do they read more. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Everything of core that a window has, talking through real sockets. */
export interface Session {
  /** Whether attempts end soon. */
  isDisturbed: boolean;
  readonly jobs: VerificationJobs;
  readonly commands: Readonly<Record<string, () => Promise<unknown>>>;
  /** Jobs and items as they are drawn and kept. */
  drawn(): unknown;
  /**
   * Makes ready what the first request of all makes ready, which a busy machine may not do in the time of an attempt.
   *
   * @param url of a service that is not disturbed
   */
  warm(url: string): Promise<void>;
  dispose(): Promise<void>;
}

/** Opens a window. `clock` tells its time. */
export function openSession(addresses: Addresses, clock: Clock): Session {
  const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1", clock });
  const http = {
    request: (request: JsonRequest) =>
      client.request({
        ...request,
        timeoutMs: session.isDisturbed ? TIMEOUT_MS.disturbed : TIMEOUT_MS.undisturbed,
        maxBytes: Math.min(request.maxBytes ?? MAX_BYTES, MAX_BYTES),
      }),
  };
  const service = (url = addresses.verification) => new VerificationService(http, url);
  const jobs = new VerificationJobs({
    store: new JobStore(new MemoryStorage()),
    service,
    clock,
    random: () => 0.5,
    newId: () => crypto.randomUUID(),
  });
  const network = () => ({ ...networkAt(addresses.ledger), chainId: CHAIN });
  const ledger = new LedgerService({ client: http, network, clock });
  const kept = new Map<string, unknown>();
  const items = new LedgerItems({
    service: ledger,
    network,
    memory: {
      get: (name) => kept.get(name),
      update: (name, value) => Promise.resolve(void kept.set(name, value)),
    },
    namer: (of) =>
      new ActionNamer(of, [new VerifiedNames({ http, url: () => addresses.verification, clock })]),
    titleOf: (canonical, content) => contentRow(canonical, content, clock.now()),
  });
  const monitor = new StatusMonitor({
    client: http,
    clock,
    random: () => 0.5,
    work: new WorkSigns(() => clock.now()),
    focused: false,
    storage: memoryStorage(),
    settings: () => ({
      names: [],
      networkId: "mainnet",
      statusUrl: addresses.status,
      verificationUrl: addresses.verification,
      ledgerUrl: addresses.ledger,
      pollSeconds: 60,
      notifications: true,
    }),
    onNotification: () => undefined,
  });
  let lists: unknown;
  const [address, ...others] = ADDRESSES;
  const deployment = { chainId: CHAIN, address };
  const follow = async (begun: JobRecord) =>
    isFinished(begun) ? begun : jobs.wait(begun.id, { limitMs: 300_000 });
  const answerOf = (record: JobRecord) => ({
    verificationId: record.verificationId ?? "",
    status: recordStatus(record),
    job: record.job ?? null,
  });
  const ownNode: CodeReader = (_deployment, signal) =>
    new JsonRpc(http, addresses.node).code(address, signal);
  const listedNode: CodeReader = async (_deployment, signal) => {
    const [chain] = await service().chains(signal);
    const url = chain?.rpc[0];
    return url === undefined ? undefined : new JsonRpc(http, url).code(address, signal);
  };
  const predicted = async (reader: CodeReader) => {
    const deployedCode = await readDeployedCode([reader], deployment);
    const { prediction, reasons } = await predict({
      deployedCode,
      localBuild: { compilerVersion: "0.8.28" },
    });
    return { prediction, reasons };
  };
  const session: Session = {
    isDisturbed: false,
    jobs,
    commands: {
      verifyContract: async () =>
        answerOf(await follow(await submitTo(addresses.verification, jobs, { ...deployment, input: INPUT }))),
      verifyBySimilarity: async () =>
        answerOf(await follow(await submitTo(addresses.verification, jobs, deployment))),
      checkJob: async () => {
        const known = jobs.store.byVerificationId(OLD_JOB);
        return answerOf(await follow(known ? await jobs.check(known.id) : await jobs.adopt(OLD_JOB)));
      },
      verifyAllDeployments: async () =>
        (
          await verifyMany({
            deployments: others.map((one) => ({ chainId: CHAIN, address: one })),
            jobs,
            service: service(),
            clock,
            reviewedOf: (one) => Promise.resolve(agreed(addresses.verification, { ...one, input: INPUT })),
            limitMs: 300_000,
          })
        ).map(({ outcome, reason }) => ({ outcome, reason })),
      predictMatch: () => predicted(ownNode),
      "predictMatch by a listed node": () => predicted(listedNode),
      showToken: async () => (await items.open({ kind: "token", tokenId: TOKEN })).content.token.record,
      showTransactionActions: async () => {
        const { content } = await items.open({ kind: "transaction", transaction: TRANSACTION });
        for (const action of content.actions.tree.actions) await content.namer.name(action);
        return content.actions.toRecord();
      },
      showSchedules: async () => (await items.open({ kind: "schedules" })).content.list.toRecord(),
      showSchedule: async () => {
        const { schedule, state } = (await items.open({ kind: "schedule", scheduleId: SCHEDULE })).content
          .loaded;
        return { ...schedule.record, state };
      },
      showStatus: () => monitor.summary(),
      refreshCompilerList: async () => {
        const storage = { get: () => lists, set: (value: unknown) => void (lists = value) };
        const urls = { solc: addresses.solcList, vyper: addresses.vyperList };
        return (await refreshCompilerLists(http, storage, urls)).lists;
      },
    },
    drawn: () => [
      items
        .visible()
        .map(({ label, description, content }) => [
          label,
          description,
          content && contentRow("", content, clock.now()),
        ]),
      statusRows(monitor.state, { names: [], networkId: "mainnet" }, { now: clock.now() }),
      lists,
    ],
    warm: (url) =>
      client.request({ url: `${url}/nothing`, service: "Nothing", retries: 0 }).then(
        () => undefined,
        () => undefined,
      ),
    async dispose() {
      items.dispose();
      monitor.dispose();
      await client.dispose();
    },
  };
  return session;
}

/** Time in which waits pass at once. */
export interface HastyClock extends Clock {
  /** Lets so many milliseconds pass. */
  pass(milliseconds: number): void;
}

/** The present, and what was slept and passed; a little of real time goes by, so that others get their turn. */
export function hastyClock(jump = (now: number) => now): HastyClock {
  let passed = 0;
  return {
    now: () => jump(Date.now() + passed),
    pass: (milliseconds) => void (passed += milliseconds),
    async sleep(milliseconds, signal) {
      await systemClock.sleep(Math.min(milliseconds, 2), signal);
      passed += milliseconds;
    },
  };
}
