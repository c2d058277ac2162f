import { LedgerLensError } from "../errors.ts";
import { isInside } from "../files/fileReader.ts";
import { LANGUAGES } from "../languages/language.ts";
import type { CompilerInput, InputSource } from "../sources/standardJsonInput.ts";
import { toolsOf } from "../tools/project.ts";
import { isSameCompilation } from "./competingInputs.ts";
import { deployerOf } from "./competingTools.ts";
import { compareMarks, marksAgainst } from "./deploymentMarks.ts";
import { derivedInput } from "./derivedInput.ts";
import { fromMetadata, inputOfMetadata } from "./metadataBuild.ts";
import { solidityTools, toolsFor } from "./toolChoice.ts";
import { orFailure, type InputContext } from "./toolInput.ts";

/** A build of a contract, of which it is asked whether it is what was deployed. */
interface Build {
  readonly input: CompilerInput;
  /** The metadata that the tool wrote, where it is known. */
  readonly metadata: string | undefined;
  /** Another tool than the one that built it recorded the deployment. */
  readonly isOfOther: boolean;
}

/** Whether what a tool wrote of a build is none of the one that recorded the deployment. */
export async function isWrittenByOther(
  { files, project, options }: InputContext,
  path: string,
): Promise<boolean> {
  const deployer = deployerOf(options);
  for (const { tool, rules, place } of await toolsOf(files, project, options.profile)) {
    if (tool !== deployer) continue;
    const { foreign } = await rules.folders(place);
    return !foreign.some((folder) => isInside(path, folder));
  }
  return false;
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
  const isByDeployer = recorded.isOfOther && !(await isWrittenByOther(context, built.found.path));
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
  if (tools.length + gaveWay.length < 2) return undefined;
  const deployer = deployerOf(options);
  const isByDeployer = isOfOther && tools.some(({ tool }) => tool === deployer);
  if (contradictions === 0 && !isByDeployer) return undefined;
  const derived = await orFailure(derivedInput(files, project, sources, contract, options));
  if (derived instanceof LedgerLensError || isSameCompilation(derived, input)) return undefined;
  const compared = compareMarks(marksAgainst(derived, options), marks);
  return compared < 0 || (compared === 0 && isByDeployer) ? derived : undefined;
}

/** Whether an input from this source may stand in the place of a build: deployed code tells builds apart that have metadata. */
function isOpen({ input }: Build, { options }: InputContext, source: InputSource): boolean {
  const { hasMetadata = false } = LANGUAGES[input.stdJsonInput.language];
  return hasMetadata && (options.sources?.includes(source) ?? true);
}
