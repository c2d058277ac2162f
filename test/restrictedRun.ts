import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleEditorTests } from "./rig/editorTestBundle.ts";
import { runInExtensionHost } from "./rig/extensionHostTests.ts";
import { holderOfTests } from "./rig/holderOfTests.ts";
import { PACKAGED, packageExtension } from "./rig/packagedExtension.ts";
import { proofSize } from "./rig/proofSize.ts";
import type { TestCounts } from "./rig/testKinds.ts";
import { repositoryCompilers } from "./sandbox/listedCompilers.ts";

/** The last one trusts the folder. */
const SUITES = [
  "test/editor/restricted/addressHover.test.ts",
  "test/editor/restricted/deploymentOffers.test.ts",
  "test/editor/restricted/compilersOfOthers.test.ts",
  "test/editor/restricted/hostileWorkspaces.test.ts",
];

/** Where no test of these gets an answer: port 9 of loopback. */
const NOWHERE = "http://127.0.0.1:9";

/**
 * Runs suites in the real extension host with the packaged extension, in a folder that is not trusted until a suite shows
 * *Manage Workspace Trust*. No service, no node and no ledger can be reached.
 */
export async function runRestrictedTests(suites: readonly string[] = SUITES): Promise<TestCounts> {
  process.env[PACKAGED] = await packageExtension();
  const place = await mkdtemp(join(tmpdir(), "restricted-mode-"));
  try {
    const folder = join(place, "workspace");
    await mkdir(join(folder, "contracts"), { recursive: true });
    await writeFile(join(folder, "contracts/Own.sol"), "pragma solidity ^0.8.0;\ncontract Own {}\n");
    const result = await runInExtensionHost({
      extension: await holderOfTests(place),
      tests: await bundleEditorTests(suites),
      folder,
      vsix: [process.env[PACKAGED]],
      workspaceTrust: true,
      trustsWhenAsked: true,
      settings: {
        "security.workspace.trust.startupPrompt": "never",
        "ledgerLens.verificationUrl": NOWHERE,
        "ledgerLens.ledgerUrl": NOWHERE,
        "ledgerLens.statusUrl": NOWHERE,
        "ledgerLens.rpcUrls": { 1: NOWHERE },
      },
      env: {
        LEDGER_LENS_TEST_WORLD: JSON.stringify({
          service: NOWHERE,
          ledger: NOWHERE,
          statusPage: NOWHERE,
          chainId: "1",
          rpcUrl: NOWHERE,
          compilers: await repositoryCompilers(),
        }),
      },
      deadlineMs: proofSize({ sample: 900_000, whole: 1_800_000 }),
    });
    console.log(result.lines.join("\n"));
    return result;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
