import { unlinkedCodeBytes } from "../evm/hex.ts";
import { lastAuxdata } from "../evm/auxdata.ts";
import { recordedOutput } from "./recordedOutput.ts";
import type { CompilerInput } from "../sources/standardJsonInput.ts";
import { joinPath, type FileReader } from "../files/fileReader.ts";
import { asRecord, asText, field, fieldAt, parseJson, readJson } from "../json/looseData.ts";
import { TOOLS } from "../tools/tool.ts";
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
  files: FileReader,
  input: Pick<
    CompilerInput,
    "record" | "contractIdentifier" | "compilerVersion" | "stdJsonInput" | "project"
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
    const metadata = metadataIn(recorded);
    return { ...known, ...(metadata !== undefined && { metadata }), ...codesIn(recorded) };
  }
  const artifact = hasMetadata ? (recorded ?? (await findArtifact(files, input))) : undefined;
  const written = parseJson(metadataIn(artifact) ?? "") ?? field(artifact, "metadata");
  const abi = field(artifact, "abi") ?? fieldAt(written, "output", "abi");
  if (!Array.isArray(abi)) return known;
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
      abi: abi as readonly unknown[],
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
  const { file, name } = split(contractIdentifier);
  const recorded = await recordedOutput(files, record, file, name);
  return recorded ? recorded.output : readJson(files, record);
}

/** Whether a code proves by its auxdata that it is of just the sources and settings that metadata names. */
export function carriesMetadataHash(code: string | undefined, metadata: string): boolean {
  const hash = lastAuxdata(unlinkedCodeBytes(code ?? ""))?.hash;
  if (!hash) return false;
  return metadataDigest(metadata, hash.kind) === hash.digest;
}

/** The artifact, where the defaults of the tools put it. */
async function findArtifact(
  files: FileReader,
  { project, contractIdentifier }: Pick<CompilerInput, "project" | "contractIdentifier">,
): Promise<unknown> {
  const { file, name } = split(contractIdentifier);
  for (const path of TOOLS.flatMap(({ artifactOf }) => artifactOf?.(file, name) ?? [])) {
    const artifact = await readJson(files, joinPath(project, path));
    if (artifact !== undefined) return artifact;
  }
  return undefined;
}

function split(identifier: string): { readonly file: string; readonly name: string } {
  const colon = identifier.lastIndexOf(":");
  return { file: identifier.slice(0, colon), name: identifier.slice(colon + 1) };
}

function metadataIn(output: unknown): string | undefined {
  return asText(field(output, "rawMetadata")) ?? asText(field(output, "metadata"));
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
