import { computedFindings } from "../../sources/inputFinding.ts";
import type { AdmittedSources } from "../../sources/admittedSources.ts";
import { remappingsIn } from "../../languages/solidity/remapping.ts";
import { REMAPPINGS_FILE } from "../../languages/solidity/solidity.ts";
import { joinPath, relativePath } from "../../files/fileReader.ts";
import { LARGEST_CONFIGURATION_BYTES, readJson, readText } from "../../json/dataFile.ts";
import { asRecord, asText, asTexts, field, fieldAt } from "../../json/looseData.ts";
import type { ToolPlace } from "../toolShape.ts";
import type { OpenedContract } from "../../sources/contractReference.ts";
import type { ToolCompilation } from "../toolCompilation.ts";
import { shapedSettings } from "../../languages/settingsShape.ts";
import { SOLC_SETTINGS } from "../../languages/solidity/solcSettingsShape.ts";
import { remappingResolver } from "../../languages/solidity/solidityClosure.ts";
import { SourceFinder, type SourceLookup } from "../../sources/sourceLookup.ts";
import { DEFAULT_OPTIMIZER } from "../../languages/solidity/solcCode.ts";

/**
 * How Remix compiles a contract: names relative to the workspace, whatever comes from elsewhere by the very text
 * of its import, which Remix keeps in `.deps` (`npm/<name>`, `github/<owner>/<repository>`). `remix.config.json`
 * may say compiler and settings.
 */
export async function remixCompilation(
  { files, root, configuration: configPath = joinPath(root, "remix.config.json") }: ToolPlace,
  sources: AdmittedSources,
  contract: OpenedContract,
): Promise<ToolCompilation> {
  const finder = new SourceFinder(sources, { project: root });
  const config = await readJson(files, configPath, LARGEST_CONFIGURATION_BYTES);
  const { settings, problems } = shapedSettings(
    asRecord(fieldAt(config, "solidity-compiler", "settings")) ?? {},
    "remix.config.json",
    SOLC_SETTINGS,
  );
  const remappingsFile = await readText(files, joinPath(root, REMAPPINGS_FILE));
  const remappings = [
    ...remappingsIn(remappingsFile ?? ""),
    ...(asTexts(field(settings, "remappings")) ?? []).filter((text) => text.includes("=")),
  ];
  const resolver = remappingResolver(finder, remappings);
  const version = asText(fieldAt(config, "solidity-compiler", "version"));
  return {
    name: relativePath(contract.path, root) ?? contract.path,
    resolver: {
      nameOf: (importPath, importer) => resolver.nameOf(importPath, importer),
      find: async (name): Promise<SourceLookup> => {
        const cached = cachedPaths(name).map((path) => joinPath(root, path));
        const isAddress = /^[a-z]+:\/\//i.test(name);
        const found = isAddress ? { lookedIn: [] } : await finder.find(name);
        if (!("lookedIn" in found)) return found;
        for (const path of cached) {
          const source = await finder.at(path);
          if (source) return source;
        }
        return { lookedIn: [...found.lookedIn, ...cached] };
      },
    },
    configured: version === undefined ? [] : [version],
    configuration: "remix.config.json",
    settings: () => ({
      ...settings,
      ...(remappings.length > 0 && { remappings }),
      optimizer: { ...DEFAULT_OPTIMIZER, ...asRecord(settings["optimizer"]) },
    }),
    findings: computedFindings(problems, configPath),
  };
}

/** Where Remix keeps what it fetched for an import. */
export function cachedPaths(name: string): string[] {
  const github = /^https?:\/\/github\.com\/([^/]+)\/([^/]+)\/(?:blob|tree)\/([^/]+)\/(.+)$/.exec(name);
  if (github) {
    const [, owner = "", repository = "", revision = "", path = ""] = github;
    return [
      `.deps/github/${owner}/${repository}/${path}`,
      `.deps/github/${owner}/${repository}@${revision}/${path}`,
    ];
  }
  const raw = /^https?:\/\/raw\.githubusercontent\.com\/([^/]+)\/([^/]+)\/([^/]+)\/(.+)$/.exec(name);
  if (raw) return [`.deps/github/${raw[1] ?? ""}/${raw[2] ?? ""}/${raw[4] ?? ""}`];
  const address = /^https?:\/\/(.+)$/.exec(name)?.[1];
  if (address !== undefined) return [`.deps/https/${address}`, `.deps/http/${address}`];
  const unversioned = name.replace(/^((?:@[^/]+\/)?[^/@]+)@[^/]+\//, "$1/");
  return [
    `.deps/npm/${name}`,
    ...(unversioned === name ? [] : [`.deps/npm/${unversioned}`]),
    `.deps/${name}`,
  ];
}
