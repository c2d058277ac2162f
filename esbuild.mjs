// Builds dist/extension.js, and dist/transport.js beside it: the HTTP machinery is most of the code we ship,
// so it lives in a file of its own that is read at the first request and not at activation.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { context } from "esbuild";

const production = process.argv.includes("--production");
const watch = process.argv.includes("--watch");

/** Files that get a bundle of their own, and how the main bundle must name them. */
const lazily = [{ source: /\/http\/transport\.ts$/, output: "./transport.js" }];

/** @type {import("esbuild").Plugin} */
const splitLazyFiles = {
  name: "split-lazy-files",
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path }) => {
      if (kind !== "dynamic-import") return undefined;
      const lazy = lazily.find(({ source }) => source.test(`/http/${path.replace(/^\.\//, "")}`));
      return lazy && { path: lazy.output, external: true };
    });
  },
};

const builds = await Promise.all(
  [
    { in: "src/extension.ts", out: "extension" },
    { in: "src/core/http/transport.ts", out: "transport" },
  ].map((entry) =>
    context({
      entryPoints: [entry],
      outdir: "dist",
      bundle: true,
      format: "cjs",
      platform: "node",
      target: "node22",
      external: ["vscode"],
      // The extension host loads CommonJS: a lazy file is required, not imported.
      supported: { "dynamic-import": false },
      minify: production,
      sourcemap: !production,
      sourcesContent: false,
      logLevel: "info",
      plugins: [splitLazyFiles],
    }),
  ),
);

if (!watch) await rm("dist", { recursive: true, force: true });
await mkdir("dist", { recursive: true });
// The sources are ES modules, the bundles are not.
await writeFile("dist/package.json", '{ "type": "commonjs" }\n');

if (watch) {
  await Promise.all(builds.map((build) => build.watch()));
} else {
  await Promise.all(builds.map((build) => build.rebuild()));
  await Promise.all(builds.map((build) => build.dispose()));
}
