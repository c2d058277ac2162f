// The texts of the sources that a person reads, as the keys of the catalogs in l10n/. As a program it leaves out of the
// German catalog what the sources have no more, and says what it lacks: node catalog.mjs
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import process, { argv } from "node:process";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** Tags whose template is looked up, with a hole for each value: t`Read ${file}.` is "Read {0}." */
const TAGS = new Set(["t", "shown"]);
const GERMAN = new URL("l10n/bundle.l10n.de.json", import.meta.url);

/** The keys in the order of the sources, each once. */
export function catalogKeys() {
  const cwd = fileURLToPath(new URL("src/", import.meta.url));
  const files = readdirSync(cwd, { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .sort();
  return [...new Set(files.flatMap((file) => keysOf(file, readFileSync(`${cwd}${file}`, "utf8"))))];
}

function keysOf(file, text) {
  const keys = [];
  const visit = (node) => {
    if (ts.isTaggedTemplateExpression(node) && TAGS.has(node.tag.getText())) keys.push(keyOf(node.template));
    if (ts.isCallExpression(node) && node.expression.getText() === "counted") {
      // As src/core/text/counted.ts makes them.
      for (const noun of literalsOf(node.arguments[1]))
        keys.push(`{0} ${noun}`, `{0} ${noun}${noun.endsWith("s") ? "es" : "s"}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return keys.filter((key) => /\p{L}/u.test(key.replace(/\{\d+\}/g, "")));
}

function keyOf(template) {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return template.templateSpans.reduce(
    (key, { literal }, at) => `${key}{${at}}${literal.text}`,
    template.head.text,
  );
}

function literalsOf(node) {
  if (ts.isStringLiteral(node)) return [node.text];
  return ts.isConditionalExpression(node)
    ? [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)]
    : [];
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const german = JSON.parse(readFileSync(GERMAN, "utf8"));
  const keys = catalogKeys();
  const known = keys.filter((key) => Object.hasOwn(german, key));
  writeFileSync(
    GERMAN,
    `${JSON.stringify(Object.fromEntries(known.map((key) => [key, german[key]])), null, 2)}\n`,
  );
  const missing = keys.filter((key) => !Object.hasOwn(german, key));
  if (missing.length > 0) {
    console.log(`Without German:\n${missing.map((key) => JSON.stringify(key)).join("\n")}`);
    process.exitCode = 1;
  }
}
