import { startChain, type Chain } from "./chain.ts";
import { startLedgerServer, type LedgerServer } from "./ledger/ledgerServer.ts";
import { SolidityCompilers } from "./solidityCompilers.ts";
import { startStatusPage, type StatusPageServer } from "./statusPage.ts";
import { startVerificationService, type VerificationServer } from "./verificationService/service.ts";

/** A small world on loopback: a chain, compilers, a verification service, a ledger and a status page. */
export interface Sandbox {
  readonly chain: Chain;
  readonly compilers: SolidityCompilers;
  readonly verification: VerificationServer;
  readonly ledger: LedgerServer;
  readonly statusPage: StatusPageServer;
  stop(): Promise<void>;
}

/** Starts everything; nothing of it needs the internet. */
export async function startSandbox(): Promise<Sandbox> {
  const chain = await startChain();
  const compilers = new SolidityCompilers();
  const verification = await startVerificationService([chain], compilers);
  const ledger = await startLedgerServer(chain);
  const statusPage = await startStatusPage();
  return {
    chain,
    compilers,
    verification,
    ledger,
    statusPage,
    async stop() {
      await statusPage.stop();
      await ledger.stop();
      await verification.stop();
      await compilers.stop();
      await chain.stop();
    },
  };
}
