import { completeSolcVersion } from "../../../src/core/languages/solidity/solcReleases.ts";
import { contentHash, keepResult, keptResult } from "../../rig/keptResults.ts";
import { SolidityCompilers, type CompilerOutput } from "../solidityCompilers.ts";

/** Compilers that are held at a time: each takes hundreds of megabytes, and seconds to start. */
const MAX_COMPILERS = 4;

/** Compilers of which only what the engine reads is kept in the test cache, and that compile one thing at a time. */
export class KeptCompilations extends SolidityCompilers {
  readonly #packages: ReadonlyMap<string, string>;
  /** Those that were used last are the last ones. */
  readonly #held = new Map<string, SolidityCompilers>();
  #last: Promise<unknown> = Promise.resolve();
  /** How many were compiled, and how many were there already. */
  readonly counts = { compiled: 0, kept: 0 };

  /** @param packages The `soljson.js` of each short version. */
  constructor(packages: ReadonlyMap<string, string>) {
    super(packages);
    this.#packages = packages;
  }

  override compile(version: string, input: unknown): Promise<CompilerOutput | undefined> {
    const output = this.#last.then(() => this.#keptOutput(version.split("+")[0] ?? version, input));
    this.#last = output.catch(() => undefined);
    return output;
  }

  override async stop(): Promise<void> {
    await Promise.all([...this.#held.values()].map((one) => one.stop()));
    this.#held.clear();
  }

  /** The service runs the builds for Linux; of 0.5.9 the one for JavaScript, which is here, names another commit. */
  override fullVersion(version: string): Promise<string | undefined> {
    const short = version.replace(/^v/, "").split("+")[0] ?? version;
    return Promise.resolve(this.#packages.has(short) ? completeSolcVersion(short) : undefined);
  }

  async #keptOutput(version: string, input: unknown): Promise<CompilerOutput | undefined> {
    const soljson = this.#packages.get(version);
    if (soljson === undefined) return undefined;
    const key = ["solc without instructions", contentHash(soljson), JSON.stringify(input)] as const;
    const kept = keptResult(key);
    if (kept !== undefined) {
      this.counts.kept++;
      return JSON.parse(kept) as CompilerOutput;
    }
    const compiler = await this.#compilerOf(version, soljson);
    const output = await compiler.compile(version, input);
    if (output === undefined) return undefined;
    this.counts.compiled++;
    const made = withoutInstructions(output);
    keepResult(key, JSON.stringify(made));
    return made;
  }

  async #compilerOf(version: string, soljson: string): Promise<SolidityCompilers> {
    const compiler =
      this.#held.get(version) ?? new SolidityCompilers(new Map([[version, soljson]]), { keeps: false });
    this.#held.delete(version);
    this.#held.set(version, compiler);
    const [oldest = ""] = this.#held.keys();
    if (this.#held.size > MAX_COMPILERS) {
      await this.#held.get(oldest)?.stop();
      this.#held.delete(oldest);
    }
    return compiler;
  }
}

/**
 * An output without the lists of instructions, which are most of it: of the assembly the service's engine reads only
 * what stands behind the code.
 */
function withoutInstructions<T>(output: T): T {
  return JSON.parse(
    JSON.stringify(output, (key, value: unknown) =>
      key === ".code" || key === "generatedSources" || key === "sourceMap" ? undefined : value,
    ),
  ) as T;
}
