import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { build, type Plugin } from "esbuild";
import { cacheFolder, repositoryRoot } from "./paths.ts";

/**
 * Bundles the editor suites for the extension host, which loads CommonJS; answers the bundle's path.
 *
 * @param suites paths from the repository's root; without them, those of test/editor/suites.ts
 */
export async function bundleEditorTests(suites?: readonly string[]): Promise<string> {
  // Several runs at the same time have each their own.
  const name = createHash("sha256")
    .update(JSON.stringify(suites ?? []))
    .digest("hex")
    .slice(0, 12);
  const outfile = `${cacheFolder}/editor-tests/${name}.cjs`;
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
    plugins: suites ? [chosenSuites(suites)] : [],
  });
  return outfile;
}

/** Puts the chosen suites in the place of all, in the same order and behind the settings that every suite needs. */
function chosenSuites(suites: readonly string[]): Plugin {
  const order = readFileSync(`${repositoryRoot}/test/editor/suites.ts`, "utf8");
  const place = (file: string) => {
    const at = order.indexOf(`"./${basename(file)}"`);
    return at === -1 ? order.length : at;
  };
  const files = ["test/editor/worldSettings.ts", ...suites].sort((one, other) => place(one) - place(other));
  return {
    name: "chosen-suites",
    setup(bundle) {
      bundle.onLoad({ filter: /\/test\/editor\/suites\.ts$/ }, () => ({
        contents: files.map((file) => `import ${JSON.stringify(`${repositoryRoot}/${file}`)};`).join("\n"),
        loader: "ts",
      }));
    },
  };
}
