import { parseEnv } from "node:util";
import { t } from "@vscode/l10n";
import { joinPath, type FileReader } from "../../files/fileReader.ts";
import { readText } from "../../json/dataFile.ts";
import { asRecord, asTexts, definedOnly, parseJson } from "../../json/looseData.ts";
import { remappingLines } from "../../languages/solidity/remapping.ts";
import type { LooseObject } from "../../json/shape.ts";

/** What forge takes from the `.env` of a project. */
export interface FoundryEnvironment {
  /** The profile that it chooses. */
  readonly profile?: string;
  /** Settings by the names that they have in `foundry.toml`, which stand on top of those there. */
  readonly settings: LooseObject;
  /** Remappings, which go before all others. */
  readonly remappings: readonly string[];
  /** What could not be read, one sentence each. */
  readonly problems: readonly string[];
}

export const ENVIRONMENT_FILE = ".env";

/** Those of the first kind stand below those of the second. The case of letters does not count, but for remappings. */
const PREFIXES = ["DAPP_", "FOUNDRY_"] as const;
/** Names that mean something else than a setting, or none that decides what a contract becomes. */
const OTHERS: ReadonlySet<string> = new Set(["profile", "remappings", "config", "ffi", "fs_permissions"]);
/** A table of its own, of which a variable names an entry. */
const OF_VYPER = "vyper_";

/**
 * Reads of the `.env` of a project what forge reads of it when it runs there (foundry-rs/foundry, crates/cli/src/utils and
 * crates/config/src/lib.rs, measured with forge 1.7.1): the variables that begin like Foundry's, and no others.
 */
export async function readFoundryEnvironment(files: FileReader, root: string): Promise<FoundryEnvironment> {
  const text = (await readText(files, joinPath(root, ENVIRONMENT_FILE))) ?? "";
  const problems: string[] = [];
  const variables = Object.entries(parseEnv(text)).flatMap(([name, value = ""]) => {
    if (!PREFIXES.some((prefix) => name.toUpperCase().startsWith(prefix))) return [];
    if (!value.includes("$")) return [[name, value] as const];
    problems.push(t`${ENVIRONMENT_FILE} makes ${name} of other variables; it is left out.`);
    return [];
  });
  const variable = (name: string) => variables.findLast(([one]) => one === name)?.[1];
  const named = new Map(
    PREFIXES.flatMap((prefix) =>
      variables
        .filter(([name]) => name.toUpperCase().startsWith(prefix))
        .map(([name, value]) => [name.slice(prefix.length).toLowerCase(), value] as const),
    ),
  );
  const settings = [...named].filter(([name]) => !OTHERS.has(name));
  const isOfVyper = ([name]: readonly [string, string]) => name.startsWith(OF_VYPER);
  const vyper = settings
    .filter(isOfVyper)
    .map(([name, value]) => [name.slice(OF_VYPER.length), valueOf(value)] as const);
  const profile = variables.findLast(([name]) => name.toUpperCase() === "FOUNDRY_PROFILE")?.[1];
  const remappings = variable("DAPP_REMAPPINGS") ?? variable("FOUNDRY_REMAPPINGS") ?? "";
  return {
    ...definedOnly({ profile: profile === "" ? undefined : profile }),
    settings: {
      ...Object.fromEntries(
        settings.filter((one) => !isOfVyper(one)).map(([name, value]) => [name, valueOf(value)]),
      ),
      ...(vyper.length > 0 && { vyper: Object.fromEntries(vyper) }),
    },
    remappings: remappingLines(remappings).map(({ line }) => line),
    problems,
  };
}

/** A number, a truth, a list or a table as it is written in TOML or JSON, else the text itself. */
function valueOf(text: string): unknown {
  if (/^\d+$/.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  const read = parseJson(text);
  if (asRecord(read) ?? asTexts(read)) return read;
  const [, items] = /^\[(.*)\]$/s.exec(text) ?? [];
  return items === undefined
    ? text
    : items
        .split(",")
        .map((one) => one.trim().replace(/^(["'])(.*)\1$/, "$2"))
        .filter((one) => one !== "");
}
