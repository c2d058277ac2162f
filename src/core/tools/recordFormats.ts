import { foundryRecord } from "./foundry/foundryRecordFormat.ts";
import { hardhat2Record } from "./hardhat/hardhat2RecordFormat.ts";
import { hardhat3Record } from "./hardhat/hardhat3RecordFormat.ts";
import { vyperBundle } from "./plain/vyperBundle.ts";
import type { RecordFormat } from "./recordFormat.ts";

/** Every form of a build's record, the most certain signs first. This much is loaded where records are parsed. */
const FORMATS: readonly RecordFormat[] = [vyperBundle, hardhat3Record, foundryRecord, hardhat2Record];

/** The form of a parsed file, by what it says of itself. */
export function recordFormatOf(json: unknown): RecordFormat {
  return FORMATS.find(({ isOf }) => isOf(json)) ?? hardhat2Record;
}

/** The form of a name; `undefined` for what is none of a file that could be recognised, such as one that was put together. */
export function recordFormatNamed(name: string): RecordFormat | undefined {
  return FORMATS.find((format) => format.name === name);
}
