import { computedFindings } from "../../sources/inputFinding.ts";
import type { AdmittedSources } from "../../sources/admittedSources.ts";
import { joinPath, lastSegment, relativePath } from "../../files/fileReader.ts";
import type { ToolPlace } from "../toolShape.ts";
import { readTruffleConfig } from "./truffleConfig.ts";
import type { OpenedContract } from "../../sources/contractReference.ts";
import type { ToolCompilation } from "../toolCompilation.ts";
import { remappingResolver, type ImportResolver } from "../../languages/solidity/solidityClosure.ts";
import { JobNames } from "../../languages/solidity/jobNames.ts";
import { sourceGraph } from "../../languages/solidity/sourceGraph.ts";
import { walkFiles } from "../../files/walk.ts";
import { SourceFinder } from "../../sources/sourceLookup.ts";
import { TRUFFLE_OWN } from "./truffleNames.ts";

/** How Truffle (5.2 and newer) compiles a contract: its own files are named `project:/…`, packages by name. */
export async function truffleCompilation(
  { files, root, opened, configuration: path = joinPath(root, "truffle-config.js") }: ToolPlace,
  sources: AdmittedSources,
  contract: OpenedContract,
): Promise<ToolCompilation> {
  const place = { files, root, opened, configuration: path };
  const config = await readTruffleConfig(files, path, opened);
  return {
    name:
      ownName(contract.path, root) ??
      (await nameInTrufflesJob(place, sources, contract.path)) ??
      contract.path,
    resolver: truffleResolver(sources, root),
    configured: config.versions,
    prefersDeployed: true,
    configuration: lastSegment(path),
    settings: () => config.settings,
    open: {
      version: config.unknown.filter(({ setting }) => setting === "version"),
      settings: () => config.unknown.filter(({ setting }) => setting !== "version"),
    },
    findings: computedFindings(config.problems, path),
  };
}

/** The name of a file below the root. */
function ownName(path: string, root: string): string | undefined {
  const relative = relativePath(path, root);
  return relative === undefined ? undefined : `${TRUFFLE_OWN}/${relative}`.replace("//", "/");
}

function truffleResolver(sources: AdmittedSources, root: string): ImportResolver {
  const resolver = remappingResolver(new SourceFinder(sources, { project: root }), []);
  return {
    nameOf: (importPath, importer) => resolver.nameOf(importPath, importer),
    find: (name) => resolver.find(name.startsWith(TRUFFLE_OWN) ? name.slice(TRUFFLE_OWN.length) : name),
  };
}

/** The source unit name of a file that is one of the project's own or that these import. */
export async function nameInTrufflesJob(
  { files, root, opened, configuration = joinPath(root, "truffle-config.js") }: ToolPlace,
  sources: AdmittedSources,
  path: string,
): Promise<string | undefined> {
  const { contracts } = await readTruffleConfig(files, configuration, opened);
  const key = JSON.stringify([root, contracts]);
  return jobNames.of(path, { files, sources, key }, async (asked, admitted) => {
    const own = await admitted.allReadable(await walkFiles(asked, contracts, ".sol"));
    const entries = own.map((source) => ({ name: ownName(source.path, root) ?? source.path, source }));
    return sourceGraph(truffleResolver(admitted, root), entries);
  });
}

const jobNames = new JobNames();
