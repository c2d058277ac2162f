// `npm run pictures` shows the sidebar at the widths that people give it, and what stands beside it, in a theme of each kind
// that the editor has. It keeps a picture of each and a sheet of those that belong together: what is cut there, what can't be
// read, and what still tells one row from another, is for a person to look at.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Interface } from "ethers";
import type { Locator } from "playwright-core";
import { sampleEdits, startDemoWorld } from "./demoWorld.ts";
import { THEMES } from "./e2e/accessibility.ts";
import { findAsAPerson } from "./ledgerJourney.ts";
import { startBrowser } from "./rig/browser.ts";
import { startEditor } from "./rig/editorServer.ts";
import { eventually } from "./rig/eventually.ts";
import { packageExtension } from "./rig/packagedExtension.ts";
import { repositoryRoot } from "./rig/paths.ts";
import { recordBroadcast, removeBroadcast } from "./sandbox/broadcastRecord.ts";
import { Workbench } from "./rig/workbench.ts";
import { receiptOf } from "./sandbox/chain.ts";
import { deployFromWorkspace } from "./sandbox/sampleWorkspace.ts";
import { lookAtStatus } from "./statusJourney.ts";
import { reviewAsAPerson, verifyAsAPerson, verifyLocallyAsAPerson } from "./verifyJourney.ts";

/** The narrow one is shown in every theme. */
const [NARROW, ...WIDER] = [200, 300, 450] as const;
/** What the editor calls a kind of theme on its window, by what it calls the kind on a page. */
const WINDOW_CLASSES: Readonly<Record<string, string>> = {
  "vscode-high-contrast": "hc-black",
  "vscode-high-contrast-light": "hc-light",
  "vscode-dark": "vs-dark",
  "vscode-light": "vs",
};
const SETTLE_MS = 400;

/** Rounds and looks that make 55 actions with the swap at the end, which fails three calls deep. */
const BATCH = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Pool} from "./Pool.sol";
import {Router} from "./Router.sol";

/// Looks at prices in rounds, and swaps at the last one.
contract Batch {
    function settle(Router outer, Router inner, Pool pool, IERC20 token, uint256 amountIn) external {
        for (uint256 round = 1; round <= 8; round++) this.lookAt(pool, token, amountIn * round);
        for (uint256 at = 0; at < 4; at++) token.balanceOf(address(this));
        token.approve(address(outer), amountIn);
        outer.swapThrough(inner, pool, token, amountIn, amountIn);
    }

    function lookAt(Pool pool, IERC20 token, uint256 amountIn) external view returns (uint256) {
        require(token.balanceOf(address(pool)) > 0, "nothing to trade");
        return pool.quote(token, amountIn);
    }
}
`;

const only = process.argv.slice(2);
const folder = `${repositoryRoot}/.cache/pictures`;
await mkdir(folder, { recursive: true });
const world = await startDemoWorld();
const scenes = await world.playLedger();
const workbench = await Workbench.open(world.editor.url, world.workspace);
const sheets = await startBrowser();
let failed = 0;
try {
  for (const [name, show] of Object.entries({
    welcome: showWelcome,
    review: showReview,
    jobs: showJobs,
    names: showLongNames,
    verdict: showLocalVerdict,
    items: showItems,
    pages: showTransactionPage,
    outage: showOutage,
  }))
    if (only.length === 0 || only.includes(name))
      await workbench.keepPictureOnFailure(`pictures-${name}`, show).catch((error: unknown) => {
        // The other scenes are worth looking at all the same.
        console.error(name, error);
        failed++;
      });
} finally {
  await sheets.close();
  await workbench.close();
  await world.stop();
}
process.exit(failed === 0 ? 0 : 1);

/** Takes a picture, whatever is below the pointer. */
async function picture(of: Locator, name: string): Promise<{ readonly name: string; readonly path: string }> {
  const path = `${folder}/${name}.png`;
  await of.page().mouse.move(1270, 700);
  // A theme or a width is drawn over some frames, and a picture is for a person: nothing waits for it.
  await of.page().waitForTimeout(SETTLE_MS);
  await of.screenshot({ path });
  return { name, path };
}

async function inThemes(show: (theme: string) => Promise<void>): Promise<void> {
  const settings = join(world.workspace, ".vscode");
  await mkdir(settings, { recursive: true });
  for (const [theme, kind] of THEMES) {
    await writeFile(join(settings, "settings.json"), JSON.stringify({ "workbench.colorTheme": theme }));
    await workbench.page.locator(`.monaco-workbench.${WINDOW_CLASSES[kind] ?? kind}`).waitFor();
    await show(kind.replace("vscode-", ""));
  }
}

/** Lays pictures beside each other in one, which is what a person looks at. */
async function sheet(name: string, pictures: readonly { name: string; path: string }[]): Promise<void> {
  const figures = await Promise.all(
    pictures.map(async ({ name: title, path }) => {
      const data = (await readFile(path)).toString("base64");
      return `<figure style="display:inline-block;margin:4px;vertical-align:top"><figcaption>${title}</figcaption><img style="border:1px solid red" src="data:image/png;base64,${data}"></figure>`;
    }),
  );
  const page = await sheets.newPage({ viewport: { width: 2000, height: 600 } });
  await page.setContent(`<body style="margin:0;font:12px sans-serif">${figures.join("")}</body>`);
  const path = `${folder}/sheet-${name}.png`;
  await page.screenshot({ path, fullPage: true });
  await page.close();
  console.log(path);
}

/** The sidebar: narrow in every theme, and at the other widths. */
async function keep(name: string): Promise<void> {
  const sidebar = workbench.page.locator(".part.sidebar");
  const pictures: { name: string; path: string }[] = [];
  await workbench.setSidebarWidth(NARROW);
  await inThemes(async (theme) => {
    pictures.push(await picture(sidebar, `${name}-${NARROW}-${theme}`));
  });
  for (const width of WIDER) {
    await workbench.setSidebarWidth(width);
    pictures.push(await picture(sidebar, `${name}-${width}`));
  }
  await workbench.setSidebarWidth(300);
  await sheet(name, pictures);
}

/** Something else than the sidebar, in every theme. */
async function keepInThemes(name: string, of: Locator): Promise<void> {
  const pictures: { name: string; path: string }[] = [];
  await inThemes(async (theme) => {
    pictures.push(await picture(of, `${name}-${theme}`));
  });
  await sheet(name, pictures);
}

/** What stands in empty views: of a project, of a folder without contracts, without a folder, and in one that is not trusted. */
async function showWelcome(): Promise<void> {
  await workbench.openViewContainer("Ledger Lens");
  await workbench.page.locator(".pane-body", { hasText: "No contract verified" }).first().waitFor();
  await workbench.page.locator(".pane-body", { hasText: "Look up a transaction" }).first().waitFor();
  await keep("welcome");
  const empty = await mkdtemp(join(tmpdir(), "empty-"));
  await writeFile(join(empty, "notes.txt"), "mine\n");
  const strict = await startEditor({
    vsix: [await packageExtension()],
    workspaceTrust: true,
    settings: {
      "security.workspace.trust.startupPrompt": "never",
      "ledgerLens.verificationUrl": world.sandbox.verification.url,
      "ledgerLens.ledgerUrl": world.sandbox.ledger.url,
      "ledgerLens.statusUrl": world.sandbox.statusPage.url,
    },
  });
  const pictures: { name: string; path: string }[] = [];
  try {
    for (const [name, url, opened, says] of [
      ["no-folder", world.editor.url, undefined, "Open the folder of a"],
      ["no-contracts", world.editor.url, empty, "No Solidity or Vyper contracts found"],
      ["restricted", strict.url, world.workspace, "Restricted Mode:"],
    ] as const) {
      const other = await Workbench.open(url, opened);
      try {
        await other.openViewContainer("Ledger Lens");
        await other.page.locator(".pane-body", { hasText: says }).first().waitFor();
        for (const width of [NARROW, 300]) {
          await other.setSidebarWidth(width);
          pictures.push(await picture(other.page.locator(".part.sidebar"), `${name}-${width}`));
        }
      } finally {
        await other.close();
      }
    }
  } finally {
    await strict.stop();
    await rm(empty, { recursive: true, force: true });
  }
  await sheet("welcome-elsewhere", pictures);
}

/** The reviews that offer something: settings as deployed, and the implementation of a proxy. */
async function showReview(): Promise<void> {
  const { chainId } = world.sandbox.chain;
  const { page } = workbench;
  const widget = page.locator(".quick-input-widget");
  const { address } = await world.deployVault({ optimizer: { enabled: true, runs: 1_000 } });
  await verifyLocallyAsAPerson(workbench, { contract: "Vault", chainId, address });
  await workbench.clearNotifications();
  for (const [name, target, offers] of [
    ["review-settings", { contract: "Vault", address }, /as Deployed/],
    ["review-proxy", { contract: "Router", address: scenes.contracts.proxy }, /Verify the Implementation/],
  ] as const) {
    await reviewAsAPerson(workbench, { ...target, chainId });
    await workbench.waitForEntry(offers);
    await keepInThemes(name, widget);
    await page.keyboard.press("Escape");
  }
}

/** Five jobs of one contract, the last of which failed, its causes and its page. */
async function showJobs(): Promise<void> {
  const { chainId } = world.sandbox.chain;
  for (let at = 0; at < 5; at++) {
    const [file, before, after] = sampleEdits.constant;
    const { address } = await world.deployVault();
    if (at === 4) await world.edit(file, before, after);
    await verifyAsAPerson(workbench, { contract: "Vault", chainId, address });
    if (at === 4) await world.edit(file, after, before);
    await workbench.clearNotifications();
  }
  await workbench.runCommand("View: Close All Editors");
  await workbench.openViewContainer("Ledger Lens");
  await workbench.showOnly("Verification");
  await workbench.waitForRow("Verification", /No match/);
  await keep("jobs");
  await workbench.expandRow("Verification", /No match/);
  await workbench.waitForRow("Verification", /FEE_BASIS_POINTS/);
  await keep("causes");
  await openPage(/No match/, /^(?:✕ )?Vault does not match/);
  await workbench.editorPage().getByRole("listitem").first().waitFor();
  await keepInThemes("page-verification", workbench.page.locator(".part.editor"));
  await workbench.runCommand("View: Close All Editors");
}

/** Deployments and jobs of contracts with long names, whose outcomes are to be read in a narrow sidebar, too. */
async function showLongNames(): Promise<void> {
  const { chainId } = world.sandbox.chain;
  const [first, second] = [await world.deployVault(), await world.deployVault()];
  await verifyAsAPerson(workbench, { contract: "Vault", chainId, address: first.address });
  await workbench.clearNotifications();
  await recordBroadcast(world.workspace, chainId, [
    { ...first, contract: "contracts/Vault.sol:TimelockController" },
    { ...second, contract: "contracts/Vault.sol:NonfungiblePositionManagerV2" },
  ]);
  await workbench.openViewContainer("Ledger Lens");
  await workbench.showOnly("Verification");
  await workbench.waitForRow("Verification", /exact match · Local chain/);
  await workbench.waitForRow("Verification", /not verified/);
  await keep("names");
  await removeBroadcast(world.workspace);
}

/** Opens the page of a row by a click, again where a list that is drawn anew took none. */
async function openPage(row: RegExp, headed: RegExp): Promise<void> {
  await eventually(async () => {
    await (await workbench.waitForRow("Verification", row)).click();
    const heading = workbench.editorPage().getByRole("heading", { level: 1, name: headed });
    await heading.waitFor({ timeout: 5_000 });
  });
}

/** What was compiled here, and its page. */
async function showLocalVerdict(): Promise<void> {
  const { chainId } = world.sandbox.chain;
  const { address } = await world.deployVault();
  await verifyLocallyAsAPerson(workbench, { contract: "Vault", chainId, address });
  await workbench.clearNotifications();
  await workbench.openViewContainer("Ledger Lens");
  await workbench.showOnly("Verification");
  const found = /Vault.*exact match · Local chain/;
  await workbench.waitForRow("Verification", found);
  await keep("verdict");
  await openPage(found, /exact match on this machine/);
  await keepInThemes("page-local", workbench.page.locator(".part.editor"));
  await workbench.runCommand("View: Close All Editors");
}

async function showItems(): Promise<void> {
  const { tokens, transactionIds, transactions, schedules, contracts } = scenes;
  await workbench.openViewContainer("Ledger Lens");
  await workbench.showOnly("Ledger");
  for (const [name, paste, opens] of [
    ["token", tokens.coin, /Sample Coin/],
    ["schedule", schedules.pending, /Schedule 0\.0\.7711/],
    ["contract", contracts.router, /^Router/],
    ["caught", transactionIds.caught, /Succeeded/],
    ["long", transactions.manyCalls, /261 actions/],
    ["slippage", transactionIds.slippage, /SlippageTooHigh/],
    ["nested", await nestedTransaction(), /55 actions/],
  ] as const) {
    await findAsAPerson(workbench, { paste, offered: /\d/, opens });
    await workbench.settledRows("Ledger");
    await keep(name);
    await workbench.removeFromList("Ledger", opens);
  }
  await workbench.runCommand("Ledger Lens: Show Schedules…");
  await workbench.waitForQuestion("0.0.1234");
  await workbench.accept();
  await workbench.waitForRow("Ledger", /0\.0\.7711/);
  await workbench.settledRows("Ledger");
  await keep("schedules");
  await workbench.runCommand("View: Close All Editors");
}

/** A transaction of 55 actions, of which the swap at the end fails; its hash. */
async function nestedTransaction(): Promise<string> {
  const { chain, compilers } = world.sandbox;
  const { outerRouter, router, pool, token } = scenes.contracts;
  const path = "contracts/exchange/Batch.sol";
  await writeFile(join(world.workspace, path), BATCH);
  const batch = await deployFromWorkspace(chain, compilers, world.workspace, `${path}:Batch`, "");
  const functions = new Interface([
    "function transfer(address to, uint256 amount)",
    "function settle(address outer, address inner, address pool, address token, uint256 amountIn)",
  ]);
  const [from] = await chain.rpc<string[]>("eth_accounts");
  const send = async (to: string, name: string, values: readonly unknown[]) => {
    const data = functions.encodeFunctionData(name, values);
    const hash = await chain.rpc<string>("eth_sendTransaction", { from, to, data, gas: "0x1e8480" });
    await receiptOf(chain, hash);
    return hash;
  };
  const amount = 10n ** 19n;
  await send(token, "transfer", [batch.address, amount]);
  return send(batch.address, "settle", [outerRouter, router, pool, token, amount]);
}

/** The five tabs of the page of a transaction that failed, and its transfers, in every theme. */
async function showTransactionPage(): Promise<void> {
  await workbench.openViewContainer("Ledger Lens");
  await workbench.showOnly("Ledger");
  for (const [kind, paste, opens, tabs] of [
    ["failed", await nestedTransaction(), /55 actions/, [/^Calls/, /^Gas/]],
    ["swap", scenes.transactionIds.swap, /Succeeded/, [/^Logs/, /^State/, /^Transfers/]],
  ] as const) {
    await findAsAPerson(workbench, { paste, offered: /\d/, opens });
    const page = workbench.editorPage();
    await page.getByText("Fee", { exact: true }).waitFor();
    for (const tab of tabs) {
      await page.getByRole("tab", { name: tab }).click();
      const name = tab.source.slice(1).toLowerCase();
      await keepInThemes(`page-${kind}-${name}`, workbench.page.locator(".part.editor"));
    }
    await workbench.runCommand("View: Close All Editors");
  }
}

async function showOutage(): Promise<void> {
  const { statusPage } = world.sandbox;
  const component = "Mirror Node REST API Public Mainnet";
  const id = statusPage.beginIncident({
    name: "Elevated error rates",
    impact: "critical",
    body: "Requests fail. We are investigating.",
    components: { [component]: "major_outage" },
  });
  statusPage.updateIncident(id, {
    status: "identified",
    body: "A database is slow.",
    components: { [component]: "degraded_performance" },
  });
  await lookAtStatus(workbench, /Mainnet|degraded|outage/);
  await workbench.settledRows("Service Status");
  await keep("outage");
}
