import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./paths.ts";
import type { KindReport } from "./sideBySide.ts";

/** More than these failed for a reason that another try does not change. */
const MAX_FILES = 3;

const MARK = " › ";

/** What failed, with the file that it is in before it. */
export function failureIn(file: string, told: string): string {
  return `${file}${MARK}${told}`;
}

/** The same for tests that are told by their full titles, which begin with that of a suite of one of the files. */
export function failuresInSuites(files: readonly string[], failures: readonly string[]): string[] {
  if (failures.length === 0) return [];
  const suites = files.flatMap((file) =>
    [...readFileSync(join(repositoryRoot, file), "utf8").matchAll(/^describe\("([^"]+)"/gm)].map(
      ([, title = ""]) => ({ file, title }),
    ),
  );
  return failures.map((told) => {
    const found = suites
      .filter(({ title }) => told.startsWith(`${title} `))
      .sort((one, other) => other.title.length - one.title.length)[0];
    return found ? failureIn(found.file, told) : told;
  });
}

/**
 * The files to run once more: those with a failure, where all failures are of tests that drive a window and few files have
 * any. A window on a machine that stands still for seconds may miss a key or a click as a person's would; what is broken fails
 * again. None where another try would show nothing.
 *
 * @param windows the kinds that drive a window
 */
export function filesToTryAgain(reports: readonly KindReport[], windows: readonly string[]): string[] {
  const failed = reports.filter((report) => report.failed > 0);
  if (failed.some(({ name, failures }) => !windows.includes(name) || failures.length === 0)) return [];
  const files = failed.flatMap(({ failures }) => failures.map((one) => one.split(MARK, 1)[0] ?? ""));
  const all = [...new Set(files)];
  return all.length <= MAX_FILES && all.every((file) => file.endsWith(".test.ts")) ? all : [];
}

/** The reports with what a second try came to: what passed then is counted as passed, and named with why it failed before. */
export function afterSecondTry(
  reports: readonly KindReport[],
  again: readonly KindReport[],
): readonly KindReport[] {
  return reports.map((report) => {
    const second = again.filter(({ name }) => name === report.name);
    const isMended = second.length > 0 && second.every(({ failed, passed }) => failed === 0 && passed > 0);
    if (report.failed === 0 || !isMended) return report;
    return {
      ...report,
      passed: report.passed + report.failed,
      failed: 0,
      failures: [],
      unsteady: report.failures,
    };
  });
}
