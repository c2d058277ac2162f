import assert from "node:assert/strict";
import { afterEach, describe, it, mock } from "node:test";
import { SharedWork } from "../../../src/core/concurrency/sharedWork.ts";
import { tellingOfLimits, tellOfLimit } from "../../../src/core/concurrency/toldLimits.ts";
import type { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { ActionNamer } from "../../../src/core/ledger/actions/actionNames.ts";
import { LedgerService } from "../../../src/core/ledger/ledgerService.ts";
import { SharedAnswers } from "../../../src/core/ledger/names/sharedAnswers.ts";
import { SignatureNames } from "../../../src/core/ledger/names/signatureNames.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";

const clock = { now: () => 0, sleep: () => Promise.resolve() };
const network = networkAt("https://ledger.example");
const address = `0x${"12".repeat(20)}`;

type Ask = () => Promise<unknown>;
const answer = { status: 200, headers: {}, text: "{}", durationMs: 1 };

/** An HTTP client whose every request is this one. */
function clientOf(ask: Ask): Pick<JsonClient, "request"> {
  return {
    request: async () => {
      await ask();
      return { ...answer, body: { result: { function: {} }, token_id: "0.0.7", decimals: "2" } };
    },
  };
}

/** All that asks once for several callers; each is called once for each of them. */
const SHARERS: Readonly<Record<string, (ask: Ask) => () => Promise<unknown>>> = {
  "what an address is": (ask) => {
    const work = new SharedWork();
    return () => work.join("0x12", ask);
  },
  "the name of a contract": (ask) => {
    const answers = new SharedAnswers({ clock, maxAnswers: 10 });
    return () => answers.get("https://names.example", "0x12", undefined, ask);
  },
  "selectors that go to a service together": (ask) => {
    const names = new SignatureNames({
      http: clientOf(ask),
      url: () => "https://names.example",
      isEnabled: () => true,
      clock,
    });
    let selector = 0;
    return () => names.definitions("function", `0x0000000${++selector}`, { network, address: undefined });
  },
  "the decimals of a token": (ask) => {
    const service = new LedgerService({ client: clientOf(ask), network: () => network });
    return () => service.denominations(network, ["0.0.7"], undefined);
  },
  "the names of a call": (ask) => {
    const source = {
      certainty: "guess",
      definitions: () => Promise.resolve([]),
      contractName: async () => {
        await ask();
        return undefined;
      },
    } as const;
    const namer = new ActionNamer(network, [source]);
    return () => namer.name({ to: address, recipient: "0.0.1234", recipient_type: "CONTRACT" });
  },
};

/** The hands of the clock are held, so that turns are counted. */
async function turnsUntil(isThere: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000 && !isThere(); turn++)
    await new Promise((resolve) => setImmediate(resolve));
}

afterEach(() => {
  mock.timers.reset();
});

describe("A limit of requests that one answer for several callers meets", () => {
  for (const [what, sharer] of Object.entries(SHARERS)) {
    it(`is told to each of them: ${what}`, async () => {
      mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
      const told: string[] = [];
      const [begun, limited, ended] = [1, 2, 3].map(() => Promise.withResolvers<undefined>());
      assert.ok(begun && limited && ended);
      const share = sharer(async () => {
        begun.resolve(undefined);
        await limited.promise;
        tellOfLimit({ service: "The service", ms: 30_000 });
        await ended.promise;
      });
      const listen = (name: string) =>
        tellingOfLimits(({ service, ms }) => told.push(`${name}: ${service} ${ms}`), share);
      const callers = [listen("first"), listen("second")];
      await begun.promise;
      limited.resolve(undefined);
      await turnsUntil(() => told.length >= 2);
      assert.deepEqual(told.sort(), ["first: The service 30000", "second: The service 30000"]);
      ended.resolve(undefined);
      await Promise.all(callers);
    });
  }

  it("is told to who comes later with what is left, and to nobody who has left", async () => {
    mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
    const told: string[] = [];
    const work = new SharedWork();
    const [again, ended] = [1, 2].map(() => Promise.withResolvers<undefined>());
    assert.ok(again && ended);
    const listen = (name: string, signal?: AbortSignal) =>
      tellingOfLimits(
        ({ ms }) => told.push(`${name}: ${ms}`),
        () =>
          work.join(
            "0x12",
            async () => {
              tellOfLimit({ service: "The service", ms: 30_000 });
              await again.promise;
              tellOfLimit({ service: "The service", ms: 60_000 });
              await ended.promise;
            },
            signal,
          ),
      );
    const leaving = new AbortController();
    const first = listen("first", leaving.signal);
    mock.timers.tick(10_000);
    const second = listen("second");
    leaving.abort();
    await assert.rejects(first);
    again.resolve(undefined);
    await turnsUntil(() => told.length >= 3);
    ended.resolve(undefined);
    await second;
    assert.deepEqual(told, ["first: 30000", "second: 20000", "second: 60000"]);
  });
});
