import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import type { FilePlace } from "./filePlace.ts";

/** A submitted source: its source unit name, its absolute path, and where it is from as the review showed it. */
export interface SubmittedFile {
  readonly name: string;
  readonly path: string;
  /** Absent in what an earlier version kept. */
  readonly place?: FilePlace;
  /** What was submitted was not the text of the file, but that of a record of a build. */
  readonly isRecorded?: boolean;
}

/** What belongs to a submission and is kept beside its record. */
export interface SubmissionParts {
  readonly input?: StandardJsonInput | undefined;
  /** Where the sources are on disk. */
  readonly files?: readonly SubmittedFile[] | undefined;
  /** All that the build compiled, for a second try. */
  readonly whole?: WholeSubmission | undefined;
}

/** All that a build compiled, where that is more than what was submitted. */
export interface WholeSubmission {
  readonly stdJsonInput: StandardJsonInput;
  readonly files: readonly SubmittedFile[];
}
