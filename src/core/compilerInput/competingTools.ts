import { LedgerLensError } from "../errors.ts";
import { relativePath } from "../files/fileReader.ts";
import type { BuildTool } from "../tools/toolShape.ts";
import { recorderNamed } from "../tools/tool.ts";
import type { SolidityTool } from "./toolChoice.ts";
import { UnresolvedImportError } from "../languages/solidity/solidityClosure.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import { compareMarks, marksAgainst } from "./deploymentMarks.ts";
import type { CompilerInput } from "../sources/standardJsonInput.ts";
import { inputBy, orFailure, type InputContext } from "./toolInput.ts";
import { proposalInWords } from "./unknownConfiguration.ts";

interface Candidate {
  readonly tool: BuildTool;
  readonly input: CompilerInput;
}

/** Of several tools that compile a contract the one that the deployment shows; else the first, which is told. */
export async function inputByOneOf(
  tools: readonly SolidityTool[],
  context: InputContext,
): Promise<CompilerInput> {
  const { contract, project, options } = context;
  const candidates: Candidate[] = [];
  const failures: LedgerLensError[] = [];
  for (const tool of tools) {
    const input = await orFailure(inputBy(tool, context));
    if (input instanceof LedgerLensError) failures.push(input);
    else candidates.push({ tool: tool.tool, input });
  }
  const [first, second] = candidates;
  if (!first)
    throw furthest(failures) ?? new LedgerLensError("no_compiler", `No tool compiles ${contract.path}.`);
  if (!second || candidates.every(({ input }) => isSameCompilation(input, first.input))) return first.input;
  const told = (chosen: Candidate, severity: InputFinding["severity"], sentence: string): CompilerInput => ({
    ...chosen.input,
    findings: [{ code: "two_tools", severity, sentence, path: contract.path }, ...chosen.input.findings],
  });
  const both = `Both ${first.tool.title} and ${second.tool.title} compile ${relativePath(contract.path, project.root) ?? contract.path}`;
  const deployer = options.deployment && recorderNamed(options.deployment.recordedBy)?.tool;
  const deployed = candidates.find(({ tool }) => tool === deployer);
  if (deployed)
    return told(deployed, "note", `${both}; ${deployed.tool.title} deployed it, so its settings are taken.`);
  const judged = candidates
    .map((candidate) => ({ candidate, marks: marksAgainst(candidate.input, options) }))
    .sort((a, b) => compareMarks(a.marks, b.marks));
  const [best, next] = judged;
  if (best && next && compareMarks(best.marks, next.marks) < 0)
    return told(
      best.candidate,
      "note",
      `${both}; the deployed code fits ${best.candidate.tool.title}'s settings (${settingsInWords(best.candidate)}) better than ${next.candidate.tool.title}'s (${settingsInWords(next.candidate)}).`,
    );
  return told(
    first,
    "warning",
    `${both}, there is no build of either, and nothing that is known of the deployment tells them apart; ${first.tool.title}'s settings are taken (${settingsInWords(first)}), ${second.tool.title}'s are ${settingsInWords(second)}. Build with the tool that deployed it.`,
  );
}

/** Of why several tools give no input, the failure of the one that found the most of what is imported. */
export function furthest(failures: readonly LedgerLensError[]): LedgerLensError | undefined {
  const missing = (failure: LedgerLensError) =>
    failure instanceof UnresolvedImportError ? failure.imports.length : 0;
  return failures.toSorted((a, b) => missing(a) - missing(b))[0];
}

function settingsInWords({ tool, input }: Candidate): string {
  const { compilerVersion, stdJsonInput } = input;
  return proposalInWords({ from: tool.name, compilerVersion, settings: stdJsonInput.settings });
}

/** True when two inputs give the same code, under any names of the files. */
function isSameCompilation(a: CompilerInput, b: CompilerInput): boolean {
  const plain = ({ compilerVersion, stdJsonInput: { settings, sources } }: CompilerInput) =>
    JSON.stringify([compilerVersion, ordered({ ...settings, outputSelection: undefined }), ordered(sources)]);
  return plain(a) === plain(b);
}

/** The value with the fields of its objects in the order of the alphabet. */
function ordered(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, ordered(item)]),
  );
}
