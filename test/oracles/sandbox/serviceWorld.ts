import { systemClock } from "../../../src/core/concurrency/clock.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";
import { VerificationJobs } from "../../../src/core/jobs/verificationJobs.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { startChain, type Chain } from "../../sandbox/chain.ts";
import { SolidityCompilers } from "../../sandbox/solidityCompilers.ts";
import {
  startVerificationService,
  type VerificationServer,
} from "../../sandbox/verificationService/service.ts";
import { MemoryStorage } from "../../unit/jobs/memoryStorage.ts";

/** A chain that the service lists, whose node does not answer. */
export const DEAD_CHAIN = "31338";

/** A verification service with a chain and compilers, and the product's jobs at it. */
export interface ServiceWorld {
  readonly chain: Chain;
  readonly compilers: SolidityCompilers;
  readonly server: VerificationServer;
  /** The jobs of a workspace of its own, in a hurry; `now` is its clock. */
  readonly session: (now?: () => number) => VerificationJobs;
  readonly stop: () => Promise<void>;
}

/** @param pendingMs the least time that a job stays pending */
export async function startServiceWorld({ pendingMs = 0 } = {}): Promise<ServiceWorld> {
  const chain = await startChain();
  const dead: Chain = { ...chain, chainId: DEAD_CHAIN, rpcUrl: "http://127.0.0.1:9" };
  const compilers = new SolidityCompilers();
  const server = await startVerificationService([chain, dead], compilers);
  server.pendingMs = pendingMs;
  const http = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
  return {
    chain,
    compilers,
    server,
    session: (now = () => systemClock.now()) =>
      new VerificationJobs({
        store: new JobStore(new MemoryStorage()),
        service: (url = server.url) => new VerificationService(http, url),
        clock: { ...systemClock, now, sleep: (pause, signal) => systemClock.sleep(pause / 10, signal) },
        random: Math.random,
        newId: () => crypto.randomUUID(),
      }),
    async stop() {
      await http.dispose();
      await server.stop();
      await compilers.stop();
      await chain.stop();
    },
  };
}
