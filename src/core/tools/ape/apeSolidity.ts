import { isInside, joinPath, relativePath } from "../../files/fileReader.ts";
import { asBoolean, asItems, asText, field } from "../../json/looseData.ts";
import { remappingResolver } from "../../languages/solidity/solidityClosure.ts";
import { DEFAULT_OPTIMIZER, SOLC_SINCE } from "../../languages/solidity/solcCode.ts";
import { atLeast } from "../../versions.ts";
import type { AdmittedSources } from "../../sources/admittedSources.ts";
import type { OpenedContract } from "../../sources/contractReference.ts";
import { SourceFinder } from "../../sources/sourceLookup.ts";
import type { ToolCompilation } from "../toolCompilation.ts";
import type { Standing, ToolPlace } from "../toolShape.ts";
import { apeConfig, saidIn, type Said } from "./apeConfig.ts";

/** What its configuration says of a folder of sources where it names none. */
const USUAL_FOLDER = "contracts";

/**
 * How Ape's plugin compiles Solidity: names relative to the root, the optimizer on with 200 runs unless told otherwise, the
 * compiler by the pragmas unless `version` names it (ApeWorX/ape-solidity, ape_solidity/compiler.py).
 */
export async function apeCompilation(
  { files, root }: ToolPlace,
  sources: AdmittedSources,
  contract: OpenedContract,
): Promise<ToolCompilation> {
  const config = await apeConfig(files, root);
  const said: Said = config ? saidIn(files, config, "solidity") : () => undefined;
  const version = said("version", asText);
  const optimize = said("optimize", asBoolean) ?? true;
  const runs = said("optimization_runs", asRuns) ?? DEFAULT_OPTIMIZER.runs;
  const evmVersion = said("evm_version", asText);
  const viaIR = said("via_ir", asBoolean);
  const remappings = remappingsOf(field(config?.config, "solidity"));
  return {
    name: relativePath(contract.path, root) ?? contract.path,
    resolver: remappingResolver(new SourceFinder(sources, { project: root }), remappings),
    configured: version === undefined ? [] : [version],
    configuration: config?.name ?? "",
    settings: (compiler) => ({
      optimizer: { enabled: optimize, runs },
      ...(remappings.length > 0 && { remappings }),
      ...(evmVersion !== undefined && { evmVersion }),
      ...(viaIR !== undefined && atLeast(compiler, SOLC_SINCE.viaIR) && { viaIR }),
    }),
    findings: [],
  };
}

/** Ape compiles Solidity where its plugin is set up for it; what else is in its folder it leaves alone. */
export async function apeStanding({ files, root }: ToolPlace, path: string): Promise<Standing> {
  const config = (await apeConfig(files, root))?.config;
  const isSetUp =
    field(config, "solidity") !== undefined ||
    asItems(field(config, "plugins")).some(
      (one) => asText(field(one, "name"))?.endsWith("solidity") === true,
    );
  return {
    compiles: isInside(path, joinPath(root, asText(field(config, "contracts_folder")) ?? USUAL_FOLDER)),
    says: isSetUp ? "all" : "nothing",
  };
}

/** Those of the configuration, as the compiler is given them: sorted. */
function remappingsOf(solidity: unknown): string[] {
  return asItems(field(solidity, "import_remapping"))
    .flatMap((one) => asText(one) ?? [])
    .filter((one) => one.includes("="))
    .sort();
}

function asRuns(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
