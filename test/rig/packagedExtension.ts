import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { cacheFolder, repositoryRoot } from "./paths.ts";

/** Names the build of just this tree in the repository's `dist`, so that no part of a run takes it from another's editor. */
export const BUILT = "LEDGER_LENS_DIST";

/** Builds the extension as F5 does; answers the folder. */
export async function buildExtension(): Promise<string> {
  const built = process.env[BUILT];
  if (built !== undefined) return built;
  await promisify(execFile)(process.execPath, [`${repositoryRoot}/esbuild.mjs`], { cwd: repositoryRoot });
  return `${repositoryRoot}/dist`;
}

/** Names a VSIX that was made of just this tree, so that several test files need not make it again. */
export const PACKAGED = "LEDGER_LENS_VSIX";

/** Packages the extension as it would be published; answers the path of the VSIX. */
export async function packageExtension(): Promise<string> {
  const packaged = process.env[PACKAGED];
  if (packaged !== undefined) return packaged;
  const vsix = `${cacheFolder}/ledger-lens.vsix`;
  await promisify(execFile)(process.execPath, [`${repositoryRoot}/package.mjs`, vsix], {
    cwd: repositoryRoot,
    env: { ...process.env, npm_config_loglevel: "error" },
  });
  return vsix;
}
