import { parentFolder, type FileReader } from "../files.ts";
import { noteSkipped } from "../files/skippedFiles.ts";
import { LARGEST_RECORD_BYTES, readBytes } from "../json/dataFile.ts";
import type { BuildRecord } from "./buildRecord.ts";
import { readRecordElsewhere } from "./recordThread.ts";

/**
 * Reads the file of a build record, with the output of contracts of one name.
 *
 * @returns `undefined` for a file that is none; one that should be a record and can't be used is noted as skipped.
 */
export async function readBuildRecord(
  files: FileReader,
  path: string,
  contractName: string,
  releases?: readonly string[],
): Promise<BuildRecord | undefined> {
  const bytes = await readBytes(files, path, LARGEST_RECORD_BYTES);
  if (!bytes) return undefined;
  const reading = await readRecordElsewhere({ bytes, path, contractName, releases });
  if ("record" in reading) return reading.record;
  if ("reason" in reading) noteSkipped(files, path, reading.reason);
  else if (reading.none === "other" && parentFolder(path).endsWith("/build-info"))
    noteSkipped(files, path, "is no record of a build");
  return undefined;
}
