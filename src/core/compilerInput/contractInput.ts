import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";
import { AdmittedSources } from "../sources/admittedSources.ts";
import { boundedReader } from "../sources/boundedReader.ts";
import { skippedFiles } from "../files/skippedFiles.ts";
import { SourceBoundary } from "../sources/sourceBoundary.ts";
import { relativePath } from "../files/fileReader.ts";
import { declaredDependencies } from "../tools/declaredDependencies.ts";
import { rememberingReader, type FolderReader } from "../files/folderReader.ts";
import { findProject, type Project } from "../tools/project.ts";
import { admittedInput } from "./admittedInput.ts";
import type { OpenedContract, WorkspaceContract } from "../sources/contractReference.ts";
import { RULES } from "../languages/rules.ts";
import type { ContractInputOptions } from "./contractInputOptions.ts";
import { checkInputInPieces } from "./inputChecks.ts";
import { inTurns } from "../concurrency/turns.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import { filesOfOtherFolders, leadOutside } from "../sources/outsideFindings.ts";
import { leftOutWords, skippedFindings, skippedSentences } from "../sources/skippedFindings.ts";
import { UnresolvedImportError } from "../languages/solidity/solidityClosure.ts";
import {
  renamedIdentifier,
  renamedSource,
  withSourceNames,
  type SourceNames,
} from "../sources/sourceNames.ts";
import type { CompilerInput, StandardJsonInput } from "../sources/standardJsonInput.ts";
import type { ContractOfProject } from "./projectInput.ts";
import { UnknownConfigurationError } from "./unknownConfiguration.ts";
import { definedOnly } from "../json/looseData.ts";
import { ownValue } from "../json/ownValue.ts";
import { inputInWorkspace } from "./workspaceInput.ts";

/**
 * The compiler input of a contract: the record of the build that made it, else its metadata with every file
 * checked against the disk, else what the project's configuration and the imports come to.
 *
 * `stdJsonInput` is what to submit first: what the contract needs. Where a build compiled more, `wholeBuild` has
 * all of it, for an export and for a second submission (see `wholeBuildMayHelp` in `errorCodes.ts`).
 *
 * @param folders The open folders. Nothing outside them goes, but for dependencies.
 * @throws LedgerLensError `contract_not_found`, `abstract_contract`, `no_compiler`, `invalid_compiler_version`,
 * `source_not_utf8`, `stale_build`, and what the closure throws (`import_not_found`, `import_outside_project`).
 */
export async function contractInput(
  reader: FolderReader,
  folders: readonly string[],
  contract: WorkspaceContract,
  options: ContractInputOptions = {},
): Promise<CompilerInput> {
  const all = rememberingReader(reader);
  const bounded = boundedReader(all, await SourceBoundary.around(all, { folders }));
  try {
    const input = await inputFrom(all, rememberingReader(bounded), folders, contract, options);
    const skipped = skippedFindings(skippedFiles(all), [...folders, contract.folder], input);
    const left = leadOutside(bounded.refused, input.project);
    return await finished({ ...input, findings: [...left, ...skipped, ...input.findings] }, options);
  } catch (error) {
    const left = leadOutside(bounded.refused, contract.folder);
    throw withSkipped(error, [
      ...left.map(({ sentence }) => sentence.replace(/\.$/, "")),
      ...skippedSentences(skippedFiles(all), [...folders, contract.folder]).map(({ sentence }) => sentence),
    ]);
  }
}

/** What was left out may be why there is no input. */
function withSkipped(error: unknown, skipped: readonly string[]): unknown {
  if (skipped.length === 0 || !(error instanceof LedgerLensError)) return error;
  if (error instanceof UnresolvedImportError || error instanceof UnknownConfigurationError)
    return error.withLeftOut(skipped);
  return new LedgerLensError(error.code, `${error.message}${leftOutWords(skipped)}`, {
    detail: [...(error.detail === undefined ? [] : [error.detail]), ...skipped].join("\n"),
    cause: error,
  });
}

/**
 * The input by the best source of truth that there is.
 *
 * @param all reads everything, for sources to be judged; `files` what lies inside
 */
async function inputFrom(
  all: FolderReader,
  files: FolderReader,
  folders: readonly string[],
  contract: WorkspaceContract,
  options: ContractInputOptions,
): Promise<CompilerInput> {
  const open = async (project: Project): Promise<ContractOfProject> => {
    const dependencies = await declaredDependencies(files, project, options.profile);
    const sources = await AdmittedSources.of(all, { folders, project: project.root, dependencies });
    return { project, sources, contract: { ...contract, source: await openedContract(sources, contract) } };
  };
  const nearest = await open(await findProject(files, contract.folder, contract.path));
  const { input, sources } = await inputInWorkspace(nearest, { files, folders, options, open });
  const admitted = await inTurns(admittedInput(input, sources));
  const own = (await all.realPath(contract.folder)) ?? contract.folder;
  const besides = filesOfOtherFolders((admitted.wholeBuild ?? admitted).files, own);
  return { ...admitted, findings: [...besides, ...admitted.findings] };
}

/**
 * The contract's file, which has to be there and may go.
 *
 * @throws LedgerLensError `file_not_found`, `contract_outside_folders`
 */
export async function openedContract(
  sources: AdmittedSources,
  contract: WorkspaceContract,
): Promise<OpenedContract["source"]> {
  const source = await sources.at(contract.path);
  if (!source) {
    throw new LedgerLensError("file_not_found", t`There is no file ${contract.path}. Check the path.`);
  }
  if ("forbidden" in source) {
    throw new LedgerLensError(
      "contract_outside_folders",
      t`${relativePath(contract.path, contract.folder) ?? contract.path} leads to ${source.forbidden}, outside the open folders, so it can't be sent. Open the folder that holds it.`,
    );
  }
  return source;
}

/** The input with what the caller fixed, and everything that there is to say of it. */
async function finished(made: CompilerInput, options: ContractInputOptions): Promise<CompilerInput> {
  const input = options.sourceNames ? byOtherNames(made, options.sourceNames) : made;
  const asked =
    options.compilerVersion === undefined
      ? undefined
      : RULES[input.stdJsonInput.language].completeVersion(options.compilerVersion, options.releases);
  const isOther = asked !== undefined && asked !== input.compilerVersion;
  const settings = Object.entries(options.settings ?? {}).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(ownValue(input.stdJsonInput.settings, name)),
  );
  const changes = [
    ...(isOther ? [t`compiler ${asked} instead of ${input.compilerVersion}`] : []),
    ...settings.map(([name]) => name),
    ...(options.sourceNames ? [t`source names`] : []),
  ];
  const withSettings = (part: StandardJsonInput): StandardJsonInput => ({
    ...part,
    settings: definedOnly({ ...part.settings, ...options.settings }),
  });
  const result: CompilerInput = {
    ...input,
    ...(asked !== undefined && { compilerVersion: asked, compilerReason: t`as given` }),
    stdJsonInput: withSettings(input.stdJsonInput),
    ...(input.wholeBuild && {
      wholeBuild: { ...input.wholeBuild, stdJsonInput: withSettings(input.wholeBuild.stdJsonInput) },
    }),
  };
  const findings: InputFinding[] = [
    ...input.findings,
    ...(changes.length > 0 && input.source !== "derived"
      ? [
          {
            code: "settings_changed",
            severity: "warning",
            sentence: t`The build is not taken as it was: ${changes.join(", ")} ${changes.length === 1 ? t`was` : t`were`} set by hand.`,
          } as const,
        ]
      : []),
    ...(await inTurns(checkInputInPieces(result))),
  ].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  return { ...result, findings, warnings: findings.map(({ sentence }) => sentence) };
}

/** The same files by other names. What the build compiled besides keeps its own, so that it goes with none of them. */
function byOtherNames({ wholeBuild: _whole, ...input }: CompilerInput, names: SourceNames): CompilerInput {
  return {
    ...input,
    contractIdentifier: renamedIdentifier(input.contractIdentifier, names),
    stdJsonInput: withSourceNames(input.stdJsonInput, names),
    files: input.files.map((file) => ({ ...file, name: renamedSource(file.name, names) })),
    changedSinceBuild: input.changedSinceBuild.map((one) => ({
      ...one,
      name: renamedSource(one.name, names),
    })),
  };
}

const SEVERITIES: readonly InputFinding["severity"][] = ["error", "warning", "note"];
