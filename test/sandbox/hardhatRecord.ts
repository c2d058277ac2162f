import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { resolveLikeSolc } from "./plainCompiler.ts";
import { remappingsOf } from "./sampleWorkspace.ts";
import type { SolidityCompilers } from "./solidityCompilers.ts";

const RELEASE = "0.8.37";
/** As long as the names are that Hardhat gives its records of builds. */
const BUILD = "artifacts/build-info/5f1c3bd0a2c44e9f8d7e6a5b4c3d2e1f.json";

/** Makes the workspace one of Hardhat's, with the record that `hardhat compile` leaves of a build of a contract. */
export async function recordHardhatBuild(
  folder: string,
  compilers: SolidityCompilers,
  contract: string,
): Promise<void> {
  const [file = "", name = ""] = contract.split(":");
  const settings = {
    remappings: remappingsOf(folder),
    outputSelection: {
      "*": { "*": ["abi", "metadata", "evm.bytecode.object", "evm.deployedBytecode.object"] },
    },
  };
  const output = await resolveLikeSolc(compilers, RELEASE, folder, file, { language: "Solidity", settings });
  const sources: Record<string, { content: string }> = {};
  for (const source of Object.keys(output.sources ?? {})) {
    const path = [join(folder, source), join(folder, "node_modules", source)].find(existsSync) ?? source;
    sources[source] = { content: await readFile(path, "utf8") };
  }
  const record = {
    _format: "hh-sol-build-info-1",
    solcVersion: RELEASE,
    solcLongVersion: await compilers.fullVersion(RELEASE),
    input: { language: "Solidity", sources, settings },
    output,
  };
  const artifacts = join(folder, "artifacts", file);
  await mkdir(artifacts, { recursive: true });
  await mkdir(join(folder, "artifacts/build-info"), { recursive: true });
  await writeFile(join(folder, BUILD), JSON.stringify(record));
  await writeFile(
    join(artifacts, `${name}.dbg.json`),
    JSON.stringify({ _format: "hh-sol-dbg-1", buildInfo: `../../../${BUILD.slice("artifacts/".length)}` }),
  );
  const compiled = output.contracts?.[file]?.[name];
  await writeFile(
    join(artifacts, `${name}.json`),
    JSON.stringify({
      _format: "hh-sol-artifact-1",
      contractName: name,
      sourceName: file,
      bytecode: `0x${compiled?.evm.bytecode.object ?? ""}`,
      deployedBytecode: `0x${compiled?.evm.deployedBytecode.object ?? ""}`,
      linkReferences: {},
      deployedLinkReferences: {},
    }),
  );
  await writeFile(join(folder, "hardhat.config.js"), `module.exports = { solidity: "${RELEASE}" };\n`);
}

/** Takes back {@link recordHardhatBuild}. */
export async function removeHardhatBuild(folder: string): Promise<void> {
  await rm(join(folder, "artifacts"), { recursive: true });
  await rm(join(folder, "hardhat.config.js"));
}
