import { asRecord } from "../../json/looseData.ts";
import { ownValue } from "../../json/ownValue.ts";
import type { CauseCode, SettingChanges } from "../explanation.ts";
import type { ProvenDifference } from "../metadataSearch.ts";

/** A setting by which builds are told apart, as {@link ProvenDifference} names it. */
type ComparedSetting = Extract<ProvenDifference, { kind: "setting" }>["setting"];

/** Where each setting stands, and the cause that it is, the one that decides most first. */
const SETTINGS: Readonly<Record<ComparedSetting, { path: readonly string[]; code: CauseCode }>> = {
  viaIR: { path: ["viaIR"], code: "via_ir" },
  optimizer: { path: ["optimizer", "enabled"], code: "optimizer" },
  details: { path: ["optimizer", "details"], code: "optimizer" },
  evmVersion: { path: ["evmVersion"], code: "evm_version" },
  runs: { path: ["optimizer", "runs"], code: "optimizer_runs" },
  libraries: { path: ["libraries"], code: "unlinked_library" },
  metadata: { path: ["metadata"], code: "metadata_settings" },
  debug: { path: ["debug"], code: "metadata_settings" },
  experimental: { path: ["experimental"], code: "metadata_settings" },
  remappings: { path: ["remappings"], code: "metadata_settings" },
};

/**
 * The cause that one setting of the deployed build is.
 *
 * @param deployed the settings of the deployed build, or what to change to have them
 */
export function settingCause(
  setting: ComparedSetting,
  deployed: Readonly<Record<string, unknown>>,
): CauseCode {
  // A build without libraries lacks no link: addresses that are left out are in its metadata alone.
  if (setting === "libraries" && !linksLibraries(deployed["libraries"])) return "metadata_settings";
  return SETTINGS[setting].code;
}

/** The cause that changes of settings are: that of the setting among them that decides most. */
export function changesCause(changes: SettingChanges): CauseCode {
  const isChanged = ({ path }: (typeof SETTINGS)[ComparedSetting]) => {
    let value: unknown = changes;
    for (const name of path) value = ownValue(asRecord(value) ?? {}, name);
    return value !== undefined;
  };
  const changed = (Object.keys(SETTINGS) as ComparedSetting[]).find((setting) =>
    isChanged(SETTINGS[setting]),
  );
  return changed ? settingCause(changed, changes) : "metadata_settings";
}

/** Whether libraries have an address: by file and name, as settings have them, or by both in one, as metadata has them. */
function linksLibraries(libraries: unknown): boolean {
  return typeof libraries === "string" || Object.values(asRecord(libraries) ?? {}).some(linksLibraries);
}
