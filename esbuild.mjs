// Builds dist/, or the folder behind --into: extension.js, which is read at activation, and beside it what is read at its
// first use.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { cwd } from "node:process";
import { context } from "esbuild";
import { commonJs, extensionOptions, pageOptions, threadOptions } from "./esbuildOptions.mjs";
import { withSmallParts } from "./smallParts.mjs";
import { bundledPackages, noticesOf } from "./thirdPartyNotices.mjs";

const production = process.argv.includes("--production");
const watch = process.argv.includes("--watch");
const into = process.argv.indexOf("--into");
const folder = into < 0 ? "dist" : process.argv[into + 1];

/** @type {import("esbuild").Plugin} */
const writeCommonJs = {
  name: "write-commonjs",
  setup(build) {
    build.onEnd(async ({ outputFiles = [], errors, metafile }) => {
      if (errors.length > 0) return;
      if (!watch) await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      // The sources are ES modules, the files here are not.
      await writeFile(join(folder, "package.json"), '{ "type": "commonjs" }\n');
      const files = new Map();
      for (const { path, text } of outputFiles)
        files.set(basename(path), await commonJs(path, text, production));
      for (const [name, text] of production ? withSmallParts(files, metafile.outputs) : files)
        await writeFile(join(folder, name), text);
    });
  },
};

const build = await context({
  ...extensionOptions(production),
  logLevel: "info",
  plugins: [writeCommonJs],
  metafile: true,
});

const threads = await context({
  ...threadOptions(production),
  outdir: folder,
  logLevel: "info",
  metafile: true,
});

const pages = await context({
  ...pageOptions(production),
  outdir: join(folder, "pages"),
  logLevel: "info",
  metafile: true,
});

// The first clears the folder.
const all = [build, threads, pages];
const metafiles = [];
for (const one of all) {
  if (watch) await one.watch();
  else {
    const { metafile } = await one.rebuild();
    metafiles.push(metafile);
    await one.dispose();
  }
}
if (production)
  await writeFile(
    join(folder, "THIRD_PARTY_NOTICES.txt"),
    noticesOf(bundledPackages(metafiles, cwd()), import.meta.dirname),
  );
