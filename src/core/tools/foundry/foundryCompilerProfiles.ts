import type { FoundryConfig } from "./foundryConfig.ts";
import { foundryGlobCovers } from "./foundryGlob.ts";
import { evmVersions } from "../../evm/evmVersion.ts";
import { asText, field } from "../../json/looseData.ts";
import type { LooseObject } from "../../json/shape.ts";

/** Oldest first, in the spelling of foundry.toml. */
const EVM_VERSIONS: readonly string[] = evmVersions.map((version) => version.toLowerCase());

/** What a compiler profile sets, on top of the project's own settings. */
type ProfileSettings = Pick<
  FoundryConfig,
  "viaIr" | "evmVersion" | "optimizer" | "optimizerRuns" | "bytecodeHash"
>;

/** The EVM version that Foundry takes where `foundry.toml` names none (forge 1.7). */
export const DEFAULT_EVM_VERSION = "osaka";

/**
 * The configuration by which Foundry compiles a file: the project's own, or that with an
 * `additional_compiler_profiles` entry on top where `compilation_restrictions` exclude the project's own for the
 * file or for anything it imports. The first that fits is taken, in the order of names (foundry-rs/foundry,
 * crates/config/src/compilation.rs, and foundry-rs/compilers, crates/compilers/src/resolver/mod.rs).
 *
 * @param paths the file and everything that it imports, absolute
 */
export function configForFile(config: FoundryConfig, paths: readonly string[]): FoundryConfig {
  const restrictions = config.compilationRestrictions.filter((restriction) => {
    const pattern = asText(field(restriction, "paths"));
    return pattern !== undefined && paths.some((path) => foundryGlobCovers(pattern, path, config.root));
  });
  const profiles = config.compilerProfiles
    .map((profile) => ({ name: asText(field(profile, "name")) ?? "", profile }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ profile }) => ({ ...config, ...settingsOf(profile, config) }));
  const fits = (candidate: FoundryConfig) =>
    restrictions.every((restriction) => satisfies(candidate, restriction));
  return [config, ...profiles].find(fits) ?? config;
}

/** True for a configuration with settings of its own for some files. */
export function hasCompilerProfiles(config: FoundryConfig): boolean {
  return config.compilerProfiles.length > 0;
}

function settingsOf(profile: LooseObject, config: FoundryConfig): ProfileSettings {
  const { via_ir: viaIr, optimizer, optimizer_runs: runs } = profile;
  const evmVersion = asText(profile["evm_version"])?.toLowerCase();
  const bytecodeHash = asText(profile["bytecode_hash"])?.toLowerCase();
  const isOn =
    typeof optimizer === "boolean"
      ? optimizer
      : typeof runs === "number" && runs > 0
        ? true
        : config.optimizer;
  return {
    ...(typeof viaIr === "boolean" && { viaIr }),
    ...(evmVersion !== undefined && { evmVersion }),
    ...(bytecodeHash !== undefined && { bytecodeHash }),
    ...(isOn !== undefined && { optimizer: isOn }),
    ...(typeof runs === "number" && { optimizerRuns: runs }),
  };
}

function satisfies(config: FoundryConfig, restriction: LooseObject): boolean {
  const viaIr = restriction["via_ir"];
  if (typeof viaIr === "boolean" && viaIr !== (config.viaIr ?? false)) return false;
  const hash = asText(restriction["bytecode_hash"])?.toLowerCase();
  if (hash !== undefined && hash !== (config.bytecodeHash ?? "ipfs")) return false;
  const runs = config.optimizerRuns ?? 200;
  const [least, most] = range(restriction, "optimizer_runs", (value) =>
    typeof value === "number" ? value : undefined,
  );
  if ((least !== undefined && runs < least) || (most !== undefined && runs > most)) return false;
  if (least !== undefined && least > 0 && !isOptimizerOn(config)) return false;
  const evm = rank(config.evmVersion ?? DEFAULT_EVM_VERSION) ?? EVM_VERSIONS.length;
  const [oldest, newest] = range(restriction, "evm_version", rank);
  return (oldest === undefined || evm >= oldest) && (newest === undefined || evm <= newest);
}

/** Naming a number of runs above nought turns the optimizer on, unless it is turned off. */
export function isOptimizerOn({ optimizer, optimizerRuns }: FoundryConfig): boolean {
  return optimizer ?? (optimizerRuns ?? 0) > 0;
}

function range(
  restriction: LooseObject,
  name: string,
  read: (value: unknown) => number | undefined,
): readonly [least: number | undefined, most: number | undefined] {
  const exact = read(field(restriction, name));
  return [read(field(restriction, `min_${name}`)) ?? exact, read(field(restriction, `max_${name}`)) ?? exact];
}

function rank(evmVersion: unknown): number | undefined {
  const at = typeof evmVersion === "string" ? EVM_VERSIONS.indexOf(evmVersion.toLowerCase()) : -1;
  return at < 0 ? undefined : at;
}
