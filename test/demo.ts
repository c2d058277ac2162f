import { sampleEdits, startDemoWorld } from "./demoWorld.ts";
import { findAsAPerson, rowsOfTopItem, rowText } from "./ledgerJourney.ts";
import { repositoryRoot } from "./rig/paths.ts";
import { Workbench } from "./rig/workbench.ts";
import { lookAtStatus, statusGlance } from "./statusJourney.ts";
import { manyCompilers } from "./sandbox/listedCompilers.ts";
import {
  findCommitAsAPerson,
  findSettingsAsAPerson,
  pressSubmit,
  reviewAsAPerson,
  verifyAsAPerson,
  verifyLocallyAsAPerson,
} from "./verifyJourney.ts";

const headless = process.argv.includes("--headless");
/** Where the pictures of README go. */
const pictures = `${repositoryRoot}/${headless && process.argv.includes("--update-picture") ? "media" : ".cache/demo"}`;

console.log("Starting the sandbox and the editor…");
const compilers = await manyCompilers();
const world = await startDemoWorld({ compilers, hasHistory: true, ...(!headless && { port: 3000 }) });
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
console.log(`To try in "Ledger Lens: Find in Ledger…":
  a token                   ${scenes.tokens.coin}
  a transaction that failed ${scenes.transactionIds.slippage}
  one that went well        ${scenes.transactionIds.swap}
  a schedule                ${scenes.schedules.pending}`);

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
      if (edit) {
        await world.edit(edit[0], edit[1], edit[2]);
        world.commit(edit === sampleEdits.constant ? "Raise the fee" : "Reword the comment");
      }
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
        await workbench.screenshot(`${pictures}/verified.png`);
        console.log(`  picture: ${pictures}/verified.png`);
      }
      if (edit === sampleEdits.constant) await showVerificationPage();
      await workbench.clearNotifications();
    }
    await showDeployedCommit();
    for (const [file, before, after] of [sampleEdits.comment, sampleEdits.constant])
      await world.edit(file, after, before);
    await showFoundSettings();
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
  await workbench.removeFromList("Verification", /Vault.*exact match/);
}

/** Finds the commit of the deployment that the changed constant does not match, and verifies that commit. */
async function showDeployedCommit(): Promise<void> {
  console.log("\nFinding the commit of the vault that does not match");
  await workbench.openViewContainer("Ledger Lens");
  const { text, buttons } = await findCommitAsAPerson(workbench, /Vault.*No match/);
  console.log(`  read from the page: ${text}`);
  console.log(`  buttons: ${buttons.join(" · ")}`);
  await keepPicture("commit");
  await workbench.clickNotificationButton("Show What Changed Since");
  await workbench.waitForEditor(/Vault: [0-9a-f]{10} ↔ workspace/, /FEE_BASIS_POINTS.=.52/);
  await keepPicture("changes");
  await workbench.runCommand("View: Close All Editors");
  await workbench.clearNotifications();
  const again = await findCommitAsAPerson(workbench, /Vault.*No match/);
  console.log(`  again: ${again.text}`);
  await workbench.clickNotificationButton("Verify This Commit…");
  await workbench.waitForQuestion("Press Enter to submit");
  await workbench.waitForEntry(/Exact match expected/);
  for (const line of await workbench.entries()) console.log(`  asked: ${line}`);
  await workbench.waitUntilNotTold(/^Finding the commit/);
  await keepPicture("commit-review");
  await pressSubmit(workbench);
  await showOutcome(/^Vault at \S+ on .* is verified/);
}

/** Deploys a vault with other settings, finds these by compiling, and repairs the failure by one button. */
async function showFoundSettings(): Promise<void> {
  const { address } = await world.deployVault({ optimizer: { enabled: true, runs: 7_531 } });
  console.log(`\nVerifying Vault, deployed with the optimizer for 7,531 runs, at ${address}`);
  const { message } = await verifyAsAPerson(workbench, { contract: "Vault", chainId, address });
  console.log(`  read from the page: ${message}`);
  await workbench.openViewContainer("Ledger Lens");
  await workbench.clearNotifications();
  const { text, buttons } = await findSettingsAsAPerson(workbench, /Vault.*No match/);
  console.log(`  read from the page: ${text}`);
  console.log(`  buttons: ${buttons.join(" · ")}`);
  const cause = /proven by compiling/;
  await workbench.expandRow("Verification", /Vault.*No match: the optimizer/);
  await workbench.waitForRow("Verification", cause);
  const row = (await workbench.viewRows("Verification")).find((one) =>
    rowText(one).includes("proven by compiling"),
  );
  console.log(`  first cause: ${row ? rowText(row) : ""}`);
  await keepPicture("settings");
  await workbench.clearNotifications();
  await workbench.chooseFromRowMenu("Verification", cause, "Apply Suggested Fix");
  await showOutcome(/^Vault at \S+ on .* is verified/);
}

/** Reads the message and the row of a verification that comes to its end. */
async function showOutcome(pattern: RegExp): Promise<void> {
  console.log(`  read from the page: ${(await workbench.waitForNotification(pattern)).text}`);
  const [row] = await workbench.settledRows("Verification");
  console.log(`  row of the view: ${row?.label ?? ""} · ${row?.description ?? ""}`);
  await workbench.clearNotifications();
}

async function keepPicture(name: string): Promise<void> {
  const path = `${repositoryRoot}/.cache/demo/${name}.png`;
  await workbench.screenshot(path);
  console.log(`  picture: ${path}`);
}

/** Opens a token, transactions and a schedule by pasting what people have, and prints the rows of the page. */
async function showLedger(): Promise<void> {
  const { tokens, transactionIds, transactions, schedules } = scenes;
  await workbench.openViewContainer("Ledger Lens");
  await workbench.showOnly("Ledger");
  for (const [name, paste, opens] of [
    ["a token", tokens.coin, /Sample Coin/],
    ["a token transfer", transactions.tokenTransfer, /Token\.transfer/],
    ["a factory", transactionIds.createPool.replace(/-(\d+)-(\d+)$/, "@$1.$2"), /PoolFactory\.createPool/],
    ["a swap that failed three calls deep", transactions.slippage, /Reverted: SlippageTooHigh/],
    ["a swap that went well", transactionIds.swap, /Succeeded.*transaction/],
    ["a contract", scenes.contracts.router, /^Router 0\.0\.\d+/],
    ["a schedule", schedules.pending, /Schedule 0\.0\.7711/],
  ] as const) {
    console.log(`\nFinding ${name}: ${paste}`);
    const offered = await findAsAPerson(workbench, { paste, offered: /\d/, opens });
    console.log(`  offered: ${offered}`);
    for (const row of rowsOfTopItem(await workbench.settledRows("Ledger"))) console.log(`  ${rowText(row)}`);
    if (name === "a swap that failed three calls deep") {
      await showTransactionPage();
    }
    if (name === "a swap that went well") await showSuccess();
  }
  await workbench.runCommand("View: Close All Editors");
}

/** Reads the page of the verification that was told last. */
async function showVerificationPage(): Promise<void> {
  await workbench.clickNotificationButton("Show Details");
  const page = workbench.editorPage();
  await page.getByRole("region", { name: "Runtime code" }).waitFor();
  await printPage(["Causes", "Runtime code"]);
  await workbench.clearNotifications();
  await workbench.screenshot(`${pictures}/verification-page.png`);
  console.log(`  picture: ${pictures}/verification-page.png`);
  await workbench.runCommand("View: Close All Editors");
}

/** Reads the page of the transaction that was opened last. */
async function showTransactionPage(): Promise<void> {
  const page = workbench.editorPage();
  await page.getByRole("heading", { level: 1, name: /Reverted: SlippageTooHigh/ }).waitFor();
  await page
    .getByRole("row", { name: /Pool\.swap/ })
    .first()
    .waitFor();
  await printPage([]);
  for (const row of await page.locator(".rows [role=row]").allInnerTexts())
    console.log(`    ${row.replace(/\s+/g, " ")}`);
  await workbench.screenshot(`${pictures}/ledger.png`);
  await page.getByRole("tab", { name: /^Gas/ }).click();
  await page.locator(".flame .bar").first().waitFor();
  await keepPicture("gas");
}

/** Reads the tabs of a transaction that went well. */
async function showSuccess(): Promise<void> {
  const page = workbench.editorPage();
  await page.getByRole("heading", { level: 1, name: /Succeeded/ }).waitFor();
  await printPage([]);
  for (const tab of [/^Logs/, /^State/, /^Transfers/]) {
    await page.getByRole("tab", { name: tab }).click();
    const panel = page.getByRole("tabpanel");
    await panel.locator("li, tbody tr").first().waitFor();
    console.log(`  tab: ${(await page.getByRole("tab", { name: tab }).innerText()).replace(/\s+/g, " ")}`);
    for (const line of (await panel.locator("li, tbody tr").allInnerTexts()).slice(0, 6))
      console.log(`    ${line.replace(/\s+/g, " ")}`);
  }
  await keepPicture("success");
}

/** Prints what a page says at its head, and the parts that are named. */
async function printPage(parts: readonly string[]): Promise<void> {
  const page = workbench.editorPage();
  const said = [
    ...(await page.getByRole("heading", { level: 1 }).allInnerTexts()),
    ...(await page.locator("header dl > div").allInnerTexts()),
  ];
  for (const name of parts) said.push(...(await page.getByRole("region", { name }).allInnerTexts()));
  for (const text of said)
    for (const line of text.split("\n").filter((one) => one.trim() !== ""))
      console.log(`  page: ${line.replace(/\s+/g, " ")}`);
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
  await workbench.screenshot(`${pictures}/status.png`);
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
