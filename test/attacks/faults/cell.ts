import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { isFinished, recordStatus, type JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { outcomeSentence } from "../../../src/core/jobs/jobWords.ts";
import { verificationRows } from "../../../src/core/jobs/verificationRows.ts";
import {
  startFaultProxy,
  type FaultPlace,
  type FaultProxy,
  type ProxiedRequest,
} from "../../rig/loopback/faultProxy.ts";
import type { NamedFault } from "../../rig/loopback/faults.ts";
import { startServices, type Services } from "./services.ts";
import { hastyClock, openSession, type Addresses, type Session } from "./session.ts";

/** A request of a command at which something goes wrong. */
export interface Target {
  readonly command: string;
  readonly service: keyof Addresses;
  /** As the name of a cell continues: "at the submission". */
  readonly at: string;
  readonly place: FaultPlace;
}

/** What goes wrong in a cell. */
export type Trouble =
  | { readonly kind: "request"; readonly fault: NamedFault }
  /** The setting names another address, where nothing good is. */
  | {
      readonly kind: "address";
      readonly name: string;
      /** Whether something there hears what is sent. */
      readonly isHeard?: boolean;
      readonly open: (proxy: FaultProxy) => Promise<{ url: string; stop(): Promise<unknown> }>;
    }
  /** The machine's clock is set while the command runs. */
  | { readonly kind: "clock"; readonly name: string; readonly jump: (now: number) => number };

/** One cell of the matrix. */
export interface Cell {
  readonly target: Target;
  readonly trouble: Trouble;
}

/** "verifyContract at the submission: the connection is refused". */
export function nameOf({ target, trouble }: Cell): string {
  return `${target.command} at ${target.at}: ${troubleName(trouble)}`;
}

/** What a trouble is called. */
export function troubleName(trouble: Trouble): string {
  return trouble.kind === "request" ? trouble.fault.name : trouble.name;
}

/** No cell lasts longer but one that hangs: several attempts of a time-out of less than a second each. */
const DEADLINE_MS = 20_000;
const HOUR_MS = 3_600_000;
const PATHS: Readonly<Record<keyof Addresses, string>> = {
  verification: "/server",
  ledger: "",
  status: "",
  node: "/rpc",
  solcList: "/solc",
  vyperList: "/vyper",
};

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** What a command answers when nothing goes wrong, by its name. */
export async function undisturbed(commands: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const answers = new Map<string, unknown>();
  for (const command of commands) {
    const services = await startServices();
    const session = openSession(addressesAt(services.url), hastyClock());
    const outcome = await outcomeOf(session, command);
    await Promise.all([session.dispose(), services.stop()]);
    if ("error" in outcome) throw outcome.error;
    answers.set(command, comparable(outcome.value));
  }
  return answers;
}

/** The command's hasty clock may end its patience before a busy machine comes to the request that is spoiled. */
const MAX_TRIES = 5;

/**
 * Runs a command into a fault and again without it.
 *
 * @throws AssertionError that says what is wrong with the cell
 */
export async function runCell(cell: Cell, expected: unknown): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) if (await meetsFault(cell, expected)) return;
  assert.fail("the fault was never met");
}

/** The same once; `false` where the command ended before it met the fault. */
async function meetsFault(cell: Cell, expected: unknown): Promise<boolean> {
  const services = await startServices();
  const proxy = await startFaultProxy(services.url);
  const addresses = addressesAt(services.url);
  const { target, trouble } = cell;
  const good = proxy.url + PATHS[target.service];
  addresses[target.service] = good;
  let isDisturbed = true;
  const clock =
    trouble.kind === "clock" ? hastyClock((now) => (isDisturbed ? trouble.jump(now) : now)) : hastyClock();
  const session = openSession(addresses, clock);
  let elsewhere: { stop(): Promise<unknown> } | undefined;
  try {
    if (trouble.kind === "request") await proxy.spoil(trouble.fault.fault, target.place);
    if (trouble.kind === "address") {
      const opened = await trouble.open(proxy);
      elsewhere = opened;
      addresses[target.service] = opened.url + PATHS[target.service];
    }
    await session.warm(services.url);
    session.isDisturbed = true;
    const outcome = await outcomeOf(session, target.command);
    checkOutcome(outcome);
    if (trouble.kind === "request" && proxy.faults === 0) return false;
    checkNothingTwice(services, proxy.forwarded);
    checkNothingLost(cell, session, services, outcome);
    checkDrawn(session);
    isDisturbed = session.isDisturbed = false;
    await proxy.mend();
    // A service may ask to be left alone for as long.
    clock.pass(2 * HOUR_MS);
    addresses[target.service] = good;
    await settle(session, services);
    checkWorksAgain(await outcomeOf(session, target.command), expected);
    checkNothingTwice(services, []);
    checkPrototypes();
    return true;
  } finally {
    await session.dispose();
    await Promise.all([proxy.stop(), services.stop(), elsewhere?.stop()]);
  }
}

function addressesAt(url: string): Addresses {
  return {
    verification: url + PATHS.verification,
    ledger: url + PATHS.ledger,
    status: url + PATHS.status,
    node: url + PATHS.node,
    solcList: url + PATHS.solcList,
    vyperList: url + PATHS.vyperList,
  };
}

async function outcomeOf(session: Session, command: string): Promise<Outcome> {
  const work = session.commands[command];
  if (!work) throw new Error(`There is no command ${command}.`);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${command} hangs`)), DEADLINE_MS);
  });
  try {
    return { value: await Promise.race([work(), late]) };
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
  }
}

/** A plain answer, or one sentence with a stable code. */
function checkOutcome(outcome: Outcome): void {
  if ("value" in outcome) {
    // A body may be nested deeper than anything can be written recursively; the caller still gets it.
    assert.notEqual(outcome.value, undefined, "it answers nothing");
    for (const reason of reasonsIn(outcome.value)) checkSentence(reason);
    return;
  }
  const { error } = outcome;
  if (!(error instanceof LedgerLensError))
    throw new Error("it ends in an unexpected error", { cause: error });
  assert.match(error.code, /^[a-z][a-z0-9_]{2,40}$/, "the code is stable");
  assert.notEqual(error.code, "internal");
  assert.notEqual(error.code, "cancelled");
  checkSentence(error.message);
}

/** One line, bounded, in plain words, with an end. */
export function checkSentence(sentence: string): void {
  const said = JSON.stringify(sentence.slice(0, 300));
  assert.ok(/^["\p{L}\d]/u.test(sentence) && /[.]$/.test(sentence), `no sentence: ${said}`);
  assert.ok(!/[\r\n\t\u202e]|\p{Cc}/u.test(sentence), `more than a line: ${said}`);
  assert.ok(sentence.length <= 1_000, `${sentence.length} characters: ${said}`);
  assert.ok(!/<\/?[a-z!]+|\{\s*"|\[object|undefined|NaN|\]\(|\$\(/i.test(sentence), `raw: ${said}`);
}

function reasonsIn(value: unknown): string[] {
  return Array.isArray(value)
    ? value.flatMap((one: unknown) => {
        const { reason } = (typeof one === "object" && one !== null ? one : {}) as { reason?: unknown };
        return typeof reason === "string" ? [reason] : [];
      })
    : [];
}

/** No submission reaches the service a second time, and none begins a second job. */
function checkNothingTwice({ begun }: Services, forwarded: readonly ProxiedRequest[]): void {
  for (const [address, jobs] of begun) assert.equal(jobs, 1, `${jobs} jobs were begun for ${address}`);
  const submissions = forwarded.filter(
    ({ method, target }) => method === "POST" && target.startsWith("/server/"),
  );
  const targets = submissions.map(({ target }) => target);
  assert.equal(new Set(targets).size, targets.length, `sent twice: ${targets.join(", ")}`);
}

/** Whatever the service began is in the list, as begun or in doubt; what certainly did not arrive is not in doubt. */
function checkNothingLost(
  { target, trouble }: Cell,
  { jobs }: Session,
  { begun }: Services,
  outcome: Outcome,
): void {
  const records = jobs.store.all();
  for (const address of begun.keys()) {
    const record = records.find((one) => one.address.toLowerCase() === address);
    assert.ok(record, "the job that the service began is not in the list");
    assert.ok(
      record.contract !== undefined || ["submitted", "unconfirmed", "adopted"].includes(record.stage),
      `the service began a job, and the record says ${record.stage}`,
    );
  }
  const isNever =
    ((trouble.kind === "address" && trouble.isHeard !== true) ||
      (trouble.kind === "request" && trouble.fault.arrives === "no")) &&
    target.place.meets(SUBMISSION);
  if (isNever && "error" in outcome)
    for (const record of records)
      assert.ok(
        !["submitting", "unconfirmed"].includes(record.stage),
        `nothing arrived, and the record says ${record.stage}`,
      );
}

const SUBMISSION: ProxiedRequest = {
  method: "POST",
  target: "/server/v2/verify/1/0x",
  headers: {},
  body: Buffer.alloc(0),
};

/** The views can be drawn. */
function checkDrawn(session: Session): void {
  try {
    session.drawn();
  } catch (error) {
    // A view says which setting it can't be drawn by.
    if (!(error instanceof LedgerLensError)) throw error;
    checkSentence(error.message);
  }
  const records = session.jobs.store.all();
  for (const record of records) checkSentence(outcomeSentence(record));
  for (const record of records) if (record.problem) checkSentence(record.problem.message);
  verificationRows({
    records,
    deployments: [],
    stateOf: () => undefined,
    isWaitedFor: () => false,
    now: Date.now(),
  });
}

/** What is in doubt is settled by asking, and by asking alone. */
async function settle({ jobs }: Session, { begun }: Services): Promise<void> {
  const isOpen = (record: JobRecord) => !isFinished(record) && begun.has(record.address.toLowerCase());
  for (let looks = 0; looks < 100 && jobs.store.all().some(isOpen); looks++) {
    for (const { id } of jobs.store.all().filter(isOpen)) await jobs.check(id);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  for (const address of begun.keys()) {
    const record = jobs.store.all().find((one) => one.address.toLowerCase() === address);
    assert.equal(
      record && recordStatus(record),
      "exact_match",
      `the job that was begun does not settle (${record?.stage ?? "lost"})`,
    );
  }
}

function checkWorksAgain(outcome: Outcome, expected: unknown): void {
  if ("error" in outcome) throw new Error("it does not work again", { cause: outcome.error });
  const again = comparable(outcome.value);
  if (!isDeepStrictEqual(again, expected))
    assert.deepEqual(again, expected, "it answers something else afterwards");
}

/** Without what differs from run to run: ids of jobs, and that a contract is verified already. */
function comparable(value: unknown): unknown {
  if (
    Array.isArray(value) &&
    value.every((one) => typeof one === "object" && one !== null && "outcome" in one)
  )
    return value.map((one: { outcome: string }) => (one.outcome === "skipped" ? "exact_match" : one.outcome));
  if (typeof value === "object" && value !== null && "verificationId" in value)
    return "status" in value ? value.status : undefined;
  return JSON.parse(JSON.stringify(value)) as unknown;
}

function checkPrototypes(): void {
  assert.deepEqual(Object.keys(Object.prototype), []);
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  assert.equal(Object.getPrototypeOf(Object.prototype), null);
}
