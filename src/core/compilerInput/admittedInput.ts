import { t } from "@vscode/l10n";
import type { AdmittedSource, AdmittedSources } from "../sources/admittedSources.ts";
import { LedgerLensError } from "../errors.ts";
import { field } from "../json/looseData.ts";
import { mapInPieces, mapOfInPieces, type Pieces } from "../concurrency/turns.ts";
import { ownValue } from "../json/ownValue.ts";
import { hasJson } from "./recordFiles.ts";
import { changeBetween, decodeSource } from "../sources/sourceText.ts";
import type { CompilerInput, InputFile, StandardJsonInput } from "../sources/standardJsonInput.ts";

/**
 * The one way out of an input, piece by piece: makes sure that it holds nothing but files that were admitted, and marks
 * each whose text is not that of the file. Every source, interface and layout stands for a listed file, every listed
 * file was opened and found inside, and what a record or metadata says was compiled can't pass for what is on disk,
 * whichever way it came in.
 *
 * @throws LedgerLensError `source_not_admitted`, which is a fault of this program: nothing is sent then.
 */
export function* admittedInput(input: CompilerInput, sources: AdmittedSources): Pieces<CompilerInput> {
  const files = yield* admittedFiles(input.stdJsonInput, input.files, sources);
  const { wholeBuild } = input;
  if (!wholeBuild) return { ...input, files };
  const all = yield* admittedFiles(wholeBuild.stdJsonInput, wholeBuild.files, sources);
  return { ...input, files, wholeBuild: { ...wholeBuild, files: all } };
}

function* admittedFiles(
  input: StandardJsonInput,
  files: readonly InputFile[],
  sources: AdmittedSources,
): Pieces<InputFile[]> {
  const admitted = yield* mapOfInPieces(files, ({ name, path }) => [name, sources.admitted(path)]);
  const recorded = new Set<string>();
  for (const part of ["sources", "interfaces", "storage_layout_overrides"] as const) {
    const given = input[part] ?? {};
    for (const name of Object.keys(given)) {
      const source = admitted.get(name);
      if (!source) throw stranger(name);
      if (!isTextOf(source, ownValue(given, name))) recorded.add(name);
      yield;
    }
  }
  return yield* mapInPieces(files, (file) =>
    recorded.has(file.name) ? { ...file, isRecorded: true } : file,
  );
}

function stranger(name: string): LedgerLensError {
  return new LedgerLensError(
    "source_not_admitted",
    t`${name} was not found among the files of the open folders, so nothing is sent. Report this with the layout of the project.`,
  );
}

/** Line endings apart, which tools change by themselves. */
function isTextOf({ path, bytes }: AdmittedSource, given: unknown): boolean {
  const content = field(given, "content");
  if (typeof content !== "string") return hasJson(bytes, field(given, "abi") ?? given);
  let text: string;
  try {
    text = decodeSource(path, bytes);
  } catch {
    return false;
  }
  return changeBetween(content, text) !== "edited";
}
