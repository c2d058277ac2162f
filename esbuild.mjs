// Builds dist/extension.js, and beside it what only some of the work needs: the HTTP machinery and the ABI decoder are
// most of the code we ship, so each lives in a file of its own that is read at its first use and not at activation.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { context } from "esbuild";

const production = process.argv.includes("--production");
const watch = process.argv.includes("--watch");

/** What is imported dynamically: how the sources name it, where it is, and the name of its bundle. */
const lazy = [
  { specifier: "./transport.ts", entry: "src/core/http/transport.ts", bundle: "transport" },
  { specifier: "ethers/abi", entry: "ethers/abi", bundle: "abi" },
];

/** @type {import("esbuild").Plugin} */
const splitLazyParts = {
  name: "split-lazy-parts",
  setup(build) {
    build.onResolve({ filter: /./ }, ({ kind, path }) => {
      if (kind !== "dynamic-import") return undefined;
      const part = lazy.find(({ specifier }) => specifier === path);
      return part
        ? { path: `./${part.bundle}.js`, external: true }
        : { errors: [{ text: `${path} is imported dynamically and has no bundle of its own.` }] };
    });
  },
};

const builds = await Promise.all(
  [
    { in: "src/extension.ts", out: "extension" },
    ...lazy.map(({ entry, bundle }) => ({ in: entry, out: bundle })),
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
      plugins: [splitLazyParts],
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
