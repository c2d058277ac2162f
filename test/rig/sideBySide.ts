import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "./paths.ts";

/** What a run came to: its counts, and a line or more for each kind. */
export interface RunReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly lines: readonly string[];
}

/** The environment variable that names the file in which a run that is part of another one leaves its report. */
const REPORT = "LEDGER_LENS_TEST_REPORT";

/** True in a run that another one began. */
export function isPartOfRun(): boolean {
  return process.env[REPORT] !== undefined;
}

/** Leaves the report where the run that began this one reads it. */
export function reportToRun(report: RunReport): void {
  writeFileSync(process.env[REPORT] ?? "", JSON.stringify(report));
}

/**
 * Runs lists of kinds at the same time, each list in a process of its own and its kinds one after another. What the first
 * says is shown as it comes, what the others say once those before them are done.
 *
 * @param prepare what all but the first need before they begin
 */
export async function runSideBySide(
  [first = [], ...others]: readonly (readonly string[])[],
  prepare: () => Promise<void>,
): Promise<RunReport> {
  const folder = mkdtempSync(join(tmpdir(), "ledger-lens-run-"));
  const parts = [startPart(first, join(folder, "first.json"))];
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
  const reports: RunReport[] = [];
  for (const part of parts) {
    part.show();
    reports.push(await part.report);
  }
  rmSync(folder, { recursive: true, force: true });
  const sum = (what: "passed" | "failed" | "skipped") =>
    reports.reduce((all, report) => all + report[what], 0);
  return {
    passed: sum("passed"),
    failed: sum("failed"),
    skipped: sum("skipped"),
    lines: reports.flatMap(({ lines }) => lines),
  };
}

/** A list of kinds that runs. */
interface Part {
  readonly child: ChildProcess;
  readonly report: Promise<RunReport>;
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

function readReport(file: string, kinds: readonly string[]): RunReport {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as RunReport;
  } catch {
    return {
      passed: 0,
      failed: 1,
      skipped: 0,
      lines: [`${kinds.join(", ")}: ended without a report, which counts as a failure`],
    };
  }
}
