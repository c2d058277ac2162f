import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { deploymentTime } from "../../src/core/chains/deploymentTime.ts";
import { JsonRpc } from "../../src/core/chains/jsonRpc.ts";
import { JsonClient } from "../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../rig/directNetwork.ts";
import { startChain, type Chain } from "../sandbox/chain.ts";

describe("The time of a deployment", () => {
  let chain: Chain;
  let client: JsonClient;
  before(async () => {
    chain = await startChain();
    client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
  });
  after(async () => {
    await client.dispose();
    await chain.stop();
  });

  it("is that of its block, with its transaction and without", async () => {
    const node = new JsonRpc(client, chain.rpcUrl);
    const day = 86_400;
    await chain.rpc("anvil_mine", "0x25", `0x${day.toString(16)}`);
    // A contract of one byte.
    const { address, transactionHash } = await chain.deploy("0x600160005360016000f3");
    const { blockNumber } = await chain.rpc<{ blockNumber: string }>(
      "eth_getTransactionByHash",
      transactionHash,
    );
    const block = await chain.rpc<{ timestamp: string }>("eth_getBlockByNumber", blockNumber, false);
    await chain.rpc("anvil_mine", "0x19", `0x${day.toString(16)}`);
    const time = Number(block.timestamp) * 1000;
    assert.equal(await deploymentTime(node, { address, creationTransactionHash: transactionHash }), time);
    assert.equal(await deploymentTime(node, { address }), time);
    assert.equal(
      await deploymentTime(node, { address, creationTransactionHash: `0x${"ab".repeat(32)}` }),
      time,
    );
  });

  it("is not known where the node does not answer", async () => {
    const node = new JsonRpc(client, "http://127.0.0.1:9");
    assert.equal(await deploymentTime(node, { address: `0x${"11".repeat(20)}` }), undefined);
  });
});
