import { joinPath } from "../files/fileReader.ts";
import { formedOrNoted } from "../files/skippedFiles.ts";
import { json, LARGEST_CONFIGURATION_BYTES, readData, readText, type DataFormat } from "../json/dataFile.ts";
import { toml } from "../json/toml.ts";
import { yaml } from "../json/yaml.ts";
import { readFoundryConfig } from "./foundry/foundryConfig.ts";
import type { FolderReader } from "../files/folderReader.ts";
import { asText, field, fieldAt } from "../json/looseData.ts";
import type { Project } from "./project.ts";
import { unreadOfFoundry } from "./foundry/foundryInput.ts";
import type { LanguageConfig } from "../languages/languageGround.ts";

/** Reads what Foundry's or Ape's configuration says of Vyper; it is read as data. */
export async function readVyperConfig(
  files: FolderReader,
  project: Project,
  profile?: string,
): Promise<LanguageConfig> {
  if (project.tools.includes("foundry")) return foundryVyper(files, project, profile);
  const ape = await apeVyper(files, project);
  return ape ?? { settings: {}, findings: [], isSaid: false };
}

async function foundryVyper(
  files: FolderReader,
  project: Project,
  profile: string | undefined,
): Promise<LanguageConfig> {
  const config = await readFoundryConfig(files, project.root, profile);
  const said = (setting: string) =>
    formedOrNoted(
      files,
      joinPath(project.root, "foundry.toml"),
      `vyper.${setting}`,
      field(config.vyper, setting),
      asText,
    );
  const [optimize, path] = [said("optimize"), said("path")];
  const version = /(\d+\.\d+\.\d+)[^/\\]*$/.exec(path ?? "")?.[1];
  return {
    version:
      version === undefined ? undefined : { file: "foundry.toml", value: version, by: "configuration" },
    settings: {
      ...(config.evmVersion !== undefined && { evmVersion: config.evmVersion }),
      ...(optimize !== undefined && { optimize }),
    },
    findings: unreadOfFoundry(config),
    isSaid: true,
  };
}

/** Ape: `vyper:` in `ape-config.yaml`, or the same in JSON, or below `[tool.ape]` in `pyproject.toml`. */
async function apeVyper(files: FolderReader, { root }: Project): Promise<LanguageConfig | undefined> {
  for (const [name, format, keys] of APE_CONFIGURATIONS) {
    const config = await readData(files, joinPath(root, name), format, LARGEST_CONFIGURATION_BYTES);
    const vyper = fieldAt(config, ...keys, "vyper");
    if (vyper === undefined) continue;
    const text = (await readText(files, joinPath(root, name))) ?? "";
    const said = <T>(setting: string, read: (value: unknown) => T | undefined) =>
      formedOrNoted(
        files,
        joinPath(root, name),
        [...keys, "vyper", setting].join("."),
        field(vyper, setting) ?? undefined,
        read,
      );
    const version = said("version", scalar);
    const evmVersion = said("evm_version", asText);
    const decimals = said("enable_decimals", (value) => (typeof value === "boolean" ? value : undefined));
    return {
      version:
        version === undefined
          ? undefined
          : { file: name, line: lineWith(text, version), value: version, by: "configuration" },
      settings: {
        ...(evmVersion !== undefined && { evmVersion }),
        ...(decimals === true && { enable_decimals: true }),
      },
      findings: [],
      isSaid: true,
    };
  }
  return undefined;
}

const APE_CONFIGURATIONS: readonly (readonly [name: string, format: DataFormat, keys: readonly string[]])[] =
  [
    ["ape-config.yaml", yaml, []],
    ["ape-config.yml", yaml, []],
    ["ape-config.json", json, []],
    ["pyproject.toml", toml, ["tool", "ape"]],
  ];

/** A text; YAML takes `0.4` for a number. */
function scalar(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : asText(value);
}

/** The one-based line that says the version. */
function lineWith(text: string, version: string): number | undefined {
  const at = text.split("\n").findIndex((line) => /\bversion\b/.test(line) && line.includes(version));
  return at < 0 ? undefined : at + 1;
}
