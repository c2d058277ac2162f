import { joinPath, type FileReader } from "../../files/fileReader.ts";
import { formedOrNoted } from "../../files/skippedFiles.ts";
import { LARGEST_CONFIGURATION_BYTES, readData } from "../../json/dataFile.ts";
import { toml } from "../../json/toml.ts";
import { writtenChainId } from "../../chainId.ts";
import { asText, field, fieldAt } from "../../json/looseData.ts";

/** What `moccasin.toml` says about a project. */
interface MoccasinConfig {
  /** Folder of the sources, relative to the root. */
  readonly src: string;
  /** The database of deployments, relative to the root. */
  readonly database: string;
  /** Chain ids as decimal strings, by the name of a network. */
  readonly chainIds: Readonly<Record<string, string>>;
}

/** Reads `moccasin.toml` (Cyfrin/moccasin, moccasin/config.py); what is not there has moccasin's defaults. */
export async function readMoccasinConfig(files: FileReader, root: string): Promise<MoccasinConfig> {
  const path = joinPath(root, "moccasin.toml");
  const config = await readData(files, path, toml, LARGEST_CONFIGURATION_BYTES);
  const text = (...names: readonly string[]) =>
    formedOrNoted(files, path, names.join("."), fieldAt(config, ...names), asText);
  const networks = field(config, "networks");
  const chainIds = Object.entries(typeof networks === "object" && networks !== null ? networks : {}).flatMap(
    ([name, network]) => {
      const chainId = writtenChainId(field(network, "chain_id"));
      return chainId === undefined ? [] : [[name, chainId] as const];
    },
  );
  return {
    src: text("project", "src") ?? text("layout", "contracts") ?? "src",
    database: text("project", "db_path") ?? ".deployments.db",
    chainIds: Object.fromEntries(chainIds),
  };
}
