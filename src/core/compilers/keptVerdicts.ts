import { t } from "@vscode/l10n";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { inPool } from "../concurrency/inPool.ts";
import { clearOwnPlace, createOwnFile, isStranger, withOwnFile } from "../files/ownFile.ts";
import {
  flag,
  ifReadable,
  matching,
  nullable,
  numberFrom,
  object,
  oneOf,
  readAs,
  text,
} from "../json/shape.ts";
import { codeTransformations } from "../service/codeTransformation.ts";
import type { EngineVerdict } from "./compilerQuestions.ts";

/** A verdict as it is kept: what it says, and nothing of the sources or of the codes. */
export interface KeptVerdict {
  readonly compiler: {
    /** In the full form. */
    readonly version: string;
    readonly source: "kept" | "other tool" | "downloaded" | "installed";
    readonly sha256?: string;
  };
  readonly engine: Pick<
    EngineVerdict,
    "runtimeMatch" | "creationMatch" | "isOfOtherText" | "transformations" | "error"
  >;
}

/** Of what is written; another form of it is not read. */
const FORMAT = 2;
/** The engine that judged, `@ethereum-sourcify/lib-sourcify`: another version of it may judge otherwise. */
export const ENGINE_VERSION = "3.4.0";
/** Some of 1 kB each. */
const MAX_VERDICTS = 2_000;
/** What a full folder is cut down to, so that it is not listed for every new one. */
const LEFT_VERDICTS = 1_800;
const MAX_BYTES = 64 * 1024;
/** A file that is not written whole by then never will be. */
const ABANDONED_MS = 60 * 60_000;
const FILES_AT_ONCE = 32;
const KEY = /^[0-9a-f]{64}$/;
const FILE_NAME = /^[0-9a-f]{64}\.json$/;

const match = nullable(oneOf("exact_match", "match"));
const keptVerdict = object({
  format: numberFrom(FORMAT, FORMAT),
  engineVersion: oneOf(ENGINE_VERSION),
  compiler: object({
    version: text(200),
    source: oneOf("kept", "other tool", "downloaded", "installed"),
    sha256: ifReadable(matching(KEY, () => t`a hash`)),
  }),
  engine: object({
    runtimeMatch: match,
    creationMatch: match,
    isOfOtherText: ifReadable(flag),
    transformations: object({ runtime: codeTransformations, creation: codeTransformations }),
    error: ifReadable(object({ code: text(200), message: text(10_000) })),
  }),
});

/**
 * Verdicts in a folder that only we write to, a file each, so that windows need not wait for one another: asking again costs
 * nothing after a restart, either. What is damaged or of another version is not known, and what the disk refuses is not kept.
 */
export class KeptVerdicts {
  readonly #folder: string;
  /** How many there are at most, as far as this session knows. */
  #count: number | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param key the SHA-256 of all that decides it */
  async get(key: string): Promise<KeptVerdict | undefined> {
    const path = this.#pathOf(key);
    try {
      const written = await withOwnFile(path, async (file) =>
        (await file.stat()).size > MAX_BYTES ? undefined : file.readFile("utf8"),
      );
      const verdict = written === undefined ? undefined : readAs(keptVerdict, JSON.parse(written));
      if (!verdict) return undefined;
      // When it was used last is when it was changed last, as far as the file system is told.
      const now = new Date();
      await utimes(path, now, now).catch(() => undefined);
      return { compiler: verdict.compiler, engine: verdict.engine };
    } catch {
      return undefined;
    }
  }

  async set(key: string, { compiler, engine }: KeptVerdict): Promise<void> {
    const { runtimeMatch, creationMatch, isOfOtherText, error } = engine;
    const written = JSON.stringify({
      format: FORMAT,
      engineVersion: ENGINE_VERSION,
      compiler,
      engine: { runtimeMatch, creationMatch, isOfOtherText, transformations: engine.transformations, error },
    });
    if (written.length > MAX_BYTES) return;
    const work = join(this.#folder, `${key}.${crypto.randomUUID()}.unfinished`);
    const path = this.#pathOf(key);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await createOwnFile(work, written);
      if (await isStranger(path)) await clearOwnPlace(path);
      await rename(work, path);
      await this.#trim();
    } catch {
      await rm(work, { force: true }).catch(() => undefined);
    }
  }

  async #trim(): Promise<void> {
    if (this.#count !== undefined && ++this.#count <= MAX_VERDICTS) return;
    const found: { readonly path: string; readonly lastUsed: number }[] = [];
    await inPool(await readdir(this.#folder), FILES_AT_ONCE, async (name) => {
      const path = join(this.#folder, name);
      const lastUsed = (await stat(path).catch(() => undefined))?.mtimeMs;
      if (lastUsed === undefined) return;
      if (FILE_NAME.test(name)) found.push({ path, lastUsed });
      else if (name.endsWith(".unfinished") && Date.now() - lastUsed > ABANDONED_MS)
        await rm(path, { force: true });
    });
    const surplus = found.length > MAX_VERDICTS ? found.length - LEFT_VERDICTS : 0;
    const oldest = found.sort((a, b) => a.lastUsed - b.lastUsed).slice(0, surplus);
    await inPool(oldest, FILES_AT_ONCE, ({ path }) => rm(path, { force: true }));
    this.#count = found.length - surplus;
  }

  #pathOf(key: string): string {
    return join(this.#folder, `${key}.json`);
  }
}
