import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "./paths.ts";
import { npm } from "./npm.ts";

/** The npm package that carries VS Code's own workbench and extension host, by its release. */
const CODE_SERVER_VERSION = "4.139.1";

/**
 * Of the extensions that come with the editor: what the tests look at beside ours. The others, such as a chat, cost each
 * window a fifth of what it takes to open.
 */
const KEPT_EXTENSIONS = [
  "diff",
  "git",
  "git-base",
  "javascript",
  "json",
  "markdown-basics",
  "markdown-language-features",
  "theme-defaults",
  "theme-modern-icons",
  "theme-seti",
  "typescript-basics",
];

/** An installed VS Code server. */
export interface EditorInstallation {
  /** The script that starts it. */
  readonly serverMain: string;
}

/**
 * Installs the editor once. Install scripts stay off: they would build native modules, of which only the
 * editor's own file log has need.
 */
export async function ensureEditor(): Promise<EditorInstallation> {
  const folder = join(cacheFolder, `editor-${CODE_SERVER_VERSION}-lean`);
  const server = "node_modules/code-server/lib/vscode";
  if (!existsSync(folder)) {
    console.log("Installing the editor (once, 20 s)…");
    await mkdir(cacheFolder, { recursive: true });
    const fresh = await mkdtemp(join(cacheFolder, "editor-"));
    try {
      await writeFile(join(fresh, "package.json"), '{ "private": true }\n');
      await npm(fresh, "install", `code-server@${CODE_SERVER_VERSION}`, "--ignore-scripts");
      await npm(join(fresh, server), "install", "--omit=dev", "--ignore-scripts");
      await keepExtensions(join(fresh, server, "extensions"));
      // In place as a whole or not at all.
      await rename(fresh, folder);
    } catch (error) {
      await rm(fresh, { recursive: true, force: true });
      // Another process may have been faster.
      if (!existsSync(folder)) throw error;
    }
  }
  return { serverMain: join(folder, server, "out/server-main.js") };
}

async function keepExtensions(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory() && !KEPT_EXTENSIONS.includes(entry.name))
      await rm(join(folder, entry.name), { recursive: true });
}
