import type { FileReader } from "../files.ts";
import { readBuildRecord } from "./buildRecord.ts";
import { metadataInRecord } from "./recordSearch.ts";
import type { CompilerInput } from "./standardJsonInput.ts";

/**
 * The compiler's metadata of a contract, byte for byte, from the build record or the artifact that its input comes
 * from; `undefined` where nothing on disk has it.
 */
export async function localMetadata(
  files: FileReader,
  { record, contractIdentifier }: Pick<CompilerInput, "record" | "contractIdentifier">,
): Promise<string | undefined> {
  if (record === undefined) return undefined;
  const colon = contractIdentifier.lastIndexOf(":");
  const [name, contractName] = [contractIdentifier.slice(0, colon), contractIdentifier.slice(colon + 1)];
  const build = await readBuildRecord(files, record);
  if (build) return metadataInRecord(build, name, contractName);
  const bytes = await files.read(record);
  if (!bytes) return undefined;
  try {
    const artifact = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown> | null;
    const text = artifact?.["rawMetadata"] ?? artifact?.["metadata"];
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
