import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";
import { relativePath } from "../files/fileReader.ts";
import { LANGUAGES } from "../languages/language.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import type { CompilerInput, InputSource } from "../sources/standardJsonInput.ts";
import { isSameCompilation } from "./competingInputs.ts";
import { deployerOf } from "./competingTools.ts";
import { compareMarks, marksAgainst } from "./deploymentMarks.ts";
import { derivedInput } from "./derivedInput.ts";
import { fromMetadata, inputOfMetadata } from "./metadataBuild.ts";
import { solidityTools, toolsFor } from "./toolChoice.ts";
import { orFailure, type InputContext } from "./toolInput.ts";
import { settingsInWords } from "./unknownConfiguration.ts";

/** A build of a contract, of which it is asked whether it is what was deployed. */
export interface Build {
  readonly input: CompilerInput;
  /** The metadata that the tool wrote, where it is known. */
  readonly metadata: string | undefined;
  /** Another tool than the one that built it recorded the deployment. */
  readonly isOfOther: boolean;
}

/**
 * Where several tools build a project and not all keep records of their builds, the metadata that another one wrote, if
 * that one deployed the contract or the deployed code fits it better.
 */
export async function builtByOther(
  context: InputContext,
  recorded: Build,
): Promise<CompilerInput | undefined> {
  const { files, project, contract, options } = context;
  if (!options.deployedSigns && !recorded.isOfOther) return undefined;
  if (!isOpen(recorded, context, "metadata")) return undefined;
  const compiling = await solidityTools(files, project);
  if (compiling.filter(({ solidity }) => solidity.standing !== undefined).length < 2) return undefined;
  const built = await fromMetadata(context);
  if (!built?.input || built.changed.length > 0) return undefined;
  const other = inputOfMetadata(built, project, contract);
  const compared = compareMarks(
    marksAgainst(other, options, built.found.text),
    marksAgainst(recorded.input, options, recorded.metadata),
  );
  const isByDeployer = recorded.isOfOther && !built.isOfOther;
  return compared < 0 || (compared === 0 && isByDeployer) ? other : undefined;
}

/**
 * Where a build is none of the tool that deployed the contract, or the deployed code can't be of it, what the
 * configurations of the project's tools come to, if the deployment shows that this was deployed.
 */
export async function unbuiltByOther(
  context: InputContext,
  build: Build,
): Promise<CompilerInput | undefined> {
  const { files, project, sources, contract, options } = context;
  const { input, metadata, isOfOther } = build;
  if (!isOpen(build, context, "derived")) return undefined;
  const marks = marksAgainst(input, options, metadata);
  const [, contradictions] = marks;
  if (!isOfOther && contradictions === 0) return undefined;
  const { tools, gaveWay } = await toolsFor(files, project, sources, contract.path, options.profile);
  const deployer = deployerOf(options);
  const isByDeployer = isOfOther && tools.some(({ tool }) => tool === deployer);
  if (!isByDeployer && tools.length + gaveWay.length < 2) return undefined;
  if (contradictions === 0 && !isByDeployer) return undefined;
  const derived = await orFailure(derivedInput(files, project, sources, contract, options));
  if (derived instanceof LedgerLensError || isSameCompilation(derived, input)) return undefined;
  const compared = compareMarks(marksAgainst(derived, options), marks);
  return compared < 0 || (compared === 0 && isByDeployer) ? derived : undefined;
}

/**
 * That a build is none of the tool that deployed the contract, where it is taken although nothing shows that it was deployed:
 * that tool can't compile the contract as it is configured now, or says nothing of it.
 */
export async function otherBuildFinding(
  context: InputContext,
  build: Build,
): Promise<InputFinding | undefined> {
  const { files, project, sources, contract, options } = context;
  const { input, metadata, isOfOther } = build;
  const deployer = deployerOf(options);
  if (!deployer || !isOfOther || !isOpen(build, context, input.source)) return undefined;
  const [otherHash] = marksAgainst(input, options, metadata);
  if (otherHash === 0) return undefined;
  const { tools } = await toolsFor(files, project, sources, contract.path, options.profile);
  // What it makes was compared with the build.
  const isMade =
    tools.some(({ tool }) => tool === deployer) &&
    !((await orFailure(derivedInput(files, project, sources, contract, options))) instanceof LedgerLensError);
  if (isMade) return undefined;
  const { title } = deployer;
  const { record = contract.path } = input;
  return {
    code: "two_tools",
    severity: options.deployedSigns ? "note" : "warning",
    sentence: t`${title} deployed ${contract.contractName}, and ${relativePath(record, project.root) ?? record} is no build of it; taken are ${settingsInWords(input)}. Build with ${title} if the deployment has other settings.`,
    path: contract.path,
  };
}

/** Whether an input from this source may stand in the place of a build: deployed code tells builds apart that have metadata. */
function isOpen({ input }: Build, { options }: InputContext, source: InputSource): boolean {
  const { hasMetadata = false } = LANGUAGES[input.stdJsonInput.language];
  return hasMetadata && (options.sources?.includes(source) ?? true);
}
