// Runs an entry of this repository on an empty machine: `node test/rig/bootstrap.mjs <entry.ts> [arguments]`.
// It works on the system's Node 20, installs the packages once, then hands over to the Node they bring.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, openSync, closeSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const node = join(root, "node_modules", ".bin", process.platform === "win32" ? "node.cmd" : "node");
const stamp = join(root, "node_modules", ".ledger-lens-install");

const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .update(process.platform + process.arch)
  .digest("hex");

if (Number(process.versions.node.split(".")[0]) < 20)
  fail(`Node ${process.versions.node} is too old. Install Node 20 or newer.`);
if (!isInstalled()) install();

const [entry, ...rest] = process.argv.slice(2);
if (!entry) fail("Name the file to run.");
const child = spawn(node, [join(root, entry), ...rest], {
  cwd: root,
  stdio: "inherit",
  shell: process.platform === "win32",
  env: {
    ...process.env,
    PATH: `${dirname(node)}${process.platform === "win32" ? ";" : ":"}${process.env.PATH}`,
  },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
}

function install() {
  const cache = join(root, ".cache");
  mkdirSync(cache, { recursive: true });
  const lock = join(cache, "install.lock");
  const release = takeLock(lock);
  try {
    if (isInstalled()) return;
    console.log("Installing packages (once, half a minute)…");
    const started = Date.now();
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    const { status } = spawnSync(npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      shell: process.platform === "win32",
    });
    if (status !== 0) fail("npm ci failed; its output above says why.");
    const { stdout = "" } = spawnSync(node, ["--version"], {
      encoding: "utf8",
      shell: process.platform === "win32",
    });
    if (!stdout.startsWith("v24.")) {
      fail(
        `The package "node" did not bring Node 24 (found ${stdout?.trim() || "nothing"}). Allow its install script, then run again.`,
      );
    }
    writeFileSync(stamp, wanted);
    console.log(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s.`);
  } finally {
    release();
  }
}

/** Waits for another set-up of the same checkout; a lock whose owner is gone is taken over. */
function takeLock(path) {
  for (;;) {
    try {
      const handle = openSync(path, "wx");
      writeFileSync(handle, String(process.pid));
      closeSync(handle);
      return () => rmSync(path, { force: true });
    } catch {
      if (!isRunning(Number(readText(path)))) rmSync(path, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    }
  }
}

function readText(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function isRunning(pid) {
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
