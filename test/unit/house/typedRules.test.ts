import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { ESLint, Linter, type Rule } from "eslint";
import tseslint from "typescript-eslint";
import { longIt } from "../../rig/longTest.ts";
import { repositoryRoot } from "../../rig/paths.ts";

/** noPropertyAccessFromIndexSignature asks for brackets where this rule would ask for a dot. */
const LEFT_OUT = "dot-notation";
const PREFIX = "@typescript-eslint/";

const isOn = (level: unknown) =>
  !["off", 0, undefined].includes((Array.isArray(level) ? level[0] : level) as string);

/** The rules of the strict and the stylistic presets that need types. */
function typedRules(): string[] {
  // The type of a plugin says nothing of what is in it.
  const { rules } = tseslint.plugin as unknown as {
    readonly rules: Readonly<Record<string, Rule.RuleModule>>;
  };
  const presets = [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked];
  const names = presets.flatMap((preset) =>
    Object.entries(preset.rules ?? {}).flatMap(([name, level]) => (isOn(level) ? [name] : [])),
  );
  const needsTypes = (name: string) =>
    (rules[name]?.meta?.docs as { requiresTypeChecking?: boolean } | undefined)?.requiresTypeChecking ===
    true;
  return [...new Set(names)]
    .flatMap((name) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []))
    .filter((name) => name !== LEFT_OUT && needsTypes(name))
    .sort();
}

/** What the linter asks of a source. */
async function rulesOfSources(): Promise<Linter.Config["rules"]> {
  const config = (await new ESLint({ cwd: repositoryRoot }).calculateConfigForFile(
    join(repositoryRoot, "src/extension.ts"),
  )) as Linter.Config;
  return config.rules;
}

describe("The lint rule that keeps requests in the rooms of HTTP", () => {
  it("refuses a request by a global of the runtime, also by the object of all globals", async () => {
    const rule = (await rulesOfSources())?.["no-restricted-globals"];
    assert.ok(rule);
    const spoken = (code: string) =>
      new Linter()
        .verify(code, [
          {
            languageOptions: { globals: { globalThis: "readonly" } },
            rules: { "no-restricted-globals": rule },
          },
        ])
        .map(({ ruleId }) => ruleId);
    for (const code of [
      'fetch("x");',
      'globalThis.fetch("x");',
      'new WebSocket("x");',
      "new EventSource(1);",
    ])
      assert.deepEqual(spoken(code), ["no-restricted-globals"], code);
    assert.deepEqual(spoken("store.fetch(1); const fetch = 1; one(fetch);"), []);
  });
});

describe("The lint rules that need types", () => {
  it("are all of the strict and the stylistic presets, each by one of the two linters", async () => {
    const config = JSON.parse(readFileSync(join(repositoryRoot, ".oxlintrc.json"), "utf8")) as {
      rules: Linter.RulesRecord;
    };
    const ofSources = await rulesOfSources();
    const wanted = typedRules();
    assert.ok(wanted.length > 45, `${wanted.length} rules`);
    const missing = wanted.filter(
      (name) => !isOn(config.rules[`typescript/${name}`]) && !isOn(ofSources?.[PREFIX + name]),
    );
    assert.deepEqual(missing, []);
  });

  longIt("find nothing in what ships, those among them that npm test leaves out", async () => {
    const results = await new ESLint({ cwd: repositoryRoot }).lintFiles(["src", "eslint"]);
    assert.deepEqual(
      results.flatMap(({ filePath, messages }) => messages.map(({ ruleId }) => `${filePath}: ${ruleId}`)),
      [],
    );
  });

  it("speak up: a promise that nobody waits for is found by its type", async () => {
    const folder = mkdtempSync(join(tmpdir(), "typed-rules-"));
    try {
      writeFileSync(
        join(folder, "tsconfig.json"),
        '{ "compilerOptions": { "strict": true }, "include": ["."] }',
      );
      writeFileSync(
        join(folder, "floating.ts"),
        "const one = async () => Promise.resolve(1);\nexport function f(): void {\n  one();\n}\n",
      );
      const oxlint = join(repositoryRoot, "node_modules/.bin/oxlint");
      const args = ["--type-aware", "--config", join(repositoryRoot, ".oxlintrc.json"), "."];
      const { stdout = "" } = await promisify(execFile)(oxlint, args, { cwd: folder }).catch(
        (error: unknown) => error as { stdout?: string },
      );
      assert.match(stdout, /no-floating-promises/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
