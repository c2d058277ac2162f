import { parseJsonBytes } from "../json/dataFile.ts";
import { ownValue } from "../json/ownValue.ts";
import { asItems, asRecord, asText, field, fieldAt } from "../json/looseData.ts";
import { buildRecordOf, type BuildRecord } from "./buildRecord.ts";
import type { LooseObject } from "../json/shape.ts";

/** In values: a record of 256 MB has some 13 million, and so many take about a gigabyte. */
const MOST_PARTS = 16_000_000;

/** What is asked of the bytes of a build record. */
export interface RecordQuestion {
  readonly bytes: Uint8Array;
  readonly path: string;
  /** The contract whose output is wanted; of all of them, packed, where none is named. */
  readonly contractName?: string | undefined;
  readonly releases?: readonly string[] | undefined;
}

/** A record without what nobody asks for, why there is none, or `none` for a file that does not look like one. */
export type RecordReading =
  | { readonly record: BuildRecord; readonly outputs?: PackedOutputs }
  | { readonly reason: string }
  | { readonly none: "index" | "other" };

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
  const record = { ...found, userNames, output: undefined };
  if (!contracts) return { record };
  if (contractName === undefined) return { record, outputs: packOutputs(contracts) };
  return { record: { ...record, output: { contracts: outputOf(contracts, contractName) } } };
}

/** What is kept of all outputs, as plain data: by source and contract its JSON, which is read when it is asked for. */
export type PackedOutputs = readonly (readonly [
  source: string,
  contracts: readonly (readonly [name: string, json: string])[],
])[];

function packOutputs(contracts: LooseObject): PackedOutputs {
  return Object.entries(contracts).flatMap(([source, compiled]) => {
    const of = asRecord(compiled);
    if (!of) return [];
    const packed = Object.entries(of).map(
      ([name, one]) => [name, JSON.stringify(compiledContract(one))] as const,
    );
    return [[source, packed] as const];
  });
}

/** The output of a record as {@link readRecord} gives it for the contracts of one name. */
export function unpackOutput(outputs: PackedOutputs, contractName: string): LooseObject {
  const contracts = outputs.map(([source, inSource]) => {
    const json = inSource.find(([name]) => name === contractName)?.[1];
    const found = json === undefined ? [] : [[contractName, JSON.parse(json) as unknown] as const];
    return [source, Object.fromEntries(found)] as const;
  });
  return { contracts: Object.fromEntries(contracts) };
}

/** The part of the output that is of contracts of this name; the other sources stay without any. */
function outputOf(contracts: LooseObject, contractName: string): LooseObject {
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
