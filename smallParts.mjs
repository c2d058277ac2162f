// What many files share, and what is read late, is cut into very small files. In the package those lie
// together in one file, in which each runs when it is first asked for.

/** In bytes: a larger one is read for its own sake. */
const MAX_SMALL = 8_000;
/** What is named by what it holds, so that nothing but other files of the build reads it; a subject is one of its own. */
const SMALL = /^(?!\w*Subject-)\w+-[A-Z0-9]{8}\.js$/;

/** The files that one reads as it is read itself, by their names in dist. */
function readWith(entry, outputs) {
  const read = new Set([entry]);
  for (const file of read)
    for (const { path, kind, external } of outputs[`dist/${file}`]?.imports ?? [])
      if (kind !== "dynamic-import" && !external) read.add(path.replace(/^dist\//, ""));
  return read;
}

/**
 * Puts small files together; what is read at activation stays as it is.
 *
 * @param {ReadonlyMap<string, string>} files CommonJS by their names in dist
 * @param {import("esbuild").Metafile["outputs"]} outputs of the build that they are of
 * @returns {Map<string, string>}
 */
export function withSmallParts(files, outputs) {
  const atActivation = readWith("extension.js", outputs);
  const isSmall = (name) =>
    SMALL.test(name) && !atActivation.has(name) && Buffer.byteLength(files.get(name) ?? "") <= MAX_SMALL;
  const small = new Set([...files.keys()].filter(isSmall));
  const joined = (text) =>
    text.replace(/\brequire\("\.\/([\w-]+\.js)"\)/g, (said, name) =>
      small.has(name) ? `require("./parts.js")("${name}")` : said,
    );
  const parts = [...small].map(
    (name) => `${JSON.stringify(name)}(module,exports,require){${joined(files.get(name))}\n}`,
  );
  const result = new Map(
    [...files].filter(([name]) => !small.has(name)).map(([name, text]) => [name, joined(text)]),
  );
  result.set(
    "parts.js",
    `"use strict";const parts={${parts.join(",")}},loaded=new Map;module.exports=name=>{let one=loaded.get(name);if(!one){one={exports:{}};loaded.set(name,one);parts[name](one,one.exports,require)}return one.exports};\n`,
  );
  return result;
}
