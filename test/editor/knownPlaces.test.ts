import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { shortAddress } from "../../src/core/text/shownText.ts";
import { recordBroadcast, removeBroadcast } from "../sandbox/broadcastRecord.ts";
import { press, pressUntil, takeLine } from "./pressing.ts";
import { startRecordingService, type RecordingService } from "./recordingService.ts";
import { watchScreen, type Screen, type ShownQuestion } from "./shownQuestions.ts";
import { vault, world } from "./world.ts";

/** A chain and contracts of this suite's own, so that no other suite's jobs are among the places. */
const CHAIN = "9971";
const FOLDER = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
const RECORDED = "contracts/PlacedByTool.sol";
const SUBMITTED = "contracts/PlacedByJob.sol";
const [AT_JOB, AT_OTHER] = [vault(1).address, vault(2).address];

/** Whether a line is of an address, in whatever case its letters are. */
const isAt = (line: string | undefined, address: string) =>
  line?.toLowerCase().includes(shortAddress(address).toLowerCase()) === true;

describe("Where a contract is known to be", () => {
  const configure = (name: string, value: unknown) =>
    vscode.workspace.getConfiguration("ledgerLens").update(name, value, vscode.ConfigurationTarget.Global);
  const contractOf = (file: string) => `${file}:${file.slice("contracts/".length, -".sol".length)}`;
  let service: RecordingService;
  let screen: Screen;

  before(async () => {
    service = await startRecordingService();
    await configure("verificationUrl", service.url);
    // No compiler is waited for.
    await configure("localCompiler", "off");
    await configure("rpcUrls", { [world().chainId]: world().rpcUrl, [CHAIN]: world().rpcUrl });
    for (const file of [RECORDED, SUBMITTED])
      await writeFile(
        join(FOLDER, file),
        `pragma solidity ^0.8.0;\ncontract ${contractOf(file).split(":")[1] ?? ""} {}\n`,
      );
    await recordBroadcast(FOLDER, CHAIN, [{ ...vault(0), contract: contractOf(RECORDED) }]);
    await submit(SUBMITTED, AT_JOB);
  });
  beforeEach(() => {
    screen = watchScreen();
  });
  afterEach(() => screen.stop());
  after(async () => {
    await removeBroadcast(FOLDER);
    for (const file of [RECORDED, SUBMITTED]) await rm(join(FOLDER, file));
    await configure("verificationUrl", world().service);
    await configure("rpcUrls", { [world().chainId]: world().rpcUrl });
    await configure("localCompiler", undefined);
    await service.stop();
  });

  const submit = (file: string, address: string) =>
    vscode.commands.executeCommand("ledgerLens.verifyContract", {
      contract: contractOf(file),
      chainId: CHAIN,
      address,
      confirmPublish: true,
    });
  const open = () => screen.questions.findLast(({ isOpen }) => isOpen);
  const question = (look: (question: ShownQuestion) => void) =>
    eventually(() => {
      const found = open() ?? assert.fail("no question yet");
      look(found);
      return found;
    });
  const run = (command: string, argument?: unknown) =>
    Promise.resolve(vscode.commands.executeCommand(`ledgerLens.${command}`, argument)).catch(() => undefined);
  async function leave(done: Promise<unknown>): Promise<void> {
    let isDone = false;
    void done.finally(() => (isDone = true));
    await eventually(async () => {
      await press("hide");
      assert.ok(isDone, "the command ended");
    });
  }

  it("by one record is not asked above it: the review comes at once without a number, and Back asks", async () => {
    const uri = vscode.Uri.file(join(FOLDER, RECORDED));
    await eventually(async () => {
      await vscode.workspace.openTextDocument(uri);
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        uri,
        10,
      );
      assert.match(lenses.map(({ command }) => command?.title).join(), /Chain 9971/);
    });
    const done = run("verifyThis", { contract: contractOf(RECORDED) });
    const review = await question(({ title }) => assert.equal(title, "Verify PlacedByTool"));
    assert.equal(screen.questions.length, 1, "nothing is asked before");
    assert.equal(review.count, undefined);
    await pressUntil(["back"], () => assert.equal(open()?.placeholder, "Which deployment?"));
    assert.equal(open()?.count, undefined, "another address would be two questions more");
    assert.match(open()?.lines[1] ?? "", /^\$\(rocket\) PlacedByTool \| Chain 9971 · 0x[^|]+ \| deployed /);
    await pressUntil(["accept"], () => assert.equal(open()?.title, "Verify PlacedByTool"));
    assert.equal(open()?.count, undefined);
    await leave(done);
  });

  it("since it was verified there is offered above it, and another address is asked for behind it", async () => {
    const done = run("verifyThis", { contract: contractOf(SUBMITTED) });
    const { lines, count } = await question(({ placeholder }) =>
      assert.equal(placeholder, "Which deployment?"),
    );
    assert.equal(count, undefined, "what is chosen decides how many follow");
    assert.match(
      lines[1] ?? "",
      /^\$\(rocket\) PlacedByJob \| Chain 9971 · 0x\S+ · verified: exact match \| verified .+/,
    );
    assert.match(lines.at(-1) ?? "", /Another Address…/);
    assert.equal(lines.length, 4);
    await takeLine(screen, /Another Address/, () =>
      assert.match(open()?.placeholder ?? "", /^On which chain/),
    );
    assert.equal(open()?.count, undefined);
    await leave(done);
  });

  it("by a record is offered where nothing is deployed at the address that was typed", async () => {
    const nowhere = `0x0ffe${"00".repeat(18)}`;
    const target = { contract: contractOf(RECORDED), chainId: CHAIN, address: nowhere };
    const done = run("verifyThis", target);
    await question(({ title, lines }) => {
      assert.equal(title, "Verify PlacedByTool");
      assert.match(lines[0] ?? "", /Change Address…/);
    });
    await takeLine(screen, /Change Address/, () => assert.equal(open()?.placeholder, "Which deployment?"));
    assert.match(open()?.lines[1] ?? "", /^\$\(rocket\) PlacedByTool \| Chain 9971 · 0x/);
    assert.match(open()?.lines.at(-1) ?? "", /Another Address…/);
    const recorded = open()?.lines[1];
    assert.ok(isAt(recorded, vault(0).address), recorded);
    await takeLine(screen, /PlacedByTool/, () => {
      assert.equal(open()?.title, "Verify PlacedByTool");
      // What the code there shows may be offered above it by then.
      const first = open()?.lines.find((line) => !line.startsWith("$(lightbulb)"));
      assert.ok(isAt(first, vault(0).address), first);
    });
    await leave(done);
  });

  it("since it was verified there is not asked in the menu of its file, where nothing is published", async () => {
    for (const command of ["predictMatch", "verifyLocally"]) {
      const before = screen.messages.length;
      // It ends when its message is closed.
      void run(command, vscode.Uri.file(join(FOLDER, SUBMITTED)));
      await eventually(() => assert.ok(screen.messages.length > before, command));
      assert.deepEqual(screen.questions, [], command);
    }
    assert.match(screen.messages[0] ?? "", /PlacedByJob/);
  });

  it("is asked where the contract was chosen from a list, since nothing comes behind it", async () => {
    const done = run("predictMatch");
    const { count } = await question(({ lines }) =>
      assert.ok(lines.some((line) => line.startsWith("PlacedByJob"))),
    );
    assert.equal(count, undefined, "what is chosen decides how many follow");
    await takeLine(screen, /^PlacedByJob$/, () => assert.equal(open()?.placeholder, "Which deployment?"));
    await leave(done);
  });

  it("at two addresses is asked wherever it is needed, the newest submission first", async () => {
    service.failure = "no_match";
    await submit(SUBMITTED, AT_OTHER);
    service.failure = undefined;
    const done = run("verifyLocally", vscode.Uri.file(join(FOLDER, SUBMITTED)));
    const { lines, count } = await question(({ placeholder }) =>
      assert.equal(placeholder, "Which deployment?"),
    );
    assert.equal(count, undefined, "it is the only question");
    assert.match(lines[1] ?? "", / · 0x\S+ \| submitted /, "it is not verified there");
    assert.ok(isAt(lines[1], AT_OTHER), lines[1]);
    assert.match(lines[2] ?? "", / · 0x\S+ · verified: exact match \| verified /);
    assert.ok(isAt(lines[2], AT_JOB), lines[2]);
    await leave(done);
  });

  it("by a record says in the list of contracts that it is verified, once that is known", async () => {
    const lineOf = async () => {
      const done = run("verifyContract");
      const { lines } = await question(({ placeholder }) => assert.match(placeholder, /^Which contract/));
      await leave(done);
      return lines.find((line) => line.startsWith("$(rocket) PlacedByTool")) ?? assert.fail(lines.join("\n"));
    };
    assert.match(await lineOf(), /^\$\(rocket\) PlacedByTool \| Chain 9971 · 0x\S+ \| deployed /);
    await submit(RECORDED, vault(0).address);
    assert.match(
      await lineOf(),
      /^\$\(rocket\) PlacedByTool \| Chain 9971 · 0x\S+ · verified: exact match \| deployed /,
    );
  });
});
