import { joinPath, parentFolder, type FileReader } from "../../files/fileReader.ts";
import { machinePath } from "../../files/machinePath.ts";
import { readJson } from "../../json/dataFile.ts";
import { asText, field } from "../../json/looseData.ts";
import type { ArtifactBuild } from "../toolShape.ts";

/** A name of a file, and no path. */
const PLAIN_NAME = /^[\w.-]{1,200}$/;

/**
 * The build that made an artifact: `X.dbg.json` beside it names the record (Hardhat 2), or the artifact itself does by an
 * id, with the name of its source there (Hardhat 3).
 */
export async function hardhatArtifactBuild(
  files: FileReader,
  artifact: string,
): Promise<ArtifactBuild | undefined> {
  const folder = parentFolder(artifact);
  const debug = await readJson(files, artifact.replace(/\.json$/, ".dbg.json"));
  const beside = asText(field(debug, "buildInfo"));
  // On Windows the path has backslashes.
  if (beside !== undefined) return { records: [joinPath(folder, machinePath(beside))] };
  const json = await readJson(files, artifact);
  const id = asText(field(json, "buildInfoId"));
  if (id === undefined || !PLAIN_NAME.test(id)) return undefined;
  const source = asText(field(json, "inputSourceName"));
  // The folder of artifacts stands above those of the source's name, and is called as the project likes.
  const records: string[] = [];
  for (let above = folder; above !== parentFolder(above); above = parentFolder(above))
    records.push(joinPath(above, `build-info/${id}.json`));
  return { records, ...(source !== undefined && { source }) };
}
