import type {
  CallExpression,
  FunctionDeclaration,
  Identifier,
  ImportDeclaration,
  Node,
  Statement,
  StringLiteral,
} from "@babel/types";

/** The nodes in a part of a script, itself among them. */
function* nodesIn(part: Node): Generator<Node> {
  const open: Node[] = [part];
  for (let node = open.pop(); node; node = open.pop()) {
    yield node;
    for (const [, child] of childNodes(node)) open.push(child);
  }
}

/** What a node is made of, by the names of the parts. */
export function* childNodes(node: Node): Generator<readonly [string, Node]> {
  for (const [name, child] of Object.entries(node) as [string, unknown][])
    for (const one of Array.isArray(child) ? (child as unknown[]) : [child])
      if (isNode(one)) yield [name, one];
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "loc" in value;
}

/** `require("…")`. */
export function isRequire(node: Node): node is CallExpression & { readonly arguments: [StringLiteral] } {
  return (
    node.type === "CallExpression" &&
    node.callee.type === "Identifier" &&
    node.callee.name === "require" &&
    node.arguments.length === 1 &&
    node.arguments[0]?.type === "StringLiteral"
  );
}

/** The modules that a script imports, as it names them. */
export function importsOf(program: Node): string[] {
  return [...nodesIn(program)].flatMap((node) => {
    if (isRequire(node)) return [node.arguments[0].value];
    const source = "source" in node ? node.source : undefined;
    return source?.type === "StringLiteral" ? [source.value] : [];
  });
}

/** True for the path of a file, and not the name of a package. */
export function isLocal(specifier: string): boolean {
  return /^\.\.?(?:\/|$)/.test(specifier);
}

/** What statements declare before the first of them runs. */
interface Hoisted {
  readonly functions: readonly (FunctionDeclaration & { readonly id: Identifier })[];
  readonly imports: readonly ImportDeclaration[];
}

/** What is declared by a block, a function's body or a file, wherever in it that is written. */
export const hoistedIn = onceFor((body: readonly Statement[]): Hoisted => {
  const functions: (FunctionDeclaration & { readonly id: Identifier })[] = [];
  for (const one of body) {
    const declared = one.type.startsWith("Export") && "declaration" in one ? one.declaration : one;
    if (declared?.type === "FunctionDeclaration" && declared.id)
      functions.push(declared as FunctionDeclaration & { readonly id: Identifier });
  }
  return { functions, imports: body.filter((one) => one.type === "ImportDeclaration") };
});

/** True where code leaves a loop or a function before its end. */
export const leavesEarly = onceFor((body: Node) =>
  hasNode(body, ({ type }) => /^(?:Break|Continue|Return)Statement$/.test(type)),
);

/** True for a function that may change the object of which it is a method. */
export const usesThis = onceFor((body: Node) => hasNode(body, ({ type }) => type === "ThisExpression"));

/** The names to which, or to parts of which, something is assigned. */
export const assignedNames = onceFor((part: Node): readonly string[] => {
  const names = new Set<string>();
  for (const node of nodesIn(part)) {
    const [name] = (node.type === "AssignmentExpression" ? pathOf(node.left) : undefined) ?? [];
    if (name !== undefined) names.add(name);
  }
  return [...names];
});

function hasNode(part: Node, isWanted: (node: Node) => boolean): boolean {
  for (const node of nodesIn(part)) if (isWanted(node)) return true;
  return false;
}

/** What was found by a walk through a part of a script, which is evaluated again and again in loops and calls. */
function onceFor<Part extends object, T>(find: (part: Part) => T): (part: Part) => T {
  const known = new WeakMap<Part, { readonly found: T }>();
  return (part) => {
    let one = known.get(part);
    if (!one) known.set(part, (one = { found: find(part) }));
    return one.found;
  };
}

/** The names that a declaration declares, those of patterns among them. */
export function declaredNames(declaration: Node): string[] {
  if (declaration.type !== "VariableDeclaration")
    return "id" in declaration && declaration.id?.type === "Identifier" ? [declaration.id.name] : [];
  return declaration.declarations.flatMap(({ id }) =>
    [...nodesIn(id)].flatMap((node) => (node.type === "Identifier" ? [node.name] : [])),
  );
}

/** `a.b["c"]` as its names, without those that are computed; `undefined` for what does not begin with a name. */
export function pathOf(node: Node): string[] | undefined {
  const names: string[] = [];
  let at = node;
  for (; at.type === "MemberExpression"; at = at.object) for (const name of keyOf(at)) names.push(name);
  return at.type === "Identifier" ? [at.name, ...names.reverse()] : undefined;
}

function keyOf({ computed, property }: Extract<Node, { type: "MemberExpression" }>): string[] {
  if (property.type === "StringLiteral") return [property.value];
  return !computed && property.type === "Identifier" ? [property.name] : [];
}

/** The name that an import or an export gives: an identifier, or a text. */
export function nameOf(node: Node): string {
  return node.type === "Identifier" ? node.name : node.type === "StringLiteral" ? node.value : "";
}
