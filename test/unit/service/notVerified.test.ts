import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { systemClock } from "../../../src/core/concurrency/clock.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { startServer, type LoopbackServer } from "../../rig/loopback/httpServer.ts";

const ADDRESS = `0x${"7a".repeat(20)}`;
const DEPLOYMENT = { chainId: "296", address: ADDRESS };

describe("A contract of which a service says 404", () => {
  let server: LoopbackServer | undefined;
  afterEach(() => server?.stop());

  /** What each way to ask for a contract comes to: what it answers, or the code of its error. */
  async function asked(body: string): Promise<unknown[]> {
    server = await startServer((_request, response) =>
      response.writeHead(404, { "content-type": "application/json" }).end(body),
    );
    const http = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1", clock: systemClock });
    const service = new VerificationService(http, server.url);
    const answers = [
      service.contract(DEPLOYMENT),
      service.verifiedIdentity(DEPLOYMENT),
      service.verifiedSources(DEPLOYMENT),
      service.verifiedDetails(DEPLOYMENT),
    ];
    const outcomes = await Promise.all(answers.map((one) => one.catch((error: unknown) => error)));
    return outcomes.map((one) => (one instanceof Error && "code" in one ? one.code : one));
  }

  it("is not verified where the answer is of the contract", async () => {
    const body = JSON.stringify({ match: null, creationMatch: null, runtimeMatch: null, ...DEPLOYMENT });
    assert.deepEqual(await asked(body), [undefined, undefined, undefined, undefined]);
  });

  it("may be verified where the service does not know the chain, or has no such route", async () => {
    const unsupported = await asked('{"customCode":"unsupported_chain","message":"Chain 296 not found"}');
    assert.deepEqual(new Set(unsupported), new Set(["unsupported_chain"]));
    await server?.stop();
    assert.deepEqual(new Set(await asked('{"error":"Not found"}')), new Set(["service_error"]));
  });
});
