import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { findAsAPerson } from "../ledgerJourney.ts";
import { startEditor } from "../rig/editorServer.ts";
import { eventually } from "../rig/eventually.ts";
import { startServer } from "../rig/loopback/httpServer.ts";
import { packageExtension } from "../rig/packagedExtension.ts";
import { proofSize } from "../rig/proofSize.ts";
import { Workbench } from "../rig/workbench.ts";
import {
  someShape,
  strangeActions,
  strangeResult,
  strangeTransactions,
} from "../unit/ledger/strangeLedger.ts";
import { random, randomFrom } from "../unit/random.ts";
import { accessibilityFindings, THEMES, UNLIKE_THEMES } from "./accessibility.ts";

const LOOKED_AT = proofSize({ sample: UNLIKE_THEMES, whole: THEMES });

/** Ten thousand take half a minute to be loaded. */
const COUNT = proofSize({ sample: 3_000, whole: 10_000 });
const PAGE = 100;
const HASH = `0x${"ab".repeat(32)}`;
const PATH = `/api/v1/contracts/results/${HASH}/actions`;
/** The rows in sight and the spare ones above and below, on the largest of screens. */
const MAX_ROWS_DRAWN = 150;

/** So many transactions are strange in every field; the one before them uses more gas than there are numbers. */
const STRANGE = proofSize({ sample: 2, whole: 20 });
const strangeHash = (at: number) => `0x${"c0de".padEnd(60, "0")}${String(at).padStart(4, "0")}`;

/** Characters that change the direction of a text, or hide. */
const HIDDEN = /[\u200b\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cc}(?<![\n\t])/u;
/** What foreign markup would make of itself, and the page never makes. */
const ALIVE = "a, img, iframe, object, script, style";

/** Calls three hundred levels deep below the first of three roots, of gas beyond any number. */
function endlessGas(): string {
  const gas = "9".repeat(400);
  const actions = Array.from({ length: 303 }, (_, at) => {
    const depth = at < 301 ? at : 0;
    return `{"call_depth":${depth},"call_type":"CALL","index":${at},"gas":${gas},"gas_used":${gas},"recipient":"0.0.${at}"}`;
  });
  return `{"actions":[${actions.join(",")}],"links":{"next":null}}`;
}

/** What the page's list is to a function that runs in it. */
interface Scroller {
  scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
  querySelectorAll(selector: string): { readonly length: number };
  addEventListener(type: string, listener: () => void, options: { once: true }): void;
}

declare const requestAnimationFrame: (callback: (time: number) => void) => void;

/** What the page's document is to a function that runs in it, which leaves there when the first rows were drawn. */
declare const document: { readonly body: object; querySelector(selector: string): object | null };
declare const MutationObserver: new (changed: () => void) => {
  observe(target: object, options: { childList: true; subtree: true }): void;
  disconnect(): void;
};
declare let drawnAt: Promise<number> | undefined;

/** Run in the page before rows are there: looks out for the first of them. */
function lookOutForRows(): void {
  drawnAt = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector(".rows [role=row]")) return;
      observer.disconnect();
      // What is done after a frame began is done once it was drawn.
      requestAnimationFrame(() => setTimeout(() => resolve(Date.now()), 0));
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
}

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

describe("A person looks at a transaction of thousands of calls, and at strange ones", () => {
  const stops: (() => Promise<unknown>)[] = [];
  let workbench: Workbench;
  let settings: string;
  const firstPage = Promise.withResolvers<undefined>();
  let loading: Promise<void> | undefined;
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
      const text = (status: number, body: string) =>
        response.writeHead(status, { "content-type": "application/json" }).end(body);
      const json = (status: number, body: unknown) => text(status, JSON.stringify(body));
      const strange = /\/results\/0xc0de0+?(\d{4})(\/actions)?$/.exec(url.pathname);
      if (strange) {
        const source = randomFrom(dice.seed + Number(strange[1]));
        if (strange[2] === undefined) text(200, strangeResult(source).text);
        else
          text(
            200,
            Number(strange[1]) === 0 ? endlessGas() : strangeActions(source, someShape(source), null).text,
          );
        return;
      }
      if (url.pathname === "/api/v1/transactions") {
        text(200, strangeTransactions(randomFrom(dice.seed)).text);
        return;
      }
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
    await mkdir(join(workspace, ".vscode"));
    settings = join(workspace, ".vscode", "settings.json");
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
  const scroller = () => page().locator(".calls");
  const rowsNow = () => page().locator(".rows [role=row]").allInnerTexts();
  const calls = () => page().getByRole("tab", { name: /^Calls/ });
  const showTab = (name: RegExp) => page().getByRole("tab", { name }).click();
  /** Finds a transaction, and waits for its page in the place of the one before. */
  const showPage = async (hash: string) => {
    const end = hash.slice(-4);
    await findAsAPerson(workbench, {
      paste: hash,
      offered: /Contract actions/,
      opens: new RegExp(`0xc0de…${end}`),
    });
    await workbench.page
      .getByRole("tab", { name: new RegExp(`^(?:[✕✓?] )?Transaction 0xc0de.*${end}`), selected: true })
      .waitFor();
    await page().locator(`main .facts [title="${hash}"]`).waitFor();
  };

  /** Opens the page of the long transaction and loads all of its calls, in whichever test is the first to need it. */
  const loadAll = () => (loading ??= load());

  async function load(): Promise<void> {
    await findAsAPerson(workbench, { paste: HASH, offered: /Contract actions/, opens: /abab/ });
    await page().getByText("Loading…").waitFor();
    const body = page().locator("body");
    await body.evaluate(lookOutForRows);
    const answeredAt = Date.now();
    firstPage.resolve(undefined);
    const drawn = await body.evaluate(() => drawnAt);
    console.log(`first rows ${(drawn ?? NaN) - answeredAt} ms after the first page`);
    await page().locator(".rows [role=row]").first().waitFor();
    const more = page().getByRole("button", { name: "Load More" });
    for (let loaded = 1_100; loaded < COUNT; loaded += 1_000) {
      const label = `Calls ${loaded.toLocaleString("en-US")}`;
      await eventually(async () => assert.equal(await calls().innerText(), label));
      await more.click();
    }
    await eventually(async () =>
      assert.equal(await calls().innerText(), `Calls ${COUNT.toLocaleString("en-US")}`),
    );
    // The rows follow their number in pieces.
    await eventually(async () => {
      const height = await scroller().evaluate((one) => (one as unknown as Scroller).scrollHeight);
      assert.equal(height, (COUNT + 1) * 22);
    });
  }

  it("sees the first rows while the others are loaded, and loads all of them", () =>
    workbench.keepPictureOnFailure("many-load", loadAll));

  it("scrolls through all of them, of which few are drawn at a time", () =>
    workbench.keepPictureOnFailure("many-scroll", async () => {
      await loadAll();
      const { longest, usual, most } = await scroller().evaluate(scrollThrough);
      console.log(
        `longest frame while scrolling ${Math.round(longest)} ms, 99 of 100 within ${Math.round(usual)} ms; at most ${most} rows drawn`,
      );
      assert.ok(most <= MAX_ROWS_DRAWN, `${most} rows are drawn`);
      await eventually(async () => {
        const last = (await rowsNow()).at(-1) ?? "";
        assert.match(
          last,
          new RegExp(
            `amount: ${(COUNT - 1).toLocaleString("en-US")}\\b|${(2_000 + ((COUNT - 1) % 977)).toLocaleString("en-US")}`,
          ),
        );
      });
      await page().getByRole("treegrid").focus();
      await workbench.page.keyboard.press("Home");
      await eventually(async () => assert.match((await rowsNow())[0] ?? "", /200,000,000/));
    }));

  it("finds the place again where it was left, after another tab and after another file was shown", () =>
    workbench.keepPictureOnFailure("many-place", async () => {
      await loadAll();
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
      await page()
        .locator(`#call-${COUNT / 2}`)
        .getByText(new RegExp(`value: ${(COUNT / 2).toLocaleString("en-US")}\\b`))
        .waitFor();
      await showTab(/^Gas/);
      await page().locator(".flame .bar").first().waitFor();
      await showTab(/^Calls/);
      await eventually(async () => assert.equal(await top(), middle));
      await workbench.runCommand("File: New Untitled Text File");
      await workbench.showEditor(workbench.page.getByRole("tab", { name: /^✓ Transaction / }));
      await eventually(async () => assert.equal(await top(), middle));
      const filter = page().getByRole("searchbox", { name: "Filter calls" });
      await filter.fill("nothing says this");
      await eventually(async () => assert.deepEqual(await rowsNow(), []));
      await filter.fill("");
    }));

  it("reads every tab of strange ones, of which nothing comes alive and nothing breaks the page", () =>
    workbench.keepPictureOnFailure("many-strange", async () => {
      const broken: string[] = [];
      workbench.page.on(
        "pageerror",
        ({ stack = "" }) => stack.includes("transaction.js") && broken.push(stack),
      );
      workbench.page.on("console", (message) => {
        const said = `${message.text()} ${message.location().url}`;
        if (message.type() === "error" && /transaction\.js|Content Security Policy/.test(said))
          broken.push(said);
      });
      for (let at = 0; at <= STRANGE; at++) {
        const hash = strangeHash(at);
        await showPage(hash);
        for (const tab of [/^Gas/, /^Logs/, /^State/, /^Transfers/, /^Calls/]) {
          await showTab(tab);
          await page().getByRole("tab", { name: tab, selected: true }).waitFor();
          await page().getByRole("tabpanel").locator(":scope > *").first().waitFor();
          const main = page().locator("main");
          assert.doesNotMatch(await main.innerHTML(), HIDDEN, `${hash} ${tab}`);
          assert.equal(await main.locator(ALIVE).count(), 0, `${hash} ${tab}`);
        }
        for (const name of await page().locator(".rows [role=row] .what").allInnerTexts())
          assert.notEqual(name.trim(), "", hash);
        if (at === 0) assert.equal(await calls().innerText(), "Calls 303");
        assert.deepEqual(broken, [], hash);
      }
    }));

  it("reads them by keys alone at twice the size, in every kind of theme", () =>
    workbench.keepPictureOnFailure("many-zoomed", async () => {
      const { keyboard } = workbench.page;
      await showPage(strangeHash(0));
      const size = workbench.page.viewportSize();
      assert.ok(size);
      // A screen at 200 % has half as many pixels of the page.
      await workbench.page.setViewportSize({ width: size.width / 2, height: size.height / 2 });
      try {
        await calls().focus();
        await keyboard.press("ArrowRight");
        await page().getByRole("tab", { name: /^Gas/, selected: true }).waitFor();
        await page().locator(".flame .bar").first().waitFor();
        await page().locator(".flame").focus();
        await keyboard.press("ArrowDown");
        await keyboard.press("ArrowDown");
        await page().locator(".flame .chosen").waitFor();
        await keyboard.press("Enter");
        await page().getByRole("button", { name: "Show All Calls" }).waitFor();
        await keyboard.press("Escape");
        await page().getByRole("button", { name: "Show All Calls" }).waitFor({ state: "detached" });
        await showTab(/^Calls/);
        await page().getByRole("treegrid").focus();
        await keyboard.press("End");
        await page().locator("#call-302.focused").waitFor();
        // The last of the roots has no caller to go to.
        await keyboard.press("ArrowLeft");
        await keyboard.press("ArrowUp");
        await page().locator("#call-301.focused").waitFor();
        await keyboard.press("ArrowUp");
        await page().locator("#call-300.focused").waitFor();
        await keyboard.press("ArrowLeft");
        await page().locator("#call-299.focused").waitFor();
        for (const [theme, kind] of LOOKED_AT) {
          await writeFile(settings, JSON.stringify({ "workbench.colorTheme": theme }));
          await page().locator(`body.${kind}`).waitFor();
          assert.deepEqual(await accessibilityFindings(workbench), [], theme);
        }
      } finally {
        await workbench.page.setViewportSize(size);
        await rm(settings, { force: true });
      }
    }));
});
