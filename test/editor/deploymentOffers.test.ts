import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { devNull } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { press, pressUntil, takeLine } from "./pressing.ts";
import { startRecordingService, type RecordingService } from "./recordingService.ts";
import { watchScreen, type Screen } from "./shownQuestions.ts";
import { watchedFolder } from "./watchedFolder.ts";
import { world } from "./world.ts";

const PROJECT = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "/", "just-deployed");
const HARDHAT = "hardhat";
const SEPOLIA = "11155111";
const SOURCE =
  "// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\ncontract Counter { uint public count; }\n";

let addresses = 0;
/** An address that no other test used, and how it is shown. */
function fresh() {
  const address = `0x${(0xc0de0000 + ++addresses).toString(16).padStart(40, "0")}`;
  return { address, short: `${address.slice(0, 6)}…${address.slice(-4)}` };
}

const configuration = () => vscode.workspace.getConfiguration("ledgerLens");
const configure = (name: string, value: unknown) =>
  configuration().update(name, value, vscode.ConfigurationTarget.Global);

const setGit = (isEnabled: boolean) =>
  vscode.workspace.getConfiguration("git").update("enabled", isEnabled, vscode.ConfigurationTarget.Global);

/** In one go, as a tool does on a machine that is too busy for the editor to see each folder before the next is made. */
async function write(name: string, content: string): Promise<string> {
  const path = join(PROJECT, name);
  mkdirSync(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

/** As forge writes it, once all is mined. */
function broadcast(script: string, deployed: readonly string[], when = Date.now()): Promise<string> {
  const hash = (at: number) => `0x${at.toString(16).padStart(64, "0")}`;
  const record = {
    transactions: deployed.map((contractAddress, at) => ({
      hash: hash(at),
      transactionType: "CREATE",
      contractName: "Counter",
      contractAddress,
      arguments: null,
    })),
    receipts: deployed.map((contractAddress, at) => ({
      status: "0x1",
      transactionHash: hash(at),
      contractAddress,
    })),
    pending: [],
    chain: Number(SEPOLIA),
    timestamp: when,
  };
  return write(`broadcast/${script}.s.sol/${SEPOLIA}/run-latest.json`, JSON.stringify(record));
}

describe("A deployment that a tool records while the window is open", () => {
  let screen: Screen;
  let service: RecordingService;

  const offers = () => screen.messages.filter((message) => message.includes(" deployed "));
  /** Waits for the only message about what was deployed. */
  const offered = (message: string) => eventually(() => assert.deepEqual(offers(), [message]));
  const review = () =>
    eventually(() => screen.questions.findLast(({ isOpen }) => isOpen) ?? assert.fail("no question yet"));
  const leave = () =>
    eventually(async () => {
      await press("hide");
      assert.ok(screen.questions.every(({ isOpen }) => !isOpen));
    });

  before(async () => {
    service = await startRecordingService();
    await configure("verificationUrl", service.url);
    // A project is there, and watched, before it is deployed.
    for (const folder of ["", HARDHAT]) await watchedFolder(join(PROJECT, folder));
    await write("foundry.toml", '[profile.default]\nsolc = "0.8.28"\nevm_version = "cancun"\n');
    await write("src/Counter.sol", SOURCE);
    await write(`${HARDHAT}/hardhat.config.js`, 'module.exports = { solidity: "0.8.28" };\n');
    await write(`${HARDHAT}/contracts/Lock.sol`, SOURCE.replace("Counter", "Lock"));
  });

  beforeEach(async () => {
    screen = watchScreen();
    await configure("offerVerification", "ask");
  });

  afterEach(async () => {
    await leave();
    screen.stop();
  });

  after(async () => {
    await setGit(false);
    await configure("offerVerification", "never");
    await configure("verificationUrl", world().service);
    await rm(PROJECT, { recursive: true, force: true });
    await service.stop();
  });

  it("is offered once, and Verify shows what is published, before which nobody is asked", async () => {
    const one = fresh();
    await broadcast("One", [one.address]);
    const message = `Counter deployed to ${one.short} on Sepolia.`;
    await offered(message);
    assert.deepEqual(screen.buttonsOf(/ deployed /), ["Verify", "Always", "Not Now"]);
    assert.equal(service.lookUps + service.received.length, 0);
    screen.pressButton(/ deployed /, "Verify");
    const { title, lines } = await review();
    assert.equal(title, "Verify Counter");
    assert.match(lines.join("\n"), /Submit to 127\.0\.0\.1/);
    await leave();
    assert.deepEqual(service.received, []);
    // What forge writes again, such as receipts, is no new deployment; what it deploys next is one.
    await broadcast("One", [one.address]);
    const next = fresh();
    await broadcast("Two", [next.address]);
    await eventually(() =>
      assert.deepEqual(offers(), [message, `Counter deployed to ${next.short} on Sepolia.`]),
    );
  });

  it("is offered although a file beside it is written all the time", async () => {
    const one = fresh();
    const writing = setInterval(() => void write("broadcast/run.log", String(Date.now())), 300);
    try {
      await broadcast("Beside", [one.address]);
      await offered(`Counter deployed to ${one.short} on Sepolia.`);
    } finally {
      clearInterval(writing);
    }
  });

  it("comes as one offer of all that a script deployed, without what is older or still on its way", async () => {
    const run = [fresh(), fresh(), fresh()].map(({ address }) => address);
    await broadcast("Old", [fresh().address], Date.now() - 24 * 3_600_000);
    const path = await broadcast("Three", run);
    const record = JSON.parse(await readFile(path, "utf8")) as {
      transactions: { hash: string | null }[];
      receipts: object[];
      pending: (string | null)[];
    };
    const hashes = record.transactions.map(({ hash }) => hash);
    const mined = { receipts: record.receipts.slice(0, 1), pending: hashes.slice(1) };
    await writeFile(path, JSON.stringify({ ...record, ...mined }));
    const meanwhile = fresh();
    await broadcast("Meanwhile", [meanwhile.address]);
    await offered(`Counter deployed to ${meanwhile.short} on Sepolia.`);
    await writeFile(path, JSON.stringify(record));
    await eventually(() => assert.equal(offers().at(-1), "3 contracts deployed on Sepolia."));
    assert.equal(offers().length, 2);
    assert.deepEqual(screen.buttonsOf(/contracts deployed /), ["Verify All…", "Always", "Not Now"]);
    screen.pressButton(/contracts deployed /, "Verify All…");
    const { title, lines } = await review();
    assert.equal(title, "Verify All Deployments");
    assert.equal(lines.filter((line) => line.startsWith("Counter | Sepolia")).length, 3, lines.join("\n"));
  });

  it("is not what a checkout brings, however new its files are", async () => {
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], {
        cwd: PROJECT,
        env: { PATH: process.env["PATH"], HOME: PROJECT, GIT_CONFIG_GLOBAL: devNull },
      });
    await setGit(true);
    await eventually(() => {
      const { exports } = vscode.extensions.getExtension<{ enabled: boolean }>("vscode.git") ?? {};
      assert.equal(exports?.enabled, true);
    });
    const committed = await broadcast("Colleague", [fresh().address], Date.now() + 60_000);
    await configure("offerVerification", "never");
    git("init", "-q");
    git("add", ".");
    git("commit", "-q", "-m", "Deploy");
    await rm(committed);
    await configure("offerVerification", "ask");
    git("checkout", "-q", "--", ".");
    const own = fresh();
    await broadcast("Own", [own.address]);
    await offered(`Counter deployed to ${own.short} on Sepolia.`);
  });

  it("is of Ignition's journal what was not in it before", async () => {
    const folder = `${HARDHAT}/ignition/deployments/chain-${SEPOLIA}`;
    const [old, next, meanwhile] = [fresh(), fresh(), fresh()];
    const begun = (futureId: string) => ({
      type: "DEPLOYMENT_EXECUTION_STATE_INITIALIZE",
      futureId,
      contractName: "Lock",
      constructorArgs: [],
    });
    const ended = (futureId: string, { address }: { readonly address: string }) => ({
      type: "DEPLOYMENT_EXECUTION_STATE_COMPLETE",
      futureId,
      result: { type: "SUCCESS", address },
    });
    const journal = (messages: readonly object[]) =>
      write(`${folder}/journal.jsonl`, messages.map((one) => `${JSON.stringify(one)}\n`).join(""));
    const before = [
      { type: "DEPLOYMENT_INITIALIZE", chainId: Number(SEPOLIA) },
      begun("M#Old"),
      ended("M#Old", old),
    ];
    await journal(before);
    await write(`${folder}/deployed_addresses.json`, JSON.stringify({ "M#Old": old.address }));
    const first = `Lock deployed to ${old.short} on Sepolia.`;
    await offered(first);
    // The transaction is on its way.
    await journal([...before, begun("M#Next")]);
    await broadcast("Meanwhile", [meanwhile.address]);
    const second = `Counter deployed to ${meanwhile.short} on Sepolia.`;
    await eventually(() => assert.deepEqual(offers(), [first, second]));
    await journal([...before, begun("M#Next"), ended("M#Next", next)]);
    await write(
      `${folder}/deployed_addresses.json`,
      JSON.stringify({ "M#Old": old.address, "M#Next": next.address }),
    );
    await eventually(() =>
      assert.deepEqual(offers(), [first, second, `Lock deployed to ${next.short} on Sepolia.`]),
    );
  });

  it("begins by itself after Always, and is shown all the same", async () => {
    const first = fresh();
    await broadcast("First", [first.address]);
    await offered(`Counter deployed to ${first.short} on Sepolia.`);
    screen.pressButton(/ deployed /, "Always");
    await eventually(() => assert.equal(configuration().get("offerVerification"), "always"));
    assert.equal((await review()).title, "Verify Counter");
    await leave();
    await broadcast("Second", [fresh().address]);
    const { title, lines } = await review();
    assert.equal(title, "Verify Counter, which was just deployed");
    assert.match(lines.join("\n"), /Submit to 127\.0\.0\.1/);
    assert.doesNotMatch(lines.join("\n"), /Do Not Ask Again/);
    assert.equal(offers().length, 1);
    assert.deepEqual(service.received, []);
  });

  it("is shown though a person agreed for good to the like of it, one and several", async () => {
    const [agreed, sent] = [fresh(), service.received.length];
    await broadcast("Agreed", [agreed.address]);
    await offered(`Counter deployed to ${agreed.short} on Sepolia.`);
    screen.pressButton(/ deployed /, "Verify");
    await takeLine(screen, /Submit, and Do Not Ask Again$/, () =>
      assert.equal(service.received.length, sent + 1),
    );
    await configure("offerVerification", "always");
    for (const count of [1, 2]) {
      await broadcast(
        `Agreed${count}`,
        Array.from({ length: count }, () => fresh().address),
      );
      const { title } = await review();
      assert.match(title, count === 1 ? /^Verify Counter, which was just/ : /^Verify All Deployments/);
      await leave();
      assert.equal(service.received.length, sent + 1);
    }
    // What a person asks for goes without a question, as was agreed.
    await vscode.commands.executeCommand("ledgerLens.verifyThis", {
      contract: `${PROJECT}/src/Counter.sol:Counter`,
      chainId: SEPOLIA,
      address: fresh().address,
    });
    assert.equal(service.received.length, sent + 2);
  });

  it("of several that begin by themselves asks at a line that sends nothing, too", async () => {
    const sent = service.received.length;
    await configure("offerVerification", "always");
    await broadcast("Several", [fresh().address, fresh().address]);
    await pressUntil(["accept"], () => {
      const { placeholder, active } = screen.questions.findLast(({ isOpen }) => isOpen) ?? {};
      assert.match(placeholder ?? "", /^Select Submit to send what is shown/);
      assert.match(active ?? "", /a service on this machine/);
    });
    await leave();
    assert.equal(service.received.length, sent);
  });
});
