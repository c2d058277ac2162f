import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { MessageChannel, Worker } from "node:worker_threads";
import { DeliberateEnter } from "../../../src/editor/ui/deliberateEnter.ts";
import { eventually } from "../../rig/eventually.ts";
import { standStill } from "../../rig/standStill.ts";

interface Line {
  readonly value: string;
}

const SUBMIT: Line = { value: "submit" };
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** So often a key that is held down presses. */
const REPEAT_MS = 30;
/** Longer than a list has to be seen, and than it takes until a press that counts is an answer. */
const [SEEN_MS, ANSWERED_MS] = [650, 400];

/** What the lists of a test need no longer once it is over. */
const open: (() => void)[] = [];
afterEach(() => {
  for (const leave of open.splice(0)) leave();
});

/** A list on the screen whose one line sends something. */
function listOnScreen(isBeingDrawn = () => false) {
  const enter = new DeliberateEnter<Line>({ activate: () => undefined });
  const drawn = () => enter.told(!isBeingDrawn());
  enter.beginAgain();
  drawn();
  let sent = 0;
  open.push(() => enter.dispose());
  return {
    press: () =>
      enter.pressedOn(SUBMIT, true, () => {
        sent++;
        // What is answered is over, as in the editor: a press that waits for it, and comes late, is no second answer.
        enter.dispose();
      }),
    sent: () => sent,
    leave: () => enter.dispose(),
    draw: () => drawn(),
  };
}

type List = ReturnType<typeof listOnScreen>;

/** Presses Enter as a person does who waits whether anything comes of it. */
const pressedAtRest = (list: List) =>
  eventually(async () => {
    await pause(SEEN_MS);
    list.press();
    await pause(ANSWERED_MS);
    assert.ok(list.sent() > 0, "nothing yet");
  });

describe("Enter on a line that sends something", () => {
  it("is none of a key that was held down, whose last press is heard of late because this thread stood still", async () => {
    const before = listOnScreen();
    before.press();
    before.leave();
    const list = listOnScreen();
    for (let presses = 0; presses < 25; presses++) {
      await pause(REPEAT_MS);
      list.press();
    }
    standStill(600);
    list.press();
    await pause(ANSWERED_MS);
    assert.equal(list.sent(), 0);
    await pressedAtRest(list);
    assert.equal(list.sent(), 1);
  });

  it("is none that came soon after the line was told that the list was given, however long that took the window", async () => {
    let isBeingDrawn = true;
    const list = listOnScreen(() => isBeingDrawn);
    await pause(SEEN_MS);
    list.draw();
    isBeingDrawn = false;
    list.press();
    await pause(ANSWERED_MS);
    assert.equal(list.sent(), 0);
    await pressedAtRest(list);
    assert.equal(list.sent(), 1);
  });

  it("is none of one that goes on into another list, while this thread stands still between the two", async () => {
    const [before, list] = [listOnScreen(), listOnScreen()];
    await pause(SEEN_MS);
    before.press();
    before.leave();
    standStill(600);
    list.press();
    await pause(ANSWERED_MS);
    assert.equal(list.sent(), 0);
  });

  it("is none that another press follows, though of that one is heard after a while in which this thread stood still", async () => {
    const list = listOnScreen();
    await pause(SEEN_MS);
    const { port1: keys, port2: heard } = new MessageChannel();
    open.push(() => heard.close());
    heard.on("message", list.press);
    list.press();
    // Behind what this thread hears at a time: its timers are due before it hears more.
    setImmediate(() => {
      keys.postMessage("Enter");
      standStill(400);
    });
    await pause(SEEN_MS + ANSWERED_MS);
    assert.equal(list.sent(), 0);
  });

  it("counts where a person presses again and again, on a thread that stands still nearly all the time", async () => {
    const list = listOnScreen();
    const busy = setInterval(() => standStill(450), 10);
    const keyboard = new Worker(
      'const { parentPort } = require("node:worker_threads"); setInterval(() => parentPort.postMessage("Enter"), 1400);',
      { eval: true },
    );
    keyboard.on("message", list.press);
    try {
      await eventually(() => assert.ok(list.sent() > 0, "nothing yet"));
    } finally {
      clearInterval(busy);
      await keyboard.terminate();
    }
  });

  it("is none of a key that is held down, on a thread that stands still nearly all the time", async () => {
    const before = listOnScreen();
    before.press();
    before.leave();
    const list = listOnScreen();
    const busy = setInterval(() => standStill(450), 10);
    let presses = 0;
    const keyboard = new Worker(
      'const { parentPort } = require("node:worker_threads"); setInterval(() => parentPort.postMessage("Enter"), 30);',
      { eval: true },
    );
    keyboard.on("message", () => {
      presses++;
      list.press();
    });
    try {
      await eventually(() => assert.ok(presses > 60));
      assert.equal(list.sent(), 0);
    } finally {
      clearInterval(busy);
      await keyboard.terminate();
    }
    await pause(ANSWERED_MS);
    assert.equal(list.sent(), 0);
  });

  it("is none once its question is answered or left, though another one is shown right after it", async () => {
    const list = listOnScreen();
    await pause(SEEN_MS);
    list.leave();
    list.press();
    listOnScreen();
    await pause(SEEN_MS);
    assert.equal(list.sent(), 0);
  });

  it("counts on a thread that stands still again and again, once a person has waited", async () => {
    const list = listOnScreen();
    const busy = setInterval(() => standStill(150), 200);
    try {
      await pressedAtRest(list);
    } finally {
      clearInterval(busy);
    }
  });
});
