// Two rules that keep a key from outside ("__proto__", "constructor") from ever meeting an object's prototype.
import type { Rule } from "eslint";
import type { CallExpression, MemberExpression, Node } from "estree";
import ts from "typescript";

/** What the parser of TypeScript gives every rule: the type behind a node. */
interface TypeServices {
  readonly program: ts.Program | null;
  getTypeAtLocation(node: Node): ts.Type;
}

interface Types {
  readonly checker: ts.TypeChecker;
  /** The type of an expression; a type parameter counts as what it extends. */
  of(node: Node): ts.Type;
}

/** Names that mean something on every object that has a prototype. */
const INHERITED_NAMES = new Set(["__proto__", "prototype", "constructor"]);

const NUMBERED =
  /^(?:Buffer|(?:Big)?(?:Int|Uint)(?:8|16|32|64)(?:Clamped)?Array|Float(?:16|32|64)Array|String)$/;

/**
 * Refuses to write below a computed key, except a number in an array or typed array: `o[key] = …`, `o[key] ??= …`,
 * `o[key]++`, `delete o[key]`, such a place in a pattern, `Reflect.set`, and `Object.assign` of something whose
 * keys its type does not name. Such keys come from files and servers; `__proto__` among them reaches
 * `Object.prototype`.
 */
export const noComputedAssignment: Rule.RuleModule = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      write: "Collect in a Map, and make an object of it by recordOf: a key from outside may be __proto__.",
      assign:
        "Spread into a new object: Object.assign sets __proto__ where a key from outside has that name.",
      reflect: "Collect in a Map: Reflect.set follows the prototype as an assignment does.",
    },
  },
  create(context) {
    const types = typesOf(context);
    return {
      MemberExpression(node) {
        if (!node.computed || !isWritten(node) || isKnownName(node.property)) return;
        if (isNumberedPlace(node, types)) return;
        context.report({ node, messageId: "write" });
      },
      CallExpression(node) {
        if (isCallOf(node, "Reflect", "set")) context.report({ node, messageId: "reflect" });
        if (!isCallOf(node, "Object", "assign")) return;
        const [, ...sources] = node.arguments;
        if (
          sources.some((source) => source.type === "SpreadElement" || hasUnknownKeys(types.of(source), types))
        )
          context.report({ node, messageId: "assign" });
      },
    };
  },
};

/**
 * Refuses to look up a key that may be any text in a plain object: `TABLE[name]` and `name in TABLE` answer
 * `constructor` and `toString` with what every object inherits. A key of which the type names every value is fine.
 */
export const noInheritedLookup: Rule.RuleModule = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      read: "Look it up in a Map, or by ownValue: a key from outside may be a name that every object inherits.",
      contains: "Ask Object.hasOwn, or a Map or Set: every object has constructor and toString in it.",
    },
  },
  create(context) {
    const types = typesOf(context);
    return {
      MemberExpression(node) {
        if (!node.computed || isWritten(node) || isKnownName(node.property)) return;
        if (isNumberedPlace(node, types) || isNamedByType(types.of(node.property))) return;
        context.report({ node, messageId: "read" });
      },
      ObjectPattern(node) {
        for (const property of node.properties) {
          if (property.type !== "Property" || !property.computed) continue;
          if (!isKnownName(property.key) && !isNamedByType(types.of(property.key)))
            context.report({ node: property, messageId: "read" });
        }
      },
      BinaryExpression(node) {
        if (node.operator !== "in" || node.left.type === "PrivateIdentifier" || isKnownName(node.left))
          return;
        if (isNamedByType(types.of(node.left))) return;
        context.report({ node, messageId: "contains" });
      },
    };
  },
};

/** The plugin as ESLint takes it. */
export const foreignKeys = {
  rules: { "no-computed-assignment": noComputedAssignment, "no-inherited-lookup": noInheritedLookup },
};

function typesOf(context: Rule.RuleContext): Types {
  const services = context.sourceCode.parserServices as unknown as TypeServices;
  if (!services.program) throw new Error("The rules for keys from outside need the types of the program.");
  const checker = services.program.getTypeChecker();
  return {
    checker,
    of: (node) => {
      const type = services.getTypeAtLocation(node);
      return checker.getBaseConstraintOfType(type) ?? type;
    },
  };
}

/** True for the place of an assignment, an update or a deletion, also inside a pattern. */
function isWritten(node: MemberExpression & Rule.NodeParentExtension): boolean {
  const { parent } = node;
  switch (parent.type) {
    case "AssignmentExpression":
    case "AssignmentPattern":
    case "ForInStatement":
    case "ForOfStatement":
      return parent.left === node;
    case "UpdateExpression":
    case "ArrayPattern":
    case "RestElement":
      return true;
    case "UnaryExpression":
      return parent.operator === "delete";
    case "Property":
      return (
        parent.value === (node as Node) &&
        (parent as Rule.NodeParentExtension).parent.type === "ObjectPattern"
      );
    default:
      return false;
  }
}

/** True for a key that stands in the code and that no object inherits. */
function isKnownName(key: Node): boolean {
  return key.type === "Literal" && !INHERITED_NAMES.has(String(key.value));
}

/** True for a number in an array, a tuple, a typed array or a text. */
function isNumberedPlace({ object, property }: MemberExpression, types: Types): boolean {
  if (!everyPart(types.of(property), ({ flags }) => (flags & NUMBERS) !== 0)) return false;
  return everyPart(types.of(object), (type) => isNumbered(type, types.checker));
}

const NUMBERS = ts.TypeFlags.NumberLike;

function isNumbered(type: ts.Type, checker: ts.TypeChecker): boolean {
  return (
    checker.isArrayType(type) ||
    checker.isTupleType(type) ||
    (type.flags & ts.TypeFlags.StringLike) !== 0 ||
    NUMBERED.test(type.getSymbol()?.name ?? "")
  );
}

/** True where the type says every value that the key can have: literals, enums, symbols, numbers. */
function isNamedByType(type: ts.Type): boolean {
  return everyPart(
    type,
    (part) =>
      (part.flags & (NUMBERS | ts.TypeFlags.UniqueESSymbol)) !== 0 ||
      (part.isStringLiteral() && !INHERITED_NAMES.has(part.value)),
  );
}

/** True for a type whose keys may be anything: with an index signature, or of which nothing is known. */
function hasUnknownKeys(type: ts.Type, { checker }: Types): boolean {
  return !everyPart(
    type,
    (part) =>
      (part.flags & ts.TypeFlags.Object) !== 0 &&
      checker.getIndexInfosOfType(part).length === 0 &&
      checker.getPropertiesOfType(part).length > 0,
  );
}

function everyPart(type: ts.Type, test: (part: ts.Type) => boolean): boolean {
  return type.isUnion() ? type.types.every(test) : test(type);
}

function isCallOf({ callee }: Pick<CallExpression, "callee">, object: string, method: string): boolean {
  return (
    callee.type === "MemberExpression" &&
    callee.object.type === "Identifier" &&
    callee.object.name === object &&
    callee.property.type === "Identifier" &&
    callee.property.name === method
  );
}
