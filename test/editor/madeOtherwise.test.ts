import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Explanation } from "../../src/core/matching/explanation.ts";
import { eventually } from "../rig/eventually.ts";
import { pressUntil } from "./pressing.ts";
import { watchScreen } from "./shownQuestions.ts";
import { proofSize } from "../rig/proofSize.ts";
import { longIt } from "../rig/longWindowTest.ts";
import { world, type VaultMadeOtherwise } from "./world.ts";
import { withCompiler } from "./workspaceCompiler.ts";

interface Answer {
  readonly verificationId: string;
  readonly status: string;
  readonly explanation?: Explanation;
}

/** What a code lens hands to its command. */
interface Row {
  readonly row: {
    readonly record?: {
      readonly id: string;
      readonly address?: string;
      readonly explanation?: Explanation;
    };
  };
}

const FILE = "contracts/Vault.sol";
const CONTRACT = `${FILE}:Vault`;

const FOLDER = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "/";

/** What is copied of found settings. */
interface Copied {
  readonly compilerVersion: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly sourceNames?: Readonly<Record<string, string>>;
}

/** What a search for settings answers. */
interface Found {
  readonly found?: {
    readonly verdict: string;
    readonly settings: { readonly remappings: readonly string[] };
    readonly sourceNames?: Readonly<Record<string, string>>;
  };
}

/** Under it forge compiles the sample as solc alone does. */
const PLAIN_CONFIGURATION = `[profile.default]
src = "contracts"
libs = ["node_modules"]
solc = "0.8.37"
auto_detect_remappings = false
`;

/** So many kinds of other settings are tried. */
const KINDS = proofSize({ sample: 2, whole: Infinity });

/** How often a button is pressed before it counts as going on for ever. */
const MAX_PRESSES = 5;

describe("Vaults that were not deployed as the workspace says", () => {
  const { chainId, otherwise, service } = world();

  for (const [at, one] of otherwise.entries())
    (at < KINDS ? it : longIt)(`are explained and verified when they were compiled ${one.kind}`, async () => {
      const { prediction } = await vscode.commands.executeCommand<{ prediction: string }>(
        "ledgerLens.predictMatch",
        { contract: CONTRACT, chainId, address: one.address },
      );
      assert.ok(["mismatch", "unknown"].includes(prediction), prediction);
      const failed = await vscode.commands.executeCommand<Answer>("ledgerLens.verifyContract", {
        contract: CONTRACT,
        chainId,
        address: one.address,
        confirmPublish: true,
      });
      assert.equal(failed.status, "failed");
      const [first] = failed.explanation?.causes ?? [];
      assert.ok(first && one.causes.includes(first.code), JSON.stringify(failed.explanation));
      const pressed = await pressToTheEnd(one);
      console.log(`${one.kind}: ${pressed.join(" → ")}`);
      assert.equal(new Set(pressed).size, pressed.length, pressed.join(" → "));
      assert.equal(await matchOf(one), one.match ?? "exact_match", pressed.join(" → "));
    });

  longIt(
    "are verified by one button where three settings differ, once these were found by compiling",
    async () => {
      const [address] = world().searched;
      const place = { contract: CONTRACT, chainId, address };
      const failed = await vscode.commands.executeCommand<Answer>("ledgerLens.verifyContract", {
        ...place,
        confirmPublish: true,
      });
      assert.equal(failed.status, "failed");
      await withCompiler(FOLDER, async () => {
        const { row } = await rowOf({ address });
        // What the row of a failed job offers.
        await vscode.commands.executeCommand("ledgerLens.findSettingsOfRow", { row });
      });
      const { row } = await rowOf({ address });
      const [first] = row.record?.explanation?.causes ?? [];
      assert.match(first?.evidence ?? "", /; proven by compiling: exact match \(\d+ tried, /);
      assert.equal(first?.action?.label, "Submit With These Settings");
      await vscode.commands.executeCommand("ledgerLens.takeCauseAction", {
        row: { ...row, action: first.action },
      });
      assert.equal(await matchOf({ address }), "exact_match");
    },
  );

  it("are offered in the message to be copied, written into a plain configuration and submitted", async () => {
    const [, address] = world().searched;
    const configuration = join(FOLDER, "foundry.toml");
    const screen = watchScreen();
    const found = /^Vault: exact match with .*proven by compiling/;
    const findThem = () =>
      vscode.commands.executeCommand("ledgerLens.findSettings", { contract: CONTRACT, chainId, address });
    try {
      await withCompiler(FOLDER, async () => {
        await findThem();
        await eventually(() =>
          assert.deepEqual(screen.buttonsOf(found), ["Submit With These Settings", "Copy Settings"]),
        );
        screen.pressButton(found, "Copy Settings");
        const copied = await eventually(
          async () => JSON.parse(await vscode.env.clipboard.readText()) as Copied,
        );
        assert.equal(copied.compilerVersion, "0.8.37+commit.f401782d");
        const { viaIR, evmVersion, optimizer } = copied.settings;
        assert.deepEqual(
          { viaIR, evmVersion, optimizer },
          { viaIR: true, evmVersion: "paris", optimizer: { enabled: true, runs: 4_444 } },
        );

        const text = `${PLAIN_CONFIGURATION}optimizer = false\noptimizer_runs = 200 # the usual\n`;
        await writeFile(configuration, text);
        await eventually(async () => {
          await findThem();
          assert.equal(screen.buttonsOf(found)[1], "Write Into Configuration");
        });
        screen.pressButton(found, "Write Into Configuration");
        const question = /^Write the found settings into foundry\.toml\?$/;
        await eventually(() => assert.deepEqual(screen.buttonsOf(question), ["Write"]));
        const labels = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
        assert.match(labels.join("\n"), /foundry\.toml: now ↔ with the found settings/);
        assert.equal(await readFile(configuration, "utf8"), text);
        screen.pressButton(question, "Write");
        await eventually(async () => {
          const written = await readFile(configuration, "utf8");
          assert.match(written, /^optimizer_runs = 4444 # the usual$/m);
          for (const line of ["via_ir = true", 'evm_version = "paris"', "optimizer = true"])
            assert.ok(written.split("\n").includes(line), written);
        });
        await rm(configuration);
        await vscode.commands.executeCommand("workbench.action.closeAllEditors");

        await findThem();
        await eventually(() => assert.equal(screen.buttonsOf(found)[1], "Copy Settings"));
        screen.pressButton(found, "Submit With These Settings");
        const review = () => screen.questions.findLast(({ isOpen }) => isOpen)?.lines.join("\n") ?? "";
        await eventually(() => {
          assert.match(review(), /Exact match expected/);
          assert.match(review(), /Optimizer \| on, 4,444 runs|Optimizer.*4,?444/);
        });
        assert.equal(await matchOf({ address }), null);
        await pressUntil(["accept"], () => assert.equal(review(), ""));
        await eventually(async () => assert.equal(await matchOf({ address }), "exact_match"));
        // The service knows it before the editor has asked again.
        await eventually(() =>
          assert.match(
            screen.messages.at(-1) ?? "",
            /^Vault at 0x\S+ on Local chain is verified: exact match\.$/,
          ),
        );
      });
    } finally {
      screen.stop();
      await rm(configuration, { force: true });
    }
  });

  it("is verified by the names that its files had before the project moved, shown before they go", async () => {
    const { moved: address } = world();
    const screen = watchScreen();
    const findThem = () =>
      vscode.commands.executeCommand<Found>("ledgerLens.findSettings", {
        contract: CONTRACT,
        chainId,
        address,
      });
    const found = /^Vault: exact match with .*source names as Foundry writes them, src\/Vault\.sol/;
    try {
      await withCompiler(FOLDER, async () => {
        const answer = await findThem();
        assert.equal(answer.found?.verdict, "exact_match", JSON.stringify(answer));
        assert.equal(answer.found.sourceNames?.[FILE], "src/Vault.sol");
        assert.deepEqual([...answer.found.settings.remappings].sort(), [
          "@openzeppelin/=node_modules/@openzeppelin/",
          "@oz/=node_modules/@openzeppelin/contracts/",
        ]);
        await eventually(() =>
          assert.deepEqual(screen.buttonsOf(found), ["Submit With These Settings", "Copy Settings"]),
        );
        await vscode.env.clipboard.writeText("");
        screen.pressButton(found, "Copy Settings");
        const copied = await eventually(
          async () => JSON.parse(await vscode.env.clipboard.readText()) as Copied,
        );
        assert.deepEqual(copied.settings["remappings"], answer.found.settings.remappings);
        assert.deepEqual(copied.sourceNames, answer.found.sourceNames);

        // The message went with its button.
        await findThem();
        await eventually(() => assert.equal(screen.buttonsOf(found)[0], "Submit With These Settings"));
        screen.pressButton(found, "Submit With These Settings");
        const review = () => screen.questions.findLast(({ isOpen }) => isOpen)?.lines.join("\n") ?? "";
        await eventually(() => assert.match(review(), /Exact match expected/));
        assert.match(review(), /Source names \| src\/Vault\.sol/);
        assert.equal(await matchOf({ address }), null);
        await pressUntil(["accept"], () => assert.equal(review(), ""));
        await eventually(async () => assert.equal(await matchOf({ address }), "exact_match"));
        await eventually(() =>
          assert.match(
            screen.messages.at(-1) ?? "",
            /^Vault at 0x\S+ on Local chain is verified: exact match\.$/,
          ),
        );
      });
    } finally {
      screen.stop();
    }
  });

  /** Presses the first cause's button until the service has the contract. */
  async function pressToTheEnd(one: VaultMadeOtherwise): Promise<string[]> {
    const labels: string[] = [];
    let last = "";
    while (labels.length < MAX_PRESSES) {
      const row = await eventually(async () => {
        if ((await matchOf(one)) !== null) return undefined;
        const found = await rowOf(one);
        assert.notEqual(found.row.record?.id, last);
        assert.ok(found.row.record?.explanation);
        return found;
      });
      const action = row?.row.record?.explanation?.causes[0]?.action;
      if (!row || action?.kind !== "resubmit") return labels;
      last = row.row.record?.id ?? "";
      labels.push(action.label);
      await vscode.commands.executeCommand("ledgerLens.takeCauseAction", { row: { ...row.row, action } });
    }
    return labels;
  }

  /** The row that the lens over the contract shows, of the last job. */
  async function rowOf({ address }: Pick<VaultMadeOtherwise, "address">): Promise<Row> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/");
    const file = vscode.Uri.joinPath(folder, FILE);
    await vscode.workspace.openTextDocument(file);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      "vscode.executeCodeLensProvider",
      file,
      10,
    );
    // Other lenses have arguments of other shapes.
    const rows = lenses.flatMap(({ command }) => (command?.arguments ?? []) as (Partial<Row> | undefined)[]);
    const found = rows.find(
      (one): one is Row => one?.row?.record?.address?.toLowerCase() === address.toLowerCase(),
    );
    assert.ok(found, JSON.stringify(lenses.map(({ command }) => command?.title)));
    return found;
  }

  async function matchOf({ address }: Pick<VaultMadeOtherwise, "address">): Promise<string | null> {
    const answer = await fetch(`${service}/v2/contract/${chainId}/${address}`);
    return ((await answer.json()) as { match: string | null }).match;
  }
});
