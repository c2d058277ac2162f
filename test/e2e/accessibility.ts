import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Workbench } from "../rig/workbench.ts";

/** The part of axe's answer that a test reads (axe-core, doc/API.md). */
interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
  readonly passes: readonly unknown[];
}

/** A theme of each kind that the editor has, with the class that it gives to a page; the one that it begins with is last. */
export const THEMES = [
  ["Default High Contrast", "vscode-high-contrast"],
  ["Default High Contrast Light", "vscode-high-contrast-light"],
  ["Default Dark Modern", "vscode-dark"],
  ["Default Light Modern", "vscode-light"],
] as const;

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds wrong with the page in the editor area, a line each. */
export async function accessibilityFindings(workbench: Workbench): Promise<string[]> {
  const element = await workbench.page
    .frameLocator("iframe.webview.ready:visible")
    .locator("#active-frame")
    .elementHandle();
  const frame = await element.contentFrame();
  assert.ok(frame, "a page is open");
  // By the debugger's protocol: the page's own policy lets no script in.
  await frame.evaluate(source);
  const { violations, passes } = await frame.evaluate<AxeResults>("axe.run(document)");
  assert.ok(passes.length > 0, "axe looked at something");
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = "" }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
