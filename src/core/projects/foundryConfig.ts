import { parse } from "smol-toml";
import { isInside, joinPath, parentFolder } from "../files.ts";
import { defaultFoundrySources } from "./project.ts";
import { isFolder, type FolderReader } from "./folderReader.ts";
import { asRecord, asText, asTexts, field, type LooseRecord } from "./looseData.ts";

/** `foundry.toml` as one profile sees it, with Foundry's defaults. */
export interface FoundryConfig {
  /** Absolute path of the project's root folder. */
  readonly root: string;
  /** Relative to the root, as written. */
  readonly src: string;
  readonly out: string;
  readonly libs: readonly string[];
  readonly buildInfoFolder: string;
  readonly broadcast: string;
  /** The remappings of `foundry.toml` itself. */
  readonly remappings: readonly string[];
  readonly autoDetectRemappings: boolean;
  readonly includePaths: readonly string[];
  /** A compiler version; a path to a compiler says none. */
  readonly solc?: string;
  readonly evmVersion?: string;
  /** `undefined` stands for Foundry's default, which depends on its release. */
  readonly optimizer?: boolean;
  readonly optimizerRuns?: number;
  /** In the form of standard JSON input. */
  readonly optimizerDetails?: LooseRecord;
  readonly viaIr?: boolean;
  readonly bytecodeHash?: string;
  readonly cborMetadata?: boolean;
  readonly useLiteralContent?: boolean;
  readonly revertStrings?: string;
  /** `path:Name:0xaddress`, as written. */
  readonly libraries: readonly string[];
  readonly vyper: LooseRecord;
  /** What could not be read, one sentence each. */
  readonly problems: readonly string[];
}

/**
 * Reads `foundry.toml` by Foundry's rules (foundry-rs/foundry, crates/config/src): a profile stands on top of
 * `default`, a file named by `extends` stands below the one that names it and its arrays come first, names may
 * be written with hyphens, and what is missing is filled in from the folders that exist.
 */
export async function readFoundryConfig(
  files: FolderReader,
  root: string,
  profile = "default",
): Promise<FoundryConfig> {
  const problems: string[] = [];
  const own = await readToml(files, joinPath(root, "foundry.toml"), problems);
  let values = profileOf(own, profile);
  const extended = extension(values["extends"]);
  if (extended) {
    const path = joinPath(root, extended.path);
    const base = profileOf(await readToml(files, path, problems), profile);
    values = layered(base, values, extended.keepsArrays);
  }
  const hasNodeModules = await isFolder(files, joinPath(root, "node_modules"));
  const hasLib = await isFolder(files, joinPath(root, "lib"));
  const out = asText(values["out"]) ?? (await defaultOutput(files, root));
  const soldeer = asRecord(own["dependencies"]) ?? asRecord(values["dependencies"]);
  const libs = asTexts(values["libs"]) ?? [
    ...(hasLib || !hasNodeModules ? ["lib"] : []),
    ...(hasNodeModules ? ["node_modules"] : []),
  ];
  const solc = asText(values["solc"]) ?? asText(values["solc_version"]);
  const given = {
    solc: solc !== undefined && /^v?\d+\.\d+\.\d+/.test(solc) ? solc : undefined,
    evmVersion: asText(values["evm_version"])?.toLowerCase(),
    optimizer: asBoolean(values["optimizer"]),
    optimizerRuns: typeof values["optimizer_runs"] === "number" ? values["optimizer_runs"] : undefined,
    optimizerDetails: asRecord(values["optimizer_details"]),
    viaIr: asBoolean(values["via_ir"]),
    bytecodeHash: asText(values["bytecode_hash"]),
    cborMetadata: asBoolean(values["cbor_metadata"]),
    useLiteralContent: asBoolean(values["use_literal_content"]),
    revertStrings: asText(values["revert_strings"]),
  };
  return {
    root,
    src: asText(values["src"]) ?? (await defaultFoundrySources(files, root)),
    out,
    // Soldeer keeps its packages in a folder of its own and writes remappings for them.
    libs: soldeer && !libs.includes("dependencies") && !values["libs"] ? [...libs, "dependencies"] : libs,
    buildInfoFolder: asText(values["build_info_path"]) ?? `${out}/build-info`,
    broadcast: asText(values["broadcast"]) ?? "broadcast",
    remappings: asTexts(values["remappings"]) ?? [],
    autoDetectRemappings: asBoolean(values["auto_detect_remappings"]) ?? true,
    includePaths: asTexts(values["include_paths"]) ?? [],
    libraries: asTexts(values["libraries"]) ?? [],
    vyper: asRecord(own["vyper"]) ?? asRecord(values["vyper"]) ?? {},
    ...present(given),
    problems,
  };
}

async function defaultOutput(files: FolderReader, root: string): Promise<string> {
  if (await isFolder(files, joinPath(root, "out"))) return "out";
  return (await isFolder(files, joinPath(root, "artifacts"))) ? "artifacts" : "out";
}

async function readToml(files: FolderReader, path: string, problems: string[]): Promise<LooseRecord> {
  const bytes = await files.read(path);
  if (!bytes) {
    problems.push(`${path} is not there; its settings are left out.`);
    return {};
  }
  try {
    return parse(new TextDecoder().decode(bytes), { integersAsBigInt: false });
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
    problems.push(`${path} is not valid TOML (${reason}); its settings are left out.`);
    return {};
  }
}

/** The settings of a profile on top of those of `default`; `[default]` without `profile.` is an old form. */
function profileOf(toml: LooseRecord, profile: string): LooseRecord {
  const settings = (name: string) => underscored(asRecord(field(toml["profile"], name) ?? toml[name]) ?? {});
  const base = settings("default");
  return profile === "default" ? base : layered(base, settings(profile), false);
}

function underscored(values: LooseRecord): LooseRecord {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name.replaceAll("-", "_"), value]),
  );
}

/** `upper` on top of `lower`, tables merged; arrays are joined, the lower one first, where they are kept. */
function layered(lower: LooseRecord, upper: LooseRecord, keepsArrays: boolean): LooseRecord {
  const merged: Record<string, unknown> = { ...lower };
  for (const [name, value] of Object.entries(upper)) {
    const before = merged[name];
    const beforeTable = asRecord(before);
    const table = asRecord(value);
    if (keepsArrays && Array.isArray(before) && Array.isArray(value))
      merged[name] = [...(before as unknown[]), ...(value as unknown[])];
    else if (beforeTable && table) merged[name] = layered(beforeTable, table, keepsArrays);
    else merged[name] = value;
  }
  return merged;
}

function extension(value: unknown): { path: string; keepsArrays: boolean } | undefined {
  const path = asText(value) ?? asText(field(value, "path"));
  if (path === undefined) return undefined;
  const strategy = asText(field(value, "strategy"));
  return { path, keepsArrays: strategy === undefined || strategy === "extend-arrays" };
}

function asBoolean(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** The object without the fields that are `undefined`. */
function present<T extends object>(value: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}

/** The folder that a configured path means. */
export function configuredPath(root: string, path: string): string {
  return joinPath(root, path);
}

/** True for folders a Foundry project keeps its dependencies in. */
export function isInLibraries(config: FoundryConfig, path: string): boolean {
  return config.libs.some((lib) => isInside(parentFolder(path), configuredPath(config.root, lib)));
}
