import * as vscode from "vscode";
import type { ShownText } from "../../core/text/shownText.ts";

/** What a hover offers to do. */
interface HoverLink {
  readonly label: ShownText;
  readonly command: string;
  readonly argument: unknown;
}

/** A hover of plain lines, and of links that run the commands that are named here and no other. */
export function hover(
  range: vscode.Range,
  lines: readonly ShownText[],
  links: readonly HoverLink[],
): vscode.Hover {
  const content = new vscode.MarkdownString();
  content.isTrusted = { enabledCommands: links.map(({ command }) => command) };
  for (const line of lines) {
    content.appendText(line);
    content.appendMarkdown("\n\n");
  }
  content.appendMarkdown(
    links
      .map(({ label, command, argument }) => {
        const words = label.replace(/[^\w ]/g, (character) => `&#${character.codePointAt(0) ?? 0};`);
        // A round bracket would end the link.
        const query = encodeURIComponent(JSON.stringify([argument])).replace(
          /[()]/g,
          (bracket) => `%${bracket.charCodeAt(0).toString(16)}`,
        );
        return `[${words}](command:${command}?${query})`;
      })
      .join(" · "),
  );
  return new vscode.Hover(content, range);
}
