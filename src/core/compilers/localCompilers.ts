import { shortVersion } from "../versions.ts";
import { t } from "@vscode/l10n";
import { foreign } from "../text/shownText.ts";
import { LedgerLensError } from "../errors.ts";
import { withJointSignal } from "../concurrency/jointSignal.ts";
import type { CompilerDownloads, CompilerPlace, DownloadProgress } from "./compilerDownloads.ts";
import type { CompilerQuestion, LoadedCompiler } from "./compilerQuestions.ts";
import type { CompilerStore } from "./compilerStore.ts";
import { CompilerThread, threadsEnded } from "./compilerThread.ts";
import type { OfficialBuild } from "./officialBuilds.ts";

/** Where a compiler was found. */
export type CompilerSource = "kept" | "other tool" | "downloaded";

/** A compiler that runs here. */
export interface RunningCompiler extends LoadedCompiler {
  /** In the full form, such as "0.8.28+commit.7893614a". */
  readonly longVersion: string;
  readonly source: CompilerSource;
}

/** How a compiler may be had. */
export interface CompilerWish {
  /** Asked where it is not here yet; without it only what is here counts. */
  readonly mayDownload?: ((build: OfficialBuild, place: CompilerPlace) => Promise<boolean>) | undefined;
  readonly onDownload?: ((progress: DownloadProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What {@link LocalCompilers} is made of. */
interface LocalCompilersOptions {
  readonly store: CompilerStore;
  readonly downloads: CompilerDownloads;
  /** The release of a full version, with its official hashes. */
  readonly buildOf: (longVersion: string) => OfficialBuild | undefined;
  /** Where other tools may have left it. */
  readonly placesOf: (longVersion: string) => readonly string[];
  /** How many threads may compile at once. */
  readonly maxThreads: number;
}

/** The compiler's own memory, of which 4 GB is the most that WebAssembly knows. */
const MAX_MEMORY_BYTES = 2 * 1024 * 1024 * 1024;
/** A thread that nothing asks for so long goes: each holds hundreds of megabytes. */
const IDLE_MS = 60_000;

/** A thread with its compiler, asked by one at a time. */
interface Lane {
  readonly longVersion: string;
  readonly thread: CompilerThread;
  readonly compiler: RunningCompiler;
  isBusy: boolean;
  idle?: NodeJS.Timeout;
}

/**
 * The solc releases that run on this machine, each on threads of its own and loaded once for many questions. They come
 * from our own store, from what other tools left, and, where that is wished, from the official list; which it is counts
 * for nothing, since only official files run.
 */
export class LocalCompilers {
  readonly #options: LocalCompilersOptions;
  #lanes: Lane[] = [];
  /** Those that wait for a thread, first come, first served. */
  readonly #queue: (() => void)[] = [];
  readonly #disposal = new AbortController();
  #taken = 0;
  #starting = 0;

  constructor(options: LocalCompilersOptions) {
    this.#options = options;
  }

  /**
   * Asks a compiler.
   *
   * @returns the answer as JSON, and who gave it; `undefined` where the compiler is not here and may not be fetched
   * @throws LedgerLensError `compiler_unknown`, those of {@link CompilerDownloads.fetch} and {@link CompilerThread.ask}
   */
  async ask(
    longVersion: string,
    question: CompilerQuestion,
    wish: CompilerWish = {},
  ): Promise<{ readonly answer: string; readonly compiler: RunningCompiler } | undefined> {
    const build = this.#buildOf(longVersion);
    return withJointSignal([this.#disposal.signal, wish.signal], (signal) =>
      this.#asked(build, question, { ...wish, signal }),
    );
  }

  async #asked(
    build: OfficialBuild,
    question: CompilerQuestion,
    wish: CompilerWish & { readonly signal: AbortSignal },
  ): Promise<{ readonly answer: string; readonly compiler: RunningCompiler } | undefined> {
    const { longVersion } = build;
    const { signal } = wish;
    for (let downloaded: string | undefined; ;) {
      await this.#turn(signal);
      let lane: Lane | undefined;
      try {
        lane = this.#freeLane(longVersion) ?? (await this.#newLane(build, downloaded, signal));
        if (lane) {
          lane.isBusy = true;
          clearTimeout(lane.idle);
          return { answer: await lane.thread.ask(question, signal), compiler: lane.compiler };
        }
      } finally {
        this.#release(lane);
      }
      if (downloaded !== undefined) throw changedSince(longVersion);
      // Neither a question that waits for a person nor a download keeps others from compiling.
      const { downloads } = this.#options;
      const { place } = downloads;
      if ((await wish.mayDownload?.(build, place)) !== true) return undefined;
      downloaded = await downloads.fetch(build, wish.onDownload, signal, place);
    }
  }

  /** Ends every thread, and whatever waits for one. */
  dispose(): void {
    this.#disposal.abort(new LedgerLensError("cancelled", t`The compilation was cancelled.`));
    for (const { thread, idle } of this.#lanes) {
      clearTimeout(idle);
      thread.dispose();
    }
    this.#lanes = [];
  }

  #buildOf(longVersion: string): OfficialBuild {
    const build = this.#options.buildOf(longVersion);
    if (build) return build;
    throw new LedgerLensError(
      "compiler_unknown",
      t`solc ${foreign(longVersion)} is no release that Ledger Lens can run: only official releases from 0.4.11 on do. Run Refresh Compiler List if it is newer than this version of Ledger Lens.`,
    );
  }

  #freeLane(longVersion: string): Lane | undefined {
    this.#lanes = this.#lanes.filter(({ thread }) => !thread.isOver);
    return this.#lanes.find((lane) => lane.longVersion === longVersion && !lane.isBusy);
  }

  async #newLane(
    build: OfficialBuild,
    downloaded: string | undefined,
    signal: AbortSignal,
  ): Promise<Lane | undefined> {
    const { store, placesOf } = this.#options;
    const kept = downloaded ?? (await store.fileOf(build));
    const source = downloaded === undefined ? "kept" : "downloaded";
    const found =
      (await this.#started(build, kept === undefined ? [] : [kept], source, signal)) ??
      (await this.#started(build, placesOf(build.longVersion), "other tool", signal));
    // A file that is kept under the name of another is no compiler.
    if (!found && kept !== undefined) await store.drop(kept);
    return found;
  }

  /** A thread for the first of the files that is an official one. */
  async #started(
    { longVersion, sha256 }: OfficialBuild,
    files: readonly string[],
    source: CompilerSource,
    signal: AbortSignal,
  ): Promise<Lane | undefined> {
    signal.throwIfAborted();
    if (files.length === 0) return undefined;
    this.#starting++;
    let stop: () => void = () => undefined;
    try {
      this.#makeRoom();
      await threadsEnded();
      signal.throwIfAborted();
      const thread = new CompilerThread(`solc ${shortVersion(longVersion)}`, {
        files,
        sha256,
        maxMemoryBytes: MAX_MEMORY_BYTES,
      });
      stop = () => thread.dispose();
      signal.addEventListener("abort", stop, { once: true });
      const loaded = await thread.loaded;
      const lane = { longVersion, thread, compiler: { ...loaded, longVersion, source }, isBusy: true };
      this.#lanes.push(lane);
      return lane;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof LedgerLensError && error.code === "compiler_refused") return undefined;
      throw error;
    } finally {
      this.#starting--;
      signal.removeEventListener("abort", stop);
    }
  }

  /** Ends threads that wait for a question, where there are more than there may be with those that start. */
  #makeRoom(): void {
    while (this.#lanes.length + this.#starting > this.#options.maxThreads) {
      const at = this.#lanes.findIndex(({ isBusy }) => !isBusy);
      if (at < 0) return;
      const [lane] = this.#lanes.splice(at, 1);
      clearTimeout(lane?.idle);
      lane?.thread.dispose();
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#taken < this.#options.maxThreads) {
      this.#taken++;
      return;
    }
    const turn = Promise.withResolvers<undefined>();
    const take = () => turn.resolve(undefined);
    const leave = () => {
      const at = this.#queue.indexOf(take);
      if (at >= 0) this.#queue.splice(at, 1);
      turn.reject(signal.reason as Error);
    };
    this.#queue.push(take);
    signal.addEventListener("abort", leave, { once: true });
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  #release(lane: Lane | undefined): void {
    // The turn goes over to the next that waits.
    const next = this.#queue.shift();
    if (next) next();
    else this.#taken--;
    if (!lane) return;
    lane.isBusy = false;
    if (lane.thread.isOver) {
      this.#lanes = this.#lanes.filter((other) => other !== lane);
      return;
    }
    lane.idle = setTimeout(() => {
      this.#lanes = this.#lanes.filter((other) => other !== lane);
      lane.thread.dispose();
    }, IDLE_MS);
    lane.idle.unref();
  }
}

function changedSince(longVersion: string): LedgerLensError {
  return new LedgerLensError(
    "compiler_refused",
    t`solc ${foreign(longVersion)} does not run: its file changed after it was fetched. Try again.`,
    { remedy: { mayPass: true } },
  );
}
