import type { AdmittedSources } from "../files/admittedSources.ts";
import { LedgerLensError } from "../errors.ts";
import type { CompilerInput, InputFile, StandardJsonInput } from "./standardJsonInput.ts";

/**
 * Makes sure, at the one way out, that an input holds nothing but files that were admitted: every source and every
 * interface stands for a listed file, and every listed file was opened and found inside.
 *
 * @throws LedgerLensError `source_not_admitted`, which is a fault of this program: nothing is sent then.
 */
export function requireAdmitted(
  { stdJsonInput, files, wholeBuild }: Pick<CompilerInput, "stdJsonInput" | "files" | "wholeBuild">,
  sources: AdmittedSources,
): void {
  requireAll(stdJsonInput, files, sources);
  if (wholeBuild) requireAll(wholeBuild.stdJsonInput, wholeBuild.files, sources);
}

function requireAll(input: StandardJsonInput, files: readonly InputFile[], sources: AdmittedSources): void {
  const admitted = new Set(files.filter(({ path }) => sources.admitted(path)).map(({ name }) => name));
  const names = [
    ...Object.keys(input.sources),
    ...Object.keys(input.interfaces ?? {}),
    ...Object.keys(input.storage_layout_overrides ?? {}),
  ];
  const stranger = names.find((name) => !admitted.has(name));
  if (stranger === undefined) return;
  throw new LedgerLensError(
    "source_not_admitted",
    `${stranger} was not found among the files of the open folders, so nothing is sent. Report this with the layout of the project.`,
  );
}
