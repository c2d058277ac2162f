import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";
import { relativePath } from "../files/fileReader.ts";
import { listed } from "../text/counted.ts";
import type { BuildTool } from "../tools/toolShape.ts";
import { decided, furthest, type Candidate } from "./competingInputs.ts";
import type { SolidityTool } from "./toolChoice.ts";
import { deployedBy, type ContractInputOptions } from "./contractInputOptions.ts";
import { inputBy, orFailure, type InputContext } from "./toolInput.ts";

/** The tool that recorded the deployment. */
export function deployerOf(options: ContractInputOptions): BuildTool | undefined {
  return deployedBy(options)?.tool;
}

/** That several tools compile a contract, without a full stop. */
export function severalCompile(
  titles: readonly string[],
  { contract, project }: Pick<InputContext, "contract" | "project">,
): string {
  const path = relativePath(contract.path, project.root) ?? contract.path;
  const [first, second, third] = titles;
  return third === undefined
    ? t`Both ${first ?? ""} and ${second ?? ""} compile ${path}`
    : t`${listed(titles)} compile ${path}`;
}

/**
 * Of several tools that compile a contract the one that the deployment shows; else the first, which is told.
 *
 * @throws why the tool that deployed it can't compile it as it is configured now, and what `contractInput` throws
 */
export async function inputByOneOf(
  tools: readonly SolidityTool[],
  context: InputContext,
): Promise<Candidate> {
  const { contract, options } = context;
  const deployer = deployerOf(options);
  const candidates: Candidate[] = [];
  const failures: LedgerLensError[] = [];
  for (const tool of tools) {
    const input = await orFailure(inputBy(tool, context));
    const { title } = tool.tool;
    if (input instanceof LedgerLensError) {
      // What another tool makes of it is not what was deployed.
      if (tool.tool === deployer) throw input;
      failures.push(input);
    } else candidates.push({ title, input, isDeployer: tool.tool === deployer });
  }
  const [first, ...others] = candidates;
  if (!first)
    throw furthest(failures) ?? new LedgerLensError("no_compiler", t`No tool compiles ${contract.path}.`);
  const both = severalCompile(
    candidates.map(({ title }) => title),
    context,
  );
  return decided([first, ...others], options, {
    code: "two_tools",
    path: contract.path,
    both,
    undecided: t`${both}, there is no build of either, and`,
    advice: t`Build with the tool that deployed it.`,
  });
}
