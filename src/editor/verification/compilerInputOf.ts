import { homedir } from "node:os";
import * as vscode from "vscode";
import { findWorkspaceContract } from "../../core/languages/workspaceContract.ts";
import type { DeployedEvidence } from "../../core/compilerInput/deploymentMarks.ts";
import { UnknownConfigurationError } from "../../core/compilerInput/unknownConfiguration.ts";
import { installedSolc } from "../../core/languages/solidity/installedSolc.ts";
import type { FolderReader } from "../../core/files/folderReader.ts";
import { diskFiles } from "../../core/files/diskFiles.ts";
import { ownValue } from "../../core/json/ownValue.ts";
import type { ResubmitChanges } from "../../core/matching/explanation.ts";
import { withChanges } from "../../core/matching/resubmission.ts";
import type { SourceNaming } from "../../core/languages/solidity/sourceNaming.ts";
import type { RecordedDeployment } from "../../core/tools/deployment.ts";
import type { SourceNames } from "../../core/sources/sourceNames.ts";
import type { CompilerSettings } from "../../core/sources/standardJsonInput.ts";
import type { ShownText } from "../../core/text/shownText.ts";
import type { ReviewedInput } from "../../core/jobs/submissionReview.ts";
import { settings } from "../settings.ts";
import { mayAsk } from "../ui/asking.ts";
import type { ConfigurationAnswer } from "./configurationAnswers.ts";
import { askConfiguration } from "./configurationQuestion.ts";
import { uriOf, workspaceFolderReader, workspaceFolders } from "../workspaceFiles.ts";
import type { CompilerParts } from "./verificationParts.ts";

/** What is known of the deployment that an input is for. */
export interface KnownDeployment extends DeployedEvidence {
  /** As the project's records have it: the build that they keep goes first. */
  readonly deployment?:
    (Pick<RecordedDeployment, "recordedBy" | "record"> & Partial<RecordedDeployment>) | undefined;
  /** True where the code carries no metadata hash, so that a match is the most that is possible. */
  readonly isDeployedBare?: boolean | undefined;
  /** True where the chain was asked and has nothing at the address. */
  readonly isUndeployed?: true | undefined;
}

/** What a person or a caller fixed, and what the deployment tells. */
export interface CompilerChoice extends KnownDeployment {
  readonly compilerVersion?: string | undefined;
  /** Laid over those of the build; what is undefined is taken out. */
  readonly settings?: CompilerSettings | undefined;
  /** Other names of source units than the project gives its files. */
  readonly sourceNames?: SourceNames | undefined;
  /** What to do with a build that is older than the files; it is used, and the files are named, unless said. */
  readonly staleBuild?: "use" | "skip" | "refuse" | undefined;
  /** The files of a commit, where it is not those of the work tree that count. */
  readonly files?: FolderReader | undefined;
  /** Which commit that is, as it is shown. */
  readonly commit?: string | undefined;
}

/** The compiler input of a contract of the open folders, and the file it is in. */
export type WorkspaceInput = ReviewedInput;

/** By what names the build tools would compile a contract of the open folders. */
export async function namingsOf(contract: string): Promise<SourceNaming[]> {
  const { toolNamings } = await import("../../core/compilerInput/toolNamings.ts");
  const found = await findWorkspaceContract(workspaceFolderReader, workspaceFolders(), contract);
  return toolNamings(workspaceFolderReader, workspaceFolders(), found);
}

/**
 * Builds the compiler input of a contract of the open folders. What the project's configuration computes is asked once
 * in a session.
 *
 * @param title of the command that may ask; without one nothing is asked
 * @throws UnknownConfigurationError where the user may not be asked
 */
export async function compilerInputOf(
  parts: CompilerParts,
  contract: string,
  choice: CompilerChoice = {},
  title?: ShownText,
): Promise<WorkspaceInput> {
  // The rules of every tool and language, which the view of verification has no use for.
  const { contractInput } = await import("../../core/compilerInput/contractInput.ts");
  const files = choice.files ?? workspaceFolderReader;
  const found = await findWorkspaceContract(files, workspaceFolders(), contract);
  const { compilers, configurationAnswers: answers } = parts;
  let answer: ConfigurationAnswer | undefined;
  const used = new Set<ConfigurationAnswer>();
  for (;;) {
    try {
      const input = await contractInput(files, workspaceFolders(), found, {
        defaultSettings: { ...settings.compilerSettings(uriOf(found.path)), ...answer?.settings },
        settings: choice.settings,
        sourceNames: choice.sourceNames,
        compilerVersion: choice.compilerVersion ?? answer?.compilerVersion,
        deployedCompilerVersion: choice.deployedCompilerVersion,
        deployedSigns: choice.deployedSigns,
        deployment: choice.deployment,
        staleBuild: choice.staleBuild,
        releases: compilers(),
        installedSolc: () => installedSolc(diskFiles, vscode.Uri.file(homedir()).path, process.platform),
      });
      const { isDeployedBare } = choice;
      const { path, contractName } = found;
      return { ...input, path, contractName, isDeployedBare, isOfCommit: choice.files !== undefined };
    } catch (error) {
      if (!(error instanceof UnknownConfigurationError)) throw error;
      let said = answers.of(error.open);
      if (!said) {
        if (title === undefined || !mayAsk()) throw error;
        said = await askConfiguration(parts, title, error.open);
        answers.remember(error.open, said);
      }
      // An answer that left the same open once leaves it open again.
      if (used.has(said)) throw error;
      used.add(said);
      answer = {
        compilerVersion: said.compilerVersion ?? answer?.compilerVersion,
        settings: { ...answer?.settings, ...said.settings },
      };
    }
  }
}

/**
 * What changes lay over an input: its files' other names, and settings, each whole; one that they take out is
 * `undefined`.
 */
export function choiceToLay(
  input: WorkspaceInput,
  changes: ResubmitChanges,
): Pick<CompilerChoice, "settings" | "sourceNames"> {
  const { settings } = withChanges(input, changes).stdJsonInput;
  const { sourceNames } = changes;
  return {
    settings: Object.fromEntries(
      Object.keys(changes.settings ?? {}).map((name) => [name, ownValue(settings, name)]),
    ),
    ...(sourceNames && { sourceNames }),
  };
}
