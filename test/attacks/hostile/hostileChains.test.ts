// Lists of chains as no service has them: each service that is configured is asked for its list, and the host waits for none.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { VerificationService, type ServiceChain } from "../../../src/core/service/verificationService.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { longestBlock } from "../../rig/longestBlock.ts";

/** To parse four megabytes takes a third of that, to look at all of them at once several times that. */
const MOST_MS = 400;

/** Asks a service that has this list, and looks how long it holds the thread. */
async function asked<T>(list: string, ask: (service: VerificationService) => Promise<T>) {
  const body = gzipSync(list);
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test" });
  try {
    let answer: T | undefined;
    const { blockMs } = await longestBlock(async () => {
      answer = await ask(new VerificationService(client, `http://127.0.0.1:${port}`));
    });
    assert.ok(blockMs < MOST_MS, `${blockMs} ms`);
    return answer;
  } finally {
    server.closeAllConnections();
    server.close();
    await client.dispose();
  }
}

const chainsOf = (service: VerificationService): Promise<ServiceChain[]> => service.chains();
const many = (count: number, of: (at: number) => unknown) =>
  JSON.stringify(Array.from({ length: count }, (_, at) => of(at)));

describe("A hostile list of chains", () => {
  it("is not read where it is larger than any", async () => {
    const list = `[${'{"chainId":1},'.repeat(2_200_000)}{"chainId":295}]`;
    await asked(list, (service) => assert.rejects(service.chains(), { code: "too_large" }));
  });

  it("is read up to its end and no further, whatever its entries are", async () => {
    const read = await asked(
      many(250_000, () => ({ chainId: 7 })),
      chainsOf,
    );
    assert.equal(read?.length, 5_000);
    const chain = { chainId: 295, rpc: ["https://a.example"] };
    assert.deepEqual(
      await asked(
        many(1_000_000, (at) => (at === 999_999 ? chain : 1)),
        chainsOf,
      ),
      [],
    );
    const nodes = Array.from({ length: 1_000_000 }, (_, at) => (at === 999_999 ? "https://a.example" : 1));
    const [one] = (await asked(JSON.stringify([{ chainId: 295, rpc: nodes }]), chainsOf)) ?? [];
    assert.deepEqual(one, { chainId: "295", name: undefined, supported: true, rpc: [] });
  });

  it("does not hold the thread by names that are long to compare", async () => {
    for (const name of ["\u202e\u200b".repeat(100), "\ufdfa".repeat(200), "Latin and "])
      assert.equal(
        (
          await asked(
            many(5_000, (at) => ({ chainId: 900_000 + at, name })),
            chainsOf,
          )
        )?.length,
        5_000,
      );
  });
});
