import { shapedSettings } from "../compilerInput/settingsShape.ts";
import type { CompilerSettings } from "../compilerInput/standardJsonInput.ts";
import { joinPath } from "../files.ts";
import { readText } from "../json/dataFile.ts";
import { onceForJob, type FolderReader } from "./folderReader.ts";
import { computedIn, isComputed, withoutComputed } from "./computed.ts";
import { readExportedLiteral } from "./literalScript.ts";
import { asItems, asRecord, asText, asTexts, field, fieldAt, type LooseRecord } from "./looseData.ts";
import { hardhatMajor } from "./project.ts";

/** A compiler that a configuration names. */
export interface ConfiguredCompiler {
  /** Short, as written: `0.8.28`. */
  readonly version: string;
  readonly settings: CompilerSettings;
}

/** What a Hardhat configuration says about compiling. */
export interface HardhatConfig {
  readonly major: 2 | 3;
  readonly root: string;
  /** Folders of Solidity sources, relative to the root. */
  readonly sources: readonly string[];
  readonly artifacts: string;
  readonly deployments: string;
  readonly ignition: string;
  readonly compilers: readonly ConfiguredCompiler[];
  /** By source name, which is the path relative to the root. */
  readonly overrides: Readonly<Record<string, ConfiguredCompiler>>;
  /** Hardhat 3: every file is compiled for itself, not all of one compiler together. */
  readonly isolated: boolean;
  /** Hardhat 3: the folder of Solidity tests, relative to the root; compiled with the rest unless split off. */
  readonly tests?: string;
  /** Hardhat 3: files of packages that are compiled for themselves. */
  readonly packageFiles: readonly string[];
  /** What the configuration computes, so that it could not be read; one sentence each. */
  readonly problems: readonly string[];
}

/**
 * Reads a Hardhat configuration as data, without running it, and fills in what Hardhat itself fills in.
 *
 * @param path The configuration file.
 * @param profile The build profile of Hardhat 3; Hardhat 2 has none.
 */
export function readHardhatConfig(
  files: FolderReader,
  root: string,
  path: string,
  profile: "default" | "production" = "default",
): Promise<HardhatConfig> {
  return onceForJob(files, `Hardhat ${profile} ${path} of ${root}`, () => read(files, root, path, profile));
}

async function read(
  files: FolderReader,
  root: string,
  path: string,
  profile: "default" | "production",
): Promise<HardhatConfig> {
  const text = await readText(files, path);
  const exported = text === undefined ? undefined : readExportedLiteral(text);
  const major = await hardhatMajor(files, root);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const problems =
    asRecord(exported) && !isComputed(exported)
      ? [
          ...computedIn(field(exported, "solidity"), "solidity"),
          ...computedIn(field(exported, "paths"), "paths"),
        ].map(
          ({ place, line, code }) =>
            `${name}, line ${line}: ${place} is computed (${code}), which Ledger Lens does not run; its value is left out.`,
        )
      : [`${name} computes its configuration, which Ledger Lens does not run; Hardhat's defaults are taken.`];
  const solidity = shapedSolidity(withoutComputed(field(exported, "solidity")), name, problems);
  const paths = withoutComputed(field(exported, "paths"));
  const sources = field(paths, "sources");
  const listed = asText(sources) ?? field(sources, "solidity") ?? sources;
  const compilers = major === 3 ? compilersOf3(solidity, profile) : compilersOf2(solidity);
  return {
    major,
    root,
    sources: (typeof listed === "string" ? [listed] : (asTexts(listed) ?? ["contracts"])).map(plain),
    artifacts: plain(asText(field(paths, "artifacts")) ?? "artifacts"),
    deployments: plain(asText(field(paths, "deployments")) ?? "deployments"),
    ignition: plain(asText(field(paths, "ignition")) ?? "ignition"),
    ...compilers,
    isolated: isIsolated(solidity, profile),
    ...(field(solidity, "splitTestsCompilation") !== true && {
      tests: plain(asText(field(paths, "tests")) ?? asText(fieldAt(paths, "tests", "solidity")) ?? "test"),
    }),
    packageFiles: asTexts(field(solidity, "npmFilesToBuild")) ?? [],
    problems,
  };
}

function isIsolated(solidity: unknown, profile: "default" | "production"): boolean {
  const said =
    fieldAt(solidity, "profiles", profile, "isolated") ??
    (profile === "default" && field(solidity, "isolated"));
  return typeof said === "boolean" && said ? true : profile === "production" && said !== false;
}

/** The compilers that a configuration names, each without settings that no compiler would take. */
function shapedSolidity(value: unknown, name: string, problems: string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => shapedSolidity(one, name, problems));
  const record = asRecord(value);
  if (!record) return value;
  return Object.fromEntries(
    Object.entries(record).map(([key, inner]) => {
      const settings = key === "settings" ? asRecord(inner) : undefined;
      if (!settings) return [key, shapedSolidity(inner, name, problems)] as const;
      const shaped = shapedSettings(settings, name);
      problems.push(...shaped.problems);
      return [key, shaped.settings] as const;
    }),
  );
}

/** `./contracts/` as `contracts`. */
function plain(path: string): string {
  return joinPath("/", path).slice(1);
}

type Compilers = Pick<HardhatConfig, "compilers" | "overrides">;

/** Hardhat 2 (packages/hardhat-core/src/internal/core/config/config-resolution.ts, branch v2). */
function compilersOf2(solidity: unknown): Compilers {
  return listed(solidity ?? "0.7.3", (compiler) => {
    const settings = asRecord(field(compiler, "settings")) ?? {};
    const version = asText(field(compiler, "version")) ?? "";
    return {
      version,
      settings: {
        ...settings,
        ...(atLeast(version, "0.8.20") && { evmVersion: asText(settings["evmVersion"]) ?? "paris" }),
        optimizer: { enabled: false, runs: 200, ...asRecord(settings["optimizer"]) },
      },
    };
  });
}

/**
 * Hardhat 3 (packages/hardhat/src/internal/builtin-plugins/solidity/config.ts, and solc-info.ts for the EVM
 * version): `production` turns the optimizer on unless the configuration says otherwise.
 */
function compilersOf3(solidity: unknown, profile: "default" | "production"): Compilers {
  const profiles = field(solidity, "profiles");
  const chosen = profiles ? (field(profiles, profile) ?? field(profiles, "default")) : (solidity ?? "0.8.0");
  const isProduction = profile === "production";
  return listed(chosen, (compiler) => {
    const version = asText(field(compiler, "version")) ?? "";
    // A build profile that is not configured takes the versions of the default one, not its settings.
    const isCopied = isProduction && field(profiles, "production") === undefined;
    const settings = isCopied ? {} : (asRecord(field(compiler, "settings")) ?? {});
    const evmVersion = asText(settings["evmVersion"]) ?? HARDHAT_3_EVM_VERSIONS.get(version);
    const optimizer = isProduction
      ? { enabled: true, runs: 200, ...asRecord(settings["optimizer"]) }
      : asRecord(settings["optimizer"]);
    return {
      version,
      settings: { ...settings, ...(evmVersion && { evmVersion }), ...(optimizer && { optimizer }) },
    };
  });
}

function listed(solidity: unknown, resolve: (compiler: LooseRecord) => ConfiguredCompiler): Compilers {
  if (typeof solidity === "string") return { compilers: [resolve({ version: solidity })], overrides: {} };
  if (Array.isArray(solidity)) {
    const versions = asTexts(solidity) ?? [];
    return { compilers: versions.map((version) => resolve({ version })), overrides: {} };
  }
  const one = asText(field(solidity, "version"));
  const several = asItems(field(solidity, "compilers")).flatMap((item): LooseRecord[] => {
    const compiler = asRecord(item);
    return compiler ? [compiler] : [];
  });
  const record = asRecord(solidity);
  return {
    compilers: (one !== undefined && record ? [record, ...several] : several)
      .map(resolve)
      .filter(({ version }) => version !== ""),
    overrides: Object.fromEntries(
      Object.entries(asRecord(fieldAt(solidity, "overrides")) ?? {}).flatMap(([name, compiler]) => {
        const override = asRecord(compiler);
        return override ? [[name, resolve(override)] as const] : [];
      }),
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

/** True when one version is not older than another, in their three numbers. */
export function atLeast(version: string, least: string): boolean {
  const [a, b] = [version, least].map((text) => text.split(/[.+-]/, 3).map(Number));
  for (let level = 0; level < 3; level++) {
    const difference = (a?.[level] ?? 0) - (b?.[level] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
