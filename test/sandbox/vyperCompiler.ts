import { spawn } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { keepResult, keptResult } from "../rig/keptResults.ts";
import { vyperEnvironment } from "./vyperEnvironment.ts";

/** The release that the Vyper cases use, and its full name at the service. */
export const VYPER_VERSION = "0.4.3";
export const VYPER_FULL_VERSION = "0.4.3+commit.bff19ea2";

/** What Vyper gives for a contract, as far as the cases read it. */
export interface VyperContract {
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: { readonly object: string };
    readonly methodIdentifiers: Readonly<Record<string, string>>;
  };
}

/** Standard JSON output of Vyper. */
export interface VyperOutput {
  readonly errors?: readonly { readonly severity: string; readonly message: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, VyperContract>>>>;
}

/**
 * The folder of Vyper's programs: that of the environment's `VYPER_HOME`, or the one that {@link vyperEnvironment}
 * makes. `undefined` where there is no Vyper to be had.
 */
export function findVyper(): string | undefined {
  const given = process.env["VYPER_HOME"];
  if (given !== undefined) {
    const bin = join(given, "bin");
    return existsSync(join(bin, "vyper-json")) ? bin : undefined;
  }
  const made = vyperEnvironment(VYPER_VERSION);
  return "bin" in made ? made.bin : undefined;
}

/** Compiles standard JSON input with Vyper's own program; what was compiled before is taken from the test cache. */
export async function compileVyper(bin: string, input: unknown): Promise<VyperOutput> {
  return JSON.parse(await keptRun(bin, "vyper-json", [], JSON.stringify(input))) as VyperOutput;
}

/** The release as the compiler names itself, such as "0.4.3+commit.bff19ea2"; it gives no fewer than seven digits. */
export async function vyperVersion(bin: string): Promise<string> {
  return (await keptRun(bin, "vyper", ["--version"])).trim();
}

/** What decides what Vyper gives for an input: each package of its environment, by its name and version. */
export function vyperPackages(bin: string): string {
  return globSync("lib/python*/site-packages/*.dist-info", { cwd: join(bin, "..") })
    .sort()
    .join();
}

async function keptRun(bin: string, program: string, args: readonly string[], input = ""): Promise<string> {
  const packages = vyperPackages(bin);
  const key = ["Vyper", packages, program, ...args, input] as const;
  const kept = keptResult(key);
  if (kept !== undefined) return kept;
  const output = await runVyper(bin, program, args, input);
  // Of an environment of another kind, which may be given, it is not known what decides.
  if (output !== "" && packages !== "") keepResult(key, output);
  return output;
}

async function runVyper(bin: string, program: string, args: readonly string[], input = ""): Promise<string> {
  // By the interpreter: what a script names as its own is another path once its environment was moved.
  const python = join(bin, "python");
  const [command, ...first] = existsSync(python) ? [python, join(bin, program)] : [join(bin, program)];
  const child = spawn(command, [...first, ...args], { stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.end(input);
  let text = "";
  child.stdout.setEncoding("utf8");
  for await (const chunk of child.stdout) text += String(chunk);
  return text;
}
