import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../test/rig/paths.ts";
import { printRatio } from "./ratio.ts";

const execute = promisify(execFile);

/** Evaluates a bundle in a fresh process, with a stand-in for the editor's module; answers milliseconds. */
const EVALUATE = `
const Module = require("node:module");
const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? new Proxy(function () {}, { get: (t, k) => k === "prototype" ? {} : class {} }) : load(name, ...rest);
const started = performance.now();
require(process.argv[1]);
console.log(performance.now() - started);
`;

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
  for (let round = 0; round < 15; round++) {
    for (const [name, file] of [
      ["ours", bundle],
      ["empty", empty],
    ] as const) {
      const { stdout } = await execute(process.execPath, ["-e", EVALUATE, file]);
      fastest[name] = Math.min(fastest[name], Number(stdout));
    }
  }
  printRatio("evaluating dist/extension.js", fastest.ours, fastest.empty, "an empty extension");
  for (const file of ["extension.js", "transport.js"]) {
    const { size } = await stat(`${repositoryRoot}/dist/${file}`);
    console.log(`dist/${file}: ${(size / 1000).toFixed(0)} kB minified`);
  }
  await rm(folder, { recursive: true, force: true });
}
