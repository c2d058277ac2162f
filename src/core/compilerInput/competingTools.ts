import { LedgerLensError } from "../errors.ts";
import { relativePath } from "../files/fileReader.ts";
import type { CompilerInput } from "../sources/standardJsonInput.ts";
import { recorderNamed } from "../tools/tool.ts";
import { decided, furthest, type Candidate } from "./competingInputs.ts";
import type { SolidityTool } from "./toolChoice.ts";
import { inputBy, orFailure, type InputContext } from "./toolInput.ts";

/** Of several tools that compile a contract the one that the deployment shows; else the first, which is told. */
export async function inputByOneOf(
  tools: readonly SolidityTool[],
  context: InputContext,
): Promise<CompilerInput> {
  const { contract, project, options } = context;
  const deployer = options.deployment && recorderNamed(options.deployment.recordedBy)?.tool;
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
    throw furthest(failures) ?? new LedgerLensError("no_compiler", `No tool compiles ${contract.path}.`);
  const both = `Both ${first.title} and ${others[0]?.title ?? ""} compile ${relativePath(contract.path, project.root) ?? contract.path}`;
  return decided([first, ...others], options, {
    code: "two_tools",
    path: contract.path,
    both,
    undecided: `${both}, there is no build of either, and`,
    advice: "Build with the tool that deployed it.",
  }).input;
}
