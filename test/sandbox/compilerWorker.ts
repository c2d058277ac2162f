import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";

/** The part of an Emscripten module that standard JSON compilation needs. */
interface SolidityModule {
  readonly _solidity_version?: unknown;
  readonly _solidity_compile?: unknown;
  cwrap(name: string, result: string, parameters: readonly string[]): (...args: unknown[]) => string;
}

const { soljson } = workerData as { soljson: string };
const module = createRequire(import.meta.url)(soljson) as SolidityModule;
// Before 0.5.0 the function has another name, and no context for its callback (ethereum/solc-js, `bindings/compile.ts`).
const compile = module._solidity_compile
  ? module.cwrap("solidity_compile", "string", ["string", "number", "number"])
  : module.cwrap("compileStandard", "string", ["string", "number"]);

// The name of the function before solc 0.5.
const version = module.cwrap(module._solidity_version ? "solidity_version" : "version", "string", []);

parentPort?.on("message", ({ call, input }: { call: number; input: string | undefined }) => {
  parentPort?.postMessage({ call, output: input === undefined ? version() : compile(input, 0, 0) });
});
