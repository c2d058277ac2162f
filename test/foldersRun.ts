import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { EditorTestWorld } from "./editor/world.ts";
import { bundleEditorTests } from "./rig/editorTestBundle.ts";
import { runInExtensionHost } from "./rig/extensionHostTests.ts";
import { holderOfTests } from "./rig/holderOfTests.ts";
import { PACKAGED, packageExtension } from "./rig/packagedExtension.ts";
import type { TestCounts } from "./rig/testKinds.ts";

const SUITES = ["test/editor/folders/severalFolders.test.ts", "test/editor/folders/answeredQuietly.test.ts"];

/** Where no test of these gets an answer: port 9 of loopback. */
const NOWHERE = "http://127.0.0.1:9";

const SOURCE =
  "// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\ncontract Own { uint256 public value; }\n";
const settings = (runs: number) =>
  JSON.stringify({ "ledgerLens.compilerSettings": { optimizer: { enabled: true, runs } } });

/** Two folders on the disk with settings of their own, and contracts of one name. */
const FILES: Readonly<Record<string, string>> = {
  "first/contracts/Own.sol": SOURCE,
  "first/.vscode/settings.json": settings(7),
  "second/contracts/Own.sol": SOURCE,
  "second/contracts/Other.sol": SOURCE.replace("Own", "Other"),
  "second/.vscode/settings.json": settings(9),
};

/**
 * Runs suites in the real extension host with the packaged extension, in a workspace of several folders, of which one is
 * in a file system that is no disk: that of another extension, which a suite plays.
 */
export async function runFoldersTests(suites: readonly string[] = SUITES): Promise<TestCounts> {
  const vsix = (process.env[PACKAGED] = await packageExtension());
  const place = await mkdtemp(join(tmpdir(), "several-folders-"));
  try {
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(join(place, dirname(path)), { recursive: true });
      await writeFile(join(place, path), text);
    }
    const folders = [
      { path: "first" },
      { path: "second" },
      { uri: "ledger-lens-memory:/virtual", name: "virtual" },
    ];
    const workspace = join(place, "several.code-workspace");
    await writeFile(workspace, JSON.stringify({ folders }));
    const world: Partial<EditorTestWorld> = {
      service: NOWHERE,
      ledger: NOWHERE,
      statusPage: NOWHERE,
      chainId: "1",
      rpcUrl: NOWHERE,
    };
    const result = await runInExtensionHost({
      extension: await holderOfTests(place),
      tests: await bundleEditorTests(suites),
      folder: workspace,
      vsix: [vsix],
      env: { LEDGER_LENS_TEST_WORLD: JSON.stringify(world) },
    });
    console.log(result.lines.join("\n"));
    return result;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
