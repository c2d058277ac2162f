import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Import names and the folders where what they name is, the longest name first. */
export type Libraries = readonly (readonly [name: string, folder: string])[];

/**
 * A text of the same length in which only code is left: comments are blank, and so is what is quoted where
 * `keepsText` does not say otherwise.
 */
export function codeOf(source: string, keepsText = false): string {
  return source.replace(/\/\/[^\n\r]*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, (found) =>
    keepsText && !found.startsWith("/") ? found : found.replace(/[^\n\r]/g, " "),
  );
}

/** The names that a file imports, as they are written. */
export function importsOf(source: string): string[] {
  const code = codeOf(source, true);
  return [...code.matchAll(/^[ \t]*import\b[^;]*?["']([^"']+)["'][^;]*;/gm)].map(([, name = ""]) => name);
}

/**
 * A file with everything that it imports, by source unit name.
 *
 * @param own Files that no package has, by source unit name.
 */
export function withImports(
  entry: string,
  libraries: Libraries,
  own: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const sources: Record<string, string> = {};
  const wanted = [entry];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (name in sources) continue;
    const content = own[name] ?? libraryFile(name, libraries);
    sources[name] = content;
    const folder = dirname(name);
    wanted.push(
      ...importsOf(content).map((given) => (given.startsWith(".") ? normalize(join(folder, given)) : given)),
    );
  }
  return sources;
}

function libraryFile(name: string, libraries: Libraries): string {
  const found = libraries.find(([prefix]) => name.startsWith(`${prefix}/`));
  if (!found) throw new Error(`No package has ${name}.`);
  return readFileSync(join(found[1], name.slice(found[0].length + 1)), "utf8");
}
