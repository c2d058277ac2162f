import type { Node, ObjectExpression, ObjectProperty, Program } from "@babel/types";
import { childNodes, pathOf } from "./scriptSyntax.ts";

/** The object that a script exports, where it is written as one; what is done with it afterwards is not looked at. */
export function exportedObject(program: Program): ObjectExpression | undefined {
  const exported = program.body.flatMap((statement): Node[] => {
    if (statement.type === "ExportDefaultDeclaration") return [statement.declaration];
    if (statement.type === "TSExportAssignment") return [statement.expression];
    if (statement.type !== "ExpressionStatement" || statement.expression.type !== "AssignmentExpression")
      return [];
    const { left, right } = statement.expression;
    return pathOf(left)?.join(".") === "module.exports" ? [right] : [];
  });
  const [only, ...others] = exported;
  return only && others.length === 0 ? objectBehind(only, program) : undefined;
}

/** Behind types, `defineConfig(…)` and the name of a variable, as that was made. */
function objectBehind(node: Node, program: Program): ObjectExpression | undefined {
  switch (node.type) {
    case "ObjectExpression":
      return node;
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "ParenthesizedExpression":
      return objectBehind(node.expression, program);
    case "CallExpression": {
      const [only, ...others] = node.arguments;
      const isDefined = node.callee.type === "Identifier" && node.callee.name === "defineConfig";
      return isDefined && only?.type === "ObjectExpression" && others.length === 0 ? only : undefined;
    }
    case "Identifier": {
      const made = program.body.flatMap((statement) =>
        statement.type === "VariableDeclaration" ? statement.declarations : [],
      );
      const [found] = made.filter(({ id }) => id.type === "Identifier" && id.name === node.name);
      return found?.init && found.init.type !== "Identifier" ? objectBehind(found.init, program) : undefined;
    }
    default:
      return undefined;
  }
}

/** A property of an object that is written out; the last of its name, which counts. */
export function propertyOf(object: Node | undefined, name: string): ObjectProperty | undefined {
  if (object?.type !== "ObjectExpression") return undefined;
  return object.properties.findLast(
    (one): one is ObjectProperty =>
      one.type === "ObjectProperty" &&
      !one.computed &&
      ((one.key.type === "Identifier" && one.key.name === name) ||
        (one.key.type === "StringLiteral" && one.key.value === name)),
  );
}

/** Whether nothing in a part of a script is computed: objects, lists and literals alone. */
export function isLiteral(node: Node): boolean {
  switch (node.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral":
    case "NullLiteral":
      return true;
    case "TemplateLiteral":
      return node.expressions.length === 0;
    case "ObjectExpression":
      return node.properties.every(
        (one) => one.type === "ObjectProperty" && !one.computed && !one.shorthand && isLiteral(one.value),
      );
    case "ArrayExpression":
      return [...childNodes(node)].every(([name, one]) => name === "elements" && isLiteral(one));
    default:
      return false;
  }
}

/** What a literal text says; `undefined` for everything else. */
export function literalText(node: Node): string | undefined {
  if (node.type === "StringLiteral") return node.value;
  const [only] = node.type === "TemplateLiteral" && node.expressions.length === 0 ? node.quasis : [];
  return only?.value.cooked ?? undefined;
}

/** A text with the code of a node replaced. */
export function withNode(text: string, { start, end }: Node, code: string): string {
  return text.slice(0, start ?? 0) + code + text.slice(end ?? text.length);
}

/** A text with one more property at the end of an object: on a line of its own where the others are. */
export function withProperty(text: string, object: ObjectExpression, key: string, code: string): string {
  const last = object.properties.at(-1);
  if (!last) return withNode(text, object, `{ ${key}: ${code} }`);
  const [start, end] = [last.start ?? 0, last.end ?? 0];
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const isOwnLine = line.trim() === "";
  const between = isOwnLine ? `${text.includes("\r\n") ? "\r\n" : "\n"}${line}` : " ";
  const behind = text.slice(end);
  // A comment behind the last property stays with it.
  const comma = /^[ \t]*,/.exec(behind)?.[0] ?? "";
  const comment = isOwnLine ? (/^[ \t]*\/\/[^\r\n]*/.exec(behind.slice(comma.length))?.[0] ?? "") : "";
  const rest = behind.slice(comma.length + comment.length);
  return `${text.slice(0, end)},${comment}${between}${key}: ${code}${comma === "" ? "" : ","}${rest}`;
}
