import { sampleEdits, startDemoWorld } from "./demoWorld.ts";
import { findAsAPerson, rowsOfTopItem, rowText } from "./ledgerJourney.ts";
import { repositoryRoot } from "./rig/paths.ts";
import { Workbench } from "./rig/workbench.ts";
import { lookAtStatus, statusGlance } from "./statusJourney.ts";
import { manyCompilers } from "./sandbox/listedCompilers.ts";
import { reviewAsAPerson, verifyAsAPerson, verifyLocallyAsAPerson } from "./verifyJourney.ts";

const headless = process.argv.includes("--headless");
const picture = `${repositoryRoot}/${headless && process.argv.includes("--update-picture") ? "media" : ".cache/demo"}/verified.png`;

console.log("Starting the sandbox and the editor…");
const compilers = await manyCompilers();
const world = await startDemoWorld({ compilers, ...(!headless && { port: 3000 }) });
const scenes = await world.playLedger();
const { sandbox, editor, workspace, token, vaults } = world;
const { chainId } = sandbox.chain;
console.log(
  `Chain ${chainId} at ${sandbox.chain.rpcUrl}, verification service at ${sandbox.verification.url}`,
);
console.log(
  `List of ${compilers.length} compilers, from ${compilers[0]?.longVersion ?? ""} to ${compilers.at(-1)?.longVersion ?? ""}, at ${world.compilerList.listUrl}`,
);
console.log(`Token is deployed at ${token.address}`);
for (const { address } of vaults) console.log(`Vault is deployed at ${address}`);

if (!headless) {
  console.log(`\nOpen ${editor.url}/?folder=${encodeURIComponent(workspace)}`);
  console.log(
    `Press F1, run "Ledger Lens: Verify Contract…", choose Vault, chain ${chainId} and one of the addresses above.`,
  );
  console.log("Ctrl+C ends the demo.");
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve());
  });
  await world.stop();
  process.exit(0);
}

const workbench = await Workbench.open(editor.url, workspace, { scale: 1.5 });
try {
  await workbench.keepPictureOnFailure("demo", async () => {
    await showLocalVerdict(vaults[0].address);
    const runs = [
      { name: "the sample as it was deployed", edit: undefined },
      { name: "with one more blank in a comment", edit: sampleEdits.comment },
      { name: "with a changed constant", edit: sampleEdits.constant },
    ];
    for (const [at, { name, edit }] of runs.entries()) {
      if (edit) await world.edit(edit[0], edit[1], edit[2]);
      const address = vaults[at]?.address ?? "";
      console.log(`\nVerifying Vault, ${name}, at ${address}`);
      const { review, message } = await verifyAsAPerson(workbench, { contract: "Vault", chainId, address });
      if (at === 0) for (const line of review) console.log(`  asked: ${line}`);
      console.log(`  read from the page: ${message}`);
      await workbench.openViewContainer("Ledger Lens");
      await workbench.waitForRow("Verification", /Vault/);
      const [row] = await workbench.viewRows("Verification");
      console.log(`  row of the view: ${row?.label ?? ""} · ${row?.description ?? ""}`);
      console.log(`  outcome: ${outcomeOf(row?.description ?? "")}`);
      if (at === 0) {
        await workbench.screenshot(picture);
        console.log(`  picture: ${picture}`);
      }
      await workbench.clearNotifications();
    }
    await showLedger();
    await showStatus();
  });
} finally {
  await workbench.close();
  await world.stop();
}
process.exit(0);

/** Verifies on this machine, where nothing was built, and prints what the last step before a submission expects then. */
async function showLocalVerdict(address: string): Promise<void> {
  console.log(`\nVerifying Vault on this machine, at ${address}`);
  const target = { contract: "Vault", chainId, address };
  const { asked, message } = await verifyLocallyAsAPerson(workbench, target);
  for (const line of asked) console.log(`  asked: ${line}`);
  console.log(`  read from the page: ${message}`);
  await workbench.openViewContainer("Ledger Lens");
  await workbench.waitForRow("Verification", /Vault.*exact match/);
  for (const row of (await workbench.viewRows("Verification")).slice(0, 2))
    console.log(`  row of the view: ${rowText(row)}`);
  await workbench.clearNotifications();
  await reviewAsAPerson(workbench, target);
  await workbench.waitForEntry(/Exact match expected/);
  const expected = (await workbench.entries()).find((line) => line.includes("Exact match expected"));
  console.log(`  expected before anything is sent: ${expected ?? ""}`);
  await workbench.page.keyboard.press("Escape");
  await workbench.chooseFromRowMenu("Verification", /Vault.*exact match/, "Remove from List");
}

/** Opens a token, transactions and a schedule by pasting what people have, and prints the rows of the page. */
async function showLedger(): Promise<void> {
  const { tokens, transactionIds, transactions, schedules } = scenes;
  await workbench.openViewContainer("Ledger Lens");
  await workbench.showOnly("Ledger");
  for (const [name, paste, opens] of [
    ["a token", tokens.coin, /Sample Coin/],
    ["a token transfer", transactions.tokenTransfer, /call Token\.transfer\(/],
    [
      "a factory",
      transactionIds.createPool.replace(/-(\d+)-(\d+)$/, "@$1.$2"),
      /call PoolFactory\.createPool\(/,
    ],
    ["a swap that failed three calls deep", transactions.slippage, /Reverted in/],
    ["a schedule", schedules.pending, /Schedule 0\.0\.7711/],
  ] as const) {
    console.log(`\nFinding ${name}: ${paste}`);
    const offered = await findAsAPerson(workbench, { paste, offered: /\d/, opens });
    console.log(`  offered: ${offered}`);
    for (const row of rowsOfTopItem(await workbench.settledRows("Ledger"))) console.log(`  ${rowText(row)}`);
    if (name === "a swap that failed three calls deep") {
      await workbench.screenshot(picture.replace("verified", "ledger"));
    }
  }
}

/** Lets an outage begin, be worked on and end, and prints what the status bar and the view said. */
async function showStatus(): Promise<void> {
  const { statusPage } = sandbox;
  const component = "Mirror Node REST API Public Mainnet";
  const look = async (when: string, says: RegExp) => {
    await lookAtStatus(workbench, says);
    const rows = await workbench.settledRows("Service Status");
    const { bar } = await statusGlance(workbench);
    console.log(`\nThe services ${when}`);
    console.log(`  status bar: ${bar.text} (${bar.label})`);
    for (const row of rows) console.log(`  ${rowText(row)}`);
  };
  await look("before an outage", /Ledger Lens/);
  const id = statusPage.beginIncident({
    name: "Elevated error rates",
    impact: "critical",
    body: "Requests fail. We are investigating.",
    components: { [component]: "major_outage" },
  });
  await look("during the outage", /outage/);
  console.log(`  told: ${(await workbench.waitForNotification(/Mirror Node/)).text}`);
  await workbench.screenshot(`${repositoryRoot}/.cache/demo/status.png`);
  statusPage.updateIncident(id, {
    status: "identified",
    body: "A database is slow.",
    components: { [component]: "degraded_performance" },
  });
  await look("while it is worked on", /degraded/);
  statusPage.resolveIncident(id);
  const from = Date.now() + 26 * 3_600_000;
  statusPage.announceMaintenance({
    name: "Mainnet upgrade to v0.77",
    body: "Transactions will wait.",
    from,
    until: from + 40 * 60_000,
    components: [component],
  });
  await look("after the outage, with a maintenance to come", /Ledger Lens/);
}

/** The outcome in the words of the interface, from what the page says. */
function outcomeOf(description: string): string {
  if (description.startsWith("exact match")) return "exact_match";
  if (description.startsWith("match")) return "match";
  return description.startsWith("No match") ? "failed" : description;
}
