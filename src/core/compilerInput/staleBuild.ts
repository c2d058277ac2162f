import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import type { ChangedFile } from "../sources/standardJsonInput.ts";
import { listed } from "../text/counted.ts";

/** "src/A.sol has changed since the build in out/build-info/1.json." */
export function staleSentence(changed: readonly ChangedFile[], record: string): string {
  const names = changed.map(({ name }) => name);
  const removed = changed.every(({ change }) => change === "deleted");
  const verb = removed
    ? names.length === 1
      ? t`was removed`
      : t`were removed`
    : names.length === 1
      ? t`has changed`
      : t`have changed`;
  return t`${listed(names)} ${verb} since the build in ${record}.`;
}

/** What a program is told that did not say that it means a build older than the files: nothing is made of it. */
export function staleBuildError(changed: readonly ChangedFile[], record: string): LedgerLensError {
  return new LedgerLensError(
    "stale_build",
    t`${staleSentence(changed, record)} Build again, or say that the recorded build is meant.`,
    { detail: changed.map((file) => `${file.name}: ${file.change}`).join("\n") },
  );
}

/** What a person is told of an input that is what the build compiled, and not the files as they are now. */
export function staleBuildFinding(changed: readonly ChangedFile[], record: string): InputFinding {
  return {
    code: "stale_build",
    severity: "warning",
    sentence: t`${staleSentence(changed, record)} What the build compiled is sent, not the files as they are now.`,
    ...(changed[0] && { path: changed[0].path }),
  };
}
