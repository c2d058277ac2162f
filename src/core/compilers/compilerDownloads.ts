import { t } from "@vscode/l10n";
import { foreign } from "../text/shownText.ts";
import { LedgerLensError } from "../errors.ts";
import { isPassingFault } from "../http/httpError.ts";
import type { FileRequest, JsonClient } from "../http/jsonClient.ts";
import { shownHost } from "../http/shownAddress.ts";
import { systemClock, type Clock } from "../concurrency/clock.ts";
import { soljsonName } from "../languages/solidity/solcReleases.ts";
import { SharedWork } from "../concurrency/sharedWork.ts";
import type { CompilerStore, UnfinishedCompiler } from "./compilerStore.ts";
import type { OfficialBuild } from "./officialBuilds.ts";

/** How far a download is, in bytes; `of` where the server says it. */
export interface DownloadProgress {
  readonly done: number;
  readonly of: number | undefined;
}

/** More than any release has, the largest being 27 MB. */
const MAX_BYTES = 64 * 1024 * 1024;
/** How often a download is continued that nothing came of, and after which wait. */
const MAX_IN_VAIN = 4;
const CONTINUE_AFTER_MS = 500;
/** Pieces in which a release comes at most: servers give it in some of a megabyte. */
const MAX_PIECES = 400;

/** Where compilers lie: it stays what it was when it was looked at, whatever is configured later. */
export interface CompilerPlace {
  /** The address of the list, beside which the files are. */
  readonly listUrl: string;
  /** As it is shown. */
  readonly host: string;
}

/** How far a download is that several wait for. */
interface SharedProgress {
  readonly listeners: Set<(progress: DownloadProgress) => void>;
  last: DownloadProgress;
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
  readonly #running = new SharedWork<string>();
  readonly #progress = new Map<string, SharedProgress>();

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

  /** Where a compiler would come from now. */
  get place(): CompilerPlace {
    const listUrl = this.#listUrl();
    return { listUrl, host: shownHost(listUrl) };
  }

  /**
   * How large a compiler is, in bytes, where the server says so. Nothing of it is fetched.
   *
   * @throws HttpError
   */
  async sizeOf(build: OfficialBuild, signal?: AbortSignal, place = this.place): Promise<number | undefined> {
    const request = { ...requestFor(build, place, signal), method: "HEAD" } as const;
    return this.#client.open(request, (answer) =>
      Promise.resolve(answer.status === 200 ? lengthOf(answer.headers) : undefined),
    );
  }

  /**
   * Fetches a compiler.
   *
   * @param place where it lies, as far as that was agreed to; what is configured otherwise
   * @returns its path in the store
   * @throws LedgerLensError `compiler_missing`, `compiler_refused`, and those of a connection and of the disk
   */
  async fetch(
    build: OfficialBuild,
    onProgress: (progress: DownloadProgress) => void = () => undefined,
    signal?: AbortSignal,
    place = this.place,
  ): Promise<string> {
    signal?.throwIfAborted();
    const name = `${build.longVersion} ${place.listUrl}`;
    const progress = this.#progress.get(name) ?? { listeners: new Set(), last: { done: 0, of: undefined } };
    this.#progress.set(name, progress);
    progress.listeners.add(onProgress);
    onProgress(progress.last);
    try {
      return await this.#running.join(
        name,
        // What came of one that was left is where this one goes on.
        async (ends, before) => {
          await before?.catch(() => undefined);
          return this.#fetched(build, place, ends, (now) => {
            progress.last = now;
            for (const listener of progress.listeners) listener(now);
          });
        },
        signal,
      );
    } finally {
      progress.listeners.delete(onProgress);
      if (progress.listeners.size === 0 && this.#progress.get(name) === progress) this.#progress.delete(name);
    }
  }

  async #fetched(
    build: OfficialBuild,
    place: CompilerPlace,
    signal: AbortSignal,
    onProgress: (progress: DownloadProgress) => void,
  ): Promise<string> {
    return this.#store.keep(build, async (unfinished) => {
      let inVain = 0;
      for (let piece = 0; piece < MAX_PIECES; piece++) {
        const before = unfinished.bytes;
        await unfinished.touch();
        try {
          if (await this.#continued(build, place, unfinished, onProgress, signal)) return;
        } catch (error) {
          const isLast = inVain >= MAX_IN_VAIN && unfinished.bytes <= before;
          if (!isPassingFault(error) || isLast) throw error;
        }
        if (unfinished.bytes > before) inVain = 0;
        else if (inVain++ >= MAX_IN_VAIN) break;
        await this.#clock.sleep(CONTINUE_AFTER_MS * 2 ** Math.max(0, inVain - 1), signal);
      }
      throw brokenOff(build, place);
    });
  }

  /** Fetches what is missing; whether all is there. */
  async #continued(
    build: OfficialBuild,
    place: CompilerPlace,
    unfinished: UnfinishedCompiler,
    onProgress: (progress: DownloadProgress) => void,
    signal: AbortSignal,
  ): Promise<boolean> {
    const request = { ...requestFor(build, place, signal), from: unfinished.bytes };
    return this.#client.open(request, async ({ status, headers, body }) => {
      const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers["content-range"] ?? "");
      const isRest = status === 206 && Number(range?.[1]) === unfinished.bytes;
      // Nothing is left of it, or what is here is no beginning of it.
      if (status === 416 || (status === 206 && !isRest)) {
        await unfinished.clear();
        return false;
      }
      if (status !== 200 && status !== 206) throw missing(build, place, status);
      if (status === 200) await unfinished.clear();
      const of = isRest ? Number(range?.[2]) : lengthOf(headers);
      if ((of ?? 0) > MAX_BYTES) throw tooLarge(build, place);
      for await (const chunk of body) {
        await unfinished.append(chunk);
        if (unfinished.bytes > MAX_BYTES) {
          await unfinished.clear();
          throw tooLarge(build, place);
        }
        onProgress({ done: unfinished.bytes, of });
      }
      return of === undefined || unfinished.bytes >= of;
    });
  }
}

function requestFor(
  { longVersion }: OfficialBuild,
  { listUrl }: CompilerPlace,
  signal: AbortSignal | undefined,
): FileRequest {
  // The name follows from the release and from nothing that a list says: it neither climbs nor names another host.
  const url = URL.parse(soljsonName(longVersion), listUrl)?.href ?? listUrl;
  return { url, service: t`The server of compilers`, ...(signal && { signal }) };
}

function missing({ longVersion }: OfficialBuild, { host }: CompilerPlace, status: number): LedgerLensError {
  return new LedgerLensError(
    "compiler_missing",
    t`solc ${foreign(longVersion)} can't be fetched: ${host} answered with status ${status}. Check ledgerLens.solcListUrl, or try again later.`,
    { remedy: { setting: "ledgerLens.solcListUrl", mayPass: true } },
  );
}

function brokenOff({ longVersion }: OfficialBuild, { host }: CompilerPlace): LedgerLensError {
  return new LedgerLensError(
    "compiler_missing",
    t`solc ${foreign(longVersion)} did not arrive whole from ${host}. Try again later: it goes on where it ended.`,
    { remedy: { mayPass: true } },
  );
}

function tooLarge({ longVersion }: OfficialBuild, { host }: CompilerPlace): LedgerLensError {
  return new LedgerLensError(
    "compiler_refused",
    t`What ${host} sends as solc ${foreign(longVersion)} is larger than any release, so it is not kept. Check ledgerLens.solcListUrl.`,
    { remedy: { setting: "ledgerLens.solcListUrl" } },
  );
}

function lengthOf(headers: Readonly<Record<string, string>>): number | undefined {
  const length = headers["content-length"];
  return length !== undefined && /^\d{1,12}$/.test(length) ? Number(length) : undefined;
}
