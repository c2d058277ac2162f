import { asText, field } from "../../json/looseData.ts";
import type { RecordFormat } from "../recordFormat.ts";

/** build-info of forge. */
export const foundryRecord: RecordFormat = {
  name: "foundry",
  isOf: (json) =>
    asText(field(json, "_format"))?.startsWith("ethers-rs-") === true ||
    field(json, "source_id_to_path") !== undefined,
  lineFeeds: /\r\n/g,
};
