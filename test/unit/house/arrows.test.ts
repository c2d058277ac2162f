import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, it } from "node:test";
import { repositoryRoot } from "../../rig/paths.ts";

/** The module specifiers of a file. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(repositoryRoot, file), "utf8");
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].flatMap(
    ([, specifier]) => specifier ?? [],
  );
}

/** Every import between our own files, as repository paths. */
function arrows(): { from: string; to: string }[] {
  return globSync("src/**/*.ts", { cwd: repositoryRoot }).flatMap((from) =>
    importsOf(from)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => ({
        from,
        to: relative(repositoryRoot, join(repositoryRoot, dirname(from), specifier)),
      })),
  );
}

describe("The house", () => {
  it("keeps core free of VS Code", () => {
    const guilty = globSync("src/core/**/*.ts", { cwd: repositoryRoot }).filter((file) =>
      importsOf(file).includes("vscode"),
    );
    assert.deepEqual(guilty, []);
  });

  it("has arrows from the editor to core to http, and none back", () => {
    const all = arrows();
    assert.ok(all.length > 50, "imports were found at all");
    const wrong = all.filter(
      ({ from, to }) =>
        (from.startsWith("src/core/") && !to.startsWith("src/core/")) ||
        (from.startsWith("src/core/http/") &&
          /^src\/core\/(?!(?:http|json|text|concurrency)\/)[^/]+\//.test(to)) ||
        (/^src\/core\/(?:compilerInput|tools|languages|sources|evm)\//.test(from) &&
          /^src\/core\/(?:jobs|service|ledger|status)\//.test(to)) ||
        (/^src\/core\/(?:ledger(?!\/names)|status)\//.test(from) &&
          /^src\/core\/(?:jobs|service|compilerInput)\//.test(to)),
    );
    assert.deepEqual(wrong, []);
  });

  it("loads undici in one file only, and that file at the first request only", () => {
    const users = globSync("src/**/*.ts", { cwd: repositoryRoot }).filter((file) =>
      importsOf(file).some((name) => name.startsWith("undici/")),
    );
    assert.deepEqual(users, ["src/core/http/transport.ts"]);
    const loaders = arrows().filter(({ to }) => to === "src/core/http/transport.ts");
    assert.ok(loaders.every(({ from }) => from === "src/core/http/jsonClient.ts"));
    const client = readFileSync(join(repositoryRoot, "src/core/http/jsonClient.ts"), "utf8");
    assert.match(client, /import type \{[^}]*\} from "\.\/transport\.ts"/);
    assert.match(client, /await import\("\.\/transport\.ts"\)/);
  });

  it("has no barrel files, no default exports and no drawers for everything", () => {
    const files = globSync("src/**/*.ts", { cwd: repositoryRoot, exclude: ["src/**/*.d.ts"] });
    assert.deepEqual(
      files.filter((file) => /(?:^|\/)(?:index|utils?|helpers?|common|misc)\.ts$/.test(file)),
      [],
    );
    assert.deepEqual(
      files.filter((file) =>
        /export default|export \* from/.test(readFileSync(join(repositoryRoot, file), "utf8")),
      ),
      [],
    );
  });

  it("sizes its proofs in the test files themselves, where npm run test:long finds them", () => {
    const hidden = globSync("test/**/*.ts", { cwd: repositoryRoot }).filter(
      (file) =>
        !/\.test\.ts$|^test\/rig\/|^test\/(?:run|editorRun|restrictedRun)\.ts$/.test(file) &&
        /\b(?:proofSize|isWholeProof)\(/.test(readFileSync(join(repositoryRoot, file), "utf8")),
    );
    assert.deepEqual(hidden, []);
  });
});
