import type { CompilerLists } from "../languages/compilerLists.ts";
import { t } from "@vscode/l10n";
import { BoundedMemory } from "../files/boundedMemory.ts";
import { isSameState, isSettled, type FileState } from "../files/fileState.ts";
import { parentFolder, type FileReader } from "../files/fileReader.ts";
import { noteSkipped } from "../files/skippedFiles.ts";
import { LARGEST_RECORD_BYTES, readBytes } from "../json/dataFile.ts";
import { frozenInPieces } from "../json/deepFrozen.ts";
import type { FolderReader } from "../files/folderReader.ts";
import { inTurns } from "../concurrency/turns.ts";
import type { BuildRecord } from "./buildRecord.ts";
import { unpackOutput, type PackedOutputs, type RecordReading } from "./recordReading.ts";
import { readRecordElsewhere } from "./recordThread.ts";

/** One that can list folders and tell times lets records be remembered. */
type RecordReader = FileReader & Partial<FolderReader>;

/** A record that was read, and the file that it was. */
interface KnownRecord {
  readonly record: BuildRecord;
  readonly outputs: PackedOutputs | undefined;
  /** What the places in `outputs` are of. */
  readonly attached: Uint8Array | undefined;
  readonly state: FileState;
  readonly bytes: number;
}

/** Of files, of which about half is kept. */
const MAX_KNOWN_BYTES = 128 * 1024 * 1024;
/** By the real path of the file and the releases that complete a version. */
const knownRecords = () => new BoundedMemory<KnownRecord>(MAX_KNOWN_BYTES, ({ bytes }) => bytes);

/**
 * Reads the file of a build record, with the output of contracts of one name. A record is read once, and again when its
 * file is written.
 *
 * @returns `undefined` for a file that is none; one that should be a record and can't be used is noted as skipped.
 */
export async function readBuildRecord(
  files: RecordReader,
  path: string,
  contractName: string,
  releases?: Partial<CompilerLists>,
): Promise<BuildRecord | undefined> {
  const memory = files.memory?.of(knownRecords);
  const place = memory && (await placeOf(files, path));
  const state = place === undefined ? undefined : await files.state?.(path);
  const key = JSON.stringify([
    place,
    ...[releases?.solc, releases?.vyper].map((list) => [list?.length, list?.at(-1)]),
  ]);
  const known = place === undefined ? undefined : memory?.get(key);
  if (known && isSameState(known.state, state)) return withOutput(known, contractName, path);
  const begun = Date.now();
  const bytes = await readBytes(files, path, LARGEST_RECORD_BYTES);
  if (!bytes) return undefined;
  const size = bytes.length;
  const isKept = state !== undefined && isSettled(state, begun);
  const reading = await readRecordElsewhere({
    bytes,
    path,
    contractName: isKept ? undefined : contractName,
    releases,
  });
  if ("record" in reading) {
    if (!isKept) return reading.record;
    // Those who get it share it; and of what can't change, the names of 100,000 sources are found once.
    await inTurns(frozenInPieces(reading.record.input));
    const { record, outputs, attached } = reading;
    const fresh = { record, outputs, attached, state, bytes: size };
    memory?.set(key, fresh);
    return withOutput(fresh, contractName, path);
  }
  noteUnread(files, path, reading);
  return undefined;
}

/**
 * Where a file really lies that the reader shows as one and not as a link: what is remembered of it is for those alone
 * who may see it.
 */
async function placeOf(files: RecordReader, path: string): Promise<string | undefined> {
  const folder = parentFolder(path);
  const name = path.slice(folder.length + 1);
  const entry = (await files.list?.(folder))?.find((one) => one.name === name);
  if (entry?.kind !== "file" || entry.link) return undefined;
  const real = await files.realPath(folder);
  return real === undefined ? undefined : `${real}/${name}`;
}

function withOutput(
  { record, outputs, attached }: KnownRecord,
  contractName: string,
  path: string,
): BuildRecord {
  return { ...record, path, output: outputs && unpackOutput(outputs, attached, contractName) };
}

function noteUnread(
  files: RecordReader,
  path: string,
  reading: Exclude<RecordReading, { readonly record: BuildRecord }>,
): void {
  if ("reason" in reading) noteSkipped(files, path, reading.reason);
  else if (reading.none === "other" && parentFolder(path).endsWith("/build-info"))
    noteSkipped(files, path, t`is no record of a build`);
}
