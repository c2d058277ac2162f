import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { unlinkedCodeBytes } from "../evm/hex.ts";
import { lastAuxdata } from "../evm/auxdata.ts";
import { metadataOf, writtenMetadata } from "./artifactMetadata.ts";
import { artifactPaths } from "./artifactPaths.ts";
import { recordedOutput } from "./recordedOutput.ts";
import type { CompilerInput } from "../sources/standardJsonInput.ts";
import { joinPath, type FileReader } from "../files/fileReader.ts";
import type { FolderReader } from "../files/folderReader.ts";
import { readJson } from "../json/dataFile.ts";
import { asRecord, asText, field, fieldAt } from "../json/looseData.ts";
import { plainProject, projectAt } from "../tools/project.ts";
import { LANGUAGES } from "../languages/language.ts";
import { builtMetadata } from "../matching/builtMetadata.ts";
import { metadataDigest } from "../matching/metadataSearch.ts";
import type { LocalBuild } from "../matching/localBuild.ts";

/**
 * What is known of the build that an input would have. Nothing is compiled, since a compiler that lies in a workspace
 * is a program of the workspace: an input that comes from a build has that build's metadata and code, and for any other
 * the metadata is put together from the input and an artifact's interface. An artifact's code counts only when its
 * metadata hash proves that it is of just these files and settings.
 */
export async function readLocalBuild(
  files: FolderReader,
  input: Pick<
    CompilerInput,
    "record" | "contractIdentifier" | "compilerVersion" | "stdJsonInput" | "project" | "files"
  > &
    Partial<Pick<CompilerInput, "findings">>,
): Promise<LocalBuild> {
  const { contractIdentifier, compilerVersion, stdJsonInput } = input;
  const { language, settings } = stdJsonInput;
  const { madeAs, hasMetadata } = LANGUAGES[language];
  const sources = Object.fromEntries(
    Object.entries(stdJsonInput.sources).map(([name, { content }]) => [name, content]),
  );
  const known: LocalBuild = {
    ...(madeAs && { language: madeAs }),
    compilerVersion,
    settings,
    sources,
  };
  const recorded = await outputOf(files, input);
  // Another compiler or other settings than the record's make another code: of the record only the interface counts.
  const isChanged = input.findings?.some(({ code }) => code === "settings_changed") === true;
  if (recorded !== undefined && !isChanged) {
    const metadata = writtenMetadata(recorded);
    return { ...known, ...(metadata !== undefined && { metadata }), ...codesIn(recorded) };
  }
  const artifact = hasMetadata ? (recorded ?? (await findArtifact(files, input))) : undefined;
  const written = metadataOf(artifact);
  const abi = abiOf(artifact);
  if (!abi) return known;
  // An input may hold more than the contract needs.
  const needed = Object.keys(asRecord(field(written, "sources")) ?? sources);
  const metadata = builtMetadata(
    {
      compilerVersion,
      contractIdentifier,
      settings,
      sources: Object.fromEntries(Object.entries(sources).filter(([name]) => needed.includes(name))),
    },
    {
      abi,
      devdoc: fieldAt(written, "output", "devdoc"),
      userdoc: fieldAt(written, "output", "userdoc"),
    },
  );
  if (metadata === undefined) return known;
  const codes = codesIn(artifact);
  return {
    ...known,
    metadata,
    ...(carriesMetadataHash(codes.runtimeBytecode, metadata) ? codes : { isMetadataBuilt: true }),
  };
}

/** What the compiler put out for the contract, in the record or the artifact that the input comes from. */
async function outputOf(
  files: FileReader,
  { record, contractIdentifier }: Pick<CompilerInput, "record" | "contractIdentifier">,
): Promise<unknown> {
  if (record === undefined) return undefined;
  const { file, name } = splitIdentifier(contractIdentifier);
  const recorded = await recordedOutput(files, record, file, name);
  return recorded ? recorded.output : readJson(files, record);
}

/** Whether a code proves by its auxdata that it is of just the sources and settings that metadata names. */
export function carriesMetadataHash(code: string | undefined, metadata: string): boolean {
  const hash = lastAuxdata(unlinkedCodeBytes(code ?? ""))?.hash;
  if (!hash) return false;
  return metadataDigest(metadata, hash.kind) === hash.digest;
}

/** The artifact of the contract: the first that has an interface. */
async function findArtifact(
  files: FolderReader,
  {
    project: root,
    contractIdentifier,
    files: sources,
  }: Pick<CompilerInput, "project" | "contractIdentifier" | "files">,
): Promise<unknown> {
  const { file, name } = splitIdentifier(contractIdentifier);
  const path = sources.find((one) => one.name === file)?.path ?? joinPath(root, file);
  const project = (await projectAt(files, root)) ?? plainProject(root);
  for (const one of await artifactPaths(files, project, { path, contractName: name })) {
    const artifact = await readJson(files, one);
    if (abiOf(artifact)) return artifact;
  }
  return undefined;
}

function abiOf(artifact: unknown): readonly unknown[] | undefined {
  const abi = field(artifact, "abi") ?? fieldAt(metadataOf(artifact), "output", "abi");
  return Array.isArray(abi) ? (abi as readonly unknown[]) : undefined;
}

/** The codes as the compiler's output has them, or as the artifacts of the tools do. */
function codesIn(output: unknown): Pick<LocalBuild, "runtimeBytecode" | "creationBytecode"> {
  const code = (name: string) => {
    const found = fieldAt(output, "evm", name) ?? field(output, name);
    const text = asText(found) ?? asText(field(asRecord(found), "object"));
    return text === undefined || /^(?:0x)?$/.test(text) ? undefined : text;
  };
  const [runtimeBytecode, creationBytecode] = [code("deployedBytecode"), code("bytecode")];
  return {
    ...(runtimeBytecode !== undefined && { runtimeBytecode }),
    ...(creationBytecode !== undefined && { creationBytecode }),
  };
}
