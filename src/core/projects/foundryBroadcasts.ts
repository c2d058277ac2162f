import { joinPath } from "../files.ts";
import { recordedAddress, recordedChainId, recordedHash, type Deployment } from "./deployment.ts";
import { foldersIn, filesEnding, type FolderReader } from "./folderReader.ts";
import { asItems, asText, field, readJson } from "./looseData.ts";

/**
 * What Foundry's scripts deployed: `broadcast/<Script>/<chain id>/run-latest.json` (foundry-rs/foundry,
 * crates/script/src/sequence.rs). Runs that were simulated only, in `dry-run`, deployed nothing.
 */
export async function foundryDeployments(files: FolderReader, broadcast: string): Promise<Deployment[]> {
  const found: Deployment[] = [];
  for (const script of await foldersIn(files, broadcast)) {
    for (const chain of await foldersIn(files, joinPath(broadcast, script))) {
      const folder = joinPath(broadcast, `${script}/${chain}`);
      // run-latest.json repeats one of the runs that carry a time.
      for (const name of await filesEnding(files, folder, ".json")) {
        if (!/^run-(?:latest|\d+)\.json$/.test(name) && !name.endsWith("-latest.json")) continue;
        found.push(
          ...deploymentsOf(await readJson(files, joinPath(folder, name)), joinPath(folder, name), chain),
        );
      }
    }
  }
  return found;
}

function deploymentsOf(run: unknown, record: string, folder: string): Deployment[] {
  const chainId = recordedChainId(field(run, "chain")) ?? recordedChainId(folder);
  if (chainId === undefined) return [];
  const timestamp = field(run, "timestamp");
  // Seconds in old runs, milliseconds in new ones.
  const when = typeof timestamp === "number" ? (timestamp < 1e11 ? timestamp * 1000 : timestamp) : undefined;
  return asItems(field(run, "transactions")).flatMap((transaction) => {
    const hash = recordedHash(field(transaction, "hash"));
    const common = {
      chainId,
      ...(hash !== undefined && { creationTransactionHash: hash }),
      recordedBy: "foundry" as const,
      record,
      ...(when !== undefined && { when }),
    };
    const address = recordedAddress(field(transaction, "contractAddress"));
    const contract = asText(field(transaction, "contractName"));
    const type = asText(field(transaction, "transactionType"));
    const args = field(transaction, "arguments");
    const own =
      address !== undefined && contract !== undefined && (type === "CREATE" || type === "CREATE2")
        ? [
            {
              ...common,
              address,
              contract,
              ...(Array.isArray(args) && { constructorArguments: args as unknown[] }),
            },
          ]
        : [];
    // What a transaction created besides, by a factory, is recorded by address and at best by name.
    const additional = asItems(field(transaction, "additionalContracts")).flatMap((created) => {
      const at = recordedAddress(field(created, "address"));
      const name = asText(field(created, "contractName"));
      return at !== undefined && name !== undefined ? [{ ...common, address: at, contract: name }] : [];
    });
    return [...own, ...additional];
  });
}
