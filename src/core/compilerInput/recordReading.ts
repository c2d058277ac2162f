import { parseJsonBytes } from "../json/dataFile.ts";
import { ownValue } from "../json/ownValue.ts";
import { asItems, asRecord, asText, field, fieldAt, type LooseRecord } from "../projects/looseData.ts";
import { buildRecordOf, type BuildRecord } from "./buildRecord.ts";

/** In values: a record of 256 MB has some 13 million, and so many take about a gigabyte. */
const MOST_PARTS = 16_000_000;

/** What is asked of the bytes of a build record. */
export interface RecordQuestion {
  readonly bytes: Uint8Array;
  readonly path: string;
  /** The contract whose output is wanted. */
  readonly contractName: string;
  readonly releases?: readonly string[] | undefined;
}

/** A record without what nobody asks for, why there is none, or `none` for a file that does not look like one. */
export type RecordReading =
  { readonly record: BuildRecord } | { readonly reason: string } | { readonly none: "index" | "other" };

/**
 * Reads a build record. Nearly all of a large one is output: syntax trees and the code of other contracts. Only what
 * belongs to the contract is kept of that, so that it is soon handed from one thread to another.
 */
export function readRecord({ bytes, path, contractName, releases }: RecordQuestion): RecordReading {
  const parsed = parseJsonBytes(bytes, MOST_PARTS);
  if ("reason" in parsed) return parsed;
  const found = buildRecordOf(parsed.value, path, releases);
  // Foundry writes only an index of the sources unless it is asked for the whole record.
  if (!found) return { none: field(parsed.value, "source_id_to_path") === undefined ? "other" : "index" };
  if ("reason" in found) return found;
  const contracts = asRecord(field(found.output, "contracts"));
  const userNames = Object.fromEntries(
    Object.entries(found.userNames).filter(([, name]) => typeof name === "string"),
  );
  const output = contracts && { contracts: outputOf(contracts, contractName) };
  return { record: { ...found, userNames, output } };
}

/** The part of the output that is of contracts of this name; the other sources stay without any. */
function outputOf(contracts: LooseRecord, contractName: string): LooseRecord {
  return Object.fromEntries(
    Object.entries(contracts).flatMap(([source, compiled]) => {
      const of = asRecord(compiled);
      if (!of) return [];
      const one = ownValue(of, contractName);
      return [
        [
          source,
          one === undefined ? {} : Object.fromEntries([[contractName, compiledContract(one)]]),
        ] as const,
      ];
    }),
  );
}

function compiledContract(one: unknown): unknown {
  // Foundry's records hold a list of builds by version and profile.
  if (Array.isArray(one)) return asItems(one).map(() => ({}));
  // Without what is undefined: the same from another thread, which answers in JSON.
  const code = (name: string) => {
    const object = asText(fieldAt(one, "evm", name, "object"));
    return object === undefined ? {} : { object };
  };
  const metadata = asText(field(one, "metadata"));
  return {
    ...(metadata !== undefined && { metadata }),
    evm: { bytecode: code("bytecode"), deployedBytecode: code("deployedBytecode") },
  };
}
