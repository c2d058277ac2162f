// The thread of a compiler. It reads its file once, runs it only if it is an official one, and answers until it is ended.
import "./text/threadCatalog.ts";
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type {
  CompilerMessage,
  CompilerQuestion,
  CompilerStart,
  HostMessage,
} from "./compilers/compilerQuestions.ts";
import { loadSoljson } from "./compilers/soljson.ts";

/** More than any release has. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

const { files, sha256, maxMemoryBytes } = workerData as CompilerStart;
const say = (message: CompilerMessage) => parentPort?.postMessage(message);
/** What another program compiles, by the question that it is for. */
const elsewhere = new Map<number, PromiseWithResolvers<string>>();

const official = firstOfficial();
if (official || files.length === 0) {
  const compiler = official && loadSoljson(official.bytes, official.file, maxMemoryBytes);
  parentPort?.on("message", (message: HostMessage) => {
    const { call } = message;
    switch (message.kind) {
      case "compiled":
        elsewhere.get(call)?.resolve(message.output);
        break;
      case "not_compiled":
        elsewhere.get(call)?.reject(new Error(message.reason));
        break;
      case "ask": {
        answer(message.question, (input) => compiler?.compile(input) ?? compiledElsewhere(call, input)).then(
          (text) => say({ kind: "answer", call, answer: text }),
          (error: unknown) =>
            say({ kind: "fault", call, reason: error instanceof Error ? error.message : String(error) }),
        );
      }
    }
  });
  const { file = "", hash = "" } = official ?? {};
  say({ kind: "ready", file, sha256: hash, version: compiler?.version ?? "" });
} else {
  say({ kind: "refused" });
}

async function answer(
  question: CompilerQuestion,
  compile: (input: string) => string | Promise<string>,
): Promise<string> {
  if (question.kind === "compile") return compile(question.input);
  const { engineVerdict } = await import("./compilers/engineVerdict.ts");
  let breakdown: { readonly error: unknown } | undefined;
  const verdict = await engineVerdict(
    async (input) => {
      try {
        return await compile(input);
      } catch (error) {
        breakdown = { error };
        throw error;
      }
    },
    question.deployed,
    question.submission,
  );
  // The engine takes whatever a compiler throws for what it says of the sources.
  if (breakdown) throw breakdown.error;
  return JSON.stringify(verdict);
}

async function compiledElsewhere(call: number, input: string): Promise<string> {
  const output = Promise.withResolvers<string>();
  elsewhere.set(call, output);
  say({ kind: "compile", call, input });
  try {
    return await output.promise;
  } finally {
    elsewhere.delete(call);
  }
}

/** What was hashed is what runs: each file is read once. */
function firstOfficial():
  { readonly bytes: Buffer; readonly file: string; readonly hash: string } | undefined {
  for (const file of files) {
    const bytes = bytesOf(file);
    if (!bytes) continue;
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (sha256.includes(hash)) return { bytes, file, hash };
  }
  return undefined;
}

/**
 * Of a file that is one, and not larger than a compiler: what lies in a workspace may be anything, and something else from
 * one moment to the next. A link is followed: the hash tells what may run.
 */
function bytesOf(path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    // A pipe would be waited for without it.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(file);
    if (!found.isFile() || found.size > MAX_FILE_BYTES) return undefined;
    const bytes = Buffer.alloc(found.size);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      if (read === 0) return undefined;
      length += read;
    }
    return bytes;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
