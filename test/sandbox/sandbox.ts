import { startChain, type Chain } from "./chain.ts";
import { SolidityCompilers } from "./solidityCompilers.ts";
import { startVerificationService, type VerificationServer } from "./verificationService/service.ts";

/** A small world on loopback: a chain, compilers and a verification service. */
export interface Sandbox {
  readonly chain: Chain;
  readonly compilers: SolidityCompilers;
  readonly verification: VerificationServer;
  stop(): Promise<void>;
}

/** Starts everything; nothing of it needs the internet. */
export async function startSandbox(): Promise<Sandbox> {
  const chain = await startChain();
  const compilers = new SolidityCompilers();
  const verification = await startVerificationService([chain], compilers);
  return {
    chain,
    compilers,
    verification,
    async stop() {
      await verification.stop();
      await compilers.stop();
      await chain.stop();
    },
  };
}
