import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";
import { isInside, parentFolder, relativePath } from "../files/fileReader.ts";
import { LANGUAGES } from "../languages/language.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import type { CompilerInput } from "../sources/standardJsonInput.ts";
import type { BuildTool } from "../tools/toolShape.ts";
import { isSameCompilation } from "./competingInputs.ts";
import { mayBeFrom } from "./contractInputOptions.ts";
import { deployerOf } from "./competingTools.ts";
import { compareMarks, marksAgainst } from "./deploymentMarks.ts";
import { derivedInput } from "./derivedInput.ts";
import { fromMetadata, inputOfMetadata, keptRecord } from "./metadataBuild.ts";
import { severalBuilds } from "./severalBuilds.ts";
import { solidityTools, toolsFor, type SolidityTool } from "./toolChoice.ts";
import { orFailure, type InputContext } from "./toolInput.ts";
import { settingsInWords, UnknownConfigurationError } from "./unknownConfiguration.ts";

/** A build of a contract, of which it is asked whether it is what was deployed. */
export interface Build {
  readonly input: CompilerInput;
  /** The metadata that the tool wrote, where it is known. */
  readonly metadata: string | undefined;
  /** Another tool than the one that built it recorded the deployment. */
  readonly isOfOther: boolean;
}

/**
 * The input to take where there is a build: its own, unless what is known of the deployment speaks for what another tool of
 * the project wrote or, as it is configured now, makes of the contract. That it may be none of what was deployed is told.
 */
export async function inputOfBuild(context: InputContext, build: Build): Promise<CompilerInput> {
  const { input } = build;
  const { hasMetadata = false } = LANGUAGES[input.stdJsonInput.language];
  // Deployed code tells builds apart that have metadata.
  if (!hasMetadata) return input;
  const written = await writtenByOther(context, build);
  if (written && "input" in written) return written.input;
  return (await madeByOther(context, build)) ?? withFinding(input, written?.finding);
}

/** A tool that says how it stands to a file gives way to no other one. */
function hasStanding({ solidity }: SolidityTool): boolean {
  return solidity.standing !== undefined;
}

/**
 * The metadata in the record of the deployment. Or, where several tools build a project and not all keep records of their
 * builds, the metadata that another one wrote, if that one deployed the contract or the deployed code fits it better; where
 * nothing tells them apart, that there are two.
 */
async function writtenByOther(
  context: InputContext,
  recorded: Build,
): Promise<{ readonly input: CompilerInput } | { readonly finding: InputFinding } | undefined> {
  const { files, project, contract, options } = context;
  const { record } = recorded.input;
  if (recorded.input.source !== "build-info" || record === undefined) return undefined;
  if (!mayBeFrom("metadata", options)) return undefined;
  const kept = keptRecord(options);
  const isKeptItself = kept !== undefined && isInside(record, parentFolder(kept));
  const isOne = (await solidityTools(files, project)).filter(hasStanding).length < 2;
  if (isOne && (kept === undefined || isKeptItself)) return undefined;
  const built = await fromMetadata(context);
  if (!built?.input || built.changed.length > 0) return undefined;
  const isOfRecord = built.found.path === kept && !isKeptItself;
  if (isOne && !isOfRecord) return undefined;
  const other = inputOfMetadata(built, project, contract);
  const compared = compareMarks(
    marksAgainst(other, options, built.found.text),
    marksAgainst(recorded.input, options, recorded.metadata),
  );
  const isByDeployer = recorded.isOfOther && !built.isOfOther;
  if (compared < 0 || (compared === 0 && (isByDeployer || isOfRecord))) return { input: other };
  if (compared > 0 || deployerOf(options) || isSameCompilation(other, recorded.input)) return undefined;
  const { contractName } = contract;
  return {
    finding: severalBuilds({ contractName, root: project.root, taken: record, other: built.found.path }),
  };
}

/**
 * Where a build is none of the tool that deployed the contract, or the deployed code can't be of it, what the
 * configurations of the project's tools come to, if the deployment shows that this was deployed. If the tool that deployed
 * it can't compile it as it is configured now, or says nothing of it, the input of the build, which is told.
 *
 * @returns `undefined` where nothing speaks against the build
 */
async function madeByOther(context: InputContext, build: Build): Promise<CompilerInput | undefined> {
  const { files, project, sources, contract, options } = context;
  const { input, metadata, isOfOther } = build;
  const marks = marksAgainst(input, options, metadata);
  const [otherHash, contradictions] = marks;
  if (otherHash === 0 || (!isOfOther && contradictions === 0)) return undefined;
  const { tools, gaveWay } = await toolsFor(files, project, sources, contract.path, options.profile);
  const deployer = deployerOf(options);
  const isByDeployer = isOfOther && tools.some(({ tool }) => tool === deployer);
  const isAsked = isByDeployer || (contradictions > 0 && tools.length + gaveWay.length > 1);
  if (isAsked && mayBeFrom("derived", options)) {
    const derived = await orFailure(derivedInput(context));
    if (!(derived instanceof LedgerLensError)) {
      const compared = compareMarks(marksAgainst(derived, options), marks);
      const isShown = compared < 0 || (compared === 0 && isByDeployer);
      if (isShown && !isSameCompilation(derived, input)) return derived;
      // What it makes was compared with the build.
      if (isByDeployer) return undefined;
    } else if (derived instanceof UnknownConfigurationError && !isOfOther)
      return withFinding(input, computedFinding(derived, input, context));
  }
  return isOfOther && deployer ? withFinding(input, otherBuildFinding(deployer, input, context)) : undefined;
}

/** That a build is none of the tool that deployed the contract, where it is taken although nothing shows that it was deployed. */
function otherBuildFinding(
  { title }: BuildTool,
  input: CompilerInput,
  { project, contract, options }: InputContext,
): InputFinding {
  const { record = contract.path } = input;
  return {
    code: "two_tools",
    severity: options.deployedSigns ? "note" : "warning",
    sentence: t`${title} deployed ${contract.contractName}, and ${relativePath(record, project.root) ?? record} is no build of it; taken are ${settingsInWords(input)}. Build with ${title} if the deployment has other settings.`,
    path: contract.path,
  };
}

/** That the deployed code speaks against a build, and what the other tools make of the contract isn't known. */
function computedFinding(
  { open: { configuration } }: UnknownConfigurationError,
  input: CompilerInput,
  { project, contract }: InputContext,
): InputFinding {
  const { record = contract.path } = input;
  return {
    code: "two_tools",
    severity: "warning",
    sentence: t`The deployed code speaks against ${relativePath(record, project.root) ?? record} (${settingsInWords(input)}), which is taken all the same, since ${configuration} computes its settings. Build with the tool that deployed ${contract.contractName}.`,
    path: contract.path,
  };
}

function withFinding(input: CompilerInput, finding: InputFinding | undefined): CompilerInput {
  return finding ? { ...input, findings: [finding, ...input.findings] } : input;
}
