import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../rig/paths.ts";

/** Why something is not there. */
export interface Missing {
  readonly missing: string;
}

/** Where the programs of a Vyper release are. */
export interface VyperEnvironment {
  readonly bin: string;
}

/** How long another run may take to make an environment before it counts as dead, in milliseconds. */
const LOCK_LIFE = 5 * 60_000;

/** How `pip` installs: at once or not at all. Python compiles what is imported, and need not compile the rest. */
export const PIP_INSTALL: readonly string[] = [
  ...["install", "-q", "--no-compile"],
  ...["--disable-pip-version-check", "--timeout", "5", "--retries", "0"],
];

// A release names the newest Python of its time; later ones run it as well.
const PIP_OPTIONS = [...PIP_INSTALL, "--ignore-requires-python"];

/** The virtual environment of a Vyper release, in the cache: made once with Python and its package index. */
export function vyperEnvironment(version: string): VyperEnvironment | Missing {
  const folder = join(cacheFolder, `vyper-${version}`);
  const bin = join(folder, "bin");
  return made(folder, { bin }, () => {
    if (spawnSync("python3", ["--version"]).status !== 0) return "Python is not there";
    if (spawnSync("python3", ["-m", "venv", folder]).status !== 0)
      return "Python can't make a virtual environment";
    const { status } = spawnSync(join(bin, "pip"), [...PIP_OPTIONS, `vyper==${version}`]);
    return status === 0 ? undefined : `Vyper ${version} can't be installed from PyPI`;
  });
}

/**
 * A folder of Python packages in the cache, without what they depend on.
 *
 * @param packages As `name==version`.
 */
export function pythonPackages(
  environment: VyperEnvironment | Missing,
  packages: readonly string[],
): { readonly folder: string } | Missing {
  if ("missing" in environment) return environment;
  const folder = join(cacheFolder, `python-${packages.map((one) => one.replace("==", "-")).join("-")}`);
  return made(folder, { folder }, () => {
    const options = [...PIP_OPTIONS, "--no-deps", "--upgrade", "--target", folder];
    const { status } = spawnSync(join(environment.bin, "pip"), [...options, ...packages]);
    return status === 0 ? undefined : `${packages.join(" and ")} can't be installed from PyPI`;
  });
}

/** A folder that is made once, by one process alone; `make` says why it could not. */
function made<T>(folder: string, result: T, make: () => string | undefined): T | Missing {
  mkdirSync(cacheFolder, { recursive: true });
  return alone(`${folder}.lock`, () => {
    const mark = join(folder, "complete");
    if (existsSync(mark)) return result;
    const missing = make();
    if (missing !== undefined) return { missing };
    mkdirSync(mark);
    return result;
  });
}

/** Does something while no other process does it. */
function alone<T>(lock: string, action: () => T): T {
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      if (age > LOCK_LIFE) rmdirSync(lock);
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
  try {
    return action();
  } finally {
    rmdirSync(lock);
  }
}
