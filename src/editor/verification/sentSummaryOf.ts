import { inTurns } from "../../core/concurrency/turns.ts";
import { compilerInWords } from "../../core/jobs/jobWords.ts";
import type { FilePlace } from "../../core/jobs/filePlace.ts";
import type { SentSummary } from "../../core/jobs/page/pageModel.ts";
import { sentSummaryInPieces } from "../../core/jobs/page/sentSummary.ts";
import type { CompilerInput } from "../../core/sources/standardJsonInput.ts";

/** A file of an input, with where it is from as far as that is known. */
interface PlacedFile {
  readonly name: string;
  readonly place?: FilePlace | undefined;
  readonly origin?: "project" | "workspace" | "dependency";
}

/** Sums up what was sent, or compiled here. */
export function sentSummaryOf(
  {
    path,
    compilerVersion,
    contractIdentifier,
    stdJsonInput,
  }: Pick<CompilerInput, "compilerVersion" | "contractIdentifier" | "stdJsonInput"> & {
    readonly path: string;
  },
  files: readonly PlacedFile[],
): Promise<SentSummary> {
  const places = new Map(
    files.map(({ name, place, origin }) => [name, place ?? (origin === "workspace" ? "outside" : origin)]),
  );
  return inTurns(
    sentSummaryInPieces({
      compiler: compilerInWords(path, compilerVersion),
      compilerVersion,
      contractIdentifier,
      stdJsonInput,
      placeOf: (name) => places.get(name),
    }),
  );
}
