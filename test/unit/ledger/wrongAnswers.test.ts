import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { readSchedule } from "../../../src/core/ledger/schedules/schedule.ts";
import { startLedger } from "./loopbackLedger.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const MOMENT = "1640084600.000000001";
const OTHER_MOMENT = "1640084601.000000001";
const ADDRESS = `0x${"a1".repeat(20)}`;
const OTHER_ADDRESS = `0x${"b2".repeat(20)}`;
const LONG_ZERO = `0x${"0".repeat(37)}4d2`;
const HASH = Buffer.alloc(48, 7).toString("base64");

const answering = async (body: unknown) => startLedger(() => JSON.stringify(body), stops);

/** Each answer, and whether it is about what was asked. */
type Answers = readonly (readonly [answer: object, isIt: boolean])[];

async function check(answers: Answers, ask: (body: object) => Promise<unknown>): Promise<void> {
  for (const [answer, isIt] of answers) {
    const said = JSON.stringify(answer);
    if (isIt) await assert.doesNotReject(ask(answer), said);
    else
      await assert.rejects(ask(answer), (error: unknown) => {
        assert.ok(error instanceof Error && "code" in error);
        assert.equal(error.code, "wrong_answer", said);
        assert.match(error.message, / answered about .+ where .+ was asked, so its answer is not used\. /);
        return true;
      });
  }
}

describe("A ledger's answer about something else than was asked", () => {
  it("is no token, and no schedule", async () => {
    await check(
      [
        [{ token_id: "0.0.5", decimals: "2" }, true],
        [{ decimals: "2" }, true],
        [{ token_id: "0.0.6", decimals: "2" }, false],
        [{ token_id: "0.0.999999999999", decimals: "2" }, false],
      ],
      async (body) => (await answering(body)).service.token("0.0.5"),
    );
    await check(
      [
        [{ schedule_id: "0.0.5" }, true],
        [{ schedule_id: "0.0.50" }, false],
      ],
      async (body) => (await answering(body)).service.schedule("0.0.5"),
    );
  });

  it("is no contract", async () => {
    const contract = (asked: string) => async (body: object) => {
      const { service, network } = await answering(body);
      return service.contract(asked, network);
    };
    await check(
      [
        [{ contract_id: "0.0.1234", evm_address: ADDRESS }, true],
        [{ evm_address: ADDRESS }, true],
        [{ contract_id: "0.0.1235", evm_address: ADDRESS }, false],
      ],
      contract("0.0.1234"),
    );
    await check(
      [
        [{ contract_id: "0.0.1234", evm_address: ADDRESS.toUpperCase().replace("X", "x") }, true],
        [{ contract_id: "0.0.1234" }, true],
        [{ contract_id: "0.0.1234", evm_address: OTHER_ADDRESS }, false],
      ],
      contract(ADDRESS),
    );
    // The address that is made of an id finds a contract that was created at one of its own.
    await check(
      [
        [{ contract_id: "0.0.1234", evm_address: ADDRESS }, true],
        [{ contract_id: "0.0.1235", evm_address: ADDRESS }, false],
      ],
      contract(LONG_ZERO),
    );
  });

  it("is no transaction whose actions are asked for", async () => {
    const answersOf = (transaction: object, actions: object) => (target: string) =>
      JSON.stringify(target.includes("/actions") ? actions : { transactions: [transaction] });
    const ask = (asked: string, actions: object) => async (transaction: object) => {
      const { service } = await startLedger(answersOf(transaction, actions), stops);
      return service.actions(asked);
    };
    const actions = { actions: [{ index: 0, timestamp: MOMENT }] };
    const found = { transaction_hash: HASH, consensus_timestamp: MOMENT };
    await check(
      [
        [found, true],
        [{ transaction_hash: HASH }, true],
        [{ ...found, consensus_timestamp: OTHER_MOMENT }, false],
        [{ ...found, consensus_timestamp: "12345678901.0" }, false],
      ],
      ask(MOMENT, actions),
    );
    await check(
      [
        [{ ...found, transaction_id: "0.0.5-1640084590-665216882" }, true],
        [{ ...found, transaction_id: "0.0.5@1640084590.665216882" }, true],
        [{ ...found, transaction_id: "0.0.6-1640084590-665216882" }, false],
      ],
      ask("0.0.5@1640084590.665216882?scheduled", actions),
    );
  });

  it("is no record of it, and no child", async () => {
    const own = { transaction_id: "0.0.5-1640084590-665216882", name: "CRYPTOTRANSFER", result: "SUCCESS" };
    const other = { ...own, transaction_id: "0.0.6-1640084590-665216882" };
    const recordOf = async (transactions: readonly object[]) => {
      const { service } = await startLedger(
        (target) =>
          target.startsWith("/api/v1/transactions/") ? JSON.stringify({ transactions }) : '{"actions":[]}',
        stops,
      );
      return service.transactionRecord(await service.actions("0.0.5@1640084590.665216882"));
    };
    const { transaction, problems } = await recordOf([other]);
    assert.equal(transaction, undefined);
    assert.match(
      problems.map(({ message }) => message).join(),
      /answered about 0\.0\.6-\S+ where transaction 0\.0\.5-\S+ was asked, so its answer is not used\./,
    );
    for (const found of [
      [own, { ...other, nonce: 1 }],
      [{ ...other, nonce: 1 }, own, { ...own, transaction_id: "0.0.5@1640084590.665216882", nonce: 2 }],
    ]) {
      const { transaction: read } = await recordOf(found);
      assert.equal(read?.transaction_id, own.transaction_id);
      assert.deepEqual(
        (read.children ?? []).map(({ nonce }) => nonce),
        found.length === 2 ? [] : ["2"],
      );
    }
  });

  it("is neither another child nor the transaction that created the schedule", async () => {
    const hash = (byte: number) => Buffer.alloc(48, byte).toString("base64");
    const canonicalOf = async (asked: string, transactions: readonly object[]) => {
      const { service } = await startLedger(
        (target) => JSON.stringify(target.includes("/actions") ? { actions: [] } : { transactions }),
        stops,
      );
      return (await service.actions(asked)).canonical;
    };
    const id = "0.0.5@1640084590.665216882";
    const both = [
      { nonce: 0, scheduled: false, transaction_hash: hash(1) },
      { nonce: 0, scheduled: true, transaction_hash: hash(2) },
    ];
    assert.equal(await canonicalOf(`${id}?scheduled`, both), `0x${"02".repeat(32)}`);
    for (const asked of [`${id}/2`, `${id}?scheduled/1`])
      await assert.rejects(canonicalOf(asked, both), { code: "not_found" });
  });

  it("is no contract action of it", async () => {
    const action = (index: number, timestamp: string) => ({ index, call_depth: 0, timestamp });
    await check(
      [
        [{ actions: [action(0, MOMENT), action(1, MOMENT)] }, true],
        [{ actions: [action(0, MOMENT), { index: 1 }] }, true],
        [{ actions: [action(0, MOMENT), action(1, OTHER_MOMENT)] }, false],
      ],
      async (body) => (await answering(body)).service.actions("0.0.5@1640084590.665216882"),
    );
    await check([[{ actions: [action(0, OTHER_MOMENT)] }, false]], async (body) =>
      (
        await startLedger(
          (target) =>
            JSON.stringify(
              target.includes("/actions")
                ? body
                : { transactions: [{ transaction_hash: HASH, consensus_timestamp: MOMENT }] },
            ),
          stops,
        )
      ).service.actions(MOMENT),
    );
  });

  it("does not add its page to the actions that are there", async () => {
    const { service } = await startLedger(
      (target) =>
        JSON.stringify(
          target.includes("gt:0")
            ? { actions: [{ index: 1, timestamp: OTHER_MOMENT }], links: { next: null } }
            : {
                actions: [{ index: 0, timestamp: MOMENT }],
                links: { next: `${target.split("?")[0] ?? ""}?index=gt:0` },
              },
        ),
      stops,
    );
    const actions = await service.actions("0.0.5@1640084590.665216882");
    await assert.rejects(actions.pages.loadMore(), { code: "wrong_answer" });
    assert.equal(actions.pages.items.length, 1);
    assert.equal(actions.complete, false, "it can be asked again");
  });

  it("is no result of a schedule", async () => {
    await check(
      [
        [{ result: "SUCCESS", consensus_timestamp: MOMENT }, true],
        [{ result: "SUCCESS", consensus_timestamp: OTHER_MOMENT }, false],
        [{ result: "SUCCESS", consensus_timestamp: "12345678901.0" }, false],
      ],
      async (transaction) => {
        const { service, network } = await answering({ transactions: [transaction] });
        return service.scheduleResult(
          readSchedule({ schedule_id: "0.0.5", executed_timestamp: MOMENT }, network),
        );
      },
    );
  });
});
