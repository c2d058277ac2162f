import { t } from "@vscode/l10n";
import type { FileReader } from "../../files/fileReader.ts";
import { noteSkipped } from "../../files/skippedFiles.ts";
import { readText } from "../../json/dataFile.ts";
import { remappingLines, type Remapping } from "./remapping.ts";

/** What is said of a text that is no remapping. */
export const NO_REMAPPING = t`is no remapping (context:prefix=target)`;

/** The remappings of the `remappings.txt` at a path; each line that is none is noted as left out. */
export async function readRemappingsFile(files: FileReader, path: string): Promise<Remapping[]> {
  return remappingLines((await readText(files, path)) ?? "").flatMap(({ number, remapping }) => {
    if (!remapping) noteSkipped(files, path, NO_REMAPPING, t`line ${number}`);
    return remapping ?? [];
  });
}

/** A remapping as it is written. */
export function writtenRemapping({ context, prefix, target }: Remapping): string {
  return `${context === "" ? "" : `${context}:`}${prefix}=${target}`;
}
