import { joinPath } from "../../files/fileReader.ts";
import { formedOrNoted } from "../../files/skippedFiles.ts";
import { LARGEST_CONFIGURATION_BYTES, readData, readText } from "../../json/dataFile.ts";
import { asText, field, fieldAt } from "../../json/looseData.ts";
import type { LanguageConfig } from "../../languages/compilationContext.ts";
import type { ToolPlace } from "../toolShape.ts";
import { APE_CONFIGURATIONS } from "./apeConfigurations.ts";

/** Ape: `vyper:` in `ape-config.yaml`, or the same in JSON, or below `[tool.ape]` in `pyproject.toml`. */
export async function apeVyper({ files, root }: ToolPlace): Promise<LanguageConfig | undefined> {
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

/** A text; YAML takes `0.4` for a number. */
function scalar(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : asText(value);
}

/** The one-based line that says the version. */
function lineWith(text: string, version: string): number | undefined {
  const at = text.split("\n").findIndex((line) => /\bversion\b/.test(line) && line.includes(version));
  return at < 0 ? undefined : at + 1;
}
