import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { findAsAPerson } from "../ledgerJourney.ts";
import { startEditor } from "../rig/editorServer.ts";
import { eventually } from "../rig/eventually.ts";
import { startServer } from "../rig/loopback/httpServer.ts";
import { packageExtension } from "../rig/packagedExtension.ts";
import { Workbench } from "../rig/workbench.ts";
import { random } from "../unit/random.ts";

const COUNT = 10_000;
const PAGE = 100;
const HASH = `0x${"ab".repeat(32)}`;
const PATH = `/api/v1/contracts/results/${HASH}/actions`;
/** The rows in sight and the spare ones above and below, on the largest of screens. */
const MAX_ROWS_DRAWN = 150;

/** What the page's list is to a function that runs in it. */
interface Scroller {
  scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
  querySelectorAll(selector: string): { readonly length: number };
  addEventListener(type: string, listener: () => void, options: { once: true }): void;
}

declare const requestAnimationFrame: (callback: (time: number) => void) => void;

/**
 * Run in the page: scrolls from the top to the end, some screens at a frame; answers the longest time between two frames in
 * milliseconds, the one that a frame in a hundred takes longer than, and the most rows that there ever were.
 */
async function scrollThrough(element: unknown): Promise<{ longest: number; usual: number; most: number }> {
  const scroller = element as Scroller;
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
  const frames: number[] = [];
  let most = 0;
  scroller.scrollTop = 0;
  await frame();
  let before = await frame();
  while (scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 1) {
    scroller.scrollTop += 4 * scroller.clientHeight;
    const now = await frame();
    frames.push(now - before);
    most = Math.max(most, scroller.querySelectorAll("[role=row]").length);
    before = now;
  }
  frames.sort((one, other) => one - other);
  return { longest: frames.at(-1) ?? 0, usual: frames[Math.floor(frames.length * 0.99)] ?? 0, most };
}

describe("A person looks at a transaction of ten thousand calls", () => {
  const stops: (() => Promise<unknown>)[] = [];
  let workbench: Workbench;
  const firstPage = Promise.withResolvers<undefined>();
  before(async () => {
    const dice = random("ten thousand calls");
    const depths = Array.from({ length: COUNT }, (_, at) => (at === 0 ? 0 : 1 + dice.below(12)));
    const action = (index: number) => ({
      call_depth: depths[index],
      call_operation_type: dice.below(4) === 0 ? "STATICCALL" : "CALL",
      call_type: "CALL",
      from: `0x${"0".repeat(36)}${(1_000 + (index % 50)).toString(16).padStart(4, "0")}`,
      gas: 900_000,
      gas_used: index === 0 ? 200_000_000 : 2_000 + (index % 977),
      index,
      input: `0xa9059cbb${"0".repeat(60)}${(index % 9_999).toString(16).padStart(4, "0")}${index.toString(16).padStart(64, "0")}`,
      recipient: `0.0.${2_000 + (index % 40)}`,
      recipient_type: "CONTRACT",
      result_data: "0x",
      result_data_type: "OUTPUT",
      timestamp: "1676540001.234390005",
      to: `0x${"0".repeat(36)}${(2_000 + (index % 40)).toString(16).padStart(4, "0")}`,
      value: 0,
    });
    const ledger = await startServer((request, response) => {
      const url = new URL(request.url ?? "", "http://127.0.0.1");
      const json = (status: number, body: unknown) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      if (url.pathname !== PATH) {
        json(404, { _status: { messages: [{ message: "Not found" }] } });
        return;
      }
      const from = Number(/gt:(\d+)/.exec(url.searchParams.get("index") ?? "")?.[1] ?? -1) + 1;
      const to = Math.min(COUNT, from + PAGE);
      const next = to < COUNT ? `${PATH}?limit=${PAGE}&index=gt:${to - 1}` : null;
      void firstPage.promise.then(() =>
        json(200, {
          actions: Array.from({ length: to - from }, (_, at) => action(from + at)),
          links: { next },
        }),
      );
    });
    stops.unshift(() => ledger.stop());
    const workspace = await mkdtemp(join(tmpdir(), "many-calls-"));
    stops.unshift(() => rm(workspace, { recursive: true, force: true }));
    await writeFile(join(workspace, "Vault.sol"), "contract Vault {}\n");
    const editor = await startEditor({
      vsix: [await packageExtension()],
      settings: {
        "ledgerLens.ledgerUrl": ledger.url,
        "ledgerLens.verificationUrl": ledger.url,
        "ledgerLens.statusUrl": ledger.url,
      },
    });
    stops.unshift(() => editor.stop());
    workbench = await Workbench.open(editor.url, workspace);
    stops.unshift(() => workbench.close());
    await workbench.openViewContainer("Ledger Lens");
    await workbench.showOnly("Ledger");
  });
  after(async () => {
    for (const stop of stops) await stop();
  });

  const page = () => workbench.editorPage();
  const scroller = () => page().locator(".scroller");
  const rowsNow = () => page().locator(".scroller [role=row]").allInnerTexts();
  const calls = () => page().getByRole("tab", { name: /^Calls/ });
  const showTab = (name: RegExp) => page().getByRole("tab", { name }).click();

  it("sees the first rows while the others are loaded, and loads all of them", () =>
    workbench.keepPictureOnFailure("many-load", async () => {
      await findAsAPerson(workbench, { paste: HASH, offered: /Contract actions/, opens: /abab/ });
      await page().getByText("Loading…").waitFor();
      const answeredAt = performance.now();
      firstPage.resolve(undefined);
      await page().locator(".scroller [role=row]").first().waitFor();
      console.log(`first rows ${Math.round(performance.now() - answeredAt)} ms after the first page`);
      const more = page().getByRole("button", { name: "Load More" });
      for (let loaded = 1_100; loaded < COUNT; loaded += 1_000) {
        const label = `Calls ${loaded.toLocaleString("en-US")}`;
        await eventually(async () => assert.equal(await calls().innerText(), label));
        await more.click();
      }
      await eventually(async () => assert.equal(await calls().innerText(), "Calls 10,000"));
      // The rows follow their number in pieces.
      await eventually(async () => {
        const height = await scroller().evaluate((one) => (one as unknown as Scroller).scrollHeight);
        assert.equal(height, COUNT * 22);
      });
    }));

  it("scrolls through all of them, of which few are drawn at a time", () =>
    workbench.keepPictureOnFailure("many-scroll", async () => {
      const { longest, usual, most } = await scroller().evaluate(scrollThrough);
      console.log(
        `longest frame while scrolling ${Math.round(longest)} ms, 99 of 100 within ${Math.round(usual)} ms; at most ${most} rows drawn`,
      );
      assert.ok(most <= MAX_ROWS_DRAWN, `${most} rows are drawn`);
      await eventually(async () => {
        const last = (await rowsNow()).at(-1) ?? "";
        assert.match(
          last,
          new RegExp(`amount: 9,999\\b|${(2_000 + ((COUNT - 1) % 977)).toLocaleString("en-US")}`),
        );
      });
      await page().getByRole("treegrid").focus();
      await workbench.page.keyboard.press("Home");
      await eventually(async () => assert.match((await rowsNow())[0] ?? "", /200,000,000/));
    }));

  it("finds the place again where it was left, after another tab and after another file was shown", () =>
    workbench.keepPictureOnFailure("many-place", async () => {
      const middle = (COUNT / 2) * 22;
      const top = () => scroller().evaluate((one) => (one as unknown as Scroller).scrollTop);
      await scroller().evaluate(async (element, to) => {
        const one = element as unknown as Scroller;
        const isAtRest = new Promise<void>((resolve) =>
          one.addEventListener("scrollend", () => resolve(), { once: true }),
        );
        one.scrollTop = to;
        await isAtRest;
      }, middle);
      await showTab(/^Gas/);
      await page().locator(".flame .bar").first().waitFor();
      await showTab(/^Calls/);
      await eventually(async () => assert.equal(await top(), middle));
      await workbench.runCommand("File: New Untitled Text File");
      await workbench.page.getByRole("tab", { name: /^Transaction / }).click();
      await eventually(async () => assert.equal(await top(), middle));
      await page().getByRole("searchbox", { name: "Filter calls" }).fill("nothing says this");
      await eventually(async () => assert.deepEqual(await rowsNow(), []));
    }));
});
