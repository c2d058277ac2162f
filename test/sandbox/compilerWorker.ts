import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";

/** The part of an Emscripten module that standard JSON compilation needs. */
interface SolidityModule {
  cwrap(name: string, result: string, parameters: readonly string[]): (...args: unknown[]) => string;
}

const { soljson } = workerData as { soljson: string };
const module = createRequire(import.meta.url)(soljson) as SolidityModule;
const compile = module.cwrap("solidity_compile", "string", ["string", "number", "number"]);

parentPort?.on("message", ({ call, input }: { call: number; input: string }) => {
  parentPort?.postMessage({ call, output: compile(input, 0, 0) });
});
