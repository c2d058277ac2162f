import assert from "node:assert/strict";
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
  async function rowOf({ address }: VaultMadeOtherwise): Promise<Row> {
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

  async function matchOf({ address }: VaultMadeOtherwise): Promise<string | null> {
    const answer = await fetch(`${service}/v2/contract/${chainId}/${address}`);
    return ((await answer.json()) as { match: string | null }).match;
  }
});
