import { t } from "@vscode/l10n";
import type { AdmittedSources } from "../sources/admittedSources.ts";
import type { FolderReader } from "../files/folderReader.ts";
import type { Project } from "../tools/project.ts";
import { furthest, isSameCompilation } from "./competingInputs.ts";
import { deployerOf, inputByOneOf, severalCompile } from "./competingTools.ts";
import type { ContractInputOptions } from "./contractInputOptions.ts";
import type { OpenedContract } from "../sources/contractReference.ts";
import { computedFindings, type InputFinding } from "../sources/inputFinding.ts";
import { plainFolderInput } from "../tools/plain/plainFolder.ts";
import { shapedSettings } from "../languages/settingsShape.ts";
import { SOLC_SETTINGS } from "../languages/solidity/solcSettingsShape.ts";
import type { CompilerInput } from "../sources/standardJsonInput.ts";
import { toolsFor, type SolidityTool } from "./toolChoice.ts";
import { inputBy, orFailure, type InputContext } from "./toolInput.ts";
import { marksAgainst } from "./deploymentMarks.ts";
import { LedgerLensError } from "../errors.ts";
import { lastSegment, relativePath } from "../files/fileReader.ts";
import type { BuildTool } from "../tools/toolShape.ts";
import { settingsInWords, UnknownConfigurationError } from "./unknownConfiguration.ts";

/**
 * What the project's configuration and the imports come to. Where several tools compile the file, each one's input is
 * made, and what is known of the deployment decides between them.
 *
 * @throws UnknownConfigurationError, and what `contractInput` throws
 */
export async function derivedInput(
  files: FolderReader,
  project: Project,
  sources: AdmittedSources,
  contract: OpenedContract,
  options: ContractInputOptions,
): Promise<CompilerInput> {
  const context = { files, project, sources, contract, options };
  const { tools, gaveWay } = await toolsFor(files, project, sources, contract.path, options.profile);
  const compiling = [...tools, ...gaveWay].map((one) => one.tool);
  const input = await inputByTools(tools, gaveWay, context);
  const deployer = deployerOf(options);
  return deployer === undefined || compiling.includes(deployer)
    ? input
    : { ...input, findings: [await deployerFinding(deployer, input, context), ...input.findings] };
}

/**
 * What the tools that may compile a file come to; without any what a plain folder comes to.
 *
 * @param gaveWay the tools that compile the file, too, and compute how
 */
async function inputByTools(
  tools: readonly SolidityTool[],
  gaveWay: readonly SolidityTool[],
  context: InputContext,
): Promise<CompilerInput> {
  const { options } = context;
  const deployer = deployerOf(options);
  if (tools.length === 0) return plainInput(context);
  const open = gaveWay.find((one) => one.tool === deployer) ?? gaveWay[0];
  const made = inputByOneOf(tools, context);
  if (open === undefined) return (await made).input;
  const best = await orFailure(made);
  if (best instanceof LedgerLensError) {
    if (tools.some((one) => one.tool === deployer)) throw best;
    const other = await orFailure(inputBy(open, context));
    if (!(other instanceof LedgerLensError)) return other;
    throw furthest([other, best]) ?? best;
  }
  const { title, input } = best;
  // What was deployed was hardly made so; then the tool made it whose configuration has to be asked for.
  const [, contradictions, doubts] = marksAgainst(input, options);
  if (contradictions + doubts > 0 || deployer === open.tool) return inputBy(open, context);
  if (tools.some((one) => one.tool === deployer)) return input;
  const other = await orFailure(inputBy(open, context));
  const isOther =
    other instanceof LedgerLensError
      ? other instanceof UnknownConfigurationError
      : !isSameCompilation(input, other);
  return isOther
    ? { ...input, findings: [gaveWayFinding(title, open, input, context), ...input.findings] }
    : input;
}

/** That the tool that deployed the contract is none whose settings are taken. */
async function deployerFinding(
  deployer: BuildTool,
  input: CompilerInput,
  { contract, project, options }: InputContext,
): Promise<InputFinding> {
  const { title } = deployer;
  const path = relativePath(contract.path, project.root) ?? contract.path;
  const taken = settingsInWords(input);
  const isRead = (await deployer.rules()).solidity !== undefined;
  return {
    code: "two_tools",
    severity: options.deployedSigns ? "note" : "warning",
    sentence: isRead
      ? t`${title} deployed ${contract.contractName}, and its configuration here says nothing of how ${path} is compiled; taken are ${taken}. Give the compiler version and ledgerLens.compilerSettings if the deployment has others.`
      : t`${title} deployed ${contract.contractName}, and its settings for ${path} are not read; taken are ${taken}. Give the compiler version and ledgerLens.compilerSettings if the deployment has others.`,
    path: contract.path,
  };
}

/** That another tool compiles the contract too, whose settings nothing says. */
function gaveWayFinding(
  taken: string,
  open: SolidityTool,
  input: CompilerInput,
  context: InputContext,
): InputFinding {
  const { contract, options } = context;
  const { title } = open.tool;
  const both = severalCompile([taken, title], context);
  const computed = t`${lastSegment(open.place.configuration ?? title)} computes its settings`;
  const isChecked = options.deployedSigns !== undefined;
  const checked = isChecked ? t`, and nothing in the deployed code speaks against them` : "";
  return {
    code: "two_tools",
    severity: isChecked ? "note" : "warning",
    sentence: t`${both}, and ${computed}; ${taken}'s are taken (${settingsInWords(input)})${checked}. Build with ${title} if it deployed the contract.`,
    path: contract.path,
  };
}

async function plainInput({ files, sources, contract, options }: InputContext): Promise<CompilerInput> {
  const { settings, problems } = shapedSettings(
    options.defaultSettings ?? {},
    "ledgerLens.compilerSettings",
    SOLC_SETTINGS,
  );
  const plain = await plainFolderInput(files, sources, contract, {
    compilerVersion: options.compilerVersion,
    settings: { ...settings, ...options.settings },
    deployedCompilerVersion: options.deployedCompilerVersion,
    releases: options.releases?.solc,
  });
  return { ...plain, findings: [...computedFindings(problems), ...plain.findings] };
}
