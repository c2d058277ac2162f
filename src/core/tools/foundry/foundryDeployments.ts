import { writtenChainId } from "../../chainId.ts";
import { sortInPieces } from "../../concurrency/sortInPieces.ts";
import {
  eachInPieces,
  findInPieces,
  groupInPieces,
  inTurns,
  mapInPieces,
  type Pieces,
} from "../../concurrency/turns.ts";
import { joinPath, lastSegment } from "../../files/fileReader.ts";
import { isFailed, recordedAddress, recordedHash, type RecordedDeployment } from "../deployment.ts";
import { walkFolders } from "../../files/walk.ts";
import { filesEnding, type FolderReader } from "../../files/folderReader.ts";
import { readJson } from "../../json/dataFile.ts";
import { asItems, asText, field, fieldAt } from "../../json/looseData.ts";

/** The newest runs of a script that are read; a deployment that old is not looked for. */
const MAX_RUNS = 50;
/** So many senders are looked at before a pause may be made: most have a transaction or two. */
const SENDERS_OF_A_PIECE = 64;

/**
 * What Foundry's scripts deployed: `broadcast/<Script>/<chain id>/run-latest.json`, `<function>-latest.json` for
 * another function than `run`, and `broadcast/multi/<Script>-latest/run.json` for a script of several chains
 * (foundry-rs/foundry, crates/script-sequence/src and crates/script/src/multi_sequence.rs). Runs that were
 * simulated only, in `dry-run`, deployed nothing, and neither did a transaction that failed.
 */
export async function foundryDeployments(
  files: FolderReader,
  broadcast: string,
): Promise<RecordedDeployment[]> {
  const found: RecordedDeployment[] = [];
  const folders = await walkFolders(files, broadcast, { deepest: 2 });
  for (const { path } of folders.filter(({ depth }) => depth === 2)) {
    const names = (await filesEnding(files, path, ".json")).filter((name) =>
      /^(?:run|.+-(?:latest|\d+))\.json$/.test(name),
    );
    // `run-latest.json` repeats the last of the runs that carry a time, and stands behind them.
    for (const name of names.slice(-MAX_RUNS)) {
      const record = joinPath(path, name);
      const run = await readJson(files, record);
      const parts = asItems(field(run, "deployments"));
      for (const part of parts.length > 0 ? parts : [run])
        await inTurns(deploymentsOf(part, record, lastSegment(path), (one) => found.push(one)));
    }
  }
  return found;
}

function* deploymentsOf(
  run: unknown,
  record: string,
  folder: string,
  visit: (deployment: RecordedDeployment) => void,
): Pieces<void> {
  const chainId = writtenChainId(field(run, "chain")) ?? writtenChainId(folder);
  if (chainId === undefined) return;
  const timestamp = field(run, "timestamp");
  // Seconds in old runs, milliseconds in new ones.
  const when = typeof timestamp === "number" ? (timestamp < 1e11 ? timestamp * 1000 : timestamp) : undefined;
  const transactions = asItems(field(run, "transactions"));
  const receipts = asItems(field(run, "receipts"));
  const receiptOf = yield* receiptsByTransaction(transactions, receipts);
  const mined = new Set<string | undefined>();
  const created = new Set<string>();
  yield* eachInPieces(receipts, (one) => {
    mined.add(recordedHash(field(one, "transactionHash")));
    const address = recordedAddress(field(one, "contractAddress"))?.toLowerCase();
    if (address !== undefined) created.add(address);
  });
  const pending = new Set(yield* mapInPieces(asItems(field(run, "pending")), recordedHash));
  // forge writes the record before it sends anything, and again as receipts come in.
  const isAwaited = (transaction: unknown) => {
    const noted = recordedHash(field(transaction, "hash"));
    return !receiptOf(transaction) && (noted === undefined || pending.has(noted));
  };
  const isUnderWay =
    (yield* findInPieces(transactions.keys(), (at) => isAwaited(transactions[at]))) !== undefined;
  // Of a transaction that fails forge (1.7) keeps no receipt, and nothing of it is pending any more.
  const isWithoutOutcome = (transaction: unknown) =>
    Array.isArray(field(run, "pending")) &&
    Array.isArray(field(run, "receipts")) &&
    !receiptOf(transaction) &&
    !isAwaited(transaction) &&
    !created.has(recordedAddress(field(transaction, "contractAddress"))?.toLowerCase() ?? "");
  yield* eachInPieces(transactions, (transaction) => {
    const receipt = receiptOf(transaction);
    if (isFailed(receipt) || isWithoutOutcome(transaction)) return;
    const noted = recordedHash(field(transaction, "hash"));
    const hash = receipt
      ? recordedHash(field(receipt, "transactionHash"))
      : mined.has(noted)
        ? undefined
        : noted;
    const common = {
      chainId,
      ...(hash !== undefined && { creationTransactionHash: hash }),
      recordedBy: "foundry" as const,
      record,
      ...(when !== undefined && { when }),
      ...(isUnderWay && { awaits: isAwaited(transaction) ? ("itself" as const) : ("others" as const) }),
    };
    const address = recordedAddress(field(transaction, "contractAddress"));
    const contract = asText(field(transaction, "contractName"));
    const type = asText(field(transaction, "transactionType"));
    const args = field(transaction, "arguments");
    if (address !== undefined && contract !== undefined && (type === "CREATE" || type === "CREATE2"))
      visit({
        ...common,
        address,
        contract,
        ...(Array.isArray(args) && { constructorArguments: args as unknown[] }),
        ...creationCode(fieldAt(transaction, "transaction", "input"), type),
      });
    // What a transaction created besides, by a factory, is recorded by address and at best by name.
    for (const created of asItems(field(transaction, "additionalContracts"))) {
      const at = recordedAddress(field(created, "address"));
      const name = asText(field(created, "contractName"));
      if (at === undefined || name === undefined) continue;
      visit({
        ...common,
        address: at,
        contract: name,
        ...creationCode(field(created, "initCode"), "CREATE"),
      });
    }
  });
}

/** By CREATE2 a deployer is called, with the salt of 32 bytes before the code. */
function creationCode(input: unknown, type: "CREATE" | "CREATE2"): { creationCode?: string } {
  const code = asText(input)?.toLowerCase();
  if (code === undefined || !/^0x(?:[0-9a-f]{2})+$/.test(code)) return {};
  return { creationCode: type === "CREATE" ? code : `0x${code.slice(66)}` };
}

/**
 * The receipt of each transaction. forge (1.7) sends transactions at the same time and may note the hash of one at
 * another, so that a hash alone is not to be trusted: what a sender sent is mined in the order of its nonces.
 *
 * @returns a look-up that gives `undefined` where the run has no receipt that fits.
 */
function* receiptsByTransaction(
  transactions: readonly unknown[],
  receipts: readonly unknown[],
): Pieces<(transaction: unknown) => unknown> {
  const found = new Map<unknown, unknown>();
  const minedBy = yield* groupInPieces(receipts, senderOf);
  const sentBy = yield* groupInPieces(transactions, (one) => senderOf(field(one, "transaction")));
  let seen = 0;
  for (const [sender, all] of sentBy) {
    if (++seen % SENDERS_OF_A_PIECE === 0) yield;
    const sent = yield* sortInPieces(
      all,
      (a, b) => numberAt(a, "transaction", "nonce") - numberAt(b, "transaction", "nonce"),
    );
    const mined = yield* sortInPieces(
      minedBy.get(sender) ?? [],
      (a, b) =>
        numberAt(a, "blockNumber") - numberAt(b, "blockNumber") ||
        numberAt(a, "transactionIndex") - numberAt(b, "transactionIndex"),
    );
    const notedFor = yield* receiptsByHash(mined);
    const isWhole =
      sent.length === mined.length &&
      (yield* findInPieces(sent.keys(), (at) => !agree(sent[at], mined[at]))) === undefined;
    yield* eachInPieces(sent.entries(), ([at, transaction]) => {
      found.set(transaction, isWhole ? mined[at] : notedFor(transaction));
    });
  }
  return (transaction) => found.get(transaction);
}

/** The first receipt with a transaction's hash that can be the transaction's: a record may have thousands of both. */
function* receiptsByHash(mined: readonly unknown[]): Pieces<(transaction: unknown) => unknown> {
  const places = new Map<string, number>();
  const key = (hash: string | undefined, to: unknown, created: string | undefined) =>
    JSON.stringify([hash, asText(to)?.toLowerCase() ?? "", created]);
  yield* eachInPieces(mined.entries(), ([at, receipt]) => {
    const created = asText(field(receipt, "contractAddress"))?.toLowerCase();
    const own = key(recordedHash(field(receipt, "transactionHash")), field(receipt, "to"), created);
    if (!places.has(own)) places.set(own, at);
  });
  return (transaction) => {
    const hash = recordedHash(field(transaction, "hash"));
    if (hash === undefined) return undefined;
    const to = fieldAt(transaction, "transaction", "to");
    const created = asText(field(transaction, "contractAddress"))?.toLowerCase() ?? "";
    const exact = places.get(key(hash, to, created)) ?? mined.length;
    // A receipt may not say what was created.
    const silent = places.get(key(hash, to, undefined)) ?? mined.length;
    return mined[Math.min(exact, silent)];
  };
}

/** True when a receipt can be the transaction's: to the same address, and creating the same contract. */
function agree(transaction: unknown, receipt: unknown): boolean {
  const same = (a: unknown, b: unknown) =>
    (asText(a)?.toLowerCase() ?? "") === (asText(b)?.toLowerCase() ?? "");
  const created = field(receipt, "contractAddress");
  return (
    same(fieldAt(transaction, "transaction", "to"), field(receipt, "to")) &&
    (asText(created) === undefined || same(created, field(transaction, "contractAddress")))
  );
}

function senderOf(value: unknown): string {
  return asText(field(value, "from"))?.toLowerCase() ?? "";
}

function numberAt(value: unknown, ...names: readonly string[]): number {
  const written = fieldAt(value, ...names);
  return typeof written === "string" || typeof written === "number" ? Number(written) : 0;
}
