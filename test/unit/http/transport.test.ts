import assert from "node:assert/strict";
import { it } from "node:test";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import type * as transportModule from "../../../src/core/http/transport.ts";
import { turnsOf } from "../../rig/turnsOf.ts";

it("The first request lets others have their turn while it reads what the system trusts", async () => {
  // Loaded anew: what is trusted is read once, and another test of this process may have made a request.
  const source = new URL("../../../src/core/http/transport.ts?anew", import.meta.url).href;
  const { Transport } = (await import(source)) as typeof transportModule;
  let transport: transportModule.Transport | undefined;
  const turns = await turnsOf(async () => {
    transport = await Transport.open(DIRECT_NETWORK);
  });
  await transport?.destroy();
  // Between Node's list, the system's, and what both come to.
  assert.ok(turns >= 3, `${turns} turns`);
});
