import { writtenChainId } from "../../chainId.ts";
import { joinPath } from "../../files/fileReader.ts";
import { walkFolders } from "../../files/walk.ts";
import { recordedAddress, recordedHash, type RecordedDeployment } from "../deployment.ts";
import { filesEnding, type FolderReader } from "../../files/folderReader.ts";
import { readJson } from "../../json/dataFile.ts";
import { asItems, asRecord, asText, field, fieldAt } from "../../json/looseData.ts";
import { apeConfig } from "./apeConfig.ts";

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
 * address or a chain id), and the `deployments` folder of exported instances; and what its configuration says is deployed.
 */
export async function apeDeployments(files: FolderReader, root: string): Promise<RecordedDeployment[]> {
  const found: RecordedDeployment[] = [];
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
  for (const deployment of await configuredDeployments(files, root)) found.push(deployment);
  return found;
}

/** `deployments` of the configuration, by ecosystem and network (ApeWorX/ape, src/ape/api/config.py). */
async function configuredDeployments(files: FolderReader, root: string): Promise<RecordedDeployment[]> {
  const { path, config } = (await apeConfig(files, root)) ?? {};
  const deployments = asRecord(field(config, "deployments"));
  if (path === undefined || !deployments) return [];
  const own = customChains(config);
  return Object.entries(deployments).flatMap(([ecosystem, networks]) =>
    Object.entries(asRecord(networks) ?? {}).flatMap(([network, contracts]) => {
      const chain = `${ecosystem}/${network}`;
      // At a blueprint there is the code of a creation (ERC-5202), which is no contract's.
      const made = asItems(contracts).filter((one) => field(one, "blueprint") !== true);
      return apeContracts(own.get(chain) ?? chain, made, path);
    }),
  );
}

/** The chain ids of the networks that a configuration adds, by `ecosystem/network`. */
function customChains(config: unknown): ReadonlyMap<string, string> {
  return new Map(
    asItems(fieldAt(config, "networks", "custom")).flatMap((one) => {
      const [name, chainId] = [asText(field(one, "name")), writtenChainId(field(one, "chain_id"))];
      const ecosystem = asText(field(one, "ecosystem")) ?? "ethereum";
      return name === undefined || chainId === undefined ? [] : [[`${ecosystem}/${name}`, chainId] as const];
    }),
  );
}

function apeContracts(chain: string, contracts: unknown, record: string): RecordedDeployment[] {
  const chainId = writtenChainId(chain) ?? APE_NETWORKS.get(chain) ?? chainOfUri(chain);
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
