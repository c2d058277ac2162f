import type { CompilerLists } from "../languages/compilerLists.ts";
import { t } from "@vscode/l10n";
import { isUtf8 } from "node:buffer";
import { JsonScan, TooManyParts } from "../json/jsonScan.ts";
import { setOwn } from "../json/setOwn.ts";
import { asItems, asRecord, asText, definedOnly, field } from "../json/looseData.ts";
import type { LooseObject } from "../json/shape.ts";
import { buildRecordOf, type BuildRecord } from "./buildRecord.ts";

/** In values: a record of 256 MB has some 13 million, and so many take about a gigabyte. */
const MAX_PARTS = 16_000_000;

/** What is asked of the bytes of a build record. */
export interface RecordQuestion {
  readonly bytes: Uint8Array;
  readonly path: string;
  /** The contract whose output is wanted; of all of them, packed, where none is named. */
  readonly contractName?: string | undefined;
  readonly releases?: Partial<CompilerLists> | undefined;
}

/** A record without what is not needed, why there is none, or `none` for a file that does not look like one. */
export type RecordReading =
  | {
      readonly record: BuildRecord;
      readonly outputs?: PackedOutputs;
      /** What the places in `outputs` are of. */
      readonly attached?: Uint8Array<ArrayBuffer>;
    }
  | { readonly reason: string }
  | { readonly none: "index" | "other" };

/** What is kept of the output of a contract, as plain data. */
interface KeptOutput {
  readonly source: string;
  readonly name: string;
  /** Foundry's records hold a list of builds by version and profile. */
  readonly compiled: object;
}

/** A record as it is written, with what is wanted of its output apart. */
interface ScannedRecord {
  readonly json: object;
  /** `undefined` where the record has none. */
  readonly outputs:
    { readonly sources: readonly string[]; readonly contracts: readonly KeptOutput[] } | undefined;
}

/**
 * Reads a build record. Nearly all of a large one is output: syntax trees and the code of contracts. That is passed over
 * but for what is kept of it, so that the record is soon handed from one thread to another.
 */
export function readRecord({ bytes, path, contractName, releases }: RecordQuestion): RecordReading {
  const scanned = scannedRecord(bytes, contractName);
  if ("reason" in scanned) return scanned;
  const { json, outputs } = scanned;
  const found = buildRecordOf(json, path, releases);
  // Foundry writes only an index of the sources unless it is asked for the whole record.
  if (!found) return { none: field(json, "source_id_to_path") === undefined ? "other" : "index" };
  if ("reason" in found) return found;
  const userNames = Object.fromEntries(
    Object.entries(found.userNames).filter(([, name]) => typeof name === "string"),
  );
  const record = { ...found, userNames, output: undefined };
  if (!outputs) return { record };
  if (contractName === undefined) return { record, ...packOutputs(outputs) };
  return { record: { ...record, output: outputOf(outputs) } };
}

function scannedRecord(
  bytes: Uint8Array,
  contractName: string | undefined,
): ScannedRecord | { readonly reason: string } {
  if (!isUtf8(bytes) || bytes.includes(0)) return { reason: t`is not UTF-8 text` };
  const json = {};
  const scan = new JsonScan(bytes, MAX_PARTS);
  let outputs: ScannedRecord["outputs"];
  try {
    scan.object((name) => {
      if (name === "output") outputs = contractsIn(scan, contractName);
      else setOwn(json, name, scan.value());
    });
    scan.end();
  } catch (error) {
    if (error instanceof TooManyParts) return { reason: t`has too many parts` };
    if (error instanceof SyntaxError) return { reason: t`is not valid JSON` };
    throw error;
  }
  return { json, outputs };
}

/** What is kept of an output, with the contracts of one name or of all. */
function contractsIn(scan: JsonScan, contractName: string | undefined): ScannedRecord["outputs"] {
  // Where a name stands twice, the last one counts.
  let sources: Map<string, Map<string, object>> | undefined;
  scan.object((name) => {
    if (name !== "contracts") {
      scan.skip();
      return;
    }
    const found = new Map<string, Map<string, object>>();
    const isRecord = scan.object((source) => {
      const contracts = new Map<string, object>();
      const isSource = scan.object((one) => {
        if (contractName === undefined || one === contractName) contracts.set(one, compiledContract(scan));
        else scan.skip();
      });
      if (isSource) found.set(source, contracts);
      else found.delete(source);
    });
    sources = isRecord ? found : undefined;
  });
  if (!sources) return undefined;
  return {
    sources: [...sources.keys()],
    contracts: [...sources].flatMap(([source, contracts]) =>
      [...contracts].map(([name, compiled]) => ({ source, name, compiled })),
    ),
  };
}

function compiledContract(scan: JsonScan): object {
  if (scan.isList) return asItems(scan.value()).map(() => ({}));
  let metadata: string | undefined;
  let storageLayout: LooseObject | undefined;
  let codes: Readonly<Record<string, object>> = {};
  scan.object((name) => {
    if (name === "metadata") metadata = asText(scan.value());
    else if (name === "storageLayout") storageLayout = asRecord(scan.value());
    else if (name === "evm") codes = codesIn(scan);
    else scan.skip();
  });
  const { bytecode = {}, deployedBytecode = {} } = codes;
  // Without what is undefined: the same from another thread, which answers in JSON.
  return {
    ...definedOnly({ metadata, storageLayout }),
    evm: { bytecode, deployedBytecode },
  };
}

function codesIn(scan: JsonScan): { readonly bytecode?: object; readonly deployedBytecode?: object } {
  let codes: { readonly bytecode?: object; readonly deployedBytecode?: object } = {};
  scan.object((name) => {
    if (name === "bytecode") codes = { ...codes, bytecode: codeIn(scan) };
    else if (name === "deployedBytecode") codes = { ...codes, deployedBytecode: codeIn(scan) };
    else scan.skip();
  });
  return codes;
}

function codeIn(scan: JsonScan): object {
  let code: object = {};
  scan.object((name) => {
    if (name !== "object") {
      scan.skip();
      return;
    }
    const object = asText(scan.value());
    code = object === undefined ? {} : { object };
  });
  return code;
}

/**
 * What is kept of all outputs, as plain data: where the JSON of each contract stands among the attached bytes, which is
 * read when it is asked for.
 */
export type PackedOutputs = readonly (readonly [
  source: string,
  contracts: readonly (readonly [name: string, from: number, to: number])[],
])[];

function packOutputs({ sources, contracts }: NonNullable<ScannedRecord["outputs"]>): {
  readonly outputs: PackedOutputs;
  readonly attached: Uint8Array<ArrayBuffer>;
} {
  const packed = new Map(sources.map((source) => [source, [] as [string, number, number][]]));
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { source, name, compiled } of contracts) {
    const part = Buffer.from(JSON.stringify(compiled));
    parts.push(part);
    packed.get(source)?.push([name, at, (at += part.length)]);
  }
  const attached = new Uint8Array(at);
  let filled = 0;
  for (const part of parts) {
    attached.set(part, filled);
    filled += part.length;
  }
  return { outputs: [...packed], attached };
}

/** The output of a record as {@link readRecord} gives it for the contracts of one name. */
export function unpackOutput(
  outputs: PackedOutputs,
  attached: Uint8Array | undefined,
  contractName: string,
): LooseObject {
  const contracts = outputs.map(([source, inSource]) => {
    const [, from, to] = inSource.find(([name]) => name === contractName) ?? [];
    const found =
      from === undefined
        ? []
        : [[contractName, JSON.parse(DECODER.decode(attached?.subarray(from, to))) as unknown] as const];
    return [source, Object.fromEntries(found)] as const;
  });
  return { contracts: Object.fromEntries(contracts) };
}

const DECODER = new TextDecoder();

/** The output with the contracts of one name; the other sources stay without any. */
function outputOf({ sources, contracts }: NonNullable<ScannedRecord["outputs"]>): LooseObject {
  const found = new Map(contracts.map(({ source, name, compiled }) => [source, [[name, compiled]] as const]));
  return {
    contracts: Object.fromEntries(
      sources.map((source) => [source, Object.fromEntries(found.get(source) ?? [])]),
    ),
  };
}
