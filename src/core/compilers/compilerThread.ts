import { t } from "@vscode/l10n";
import { Worker } from "node:worker_threads";
import { threadFile } from "../concurrency/threadFile.ts";
import { LedgerLensError } from "../errors.ts";
import { catalogInUse } from "../text/catalog.ts";
import type {
  CompilerMessage,
  CompilerQuestion,
  CompilerStart,
  HostMessage,
  LoadedCompiler,
} from "./compilerQuestions.ts";

/** The heap of a thread; the compiler's own memory is bounded apart. */
const MAX_HEAP_MB = 4_096;
/** Before 0.8.26 was mended, inputs above 1.3 MB took more than the 4 MB of stack that a thread has. */
const STACK_MB = 64;

/** The largest projects take two minutes. */
const MAX_MS = 10 * 60_000;

/** Standard JSON in, standard JSON out, by another program. */
type CompileElsewhere = (input: string) => Promise<string>;

/** A question under way. */
interface Asked {
  readonly answer: PromiseWithResolvers<string>;
  readonly compile: CompileElsewhere | undefined;
}

/** Threads that were told to end and still hold their memory. */
const ending = new Set<Promise<unknown>>();

/**
 * Waits until threads that were told to end have given back their memory, some milliseconds each: what may run at once is
 * bounded by it, and a thread that starts while another ends has been seen to take the process down (nodejs/node issue
 * 56312).
 */
export async function threadsEnded(): Promise<void> {
  while (ending.size > 0) await Promise.allSettled(ending);
}

/** A compiler that runs on a thread of its own and does one thing at a time. */
export class CompilerThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Asked>();
  readonly #ready = Promise.withResolvers<LoadedCompiler>();
  readonly #name: string;
  #calls = 0;
  #fault: LedgerLensError | undefined;

  /** @param name of the compiler, for sentences: "solc 0.8.28" */
  constructor(name: string, start: CompilerStart) {
    this.#name = name;
    this.#worker = new Worker(threadFile("compilerWorker"), {
      workerData: { ...start, catalog: catalogInUse() },
      // It knows nothing of the machine but its file.
      env: {},
      argv: [],
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, stackSizeMb: STACK_MB },
    });
    this.#worker.unref();
    this.#worker.on("message", (message: CompilerMessage) => this.#hear(message));
    this.#worker.on("error", (error: NodeJS.ErrnoException) => {
      this.#end(
        error.code === "ERR_WORKER_OUT_OF_MEMORY" ? this.#outOfMemory() : this.#brokenDown(error.message),
      );
    });
    this.#worker.on("exit", () => this.#end(this.#brokenDown("its thread ended")));
    this.#ready.promise.catch(() => undefined);
  }

  /** Whether it answers no more. */
  get isOver(): boolean {
    return this.#fault !== undefined;
  }

  /**
   * What was loaded.
   *
   * @throws LedgerLensError `compiler_refused` for a file that is not an official one, and as {@link ask}
   */
  get loaded(): Promise<LoadedCompiler> {
    return this.#ready.promise;
  }

  /**
   * Asks the compiler; an abort ends the thread, since nothing else ends a compilation.
   *
   * @param compile what a thread without a compiler of its own has compiled elsewhere
   * @throws LedgerLensError `compiler_out_of_memory`, `compiler_failed`, `compiler_too_slow`, what `compile` throws, and the
   * reason of the signal
   */
  async ask(question: CompilerQuestion, signal?: AbortSignal, compile?: CompileElsewhere): Promise<string> {
    signal?.throwIfAborted();
    if (this.#fault) throw this.#fault;
    const call = ++this.#calls;
    const answer = Promise.withResolvers<string>();
    this.#waiting.set(call, { answer, compile });
    const stop = () => {
      answer.reject(signal?.reason as Error);
      this.dispose();
    };
    signal?.addEventListener("abort", stop, { once: true });
    const timer = setTimeout(() => this.#end(this.#tooSlow()), MAX_MS);
    timer.unref();
    this.#say({ kind: "ask", call, question });
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(call);
      signal?.removeEventListener("abort", stop);
    }
  }

  /** Ends the thread, and with it what it does. */
  dispose(): void {
    this.#end(this.#brokenDown("it was ended"));
  }

  #hear(message: CompilerMessage): void {
    switch (message.kind) {
      case "ready":
        this.#ready.resolve({ file: message.file, sha256: message.sha256, version: message.version });
        break;
      case "refused":
        this.#end(
          new LedgerLensError(
            "compiler_refused",
            t`${this.#name} does not run: its file is not the one that its makers released. Remove the file, then try again.`,
            { remedy: { mayPass: true } },
          ),
        );
        break;
      case "answer":
        this.#waiting.get(message.call)?.answer.resolve(message.answer);
        break;
      case "compile":
        void this.#compileElsewhere(message.call, message.input);
        break;
      case "fault": {
        const fault = this.#faultOf(message.reason);
        // A compiler that broke down is in no state to go on.
        this.#end(fault);
        break;
      }
    }
  }

  async #compileElsewhere(call: number, input: string): Promise<void> {
    const asked = this.#waiting.get(call);
    try {
      if (!asked?.compile) throw new Error("nothing compiles it");
      this.#say({ kind: "compiled", call, output: await asked.compile(input) });
    } catch (error) {
      asked?.answer.reject(error);
      this.#say({ kind: "not_compiled", call, reason: String(error) });
    }
  }

  #say(message: HostMessage): void {
    this.#worker.postMessage(message);
  }

  #tooSlow(): LedgerLensError {
    return new LedgerLensError(
      "compiler_too_slow",
      t`${this.#name} was ended after ${MAX_MS / 60_000} minutes. Compile fewer files, or build with your own tool.`,
    );
  }

  #faultOf(reason: string): LedgerLensError {
    return /out of memory|no memory left|\bOOM\b|bad_alloc|enlarge memory/i.test(reason)
      ? this.#outOfMemory()
      : this.#brokenDown(reason);
  }

  #outOfMemory(): LedgerLensError {
    return new LedgerLensError(
      "compiler_out_of_memory",
      t`${this.#name} needs more memory than it may have to compile this. Compile fewer files, or build with your own tool.`,
    );
  }

  #brokenDown(reason: string): LedgerLensError {
    return new LedgerLensError(
      "compiler_failed",
      t`${this.#name} broke down while it compiled. Try again, or build with your own tool.`,
      { detail: reason, remedy: { mayPass: true } },
    );
  }

  #end(fault: LedgerLensError): void {
    if (this.#fault) return;
    this.#fault = fault;
    this.#ready.reject(fault);
    for (const { answer } of this.#waiting.values()) answer.reject(fault);
    const end = this.#worker.terminate().finally(() => ending.delete(end));
    ending.add(end);
  }
}
