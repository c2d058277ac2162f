import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../test/rig/paths.ts";
import { printRatio } from "./ratio.ts";

const execute = promisify(execFile);

/** Evaluates a bundle in a fresh process, with a stand-in for the editor's module; says how long and what was read. */
const EVALUATE = `
const Module = require("node:module");
const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? new Proxy(function () {}, { get: (t, k) => k === "prototype" ? {} : class {} }) : load(name, ...rest);
const started = performance.now();
require(process.argv[1]);
const milliseconds = performance.now() - started;
console.log(JSON.stringify({ milliseconds, files: Object.keys(require.cache) }));
`;

interface Evaluation {
  readonly milliseconds: number;
  readonly files: readonly string[];
}

/** Evaluating `dist/extension.js` against an extension that does nothing. */
export async function benchActivation(): Promise<void> {
  await execute(process.execPath, [`${repositoryRoot}/esbuild.mjs`, "--production"]);
  const folder = await mkdtemp(join(tmpdir(), "ledger-lens-bench-"));
  const empty = join(folder, "extension.js");
  await writeFile(
    empty,
    '"use strict"; const vscode = require("vscode"); exports.activate = () => vscode;\n',
  );
  const bundle = `${repositoryRoot}/dist/extension.js`;
  const fastest = { ours: Infinity, empty: Infinity };
  let eager: readonly string[] = [];
  for (let round = 0; round < 15; round++) {
    for (const [name, file] of [
      ["ours", bundle],
      ["empty", empty],
    ] as const) {
      const { stdout } = await execute(process.execPath, ["-e", EVALUATE, file]);
      const { milliseconds, files } = JSON.parse(stdout) as Evaluation;
      fastest[name] = Math.min(fastest[name], milliseconds);
      if (name === "ours") eager = files.map((path) => basename(path));
    }
  }
  printRatio("evaluating dist/extension.js", fastest.ours, fastest.empty, "an empty extension");
  let [read, later] = [0, 0];
  for (const name of await readdir(`${repositoryRoot}/dist`)) {
    if (!name.endsWith(".js")) continue;
    const { size } = await stat(`${repositoryRoot}/dist/${name}`);
    if (eager.includes(name)) read += size;
    else later += size;
  }
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`;
  console.log(`dist: ${kilobytes(read)} read at activation, ${kilobytes(later)} at first use, minified`);
  await rm(folder, { recursive: true, force: true });
}
