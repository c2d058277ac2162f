import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EditorTestWorld, VaultMadeOtherwise } from "./editor/world.ts";
import { bundleEditorTests } from "./rig/editorTestBundle.ts";
import { runInExtensionHost } from "./rig/extensionHostTests.ts";
import { startNetworkWorld } from "./rig/loopback/networkWorld.ts";
import { buildExtension } from "./rig/packagedExtension.ts";
import { repositoryRoot } from "./rig/paths.ts";
import { proofSize } from "./rig/proofSize.ts";
import type { TestCounts } from "./rig/testKinds.ts";
import { repositoryCompilers } from "./sandbox/listedCompilers.ts";
import { playLedgerScenes, verifySceneContracts } from "./sandbox/ledger/ledgerScenes.ts";
import {
  createSampleWorkspace,
  createSampleWorkspaceBeforeMove,
  deployFromWorkspace,
  sampleArguments,
} from "./sandbox/sampleWorkspace.ts";
import { startSandbox } from "./sandbox/sandbox.ts";

/** What the editor suites need around them, whichever editor runs them. */
export interface PreparedEditorTests {
  /** The bundled suites. */
  readonly tests: string;
  /** The folder to open. */
  readonly folder: string;
  /** The environment of the extension host. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** What a person has set who deploys a vault; the workspace says nothing of it. */
const MADE_OTHERWISE: readonly (Omit<VaultMadeOtherwise, "address"> & {
  readonly made: { readonly settings: object };
})[] = [
  {
    kind: "optimized",
    causes: ["optimizer"],
    made: { settings: { optimizer: { enabled: true, runs: 200 } } },
  },
  {
    kind: "optimized for many runs",
    causes: ["optimizer", "optimizer_runs"],
    made: { settings: { optimizer: { enabled: true, runs: 1_000_000 } } },
  },
  {
    // Between the usual numbers, and between those where the code of this vault becomes another one.
    kind: "optimized for 4,444 runs",
    match: "match",
    causes: ["optimizer", "optimizer_runs"],
    made: { settings: { optimizer: { enabled: true, runs: 4_444 } } },
  },
  { kind: "for an earlier EVM", causes: ["evm_version"], made: { settings: { evmVersion: "paris" } } },
  {
    kind: "by way of the IR",
    causes: ["via_ir", "optimizer"],
    made: { settings: { viaIR: true, optimizer: { enabled: true, runs: 200 } } },
  },
];

/**
 * Builds the extension and the suites, and starts the worlds that the suites talk to.
 *
 * @param suites paths from the repository's root; all without them
 */
export async function prepareEditorTests(suites?: readonly string[]): Promise<PreparedEditorTests> {
  await buildExtension();
  const tests = await bundleEditorTests(suites);
  const folder = await mkdtemp(join(tmpdir(), "vault-sample-"));
  await createSampleWorkspace(folder);
  const [sandbox, network] = await Promise.all([startSandbox(), startNetworkWorld()]);
  const { chain, compilers, verification } = sandbox;
  const [owner = ""] = await chain.rpc<string[]>("eth_accounts");
  const deploy = (contract: string, args: string) =>
    deployFromWorkspace(chain, compilers, folder, contract, args);
  const token = await deploy("contracts/Token.sol:Token", sampleArguments.token(owner, 1n));
  const vaults = [];
  for (const unlockTime of [0n, 1n, 2n, 3n, 4n, 105n, 106n, 107n, 108n]) {
    vaults.push(
      await deploy("contracts/Vault.sol:Vault", sampleArguments.vault(token.address, owner, unlockTime)),
    );
  }
  const otherwise: VaultMadeOtherwise[] = [];
  for (const { made, ...known } of MADE_OTHERWISE) {
    const args = sampleArguments.vault(token.address, owner, 5n + BigInt(otherwise.length));
    const contract = "contracts/Vault.sol:Vault";
    const { address } = await deployFromWorkspace(chain, compilers, folder, contract, args, made);
    otherwise.push({ ...known, address });
  }
  const searched = async (unlockTime: bigint) =>
    deployFromWorkspace(
      chain,
      compilers,
      folder,
      "contracts/Vault.sol:Vault",
      sampleArguments.vault(token.address, owner, unlockTime),
      { settings: { viaIR: true, evmVersion: "paris", optimizer: { enabled: true, runs: 4_444 } } },
    );
  const before = await mkdtemp(join(tmpdir(), "vault-before-"));
  await createSampleWorkspaceBeforeMove(before);
  const moved = await deployFromWorkspace(
    chain,
    compilers,
    before,
    "src/Vault.sol:Vault",
    sampleArguments.vault(token.address, owner, 42n),
  );
  await rm(before, { recursive: true });
  const scenes = await playLedgerScenes(sandbox, folder);
  await verifySceneContracts(sandbox, folder, scenes);
  const world: EditorTestWorld = {
    chainId: chain.chainId,
    rpcUrl: chain.rpcUrl,
    service: verification.url,
    ledger: sandbox.ledger.url,
    statusPage: sandbox.statusPage.url,
    scenes,
    token,
    vaults,
    otherwise,
    moved: moved.address,
    searched: [(await searched(40n)).address, (await searched(41n)).address],
    compiler: join(repositoryRoot, "node_modules/solc/soljson.js"),
    compilers: await repositoryCompilers(),
    network: network.addresses,
  };
  return {
    tests,
    folder,
    env: { ...network.environment, LEDGER_LENS_TEST_WORLD: JSON.stringify(world) },
    async stop() {
      await network.stop();
      await sandbox.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs all or the chosen editor suites in the extension host of the installed editor. */
export async function runEditorTests(suites?: readonly string[]): Promise<TestCounts> {
  const prepared = await prepareEditorTests(suites);
  try {
    const deadlineMs = proofSize({ sample: 1_800_000, whole: 7_200_000 });
    const result = await runInExtensionHost({ extension: repositoryRoot, deadlineMs, ...prepared });
    console.log(result.lines.join("\n"));
    return result;
  } finally {
    await prepared.stop();
  }
}
