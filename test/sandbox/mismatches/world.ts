import { startChain } from "../chain.ts";
import { SolidityCompilers, type CompilerOutput } from "../solidityCompilers.ts";
import { Verifier } from "../verificationService/verifier.ts";
import { OUTPUTS } from "./outputs.ts";
import type { World } from "./mismatchCase.ts";

/** Compilations that are kept: what a case compiles, the service's engine compiles again. */
const MAX_KEPT = 24;

/** Compilers that remember what they compiled last. */
class RememberingCompilers extends SolidityCompilers {
  readonly #compilers: SolidityCompilers;
  readonly #kept = new Map<string, Promise<CompilerOutput | undefined>>();

  constructor(compilers: SolidityCompilers) {
    super();
    this.#compilers = compilers;
  }

  override async compile(version: string, input: unknown) {
    const { language, sources, settings } = input as Readonly<Record<string, object>>;
    const key = JSON.stringify([version.split("+")[0], language, sources, { ...settings, ...OUTPUTS }]);
    const known = this.#kept.get(key);
    const output =
      known ?? this.#compilers.compile(version, { language, sources, settings: { ...settings, ...OUTPUTS } });
    this.#kept.delete(key);
    this.#kept.set(key, output);
    const [oldest = ""] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(oldest);
    return output;
  }

  override fullVersion(version: string) {
    return this.#compilers.fullVersion(version);
  }

  override async stop() {
    await this.#compilers.stop();
  }
}

/**
 * A chain, compilers and the service's engine; one more engine whose node does not answer.
 *
 * @param installed The compilers; those of the repository unless said.
 */
export async function startWorld(
  installed = new SolidityCompilers(),
): Promise<World & { stop(): Promise<void> }> {
  const chain = await startChain();
  const compilers = new RememberingCompilers(installed);
  return {
    chain,
    compilers,
    verifier: new Verifier(compilers, [chain]),
    verifierWithoutNode: new Verifier(compilers, [{ ...chain, rpcUrl: "http://127.0.0.1:9" }]),
    async stop() {
      await compilers.stop();
      await chain.stop();
    },
  };
}
