import { t } from "@vscode/l10n";
import { byCodeUnits } from "../../concurrency/sortInPieces.ts";
import { joinPath, lastSegment, parentFolder } from "../../files/fileReader.ts";
import { noteSkipped } from "../../files/skippedFiles.ts";
import { LARGEST_CONFIGURATION_BYTES, openData } from "../../json/dataFile.ts";
import { toml } from "../../json/toml.ts";
import { ENVIRONMENT_FILE, readFoundryEnvironment, type FoundryEnvironment } from "./foundryEnvironment.ts";
import { unknownOf } from "./foundryUnknown.ts";
import { extension, understood } from "./foundryForms.ts";
import { defaultFoundrySources } from "./foundrySources.ts";
import { isFolder, onceForJob, type FolderReader } from "../../files/folderReader.ts";
import {
  asBoolean,
  asItems,
  asRecord,
  asText,
  asTexts,
  field,
  fieldAt,
  definedOnly,
} from "../../json/looseData.ts";
import type { LooseObject } from "../../json/shape.ts";
import { isComputed } from "../scripts/computed.ts";
import type { UnknownSetting } from "../unknownSettings.ts";

/** `foundry.toml` as one profile sees it, with Foundry's defaults. */
export interface FoundryConfig {
  /** Absolute path of the project's root folder. */
  readonly root: string;
  /** The configuration's own name, as written: `foundry.toml` unless the environment names another. */
  readonly file: string;
  /** The absolute path of it; where it can't be read, of the `.env` that names it. */
  readonly path: string;
  /** The profile that was asked for. */
  readonly profile: string;
  /** Relative to the root, as written. */
  readonly src: string;
  readonly test: string;
  readonly script: string;
  readonly out: string;
  readonly libs: readonly string[];
  readonly buildInfoFolder: string;
  readonly broadcast: string;
  /** The remappings of `foundry.toml` itself. */
  readonly remappings: readonly string[];
  /** What the `.env` beside it says, whose remappings go before all others. */
  readonly environment: FoundryEnvironment;
  readonly autoDetectRemappings: boolean;
  readonly includePaths: readonly string[];
  /** A compiler version; a path to a compiler says none. */
  readonly solc?: string;
  readonly evmVersion?: string;
  /** `undefined` stands for Foundry's default, which depends on its release. */
  readonly optimizer?: boolean;
  readonly optimizerRuns?: number;
  /** In the form of standard JSON input. */
  readonly optimizerDetails?: LooseObject;
  readonly viaIr?: boolean;
  readonly bytecodeHash?: string;
  readonly cborMetadata?: boolean;
  readonly useLiteralContent?: boolean;
  readonly revertStrings?: string;
  /** `path:Name:0xaddress`, as written. */
  readonly libraries: readonly string[];
  readonly vyper: LooseObject;
  /** `additional_compiler_profiles` and `compilation_restrictions`: what is read of them, with underscores. */
  readonly compilerProfiles: readonly LooseObject[];
  readonly compilationRestrictions: readonly LooseObject[];
  /** The folder of forge's own index of what it built, relative to the root. */
  readonly cachePath: string;
  /** Globs of files that are not compiled. */
  readonly skip: readonly string[];
  /** What variables decide that nothing here defines, in the `.env`: no default stands for it. */
  readonly unknown: readonly UnknownSetting[];
  /** The profiles that `foundry.toml` has, `default` among them. */
  readonly profiles: readonly string[];
  /** What could not be read, one sentence each. */
  readonly problems: readonly string[];
}

/** Which configuration is read. */
interface WantedConfig {
  /** Without one, the profile that the `.env` of the project chooses, else `default`. */
  readonly profile?: string | undefined;
  /** Of a project that this one is a library of: its `.env` goes for all its libraries, and theirs are not read. */
  readonly environment?: FoundryEnvironment;
}

/**
 * Reads `foundry.toml` by Foundry's rules (foundry-rs/foundry, crates/config/src): a profile stands on top of
 * `default`, a file named by `extends` stands below the one that names it and its arrays come first, names may
 * be written with hyphens, and what is missing is filled in from the folders that exist. What the `.env` of the project sets
 * stands on top ({@link readFoundryEnvironment}).
 */
export function readFoundryConfig(
  files: FolderReader,
  root: string,
  wanted: WantedConfig = {},
): Promise<FoundryConfig> {
  return onceForJob(files, `Foundry ${JSON.stringify(wanted)} ${root}`, () => read(files, root, wanted));
}

async function read(
  files: FolderReader,
  root: string,
  { profile: asked, environment: outside }: WantedConfig,
): Promise<FoundryConfig> {
  const environment = outside ?? (await readFoundryEnvironment(files, root));
  const problems = outside ? [] : [...environment.problems];
  const named = asked ?? environment.profile ?? "default";
  const { config } = environment;
  const folder = config ? environment.root : root;
  const file = config?.path ?? CONFIGURATION;
  const found = await readToml(files, folder, file, problems, { isNeeded: config !== undefined });
  const lost = found ? undefined : config?.saidAt;
  const own = found ?? {};
  const beside = parentFolder(joinPath(folder, file));
  const laidBy = (name: string, told: string[]) =>
    layersOf({ files, file, own, beside, environment }, name, told);
  const laid = await laidBy(named, problems);
  const profiles = profilesIn(own);
  const profile = profileCalled(named, profiles);
  const isOpen = !outside && asked === undefined && environment.computed.profile !== undefined;
  const chosen = isOpen ? namesOfProfiles(own) : [];
  const ofProfiles =
    chosen.length > MAX_COMPARED_PROFILES
      ? undefined
      : await Promise.all(chosen.map((name) => laidBy(name, [])));
  const values: LooseObject = Object.fromEntries(
    Object.entries(laid).filter(([, value]) => !isComputed(value)),
  );
  if (!lost && !profiles.includes(profile) && !inAnyCase(own, profile))
    problems.push(t`${file} has no profile ${profile}; the profile default is taken, as forge does.`);
  for (const [name, value] of Object.entries(own)) {
    if (!asRecord(value))
      problems.push(t`${file}: ${name} stands in no profile, which Foundry does not take; it is left out.`);
  }
  const hasNodeModules = await isFolder(files, joinPath(root, "node_modules"));
  const hasLib = await isFolder(files, joinPath(root, "lib"));
  const out = asText(values["out"]) ?? (await defaultOutput(files, root));
  const libs = asTexts(values["libs"]) ?? [
    ...(hasLib || !hasNodeModules ? ["lib"] : []),
    ...(hasNodeModules ? ["node_modules"] : []),
  ];
  const solc = asText(values["solc"]);
  const details = asRecord(values["optimizer_details"]);
  const given = {
    solc: solc !== undefined && /^v?\d+\.\d+\.\d+/.test(solc) ? solc : undefined,
    evmVersion: asText(values["evm_version"])?.toLowerCase(),
    optimizer: asBoolean(values["optimizer"]),
    optimizerRuns: typeof values["optimizer_runs"] === "number" ? values["optimizer_runs"] : undefined,
    optimizerDetails:
      details && Object.fromEntries(Object.entries(details).filter(([, one]) => one !== null)),
    viaIr: asBoolean(values["via_ir"]),
    bytecodeHash: asText(values["bytecode_hash"])?.toLowerCase(),
    cborMetadata: asBoolean(values["cbor_metadata"]),
    useLiteralContent: asBoolean(values["use_literal_content"]),
    revertStrings: asText(values["revert_strings"]),
  };
  return {
    root,
    file: shownName(file),
    path: joinPath(folder, lost ? ENVIRONMENT_FILE : file),
    profile,
    src: asText(values["src"]) ?? (await defaultFoundrySources(files, root)),
    test: asText(values["test"]) ?? "test",
    script: asText(values["script"]) ?? "script",
    out,
    libs,
    buildInfoFolder: asText(values["build_info_path"]) ?? `${out}/build-info`,
    broadcast: asText(values["broadcast"]) ?? "broadcast",
    remappings: asTexts(values["remappings"]) ?? [],
    environment,
    autoDetectRemappings: asBoolean(values["auto_detect_remappings"]) ?? true,
    includePaths: asTexts(values["include_paths"]) ?? [],
    libraries: asTexts(values["libraries"]) ?? [],
    vyper: asRecord(values["vyper"]) ?? {},
    compilerProfiles: tablesIn(values["additional_compiler_profiles"]),
    compilationRestrictions: tablesIn(values["compilation_restrictions"]),
    cachePath: asText(values["cache_path"]) ?? "cache",
    skip: asTexts(values["skip"]) ?? [],
    unknown: unknownOf(
      laid,
      { ...environment.computed, ...definedOnly({ config: environment.computed.config ?? lost }) },
      ofProfiles,
    ),
    profiles,
    ...definedOnly(given),
    problems,
  };
}

/** What the settings of a profile are put together from. */
interface Layers {
  readonly files: FolderReader;
  /** The configuration's own name, as written. */
  readonly file: string;
  /** What the project's configuration says. */
  readonly own: LooseObject;
  /** The folder from which what it extends is named. */
  readonly beside: string;
  readonly environment: FoundryEnvironment;
}

/** The settings of a profile in Foundry's names; some may be computed. */
async function layersOf(
  { files, file, own, beside, environment }: Layers,
  named: string,
  problems: string[],
): Promise<LooseObject> {
  // The chosen profile alone says what is extended, by its very name; then every profile of that file counts.
  const extended = extension(extendedBy(own, named));
  const base = (extended && (await readToml(files, beside, extended.path, problems))) ?? {};
  if (extended && refusableExtension(own, named) !== undefined) {
    const [below, itself] = await Promise.all(
      [extended.path, lastSegment(file)].map((name) => files.realPath(joinPath(beside, name))),
    );
    if (below !== undefined && below === itself)
      problems.push(
        t`forge builds nothing while ${file} extends itself: what is deployed was built with another state of it, whose settings are not known.`,
      );
    else if (refusableExtension(base, named) !== undefined)
      problems.push(
        t`forge builds nothing while ${extended.path}, which ${file} extends, extends another file: what is deployed was built with another state of it, whose settings are not known.`,
      );
  }
  const section = (within: (toml: LooseObject) => unknown, name: string, place: string) => {
    const upper = understood(inAnyCase(within(own), name) ?? {}, `${file}, ${place}`, problems);
    const lower = understood(
      inAnyCase(within(base), name) ?? {},
      `${extended?.path ?? ""}, ${place}`,
      problems,
    );
    return layered(lower, upper, extended?.keepsArrays ?? true);
  };
  // `[ci]` is an old form of `[profile.ci]`, which stands on top of it.
  const settings = (name: string) => {
    const old = section((toml) => toml, name, name);
    const usual = section((toml) => toml["profile"], name, `profile.${name}`);
    return withOneSolc(underscored(layered(old, usual, false)));
  };
  const profile = profileCalled(named, profilesIn(own));
  // A table of its own, in no profile, goes before the default one's and behind that of the profile that is asked for.
  const ofVyper = asRecord(own["vyper"]);
  const standalone = ofVyper ? understood({ vyper: ofVyper }, file, problems) : {};
  const written = isSameProfile(named, "default")
    ? layered(standalone, settings("default"), false)
    : layered(
        layered(settings("default"), standalone, false),
        profile === "default" ? {} : settings(profile),
        false,
      );
  return layered(written, withOneSolc(understood(environment.settings, ENVIRONMENT_FILE, problems)), false);
}

/**
 * The configurations of all profiles, the one that forge takes by itself first: what was built lies where any of them says.
 */
export async function readFoundryProfiles(files: FolderReader, root: string): Promise<FoundryConfig[]> {
  const config = await readFoundryConfig(files, root);
  const others = config.profiles.filter((profile) => profile !== config.profile).slice(0, MAX_PROFILES - 1);
  return [
    config,
    ...(await Promise.all(others.map((profile) => readFoundryConfig(files, root, { profile })))),
  ];
}

const MAX_PROFILES = 20;

/** Of more, what they have in common is not looked for. */
const MAX_COMPARED_PROFILES = 100;

function tablesIn(value: unknown): LooseObject[] {
  return asItems(value).flatMap((item) => {
    const table = asRecord(item);
    return table ? [underscored(table)] : [];
  });
}

async function defaultOutput(files: FolderReader, root: string): Promise<string> {
  if (await isFolder(files, joinPath(root, "out"))) return "out";
  return (await isFolder(files, joinPath(root, "artifacts"))) ? "artifacts" : "out";
}

const CONFIGURATION = "foundry.toml";

/** Of two tables whose names differ by case figment has the first in the order of code units. */
function inAnyCase(tables: unknown, name: string): LooseObject | undefined {
  const [first] = Object.keys(asRecord(tables) ?? {})
    .filter((one) => isSameProfile(one, name))
    .sort(byCodeUnits);
  return first === undefined ? undefined : asRecord(field(tables, first));
}

/** The names of the profiles, `default` first, of those that differ by case one. */
function profilesIn(toml: LooseObject): string[] {
  const names = new Map([["default", "default"]]);
  for (const name of Object.keys(asRecord(toml["profile"]) ?? {})) {
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return [...names.values()];
}

/** Every name by which a profile may be chosen, in the old form, too. */
function namesOfProfiles(toml: LooseObject): string[] {
  const old = Object.entries(toml).flatMap(([name, value]) =>
    name === "profile" || !asRecord(value) ? [] : [name],
  );
  return [...new Set([...profilesIn(toml), ...old])];
}

/** A profile as it is written where it stands. */
function profileCalled(named: string, profiles: readonly string[]): string {
  return profiles.find((one) => isSameProfile(one, named)) ?? named;
}

/** Figment knows profiles by their names without case (SergioBenitez/Figment, src/profile.rs). */
function isSameProfile(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** `solc_version` is another name of `solc`, which goes before it where one profile has both. */
function withOneSolc({ solc_version: version, ...values }: LooseObject): LooseObject {
  return version === undefined || "solc" in values ? values : { ...values, solc: version };
}

/** @param options whether forge refuses to build where the file is not there */
async function readToml(
  files: FolderReader,
  root: string,
  name: string,
  problems: string[],
  { isNeeded = false } = {},
): Promise<LooseObject | undefined> {
  const path = joinPath(root, name);
  const file = await openData(files, path, toml, LARGEST_CONFIGURATION_BYTES);
  if (file && "value" in file) return asRecord(file.value) ?? {};
  if (file || isNeeded) {
    if (file) noteSkipped(files, path, file.reason);
    problems.push(
      t`forge builds nothing while ${shownName(name)} can't be read: what is deployed was built with another state of it, whose settings are not known.`,
    );
  } else problems.push(t`${name} is not there; its settings are left out.`);
  return undefined;
}

/** The name of a configuration; the variable that names it stands for an empty one. */
function shownName(file: string): string {
  return file === "" ? "FOUNDRY_CONFIG" : file;
}

/** What a profile extends. */
function extendedBy(toml: LooseObject, profile: string): unknown {
  return refusableExtension(toml, profile) ?? fieldAt(toml, profile, "extends");
}

/** What a profile in the new form extends: only of that does forge refuse what leads back to the file, or further. */
function refusableExtension(toml: LooseObject, profile: string): unknown {
  return fieldAt(toml, "profile", profile, "extends");
}

/** Of `via-ir` and `via_ir` the latter counts. */
function underscored(values: LooseObject): LooseObject {
  const entries = Object.entries(values).sort(
    ([a], [b]) => Number(a.includes("_")) - Number(b.includes("_")),
  );
  return Object.fromEntries(entries.map(([name, value]) => [name.replaceAll("-", "_"), value]));
}

/** `upper` on top of `lower`, tables merged; arrays are joined, the lower one first, where they are kept. */
function layered(lower: LooseObject, upper: LooseObject, keepsArrays: boolean): LooseObject {
  const merged = new Map(Object.entries(lower));
  for (const [name, value] of Object.entries(upper)) {
    const before = merged.get(name);
    const beforeTable = asRecord(before);
    const table = isComputed(value) ? undefined : asRecord(value);
    if (keepsArrays && Array.isArray(before) && Array.isArray(value))
      merged.set(name, [...(before as unknown[]), ...(value as unknown[])]);
    else if (beforeTable && table) merged.set(name, layered(beforeTable, table, keepsArrays));
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

/** The folder that a configured path means. */
export function configuredPath(root: string, path: string): string {
  return joinPath(root, path);
}
