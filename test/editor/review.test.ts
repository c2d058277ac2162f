import assert from "node:assert/strict";
import disk, { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { startServer, type LoopbackServer } from "../rig/loopback/httpServer.ts";
import { recordBroadcast, removeBroadcast } from "../sandbox/broadcastRecord.ts";
import { holdEnter, press, pressUntil, takeLine } from "./pressing.ts";
import { watchScreen } from "./shownQuestions.ts";
import { sha256, startRecordingService, type RecordingService } from "./recordingService.ts";
import { vault as deployedVault, world } from "./world.ts";

/** A chain of this suite's own, so that nothing another suite verified is in the way. */
const CHAIN = "9955";
const FOLDER = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
const VAULT = join(FOLDER, "contracts/Vault.sol");
const CONTRACT = "contracts/Vault.sol:Vault";

/** So far apart are the clicks of a double click. */
const DOUBLE_CLICK_MS = 250;

let addresses = 0;
/** An address that no other test used. */
const fresh = () => `0x${(0xfeed0000 + ++addresses).toString(16).padStart(40, "0")}`;

const configuration = () => vscode.workspace.getConfiguration("ledgerLens");
const configure = (name: string, value: unknown) =>
  configuration().update(name, value, vscode.ConfigurationTarget.Global);
/** Leaves whatever a command asks, until it has ended. */
async function leave(command: Thenable<unknown>): Promise<void> {
  let isDone = false;
  const end = () => (isDone = true);
  void command.then(end, end);
  await eventually(async () => {
    await press("hide");
    assert.ok(isDone, "the command ended");
  });
}

describe("What was reviewed is what is sent", () => {
  let agreed: RecordingService;
  let other: RecordingService;
  let node: LoopbackServer;
  /** How often the code at an address was read: once to make the input, and once by every review that is open. */
  let codeReads = 0;
  let vault = "";

  before(async () => {
    [agreed, other] = await Promise.all([startRecordingService(), startRecordingService()]);
    node = await startServer((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      request.on("end", () => {
        const { id, method } = JSON.parse(text) as { id: number; method: string };
        if (method === "eth_getCode") codeReads++;
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: "0x6001600101" }));
      });
    });
    await configure("rpcUrls", { [world().chainId]: world().rpcUrl, [CHAIN]: node.url });
    vault = await readFile(VAULT, "utf8");
  });

  beforeEach(async () => {
    await vscode.commands.executeCommand("ledgerLens.askBeforePublishing", {});
    await configure("verificationUrl", agreed.url);
    agreed.failure = undefined;
  });

  afterEach(async () => {
    await press("hide");
    await writeFile(VAULT, vault);
    await configure("compilerSettings", undefined);
  });

  after(async () => {
    const { service, chainId, rpcUrl } = world();
    await configure("verificationUrl", service);
    await configure("rpcUrls", { [chainId]: rpcUrl });
    await Promise.all([agreed.stop(), other.stop(), node.stop()]);
  });

  /** Opens the review of a contract as the lens above it does; resolves when it is on the screen. */
  async function openReview(contract = CONTRACT, address = fresh()) {
    const reads = codeReads;
    const done = Promise.resolve(
      vscode.commands.executeCommand("ledgerLens.verifyThis", { contract, chainId: CHAIN, address }),
    ).catch(() => undefined);
    await eventually(async () => {
      assert.ok(codeReads >= reads + 2, "the review is open");
      return Promise.resolve();
    });
    return { address, done };
  }

  const sentTo = (service: RecordingService, address: string) =>
    service.received.filter(({ path }) => path.toLowerCase().endsWith(address.toLowerCase()));

  /** Presses Enter on a review that is no longer true; it must come again instead of being sent. */
  async function submitsNothing(address: string, change: () => PromiseLike<unknown>): Promise<void> {
    await change();
    const reads = codeReads;
    await pressUntil(["accept"], () => {
      assert.deepEqual([...sentTo(agreed, address), ...sentTo(other, address)], [], "nothing was sent");
      assert.ok(codeReads > reads, "the review came again");
    });
    assert.deepEqual([...sentTo(agreed, address), ...sentTo(other, address)], [], "nothing was sent");
  }

  /** Chooses Submit in a review that came again, below the line that says what changed. */
  async function submitsAt(service: RecordingService, address: string) {
    await pressUntil(["first", "next", "accept"], () => assert.equal(sentTo(service, address).length, 1));
    const [sent] = sentTo(service, address);
    return sent ?? assert.fail();
  }

  it("and on a chain of this machine nothing, where the service is a public one that can't see it", async () => {
    await configure("verificationUrl", "https://verify.example/server");
    const [chainId, { address }] = ["31337", deployedVault(1)];
    const screen = watchScreen();
    try {
      const done = Promise.resolve(
        vscode.commands.executeCommand("ledgerLens.verifyThis", { contract: CONTRACT, chainId, address }),
      ).catch(() => undefined);
      const review = await eventually(
        () => screen.questions.findLast(({ isOpen }) => isOpen) ?? assert.fail("no review yet"),
      );
      assert.equal(review.title, "Verify Vault");
      assert.match(review.placeholder, /verify on this machine/);
      assert.match(review.lines[0] ?? "", /Verify Locally/);
      assert.match(review.lines[1] ?? "", /verify\.example can't see Local chain \(31337\)/);
      assert.doesNotMatch(review.lines.join("\n"), /Submit|permanently/);
      await leave(done);
    } finally {
      screen.stop();
    }
    // A program is told the same.
    const refusal = await Promise.resolve(
      vscode.commands.executeCommand<object>("ledgerLens.verifyContract", {
        contract: CONTRACT,
        chainId,
        address,
        confirmPublish: true,
      }),
    ).then(
      (): never => assert.fail("it was sent"),
      (error: unknown) => error as Error & { code: string },
    );
    assert.equal(refusal.code, "local_chain");
    assert.match(refusal.message, /Use Verify Locally\.$/);
  });

  /** Verifies from now on at a service that lists two chains, one of which it supports no longer. */
  async function listingService() {
    const listing = await startRecordingService();
    const ofPast = "9956";
    listing.chains = [
      { chainId: 1, name: "Ethereum Mainnet", supported: true },
      { chainId: Number(ofPast), name: "A chain of the past", supported: false },
    ];
    await configure("verificationUrl", listing.url);
    return { listing, ofPast };
  }

  it("and on a chain that the service does not list, or lists without support, nothing", async () => {
    const { listing, ofPast } = await listingService();
    const { host } = new URL(listing.url);
    const screen = watchScreen();
    try {
      for (const [chainId, why] of [
        [CHAIN, `Can't be submitted: ${host} does not know Chain ${CHAIN}`],
        [ofPast, `Can't be submitted: ${host} does not support A chain of the past (${ofPast}) any more`],
      ] as const) {
        const args = { contract: CONTRACT, chainId, address: fresh() };
        const done = Promise.resolve(vscode.commands.executeCommand("ledgerLens.verifyThis", args)).catch(
          () => undefined,
        );
        const review = await eventually(() => {
          const open = screen.questions.findLast(({ isOpen }) => isOpen) ?? assert.fail("no review yet");
          // The editor tells the active line once it has drawn the list.
          assert.match(open.active ?? "", /Verify Locally/, "Enter submits nothing");
          return open;
        });
        assert.match(review.placeholder, /verify on this machine/);
        assert.ok(review.lines[1]?.includes(why), review.lines.join("\n"));
        assert.doesNotMatch(review.lines.join("\n"), /Submit to|permanently/);
        await leave(done);
      }
      assert.deepEqual(listing.received, []);
    } finally {
      screen.stop();
      await listing.stop();
    }
  });

  it("and no search for the same code is begun on such a chain, but one on another or on this machine", async () => {
    const { listing, ofPast } = await listingService();
    const { host } = new URL(listing.url);
    const screen = watchScreen();
    const open = () => screen.questions.findLast(({ isOpen }) => isOpen);
    const isAskedForChain = () => assert.match(open()?.placeholder ?? "", /^On which chain/);
    // As the message on a refused search does.
    const row = { record: { chainId: ofPast, address: fresh() } };
    const done = Promise.resolve(
      vscode.commands.executeCommand("ledgerLens.chooseAnotherChain", { row }),
    ).catch(() => undefined);
    try {
      for (const [chainId, why] of [
        [CHAIN, `${host} does not know Chain ${CHAIN}, so nothing can be searched for there`],
        [
          ofPast,
          `${host} does not support A chain of the past (${ofPast}) any more, so nothing can be searched for there`,
        ],
      ] as const) {
        await eventually(isAskedForChain);
        screen.search(chainId);
        // An Enter before the list shows what was looked for takes the line that was there.
        await eventually(() => assert.ok(open()?.active?.includes(chainId)));
        await pressUntil(["accept"], () => assert.equal(open()?.placeholder, why));
        assert.match(open()?.lines[0] ?? "", /Verify Locally/);
        assert.doesNotMatch(open()?.lines.join("\n") ?? "", /Search for the Same Code/);
        await takeLine(screen, /Choose Another Chain…/, isAskedForChain);
      }
      assert.deepEqual(listing.received, []);
    } finally {
      await leave(done);
      screen.stop();
      await listing.stop();
    }
  });

  it("and where the service refuses the chain, this machine and another chain are offered, and it is not remembered", async () => {
    const unknown = "9957";
    const args = { contract: CONTRACT, chainId: unknown, address: fresh() };
    const screen = watchScreen();
    const ofChain = (lines: readonly string[]) => lines.filter((line) => line.includes(unknown));
    try {
      agreed.refusal = "unsupported_chain";
      const refused = Promise.resolve(vscode.commands.executeCommand("ledgerLens.verifyThis", args)).catch(
        () => undefined,
      );
      const words = /does not know this chain/;
      await pressUntil(["accept"], () =>
        assert.deepEqual(screen.buttonsOf(words), ["Verify Locally…", "Choose Another Chain…", "Show Log"]),
      );
      screen.pressButton(words, "Choose Another Chain…");
      const chains = await eventually(() => {
        const open = screen.questions.findLast(({ isOpen }) => isOpen);
        assert.match(open?.placeholder ?? "", /^On which chain/);
        return open?.lines ?? [];
      });
      assert.deepEqual(ofChain(chains), [], "it was not the right one");
      await leave(refused);

      agreed.refusal = undefined;
      await vscode.commands.executeCommand("ledgerLens.verifyContract", { ...args, confirmPublish: true });
      const asking = vscode.commands.executeCommand("ledgerLens.verifyThis", { contract: CONTRACT });
      const placeholder = () => screen.questions.findLast(({ isOpen }) => isOpen)?.placeholder ?? "";
      await eventually(async () => {
        await takeLine(screen, /Another Address/, () =>
          assert.match(placeholder(), /^(?:On which|Press Enter to submit)/),
        );
        // Where more was found for the list while a line was chosen, the known place was taken: one goes back.
        if (!placeholder().startsWith("On which"))
          await pressUntil(["back"], () => assert.doesNotMatch(placeholder(), /^Press Enter to submit/));
        assert.match(placeholder(), /^On which/);
      });
      const [group, first] = await eventually(() => {
        const open = screen.questions.findLast(({ isOpen }) => isOpen);
        assert.match(open?.placeholder ?? "", /^On which chain/);
        assert.equal(ofChain(open?.lines ?? []).length, 1);
        return open?.lines ?? [];
      });
      assert.equal(group, "recent");
      assert.match(first ?? "", /9957/);
      await leave(asking);
    } finally {
      agreed.refusal = undefined;
      screen.stop();
    }
  });

  it("byte for byte, at the host that was shown", async () => {
    const { address, done } = await openReview();
    await pressUntil(["accept"], () => assert.equal(sentTo(agreed, address).length, 1));
    await done;
    const [sent] = sentTo(agreed, address);
    assert.ok(sent && Object.keys(sent.sources).length > 5);
    for (const [name, hash] of Object.entries(sent.sources)) {
      const file = name.startsWith("@") ? join(FOLDER, "node_modules", name) : join(FOLDER, name);
      assert.equal(hash, sha256(await readFile(file)), name);
    }
    assert.deepEqual(sentTo(other, address), []);
  });

  it("and never at a host that was configured while it was shown", async () => {
    const { address, done } = await openReview();
    await submitsNothing(address, () => configure("verificationUrl", other.url));
    await submitsAt(other, address);
    await done;
    assert.deepEqual(sentTo(agreed, address), []);
  });

  it("and not another text that a file got while it was shown", async () => {
    const { address, done } = await openReview();
    const edited = `${vault}// More.\n`;
    await submitsNothing(address, () => writeFile(VAULT, edited));
    const sent = await submitsAt(agreed, address);
    await done;
    assert.equal(sent.sources["contracts/Vault.sol"], sha256(edited), "what the second review showed");
  });

  it("and not other settings than were shown", async () => {
    const { address, done } = await openReview();
    await submitsNothing(address, () =>
      configure("compilerSettings", { optimizer: { enabled: true, runs: 77 } }),
    );
    const sent = await submitsAt(agreed, address);
    await done;
    assert.deepEqual(sent.settings["optimizer"], { enabled: true, runs: 77 });
  });

  describe("after Submit, and Do Not Ask Again", () => {
    const YUL = join(FOLDER, "contracts/Note.yul");

    after(() => rm(YUL, { force: true }));

    it("no person is asked for the like of it, and one is asked for another kind and another host", async () => {
      const { address, done } = await openReview();
      await pressUntil(["first", "next", "accept"], () => assert.equal(sentTo(agreed, address).length, 1));
      await done;

      const again = fresh();
      await vscode.commands.executeCommand("ledgerLens.verifyThis", {
        contract: CONTRACT,
        chainId: CHAIN,
        address: again,
      });
      assert.equal(sentTo(agreed, again).length, 1, "without a question");

      const yul = 'object "Note" {\n  code { sstore(0, 1) }\n}\n';
      await writeFile(YUL, yul);
      const yulReview = await openReview("contracts/Note.yul:Note");
      assert.deepEqual(sentTo(agreed, yulReview.address), [], "another language is another kind");
      await press("hide");
      await yulReview.done;

      const key = `0x8${sha256("a key of nobody").slice(1)}`;
      await writeFile(VAULT, `${vault}// PRIVATE_KEY=${key}\n`);
      const secret = await openReview();
      assert.deepEqual(sentTo(agreed, secret.address), [], "a possible secret");
      await press("hide");
      await secret.done;
      await writeFile(VAULT, vault);

      await configure("verificationUrl", other.url);
      const elsewhere = await openReview();
      assert.deepEqual(sentTo(other, elsewhere.address), [], "another host");
      await press("hide");
      await elsewhere.done;
    });

    it("nothing is agreed to where it is left before anything was sent", async () => {
      const screen = watchScreen();
      const slow = slowDisk(VAULT);
      try {
        const { address, done } = await openReview();
        slow.begin();
        await takeLine(screen, /Submit, and Do Not Ask Again$/, () =>
          assert.ok(slow.isWaitedFor(), "it looks once more before it sends"),
        );
        await press("hide");
        await eventually(() => assert.ok(!screen.questions.some(({ isOpen }) => isOpen), "it is left"));
        slow.end();
        await done;
        assert.deepEqual(sentTo(agreed, address), []);

        const again = await openReview();
        assert.ok(
          screen.questions.some(({ isOpen }) => isOpen),
          "a person is asked",
        );
        assert.deepEqual(sentTo(agreed, again.address), []);
        await leave(again.done);
      } finally {
        slow.end();
        screen.stop();
      }
    });

    /** Agrees for good to what is like the contract of the tests. */
    async function agreeForGood(): Promise<void> {
      const { address, done } = await openReview();
      await pressUntil(["first", "next", "accept"], () => assert.equal(sentTo(agreed, address).length, 1));
      await done;
    }

    it("a double click submits once, though the service has refused it by the second one", async () => {
      await agreeForGood();
      agreed.refusal = "unsupported_language";
      const before = agreed.refused;
      const args = { contract: CONTRACT, chainId: CHAIN, address: fresh() };
      const screen = watchScreen();
      const click = () => void vscode.commands.executeCommand("ledgerLens.verifyThis", args);
      try {
        click();
        await setTimeout(DOUBLE_CLICK_MS);
        click();
        await eventually(() => assert.equal(screen.messages.length, 2, screen.messages.join("\n")));
        assert.equal(agreed.refused, before + 1);
      } finally {
        screen.stop();
        agreed.refusal = undefined;
      }
    });

    it("no key that is held down on the way to a list submits its first line", async () => {
      await agreeForGood();
      const deployed = [fresh()].map((address) => ({
        contract: CONTRACT,
        address,
        transactionHash: `0x${sha256(address)}`,
        creationCode: "0x",
        runtimeCode: "0x",
      }));
      await recordBroadcast(FOLDER, CHAIN, deployed);
      const screen = watchScreen();
      const before = agreed.received.length;
      try {
        for (const [command, placeholder] of [
          ["verifyContract", "Which contract?"],
          ["verifyAllDeployments", "Which deployments?"],
        ] as const) {
          const list = () => screen.questions.findLast((one) => one.placeholder.startsWith(placeholder));
          const done = Promise.resolve(vscode.commands.executeCommand(`ledgerLens.${command}`));
          await eventually(() => assert.match(list()?.lines.join() ?? "", /Vault/));
          await eventually(() => assert.ok(list()?.isOpen));
          await holdEnter();
          assert.equal(agreed.received.length, before, command);
          await leave(done);
        }
      } finally {
        screen.stop();
        await removeBroadcast(FOLDER);
      }
    });

    it("what is shown all the same is not sent by what is changed in it", async () => {
      await agreeForGood();
      // No compiler reads such an EVM version, which is pointed out until another one is chosen.
      await configure("compilerSettings", { evmVersion: "a word of nobody" });
      const screen = watchScreen();
      try {
        const { address, done } = await openReview();
        const asked = () => screen.questions.at(-1);
        await takeLine(screen, /EVM version/, () =>
          assert.doesNotMatch(asked()?.placeholder ?? "", /Submit|submit/),
        );
        await pressUntil(["first", "accept"], () => {
          assert.deepEqual(sentTo(agreed, address), []);
          assert.match(asked()?.placeholder ?? "", /submit/);
        });
        await leave(done);
        assert.deepEqual(sentTo(agreed, address), []);
      } finally {
        screen.stop();
      }
    });
  });

  describe("by Verify All Deployments", () => {
    const deployments = [fresh(), fresh()].map((address) => ({
      contract: CONTRACT,
      address,
      transactionHash: `0x${sha256(address)}`,
      creationCode: "0x",
      runtimeCode: "0x",
    }));

    before(() => recordBroadcast(FOLDER, CHAIN, deployments));
    after(() => removeBroadcast(FOLDER));

    const allSent = (service: RecordingService) =>
      deployments.flatMap(({ address }) => sentTo(service, address));

    it("shows again what would go where the host was changed, and then sends that", async () => {
      const reads = codeReads;
      const done = Promise.resolve(
        vscode.commands.executeCommand<{ address: string; outcome: string }[]>(
          "ledgerLens.verifyAllDeployments",
        ),
      );
      // The list of deployments is accepted as it is; the code of each is read to make its input.
      await pressUntil(["accept"], () => assert.ok(codeReads >= reads + 2));
      const lookUps = other.lookUps;
      await configure("verificationUrl", other.url);
      await pressUntil(["accept"], () => {
        assert.deepEqual(allSent(other), [], "nothing goes to a host that was not shown");
        assert.deepEqual(allSent(agreed), []);
        assert.ok(other.lookUps >= lookUps + 2, "it is shown for the other host");
      });
      await pressUntil(["first", "next", "accept"], () => assert.equal(allSent(other).length, 2));
      const outcomes = await done;
      assert.deepEqual(
        outcomes.map(({ outcome }) => outcome),
        ["exact_match", "exact_match"],
      );
      assert.deepEqual(allSent(agreed), []);
    });
  });

  describe("when it is sent again", () => {
    /** A job at the agreed service that failed for a reason that passes, as the lens above the contract has it. */
    async function failedJob(address: string): Promise<unknown> {
      agreed.failure = "cannot_fetch_bytecode";
      await vscode.commands.executeCommand("ledgerLens.verifyContract", {
        contract: CONTRACT,
        chainId: CHAIN,
        address,
        confirmPublish: true,
      });
      agreed.failure = undefined;
      await vscode.workspace.openTextDocument(VAULT);
      return eventually(async () => {
        const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          "vscode.executeCodeLensProvider",
          vscode.Uri.file(VAULT),
          10,
        );
        // What is verified comes first.
        const rows = lenses
          .filter(({ command }) => /^ledgerLens\.show(?:JobDetails|Failure)$/.test(command?.command ?? ""))
          .map(({ command }) => command?.arguments?.[0] as { row: { record: { address: string } } });
        const own = rows.find(({ row }) => row.record.address.toLowerCase() === address.toLowerCase());
        assert.ok(own);
        return own;
      });
    }

    /** The row with a cause that asks for other settings. */
    const withOtherRuns = (row: unknown) => ({
      row: {
        ...(row as { row: object }).row,
        action: {
          kind: "resubmit",
          label: "Submit again",
          changes: { settings: { optimizer: { enabled: true, runs: 5 } } },
        },
      },
    });

    it("goes to the service that it was agreed for, to the byte", async () => {
      const address = fresh();
      const row = await failedJob(address);
      await writeFile(VAULT, `${vault}// More.\n`);
      await vscode.commands.executeCommand("ledgerLens.retryJob", row);
      const sent = sentTo(agreed, address);
      assert.equal(sent.length, 2);
      assert.equal(sent[1]?.text, sent[0]?.text);
    });

    it("is told where the service does not know the chain any more what can be done instead", async () => {
      const row = await failedJob(fresh());
      const screen = watchScreen();
      const words = /does not know this chain/;
      try {
        agreed.refusal = "unsupported_chain";
        for (const [told, again] of [
          () => vscode.commands.executeCommand("ledgerLens.retryJob", row),
          () => vscode.commands.executeCommand("ledgerLens.takeCauseAction", withOtherRuns(row)),
        ].entries()) {
          void again();
          await eventually(() => {
            assert.equal(
              screen.messages.filter((one) => one.includes("not know this chain")).length,
              told + 1,
            );
            assert.deepEqual(screen.buttonsOf(words), [
              "Verify Locally…",
              "Choose Another Chain…",
              "Show Log",
            ]);
          });
        }
      } finally {
        agreed.refusal = undefined;
        screen.stop();
      }
    });

    it("asks with other settings where a file is no longer what was submitted", async () => {
      const address = fresh();
      const row = await failedJob(address);
      await writeFile(VAULT, `${vault}// More.\n`);
      await leave(vscode.commands.executeCommand("ledgerLens.takeCauseAction", withOtherRuns(row)));
      assert.equal(sentTo(agreed, address).length, 1, "the first submission alone");
      await writeFile(VAULT, vault);
      await vscode.commands.executeCommand("ledgerLens.takeCauseAction", withOtherRuns(row));
      assert.equal(sentTo(agreed, address).length, 2, "what was agreed is not asked again");
    });

    it("asks where another one is configured, and goes nowhere until that is answered", async () => {
      const address = fresh();
      const row = await failedJob(address);
      await configure("verificationUrl", other.url);
      await leave(vscode.commands.executeCommand("ledgerLens.retryJob", row));
      assert.deepEqual(sentTo(other, address), []);
      assert.equal(sentTo(agreed, address).length, 1, "the first submission alone");

      const changed = Promise.resolve(
        vscode.commands.executeCommand("ledgerLens.takeCauseAction", withOtherRuns(row)),
      ).catch(() => undefined);
      await pressUntil(["first", "accept"], () => assert.equal(sentTo(agreed, address).length, 2));
      await changed;
      assert.deepEqual(sentTo(agreed, address)[1]?.settings["optimizer"], { enabled: true, runs: 5 });
      assert.deepEqual(sentTo(other, address), []);
    });
  });

  describe("from a build that is older than its files", () => {
    const PROJECT = join(FOLDER, "older");
    const SOURCE = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\ncontract Note {}\n";
    const deployed = fresh();

    before(async () => {
      await mkdir(join(PROJECT, "src"), { recursive: true });
      await mkdir(join(PROJECT, "out/Note.sol"), { recursive: true });
      await writeFile(join(PROJECT, "foundry.toml"), '[profile.default]\nsolc = "0.8.28"\n');
      await writeFile(join(PROJECT, "src/Note.sol"), SOURCE);
      const hash = bytesToHex(keccak_256(new TextEncoder().encode(SOURCE)));
      const metadata = {
        compiler: { version: "0.8.28+commit.7893614a" },
        language: "Solidity",
        output: { abi: [] },
        settings: { compilationTarget: { "src/Note.sol": "Note" }, optimizer: { enabled: false, runs: 200 } },
        sources: { "src/Note.sol": { keccak256: `0x${hash}`, urls: [] } },
        version: 1,
      };
      await writeFile(
        join(PROJECT, "out/Note.sol/Note.json"),
        JSON.stringify({ abi: [], metadata, rawMetadata: JSON.stringify(metadata) }),
      );
      await writeFile(join(PROJECT, "src/Note.sol"), `${SOURCE}// Changed.\n`);
      await recordBroadcast(PROJECT, CHAIN, [
        { contract: "src/Note.sol:Note", address: deployed, transactionHash: `0x${sha256(deployed)}` },
      ] as never);
      await writeFile(join(PROJECT, "foundry.toml"), '[profile.default]\nsolc = "0.8.28"\n');
    });

    after(() => rm(PROJECT, { recursive: true }));

    const verify = (args: object) =>
      vscode.commands.executeCommand<{ status: string }>("ledgerLens.verifyContract", {
        contract: join(PROJECT, "src/Note.sol:Note"),
        chainId: CHAIN,
        confirmPublish: true,
        ...args,
      });

    it("nothing goes for a program that did not say that it means it", async () => {
      const address = fresh();
      await assert.rejects(
        async () => verify({ address }),
        (error: { code?: string }) => error.code === "stale_build",
      );
      assert.deepEqual(sentTo(agreed, address), []);
      assert.equal((await verify({ address, staleBuild: "use" })).status, "exact_match");
      assert.equal(sentTo(agreed, address).length, 1);
    });

    it("nothing goes in Verify All Deployments either, and the reason is told", async () => {
      const all = (args: object) =>
        vscode.commands.executeCommand<{ address: string; outcome: string; reason?: string }[]>(
          "ledgerLens.verifyAllDeployments",
          { confirmPublish: true, ...args },
        );
      const one = (outcomes: { address: string; outcome: string; reason?: string }[]) =>
        outcomes.find(({ address }) => address.toLowerCase() === deployed);
      await eventually(async () => {
        const refused = one(await all({}));
        assert.equal(refused?.outcome, "refused");
        assert.match(refused.reason ?? "", /^src\/Note\.sol has changed since the build in Note\.json\./);
      });
      assert.deepEqual(sentTo(agreed, deployed), []);
      assert.equal(one(await all({ staleBuild: "use" }))?.outcome, "exact_match");
    });

    it("a person who looks at a file sees the very text that goes, and not what is on disk by now", async () => {
      const records = join(PROJECT, "out/build-info");
      const changed = `${SOURCE}// Changed.\n`;
      await writeFile(join(PROJECT, "src/Note.sol"), changed);
      await mkdir(records);
      const input = {
        language: "Solidity",
        sources: { "src/Note.sol": { content: SOURCE } },
        settings: { optimizer: { enabled: false, runs: 200 } },
      };
      await writeFile(
        join(records, "1.json"),
        JSON.stringify({
          _format: "ethers-rs-sol-build-info-1",
          solcVersion: "0.8.28",
          solcLongVersion: "0.8.28+commit.7893614a",
          input,
        }),
      );
      const opened = () => vscode.window.visibleTextEditors.map(({ document }) => document);
      const isOpened = () =>
        assert.deepEqual(
          opened()
            .filter(({ fileName }) => fileName.endsWith("Note.sol"))
            .map((document) => [document.uri.scheme, document.getText()]),
          [["ledger-lens-ledger", SOURCE]],
        );
      const screen = watchScreen();
      try {
        const { address } = await openReview(join(PROJECT, "src/Note.sol:Note"));
        const asked = () => screen.questions.findLast(({ isOpen }) => isOpen)?.placeholder ?? "";
        await takeLine(screen, /Files/, () => assert.match(asked(), /^Files that are sent/));
        await takeLine(screen, /Note\.sol/, isOpened);
        assert.deepEqual(sentTo(agreed, address), []);
      } finally {
        screen.stop();
      }
      await rm(records, { recursive: true });
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    });

    it("a person is asked who wanted no more questions", async () => {
      await writeFile(join(PROJECT, "src/Note.sol"), SOURCE);
      const contract = join(PROJECT, "src/Note.sol:Note");
      const { address, done } = await openReview(contract);
      await pressUntil(["first", "next", "accept"], () => assert.equal(sentTo(agreed, address).length, 1));
      await done;
      await writeFile(join(PROJECT, "src/Note.sol"), `${SOURCE}// Changed.\n`);
      const stale = await openReview(contract);
      assert.deepEqual(sentTo(agreed, stale.address), []);
    });
  });
});

/** A disk that takes its time to open a file, from when that begins until it ends. */
function slowDisk(file: string) {
  const { open } = disk;
  const fast = Promise.withResolvers<undefined>();
  let isWaitedFor = false;
  return {
    begin: () => {
      disk.open = async (...how) => {
        if (how[0] === file) {
          isWaitedFor = true;
          await fast.promise;
        }
        return open(...how);
      };
    },
    isWaitedFor: () => isWaitedFor,
    end: () => {
      disk.open = open;
      fast.resolve(undefined);
    },
  };
}
