// `npm run pictures` shows the sidebar at the widths that people give it, and keeps a picture of each: what is cut there, and
// what still tells one row from another, is for a person to look at.
import { mkdir } from "node:fs/promises";
import { sampleEdits, startDemoWorld } from "./demoWorld.ts";
import { findAsAPerson } from "./ledgerJourney.ts";
import { repositoryRoot } from "./rig/paths.ts";
import { Workbench } from "./rig/workbench.ts";
import { lookAtStatus } from "./statusJourney.ts";
import { verifyAsAPerson } from "./verifyJourney.ts";

const WIDTHS = [200, 300, 450];
const folder = `${repositoryRoot}/.cache/pictures`;

await mkdir(folder, { recursive: true });
const world = await startDemoWorld();
const scenes = await world.playLedger();
const workbench = await Workbench.open(world.editor.url, world.workspace);
try {
  await workbench.keepPictureOnFailure("pictures", async () => {
    await workbench.openViewContainer("Ledger Lens");
    await showJobs();
    await showItems();
    await showOutage();
  });
} finally {
  await workbench.close();
  await world.stop();
}
process.exit(0);

async function keep(name: string): Promise<void> {
  for (const width of WIDTHS) {
    await workbench.setSidebarWidth(width);
    const path = `${folder}/${name}-${width}.png`;
    await workbench.page.mouse.move(1200, 600);
    await workbench.page.locator(".part.sidebar").screenshot({ path });
    console.log(path);
  }
  await workbench.setSidebarWidth(300);
}

/** Five jobs of one contract, the last of which failed. */
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
}

async function showItems(): Promise<void> {
  const { tokens, transactionIds, transactions, schedules, contracts } = scenes;
  await workbench.showOnly("Ledger");
  for (const [name, paste, opens] of [
    ["token", tokens.coin, /Sample Coin/],
    ["schedule", schedules.pending, /Schedule 0\.0\.7711/],
    ["contract", contracts.router, /^Router/],
    ["caught", transactionIds.caught, /Succeeded/],
    ["long", transactions.manyCalls, /261 actions/],
    ["slippage", transactionIds.slippage, /SlippageTooHigh/],
  ] as const) {
    await findAsAPerson(workbench, { paste, offered: /\d/, opens });
    await workbench.settledRows("Ledger");
    await keep(name);
    await workbench.chooseFromRowMenu("Ledger", opens, "Remove from List");
  }
  await workbench.runCommand("View: Close All Editors");
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
