import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SampleDeployment } from "./sampleWorkspace.ts";

/**
 * Makes the workspace one of Foundry's, configured as the sample is compiled for its deployments, with the record that
 * `forge script --broadcast` leaves of deployments.
 */
export async function recordBroadcast(
  folder: string,
  chainId: string,
  deployments: readonly SampleDeployment[],
): Promise<void> {
  const configuration = [
    "[profile.default]",
    'src = "contracts"',
    'libs = ["node_modules"]',
    'solc = "0.8.37"',
    'evm_version = "osaka"',
    "auto_detect_remappings = false",
  ];
  await writeFile(join(folder, "foundry.toml"), `${configuration.join("\n")}\n`);
  const run = join(folder, "broadcast", "Deploy.s.sol", chainId);
  await mkdir(run, { recursive: true });
  const record = {
    transactions: deployments.map(({ contract, address, transactionHash }) => ({
      hash: transactionHash,
      transactionType: "CREATE",
      contractName: contract.slice(contract.lastIndexOf(":") + 1),
      contractAddress: address,
      arguments: [],
    })),
    receipts: [],
    chain: Number(chainId),
    timestamp: Math.floor(Date.now() / 1000),
  };
  await writeFile(join(run, "run-latest.json"), JSON.stringify(record));
}

/** Takes back {@link recordBroadcast}. */
export async function removeBroadcast(folder: string): Promise<void> {
  await rm(join(folder, "broadcast"), { recursive: true });
  await rm(join(folder, "foundry.toml"));
}
