import { startChain } from "../chain.ts";
import { completeSolcVersion } from "../../../src/core/compilerInput/solcReleases.ts";
import { SolidityCompilers, type CompilerOutput } from "../solidityCompilers.ts";
import { Verifier } from "../verificationService/verifier.ts";
import { OUTPUTS } from "./outputs.ts";
import type { World } from "./mismatchCase.ts";

/** Compilations that are kept: what a case compiles, the service's engine compiles again. */
const MOST_KEPT = 24;

/** Compilers that remember what they compiled last. */
class RememberingCompilers extends SolidityCompilers {
  readonly #kept = new Map<string, Promise<CompilerOutput | undefined>>();

  override async compile(version: string, input: unknown) {
    const { language, sources, settings } = input as Readonly<Record<string, object>>;
    const key = JSON.stringify([version.split("+")[0], language, sources, { ...settings, ...OUTPUTS }]);
    const known = this.#kept.get(key);
    const output =
      known ?? super.compile(version, { language, sources, settings: { ...settings, ...OUTPUTS } });
    this.#kept.delete(key);
    this.#kept.set(key, output);
    const [oldest = ""] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(oldest);
    return output;
  }
}

/**
 * The compilers as the public service's own package has them: a version is known by its commit, and errors are thrown
 * (argotorg/sourcify, packages/compilers, `solidityCompiler.ts`).
 */
class ServiceCompilers extends SolidityCompilers {
  readonly #compilers: SolidityCompilers;

  constructor(compilers: SolidityCompilers) {
    super();
    this.#compilers = compilers;
  }

  override async compile(version: string, input: unknown) {
    const short = version.split("+")[0] ?? "";
    const isKnown = completeSolcVersion(short) === version;
    const output = isKnown ? await this.#compilers.compile(version, input) : undefined;
    if (!output) throw new Error(`Compiler version ${version} not found`);
    const errors = (output.errors ?? []).filter(({ severity }) => severity === "error");
    if (errors.length > 0) throw Object.assign(new Error("Compiler error"), { errors });
    return output;
  }
}

/** A chain, compilers and the service's engine; one more engine whose node does not answer. */
export async function startWorld(): Promise<World & { stop(): Promise<void> }> {
  const chain = await startChain();
  const compilers = new RememberingCompilers();
  const service = new ServiceCompilers(compilers);
  return {
    chain,
    compilers,
    verifier: new Verifier(service, [chain]),
    verifierWithoutNode: new Verifier(service, [{ ...chain, rpcUrl: "http://127.0.0.1:9" }]),
    async stop() {
      await compilers.stop();
      await chain.stop();
    },
  };
}
