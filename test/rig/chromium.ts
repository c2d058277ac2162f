import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";

/** The shell has no windows of its own to draw, which is a third of a browser's start. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

/** Runs without a display, and asks nothing of the network but what the page asks. */
export const chromiumArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * The path of Chromium or Chrome, in the order of {@link NAMES}. As root on Debian it is installed when it is missing;
 * anybody else is told which package to install.
 */
export function ensureChromium(): string {
  const found = process.env["LEDGER_LENS_CHROMIUM"] ?? findChromium();
  if (found) return found;
  if (process.getuid?.() !== 0) {
    throw new Error("Chromium is missing. Install it with: sudo apt-get install chromium-headless-shell");
  }
  console.log("Installing Chromium (once, half a minute)…");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const wait = ["-o", "DPkg::Lock::Timeout=300", "-qq"];
  for (const args of [
    ["update", ...wait],
    ["install", "-y", "--no-install-recommends", ...wait, "chromium-headless-shell", "fonts-dejavu-core"],
  ]) {
    const { status, stderr, stdout } = spawnSync("apt-get", args, { env, encoding: "utf8" });
    if (status !== 0) throw new Error(`apt-get ${args.join(" ")} failed:\n${stdout}${stderr}`);
  }
  const installed = findChromium();
  if (!installed) throw new Error("apt-get installed chromium-headless-shell, which is not on the PATH.");
  return installed;
}

function findChromium(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(":");
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
