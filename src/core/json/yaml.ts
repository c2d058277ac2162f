import type { DataFormat } from "./dataFile.ts";

/** It takes about a millisecond for each kilobyte; a person writes a hundredth of this. */
const LARGEST_BYTES = 256 * 1024;

export const yaml: DataFormat = {
  name: "YAML",
  largest: LARGEST_BYTES,
  // Few projects have any.
  parser: async () => (await import("./yamlParser.ts")).yamlParser,
};
