import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { compileVyper, vyperVersion, type VyperOutput } from "./vyperCompiler.ts";
import type { Missing, VyperEnvironment } from "./vyperEnvironment.ts";

/** Releases as Vyper names them; nothing else becomes the name of a folder or of a package. */
const RELEASE = /^\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?$/;

/** The Vyper releases that Python's package index has, each set up when it is first asked for. */
export class VyperCompilers {
  readonly #environments = new Map<string, Promise<VyperEnvironment | Missing>>();

  /**
   * Compiles with the release.
   *
   * @param version In full, as "0.4.3+commit.bff19ea2".
   * @returns `undefined` where there is no such release, or none can be set up.
   */
  async compile(version: string, input: unknown): Promise<VyperOutput | undefined> {
    const environment = await this.#environment(version.split("+")[0] ?? "");
    if (!environment || "missing" in environment) return undefined;
    const own = await vyperVersion(environment.bin);
    // It names its commit by seven digits or more, a release's file by eight.
    return own !== "" && version.startsWith(own) ? compileVyper(environment.bin, input) : undefined;
  }

  #environment(release: string): Promise<VyperEnvironment | Missing> | undefined {
    if (!RELEASE.test(release)) return undefined;
    const known = this.#environments.get(release);
    if (known) return known;
    const made = setUp(release);
    this.#environments.set(release, made);
    return made;
  }
}

async function setUp(version: string): Promise<VyperEnvironment | Missing> {
  const worker = new Worker(new URL("./vyperSetUp.ts", import.meta.url), { workerData: { version } });
  const [environment] = (await once(worker, "message")) as [VyperEnvironment | Missing];
  return environment;
}
