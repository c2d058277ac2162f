import { createRequire } from "node:module";
import { dirname } from "node:path";
import { compileFunction } from "node:vm";

/** A compiler that was loaded. */
interface Soljson {
  /** As it names itself, such as "0.8.28+commit.7893614a.Emscripten.clang". */
  readonly version: string;
  /** Standard JSON in, standard JSON out; it throws where it breaks down, and is not to be used again then. */
  compile(input: string): string;
}

/** What Emscripten makes, as far as it is used. */
interface EmscriptenModule {
  readonly _solidity_version?: unknown;
  readonly _solidity_compile?: unknown;
  readonly _solidity_reset?: unknown;
  readonly _compileStandard?: unknown;
  cwrap(name: string, result: string | null, parameters: readonly string[]): (...args: unknown[]) => unknown;
}

/** What is thrown where the bound of the memory is met. */
const NO_MEMORY = "no memory left";

/** Of Node's modules those that the files ask for as they are loaded; they read no file: all is in them. */
const MODULES_AT_LOAD = new Set(["fs", "path", "crypto"]);

/**
 * Evaluates the JavaScript build of a compiler, which is for a thread of its own: it takes seconds and hundreds of
 * megabytes, and its memory goes with the thread. Before 0.5.0 its functions have other names, and before 0.4.11 there is
 * no standard JSON (ethereum/solc-js, `bindings/compile.ts` and `bindings/core.ts`).
 *
 * @param bytes the file, of which is certain that it is an official one
 * @param file its path, for what it says of itself
 */
export function loadSoljson(bytes: Buffer, file: string, maxMemoryBytes: number): Soljson {
  const bound = new MemoryBound(maxMemoryBytes);
  bound.holdWebAssembly();
  const required = createRequire(file);
  const module = { exports: {} };
  const evaluate = compileFunction(
    bytes.toString("utf8"),
    ["module", "exports", "require", "__filename", "__dirname", "process", "ArrayBuffer"],
    { filename: file },
  ) as (...given: unknown[]) => void;
  // The handlers that it sets for the whole process are left away, and an end of it is an end of the compiler.
  const process = {
    versions: globalThis.process.versions,
    argv: [],
    platform: globalThis.process.platform,
    on: () => undefined,
    // What an old one writes before it ends; without them that would end otherwise.
    stdout: { write: () => true },
    stderr: { write: () => true },
    exit: (code: number) => {
      throw new Error(`the compiler ended with code ${code}`);
    },
  };
  evaluate(
    module,
    module.exports,
    (name: string): unknown => {
      if (MODULES_AT_LOAD.has(name.replace(/^node:/, ""))) return required(name) as unknown;
      throw new Error(`the compiler asks for ${name}`);
    },
    file,
    dirname(file),
    process,
    bound.arrayBuffer(),
  );
  const made = module.exports as EmscriptenModule;
  const version = String(made.cwrap(made._solidity_version ? "solidity_version" : "version", "string", [])());
  const reset = made._solidity_reset ? made.cwrap("solidity_reset", null, []) : undefined;
  const compile = made._solidity_compile
    ? made.cwrap("solidity_compile", "string", ["string", "number", "number"])
    : made._compileStandard
      ? made.cwrap("compileStandard", "string", ["string", "number"])
      : undefined;
  return {
    version,
    compile(input) {
      if (!compile) throw new Error(`solc ${version} takes no standard JSON input`);
      try {
        // Nothing is read for it: a file that is not among the sources is missing.
        const output = String(compile(input, 0, 0));
        if (bound.isMet || saysNoMemory(output)) throw new RangeError(NO_MEMORY);
        reset?.();
        return output;
      } catch (error) {
        // What it dies of is told in many ways, some of which name no reason.
        throw bound.isMet ? new RangeError(NO_MEMORY) : error;
      }
    },
  };
}

/** The memory of WebAssembly, which no library of types that is used here describes. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const PAGE_BYTES = 65_536;

/** Holds a compiler to so much memory: what a thread may take otherwise is no bound for it. */
class MemoryBound {
  readonly #maxBytes: number;
  #isMet = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether the last that it wanted was more: it goes on with less where it can, and says of itself what it likes. */
  get isMet(): boolean {
    return this.#isMet;
  }

  /** Of the builds for WebAssembly, whose memory grows. */
  holdWebAssembly(): void {
    const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory: { prototype: WasmMemory } } };
    const { prototype } = WebAssembly.Memory;
    // oxlint-disable-next-line typescript/unbound-method -- it is called on the memory that is to grow
    const { grow } = prototype;
    const check = (bytes: number) => this.#check(bytes);
    prototype.grow = function (this: WasmMemory, pages: number) {
      check(this.buffer.byteLength + pages * PAGE_BYTES);
      return grow.call(this, pages);
    };
  }

  /** Of the builds for asm.js, which take a larger buffer in the place of one that is full. */
  arrayBuffer(): ArrayBufferConstructor {
    return new Proxy(ArrayBuffer, {
      construct: (made, [length, ...options]: [number, ...unknown[]]) => {
        this.#check(length);
        return Reflect.construct(made, [length, ...options]) as ArrayBuffer;
      },
    });
  }

  #check(bytes: number): void {
    this.#isMet = bytes > this.#maxBytes;
    if (this.#isMet) throw new RangeError(NO_MEMORY);
  }
}

/**
 * Whether a compiler ended for want of memory, of which it takes no more than its build allows: it tells that as an error
 * of its input.
 */
function saysNoMemory(output: string): boolean {
  if (!output.includes("std::bad_alloc")) return false;
  const { errors = [] } = JSON.parse(output) as {
    readonly errors?: readonly { readonly type: string; readonly message: string }[];
  };
  return errors.some(({ type, message }) => type === "Exception" && message.includes("std::bad_alloc"));
}
