import { readText } from "../../json/dataFile.ts";
import { asBoolean, asText, field } from "../../json/looseData.ts";
import type { LanguageConfig } from "../../languages/compilationContext.ts";
import type { ToolPlace } from "../toolShape.ts";
import { apeConfig, saidIn } from "./apeConfig.ts";

/** `vyper:` in the configuration of Ape. */
export async function apeVyper({ files, root }: ToolPlace): Promise<LanguageConfig | undefined> {
  const config = await apeConfig(files, root);
  if (config === undefined || field(config.config, "vyper") === undefined) return undefined;
  const said = saidIn(files, config, "vyper");
  const text = (await readText(files, config.path)) ?? "";
  const version = said("version", scalar);
  const evmVersion = said("evm_version", asText);
  return {
    version:
      version === undefined
        ? undefined
        : { file: config.name, line: lineWith(text, version), value: version, by: "configuration" },
    settings: {
      ...(evmVersion !== undefined && { evmVersion }),
      ...(said("enable_decimals", asBoolean) === true && { enable_decimals: true }),
    },
    findings: [],
    isSaid: true,
  };
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
