import { readFileSync } from "node:fs";
import { Interface } from "ethers";
import { repositoryRoot } from "../../rig/paths.ts";
import { receiptOf, type Chain } from "../chain.ts";
import { deployFromWorkspace, verifyFromWorkspace } from "../sampleWorkspace.ts";
import type { Sandbox } from "../sandbox.ts";
import type { SolidityCompilers } from "../solidityCompilers.ts";
import { longZero } from "./ledgerEntities.ts";
import type { LedgerServer } from "./ledgerServer.ts";
import { bytesOf, entityOf, integerOf } from "./protobufEncoder.ts";
import { scheduleBodies } from "./scheduleBodies.ts";

/** The number under which the fungible token stands on the ledger, and as a contract on the chain. */
const COIN = 456_858;
const TOKEN_SERVICE = "0x0000000000000000000000000000000000000167";
const GAS = "0x1e8480";
/** One unit of a token with 18 decimals. */
const UNIT = 10n ** 18n;

/** What there is to be looked at on the sandbox's ledger. */
export interface LedgerScenes {
  /** Hashes of transactions by what happened in them. */
  readonly transactions: Readonly<Record<TransactionScene, string>>;
  /** `0.0.n-seconds-nanos` of the same transactions. */
  readonly transactionIds: Readonly<Record<TransactionScene, string>>;
  readonly tokens: { readonly coin: string; readonly art: string; readonly strange: string };
  /** A time at which the coin was another. */
  readonly coinBefore: string;
  readonly schedules: Readonly<Record<"pending" | "executed" | "deleted" | "expired" | "garbage", string>>;
  /** Created all but one of the schedules. */
  readonly scheduler: string;
  readonly contracts: Readonly<
    Record<"router" | "outerRouter" | "proxy" | "pool" | "factory" | "token", string>
  >;
}

/** What happens in a transaction of the sandbox. */
export type TransactionScene =
  | "tokenTransfer"
  | "plainTransfer"
  | "swap"
  | "slippage"
  | "wrongToken"
  | "caught"
  | "createPool"
  | "createPoolAt"
  | "pairExists"
  | "fingerprint"
  | "tip"
  | "divisionByZero"
  | "outOfGas"
  | "outOfGasInside"
  | "throughProxy"
  | "saltTaken"
  | "coinTransfer"
  | "emptyRevert"
  | "scheduledCall"
  | "manyCalls";

/** Deploys the sample's exchange, runs its transactions on the real chain, and fills the store. */
export async function playLedgerScenes(
  { chain, compilers, ledger }: Pick<Sandbox, "chain" | "compilers" | "ledger">,
  workspace: string,
): Promise<LedgerScenes> {
  const [owner = "", friend = ""] = await chain.rpc<string[]>("eth_accounts");
  const deploy = async (contract: string, types: string[] = [], values: unknown[] = []) => {
    const parameters = types.length === 0 ? "" : encode(types, values);
    return (await deployFromWorkspace(chain, compilers, workspace, contract, parameters)).address;
  };
  const token = (supply: bigint) =>
    deploy("contracts/Token.sol:Token", ["address", "uint256"], [owner, supply * UNIT]);
  const [gold, silver, lead] = [await token(1_000_000n), await token(1_000_000n), await token(1n)];
  const router = await deploy("contracts/exchange/Router.sol:Router");
  const outerRouter = await deploy("contracts/exchange/Router.sol:Router");
  const proxy = await deploy("contracts/exchange/RouterProxy.sol:RouterProxy", ["address"], [router]);
  const factory = await deploy("contracts/exchange/PoolFactory.sol:PoolFactory");
  const poolOf = async () =>
    deploy("contracts/exchange/Pool.sol:Pool", ["address", "address"], [gold, silver]);
  const [pool, shallowPool] = [await poolOf(), await poolOf()];

  const send = async (to: string, name: string, values: readonly unknown[], more: object = {}) => {
    const data = name === "" ? "0x" : FUNCTIONS.encodeFunctionData(name, values);
    const transaction = { from: owner, to, data, gas: GAS, ...more };
    const hash = await chain.rpc<string>("eth_sendTransaction", transaction);
    await receiptOf(chain, hash);
    return hash;
  };
  await send(gold, "transfer", [pool, 1000n * UNIT]);
  await send(silver, "transfer", [pool, 1000n * UNIT]);
  await send(gold, "transfer", [shallowPool, 10n * UNIT]);
  await send(silver, "transfer", [shallowPool, 10n * UNIT]);
  for (const spender of [router, outerRouter, proxy]) {
    await send(gold, "approve", [spender, 500_000n * UNIT]);
    await send(lead, "approve", [spender, UNIT]);
  }
  await placeTokenService(chain, compilers);
  const salt = `0x${"5a".repeat(32)}`;

  const transactions: Record<TransactionScene, string> = {
    tokenTransfer: await send(gold, "transfer", [friend, 25n * UNIT]),
    plainTransfer: await send(friend, "", [], { value: "0xde0b6b3a7640000" }),
    swap: await send(router, "swapExact", [pool, gold, 10n * UNIT, 9n * UNIT]),
    slippage: await send(outerRouter, "swapThrough", [router, pool, gold, 10n * UNIT, 10n * UNIT]),
    wrongToken: await send(router, "swapExact", [pool, lead, UNIT, 0n]),
    caught: await send(router, "swapBest", [shallowPool, pool, gold, 20n * UNIT, 15n * UNIT]),
    createPool: await send(factory, "createPool", [gold, lead]),
    createPoolAt: await send(factory, "createPoolAt", [gold, lead, salt]),
    saltTaken: await send(factory, "createPoolAt", [gold, lead, salt]),
    pairExists: await send(factory, "createPool", [gold, lead]),
    fingerprint: await send(router, "fingerprint", ["0x1234"]),
    tip: await send(router, "tip", [[friend, owner]], { value: "0x6f05b59d3b20000" }),
    divisionByZero: await send(router, "tip", [[]], { value: "0x2540be400" }),
    outOfGas: await send(router, "spin", [], { gas: "0x30000" }),
    outOfGasInside: await send(proxy, "spin", [], { gas: "0x30000" }),
    throughProxy: await send(proxy, "swapExact", [pool, gold, 10n * UNIT, 0n]),
    coinTransfer: await send(longZero(COIN), "transfer", [friend, 1_250_000n]),
    emptyRevert: await send(longZero(COIN), "approve", [friend, 1n]),
    scheduledCall: await send(router, "fingerprint", ["0x1234"]),
    manyCalls: await send(router, "tip", [Array<string>(260).fill(friend)], {
      value: "0x16345785d8a0000",
      gas: "0x1000000",
    }),
  };
  // The swap belongs to a schedule that is older than what this ledger knows.
  await ledger.transactions.runBySchedule(transactions.slippage);
  const scheduled = await ledger.transactions.runBySchedule(transactions.scheduledCall, 38 * 60);
  const ids: [string, string][] = [];
  for (const [name, hash] of Object.entries(transactions)) {
    const transaction = await ledger.transactions.find(hash);
    if (!transaction) throw new Error(`The ledger does not know the transaction ${name}.`);
    ids.push([name, transaction.id]);
  }
  return {
    transactions,
    transactionIds: Object.fromEntries(ids) as Record<TransactionScene, string>,
    tokens: { coin: `0.0.${COIN}`, art: "0.0.456900", strange: "0.0.456901" },
    coinBefore: fillTokens(ledger),
    schedules: fillSchedules(ledger, ledger.entities.idOf(router), {
      created: scheduled.created ?? "",
      executed: scheduled.transaction.consensus,
    }),
    scheduler: SCHEDULER,
    contracts: { router, outerRouter, proxy, pool, factory, token: gold },
  };
}

/** Verifies the contracts of the scenes, so that what looks at their transactions can be told their names. */
export async function verifySceneContracts(
  { chain, compilers, verification }: Sandbox,
  workspace: string,
  { contracts }: LedgerScenes,
): Promise<void> {
  for (const [contract, address] of [
    ["contracts/exchange/Router.sol:Router", contracts.router],
    ["contracts/exchange/Router.sol:Router", contracts.outerRouter],
    ["contracts/exchange/Pool.sol:Pool", contracts.pool],
    ["contracts/exchange/PoolFactory.sol:PoolFactory", contracts.factory],
    ["contracts/Token.sol:Token", contracts.token],
  ] as const) {
    await verifyFromWorkspace(verification.url, chain.chainId, compilers, workspace, contract, address);
  }
}

const SCHEDULER = "0.0.2002";

const FUNCTIONS = new Interface([
  "function transfer(address to, uint256 amount)",
  "function approve(address spender, uint256 amount)",
  "function swapExact(address pool, address tokenIn, uint256 amountIn, uint256 minimumOut)",
  "function swapThrough(address router, address pool, address tokenIn, uint256 amountIn, uint256 minimumOut)",
  "function swapBest(address first, address second, address tokenIn, uint256 amountIn, uint256 minimumOut)",
  "function createPool(address token0, address token1)",
  "function createPoolAt(address token0, address token1, bytes32 salt)",
  "function fingerprint(bytes data)",
  "function tip(address[] people) payable",
  "function spin()",
]);

function encode(types: string[], values: unknown[]): string {
  return new Interface([`constructor(${types.join(",")})`]).encodeDeploy(values).slice(2);
}

/** Puts a token service to 0x167 and the code of tokens to the coin's address. */
async function placeTokenService(chain: Chain, compilers: SolidityCompilers): Promise<void> {
  const name = "TokenService.sol";
  const output = await compilers.compile("0.8.37", {
    language: "Solidity",
    sources: { [name]: { content: readFileSync(`${repositoryRoot}/test/sandbox/ledger/${name}`, "utf8") } },
    settings: { outputSelection: { "*": { "*": ["evm.deployedBytecode.object"] } } },
  });
  const codeOf = (contract: string) => {
    const code = output?.contracts?.[name]?.[contract]?.evm.deployedBytecode.object;
    if (code === undefined)
      throw new Error(`${contract} does not compile: ${JSON.stringify(output?.errors)}`);
    return `0x${code}`;
  };
  await chain.rpc("anvil_setCode", TOKEN_SERVICE, codeOf("TokenService"));
  await chain.rpc("anvil_setCode", longZero(COIN), codeOf("TokenFacade"));
}

const KEY = { _type: "ED25519", key: "5a".repeat(32) };
/** Two of three: two plain keys and a contract (hedera-protobufs services/basic_types.proto, `Key`). */
const THRESHOLD_KEY = {
  _type: "ProtobufEncoded",
  key: Buffer.from(
    bytesOf(
      5,
      integerOf(1, 2n),
      bytesOf(
        2,
        bytesOf(1, bytesOf(2, Buffer.alloc(32, 0x6b))),
        bytesOf(1, bytesOf(7, Buffer.alloc(33, 2))),
        bytesOf(1, entityOf(1, "0.0.2005")),
      ),
    ),
  ).toString("hex"),
};

function fillTokens({ store }: LedgerServer): string {
  const now = Math.floor(Date.now() / 1000);
  const [created, changed] = [`${now - 90 * 86_400}.926863003`, `${now - 86_400}.000000001`];
  const coin = {
    admin_key: KEY,
    auto_renew_account: "0.0.2002",
    auto_renew_period: 7_776_000,
    created_timestamp: created,
    custom_fees: {
      created_timestamp: created,
      fixed_fees: [
        {
          all_collectors_are_exempt: false,
          amount: 50_000_000,
          collector_account_id: "0.0.2003",
          denominating_token_id: null,
        },
      ],
      fractional_fees: [
        {
          all_collectors_are_exempt: false,
          amount: { numerator: 1, denominator: 100 },
          collector_account_id: "0.0.2003",
          denominating_token_id: `0.0.${COIN}`,
          maximum: 50_000_000,
          minimum: 10_000,
          net_of_transfers: false,
        },
      ],
    },
    decimals: "6",
    deleted: false,
    // Nanoseconds as a bare number, which no double holds.
    expiry_timestamp: BigInt(now + 90 * 86_400) * 1_000_000_000n + 926_863_003n,
    fee_schedule_key: KEY,
    freeze_default: false,
    freeze_key: null,
    initial_supply: "0",
    kyc_key: null,
    max_supply: "0",
    memo: "The coin of the sample",
    metadata: "",
    metadata_key: null,
    modified_timestamp: created,
    name: "Sample Coin",
    pause_key: KEY,
    pause_status: "UNPAUSED",
    supply_key: THRESHOLD_KEY,
    supply_type: "INFINITE",
    symbol: "SMC",
    total_supply: "5000000000000",
    treasury_account_id: "0.0.2002",
    type: "FUNGIBLE_COMMON",
    wipe_key: KEY,
  };
  store.putToken(`0.0.${COIN}`, coin);
  store.putToken(`0.0.${COIN}`, {
    ...coin,
    modified_timestamp: changed,
    pause_status: "PAUSED",
    total_supply: "5432109876543",
  });
  store.putToken("0.0.456900", {
    ...coin,
    custom_fees: {
      created_timestamp: created,
      fixed_fees: [],
      royalty_fees: [
        {
          all_collectors_are_exempt: true,
          amount: { numerator: 1, denominator: 30_000 },
          collector_account_id: "0.0.2003",
          fallback_fee: { amount: 2_500_000, denominating_token_id: `0.0.${COIN}` },
        },
      ],
    },
    decimals: "0",
    max_supply: "1000",
    metadata: Buffer.from('{"artist":"somebody"}').toString("base64"),
    name: "Sample Art",
    supply_type: "FINITE",
    symbol: "ART",
    total_supply: "12",
    type: "NON_FUNGIBLE_UNIQUE",
  });
  store.putToken("0.0.456901", {
    ...coin,
    decimals: "75",
    max_supply: "9223372036854775807",
    memo: "[click](command:workbench.action.quit) $(flame) \u202ereversed\u0007",
    name: "Str\u202eange $(bug)",
    supply_type: "FINITE",
    total_supply: "9223372036854775806",
  });
  return `${now - 30 * 86_400}`;
}

function fillSchedules(
  { store }: LedgerServer,
  router: string,
  { created, executed }: { readonly created: string; readonly executed: string },
) {
  const now = Math.floor(Date.now() / 1000);
  const schedule = (id: string, body: string, more: object) => {
    store.putSchedule({
      admin_key: null,
      consensus_timestamp: `${now - 180}.000000001`,
      creator_account_id: SCHEDULER,
      deleted: false,
      executed_timestamp: null,
      expiration_time: null,
      memo: "",
      payer_account_id: "0.0.2003",
      schedule_id: id,
      signatures: [],
      transaction_body: body,
      wait_for_expiry: false,
      ...more,
    });
    return id;
  };
  const signature = (text: string) => ({
    consensus_timestamp: `${now - 120}.000000001`,
    public_key_prefix: Buffer.from(text.repeat(32), "hex").toString("base64"),
    signature: Buffer.from("ab".repeat(64), "hex").toString("base64"),
    type: "ED25519",
  });
  const transfer = scheduleBodies.transfer("0.0.2003", "0.0.2004", 250_000_000n, "rent");
  const call = scheduleBodies.contractCall(
    router,
    FUNCTIONS.encodeFunctionData("fingerprint", ["0x1234"]),
    200_000n,
  );
  return {
    expired: schedule("0.0.7708", transfer, {
      consensus_timestamp: `${now - 40 * 60}.000000001`,
      creator_account_id: "0.0.2009",
    }),
    deleted: schedule("0.0.7709", scheduleBodies.tokenMint(`0.0.${COIN}`, 1_000_000n), {
      consensus_timestamp: `${now - 39 * 60}.000000001`,
      deleted: true,
      memo: "a mistake",
    }),
    executed: schedule("0.0.7710", call, {
      consensus_timestamp: created,
      executed_timestamp: executed,
      expiration_time: `${now + 60 * 60}.000000000`,
      signatures: [signature("aa"), signature("bb")],
    }),
    pending: schedule("0.0.7711", call, {
      expiration_time: `${now + 26 * 60}.000000000`,
      wait_for_expiry: true,
      signatures: [signature("cc")],
    }),
    garbage: schedule("0.0.7712", "AQECAgMD", {}),
  };
}
