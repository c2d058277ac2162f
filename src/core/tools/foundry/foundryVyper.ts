import { formedOrNoted } from "../../files/skippedFiles.ts";
import { asText, field } from "../../json/looseData.ts";
import type { LanguageConfig } from "../../languages/compilationContext.ts";
import type { ToolPlace } from "../toolShape.ts";
import { readFoundryConfig } from "./foundryConfig.ts";
import { unreadOfFoundry } from "./foundryInput.ts";

/** What `foundry.toml` says of Vyper; `undefined` where there is none. */
export async function foundryVyper({
  files,
  root,
  configuration,
  profile,
}: ToolPlace): Promise<LanguageConfig | undefined> {
  if (configuration === undefined) return undefined;
  const config = await readFoundryConfig(files, root, { profile });
  const said = (setting: string) =>
    formedOrNoted(files, config.path, `vyper.${setting}`, field(config.vyper, setting), asText);
  const [optimize, path] = [said("optimize"), said("path")];
  const version = /(\d+\.\d+\.\d+)[^/\\]*$/.exec(path ?? "")?.[1];
  return {
    version: version === undefined ? undefined : { file: config.file, value: version, by: "configuration" },
    settings: {
      ...(config.evmVersion !== undefined && { evmVersion: config.evmVersion }),
      ...(optimize !== undefined && { optimize }),
    },
    findings: unreadOfFoundry(config),
    isSaid: true,
  };
}
