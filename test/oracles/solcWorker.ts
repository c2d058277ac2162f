import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { importedFile, type SolcAnswer, type SolcOutput, type SolcRequest } from "./solcPackages.ts";

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
  const imports = new Map<string, string | undefined>();
  const output = solc.compile(JSON.stringify(input), {
    import: (name) => {
      const contents = importedFile(name, lookIn);
      imports.set(name, contents);
      return contents === undefined ? { error: "File not found" } : { contents };
    },
  });
  const answer: SolcAnswer = { output: JSON.parse(output) as SolcOutput, imports };
  parentPort?.postMessage(answer);
});
