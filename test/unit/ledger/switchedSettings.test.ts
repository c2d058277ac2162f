// The switch itself, where settings change and writes fail in the middle of it; of the editor the stand-in has the settings
// and what it keeps, which all its windows share.
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { Memento } from "vscode";
import { choice, NetworkSwitch, PUBLIC, standIn, type Level, type Name } from "./switchingEditor.ts";

const editor: {
  values: Record<Name, Partial<Record<Level, string | undefined>>>;
  beforeWrite: (name: Name, value: string | undefined, level: Level) => Promise<void>;
} = { values: { ledgerUrl: {}, verificationUrl: {} }, beforeWrite: () => Promise.resolve() };

const PRIVATE = "https://private.example/v";
const OWN = "https://own.example/v";

function memento(): Memento {
  const kept = new Map<string, string>();
  return {
    keys: () => [...kept.keys()],
    get: (name: string) => JSON.parse(kept.get(name) ?? "null") as unknown,
    update: (name: string, value: unknown) => Promise.resolve(void kept.set(name, JSON.stringify(value))),
  } as Memento;
}
const user = (name: Name) => editor.values[name].globalValue;

describe("A switch of the network", () => {
  /** What the editor keeps for all windows. */
  let kept: Memento;
  const window = () => new NetworkSwitch(kept, memento());
  beforeEach(() => {
    kept = memento();
    standIn.inspect = (name) => ({
      defaultValue: `https://default.example/${name}`,
      ...editor.values[name],
    });
    standIn.update = async (name, value, level) => {
      await editor.beforeWrite(name, value, level);
      editor.values[name] = { ...editor.values[name], [level]: value };
    };
    editor.beforeWrite = () => Promise.resolve();
    editor.values = {
      ledgerUrl: { globalValue: PUBLIC.ledgerUrl },
      verificationUrl: { globalValue: PRIVATE },
    };
  });

  it("that can't be written leaves what a person set meanwhile as it is", async () => {
    editor.beforeWrite = (name) => {
      if (name === "verificationUrl") return Promise.resolve();
      editor.beforeWrite = () => Promise.resolve();
      editor.values.verificationUrl.globalValue = OWN;
      return Promise.reject(new Error("Unable to write"));
    };
    await assert.rejects(window().use(choice("n")), /Unable to write/);
    assert.deepEqual([user("ledgerUrl"), user("verificationUrl")], [PUBLIC.ledgerUrl, OWN]);
  });

  it("gives back what a person set while it was being written", async () => {
    const update = kept.update.bind(kept);
    let isEdited = false;
    const slow: Memento = {
      ...kept,
      update: async (name, value) => {
        await update(name, value);
        if (!isEdited) editor.values.verificationUrl.globalValue = OWN;
        isEdited = true;
      },
    };
    const network = new NetworkSwitch(slow, memento());
    await network.use(choice("n"));
    assert.deepEqual(
      [user("ledgerUrl"), user("verificationUrl")],
      ["https://n.example", "https://n.example/v"],
    );
    await network.use(PUBLIC);
    assert.equal(user("verificationUrl"), OWN);
  });

  it("is said not to be one where others change the settings each time, and leaves what they set", async () => {
    const theirs = { ledgerUrl: "", verificationUrl: "" };
    let edits = 0;
    editor.beforeWrite = (name) => {
      const other = name === "ledgerUrl" ? "verificationUrl" : "ledgerUrl";
      editor.values[other].globalValue = theirs[other] = `https://theirs-${++edits}.example`;
      return Promise.resolve();
    };
    await assert.rejects(window().use(choice("n")), { code: "settings_changed_meanwhile" });
    assert.deepEqual({ ledgerUrl: user("ledgerUrl"), verificationUrl: user("verificationUrl") }, theirs);
  });

  it("leaves no ledger beside a service that it did not choose, where a person sets the ledger meanwhile", async () => {
    editor.values.ledgerUrl.globalValue = "https://n.example";
    editor.beforeWrite = (name) => {
      if (name === "verificationUrl") editor.values.ledgerUrl.globalValue = "https://theirs.example";
      return Promise.resolve();
    };
    await window().use(choice("n"));
    assert.deepEqual(
      [user("ledgerUrl"), user("verificationUrl")],
      ["https://n.example", "https://n.example/v"],
    );
  });

  it("in two windows at once ends with one network as a whole, and the private service comes back", async () => {
    const names = ["n", "m"];
    // Each order in which the two windows' writes can follow one another.
    for (const order of ["nnmm", "nmnm", "nmmn", "mnnm", "mnmn", "mmnn"]) {
      kept = memento();
      editor.values = {
        ledgerUrl: { globalValue: PUBLIC.ledgerUrl },
        verificationUrl: { globalValue: PRIVATE },
      };
      const turns = order.split("");
      const waiting = new Map<string, () => void>();
      const next = () => {
        const [turn = ""] = turns;
        const go = waiting.get(turn);
        if (!go) return;
        turns.shift();
        waiting.delete(turn);
        go();
      };
      editor.beforeWrite = (_name, value = "") => {
        const turn = names.find((one) => value.startsWith(`https://${one}.`));
        if (turn === undefined || !turns.includes(turn)) return Promise.resolve();
        return new Promise<void>((go) => {
          waiting.set(turn, () => {
            go();
            setImmediate(next);
          });
          next();
        });
      };
      const windows = names.map((name) => window().use(choice(name)));
      // A window that has nothing more to write leaves the others their turn.
      windows.forEach(
        (one, at) =>
          void one.finally(() => {
            turns.splice(0, turns.length, ...turns.filter((turn) => turn !== names[at]));
            next();
          }),
      );
      await Promise.all(windows);
      const inUse = [user("ledgerUrl"), user("verificationUrl")];
      const whole = names.map((name) => [`https://${name}.example`, `https://${name}.example/v`].join());
      assert.ok(whole.includes(inUse.join()), `${order}: ${inUse.join()}`);
      editor.beforeWrite = () => Promise.resolve();
      await window().use(PUBLIC);
      assert.equal(user("verificationUrl"), PRIVATE, order);
    }
  });

  it("half-way through which the window ends gives the private service back with the next one", async () => {
    let writes = 0;
    // The window is gone before its second write is told of.
    editor.beforeWrite = () => (++writes === 2 ? new Promise(() => undefined) : Promise.resolve());
    void window().use(choice("n"));
    for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(user("verificationUrl"), "https://n.example/v");
    editor.beforeWrite = () => Promise.resolve();
    await window().use(PUBLIC);
    assert.deepEqual([user("ledgerUrl"), user("verificationUrl")], [PUBLIC.ledgerUrl, PRIVATE]);
  });
});
