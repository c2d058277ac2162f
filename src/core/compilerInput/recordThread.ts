import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { readRecord, type RecordQuestion, type RecordReading } from "./recordReading.ts";

/** A record of so many bytes is read on the spot: that takes a few milliseconds. */
const LARGEST_ON_THE_SPOT = 512 * 1024;
/** For one of 256 MB it takes some seconds; what takes longer was made to. */
const LONGEST_MS = 120_000;
/** A record of many small parts takes several times its bytes. */
const MOST_MEMORY_MB = 2_048;

/** Reads a build record: a large one on another thread, to which its bytes go over. */
export async function readRecordElsewhere(question: RecordQuestion): Promise<RecordReading> {
  if (question.bytes.length <= LARGEST_ON_THE_SPOT) return readRecord(question);
  // The bytes are a whole buffer of their own, or are copied into one.
  const bytes =
    question.bytes.byteLength === question.bytes.buffer.byteLength ? question.bytes : question.bytes.slice();
  const worker = new Worker(workerFile(), {
    workerData: { ...question, bytes },
    transferList: bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<RecordReading>((resolve, reject) => {
      timer = setTimeout(() => resolve({ reason: "takes too long to read" }), LONGEST_MS);
      worker.once("message", resolve);
      worker.once("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ERR_WORKER_OUT_OF_MEMORY") resolve({ reason: "takes too much memory to read" });
        else reject(error);
      });
      worker.once("exit", () => resolve({ reason: "could not be read to its end" }));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** `esbuild.mjs` puts the thread's file beside those of the extension; the sources run as they are. */
function workerFile(): string | URL {
  return typeof __dirname === "string"
    ? join(__dirname, "recordWorker.js")
    : new URL("./recordWorker.ts", import.meta.url);
}
