import { foreign } from "../text/shownText.ts";
import { LedgerLensError } from "../errors.ts";
import { HttpError } from "../http/httpError.ts";
import type { JsonClient } from "../http/jsonClient.ts";
import { shownHost } from "../http/shownAddress.ts";
import { systemClock, type Clock } from "../concurrency/clock.ts";
import { soljsonName } from "../languages/solidity/solcReleases.ts";
import type { CompilerStore, UnfinishedCompiler } from "./compilerStore.ts";
import type { OfficialBuild } from "./officialBuilds.ts";

/** How far a download is, in bytes; `of` where the server says it. */
export interface DownloadProgress {
  readonly done: number;
  readonly of: number | undefined;
}

/** More than any release has, the largest being 27 MB. */
const MAX_BYTES = 64 * 1024 * 1024;
/** How often a broken download is continued, and after which wait. */
const MAX_CONTINUATIONS = 4;
const CONTINUE_AFTER_MS = 500;

/** A download that several wait for. */
interface Download {
  readonly file: Promise<string>;
  readonly abort: AbortController;
  readonly listeners: Set<(progress: DownloadProgress) => void>;
  last: DownloadProgress;
  waiting: number;
}

/**
 * Fetches compilers from where their list lies, each once for all that wait for it; what broke off goes on where it ended,
 * also in another session. Nothing is kept that is not an official file of the release.
 */
export class CompilerDownloads {
  readonly #client: Pick<JsonClient, "open">;
  readonly #store: CompilerStore;
  readonly #listUrl: () => string;
  readonly #clock: Clock;
  readonly #running = new Map<string, Download>();

  /** @param listUrl where the list of solc's builds lies: the files lie beside it */
  constructor(
    client: Pick<JsonClient, "open">,
    store: CompilerStore,
    listUrl: () => string,
    clock = systemClock,
  ) {
    this.#client = client;
    this.#store = store;
    this.#listUrl = listUrl;
    this.#clock = clock;
  }

  /** The host that a compiler would come from, as it is shown. */
  get host(): string {
    return shownHost(this.#listUrl());
  }

  /**
   * How large a compiler is, in bytes, where the server says so.
   *
   * @throws HttpError
   */
  async sizeOf(build: OfficialBuild, signal?: AbortSignal): Promise<number | undefined> {
    return this.#client.open(this.#request(build, signal), (answer) =>
      Promise.resolve(answer.status === 200 ? lengthOf(answer.headers) : undefined),
    );
  }

  /**
   * Fetches a compiler.
   *
   * @returns its path in the store
   * @throws LedgerLensError `compiler_missing`, `compiler_refused`, and those of a connection and of the disk
   */
  async fetch(
    build: OfficialBuild,
    onProgress: (progress: DownloadProgress) => void = () => undefined,
    signal?: AbortSignal,
  ): Promise<string> {
    signal?.throwIfAborted();
    const running = this.#running.get(build.longVersion);
    const download = running && !running.abort.signal.aborted ? running : this.#begun(build, running);
    download.waiting++;
    download.listeners.add(onProgress);
    onProgress(download.last);
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal?.reason as Error);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([download.file, left.promise]);
    } finally {
      signal?.removeEventListener("abort", leave);
      download.listeners.delete(onProgress);
      // Without one who waits it ends; what came stays for the next time.
      if (--download.waiting === 0) download.abort.abort();
    }
  }

  /** @param before the one that was left and may still be ending: what came of it is where this one goes on */
  #begun(build: OfficialBuild, before: Download | undefined): Download {
    const abort = new AbortController();
    const download: Download = {
      abort,
      listeners: new Set(),
      last: { done: 0, of: undefined },
      waiting: 0,
      file: this.#fetched(build, before, abort.signal, (progress) => {
        download.last = progress;
        for (const listener of download.listeners) listener(progress);
      }).finally(() => {
        if (this.#running.get(build.longVersion) === download) this.#running.delete(build.longVersion);
      }),
    };
    download.file.catch(() => undefined);
    this.#running.set(build.longVersion, download);
    return download;
  }

  async #fetched(
    build: OfficialBuild,
    before: Download | undefined,
    signal: AbortSignal,
    onProgress: (progress: DownloadProgress) => void,
  ): Promise<string> {
    await before?.file.catch(() => undefined);
    return this.#store.keep(build, async (unfinished) => {
      for (let attempt = 0; ; attempt++) {
        const before = unfinished.bytes;
        try {
          if (await this.#continued(build, unfinished, onProgress, signal)) return;
        } catch (error) {
          const isPassing =
            error instanceof HttpError && (error.code === "unreachable" || error.code === "timeout");
          if (!isPassing || attempt >= MAX_CONTINUATIONS) throw error;
        }
        if (attempt >= MAX_CONTINUATIONS && unfinished.bytes === before) throw this.#brokenOff(build);
        await this.#clock.sleep(CONTINUE_AFTER_MS * 2 ** attempt, signal);
      }
    });
  }

  /** Fetches what is missing; whether all is there. */
  async #continued(
    build: OfficialBuild,
    unfinished: UnfinishedCompiler,
    onProgress: (progress: DownloadProgress) => void,
    signal: AbortSignal,
  ): Promise<boolean> {
    const request = { ...this.#request(build, signal), from: unfinished.bytes };
    return this.#client.open(request, async ({ status, headers, body }) => {
      const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers["content-range"] ?? "");
      const isRest = status === 206 && Number(range?.[1]) === unfinished.bytes;
      // Nothing is left of it, or what is here is no beginning of it.
      if (status === 416 || (status === 206 && !isRest)) {
        await unfinished.clear();
        return false;
      }
      if (status !== 200 && status !== 206) throw this.#missing(build, status);
      if (status === 200) await unfinished.clear();
      const of = isRest ? Number(range?.[2]) : lengthOf(headers);
      if ((of ?? 0) > MAX_BYTES) throw this.#tooLarge(build);
      for await (const chunk of body) {
        await unfinished.append(chunk);
        if (unfinished.bytes > MAX_BYTES) {
          await unfinished.clear();
          throw this.#tooLarge(build);
        }
        onProgress({ done: unfinished.bytes, of });
      }
      return of === undefined || unfinished.bytes >= of;
    });
  }

  #request({ longVersion }: OfficialBuild, signal: AbortSignal | undefined) {
    // The name follows from the release and from nothing that a list says: it neither climbs nor names another host.
    const listUrl = this.#listUrl();
    const url = URL.parse(soljsonName(longVersion), listUrl)?.href ?? listUrl;
    return { url, service: "The server of compilers", ...(signal && { signal }) };
  }

  #missing({ longVersion }: OfficialBuild, status: number): LedgerLensError {
    return new LedgerLensError(
      "compiler_missing",
      `solc ${foreign(longVersion)} can't be fetched: ${this.host} answered with status ${status}. Check ledgerLens.solcListUrl, or try again later.`,
    );
  }

  #brokenOff({ longVersion }: OfficialBuild): LedgerLensError {
    return new LedgerLensError(
      "compiler_missing",
      `solc ${foreign(longVersion)} did not arrive whole from ${this.host}. Try again later: it goes on where it ended.`,
    );
  }

  #tooLarge({ longVersion }: OfficialBuild): LedgerLensError {
    return new LedgerLensError(
      "compiler_refused",
      `What ${this.host} sends as solc ${foreign(longVersion)} is larger than any release, so it is not kept. Check ledgerLens.solcListUrl.`,
    );
  }
}

function lengthOf(headers: Readonly<Record<string, string>>): number | undefined {
  const length = headers["content-length"];
  return length !== undefined && /^\d{1,12}$/.test(length) ? Number(length) : undefined;
}
