// Builds dist/extension.js, which is read at activation, and beside it a file for everything that the sources import
// dynamically, which is read at its first use, and files for what several of these share: every module is there once,
// so that classes and state are the same for all.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { context, transform } from "esbuild";

const production = process.argv.includes("--production");
const watch = process.argv.includes("--watch");

/**
 * esbuild splits ES modules only, and the extension host loads CommonJS sooner: its resolver of ES modules runs in
 * another thread. So every file is made CommonJS by itself.
 *
 * @type {import("esbuild").Plugin}
 */
const writeCommonJs = {
  name: "write-commonjs",
  setup(build) {
    build.onEnd(async ({ outputFiles = [], errors }) => {
      if (errors.length > 0) return;
      if (!watch) await rm("dist", { recursive: true, force: true });
      await mkdir("dist", { recursive: true });
      // The sources are ES modules, the files here are not.
      await writeFile(join("dist", "package.json"), '{ "type": "commonjs" }\n');
      for (const { path, text } of outputFiles) {
        const { code } = await transform(text, {
          format: "cjs",
          platform: "node",
          target: "node22",
          // A lazy file is required, not imported.
          supported: { "dynamic-import": false },
          minify: production,
          sourcemap: production ? false : "inline",
          sourcesContent: false,
          sourcefile: path,
        });
        await writeFile(path, code);
      }
    });
  },
};

const build = await context({
  entryPoints: ["src/extension.ts"],
  outdir: "dist",
  bundle: true,
  splitting: true,
  write: false,
  format: "esm",
  platform: "node",
  target: "node22",
  external: ["vscode"],
  minify: production,
  sourcemap: production ? false : "inline",
  sourcesContent: false,
  logLevel: "info",
  plugins: [writeCommonJs],
});

/** What runs on a thread of its own is one file, which shares nothing. */
const threads = await context({
  entryPoints: { dataWorker: "src/core/dataWorker.ts" },
  outdir: "dist",
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node22",
  minify: production,
  sourcemap: production ? false : "inline",
  sourcesContent: false,
  logLevel: "info",
});

if (watch) {
  await build.watch();
  await threads.watch();
} else {
  // The first clears the folder.
  await build.rebuild();
  await threads.rebuild();
  await build.dispose();
  await threads.dispose();
}
