import { parse, TomlError } from "smol-toml";
import type { DataFormat } from "./dataFile.ts";

/** Integers go up to 2^63 − 1; the large ones come as `bigint`, since one that is not needed must not spoil the file. */
export const toml: DataFormat = {
  name: "TOML",
  parser: () => ({
    parse: (text) => parse(text, { integersAsBigInt: "asNeeded" }),
    refusals: [TomlError],
  }),
};
