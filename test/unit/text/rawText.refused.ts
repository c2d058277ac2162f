/* A text of any origin at every surface: each of these lines has to be refused by the compiler, and is never run. */
import type * as vscode from "vscode";
import type { LedgerRow } from "../../../src/core/rows/ledgerRow.ts";
import type { StatusNotification } from "../../../src/core/status/statusNotifications.ts";
import type { StatusRow } from "../../../src/core/status/statusRow.ts";
import { shown, type ShownText } from "../../../src/core/text/shownText.ts";
import type { VerificationRow } from "../../../src/core/jobs/verificationRows.ts";
import type { ViewRow } from "../../../src/core/rows/viewRow.ts";
import type { ReadOnlyDocuments } from "../../../src/editor/ui/readOnlyDocuments.ts";
import { codeLens } from "../../../src/editor/ui/codeLens.ts";
import { diagnostic } from "../../../src/editor/ui/diagnostic.ts";
import { showDiff } from "../../../src/editor/ui/diff.ts";
import { askSteps, type StepFrame } from "../../../src/editor/ui/multiStep.ts";
import { askLine, askText, pick } from "../../../src/editor/ui/questions.ts";
import { showMessage } from "../../../src/editor/ui/notifications.ts";
import { withProgressMessage, withQuietProgress } from "../../../src/editor/ui/progress.ts";
import { pickOne, pickSeveral, separator, type Choice } from "../../../src/editor/ui/quickPick.ts";
import { StatusItem, tellInPassing } from "../../../src/editor/ui/statusItem.ts";
import { describeView } from "../../../src/editor/ui/viewTexts.ts";

/** May be anything. */
declare const raw: string;
declare const fit: ShownText;
declare const range: vscode.Range;
declare const uri: vscode.Uri;
declare const severity: vscode.DiagnosticSeverity;
declare const frame: StepFrame;
declare const view: vscode.TreeView<unknown>;
declare const item: StatusItem;
declare const documents: ReadOnlyDocuments;
const check = (text: string) => text;
const run = () => undefined;
const work = () => Promise.resolve();

// @ts-expect-error a text of any origin
export const text: ShownText = raw;
// @ts-expect-error a template without the tag
export const template: ShownText = `${fit} and ${fit}`;
// @ts-expect-error a concatenation
export const concatenation: ShownText = fit + fit;

export function refused() {
  return [
    // @ts-expect-error a message that pops up
    () => showMessage("error", raw),
    // @ts-expect-error a button of a message
    () => showMessage("information", fit, { label: raw, run }),
    // @ts-expect-error a progress message's title
    () => withProgressMessage(raw, work),
    () =>
      withProgressMessage(fit, (report) => {
        // @ts-expect-error how far something is
        report(raw);
        return work();
      }),
    // @ts-expect-error progress in the status bar
    () => withQuietProgress(raw, work),
    // @ts-expect-error the title of a flow
    () => askSteps(raw, {}, []),
    // @ts-expect-error a pick's placeholder
    () => pick(frame, { placeholder: raw, choices: [] }),
    // @ts-expect-error an input's prompt
    () => askText(frame, { prompt: raw, placeholder: fit, check }),
    // @ts-expect-error an input's placeholder
    () => askText(frame, { prompt: fit, placeholder: raw, check }),
    // @ts-expect-error a warning below an input
    () => askText(frame, { prompt: fit, placeholder: fit, check, look: () => Promise.resolve(raw) }),
    // @ts-expect-error an input's title
    () => askLine(raw, { prompt: fit, placeholder: fit }),
    // @ts-expect-error a prompt outside a flow
    () => askLine(fit, { prompt: raw, placeholder: fit }),
    // @ts-expect-error the title of a pick
    () => pickOne({ title: raw, placeholder: fit, choices: [] }),
    // @ts-expect-error the placeholder of a pick of several
    () => pickSeveral({ title: fit, placeholder: raw, choices: [] }),
    // @ts-expect-error a line between choices
    () => separator(raw),
    // @ts-expect-error a choice's label
    { label: raw } satisfies Choice<string>,
    // @ts-expect-error a choice's description
    { label: fit, description: raw } satisfies Choice<string>,
    // @ts-expect-error a choice's detail
    { label: fit, detail: raw } satisfies Choice<string>,
    // @ts-expect-error a row's label
    { id: "a", label: raw } satisfies ViewRow,
    // @ts-expect-error a row's description
    { id: "a", label: fit, description: raw } satisfies VerificationRow,
    // @ts-expect-error a row's tooltip
    { id: "a", label: fit, tooltip: [raw] } satisfies LedgerRow,
    // @ts-expect-error a status row's label
    { id: "a", label: raw } satisfies StatusRow,
    // @ts-expect-error a notification of the status page
    { kind: "problem", level: "info", message: raw, url: undefined, keys: [] } satisfies StatusNotification,
    // @ts-expect-error the title of a lens
    () => codeLens(range, { title: raw, command: "a", argument: {} }),
    // @ts-expect-error a lens's tooltip
    () => codeLens(range, { title: fit, tooltip: raw, command: "a", argument: {} }),
    // @ts-expect-error the message of a problem
    () => diagnostic(range, raw, severity),
    // @ts-expect-error a problem's code
    () => diagnostic(range, fit, severity, raw),
    // @ts-expect-error a diff's title
    () => showDiff(uri, uri, raw),
    // @ts-expect-error the status bar's name
    () => new StatusItem("a", raw, "b"),
    // @ts-expect-error the status bar's text
    () => item.draw({ icon: "a", text: raw, tooltip: [], accessibilityLabel: fit, level: "none" }),
    // @ts-expect-error the status bar's tooltip
    () => item.draw({ icon: "a", text: fit, tooltip: [raw], accessibilityLabel: fit, level: "none" }),
    // @ts-expect-error what a screen reader says of the status bar
    () => item.draw({ icon: "a", text: fit, tooltip: [], accessibilityLabel: raw, level: "none" }),
    // @ts-expect-error a passing message
    () => tellInPassing(raw),
    // @ts-expect-error a view's description
    () => describeView(view, { description: raw, message: fit }),
    // @ts-expect-error a view's message
    () => describeView(view, { description: fit, message: raw }),
    // @ts-expect-error a document's name
    () => documents.put([raw], fit),
    // @ts-expect-error a document's text
    () => documents.put([fit], raw),
  ];
}

/** And what is fit to be shown is taken. */
export const taken = [showMessage("error", shown`A message about ${raw}.`), separator(fit)];
