import * as vscode from "vscode";
import type { Parts } from "../../container.ts";
import { isInside, relativePath } from "../../core/files.ts";
import { contractsIn, isSourcePath, type DefinedContract } from "../../core/workspace/contracts.ts";
import { LedgerLensError } from "../../core/errors.ts";
import { pick, type Choice, type Step } from "../multiStep.ts";
import { workspaceFolders } from "../workspaceFiles.ts";

/** A contract as `path/to/File.sol:Name`, while a command asks for the rest. */
export interface ContractState {
  contract?: string | undefined;
}

/** Asks for the contract: those of the active editor first, then all of the workspace. */
export function contractStep({ workspace }: Parts): Step<ContractState> {
  return {
    isKnown: ({ contract }) => contract !== undefined,
    ask: async (state, frame) => {
      if (workspaceFolders().length === 0) {
        throw new LedgerLensError(
          "no_workspace",
          "No folder is open. Open the folder of your Solidity project, then verify a contract.",
        );
      }
      const active = vscode.window.activeTextEditor?.document;
      const isSolidity =
        active !== undefined &&
        isSourcePath(active.uri.path) &&
        workspaceFolders().some((folder) => isInside(active.uri.path, folder));
      const here =
        active && isSolidity ? contractsIn(active.uri.path, new TextEncoder().encode(active.getText())) : [];
      const all = await workspace.index.contracts();
      if (all.length === 0 && here.length === 0) {
        throw new LedgerLensError(
          "no_contracts",
          "There is no Solidity contract in the open folder. Open the folder of your project.",
        );
      }
      const known = new Set(here.map(keyOf));
      state.contract = await pick(frame, {
        placeholder: "Which contract?",
        choices: [
          ...separated("in the active editor", here),
          ...separated(
            "in the workspace",
            all.filter((contract) => !known.has(keyOf(contract))),
          ),
        ],
      });
    },
  };
}

function separated(label: string, contracts: readonly DefinedContract[]): Choice<string>[] {
  if (contracts.length === 0) return [];
  return [
    { label, kind: vscode.QuickPickItemKind.Separator },
    ...contracts.map((contract) => ({
      label: contract.name,
      description: vscode.workspace.asRelativePath(contract.path),
      value: keyOf(contract),
    })),
  ];
}

/** The reference that finds the contract again; absolute where several folders are open. */
function keyOf({ path, name }: DefinedContract): string {
  const folders = workspaceFolders();
  const [only] = folders;
  const shown = folders.length === 1 && only ? (relativePath(path, only) ?? path) : path;
  return `${shown}:${name}`;
}
