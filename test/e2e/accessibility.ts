import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Frame } from "playwright-core";
import type { PageElement, Workbench } from "../rig/workbench.ts";

/** The part of axe's answer that a test reads (axe-core, doc/API.md). */
interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
  readonly passes: readonly unknown[];
}

/** The name of a theme, and the class that the editor gives to a page in it. */
type Theme = readonly [name: string, kind: string];

const STRONGEST: Theme = ["Default High Contrast", "vscode-high-contrast"];
const FIRST: Theme = ["Default Light Modern", "vscode-light"];

/** A theme of each kind that the editor has; the one that it begins with is last. */
export const THEMES: readonly Theme[] = [
  STRONGEST,
  ["Default High Contrast Light", "vscode-high-contrast-light"],
  ["Default Dark Modern", "vscode-dark"],
  FIRST,
];

/** Those of them that are most unlike each other. */
export const UNLIKE_THEMES: readonly Theme[] = [STRONGEST, FIRST];

/**
 * What is found of the editor's own, and nothing else is left out of a section:
 * - It draws the title and the description of a section or a row without a space between them, and the rule looks for them so
 *   in the name, which has a mark between the two. That both parts are in the name of a row is looked at besides.
 * - Where a list is scrolled, it keeps the rows above the first ones in sight in a part of the list that may have the focus, and
 *   cuts what is drawn of them.
 * - It makes the header of a section a button, and puts the buttons of the view's title into it.
 */
const OF_EDITOR = [
  /^label-content-name-mismatch: [^<]*<div class="(?:pane-header|monaco-list-row)\b/,
  /^label-content-name-mismatch: [^<]*<div class="monaco-tree-sticky-r/,
  /^aria-required-children: [^<]*<div class="monaco-list\b[^]*not allowed: div\[tabindex\]$/,
  /^nested-interactive: [^<]*<div class="pane-header\b/,
];

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds wrong with the page in the editor area, a line each. */
export async function accessibilityFindings(workbench: Workbench): Promise<string[]> {
  const element = await workbench.page
    .frameLocator("iframe.webview.ready:visible")
    .locator("#active-frame")
    .elementHandle();
  const frame = await element.contentFrame();
  assert.ok(frame, "a page is open");
  return findingsIn(frame, "document");
}

/** What axe finds wrong with the sections of the sidebar, a line each: their titles, buttons, rows and welcome texts. */
export async function sidebarFindings(workbench: Workbench): Promise<string[]> {
  const findings = await findingsIn(
    workbench.page,
    // The sidebar's landmarks are the editor's.
    '{ include: [[".part.sidebar .pane"]] }, { rules: { region: { enabled: false } } }',
  );
  // In one look: a row that comes meanwhile moves the others to other places.
  const rows = await workbench.page.locator(".part.sidebar .pane .monaco-list-row").evaluateAll(readNames);
  const unnamed = rows.flatMap(({ name, parts }) =>
    parts.filter((part) => !name.includes(part.trim())).map((part) => `${part} is not in ${name}`),
  );
  return [...findings.filter((line) => !OF_EDITOR.some((one) => one.test(line))), ...unnamed];
}

/** Runs in the page: what is drawn of each row, and its name. */
function readNames(rows: readonly PageElement[]): { name: string; parts: string[] }[] {
  return rows.map((row) => ({
    name: row.getAttribute("aria-label") ?? "",
    parts: [...row.querySelectorAll(".label-name, .label-description")].map(({ textContent }) => textContent),
  }));
}

/** By the debugger's protocol: the page's own policy lets no script in. */
async function findingsIn(frame: Pick<Frame, "evaluate">, context: string): Promise<string[]> {
  await frame.evaluate(source);
  const { violations, passes } = await frame.evaluate<AxeResults>(`axe.run(${context})`);
  assert.ok(passes.length > 0, "axe looked at something");
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = "" }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
