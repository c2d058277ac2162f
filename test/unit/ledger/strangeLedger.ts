import type { Random } from "../random.ts";
import { bytesOf, entityOf, integerOf, textOf, zigzagOf } from "../../sandbox/ledger/protobufEncoder.ts";

/** A body as a server might send it, and the digits of every integer in it that is no text. */
export interface StrangeBody {
  readonly text: string;
  readonly integers: ReadonlySet<string>;
}

const HOSTILE: readonly [string, ...string[]] = [
  "",
  " ",
  "\u202egnp.exe\u202c",
  "\u2066a\u2069\u200b\u200f\ufeff",
  "a\u0000b\u0007c\u001b[31m\u007f\u0085\u009b",
  "line\nline\r\n\ttab\u2028\u2029",
  "$(error) $(x)$($(y))",
  "[click](command:workbench.action.terminal.new) **bold** <img src=x onerror=1>",
  "__proto__",
  "constructor",
  "\ud800 lone \udc00",
  "🙂".repeat(300),
  "x".repeat(2000),
  "0",
  "9223372036854775807",
  "-1",
  "1e400",
  "NaN",
  "0x",
  "0xzz",
  "0.0.5",
  "漢字 é 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
];

const ENUMERATED: readonly [string, ...string[]] = [
  "UNKNOWN",
  "WARP",
  "output",
  "REVERT",
  "OUTPUT ",
  "toString",
  "",
];

/** Writes strange JSON: fields that are missing, null, of another type, too large, hostile. */
export class StrangeWriter {
  readonly #source: Random;
  readonly #integers = new Set<string>();

  constructor(source: Random) {
    this.#source = source;
  }

  /** The finished body. */
  body(text: string): StrangeBody {
    return { text, integers: this.#integers };
  }

  /** An integer literal, of which every digit has to arrive. */
  integer(value: bigint | number): string {
    this.#integers.add(String(BigInt(value)));
    return String(BigInt(value));
  }

  strangeInteger(): string {
    const { pick, below, next } = this.#source;
    if (below(12) === 0) {
      this.#integers.add("1684759236926863003");
      return pick(["1.684759236926863003e18", "1684759236926863003.0", "1.684759236926863003E+18"]);
    }
    return this.integer(
      pick([
        0n,
        -1n,
        BigInt(below(1000)),
        2n ** 53n - 1n,
        2n ** 53n,
        2n ** 53n + 1n,
        2n ** 63n - 1n,
        2n ** 63n,
        -(2n ** 63n),
        2n ** 64n,
        10n ** 30n + 7n,
        BigInt(Math.floor(next() * 2 ** 53)) * 1_000_003n,
      ]),
    );
  }

  hostile(): string {
    return JSON.stringify(this.#source.pick(HOSTILE));
  }

  /** A value of any type but the one that is expected. */
  strange(): string {
    const { below, pick } = this.#source;
    switch (below(6)) {
      case 0:
        return this.strangeInteger();
      case 1:
        return pick(["true", "false"]);
      case 2:
        return pick(["0.01", "1.5e-7", "-0.5", "1e-400", "-0.12345678901234567891"]);
      case 3:
        return `[${this.strangeInteger()},${this.hostile()},null,{}]`;
      case 4:
        return `{"_type":${this.hostile()},"key":${this.strangeInteger()},"__proto__":${this.hostile()}}`;
      default:
        return this.hostile();
    }
  }

  /** A field, mostly as it should be; with its comma, or empty. */
  field(name: string, usual: () => string): string {
    const chance = this.#source.below(100);
    if (chance < 6) return "";
    const value = chance < 14 ? "null" : chance < 24 ? this.strange() : usual();
    return `${JSON.stringify(name)}:${value}`;
  }

  /** An object of such fields, now and then with unknown fields. */
  object(fields: Readonly<Record<string, () => string>>): string {
    const parts = Object.entries(fields).map(([name, usual]) => this.field(name, usual));
    if (this.#source.below(5) === 0) {
      parts.push(`"future_${this.#source.below(10)}":${this.strange()}`, `"__proto__":${this.strange()}`);
    }
    return `{${parts.filter((part) => part !== "").join(",")}}`;
  }

  /** A list, now and then with what does not belong there. */
  list(most: number, make: () => string): string {
    const { below, pick } = this.#source;
    const parts = Array.from({ length: below(most + 1) }, () =>
      below(20) === 0 ? pick(["null", "[]", '"x"', "true"]) : make(),
    );
    return `[${parts.join(",")}]`;
  }

  text(usual: () => string): () => string {
    return () => (this.#source.below(4) === 0 ? this.hostile() : JSON.stringify(usual()));
  }

  enumerated(...values: readonly [string, ...string[]]): () => string {
    return () =>
      JSON.stringify(this.#source.below(8) === 0 ? this.#source.pick(ENUMERATED) : this.#source.pick(values));
  }

  readonly id = (): string => JSON.stringify(`0.0.${this.#source.below(1000)}`);
  readonly flag = (): string => this.#source.pick(["true", "false"]);
  readonly timestamp = (): string =>
    JSON.stringify(
      `${1_600_000_000 + this.#source.below(1e8)}.${String(this.#source.below(1e9)).padStart(9, "0")}`,
    );
  readonly digits = (): string => {
    const { pick, below } = this.#source;
    return JSON.stringify(
      pick(["0", "9223372036854775807", "18446744073709551616", String(below(1e9)), "-5"]),
    );
  };
  readonly hex = (): string => {
    const { pick, below } = this.#source;
    const bytes = Array.from({ length: below(pick([4, 80])) }, () => below(256));
    return JSON.stringify(
      pick(["0x", `0x${Buffer.from(bytes).toString("hex")}`, "0xabc", Buffer.from(bytes).toString("hex")]),
    );
  };
  readonly base64 = (): string => {
    const { pick, below } = this.#source;
    const bytes = Array.from({ length: below(40) }, () => below(256));
    return JSON.stringify(
      pick(["", "%%%", Buffer.from(bytes).toString("base64"), Buffer.from(pick(HOSTILE)).toString("base64")]),
    );
  };
}

function key(writer: StrangeWriter, source: Random): string {
  const { below, pick } = source;
  const random = (length: number) => Uint8Array.from({ length }, () => below(256));
  const nested = (depth: number): Uint8Array => {
    switch (below(depth > 0 ? 6 : 3)) {
      case 0:
        return bytesOf(2, random(32));
      case 1:
        return bytesOf(7, random(33));
      case 2:
        return entityOf(pick([1, 8]), `0.0.${below(1e9)}`);
      case 3:
        return bytesOf(6, ...Array.from({ length: below(4) }, () => bytesOf(1, nested(depth - 1))));
      case 4:
        return random(below(20));
      default:
        return bytesOf(
          5,
          integerOf(1, BigInt(below(5))),
          bytesOf(2, ...Array.from({ length: below(4) }, () => bytesOf(1, nested(depth - 1)))),
        );
    }
  };
  return writer.object({
    _type: writer.enumerated("ED25519", "ECDSA_SECP256K1", "ProtobufEncoded", "ProtobufEncoded"),
    key: () => JSON.stringify(Buffer.from(pick([random(32), nested(pick([0, 3, 40]))])).toString("hex")),
  });
}

/** The body of `GET /api/v1/tokens/{id}`. */
export function strangeToken(source: Random): StrangeBody {
  const writer = new StrangeWriter(source);
  const { pick } = source;
  const fraction = () =>
    writer.object({ numerator: () => writer.strangeInteger(), denominator: () => writer.strangeInteger() });
  const common = {
    all_collectors_are_exempt: writer.flag,
    collector_account_id: writer.id,
    denominating_token_id: writer.id,
  };
  const fees = () =>
    writer.object({
      created_timestamp: writer.timestamp,
      fixed_fees: () =>
        writer.list(3, () => writer.object({ ...common, amount: () => writer.strangeInteger() })),
      fractional_fees: () =>
        writer.list(2, () =>
          writer.object({
            ...common,
            amount: fraction,
            minimum: () => writer.strangeInteger(),
            maximum: () => writer.strangeInteger(),
            net_of_transfers: writer.flag,
          }),
        ),
      royalty_fees: () =>
        writer.list(2, () =>
          writer.object({
            ...common,
            amount: fraction,
            fallback_fee: () =>
              writer.object({ amount: () => writer.strangeInteger(), denominating_token_id: writer.id }),
          }),
        ),
    });
  const keys = ["admin", "fee_schedule", "freeze", "kyc", "metadata", "pause", "supply", "wipe"];
  return writer.body(
    writer.object({
      ...Object.fromEntries(keys.map((name) => [`${name}_key`, () => key(writer, source)])),
      auto_renew_account: writer.id,
      auto_renew_period: () => writer.strangeInteger(),
      created_timestamp: writer.timestamp,
      modified_timestamp: writer.timestamp,
      decimals: () => JSON.stringify(pick(["0", "1", "8", "75", "1000", "99999", "-1"])),
      deleted: writer.flag,
      expiry_timestamp: () => writer.strangeInteger(),
      freeze_default: writer.flag,
      initial_supply: writer.digits,
      max_supply: writer.digits,
      total_supply: () => (source.below(5) === 0 ? writer.strangeInteger() : writer.digits()),
      memo: writer.text(() => "memo"),
      metadata: writer.base64,
      name: writer.text(() => "Coin"),
      symbol: writer.text(() => "CN"),
      pause_status: writer.enumerated("NOT_APPLICABLE", "PAUSED", "UNPAUSED"),
      supply_type: writer.enumerated("FINITE", "INFINITE"),
      token_id: writer.id,
      treasury_account_id: writer.id,
      type: writer.enumerated("FUNGIBLE_COMMON", "NON_FUNGIBLE_UNIQUE"),
      custom_fees: fees,
    }),
  );
}

/** Selectors of functions and errors that are known without anybody's help, and of one that is not. */
const SELECTORS: readonly [string, ...string[]] = [
  "618dc65e",
  "49146bde",
  "189a554c",
  "a9059cbb",
  "08c379a0",
  "4e487b71",
  "deadbeef",
];

/** How the actions of a body are laid out. */
export interface ActionsShape {
  readonly count: number;
  /** Depth of an action by its place, before strangeness. */
  readonly depth: (at: number) => number;
  /** Index of an action by its place, before strangeness. */
  readonly index: (at: number) => number;
}

/** Some shape: gaps, jumps, repeated and falling indexes. */
export function someShape({ below, pick }: Random): ActionsShape {
  const start = pick([0, 1, 7]);
  const step = pick([1, 1, 2, 0]);
  const jumpy = below(4) === 0;
  let depth = 0;
  const depths = Array.from({ length: below(10) }, (_, at) => {
    depth = at === 0 ? start : Math.max(0, depth + (jumpy ? below(21) - 10 : pick([1, 0, -1, 1])));
    return depth;
  });
  const isFalling = below(5) === 0;
  const indexes = depths.map((_, at) => start + at * step);
  if (isFalling) indexes.reverse();
  return { count: depths.length, depth: (at) => depths[at] ?? 0, index: (at) => indexes[at] ?? 0 };
}

/** The one moment of a transaction, in everything that is said of it. */
const MOMENT = () => '"1695275750.225832095"';

/** The body of `GET /api/v1/contracts/results/{x}/actions`. */
export function strangeActions(source: Random, shape: ActionsShape, next: string | null): StrangeBody {
  const writer = new StrangeWriter(source);
  const { below, pick } = source;
  const data = () => {
    const word = () =>
      pick([
        below(2 ** 32)
          .toString(16)
          .padStart(64, "0"),
        "f".repeat(64),
        "0".repeat(64),
        "20".padStart(64, "0"),
      ]);
    const words = Array.from({ length: below(5) }, word).join("");
    const text = Buffer.from(
      pick(["INSUFFICIENT_GAS", "not today", "\u202e$(check)", "🙂".repeat(90)]),
    ).toString("hex");
    return JSON.stringify(`0x${pick(["", pick(SELECTORS) + words, words, text, word()])}`);
  };
  const address = () => {
    const num = pick([below(2 ** 32), 0x167, 0x168, 0x16b, 1, 0]);
    return JSON.stringify(
      `0x${pick(["0".repeat(24), "a1".repeat(12)])}${num.toString(16).padStart(16, "0")}`,
    );
  };
  const one = (at: number) =>
    writer.object({
      call_depth: () => writer.integer(shape.depth(at)),
      call_operation_type: writer.enumerated(
        "CALL",
        "STATICCALL",
        "STATICCALL",
        "DELEGATECALL",
        "CREATE",
        "CREATE2",
        "CALLCODE",
      ),
      call_type: writer.enumerated("NO_ACTION", "CALL", "CREATE", "PRECOMPILE", "SYSTEM"),
      caller: writer.text(() => "0.0.5"),
      caller_type: writer.enumerated("ACCOUNT", "CONTRACT"),
      from: address,
      gas: () => writer.strangeInteger(),
      gas_used: () => (below(3) === 0 ? writer.strangeInteger() : writer.integer(below(1e6))),
      index: () => writer.integer(shape.index(at)),
      input: () => (below(3) === 0 ? writer.hex() : data()),
      recipient: writer.text(() => "0.0.6"),
      recipient_type: writer.enumerated("ACCOUNT", "CONTRACT"),
      result_data: () => (below(3) === 0 ? writer.hex() : data()),
      result_data_type: writer.enumerated("OUTPUT", "OUTPUT", "REVERT_REASON", "ERROR"),
      // A transaction has one moment; actions of another one would be a wrong answer.
      timestamp: MOMENT,
      to: address,
      value: () => (below(2) === 0 ? "0" : writer.strangeInteger()),
    });
  const actions = Array.from({ length: shape.count }, (_, at) => one(at));
  // The same action again, as on pages that overlap; and what is none.
  if (actions.length > 0 && below(6) === 0)
    actions.splice(below(actions.length), 0, actions[below(actions.length)] ?? "null");
  if (below(10) === 0) actions.splice(below(actions.length + 1), 0, pick(["null", "[]", '"x"']));
  return writer.body(
    `{"actions":[${actions.join(",")}],"links":{"next":${JSON.stringify(next)}},"future":${writer.hostile()}}`,
  );
}

function schedule(writer: StrangeWriter, source: Random): string {
  const { below, pick } = source;
  const account = () => entityOf(1, `0.0.${below(1e9)}`);
  const bodies = [
    () => Buffer.from(Uint8Array.from({ length: below(60) }, () => below(256))),
    () =>
      Buffer.concat([
        integerOf(1, pick([1n, 2n ** 64n - 1n])),
        textOf(2, pick(HOSTILE)),
        bytesOf(
          9,
          bytesOf(
            1,
            ...Array.from({ length: below(3) }, () =>
              bytesOf(1, account(), zigzagOf(2, pick([5n, -(2n ** 63n)]))),
            ),
          ),
        ),
      ]),
    () =>
      Buffer.concat([
        bytesOf(3, account(), integerOf(2, 2n ** 63n - 1n), bytesOf(4, Buffer.from("a9059cbb", "hex"))),
      ]),
    () => Buffer.concat([bytesOf(3 + below(60), textOf(1, pick(HOSTILE)))]),
  ] as const;
  const time = () =>
    JSON.stringify(
      pick([`${1_767_225_600 + below(10_000) - 5000}.${below(1e9)}`, "1.5", "9999999999.999999999"]),
    );
  return writer.object({
    admin_key: () => key(writer, source),
    consensus_timestamp: time,
    creator_account_id: writer.id,
    deleted: () => pick(["false", "false", "true"]),
    executed_timestamp: () => pick(["null", "null", time()]),
    expiration_time: () => pick(["null", time()]),
    memo: writer.text(() => "memo"),
    payer_account_id: writer.id,
    schedule_id: writer.id,
    signatures: () =>
      writer.list(3, () =>
        writer.object({
          consensus_timestamp: time,
          public_key_prefix: writer.base64,
          signature: writer.base64,
          type: writer.enumerated("CONTRACT", "ED25519", "RSA_3072", "ECDSA_384", "ECDSA_SECP256K1"),
        }),
      ),
    transaction_body: () => JSON.stringify(pick(bodies)().toString("base64")),
    wait_for_expiry: writer.flag,
  });
}

/** The body of `GET /api/v1/schedules/{id}`. */
export function strangeSchedule(source: Random): StrangeBody {
  const writer = new StrangeWriter(source);
  return writer.body(schedule(writer, source));
}

/** The body of `GET /api/v1/schedules`. */
export function strangeSchedules(source: Random): StrangeBody {
  const writer = new StrangeWriter(source);
  return writer.body(`{"schedules":${writer.list(4, () => schedule(writer, source))},"links":{"next":null}}`);
}

/** The body of `GET /api/v1/contracts/results/{x}` of the transaction that {@link strangeActions} are of. */
export function strangeResult(source: Random): StrangeBody {
  const writer = new StrangeWriter(source);
  const log = () =>
    writer.object({
      address: writer.hex,
      contract_id: writer.text(() => "0.0.6"),
      data: writer.hex,
      index: () => writer.strangeInteger(),
      topics: () => writer.list(4, writer.hex),
    });
  const change = () =>
    writer.object({
      address: writer.hex,
      contract_id: writer.text(() => "0.0.6"),
      slot: writer.hex,
      value_read: writer.hex,
      value_written: writer.hex,
    });
  return writer.body(
    writer.object({
      amount: () => writer.strangeInteger(),
      block_number: () => writer.strangeInteger(),
      call_result: writer.hex,
      contract_id: writer.text(() => "0.0.6"),
      error_message: writer.text(() => "0x"),
      from: writer.hex,
      function_parameters: writer.hex,
      gas_consumed: () => writer.strangeInteger(),
      gas_limit: () => writer.strangeInteger(),
      gas_used: () => writer.strangeInteger(),
      hash: writer.hex,
      logs: () => writer.list(4, log),
      result: writer.enumerated("SUCCESS", "CONTRACT_REVERT_EXECUTED", "INSUFFICIENT_GAS"),
      state_changes: () => writer.list(4, change),
      timestamp: MOMENT,
      to: writer.hex,
    }),
  );
}

/** The body of `GET /api/v1/transactions` of that transaction. */
export function strangeTransactions(source: Random): StrangeBody {
  const writer = new StrangeWriter(source);
  const moved = { token_id: writer.id, account: writer.id, amount: () => writer.strangeInteger() };
  const one = writer.object({
    charged_tx_fee: () => writer.strangeInteger(),
    consensus_timestamp: MOMENT,
    entity_id: writer.text(() => "0.0.6"),
    memo_base64: writer.base64,
    name: writer.text(() => "CONTRACTCALL"),
    nft_transfers: () =>
      writer.list(3, () =>
        writer.object({
          token_id: writer.id,
          serial_number: () => writer.strangeInteger(),
          sender_account_id: writer.text(() => "0.0.7"),
          receiver_account_id: writer.text(() => "0.0.8"),
        }),
      ),
    result: writer.text(() => "SUCCESS"),
    token_transfers: () => writer.list(3, () => writer.object(moved)),
    transaction_id: writer.text(() => "0.0.5-1695275740-000000001"),
    transfers: () => writer.list(4, () => writer.object({ account: moved.account, amount: moved.amount })),
  });
  return writer.body(`{"transactions":[${one}]}`);
}
