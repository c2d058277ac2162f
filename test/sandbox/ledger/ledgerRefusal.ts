/** An error in the interface's own form (hiero-mirror-node, rest/middleware/httpErrorHandler.js). */
export class LedgerRefusal extends Error {
  readonly status: number;
  readonly messages: readonly string[];

  constructor(status: number, ...messages: readonly string[]) {
    super(messages.join("; "));
    this.status = status;
    this.messages = messages;
  }
}

/** What is not there, and every path that is not served. */
export function notFound(): LedgerRefusal {
  return new LedgerRefusal(404, "Not found");
}

/** A part of the path that can't be read. */
export function invalidParameter(name: string): LedgerRefusal {
  return new LedgerRefusal(400, `Invalid parameter: ${name}`);
}

/** hiero-mirror-node, rest/transactionId.js */
export function invalidTransactionId(): LedgerRefusal {
  return new LedgerRefusal(
    400,
    'Invalid Transaction id. Please use "shard.realm.num-sss-nnn" format where sss are seconds and nnn are nanoseconds',
  );
}
