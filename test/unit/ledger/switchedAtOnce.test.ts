// Switches of the network in any order with what others write: windows that switch at once, a person who edits the settings
// between any two steps, writes that fail. Of the editor the stand-in has the settings, which all its windows share.
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { describe, it } from "node:test";
import type { Memento } from "vscode";
import { LedgerLensError } from "../../../src/core/errors.ts";
import type { NetworkChoice } from "../../../src/editor/ledger/networkChoice.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random, randomFrom, type Random } from "../random.ts";
import { choice, NetworkSwitch, PUBLIC, standIn, type Level, type Name } from "./switchingEditor.ts";

const NAMES = ["ledgerUrl", "verificationUrl"] as const;
const LEVELS = ["globalValue", "workspaceValue"] as const;
type Values = Record<Name, Partial<Record<Level, string | undefined>>>;

const PRIVATE = "https://private.example/v";
const PLAIN: NetworkChoice = {
  id: "plain",
  name: "plain",
  ledgerUrl: "https://plain.example",
  isOfWorkspace: false,
};
const SERVICES = ["n", "m", "k"].map((name) => `https://${name}.example/v`);

/** One of two windows that switch, and how it ended. */
interface Command {
  readonly name: string;
  readonly choice: NetworkChoice;
  outcome?: "done" | { readonly failed: unknown };
  /** The step of its last look at the settings. */
  looked: number;
}

/** What a person, or what no command of these does, wrote. */
interface Edit {
  readonly step: number;
  readonly name: Name;
  readonly level: Level;
  readonly value: string | undefined;
  /** Whether it came between the last look of a command and the effect of its write, of which the editor tells nobody. */
  readonly isUnseen: boolean;
}

class FailedWrite extends Error {}

/** One random order of all that happens, and what it came to. */
class Schedule {
  readonly #chance: Random;
  readonly commands: Command[] = [];
  readonly edits: Edit[] = [];
  readonly log: string[] = [];
  readonly values: Values = { ledgerUrl: {}, verificationUrl: {} };
  /** Whether a person set what a network sets, too, so that nobody can tell whose it is. */
  isAmbiguous = false;
  #step = 0;
  readonly #kept = new Map<string, string>();
  readonly #parked: { readonly about: string; readonly place?: string; readonly go: () => void }[] = [];
  readonly #window = new AsyncLocalStorage<Command>();
  readonly #failed: string[] = [];
  #isCalm = true;

  constructor(seed: number) {
    this.#chance = randomFrom(seed);
    standIn.inspect = (name) => {
      const command = this.#window.getStore();
      if (command) command.looked = this.#step;
      return { defaultValue: `https://default.example/${name}`, ...this.values[name] };
    };
    standIn.update = async (name, value, level) => {
      const place = `${level}.${name}`;
      const who = this.#window.getStore()?.name ?? "calm";
      await this.#park(`${who} writes ${place} = ${value}`, place);
      if (!this.#isCalm && this.#chance.below(12) === 0) {
        this.log.push(`${who}: the write fails`);
        this.#failed.push(who);
        throw new FailedWrite(place);
      }
      this.values[name] = { ...this.values[name], [level]: value };
      await this.#park(`${who} wrote ${place}`);
    };
  }

  /** Whether something could not be put back, since the writing of that failed. */
  get isLeftHalfByFault(): boolean {
    return this.commands.some(({ name, outcome }) => {
      const isByWrite = typeof outcome === "object" && outcome.failed instanceof FailedWrite;
      return this.#failed.filter((who) => who === name).length > (isByWrite ? 1 : 0);
    });
  }

  #memento(of: string): Memento {
    return {
      keys: () => [...this.#kept.keys()],
      get: (name: string) => JSON.parse(this.#kept.get(of + name) ?? "null") as unknown,
      update: async (name: string, value: unknown) => {
        const text = JSON.stringify(value);
        this.#kept.set(of + name, text);
        await this.#park(`${this.#window.getStore()?.name ?? "calm"} keeps ${name} ${text}`);
      },
    };
  }

  #park(about: string, place?: string): Promise<void> {
    if (this.#isCalm) return Promise.resolve();
    return new Promise((go) => this.#parked.push({ about, go, ...(place !== undefined && { place }) }));
  }

  window() {
    return new NetworkSwitch(this.#memento("user "), this.#memento("workspace "));
  }

  #start(name: string, chosen: NetworkChoice): void {
    const command: Command = { name, choice: chosen, looked: -1 };
    this.commands.push(command);
    this.log.push(`${name} begins: ${chosen.name}${chosen.isOfWorkspace ? " of the workspace" : ""}`);
    this.#window.run(command, () => {
      this.window()
        .use(chosen)
        .then(
          () => (command.outcome = "done"),
          (failed: unknown) => (command.outcome = { failed }),
        )
        .finally(() => this.log.push(`${name} ends: ${command.outcome === "done" ? "done" : "failed"}`));
    });
  }

  #edit(): void {
    const { below, oneOf } = this.#chance;
    const [name, level] = [oneOf(NAMES), oneOf(["globalValue", "globalValue", "workspaceValue"] as const)];
    let value: string | undefined = `https://person-${this.edits.length}.example`;
    if (below(8) === 0) {
      value = oneOf(["https://n.example", "https://n.example/v", "https://m.example/v", PRIVATE, undefined]);
      this.isAmbiguous = true;
    }
    const isUnseen = this.#parked.some(({ place }) => place === `${level}.${name}`);
    this.edits.push({ step: this.#step, name, level, value, isUnseen });
    this.values[name] = { ...this.values[name], [level]: value };
    this.log.push(`a person sets ${level}.${name} = ${value}${isUnseen ? " (unseen)" : ""}`);
  }

  /** @returns the settings before it all */
  async run(): Promise<Values> {
    const { below, oneOf } = this.#chance;
    this.values.ledgerUrl.globalValue = oneOf([undefined, PUBLIC.ledgerUrl]);
    this.values.verificationUrl.globalValue = oneOf([undefined, PRIVATE, PRIVATE]);
    if (below(4) === 0) this.values.verificationUrl.workspaceValue = "https://folder.example/v";
    if (below(4) === 0) this.values.ledgerUrl.workspaceValue = "https://folder.example";
    if (below(2) === 0) await this.window().use(choice("k", below(4) === 0));
    const before = structuredClone(this.values);
    this.log.push(`before: ${JSON.stringify(before)}`);
    this.#isCalm = false;
    const choices = [choice("n"), choice("n"), choice("m"), choice("m", true), PUBLIC, PLAIN];
    this.#start("A", oneOf(choices));
    let toCome = [...Array<"edit">(below(4)).fill("edit"), ...(below(2) === 0 ? (["B"] as const) : [])];
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.commands.every(({ outcome }) => outcome !== undefined)) break;
      this.#step++;
      assert.ok(this.#step < 400, `no end: ${this.log.slice(0, 60).join("\n")}`);
      const at = below(this.#parked.length + (toCome.length > 0 ? 1 : 0));
      const [parked] = this.#parked.splice(at, 1);
      if (parked) {
        this.log.push(parked.about);
        parked.go();
        continue;
      }
      const next = oneOf(toCome);
      toCome = toCome.toSpliced(toCome.indexOf(next), 1);
      if (next === "edit") this.#edit();
      else this.#start("B", oneOf(choices));
    }
    this.#isCalm = true;
    this.log.push(`after: ${JSON.stringify(this.values)} ${JSON.stringify([...this.#kept])}`);
    return before;
  }
}

const inUse = (values: Values, name: Name) =>
  values[name].workspaceValue ?? values[name].globalValue ?? `https://default.example/${name}`;

/** What is not as it is promised after a schedule; nothing where all is. */
async function brokenBy(schedule: Schedule, before: Values): Promise<string | undefined> {
  const { commands, edits, values } = schedule;
  for (const { name, outcome } of commands) {
    if (outcome === "done" || outcome === undefined) continue;
    const { failed } = outcome;
    const isKnown =
      failed instanceof FailedWrite ||
      (failed instanceof LedgerLensError &&
        ["key_in_address", "settings_changed_meanwhile"].includes(failed.code));
    if (!isKnown) return `${name} says what nobody knows: ${String(failed)}`;
    const isAlone = commands.length === 1 && edits.length === 0;
    if (isAlone && !(failed instanceof FailedWrite))
      return `${name} says that others wrote: ${String(failed)}`;
  }
  const done = commands.filter(({ outcome }) => outcome === "done");
  // Whose a value is that two windows write can't be told, where one of them fails; nor is it known of the other that it did.
  const isOneOfTwo = done.length < commands.length && commands.length > 1;
  if (isOneOfTwo && (edits.length > 0 || done.length === 0)) return undefined;
  if (!isOneOfTwo && edits.every(({ step }) => done.every(({ looked }) => step < looked))) {
    const [ledger, service] = [inUse(values, "ledgerUrl"), inUse(values, "verificationUrl")];
    const isWhole = done.some(
      ({ choice: one }) =>
        one.ledgerUrl === ledger &&
        (one.verificationUrl === undefined
          ? schedule.isAmbiguous || !SERVICES.includes(service)
          : one.verificationUrl === service),
    );
    if (done.length > 0 && !isWhole && !schedule.isLeftHalfByFault)
      return "a command that said success left a half";
    const [ofUser, service2] = [values.ledgerUrl.globalValue, values.verificationUrl.globalValue];
    const isOfUser = edits.every(({ level }) => level === "workspaceValue");
    const [net] = commands.filter(
      ({ choice: one }) => one.verificationUrl !== undefined && one.ledgerUrl === ofUser,
    );
    if (isOfUser && net && service2 !== net.choice.verificationUrl && !schedule.isLeftHalfByFault)
      return "other folders have a ledger without its service";
  }
  if (schedule.isAmbiguous) return undefined;
  const last = new Map(edits.map((edit) => [`${edit.level}.${edit.name}`, edit]));
  if (done.length === 0 && !schedule.isLeftHalfByFault)
    for (const name of NAMES)
      for (const level of LEVELS) {
        const edit = last.get(`${level}.${name}`);
        if (edit?.isUnseen) continue;
        const wanted = edit ? edit.value : before[name][level];
        if (values[name][level] !== wanted)
          return `nothing was chosen, and ${level}.${name} is ${values[name][level]}, not ${wanted}`;
      }
  // What networks replaced comes back, with the next window.
  await schedule.window().use(PUBLIC);
  const inFolder = values.verificationUrl.workspaceValue;
  // What a folder overrules is chosen for it alone; the user's own comes back where none does.
  for (const name of NAMES) values[name] = { globalValue: values[name].globalValue };
  await schedule.window().use(PUBLIC);
  values.verificationUrl.workspaceValue = inFolder;
  for (const [name, level] of [
    ["verificationUrl", "globalValue"],
    ["verificationUrl", "workspaceValue"],
  ] as const) {
    const edit = last.get(`${level}.${name}`);
    if (edit?.isUnseen) continue;
    const found = values[name][level];
    if (found !== undefined && SERVICES.includes(found)) return `${level}.${name} stays ${found}`;
    if (edit && found !== edit.value) return `a person's ${edit.value} is lost: ${level}.${name} is ${found}`;
    if (level === "globalValue" && !edit && found !== undefined && found !== PRIVATE)
      return `${level}.${name} is ${found}`;
  }
  return undefined;
}

describe("Switches of the network among all that others write", () => {
  it("end whole or not at all, and lose nothing that a person set", async () => {
    const chance = random("switches");
    const found = new Map<string, { count: number; log: string[]; seed: number }>();
    for (let left = proofSize({ sample: 800, whole: 60_000 }); left > 0; left--) {
      const seed = chance.below(2 ** 32);
      const schedule = new Schedule(seed);
      const before = await schedule.run();
      const broken = await brokenBy(schedule, before);
      if (broken === undefined) continue;
      const kind = broken.replaceAll(/person-\d/g, "person");
      const known = found.get(kind);
      if (!known || known.log.length > schedule.log.length)
        found.set(kind, { count: (known?.count ?? 0) + 1, log: schedule.log, seed });
      else known.count++;
    }
    const worst = [...found].toSorted(([, one], [, other]) => one.log.length - other.log.length);
    assert.equal(
      worst.length,
      0,
      worst
        .map(([kind, { count, log, seed }]) => `\n${kind} (${count}, seed ${seed})\n  ${log.join("\n  ")}`)
        .join("\n"),
    );
  });
});
