import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { accountRow, shownTokens } from "../../../src/core/ledger/accounts/accountRows.ts";
import { balancesOf } from "../../../src/core/ledger/transactions/balances.ts";
import { LedgerService } from "../../../src/core/ledger/ledgerService.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { startServer, type LoopbackServer } from "../../rig/loopback/httpServer.ts";

const DIGITS = 990;

/** The newest transactions of an account, in each of which so many tokens moved by an amount of a thousand digits. */
function heavy(tokens: number): string {
  return JSON.stringify({
    transactions: Array.from({ length: 10 }, (_, at) => ({
      consensus_timestamp: `17000000${at}0.1`,
      token_transfers: Array.from({ length: tokens }, (_token, index) => ({
        token_id: `0.0.${at * 100_000 + index + 1_000}`,
        account: "0.0.5",
        amount: "9".repeat(DIGITS),
      })),
    })),
  });
}

describe("An account whose transfers a ledger made heavy", () => {
  let server: LoopbackServer;
  let client: JsonClient;
  let answer = "";

  before(async () => {
    client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test" });
    server = await startServer(({ url = "" }, response) => {
      if (url.startsWith("/api/v1/transactions"))
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(answer));
      else if (url.startsWith("/api/v1/accounts"))
        response.end(JSON.stringify({ account: "0.0.5", evm_address: `0x${"5".repeat(40)}` }));
      else if (url.includes("results")) response.end('{"results":[]}');
      else response.writeHead(404).end("{}");
    });
  });
  after(async () => {
    await client.dispose();
    await server.stop();
  });

  const drawn = async () => {
    const network = networkAt(server.url);
    const service = new LedgerService({ client, network: () => network });
    const account = await service.account("0.0.5");
    shownTokens(account);
    const draw = () => accountRow(account, { known: () => undefined }, undefined, Date.now());
    return { account, draw };
  };

  it("is summed once, however often its row is drawn, and each amount that is told is whole", async () => {
    answer = heavy(380);
    const { account, draw } = await drawn();
    const [newest = assert.fail("there are transfers")] = account.transfers ?? [];
    assert.equal(account.transfers?.length, 10);
    assert.equal(balancesOf(newest), balancesOf(newest));
    const [row] = draw().children?.find(({ id }) => id.endsWith("transfers"))?.children ?? [];
    assert.match([row?.wholeLabel, row?.label].join(" "), /\+9{1,3}(?:,999)+/);
  });

  it("has no transfers where a page of them is larger than ten transactions can be", async () => {
    answer = heavy(800);
    const { account } = await drawn();
    assert.equal(account.id, "0.0.5");
    assert.equal(account.transfers, undefined);
  });
});
