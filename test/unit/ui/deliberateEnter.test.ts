import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { MessageChannel, Worker } from "node:worker_threads";
import { DeliberateEnter } from "../../../src/editor/ui/deliberateEnter.ts";
import { eventually } from "../../rig/eventually.ts";
import { longIt } from "../../rig/longTest.ts";
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

/** A window that is never busy: it answers at once. */
const atOnce = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What the lists of a test need no longer once it is over. */
const open: (() => void)[] = [];
afterEach(() => {
  for (const leave of open.splice(0)) leave();
});

/** A list on the screen whose one line sends something. */
function listOnScreen(isBeingDrawn = () => false) {
  let askedAgain = 0;
  const enter = new DeliberateEnter<Line>({
    askWindow: atOnce,
    activate: () => undefined,
    askAgain: () => void askedAgain++,
  });
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
    askedAgain: () => askedAgain,
    type: () => enter.typed(),
    leave: () => enter.dispose(),
    draw: () => drawn(),
  };
}

/** A question without lines, in a window that answers as a test says. */
function questionOnScreen(askWindow: () => Promise<void>, isFirst = false) {
  let sent = 0;
  const enter = new DeliberateEnter<Line>({ askWindow, askAgain: () => undefined });
  open.push(() => enter.dispose());
  enter.beginAgain();
  enter.shown(isFirst);
  return { press: () => enter.pressedOn(SUBMIT, true, () => sent++), sent: () => sent };
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

/** Keyboards whose keys, held down, press again late or seldom: the delay and the interval in milliseconds. */
const SLOW_KEYBOARDS = [
  [1_000, 400, 3],
  [660, 40, 1],
  [1_000, 400, 1],
  [1_800, 90, 1],
] as const;

describe("Enter on a keyboard that waits long before a key that is held down presses again", () => {
  for (const [at, [delay, interval, repeats]] of SLOW_KEYBOARDS.entries()) {
    (at === 0 ? it : longIt)(`is none: ${delay} ms, then ${repeats} times every ${interval} ms`, async () => {
      const before = listOnScreen();
      before.press();
      before.leave();
      const list = listOnScreen();
      await pause(delay);
      for (let presses = 0; presses < repeats; presses++) {
        list.press();
        await pause(interval);
      }
      await pause(ANSWERED_MS);
      assert.equal(list.sent(), 0);
      assert.equal(list.askedAgain(), 1, "it is said that it takes another one");
    });
  }

  it("is none in the first question of a command, which a key calls that may still be held down", async () => {
    const question = questionOnScreen(atOnce, true);
    await pause(1_000);
    question.press();
    await pause(ANSWERED_MS);
    assert.equal(question.sent(), 0);
  });

  it("counts at once behind another key, with which the one before ended", async () => {
    const before = listOnScreen();
    before.press();
    before.leave();
    const list = listOnScreen();
    await pause(SEEN_MS);
    list.type();
    list.press();
    await eventually(() => assert.equal(list.sent(), 1));
    assert.equal(list.askedAgain(), 0);
  });
});

describe("Enter in a window that is far away, or busy", () => {
  /** A question in a window that tells in order and each thing so many milliseconds later. */
  const farAway = (milliseconds: number) => {
    const far = () => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
    const { press, sent } = questionOnScreen(() => far().then(far));
    return { isDrawn: far, press: () => far().then(press), sent };
  };

  for (const milliseconds of [260, 150, 600]) {
    (milliseconds === 260 ? it : longIt)(
      `is none right after the question is drawn there, ${milliseconds} ms away, and counts once it was read`,
      async () => {
        const question = farAway(milliseconds);
        await question.isDrawn();
        await question.press();
        await pause(ANSWERED_MS + 2 * milliseconds);
        assert.equal(question.sent(), 0);
        await eventually(async () => {
          await pause(SEEN_MS + 2 * milliseconds);
          await question.press();
          await pause(ANSWERED_MS + 2 * milliseconds);
          assert.equal(question.sent(), 1);
        });
      },
    );
  }

  it("counts in one that answers nothing at all", async () => {
    const question = questionOnScreen(() => Promise.reject(new Error("no such command")));
    await eventually(async () => {
      await pause(SEEN_MS);
      question.press();
      await pause(ANSWERED_MS);
      assert.ok(question.sent() > 0);
    });
  });

  it("is none that the window took long to tell of, though it drew the question long before", async () => {
    let answered = (): void => undefined;
    const busy = { is: false };
    const question = questionOnScreen(() =>
      busy.is ? new Promise<void>((resolve) => (answered = resolve)) : atOnce(),
    );
    await pause(50);
    // The key is pressed now, and the window is at something else for a while.
    busy.is = true;
    await pause(900);
    question.press();
    busy.is = false;
    answered();
    await pause(ANSWERED_MS);
    assert.equal(question.sent(), 0);
  });
});
