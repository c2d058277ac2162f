import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEditor, type EditorServer } from "./rig/editorServer.ts";
import { packageExtension } from "./rig/packagedExtension.ts";
import { playLedgerScenes, verifySceneContracts, type LedgerScenes } from "./sandbox/ledger/ledgerScenes.ts";
import {
  createSampleWorkspace,
  deployFromWorkspace,
  sampleArguments,
  type SampleDeployment,
} from "./sandbox/sampleWorkspace.ts";
import { startCompilerList, type CompilerList, type ListedCompiler } from "./sandbox/compilerList.ts";
import { repositoryCompilers } from "./sandbox/listedCompilers.ts";
import { startSandbox, type Sandbox } from "./sandbox/sandbox.ts";

/** Everything the demo shows: the sandbox, the sample with its deployments, and an editor with the VSIX installed. */
export interface DemoWorld {
  readonly sandbox: Sandbox;
  readonly workspace: string;
  readonly editor: EditorServer;
  /** Where the editor finds compilers. */
  readonly compilerList: CompilerList;
  readonly token: SampleDeployment;
  /** The same contract deployed several times, so that each job has an address of its own. */
  readonly vaults: readonly [SampleDeployment, SampleDeployment, SampleDeployment];
  /** Deploys the vault once more. */
  deployVault(): Promise<SampleDeployment>;
  /** Plays what the ledger view shows, once: transactions, tokens and schedules, of contracts that are verified. */
  playLedger(): Promise<LedgerScenes>;
  /** Replaces text in a file of the workspace. */
  edit(file: string, find: string, replacement: string): Promise<void>;
  stop(): Promise<void>;
}

/** How a world is started. */
interface DemoOptions {
  readonly port?: number;
  /** What the list of compilers has; those that are installed with the repository unless said. */
  readonly compilers?: readonly ListedCompiler[];
}

/** Starts the sandbox, deploys the sample, packages the extension and starts the editor with it. */
export async function startDemoWorld({ port, compilers }: DemoOptions = {}): Promise<DemoWorld> {
  const workspace = await mkdtemp(join(tmpdir(), "vault-sample-"));
  await createSampleWorkspace(workspace);
  const vsix = await packageExtension();
  const sandbox = await startSandbox();
  const compilerList = await startCompilerList({ compilers: compilers ?? (await repositoryCompilers()) });
  try {
    return await startAround(sandbox, compilerList, workspace, vsix, port);
  } catch (error) {
    await compilerList.stop();
    await sandbox.stop();
    await rm(workspace, { recursive: true, force: true });
    throw error;
  }
}

async function startAround(
  sandbox: Sandbox,
  compilerList: CompilerList,
  workspace: string,
  vsix: string,
  port: number | undefined,
): Promise<DemoWorld> {
  const { chain, compilers, verification } = sandbox;
  const [owner = ""] = await chain.rpc<string[]>("eth_accounts");
  const deploy = (contract: string, args: string) =>
    deployFromWorkspace(chain, compilers, workspace, contract, args);
  const token = await deploy(
    "contracts/Token.sol:Token",
    sampleArguments.token(owner, 1_000_000n * 10n ** 18n),
  );
  let unlockTime = 0n;
  const deployVault = () =>
    deploy("contracts/Vault.sol:Vault", sampleArguments.vault(token.address, owner, unlockTime++));
  const vaults = [await deployVault(), await deployVault(), await deployVault()] as const;
  const editor = await startEditor({
    vsix: [vsix],
    ...(port !== undefined && { port }),
    settings: {
      "ledgerLens.verificationUrl": verification.url,
      "ledgerLens.solcListUrl": compilerList.listUrl,
      "ledgerLens.ledgerUrl": sandbox.ledger.url,
      "ledgerLens.ledgerChainId": chain.chainId,
      "ledgerLens.statusUrl": sandbox.statusPage.url,
      "ledgerLens.rpcUrls": { [chain.chainId]: chain.rpcUrl },
    },
  });
  return {
    sandbox,
    workspace,
    editor,
    compilerList,
    token,
    vaults,
    deployVault,
    async playLedger() {
      const scenes = await playLedgerScenes(sandbox, workspace);
      await verifySceneContracts(sandbox, workspace, scenes);
      return scenes;
    },
    async edit(file, find, replacement) {
      const path = join(workspace, file);
      const text = await readFile(path, "utf8");
      if (!text.includes(find)) throw new Error(`${file} does not contain ${find}`);
      await writeFile(path, text.replace(find, replacement));
    },
    async stop() {
      await editor.stop();
      await compilerList.stop();
      await sandbox.stop();
      await rm(workspace, { recursive: true, force: true });
    },
  };
}

/** Edits that a developer might have made since the deployment, by what they change. */
export const sampleEdits = {
  comment: ["contracts/Vault.sol", "Keeps one kind of token", "Keeps  one kind of token"],
  constant: ["contracts/Vault.sol", "FEE_BASIS_POINTS = 25;", "FEE_BASIS_POINTS = 52;"],
} as const;
