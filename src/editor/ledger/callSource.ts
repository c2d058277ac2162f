import * as vscode from "vscode";
import { failureOf } from "../../core/ledger/actions/actionFailure.ts";
import type { ActionNames } from "../../core/ledger/actions/actionNames.ts";
import type { ContractAction } from "../../core/ledger/actions/contractAction.ts";
import { revertStatement, type RevertCause } from "../../core/languages/solidity/revertStatement.ts";
import type { DefinitionPlace } from "../../core/text/definitionPlace.ts";
import { openDefinition } from "../ui/openDefinition.ts";
import { uriOf } from "../workspaceFiles.ts";

/**
 * Opens the workspace's source of a call: of the one where a failure began the statement that reverted, where it can be
 * found, else the error; of any other the function.
 *
 * @returns false where the workspace has no source of it
 */
export async function openCallSource(
  action: ContractAction,
  names: ActionNames | undefined,
  { isOrigin }: { readonly isOrigin: boolean },
): Promise<boolean> {
  const called = names?.call?.place ?? names?.contract?.place;
  const reverted = isOrigin ? ((await statementOf(action, names)) ?? names?.error?.place) : undefined;
  const place = reverted ?? called ?? names?.error?.place;
  if (place) await openDefinition(place);
  return place !== undefined;
}

async function statementOf(
  action: ContractAction,
  names: ActionNames | undefined,
): Promise<DefinitionPlace | undefined> {
  const place = names?.call?.place;
  const cause = causeOf(action, names);
  if (!place || !cause) return undefined;
  const document = await vscode.workspace.openTextDocument(uriOf(place.path));
  return revertStatement(document.getText(), place, cause);
}

function causeOf(action: ContractAction, names: ActionNames | undefined): RevertCause | undefined {
  if (names?.error) return { error: names.error.name };
  const failure = failureOf(action);
  return failure?.kind === "error_string" ? { reason: failure.reason } : undefined;
}
