// The page of a transaction by itself in Chromium, without an editor: what it is told and what it kept is given here.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { build, type BuildOptions } from "esbuild";
import type { Browser, Locator, Page } from "playwright-core";
import type { CallRow, PageNews, TransactionPage } from "../../src/core/ledger/transactions/pageModel.ts";
import { foundActions } from "../../src/core/ledger/actions/actionSearch.ts";
import { callRows } from "../../src/core/ledger/transactions/transactionPage.ts";
import { foreign, shown } from "../../src/core/text/shownText.ts";
import { startBrowser } from "../rig/browser.ts";
import { longIt } from "../rig/longTest.ts";
import { repositoryRoot } from "../rig/paths.ts";
import { treeOf } from "../unit/ledger/actions.ts";

const CALLS: readonly CallRow[] = Array.from({ length: 60 }, (_, at) => ({
  at,
  parent: at === 0 ? -1 : 0,
  level: at === 0 ? 0 : 1,
  operation: "call",
  contract: foreign(`Contract${at % 3}`),
  name: shown`run`,
  args: shown`amount: 5`,
  value: shown`0.5 ℏ`,
  gas: at === 0 ? "59000" : "1000",
  own: at === 0 ? "0" : "1000",
  outcome: "succeeded",
  result: shown`true`,
}));

const PAGE: TransactionPage = {
  title: shown`Transaction`,
  outcome: "succeeded",
  headline: shown`Succeeded`,
  facts: [],
  notes: [],
  callCount: CALLS.length,
  complete: true,
  gas: "59000",
  gasByContract: [0, 1, 2].map((at) => ({ name: `Contract${at}`, calls: 20, gas: "20000" })),
  gasByFunction: [{ name: "Contract0.run", calls: 60, gas: "59000" }],
  logs: Array.from({ length: 80 }, (_, at) => ({
    index: foreign(String(at)),
    contract: shown`Token`,
    event: foreign(`Event${at}()`),
    raw: [foreign(`topic 0: 0x${at}`)],
  })),
  state: [],
  transfers: Array.from({ length: 120 }, (_, at) => ({
    asset: shown`HBAR`,
    account: foreign(`0.0.${at}`),
    amount: shown`+1 ℏ`,
    isGiven: false,
  })),
  nfts: [],
  unknown: {},
};

describe("The page of a transaction, drawn by itself", () => {
  let browser: Browser;
  let [script, styles] = ["", ""];
  before(async () => {
    const { pageOptions } = (await import(join(repositoryRoot, "esbuildOptions.mjs"))) as {
      readonly pageOptions: (isProduction: boolean) => BuildOptions;
    };
    const { outputFiles } = await build({ ...pageOptions(true), write: false, logLevel: "silent" });
    const file = (name: string) => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? "";
    [script, styles] = [file("transaction.js"), file("transaction.css")];
    browser = await startBrowser();
  });
  after(() => browser.close());

  /** Draws the page as the editor does: with what it kept before, and told of the calls and the rest when it asks. */
  async function draw(
    width: number,
    kept: unknown = {},
    seen: TransactionPage = PAGE,
    calls: readonly CallRow[] = CALLS,
  ): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 700 } });
    await page.setContent(
      `<style>:root { --vscode-foreground: #222; --vscode-editor-background: #fff } ${styles}</style>`,
    );
    const news: PageNews[] = [
      { type: "state", loading: false },
      { type: "page", itemId: "item", page: seen },
      { type: "calls", calls },
    ];
    await page.evaluate(
      `window.kept = ${JSON.stringify(kept)};
       window.sent = [];
       window.acquireVsCodeApi = () => ({
         getState: () => window.kept,
         setState: (state) => (window.kept = state),
         postMessage: (request) => {
           window.sent.push(request);
           if (request.type === "ready") for (const one of ${JSON.stringify(news)}) window.postMessage(one, "*");
         },
       });`,
    );
    await page.addScriptTag({ content: script });
    await page.getByRole("heading", { name: "Succeeded" }).waitFor();
    return page;
  }

  const columns = (page: Page) =>
    page
      .locator(".row.head > span")
      .evaluateAll((all) =>
        (all as unknown as { offsetWidth: number; innerText: string }[])
          .filter(({ offsetWidth }) => offsetWidth > 0)
          .map(({ innerText }) => innerText),
      );

  it("has a column for the value, and gives up its columns from the right where it is narrow", async () => {
    const page = await draw(1_200);
    const seen: string[] = [];
    for (const width of [1_200, 700, 560, 420]) {
      await page.setViewportSize({ width, height: 700 });
      seen.push((await columns(page)).join(" "));
    }
    assert.deepEqual(seen, [
      "Call Result Value Gas Own",
      "Call Result Value Gas",
      "Call Result Value",
      "Call Result",
    ]);
    await page.setViewportSize({ width: 1_200, height: 700 });
    const cells = await page.locator(".rows .row").nth(1).getByRole("gridcell").allInnerTexts();
    assert.deepEqual(cells.slice(1), ["true", "0.5 ℏ", "1,000", "1,000"]);
    assert.doesNotMatch(cells[0] ?? "", /ℏ/);
    await page.close();
  });

  it("tells a screen reader that something was copied, and says no more of it after a while", async () => {
    const page = await draw(1_200);
    const said = page.locator("p.doing[role=status]");
    assert.equal(await said.innerText(), "");
    const news: PageNews = { type: "told", words: shown`Transaction copied` };
    await page.evaluate(`window.postMessage(${JSON.stringify(news)}, "*")`);
    await said.filter({ hasText: "Transaction copied" }).waitFor();
    await said.filter({ hasText: /^$/ }).waitFor({ state: "attached" });
    await page.close();
  });

  it("opens what its calls, logs, storage and NFTs name, and leaves the keys of the calls alone", async () => {
    const [account, contract, token] = ["0.0.1001", "0.0.1010", "0.0.7"];
    const seen: TransactionPage = {
      ...PAGE,
      logs: PAGE.logs.slice(0, 1).map((log) => ({ ...log, opens: contract })),
      state: [
        {
          contract: shown`Pool (0.0.1010)`,
          opens: contract,
          slots: [{ contract: shown`0.0.1010`, slot: shown`0x1`, before: shown`1` }],
        },
      ],
      nfts: [{ nft: shown`PASS (0.0.7) #3`, to: shown`0.0.1001`, opensToken: token, opensTo: account }],
    };
    const calls = CALLS.map((call) => (call.at === 0 ? { ...call, opens: token } : call));
    const page = await draw(1_200, {}, seen, calls);
    const described: PageNews = {
      type: "description",
      at: 0,
      lines: [
        shown`call Contract0.run`,
        { label: shown`From`, value: shown`0.0.1001 · ACCOUNT`, opens: account },
        { label: shown`To`, value: shown`0.0.1010 · CONTRACT`, opens: contract },
      ],
    };
    await page.evaluate(`window.postMessage(${JSON.stringify(described)}, "*")`);
    const opened = async (button: Locator) => {
      await button.click();
      return page.evaluate<unknown>(`window.sent.filter(({ type }) => type === "open").at(-1)?.canonical`);
    };
    const detail = page.getByRole("region", { name: "The call in full" });
    assert.equal(await opened(detail.getByRole("button", { name: "0.0.1001 · ACCOUNT" })), account);
    assert.equal(await opened(detail.getByRole("button", { name: "0.0.1010 · CONTRACT" })), contract);
    const grid = page.getByRole("treegrid");
    assert.equal(await opened(grid.getByRole("button", { name: "Open Contract0" })), token);
    assert.equal(await grid.locator("[tabindex='0'], button:not([tabindex='-1'])").count(), 0);
    assert.match(
      (await page.locator("#call-0").getAttribute("title")) ?? "",
      /^call Contract0\.run\nFrom: 0\.0\.1001 · ACCOUNT\nTo: /,
    );
    // From the calls to their words by Tab, and to what these open.
    await grid.focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    assert.equal(await page.locator(":focus").innerText(), "0.0.1001 · ACCOUNT");
    await page.getByRole("tab", { name: /^Logs/ }).click();
    assert.equal(await opened(page.locator(".logs").getByRole("button", { name: "Token" })), contract);
    await page.getByRole("tab", { name: /^State/ }).click();
    assert.equal(await opened(page.getByRole("button", { name: "Pool (0.0.1010)" })), contract);
    await page.getByRole("tab", { name: /^Transfers/ }).click();
    const nft = page.getByRole("row").filter({ hasText: "PASS" });
    assert.deepEqual(await nft.getByRole("cell").allInnerTexts(), ["PASS (0.0.7) #3", "minted", "0.0.1001"]);
    assert.equal(await opened(nft.getByRole("button", { name: "PASS (0.0.7) #3" })), token);
    assert.equal(await opened(nft.getByRole("button", { name: "0.0.1001" })), account);
    await page.close();
  });

  it("opens the addresses and ids in what a call, a log and storage have in full", async () => {
    const [payee, owner] = [`0x${"9a".repeat(20)}`, `0x${"0D".repeat(20)}`];
    const word = `0x${"ab".repeat(32)}`;
    const seen: TransactionPage = {
      ...PAGE,
      logs: PAGE.logs
        .slice(0, 1)
        .map((log) => ({ ...log, raw: [foreign(`to: ${payee}`), foreign(`topic 0: ${word}`)] })),
      state: [
        {
          contract: shown`Pool`,
          slots: [
            {
              contract: shown`Pool`,
              slot: shown`0x1`,
              variable: shown`owner`,
              before: shown`zero address`,
              after: foreign(owner),
            },
          ],
        },
      ],
    };
    const page = await draw(1_200, {}, seen);
    const described: PageNews = {
      type: "description",
      at: 0,
      lines: [
        foreign(`call Pool.swap(path: [${payee}, 0.0.7])`),
        foreign(`  path: [${payee},0.0.7], of 0.0.5@1700000000.000000001`),
        shown`  version: "0.8.28"`,
        foreign(`Input: ${word}`),
        foreign(`Returned owner: ${owner}.`),
      ],
    };
    await page.evaluate(`window.postMessage(${JSON.stringify(described)}, "*")`);
    const detail = page.getByRole("region", { name: "The call in full" });
    await detail.getByText("Returned owner").waitFor();
    assert.deepEqual(await detail.getByRole("button").allInnerTexts(), [
      payee,
      "0.0.7",
      payee,
      "0.0.7",
      owner,
    ]);
    assert.equal(
      await detail.locator("p").nth(1).innerText(),
      `path: [${payee},0.0.7], of 0.0.5@1700000000.000000001`,
    );
    const opened = async (button: Locator) => {
      await button.click();
      return page.evaluate<unknown>(`window.sent.filter(({ type }) => type === "open").at(-1)?.canonical`);
    };
    assert.equal(await opened(detail.getByRole("button", { name: "0.0.7" }).last()), "0.0.7");
    assert.equal(await opened(detail.getByRole("button", { name: owner })), owner);
    await page.getByRole("tab", { name: /^Logs/ }).click();
    await page.locator("summary").click();
    assert.equal(await opened(page.locator("details").getByRole("button")), payee);
    await page.getByRole("tab", { name: /^State/ }).click();
    assert.equal(await opened(page.locator(".state").getByRole("button")), owner);
    await page.close();
  });

  const keptOf = (page: Page) => page.evaluate<unknown>("window.kept");
  const topOf = (page: Page, selector: string) =>
    page.locator(selector).evaluate((element) => (element as unknown as { scrollTop: number }).scrollTop);

  longIt(
    "is drawn again as it was left: the zoom, the unfolded logs, and where each part was scrolled to",
    async () => {
      let page = await draw(1_200, { tab: "gas" });
      await page.locator('.flame .bar[title^="Contract1.run"]').first().click();
      await page.getByRole("button", { name: "Show All Calls" }).waitFor();
      const scrollPanel = async (to: number) => {
        const panel = page.locator("#panel");
        await panel.hover();
        await page.mouse.wheel(0, to);
        await page.waitForFunction(`document.querySelector("#panel").scrollTop === ${to}`);
      };
      for (const [name, to] of [
        ["Logs", 400],
        ["Transfers", 700],
      ] as const) {
        await page.getByRole("tab", { name }).click();
        if (name === "Logs") await page.locator("summary").nth(2).click();
        await scrollPanel(to);
        await page.waitForFunction(`window.kept.tops?.[${JSON.stringify(name.toLowerCase())}] === ${to}`);
      }
      let kept = await keptOf(page);
      await page.close();

      page = await draw(1_200, kept);
      await page.waitForFunction(`document.querySelector("#panel").scrollTop === 700`);
      await page.getByRole("tab", { name: "Logs" }).click();
      assert.equal(await topOf(page, "#panel"), 400);
      assert.deepEqual(
        await page
          .locator("details[open]")
          .evaluateAll((all) =>
            (all as unknown as { innerText: string }[]).map(({ innerText }) =>
              innerText.includes("topic 0: 0x2"),
            ),
          ),
        [true],
      );
      await page.getByRole("tab", { name: "Gas" }).click();
      assert.equal(await page.locator(".flame .bar").count(), 1);
      assert.match(await page.locator(".said").innerText(), /^Contract1\.run: 1,000 gas/);
      await page.getByRole("button", { name: "Show All Calls" }).click();
      kept = await keptOf(page);
      await page.close();

      page = await draw(1_200, kept);
      assert.equal(await page.locator(".flame .bar").count(), 60);
      assert.equal((kept as { loaded: number }).loaded, 60, "as many calls are asked for after a reload");
      await page.close();
    },
  );

  it("fills the rows that are there while it is scrolled, by any distance, and makes no others", async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => ({
      ...(CALLS[at % 60] ?? assert.fail()),
      at,
      parent: -1,
    }));
    const page = await draw(1_200, {}, { ...PAGE, callCount: many.length }, many);
    await page.locator("#call-0").waitFor();
    const made = await page.evaluate(`(async () => {
      const scroller = document.querySelector(".calls");
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const scrolled = async (pixels) => {
        scroller.scrollTop += pixels;
        await frame();
        await frame();
      };
      await scrolled(4_000);
      const known = new Set(document.querySelectorAll(".rows [role=row]"));
      let made = 0;
      for (const pixels of [22, 300, 2_500, -1_100, 7]) {
        await scrolled(pixels);
        for (const row of document.querySelectorAll(".rows [role=row]")) {
          if (!known.has(row)) made++;
          known.add(row);
        }
      }
      return made;
    })()`);
    // Where a line is seen in part there is one row more.
    assert.ok((made as number) <= 3, `${String(made)} rows were made`);
    const [first = ""] = await page.locator(".rows [role=row]").first().allInnerTexts();
    assert.match(first, /run/);
    await page.close();
  });

  it("draws first what is seen where it is scrolled far, and the rows around it when that is done", async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => ({
      ...(CALLS[at % 60] ?? assert.fail()),
      at,
      parent: -1,
    }));
    const page = await draw(1_200, {}, { ...PAGE, callCount: many.length }, many);
    await page.locator("#call-0").waitFor();
    const seen = await page.evaluate<{ changed: number[]; seen: number; around: number[] }>(`(async () => {
      const scroller = document.querySelector(".calls");
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const rows = () => [...document.querySelectorAll(".rows [role=row]")];
      const ids = () => rows().map(({ id }) => Number(id.slice("call-".length)));
      const changed = [];
      let before = ids();
      for (let jump = 0; jump < 10; jump++) {
        scroller.scrollTop += 4 * scroller.clientHeight;
        await frame();
        const now = ids();
        changed.push(now.filter((id, at) => id !== before[at]).length);
        before = now;
      }
      const { top, bottom } = scroller.getBoundingClientRect();
      const isSeen = (row) => row.getBoundingClientRect().bottom > top + 22 && row.getBoundingClientRect().top < bottom;
      const seen = rows().filter(isSeen).length;
      for (let at = 0; at < 4; at++) await frame();
      return { changed, seen, around: ids() };
    })()`);
    assert.ok(seen.seen > 10, `${seen.seen} rows are seen`);
    for (const changed of seen.changed)
      assert.ok(changed <= seen.seen + 2, `${changed} rows of ${seen.seen}`);
    const [first = 0] = seen.around;
    assert.deepEqual(
      seen.around,
      seen.around.map((_, at) => first + at),
    );
    assert.ok(seen.around.length >= seen.seen + 10, "spare rows are drawn above and below");
    await page.close();
  });

  it("says in a hover what the row says that the pointer is in, also when another one comes below it", async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => ({
      ...(CALLS[at % 60] ?? assert.fail()),
      at,
      parent: -1,
      args: foreign(`amount: ${at}`),
    }));
    const page = await draw(1_200, {}, { ...PAGE, callCount: many.length }, many);
    const titled = () =>
      page
        .locator(".rows [title]")
        .evaluateAll((all) =>
          (all as unknown as { id: string; title: string }[]).map(({ id, title }) => [id, title]),
        );
    const chosen = ["call-0", "call Contract0.run(amount: 0) true 0.5 ℏ"];
    await page.locator("#call-0").waitFor();
    assert.deepEqual(await titled(), [chosen]);
    await page.locator("#call-4 .what").hover();
    await page.waitForFunction(`document.querySelector("#call-4").title !== ""`);
    assert.deepEqual(await titled(), [chosen, ["call-4", "call Contract1.run(amount: 4) true 0.5 ℏ"]]);
    assert.deepEqual(await page.evaluate(`window.sent.filter(({ type }) => type === "describe").at(-1)`), {
      type: "describe",
      at: 4,
    });
    const described: PageNews = { type: "description", at: 4, lines: [shown`all of it`] };
    await page.evaluate(`window.postMessage(${JSON.stringify(described)}, "*")`);
    await page.waitForFunction(`document.querySelector("#call-4").title === "all of it"`);
    await page.mouse.wheel(0, 220);
    await page.waitForFunction(`document.querySelector(".calls").scrollTop === 220`);
    await page.waitForFunction(
      `document.querySelector("#call-14").title === "call Contract2.run(amount: 14) true 0.5 ℏ"`,
    );
    await page.getByRole("heading", { name: "Succeeded" }).hover();
    await page.waitForFunction(`!document.querySelector("#call-14").title`);
    await page.close();
  });

  it("folds, chooses and goes to the source where a row is clicked", async () => {
    const calls = CALLS.map((call) => ({ ...call, hasSource: true as const }));
    const page = await draw(1_200, {}, PAGE, calls);
    const rows = page.locator(".rows [role=row]");
    await rows.nth(10).waitFor();
    assert.equal(await page.locator("#call-0").getAttribute("aria-expanded"), "true");
    assert.equal(await page.locator("#call-1").getAttribute("aria-expanded"), null);
    await page.locator("#call-3 .what").click();
    await page.locator("#call-3.focused").waitFor();
    assert.equal(await page.getByRole("treegrid").getAttribute("aria-activedescendant"), "call-3");
    await page.locator("#call-0 .twisty").click();
    await page.locator("#call-0[aria-expanded=false]").waitFor();
    assert.equal(await rows.count(), 1);
    await page.locator("#call-0 .twisty").click();
    await page.locator("#call-3.focused").waitFor();
    const asked = () =>
      page.evaluate(`window.sent.filter(({ type }) => type === "goToSource").map(({ at }) => at)`);
    assert.deepEqual(await asked(), []);
    await page.locator("#call-5 .result").dblclick();
    assert.deepEqual(await asked(), [5]);
    await page.locator("#call-5").getByRole("button", { name: "Go to Source" }).click();
    assert.deepEqual(await asked(), [5, 5]);
    await page.close();
  });

  longIt("has the buttons of a call in sight at every width, however long its failure is", async () => {
    const failure = foreign(
      `reverted here: ${"SlippageTooHigh(amountOut: 9.7, minimumOut: 10.0) ".repeat(8)}`,
    );
    const calls = CALLS.map((call): CallRow =>
      call.at === 2
        ? { ...call, hasSource: true, opens: "0.0.1010", outcome: "failed", failure, isOrigin: true }
        : { ...call, hasSource: true, failure },
    );
    const page = await draw(1_200, {}, PAGE, calls);
    /** Whether what is seen in the middle of a button is the button. */
    const isHit = (button: Locator) =>
      button.evaluate((element) => {
        const one = element as unknown as {
          contains(other: unknown): boolean;
          getBoundingClientRect(): { x: number; y: number; width: number; height: number };
          ownerDocument: { elementFromPoint(x: number, y: number): unknown };
        };
        const { x, y, width, height } = one.getBoundingClientRect();
        return one.contains(one.ownerDocument.elementFromPoint(x + width / 2, y + height / 2));
      });
    const asked = () =>
      page.evaluate(`window.sent.filter(({ type }) => type === "goToSource").map(({ at }) => at)`);
    const want: number[] = [];
    for (const width of [420, 500, 700, 1_000, 1_600]) {
      await page.setViewportSize({ width, height: 700 });
      // The row where the failure began has them whichever is chosen; it is chosen by itself first.
      const origin = page.locator("#call-2");
      for (const name of ["Go to Source", "Open Contract2"])
        assert.ok(await isHit(origin.getByRole("button", { name })), `${name} at ${width}`);
      await page.locator("#call-6 .what").hover();
      const pointed = page.locator("#call-6").getByRole("button", { name: "Go to Source" });
      await pointed.waitFor();
      assert.ok(await isHit(pointed), `pointed at ${width}`);
      await page.locator("#call-4 .what").click();
      const chosen = page.locator("#call-4").getByRole("button", { name: "Go to Source" });
      await chosen.click();
      await origin.getByRole("button", { name: "Go to Source" }).click();
      want.push(4, 2);
      assert.deepEqual(await asked(), want);
      const below = page.locator(".below");
      for (const name of ["Go to Source", "Open Contract2"])
        assert.ok(await isHit(below.getByRole("button", { name })), `${name} below at ${width}`);
      await below.getByRole("button", { name: "Go to Source" }).click();
      want.push(2);
      assert.deepEqual(await asked(), want);
    }
    await page.close();
  });

  longIt("cuts no line of the call in full through its letters, however high the window is", async () => {
    const page = await draw(1_000);
    const described: PageNews = {
      type: "description",
      at: 0,
      lines: Array.from({ length: 30 }, (_, at) =>
        at % 3 === 0
          ? foreign(`to: 0x${"9a".repeat(20)}`)
          : foreign(`argument ${at}: ${"word ".repeat(at * 2)}`),
      ),
    };
    await page.evaluate(`window.postMessage(${JSON.stringify(described)}, "*")`);
    await page.getByText("argument 29").waitFor({ state: "attached" });
    for (let height = 480; height < 900; height += 17) {
      await page.setViewportSize({ width: 1_000, height });
      const cut = await page.locator(".detail").evaluate((element) => {
        const pane = element as unknown as {
          getBoundingClientRect(): { bottom: number };
          ownerDocument: {
            createRange(): {
              selectNodeContents(node: unknown): void;
              getClientRects(): Iterable<{ top: number; bottom: number }>;
            };
          };
        };
        const { bottom } = pane.getBoundingClientRect();
        const range = pane.ownerDocument.createRange();
        range.selectNodeContents(element);
        // The boxes of lines are as high as their letters; those of paragraphs end where lines do.
        return [...range.getClientRects()]
          .filter((line) => line.top < bottom - 1 && line.bottom > bottom + 1)
          .filter((line) => line.bottom - line.top < 40)
          .map((line) => [line.top, line.bottom, bottom]);
      });
      assert.deepEqual(cut, [], `at a height of ${height}`);
    }
    await page.close();
  });

  it("copies the chosen call as text and as JSON", async () => {
    const page = await draw(1_200);
    await page.locator("#call-7 .what").click();
    for (const [name, type] of [
      ["Copy Call", "copyCall"],
      ["Copy Call as JSON", "copyCallJson"],
    ] as const) {
      await page.getByRole("button", { name, exact: true }).click();
      assert.deepEqual(await page.evaluate("window.sent.at(-1)"), { type, at: 7 });
    }
    await page.close();
  });

  it("finds calls by what their rows do not have: by a filter, and by what is typed into the list", async () => {
    const payee = `0x${"9a".repeat(20)}`;
    const tree = treeOf(
      { depth: 0 },
      { depth: 1 },
      { depth: 1, input: `0xa9059cbb${payee.slice(2).padStart(64, "0")}` },
      { depth: 1 },
    );
    const page = await draw(
      1_200,
      {},
      { ...PAGE, callCount: 4 },
      callRows(tree, () => undefined),
    );
    const rows = page.locator(".rows [role=row]");
    await rows.nth(3).waitFor();
    /** Answers what the page searches for, as the extension does. */
    const answer = async (text: string) => {
      await page.waitForFunction(
        `window.sent.some(({ type, text }) => type === "search" && text === ${JSON.stringify(text)})`,
      );
      const news: PageNews = {
        type: "found",
        text,
        calls: [...foundActions(tree, text, () => undefined)].flat(),
      };
      await page.evaluate(`window.postMessage(${JSON.stringify(news)}, "*")`);
    };
    const filter = page.getByRole("searchbox", { name: "Filter calls" });
    await filter.fill(` ${payee.slice(2).toUpperCase()} `);
    await page.waitForFunction(`document.querySelectorAll(".rows [role=row]").length === 0`);
    await answer(payee.slice(2));
    await page.locator("#call-2").waitFor();
    assert.equal(await page.locator("[role=status].count").innerText(), "2 of 4 shown");
    await filter.fill("");
    await rows.nth(3).waitFor();
    await page.getByRole("treegrid").focus();
    await page.keyboard.press("Home");
    await page.locator("#call-0.focused").waitFor();
    await page.keyboard.type("9a9a");
    await answer("9a9a");
    await page.locator("#call-2.focused").waitFor();
    await page.close();
  });

  it("has words of storage whole in sight where it is narrow, in several lines", async () => {
    const word = (digits: string) => foreign(`0x${digits.repeat(32)}`);
    const contract = foreign("Vault".repeat(20));
    const slot = { contract, slot: word("0a"), before: word("00"), after: word("ff") };
    const state = [{ contract, slots: [{ ...slot, variable: shown`owner` }] }];
    const page = await draw(320, { tab: "state" }, { ...PAGE, state });
    const cells = await page.locator(".state td").evaluateAll((all) =>
      (
        all as unknown as {
          innerText: string;
          scrollWidth: number;
          clientWidth: number;
          getBoundingClientRect: () => { right: number };
        }[]
      ).map((cell) => ({
        text: cell.innerText,
        isCut: cell.scrollWidth > cell.clientWidth,
        right: cell.getBoundingClientRect().right,
      })),
    );
    assert.deepEqual(
      cells.map(({ text }) => text),
      ["owner", slot.before, slot.after],
    );
    for (const { text, isCut, right } of cells) assert.ok(!isCut && right <= 320, `${text} ends at ${right}`);
    await page.close();
  });

  it("tells contracts of one name apart in the rows and in the drawing, where each has its color", async () => {
    const ids = ["0.0.1010", "0.0.1011"];
    const calls = CALLS.slice(0, 3).map((call, at): CallRow =>
      at === 0 ? call : { ...call, contract: shown`Pair`, opens: ids[at - 1] ?? "", gas: "20000" },
    );
    const gasByContract = ids.map((opens) => ({ name: `Pair (${opens})`, opens, calls: 1, gas: "20000" }));
    const page = await draw(1_200, {}, { ...PAGE, callCount: 3, gasByContract }, calls);
    assert.deepEqual(await page.locator(".what").allInnerTexts(), [
      "Contract0.run",
      "Pair (0.0.1010).run",
      "Pair (0.0.1011).run",
    ]);
    await page.getByRole("tab", { name: "Gas" }).click();
    const pairs = page.locator('.flame .bar[title^="Pair (0.0.101"]');
    assert.deepEqual(await pairs.allInnerTexts(), ["Pair (0.0.1010).run", "Pair (0.0.1011).run"]);
    const colors = await pairs.evaluateAll((all) =>
      (all as unknown as { className: string }[]).map(({ className }) => /color\d/.exec(className)?.[0]),
    );
    assert.deepEqual(colors, ["color0", "color1"]);
    await page.close();
  });

  it("has the sums of gas beside the drawing where there is room, else below it", async () => {
    const gasByFunction = [
      {
        name: "UniswapV2Router02 (0.0.1234567).swapExactTokensForTokens",
        calls: 1_000,
        gas: "59000000",
      },
      ...PAGE.gasByFunction,
    ];
    const page = await draw(1_280, { tab: "gas" }, { ...PAGE, gasByFunction });
    const boxes = async () => {
      const [drawn, sums] = [
        await page.locator(".flame").boundingBox(),
        await page.locator(".sums").boundingBox(),
      ];
      assert.ok(drawn && sums);
      return { drawn, sums };
    };
    const wide = await boxes();
    assert.ok(wide.sums.x >= wide.drawn.x + wide.drawn.width, "beside");
    assert.ok(wide.sums.x + wide.sums.width <= 1_280, "in sight");
    assert.ok(wide.drawn.width > 600, `the drawing has room: ${wide.drawn.width}`);
    for (const width of [900, 985]) {
      await page.setViewportSize({ width, height: 700 });
      const middling = await boxes();
      assert.ok(middling.sums.x >= middling.drawn.x + middling.drawn.width, `beside at ${width}`);
      assert.ok(middling.sums.x + middling.sums.width <= width, `in sight at ${width}`);
      const tables = await page
        .locator(".sums table")
        .evaluateAll((all) =>
          (all as unknown as { getBoundingClientRect(): { right: number } }[]).map(
            (table) => table.getBoundingClientRect().right,
          ),
        );
      for (const right of tables) assert.ok(right <= width, `a table ends at ${right} of ${width}`);
      const names = await page
        .locator(".sums td:first-child")
        .evaluateAll((all) => (all as unknown as { offsetWidth: number }[]).map((cell) => cell.offsetWidth));
      for (const name of names) assert.ok(name >= 80, `a name has ${name} pixels`);
    }
    await page.setViewportSize({ width: 700, height: 700 });
    const narrow = await boxes();
    assert.ok(narrow.sums.y >= narrow.drawn.y + narrow.drawn.height, "below");
    await page.close();
  });
});
