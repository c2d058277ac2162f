import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";
import { relativePath } from "../files/fileReader.ts";
import type { SkippedFile } from "../files/skippedFiles.ts";
import { isConfiguration } from "../files/folderReader.ts";
import { isToolConfiguration, RECORDING_TOOLS } from "./tool.ts";
import { foreignSentence, shown, type ShownText } from "../text/shownText.ts";

/** A person reads no more. */
const MAX_NAMED = 10;

/** What is to be said of records of deployments that can't be read. */
export interface UnreadableRecords {
  /** `1 deployment record can't be read` */
  readonly label: ShownText;
  /** `broadcast/Deploy.s.sol/1/run-latest.json is not valid JSON`, so many as a person reads. */
  readonly sentences: readonly string[];
}

/**
 * The records among what was skipped. Of a configuration that can't be read, its contracts' own inputs tell.
 *
 * @returns `undefined` where every record could be read
 */
export function unreadableRecords(
  skipped: readonly SkippedFile[],
  folders: readonly string[],
): UnreadableRecords | undefined {
  const records = skipped.filter(({ path }) => !isConfiguration(path) && !isToolConfiguration(path));
  const count = records.length;
  if (count === 0) return undefined;
  return {
    label:
      count === 1
        ? shown`1 deployment record can't be read`
        : shown`${count.toLocaleString("en-US")} deployment records can't be read`,
    sentences: records.slice(0, MAX_NAMED).map(({ path, reason }) => {
      const inFolder = folders.flatMap((folder) => relativePath(path, folder) ?? []);
      return `${inFolder[0] ?? path} ${reason}`;
    }),
  };
}

/** "1 deployment record can't be read: broadcast/… is not valid JSON." */
export function unreadableRecordsSentence({ label, sentences }: UnreadableRecords): ShownText {
  const [first = ""] = sentences;
  return foreignSentence(`${label}: ${first}${sentences.length > 1 ? t`, for one` : ""}.`);
}

/** That no record of a deployment was found, and which ones may be among those that can't be read. */
export function noDeployments(unreadable: UnreadableRecords | undefined): LedgerLensError {
  const left = unreadable ? ` ${unreadableRecordsSentence(unreadable)}` : "";
  return new LedgerLensError(
    "no_deployments",
    t`No record of a deployment was found in the open folders (${RECORDING_TOOLS.join(", ")}). Deploy with one of them, or verify a contract by its address.${left}`,
    unreadable && { detail: unreadable.sentences.join("\n") },
  );
}
