import type { AdmittedSources } from "../../sources/admittedSources.ts";
import { joinPath, relativePath } from "../../files/fileReader.ts";
import type { ToolPlace } from "../toolShape.ts";
import { readTruffleConfig } from "./truffleConfig.ts";
import type { OpenedContract } from "../../sources/contractReference.ts";
import type { ToolCompilation } from "../toolCompilation.ts";
import { remappingResolver } from "../../languages/solidity/solidityClosure.ts";
import { SourceFinder } from "../../sources/sourceLookup.ts";

/** What Truffle puts before the paths of a project's own files, so that they don't tell where they lie. */
const PROJECT = "project:/";

/** How Truffle (5.2 and newer) compiles a contract: its own files are named `project:/…`, packages by name. */
export async function truffleCompilation(
  { files, root, opened, configuration: path = joinPath(root, "truffle-config.js") }: ToolPlace,
  sources: AdmittedSources,
  contract: OpenedContract,
): Promise<ToolCompilation> {
  const config = await readTruffleConfig(files, path, opened);
  const finder = new SourceFinder(sources, { project: root });
  const resolver = remappingResolver(finder, []);
  const relative = relativePath(contract.path, root);
  return {
    name: relative === undefined ? contract.path : `${PROJECT}/${relative}`.replace("//", "/"),
    resolver: {
      nameOf: (importPath, importer) => resolver.nameOf(importPath, importer),
      find: (name) => resolver.find(name.startsWith(PROJECT) ? name.slice(PROJECT.length) : name),
    },
    configured: [config.version],
    configuration: path.slice(path.lastIndexOf("/") + 1),
    settings: () => config.settings,
    open: {
      version: config.unknown.filter(({ setting }) => setting === "version"),
      settings: () => config.unknown.filter(({ setting }) => setting !== "version"),
    },
    findings: config.problems.map((sentence) => ({
      code: "configuration_computed",
      severity: "warning",
      sentence,
      path,
    })),
  };
}
