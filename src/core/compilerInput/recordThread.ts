import { askDataThread } from "../json/dataThread.ts";
import { readRecord, type RecordQuestion, type RecordReading } from "./recordReading.ts";

/** A record of so many bytes is read on the spot: that takes a few milliseconds. */
const LARGEST_ON_THE_SPOT = 512 * 1024;

/** Reads a build record: a large one on another thread, to which its bytes go over. */
export async function readRecordElsewhere(question: RecordQuestion): Promise<RecordReading> {
  return question.bytes.length <= LARGEST_ON_THE_SPOT ? readRecord(question) : askDataThread(question);
}
