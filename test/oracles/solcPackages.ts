import { once } from "node:events";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { contentHash, keepResult, keptResult } from "../rig/keptResults.ts";
import { repositoryRoot } from "../rig/paths.ts";

/** A compilation that real solc is asked for. */
export interface SolcRequest {
  /** Standard JSON input. */
  readonly input: unknown;
  /** Folders in which the names that solc asks for are looked up, first come first served. */
  readonly lookIn: readonly string[];
}

/** Standard JSON output, as far as it is read here. */
export interface SolcOutput {
  readonly errors?: readonly {
    readonly severity: string;
    readonly message: string;
    readonly formattedMessage?: string;
  }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, SolcContract>>>>;
}

/** What the thread of a compiler answers. */
export interface SolcAnswer {
  readonly output: SolcOutput;
  /** What each name that solc asked for led to. */
  readonly imports: ReadonlyMap<string, string | undefined>;
}

/** One contract of the output; absent is what the output selection did not ask for. */
export interface SolcContract {
  readonly metadata?: string;
  readonly evm?: { readonly bytecode?: { readonly object?: string } };
}

/** The `soljson.js` of every solc that is installed here or in the oracle packages, by its short version. */
export function solcPackages(oraclePackages: string): ReadonlyMap<string, string> {
  const found = [repositoryRoot, oraclePackages].flatMap((folder) =>
    readdirSync(join(folder, "node_modules"))
      .filter((name) => /^solc(?:-\d|$)/.test(name))
      .map((name) => join(folder, "node_modules", name)),
  );
  // What the repository itself depends on wins: Hardhat brings a solc of its own, an old one.
  return new Map(
    found.reverse().map((folder) => {
      const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
        version: string;
      };
      return [version, join(folder, "soljson.js")];
    }),
  );
}

/** What a compilation gave, and what it read on the way. */
interface KeptCompilation {
  readonly output: SolcOutput;
  /** The hash of the file that each name led to; `null` where it led to none. */
  readonly read: Readonly<Record<string, string | null>>;
}

/** The file that a name leads to, in the first folder that has one. */
export function importedFile(name: string, lookIn: readonly string[]): string | undefined {
  for (const folder of lookIn) {
    try {
      return readFileSync(join(folder, name), "utf8");
    } catch {
      // The next folder may have it.
    }
  }
  return undefined;
}

function hashOf(text: string | undefined): string | null {
  return text === undefined ? null : createHash("sha256").update(text).digest("hex");
}

/**
 * Real compilers, each in a thread of its own that is started when it is first asked. What was compiled before, with the
 * same files to be imported, is taken from the test cache.
 */
export class SolcThreads {
  readonly #packages: ReadonlyMap<string, string>;
  readonly #threads = new Map<string, Worker>();

  /** @param packages The `soljson.js` of each short version. */
  constructor(packages: ReadonlyMap<string, string>) {
    this.#packages = packages;
  }

  /** Compiles with a short version; to be awaited before the same version is asked again. */
  async compile(version: string, request: SolcRequest): Promise<SolcOutput> {
    const soljson = this.#packages.get(version) ?? "";
    const key = ["solc with imports", contentHash(soljson), JSON.stringify(request.input)] as const;
    const text = keptResult(key);
    if (text !== undefined) {
      const kept = JSON.parse(text) as KeptCompilation;
      const isSame = ([name, hash]: [string, string | null]) =>
        hashOf(importedFile(name, request.lookIn)) === hash;
      if (Object.entries(kept.read).every(isSame)) return kept.output;
    }
    let thread = this.#threads.get(version);
    if (!thread) {
      const workerData = { soljson };
      thread = new Worker(new URL("./solcWorker.ts", import.meta.url), { workerData });
      this.#threads.set(version, thread);
    }
    thread.postMessage(request);
    const [{ output, imports }] = (await once(thread, "message")) as [SolcAnswer];
    const read = Object.fromEntries([...imports].map(([name, content]) => [name, hashOf(content)]));
    keepResult(key, JSON.stringify({ output, read } satisfies KeptCompilation));
    return output;
  }

  /** Ends the threads, whose memory grows with what they compile. */
  async stop(): Promise<void> {
    await Promise.all([...this.#threads.values()].map((thread) => thread.terminate()));
    this.#threads.clear();
  }
}

/** What stopped a compilation, one line each. */
export function errorsOf({ errors = [] }: SolcOutput): string[] {
  return errors.filter(({ severity }) => severity === "error").map(({ message }) => message);
}
