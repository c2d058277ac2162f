import { homedir } from "node:os";
import { join } from "node:path";
import { soljsonName } from "../languages/solidity/solcReleases.ts";

/** Where the machine keeps things, as the environment says. */
export interface MachineFolders {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Those of this machine. */
export function machineFolders(): MachineFolders {
  return { platform: process.platform, home: homedir(), env: process.env };
}

/**
 * Where other tools may have left the file of a release, likeliest first. Whether it is an official one is told by its hash
 * alone.
 *
 * - Hardhat: the folder for caches of `env-paths` under the name `hardhat-nodejs`, in it `compilers-v2/wasm` and
 *   `compilers-v3/wasm` (NomicFoundation/hardhat, `src/internal/util/global-dir.ts`, `solidity/compiler/downloader.ts`)
 * - Truffle: the folder for configurations under the name `truffle`, in it `compilers` (trufflesuite/truffle,
 *   `packages/config/src/configDefaults.ts`, `packages/compile-solidity/src/compilerSupplier/Cache.ts`)
 * - npm's `solc` of the project, of which the version is not known by its path
 *
 * @param projects folders whose `node_modules` are looked into
 */
export function placesOfOtherTools(
  longVersion: string,
  projects: readonly string[],
  folders: MachineFolders,
): string[] {
  const name = soljsonName(longVersion);
  const hardhat = hardhatCache(folders);
  return [
    ...["compilers-v2", "compilers-v3"].map((one) => join(hardhat, one, "wasm", name)),
    join(truffleFolder(folders), "compilers", name),
    ...projects.map((project) => join(project, "node_modules", "solc", "soljson.js")),
  ];
}

function hardhatCache({ platform, home, env }: MachineFolders): string {
  if (platform === "darwin") return join(home, "Library", "Caches", "hardhat-nodejs");
  if (platform === "win32")
    return join(folderOf(env["LOCALAPPDATA"], home, "AppData", "Local"), "hardhat-nodejs", "Cache");
  return join(folderOf(env["XDG_CACHE_HOME"], home, ".cache"), "hardhat-nodejs");
}

function truffleFolder({ platform, home, env }: MachineFolders): string {
  if (platform === "darwin") return join(home, "Library", "Preferences", "truffle");
  if (platform === "win32")
    return join(folderOf(env["APPDATA"], home, "AppData", "Roaming"), "truffle-nodejs", "Config");
  return join(folderOf(env["XDG_CONFIG_HOME"], home, ".config"), "truffle");
}

/** What the environment names; an empty word names nothing. */
function folderOf(named: string | undefined, ...otherwise: readonly string[]): string {
  return named === undefined || named === "" ? join(...otherwise) : named;
}
