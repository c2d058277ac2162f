import { listed } from "../../text/counted.ts";
import type { ToolPlace } from "../toolShape.ts";
import { t } from "@vscode/l10n";
import { atLeast } from "../../versions.ts";
import { shapedSettings } from "../../languages/settingsShape.ts";
import { SOLC_SETTINGS } from "../../languages/solidity/solcSettingsShape.ts";
import type { CompilerSettings } from "../../sources/standardJsonInput.ts";
import { isInside, joinPath, lastSegment } from "../../files/fileReader.ts";
import { ownValue } from "../../json/ownValue.ts";
import { MAX_PROJECTS, RememberedResults } from "../../sources/rememberedResults.ts";
import { readText } from "../../json/dataFile.ts";
import { onceForJob, type FolderReader } from "../../files/folderReader.ts";
import { readFoundryConfig } from "../foundry/foundryConfig.ts";
import { computedIn, isComputed, SPREAD, withoutComputed, withPaths } from "../scripts/computed.ts";
import { readScript } from "../scripts/literalScript.ts";
import type { UnsetVariable } from "../scripts/scriptEvaluation.ts";
import { asItems, asRecord, asText, asTexts, field, fieldAt } from "../../json/looseData.ts";
import {
  aText,
  eitherOf,
  everyIn,
  aList,
  misshapen,
  aTable,
  type ScriptShape,
} from "../scripts/scriptShape.ts";
import { hardhatRelease } from "./hardhatRelease.ts";
import {
  leftOutAsComputed,
  takenOver,
  unknownSettings,
  unknownVersion,
  type UnknownSetting,
} from "../unknownSettings.ts";
import type { LooseObject } from "../../json/shape.ts";
import { DEFAULT_OPTIMIZER } from "../../languages/solidity/solcCode.ts";

/** A compiler that a configuration names. */
export interface ConfiguredCompiler {
  /** Short, as written: `0.8.28`. */
  readonly version: string;
  readonly settings: CompilerSettings;
  /** What is computed of these settings, so that it is not known. */
  readonly unknown: readonly UnknownSetting[];
}

/** What a Hardhat configuration says about compiling. */
export interface HardhatConfig {
  readonly major: 2 | 3;
  /**
   * Absolute path of the folder that source names and all written folders are relative to: the one of the configuration, unless
   * one of Hardhat 2 has `paths.root` (NomicFoundation/hardhat, branch v2, packages/hardhat-core/src/internal/core/config/config-resolution.ts).
   */
  readonly root: string;
  /** Folders of Solidity sources, absolute; none lies outside the root. */
  readonly sources: readonly string[];
  /** Like the next two, absolute; it may lie outside the root. */
  readonly artifacts: string;
  readonly deployments: string;
  readonly ignition: string;
  readonly compilers: readonly ConfiguredCompiler[];
  /** By source name, which is the path relative to the root. */
  readonly overrides: Readonly<Record<string, ConfiguredCompiler>>;
  /** What is set for a compiler whose version is computed, if it turns out to be this one. */
  readonly unversioned: (version: string) => ConfiguredCompiler | undefined;
  /** The build profile that was read; it means nothing in Hardhat 2. */
  readonly profile: string;
  /** Hardhat 3: every file is compiled for itself, not all of one compiler together. */
  readonly isolated: boolean;
  /** Hardhat 3: the folder of Solidity tests, absolute; compiled with the rest unless split off. */
  readonly tests?: string;
  /** Hardhat 3: files of packages that are compiled for themselves. */
  readonly packageFiles: readonly string[];
  /** It takes its remappings from forge, by the plugin for that. */
  readonly readsForge: boolean;
  /** It says which compilers there are; Hardhat has one of its own where it does not. */
  readonly namesCompilers: boolean;
  /** What is computed of the list of compilers, so that one may be missing from it. */
  readonly unknownCompilers: readonly UnknownSetting[];
  /** What the configuration computes, so that it could not be read; one sentence each. */
  readonly problems: readonly string[];
  /** What depends on a variable of the environment, which counts as not set; one sentence each. */
  readonly assumptions: readonly string[];
}

/**
 * Reads a Hardhat configuration as data, without running it, and fills in what Hardhat itself fills in.
 *
 * @param path The configuration file.
 * @param profile The build profile of Hardhat 3, the default one where there is none of that name; Hardhat 2 has none.
 * @param opened The folder from which the configuration may take other files; of a monorepo the open one.
 */
export function readHardhatConfig(
  files: FolderReader,
  root: string,
  path: string,
  profile = "default",
  opened = root,
): Promise<HardhatConfig> {
  const key = `Hardhat ${profile} ${path} of ${root} in ${opened}`;
  return onceForJob(files, key, () =>
    knownConfigs.get(files, key, (asked) => read(asked.files, root, { path, opened }, profile)),
  );
}

/** The configuration of a project, by the profile that Hardhat takes by itself. */
export function hardhatConfigOf({
  files,
  root,
  opened,
  configuration = "",
}: ToolPlace): Promise<HardhatConfig> {
  return readHardhatConfig(files, root, configuration, undefined, opened);
}

/** What was read of configurations, so that their scripts are parsed and evaluated once. */
const knownConfigs = new RememberedResults<HardhatConfig>(MAX_PROJECTS);

async function read(
  files: FolderReader,
  folder: string,
  { path, opened }: { readonly path: string; readonly opened: string },
  asked: string,
): Promise<HardhatConfig> {
  const [text = "", { major, isUnsure }] = await Promise.all([
    readText(files, path),
    hardhatRelease(files, folder, path),
  ]);
  const { exported, unset, imported, unreadable } = await readScript(text, { files, path, opened });
  const name = lastSegment(path);
  const toRoot = asText(withPaths(fieldAt(exported, "paths", "root")));
  const root = major === 2 && toRoot !== undefined ? joinPath(folder, toRoot) : folder;
  const writtenPaths = withPaths(field(exported, "paths"));
  const problems =
    asRecord(exported) && !isComputed(exported)
      ? [...computedIn(field(exported, "solidity"), "solidity"), ...computedIn(writtenPaths, "paths")].map(
          (one) => leftOutAsComputed(name, one),
        )
      : unreadable !== undefined
        ? [t`${name}, line ${unreadable}, is no JavaScript or TypeScript that can be read.`]
        : [t`${name} computes its configuration, which Ledger Lens does not run.`];
  for (const one of misshapen(HARDHAT_SHAPE, exported, name, "Hardhat")) problems.push(one);
  if (isUnsure)
    problems.push(
      t`Whether Hardhat 2 or 3 reads ${name} is not known: none is installed, and package.json does not tell. It is read as by Hardhat 3, since the package has "type": "module"; Hardhat 2 gives the sources other names.`,
    );
  const written = isComputed(exported) ? exported : takenOver(exported, "solidity");
  const profile = knownProfile(written, asked);
  const solidity = withoutComputed(written);
  const paths = withoutComputed(writtenPaths);
  const sources = field(paths, "sources");
  const listed = asText(sources) ?? field(sources, "solidity") ?? sources;
  const compilers =
    major === 3 ? compilersOf3(written, profile, name, problems) : compilersOf2(written, name, problems);
  const unknown = unknownCompilers(profileOf(written, profile));
  const readsForge = imported.includes(FOUNDRY_PLUGIN);
  const folderOf = (value: unknown, usual: string) => joinPath(root, asText(value) ?? usual);
  const said = typeof listed === "string" ? [listed] : (asTexts(listed) ?? ["contracts"]);
  const ofForge = readsForge && major === 2 ? await sourcesOfForge(files, root) : undefined;
  const sourceFolders = (ofForge ?? said).map((path) => joinPath(root, path));
  for (const path of sourceFolders.filter((one) => !isInside(one, root)))
    problems.push(t`${name}: Hardhat compiles no sources outside the project; ${path} is left out.`);
  const tests = folderOf(asText(field(paths, "tests")) ?? fieldAt(paths, "tests", "solidity"), "test");
  return {
    major,
    root,
    readsForge,
    sources: sourceFolders.filter((path) => isInside(path, root)),
    artifacts: folderOf(field(paths, "artifacts"), "artifacts"),
    deployments: folderOf(field(paths, "deployments"), "deployments"),
    ignition: folderOf(field(paths, "ignition"), "ignition"),
    ...compilers,
    profile,
    isolated: isIsolated(solidity, profile),
    ...(field(solidity, "splitTestsCompilation") !== true && isInside(tests, root) && { tests }),
    packageFiles: asTexts(field(solidity, "npmFilesToBuild")) ?? [],
    namesCompilers: written !== undefined,
    // A file that exports nothing that could be found says nothing of its compilers either.
    unknownCompilers: asRecord(exported)
      ? unknown
      : [{ setting: "version", place: "solidity", line: 1, code: name }],
    problems,
    assumptions: assumptionsOf(unset, name),
  };
}

/**
 * With its plugin for Foundry, Hardhat 2 compiles forge's folder of sources (NomicFoundation/hardhat, branch v2,
 * packages/hardhat-foundry/src/index.ts). Hardhat 3 takes the remappings alone.
 */
const FOUNDRY_PLUGIN = "@nomicfoundation/hardhat-foundry";

async function sourcesOfForge(files: FolderReader, root: string): Promise<string[] | undefined> {
  const hasForge = (await readText(files, joinPath(root, "foundry.toml"))) !== undefined;
  return hasForge ? [(await readFoundryConfig(files, root)).src] : undefined;
}

function assumptionsOf(unset: readonly UnsetVariable[], name: string): string[] {
  const variables = unset.filter(({ property: [first] }) => first === "solidity" || first === "paths");
  const names = [...new Set(variables.map((one) => one.name))];
  if (names.length === 0) return [];
  return [
    t`${name}, line ${variables[0]?.line ?? 1}, depends on ${listed(names)} of the environment, which ${names.length === 1 ? t`counts` : t`count`} as not set.`,
  ];
}

/** What is computed of a list of compilers, in any of the forms in which Hardhat takes one. */
function unknownCompilers(written: unknown): UnknownSetting[] {
  const place = "solidity";
  if (isComputed(written)) return unknownVersion(written, place);
  if (Array.isArray(written)) return written.flatMap((one, at) => unknownVersion(one, `${place}[${at}]`));
  const record = asRecord(written);
  if (!record) return [];
  const listed = asItems(record["compilers"]);
  return [
    ...Object.entries(record).flatMap(([key, value]) =>
      key.startsWith(SPREAD) ? unknownVersion(value, place) : [],
    ),
    ...["version", "compilers", "overrides"].flatMap((key) =>
      unknownVersion(ownValue(record, key), `${place}.${key}`),
    ),
    ...listed.flatMap((one, at) => [
      ...unknownVersion(one, `${place}.compilers[${at}]`),
      ...unknownVersion(takenOver(one, "version"), `${place}.compilers[${at}].version`),
    ]),
  ];
}
const COMPILER = { version: aText, settings: aTable({}) };
const COMPILERS = {
  ...COMPILER,
  compilers: aList(aTable(COMPILER)),
  overrides: everyIn(aTable(COMPILER)),
};
const inAllForms = (table: Readonly<Record<string, ScriptShape>>) =>
  eitherOf(aText, aList(aText), aTable(table));
/** What is read of a configuration, in all the forms that Hardhat 2 and 3 take. */
const HARDHAT_SHAPE: ScriptShape = aTable({
  solidity: inAllForms({ ...COMPILERS, profiles: everyIn(inAllForms(COMPILERS)) }),
  paths: aTable({
    sources: inAllForms({ solidity: eitherOf(aText, aList(aText)) }),
    artifacts: aText,
    deployments: aText,
    ignition: aText,
  }),
});

/** Of a configuration without profiles only the default one says it; `production` isolates files unless it says no. */
function isIsolated(solidity: unknown, profile: string): boolean {
  const said = field(solidity, "profiles")
    ? fieldAt(solidity, "profiles", profile, "isolated")
    : profile === "default"
      ? field(solidity, "isolated")
      : undefined;
  return typeof said === "boolean" ? said : profile === "production";
}

/** The build profile of that name; the default one where there is none, since Hardhat always has `production`. */
function knownProfile(solidity: unknown, asked: string): string {
  const isThere =
    asked === "production" || asRecord(ownValue(asRecord(field(solidity, "profiles")) ?? {}, asked));
  return isThere ? asked : "default";
}

type Compilers = Pick<HardhatConfig, "compilers" | "overrides" | "unversioned">;

/** A compiler as it is written, and its settings without what is computed and what no compiler would take. */
interface WrittenCompiler {
  readonly version: string;
  readonly settings: LooseObject;
}

/** Hardhat 2 (packages/hardhat-core/src/internal/core/config/config-resolution.ts, branch v2). */
function compilersOf2(solidity: unknown, name: string, problems: string[]): Compilers {
  return compilersWritten(solidity ?? "0.7.3", name, problems, ({ version, settings }) => ({
    ...settings,
    ...(atLeast(version, "0.8.20") && { evmVersion: asText(settings["evmVersion"]) ?? "paris" }),
    optimizer: { ...DEFAULT_OPTIMIZER, ...asRecord(settings["optimizer"]) },
  }));
}

/**
 * Hardhat 3 (packages/hardhat/src/internal/builtin-plugins/solidity/config.ts, and solc-info.ts for the EVM
 * version): `production` turns the optimizer on unless the configuration says otherwise.
 */
function compilersOf3(solidity: unknown, profile: string, name: string, problems: string[]): Compilers {
  const isProduction = profile === "production";
  // A build profile that is not configured takes the versions of the default one, not its settings.
  const isCopied = isProduction && fieldAt(solidity, "profiles", "production") === undefined;
  const { compilers, overrides, unversioned } = compilersWritten(
    profileOf(solidity, profile) ?? "0.8.0",
    name,
    problems,
    ({ version, settings: written }) => {
      const settings = isCopied ? {} : written;
      const evmVersion = asText(settings["evmVersion"]) ?? HARDHAT_3_EVM_VERSIONS.get(version);
      const optimizer = isProduction
        ? { enabled: true, runs: 200, ...asRecord(settings["optimizer"]) }
        : asRecord(settings["optimizer"]);
      return { ...settings, ...(evmVersion && { evmVersion }), ...(optimizer && { optimizer }) };
    },
  );
  const known = (one: ConfiguredCompiler): ConfiguredCompiler => (isCopied ? { ...one, unknown: [] } : one);
  return {
    compilers: compilers.map(known),
    overrides: Object.fromEntries(Object.entries(overrides).map(([file, one]) => [file, known(one)])),
    unversioned: (version) => {
      const found = unversioned(version);
      return found && known(found);
    },
  };
}

const NONE: Compilers = { compilers: [], overrides: {}, unversioned: () => undefined };

/** Hardhat 3's build profile of that name, else its default one; what is configured without profiles is one too. */
function profileOf(solidity: unknown, profile: string): unknown {
  const profiles = field(solidity, "profiles");
  return profiles ? (field(profiles, profile) ?? field(profiles, "default")) : solidity;
}

function compilersWritten(
  solidity: unknown,
  name: string,
  problems: string[],
  resolve: (compiler: WrittenCompiler) => CompilerSettings,
): Compilers {
  const resolved = (
    written: unknown,
    place: string,
    version = asText(field(written, "version")) ?? "",
  ): ConfiguredCompiler => {
    const known = withoutComputed(takenOver(written, "settings"));
    const shaped = shapedSettings(asRecord(known) ?? {}, name, SOLC_SETTINGS);
    for (const problem of shaped.problems) problems.push(problem);
    return {
      version,
      settings: resolve({ version, settings: shaped.settings }),
      unknown: [
        ...(version === "" ? unknownVersion(takenOver(written, "version"), `${place}.version`) : []),
        ...unknownSettings(written, place),
      ],
    };
  };
  if (typeof solidity === "string")
    return { ...NONE, compilers: [resolved({ version: solidity }, "solidity")] };
  if (Array.isArray(solidity)) {
    const versions = asTexts(solidity) ?? [];
    return { ...NONE, compilers: versions.map((version) => resolved({ version }, "solidity")) };
  }
  const hasOwn = takenOver(solidity, "version") !== undefined;
  const written = [
    ...(hasOwn ? [[solidity, "solidity"] as const] : []),
    ...asItems(field(solidity, "compilers")).map((item, at) => [item, `solidity.compilers[${at}]`] as const),
  ];
  const open = written.filter(([item]) => isComputed(takenOver(item, "version")));
  return {
    compilers: written.map(([item, at]) => resolved(item, at)).filter(({ version }) => version !== ""),
    // A configuration of which nothing at all is known sets what it sets without saying so.
    unversioned: (version) => {
      const [one, ...others] = open.length === 0 ? [[solidity, "solidity"] as const] : open;
      return one && others.length === 0 ? resolved(one[0], one[1], version) : undefined;
    },
    overrides: Object.fromEntries(
      Object.entries(asRecord(field(solidity, "overrides")) ?? {}).flatMap(([file, compiler]) =>
        asRecord(compiler) && !isComputed(compiler)
          ? [[file, resolved(compiler, `solidity.overrides.${file}`)] as const]
          : [],
      ),
    ),
  };
}

/** What Hardhat 3 sets where the configuration does not: the default of each solc release. */
const HARDHAT_3_EVM_VERSIONS: ReadonlyMap<string, string> = new Map(
  (
    [
      ["0.5", 1, 4, "byzantium"],
      ["0.5", 5, 13, "petersburg"],
      ["0.5", 14, 17, "istanbul"],
      ["0.6", 0, 12, "istanbul"],
      ["0.7", 0, 6, "istanbul"],
      ["0.8", 0, 4, "istanbul"],
      ["0.8", 5, 6, "berlin"],
      ["0.8", 7, 17, "london"],
      ["0.8", 18, 19, "paris"],
      ["0.8", 20, 24, "shanghai"],
      ["0.8", 25, 29, "cancun"],
      ["0.8", 30, 30, "prague"],
      ["0.8", 31, 34, "osaka"],
    ] as const
  ).flatMap(([minor, first, last, evmVersion]) =>
    Array.from({ length: last - first + 1 }, (_, at) => [`${minor}.${first + at}`, evmVersion] as const),
  ),
);
