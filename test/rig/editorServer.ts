import { execFile, spawn, type ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureEditor } from "./editorInstallation.ts";
import { PATIENCE_MS } from "./eventually.ts";
import { stackOf } from "./processStack.ts";

/** How an editor is started. */
export interface EditorOptions {
  /** User settings, on top of quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Environment of the server and so of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** Packaged extensions to install. */
  readonly vsix?: readonly string[];
  /** Ask for trust in a folder as VS Code does; otherwise every folder is trusted. */
  readonly workspaceTrust?: boolean;
  readonly port?: number;
  /** The editor's language, such as `de`; its own texts stay English, since no language pack is here. */
  readonly language?: string;
  /** Lets the page's address name tests to run. The editor shows no messages then, so only those runs want it. */
  readonly testDriver?: boolean;
}

/** A running VS Code server. */
export interface EditorServer {
  /** `http://localhost:<port>`. */
  readonly url: string;
  readonly port: number;
  /** Where it keeps everything. */
  readonly dataFolder: string;
  /** What the server printed so far. */
  output(): string;
  /** Kills every extension host, as a crash would; answers how many there were. */
  killExtensionHosts(): Promise<number>;
  /** What each extension host is at, for a run that does not end. */
  stacksOfExtensionHosts(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const QUIET_SETTINGS = {
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "workbench.startupEditor": "none",
  "workbench.enableExperiments": false,
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "chat.disableAIFeatures": true,
  "chat.commandCenter.enabled": false,
  // Every server of a test is a port: so many messages at once that the editor shows no other one.
  "remote.autoForwardPorts": false,
  // Else it looks through all processes for ports every few seconds, which no editor on a desktop does.
  "remote.autoForwardPortsSource": "output",
  "git.enabled": false,
  "git.openRepositoryInParentFolders": "never",
  "window.menuBarVisibility": "compact",
};

/** Starts VS Code's server with empty data folders on loopback and waits until it listens. */
export async function startEditor(options: EditorOptions = {}): Promise<EditorServer> {
  const { serverMain } = await ensureEditor();
  const data = await mkdtemp(join(tmpdir(), "ledger-lens-editor-"));
  const folders = ["--server-data-dir", join(data, "server"), "--extensions-dir", join(data, "extensions")];
  const settings = JSON.stringify({ ...QUIET_SETTINGS, ...options.settings }, null, 2);
  // The web workbench keeps its user settings on the server's side.
  await mkdir(join(data, "server/data/User"), { recursive: true });
  await writeFile(join(data, "server/data/User/settings.json"), settings);
  await mkdir(join(data, "server/data/Machine"), { recursive: true });
  await writeFile(join(data, "server/data/Machine/settings.json"), settings);
  if (options.language !== undefined) await registerLanguage(join(data, "server/data"), options.language);
  const env = {
    ...process.env,
    // Where a test in the extension host finds what extensions keep.
    LEDGER_LENS_EDITOR_DATA: data,
    ...options.env,
    EXTENSIONS_GALLERY: "{}",
    CI: "1",
    VSCODE_IPC_HOOK_CLI: "",
  };

  for (const vsix of options.vsix ?? []) {
    const install = run(serverMain, [...folders, "--install-extension", vsix, "--force"], env);
    const [code] = (await once(install.child, "exit")) as [number | null];
    if (code !== 0) throw new Error(`Installing ${vsix} failed:\n${install.output()}`);
  }

  const port = options.port ?? (await freePort());
  const server = run(
    serverMain,
    [
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
      "--without-connection-token",
      "--accept-server-license-terms",
      ...(options.testDriver ? ["--enable-smoke-test-driver"] : []),
      "--telemetry-level",
      "off",
      ...(options.language === undefined ? [] : ["--locale", options.language]),
      ...(options.workspaceTrust ? [] : ["--disable-workspace-trust"]),
      ...folders,
    ],
    env,
  );
  const stop = async () => {
    if (server.child.exitCode === null && server.child.signalCode === null) {
      const exit = once(server.child, "exit");
      killGroup(server.child);
      await exit;
    }
    process.off("exit", stopAtExit);
    await rm(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  const stopAtExit = () => killGroup(server.child);
  process.on("exit", stopAtExit);
  const url = `http://localhost:${port}`;
  for (const deadline = Date.now() + PATIENCE_MS; ;) {
    if (await answers(url)) break;
    if (server.child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`The editor did not start:\n${server.output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    port,
    dataFolder: data,
    output: server.output,
    async killExtensionHosts() {
      const hosts = await extensionHostsOf(server.child.pid ?? 0);
      for (const pid of hosts) process.kill(pid, "SIGKILL");
      return hosts.length;
    },
    async stacksOfExtensionHosts() {
      const stacks: string[] = [];
      // One after another: each listens at the same address.
      for (const pid of await extensionHostsOf(server.child.pid ?? 0)) stacks.push(await stackOf(pid));
      return stacks;
    },
    stop,
  };
}

/** Registers a language as a language pack does, with no text of the editor in it. */
async function registerLanguage(userData: string, language: string): Promise<void> {
  const texts = join(userData, "editor-texts.json");
  await writeFile(texts, JSON.stringify({ contents: {} }));
  const pack = {
    hash: language,
    extensions: [{ extensionIdentifier: { id: `example.language-pack-${language}` }, version: "1.0.0" }],
    translations: { vscode: texts },
    label: language,
  };
  await writeFile(join(userData, "languagepacks.json"), JSON.stringify({ [language]: pack }));
}

/** The processes below a server that run extensions. */
async function extensionHostsOf(serverPid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-Ao", "pid=,ppid=,args="]);
  const processes = stdout.split("\n").flatMap((line) => {
    const [, pid, parent, args = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
  const family = new Set([serverPid]);
  for (const pid of family) for (const one of processes) if (one.parent === pid) family.add(one.pid);
  return processes
    .filter(({ pid, args }) => family.has(pid) && args.includes("--type=extensionHost"))
    .map(({ pid }) => pid);
}

/** A port on loopback that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (typeof address !== "object" || !address) throw new Error("No free port on loopback.");
  return address.port;
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/version`).then(
    (response) => response.ok,
    () => false,
  );
}

function run(serverMain: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  // A group of its own: the extension host and its children go with it.
  const child = spawn(process.execPath, [serverMain, ...args], {
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed = (printed + text).slice(-20_000);
    });
  }
  return { child, output: () => printed };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}
