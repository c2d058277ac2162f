// Builds dist/: extension.js, which is read at activation, and beside it what is read at its first use.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { context } from "esbuild";
import { commonJs, extensionOptions, fileOptions, pageOptions } from "./esbuildOptions.mjs";

const production = process.argv.includes("--production");
const watch = process.argv.includes("--watch");

/** @type {import("esbuild").Plugin} */
const writeCommonJs = {
  name: "write-commonjs",
  setup(build) {
    build.onEnd(async ({ outputFiles = [], errors }) => {
      if (errors.length > 0) return;
      if (!watch) await rm("dist", { recursive: true, force: true });
      await mkdir("dist", { recursive: true });
      // The sources are ES modules, the files here are not.
      await writeFile(join("dist", "package.json"), '{ "type": "commonjs" }\n');
      for (const { path, text } of outputFiles) await writeFile(path, await commonJs(path, text, production));
    });
  },
};

const build = await context({ ...extensionOptions(production), logLevel: "info", plugins: [writeCommonJs] });

/** What runs on a thread of its own is one file, which shares nothing. */
const threads = await context({
  ...fileOptions(production),
  entryPoints: { dataWorker: "src/core/dataWorker.ts", compilerWorker: "src/core/compilerWorker.ts" },
  outdir: "dist",
  bundle: true,
  format: "cjs",
  logLevel: "info",
});

const pages = await context({ ...pageOptions(production), logLevel: "info" });

// The first clears the folder.
const all = [build, threads, pages];
for (const one of all) {
  if (watch) await one.watch();
  else {
    await one.rebuild();
    await one.dispose();
  }
}
