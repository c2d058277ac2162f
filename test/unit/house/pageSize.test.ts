import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { build, type BuildOptions } from "esbuild";
import { repositoryRoot } from "../../rig/paths.ts";

/** What a page may weigh: it is read when somebody opens it. */
const MAX_BYTES = 120_000;

describe("The files of a page, as they are packaged", () => {
  it("are small enough to be read at its first use", async () => {
    const { pageOptions } = (await import(join(repositoryRoot, "esbuildOptions.mjs"))) as {
      readonly pageOptions: (production: boolean) => BuildOptions;
    };
    const { outputFiles } = await build({
      ...pageOptions(true),
      absWorkingDir: repositoryRoot,
      write: false,
    });
    const sizes = new Map<string, number>();
    for (const { path, contents } of outputFiles) {
      const page = /([^/\\]+)\.(?:js|css)$/.exec(path)?.[1] ?? path;
      sizes.set(page, (sizes.get(page) ?? 0) + contents.length);
    }
    console.log([...sizes].map(([page, bytes]) => `${page}: ${bytes} bytes`).join(", "));
    assert.deepEqual([...sizes.keys()].sort(), ["transaction", "verification"]);
    for (const [page, bytes] of sizes) assert.ok(bytes <= MAX_BYTES, `${page} has ${bytes} bytes`);
  });
});
