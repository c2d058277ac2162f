import { splitIdentifier } from "../sources/contractIdentifier.ts";
import type { JobRecord } from "./jobRecord.ts";

/** A contract's own file. */
interface ContractFile {
  /** Absolute. */
  readonly path: string;
  /** The source unit name under which it was submitted. */
  readonly name: string;
}

/** The file of a job's contract; `undefined` where there is none: a text that is only in a record of a build has that record's path. */
export function contractFileOf({ submission }: Pick<JobRecord, "submission">): ContractFile | undefined {
  if (!submission) return undefined;
  const { path, contractIdentifier } = submission;
  const name = splitIdentifier(contractIdentifier).file;
  return endingOf(name) === endingOf(path) ? { path, name } : undefined;
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf("."));
}
