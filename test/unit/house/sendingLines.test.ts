import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import ts from "typescript";
import { repositoryRoot } from "../../rig/paths.ts";

/** The icons of lines of a list that send something. */
const ICONS = ["cloud-upload"];

/** The object literals of a file whose icon is one of those, each with its place and the names of its members. */
function sendingLines(file: string): { place: string; members: string[] }[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(repositoryRoot, file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: { place: string; members: string[] }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const members = node.properties.map((one) => one.name?.getText(source) ?? "");
      const isSending = node.properties.some(
        (one) =>
          ts.isPropertyAssignment(one) &&
          one.name.getText(source) === "icon" &&
          ts.isStringLiteral(one.initializer) &&
          ICONS.includes(one.initializer.text),
      );
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      if (isSending) found.push({ place: `${file}:${line + 1}`, members });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe("A line of a list that sends something", () => {
  it("says so, so that no Enter takes it that was meant for something else", () => {
    const lines = globSync("src/editor/**/*.ts", { cwd: repositoryRoot }).flatMap(sendingLines);
    assert.ok(lines.length >= 4, "the lines were found");
    assert.deepEqual(
      lines.filter(({ members }) => !members.includes("sends")).map(({ place }) => place),
      [],
    );
  });
});
