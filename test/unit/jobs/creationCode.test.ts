import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JsonRpc } from "../../../src/core/chains/jsonRpc.ts";
import { earlierTries } from "../../../src/core/jobs/earlierTries.ts";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";

const HASH = `0x${"ab".repeat(32)}`;

describe("The code that created a contract", () => {
  const asked: unknown[] = [];
  const node = (result: unknown) =>
    new JsonRpc(
      {
        request: ({ body }: { body?: unknown }) => {
          asked.push(body);
          return Promise.resolve({ body: { jsonrpc: "2.0", id: 1, result } } as never);
        },
      },
      "http://localhost:8545",
    );

  it("is what its transaction sent without a receiver", async () => {
    assert.equal(await node({ to: null, input: "0x6080" }).creationCode(HASH), "0x6080");
    assert.equal(await node({ input: "0x6080" }).creationCode(HASH), "0x6080");
    assert.deepEqual(asked[0], {
      jsonrpc: "2.0",
      id: 1,
      method: "eth_getTransactionByHash",
      params: [HASH],
    });
  });

  it("is not known of a call, of a transaction that the node does not have, and of nonsense", async () => {
    assert.equal(await node({ to: `0x${"12".repeat(20)}`, input: "0x6080" }).creationCode(HASH), undefined);
    assert.equal(await node(null).creationCode(HASH), undefined);
    await assert.rejects(node({ to: null }).creationCode(HASH), /a transaction/);
    await assert.rejects(node(null).code("0x00"), /the deployed code/);
  });
});

describe("What was submitted for a deployment before", () => {
  const address = `0x${"Ab".repeat(20)}`;
  const record = (id: string, changes: object = {}): JobRecord =>
    ({
      id,
      stage: "submitted",
      chainId: "1",
      address,
      submittedAt: Number(id),
      submission: { compilerVersion: "0.8.28+commit.7893614a", contractIdentifier: "A.sol:A" },
      job: { isJobCompleted: true, verificationId: id, error: { customCode: "no_match", message: "" } },
      ...changes,
    }) as unknown as JobRecord;

  it("is every failed job that compared codes, whatever the case of the address", async () => {
    const failed = (customCode: string) => ({
      job: { isJobCompleted: true, verificationId: "", error: { customCode, message: "" } },
    });
    const records = [
      record("1"),
      record("2", { address: address.toLowerCase() }),
      record("3", { chainId: "2" }),
      record("4", failed("compiler_error")),
      record("5", { contract: { match: "match" } }),
      record("6", { submission: undefined }),
      record("7"),
    ];
    const stdJsonInput = { language: "Solidity", sources: {}, settings: {} } as const;
    const tries = await earlierTries(
      {
        all: () => records,
        input: () => Promise.resolve(stdJsonInput),
        wholeJob: (id) => {
          const job = records.find((one) => one.id === id)?.job;
          const error = { customCode: "", message: "", ...job?.error, recompiledRuntimeCode: `0x0${id}` };
          return Promise.resolve({ isJobCompleted: true, verificationId: id, error });
        },
      },
      record("7"),
      stdJsonInput,
    );
    assert.deepEqual(
      tries.map(({ recompiledRuntimeCode }) => recompiledRuntimeCode),
      ["0x01", "0x02"],
    );
  });

  it("holds the sources of the present submission alone, however many there were, and none of others", async () => {
    const sent = (content: string) => JSON.stringify({ "A.sol": { content } });
    const read = (sources: string) => ({
      language: "Solidity" as const,
      sources: JSON.parse(sources) as Record<string, { content: string }>,
      settings: {},
    });
    const records = ["1", "2", "3", "4"].map((id) => record(id));
    const present = read(sent("contract A {}"));
    const tries = await earlierTries(
      {
        all: () => records,
        input: (id) => Promise.resolve(read(sent(id === "2" ? "contract A { }" : "contract A {}"))),
        wholeJob: () => Promise.resolve(undefined),
      },
      record("4"),
      present,
    );
    assert.equal(tries.length, 2);
    for (const { stdJsonInput } of tries) assert.equal(stdJsonInput.sources, present.sources);
  });
});
