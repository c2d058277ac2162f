import type { Uri } from "vscode";
import type { ShownText } from "../../core/text/shownText.ts";
import { askSteps } from "../ui/multiStep.ts";
import type { CommandArguments } from "../ui/commands.ts";
import { contractStep, type ContractParts, type ContractState } from "./contractStep.ts";
import type { PartialDeployment } from "./deploymentSteps.ts";

/**
 * What is known where a command is chosen in the menu of a file: its contract, and where a record says that it was
 * deployed. A person is asked only where the file leaves a choice.
 *
 * @param args what is known without a file
 * @throws LedgerLensError `no_contracts` for a file that is of no contract of the workspace
 */
export async function contractOfFile(
  parts: ContractParts,
  title: ShownText,
  args: CommandArguments,
  file: Uri | undefined,
): Promise<CommandArguments> {
  if (!file) return args;
  const state: ContractState & PartialDeployment = {};
  await askSteps(title, state, [contractStep(parts, { offersDeployments: true, file: file.path })]);
  return { ...state };
}
