import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkInputInPieces } from "../src/core/compilerInput/inputChecks.ts";
import { rememberedDisk } from "../test/rig/rememberedDisk.ts";
import { systemClock } from "../src/core/concurrency/clock.ts";
import { JsonClient } from "../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../test/rig/directNetwork.ts";
import { actionRow } from "../src/core/ledger/actions/actionRows.ts";
import {
  buildActionTree,
  childrenOf,
  failingPath,
  type ActionTree,
} from "../src/core/ledger/actions/actionTree.ts";
import type { ContractAction } from "../src/core/ledger/actions/contractAction.ts";
import { frozenInPieces } from "../src/core/json/deepFrozen.ts";
import { jsonInPieces } from "../src/core/json/jsonPieces.ts";
import { atOnce, inTurns } from "../src/core/concurrency/turns.ts";
import { JobAttachments } from "../src/core/jobs/jobAttachments.ts";
import { JobStore } from "../src/core/jobs/jobStore.ts";
import { SubmissionReview } from "../src/core/jobs/submissionReview.ts";
import { storedFiles, storedInput } from "../src/core/jobs/storedJob.ts";
import { VerificationJobs } from "../src/core/jobs/verificationJobs.ts";
import { verificationRows } from "../src/core/jobs/verificationRows.ts";
import { VerificationService } from "../src/core/service/verificationService.ts";
import { outlineInPieces, placedContractsInPieces } from "../src/core/workspace/contracts.ts";
import { WorkspaceIndex } from "../src/core/workspace/workspaceIndex.ts";
import { JobFiles } from "../src/editor/verification/jobFiles.ts";
import { DrawnRows, type RowNode } from "../src/editor/ui/drawnRows.ts";
import { longestBlock } from "../test/rig/longestBlock.ts";
import { startServer } from "../test/rig/loopback/httpServer.ts";
import { largeInput } from "../test/unit/jobs/largeInput.ts";

const DEPLOYMENT = { chainId: "1", address: "0x5FbDB2315678afecb367f032d93F642f64180aa3" };
const SERVICE = "https://service.example";

/** How long large work blocks the event loop of the editor's extension host at most. */
export async function benchLoad(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "ledger-lens-bench-"));
  for (const files of [1, 250, 5_000, 100_000]) await benchInput(join(folder, String(files)), files);
  await benchVerifications(join(folder, "verifications"));
  await benchActions();
  await benchLongSource(folder);
  await benchChangedFiles(folder);
  await rm(folder, { recursive: true, force: true });
}

async function benchInput(folder: string, files: number): Promise<void> {
  const input = largeInput({ files, megabytes: 25 });
  const megabytes = Buffer.byteLength(await inTurns(jsonInPieces(input.stdJsonInput))) / 1e6;
  const name = `${megabytes.toFixed(1)} MB in ${files.toLocaleString("en-US")} ${files === 1 ? "file" : "files"}`;
  await print(`${name}: frozen`, () => inTurns(frozenInPieces(input.stdJsonInput)));
  await print(`${name}: checks and secrets`, () => inTurns(checkInputInPieces(input)));
  let review: SubmissionReview | undefined;
  await print(`${name}: review and request`, async () => {
    review = await inTurns(SubmissionReview.inPieces(SERVICE, DEPLOYMENT, input));
  });
  const shown = review;
  await print(`${name}: compared with what was shown`, () =>
    shown ? inTurns(shown.changesInPieces(shown)) : Promise.resolve(),
  );
  const attachments = new JobAttachments(new JobFiles({ fsPath: folder }));
  await print(`${name}: kept beside the job`, () =>
    attachments.write("1", "input", input.stdJsonInput, () => []),
  );
  await print(`${name}: read again for a retry`, () => attachments.read("1", "input", storedInput));
  await attachments.write("1", "files", input.files, () => []);
  await print(`${name}: where the files are read again`, () => attachments.read("1", "files", storedFiles));
}

/** Fifty at once, from the agreement to the answer of the service, with the view drawn at every change. */
async function benchVerifications(folder: string): Promise<void> {
  const server = await startServer((request, response) => {
    response.setHeader("content-type", "application/json");
    // The last digits of an address are those of the id of its job.
    const digits = request.url?.slice(-12) ?? "";
    const verificationId = `11111111-2222-4333-8444-${digits}`;
    if (request.method === "POST") {
      request.resume();
      response.writeHead(202).end(JSON.stringify({ verificationId }));
    } else if (request.url?.includes("/v2/verify/")) {
      const contract = { ...DEPLOYMENT, match: "exact_match", address: `0x${digits.padStart(40, "0")}` };
      response.end(JSON.stringify({ isJobCompleted: true, verificationId, contract }));
    } else {
      response.writeHead(404).end(JSON.stringify({ match: null }));
    }
  });
  const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "bench/1" });
  let ids = 0;
  const store = new JobStore(new JobFiles({ fsPath: folder }));
  const jobs = new VerificationJobs({
    store,
    service: (url = server.url) => new VerificationService(client, url),
    clock: systemClock,
    random: Math.random,
    newId: () => `job-${++ids}`,
  });
  await store.load();
  const input = largeInput({ files: 20, megabytes: 0.2 });
  const verify = async (at: number) => {
    const deployment = { ...DEPLOYMENT, address: `0x${(at + 1).toString(16).padStart(40, "0")}` };
    const review = await inTurns(SubmissionReview.inPieces(server.url, deployment, input));
    const { id } = await jobs.submit(review.agreed());
    await jobs.check(id);
  };
  await print("1 verification, for which the HTTP client is loaded", () => verify(0));
  await print("50 verifications at once", () =>
    Promise.all(Array.from({ length: 50 }, (_, at) => verify(at + 1))),
  );
  await print("50 verifications: rows of the view", () =>
    Promise.resolve(
      verificationRows({
        records: store.all(),
        deployments: [],
        stateOf: () => undefined,
        isWaitedFor: () => false,
        now: Date.now(),
      }),
    ),
  );
  await client.dispose();
  await server.stop();
}

async function benchActions(): Promise<void> {
  for (const [name, depthOf] of [
    ["nested", (at: number) => at % 9],
    ["in one list", (at: number) => Math.min(at, 1)],
    ["each below the one before", (at: number) => at],
  ] as const) {
    const actions = Array.from({ length: 10_000 }, (_, at) => action(at, depthOf(at)));
    let tree = buildActionTree([]);
    await print(`10,000 actions ${name}: tree`, () => {
      tree = buildActionTree(actions);
      return Promise.resolve();
    });
    await print(`10,000 actions ${name}: every row drawn`, () => drawAll(tree));
  }
}

function action(at: number, depth: number): ContractAction {
  const address = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;
  return {
    call_depth: depth,
    call_operation_type: "CALL",
    call_type: "CALL",
    from: address(1000 + at),
    gas: 8_000_000 - at,
    gas_used: 100_000 - at,
    index: at,
    input: `0xa9059cbb${at.toString(16).padStart(128, "0")}`,
    result_data: `0x${"1".padStart(64, "0")}`,
    result_data_type: "REVERT_REASON",
    timestamp: "1676540001.234390005",
    to: address(2000 + at),
    value: 0,
  };
}

/** One action, or a group of many that have one parent. */
interface ActionNode extends RowNode {
  readonly positions: readonly number[];
}

/** The view puts so many actions into a group. */
const GROUP_SIZE = 100;

function actionNodes(positions: readonly number[], parent: ActionNode | undefined): ActionNode[] {
  const size = positions.length <= GROUP_SIZE ? 1 : GROUP_SIZE;
  return Array.from({ length: Math.ceil(positions.length / size) }, (_, at) => {
    const part = positions.slice(at * size, (at + 1) * size);
    return { id: `${part[0] ?? ""}+${part.length}`, positions: part, parent };
  });
}

/** As the editor does: it asks for the rows below one, then for how each looks, and for those below it. */
async function drawAll(tree: ActionTree): Promise<void> {
  const drawn = new DrawnRows<ActionNode, unknown>(
    {
      childrenOf: (under) => {
        const [first = 0, ...others] = under?.positions ?? [];
        if (!under) return actionNodes(tree.roots, under);
        return actionNodes(others.length > 0 ? under.positions : childrenOf(tree, first), under);
      },
      draw: ({ positions: [at = 0] }) => ({ item: actionRow(tree, at, undefined, failingPath(tree)) }),
      renew: () => undefined,
    },
    (one, other) => one === other,
  );
  const open: (ActionNode | undefined)[] = [undefined];
  for (const under of open) {
    for (const node of await drawn.children(under)) {
      // The editor asks from another process, a message for each row.
      await new Promise((resolve) => setImmediate(resolve));
      drawn.item(node);
      open.push(node);
    }
  }
  await drawn.changes();
}

async function benchLongSource(folder: string): Promise<void> {
  const input = largeInput({ files: 1, megabytes: 25 });
  const content = Object.values(input.stdJsonInput.sources)[0]?.content ?? "";
  const path = join(folder, "Long.sol");
  await writeFile(path, `contract Long {\n${content}}\n`);
  let bytes: Uint8Array = new Uint8Array();
  await print("25 MB source: read", async () => {
    bytes = (await rememberedDisk.read(path, 64 * 1024 * 1024)) ?? bytes;
  });
  await print("25 MB source: scanned for contracts", () => inTurns(outlineInPieces(path, bytes)));
}

/** The contracts of the workspace, and those of the open file for its lenses, with every file changed while typing. */
async function benchChangedFiles(folder: string): Promise<void> {
  const paths = Array.from({ length: 5_000 }, (_, at) => join(folder, `File${at}.sol`));
  const text = `contract A {\n${"  function a() external pure returns (uint256) { return 1; }\n".repeat(40)}}\n`;
  for (const path of paths) await writeFile(path, text);
  const index = new WorkspaceIndex({
    files: rememberedDisk,
    finder: { find: () => Promise.resolve(paths) },
    folders: () => [folder],
  });
  await print("5,000 files: contracts, first time", () => index.contracts());
  for (const path of paths) await appendFile(path, "contract B {}\n");
  await print("5,000 files changed: told and contracts again", async () => {
    for (const path of paths) index.invalidate(path);
    atOnce(placedContractsInPieces(paths[0] ?? "", text));
    await index.contracts();
  });
  await print("5,000 files changed one by one while typing", async () => {
    for (const path of paths) {
      await new Promise((resolve) => setImmediate(resolve));
      index.invalidate(path);
      atOnce(placedContractsInPieces(paths[0] ?? "", text));
    }
    await index.contracts();
  });
}

async function print(name: string, work: () => Promise<unknown>): Promise<void> {
  const { blockMs, turns } = await longestBlock(work);
  console.log(`${name}: longest block ${blockMs.toFixed(1)} ms, ${turns.toLocaleString("en-US")} turns`);
}
