import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { LANGUAGE_NAMES } from "../../../src/core/languages/language.ts";
import { HARDHAT3_PACKAGES } from "../../../src/core/tools/hardhat/hardhat3Names.ts";
import { REMAPPINGS_FILE } from "../../../src/core/languages/solidity/solidity.ts";
import { OWN_PREFIXES, SETTINGS_FILES, TOOLS } from "../../../src/core/tools/tool.ts";
import { repositoryRoot } from "../../rig/paths.ts";

/** The tables that know a language by its name and can't be among its rules, each with the reason. */
const REASONED: Readonly<Record<string, string>> = {
  // The causes of what two codes show need both of them, of which languages know nothing; tools name what they configure.
  "src/core/matching/causes/pipelineCauses.ts": "Vyper: vyperCauses",
  "src/core/tools/ape/apeRules.ts": "Vyper: apeVyper",
  "src/core/tools/foundry/foundryRules.ts": "Vyper: foundryVyper",
};

/** Where a text decides by one of some names: it compares with it, has a case for it, looks for it or keeps a table by it. */
function decisionsBy(names: readonly string[], text: string): string[] {
  const name = names.join("|");
  const quoted = `["'\`](?:${name})["'\`]`;
  const forms = [
    `[!=]==?\\s*${quoted}`,
    `${quoted}\\s*[!=]==?`,
    `\\bcase\\s+${quoted}`,
    `\\b(?:includes|has|get|startsWith)\\(\\s*${quoted}`,
    `\\[\\s*${quoted}[^\\]]*\\]\\.`,
    `[{,]\\s*(?:${quoted}|(?:${name})): *[\\w"'\`]+`,
  ];
  const code = text.replace(/^\s*(?:\*|\/\/|\/\*).*$/gm, "");
  return [...code.matchAll(new RegExp(forms.join("|"), "g"))].map(([found]) => found);
}

/** The files outside a folder that decide by one of some names, with what they say. */
function deciding(names: readonly string[], home: string): Record<string, readonly string[]> {
  const files = globSync("src/**/*.{ts,tsx}", { cwd: repositoryRoot }).filter(
    (file) => !file.startsWith(home),
  );
  return Object.fromEntries(
    files.flatMap((file) => {
      const found = decisionsBy(names, readFileSync(join(repositoryRoot, file), "utf8"));
      return found.length > 0 ? [[file, found]] : [];
    }),
  );
}

/** The names by which tools, what records their deployments, and the forms of their records are known. */
const TOOL_NAMES = [
  ...new Set(
    TOOLS.flatMap(({ name, title, recorders }) => [
      name,
      title,
      ...recorders.flatMap((recorder) => [recorder.name, recorder.title, ...recorder.builds]),
    ]),
  ),
];

describe("One home", () => {
  it("lets nothing outside the languages decide by the name of one", () => {
    const found = Object.entries(deciding(LANGUAGE_NAMES, "src/core/languages/"));
    const others = found.filter(([file, decisions]) => {
      const reason = REASONED[file];
      return reason === undefined || !decisions.every((one) => one.includes(reason));
    });
    assert.deepEqual(others, []);
    assert.deepEqual(
      Object.keys(REASONED).filter((file) => !found.some(([one]) => one === file)),
      [],
      "every exception is still needed",
    );
  });

  it("lets nothing outside the tools decide by the name of one, or of a form of its records", () => {
    assert.ok(
      TOOL_NAMES.includes("hardhat-2") && TOOL_NAMES.includes("vyper-bundle"),
      "the names were found",
    );
    assert.deepEqual(deciding(TOOL_NAMES, "src/core/tools/"), {});
  });

  it("lets nothing outside the tools write what one puts before the names of sources", () => {
    const prefixes = [...OWN_PREFIXES, HARDHAT3_PACKAGES].filter((one) => one !== "");
    assert.ok(prefixes.length > 3, prefixes.join());
    const written = (prefix: string) => `["'\`^|(]${prefix.slice(0, -1)}\\\\?/`;
    const pattern = new RegExp(prefixes.map(written).join("|"));
    for (const way of ['name.startsWith("project/")', "name.replace(/^project:\\//, '')", "`npm/${name}`"])
      assert.match(way, pattern);
    const found = globSync("src/**/*.{ts,tsx}", { cwd: repositoryRoot }).filter(
      (file) =>
        !file.startsWith("src/core/tools/") && pattern.test(readFileSync(join(repositoryRoot, file), "utf8")),
    );
    assert.deepEqual(found, []);
  });

  it("lets nothing outside the tools know a configuration by its name, not even in a pattern", () => {
    const names = SETTINGS_FILES.filter(
      (name) => !name.includes("*") && !name.startsWith(".") && name !== REMAPPINGS_FILE,
    );
    const pattern = new RegExp(names.map((name) => name.replace(".", String.raw`\\?\.`)).join("|"));
    for (const way of ["foundry.toml", String.raw`/\/foundry\.toml$/`]) assert.match(way, pattern);
    const knowing = globSync("src/**/*.{ts,tsx}", { cwd: repositoryRoot }).filter((file) => {
      const code = readFileSync(join(repositoryRoot, file), "utf8").replace(/^\s*(?:\*|\/\/|\/\*).*$/gm, "");
      return !file.startsWith("src/core/tools/") && pattern.test(code);
    });
    // It makes a project of one tool.
    assert.deepEqual(knowing, ["src/editor/verification/sampleProject.ts"]);
  });

  it("lets everything that is copied be told: one module alone writes to the clipboard", () => {
    const writing = globSync("src/**/*.{ts,tsx}", { cwd: repositoryRoot }).filter((file) =>
      /\bclipboard\b[^;]*\bwriteText\(/.test(readFileSync(join(repositoryRoot, file), "utf8")),
    );
    assert.deepEqual(writing, ["src/editor/ui/clipboard.ts"]);
  });

  it("reads chain ids, and divides contract identifiers, in one place each", () => {
    const reading = (form: RegExp) =>
      globSync("src/**/*.{ts,tsx}", { cwd: repositoryRoot }).filter((file) =>
        form.test(readFileSync(join(repositoryRoot, file), "utf8")),
      );
    assert.deepEqual(reading(/\/\^(?:0\*)?\(?(?:\[1-9\])?\\d\{(?:1,20|0,19)\}\)?\$\//), [
      "src/core/chainId.ts",
    ]);
    assert.deepEqual(reading(/lastIndexOf\(":"\)/).sort(), [
      // What Vyper writes behind the type that a function returns.
      "src/core/languages/vyper/vyperDeclarations.ts",
      "src/core/sources/contractIdentifier.ts",
    ]);
  });

  it("names in its documents no file of the repository that is not there", () => {
    const named = ["README.md", "SECURITY.md", "CONTRIBUTING.md"].flatMap((document) =>
      [
        ...readFileSync(join(repositoryRoot, document), "utf8").matchAll(
          /`((?:src|test|bench|eslint|l10n|media)\/[\w./-]+)`/g,
        ),
      ].map(([, path = ""]) => `${document}: ${path}`),
    );
    assert.ok(named.length > 100, `${named.length} paths were found`);
    assert.deepEqual(
      named.filter((one) => !existsSync(join(repositoryRoot, one.slice(one.indexOf(": ") + 2)))),
      [],
    );
  });

  it("says in its own words who or what it means, and begins the names of limits with MAX", () => {
    const files = globSync(["src/**/*.{ts,tsx}", "README.md", "SECURITY.md", "CONTRIBUTING.md"], {
      cwd: repositoryRoot,
    });
    assert.ok(files.length > 500, `${files.length} files were found`);
    const vague = /\b(?:(?:[Nn]o|[Ss]ome|[Aa]ny|[Ee]very)body|[Ww]hoever|heard|MOST)(?:\b|_)/;
    const found = files.filter((file) => vague.test(readFileSync(join(repositoryRoot, file), "utf8")));
    assert.deepEqual(found, []);
  });

  it("sees each way of deciding", () => {
    const ways = [
      'if (language === "Vyper") return;',
      'if ("Yul" !== language) return;',
      'switch (language) {\n  case "Fe":',
      '["Solidity", "Yul"].includes(language)',
      'const SINCE = { Solidity: "0.8.20", Vyper: "0.3.8" };',
      "const CAUSES = { Vyper: causes };",
    ];
    for (const way of ways) assert.notDeepEqual(decisionsBy(LANGUAGE_NAMES, way), [], way);
    for (const other of ['const language = "Vyper";', "// as Vyper: none", "shown`Solidity: no match`"])
      assert.deepEqual(decisionsBy(LANGUAGE_NAMES, other), [], other);
  });
});
