import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { CompilerInput } from "../../core/sources/standardJsonInput.ts";
import { LedgerLensError } from "../../core/errors.ts";
import { askSteps } from "../ui/multiStep.ts";
import { askWhereToSave, saveFile } from "../ui/saveFile.ts";
import { optionalText } from "../ui/arguments.ts";
import { compilerInputOf } from "./compilerInputOf.ts";
import type { PartialDeployment } from "./deploymentSteps.ts";
import { contractStep, type ContractParts, type ContractState } from "./contractStep.ts";
import { shown } from "../../core/text/shownText.ts";
import type { CompilerParts } from "./verificationParts.ts";

/** What `ledgerLens.exportCompilerInput` answers. */
export type ExportedInput = Pick<
  CompilerInput,
  "compilerVersion" | "contractIdentifier" | "stdJsonInput" | "source"
>;

/**
 * `ledgerLens.exportCompilerInput` `{contract, compilerVersion?, destination?}`: the standard JSON input of a
 * contract, written to `destination` where that is given. A person is asked where to save it.
 */
export async function exportCompilerInput(
  parts: CompilerParts & ContractParts,
  args: Readonly<Record<string, unknown>>,
): Promise<ExportedInput> {
  const state: ContractState & PartialDeployment = { contract: optionalText(args, "contract") };
  const compilerVersion = optionalText(args, "compilerVersion");
  const destination = optionalText(args, "destination");
  const asks = state.contract === undefined;
  await askSteps(shown`Export Compiler Input`, state, [contractStep(parts)]);
  const input = await compilerInputOf(
    parts,
    state.contract ?? "",
    { compilerVersion },
    shown`Export Compiler Input`,
  );
  // What the build tool itself compiled, to the byte, and not only the part that a submission needs.
  const { stdJsonInput } = input.wholeBuild ?? input;
  const target =
    destination === undefined
      ? asks
        ? await askWhereToSave(shown`Export Compiler Input`, `${input.contractName}.input.json`, [
            shown`Standard JSON input`,
            "json",
          ])
        : undefined
      : absolute(destination);
  if (target) {
    await saveFile(target, `${JSON.stringify(stdJsonInput, null, 2)}\n`);
    if (asks) await vscode.window.showTextDocument(target);
  }
  const { contractIdentifier, source } = input;
  return { compilerVersion: input.compilerVersion, contractIdentifier, stdJsonInput, source };
}

function absolute(destination: string): vscode.Uri {
  if (/^(?:\/|[A-Za-z]:[\\/])/.test(destination)) return vscode.Uri.file(destination);
  throw new LedgerLensError(
    "invalid_argument",
    t`The destination ${destination} is not an absolute path. Give the whole path.`,
  );
}
