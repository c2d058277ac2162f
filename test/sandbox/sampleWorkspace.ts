import { cp, mkdir, rename, writeFile } from "node:fs/promises";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../rig/paths.ts";
import { PATIENCE_MS } from "../rig/eventually.ts";
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

/** The same files in a project of Foundry, from which they were moved: in `src`, and packages found by remappings. */
export async function createSampleWorkspaceBeforeMove(folder: string): Promise<void> {
  await createSampleWorkspace(folder);
  await rename(join(folder, "contracts"), join(folder, "src"));
  const remappings = [
    "@openzeppelin/=node_modules/@openzeppelin/",
    "@oz/=node_modules/@openzeppelin/contracts/",
  ];
  await writeFile(join(folder, "remappings.txt"), `${remappings.join("\n")}\n`);
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
  const compiled = await compileFromWorkspace(compilers, folder, contract, version, settings);
  const deployed = await chain.deploy(`0x${compiled.evm.bytecode.object}${constructorArguments}`);
  return { contract, ...deployed };
}

async function compileFromWorkspace(
  compilers: SolidityCompilers,
  folder: string,
  contract: string,
  version: string,
  settings: object,
) {
  const [file = "", name = ""] = contract.split(":");
  const input = {
    language: "Solidity",
    settings: {
      remappings: remappingsOf(folder),
      ...settings,
      outputSelection: { "*": { "*": ["evm.bytecode.object", "metadata"] } },
    },
  };
  const output = await resolveLikeSolc(compilers, version, folder, file, input);
  const compiled = output.contracts?.[file]?.[name];
  if (!compiled) throw new Error(`${contract} does not compile: ${JSON.stringify(output.errors)}`);
  return compiled;
}

/** What `remappings.txt` of the workspace says. */
export function remappingsOf(folder: string): string[] {
  const file = join(folder, "remappings.txt");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split(/\r?\n/) : [];
}

/**
 * Verifies a deployed contract of the workspace as a team's own pipeline would after a deployment: with the sources
 * that the compiler's metadata names, and without anything of the extension.
 */
export async function verifyFromWorkspace(
  service: string,
  chainId: string,
  compilers: SolidityCompilers,
  folder: string,
  contract: string,
  address: string,
): Promise<void> {
  const { metadata } = await compileFromWorkspace(compilers, folder, contract, "0.8.37", {});
  const { sources, compiler } = JSON.parse(metadata) as {
    sources: Record<string, unknown>;
    compiler: { version: string };
  };
  const contents = Object.keys(sources).map((name) => {
    const path = [join(folder, name), join(folder, "node_modules", name)].find(existsSync) ?? name;
    return [name, { content: readFileSync(path, "utf8") }] as const;
  });
  const response = await fetch(`${service}/v2/verify/${chainId}/${address}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      stdJsonInput: {
        language: "Solidity",
        sources: Object.fromEntries(contents),
        settings: { remappings: remappingsOf(folder), outputSelection: { "*": { "*": ["metadata"] } } },
      },
      compilerVersion: compiler.version,
      contractIdentifier: contract,
    }),
  });
  const { verificationId } = (await response.json()) as { verificationId: string };
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    const answer = await fetch(`${service}/v2/verify/${verificationId}`);
    const job = (await answer.json()) as { isJobCompleted: boolean; error?: { message: string } };
    if (job.error) throw new Error(`${contract} was not verified: ${job.error.message}`);
    if (job.isJobCompleted) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${contract} was not verified in a minute.`);
}

/** The constructor arguments of the sample's contracts, ABI-encoded without `0x`. */
export const sampleArguments = {
  token: (owner: string, supply: bigint) => word(owner) + word(supply),
  vault: (token: string, owner: string, unlockTime: bigint) => word(token) + word(owner) + word(unlockTime),
};

function word(value: string | bigint): string {
  return (typeof value === "bigint" ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, "0");
}
