import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../rig/paths.ts";
import { lockedPackages, oraclePackages } from "./oraclePackages.ts";

/** Hardhat's plugins that deploy, beside the Hardhat 2 that is installed for other comparisons. */
export async function deployerPackages(): Promise<string> {
  const packages = await lockedPackages(join(repositoryRoot, "test/oracles/deployers"), "--legacy-peer-deps");
  const link = join(packages, "node_modules/hardhat");
  if (!existsSync(link)) symlinkSync(join(await oraclePackages(), "node_modules/hardhat-2"), link);
  return packages;
}
