import { writtenChainId } from "../../chainId.ts";
import { t } from "@vscode/l10n";
import { joinPath, lastSegment } from "../../files/fileReader.ts";
import { noteSkipped } from "../../files/skippedFiles.ts";
import { walkFolders } from "../../files/walk.ts";
import { LARGEST_ARTIFACT_BYTES, readJson, readText } from "../../json/dataFile.ts";
import { isFailed, recordedAddress, recordedHash, type RecordedDeployment } from "../deployment.ts";
import { filesEnding, type FolderReader } from "../../files/folderReader.ts";
import { asItems, asRecord, asText, field, fieldAt, parseJson } from "../../json/looseData.ts";

/**
 * What Hardhat Ignition deployed: the journal, the addresses and the artifacts in `ignition/deployments/<id>`
 * (NomicFoundation/hardhat, packages/ignition-core/src/internal).
 */
export async function ignitionDeployments(
  files: FolderReader,
  ignition: string,
): Promise<RecordedDeployment[]> {
  const found: RecordedDeployment[] = [];
  const folder = joinPath(ignition, "deployments");
  for (const { path: deployment } of (await walkFolders(files, folder, { deepest: 1 })).slice(1)) {
    const id = lastSegment(deployment);
    const record = joinPath(deployment, "deployed_addresses.json");
    const journalPath = joinPath(deployment, "journal.jsonl");
    const journal = await readJournal(files, journalPath);
    const chainId = journal.chainId ?? writtenChainId(/^chain-(\d+)$/.exec(id)?.[1]);
    if (chainId === undefined) continue;
    const when = await files.modified?.(journalPath);
    // A deployment that stopped half-way may have its addresses in the journal alone.
    const addresses = new Map<string, unknown>([
      ...[...journal.futures].map(([future, { address }]) => [future, address] as const),
      ...Object.entries(asRecord(await readJson(files, record)) ?? {}),
    ]);
    const isUnderWay = [...journal.futures].some(
      ([id, { isBegun, isOver }]) => isBegun && !isOver && recordedAddress(addresses.get(id)) === undefined,
    );
    for (const [future, value] of addresses) {
      const address = recordedAddress(value);
      const entry = journal.futures.get(future);
      // A contract that was there before was not deployed here.
      if (address === undefined || entry?.isForeign) continue;
      if (!isFutureId(future)) {
        noteSkipped(files, record, t`names a deployment as Hardhat Ignition does not`);
        continue;
      }
      const artifact = await readJson(files, joinPath(deployment, `artifacts/${future}.json`));
      const name = asText(field(artifact, "contractName")) ?? entry?.contractName ?? future.split("#").at(-1);
      const source = asText(field(artifact, "sourceName"));
      if (name === undefined) continue;
      found.push({
        chainId,
        address,
        contract: source === undefined ? name : `${source}:${name}`,
        ...(entry?.hash !== undefined && { creationTransactionHash: entry.hash }),
        recordedBy: "hardhat-ignition",
        record,
        alsoIn: journalPath,
        ...(when !== undefined && { when }),
        ...(isUnderWay && { awaits: "others" as const }),
        ...(entry?.constructorArguments && { constructorArguments: entry.constructorArguments }),
      });
    }
  }
  return found;
}

/**
 * Whether a name can be a file's in the folder of the artifacts. Ignition makes its ids so that they are names of files on every
 * system: `Module#Contract`, or `Module#id` (packages/ignition-core/src/internal/utils, future-id-builders.ts).
 */
function isFutureId(id: string): boolean {
  return !/[/\\]|\.\./.test(id);
}

interface JournalFuture {
  contractName?: string | undefined;
  address?: string | undefined;
  hash?: string | undefined;
  isForeign?: boolean;
  /** Whether its deployment began, and whether that came to an end. */
  isBegun?: boolean;
  isOver?: boolean;
  constructorArguments?: readonly unknown[] | undefined;
}

/** The journal has one JSON message a line; the last transaction of a future is the one that went through. */
async function readJournal(
  files: FolderReader,
  path: string,
): Promise<{ chainId: string | undefined; futures: Map<string, JournalFuture> }> {
  const futures = new Map<string, JournalFuture>();
  const of = (id: string) => {
    const known = futures.get(id) ?? {};
    futures.set(id, known);
    return known;
  };
  let chainId: string | undefined;
  const text = await readText(files, path, LARGEST_ARTIFACT_BYTES);
  for (const line of text?.split("\n") ?? []) {
    const message = parseJson(line);
    if (message === undefined && line.trim() !== "")
      noteSkipped(files, path, t`has lines that are not valid JSON`);
    const id = asText(field(message, "futureId")) ?? "";
    switch (field(message, "type")) {
      case "DEPLOYMENT_INITIALIZE":
        chainId = writtenChainId(field(message, "chainId"));
        break;
      case "DEPLOYMENT_EXECUTION_STATE_INITIALIZE": {
        const future = of(id);
        future.isBegun = true;
        future.contractName = asText(field(message, "contractName"));
        const args = field(message, "constructorArgs");
        future.constructorArguments = Array.isArray(args) ? args.map(withBigints) : undefined;
        break;
      }
      case "CONTRACT_AT_EXECUTION_STATE_INITIALIZE":
        of(id).isForeign = true;
        break;
      case "TRANSACTION_SEND":
      case "TRANSACTION_CONFIRM": {
        const hash = recordedHash(fieldAt(message, "transaction", "hash") ?? field(message, "hash"));
        if (hash !== undefined) of(id).hash = hash;
        break;
      }
      case "DEPLOYMENT_EXECUTION_STATE_COMPLETE":
        of(id).isOver = true;
        of(id).address = recordedAddress(fieldAt(message, "result", "address"));
        break;
      case "WIPE_APPLY":
        futures.delete(id);
        break;
    }
  }
  return { chainId, futures };
}

/** Ignition writes a large number as `{"_kind": "bigint", "value": "3"}`. */
function withBigints(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBigints);
  const record = asRecord(value);
  if (!record) return value;
  const digits = asText(record["value"]);
  if (record["_kind"] === "bigint" && digits !== undefined) return digits;
  return Object.fromEntries(Object.entries(record).map(([name, inner]) => [name, withBigints(inner)]));
}

/**
 * What hardhat-deploy deployed: `deployments/<network>/<Name>.json` beside `.chainId` (wighawag/hardhat-deploy).
 * A proxy is recorded three times; `<Name>_Proxy` and `<Name>_Implementation` are the contracts that there are, of which the
 * first is no `<Name>`. Names of files are those of deployments, which records of version 2 name beside the contract's.
 */
export async function hardhatDeployDeployments(
  files: FolderReader,
  deployments: string,
): Promise<RecordedDeployment[]> {
  const found: RecordedDeployment[] = [];
  for (const { path: folder } of (await walkFolders(files, deployments, { deepest: 1 })).slice(1)) {
    const written = await readText(files, joinPath(folder, ".chainId"));
    const chainFile = await readJson(files, joinPath(folder, ".chain"));
    const chainId =
      (written ? writtenChainId(written.trim()) : undefined) ?? writtenChainId(field(chainFile, "chainId"));
    if (chainId === undefined) continue;
    const names = new Set(await filesEnding(files, folder, ".json"));
    for (const name of names) {
      const stem = name.slice(0, -".json".length);
      if (names.has(`${stem}_Proxy.json`) || names.has(`${stem}_DiamondProxy.json`)) continue;
      const record = joinPath(folder, name);
      const json = await readJson(files, record);
      const address = recordedAddress(field(json, "address"));
      if (address === undefined || isFailed(field(json, "receipt"))) continue;
      const metadata = parseJson(asText(field(json, "metadata")) ?? "");
      const [target] = Object.entries(asRecord(fieldAt(metadata, "settings", "compilationTarget")) ?? {});
      const hash =
        recordedHash(field(json, "transactionHash")) ??
        recordedHash(fieldAt(json, "receipt", "transactionHash")) ??
        recordedHash(fieldAt(json, "transaction", "hash"));
      const args = asItems(field(json, "args"));
      const when = await files.modified?.(record);
      const contract =
        target && typeof target[1] === "string"
          ? `${target[0]}:${target[1]}`
          : (asText(field(json, "contractName")) ?? stem.replace(/_Implementation$/, ""));
      found.push({
        chainId,
        address,
        contract,
        ...(hash !== undefined && { creationTransactionHash: hash }),
        recordedBy: "hardhat-deploy",
        record,
        ...(when !== undefined && { when }),
        ...(args.length > 0 && { constructorArguments: args }),
      });
    }
  }
  return found;
}
