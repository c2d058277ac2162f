import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repositoryRoot } from "./paths.ts";

/** What a kind of test came to in a run. */
export interface KindReport {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  /** What failed: the name, and on the next lines what was said of it. */
  readonly failures: readonly string[];
  /** The same of what passed when its file was run once more, alone. */
  readonly unsteady?: readonly string[];
  /** What was skipped, by name and with the reason where one was given. */
  readonly skipped: readonly string[];
  readonly seconds: number;
  /** What else there is to say of it, a line each. */
  readonly notes: readonly string[];
}

/** The environment variable that names the file in which a run that is part of another one leaves its report. */
const REPORT = "LEDGER_LENS_TEST_REPORT";

/** True in a run that another one began. */
export function isPartOfRun(): boolean {
  return process.env[REPORT] !== undefined;
}

/** Leaves the reports where the run that began this one reads them. */
export function reportToRun(reports: readonly KindReport[]): void {
  writeFileSync(process.env[REPORT] ?? "", JSON.stringify(reports));
}

/** Takes a file for this part of a run, so that several parts can share a kind; false where another part has it. */
export function takeFile(file: string): boolean {
  const report = process.env[REPORT];
  if (report === undefined) return true;
  try {
    mkdirSync(join(dirname(report), encodeURIComponent(file)));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Runs lists of kinds and files at the same time, each list in a process of its own and its kinds one after another. Lists
 * may name the same kind where its files are shared by {@link takeFile}. What the first says is shown as it comes, what the
 * others say once those before them are done.
 *
 * @param prepare what all but the first need before they begin
 * @returns what each kind came to in each process that ran some of it
 */
export async function runSideBySide(
  [first = [], ...others]: readonly (readonly string[])[],
  prepare: () => Promise<void>,
): Promise<KindReport[]> {
  const folder = mkdtempSync(join(tmpdir(), "ledger-lens-run-"));
  const own = startPart(first, join(folder, "first.json"));
  const parts = [own];
  await prepare().catch((error: unknown) => {
    // Each of the others says so in its own words.
    console.error(error);
  });
  for (const [at, kinds] of others.entries()) parts.push(startPart(kinds, join(folder, `${at}.json`)));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      // What was not shown yet may be why the run is ended.
      for (const part of parts) part.show();
      for (const { child } of parts) child.kill(signal);
      process.exit(1);
    });
  }
  const reports: KindReport[] = [];
  for (const part of parts) {
    part.show();
    reports.push(...(await part.report));
  }
  rmSync(folder, { recursive: true, force: true });
  return reports;
}

/** A list of kinds that runs. */
interface Part {
  readonly child: ChildProcess;
  readonly report: Promise<readonly KindReport[]>;
  /** Shows what it said until now, and from now on all that it says. */
  show(): void;
}

function startPart(kinds: readonly string[], reportFile: string): Part {
  const child = spawn(process.execPath, [join(repositoryRoot, "test/run.ts"), ...kinds], {
    cwd: repositoryRoot,
    env: { ...process.env, [REPORT]: reportFile },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const kept: string[] = [];
  let isShown = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      if (isShown) process.stdout.write(text);
      else kept.push(text);
    });
  }
  return {
    child,
    report: new Promise((resolve) => child.on("close", () => resolve(readReport(reportFile, kinds)))),
    show() {
      isShown = true;
      process.stdout.write(kept.splice(0).join(""));
    },
  };
}

function readReport(file: string, kinds: readonly string[]): readonly KindReport[] {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as readonly KindReport[];
  } catch {
    const notes = ["ended without a report, which counts as a failure"];
    return [{ name: kinds.join(", "), passed: 0, failed: 1, failures: [], skipped: [], seconds: 0, notes }];
  }
}
