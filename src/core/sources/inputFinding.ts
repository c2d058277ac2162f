/** How much a finding matters: `error` is what the service would reject. */
type FindingSeverity = "error" | "warning" | "note";

/** What a person should know of an input before it goes. */
export interface InputFinding {
  /** Stable; {@link FINDING_CODES} lists them all. */
  readonly code: FindingCode;
  readonly severity: FindingSeverity;
  /** One sentence: what it is, where, and what can be done. */
  readonly sentence: string;
  /** The file on disk that it is about, absolute. */
  readonly path?: string;
}

/** Every code of a finding. */
export const FINDING_CODES = [
  "stale_build",
  "stale_whole_build",
  "stale_metadata",
  "several_builds",
  "several_profiles",
  "unneeded_sources",
  "settings_changed",
  "configuration_computed",
  "environment_unset",
  "unreadable_file",
  "default_settings",
  "deployed_compiler_excluded",
  "deployed_compiler_unknown",
  "beyond_the_service",
  "two_tools",
  "several_projects",
  "no_project",
  "byte_order_mark",
  "empty_source",
  "missing_settings",
  "unknown_identifier",
  "too_large",
  "stem_collision",
  "absolute_path",
  "possible_secret",
  "outside_project",
  "other_folder",
  "other_service",
  "not_a_source",
  "not_on_disk",
  "unknown_setting",
] as const;

/** What could not be read of a configuration, one sentence each. */
export function computedFindings(problems: readonly string[], path?: string): InputFinding[] {
  return problems.map((sentence) => ({
    code: "configuration_computed",
    severity: "warning",
    sentence,
    ...(path !== undefined && { path }),
  }));
}

type FindingCode = (typeof FINDING_CODES)[number];
