import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { cacheFolder } from "./paths.ts";

/**
 * What decides a result, all of it: a program by {@link contentHash}, its arguments, what it reads. Two keys that differ
 * in any part are two results.
 */
export type ResultKey = readonly [kind: string, ...parts: string[]];

/** What a real compiler or tool answered to this before, in this checkout; `undefined` where it was not asked yet. */
export function keptResult(key: ResultKey): string | undefined {
  try {
    return gunzipSync(readFileSync(placeOf(key))).toString();
  } catch {
    // Not there, or damaged, which costs another run.
    return undefined;
  }
}

/** Keeps a result for every later run of this checkout and for the test files that run meanwhile. */
export function keepResult(key: ResultKey, result: string): void {
  const path = placeOf(key);
  mkdirSync(dirname(path), { recursive: true });
  // In place as a whole or not at all: other processes read it.
  writeFileSync(`${path}.${process.pid}`, gzipSync(result, { level: 3 }));
  renameSync(`${path}.${process.pid}`, path);
}

const hashes = new Map<string, string>();

/** The hash of a file that does not change while this process runs, such as a compiler. */
export function contentHash(path: string): string {
  const hash = hashes.get(path) ?? contentHashNow(path);
  hashes.set(path, hash);
  return hash;
}

/** The hash of a file that may change while this process runs. */
export function contentHashNow(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function placeOf(key: ResultKey): string {
  const hash = createHash("sha256").update(JSON.stringify(key)).digest("hex");
  return join(cacheFolder, "compilations", hash.slice(0, 2), `${hash}.gz`);
}
