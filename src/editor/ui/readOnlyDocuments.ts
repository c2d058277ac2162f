import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { DocumentText } from "../../core/text/documentText.ts";
import { chainLabel } from "../../core/chains/chainNames.ts";
import { foreign, type ShownText } from "../../core/text/shownText.ts";

const SCHEME = "ledger-lens-ledger";

/** The first segment of the paths of verified sources, before the chain, the address and the file; conditions of the manifest look for it. */
export const VERIFIED = foreign("verified");

/**
 * Read-only documents of what a ledger said, and of what is sent to a service. A file system and not a text provider, because then what is read or
 * saved elsewhere are the very bytes, whatever the editor makes of line ends.
 */
export class ReadOnlyDocuments implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #files = new Map<string, { readonly bytes: Uint8Array; readonly time: number }>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #disposables: readonly { dispose(): unknown }[];

  constructor() {
    this.#disposables = [
      this.#changed,
      vscode.workspace.registerFileSystemProvider(SCHEME, this, { isReadonly: true, isCaseSensitive: true }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === SCHEME) this.#files.delete(uri.path);
      }),
    ];
  }

  get onDidChangeFile(): vscode.Event<vscode.FileChangeEvent[]> {
    return this.#changed.event;
  }

  /**
   * Keeps a text as a document.
   *
   * @param path of segments that name the network and the item; the last one is the tab's title
   */
  put(path: readonly ShownText[], text: DocumentText): vscode.Uri {
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      path: `/${path.map((segment) => segment.replace(/[/\\]+/g, "-")).join("/")}`,
    });
    const isKnown = this.#files.has(uri.path);
    this.#files.set(uri.path, { bytes: new TextEncoder().encode(text), time: Date.now() });
    if (isKnown) this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    return uri;
  }

  /** Shows a text in an editor. */
  async show(path: readonly ShownText[], text: DocumentText): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.put(path, text));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const { bytes, time } = this.#file(path);
    return {
      type: vscode.FileType.File,
      ctime: time,
      mtime: time,
      size: bytes.length,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    return this.#file(path).bytes;
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  writeFile(): never {
    throw vscode.FileSystemError.NoPermissions(t`What a ledger said can't be changed.`);
  }

  createDirectory(): never {
    return this.writeFile();
  }

  delete(): never {
    return this.writeFile();
  }

  rename(): never {
    return this.writeFile();
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #file(path: string) {
    const file = this.#files.get(path);
    if (!file) {
      throw vscode.FileSystemError.FileNotFound(lostSentence(path));
    }
    return file;
  }
}

/** What a document was that an earlier run made and this one does not have, and how it is opened again. */
function lostSentence(path: string): string {
  const [kind, chainId = "", address = "", ...file] = path.split("/").slice(1);
  return kind === VERIFIED && file.length > 0
    ? t`This was ${foreign(file.join("/"))}, a verified source of ${foreign(address)} on ${chainLabel(chainId)}, opened in an earlier run. Run Open Verified Source to open it again.`
    : t`This was opened in an earlier run and is not kept. Open it again from the view, the page or the command that showed it.`;
}
