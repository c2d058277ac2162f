import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { LANGUAGE_NAMES, SOURCE_ENDINGS } from "../../../src/core/languages/language.ts";
import { TOOLS } from "../../../src/core/tools/tool.ts";
import { repositoryRoot } from "../../rig/paths.ts";

/** Where a tool's or a language's own name may decide: at home, and where codes are told apart by the compilers' habits. */
const AT_HOME = /^src\/core\/(?:tools\/\w+|languages\/\w+|matching|evm)\//;

/** What decides by the name of a tool or a language, or by the ending of a source. */
function decisionsIn(text: string): string[] {
  const names = [...LANGUAGE_NAMES, ...TOOLS.map(({ name }) => name), ...TOOLS.map(({ title }) => title)];
  const name = `"(?:${names.join("|")})"`;
  const ending = `"\\.(?:${SOURCE_ENDINGS.join("|")})"`;
  const rule = new RegExp(
    `[!=]==? ${name}|${name} [!=]==?|case ${name}|(?:includes|has|get)\\(${name}\\)|endsWith\\(${ending}\\)|\\\\\\.(?:\\(\\?:)?(?:${SOURCE_ENDINGS.join("|")})\\b[^/\n]*/[a-z]*\\.test`,
    "g",
  );
  return text.match(rule) ?? [];
}

describe("The tables of tools and languages", () => {
  it("are asked wherever something depends on a tool or a language", () => {
    const guilty = globSync("src/**/*.{ts,tsx}", { cwd: repositoryRoot })
      .filter((file) => !AT_HOME.test(file))
      .flatMap((file) =>
        decisionsIn(readFileSync(join(repositoryRoot, file), "utf8")).map((found) => `${file}: ${found}`),
      );
    assert.deepEqual(guilty, []);
  });

  it("are missed where a name decides", () => {
    for (const code of [
      'if (language === "Vyper") return;',
      'if ("Fe" !== language) return;',
      'case "Yul":',
      'project.tools.includes("foundry")',
      'path.endsWith(".vy")',
      "if (/\\.vyi?$/.test(path)) return;",
      "/\\.(?:sol|vy)$/.test(path)",
    ])
      assert.equal(decisionsIn(code).length, 1, code);
  });

  it("name every tool, every recorder and every configuration once", () => {
    for (const all of [
      TOOLS.map(({ name }) => name),
      TOOLS.map(({ title }) => title),
      TOOLS.flatMap(({ recorders }) => recorders.map(({ name }) => name)),
      TOOLS.flatMap(({ configurations }) => configurations),
      SOURCE_ENDINGS,
    ])
      assert.equal(new Set(all).size, all.length, all.join(", "));
  });

  it("have a reader for every recorder", async () => {
    for (const { recorders, rules } of TOOLS) {
      const readers = (await rules()).deployments ?? [];
      assert.deepEqual(
        readers.map(({ recorder }) => recorder),
        recorders.map(({ name }) => name),
      );
    }
  });
});
