import { join } from "node:path";

/**
 * The file of a thread: `esbuild.mjs` puts it beside those of the extension, and the sources, in `src/core`, run as they are.
 *
 * @param name without its ending
 */
export function threadFile(name: "compilerWorker" | "dataWorker"): string | URL {
  return typeof __dirname === "string"
    ? join(__dirname, `${name}.js`)
    : new URL(`../${name}.ts`, import.meta.url);
}
