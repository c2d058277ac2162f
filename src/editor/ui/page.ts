import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { readAs, type Shape } from "../../core/json/shape.ts";
import type { ShownText } from "../../core/text/shownText.ts";

/** Where the built pages lie, below the extension. */
const PAGES = ["dist", "pages"] as const;

/** What a page is like. */
export interface PageKind {
  /** `ledgerLens.transaction`, by which the editor opens it again in the next window. */
  readonly type: string;
  /** The file of its script and its stylesheet, without the ending. */
  readonly file: string;
}

/**
 * A page of ours in the editor area. It shows texts that were made fit to be shown and loads nothing but its own two
 * files: the content security policy refuses everything else, the network and scripts in what it shows included.
 */
export class Page<Request, News> implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  #isClosed = false;

  /**
   * @param panel a new one by {@link openPagePanel}, or one that the editor brings back
   * @param shape of what the page may ask for; anything else is dropped
   */
  constructor(
    panel: vscode.WebviewPanel,
    extension: vscode.Uri,
    { file }: PageKind,
    shape: Shape<Request>,
    handle: (request: Request) => void,
  ) {
    this.#panel = panel;
    panel.onDidDispose(() => (this.#isClosed = true));
    const folder = vscode.Uri.joinPath(extension, ...PAGES);
    panel.webview.options = { enableScripts: true, localResourceRoots: [folder] };
    panel.webview.onDidReceiveMessage((message: unknown) => {
      const request = readAs(shape, message);
      if (request !== undefined) handle(request);
    });
    panel.webview.html = documentOf(panel.webview, folder, file);
  }

  /** Called now and whenever the page is shown or hidden; closed, it is hidden. */
  onVisibility(listener: (isVisible: boolean) => void): void {
    listener(this.#panel.visible);
    this.#panel.onDidChangeViewState(({ webviewPanel }) => listener(webviewPanel.visible));
    this.#panel.onDidDispose(() => listener(false));
  }

  /** Called once, when the page is closed. */
  onClosed(listener: () => void): void {
    this.#panel.onDidDispose(listener);
  }

  /** Gives the page's tab another title; one that is closed has none, and asking for it is an error of the editor. */
  retitle(title: ShownText): void {
    if (!this.#isClosed && this.#panel.title !== title) this.#panel.title = title;
  }

  /** Brings the page to the front of its editor group. */
  reveal({ focus }: { readonly focus: boolean }): void {
    this.#panel.reveal(undefined, !focus);
  }

  /** Tells the page something; what is told to a page that is closed or not drawn yet is lost. */
  tell(news: News): void {
    if (!this.#isClosed) void this.#panel.webview.postMessage(news);
  }

  dispose(): void {
    this.#panel.dispose();
  }
}

/** A new panel for a page, beside nothing: in the group that is active. */
export function openPagePanel(
  { type }: PageKind,
  title: ShownText,
  { focus }: { readonly focus: boolean },
): vscode.WebviewPanel {
  const where = { viewColumn: vscode.ViewColumn.Active, preserveFocus: !focus };
  return vscode.window.createWebviewPanel(type, title, where, { enableFindWidget: true });
}

function documentOf(webview: vscode.Webview, folder: vscode.Uri, file: string): string {
  const nonce = randomBytes(16).toString("base64url");
  // Of its own language the page knows nothing; no text ends the element that it is in.
  const texts = JSON.stringify(vscode.l10n.bundle ?? {}).replaceAll("<", "\\u003c");
  const address = (name: string) => String(webview.asWebviewUri(vscode.Uri.joinPath(folder, name)));
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${address(`${file}.css`)}">
<title>Ledger Lens</title>
</head>
<body>
<script type="application/json" id="texts">${texts}</script>
<script nonce="${nonce}" src="${address(`${file}.js`)}"></script>
</body>
</html>`;
}
