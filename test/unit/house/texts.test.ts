import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import ts from "typescript";
import { repositoryRoot } from "../../rig/paths.ts";

/** What `catalog.mjs` has for others. */
interface Catalog {
  readonly catalogKeys: () => readonly string[];
}

const read = (name: string) =>
  JSON.parse(readFileSync(join(repositoryRoot, name), "utf8")) as Readonly<Record<string, string>>;
/** The holes of a text, in the order of their numbers. */
const holes = (text: string) => (text.match(/\{\d+\}/g) ?? []).toSorted();
/** What runs when a text is clicked. */
const commands = (text: string) => (text.match(/\]\(command:[^)]*\)/g) ?? []).toSorted();

/** Makes an error that a person is told. */
const TOLD = /^(?:LedgerLensError|HttpError|LedgerError|ServiceRefusal|wrongShape|wrongAnswer|shapeError)$/;

const trees = new Map<string, ts.SourceFile>();

/** The syntax tree of a file of the sources, made once. */
function parsed(file: string): ts.SourceFile {
  const known = trees.get(file);
  if (known) return known;
  const text = readFileSync(join(repositoryRoot, file), "utf8");
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  trees.set(file, tree);
  return tree;
}

/** The words in what errors are told with that no catalog is asked for, with their places. */
function untranslated(file: string): string[] {
  const source = parsed(file);
  const found: string[] = [];
  const inMessage = (node: ts.Node): void => {
    // What is looked up, what names something, and what is compared.
    if (
      ts.isTaggedTemplateExpression(node) ||
      ts.isObjectLiteralExpression(node) ||
      ts.isCallExpression(node)
    )
      return;
    if (ts.isBinaryExpression(node) && /[=!]==/.test(node.operatorToken.getText())) return;
    const text = ts.isStringLiteralLike(node)
      ? node.text
      : ts.isTemplateExpression(node)
        ? [node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text).join("")
        : "";
    if (/\p{L}{2}/u.test(text)) found.push(`${file}: ${node.getText()}`);
    ts.forEachChild(node, inMessage);
  };
  const visit = (node: ts.Node): void => {
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && TOLD.test(node.expression.getText())) {
      // The code of an error comes before its message.
      for (const argument of (node.arguments ?? []).slice(ts.isNewExpression(node) ? 1 : 0))
        inMessage(argument);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What an expression may come to: `a ? b : c` is b or c, `a ?? b` is a or b. */
function outcomes(node: ts.Expression): ts.Expression[] {
  if (ts.isParenthesizedExpression(node)) return outcomes(node.expression);
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(outcomes);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
    return [node.left, node.right].flatMap(outcomes);
  return [node];
}

/** What a function gives back, by its own returns. */
function returned(node: ts.Node): ts.Expression[] {
  if (ts.isFunctionLike(node)) return [];
  if (ts.isReturnStatement(node)) return node.expression ? outcomes(node.expression) : [];
  const found: ts.Expression[] = [];
  ts.forEachChild(node, (child) => void found.push(...returned(child)));
  return found;
}

const isLookedUp = (node: ts.Node) =>
  ts.isTaggedTemplateExpression(node) && /^(?:t|shown)$/.test(node.tag.getText());
const isPlainText = (node: ts.Node) =>
  (ts.isStringLiteralLike(node) && /\p{Ll}{3}/u.test(node.text)) ||
  (ts.isTemplateExpression(node) &&
    [node.head, ...node.templateSpans.map(({ literal }) => literal)].some(({ text }) =>
      /\p{Ll}{3}/u.test(text),
    ));

/** Words that no catalog is asked for, where the other outcomes of the same place are looked up; and what stands in for foreign text. */
function untranslatedBeside(file: string): string[] {
  const source = parsed(file);
  const found = new Set<string>();
  const tell = (nodes: readonly ts.Expression[]) => {
    for (const node of nodes.filter(isPlainText)) found.add(`${file}: ${node.getText()}`);
  };
  const visit = (node: ts.Node): void => {
    const all = ts.isConditionalExpression(node)
      ? outcomes(node)
      : ts.isFunctionLike(node) && "body" in node && node.body && ts.isBlock(node.body)
        ? node.body.statements.flatMap(returned)
        : [];
    if (all.some(isLookedUp)) tell(all);
    if (ts.isCallExpression(node) && /^(?:foreign\w*|fit)$/.test(node.expression.getText())) {
      const [text] = node.arguments;
      if (text && !ts.isStringLiteralLike(text) && ts.isBinaryExpression(text)) tell(outcomes(text));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found];
}

describe("Every text that a person reads", () => {
  it("is in the German catalog with the same holes, and the catalog has no other", async () => {
    const { catalogKeys } = (await import(join(repositoryRoot, "catalog.mjs"))) as Catalog;
    const german = read("l10n/bundle.l10n.de.json");
    const keys = catalogKeys();
    assert.ok(keys.length > 1_000);
    assert.deepEqual(
      [keys.filter((key) => !(key in german)), Object.keys(german).filter((key) => !keys.includes(key))],
      [[], []],
      "run npm run texts",
    );
    for (const [english, text] of Object.entries(german)) {
      assert.deepEqual(holes(text), holes(english), english);
      // What goes on where another text ends is apart from it.
      if (english.startsWith(" ")) assert.match(text, /^ /, english);
      if (english.endsWith(" ")) assert.match(text, / $/, english);
    }
  });

  it("of an error is looked up in the catalog", () => {
    const files = globSync("src/**/*.ts", { cwd: repositoryRoot });
    assert.deepEqual(files.flatMap(untranslated), []);
  });

  it("is looked up where what may stand in its place is", () => {
    const files = globSync("src/**/*.{ts,tsx}", { cwd: repositoryRoot });
    assert.deepEqual(files.flatMap(untranslatedBeside), []);
  });

  it("of the manifest is in English and in German, and runs the same there", () => {
    const english = read("package.nls.json");
    const german = read("package.nls.de.json");
    assert.deepEqual(Object.keys(german), Object.keys(english));
    for (const [key, text] of Object.entries(english))
      assert.deepEqual(commands(german[key] ?? ""), commands(text), key);
    const manifest = readFileSync(join(repositoryRoot, "package.json"), "utf8");
    const used = new Set([...manifest.matchAll(/"%([\w.-]+)%"/g)].map(([, key = ""]) => key));
    assert.deepEqual([...used].toSorted(), Object.keys(english).toSorted());
    // A text in place of its key stays English everywhere.
    assert.doesNotMatch(
      manifest,
      /"(?:title|contents|markdownDescription|altText|userDescription)": "(?!%|Ledger Lens")/,
    );
  });
});
