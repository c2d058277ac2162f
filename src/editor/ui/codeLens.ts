import * as vscode from "vscode";
import type { ShownText } from "../../core/text/shownText.ts";

/** What stands above a line, and what a click on it does. */
interface Lens {
  /** A codicon's name, without `$(…)`. */
  readonly icon?: string;
  readonly title: ShownText;
  readonly tooltip?: ShownText;
  readonly command: string;
  readonly argument: unknown;
}

/** The editor draws no other space behind an icon. */
const SPACE = "\u00a0";

/** A lens above a range. The editor reads icons in its title. */
export function codeLens(
  range: vscode.Range,
  { icon, title, tooltip, command, argument }: Lens,
): vscode.CodeLens {
  return new vscode.CodeLens(range, {
    title: icon === undefined ? title : `$(${icon})${SPACE}${title}`,
    ...(tooltip !== undefined && { tooltip }),
    command,
    arguments: [argument],
  });
}
