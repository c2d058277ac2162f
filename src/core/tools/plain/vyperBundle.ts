import { field } from "../../json/looseData.ts";
import type { RecordFormat } from "../recordFormat.ts";

/** What `vyper -f solc_json` writes. */
export const vyperBundle: RecordFormat = {
  name: "vyper-bundle",
  isOf: (json) => field(json, "input") === undefined && field(json, "compiler_version") !== undefined,
  versionBesideInput: "compiler_version",
  // Vyper reads files as Python reads text.
  lineFeeds: /\r\n?/g,
  isNamedBySearchPath: true,
};
