import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { grouped } from "../text/counted.ts";
import { foreign, foreignLine, joined, shown } from "../text/shownText.ts";
import { PLACE_WORDS } from "./filePlace.ts";
import type { JobRecord } from "./jobRecord.ts";
import type { SubmittedFile } from "./submissionParts.ts";
import type { VerificationRow } from "./verificationRows.ts";

/** More files than these are counted. */
const MAX_FILES = 200;

/**
 * The rows of the files of a submission, the contract's own first; of a job whose files are no longer kept, that one
 * alone.
 */
export function submittedFileRows(record: JobRecord, kept: readonly SubmittedFile[]): VerificationRow[] {
  const { submission } = record;
  if (!submission) return [];
  const { contractIdentifier, path } = submission;
  const own = splitIdentifier(contractIdentifier).file;
  const files = kept.length === 0 ? [{ name: own, path }] : kept.toSorted(byPlace(own));
  const rest = files.length - MAX_FILES;
  return [
    ...files.slice(0, MAX_FILES).map((file) => fileRow(record, file)),
    ...(rest > 0
      ? [
          {
            id: "more files",
            label: shown`More files`,
            description: shown`${grouped(rest)}`,
            icon: "ellipsis",
            record,
          },
        ]
      : []),
  ];
}

function fileRow(record: JobRecord, file: SubmittedFile): VerificationRow {
  const { name, place = "project" } = file;
  const at = name.lastIndexOf("/");
  return {
    id: `file ${name}`,
    label: foreign(name.slice(at + 1)),
    description: joined([foreign(name.slice(0, Math.max(0, at))), PLACE_WORDS[place]], " · "),
    tooltip: [foreignLine(name), ...(PLACE_WORDS[place] === "" ? [] : [PLACE_WORDS[place]])],
    icon: "file-code",
    context: "submittedFile",
    record,
    submittedFile: file,
  };
}

/** The contract's own file, those of the project, all others. */
function byPlace(own: string): (one: SubmittedFile, other: SubmittedFile) => number {
  const rank = ({ name, place = "project" }: SubmittedFile) =>
    name === own ? 0 : place === "project" ? 1 : 2;
  return (one, other) => rank(one) - rank(other);
}
