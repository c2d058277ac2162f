import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";

/** What a disk says, in a stable word and as the middle and the end of a sentence. */
const FAULTS: ReadonlyMap<string, readonly [code: string, fault: string, advice: string]> = new Map([
  ["ENOSPC", ["disk_full", t`the disk is full`, t`Free some space, then try again.`]],
  ["EDQUOT", ["disk_full", t`your quota on the disk is used up`, t`Free some space, then try again.`]],
  ["EFBIG", ["disk_full", t`the disk takes no file of this size`, t`Choose another disk, then try again.`]],
  [
    "EROFS",
    ["disk_read_only", t`the disk is read-only`, t`Make it writable or choose another, then try again.`],
  ],
  ["EACCES", ["disk_forbidden", t`you have no permission there`, t`Check the permissions, then try again.`]],
  ["EPERM", ["disk_forbidden", t`you have no permission there`, t`Check the permissions, then try again.`]],
  ["EMFILE", ["too_many_files", t`too many files are open`, t`Close other programs, then try again.`]],
  ["ENFILE", ["too_many_files", t`too many files are open`, t`Close other programs, then try again.`]],
  ["ENOENT", ["folder_missing", t`its folder doesn't exist`, t`Create the folder, then try again.`]],
  ["ENOTDIR", ["folder_missing", t`its folder is a file`, t`Choose another place, then try again.`]],
  ["EISDIR", ["folder_missing", t`there is a folder of that name`, t`Choose another name, then try again.`]],
] as const);

/** `code` of an error of the file system; `undefined` for any other. */
export function diskCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** The system's code, also of an error of the editor's file service, which has it in its sentence at best. */
function systemCodeOf(error: unknown): string {
  const code = diskCode(error) ?? "";
  if (FAULTS.has(code)) return code;
  if (code.includes("NoPermissions")) return "EACCES";
  const said =
    error instanceof Error ? /\bE[A-Z]{2,10}\b/.exec(error.message.slice(0, 1_000))?.[0] : undefined;
  return said ?? code;
}

/**
 * What a disk refused. Codes: `disk_full`, `disk_read_only`, `disk_forbidden`, `too_many_files`, `folder_missing`, and
 * `disk_failed` for everything else.
 */
class DiskError extends LedgerLensError {
  /** Why, as a sentence goes on behind "because": "the disk is full". */
  readonly fault: string;
  /** What to do, as a sentence of its own. */
  readonly advice: string;
  /** The folder, where it was told. */
  readonly folder: string | undefined;

  constructor(error: unknown, what: string, folder?: string) {
    const systemCode = systemCodeOf(error);
    const [code, fault, advice] = FAULTS.get(systemCode) ?? [
      "disk_failed",
      t`the disk failed${systemCode === "" ? "" : ` (${systemCode})`}`,
      t`Check the disk, then try again.`,
    ];
    super(code, `${what}${folder === undefined ? "" : t` in ${folder}`}: ${fault}. ${advice}`, {
      cause: error,
      detail: error instanceof Error ? error.message : String(error),
    });
    this.fault = fault;
    this.advice = advice;
    this.folder = folder;
  }
}

/**
 * The sentence for what a disk refused; an error that has one already stays as it is.
 *
 * @param what can't be done, as a sentence begins: "Vault.json can't be written"
 * @param folder in which
 */
export function diskError(error: unknown, what: string, folder?: string): LedgerLensError {
  return error instanceof LedgerLensError ? error : new DiskError(error, what, folder);
}

/** Whether an error is one of {@link diskError}. */
export function isDiskError(error: unknown): error is DiskError {
  return error instanceof DiskError;
}
