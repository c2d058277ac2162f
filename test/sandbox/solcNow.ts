import { createRequire } from "node:module";
import { contentHash, keepResult, keptResult } from "../rig/keptResults.ts";

/**
 * Compiles with a solc that is installed as an npm package, in this thread; what was compiled before is taken from the
 * test cache, and the compiler is not even loaded.
 *
 * @param input standard JSON input
 * @param release the name of the package
 * @returns standard JSON output
 */
export function compileNow(input: object, release = "solc"): unknown {
  const require = createRequire(import.meta.url);
  const text = JSON.stringify(input);
  const key = ["solc package", contentHash(require.resolve(`${release}/soljson.js`)), text] as const;
  let output = keptResult(key);
  if (output === undefined) {
    output = (require(release) as { compile: (input: string) => string }).compile(text);
    keepResult(key, output);
  }
  return JSON.parse(output);
}
