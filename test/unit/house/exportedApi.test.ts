import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { repositoryRoot } from "../../rig/paths.ts";

const FILE = "src/ledgerLensApi.ts";
const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");

describe("The types that authors of other extensions copy", () => {
  it("need no other file", () => {
    const code = read(FILE).replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
    assert.doesNotMatch(code, /\bimport\b|\bfrom "/);
    // Types alone: a copy that runs nothing can't be older than the extension that it calls.
    assert.doesNotMatch(code, /\b(?:const|function|class|enum)\b/);
  });

  it("name codes of errors that there are", () => {
    const [, list = ""] = /export type LedgerLensFailureCode =([^;]+);/.exec(read(FILE)) ?? [];
    const codes = [...list.matchAll(/\| "(\w+)"/g)].map(([, code = ""]) => code);
    assert.ok(codes.length > 10);
    const thrown = globSync("src/{core,editor}/**/*.ts", { cwd: repositoryRoot }).map(read).join("\n");
    assert.deepEqual(
      codes.filter((code) => !thrown.includes(`"${code}"`)),
      [],
    );
  });
});
