import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";
import { relativePath } from "../files/fileReader.ts";
import type { CompilerInput } from "../sources/standardJsonInput.ts";
import { recorderNamed } from "../tools/tool.ts";
import type { BuildTool } from "../tools/toolShape.ts";
import { decided, furthest, type Candidate } from "./competingInputs.ts";
import type { SolidityTool } from "./toolChoice.ts";
import type { ContractInputOptions } from "./contractInputOptions.ts";
import { inputBy, orFailure, type InputContext } from "./toolInput.ts";

/** The tool that recorded the deployment. */
export function deployerOf({ deployment }: ContractInputOptions): BuildTool | undefined {
  return deployment && recorderNamed(deployment.recordedBy)?.tool;
}

/** That two tools compile a contract, without a full stop. */
export function bothCompile(
  title: string,
  other: string,
  { contract, project }: Pick<InputContext, "contract" | "project">,
): string {
  return t`Both ${title} and ${other} compile ${relativePath(contract.path, project.root) ?? contract.path}`;
}

/** Of several tools that compile a contract the one that the deployment shows; else the first, which is told. */
export async function inputByOneOf(
  tools: readonly SolidityTool[],
  context: InputContext,
): Promise<CompilerInput> {
  const { contract, options } = context;
  const deployer = deployerOf(options);
  const candidates: Candidate[] = [];
  const failures: LedgerLensError[] = [];
  for (const tool of tools) {
    const input = await orFailure(inputBy(tool, context));
    const { title } = tool.tool;
    if (input instanceof LedgerLensError) failures.push(input);
    else candidates.push({ title, input, isDeployer: tool.tool === deployer });
  }
  const [first, ...others] = candidates;
  if (!first)
    throw furthest(failures) ?? new LedgerLensError("no_compiler", t`No tool compiles ${contract.path}.`);
  const both = bothCompile(first.title, others[0]?.title ?? "", context);
  return decided([first, ...others], options, {
    code: "two_tools",
    path: contract.path,
    both,
    undecided: t`${both}, there is no build of either, and`,
    advice: t`Build with the tool that deployed it.`,
  }).input;
}
