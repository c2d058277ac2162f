import { startChain } from "../chain.ts";
import { completeSolcVersion } from "../../../src/core/compilerInput/solcReleases.ts";
import { SolidityCompilers } from "../solidityCompilers.ts";
import { Verifier } from "../verificationService/verifier.ts";
import type { World } from "./mismatchCase.ts";

/**
 * The compilers as the public service's own package has them: a version is known by its commit, and errors are thrown
 * (argotorg/sourcify, packages/compilers, `solidityCompiler.ts`).
 */
class ServiceCompilers extends SolidityCompilers {
  override async compile(version: string, input: unknown) {
    const short = version.split("+")[0] ?? "";
    const isKnown = !version.includes("+") || completeSolcVersion(short) === version;
    const output = isKnown ? await super.compile(version, input) : undefined;
    if (!output) throw new Error(`Compiler version ${version} not found`);
    const errors = (output.errors ?? []).filter(({ severity }) => severity === "error");
    if (errors.length > 0) throw Object.assign(new Error("Compiler error"), { errors });
    return output;
  }
}

/** A chain, compilers and the service's engine; one more engine whose node does not answer. */
export async function startWorld(): Promise<World & { stop(): Promise<void> }> {
  const chain = await startChain();
  const compilers = new SolidityCompilers();
  const service = new ServiceCompilers();
  return {
    chain,
    compilers,
    verifier: new Verifier(service, [chain]),
    verifierWithoutNode: new Verifier(service, [{ ...chain, rpcUrl: "http://127.0.0.1:9" }]),
    async stop() {
      await compilers.stop();
      await service.stop();
      await chain.stop();
    },
  };
}
