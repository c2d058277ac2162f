import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { ViewRow } from "../../core/rows/viewRow.ts";

const COLORS = {
  error: "testing.iconFailed",
  warning: "list.warningForeground",
  passed: "testing.iconPassed",
} as const;

/** Stands for a row that is gone. */
export function emptyItem(): vscode.TreeItem {
  return new vscode.TreeItem("");
}

/** Draws a row; the tooltip never is Markdown. */
export function rowItem(row: ViewRow, id: string, hasChildren: boolean): vscode.TreeItem {
  const item = new vscode.TreeItem(
    row.label,
    hasChildren
      ? row.expanded
        ? vscode.TreeItemCollapsibleState.Expanded
        : vscode.TreeItemCollapsibleState.Collapsed
      : vscode.TreeItemCollapsibleState.None,
  );
  item.id = id;
  if (row.description !== undefined) item.description = row.description;
  item.tooltip = row.tooltip?.join("\n") ?? [row.label, row.description].filter(Boolean).join(": ");
  if (row.icon !== undefined) {
    item.iconPath = new vscode.ThemeIcon(
      row.icon,
      row.color === undefined ? undefined : new vscode.ThemeColor(COLORS[row.color]),
    );
  }
  item.contextValue = [
    row.context?.replaceAll(".", " ") ?? "fact",
    ...(row.copyText === undefined ? [] : ["copyable"]),
  ].join(" ");
  // Its words send a person to the log.
  if (row.fault !== undefined) item.command = { command: "ledgerLens.showLog", title: t`Show Log` };
  item.accessibilityInformation = {
    label: [row.wholeLabel ?? row.label, row.description].filter(Boolean).join(", "),
  };
  return item;
}

/** Whether two drawings of a row can't be told apart. */
export function isSameItem(one: vscode.TreeItem, other: vscode.TreeItem): boolean {
  return (
    one.label === other.label &&
    one.description === other.description &&
    one.tooltip === other.tooltip &&
    one.contextValue === other.contextValue &&
    one.collapsibleState === other.collapsibleState &&
    one.command?.command === other.command?.command &&
    one.accessibilityInformation?.label === other.accessibilityInformation?.label &&
    iconOf(one) === iconOf(other)
  );
}

function iconOf({ iconPath }: vscode.TreeItem): string {
  return iconPath instanceof vscode.ThemeIcon ? `${iconPath.id} ${iconPath.color?.id ?? ""}` : "";
}
