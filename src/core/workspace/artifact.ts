import { t } from "@vscode/l10n";
import { lastSegment, parentFolder } from "../files/fileReader.ts";
import { isObject } from "../json/shape.ts";
import { parseJsonBytes } from "../json/dataFile.ts";
import { isDeeper, MAX_LEVELS } from "../json/depth.ts";
import { compilationTarget } from "../compilerInput/artifactMetadata.ts";
import { isContractName } from "../languages/contractName.ts";
import { OUTPUT_FOLDERS, ownPath } from "../tools/tool.ts";
import { INSTALLED_FOLDERS } from "../sources/packagedPath.ts";
import { readAbi, type AbiEntry } from "../evm/abiEntry.ts";
import { nameOfArtifact } from "./artifactName.ts";

/** What a build tool left about one contract. */
export interface Artifact {
  readonly contractName: string;
  /** As the tool names the source: relative to the project, of a package, or absolute; missing where no tool says. */
  readonly sourceName?: string;
  readonly abi: readonly AbiEntry[];
  /** Hex of the code without constructor, library placeholders in it; missing where there is none. */
  readonly deployedCode?: string;
  /** As it came; where the tool was told to write it. */
  readonly storageLayout?: unknown;
}

/** Where tools put artifacts, as a glob relative to an open folder. */
export const ARTIFACT_GLOB = `**/{${OUTPUT_FOLDERS.join(",")}}/**/*.json`;

/** Folders there that hold no artifact, or other people's. */
const NO_ARTIFACTS = [...INSTALLED_FOLDERS, ".git", "build-info", "solcInputs"];
export const NO_ARTIFACT_GLOB = `**/{${NO_ARTIFACTS.join(",")}}/**`;

/** Whether a path may be an artifact's. */
export function isArtifactPath(path: string): boolean {
  if (!path.endsWith(".json") || /\.dbg\.json$|_metadata\.json$/.test(path)) return false;
  const segments = path.split("/");
  if (segments.some((one) => NO_ARTIFACTS.includes(one))) return false;
  return segments.slice(0, -1).some((one) => OUTPUT_FOLDERS.includes(one));
}

/** The folders that may be the project of an artifact, outermost first. */
export function projectsOfArtifact(path: string): string[] {
  const segments = path.split("/");
  return segments.flatMap((segment, at) =>
    OUTPUT_FOLDERS.includes(segment) && at < segments.length - 1
      ? [segments.slice(0, at).join("/") || "/"]
      : [],
  );
}

/** What is asked of the bytes of an artifact. */
export interface ArtifactQuestion {
  readonly bytes: Uint8Array;
  readonly path: string;
}

/** The contracts of an artifact, or why it can't be read. */
export type ArtifactReading = { readonly artifacts: readonly Artifact[] } | { readonly reason: string };

/** In values: of the largest artifact that is read, half of it commas and brackets. */
const MAX_PARTS = 16_000_000;

/** Reads the bytes of an artifact. */
export function readArtifactBytes({ bytes, path }: ArtifactQuestion): ArtifactReading {
  const parsed = parseJsonBytes(bytes, MAX_PARTS);
  if ("reason" in parsed) return parsed;
  if (isDeeper(parsed.value, MAX_LEVELS)) return { reason: t`is nested too deeply` };
  return { artifacts: readArtifacts(path, parsed.value) };
}

/**
 * The contracts of an artifact as Hardhat 2 and 3, Foundry, Truffle, hardhat-deploy, Remix, Ape and other tools write
 * it. Most files hold one; anything else gives none.
 */
function readArtifacts(path: string, value: unknown): Artifact[] {
  if (!isObject(value)) return [];
  // An Ape project's manifest (EIP-2678) holds all its contracts.
  const contractTypes = value["contractTypes"];
  if (isObject(contractTypes)) {
    return Object.entries(contractTypes).flatMap(([name, one]) => readArtifact(path, one, name) ?? []);
  }
  const artifact = readArtifact(path, value, nameOfArtifact(path) ?? "");
  return artifact ? [artifact] : [];
}

function readArtifact(path: string, json: unknown, fallbackName: string): Artifact | undefined {
  if (!isObject(json) || !Array.isArray(json["abi"])) return undefined;
  // Remix keeps the compiler's output for the contract below `data`.
  const output = isObject(json["data"]) ? json["data"] : json;
  const target = compilationTarget(json);
  const contractName =
    text(json["contractName"]) ?? text(json["contract_name"]) ?? target?.name ?? fallbackName;
  const sourcePath = text(json["sourcePath"]);
  const sourceName =
    text(json["sourceName"]) ??
    text(json["sourceId"]) ??
    (target && ownPath(target.source)) ??
    (sourcePath && ownPath(sourcePath)) ??
    (isObject(json["ast"]) ? text(json["ast"]["absolutePath"]) : undefined);
  // Foundry names the folder of an artifact after the source.
  if (!isContractName(contractName, sourceName ?? lastSegment(parentFolder(path)))) return undefined;
  const deployedCode =
    code(output["deployedBytecode"]) ?? code(output["runtimeBytecode"]) ?? code(output["deployed_bytecode"]);
  return {
    contractName,
    ...(sourceName !== undefined && { sourceName: sourceName.replaceAll("\\", "/") }),
    abi: readAbi(json["abi"]),
    ...(deployedCode !== undefined && { deployedCode }),
    ...(isObject(output["storageLayout"]) && { storageLayout: output["storageLayout"] }),
  };
}

function code(value: unknown): string | undefined {
  const hex = isObject(value) ? (value["object"] ?? value["bytecode"]) : value;
  return typeof hex === "string" && hex.length > 2 ? hex : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
