import type { AdmittedSource } from "./admittedSources.ts";
import type { InputFile } from "./standardJsonInput.ts";

/** A file of an input, from what was opened; `bytes` are those of the content that goes. */
export function inputFileOf(
  name: string,
  { path, realPath, place }: AdmittedSource,
  bytes: number,
): InputFile {
  return { name, path, bytes, origin: place, ...(realPath !== path && { realPath }) };
}
