import { formedOrNoted } from "../../files/skippedFiles.ts";
import { joinPath, type FileReader } from "../../files/fileReader.ts";
import { LARGEST_CONFIGURATION_BYTES, json, readData, type DataFormat } from "../../json/dataFile.ts";
import { field, fieldAt } from "../../json/looseData.ts";
import { toml } from "../../json/toml.ts";
import { yaml } from "../../json/yaml.ts";

/**
 * The files that may hold Ape's configuration, the keys below which it stands in them, and how they are read. Ape reads the
 * first of these that is there, `pyproject.toml` only with a table of its own (ApeWorX/ape, src/ape/api/projects.py).
 */
const CONFIGURATIONS: readonly (readonly [name: string, format: DataFormat, keys: readonly string[]])[] = [
  ["pyproject.toml", toml, ["tool", "ape"]],
  ["ape-config.yaml", yaml, []],
  ["ape-config.yml", yaml, []],
  ["ape-config.json", json, []],
];

/** The configuration of Ape in a project. */
interface ApeConfig {
  /** The name of its file. */
  readonly name: string;
  /** The path of its file, absolute. */
  readonly path: string;
  /** The keys below which it stands there. */
  readonly keys: readonly string[];
  readonly config: unknown;
}

/** Reads what a table of a configuration says of one setting; a value in another form is noted and left out. */
export type Said = <T>(setting: string, read: (value: unknown) => T | undefined) => T | undefined;

/** How the settings of a table of a configuration are read, such as `solidity`. */
export function saidIn(files: FileReader, { path, keys, config }: ApeConfig, table: string): Said {
  const settings = field(config, table);
  return (setting, read) =>
    formedOrNoted(
      files,
      path,
      [...keys, table, setting].join("."),
      field(settings, setting) ?? undefined,
      read,
    );
}

/** The configuration that Ape reads; `undefined` where there is none. */
export async function apeConfig(files: FileReader, root: string): Promise<ApeConfig | undefined> {
  for (const [name, format, keys] of CONFIGURATIONS) {
    const path = joinPath(root, name);
    const config = fieldAt(await readData(files, path, format, LARGEST_CONFIGURATION_BYTES), ...keys);
    if (config !== undefined) return { name, path, keys, config };
  }
  return undefined;
}
