/** An error in the interface's own form (argotorg/sourcify, services/server/src/server/apiv2/errors.ts). */
export class Refusal extends Error {
  readonly status: number;
  readonly customCode: string;

  constructor(status: number, customCode: string, message: string) {
    super(message);
    this.status = status;
    this.customCode = customCode;
  }
}

/** A request that does not fit the interface. */
export function invalidParameter(message: string): Refusal {
  return new Refusal(400, "invalid_parameter", message);
}

/** What the service says of its own faults. */
export const INTERNAL_ERROR = "The server encountered an unexpected error.";
