import { isDeepStrictEqual } from "node:util";
import { t } from "@vscode/l10n";
import { isInside, lastSegment } from "../files/fileReader.ts";
import { isMachinePath } from "../files/machinePath.ts";
import type { WorkspaceContract } from "../sources/contractReference.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import type { CompilerInput } from "../sources/standardJsonInput.ts";
import { saidByTools, toolsOf, type Project } from "../tools/project.ts";
import { isCompilerVersion } from "../versions.ts";
import { deployedBy, type ContractInputOptions } from "./contractInputOptions.ts";
import { deployerOf } from "./competingTools.ts";
import { compareMarks, marksAgainst } from "./deploymentMarks.ts";
import { findMetadata, metadataInput, type RebuiltInput } from "./metadataInput.ts";
import { severalBuilds } from "./severalBuilds.ts";
import { staleBuildFinding, staleSentence } from "./staleBuild.ts";
import type { InputContext } from "./toolInput.ts";

/** What the metadata that a tool wrote of a contract comes to. */
interface MetadataBuild extends RebuiltInput {
  /** The path of other metadata, where nothing tells which of the two was deployed. */
  readonly other?: string;
  /** Whether another tool wrote it than the one that recorded the deployment. */
  readonly isOfOther: boolean;
}

/** The record of the deployment, where its tool keeps in it what it deployed. */
export function keptRecord(options: ContractInputOptions): string | undefined {
  return deployedBy(options)?.recorder.keepsBuilds ? options.deployment?.record : undefined;
}

/** Whether what a tool wrote of a build is none of the one that recorded the deployment. */
async function isWrittenByOther({ files, project, options }: InputContext, path: string): Promise<boolean> {
  const deployer = deployerOf(options);
  if (!deployer) return false;
  let isOfOther = false;
  for (const { tool, rules, place } of await toolsOf(files, project, options.profile)) {
    const { foreign } = await rules.folders(place);
    const isOfTool = foreign.some((folder) => isInside(path, folder));
    // A tool of other languages may keep what it makes in the same folder.
    if (tool === deployer) return !isOfTool || rules.solidity === undefined;
    isOfOther ||= isOfTool;
  }
  return isOfOther;
}

/** What the metadata that tools wrote of a contract comes to: of several the one that the deployment shows. */
export async function fromMetadata(context: InputContext): Promise<MetadataBuild | undefined> {
  const { files, project, sources, contract, options } = context;
  const kept = keptRecord(options);
  const found = await findMetadata(files, project, contract, kept === undefined ? [] : [kept]);
  const include = await saidByTools(
    files,
    project,
    ({ rules, place }) => rules.solidity?.includes?.(place),
    options.profile,
  );
  const made = await Promise.all(
    found.map((one) =>
      metadataInput(files, sources, project.root, one, { include, releases: options.releases }),
    ),
  );
  const rebuilt: MetadataBuild[] = [];
  for (const one of made)
    if (one) rebuilt.push({ ...one, isOfOther: await isWrittenByOther(context, one.found.path) });
  if (rebuilt.length < 2) return rebuilt[0];
  const wanted = options.compilerVersion ?? options.deployedCompilerVersion;
  const preferred = rebuilt.map((one) => {
    const { found, compilerVersion, settings, input, changed, isOfOther } = one;
    const compiled = { compilerVersion, stdJsonInput: input ?? { ...NO_SOURCES, settings } };
    const [otherHash, ...marks] = marksAgainst(compiled, options, found.text);
    const isWanted = wanted !== undefined && isCompilerVersion(compilerVersion, wanted);
    const isNamedByMachine = isMachinePath(found.name) ? 1 : 0;
    return {
      one,
      marks: [
        input ? 0 : 1,
        otherHash,
        isWanted ? 0 : 1,
        found.path === kept ? 0 : 1,
        isOfOther ? 1 : 0,
        ...marks,
        changed.length,
        isNamedByMachine,
      ],
    };
  });
  const [best, next] = preferred.sort((a, b) => compareMarks(a.marks, b.marks));
  const isKnown =
    !best || !next || compareMarks(best.marks, next.marks) < 0 || isSameBuild(best.one, next.one);
  return isKnown ? best?.one : { ...best.one, other: next.one.found.path };
}

function isSameBuild(a: RebuiltInput, b: RebuiltInput): boolean {
  return a.compilerVersion === b.compilerVersion && isDeepStrictEqual(a.settings, b.settings);
}

/** What stands for an input that can't be rebuilt. */
const NO_SOURCES = { language: "Solidity", sources: {} } as const;

/** The input that metadata comes to; its sources are missing where they could not be rebuilt. */
export function inputOfMetadata(
  built: MetadataBuild,
  project: Project,
  contract: WorkspaceContract,
): CompilerInput {
  const { found, compilerVersion, input, files, changed, other } = built;
  const { contractName } = contract;
  return {
    compilerVersion,
    compilerReason: t`the one that built it`,
    contractIdentifier: `${found.name}:${contractName}`,
    stdJsonInput: input ?? { ...NO_SOURCES, settings: {} },
    source: "metadata",
    files,
    // Metadata may hold the sources themselves, which then go as they were compiled.
    findings: [
      ...(changed.length > 0 ? [staleBuildFinding(changed, lastSegment(found.path))] : []),
      ...(other === undefined
        ? []
        : [severalBuilds({ contractName, root: project.root, taken: found.path, other })]),
    ],
    warnings: [],
    project: project.root,
    record: found.path,
    changedSinceBuild: changed,
  };
}

/** That metadata is older than the files, which is why it is not used. */
export function staleMetadata(built: RebuiltInput): InputFinding[] {
  const { changed } = built;
  if (changed.length === 0) return [];
  return [
    {
      code: "stale_metadata",
      severity: "warning",
      sentence: t`${staleSentence(changed, lastSegment(built.found.path))} The input is made from the files as they are now.`,
      ...(changed[0] && { path: changed[0].path }),
    },
  ];
}
