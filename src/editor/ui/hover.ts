import * as vscode from "vscode";
import type { ShownText } from "../../core/text/shownText.ts";

/** What a hover offers to do. */
export interface HoverLink {
  readonly label: ShownText;
  readonly command: string;
  readonly argument: unknown;
}

/** A plain line, and what can be done about it. */
export interface HoverLine {
  readonly text: ShownText;
  readonly links: readonly HoverLink[];
}

/** A hover of lines, each with its links, which run the commands that are named here and no other. */
export function hover(range: vscode.Range, lines: readonly HoverLine[]): vscode.Hover {
  const content = new vscode.MarkdownString();
  content.isTrusted = { enabledCommands: lines.flatMap(({ links }) => links.map(({ command }) => command)) };
  for (const { text, links } of lines) {
    content.appendText(text);
    content.appendMarkdown(`\n\n${linksText(links)}\n\n`);
  }
  return new vscode.Hover(content, range);
}

function linksText(links: readonly HoverLink[]): string {
  return links
    .map(({ label, command, argument }) => {
      const words = label.replace(/[^\w ]/g, (character) => `&#${character.codePointAt(0) ?? 0};`);
      // A round bracket would end the link.
      const query = encodeURIComponent(JSON.stringify([argument])).replace(
        /[()]/g,
        (bracket) => `%${bracket.charCodeAt(0).toString(16)}`,
      );
      return `[${words}](command:${command}?${query})`;
    })
    .join(" · ");
}
