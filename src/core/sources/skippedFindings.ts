import { t } from "@vscode/l10n";
import { isInside, relativePath } from "../files/fileReader.ts";
import type { SkippedFile } from "../files/skippedFiles.ts";
import type { InputFinding } from "./inputFinding.ts";
import type { CompilerInput } from "./standardJsonInput.ts";

/** A person reads no more; the rest are counted. */
const MAX_NAMED = 10;

/** What was left out of the making of an input, each by its name, and what was taken instead. */
export function skippedFindings(
  skipped: readonly SkippedFile[],
  folders: readonly string[],
  input: Pick<CompilerInput, "record" | "project">,
): InputFinding[] {
  const named = skippedSentences(skipped, folders, input.project);
  const taken =
    input.record === undefined
      ? t`from the configuration and the sources`
      : t`from ${relativePath(input.record, input.project) ?? input.record}`;
  const findings = named.slice(0, MAX_NAMED).map(({ path, sentence }) => ({
    code: "unreadable_file" as const,
    severity: "warning" as const,
    sentence: t`${sentence}; it is left out, and the input is made ${taken}.`,
    path,
  }));
  const rest = named.length - MAX_NAMED;
  if (rest <= 0) return findings;
  const they = rest === 1 ? t`1 more file is` : t`${rest.toLocaleString("en")} more files are`;
  return [
    ...findings,
    {
      code: "unreadable_file",
      severity: "warning",
      sentence: t`${they} left out that can't be read, such as ${named[MAX_NAMED]?.sentence.split(" ")[0] ?? ""}.`,
    },
  ];
}

/** The end of a sentence about a job that failed: what could not be read may be why. */
export function leftOutWords(sentences: readonly string[]): string {
  const [first] = sentences;
  if (first === undefined) return "";
  const others = sentences.length - 1;
  return t` Left out: ${first}${others === 0 ? "" : t` (and ${others.toLocaleString("en")} more)`}.`;
}

/** "out/build-info/1.json is not valid JSON", for what lies in the open folders; elsewhere a user looks for nothing. */
export function skippedSentences(
  skipped: readonly SkippedFile[],
  folders: readonly string[],
  project?: string,
): { readonly path: string; readonly sentence: string }[] {
  return skipped
    .filter(({ path }) =>
      [...folders, ...(project === undefined ? [] : [project])].some((one) => isInside(path, one)),
    )
    .map(({ path, reason, place }) => {
      const folder =
        project !== undefined && isInside(path, project)
          ? project
          : folders.find((one) => isInside(path, one));
      const name = relativePath(path, folder ?? "/") ?? path;
      return { path, sentence: place === undefined ? `${name} ${reason}` : `${name}: ${place} ${reason}` };
    });
}
