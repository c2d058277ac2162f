// What token contracts say of themselves when a mirror node has them called, through the real client.
import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { after, describe, it } from "node:test";
import { AbiCoder, Interface, encodeBytes32String } from "ethers";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { ActionNamer } from "../../../src/core/ledger/actions/actionNames.ts";
import { originText, actionWords } from "../../../src/core/ledger/actions/actionRows.ts";
import { LedgerService } from "../../../src/core/ledger/ledgerService.ts";
import type { NameSource } from "../../../src/core/ledger/names/nameSource.ts";
import { StandardNames } from "../../../src/core/ledger/names/standardNames.ts";
import { TokenContracts } from "../../../src/core/ledger/names/tokenContracts.ts";
import { networkAt, type LedgerNetwork } from "../../../src/core/ledger/references/network.ts";
import { valuesText } from "../../../src/core/ledger/actions/valueWords.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";
import { buildActionTree } from "../../../src/core/ledger/actions/actionTree.ts";
import { action, encoded } from "./actions.ts";

const GOLD = `0x${"aa".repeat(20)}`;
const SILVER = `0x${"bb".repeat(20)}`;
const POOL = `0x${"cc".repeat(20)}`;
const USER = `0x${"a1".repeat(20)}`;
const UNIT = 10n ** 18n;
const coder = AbiCoder.defaultAbiCoder();
const number = (value: bigint) => coder.encode(["uint256"], [value]);
const string = (value: string) => coder.encode(["string"], [value]);
const REVERTS = { status: 400, body: '{"_status":{"messages":[{"message":"CONTRACT_REVERT_EXECUTED"}]}}' };

interface Token {
  readonly decimals?: unknown;
  readonly symbol?: unknown;
}

const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops) await stop();
});

/** @param tokens what each answers: hex, or a status with a body; any other contract reverts */
async function serverWith(tokens: Readonly<Record<string, Token>>) {
  const asked: string[] = [];
  const server = await startServer((request, response) => {
    void text(request).then((body) => {
      const { to, data, block, estimate } = JSON.parse(body) as Record<string, unknown>;
      assert.deepEqual(
        [request.method, request.url, block, estimate],
        ["POST", "/api/v1/contracts/call", "latest", false],
      );
      const kind = data === "0x313ce567" ? "decimals" : data === "0x95d89b41" ? "symbol" : "other";
      asked.push(`${kind} ${String(to)}`);
      const said = kind === "other" ? undefined : tokens[String(to)]?.[kind];
      const reply =
        typeof said === "string"
          ? { status: 200, body: JSON.stringify({ result: said }) }
          : (said ?? REVERTS);
      const { status, body: sent } = reply as { status: number; body: string };
      response.writeHead(status, { "content-type": "application/json" }).end(sent);
    });
  });
  stops.push(() => server.stop());
  return { asked, network: networkAt(server.url) };
}

/** The contracts of tokens, where a ledger is the one that is chosen. */
function contractsAt(network: LedgerNetwork): TokenContracts {
  const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
  const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1", clock });
  stops.unshift(() => client.dispose());
  return new TokenContracts(new LedgerService({ client, network: () => network }));
}

/** @param tokens as of {@link serverWith} */
async function ledgerWith(tokens: Readonly<Record<string, Token>>, names: readonly NameSource[] = []) {
  const { asked, network } = await serverWith(tokens);
  const contracts = contractsAt(network);
  const namer = new ActionNamer(network, [...names, new StandardNames()], undefined, (scope) =>
    contracts.at(scope),
  );
  return { asked, namer, unitsOf: (address: string) => contracts.at({ network, address }) };
}

const gold = { decimals: number(18n), symbol: string("GLD") };
const transfer = (to: string, value: bigint) =>
  action({
    to,
    from: USER,
    input: encoded("transfer(address,uint256)", [USER, value]),
    result_data: number(1n),
  });
const balance = (to: string) =>
  action({
    to,
    call_operation_type: "STATICCALL",
    input: encoded("balanceOf(address)", [USER]),
    result_data: number(UNIT),
  });

describe("A token contract", () => {
  it("is asked once for decimals and symbol, by which its amounts are shown from then on", async () => {
    const { namer, asked } = await ledgerWith({ [GOLD]: gold });
    const { actions } = buildActionTree([transfer(GOLD, 25n * 10n ** 17n)]);
    const [one = {}] = actions;
    namer.learnTokens(actions);
    await namer.name(one);
    const said = () => valuesText(namer.known(one)?.call?.values ?? [], "short");
    assert.match(said(), /2,500,000,000,000,000,000$/);
    assert.equal(await namer.lookUpContracts([]), true);
    assert.match(said(), /: 2\.5 GLD$/);
    assert.equal(namer.toldContracts, 1);
    assert.equal(await namer.lookUpContracts([]), false);
    assert.deepEqual(asked, [`decimals ${GOLD}`, `symbol ${GOLD}`]);
  });

  it("is what its own ledger says, of two that have one at the same address, whichever is chosen", async () => {
    const [one, other] = [
      await serverWith({ [GOLD]: gold }),
      await serverWith({ [GOLD]: { decimals: number(6n), symbol: string("USD") } }),
    ];
    const contracts = contractsAt(other.network);
    const unitsAt = (network: LedgerNetwork) => contracts.at({ network, address: GOLD });
    assert.deepEqual(await unitsAt(one.network), { decimals: 18, symbol: "GLD" });
    assert.deepEqual(await unitsAt(other.network), { decimals: 6, symbol: "USD" });
    assert.deepEqual(await unitsAt(one.network), { decimals: 18, symbol: "GLD" });
    for (const { asked } of [one, other]) assert.deepEqual(asked, [`decimals ${GOLD}`, `symbol ${GOLD}`]);
  });

  it("is the same by both its addresses, that of its id and the one that its logs name", async () => {
    const made = `0x${(1007).toString(16).padStart(40, "0")}`;
    const { namer, asked } = await ledgerWith({ [made]: gold });
    const log = {
      address: GOLD,
      contract_id: "0.0.1007",
      ...new Interface([
        "event Transfer(address indexed from, address indexed to, uint256 value)",
      ]).encodeEventLog("Transfer", [USER, POOL, UNIT]),
    };
    const { actions } = buildActionTree([transfer(made, UNIT)]);
    namer.learnTokens(actions);
    await namer.lookUpContracts([log]);
    assert.equal(namer.unitsAt(GOLD)?.symbol, "GLD");
    assert.equal(namer.unitsAt(made)?.symbol, "GLD");
    assert.deepEqual(asked, [`decimals ${made}`, `symbol ${made}`]);
    const { event } = await namer.event(log);
    assert.match(valuesText(event?.values ?? [], "short"), /1\.0 GLD$/);
  });

  it("is not asked where no call and no log shows one, and few are where there are many", async () => {
    const { namer, asked } = await ledgerWith({});
    namer.learnTokens(buildActionTree([action({ to: POOL, input: "0xdeadbeef" })]).actions);
    assert.equal(await namer.lookUpContracts([]), false);
    assert.deepEqual(asked, []);
    const many = buildActionTree(
      Array.from({ length: 100 }, (_, index) =>
        balance(`0x${(index + 16).toString(16).repeat(20)}`.slice(0, 42)),
      ),
    ).actions;
    namer.learnTokens(many);
    await namer.lookUpContracts([]);
    assert.equal(asked.length, 40, "each says that it is none at the first question");
    await namer.lookUpContracts([]);
    assert.equal(asked.length, 40);
  });

  it("is taken at its word only where that is one", async () => {
    const cases: Readonly<
      Record<string, readonly [Token, { decimals: number; symbol?: string } | undefined]>
    > = {
      "36 decimals": [
        { decimals: number(36n), symbol: string("A") },
        { decimals: 36, symbol: "A" },
      ],
      "37 decimals": [{ decimals: number(37n), symbol: string("A") }, undefined],
      "75 decimals": [{ decimals: number(75n), symbol: string("A") }, undefined],
      "2^256 - 1 decimals": [{ decimals: `0x${"f".repeat(64)}` }, undefined],
      "no decimals": [{ decimals: number(0n), symbol: string("A") }, undefined],
      "an empty answer": [{ decimals: "0x" }, undefined],
      "no hex": [{ decimals: "18" }, undefined],
      "half a digit": [{ decimals: "0x1" }, undefined],
      "another shape": [{ decimals: { status: 200, body: '{"result":{"a":1}}' } }, undefined],
      "a list": [{ decimals: { status: 200, body: "[]" } }, undefined],
      "a symbol of 32 bytes": [
        { decimals: number(18n), symbol: encodeBytes32String("MKR") },
        { decimals: 18 },
      ],
      "a symbol that is no UTF-8": [
        { decimals: number(18n), symbol: coder.encode(["bytes"], ["0xfffe80"]) },
        { decimals: 18 },
      ],
      "a symbol that turns what is around it": [
        { decimals: number(6n), symbol: string("A‮B") },
        { decimals: 6 },
      ],
      "a long symbol": [{ decimals: number(6n), symbol: string("A".repeat(5_000)) }, { decimals: 6 }],
      "a symbol that reverts": [{ decimals: number(6n), symbol: REVERTS }, { decimals: 6 }],
      reverts: [{ decimals: REVERTS }, undefined],
      "a long answer": [{ decimals: `0x${"0".repeat(400_000)}` }, undefined],
    };
    for (const [what, [token, expected]] of Object.entries(cases)) {
      const { unitsOf } = await ledgerWith({ [GOLD]: token });
      assert.deepEqual(await unitsOf(GOLD), expected, what);
    }
  });

  it("is left alone on a network that has no such question", async () => {
    const missing = { status: 404, body: '{"_status":{"messages":[{"message":"Not found"}]}}' };
    const { namer, asked, unitsOf } = await ledgerWith({ [GOLD]: { decimals: missing } });
    const { actions } = buildActionTree([transfer(GOLD, UNIT)]);
    namer.learnTokens(actions);
    assert.equal(await namer.lookUpContracts([]), false);
    assert.equal(await unitsOf(SILVER), undefined);
    assert.deepEqual(asked, [`decimals ${GOLD}`]);
  });
});

describe("Numbers that are called amounts", () => {
  const pool: NameSource = {
    certainty: "verified",
    definitions: (kind, selector, { address }) =>
      Promise.resolve(
        address !== POOL || selector.length > 10
          ? []
          : kind === "error"
            ? [{ abi: "error SlippageTooHigh(uint256 amountOut, uint256 minimumOut)" }]
            : [{ abi: "function swap(uint256 amountIn, uint256 fee)" }],
      ),
    contractName: ({ address }) => Promise.resolve(address === POOL ? { name: "Pool" } : undefined),
  };
  const failedSwap = action({
    to: POOL,
    input: encoded("swap(uint256,uint256)", [10n * UNIT, 3n]),
    result_data_type: "REVERT_REASON",
    result_data: encoded("SlippageTooHigh(uint256,uint256)", [9_706_853_038_245_000_970n, 10n * UNIT]),
  });

  async function told(tokens: Readonly<Record<string, Token>>) {
    const { namer } = await ledgerWith(tokens, [pool]);
    const tree = buildActionTree([
      failedSwap,
      { ...balance(GOLD), call_depth: 1 },
      { ...balance(SILVER), call_depth: 1 },
    ]);
    namer.learnTokens(tree.actions);
    for (const one of tree.actions) await namer.name(one);
    await namer.lookUpContracts([]);
    const [one = {}] = tree.actions;
    const names = namer.known(one);
    return [
      originText(one, actionWords(tree, 0, names)),
      valuesText(names?.call?.values ?? [], "short"),
    ].join(" ");
  }
  const RAW =
    /amountOut: 9,706,853,038,245,000,970, minimumOut: 10,000,000,000,000,000,000\) amountIn: 10,000/;

  it("stay as they are, since no name tells of which token they are", async () => {
    assert.match(await told({ [GOLD]: gold, [SILVER]: gold }), RAW);
    assert.match(await told({ [GOLD]: gold }), RAW);
  });
});
