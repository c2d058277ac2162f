import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import type { SolcOutput, SolcRequest } from "./solcPackages.ts";

interface Solc {
  compile(
    input: string,
    callbacks: { import: (name: string) => { contents: string } | { error: string } },
  ): string;
}

const require = createRequire(import.meta.url);
const wrapper = require("solc/wrapper.js") as (soljson: unknown) => Solc;
const solc = wrapper(require((workerData as { soljson: string }).soljson));

parentPort?.on("message", ({ input, lookIn }: SolcRequest) => {
  const output = solc.compile(JSON.stringify(input), {
    import: (name) => {
      for (const folder of lookIn) {
        try {
          return { contents: readFileSync(join(folder, name), "utf8") };
        } catch {
          // The next folder may have it.
        }
      }
      return { error: "File not found" };
    },
  });
  parentPort?.postMessage(JSON.parse(output) as SolcOutput);
});
