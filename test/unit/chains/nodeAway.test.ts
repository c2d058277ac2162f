import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { readDeployedCode } from "../../../src/core/chains/deployedCode.ts";
import { JsonRpc } from "../../../src/core/chains/jsonRpc.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { explainedError } from "../../../src/core/status/statusExplanation.ts";
import { mayPass, mendingSetting } from "../../../src/editor/ui/mendingSetting.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";

const PLACE = { chainId: "11155111", address: `0x${"12".repeat(20)}` };

describe("A node of one's own that is away", () => {
  const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1", random: () => 0 });
  let gone: string;
  before(async () => {
    const server = await startServer(() => undefined);
    gone = server.url;
    await server.stop();
  });
  after(() => client.dispose());

  /** What reading the code fails with, where the service that lists other nodes is away, too. */
  async function failure(): Promise<LedgerLensError> {
    const service = new VerificationService(client, gone);
    const failed: unknown = await readDeployedCode(
      [
        ({ address }, signal) => new JsonRpc(client, gone).code(address, signal),
        () => Promise.resolve(undefined),
        async () => {
          await service.chains(undefined, { retries: 0 });
          return undefined;
        },
      ],
      PLACE,
    ).catch((error: unknown) => error);
    assert.ok(failed instanceof LedgerLensError);
    return failed;
  }

  it("is named by its host, with the setting that it is from and another attempt", async () => {
    const failed = await failure();
    const { host } = new URL(gone);
    assert.equal(
      failed.message,
      `The chain's node (${host}) can't be reached: nothing listens there. Check the address and your connection.`,
    );
    for (const ofCommand of [undefined, "ledgerLens.verificationUrl"])
      assert.equal(mendingSetting(failed, ofCommand), "ledgerLens.rpcUrls");
    assert.ok(mayPass(failed));
  });

  it("is not explained by trouble of the verification service", async () => {
    const failed = await failure();
    assert.equal(
      explainedError(failed, () => "The page reports an outage."),
      failed,
    );
  });
});
