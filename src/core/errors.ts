import { t } from "@vscode/l10n";
import { beginning, MAX_SENTENCE_CHARACTERS } from "./text/shownText.ts";

/** A key that a server wants in a header. The key itself is kept beside all settings, for this server and header alone. */
export interface HeaderKey {
  /** As `URL` gives it: "https://mirror.example.com". */
  readonly origin: string;
  readonly headerName: string;
}

/**
 * The one error type that reaches a person or a caller.
 *
 * `message` is one clear sentence: what happened, to what, what to do next. `code` is stable: other
 * people's automation switches on it. `detail` is for the log only (server bodies, lists of places). A sentence that
 * a server or a file made too long is cut, and stands in `detail` as a whole.
 */
export class LedgerLensError extends Error {
  override readonly name = "LedgerLensError";
  readonly code: string;
  readonly detail: string | undefined;
  /** The setting of the address that was asked, where that is another one than the service's that the work is about. */
  readonly setting: string | undefined;
  /** The key whose lack or fault made a server refuse, where a person enters it. */
  readonly key: HeaderKey | undefined;

  constructor(
    code: string,
    message: string,
    options: { detail?: string; cause?: unknown; setting?: string; key?: HeaderKey | undefined } = {},
  ) {
    const bounded = beginning(message, MAX_SENTENCE_CHARACTERS - 1);
    super(bounded, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.setting = options.setting;
    this.key = options.key;
    this.detail =
      bounded === message
        ? options.detail
        : `${message}${options.detail === undefined ? "" : `\n${options.detail}`}`;
  }
}

/** True for an error that means "the user or the caller stopped this", which is never shown. */
export function isCancellation(error: unknown): boolean {
  return error instanceof LedgerLensError && error.code === "cancelled";
}

/** What is known without an answer that a node or a service refuses: a cancellation alone goes on. */
export async function orNothing<T>(read: () => Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isCancellation(error)) throw error;
    return undefined;
  }
}

/** The error that is told of anything that was thrown: `internal` for a fault of ours. */
export function ledgerLensError(cause: unknown): LedgerLensError {
  if (cause instanceof LedgerLensError) return cause;
  const said = cause instanceof Error ? cause.message : String(cause);
  return new LedgerLensError(
    "internal",
    t`Ledger Lens failed unexpectedly: ${said}. The log has the details.`,
    { cause },
  );
}
