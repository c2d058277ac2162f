import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, it } from "node:test";
import { repositoryRoot } from "../../rig/paths.ts";

const DECLARED =
  /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;

interface Module {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
}

function modulesIn(...folders: readonly string[]): Module[] {
  return folders.flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx}`, {
      cwd: repositoryRoot,
      exclude: ["**/node_modules/**", "**/*.d.ts"],
    }).map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), "utf8") })),
  );
}

/** The names that each module exports, an overloaded one once. */
const exported = modulesIn("src").map(({ path, text }) => ({
  path,
  names: [...new Set([...text.matchAll(DECLARED)].map(([, name = ""]) => name))],
}));

/** `src/core/errors.ts LedgerLensError` of all imports. */
const imported = new Set(
  modulesIn("src", "test", "bench").flatMap(({ path, text }) => {
    const from = (specifier: string) =>
      relative(repositoryRoot, resolve(repositoryRoot, dirname(path), specifier));
    const named = text.matchAll(/\{([^{}]*)\}\s*(?:from|= await import\()\s*"(\.[^"]+)"/g);
    const whole = text.matchAll(/(?:\* as \w+ from|\bimport\(|typeof import\()\s*"(\.[^"]+)"/g);
    return [
      ...[...named].flatMap(([, names = "", specifier = ""]) =>
        names
          .split(",")
          .map(
            (name) =>
              name
                .trim()
                .replace(/^type /, "")
                .split(/\s|:/)[0] ?? "",
          )
          .map((name) => `${from(specifier)} ${name}`),
      ),
      ...[...whole].map(([, specifier = ""]) => `${from(specifier)} *`),
    ];
  }),
);

/** What the editor and other extensions take. */
const FOR_OTHERS = ["src/extension.ts", "src/ledgerLensApi.ts"];

describe("What modules export", () => {
  it("is imported by another module", () => {
    const unused = exported.flatMap(({ path, names }) =>
      FOR_OTHERS.includes(path) || imported.has(`${path} *`)
        ? []
        : names.filter((name) => !imported.has(`${path} ${name}`)).map((name) => `${path} ${name}`),
    );
    assert.deepEqual(unused, []);
  });

  it("has a name that no other module gives to something else", () => {
    const pathsOf = new Map<string, string[]>();
    for (const { path, names } of exported)
      for (const name of names) pathsOf.set(name, [...(pathsOf.get(name) ?? []), path]);
    const twice = [...pathsOf].flatMap(([name, paths]) =>
      paths.length > 1 ? [`${name}: ${paths.join(", ")}`] : [],
    );
    assert.deepEqual(twice, []);
  });
});
