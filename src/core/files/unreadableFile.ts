import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";

/**
 * Something that is there and can't be read: no permission, too large, a device, a disk that fails. `code` is `unreadable_file`.
 * A reader of data that can be done without skips it and says so (`skippedFiles.ts`).
 */
export class UnreadableFile extends LedgerLensError {
  /** Absolute. */
  readonly path: string;
  /** What follows the name of the file: `is larger than 64 MB`. */
  readonly reason: string;

  constructor(path: string, reason: string, cause?: unknown) {
    super("unreadable_file", t`${path} ${reason}. Check the file and try again.`, { cause });
    this.path = path;
    this.reason = reason;
  }
}

/** What to say of an error of the file system. */
export function systemReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code === "EACCES" || code === "EPERM" || code === "NoPermissions"
    ? t`may not be read (no permission)`
    : t`can't be read${code === "" ? "" : ` (${code})`}`;
}

/** What to say of a file of more than `bytes` bytes. */
export function tooLargeReason(bytes: number): string {
  return t`is larger than ${Math.floor(bytes / (1024 * 1024)).toLocaleString("en")} MB`;
}

/** The largest file that is read unless its kind says otherwise, in bytes: no source and no artifact is as large. */
export const LARGEST_FILE_BYTES = 64 * 1024 * 1024;
