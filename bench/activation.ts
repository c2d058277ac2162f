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
const names = require("node:fs").readFileSync(require.resolve("@types/vscode/index.d.ts"), "utf8");
const editor = {};
// Each is a class that can be extended, and the members of an enumeration are there, too.
for (const [, name] of names.matchAll(/^[ \\t]*export (?:class|enum|namespace) (\\w+)/gm))
  editor[name] = new Proxy(class {}, { get: (one, member) => member in one || !/^[A-Z]/.test(String(member)) ? one[member] : class {} });
Module._load = (name, ...rest) => name === "vscode" ? editor : load(name, ...rest);
const started = performance.now();
require(process.argv[1]);
const milliseconds = performance.now() - started;
const files = Object.keys(require.cache);
const subjects = process.argv.slice(2).map((path) => {
  const begun = performance.now();
  require(path);
  return performance.now() - begun;
});
console.log(JSON.stringify({ milliseconds, files, subjects }));
`;

interface Evaluation {
  readonly milliseconds: number;
  readonly files: readonly string[];
  /** Milliseconds of what is loaded later, in the given order. */
  readonly subjects: readonly number[];
}

/** Nothing that an earlier process compiled is used. */
const WITHOUT_CODE_CACHE = { ...process.env, NODE_COMPILE_CACHE: "", NODE_DISABLE_COMPILE_CACHE: "1" };

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
  const names = await readdir(`${repositoryRoot}/dist`);
  const subjects = names.filter((name) => /Subject-\w+\.js$/.test(name));
  const fastest = { ours: Infinity, empty: Infinity };
  const fastestLater = subjects.map(() => Infinity);
  let eager: readonly string[] = [];
  for (let round = 0; round < 15; round++) {
    for (const [name, file] of [
      ["ours", bundle],
      ["empty", empty],
    ] as const) {
      const later = name === "ours" ? subjects.map((one) => `${repositoryRoot}/dist/${one}`) : [];
      const { stdout } = await execute(process.execPath, ["-e", EVALUATE, file, ...later], {
        env: WITHOUT_CODE_CACHE,
      });
      const { milliseconds, files, subjects: seen } = JSON.parse(stdout) as Evaluation;
      fastest[name] = Math.min(fastest[name], milliseconds);
      for (const [at, one] of seen.entries()) fastestLater[at] = Math.min(fastestLater[at] ?? Infinity, one);
      if (name === "ours") eager = files.map((path) => basename(path));
    }
  }
  printRatio("evaluating dist/extension.js", fastest.ours, fastest.empty, "an empty extension");
  const over = fastest.ours - fastest.empty;
  console.log(`evaluating dist/extension.js: ${over.toFixed(1)} ms over an empty extension`);
  for (const [at, name] of subjects.entries())
    console.log(`  later, after one another: ${name} ${(fastestLater[at] ?? 0).toFixed(1)} ms`);
  let [read, later] = [0, 0];
  for (const name of names) {
    if (!name.endsWith(".js")) continue;
    const { size } = await stat(`${repositoryRoot}/dist/${name}`);
    if (eager.includes(name)) read += size;
    else later += size;
  }
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`;
  console.log(`dist: ${kilobytes(read)} read at activation, ${kilobytes(later)} at first use, minified`);
  await rm(folder, { recursive: true, force: true });
}
