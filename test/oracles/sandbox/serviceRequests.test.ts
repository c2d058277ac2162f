// What the verification service of the sandbox refuses, in the order and the words of the public one.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Chain } from "../../sandbox/chain.ts";
import { CHAIN_OF_THE_PAST, type VerificationServer } from "../../sandbox/verificationService/service.ts";
import { codeOf, messageOf, ServiceClient } from "./serviceClient.ts";
import { DEAD_CHAIN, startServiceWorld, type ServiceWorld } from "./serviceWorld.ts";

const ADDRESS = "0x1111111111111111111111111111111111111111";
const WRONG_CHECKSUM = "0x5fbDB2315678afecb367f032d93F642f64180aa3";
const SUBMISSION = {
  stdJsonInput: {
    language: "Solidity",
    sources: { "A.sol": { content: "pragma solidity ^0.8.0;\ncontract A {}\n" } },
    settings: {},
  },
  compilerVersion: "0.8.28+commit.7893614a",
  contractIdentifier: "A.sol:A",
};

describe("A request to the verification service", () => {
  let chain: Chain;
  let server: VerificationServer;
  let client: ServiceClient;
  let stop: ServiceWorld["stop"];

  before(async () => {
    ({ chain, server, stop } = await startServiceWorld());
    client = new ServiceClient(server.url);
  });
  after(() => stop());

  const path = (address = ADDRESS, chainId = chain.chainId) => `/v2/verify/${chainId}/${address}`;
  const post = (to: string, body: object) => client.post(to, JSON.stringify(body));

  it("for what is no route is answered with a page, not with an error in the interface's form", async () => {
    for (const route of ["/nothing", "/v2/nothing", "/v2/verify", "/v2/contract/1", "/health/of/it"]) {
      const answer = await client.get(route);
      assert.equal(answer.status, 404, route);
      assert.match(answer.contentType, /^text\/html/, route);
      assert.match(answer.body, new RegExp(`<pre>Cannot GET /server${route}</pre>`), route);
    }
    const answer = await post("/v2/contract/1/2", {});
    assert.deepEqual([answer.status, answer.contentType], [404, "text/html; charset=utf-8"]);
  });

  it("has to say that its body is JSON", async () => {
    const body = JSON.stringify(SUBMISSION);
    for (const [headers, words] of [
      [{}, "media type not specified"],
      [{ "content-type": "text/plain" }, "unsupported media type text/plain"],
    ] as const) {
      const answer = await client.post(path(), body, headers);
      assert.deepEqual([answer.status, codeOf(answer), messageOf(answer)], [400, "invalid_parameter", words]);
    }
    const similar = await client.post(`/v2/verify/similarity/${chain.chainId}/${ADDRESS}`, "{}", {});
    assert.deepEqual([similar.status, codeOf(similar)], [400, "invalid_parameter"]);
    const answer = await client.post(path(), body, { "content-type": "application/json; charset=utf-8" });
    assert.equal(answer.status, 202);
  });

  it("is checked by its body, then its chain, then its address, then its input", async () => {
    const unknown = path(WRONG_CHECKSUM, "424242");
    const noContent = { ...SUBMISSION.stdJsonInput, sources: { "A.sol": { content: "" } } };
    const steps = [
      [await client.post(unknown, "{"), "invalid_json", /JSON/],
      [await client.post(unknown, '"text"'), "invalid_json", /JSON/],
      [await post(unknown, {}), "invalid_parameter", /request\/body must have required property 'stdJson/],
      [
        await post(unknown, { ...SUBMISSION, compilerVersion: "new" }),
        "invalid_parameter",
        /compilerVersion/,
      ],
      [await post(unknown, { ...SUBMISSION, stdJsonInput: "{}" }), "invalid_parameter", /must be object/],
      [
        await post(unknown, { ...SUBMISSION, creationTransactionHash: `0x${"AB".repeat(32)}` }),
        "invalid_parameter",
        /creationTransactionHash must match/,
      ],
      [await post(`${unknown}?x=1`, SUBMISSION), "invalid_parameter", /^Unknown query parameter 'x'$/],
      [await post(unknown, SUBMISSION), "unsupported_chain", /^Chain 424242 not found$/],
      [
        await post(path(WRONG_CHECKSUM), { ...SUBMISSION, stdJsonInput: noContent }),
        "invalid_parameter",
        /^Invalid address/,
      ],
      [
        await post(path(), { ...SUBMISSION, stdJsonInput: noContent, contractIdentifier: "A" }),
        "invalid_parameter",
        /content field for each source/,
      ],
      [
        await post(path(), {
          ...SUBMISSION,
          stdJsonInput: { ...SUBMISSION.stdJsonInput, integrity: "00" },
        }),
        "invalid_parameter",
        /unsupported top-level field\(s\): integrity\./,
      ],
      [await post(path(), { ...SUBMISSION, contractIdentifier: "A" }), "invalid_parameter", /separated by a/],
    ] as const;
    for (const [answer, code, words] of steps) {
      assert.deepEqual([answer.status, codeOf(answer)], [400, code], String(words));
      assert.match(messageOf(answer), words);
    }
  });

  it("may have a body of 30 MB, and not one byte more", async () => {
    const limit = 30 * 1024 * 1024;
    const fill = (length: number) => `{"x":"${"x".repeat(length - 8)}"}`;
    const most = await client.post(path(), fill(limit));
    assert.deepEqual([most.status, codeOf(most)], [400, "invalid_parameter"], "read, and without an input");
    const more = await client.post(path(), fill(limit + 1));
    assert.deepEqual([more.status, codeOf(more)], [500, "internal_error"]);
  });

  it("for a similar contract finds nothing without code, and fails where the node is dead", async () => {
    const similar = (chainId: string) => post(`/v2/verify/similarity/${chainId}/${ADDRESS}`, {});
    const nothing = await similar(chain.chainId);
    assert.deepEqual([nothing.status, codeOf(nothing)], [404, "cannot_fetch_bytecode"]);
    const dead = await similar(DEAD_CHAIN);
    assert.deepEqual([dead.status, codeOf(dead)], [502, "failed_to_get_bytecode"]);
    const past = await similar(CHAIN_OF_THE_PAST.chainId);
    assert.deepEqual([past.status, codeOf(past)], [502, "failed_to_get_bytecode"]);
  });

  it("for a similar contract is refused as a duplicate before the code is looked at", async () => {
    const address = "0x2222222222222222222222222222222222222222";
    const { release } = server.hold("finished");
    const id = await client.submit(path(address), SUBMISSION);
    const similar = await post(`/v2/verify/similarity/${chain.chainId}/${address}`, {});
    assert.deepEqual([similar.status, codeOf(similar)], [429, "duplicate_verification_request"]);
    release();
    assert.equal((await client.ended(id)).error?.customCode, "contract_not_deployed");
  });

  it("names a chain that is not supported: listed so, taken, and failed in the job", async () => {
    const { chainId } = CHAIN_OF_THE_PAST;
    const chains = JSON.parse((await client.get("/chains")).body) as {
      chainId: number;
      supported: boolean;
    }[];
    assert.equal(chains.find((one) => one.chainId === Number(chainId))?.supported, false);
    assert.equal(chains.find((one) => one.chainId === Number(chain.chainId))?.supported, true);
    const { error, contract } = await client.verify(path(ADDRESS, chainId), SUBMISSION);
    assert.equal(error?.customCode, "cannot_fetch_bytecode");
    assert.equal(error.message, `Cannot fetch bytecode for chain #${chainId} and address ${ADDRESS}.`);
    assert.equal(contract.match, null);
  });

  it("for a job has an id of the interface's form, or is refused", async () => {
    const wrong = await client.get("/v2/verify/1234");
    assert.deepEqual([wrong.status, codeOf(wrong)], [400, "invalid_parameter"]);
    const unknown = await client.get("/v2/verify/249c2f4b-af6c-46a7-a72e-d079da70ac0e");
    assert.deepEqual([unknown.status, codeOf(unknown)], [404, "job_not_found"]);
  });
});
