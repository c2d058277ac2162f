import { compareEvmVersions, isEvmVersion, type EvmVersion } from "../../evm/evmVersion.ts";
import { formedOrNoted } from "../../files/skippedFiles.ts";
import { asText, field } from "../../json/looseData.ts";
import type { LanguageConfig } from "../../languages/compilationContext.ts";
import { atLeast } from "../../versions.ts";
import type { ToolPlace } from "../toolShape.ts";
import { DEFAULT_EVM_VERSION } from "./foundryCompilerProfiles.ts";
import { readFoundryConfig } from "./foundryConfig.ts";
import { defaultEvmFindings, unreadOfFoundry } from "./foundryInput.ts";

/** What `foundry.toml` says of Vyper; `undefined` where there is none. */
export async function foundryVyper({
  files,
  root,
  configuration,
  profile,
}: ToolPlace): Promise<LanguageConfig | undefined> {
  if (configuration === undefined) return undefined;
  const config = await readFoundryConfig(files, root, { profile });
  const said = (setting: string) =>
    formedOrNoted(files, config.path, `vyper.${setting}`, field(config.vyper, setting), asText);
  const [optimize, path] = [said("optimize"), said("path")];
  const version = /(\d+\.\d+\.\d+)[^/\\]*$/.exec(path ?? "")?.[1];
  return {
    version: version === undefined ? undefined : { file: config.file, value: version, by: "configuration" },
    settings: {
      ...(optimize !== undefined && { optimize }),
      ...(field(config.vyper, "experimental_codegen") === true && { experimentalCodegen: true }),
    },
    settingsFor: (vyper) => ({ evmVersion: vyperTarget(config.evmVersion ?? DEFAULT_EVM_VERSION, vyper) }),
    findings: [...unreadOfFoundry(config), ...defaultEvmFindings(config)],
    isSaid: true,
  };
}

/** The EVM versions that forge hands to Vyper in the place of what is wanted, newest first, with their first release. */
const STEPS: readonly (readonly [since: string, evmVersion: EvmVersion])[] = [
  ["0.4.3", "prague"],
  ["0.3.8", "cancun"],
  ["0.3.8", "shanghai"],
  ["0.3.7", "paris"],
  ["0.3.0", "berlin"],
  ["0.0.0", "istanbul"],
];

/**
 * What forge hands to Vyper as the EVM version: always one, which is the newest of those steps that is not newer than what is
 * wanted, so that London becomes Berlin (foundry-rs/compilers, `VyperSettings::normalize_evm_version`).
 */
function vyperTarget(wanted: string, vyper: string): string {
  if (!isEvmVersion(wanted)) return wanted;
  const step = STEPS.find(
    ([since, evmVersion]) => atLeast(vyper, since) && compareEvmVersions(wanted, evmVersion) >= 0,
  );
  return step?.[1] ?? wanted;
}
