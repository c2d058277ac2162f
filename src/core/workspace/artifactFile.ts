import type { FileReader } from "../files/fileReader.ts";
import { noteSkipped } from "../files/skippedFiles.ts";
import { askDataThread } from "../json/dataThread.ts";
import { LARGEST_ARTIFACT_BYTES, readBytes } from "../json/dataFile.ts";
import { readArtifactBytes, type Artifact, type ArtifactReading } from "./artifact.ts";

/** So many bytes are read on the spot: some 30 ms, which is what starting a thread takes. Few artifacts have more. */
const LARGEST_ON_THE_SPOT = 4 * 1024 * 1024;

/** The contracts of an artifact's file; one that can't be read has none and is noted as skipped. */
export async function readArtifactFile(files: FileReader, path: string): Promise<readonly Artifact[]> {
  const bytes = await readBytes(files, path, LARGEST_ARTIFACT_BYTES);
  if (!bytes) return [];
  const question = { bytes, path };
  const reading =
    bytes.length <= LARGEST_ON_THE_SPOT
      ? readArtifactBytes(question)
      : await askDataThread<ArtifactReading>(question);
  if ("artifacts" in reading) return reading.artifacts;
  noteSkipped(files, path, reading.reason);
  return [];
}
