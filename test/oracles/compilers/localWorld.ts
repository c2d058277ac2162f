import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompilerDownloads } from "../../../src/core/compilers/compilerDownloads.ts";
import type { DeployedContract } from "../../../src/core/compilers/compilerQuestions.ts";
import { CompilerStore } from "../../../src/core/compilers/compilerStore.ts";
import { LocalCompilers } from "../../../src/core/compilers/localCompilers.ts";
import {
  LocalVerifier,
  type LocalVerdict,
  type VerdictWish,
} from "../../../src/core/compilers/localVerifier.ts";
import { officialBuilds } from "../../../src/core/compilers/officialBuilds.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import type { LanguageName, StandardJsonInput } from "../../../src/core/sources/standardJsonInput.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import type { Chain } from "../../sandbox/chain.ts";
import { startCompilerList, type CompilerList, type ListedCompiler } from "../../sandbox/compilerList.ts";
import { answerOf } from "../../sandbox/mismatches/mismatchCase.ts";
import { predictedOf } from "../../sandbox/mismatches/predictedWord.ts";
import { findCreationTransaction } from "../../sandbox/verificationService/creationTransaction.ts";
import { Verifier, type Accepted, type Verdict } from "../../sandbox/verificationService/verifier.ts";

/** A store may hold so much while a test runs. */
const MAX_STORE_BYTES = 300 * 1024 * 1024;

/** What runs compilers on this machine, with a list to fetch them from. */
export interface LocalWorld {
  readonly list: CompilerList;
  readonly store: CompilerStore;
  readonly compilers: LocalCompilers;
  readonly verifier: LocalVerifier;
  stop(): Promise<void>;
}

/**
 * Starts with an empty store: each compiler is fetched from the list when it is first asked for.
 *
 * @param served another list than a whole one; it ends with this world
 */
export async function startLocalWorld(
  compilers: readonly ListedCompiler[],
  maxThreads = 2,
  served?: CompilerList,
): Promise<LocalWorld> {
  const folder = await mkdtemp(join(tmpdir(), "compilers-"));
  const list = served ?? (await startCompilerList({ compilers }));
  const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
  const store = new CompilerStore(join(folder, "store"), MAX_STORE_BYTES);
  const local = new LocalCompilers({
    store,
    downloads: new CompilerDownloads(client, store, () => list.listUrl),
    buildOf: (longVersion) => officialBuilds.get(longVersion),
    placesOf: () => [],
    maxThreads,
  });
  return {
    list,
    store,
    compilers: local,
    verifier: new LocalVerifier(local),
    async stop() {
      local.dispose();
      await client.dispose();
      await list.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** A submission, and what the service's engine said of it. */
export interface Judged {
  readonly accepted: Accepted;
  readonly verdict: Verdict;
}

/** The service's engine, which keeps what it was asked and what it said. */
export class RecordingVerifier extends Verifier {
  readonly judged: Judged[] = [];

  override async verify(accepted: Accepted): Promise<Verdict> {
    // The engine changes what it is given.
    const asGiven = structuredClone(accepted);
    const verdict = await super.verify(accepted);
    this.judged.push({ accepted: asGiven, verdict });
    return verdict;
  }
}

/** How the two verdicts of a submission compare. */
export type Comparison =
  | { readonly kind: "equal"; readonly word: string }
  | { readonly kind: "different"; readonly line: string }
  /** It was not compared here, for a reason that is said before anything is compiled. */
  | { readonly kind: "unknown"; readonly reason: string };

/** Asks for a verdict here, and compares it with the service's. */
export async function compared(
  { verifier }: LocalWorld,
  { accepted, verdict }: Judged,
  chain: Chain,
  wish: VerdictWish = { mayDownload: () => Promise.resolve(true) },
): Promise<Comparison> {
  const deployed = await deployedOf(accepted, chain);
  if (deployed.runtimeCode === "0x") return { kind: "unknown", reason: "no code at the address" };
  const { compilerVersion, contractIdentifier } = accepted;
  let local: LocalVerdict | undefined;
  try {
    const stdJsonInput = {
      ...accepted.stdJsonInput,
      language: accepted.stdJsonInput.language as LanguageName,
    } as StandardJsonInput;
    local = await verifier.verify({ compilerVersion, contractIdentifier, stdJsonInput }, deployed, wish);
  } catch (error) {
    if (error instanceof LedgerLensError && ["compiler_unknown", "not_compiled_here"].includes(error.code))
      return { kind: "unknown", reason: `${error.code}, service ${answerOf(verdict)}` };
    return { kind: "different", line: `service ${answerOf(verdict)}, here: ${String(error)}` };
  }
  if (!local) return { kind: "unknown", reason: `no compiler of the language, service ${answerOf(verdict)}` };
  const here = [
    local.verdict,
    local.engine.runtimeMatch,
    local.engine.creationMatch,
    local.engine.error?.code,
  ].join(" / ");
  const there = [
    predictedOf(answerOf(verdict)),
    verdict.runtimeMatch,
    verdict.creationMatch,
    verdict.error?.customCode,
  ].join(" / ");
  return here === there
    ? { kind: "equal", word: here }
    : { kind: "different", line: `${contractIdentifier}: service ${there}, here ${here}` };
}

/** The code as the chain has it, and what created it as the transaction says. */
async function deployedOf(
  { chainId, address, creationTransactionHash }: Accepted,
  { rpc }: Chain,
): Promise<DeployedContract> {
  const runtimeCode = await rpc<string>("eth_getCode", address, "latest");
  const hash = creationTransactionHash ?? (await findCreationTransaction(rpc, address));
  const made = hash === undefined ? undefined : await transaction(rpc, hash);
  const isCreation = made?.receipt.contractAddress?.toLowerCase() === address.toLowerCase();
  return { chainId, address, runtimeCode, ...(made && isCreation && { creationCode: made.input }) };
}

async function transaction(rpc: Chain["rpc"], hash: string) {
  const [sent, receipt] = await Promise.all([
    rpc<{ readonly input: string } | null>("eth_getTransactionByHash", hash),
    rpc<{ readonly contractAddress: string | null } | null>("eth_getTransactionReceipt", hash),
  ]);
  return sent && receipt ? { input: sent.input, receipt } : undefined;
}
