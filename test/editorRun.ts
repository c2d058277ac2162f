import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundleEditorTests } from "./rig/editorTestBundle.ts";
import { runInExtensionHost } from "./rig/extensionHostTests.ts";
import { startNetworkWorld } from "./rig/loopback/networkWorld.ts";
import { repositoryRoot } from "./rig/paths.ts";
import { createSampleWorkspace, deployFromWorkspace, sampleArguments } from "./sandbox/sampleWorkspace.ts";
import { startSandbox } from "./sandbox/sandbox.ts";

/** Builds the extension and runs the editor suites in the extension host against a sandbox of their own. */
export async function runEditorTests(): Promise<{
  passed: number;
  failed: number;
  skipped: readonly string[];
}> {
  await promisify(execFile)(process.execPath, [`${repositoryRoot}/esbuild.mjs`]);
  const folder = await mkdtemp(join(tmpdir(), "vault-sample-"));
  const [sandbox, network, tests] = await Promise.all([
    startSandbox(),
    startNetworkWorld(),
    bundleEditorTests(),
    createSampleWorkspace(folder),
  ]);
  try {
    const { chain, compilers, verification } = sandbox;
    const [owner = ""] = await chain.rpc<string[]>("eth_accounts");
    const token = await deployFromWorkspace(
      chain,
      compilers,
      folder,
      "contracts/Token.sol:Token",
      sampleArguments.token(owner, 1n),
    );
    const vaults = [];
    for (const unlockTime of [0n, 1n, 2n, 3n]) {
      const args = sampleArguments.vault(token.address, owner, unlockTime);
      vaults.push(await deployFromWorkspace(chain, compilers, folder, "contracts/Vault.sol:Vault", args));
    }
    const result = await runInExtensionHost({
      extension: repositoryRoot,
      tests,
      folder,
      settings: {
        "ledgerLens.verificationUrl": verification.url,
        "ledgerLens.rpcUrls": { [chain.chainId]: chain.rpcUrl },
      },
      env: {
        ...network.environment,
        LEDGER_LENS_TEST_WORLD: JSON.stringify({
          chainId: chain.chainId,
          service: verification.url,
          token,
          vaults,
          network: network.addresses,
        }),
      },
    });
    console.log(result.lines.join("\n"));
    return result;
  } finally {
    await network.stop();
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
