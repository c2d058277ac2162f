import type { FileReader } from "../files/fileReader.ts";
import { readJson } from "../json/dataFile.ts";
import { field, fieldAt } from "../json/looseData.ts";
import { TOOLS } from "../tools/tool.ts";
import { readBuildRecord } from "./recordFile.ts";

/**
 * What the compiler put out for a contract, by a build record.
 *
 * @param source name of its source in the record
 * @returns `undefined` for a file that is no build record; without `output` where it has none for the contract
 */
export async function recordedOutput(
  files: FileReader,
  record: string,
  source: string,
  name: string,
): Promise<{ readonly output: unknown } | undefined> {
  const build = await readBuildRecord(files, record, name);
  if (!build) return undefined;
  // Hardhat 3 keeps the output in a file of its own.
  const output =
    build.output ?? field(await readJson(files, record.replace(/\.json$/, ".output.json")), "output");
  return { output: fieldAt(output, "contracts", source, name) };
}

/** The same for a contract of an artifact, by the record that the artifact names. */
export async function outputBehindArtifact(
  files: FileReader,
  artifact: { readonly path: string; readonly contractName: string; readonly sourceName?: string },
): Promise<unknown> {
  for (const { rules } of TOOLS) {
    const build = await (await rules()).artifactBuild?.(files, artifact.path);
    const source = build?.source ?? artifact.sourceName;
    if (!build || source === undefined) continue;
    for (const record of build.records) {
      const found = await recordedOutput(files, record, source, artifact.contractName);
      if (found) return found.output;
    }
  }
  return undefined;
}
