import { joinPath } from "../../files/fileReader.ts";
import { walkFolders } from "../../files/walk.ts";
import { LARGEST_ARTIFACT_BYTES, readBytes } from "../../json/dataFile.ts";
import { recordedAddress, recordedChainId, recordedHash, type Deployment } from "../deployment.ts";
import { filesEnding, type FolderReader } from "../../files/folderReader.ts";
import { asItems, asRecord, asText, field, fieldAt, parseJson, readJson } from "../../json/looseData.ts";
import { readMoccasinConfig } from "../moccasin/moccasinConfig.ts";
import { isSqlite, readSqliteTable } from "../moccasin/sqliteTable.ts";
import { noteSkipped } from "../../files/skippedFiles.ts";
import { ownValue } from "../../json/ownValue.ts";

/** Chain ids of the networks that Ape names (ApeWorX/ape and its network plugins). */
const APE_NETWORKS: ReadonlyMap<string, string> = new Map([
  ["ethereum/mainnet", "1"],
  ["ethereum/sepolia", "11155111"],
  ["ethereum/holesky", "17000"],
  ["arbitrum/mainnet", "42161"],
  ["arbitrum/sepolia", "421614"],
  ["base/mainnet", "8453"],
  ["base/sepolia", "84532"],
  ["optimism/mainnet", "10"],
  ["optimism/sepolia", "11155420"],
  ["polygon/mainnet", "137"],
  ["polygon/amoy", "80002"],
  ["bsc/mainnet", "56"],
  ["gnosis/mainnet", "100"],
]);

/**
 * What Ape tracked in the project: `deployments` of its manifest (`.build/__local__.json`, by the chain's EIP-122
 * address or a chain id), and the `deployments` folder of exported instances.
 */
export async function apeDeployments(files: FolderReader, root: string): Promise<Deployment[]> {
  const found: Deployment[] = [];
  for (const name of ["__local__.json", "deployments.json"]) {
    const record = joinPath(root, `.build/${name}`);
    const tracked = asRecord(field(await readJson(files, record), "deployments")) ?? {};
    for (const [chain, contracts] of Object.entries(tracked)) {
      for (const deployment of apeContracts(chain, contracts, record)) found.push(deployment);
    }
  }
  const folder = joinPath(root, "deployments");
  const networks = await walkFolders(files, folder, { deepest: 2 });
  for (const { path } of networks.filter(({ depth }) => depth === 2)) {
    for (const name of await filesEnding(files, path, ".json")) {
      const record = joinPath(path, name);
      const network = path.slice(folder.length + 1);
      for (const deployment of apeContracts(network, await readJson(files, record), record))
        found.push(deployment);
    }
  }
  return found;
}

function apeContracts(chain: string, contracts: unknown, record: string): Deployment[] {
  const chainId = recordedChainId(chain) ?? APE_NETWORKS.get(chain) ?? chainOfUri(chain);
  if (chainId === undefined) return [];
  const listed = Array.isArray(contracts)
    ? contracts.map((one: unknown) => ["", one] as const)
    : Object.entries(asRecord(contracts) ?? {}).flatMap(([name, value]) =>
        (Array.isArray(value) ? (value as unknown[]) : [value]).map((one) => [name, one] as const),
      );
  return listed.flatMap(([name, one]) => {
    const address = recordedAddress(field(one, "address"));
    // `contract_type` may be `path/File.vy:Name`.
    const contract = asText(field(one, "contract_type")) ?? asText(field(one, "contractType")) ?? name;
    if (address === undefined || contract === "") return [];
    const hash =
      recordedHash(field(one, "transaction_hash")) ??
      recordedHash(field(one, "transactionHash")) ??
      recordedHash(field(one, "transaction"));
    return [
      {
        chainId,
        address,
        contract,
        ...(hash !== undefined && { creationTransactionHash: hash }),
        recordedBy: "ape",
        record,
      } as const,
    ];
  });
}

/** EIP-122 names a chain by the hash of its first block; only the ones that every list has are known. */
function chainOfUri(uri: string): string | undefined {
  const genesis = /^blockchain:\/\/([0-9a-f]{64})\//.exec(uri)?.[1];
  return genesis === "d4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3"
    ? "1"
    : genesis === "25a5cc106eea7138acab33231d7160d69cb777ee0c2c553fcddf5138993e6dd9"
      ? "11155111"
      : undefined;
}

/**
 * What moccasin deployed: the table `deployments` of its SQLite database (vyperlang/titanoboa,
 * boa/deployments.py), whose columns hold JSON.
 */
export async function moccasinDeployments(files: FolderReader, root: string): Promise<Deployment[]> {
  const { database, chainIds } = await readMoccasinConfig(files, root);
  const record = joinPath(root, database);
  const bytes = await readBytes(files, record, LARGEST_ARTIFACT_BYTES);
  if (!bytes) return [];
  if (!isSqlite(bytes)) {
    noteSkipped(files, record, "is no SQLite database");
    return [];
  }
  return readSqliteTable(bytes, "deployments").flatMap((row) => {
    const address = recordedAddress(row["contract_address"]);
    const contract = asText(row["contract_name"]);
    const network = asText(row["network"]) ?? "";
    const chainId =
      recordedChainId(row["chain_id"]) ??
      ownValue(chainIds, network) ??
      recordedChainId(field(parsed(row["tx_dict"]), "chainId"));
    if (address === undefined || contract === undefined || contract === "" || chainId === undefined)
      return [];
    const file = asText(row["filename"]);
    const hash =
      recordedHash(row["tx_hash"]) ?? recordedHash(fieldAt(parsed(row["receipt_dict"]), "transactionHash"));
    const when = Number(row["broadcast_ts"]);
    const args = asItems(parsed(row["constructor_args"]));
    return [
      {
        chainId,
        address,
        contract: file === undefined || file === "" ? contract : `${file}:${contract}`,
        ...(hash !== undefined && { creationTransactionHash: hash }),
        recordedBy: "moccasin",
        record,
        ...(Number.isFinite(when) && when > 0 && { when: when * 1000 }),
        ...(args.length > 0 && { constructorArguments: args }),
      } as const,
    ];
  });
}

function parsed(value: unknown): unknown {
  return typeof value === "string" ? parseJson(value) : value;
}
