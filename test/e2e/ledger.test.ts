import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import type { Locator } from "playwright-core";
import { eventually } from "../rig/eventually.ts";
import { longIt } from "../rig/longTest.ts";
import { proofSize } from "../rig/proofSize.ts";
import type { LedgerScenes } from "../sandbox/ledger/ledgerScenes.ts";
import { accessibilityFindings, sidebarFindings, THEMES, UNLIKE_THEMES } from "./accessibility.ts";
import { goToRow, tabTo } from "./byKeys.ts";
import { openDemo } from "./openDemo.ts";
import { findAsAPerson, openFind, rowsOfTopItem, rowText } from "../ledgerJourney.ts";
import { STATUS_ITEM } from "../statusJourney.ts";

const LOOKED_AT = proofSize({ sample: UNLIKE_THEMES, whole: THEMES });

describe("A person looks at the ledger with the packaged extension", () => {
  const demo = openDemo();
  let scenes: LedgerScenes;
  let askedBefore: readonly string[] = [];
  let requestsOfView = 0;
  before(async () => {
    scenes = await demo.world.playLedger();
    askedBefore = [...demo.world.sandbox.ledger.asked];
    await demo.workbench.openViewContainer("Ledger Lens");
    await demo.workbench.showOnly("Ledger");
    await demo.workbench.waitForStatusBar(STATUS_ITEM, /Ledger Lens/);
    requestsOfView = itemRequests().length;
  });

  /** How many requests were for something, and not a sign of life. */
  const itemRequests = () =>
    demo.world.sandbox.ledger.asked.filter((target) => target !== "/api/v1/network/supply");

  /** The sidebar of the tests has room for some more. */
  const MAX_ROWS_IN_SIGHT = 20;

  /** Takes all out of the list where something stands below others: what is found again stays where it stood. */
  const emptyListWith = async (isBelow: RegExp) => {
    const rows = await demo.workbench.viewRows("Ledger");
    const tops = rows.filter(({ level }) => level === 1).map((row) => `${row.label}${row.description}`);
    const at = tops.findIndex((one) => isBelow.test(one));
    // In a list that is longer than the view it may stand out of sight.
    if (at > 0 || (at < 0 && rows.length > MAX_ROWS_IN_SIGHT)) await emptyList();
  };

  const emptyList = async () => {
    const { workbench } = demo;
    for (;;) {
      const before = await workbench.viewRows("Ledger");
      if (before.length === 0) return;
      const top = before.find(({ level }) => level === 1);
      assert.ok(top, "none of them is in sight");
      // A row below another one may have the same label; of what stands beside it, times go on while it is looked for.
      const [beside = ""] = top.description.split(/[\d,·]/);
      const said = `${top.label}${beside.trimEnd()}`.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
      await workbench.removeFromList("Ledger", new RegExp(`^${said}`));
    }
  };

  /** Finds something and reads its rows until they hold: names and figures may come after the rows. */
  const find = async (paste: string, opens: RegExp, holds: (rows: string[]) => void): Promise<void> => {
    await emptyListWith(opens);
    await findAsAPerson(demo.workbench, { paste, offered: /\d/, opens });
    await read(holds);
  };

  const read = (holds: (rows: string[]) => void): Promise<void> =>
    eventually(async () => {
      holds(rowsOfTopItem(await demo.workbench.viewRows("Ledger")).map(rowText));
    });

  it("is asked for nothing before the view is open, and then only whether it is there", () => {
    assert.deepEqual(askedBefore, []);
    assert.equal(requestsOfView, 0);
  });

  it("finds a token by its id alone, with every digit of its supply", () =>
    demo.workbench.keepPictureOnFailure("ledger-token", async () => {
      await find("456858", /Sample Coin/, (rows) => {
        assert.match(rows[0] ?? "", /^Sample Coin \(SMC\) · 0\.0\.456858 · fungible, 6 decimals · paused/);
        assert.ok(rows.includes("  Total supply · 5,432,109.876543 SMC"), rows.join("\n"));
        assert.ok(rows.includes("  Maximum · infinite"));
        assert.ok(rows.includes("  Paused · yes"));
      });
    }));

  it("sees hostile names for what they are", () =>
    demo.workbench.keepPictureOnFailure("ledger-strange", async () => {
      await find("0.0.456901", /Str/, (rows) => {
        assert.match(rows[0] ?? "", /Str\\u\{202e\}ange \$ \(bug\)/);
        const supply = rows.find((row) => row.includes("Total supply"));
        assert.match(supply ?? "", /0\.0{56}9223372036854775806/);
      });
    }));

  it("finds a schedule by its id alone, with the time that is left", () =>
    demo.workbench.keepPictureOnFailure("ledger-schedule", async () => {
      await find("0.0.7711", /Schedule 0\.0\.7711/, (rows) => {
        assert.match(
          rows[0] ?? "",
          /pending, runs in 2\d min · (?:contract call|Router\.fingerprint) · 1 signature/,
        );
      });
    }));

  const findFailed = (holds: (rows: string[]) => void) =>
    find(
      scenes.transactionIds.slippage.replace(/-(\d+)-(\d+)$/, "@$1.$2"),
      /Reverted: SlippageTooHigh/,
      holds,
    );
  const isFound = (rows: readonly string[]) => {
    assert.match(rows[0] ?? "", /Reverted: SlippageTooHigh\(.*\) in Pool\.swap/);
  };

  it("finds a failed transaction by its id, opened where it failed", () =>
    demo.workbench.keepPictureOnFailure("ledger-transaction", async () => {
      await findFailed((rows) => {
        assert.equal(rows.length, 11, rows.join("\n"));
        assert.match(rows[0] ?? "", /Reverted: SlippageTooHigh\(amountOut: [\d,]+/);
        assert.match(rows[1] ?? "", /^ {2}Router\.swapThrough · reverted.* · [\d,]+ gas · \(/);
        assert.match(
          rows.at(-1) ?? "",
          /^ {8}reverted: SlippageTooHigh\(amountOut: [\d,]+, minimumOut: 10,000/,
        );
      });
    }));

  it("can be used by everybody: axe finds nothing wrong with the rows of a token and of a failed transaction", () =>
    demo.workbench.keepPictureOnFailure("ledger-rows-axe", async () => {
      await emptyListWith(/Sample Coin|Reverted: SlippageTooHigh/);
      for (const [paste, opens, below] of [
        ["456858", /Sample Coin/, /Maximum.*infinite/],
        [scenes.transactionIds.slippage, /Reverted: SlippageTooHigh/, /reverted: SlippageTooHigh/],
      ] as const) {
        await findAsAPerson(demo.workbench, { paste, offered: /\d/, opens });
        await demo.workbench.waitForRow("Ledger", below);
        assert.deepEqual(await sidebarFindings(demo.workbench), [], paste);
      }
    }));

  it("can leave out static calls, which says so, and brings them back", () =>
    demo.workbench.keepPictureOnFailure("ledger-static", async () => {
      await findFailed(isFound);
      await demo.workbench.chooseFromViewMenu("Ledger", "Hide Static Calls");
      await demo.workbench.waitForRow("Ledger", /Static calls are hidden/);
      await read((rows) => {
        assert.ok(!rows.some((row) => /Token\..*static/.test(row)), rows.join("\n"));
        assert.ok(rows.some((row) => row.includes("SlippageTooHigh")));
      });
      await demo.workbench.chooseFromViewMenu("Ledger", "Show Static Calls");
      await demo.workbench.waitForRow("Ledger", /Token\.balanceOf.*static/);
    }));

  it("can be filtered by what a row says, and keeps the callers", () =>
    demo.workbench.keepPictureOnFailure("ledger-filter", async () => {
      await findFailed(isFound);
      await demo.workbench.chooseFromRowMenu("Ledger", /Reverted: SlippageTooHigh/, "Filter Actions…");
      await demo.workbench.waitForQuestion("transfer, 0x1234");
      await demo.workbench.typeAndAccept("approve");
      await demo.workbench.waitForRow("Ledger", /Filtered by “approve”/);
      await read((rows) => {
        assert.match(rows[1] ?? "", /2 of 9 actions/);
        assert.equal(rows.filter((row) => row.includes("Token.approve ")).length, 2);
        assert.equal(rows.filter((row) => row.includes("balanceOf")).length, 0);
      });
      await demo.workbench.chooseFromRowMenu("Ledger", /Reverted: SlippageTooHigh/, "Filter Actions…");
      await demo.workbench.waitForQuestion("transfer, 0x1234");
      await demo.workbench.page.keyboard.press("Control+A");
      await demo.workbench.page.keyboard.press("Backspace");
      await demo.workbench.page.keyboard.press("Enter");
      await demo.workbench.waitForRow("Ledger", /balanceOf/);
    }));

  it("loads a long transaction to its end, in groups", () =>
    demo.workbench.keepPictureOnFailure("ledger-long", async () => {
      await find(scenes.transactions.manyCalls, /261 actions/, (rows) => {
        assert.deepEqual(rows.slice(2), [
          "    Actions 2 to 101 · 100 calls",
          "    Actions 102 to 201 · 100 calls",
          "    Actions 202 to 261 · 60 calls",
        ]);
      });
    }));

  it("finds a contract by its EVM address: what it is, whether it is verified, its latest calls and their pages", () =>
    demo.workbench.keepPictureOnFailure("ledger-contract", async () => {
      const { router, proxy } = scenes.contracts;
      await emptyListWith(/^Succeeded|Router/);
      await findAsAPerson(demo.workbench, { paste: router, offered: /Account or contract/, opens: /Router/ });
      await read((rows) => {
        assert.match(rows[0] ?? "", /^Router 0\.0\.\d+ · contract · verified: exact match$/);
        assert.equal(rows[1], "  Verified · exact match");
        assert.match(rows[2] ?? "", /^ {2}Latest calls · \d/);
        assert.match(
          rows[3] ?? "",
          /^ {4}[^·]+ · (?:tip|spin|fingerprint|swap)\w* · (?:just now|\d+ (?:s|min) ago)/,
        );
        const shortened = `${router.slice(0, 6)}…${router.slice(-4)}`;
        assert.ok(rows.includes(`  EVM address · ${shortened}`), rows.join("\n"));
      });
      // The newest of those that succeeded.
      await demo.workbench.chooseFromRowMenu("Ledger", /^Succeededfingerprint/, "Open");
      await demo.workbench
        .editorPage()
        .getByRole("heading", { name: /Succeeded/ })
        .waitFor();
      await demo.workbench.runCommand("View: Close All Editors");
      // A click does the same; found again, the contract is shown with what is below it, whatever the view shows of it now.
      await findAsAPerson(demo.workbench, { paste: router, offered: /Account or contract/, opens: /Router/ });
      // A list that is drawn anew may swallow a click.
      await eventually(async () => {
        await demo.workbench.clickRow("Ledger", /^Succeededcreate Router/);
        await demo.workbench
          .editorPage()
          .getByRole("heading", { name: /Succeeded/ })
          .waitFor({ timeout: 5_000 });
      });
      // The call itself, which called nothing that a click could unfold, opens what its menu opens.
      await eventually(async () => {
        await demo.workbench.clickRow("Ledger", /^create Router/);
        const selected = demo.workbench.page.locator(".monaco-list-row.selected", {
          hasText: /^Router 0\.0\./,
        });
        await selected.waitFor({ timeout: 5_000 });
      });
      await find(proxy, /^Contract 0\.0\.\d+not verified/, (rows) => assert.equal(rows[1], "  Not verified"));
      await demo.workbench.chooseFromRowMenu("Ledger", /Not verified/, "Verify…");
      await demo.workbench.waitForQuestion("Which contract");
      await demo.workbench.page.keyboard.press("Escape");
      // What was opened before may say the same id, and is offered until the text was read.
      await findAsAPerson(demo.workbench, {
        paste: "0.0.1001",
        offered: /Token, contract, account or schedule/,
        opens: /Account 0\.0\.1001/,
      });
      await read((rows) => {
        assert.ok(
          rows.some((row) => /^ {2}Balance · [\d,.]+ ℏ$/.test(row)),
          rows.join("\n"),
        );
      });
    }));

  it("says why a list may be empty", () =>
    demo.workbench.keepPictureOnFailure("ledger-empty", async () => {
      // Of what was sent seconds ago they may still come.
      const said =
        /The (?:ledger has no contract actions of this transaction|mirror node has not imported the contract actions yet)\./;
      await find(scenes.transactions.plainTransfer, /no contract actions|not imported yet/, (rows) => {
        assert.match(rows[1] ?? "", said);
      });
    }));

  it("says in one sentence what is nowhere", () =>
    demo.workbench.keepPictureOnFailure("ledger-nowhere", async () => {
      await openFind(demo.workbench);
      await demo.workbench.type("0.0.5");
      await demo.workbench.waitForEntry(/Token, contract, account or schedule/);
      await demo.workbench.accept();
      const { text } = await demo.workbench.waitForNotification(/0\.0\.5/);
      assert.match(
        text,
        /^0\.0\.5 is no token, contract, account or schedule on 127\.0\.0\.1:\d+\. Check the id/,
      );
    }));

  it("is told of a transaction that is not there, of which no page stays", () =>
    demo.workbench.keepPictureOnFailure("ledger-none", async () => {
      const pages = demo.workbench.page.getByRole("tab", { name: /^(?:[✕✓?] )?Transaction / });
      const before = await pages.count();
      await openFind(demo.workbench);
      await demo.workbench.type("0.0.2@1600000000.000000001");
      await demo.workbench.waitForEntry(/Contract actions/);
      await demo.workbench.accept();
      await demo.workbench.waitForNotification(/does not have/);
      await eventually(async () => assert.equal(await pages.count(), before));
      await demo.workbench.clearNotifications();
    }));

  longIt("finds everything again after the window was loaded anew, without a request", () =>
    demo.workbench.keepPictureOnFailure("ledger-reload", async () => {
      await findAsAPerson(demo.workbench, { paste: "456858", offered: /\d/, opens: /Sample Coin/ });
      await findAsAPerson(demo.workbench, {
        paste: scenes.transactions.manyCalls,
        offered: /\d/,
        opens: /261 actions/,
      });
      const before = (await demo.workbench.viewRows("Ledger")).filter(({ level }) => level === 1).length;
      // A page that is in sight after the reload is loaded again, which its own test tells.
      await demo.workbench.editorPage().getByText("Fee", { exact: true }).waitFor();
      await demo.workbench.runCommand("View: Close All Editors");
      await demo.workbench.page.locator("iframe.webview").first().waitFor({ state: "detached" });
      // A reload by the browser may forget what was closed last, and the page would come back.
      await demo.workbench.reloadedBy(() => demo.workbench.runCommand("Developer: Reload Window"));
      const askedBefore = itemRequests().length;
      await demo.workbench.openViewContainer("Ledger Lens");
      await demo.workbench.waitForRow("Ledger", /261 actions/);
      await eventually(async () => {
        const rows = await demo.workbench.viewRows("Ledger");
        assert.ok(rows.length >= before);
        assert.ok(rows.every(({ level }) => level === 1));
        assert.ok(rows.some(({ label }) => label === "Sample Coin (SMC)"));
      });
      // Should the editor have brought back the page of the transaction, what that asks is its own.
      const ofPage = /^\/api\/v1\/(?:contracts\/|transactions)/;
      const asked = itemRequests().slice(askedBefore);
      assert.deepEqual(
        asked.filter((target) => !ofPage.test(target)),
        [],
      );
      // What is found again keeps its place, and others look at the top.
      for (const found of [/261 actions/, /Sample Coin/]) {
        const row = await demo.workbench.waitForRow("Ledger", found);
        await demo.workbench.removeFromList("Ledger", found);
        await row.waitFor({ state: "detached" });
      }
    }),
  );

  describe("and at the page of a transaction", () => {
    const open = (id: string, opens: RegExp) =>
      findAsAPerson(demo.workbench, { paste: id, offered: /\d/, opens });
    const page = () => demo.workbench.editorPage();
    /** The tab of the page that is in front: two pages of one account may have the same name. */
    const activeTab = async () => {
      const tab = demo.workbench.page.locator(".tab.active[data-resource-name*='ledgerLens.transaction']");
      const name = (await tab.getAttribute("data-resource-name")) ?? "";
      return demo.workbench.page.locator(`.tab[data-resource-name="${name}"]`);
    };
    const facts = async () =>
      Object.fromEntries(
        await Promise.all(
          (await page().locator("dl > div").all()).map(async (one) => [
            await one.locator("dt").innerText(),
            await one.locator("dd").innerText(),
          ]),
        ),
      ) as Record<string, string>;
    const rows = () => page().locator(".rows [role=row]").allInnerTexts();
    /** What is still looked up may move the tabs down between press and release. */
    const showTab = (name: RegExp) =>
      eventually(async () => {
        const tab = page().getByRole("tab", { name });
        await tab.click();
        assert.equal(await tab.getAttribute("aria-selected"), "true");
      });
    const openFailed = async () => {
      await open(scenes.transactionIds.slippage, /Reverted: SlippageTooHigh/);
      await page()
        .getByRole("heading", { name: /^(?:✕ )?Reverted: SlippageTooHigh\(.+\) in Pool\.swap$/ })
        .waitFor();
    };
    const openSucceeded = async () => {
      await open(scenes.transactionIds.swap, /Succeeded: .*transaction/);
      await page()
        .getByRole("heading", { name: /Succeeded: \w+\.\w+$/ })
        .waitFor();
    };

    it("opens again from the list of what was found before", () =>
      demo.workbench.keepPictureOnFailure("page-earlier", async () => {
        const { workbench } = demo;
        await openFailed();
        await workbench.runCommand("View: Close All Editors");
        await workbench.page.locator(".tab").first().waitFor({ state: "detached" });
        await openFind(workbench);
        await workbench.type("SlippageTooHigh");
        await workbench.waitForFocusOn(/SlippageTooHigh/);
        await workbench.accept();
        await page()
          .getByRole("heading", { name: /Reverted: SlippageTooHigh/ })
          .waitFor();
      }));

    it("reads why it failed, where, and what it cost, without unfolding anything", () =>
      demo.workbench.keepPictureOnFailure("page-slippage", async () => {
        await openFailed();
        await eventually(async () => {
          const { From, To, Fee, Gas, Block, Result } = await facts();
          assert.match(From ?? "", /^0\.0\.\d+$/);
          assert.match(To ?? "", /^Router \(0\.0\.\d+\)$/);
          assert.match(Fee ?? "", /^0\.\d+ ℏ$/);
          assert.match(Gas ?? "", /^161,\d{3} used of 2,000,000$/);
          assert.match(Block ?? "", /^\d+$/);
          assert.equal(Result, "contract revert executed");
          const calls = await rows();
          assert.equal(calls.length, 9);
          assert.match(calls[6] ?? "", /Pool\.swap.*reverted here: SlippageTooHigh/s);
          const between = calls[0] ?? "";
          assert.match(between, /swapThrough.*reverted/s);
          assert.doesNotMatch(between, /SlippageTooHigh/);
        });
      }));

    it("opens what sent it and what it called, where it is told what they are", () =>
      demo.workbench.keepPictureOnFailure("page-open", async () => {
        await openFailed();
        const { From = "" } = await facts();
        await page().locator("dl").getByRole("button", { name: From, exact: true }).click();
        await demo.workbench.waitForRow("Ledger", new RegExp(`Account ${From}`));
        await page()
          .locator("dl")
          .getByRole("button", { name: /^Router/ })
          .click();
        await demo.workbench.waitForRow("Ledger", /Router 0\.0\.\d+.*verified: exact match/);
        const opens = async (button: Locator) => {
          const [id = ""] = /\d+\.\d+\.\d+/.exec(await button.innerText()) ?? [];
          await button.click();
          await demo.workbench.waitForRow("Ledger", new RegExp(`^(?:Contract|\\w+) ${id}\\D`));
        };
        // Below the calls stands the one that has the focus in full: where the failure began.
        await opens(
          page()
            .locator(".detail")
            .getByRole("button", { name: /CONTRACT/ })
            .last(),
        );
        await openSucceeded();
        await showTab(/^Logs/);
        await opens(
          page()
            .locator(".logs")
            .getByRole("button", { name: /^Token \(/ })
            .first(),
        );
        await showTab(/^State/);
        await opens(
          page()
            .locator("th.of")
            .getByRole("button", { name: /^(?!Token)/ })
            .first(),
        );
        await demo.workbench.runCommand("View: Close All Editors");
        await openFailed();
        await showTab(/^Calls/);
      }));

    it("can be used by everybody: axe finds nothing wrong on any of its tabs", () =>
      demo.workbench.keepPictureOnFailure("page-axe", async () => {
        await openFailed();
        for (const tab of [/^Gas/, /^Logs/, /^State/, /^Transfers/, /^Calls/]) {
          await showTab(tab);
          assert.deepEqual(await accessibilityFindings(demo.workbench), [], String(tab));
        }
      }));

    it("moves through the calls by keys alone: folds, finds by typing, and opens the source", () =>
      demo.workbench.keepPictureOnFailure("page-keys", async () => {
        await openFailed();
        await showTab(/^Calls/);
        const pageTab = await activeTab();
        const { keyboard } = demo.workbench.page;
        await page().getByRole("treegrid").focus();
        await keyboard.press("Home");
        await keyboard.press("ArrowLeft");
        await eventually(async () => assert.equal((await rows()).length, 1));
        await keyboard.press("ArrowRight");
        await eventually(async () => assert.equal((await rows()).length, 9));
        await keyboard.type("balanceof");
        await eventually(async () =>
          assert.match(await page().locator(".rows .focused").innerText(), /Token\.balanceOf/),
        );
        await eventually(async () => {
          // What a row cuts is said whole below the table.
          const said = await page().locator(".detail").innerText();
          assert.match(said, /0x[0-9a-fA-F]{40}/);
        });
        await keyboard.press("Home");
        await keyboard.press("Enter");
        await demo.workbench.waitForEditor(/Router\.sol/, /swapThrough/);
        await demo.workbench.showEditor(pageTab);
      }));

    it("sees the gas drawn and summed", () =>
      demo.workbench.keepPictureOnFailure("page-gas", async () => {
        await openFailed();
        const pageTab = await activeTab();
        await showTab(/^Gas/);
        const bars = page().locator(".flame .bar");
        await bars.first().waitFor();
        assert.equal(await bars.count(), 9);
        const widths = await bars.evaluateAll((all) =>
          all.map(
            (one) =>
              (one as unknown as { getBoundingClientRect(): { width: number } }).getBoundingClientRect()
                .width,
          ),
        );
        // As wide as its gas: Pool.swap used 11,794 of 161,716.
        const pool = await bars
          .filter({ hasText: /^Pool/ })
          .evaluate(
            (one) =>
              (one as unknown as { getBoundingClientRect(): { width: number } }).getBoundingClientRect()
                .width,
          );
        assert.ok(
          Math.abs(pool / Math.max(...widths) - 11_794 / 161_716) < 0.005,
          `${pool} of ${widths.join()}`,
        );
        // The gas is there at once, and the contract's name once it is known.
        await eventually(async () => {
          const sums = await page().locator(".sum").first().locator("tbody tr").allInnerTexts();
          assert.match(sums[0] ?? "", /^Token\t5\t116,670\t72\.1 %$/);
        });
        await page().getByRole("button", { name: "Export for Speedscope" }).click();
        // Where it is to be saved is asked for by the editor itself.
        const path = demo.workbench.page.locator(".quick-input-widget:visible input[type=text]");
        await eventually(async () => assert.match(await path.inputValue(), /speedscope\.json$/));
        await demo.workbench.page.keyboard.press("Enter");
        await demo.workbench.waitForEditor(/speedscope\.json/, /speedscope\.app/);
        await demo.workbench.showEditor(pageTab);
      }));

    it("sees events, storage and transfers of one that went well, by name", () =>
      demo.workbench.keepPictureOnFailure("page-success", async () => {
        await openSucceeded();
        await showTab(/^Logs/);
        await eventually(async () => {
          const logs = await page().locator(".logs li").allInnerTexts();
          assert.ok(logs.length > 0);
          assert.match(logs.join("\n"), /Token \(0\.0\.\d+\)\s+Transfer\(from: 0x[0-9a-fA-F]{4}…/);
        });
        await showTab(/^State/);
        await eventually(async () => {
          const contracts = await page().locator("th.of").allInnerTexts();
          assert.match(contracts.join("\n"), /^Token \(0\.0\.\d+\)$/m);
          assert.ok((await page().locator("tbody td").count()) > 0);
        });
        await showTab(/^Transfers/);
        await eventually(async () => {
          const moves = await page().locator("tbody tr").allInnerTexts();
          assert.match(moves.join("\n"), /−0\.\d+ ℏ\tHBAR/);
          assert.match(moves.join("\n"), /0\.0\.98 network fees\t\+0\.\d+ ℏ\tHBAR/);
          assert.match(
            moves.join("\n"),
            /0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}\t\+10\tSMPL \(0\.0\.\d+\) from logs/,
          );
        });
      }));

    longIt(
      "can be used by everybody in any theme: axe finds nothing wrong on tabs that have something to show",
      () =>
        demo.workbench.keepPictureOnFailure("page-themes-axe", async () => {
          await openSucceeded();
          const folder = join(demo.world.workspace, ".vscode");
          await mkdir(folder, { recursive: true });
          for (const [theme, kind] of LOOKED_AT) {
            await writeFile(join(folder, "settings.json"), JSON.stringify({ "workbench.colorTheme": theme }));
            await page().locator(`body.${kind}`).waitFor();
            for (const tab of [/^Calls/, /^Gas/, /^Logs/, /^State/, /^Transfers/]) {
              await showTab(tab);
              await page().getByRole("tab", { name: tab, selected: true }).waitFor();
              assert.equal(await page().locator("#panel .empty").count(), 0, `${tab} is empty`);
              assert.deepEqual(await accessibilityFindings(demo.workbench), [], `${tab}, ${theme}`);
            }
          }
        }),
    );

    longIt("finds the page again after the window was loaded anew, on the tab that was shown", () =>
      demo.workbench.keepPictureOnFailure("page-reload", async () => {
        await openSucceeded();
        await showTab(/^Transfers/);
        await demo.workbench.reloadedBy(() => demo.workbench.runCommand("Developer: Reload Window"));
        await page()
          .getByRole("heading", { name: /Succeeded: \w+\.\w+$/ })
          .waitFor();
        assert.equal(
          await page()
            .getByRole("tab", { name: /^Transfers/ })
            .getAttribute("aria-selected"),
          "true",
        );
      }),
    );
  });

  describe("and has no pointer", () => {
    longIt("finds a transaction, opens its page from the row, shows its gas, and comes back to the row", () =>
      demo.workbench.keepPictureOnFailure("ledger-keys", async () => {
        const { workbench } = demo;
        const { keyboard } = workbench.page;
        const failed = /Reverted: SlippageTooHigh/;
        await findAsAPerson(workbench, {
          paste: scenes.transactionIds.slippage,
          offered: /\d/,
          opens: failed,
        });
        await workbench.runCommand("View: Close All Editors");
        await goToRow(workbench, "Ledger", failed);
        await keyboard.press("Enter");
        const page = workbench.editorPage();
        await page.getByRole("heading", { name: /SlippageTooHigh/ }).waitFor();
        await tabTo(workbench, page.getByRole("tab", { name: /^Calls/ }));
        await keyboard.press("ArrowRight");
        await page.locator(".flame .bar").first().waitFor();
        await goToRow(workbench, "Ledger", failed);
        await keyboard.press("ArrowLeft");
        await eventually(async () =>
          assert.equal(
            await (await workbench.waitForRow("Ledger", failed)).getAttribute("aria-expanded"),
            "false",
          ),
        );
      }),
    );
  });

  longIt(
    "finds done in the walkthrough what was done in an earlier session, before the walkthrough was opened",
    () =>
      demo.workbench.keepPictureOnFailure("ledger-walkthrough", async () => {
        const { workbench } = demo;
        await findAsAPerson(workbench, { paste: "456858", offered: /\d/, opens: /Sample Coin/ });
        await workbench.reload();
        await workbench.openViewContainer("Ledger Lens");
        await workbench.runCommand("Welcome: Open Walkthrough...");
        await workbench.clickQuickPickEntry(/Get Started with Ledger Lens/);
        const isDone = async (title: string) => {
          const step = workbench.page.locator(".getting-started-step", { hasText: title });
          return step.getByRole("checkbox").getAttribute("aria-checked");
        };
        await eventually(async () => assert.equal(await isDone("Look at a transaction"), "true"));
        assert.equal(await isDone("See why a verification failed"), "false");
        await workbench.runCommand("View: Close All Editors");
      }),
  );
});
