import { json, type DataFormat } from "../../json/dataFile.ts";
import { toml } from "../../json/toml.ts";
import { yaml } from "../../json/yaml.ts";

/** The files that may hold Ape's configuration, the keys below which it stands in them, and how they are read. */
export const APE_CONFIGURATIONS: readonly (readonly [
  name: string,
  format: DataFormat,
  keys: readonly string[],
])[] = [
  ["ape-config.yaml", yaml, []],
  ["ape-config.yml", yaml, []],
  ["ape-config.json", json, []],
  ["pyproject.toml", toml, ["tool", "ape"]],
];
