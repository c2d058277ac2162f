import { t } from "@vscode/l10n";
import { beginning, MAX_SENTENCE_CHARACTERS } from "./text/shownText.ts";

/** A key that a server wants in a header. The key itself is kept beside all settings, for this server and header alone. */
export interface HeaderKey {
  /** As `URL` gives it: "https://mirror.example.com". */
  readonly origin: string;
  readonly headerName: string;
}

/** What may help against an error. It is said where the error is made: its sentence may have words of others in it. */
export interface Remedy {
  /** The setting that its sentence says to check: "ledgerLens.networks". */
  readonly setting?: string;
  /** Whether the same may succeed the next time. */
  readonly mayPass?: boolean;
}

/** What a code alone says of that. */
interface CodeMeaning extends Remedy {
  /** Whether it is what a wrong address, or a wrong key in one, comes to. */
  readonly isOfAddress?: true;
}

/**
 * What may help, by the codes that say so wherever they come from. Each is given by this program alone: what a service calls
 * its refusals is another list.
 */
const MEANINGS: ReadonlyMap<string, CodeMeaning> = new Map<string, CodeMeaning>([
  ["unreachable", { isOfAddress: true, mayPass: true }],
  ["timeout", { mayPass: true }],
  ["proxy_failed", { setting: "http.proxy", mayPass: true }],
  ["proxy_invalid", { setting: "http.proxy" }],
  ["tls_untrusted", { setting: "http.proxyStrictSSL" }],
  ["redirect_refused", { isOfAddress: true }],
  ["not_json", { isOfAddress: true }],
  ["wrong_shape", { isOfAddress: true }],
  ["wrong_answer", { isOfAddress: true, mayPass: true }],
  ["invalid_url", { isOfAddress: true }],
  ["forbidden", { isOfAddress: true }],
  ["service_error", { mayPass: true }],
  ["rate_limited", { mayPass: true }],
  ["unavailable", { mayPass: true }],
  ["server_error", { mayPass: true }],
  ["no_code_source", { setting: "ledgerLens.rpcUrls" }],
  ["rpc_error", { setting: "ledgerLens.rpcUrls" }],
  ["key_missing", { setting: "ledgerLens.verificationUrl" }],
  ["compiler_list_refused", { setting: "ledgerLens.solcListUrl" }],
  ["local_compiler_off", { setting: "ledgerLens.localCompiler" }],
  ["status_page_not_found", { setting: "ledgerLens.statusUrl" }],
  ["status_page_refused", { setting: "ledgerLens.statusUrl" }],
  // A person mends what a disk refuses, and does the same again.
  ...["disk_full", "disk_read_only", "disk_forbidden", "disk_failed", "too_many_files", "folder_missing"].map(
    (code) => [code, { mayPass: true }] as const,
  ),
  ["unreadable_file", { mayPass: true }],
]);

/** What a code of ours says of what may help; `undefined` for all others. */
export function codeMeaning(code: string): CodeMeaning | undefined {
  return MEANINGS.get(code);
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
  /** What may help, where its code does not tell. */
  readonly remedy: Remedy | undefined;

  constructor(
    code: string,
    message: string,
    options: {
      detail?: string;
      cause?: unknown;
      setting?: string;
      key?: HeaderKey | undefined;
      /** Default: that of the cause, which the error tells of in other words. */
      remedy?: Remedy | undefined;
    } = {},
  ) {
    const bounded = beginning(message, MAX_SENTENCE_CHARACTERS - 1);
    super(bounded, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.setting = options.setting;
    this.key = options.key;
    const { cause } = options;
    this.remedy =
      options.remedy ?? (cause instanceof LedgerLensError && cause.code === code ? cause.remedy : undefined);
    this.detail =
      bounded === message
        ? options.detail
        : `${message}${options.detail === undefined ? "" : `\n${options.detail}`}`;
  }
}

/** The same error with what may help. */
export function withRemedy(error: LedgerLensError, remedy: Remedy): LedgerLensError {
  const { code, message, detail, setting, key } = error;
  return new LedgerLensError(code, message, {
    cause: error,
    key,
    remedy,
    ...(detail !== undefined && { detail }),
    ...(setting !== undefined && { setting }),
  });
}

/** True for an error that means "the user or the caller stopped this", which is never shown. */
export function isCancellation(error: unknown): boolean {
  if (error instanceof LedgerLensError) return error.code === "cancelled";
  // What a signal that was aborted gives as its reason where none was given to it.
  return error instanceof Error && error.name === "AbortError";
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

/** The error that is told of anything that was thrown: `internal` for a fault of ours, `cancelled` for an aborted signal. */
export function ledgerLensError(cause: unknown): LedgerLensError {
  if (cause instanceof LedgerLensError) return cause;
  if (isCancellation(cause))
    return new LedgerLensError("cancelled", t`The command was cancelled.`, { cause });
  const said = cause instanceof Error ? cause.message : String(cause);
  return new LedgerLensError(
    "internal",
    t`Ledger Lens failed unexpectedly: ${said}. The log has the details.`,
    { cause },
  );
}
