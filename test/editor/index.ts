import { appendFileSync, writeFileSync } from "node:fs";
import Mocha from "mocha";
import * as vscode from "vscode";
import { PATIENCE_MS } from "../rig/eventually.ts";
import { keepSample } from "./sampleKept.ts";

/** What a run came to, as the starter reads it from the file that `LEDGER_LENS_TEST_RESULT` names. */
export interface EditorTestResult {
  readonly passed: number;
  readonly failed: number;
  /** What failed: the full title, and on the next lines the error. */
  readonly failures: readonly string[];
  /** Full titles of the tests that were skipped. */
  readonly skipped: readonly string[];
  readonly lines: readonly string[];
}

/** So long a window that is read on a busy machine may take to say which folders it has. */
const FOLDERS_MS = 20_000;

/**
 * A window may read which folders it has when the extension host runs already. Where its first look at the file of the
 * workspace came too early, it has none until it is opened again, which is up to the starter.
 */
async function waitForFolders(): Promise<void> {
  const end = performance.now() + FOLDERS_MS;
  while ((vscode.workspace.workspaceFolders?.length ?? 0) === 0) {
    if (performance.now() > end) throw new Error("The window has no folders.");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Called by the extension host: runs every suite and rejects when a test failed. */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: "bdd", timeout: 3 * PATIENCE_MS, reporter: "base", failZero: true });
  // For a developer who looks at one suite: `LEDGER_LENS_TEST_ONLY="What was reviewed" npm test -- editor`.
  const only = process.env["LEDGER_LENS_TEST_ONLY"];
  if (only) mocha.fgrep(only);
  mocha.suite.emit("pre-require", globalThis, "", mocha);
  const lines: string[] = [];
  // What a suite prints (a seed, a figure) stands before its own line; the host's console is not seen by the starter.
  // That console's own methods can't be replaced.
  const hostConsole = globalThis.console;
  const log = (...parts: unknown[]) => void lines.push(`    ${parts.map(String).join(" ")}`);
  globalThis.console = Object.create(hostConsole, { log: { value: log } }) as Console;
  await waitForFolders();
  // The suites register themselves when they are loaded.
  await import("./suites.ts");
  await keepSample(mocha.suite.suites);
  const file = process.env["LEDGER_LENS_TEST_RESULT"];
  const skipped: string[] = [];
  const failures: string[] = [];
  let passed = 0;
  const failed = await new Promise<number>((resolve) => {
    mocha
      .run(resolve)
      .on("test", (test: Mocha.Test) => {
        // Where the run does not end, this says what it was at.
        if (file) appendFileSync(`${file}.begun`, `${test.fullTitle()}\n`);
      })
      .on("pass", (test: Mocha.Test) => {
        passed++;
        lines.push(`  ✔ ${test.fullTitle()} (${test.duration ?? 0} ms)`);
      })
      .on("pending", (test: Mocha.Test) => skipped.push(test.fullTitle()))
      .on("fail", (test: Mocha.Test, error: Error) => {
        const told = `${test.fullTitle()}\n${error.stack ?? error.message}`;
        failures.push(told);
        if (file) appendFileSync(`${file}.begun`, `✖ ${told}\n`);
        lines.push(`  ✖ ${told}`);
      });
  });
  globalThis.console = hostConsole;
  const result: EditorTestResult = { passed, failed, failures, skipped, lines };
  if (file) writeFileSync(file, JSON.stringify(result));
  else for (const line of lines) console.log(line);
  if (failed > 0) throw new Error(`${failed} tests failed`);
}
