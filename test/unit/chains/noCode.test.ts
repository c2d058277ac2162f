import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { JsonRpc } from "../../../src/core/chains/jsonRpc.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { startServer, type LoopbackServer } from "../../rig/loopback/httpServer.ts";

describe("An address without code", () => {
  const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
  let server: LoopbackServer;
  let result: string;
  before(async () => {
    server = await startServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
    });
  });
  after(async () => {
    await client.dispose();
    await server.stop();
  });

  it("is told in one way, however a node writes it", async () => {
    const node = new JsonRpc(client, server.url);
    const address = `0x${"12".repeat(20)}`;
    for (result of ["0x", "", "0x0", "0"])
      assert.deepEqual([await node.code(address), await node.codeAt(address, 7)], ["0x", "0x"], result);
    for (result of ["0x00", "0x6001", "0x60"]) assert.equal(await node.code(address), result);
  });
});
