import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isInside } from "../../../src/core/files/fileReader.ts";
import { keepResult, keptResult } from "../../rig/keptResults.ts";
import { vyperPackages } from "../../sandbox/vyperCompiler.ts";
import { folderHash } from "../folderHash.ts";

/** How a project's own tool calls Vyper. */
export interface VyperCall {
  /** Vyper's programs. */
  readonly bin: string;
  /** The folder it runs in. */
  readonly folder: string;
  readonly options?: readonly string[] | undefined;
  /** Folders that Python looks in first. */
  readonly pythonPath?: readonly string[] | undefined;
  /** The Python of the project's virtual environment, unless it is that of the programs. */
  readonly python?: string | undefined;
}

/**
 * The creation code of files of a project as it is compiled on the command line, `vyper FILES` in its folder: digits
 * after `0x`. It holds the runtime code, and from 0.4.1 on the checksum over the sources.
 */
export async function compileInProject(call: VyperCall, files: readonly string[]): Promise<string[]> {
  const lines = (await vyper(call, ["-f", "bytecode", ...files])).trim().split("\n");
  if (lines.length !== files.length)
    throw new Error(`Vyper gave ${lines.length} lines for ${files.length} files`);
  return lines;
}

/** The bundle that Vyper itself makes of a file of a project: `vyper -f solc_json FILE`. */
export async function bundleInProject(call: VyperCall, file: string): Promise<unknown> {
  return JSON.parse(await vyper(call, ["-f", "solc_json", file]));
}

/**
 * Compiles standard JSON inputs with the function behind `vyper --standard-json`, all in one process, in an empty
 * folder so that nothing is found that an input does not hold. What was compiled before is taken from the test cache.
 */
export async function compileInputs(call: VyperCall, inputs: readonly unknown[]): Promise<unknown[]> {
  const script = `
import json, sys, warnings
from vyper.cli.vyper_json import compile_json, exc_handler_to_dict
warnings.simplefilter("ignore")
inputs = json.load(sys.stdin)
print(json.dumps([compile_json(json.dumps(one), exc_handler_to_dict) for one in inputs], default=str))
`;
  const [path, text] = [call.pythonPath?.join(":") ?? "", JSON.stringify(inputs)];
  const key = ["Vyper inputs", vyperPackages(call.bin), path, script, text] as const;
  const kept = keptResult(key);
  if (kept !== undefined) return JSON.parse(kept) as unknown[];
  const folder = await mkdtemp(join(tmpdir(), "vyper-"));
  try {
    const outputs = await run(join(call.bin, "python"), ["-c", script], folder, environmentOf(call), text);
    keepResult(key, outputs);
    return JSON.parse(outputs) as unknown[];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What Vyper's own program says in a project; what it said of the same files before is taken from the test cache. */
async function vyper(call: VyperCall, args: readonly string[]): Promise<string> {
  const { bin, folder, options = [], pythonPath = [], python = join(bin, "python") } = call;
  const withoutFolder = (text: string) => text.replaceAll(folder, "$FOLDER");
  const key = [
    "Vyper in a project",
    vyperPackages(bin),
    folderHash(folder),
    withoutFolder(JSON.stringify([python, pythonPath, options, args])),
    // What lies in the project is of its files already.
    ...pythonPath.filter((one) => !isInside(one, folder)).map(folderHash),
  ] as const;
  const kept = keptResult(key);
  if (kept !== undefined) return kept.replaceAll("$FOLDER", folder);
  const said = await run(python, [join(bin, "vyper"), ...options, ...args], folder, environmentOf(call));
  keepResult(key, withoutFolder(said));
  return said;
}

function environmentOf({ pythonPath }: VyperCall): Record<string, string> {
  return pythonPath ? { PYTHONPATH: pythonPath.join(":") } : {};
}

/** What a program says on its standard output; it throws what it says of a failure. */
export async function run(
  program: string,
  args: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  input = "",
): Promise<string> {
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...environment } });
  child.stdin.end(input);
  let output = "";
  let problem = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (problem += text));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 4).join(" ")} … failed:\n${problem}`);
  return output;
}
