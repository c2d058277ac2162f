import { cp, mkdir } from "node:fs/promises";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../rig/paths.ts";
import type { Chain, DeployedCode } from "./chain.ts";
import { resolveLikeSolc } from "./plainCompiler.ts";
import type { SolidityCompilers } from "./solidityCompilers.ts";

/** Copies the sample workspace to a folder, with a real copy of OpenZeppelin in its `node_modules`. */
export async function createSampleWorkspace(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await cp(join(repositoryRoot, "test/sandbox/sample"), folder, { recursive: true });
  const name = "@openzeppelin/contracts";
  await cp(join(repositoryRoot, "node_modules", name), join(folder, "node_modules", name), {
    recursive: true,
  });
}

/** A deployed contract of the sample. */
export interface SampleDeployment extends DeployedCode {
  readonly contract: string;
}

/**
 * Compiles and deploys a contract of the workspace as a developer's own script would: with solc's defaults,
 * and without anything of the extension, so that what is deployed is an independent yardstick.
 */
export async function deployFromWorkspace(
  chain: Chain,
  compilers: SolidityCompilers,
  folder: string,
  contract: string,
  constructorArguments: string,
  { version = "0.8.37", settings = {} }: { version?: string; settings?: object } = {},
): Promise<SampleDeployment> {
  const [file = "", name = ""] = contract.split(":");
  const remappingsFile = join(folder, "remappings.txt");
  const remappings = existsSync(remappingsFile)
    ? readFileSync(remappingsFile, "utf8").trim().split(/\r?\n/)
    : [];
  const input = {
    language: "Solidity",
    settings: {
      remappings,
      ...settings,
      outputSelection: { "*": { "*": ["evm.bytecode.object", "metadata"] } },
    },
  };
  const output = await resolveLikeSolc(compilers, version, folder, file, input);
  const compiled = output.contracts?.[file]?.[name];
  if (!compiled) throw new Error(`${contract} does not compile: ${JSON.stringify(output.errors)}`);
  const deployed = await chain.deploy(`0x${compiled.evm.bytecode.object}${constructorArguments}`);
  return { contract, ...deployed };
}

/** The constructor arguments of the sample's contracts, ABI-encoded without `0x`. */
export const sampleArguments = {
  token: (owner: string, supply: bigint) => word(owner) + word(supply),
  vault: (token: string, owner: string, unlockTime: bigint) => word(token) + word(owner) + word(unlockTime),
};

function word(value: string | bigint): string {
  return (typeof value === "bigint" ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, "0");
}
