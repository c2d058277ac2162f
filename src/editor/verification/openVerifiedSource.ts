import { deploymentKey } from "../../core/evm/deploymentKey.ts";
import { documentSegments } from "../../core/text/documentPath.ts";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { chainLabel } from "../../core/chains/chainNames.ts";
import { LedgerLensError } from "../../core/errors.ts";
import { lastSegment } from "../../core/files/fileReader.ts";
import { contractFileOf } from "../../core/jobs/contractFile.ts";
import type { JobRecord } from "../../core/jobs/jobRecord.ts";
import { plainSource } from "../../core/sources/sourceText.ts";
import type { VerifiedSources } from "../../core/service/verifiedSources.ts";
import type { VerificationService } from "../../core/service/verificationService.ts";
import { sourceDocument } from "../../core/text/documentText.ts";
import { foreign, shortAddress, shown, type ShownText } from "../../core/text/shownText.ts";
import { likeliestFiles, mostAlikePaths } from "../../core/workspace/alikePaths.ts";
import { optionalText } from "../ui/arguments.ts";
import { mayAsk } from "../ui/asking.ts";
import type { CommandArguments } from "../ui/commands.ts";
import { showDiff } from "../ui/diff.ts";
import { askSteps } from "../ui/multiStep.ts";
import { showMessage } from "../ui/notifications.ts";
import { withProgressMessage } from "../ui/progress.ts";
import { VERIFIED } from "../ui/readOnlyDocuments.ts";
import { pickOne } from "../ui/quickPick.ts";
import { uriOf } from "../workspaceFiles.ts";
import { isInWorkspace, textNow } from "./editedFiles.ts";
import { deploymentFrom, deploymentSteps, type PartialDeployment } from "./deploymentSteps.ts";
import type { DeploymentParts, DocumentParts, ExplanationParts } from "./verificationParts.ts";

/** What `openVerifiedSource` resolves to. */
interface VerifiedSourceAnswer {
  /** Empty where the service does not tell. */
  readonly contractName: string;
  /** The file of the contract first. */
  readonly files: readonly { readonly name: string; readonly content: string }[];
}

const TITLE = shown`Open Verified Source`;
/** So many segments stand before the file's own name: the folder, the chain and the address. */
const OWN_SEGMENTS = 3;
const MAX_SEARCHED = 1_000;

/**
 * `ledgerLens.openVerifiedSource` `{chainId, address, file?}`: the files that a contract was verified with. A person sees
 * one of them as a read-only document; a program gets them all and nothing is opened.
 *
 * @param service the configured one by default
 * @throws LedgerLensError `not_verified`, `no_such_file`
 */
export async function openVerifiedSource(
  parts: DeploymentParts & DocumentParts & Pick<ExplanationParts, "jobs">,
  args: CommandArguments,
  service = parts.service(),
): Promise<VerifiedSourceAnswer> {
  const state: PartialDeployment = deploymentFrom(args);
  await askSteps(TITLE, state, deploymentSteps(parts));
  const { chainId = "", address = "" } = state;
  const sources = await sourcesAt(parts, service, { chainId, address });
  const file = optionalText(args, "file");
  if (file !== undefined && !sources.files.has(file)) {
    throw new LedgerLensError(
      "no_such_file",
      t`${foreign(file)} is not among the verified files of ${address}. Call the command without file to get them all.`,
    );
  }
  if (mayAsk()) await showOne(parts, { chainId, address }, sources, file);
  const answered = [...sources.files].filter(([name]) => file === undefined || name === file);
  return {
    contractName: sources.contractName,
    files: answered.map(([name, content]) => ({ name, content })),
  };
}

async function sourcesAt(
  { jobs }: Pick<ExplanationParts, "jobs">,
  service: VerificationService,
  deployment: { readonly chainId: string; readonly address: string },
): Promise<VerifiedSources> {
  const { address, chainId } = deployment;
  const sources = await withProgressMessage(
    shown`Reading the verified source of ${shortAddress(address)}`,
    async (_report, signal) => {
      await jobs.chainSupport.checkReach(service, chainId, signal);
      return service.verifiedSources(deployment, signal);
    },
  );
  if (sources && sources.files.size > 0) return sources;
  throw new LedgerLensError(
    "not_verified",
    t`${shortAddress(address)} on ${chainLabel(chainId)} is not verified at ${service.host}, so that it has no source to open. Verify it, or check the address and the chain.`,
  );
}

async function showOne(
  { documents }: DocumentParts,
  { chainId, address }: { readonly chainId: string; readonly address: string },
  { contractName, files }: VerifiedSources,
  file: string | undefined,
): Promise<void> {
  const [first] = files.keys();
  const chosen =
    file ??
    (files.size === 1
      ? first
      : await pickOne({
          title: TITLE,
          placeholder: shown`Which file of ${contractName === "" ? shortAddress(address) : contractName}?`,
          choices: [...files.keys()].map((name) => ({
            icon: "file-code",
            label: foreign(lastSegment(name)),
            description: foreign(name),
            value: name,
          })),
        }));
  if (chosen === undefined) return;
  await documents.show(documentPathOf({ chainId, address }, chosen), sourceDocument(files.get(chosen) ?? ""));
}

/** The path of the document of a verified source. */
function documentPathOf(
  { chainId, address }: { readonly chainId: string; readonly address: string },
  name: string,
): ShownText[] {
  return [VERIFIED, foreign(chainId), foreign(address), ...documentSegments(name)];
}

/**
 * Shows a verified source beside the file of the workspace that it is of: the one whose path agrees the most, from its end.
 *
 * @param document by default that of the active editor
 * @throws LedgerLensError `no_workspace_file`
 */
export async function compareWithWorkspace(
  records: readonly JobRecord[],
  document: vscode.Uri | undefined,
): Promise<void> {
  const uri = document ?? vscode.window.activeTextEditor?.document.uri;
  if (!uri) return;
  const segments = uri.path.split("/").slice(1);
  const [, chainId = "", address = ""] = segments;
  const name = segments.slice(OWN_SEGMENTS).join("/");
  const file = (await submittedFileOf(records, { chainId, address }, name)) ?? (await workspaceFileOf(name));
  if (file === undefined) return;
  await showBeside(uri, file, name);
}

/** Of equal files, which two columns show without saying so, it is told that they are. */
async function showBeside(verified: vscode.Uri, path: string, name: string): Promise<void> {
  const here = uriOf(path);
  const own = foreign(lastSegment(name));
  const [theirs, ours] = await Promise.all([textNow(verified), textNow(here)]);
  await showDiff(verified, here, shown`${own}: verified ↔ workspace`);
  if (theirs === undefined || ours === undefined || plainSource(theirs) !== plainSource(ours)) return;
  void showMessage(
    "information",
    theirs === ours
      ? shown`No differences: ${own} in the workspace is the verified file.`
      : shown`${own} in the workspace is the verified file, but for its line endings.`,
  );
}

/**
 * Shows the verified source of a job's contract beside the contract's file.
 *
 * @throws LedgerLensError `not_verified`, `no_workspace_file`
 */
export async function compareContract(
  parts: DeploymentParts & DocumentParts & Pick<ExplanationParts, "jobs">,
  record: JobRecord,
): Promise<void> {
  const { files } = await sourcesAt(parts, parts.service(record.service), record);
  const { name, path } = contractFileOf(record) ?? { name: "", path: "" };
  const [theirs = name] = files.has(name) ? [name] : mostAlikePaths(path, [...files.keys()]);
  const text = files.get(theirs);
  if (text === undefined || !(await isInWorkspace(path))) throw noWorkspaceFile(lastSegment(theirs));
  await showBesideVerified(parts, record, { name: theirs, text }, path);
}

/** Shows a verified source beside a file of the workspace. */
export async function showBesideVerified(
  { documents }: DocumentParts,
  deployment: { readonly chainId: string; readonly address: string },
  { name, text }: { readonly name: string; readonly text: string },
  path: string,
): Promise<void> {
  const uri = documents.put(documentPathOf(deployment, name), sourceDocument(text));
  await showBeside(uri, path, name);
}

/** The file that a job submitted for a deployment under a name. */
async function submittedFileOf(
  records: readonly JobRecord[],
  deployment: { readonly chainId: string; readonly address: string },
  name: string,
): Promise<string | undefined> {
  const key = deploymentKey(deployment);
  for (const record of records) {
    const file = deploymentKey(record) === key ? contractFileOf(record) : undefined;
    if (file?.name === name && (await isInWorkspace(file.path))) return file.path;
  }
  return undefined;
}

function noWorkspaceFile(name: string): LedgerLensError {
  return new LedgerLensError(
    "no_workspace_file",
    t`No file of the open folder is named ${foreign(name)}. Open the folder of the contract's project.`,
  );
}

/** `undefined` when the user leaves. */
async function workspaceFileOf(name: string): Promise<string | undefined> {
  const own = lastSegment(name);
  // The name comes from a service: it is looked for only where no character of it has a meaning in a pattern.
  const found = /^[\w$@+. -]+$/.test(own)
    ? await vscode.workspace.findFiles(`**/${own}`, undefined, MAX_SEARCHED)
    : [];
  const paths = likeliestFiles(
    name,
    found.map(({ path }) => path),
  );
  const [only, another] = paths;
  if (only === undefined) throw noWorkspaceFile(own);
  if (another === undefined) return only;
  return pickOne({
    title: shown`Compare With Workspace`,
    placeholder: shown`Several files are named ${own}. Which one?`,
    choices: paths.map((path) => ({
      icon: "file-code",
      label: foreign(lastSegment(path)),
      description: foreign(vscode.workspace.asRelativePath(uriOf(path))),
      value: path,
    })),
  });
}
