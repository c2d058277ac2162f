import assert from "node:assert/strict";
import { mkdir, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import type { Explanation } from "../../src/core/matching/explanation.ts";
import { eventually } from "../rig/eventually.ts";
import { world, type VaultMadeOtherwise } from "./world.ts";

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

/** How often a button is pressed before it counts as going on for ever. */
const MAX_PRESSES = 5;

describe("Vaults that were not deployed as the workspace says", () => {
  const { chainId, otherwise, service } = world();

  for (const one of otherwise)
    it(`are explained and verified when they were compiled ${one.kind}`, async () => {
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

  it("are verified by one button where three settings differ, once these were found by compiling", async () => {
    const address = world().searched;
    const place = { contract: CONTRACT, chainId, address };
    const failed = await vscode.commands.executeCommand<Answer>("ledgerLens.verifyContract", {
      ...place,
      confirmPublish: true,
    });
    assert.equal(failed.status, "failed");
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "/";
    const installed = join(folder, "node_modules/solc/soljson.js");
    await mkdir(dirname(installed), { recursive: true });
    await symlink(world().compiler, installed);
    try {
      const { row } = await rowOf({ address });
      // What the row of a failed job offers.
      await vscode.commands.executeCommand("ledgerLens.findSettingsOfRow", { row });
    } finally {
      await rm(dirname(installed), { recursive: true, force: true });
    }
    const { row } = await rowOf({ address });
    const [first] = row.record?.explanation?.causes ?? [];
    assert.match(first?.evidence ?? "", /; proven by compiling: exact match \(\d+ tried, /);
    assert.equal(first?.action?.label, "Submit With These Settings");
    await vscode.commands.executeCommand("ledgerLens.takeCauseAction", {
      row: { ...row, action: first.action },
    });
    assert.equal(await matchOf({ address }), "exact_match");
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
