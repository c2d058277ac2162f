import * as vscode from "vscode";
import { failureOf } from "../../core/ledger/actions/actionFailure.ts";
import type { ActionNames } from "../../core/ledger/actions/actionNames.ts";
import type { ContractAction } from "../../core/ledger/actions/contractAction.ts";
import type { ProjectCode, RevertCause } from "../../core/languages/reverted.ts";
import type { DefinitionPlace } from "../../core/text/definitionPlace.ts";
import { openDefinition } from "../ui/openDefinition.ts";
import { uriOf, workspaceFolderReader, workspaceFolders } from "../workspaceFiles.ts";

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
  const called = names?.call?.place;
  const cause = causeOf(action, names);
  if (!called || !cause) return undefined;
  const { rulesOfPath } = await import("../../core/workspace/contracts.ts");
  const find = rulesOfPath(called.path)?.revertStatement;
  return find?.({ called, contract: names.contract?.place }, cause, await workspaceCode());
}

function causeOf(action: ContractAction, names: ActionNames | undefined): RevertCause | undefined {
  if (names?.error) {
    const { name, values, isMalformed } = names.error;
    return isMalformed ? undefined : { kind: "error", name, types: values.map(({ type }) => type) };
  }
  const failure = failureOf(action);
  if (failure?.kind === "panic") return { kind: "panic", code: Number(failure.reason) };
  return failure?.kind === "error_string" ? { kind: "reason", reason: failure.reason } : undefined;
}

/** The files of the open folders, and where their imports lead. */
async function workspaceCode(): Promise<ProjectCode> {
  const { ImportedFiles } = await import("../../core/workspace/importedFiles.ts");
  const { rulesOfPath } = await import("../../core/workspace/contracts.ts");
  const imports = new ImportedFiles(workspaceFolderReader, workspaceFolders);
  const texts = new Map<string, Promise<string | undefined>>();
  const read = (path: string): Promise<string | undefined> => {
    const known = texts.get(path) ?? textOf(path);
    texts.set(path, known);
    return known;
  };
  const exists = async (path: string) => (await read(path)) !== undefined;
  return {
    read,
    resolve: async (importPath, importer) => {
      for (const path of rulesOfPath(importer)?.importedPaths?.(importPath) ?? [importPath]) {
        const found = await imports.resolve(path, importer, exists);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

/** A text as the editor has it, where it is open. */
async function textOf(path: string): Promise<string | undefined> {
  const uri = String(uriOf(path));
  const open = vscode.workspace.textDocuments.find((document) => String(document.uri) === uri);
  if (open) return open.getText();
  const bytes = await workspaceFolderReader.read(path).catch(() => undefined);
  return bytes && new TextDecoder().decode(bytes);
}
