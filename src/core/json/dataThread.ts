import { Worker } from "node:worker_threads";
import { t } from "@vscode/l10n";
import { threadFile } from "../concurrency/threadFile.ts";
import { inTurns, type Pieces } from "../concurrency/turns.ts";
import { catalogInUse } from "../text/catalog.ts";
import { decodedInPieces } from "./decodedText.ts";
import { parsedInPieces } from "./parsedPieces.ts";

/** For a file of 256 MB it takes some seconds; what takes longer was made to. */
const LONGEST_MS = 120_000;
/** Data of many small parts takes several times its bytes. */
const MAX_MEMORY_MB = 2_048;

/**
 * Asks another thread about the bytes of a large file, which go over to it. `dataWorker.ts` knows the questions. What an
 * answer has `attached` comes over as it is.
 *
 * @returns The answer, or the reason why there is none, as it follows the name of the file.
 */
export async function askDataThread<Answer>(question: {
  readonly bytes: Uint8Array;
}): Promise<Answer | { readonly reason: string }> {
  // The bytes are a whole buffer of their own, or are copied into one.
  const bytes =
    question.bytes.byteLength === question.bytes.buffer.byteLength ? question.bytes : question.bytes.slice();
  const worker = new Worker(threadFile("dataWorker"), {
    workerData: { ...question, bytes, catalog: catalogInUse() },
    transferList: bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const message = await new Promise<Message>((resolve, reject) => {
      timer = setTimeout(() => resolve({ reason: t`takes too long to read` }), LONGEST_MS);
      worker.once("message", resolve);
      worker.once("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ERR_WORKER_OUT_OF_MEMORY") resolve({ reason: t`takes too much memory to read` });
        else reject(error);
      });
      worker.once("exit", () => resolve({ reason: t`could not be read to its end` }));
    });
    if (message instanceof Uint8Array) return await inTurns(answerIn<Answer>(message));
    if (!Array.isArray(message)) return message as { readonly reason: string };
    const [answer, attached] = message as readonly [Uint8Array, Uint8Array];
    return { ...(await inTurns(answerIn<Answer>(answer))), attached };
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** The answer as JSON, with bytes that belong to it where it has some; or the reason why there is none. */
type Message = Uint8Array | readonly [answer: Uint8Array, attached: Uint8Array] | { readonly reason: string };

/** The answer that the thread wrote as JSON. */
function* answerIn<Answer>(bytes: Uint8Array): Pieces<Answer> {
  const text = yield* decodedInPieces(bytes);
  yield;
  return (yield* parsedInPieces(text)) as Answer;
}
