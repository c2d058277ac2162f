import { t } from "@vscode/l10n";
import { isInside, joinPath, type FileReader } from "../../files/fileReader.ts";
import { LARGEST_CONFIGURATION_BYTES, readBytes } from "../../json/dataFile.ts";
import { asRecord, asTexts, definedOnly } from "../../json/looseData.ts";
import { parseRemapping, remappingLines } from "../../languages/solidity/remapping.ts";
import type { LooseObject } from "../../json/shape.ts";
import { computedAt, computedIn, isComputed, type Computed } from "../scripts/computed.ts";
import { readDotenv, type DotenvVariable } from "./dotenvFile.ts";
import { figmentValue } from "./figmentValue.ts";
import { isReadHere } from "./foundryForms.ts";

/** What forge takes from the `.env` of a project. */
export interface FoundryEnvironment {
  /** The folder of the file, absolute. */
  readonly root: string;
  /** The profile that it chooses. */
  readonly profile?: string;
  /** The file that is read instead of `foundry.toml`, for the project and for its libraries, and where that is said. */
  readonly config?: { readonly path: string; readonly saidAt: Computed };
  /** Settings by the names that they have in `foundry.toml`, which stand on top of those there; some may be computed. */
  readonly settings: LooseObject;
  /** Remappings, which go before all others. */
  readonly remappings: readonly string[];
  /** What is made of variables that the file does not define: what chooses the settings, and the remappings. */
  readonly computed: Readonly<Partial<Record<"profile" | "config" | "remappings", Computed>>>;
  /** What could not be read, one sentence each. */
  readonly problems: readonly string[];
}

export const ENVIRONMENT_FILE = ".env";

const OF_FOUNDRY = "FOUNDRY_";
/** Those of the first kind stand below those of the next. The case of letters does not count. */
const PREFIXES = ["DAPP_", "DAPP_TEST_", OF_FOUNDRY] as const;
/** Names that mean something else than a setting behind every prefix, or none that decides what a contract becomes. */
const OTHERS: ReadonlySet<string> = new Set(["profile", "remappings", "libraries", "ffi", "fs_permissions"]);
/** A table of its own, of which a variable of Foundry's names an entry, in capitals only. */
const OF_VYPER = /^VYPER_/;
/** No table in the configuration is nested deeper. */
const MAX_NAMES = 8;

/**
 * Reads of the `.env` of a project what forge reads of it when it runs there (foundry-rs/foundry, crates/cli/src/utils,
 * crates/config/src/lib.rs and providers/ext.rs, measured with forge 1.7.1): the variables that begin like Foundry's, and no
 * others. Of two names that differ by case the latter counts, but of those that choose a profile or a configuration the former.
 */
export async function readFoundryEnvironment(files: FileReader, root: string): Promise<FoundryEnvironment> {
  const bytes = await readBytes(files, joinPath(root, ENVIRONMENT_FILE), LARGEST_CONFIGURATION_BYTES);
  const { config, ...read } = foundryEnvironment(bytes ?? new Uint8Array());
  if (config?.value === undefined) return { root, ...read };
  const path = joinPath(root, config.value);
  const real = await files.realPath(path);
  const isInProject =
    real === undefined ? isInside(path, root) : isInside(real, (await files.realPath(root)) ?? root);
  const saidAt = computedAt(config.line, config.written);
  if (isInProject) return { root, ...read, config: { path: config.value, saidAt } };
  return {
    root,
    ...read,
    computed: { ...read.computed, config: saidAt },
    problems: [
      ...read.problems,
      t`${ENVIRONMENT_FILE} has forge read ${config.value} instead of foundry.toml, which lies outside the project and is not read.`,
    ],
  };
}

/** What forge takes from the bytes of a `.env`. */
function foundryEnvironment(
  bytes: Uint8Array,
): Omit<FoundryEnvironment, "root" | "config"> & { readonly config?: DotenvVariable } {
  const { variables, stopsAt } = readDotenv(bytes);
  const ofForge = variables.filter(({ name }) =>
    PREFIXES.some((prefix) => name.toUpperCase().startsWith(prefix)),
  );
  const named = new Map(ofForge.map((variable) => [variable.name, variable]));
  const chosen = (name: string) => ofForge.find((variable) => variable.name.toUpperCase() === name);
  const profile = chosen("FOUNDRY_PROFILE");
  const config = chosen("FOUNDRY_CONFIG");
  const remappings = named.get("DAPP_REMAPPINGS") ?? named.get("FOUNDRY_REMAPPINGS");
  const lines = remappingLines(remappings?.value ?? "");
  const computed = (variable: DotenvVariable | undefined) =>
    variable && variable.value === undefined ? computedAt(variable.line, variable.written) : undefined;
  const settings = settingsOf(ofForge, named);
  const choices = definedOnly({
    profile: computed(profile),
    config: computed(config),
    remappings: computed(remappings),
  });
  const decisive = Object.entries({ ...settings, ...choices }).filter(
    ([name]) => isReadHere(name) || Object.hasOwn(choices, name),
  );
  const open = new Set(computedIn(Object.fromEntries(decisive), "").map(({ line }) => line));
  return {
    ...definedOnly({ profile: profile?.value === "" ? undefined : profile?.value, config }),
    settings,
    remappings: lines.map(({ line }) => line),
    computed: choices,
    problems: [
      ...ofForge
        .filter(({ line }) => open.has(line))
        .map(({ name }) => t`${ENVIRONMENT_FILE} makes ${name} of other variables; it is left out.`),
      ...(stopsAt === undefined || !speaksOfForge(bytes, stopsAt)
        ? []
        : [t`${ENVIRONMENT_FILE}, line ${stopsAt}: forge stops reading there; what follows is left out.`]),
      ...DAPP_NUMBERS.flatMap(({ name, isTaken }) => {
        const { value } = named.get(name) ?? {};
        return value === undefined || isTaken(value)
          ? []
          : [
              t`forge builds nothing while ${ENVIRONMENT_FILE} has "${value}" for ${name}: what is deployed was built with another state of it, whose settings are not known.`,
            ];
      }),
      // Those of DAPP_TEST_REMAPPINGS are a list, and count as settings.
      ...[...lines.map(({ line }) => line), ...(asTexts(settings["remappings"]) ?? [])]
        .filter((line) => !isForgeRemapping(line))
        .map(
          (line) =>
            t`forge builds nothing while ${ENVIRONMENT_FILE} has the remapping "${line}", which is none: what is deployed was built with another state of it, whose settings are not known.`,
        ),
    ],
  };
}

/**
 * Whether forge takes a text for a remapping: with a name and a target, neither of which may be blank (foundry-rs/compilers,
 * crates/artifacts/solc/src/remappings, `RemappingError`).
 */
function isForgeRemapping(text: string): boolean {
  const { prefix = "", target = "" } = parseRemapping(text) ?? {};
  return prefix.trim() !== "" && target.trim() !== "";
}

/** Whether anything of forge's stands in a line or behind it, be it in UTF-16: without that it loses nothing there. */
function speaksOfForge(bytes: Uint8Array, line: number): boolean {
  const lines = new TextDecoder("latin1")
    .decode(bytes)
    .split("\n")
    .slice(line - 1);
  return /(?:foundry|dapp)_/i.test(lines.join("\n").replaceAll("\0", ""));
}

/** What DappTools has as numbers, without which forge builds nothing, whatever else is said of the same (forge 1.7.1). */
const DAPP_NUMBERS = [
  {
    name: "DAPP_BUILD_OPTIMIZE_RUNS",
    setting: "optimizer_runs",
    isTaken: (text: string) => /^\+?\d+$/.test(text) && BigInt(text.replace("+", "")) < 2n ** 64n,
    read: Number,
  },
  {
    name: "DAPP_BUILD_OPTIMIZE",
    setting: "optimizer",
    isTaken: (text: string) => /^\+?0*[01]$/.test(text),
    read: (text: string) => text.endsWith("1"),
  },
] as const;

/** The settings, by the providers of the environment in forge's order. */
function settingsOf(
  variables: readonly DotenvVariable[],
  named: ReadonlyMap<string, DotenvVariable>,
): LooseObject {
  const settings: Table = new Map();
  const put = (path: readonly string[], variable: DotenvVariable, read: (text: string) => unknown) => {
    const { value, line, written } = variable;
    if (path.length <= MAX_NAMES)
      lay(settings, path, value === undefined ? computedAt(line, written) : read(value));
  };
  for (const { name, setting, isTaken, read } of DAPP_NUMBERS) {
    const variable = named.get(name);
    if (variable) put([setting], variable, (text) => (isTaken(text) ? read(text) : text));
  }
  const library = named.get("DAPP_LIBRARIES");
  const libraries = named.get("FOUNDRY_LIBRARIES");
  if (library) put(["libraries"], library, (text) => [text]);
  else if (libraries) put(["libraries"], libraries, librariesIn);
  for (const prefix of PREFIXES) {
    for (const variable of variables) {
      if (!variable.name.toUpperCase().startsWith(prefix)) continue;
      const name = variable.name.slice(prefix.length);
      if (OTHERS.has(name.toLowerCase()) && prefix !== "DAPP_TEST_") continue;
      const placed = prefix === OF_FOUNDRY ? name.replace(OF_VYPER, "vyper.") : name;
      put(placed.toLowerCase().split("."), variable, figmentValue);
    }
  }
  return asObject(settings);
}

/** Libraries stand beside each other, as they are written. */
function librariesIn(text: string): string[] {
  let [start, end] = [0, text.length];
  while (text.charAt(start) === "[") start++;
  while (end > start && text.charAt(end - 1) === "]") end--;
  return text.slice(start, end).split(",");
}

type Table = Map<string, unknown>;

/** Puts a value into a table, tables onto tables. */
function lay(table: Table, [name = "", ...below]: readonly string[], value: unknown): void {
  const entries = isComputed(value) ? undefined : asRecord(value);
  if (below.length === 0 && !entries) {
    table.set(name, value);
    return;
  }
  const known = table.get(name);
  const inner: Table = known instanceof Map ? (known as Table) : new Map<string, unknown>();
  table.set(name, inner);
  if (below.length > 0) lay(inner, below, value);
  else for (const [key, one] of Object.entries(entries ?? {})) lay(inner, [key], one);
}

function asObject(table: Table): LooseObject {
  return Object.fromEntries(
    [...table].map(([name, value]) => [name, value instanceof Map ? asObject(value as Table) : value]),
  );
}
