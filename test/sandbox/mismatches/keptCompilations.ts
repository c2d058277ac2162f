import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { completeSolcVersion } from "../../../src/core/languages/solidity/solcReleases.ts";
import { cacheFolder } from "../../rig/paths.ts";
import { SolidityCompilers, type CompilerOutput } from "../solidityCompilers.ts";

/** Compilers that are held at a time: each takes hundreds of megabytes, and seconds to start. */
const MAX_COMPILERS = 4;

/** Compilers whose outputs are kept in the test cache, and that compile one thing at a time. */
export class KeptCompilations extends SolidityCompilers {
  readonly #folder = join(cacheFolder, "compilations");
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

  #keptOutput(version: string, input: unknown): Promise<CompilerOutput | undefined> {
    return this.#kept(`${version}${JSON.stringify(input)}`, async () => {
      const output = await (await this.#compilerOf(version))?.compile(version, input);
      if (output) this.counts.compiled++;
      return output && withoutInstructions(output);
    });
  }

  /** What is in the cache under a key, or is made and put there. */
  async #kept<T>(key: string, make: () => Promise<T | undefined>): Promise<T | undefined> {
    const hash = createHash("sha256").update(key).digest("hex");
    const folder = join(this.#folder, hash.slice(0, 2));
    const path = join(folder, `${hash}.json.gz`);
    if (existsSync(path)) {
      this.counts.kept++;
      return JSON.parse(gunzipSync(readFileSync(path)).toString()) as T;
    }
    const made = await make();
    if (made === undefined) return undefined;
    mkdirSync(folder, { recursive: true });
    // In place as a whole or not at all: other test files read it.
    writeFileSync(`${path}.${process.pid}`, gzipSync(JSON.stringify(made), { level: 3 }));
    renameSync(`${path}.${process.pid}`, path);
    return made;
  }

  async #compilerOf(version: string): Promise<SolidityCompilers | undefined> {
    const soljson = this.#packages.get(version);
    if (soljson === undefined) return undefined;
    const compiler = this.#held.get(version) ?? new SolidityCompilers(new Map([[version, soljson]]));
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
