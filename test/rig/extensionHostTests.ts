import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EditorTestResult } from "../editor/index.ts";
import type { Browser } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { startEditor, type EditorOptions } from "./editorServer.ts";

/** What to run, and in which editor. */
export interface ExtensionHostRun extends EditorOptions {
  /** The folder of the extension. */
  readonly extension: string;
  /** A CommonJS module that exports `run()`. */
  readonly tests: string;
  /** The folder that is open, or the `.code-workspace` file that says which ones are. */
  readonly folder: string;
  readonly deadlineMs?: number;
  /** Trust the folder, as a person does, when a test shows *Manage Workspace Trust*. */
  readonly trustsWhenAsked?: boolean;
}

const DEADLINE_MS = 300_000;
/** A window may come without its folders: then it ends before a test runs, and a person would load it anew. */
const MAX_WINDOWS = 3;

/**
 * Runs a suite inside VS Code's real extension host: the workbench, opened in a browser, is told by its
 * address to load the extension and the tests, and calls back with the exit code.
 */
export async function runInExtensionHost(run: ExtensionHostRun): Promise<EditorTestResult> {
  const scratch = await mkdtemp(join(tmpdir(), "ledger-lens-tests-"));
  const resultFile = join(scratch, "result.json");
  const editor = await startEditor({
    ...run,
    testDriver: true,
    env: { ...run.env, LEDGER_LENS_TEST_RESULT: resultFile },
  });
  const browser = await startBrowser();
  const output: string[] = [];
  let stacks: readonly string[] = [];
  try {
    let code: number | undefined;
    for (let opened = 1; opened <= MAX_WINDOWS; opened++) {
      code = await runInWindow(browser, editor.port, run, output, async () => {
        stacks = await editor.stacksOfExtensionHosts();
      });
      const isBegun = (await readFile(`${resultFile}.begun`, "utf8").catch(() => "")) !== "";
      if (code !== 1 || isBegun || opened === MAX_WINDOWS) break;
      console.log("The window ended before a test ran; it is opened again.");
    }
    const deadline = run.deadlineMs ?? DEADLINE_MS;
    const result = await readFile(resultFile, "utf8").catch(() => undefined);
    if (result === undefined) {
      const why =
        code === undefined
          ? `did not end within ${deadline / 1000} s`
          : `ended with ${code} before a test ran`;
      const begun = await readFile(`${resultFile}.begun`, "utf8").catch(() => "");
      const last = begun.trimEnd().split("\n").at(-1) ?? "";
      throw new Error(
        `The extension host ${why}${last === "" ? "" : `, at "${last}"`}.\n${stacks.join("\n\n")}\n${output.slice(-40).join("\n")}\n${editor.output().slice(-3000)}`,
      );
    }
    return JSON.parse(result) as EditorTestResult;
  } finally {
    await browser.close();
    await editor.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Runs in the page, where no test of these looks: what turns or slides there would keep a processor busy. */
const WITHOUT_ANIMATIONS = `document.addEventListener("DOMContentLoaded", () => {
  const style = document.createElement("style");
  style.textContent = "*, ::before, ::after { animation: none !important; }";
  document.head.append(style);
});`;

/** Opens a window that runs the suite; answers the exit code, or `undefined` when it did not end in time and is looked at. */
async function runInWindow(
  browser: Browser,
  port: number,
  run: ExtensionHostRun,
  output: string[],
  lookAtHosts: () => Promise<void>,
): Promise<number | undefined> {
  const page = await browser.newPage({ reducedMotion: "reduce" });
  try {
    await page.addInitScript(WITHOUT_ANIMATIONS);
    const exit = new Promise<number>((resolve) => {
      void page.exposeFunction("codeAutomationExit", (code: number) => resolve(code));
    });
    await page.exposeFunction("codeAutomationLog", (_type: string, args: unknown[]) =>
      output.push(args.map(String).join(" ")),
    );
    page.on("console", (message) => output.push(message.text()));
    const remote = (path: string) => `vscode-remote://localhost:${port}${path}`;
    const payload = JSON.stringify([
      ["extensionDevelopmentPath", remote(run.extension)],
      ["extensionTestsPath", remote(run.tests)],
      ["skipWelcome", "true"],
    ]);
    await page.goto(
      `http://localhost:${port}/?${run.folder.endsWith(".code-workspace") ? "workspace" : "folder"}=${encodeURIComponent(run.folder)}&payload=${encodeURIComponent(payload)}`,
    );
    const deadline = run.deadlineMs ?? DEADLINE_MS;
    if (run.trustsWhenAsked) {
      const button = page.locator(".workspace-trust-editor .workspace-trust-buttons-row .monaco-button");
      // Where it is never asked for, the tests that need it say so.
      void button
        .first()
        .click({ timeout: deadline })
        .catch(() => undefined);
    }
    const code = await Promise.race([
      exit,
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), deadline).unref()),
    ]);
    if (code === undefined) await lookAtHosts();
    return code;
  } finally {
    await page.close();
  }
}
