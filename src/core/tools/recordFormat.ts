import type { Pieces } from "../concurrency/turns.ts";
import type { FileReader } from "../files/fileReader.ts";
import type { LooseObject } from "../json/shape.ts";

/** A form in which builds are recorded. Names are source unit names. */
export interface RecordFormat {
  /** As {@link Recorder.builds} has it. */
  readonly name: string;
  /** Whether a parsed file says of itself that it has this form. */
  readonly isOf: (json: unknown) => boolean;
  /** The file is the compiler's input itself, with the version in this field, and not a build-info that holds both. */
  readonly versionBesideInput?: string;
  /** What its tool compiles as a line feed. */
  readonly lineFeeds?: RegExp;
  /** Files are named as they are imported where the remappings of the project's tools lead to them. */
  readonly isNamedByImport?: boolean;
  /** Files are named by where they lie below the folders of absolute imports. */
  readonly isNamedBySearchPath?: boolean;
  /** Names that say themselves where a file comes from. */
  readonly ownNames?: {
    /** The name of a file; there may be 100,000. */
    readonly nameOf: (record: NamedSources, file: NamedFile) => Pieces<string | undefined>;
    /** Looks for what some names mean; what it returns gives the absolute paths of one, `undefined` for another kind of name. */
    readonly pathsOf: (
      files: FileReader,
      root: string,
      names: readonly string[],
    ) => Promise<(name: string) => readonly string[] | undefined>;
  };
}

/** The sources of a record, and their names by those that people use, where the two differ. */
interface NamedSources {
  readonly input: { readonly sources: LooseObject };
  readonly userNames: LooseObject;
}

/** A file on disk. */
interface NamedFile {
  /** To the project's root; `undefined` outside of it. */
  readonly relative: string | undefined;
  /** The npm package that it lies in, and its path there. */
  readonly packaged: { readonly name: string; readonly path: string } | undefined;
}
