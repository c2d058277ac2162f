import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { officialBuilds } from "../../src/core/compilers/officialBuilds.ts";
import { lockedPackages } from "../oracles/oraclePackages.ts";
import { solcPackages } from "../oracles/solcPackages.ts";
import { repositoryRoot } from "../rig/paths.ts";
import type { ListedCompiler } from "./compilerList.ts";

const MANIFESTS = join(repositoryRoot, "test/sandbox/compilerPackages");

/** The compilers that npm has and that are installed with the repository, which are few and there at once. */
export async function repositoryCompilers(): Promise<readonly ListedCompiler[]> {
  return compilersIn(solcPackages(repositoryRoot));
}

/** Those and more, from 0.4.11 on: installed once, when they are first asked for. */
export async function manyCompilers(): Promise<readonly ListedCompiler[]> {
  return compilersIn(solcPackages(await lockedPackages(MANIFESTS)));
}

/**
 * Compilers of npm, oldest first, by what the table of official releases says of their hashes.
 *
 * @param packages the `soljson.js` of each
 */
export async function compilersIn(packages: ReadonlyMap<string, string>): Promise<readonly ListedCompiler[]> {
  const releases = new Map(
    [...officialBuilds.values()].flatMap(({ longVersion, sha256 }) =>
      sha256.map((hash) => [hash, longVersion] as const),
    ),
  );
  const found: ListedCompiler[] = [];
  for (const file of packages.values()) {
    const content = await readFile(file);
    const sha256 = createHash("sha256").update(content).digest("hex");
    const longVersion = releases.get(sha256);
    if (longVersion === undefined) throw new Error(`${file} has the hash of no release`);
    found.push({ longVersion, file, bytes: content.length, sha256 });
  }
  return found.sort((a, b) => a.longVersion.localeCompare(b.longVersion, "en", { numeric: true }));
}
