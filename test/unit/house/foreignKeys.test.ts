import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ESLint } from "eslint";
import tseslint from "typescript-eslint";
import { foreignKeys } from "../../../eslint/foreignKeys.ts";
import { repositoryRoot } from "../../rig/paths.ts";

/** A project of its own, so that a snippet is read without all of the repository. */
const PROJECT = join(import.meta.dirname, "snippets");
const SNIPPET = join(PROJECT, "foreignKeys.snippet.ts");
const DECLARED = `
  declare const key: string;
  declare const some: any;
  declare const at: number;
  declare const side: "left" | "right";
  declare const table: Record<string, number>;
  declare const pair: { left: number; right: number };
  declare const list: number[];
  declare const maybe: readonly number[] | undefined;
  declare const bytes: Uint8Array;
  declare const text: string;
`;

const eslint = new ESLint({
  cwd: repositoryRoot,
  overrideConfigFile: true,
  overrideConfig: [
    {
      files: ["**/*.ts"],
      plugins: { "foreign-keys": foreignKeys },
      languageOptions: {
        parser: tseslint.parser,
        parserOptions: {
          projectService: { allowDefaultProject: ["*.ts"] },
          tsconfigRootDir: PROJECT,
        },
      },
      rules: {
        "foreign-keys/no-computed-assignment": "error",
        "foreign-keys/no-inherited-lookup": "error",
      },
    },
  ],
});

/** The rules that speak up for a snippet. */
async function spoken(snippet: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${DECLARED}\n${snippet}`, { filePath: SNIPPET });
  return (result?.messages ?? []).map(
    ({ ruleId, message }) => ruleId?.replace("foreign-keys/", "") ?? message,
  );
}

describe("The lint rules for keys from outside", () => {
  const WRITES = [
    "table[key] = 1;",
    "table[some] = 1;",
    "some[key] = 1;",
    "table[key] ??= 1;",
    "table[key]++;",
    "--table[key];",
    "delete table[key];",
    "[table[key]] = list;",
    "({ left: table[key] } = pair);",
    "({ left: table[key] = 3 } = pair);",
    "[...some[key]] = list;",
    "for (table[key] of list);",
    "pair[side] = 1;",
    "table[`a${key}`] = 1;",
    'table["__proto__"] = 1;',
    'some["constructor"] = 1;',
    "table[at] = 1;",
    "(list as any)[key] = 1;",
    "Object.assign(pair, table);",
    "Object.assign({}, some);",
    "Object.assign({}, ...list);",
    "Reflect.set(table, key, 1);",
  ];
  for (const snippet of WRITES)
    it(`refuse ${snippet}`, async () => {
      assert.deepEqual(await spoken(snippet), ["no-computed-assignment"]);
    });

  for (const snippet of [
    "(some[key] ??= {})[key] = 1;",
    "(some as Record<string, Record<string, number>>)[key][key] = 1;",
  ])
    it(`refuse ${snippet}`, async () => {
      assert.ok((await spoken(snippet)).includes("no-computed-assignment"));
    });

  for (const snippet of [
    "void table[key];",
    "void some[key];",
    "void pair[key as keyof typeof pair & string as string];",
    'void some["constructor"];',
    "void (key in table);",
    "void table[key].toFixed();",
    "const { [key]: one } = table;",
  ])
    it(`refuse ${snippet}`, async () => {
      assert.deepEqual(await spoken(snippet), ["no-inherited-lookup"]);
    });

  for (const snippet of [
    "list[at] = 1;",
    "list[0]++;",
    "bytes[at] = 1;",
    "[list[at], list[0]] = [1, 2];",
    'table["evmVersion"] = 1;',
    "void list[at];",
    "void maybe?.[at];",
    "void text[at];",
    "void pair[side];",
    'void ("left" in pair);',
    "Object.assign(list, pair);",
    "void { ...table, [key]: 1 };",
    "void Object.fromEntries([[key, 1]]);",
    "void new Map([[key, 1]]).get(key);",
  ])
    it(`let ${snippet} pass`, async () => {
      assert.deepEqual(await spoken(snippet), []);
    });

  it("are on for all of the product", async () => {
    const whole = new ESLint({ cwd: repositoryRoot });
    for (const file of ["src/container.ts", "src/core/errors.ts", "src/editor/settings.ts"]) {
      const { rules } = (await whole.calculateConfigForFile(file)) as { rules: Record<string, unknown[]> };
      for (const name of Object.keys(foreignKeys.rules))
        assert.equal(rules[`foreign-keys/${name}`]?.[0], 2, `${name} in ${file}`);
    }
  });
});
