import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { bundleEditorTests } from "../test/rig/editorTestBundle.ts";
import { runInExtensionHost } from "../test/rig/extensionHostTests.ts";
import { startServer, type LoopbackServer } from "../test/rig/loopback/httpServer.ts";
import { repositoryRoot } from "../test/rig/paths.ts";
import { changeSources, writeLargeProject } from "./host/largeProject.ts";

const SOURCES = 100_000;
const ACTIONS = 10_000;
const CHAIN_ID = "31337";
const DEADLINE_MS = 1_800_000;

/**
 * How long our work blocks the event loop of the real extension host at most. Servers run outside of it, and so does
 * what changes files.
 *
 * @param explains says what was called in the longest blocks, with the names of the sources
 */
export async function benchHostLoad({ explains }: { readonly explains: boolean }): Promise<void> {
  const production = explains ? [] : ["--production"];
  await promisify(execFile)(process.execPath, [`${repositoryRoot}/esbuild.mjs`, ...production]);
  const tests = await bundleEditorTests(["bench/host/load.ts"]);
  const folder = await mkdtemp(join(tmpdir(), "ledger-lens-bench-"));
  await writeLargeProject(folder, SOURCES);
  const server = await startServices(folder);
  const { url } = server;
  const world = { chainId: CHAIN_ID, rpcUrl: `${url}/rpc`, service: url, ledger: url, statusPage: url };
  try {
    const { lines } = await runInExtensionHost({
      extension: repositoryRoot,
      tests,
      folder,
      deadlineMs: DEADLINE_MS,
      env: {
        LEDGER_LENS_TEST_WORLD: JSON.stringify(world),
        ...(explains && { LEDGER_LENS_EXPLAIN_BLOCKS: "1" }),
      },
    });
    console.log(["in the real extension host:", ...lines].join("\n"));
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A service that finds every job an exact match, a ledger of one transaction, and a chain without code. It changes
 * files where the suite asks for it, which is not the extension host's work.
 */
function startServices(folder: string): Promise<LoopbackServer> {
  let jobs = 0;
  let sentActions = 0;
  const addresses = new Map<string, string>();
  return startServer((request, response) => {
    const path = request.url ?? "";
    const say = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    request.resume();
    if (path.startsWith("/rpc")) {
      say(200, { jsonrpc: "2.0", id: 1, result: "0x" });
    } else if (path.startsWith("/change")) {
      const { from, count } = Object.fromEntries(new URL(path, "http://files.test").searchParams);
      void changeSources(folder, Number(from), Number(count)).then(() => say(200, {}));
    } else if (path === "/sent-actions") {
      say(200, sentActions);
    } else if (path.includes("/actions")) {
      const { actions, links } = pageOfActions(new URL(path, "http://ledger.test").searchParams);
      sentActions += actions.length;
      say(200, { actions, links });
    } else if (request.method === "POST") {
      const verificationId = `11111111-2222-4333-8444-${String(++jobs).padStart(12, "0")}`;
      addresses.set(verificationId, /0x[0-9a-fA-F]{40}/.exec(path)?.[0] ?? "");
      request.on("end", () => say(202, { verificationId }));
    } else if (path.startsWith("/v2/verify/")) {
      const verificationId = path.slice(path.lastIndexOf("/") + 1);
      const address = addresses.get(verificationId);
      const contract = { match: "exact_match", runtimeMatch: "exact_match", chainId: CHAIN_ID, address };
      say(200, { isJobCompleted: true, verificationId, contract });
    } else {
      say(404, { match: null });
    }
  });
}

function pageOfActions(asked: URLSearchParams) {
  // As many as the ledger gives at most.
  const limit = Math.min(Number(asked.get("limit") ?? 100), 100);
  const from = Number(/\d+$/.exec(asked.get("index") ?? "")?.[0] ?? -1) + 1;
  const until = Math.min(from + limit, ACTIONS);
  const address = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;
  const actions = Array.from({ length: until - from }, (_, at) => ({
    call_depth: (from + at) % 9,
    call_operation_type: "CALL",
    call_type: "CALL",
    caller: `0.0.${1000 + from + at}`,
    caller_type: "CONTRACT",
    from: address(1000 + from + at),
    gas: 8_000_000,
    gas_used: 100_000,
    index: from + at,
    input: `0xa9059cbb${"0".repeat(128)}`,
    recipient: `0.0.${2000 + from + at}`,
    recipient_type: "CONTRACT",
    result_data: `0x${"1".padStart(64, "0")}`,
    result_data_type: "OUTPUT",
    timestamp: "1676540001.234390005",
    to: address(2000 + from + at),
    value: 0,
  }));
  const next = `/api/v1/contracts/results/0x${"7a".repeat(32)}/actions?limit=${limit}&index=gt:${until - 1}`;
  return { actions, links: { next: until < ACTIONS ? next : null } };
}
