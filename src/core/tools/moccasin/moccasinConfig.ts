import { joinPath, type FileReader } from "../../files/fileReader.ts";
import { formedOrNoted } from "../../files/skippedFiles.ts";
import { LARGEST_CONFIGURATION_BYTES, readData } from "../../json/dataFile.ts";
import { toml } from "../../json/toml.ts";
import { writtenChainId } from "../../chainId.ts";
import { asRecord, asText, field, fieldAt } from "../../json/looseData.ts";

/** What the configuration of moccasin says about a project. */
interface MoccasinConfig {
  /** Folder of the sources, relative to the root. */
  readonly src: string;
  /** Folder of what it builds, relative to the root. */
  readonly out: string;
  /** Folder of the packages that it installs, relative to the root. */
  readonly lib: string;
  /** The database of deployments, relative to the root. */
  readonly database: string;
  /** Chain ids as decimal strings, by the name of a network. */
  readonly chainIds: Readonly<Record<string, string>>;
}

/** The files that hold its configuration, and the keys below which it stands there; a value of the first counts. */
const MOCCASIN_CONFIGURATIONS: readonly (readonly [name: string, keys: readonly string[]])[] = [
  ["moccasin.toml", []],
  ["pyproject.toml", ["tool", "moccasin"]],
];

/**
 * Reads `moccasin.toml` and, below it, `[tool.moccasin]` of `pyproject.toml` (Cyfrin/moccasin, moccasin/config.py,
 * `merge_configs`); what is not there has moccasin's defaults.
 */
export async function readMoccasinConfig(files: FileReader, root: string): Promise<MoccasinConfig> {
  const read = await Promise.all(
    MOCCASIN_CONFIGURATIONS.map(async ([name, keys]) => {
      const path = joinPath(root, name);
      return { path, keys, config: await readData(files, path, toml, LARGEST_CONFIGURATION_BYTES) };
    }),
  );
  const text = (...names: readonly string[]) => {
    for (const { path, keys, config } of read) {
      const place = [...keys, ...names];
      const value = formedOrNoted(files, path, place.join("."), fieldAt(config, ...place), asText);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const chainIds = read.toReversed().flatMap(({ keys, config }) =>
    Object.entries(asRecord(fieldAt(config, ...keys, "networks")) ?? {}).flatMap(([name, network]) => {
      const chainId = writtenChainId(field(network, "chain_id"));
      return chainId === undefined ? [] : [[name, chainId] as const];
    }),
  );
  return {
    out: text("project", "out") ?? "out",
    lib: text("project", "lib") ?? "lib",
    src: text("project", "src") ?? text("layout", "contracts") ?? "src",
    database: text("project", "db_path") ?? ".deployments.db",
    chainIds: Object.fromEntries(chainIds),
  };
}
