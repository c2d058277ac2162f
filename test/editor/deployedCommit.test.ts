import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { devNull } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { press, takeLine } from "./pressing.ts";
import { startRecordingService, type RecordingService } from "./recordingService.ts";
import { recordBroadcast, removeBroadcast } from "../sandbox/broadcastRecord.ts";
import { watchScreen } from "./shownQuestions.ts";
import { longIt } from "../rig/longWindowTest.ts";
import { vault, world } from "./world.ts";

interface Answer {
  readonly found?: {
    readonly commit: string;
    readonly subject: string;
    readonly verdict: string;
    readonly contract: string;
    readonly input: {
      readonly stdJsonInput: { readonly sources: Record<string, { readonly content: string }> };
    };
  };
  readonly tried: readonly { readonly what: string; readonly distance?: number }[];
  readonly commits: number;
  readonly missing: readonly string[];
}

interface ManyAnswer {
  readonly rows: readonly {
    readonly address: string;
    readonly contract?: string;
    readonly commit?: string;
    readonly verdict?: string;
    readonly reason?: string;
  }[];
  readonly markdown: string;
}

const FOLDER = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "/";
const FILE = join(FOLDER, "contracts/Vault.sol");
const LOCK = join(FOLDER, "package-lock.json");
const INSTALLED = join(FOLDER, "node_modules/solc/soljson.js");

/** When the last commit was made, in seconds: all of them before the deployment, an hour between two. */
let time = Math.floor(Date.now() / 1000) - 24 * 3_600;

function git(...args: readonly string[]): string {
  return execFileSync("git", [...args], {
    cwd: FOLDER,
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      HOME: FOLDER,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: devNull,
      GIT_AUTHOR_DATE: `${time} +0000`,
      GIT_COMMITTER_DATE: `${time} +0000`,
      GIT_AUTHOR_NAME: "A",
      GIT_AUTHOR_EMAIL: "a@example.org",
      GIT_COMMITTER_NAME: "A",
      GIT_COMMITTER_EMAIL: "a@example.org",
    },
  }).trim();
}

function commit(subject: string): string {
  git("add", "package.json", "package-lock.json", "remappings.txt", "contracts");
  time += 3_600;
  git("commit", "-q", "-m", subject);
  return git("rev-parse", "HEAD");
}

async function rpc(method: string, ...params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  const response = await fetch(world().rpcUrl, { method: "POST", headers, body });
  return ((await response.json()) as { readonly result: unknown }).result;
}

/** Deploys a contract that answers every call with a list of addresses, as the loupe of a diamond does. */
async function deployLoupe(addresses: readonly string[]): Promise<string> {
  const word = (digits: string) => digits.padStart(64, "0");
  const data = [
    word("20"),
    word(addresses.length.toString(16)),
    ...addresses.map((one) => word(one.slice(2))),
  ];
  /** Returns what stands behind its own 12 bytes. */
  const returning = (hex: string) => {
    const size = (hex.length / 2).toString(16).padStart(2, "0");
    return `60${size}600c60003960${size}6000f3${hex}`;
  };
  const [from] = (await rpc("eth_accounts")) as readonly string[];
  const hash = await rpc("eth_sendTransaction", { from, data: `0x${returning(returning(data.join("")))}` });
  let address = "";
  await eventually(async () => {
    const receipt = (await rpc("eth_getTransactionReceipt", hash)) as {
      readonly contractAddress: string;
    } | null;
    address = receipt?.contractAddress ?? "";
    assert.notEqual(address, "");
  });
  return address;
}

describe("The commit that was deployed", () => {
  let original: string;
  let beginning: string;
  let deployedCommit: string;
  let service: RecordingService;
  const lookFor = (more: object = {}) =>
    vscode.commands.executeCommand<Answer>("ledgerLens.findDeployedCommit", {
      contract: "contracts/Vault.sol:Vault",
      chainId: world().chainId,
      address: vault(1).address,
      ...more,
    });

  before(async () => {
    await mkdir(dirname(INSTALLED), { recursive: true });
    await symlink(world().compiler, INSTALLED);
    service = await startRecordingService();
    await vscode.workspace
      .getConfiguration("ledgerLens")
      .update("verificationUrl", service.url, vscode.ConfigurationTarget.Global);
    original = await readFile(FILE, "utf8");
    const name = "node_modules/@openzeppelin/contracts";
    const { version } = JSON.parse(await readFile(join(FOLDER, name, "package.json"), "utf8")) as {
      version: string;
    };
    await writeFile(LOCK, JSON.stringify({ lockfileVersion: 3, packages: { [name]: { version } } }));
    git("init", "-q", "-b", "main");
    await assert.rejects(Promise.resolve(lookFor()), { code: "git_disabled" });
    await vscode.workspace.getConfiguration("git").update("enabled", true, vscode.ConfigurationTarget.Global);
    await eventually(() => {
      const { exports } = vscode.extensions.getExtension<{ enabled: boolean }>("vscode.git") ?? {};
      assert.equal(exports?.enabled, true);
    });
    beginning = commit("Begin");
    await writeFile(join(FOLDER, "contracts/notes.txt"), "notes\n");
    deployedCommit = commit("Write notes");
    await writeFile(FILE, original.replace("FEE_BASIS_POINTS = 25;", "FEE_BASIS_POINTS = 52;"));
    commit("Raise the fee");
  });

  after(async () => {
    await writeFile(FILE, original);
    await vscode.workspace
      .getConfiguration("git")
      .update("enabled", false, vscode.ConfigurationTarget.Global);
    for (const path of [".git", "contracts/notes.txt", "package-lock.json", "node_modules/solc"])
      await rm(join(FOLDER, path), { recursive: true, force: true });
    await vscode.workspace
      .getConfiguration("ledgerLens")
      .update("verificationUrl", world().service, vscode.ConfigurationTarget.Global);
    await service.stop();
  });

  it("is found in the history, and the work tree stays as it is", async () => {
    const { found, tried, commits, missing } = await lookFor();
    assert.equal(found?.verdict, "exact_match", JSON.stringify({ tried, missing }));
    // Both commits before the fee was raised give the compiler the same: the last one before the deployment is named.
    assert.equal(found.commit, deployedCommit);
    assert.equal(found.contract, "contracts/Vault.sol:Vault");
    assert.equal(found.input.stdJsonInput.sources["contracts/Vault.sol"]?.content, original);
    assert.deepEqual([commits, tried.length], [3, 2]);
    assert.match(await readFile(FILE, "utf8"), /FEE_BASIS_POINTS = 52;/);
    assert.deepEqual(service.received, []);
  });

  it("is not found from a branch that never had it, and an unknown branch is refused", async () => {
    git("checkout", "-q", "--orphan", "other");
    const only = commit("Other");
    git("checkout", "-q", "main");
    const { found, tried } = await lookFor({ from: "other" });
    assert.equal(found, undefined);
    assert.deepEqual(
      tried.map(({ what }) => what),
      [only],
    );
    await assert.rejects(Promise.resolve(lookFor({ from: "nowhere" })), { code: "unknown_revision" });
  });

  it("is offered to be looked for where what is compiled is not what was deployed", async () => {
    const { chainId } = world();
    const text = await readFile(FILE, "utf8");
    const screen = watchScreen();
    try {
      await writeFile(FILE, text.replace(/FEE_BASIS_POINTS = \d+;/, "FEE_BASIS_POINTS = 77;"));
      const { address } = vault(1);
      const args = { contract: "contracts/Vault.sol:Vault", chainId, address };
      await vscode.commands.executeCommand("ledgerLens.verifyLocally", args);
      await eventually(() =>
        assert.deepEqual(screen.buttonsOf(/no match on this machine/), ["Find the Commit", "Show Details"]),
      );
    } finally {
      screen.stop();
      await writeFile(FILE, text);
    }
  });

  it("is looked for by the button of a cause, of a job and of a result of this machine", async () => {
    const { chainId } = world();
    const { address } = vault(1);
    const action = { kind: "find commit", label: "Find the Commit" };
    const submission = { path: FILE, contractName: "Vault" };
    const screen = watchScreen();
    try {
      for (const of of [
        { localResult: { ...submission, chainId, address } },
        { record: { submission, chainId, address } },
      ])
        await vscode.commands.executeCommand("ledgerLens.takeCauseAction", { row: { ...of, action } });
      // Both have the deployed files.
      const ids = [beginning, deployedCommit].map((id) => id.slice(0, 10)).join("|");
      assert.equal(screen.messages.length, 2);
      for (const message of screen.messages)
        assert.match(message, new RegExp(`^Vault was deployed from (?:${ids}) of .*: exact match\\.$`));
    } finally {
      screen.stop();
    }
  });

  it("is found for every facet of a diamond, in one table that is copied as Markdown", async () => {
    const { chainId, token } = world();
    const { address } = vault(1);
    const nothing = `0x${"5e".repeat(20)}`;
    const diamond = await deployLoupe([address, token.address, nothing]);
    const many = (more: object) =>
      vscode.commands.executeCommand<ManyAnswer>("ledgerLens.findDeployedCommit", { chainId, ...more });
    const told: string[] = [];
    const { showInformationMessage } = vscode.window;
    let button = "Copy as Markdown";
    Object.assign(vscode.window, {
      showInformationMessage: (message: string, ...buttons: string[]) => {
        told.push(message);
        return Promise.resolve(buttons.find((one) => one === button));
      },
    });
    try {
      const { rows, markdown } = await many({ diamond });
      const states = [beginning, deployedCommit];
      assert.deepEqual(
        rows.map((row) => [row.address.toLowerCase(), row.contract, row.verdict, row.reason]),
        [
          [address, "contracts/Vault.sol:Vault", "exact_match", undefined],
          [token.address, "contracts/Token.sol:Token", "exact_match", undefined],
          [nothing, undefined, undefined, "Nothing is deployed at this address on this chain."],
        ],
      );
      assert.ok(states.includes(rows[0]?.commit ?? ""));
      assert.deepEqual(told, ["3 deployments: 2 exact match, 1 unknown. Nothing was published."]);
      await eventually(async () => assert.equal(await vscode.env.clipboard.readText(), markdown));
      // As the editor's own preview reads it.
      const html = await vscode.commands.executeCommand<string>("markdown.api.render", markdown);
      assert.deepEqual([html.match(/<table/g)?.length, html.match(/<tr/g)?.length], [1, 4]);
      assert.equal(html.match(/<td/g)?.length, 3 * 4);
      await vscode.env.clipboard.writeText("");
      button = "Show Table";
      const again = await many({ addresses: [address, token.address, nothing, address] });
      assert.deepEqual(again.rows, rows);
      await eventually(() =>
        assert.match(vscode.window.activeTextEditor?.document.uri.path ?? "", /\/Find the Commit\.md$/),
      );
      await vscode.commands.executeCommand("ledgerLens.copyTable");
      assert.equal(await vscode.env.clipboard.readText(), markdown);
    } finally {
      Object.assign(vscode.window, { showInformationMessage });
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    }
    await assert.rejects(Promise.resolve(many({ diamond: address })), { code: "not_a_diamond" });
    await assert.rejects(Promise.resolve(many({ diamond, addresses: [address] })), {
      code: "invalid_argument",
    });
    assert.deepEqual(service.received, []);
  });

  it("waits once for a node that does not answer, and looks again at what was left", async () => {
    const { chainId, rpcUrl, token } = world();
    const { address } = vault(1);
    const addresses = [address, token.address, ...[1, 2, 3].map((at) => `0x${"ab".repeat(19)}0${at}`)];
    const configure = (urls: object) =>
      vscode.workspace
        .getConfiguration("ledgerLens")
        .update("rpcUrls", urls, vscode.ConfigurationTarget.Global);
    const many = (chain: string) =>
      vscode.commands.executeCommand<ManyAnswer>("ledgerLens.findDeployedCommit", {
        chainId: chain,
        addresses,
      });
    const screen = watchScreen();
    try {
      // Nothing listens at the port of discard.
      await configure({ [chainId]: "http://127.0.0.1:9" });
      const { rows } = await many(chainId);
      assert.match(rows[0]?.reason ?? "", /can't be reached/);
      const left = `Not looked at: Local chain (${chainId}) was not reached.`;
      assert.deepEqual(
        rows.slice(1).map(({ reason }) => reason),
        Array(4).fill(left),
      );
      assert.match(
        screen.messages.at(-1) ?? "",
        /^5 deployments: 5 unknown\. .*Local chain .*can't be reached/,
      );
      await configure({ [chainId]: rpcUrl });
      screen.pressButton(/5 unknown/, "Try Again");
      await eventually(() =>
        assert.equal(
          screen.messages.at(-1),
          "5 deployments: 2 exact match, 3 unknown. Nothing was published.",
        ),
      );
      // A node that is set for another chain than the one it is on has other contracts there.
      await configure({ [chainId]: rpcUrl, 20551: rpcUrl });
      const other = await many("20551");
      assert.match(
        other.rows[0]?.reason ?? "",
        new RegExp(`for chain ${chainId} where chain 20551 was asked`),
      );
      assert.equal(other.rows[1]?.reason, "Not looked at: Chain 20551 was not reached.");
    } finally {
      screen.stop();
      await configure({ [chainId]: rpcUrl });
    }
  });

  longIt("is told for 200 addresses, of which each has one row, whatever lies there", async () => {
    const { chainId, token } = world();
    const { address } = vault(1);
    const accounts = Array.from({ length: 195 }, (_one, at) => `0x${String(at + 1).padStart(40, "c")}`);
    const [proxy = "", delegating = ""] = accounts;
    const clone = `0x363d3d373d3d3d363d73${address.slice(2)}5af43d82803e903d91602b57fd5bf3`;
    await rpc("anvil_setCode", proxy, clone);
    await rpc("anvil_setCode", delegating, `0xef0100${address.slice(2)}`);
    const addresses = [
      ...[address, `0x${address.slice(2).toUpperCase()}`, token.address, token.address, address],
      ...accounts,
    ];
    const many = (list: readonly string[]) =>
      vscode.commands.executeCommand<ManyAnswer>("ledgerLens.verifyLocally", { chainId, addresses: list });
    const { rows } = await many(addresses);
    assert.equal(rows.length, 197);
    assert.equal(new Set(rows.map((row) => row.address)).size, 197);
    assert.equal(rows[1]?.verdict, "exact_match");
    for (const row of rows.slice(2, 4)) assert.match(row.reason ?? "", new RegExp(`${address}: look`, "i"));
    for (const { reason } of rows.slice(4))
      assert.equal(reason, "Nothing is deployed at this address on this chain.");
    await assert.rejects(Promise.resolve(many([...addresses, "0x12"])), {
      code: "invalid_address",
      message: /"0x12" is not an address/,
    });
    await assert.rejects(Promise.resolve(many(Array<string>(501).fill(address))), {
      code: "invalid_argument",
    });
  });

  it("is not what is compiled of the work tree, for all that two tools recorded", async () => {
    const { chainId, token } = world();
    const note =
      "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\ncontract Note { uint256 public note; }\n";
    const other = join(FOLDER, "notes");
    for (const [path, text] of Object.entries({
      "hardhat.config.js": 'module.exports = { solidity: "0.8.37" };\n',
      "contracts/Note.sol": note,
      "deployments/here/.chainId": chainId,
      "deployments/here/Note.json": JSON.stringify({ address: token.address, abi: [] }),
    })) {
      await mkdir(dirname(join(other, path)), { recursive: true });
      await writeFile(join(other, path), text);
    }
    await recordBroadcast(FOLDER, chainId, [vault(0), vault(1)]);
    try {
      await eventually(async () => {
        const { rows } = await vscode.commands.executeCommand<ManyAnswer>("ledgerLens.verifyLocally", {
          deployments: "all",
        });
        assert.deepEqual(
          rows.map(({ address, contract, verdict }) => [address.toLowerCase(), contract, verdict]).sort(),
          [
            [vault(0).address, "contracts/Vault.sol:Vault", "mismatch"],
            [vault(1).address, "contracts/Vault.sol:Vault", "mismatch"],
            [token.address, "notes/contracts/Note.sol:Note", "mismatch"],
          ].sort(),
          JSON.stringify(rows),
        );
        assert.match(rows.map(({ reason }) => reason).join("\n"), /25 deployed, 52 compiled/);
      });
      // As a person has it from the group of the view.
      const { rows } = await vscode.commands.executeCommand<ManyAnswer>("ledgerLens.findAllCommits");
      const verdicts = new Map(rows.map(({ address, verdict }) => [address.toLowerCase(), verdict]));
      assert.deepEqual(
        [vault(0), vault(1), token].map(({ address }) => verdicts.get(address)),
        ["exact_match", "exact_match", undefined],
        JSON.stringify(rows),
      );
      assert.match(
        vscode.window.activeTextEditor?.document.getText() ?? "",
        /^\| Address \| Contract \| Commit/,
      );
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    } finally {
      await removeBroadcast(FOLDER);
      await rm(other, { recursive: true });
    }
    assert.deepEqual(service.received, []);
  });

  it("is offered for many behind the contracts, and asks for their addresses", async () => {
    const screen = watchScreen();
    try {
      const done = vscode.commands.executeCommand("ledgerLens.findDeployedCommit");
      await eventually(() =>
        assert.match(
          screen.questions.at(-1)?.lines.slice(-2).join("\n") ?? "",
          /^\$\(list-unordered\) A list of addresses…\n\$\(symbol-structure\) The facets of a diamond… \| ERC-2535$/,
        ),
      );
      await takeLine(screen, /A list of addresses…$/, () =>
        assert.match(screen.questions.at(-1)?.placeholder ?? "", /^On which chain/),
      );
      await press("hide");
      await done;
    } finally {
      screen.stop();
    }
  });

  it("is offered to be verified and compared by the buttons of its message", async () => {
    const screen = watchScreen();
    const found = /^Vault was deployed from [0-9a-f]{10} of \d{4}-\d\d-\d\d, “.*”: exact match\.$/;
    try {
      const { found: answer } = await lookFor();
      const id = answer?.commit.slice(0, 10) ?? "";
      assert.ok(id !== "");
      await eventually(() =>
        assert.deepEqual(
          screen.buttonsOf(found),
          ["Verify This Commit…", "Show What Changed Since"],
          screen.messages.join("\n"),
        ),
      );
      screen.pressButton(found, "Show What Changed Since");
      await eventually(() => {
        const labels = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
        assert.match(labels.join("\n"), new RegExp(`Vault: ${id} ↔ workspace`));
      });
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      await lookFor();
      await eventually(() =>
        assert.equal(screen.messages.filter((message) => found.test(message)).length, 2),
      );
      screen.pressButton(found, "Verify This Commit…");
      await eventually(() => {
        const lines = screen.questions.at(-1)?.lines.join("\n") ?? "";
        assert.match(lines, /Exact match expected/);
        assert.match(lines, new RegExp(`Read from \\| commit ${id}, with its own configuration`));
      });
      await eventually(async () => {
        await press("hide");
        assert.equal(screen.questions.at(-1)?.isOpen, false);
      });
      assert.deepEqual(service.received, []);
    } finally {
      screen.stop();
    }
  });

  it("is submitted with its own files once a person has seen them", async () => {
    const screen = watchScreen();
    try {
      const done = vscode.commands.executeCommand("ledgerLens.verifyThis", {
        contract: "contracts/Vault.sol:Vault",
        chainId: world().chainId,
        address: vault(1).address,
        commit: deployedCommit,
      });
      await eventually(() =>
        assert.match(screen.questions.at(-1)?.lines.join("\n") ?? "", /Exact match expected/),
      );
      await press("hide");
      await done;
      assert.deepEqual(service.received, []);
    } finally {
      screen.stop();
    }
    await vscode.commands
      .executeCommand("ledgerLens.verifyContract", {
        contract: "contracts/Vault.sol:Vault",
        chainId: world().chainId,
        address: vault(1).address,
        commit: deployedCommit,
        confirmPublish: true,
        waitSeconds: 0,
      })
      .then(undefined, () => undefined);
    const sent = JSON.stringify(service.received);
    assert.match(sent, /FEE_BASIS_POINTS = 25;/);
    assert.doesNotMatch(sent, /FEE_BASIS_POINTS = 52;/);
  });

  it("is shown before it is submitted, whatever was agreed to for the work tree", async () => {
    // Of a chain without a node nothing is known of what lies there.
    const [contract, chainId] = ["contracts/Vault.sol:Vault", "9958"];
    const text = await readFile(FILE, "utf8");
    const address = (digits: string) => `0x${digits.repeat(20)}`;
    const sentTo = (one: string) => service.received.filter(({ path }) => path.toLowerCase().endsWith(one));
    const verify = (of: object) =>
      Promise.resolve(
        vscode.commands.executeCommand("ledgerLens.verifyThis", { contract, chainId, ...of }),
      ).catch(() => undefined);
    const screen = watchScreen();
    try {
      await writeFile(FILE, `${text}// A note that was not meant to be published.\n`);
      const noted = commit("Take a note");
      await writeFile(FILE, text);
      commit("Take the note out");
      const [agreed, alike, ofCommit] = [address("a1"), address("a2"), address("a3")] as const;
      const first = verify({ address: agreed });
      await takeLine(screen, /Submit, and Do Not Ask Again$/, () => assert.equal(sentTo(agreed).length, 1));
      await first;
      const asked = screen.questions.length;
      await verify({ address: alike });
      assert.equal(sentTo(alike).length, 1, "the work tree goes without a question");
      assert.equal(screen.questions.length, asked);
      const done = verify({ address: ofCommit, commit: noted });
      await eventually(() => {
        assert.deepEqual(sentTo(ofCommit), [], "nothing is sent that was not shown");
        const { title, lines, isOpen } = screen.questions.at(-1) ?? {};
        assert.deepEqual([title, isOpen], ["Verify Vault", true]);
        assert.match(lines?.join("\n") ?? "", new RegExp(`commit ${noted.slice(0, 10)}`));
        assert.doesNotMatch(lines?.join("\n") ?? "", /Do Not Ask Again/);
      });
      await eventually(async () => {
        await press("hide");
        assert.equal(screen.questions.at(-1)?.isOpen, false);
      });
      await done;
      assert.deepEqual(sentTo(ofCommit), []);
    } finally {
      screen.stop();
      await vscode.commands.executeCommand("ledgerLens.askBeforePublishing", {});
      await writeFile(FILE, text);
    }
  });

  it("is compared with the workspace in the editor's own diff", async () => {
    const contract = "contracts/Vault.sol:Vault";
    const { chainId } = world();
    await vscode.commands.executeCommand("ledgerLens.showChangesSince", {
      contract,
      now: contract,
      chainId,
      address: vault(1).address,
      commit: deployedCommit,
    });
    await eventually(() => {
      const labels = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
      assert.match(labels.join("\n"), new RegExp(`Vault: ${deployedCommit.slice(0, 10)} ↔ workspace`));
    });
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });
});
