import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findWorkspaceContract } from "../src/core/compilerInput/contractReference.ts";
import { plainFolderInput } from "../src/core/compilerInput/plainFolder.ts";
import type { FileReader } from "../src/core/files.ts";
import { createSampleWorkspace } from "../test/sandbox/sampleWorkspace.ts";
import { fastestInTurns, printRatio } from "./ratio.ts";

/** Building the input of the sample's vault against reading the same files raw. */
export async function benchCompilerInput(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "ledger-lens-bench-"));
  await createSampleWorkspace(folder);
  const files: FileReader = {
    read: (path) => readFile(path).catch(() => undefined),
    realPath: (path) => realpath(path),
  };
  const build = async () =>
    plainFolderInput(
      files,
      [folder],
      await findWorkspaceContract(files, [folder], "contracts/Vault.sol:Vault"),
    );
  const paths = (await build()).files.map(({ path }) => path);
  const [ours = 0, raw = 1] = await fastestInTurns([
    build,
    () => Promise.all(paths.map((path) => readFile(path))),
  ]);
  printRatio(`compiler input of the sample (${paths.length} files)`, ours, raw, "reading the same files raw");
  await rm(folder, { recursive: true, force: true });
}
