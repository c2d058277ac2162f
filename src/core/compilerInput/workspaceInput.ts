import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";
import { isInside, lastSegment, relativePath } from "../files/fileReader.ts";
import type { FolderReader } from "../files/folderReader.ts";
import { languageOfPath, LANGUAGES } from "../languages/language.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import type { CompilerInput } from "../sources/standardJsonInput.ts";
import { listed } from "../text/counted.ts";
import { isDependencyOf, toolsOf, type Project } from "../tools/project.ts";
import { deploymentPlaces } from "../tools/projectDeployments.ts";
import { projectsBelow } from "../tools/projectsBelow.ts";
import { decided, furthest, type Candidate } from "./competingInputs.ts";
import type { ContractInputOptions } from "./contractInputOptions.ts";
import { marksAgainst } from "./deploymentMarks.ts";
import { readLocalBuild } from "./localBuildReader.ts";
import { builtInput, inputInProject, unbuiltInput, type ContractOfProject } from "./projectInput.ts";
import { orFailure } from "./toolInput.ts";
import { UnknownConfigurationError, settingsInWords } from "./unknownConfiguration.ts";

/** What a contract is looked for in. */
interface WorkspaceContext {
  readonly files: FolderReader;
  /** The open folders. */
  readonly folders: readonly string[];
  readonly options: ContractInputOptions;
  /** Opens the contract as one of a project. */
  readonly open: (project: Project) => Promise<ContractOfProject>;
}

/** An input, and the project that it was made in. */
interface InputOfWorkspace extends ContractOfProject {
  readonly input: CompilerInput;
}

/**
 * The input of a contract in the project that compiles it: the one that holds its file, unless that one has nothing to
 * do with it. A file may lie outside the project that compiles it, such as a package at the top of a monorepo or a
 * folder that projects share. Then those projects below the open folders count whose builds name this very file, else
 * those whose sources import it; of several, what is known of the deployment decides.
 *
 * @param nearest the contract in the project that holds its file, or in a plain folder
 * @throws what `contractInput` throws
 */
export async function inputInWorkspace(
  nearest: ContractOfProject,
  context: WorkspaceContext,
): Promise<InputOfWorkspace> {
  const { files, options } = context;
  const make = () => inputInProject(files, nearest, options);
  const ofNearest = async () => ({ ...nearest, input: await make() });
  const recording = await otherRecording(nearest, context);
  if (recording) {
    const [deploying] = await compiling([recording], context);
    if (deploying) return inputByOneProject([{ one: nearest, make }, deploying], context);
    const { input, ...rest } = await ofNearest();
    return { ...rest, input: withRecordingTold(input, recording, nearest, context) };
  }
  if (await isAmongItsSources(nearest, context)) return unlessRefuted(await ofNearest(), nearest, context);
  const others = await otherProjects(nearest, context);
  if (others.length === 0 || (await isOfItsProject(nearest, context))) return ofNearest();
  const [first, ...more] = await compiling(others, context);
  if (!first) return { ...nearest, input: await inputOfNone(nearest, others, context) };
  if (more.length > 0) return inputByOneProject([first, ...more], context);
  return { ...first.one, input: await first.make() };
}

/** The input of the project that holds a contract's file, unless the deployed code speaks against it and fits that of another one. */
async function unlessRefuted(
  own: InputOfWorkspace,
  nearest: ContractOfProject,
  context: WorkspaceContext,
): Promise<InputOfWorkspace> {
  const [, contradictions] = marksAgainst(own.input, context.options);
  if (contradictions === 0) return own;
  const others = await compiling(await otherProjects(nearest, context), context);
  if (others.length === 0) return own;
  const ofNearest: CompilingProject = { one: nearest, make: () => Promise.resolve(own.input) };
  return inputByOneProject([ofNearest, ...others], context);
}

/** Another project than the one that holds a contract's file, if it recorded the deployment. */
async function otherRecording(
  nearest: ContractOfProject,
  context: WorkspaceContext,
): Promise<Project | undefined> {
  const { record } = context.options.deployment ?? {};
  if (record === undefined || !isProject(nearest)) return undefined;
  const others = await otherProjects(nearest, context);
  if (others.length === 0) return undefined;
  const recording = await recordingProject(record, [nearest.project, ...others], context);
  return recording === nearest.project ? undefined : recording;
}

/** The input, with the word that another project deployed the contract, which does not compile it as far as is seen. */
function withRecordingTold(
  input: CompilerInput,
  recording: Project,
  nearest: ContractOfProject,
  { options }: WorkspaceContext,
): CompilerInput {
  const { contract, project } = nearest;
  const shown = (one: Project) => shownProject(one, contract);
  const finding: InputFinding = {
    code: "several_projects",
    severity: options.deployedSigns ? "note" : "warning",
    sentence: t`${shown(recording)} deployed ${contract.contractName}, and does not compile ${shownPath(nearest)}, as far as its builds and imports tell; the settings of ${shown(project)} are taken (${settingsInWords(input)}).`,
    path: contract.path,
  };
  return { ...input, findings: [finding, ...input.findings] };
}

/** Of some projects the innermost that a record of a deployment is one of. */
async function recordingProject(
  record: string,
  projects: readonly Project[],
  context: WorkspaceContext,
): Promise<Project | undefined> {
  let innermost: Project | undefined;
  for (const project of projects)
    if (project.root.length > (innermost?.root.length ?? -1) && (await recordsAt(record, project, context)))
      innermost = project;
  return innermost;
}

async function otherProjects(
  { project }: ContractOfProject,
  { files, folders }: WorkspaceContext,
): Promise<Project[]> {
  const found = await Promise.all(folders.map((folder) => projectsBelow(files, folder)));
  const byRoot = new Map(found.flat().map((one) => [one.root, one]));
  byRoot.delete(project.root);
  return [...byRoot.values()];
}

/** What a package says of how it was built itself is not how a project compiles it. */
function isProject({ project, contract }: ContractOfProject): boolean {
  return project.tools.length > 0 && !isDependencyOf(project.root, contract.folder);
}

/** True for a contract in the folders of sources of the project that holds it. */
async function isAmongItsSources(
  nearest: ContractOfProject,
  { files, options }: WorkspaceContext,
): Promise<boolean> {
  const { project, contract } = nearest;
  if (!isProject(nearest)) return false;
  for (const { rules, place } of await toolsOf(files, project, options.profile)) {
    const { own } = await rules.folders(place);
    if (own.some((folder) => isInside(contract.path, folder))) return true;
  }
  return false;
}

/** True for a contract that the project that holds it compiles along with its sources, or has a build of. */
async function isOfItsProject(
  nearest: ContractOfProject,
  { files, options }: WorkspaceContext,
): Promise<boolean> {
  if (!isProject(nearest)) return false;
  return (
    (await nameInJobOf(nearest, files, options)) !== undefined ||
    (await buildOf(nearest, files, options)) !== undefined
  );
}

/** A project that compiles a contract. */
interface CompilingProject {
  readonly one: ContractOfProject;
  readonly make: () => Promise<CompilerInput>;
}

/** Of some projects those whose builds name the contract's file, else those whose sources import it. */
async function compiling(
  projects: readonly Project[],
  { files, options, open }: WorkspaceContext,
): Promise<CompilingProject[]> {
  const [building, importing]: [CompilingProject[], CompilingProject[]] = [[], []];
  for (const project of projects) {
    const one = await open(project);
    const input = await buildOf(one, files, options);
    if (input) {
      const isToBeJudged = input.changedSinceBuild.length > 0 && (options.staleBuild ?? "use") !== "use";
      const make = () => (isToBeJudged ? inputInProject(files, one, options) : Promise.resolve(input));
      building.push({ one, make });
    } else if ((await nameInJobOf(one, files, options)) !== undefined) {
      importing.push({ one, make: () => unbuiltInput(files, one, options, []) });
    }
  }
  return building.length > 0 ? building : importing;
}

/** The input by a project's builds, if one of them names the very file of the contract. */
async function buildOf(
  one: ContractOfProject,
  files: FolderReader,
  options: ContractInputOptions,
): Promise<CompilerInput | undefined> {
  const built = await orNone(builtInput(files, one, { ...options, staleBuild: "use" }));
  const { contractIdentifier = "", files: ofInput = [] } = built?.input ?? {};
  const name = splitIdentifier(contractIdentifier).file;
  const own = ofInput.find((file) => file.name === name);
  return own && (own.realPath ?? own.path) === one.contract.source.realPath ? built?.input : undefined;
}

async function orNone<T>(made: Promise<T>): Promise<T | undefined> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof LedgerLensError) return undefined;
    throw error;
  }
}

/** The name by which a tool of a project compiles the contract's file. */
async function nameInJobOf(
  { project, sources, contract }: ContractOfProject,
  files: FolderReader,
  { profile }: ContractInputOptions,
): Promise<string | undefined> {
  const language = languageOfPath(contract.path);
  if (!language || LANGUAGES[language].compiler !== LANGUAGES.Solidity.compiler) return undefined;
  for (const { rules, place } of await toolsOf(files, project, profile)) {
    const name = await orNone(
      rules.solidity?.nameInJob?.(place, sources, contract.path) ?? Promise.resolve(undefined),
    );
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Of several projects that compile a contract the one that the deployment shows; else the first, which is told. */
async function inputByOneProject(
  projects: readonly CompilingProject[],
  context: WorkspaceContext,
): Promise<InputOfWorkspace> {
  const { files, options } = context;
  const made = await Promise.all(
    projects.map(async ({ one, make }) => ({ one, input: await orFailure(make()) })),
  );
  const failures = made.flatMap(({ input }) => (input instanceof LedgerLensError ? [input] : []));
  const inputs = made.flatMap(({ one, input }) =>
    input instanceof LedgerLensError ? [] : [{ ...one, input }],
  );
  const { record } = options.deployment ?? {};
  const recording =
    record === undefined
      ? undefined
      : await recordingProject(
          record,
          inputs.map(({ project }) => project),
          context,
        );
  const candidates = await Promise.all(
    inputs.map(async (one): Promise<Candidate & InputOfWorkspace> => {
      const { metadata } = options.deployedSigns?.hasMetadataHashOf
        ? await readLocalBuild(files, one.input)
        : {};
      const { project, contract } = one;
      const title = shownProject(project, contract);
      return {
        ...one,
        title,
        isDeployer: project === recording,
        ...(metadata !== undefined && { metadata }),
      };
    }),
  );
  const [first, ...others] = candidates;
  const open = failures.find((failure) => failure instanceof UnknownConfigurationError);
  if (!first)
    throw open ?? furthest(failures) ?? new LedgerLensError("no_compiler", t`No project compiles it.`);
  const both = t`${listed(candidates.map(({ title }) => title))} compile ${shownPath(first)}`;
  const chosen = decided([first, ...others], options, {
    code: "several_projects",
    path: first.contract.path,
    both,
    undecided: t`${both} by settings of their own, and`,
    advice: t`Give the compiler version and settings of the deployment if they are others.`,
  });
  // What was deployed was hardly made so; then the project made it whose configuration has to be asked for.
  const [, contradictions, doubts] = marksAgainst(chosen.input, options);
  if (open && contradictions + doubts > 0) throw open;
  return chosen;
}

/** Whether a record of a deployment is a project's: most keep theirs below the root. */
async function recordsAt(
  record: string,
  project: Project,
  { files, folders }: WorkspaceContext,
): Promise<boolean> {
  if (isInside(record, project.root)) return true;
  return (await deploymentPlaces(files, project, folders)).some((place) => isInside(record, place));
}

/** The input of a contract that no project compiles: by what is assumed, which is told. */
async function inputOfNone(
  nearest: ContractOfProject,
  others: readonly Project[],
  { files, options }: WorkspaceContext,
): Promise<CompilerInput> {
  const input = await inputInProject(files, nearest, options);
  const { project, contract } = nearest;
  if (project.tools.length > 0 || input.source !== "derived") return input;
  const roots = listed(others.map(({ root }) => relativePath(root, contract.folder) ?? root));
  const finding: InputFinding = {
    code: "no_project",
    severity: "warning",
    sentence: t`No project compiles ${shownPath(nearest)}: neither a build nor an import of ${roots} leads to it. Assumed: ${settingsInWords(input)} (${input.compilerReason}). Give the compiler version and ledgerLens.compilerSettings if the deployment has others.`,
    path: contract.path,
  };
  return { ...input, findings: [finding, ...input.findings] };
}

/** A project by its path in the open folder; the folder itself by its name. */
function shownProject({ root }: Project, { folder }: Pick<ContractOfProject["contract"], "folder">): string {
  return relativePath(root, folder) ?? lastSegment(root);
}

function shownPath({ contract: { path, folder } }: Pick<ContractOfProject, "contract">): string {
  return relativePath(path, folder) ?? path;
}
