import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { contentHash, keepResult, keptResult } from "../rig/keptResults.ts";
import { repositoryRoot } from "../rig/paths.ts";

/** The output of a compiler, as far as the sandbox reads it. */
export interface CompilerOutput {
  readonly errors?: readonly {
    readonly severity: string;
    readonly formattedMessage?: string;
    readonly message: string;
  }[];
  readonly sources?: Readonly<Record<string, { readonly id: number }>>;
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly metadata: string;
            readonly evm: {
              readonly bytecode: { readonly object: string };
              readonly deployedBytecode: { readonly object: string };
            };
          }
        >
      >
    >
  >;
}

function repositoryPackages(): ReadonlyMap<string, string> {
  const require = createRequire(import.meta.url);
  const names = readdirSync(`${repositoryRoot}/node_modules`).filter((name) => /^solc(-\d|$)/.test(name));
  return new Map(
    names.map((name) => {
      const { version } = JSON.parse(readFileSync(require.resolve(`${name}/package.json`), "utf8")) as {
        version: string;
      };
      return [version, require.resolve(`${name}/soljson.js`)];
    }),
  );
}

/**
 * The solc versions that are installed as npm packages, each compiling in a thread of its own, so that a caller
 * stays responsive while a contract compiles. What was compiled before is taken from the test cache.
 */
export class SolidityCompilers {
  readonly #packages: ReadonlyMap<string, string>;
  readonly #keeps: boolean;
  readonly #workers = new Map<string, Worker>();
  readonly #waiting = new Map<
    number,
    { readonly worker: Worker; resolve(output: string): void; reject(reason: Error): void }
  >();
  #calls = 0;

  /**
   * @param packages The `soljson.js` of each short version; those of the repository unless said.
   * @param keeps whether outputs are put in the test cache
   */
  constructor(packages: ReadonlyMap<string, string> = repositoryPackages(), { keeps = true } = {}) {
    this.#packages = packages;
    this.#keeps = keeps;
  }

  /** Short versions, oldest first. */
  get versions(): string[] {
    return [...this.#packages.keys()].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  }

  /** Compiles with the version, short or full; `undefined` when it is not installed. */
  async compile(version: string, input: unknown): Promise<CompilerOutput | undefined> {
    const output = await this.#ask(version, JSON.stringify(input));
    return output === undefined ? undefined : (JSON.parse(output) as CompilerOutput);
  }

  /** The release as the compiler names itself, such as "0.8.28+commit.7893614a"; `undefined` where it is not installed. */
  async fullVersion(version: string): Promise<string | undefined> {
    const name = await this.#ask(version, undefined);
    return name === undefined ? undefined : /^[\d.]+\+commit\.[0-9a-f]{8}/.exec(name)?.[0];
  }

  /** What a compiler says to an input, or of its version where there is none. */
  async #ask(version: string, input: string | undefined): Promise<string | undefined> {
    const short = version.replace(/^v/, "").split("+")[0] ?? version;
    const soljson = this.#packages.get(short);
    if (!soljson) return undefined;
    const key = ["solc", contentHash(soljson), input ?? "--version"] as const;
    const kept = keptResult(key);
    if (kept !== undefined) return kept;
    const worker = this.#worker(short, soljson);
    const call = ++this.#calls;
    const output = await new Promise<string>((resolve, reject) => {
      this.#waiting.set(call, { worker, resolve, reject });
      worker.postMessage({ call, input });
    });
    if (this.#keeps) keepResult(key, output);
    return output;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#workers.values()].map((worker) => worker.terminate()));
    this.#workers.clear();
  }

  #worker(version: string, soljson: string): Worker {
    const known = this.#workers.get(version);
    if (known) return known;
    const worker = new Worker(new URL("./compilerWorker.ts", import.meta.url), { workerData: { soljson } });
    worker.unref();
    worker.on("message", ({ call, output }: { call: number; output: string }) => {
      this.#waiting.get(call)?.resolve(output);
      this.#waiting.delete(call);
    });
    // An old compiler ends itself over what it can't parse.
    const ended = (why: string) => {
      this.#workers.delete(version);
      for (const [call, waiting] of this.#waiting) {
        if (waiting.worker !== worker) continue;
        this.#waiting.delete(call);
        waiting.reject(new Error(`solc ${version} ended: ${why}`));
      }
    };
    worker.on("error", (error) => ended(String(error)));
    worker.on("exit", (code) => ended(`exit ${code}`));
    this.#workers.set(version, worker);
    return worker;
  }
}
