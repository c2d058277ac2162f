import { bytesOf, entityOf, integerOf, textOf, zigzagOf } from "./protobufEncoder.ts";

const base64 = (...fields: readonly Uint8Array[]) => Buffer.concat(fields).toString("base64");

/** `SchedulableTransactionBody` messages in base64 (hedera-protobufs services/schedulable_transaction_body.proto). */
export const scheduleBodies = {
  /** Tinybars from one account to another. */
  transfer: (from: string, to: string, amount: bigint, memo: string): string =>
    base64(
      integerOf(1, 200_000_000n),
      textOf(2, memo),
      bytesOf(
        9,
        bytesOf(
          1,
          bytesOf(1, entityOf(1, from), zigzagOf(2, -amount)),
          bytesOf(1, entityOf(1, to), zigzagOf(2, amount)),
        ),
      ),
    ),
  contractCall: (contract: string, parameters: string, gas: bigint): string =>
    base64(
      integerOf(1, 500_000_000n),
      bytesOf(
        3,
        entityOf(1, contract),
        integerOf(2, gas),
        bytesOf(4, Buffer.from(parameters.slice(2), "hex")),
      ),
    ),
  /** New units of a fungible token, in its smallest unit. */
  tokenMint: (token: string, amount: bigint): string =>
    base64(integerOf(1, 300_000_000n), bytesOf(29, entityOf(1, token), integerOf(2, amount))),
};
