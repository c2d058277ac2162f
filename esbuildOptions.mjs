// How the sources are made into the files of dist/: the build and the test of what is read at activation go by it.
import { transform } from "esbuild";

/** The same for every file. */
function fileOptions(production) {
  return {
    platform: "node",
    target: "node22",
    minify: production,
    sourcemap: production ? false : "inline",
    sourcesContent: false,
  };
}

/**
 * What runs on a thread of its own: one file for each, which shares nothing.
 *
 * @returns {import("esbuild").BuildOptions}
 */
export function threadOptions(production) {
  return {
    ...fileOptions(production),
    entryPoints: { dataWorker: "src/core/dataWorker.ts", compilerWorker: "src/core/compilerWorker.ts" },
    bundle: true,
    format: "cjs",
  };
}

/**
 * `extension.js`, which is read at activation; a file for everything that the sources import dynamically, which is read at
 * its first use; and files for what several of these share: every module is there once, so that classes and state are the
 * same for all. ES modules, since esbuild splits no others.
 *
 * @returns {import("esbuild").BuildOptions & { write: false }}
 */
export function extensionOptions(production) {
  return {
    ...fileOptions(production),
    entryPoints: ["src/extension.ts"],
    outdir: "dist",
    bundle: true,
    splitting: true,
    write: false,
    format: "esm",
    external: ["vscode"],
  };
}

/**
 * The pages in the editor area: a script and a stylesheet for each, which run in a browser and are read when a page is
 * opened.
 *
 * @returns {import("esbuild").BuildOptions}
 */
export function pageOptions(production) {
  return {
    entryPoints: {
      transaction: "src/pages/transaction/main.tsx",
      verification: "src/pages/verification/main.tsx",
    },
    outdir: "dist/pages",
    bundle: true,
    format: "iife",
    platform: "browser",
    target: "chrome120",
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: production,
    sourcemap: production ? false : "inline",
  };
}

/** A file as the extension host loads it sooner: its resolver of ES modules runs in another thread. */
export async function commonJs(path, text, production) {
  const { code } = await transform(withEditorAsItIs(text), {
    ...fileOptions(production),
    format: "cjs",
    // A lazy file is required, not imported.
    supported: { "dynamic-import": false },
    sourcefile: path,
  });
  return code;
}

/**
 * A text that takes the editor's module itself for its namespace: else every file that imports all of it makes a copy of its
 * hundreds of members, which took a sixth of the evaluation at activation.
 */
function withEditorAsItIs(text) {
  return text.replaceAll(
    /\bimport\s*\*\s*as\s+([\w$]+)\s+from\s*"vscode";/g,
    (_all, name) => `const ${name} = require("vscode");`,
  );
}
