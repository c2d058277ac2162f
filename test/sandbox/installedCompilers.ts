import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { CompilerDownloads } from "../../src/core/compilers/compilerDownloads.ts";
import { CompilerStore } from "../../src/core/compilers/compilerStore.ts";
import { LocalCompilers } from "../../src/core/compilers/localCompilers.ts";
import { officialBuilds } from "../../src/core/compilers/officialBuilds.ts";
import { JsonClient } from "../../src/core/http/jsonClient.ts";
import type { CompileRelease } from "../../src/core/settingsSearch/settingsAttempt.ts";
import { DIRECT_NETWORK } from "../rig/directNetwork.ts";
import { contentHash, keepResult, keptResult } from "../rig/keptResults.ts";

/** As many as the product lets compile at once. */
export const COMPILER_THREADS = Math.max(1, availableParallelism() - 1);

/**
 * Compilers that run here from where npm put them, as from another tool's cache; nothing is downloaded. What a search
 * compiled before is taken from the test cache.
 *
 * @param packages the `soljson.js` of each short version
 */
export function installedCompilers(packages: ReadonlyMap<string, string>): {
  readonly compilers: LocalCompilers;
  readonly compile: CompileRelease;
  readonly stop: () => Promise<void>;
} {
  const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
  const store = new CompilerStore(join(tmpdir(), "no compilers are kept"), 0);
  const fileOf = (longVersion: string) => packages.get(longVersion.split("+")[0] ?? "");
  const compilers = new LocalCompilers({
    store,
    downloads: new CompilerDownloads(client, store, () => "http://127.0.0.1:9/list.json"),
    buildOf: (longVersion) => officialBuilds.get(longVersion),
    placesOf: (longVersion) => {
      const file = fileOf(longVersion);
      return file === undefined ? [] : [file];
    },
    maxThreads: COMPILER_THREADS,
  });
  return {
    compilers,
    async compile(longVersion, input, signal) {
      signal.throwIfAborted();
      const file = fileOf(longVersion);
      const key = file === undefined ? undefined : (["solc here", contentHash(file), input] as const);
      const kept = key && keptResult(key);
      if (kept !== undefined) return kept;
      const answered = await compilers.ask(longVersion, { kind: "compile", input }, { signal });
      if (key && answered) keepResult(key, answered.answer);
      return answered?.answer;
    },
    async stop() {
      compilers.dispose();
      await client.dispose();
    },
  };
}
