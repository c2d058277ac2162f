import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parseExactJson } from "../src/core/json/exactJson.ts";
import { buildActionTree } from "../src/core/ledger/actions/actionTree.ts";
import type { ContractAction } from "../src/core/ledger/actions/contractAction.ts";
import { actionRow } from "../src/core/ledger/actions/actionRows.ts";
import { transactionRow } from "../src/core/ledger/transactions/transactionRow.ts";
import { LedgerService } from "../src/core/ledger/ledgerService.ts";
import { JsonClient } from "../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../test/rig/directNetwork.ts";
import { networkAt } from "../src/core/ledger/references/network.ts";
import { startServer } from "../test/rig/loopback/httpServer.ts";
import { fastestInTurns, printRatio } from "./ratio.ts";

const ACTIONS = 10_000;
const PAGE = 100;

/** An action of a deep and wide transaction, with input and result as long as those of a token transfer. */
function actionText(at: number, value: string): string {
  const address = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;
  return JSON.stringify({
    call_depth: at % 9,
    call_operation_type: "CALL",
    call_type: "CALL",
    caller: `0.0.${1000 + at}`,
    caller_type: "CONTRACT",
    from: address(1000 + at),
    gas: 8_000_000 - at,
    gas_used: 100_000 - at,
    index: at,
    input: `0xa9059cbb${at.toString(16).padStart(128, "0")}`,
    recipient: `0.0.${2000 + at}`,
    recipient_type: "CONTRACT",
    result_data: `0x${"1".padStart(64, "0")}`,
    result_data_type: at % 9 === 8 ? "REVERT_REASON" : "OUTPUT",
    timestamp: "1676540001.234390005",
    to: address(2000 + at),
    value: 0,
  }).replace('"value":0', `"value":${value}`);
}

/** The bodies of all pages. */
function pagesOf(count: number, limit: number, value: string): Buffer[] {
  return Array.from({ length: count / limit }, (_, page) => {
    const actions = Array.from({ length: limit }, (_empty, at) => actionText(page * limit + at, value));
    const isLast = (page + 1) * limit >= count;
    const next = isLast
      ? null
      : `/api/v1/contracts/results/0.0.5-1-000000002/actions?limit=${limit}&index=gt:${(page + 1) * limit - 1}`;
    return Buffer.from(`{"actions":[${actions.join(",")}],"links":{"next":${JSON.stringify(next)}}}`);
  });
}

function treeOf(pages: readonly Buffer[]) {
  const actions = pages.flatMap(
    (bytes) => (parseExactJson(bytes.toString("utf8")) as { actions: ContractAction[] }).actions,
  );
  return buildActionTree(actions);
}

/** From the bytes of 10,000 contract actions to their tree against `JSON.parse` of the same bytes. */
export async function benchLedger(): Promise<void> {
  for (const [name, limit, value] of [
    ["in one body", ACTIONS, "0"],
    ["in 100 pages", PAGE, "0"],
    ["in 100 pages, every value beyond 2^53", PAGE, "9223372036854775807"],
  ] as const) {
    const pages = pagesOf(ACTIONS, limit, value);
    const [ours = 0, plain = 1] = await fastestInTurns(
      [
        () => Promise.resolve(treeOf(pages)),
        () => Promise.resolve(pages.map((bytes) => JSON.parse(bytes.toString("utf8")) as unknown)),
      ],
      15,
    );
    printRatio(`10,000 contract actions ${name}, bytes to tree`, ours, plain, "JSON.parse");
  }
  await benchFirstRows();
}

/** Megabytes of live objects. */
function liveHeap(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/**
 * Through the real client: how many pages were asked for when the first rows could be drawn, and how much memory all of
 * them take, the texts of the bodies and the tree included.
 */
async function benchFirstRows(): Promise<void> {
  const pages = pagesOf(ACTIONS, PAGE, "0");
  const server = await startServer((request, response) => {
    const after = Number(/index=gt:(\d+)/.exec(request.url ?? "")?.[1] ?? -1);
    response.writeHead(200, { "content-type": "application/json" }).end(pages[(after + 1) / PAGE]);
  });
  const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "bench/1" });
  const network = networkAt(server.url);
  const service = new LedgerService({ client, network: () => network });
  const before = liveHeap();
  const started = performance.now();
  const actions = await service.actions("0.0.5@1.2");
  const { tree, canonical, complete } = actions;
  const head = transactionRow({ networkId: network.id, networkName: network.name, canonical }, tree, {
    complete,
  });
  const rows = [head, ...tree.roots.map((at) => actionRow(tree, at, undefined))];
  const [first, asked] = [performance.now() - started, server.asked.length];
  await actions.pages.loadAll();
  const all = performance.now() - started;
  const loaded = actions.tree.actions.length.toLocaleString("en-US");
  console.log(`heap of ${loaded} contract actions, bodies and tree: ${(liveHeap() - before).toFixed(1)} MB`);
  console.log(
    `first ${rows.length} rows of 10,000 contract actions: after ${asked} of ${server.asked.length} pages (${first.toFixed(1)} ms against ${all.toFixed(1)} ms for all)`,
  );
  await client.dispose();
  await server.stop();
}
