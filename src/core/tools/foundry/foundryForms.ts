import { t } from "@vscode/l10n";
import { asRecord, asText, field } from "../../json/looseData.ts";
import { ownValue } from "../../json/ownValue.ts";
import type { LooseObject } from "../../json/shape.ts";
import { isComputed } from "../scripts/computed.ts";

/** What a value has to be. */
type Kind = (value: unknown) => boolean;

const isText = (value: unknown): value is string => typeof value === "string";

/** What Foundry takes for the names that are read here; a name that is not listed passes. */
const KINDS: Readonly<Record<string, Kind>> = (() => {
  const text = isText;
  const texts = (value: unknown) => Array.isArray(value) && value.every(text);
  const truth = (value: unknown) => typeof value === "boolean";
  const table = (value: unknown) => asRecord(value) !== undefined;
  const count = (value: unknown) =>
    typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_RUNS;
  // What JSON has: neither integers beyond 2^53 nor `inf` and `nan`, of which it makes `null`.
  const plain = (value: unknown): boolean =>
    Array.isArray(value)
      ? value.every(plain)
      : typeof value === "object" && value !== null
        ? Object.values(value).every(plain)
        : typeof value === "number"
          ? Number.isFinite(value)
          : typeof value !== "bigint";
  return {
    ...Object.fromEntries(
      [
        ..."src test script out build_info_path broadcast cache_path".split(" "),
        ..."solc solc_version".split(" "),
      ].map((name) => [name, text]),
    ),
    ...Object.fromEntries(
      ["libs", "remappings", "include_paths", "libraries", "skip"].map((name) => [name, texts]),
    ),
    ...Object.fromEntries(
      ["optimizer", "via_ir", "cbor_metadata", "use_literal_content", "auto_detect_remappings"].map(
        (name) => [name, truth],
      ),
    ),
    bytecode_hash: (value) => text(value) && /^(?:none|ipfs|bzzr1)$/i.test(value),
    revert_strings: (value) => text(value) && /^(?:default|strip|debug|verboseDebug)$/.test(value),
    // A release of forge may know a version that is not known here.
    evm_version: (value) => text(value) && /^\w+$/.test(value),
    optimizer_runs: count,
    optimizer_details: (value) =>
      table(value) &&
      plain(value) &&
      OPTIMIZER_SWITCHES.every((name) => {
        const one = field(value, name) ?? null;
        return truth(one) || one === null || isComputed(one);
      }),
    vyper: (value) => table(value) && plain(value),
    extends: (value) => extension(value) !== undefined,
    additional_compiler_profiles: Array.isArray,
    compilation_restrictions: Array.isArray,
  };
})();

/** What `optimizer_details` turns on and off (foundry-rs/compilers, crates/artifacts/solc/src/lib.rs). */
export const OPTIMIZER_SWITCHES: readonly string[] =
  "peephole inliner jumpdestRemover orderLiterals deduplicate cse constantOptimizer yul".split(" ");

/** Those that may be nothing, which the environment says by an empty variable. */
const MAY_BE_NOTHING: ReadonlySet<string> = new Set(
  "solc optimizer optimizer_runs optimizer_details revert_strings build_info_path".split(" "),
);

/** Forge takes no more. */
const MAX_RUNS = 2 ** 32 - 1;

/**
 * The names that are read in the tables of a list, all others being passed over: settings of the profile's with the forms
 * that these have there, of a restriction the least and the most of some, and what is a text.
 */
const IN_LISTS: Readonly<Record<string, ReadonlySet<string>>> = {
  additional_compiler_profiles: namesOf("name via_ir evm_version bytecode_hash optimizer optimizer_runs"),
  compilation_restrictions: namesOf(
    "paths version via_ir bytecode_hash optimizer_runs min_optimizer_runs max_optimizer_runs",
    "evm_version min_evm_version max_evm_version",
  ),
};

/** The settings that have a form that Foundry takes; of each other one a sentence says that it is left out. */
export function understood(values: LooseObject, place: string, problems: string[]): LooseObject {
  const ofForm = withForm(values, (name) => ownValue(KINDS, name), place, problems);
  return Object.fromEntries(
    Object.entries(ofForm).map(([name, value]) => {
      const names = ownValue(IN_LISTS, underscored(name));
      if (!names || !Array.isArray(value)) return [name, value];
      return [name, tablesWithForm(value, names, `${place}, ${name}`, problems)];
    }),
  );
}

function tablesWithForm(
  list: readonly unknown[],
  names: ReadonlySet<string>,
  place: string,
  problems: string[],
): LooseObject[] {
  return list.flatMap((one, at) => {
    const table = asRecord(one);
    if (!table) return [];
    const read = Object.entries(table).filter(([name]) => names.has(underscored(name)));
    const kindOf = (name: string) => ownValue(KINDS, name.replace(/^m(?:in|ax)_/, "")) ?? isText;
    return [withForm(Object.fromEntries(read), kindOf, `${place}[${at}]`, problems)];
  });
}

/** @param kindOf what a setting has to be, by its name with underscores; one without a kind passes */
function withForm(
  values: LooseObject,
  kindOf: (name: string) => Kind | undefined,
  place: string,
  problems: string[],
): LooseObject {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      const plain = underscored(name);
      if (isComputed(value) || (value === null && MAY_BE_NOTHING.has(plain))) return true;
      if (kindOf(plain)?.(value) ?? true) return true;
      const problem = t`${place}: ${name} has no form that Foundry takes; it is left out.`;
      if (!problems.includes(problem)) problems.push(problem);
      return false;
    }),
  );
}

function namesOf(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}

function underscored(name: string): string {
  return name.replaceAll("-", "_");
}

/** Whether a setting decides anything of what is read here. */
export function isReadHere(name: string): boolean {
  return ownValue(KINDS, underscored(name)) !== undefined;
}

/** What a profile extends, and whether arrays of both are joined; `undefined` where that has no form that Foundry takes. */
export function extension(value: unknown): { path: string; keepsArrays: boolean } | undefined {
  const path = asText(value) ?? asText(field(value, "path"));
  if (path === undefined) return undefined;
  const strategy = asText(field(value, "strategy"));
  return { path, keepsArrays: strategy === undefined || strategy === "extend-arrays" };
}
