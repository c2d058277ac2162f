import { writtenChainId } from "../../chainId.ts";
import { t } from "@vscode/l10n";
import { inTurns } from "../../concurrency/turns.ts";
import { joinPath } from "../../files/fileReader.ts";
import type { FolderReader } from "../../files/folderReader.ts";
import { noteSkipped } from "../../files/skippedFiles.ts";
import { LARGEST_ARTIFACT_BYTES, readBytes } from "../../json/dataFile.ts";
import { asItems, asText, field, parseJson } from "../../json/looseData.ts";
import { ownValue } from "../../json/ownValue.ts";
import { isFailed, recordedAddress, recordedHash, type RecordedDeployment } from "../deployment.ts";
import { readMoccasinConfig } from "./moccasinConfig.ts";
import { eachSqliteRow, isSqlite, type SqliteRow } from "./sqliteTable.ts";

/**
 * What moccasin deployed: the table `deployments` of its SQLite database (vyperlang/titanoboa,
 * boa/deployments.py), whose columns hold JSON.
 */
export async function moccasinDeployments(files: FolderReader, root: string): Promise<RecordedDeployment[]> {
  const { database, chainIds } = await readMoccasinConfig(files, root);
  const record = joinPath(root, database);
  const bytes = await readBytes(files, record, LARGEST_ARTIFACT_BYTES);
  if (!bytes) return [];
  if (!isSqlite(bytes)) {
    noteSkipped(files, record, t`is no SQLite database`);
    return [];
  }
  const found: RecordedDeployment[] = [];
  await inTurns(
    eachSqliteRow(bytes, "deployments", (row) => {
      const deployment = deploymentOf(row, chainIds, record);
      if (deployment) found.push(deployment);
    }),
  );
  return found;
}

function deploymentOf(
  row: SqliteRow,
  chainIds: Readonly<Record<string, string>>,
  record: string,
): RecordedDeployment | undefined {
  const receipt = parsed(row["receipt_dict"]);
  if (isFailed(receipt)) return undefined;
  const address = recordedAddress(row["contract_address"]);
  const contract = asText(row["contract_name"]);
  const network = asText(row["network"]) ?? "";
  const chainId =
    writtenChainId(row["chain_id"]) ??
    ownValue(chainIds, network) ??
    writtenChainId(field(parsed(row["tx_dict"]), "chainId"));
  if (address === undefined || contract === undefined || contract === "" || chainId === undefined)
    return undefined;
  const file = asText(row["filename"]);
  const hash = recordedHash(row["tx_hash"]) ?? recordedHash(field(receipt, "transactionHash"));
  const when = Number(row["broadcast_ts"]);
  const args = asItems(parsed(row["constructor_args"]));
  return {
    chainId,
    address,
    contract: file === undefined || file === "" ? contract : `${file}:${contract}`,
    ...(hash !== undefined && { creationTransactionHash: hash }),
    recordedBy: "moccasin",
    record,
    ...(Number.isFinite(when) && when > 0 && { when: when * 1000 }),
    ...(args.length > 0 && { constructorArguments: args }),
  };
}

function parsed(value: unknown): unknown {
  return typeof value === "string" ? parseJson(value) : value;
}
