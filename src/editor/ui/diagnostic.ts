import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { ShownText } from "../../core/text/shownText.ts";

/** A problem in a text, as the editor underlines and lists it. */
export function diagnostic(
  range: vscode.Range,
  message: ShownText,
  severity: vscode.DiagnosticSeverity,
  code?: ShownText,
): vscode.Diagnostic {
  const made = new vscode.Diagnostic(range, message, severity);
  made.source = t`Ledger Lens`;
  if (code !== undefined) made.code = code;
  return made;
}
