import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestRepository } from "./oracles/git/repository.ts";
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
  /** Deploys the vault once more; with other settings than the workspace has where some are given. */
  deployVault(settings?: object): Promise<SampleDeployment>;
  /** Plays what the ledger view shows, once: transactions, tokens and schedules, of contracts that are verified. */
  playLedger(): Promise<LedgerScenes>;
  /** Replaces text in a file of the workspace. */
  edit(file: string, find: string, replacement: string): Promise<void>;
  /** Commits what is there; only where the world has a history. */
  commit(subject: string): void;
  stop(): Promise<void>;
}

/** How a world is started. */
interface DemoOptions {
  readonly port?: number;
  /** What the list of compilers has; those that are installed with the repository unless said. */
  readonly compilers?: readonly ListedCompiler[];
  /** The workspace is a repository, of which the first commit was made before anything was deployed. */
  readonly hasHistory?: boolean;
}

/** Starts the sandbox, deploys the sample, packages the extension and starts the editor with it. */
export async function startDemoWorld(options: DemoOptions = {}): Promise<DemoWorld> {
  const workspace = await mkdtemp(join(tmpdir(), "vault-sample-"));
  await createSampleWorkspace(workspace);
  const repository = options.hasHistory ? await sampleRepository(workspace) : undefined;
  const vsix = await packageExtension();
  const sandbox = await startSandbox();
  const compilerList = await startCompilerList({
    compilers: options.compilers ?? (await repositoryCompilers()),
  });
  try {
    return await startAround({ sandbox, compilerList, workspace, vsix, repository }, options);
  } catch (error) {
    await compilerList.stop();
    await sandbox.stop();
    await rm(workspace, { recursive: true, force: true });
    throw error;
  }
}

/** Makes the sample a repository as a team has one: what is installed is ignored, and a lock file names it. */
async function sampleRepository(workspace: string): Promise<TestRepository> {
  const installed = "node_modules/@openzeppelin/contracts";
  const manifest = await readFile(join(workspace, installed, "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const repository = new TestRepository(workspace);
  repository.commit("Add the vault", {
    ".gitignore": "node_modules/\n",
    "package-lock.json": `${JSON.stringify({ lockfileVersion: 3, packages: { [installed]: { version } } }, null, 2)}\n`,
  });
  return repository;
}

/** What a world is made of before its editor starts. */
interface DemoGround extends Pick<DemoWorld, "sandbox" | "compilerList" | "workspace"> {
  readonly vsix: string;
  readonly repository: TestRepository | undefined;
}

async function startAround(
  { sandbox, compilerList, workspace, vsix, repository }: DemoGround,
  { port }: DemoOptions,
): Promise<DemoWorld> {
  const { chain, compilers, verification } = sandbox;
  const [owner = ""] = await chain.rpc<string[]>("eth_accounts");
  const deploy = (contract: string, args: string, settings: object = {}) =>
    deployFromWorkspace(chain, compilers, workspace, contract, args, { settings });
  const token = await deploy(
    "contracts/Token.sol:Token",
    sampleArguments.token(owner, 1_000_000n * 10n ** 18n),
  );
  let unlockTime = 0n;
  const deployVault = (settings?: object) =>
    deploy("contracts/Vault.sol:Vault", sampleArguments.vault(token.address, owner, unlockTime++), settings);
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
      ...(repository && { "git.enabled": true }),
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
    commit(subject) {
      if (!repository) throw new Error("This world was started without a history.");
      repository.commit(subject);
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
