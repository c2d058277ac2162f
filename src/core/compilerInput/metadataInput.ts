import { splitIdentifier } from "../sources/contractIdentifier.ts";
import type { CompilerLists } from "../languages/compilerLists.ts";
import { t } from "@vscode/l10n";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { metadataOf, writtenMetadata } from "./artifactMetadata.ts";
import { artifactPaths } from "./artifactPaths.ts";
import type { AdmittedSources } from "../sources/admittedSources.ts";
import { joinPath, relativePath } from "../files/fileReader.ts";
import { noteSkipped } from "../files/skippedFiles.ts";
import { UnreadableFile } from "../files/unreadableFile.ts";
import type { FolderReader } from "../files/folderReader.ts";
import { readJson } from "../json/dataFile.ts";
import { asRecord, asText, asTexts, field, fieldAt } from "../json/looseData.ts";
import type { Project } from "../tools/project.ts";
import { hardhat3Packaged } from "../tools/hardhat/hardhat3Names.ts";
import { ownPath } from "../tools/tool.ts";
import { fullVersion } from "../languages/rules.ts";
import type { WorkspaceContract } from "../sources/contractReference.ts";
import { inputFileOf } from "../sources/inputFile.ts";
import { isLanguageName, LANGUAGES } from "../languages/language.ts";
import { misshapenSettings } from "../languages/settingsShape.ts";
import { SOLC_SETTINGS } from "../languages/solidity/solcSettingsShape.ts";
import { SourceFinder, type SourceLookup } from "../sources/sourceLookup.ts";
import { hasByteOrderMark } from "../sources/sourceText.ts";
import type {
  ChangedFile,
  CompilerSettings,
  InputFile,
  StandardJsonInput,
} from "../sources/standardJsonInput.ts";
import { librariesByFile } from "../languages/solidity/librariesByFile.ts";
import type { LooseObject } from "../json/shape.ts";

/** The metadata that solc wrote for a contract, and the file it was found in. */
interface FoundMetadata {
  readonly path: string;
  readonly metadata: LooseObject;
  /** As solc wrote it, or nearly so where the file has it as an object: its hash is what tells a build. */
  readonly text: string;
  /** Source unit name of the contract's file. */
  readonly name: string;
  readonly contractName: string;
}

/** The input rebuilt from metadata, and the files that are no longer what was compiled. */
export interface RebuiltInput {
  readonly found: FoundMetadata;
  readonly compilerVersion: string;
  readonly settings: CompilerSettings;
  /** `undefined` when a file has changed or is gone: then the input can't be rebuilt. */
  readonly input?: StandardJsonInput;
  readonly files: readonly InputFile[];
  readonly changed: readonly ChangedFile[];
}

/**
 * The metadata of a contract in the artifacts of a project: Foundry's `out/File.sol/Name.json`, Truffle's
 * `build/contracts/Name.json`, `Name_metadata.json` of Remix and `Name_meta.json` of `solc --metadata`.
 * Several when the contract was built in several ways.
 *
 * @param alsoIn other files that may hold it
 */
export async function findMetadata(
  files: FolderReader,
  project: Project,
  contract: Pick<WorkspaceContract, "path" | "contractName">,
  alsoIn: readonly string[] = [],
): Promise<FoundMetadata[]> {
  const { contractName, path } = contract;
  const { root } = project;
  const found: FoundMetadata[] = [];
  const seen = new Set<string>();
  for (const artifact of [...alsoIn, ...(await artifactPaths(files, project, contract))]) {
    const written = metadataIn(await readJson(files, artifact));
    if (!written) continue;
    const { metadata, text } = written;
    const [target] = Object.entries(asRecord(fieldAt(metadata, "settings", "compilationTarget")) ?? {});
    if (target?.[1] !== contractName || !standsFor(target[0], root, path)) continue;
    if (seen.has(text)) continue;
    seen.add(text);
    found.push({ path: artifact, metadata, text, name: target[0], contractName });
  }
  return found;
}

/** The metadata in an artifact: the exact text that solc wrote, an object, or the file itself. */
function metadataIn(json: unknown): Pick<FoundMetadata, "metadata" | "text"> | undefined {
  const metadata = metadataOf(json);
  if (metadata) return { metadata, text: writtenMetadata(json) ?? JSON.stringify(metadata) };
  const itself = fieldAt(json, "settings", "compilationTarget") === undefined ? undefined : asRecord(json);
  return itself && { metadata: itself, text: JSON.stringify(itself) };
}

/** True when a source unit name means the file on disk. */
function standsFor(name: string, root: string, path: string): boolean {
  return namesOnDisk(name).some(
    (plain) => plain === path || joinPath(root, plain) === path || path.endsWith(`/${plain}`),
  );
}

/** The names by which a source may be found: its own, and that without what a tool put before it. */
function namesOnDisk(name: string): string[] {
  const packaged = hardhat3Packaged(name);
  return packaged ? [`${packaged.name}/${packaged.path}`] : [name, ownPath(name)];
}

/**
 * Rebuilds the input of a compilation from its metadata: the settings as they were, the sources from disk, each
 * checked against the keccak256 that the metadata holds. A file whose line endings differ is given back those
 * that it was compiled with.
 *
 * @returns `undefined` for metadata of a wrong form, which is noted as skipped.
 */
export async function metadataInput(
  files: FolderReader,
  sources: AdmittedSources,
  root: string,
  found: FoundMetadata,
  options: {
    readonly include?: readonly string[];
    readonly releases?: Partial<CompilerLists> | undefined;
  } = {},
): Promise<RebuiltInput | undefined> {
  const compilerVersion = fullVersion(
    "Solidity",
    asText(fieldAt(found.metadata, "compiler", "version")) ?? "",
    options.releases,
  );
  const { libraries = {}, ...others } = asRecord(field(found.metadata, "settings")) ?? {};
  const wrong =
    misshapenSettings(others, SOLC_SETTINGS)[0] ?? (asRecord(libraries) ? undefined : "libraries");
  const named = asRecord(field(found.metadata, "sources")) ?? {};
  if (compilerVersion === undefined || wrong !== undefined || !Object.hasOwn(named, found.name)) {
    const reason =
      wrong !== undefined
        ? t`holds a setting of a wrong form (${wrong})`
        : compilerVersion === undefined
          ? t`names no release of a compiler`
          : t`does not name the source of the contract`;
    noteSkipped(files, found.path, reason);
    return undefined;
  }
  const finder = new SourceFinder(sources, {
    project: root,
    ...(options.include && { include: options.include }),
  });
  const compared = await Promise.all(
    Object.entries(asRecord(field(found.metadata, "sources")) ?? {}).map(async ([name, source]) => {
      const hash = asText(field(source, "keccak256"))?.toLowerCase() ?? "";
      const looked = await Promise.all(
        namesOnDisk(name).map((one) => finder.find(one).catch(missingWhereUnreadable)),
      );
      const onDisk = looked.find((one) => "bytes" in one);
      const asItIs = onDisk && textWithHash(onDisk.bytes, hash);
      // A text that the metadata holds itself may be that of any file: it goes only for one that has changed since.
      const literal = asText(field(source, "content"));
      const compiled = literal !== undefined && keccakOf(literal) === hash ? literal : undefined;
      const content = asItIs ?? (onDisk && compiled);
      const path = onDisk?.path ?? joinPath(root, relativePath(name, root) ?? name);
      const file = onDisk && inputFileOf(name, onDisk, Buffer.byteLength(content ?? ""));
      const changed: ChangedFile | undefined =
        asItIs === undefined ? { name, path, change: onDisk ? "edited" : "deleted" } : undefined;
      return { name, content, file, changed };
    }),
  );
  const written = asText(field(found.metadata, "language"));
  const isBySolc = isLanguageName(written) && LANGUAGES[written].compiler === LANGUAGES.Solidity.compiler;
  const settings = settingsFromMetadata({ ...others, libraries });
  const isWhole = compared.every(({ content }) => content !== undefined);
  return {
    found,
    compilerVersion,
    settings,
    ...(isWhole && {
      input: {
        language: isBySolc ? written : "Solidity",
        sources: Object.fromEntries(compared.map(({ name, content = "" }) => [name, { content }])),
        settings,
      } as const,
    }),
    files: compared.flatMap(({ file }) => file ?? []),
    changed: compared.flatMap(({ changed }) => changed ?? []),
  };
}

/** A source that can't be read is one that can't be compiled again. */
function missingWhereUnreadable(error: unknown): SourceLookup {
  if (error instanceof UnreadableFile) return { lookedIn: [error.path] };
  throw error;
}

const REWRITTEN_SETTINGS = new Set(["compilationTarget", "libraries", "remappings"]);

/**
 * The settings of standard JSON input that metadata stands for (docs/metadata.rst): the compilation target goes,
 * libraries are by file again, and a remapping without a context loses its leading colon.
 */
export function settingsFromMetadata(settings: LooseObject): CompilerSettings {
  const others = Object.fromEntries(
    Object.entries(settings).filter(([name]) => !REWRITTEN_SETTINGS.has(name)),
  );
  const libraries = Object.entries(asRecord(settings["libraries"]) ?? {}).flatMap(([key, address]) =>
    typeof address === "string" ? [{ ...splitIdentifier(key), address }] : [],
  );
  const remappings = asTexts(settings["remappings"])?.map((remapping) => remapping.replace(/^:/, "")) ?? [];
  return {
    ...others,
    ...(remappings.length > 0 && { remappings }),
    ...(libraries.length > 0 && { libraries: librariesByFile(libraries) }),
    outputSelection: { "*": { "*": ["abi", "evm.bytecode", "evm.deployedBytecode", "metadata"] } },
  };
}

/**
 * The text of a file in the form that has the hash: as it is, or with other line endings. `undefined` when no
 * form has it.
 */
function textWithHash(bytes: Uint8Array, hash: string): string | undefined {
  const plain = hasByteOrderMark(bytes) ? bytes.subarray(3) : bytes;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(plain);
  } catch {
    return undefined;
  }
  const lines = text.replaceAll("\r\n", "\n");
  const variants = [text, lines, lines.replaceAll("\n", "\r\n")];
  return variants.find((variant) => keccakOf(variant) === hash);
}

function keccakOf(text: string): string {
  return `0x${bytesToHex(keccak_256(new TextEncoder().encode(text)))}`;
}
