import { build } from "esbuild";
import { cacheFolder, repositoryRoot } from "./paths.ts";

/** Bundles the editor suites for the extension host, which loads CommonJS; answers the bundle's path. */
export async function bundleEditorTests(): Promise<string> {
  const outfile = `${cacheFolder}/editor-tests/index.cjs`;
  await build({
    entryPoints: [`${repositoryRoot}/test/editor/index.ts`],
    outfile,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node22",
    external: ["vscode"],
    supported: { "dynamic-import": false },
    sourcemap: "inline",
    logLevel: "error",
    logOverride: { "require-resolve-not-external": "silent" },
  });
  return outfile;
}
