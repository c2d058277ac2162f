import type {
  ArrowFunctionExpression,
  CallExpression,
  ForOfStatement,
  FunctionDeclaration,
  FunctionExpression,
  ImportDeclaration,
  Node,
  NewExpression,
  ObjectMethod,
  OptionalCallExpression,
  Program,
  Statement,
} from "@babel/types";
import { joinPath, parentFolder } from "../../files/fileReader.ts";
import { asRecord } from "../../json/looseData.ts";
import { ownValue } from "../../json/ownValue.ts";
import { setOwn } from "../../json/setOwn.ts";
import { computedAt, isComputed, oneAlternative, SPREAD, type Computed } from "./computed.ts";
import {
  jointLength,
  joinedText,
  MAX_MADE_TEXT,
  operate,
  pureFunction,
  pureMethod,
  truthOf,
  UNKNOWN,
} from "./scriptOperators.ts";
import {
  assignedNames,
  childNodes,
  declaredNames,
  isLocal,
  isRequire,
  leavesEarly,
  nameOf,
  pathOf,
  hoistedIn,
  usesThis,
} from "./scriptSyntax.ts";

/** A variable of the environment that a value depends on, and that is taken as not set. */
export interface UnsetVariable {
  readonly name: string;
  /** One-based. */
  readonly line: number;
  /** The names that lead to the value: `solidity`, `settings`. */
  readonly property: readonly string[];
}

/** A file that a script may import: its value, or how it was parsed. Its path is empty where it is not known. */
export type ScriptFile =
  | { readonly path: string; readonly text: string; readonly program: Program }
  | { readonly path: string; readonly json: string };

/** Where imports lead, by the path of the importer, a NUL and what it asks for; `undefined` for what can't be read. */
type ScriptImports = ReadonlyMap<string, ScriptFile | undefined>;

/** Characters of code that are shown. */
export const MAX_CODE = 40;
/** Expressions and calls within each other; the stack bears no text's whole depth. */
const MAX_DEPTH = 400;
/** Expressions, and parts of what they copy, in all: constants of constants double with each one. */
const MAX_STEPS = 100_000;
/** So many items of a list are looked at in the time of one step. */
const ITEMS_OF_A_STEP = 100;
const MAX_UNSET = 200;
/** Of data. */
const MAX_LEVELS = 64;

/** Methods that change the list that they are called on. */
const MUTATORS = /^(?:unshift|pop|shift|splice|sort|reverse|fill|copyWithin)$/;
/** Methods that hand each item of a list to a function. */
const ITERATORS = /^(?:map|forEach)$/;
/** What is asked of these changes nothing that it is given. */
const HARMLESS = /^(?:console|JSON|Math|Set|Error)$/;

/** Node's module of paths, by the names under which scripts import it. */
const OF_PATHS = /^(?:node:)?path(?:\/posix)?$/;

/** `process.env`, and `process` itself. */
const ENVIRONMENT = Symbol("environment");
const PROCESS = Symbol("process");

/** A function of the script; nothing but this module makes one, and no code of the script runs in it. */
type Callable = (args: readonly unknown[]) => unknown;
type FunctionNode = ArrowFunctionExpression | FunctionDeclaration | FunctionExpression | ObjectMethod;
/** How a run of statements ends: it does not go on behind them, or may not. */
type End = "ended" | "maybe" | undefined;
/** Whether what is evaluated happens: for certain, perhaps, or perhaps more than once. */
type Doubt = 0 | 1 | 2;

interface Binding {
  value: unknown;
  /** For what is imported: gives the value. */
  readonly load?: (at: Node) => unknown;
  unset: readonly UnsetVariable[];
}

class Scope {
  readonly names = new Map<string, Binding>();
  readonly outer: Scope | undefined;

  constructor(outer: Scope | undefined) {
    this.outer = outer;
  }

  find(name: string): Binding | undefined {
    return this.names.get(name) ?? this.outer?.find(name);
  }
}

interface Module {
  readonly file: ScriptFile;
  /** In an imported file: the import, which is the place of all that is computed there. */
  readonly importedAt: Computed | undefined;
  /** `module`, with its `exports`. */
  readonly own: Record<string, unknown>;
  /** What `exports` is before a script replaces it. */
  readonly namespace: object;
  /** It imports or exports as an ES module does. */
  isEs: boolean;
  isRunning: boolean;
  unset: readonly UnsetVariable[];
}

/**
 * Whether the exports of a module are those of an ES module, of which one may be the default. With `module.exports =` or
 * `export =`, which TypeScript lets stand beside imports, they are what is assigned, and nothing else.
 */
function isEsNamespace({ isEs, own, namespace }: Module): boolean {
  return isEs && own["exports"] === namespace;
}

/** Where the evaluation is, and what it gathers there. */
interface Place {
  readonly module: Module;
  readonly scope: Scope;
  readonly doubt: Doubt;
  /** Whether a function of the script is called, and what it may have returned so far. */
  readonly isCalled: boolean;
  readonly returns: unknown[];
  /** The functions that are called now. */
  readonly running: ReadonlySet<Node>;
  /** The names that lead to what is evaluated, and the variables that it depends on. */
  readonly property: readonly string[];
  readonly unset: UnsetVariable[];
}

/** Thrown where a script is deeper or longer than any configuration; then nothing of it is known. */
export class TooMuchScript extends Error {}

/**
 * Evaluates a script as far as its values are known, as {@link readScript} describes: statement by statement as JavaScript
 * does, with data in place of everything that would have an effect. Where it is not known whether something happens, what
 * it changes has either value; what unknown code may have changed is computed from then on.
 */
export class ScriptEvaluation {
  /** Keys of imports that were needed and are not among the files. */
  readonly wanted = new Set<string>();
  readonly #files: ScriptImports;
  readonly #modules = new Map<string, Module>();
  readonly #environment = new Map<string, unknown>();
  /** What packages give: nothing is known of it but where it comes from. */
  readonly #ofPackages = new WeakSet();
  /** What is of Node's module of paths: a function by its name, the module itself by none. */
  readonly #ofPaths = new WeakMap<object, string>();
  readonly #functions = new WeakMap<object, { readonly node: Node; readonly place: Computed }>();
  /** The objects that one was made of because it may be any of them. */
  readonly #sources = new WeakMap<object, readonly unknown[]>();
  #at: Place;
  #depth = 0;
  #steps = 0;

  constructor(script: ScriptFile & { readonly program: Program }, files: ScriptImports) {
    this.#files = files;
    const module = this.#newModule(script, undefined);
    this.#at = { ...outermost(module), running: new Set(), property: [], unset: [] };
  }

  /**
   * What the script exports, as data, and the variables that it depends on.
   *
   * @throws TooMuchScript
   */
  run(): { readonly exported: unknown; readonly unset: readonly UnsetVariable[] } {
    const { module } = this.#at;
    this.#runModule(module);
    const { exports } = module.own;
    const record = this.#record(exports);
    const isNothing = exports === module.namespace && record && Object.keys(record).length === 0;
    const isDefault = record && (isEsNamespace(module) || Object.hasOwn(record, "default"));
    const exported = isNothing ? undefined : isDefault ? ownValue(record, "default") : exports;
    return { exported: this.#data(exported, 0), unset: this.#at.unset };
  }

  #newModule(file: ScriptFile, importedAt: Computed | undefined): Module {
    const namespace = {};
    const own = { exports: namespace };
    const module = { file, importedAt, own, namespace, isEs: false, isRunning: true, unset: [] };
    this.#modules.set(file.path, module);
    return module;
  }

  #runModule(module: Module): void {
    if (!("program" in module.file)) return;
    const { body } = module.file.program;
    this.#with(outermost(module), () => {
      this.#declare("module", module.own, []);
      this.#declare("exports", module.own["exports"], []);
      module.isEs = body.some(({ type }) => /^(?:Import|Export)/.test(type));
      this.#execAll(body);
      this.#exportNames(body, module);
    });
    module.isRunning = false;
  }

  /** Exports the values that names have in the end. */
  #exportNames(body: readonly Statement[], { own }: Module): void {
    const exports = this.#record(own["exports"]);
    if (!exports) return;
    for (const one of body) {
      if (one.type === "ExportNamedDeclaration") {
        const names = one.declaration ? declaredNames(one.declaration) : [];
        for (const name of names) setOwn(exports, name, this.#read(name, one));
        for (const specifier of one.specifiers) {
          if (specifier.type !== "ExportSpecifier") continue;
          const name = nameOf(specifier.local);
          const value = one.source ? this.#imported(one.source.value, name, one) : this.#read(name, one);
          setOwn(exports, nameOf(specifier.exported), value);
        }
      } else if (one.type === "ExportAllDeclaration") {
        const all = this.#imported(one.source.value, undefined, one);
        const add = (name: string, value: unknown) => {
          if (!Object.hasOwn(exports, name) && name !== "default") setOwn(exports, name, value);
        };
        this.#spread(all, add, {}, one);
      }
    }
  }

  // Statements

  #execAll(body: readonly Statement[]): End {
    const before = this.#at;
    let end: End;
    const { functions, imports } = hoistedIn(body);
    for (const one of functions) this.#declare(one.id.name, this.#callable(one), []);
    for (const one of imports) this.#import(one);
    for (const one of body) {
      const now = this.#exec(one);
      if (now === undefined) continue;
      end = now;
      if (now === "ended") break;
      this.#at = { ...before, doubt: Math.max(before.doubt, 1) as Doubt };
    }
    this.#at = before;
    return end;
  }

  #exec(node: Statement | null | undefined): End {
    return node ? this.#deeper(() => this.#endOf(node)) : undefined;
  }

  #endOf(node: Statement): End {
    switch (node.type) {
      case "ExpressionStatement":
        // A file that is imported for what it does says nothing here.
        if (!isRequire(node.expression)) this.#eval(node.expression);
        return undefined;
      case "VariableDeclaration":
        for (const { id, init } of node.declarations) {
          const [value, unset] = this.#apart([], () => (init ? this.#eval(init) : undefined));
          this.#bind(id, value, unset, true);
        }
        return undefined;
      case "IfStatement":
        return this.#execIf(node);
      case "BlockStatement":
        return this.#inScope(() => this.#execAll(node.body));
      case "ReturnStatement": {
        const value = node.argument ? this.#eval(node.argument) : undefined;
        this.#at.returns.push(this.#at.doubt === 2 ? this.#computed(node) : value);
        return "ended";
      }
      case "ThrowStatement":
        // A configuration that throws builds nothing: what was built had what it asks for.
        return this.#at.isCalled ? "ended" : undefined;
      case "BreakStatement":
      case "ContinueStatement":
        return "ended";
      case "ExportDefaultDeclaration":
        this.#exportDefault(node.declaration);
        return undefined;
      case "ExportNamedDeclaration":
        return this.#exec(node.declaration);
      case "TSExportAssignment":
        this.#at.module.own["exports"] = this.#eval(node.expression);
        return undefined;
      case "TSImportEqualsDeclaration": {
        const { moduleReference: from } = node;
        const value =
          from.type === "TSExternalModuleReference"
            ? this.#imported(from.expression.value, undefined, node)
            : this.#computed(node);
        this.#declare(node.id.name, value, []);
        return undefined;
      }
      case "ForOfStatement":
        return this.#execForOf(node);
      case "ForInStatement":
      case "ForStatement":
      case "WhileStatement":
      case "DoWhileStatement":
      case "LabeledStatement":
      case "SwitchStatement":
      case "TryStatement":
        return this.#execVaguely(node);
      default:
        // Types, and functions, which are declared already; a class or an enumeration is not known.
        if ("id" in node && node.id?.type === "Identifier" && node.type !== "FunctionDeclaration")
          if (!this.#at.scope.names.has(node.id.name)) this.#declare(node.id.name, this.#computed(node), []);
        return undefined;
    }
  }

  #execIf(node: Extract<Statement, { type: "IfStatement" }>): End {
    const [test, unset] = this.#apart([], () => this.#eval(node.test));
    for (const one of unset) this.#note(one);
    const truth = truthOf(test);
    if (unset.length > 0) for (const name of assignedNames(node)) dependOn(this.#at.scope.find(name), unset);
    if (truth !== UNKNOWN && this.#at.doubt < 2) return this.#exec(truth ? node.consequent : node.alternate);
    const ends = [node.consequent, node.alternate].map((branch) =>
      this.#perhaps(1, () => this.#exec(branch)),
    );
    if (ends.every((end) => end === "ended")) return "ended";
    return ends.some((end) => end !== undefined) ? "maybe" : undefined;
  }

  /** A loop over a known list happens for each item. */
  #execForOf(node: ForOfStatement): End {
    const list = this.#eval(node.right);
    if (!Array.isArray(list) || list.some(isComputed) || leavesEarly(node.body))
      return this.#execVaguely(node);
    for (const item of list as unknown[])
      this.#inScope(() => {
        this.#bindItem(node.left, item);
        this.#exec(node.body);
      });
    return undefined;
  }

  #bindItem(to: Node, item: unknown): void {
    const isNew = to.type === "VariableDeclaration";
    const pattern = isNew ? to.declarations[0]?.id : to;
    if (pattern) this.#bind(pattern, item, [], isNew);
  }

  /** What is not followed: any part of it may happen, and more than once. */
  #execVaguely(node: Node): End {
    const { length: returned } = this.#at.returns;
    const parts = (one: Node): void => {
      for (const [name, child] of childNodes(one))
        if (name === "left") this.#bindItem(child, this.#computed(one));
        else if (/(?:Statement|Declaration)$/.test(child.type)) this.#exec(child as Statement);
        else if (/^(?:SwitchCase|CatchClause)$/.test(child.type))
          this.#inScope(() => {
            parts(child);
          });
        else this.#eval(child);
    };
    this.#twice(() =>
      this.#inScope(() => {
        parts(node);
      }),
    );
    return this.#at.returns.length > returned ? "maybe" : undefined;
  }

  /** What the first time changes is not known in the second one. */
  #twice(run: () => unknown): void {
    for (let left = this.#at.doubt === 2 ? 1 : 2; left > 0; left--) this.#perhaps(2, run);
  }

  #exportDefault(node: Node): void {
    const exports = this.#record(this.#at.module.own["exports"]);
    const value = node.type === "FunctionDeclaration" ? this.#callable(node) : this.#evalAny(node);
    if (exports) setOwn(exports, "default", value);
  }

  #import({ specifiers, source, importKind }: ImportDeclaration): void {
    if (importKind === "type") return;
    for (const one of specifiers) {
      const name =
        one.type === "ImportSpecifier"
          ? nameOf(one.imported)
          : one.type === "ImportDefaultSpecifier"
            ? "default"
            : undefined;
      const load = (at: Node) => this.#imported(source.value, name, at);
      this.#at.scope.names.set(one.local.name, { value: undefined, load, unset: [] });
    }
  }

  /** What a module gives under a name, or as a whole. */
  #imported(specifier: string, name: string | undefined, at: Node): unknown {
    const module = this.#loaded(specifier, at);
    if (!module) {
      const unknown = this.#computed(at);
      if (!isLocal(specifier)) this.#ofPackages.add(unknown);
      if (OF_PATHS.test(specifier)) this.#ofPaths.set(unknown, pathFunction(name));
      return unknown;
    }
    const { exports } = module.own;
    if (name === undefined) return exports;
    const record = this.#record(exports);
    const isNamespace = isEsNamespace(module) || (record && Object.hasOwn(record, "__esModule"));
    return name === "default" && !isNamespace ? exports : this.#member(exports, name, at);
  }

  /** A module that was evaluated, or is now; `undefined` for one that is not to be known. */
  #loaded(specifier: string, at: Node): Module | undefined {
    if (!isLocal(specifier)) return undefined;
    const key = `${this.#at.module.file.path}\0${specifier}`;
    if (!this.#files.has(key)) {
      if (this.#at.doubt < 2) this.wanted.add(key);
      return undefined;
    }
    const file = this.#files.get(key);
    if (!file) return undefined;
    let module = this.#modules.get(file.path);
    if (!module) {
      module = this.#newModule(file, this.#at.module.importedAt ?? this.#computed(at));
      const loaded = module;
      if ("json" in file) {
        this.#step(file.json.length / MAX_CODE);
        loaded.own["exports"] = JSON.parse(file.json);
        loaded.isRunning = false;
      } else {
        const [, unset] = this.#apart([], () => {
          this.#runModule(loaded);
        });
        dependOn(loaded, unset);
      }
    }
    for (const one of module.unset) this.#note(one);
    // One that imports itself in a circle has not said all yet.
    return module.isRunning ? undefined : module;
  }

  // Expressions

  #eval(node: Node): unknown {
    return this.#deeper(() => this.#valueOf(node));
  }

  #evalAny(node: Node | null | undefined): unknown {
    return node ? this.#eval(node) : undefined;
  }

  #valueOf(node: Node): unknown {
    switch (node.type) {
      case "StringLiteral":
      case "NumericLiteral":
      case "BooleanLiteral":
        return node.value;
      case "NullLiteral":
        return null;
      case "Identifier":
        return this.#read(node.name, node);
      case "TemplateLiteral": {
        const made = node.expressions.map((one) => this.#eval(one));
        return this.#known(
          joinedText(node.quasis.flatMap(({ value }, at) => [value.cooked, ...made.slice(at, at + 1)])),
          node,
        );
      }
      case "ObjectExpression":
        return this.#object(node.properties);
      case "ArrayExpression":
        return this.#list(node.elements);
      case "ArrowFunctionExpression":
      case "FunctionExpression":
        return this.#callable(node);
      case "TSAsExpression":
      case "TSSatisfiesExpression":
      case "TSNonNullExpression":
      case "TSTypeAssertion":
      case "TSInstantiationExpression":
      case "ParenthesizedExpression":
        return this.#eval(node.expression);
      case "AwaitExpression":
        return this.#eval(node.argument);
      case "SequenceExpression":
        return node.expressions.map((one) => this.#eval(one)).at(-1);
      case "ConditionalExpression": {
        const truth = truthOf(this.#eval(node.test));
        if (truth !== UNKNOWN) return this.#eval(truth ? node.consequent : node.alternate);
        return this.#oneOf(
          [node.consequent, node.alternate].map((branch) => this.#perhaps(1, () => this.#eval(branch))),
          node,
        );
      }
      case "LogicalExpression":
        return this.#logical(node.operator, this.#eval(node.left), node.right, node);
      case "BinaryExpression":
        return this.#binary(node.operator, this.#evalAny(node.left), this.#eval(node.right), node);
      case "UnaryExpression":
        return this.#unary(node.operator, node.argument, node);
      case "UpdateExpression": {
        const before = this.#eval(node.argument);
        const after = this.#known(operate(node.operator[0] ?? "", before, 1), node);
        this.#assign(node.argument, after, []);
        return node.prefix ? after : before;
      }
      case "AssignmentExpression":
        return this.#assignment(node.operator, node.left, node.right, node);
      case "MemberExpression":
      case "OptionalMemberExpression": {
        const object = this.#eval(node.object);
        const isNothing = object === undefined || object === null;
        if (isNothing && node.type === "OptionalMemberExpression") return undefined;
        return this.#member(object, this.#key(node), node);
      }
      case "CallExpression":
      case "OptionalCallExpression":
      case "NewExpression":
        return this.#call(node);
      case "ImportExpression": {
        const from = this.#eval(node.source);
        return typeof from === "string" ? this.#imported(from, undefined, node) : this.#computed(node);
      }
      default:
        return this.#computed(node);
    }
  }

  #read(name: string, at: Node): unknown {
    const binding = this.#at.scope.find(name);
    if (binding) {
      for (const one of binding.unset) this.#note(one);
      return binding.load ? binding.load(at) : binding.value;
    }
    if (name === "process") return PROCESS;
    if (name === "__dirname" && this.#at.module.file.path !== "")
      return this.#computed(at, parentFolder(this.#at.module.file.path));
    return name === "undefined" ? undefined : this.#computed(at);
  }

  #logical(operator: string, left: unknown, right: Node, at: Node): unknown {
    const truth = operator === "??" ? definedness(left) : truthOf(left);
    if (truth === UNKNOWN) {
      const other = this.#perhaps(1, () => this.#eval(right));
      // What is false may be anything that is; spread into an object all of it is nothing.
      const isSpreadable = operator === "&&" && this.#record(other) !== undefined;
      return isSpreadable ? this.#oneOf([undefined, other], at) : this.#computed(at);
    }
    return truth === (operator === "&&") ? this.#eval(right) : left;
  }

  #binary(operator: string, left: unknown, right: unknown, at: Node): unknown {
    if (operator !== "in") return this.#known(operate(operator, left, right), at);
    if (right === ENVIRONMENT && typeof left === "string")
      return this.#environment.has(left) ? true : (this.#noteUnset(left, at), false);
    const record = this.#record(right);
    const value = record && typeof left === "string" ? this.#member(record, left, at) : this.#computed(at);
    return isComputed(value) ? value : Object.hasOwn(record ?? {}, String(left));
  }

  #unary(operator: string, argument: Node, at: Node): unknown {
    if (operator === "delete") {
      if (argument.type !== "MemberExpression") return this.#computed(at);
      const [record, name] = [this.#record(this.#eval(argument.object)), this.#key(argument)];
      this.#assign(argument, undefined, []);
      const isNamed = typeof name === "string" || typeof name === "number";
      if (record && isNamed && this.#at.doubt === 0) Reflect.deleteProperty(record, name);
      return this.#computed(at);
    }
    const value = this.#eval(argument);
    switch (operator) {
      case "-":
        return typeof value === "number" ? -value : this.#computed(at);
      case "+":
        return this.#known(pureFunction("Number")?.([value]), at);
      case "!": {
        const truth = truthOf(value);
        return truth === UNKNOWN ? this.#computed(at) : !truth;
      }
      case "typeof":
        return isComputed(value) || typeof value === "symbol" ? this.#computed(at) : typeof value;
      case "void":
        return undefined;
      default:
        return this.#computed(at);
    }
  }

  #key(node: { readonly computed?: boolean; readonly property: Node }): unknown {
    return !node.computed && node.property.type === "Identifier"
      ? node.property.name
      : this.#eval(node.property);
  }

  #member(value: unknown, key: unknown, at: Node): unknown {
    if (value === PROCESS && key === "env") return ENVIRONMENT;
    if (value === ENVIRONMENT && typeof key === "string") {
      if (this.#environment.has(key)) return this.#environment.get(key);
      this.#noteUnset(key, at);
      return undefined;
    }
    if (Array.isArray(value)) {
      this.#step(value.length / ITEMS_OF_A_STEP);
      const known = value.findIndex(isComputed);
      if (key === "length" && known < 0) return value.length;
      const isWithin =
        typeof key === "number" && Number.isInteger(key) && key >= 0 && (known < 0 || key < known);
      return isWithin ? (value as unknown[])[key] : this.#computed(at);
    }
    if (typeof value === "string" && key === "length") return value.length;
    const record = this.#record(value);
    if (!record || (typeof key !== "string" && typeof key !== "number")) {
      const unknown = this.#computed(at);
      if (isComputed(value) && this.#ofPackages.has(value)) this.#ofPackages.add(unknown);
      if (isComputed(value) && this.#ofPaths.get(value) === "" && typeof key === "string")
        this.#ofPaths.set(unknown, pathFunction(key));
      return unknown;
    }
    const name = String(key);
    if (Object.hasOwn(record, name)) return ownValue(record, name);
    // What was taken over from something computed may have it.
    return isOpen(record) || Object.hasOwn(Object.prototype, name) ? this.#computed(at) : undefined;
  }

  #object(properties: Extract<Node, { type: "ObjectExpression" }>["properties"]): unknown {
    const record: Record<string, unknown> = {};
    const add = (name: string, value: unknown) => setOwn(record, name, value);
    for (const one of properties) {
      if (one.type === "SpreadElement") {
        this.#spread(this.#eval(one.argument), add, record, one);
        continue;
      }
      const { key } = one;
      const isName = !one.computed && key.type === "Identifier";
      const name = isName ? key.name : this.#eval(key);
      const property = typeof name === "string" || typeof name === "number" ? String(name) : undefined;
      const value = this.#with(
        { property: [...this.#at.property, ...(property === undefined ? [] : [property])] },
        () =>
          one.type === "ObjectProperty"
            ? this.#eval(one.value)
            : one.kind === "method"
              ? this.#callable(one)
              : this.#computed(one),
      );
      if (property !== undefined) add(property, value);
      else this.#spread(this.#computed(one), add, record, one);
    }
    return record;
  }

  /** Adds what another object has; what may be added decides what may be known of the rest. */
  #spread(
    value: unknown,
    add: (name: string, value: unknown) => void,
    into: Readonly<Record<string, unknown>>,
    at: Node,
  ): void {
    const record = this.#record(value);
    if (record) {
      this.#step(Object.keys(record).length);
      for (const [name, one] of Object.entries(record)) {
        // What another one may bring along hides what is there.
        if (name.startsWith(SPREAD)) for (const known of Object.keys(into)) add(known, one);
        add(name, one);
      }
      return;
    }
    if (value === undefined || value === null || typeof value === "boolean" || typeof value === "number")
      return;
    const spread = isComputed(value) ? value : this.#computed(at);
    const { alternatives } = spread;
    if (
      alternatives?.every((one) => this.#record(one) ?? !/^(?:object|function|string)$/.test(typeof one)) ===
      true
    ) {
      const made = alternatives.map((one) =>
        Object.fromEntries([...Object.entries(into), ...Object.entries(asRecord(one) ?? {})]),
      );
      const known = this.#record(this.#chosen(made, spread));
      if (known) {
        for (const [name, one] of Object.entries(known)) add(name, one);
        return;
      }
    }
    for (const name of Object.keys(into)) add(name, spread);
    add(`${SPREAD}${spread.code}`, spread);
  }

  #list(elements: readonly (Node | null)[]): unknown[] {
    const items: unknown[] = [];
    for (const one of elements) {
      const value = one?.type === "SpreadElement" ? this.#eval(one.argument) : this.#evalAny(one);
      if (one?.type !== "SpreadElement") items.push(value);
      else if (Array.isArray(value)) {
        this.#step(value.length);
        for (const item of value as unknown[]) items.push(item);
      } else items.push(isComputed(value) ? computedAt(value.line, value.code) : this.#computed(one));
    }
    return items;
  }

  // Calls

  #callable(node: FunctionNode): Callable {
    const { scope, module } = this.#at;
    const callable: Callable = (args) => {
      // One that calls itself for an unknown number of times.
      if (this.#at.doubt > 0 && this.#at.running.has(node)) return this.#computed(node);
      const run = (): unknown => {
        for (const [at, parameter] of node.params.entries()) {
          if (parameter.type === "RestElement") this.#bind(parameter.argument, args.slice(at), [], true);
          else this.#bind(parameter, args[at], [], true);
        }
        if (node.body.type !== "BlockStatement") return this.#eval(node.body);
        const end = this.#execAll(node.body.body);
        if (end !== "ended") this.#at.returns.push(undefined);
        return this.#at.returns.length === 0 ? this.#computed(node) : this.#oneOf(this.#at.returns, node);
      };
      const isLater = node.async || node.generator === true;
      const running = new Set([...this.#at.running, node]);
      return this.#deeper(() =>
        this.#with({ scope: new Scope(scope), module, returns: [], isCalled: true, running }, () =>
          isLater ? (this.#perhaps(2, run), this.#computed(node)) : run(),
        ),
      );
    };
    this.#functions.set(callable, { node, place: this.#computed(node) });
    return callable;
  }

  #call(node: CallExpression | NewExpression | OptionalCallExpression): unknown {
    const { callee } = node;
    if (isRequire(node) && !this.#at.scope.find("require"))
      return this.#imported(node.arguments[0].value, undefined, node);
    const isMember = callee.type === "MemberExpression" || callee.type === "OptionalMemberExpression";
    const target = isMember ? this.#eval(callee.object) : undefined;
    if (isMember && (target === undefined || target === null) && callee.type === "OptionalMemberExpression")
      return undefined;
    const method = isMember ? this.#key(callee) : undefined;
    const name = this.#globalName(callee);
    const isOwn = (isMember && (Array.isArray(target) || typeof target === "string")) || name !== undefined;
    const called = isOwn ? undefined : isMember ? this.#member(target, method, callee) : this.#eval(callee);
    const args = this.#list(node.arguments);
    const isNew = node.type === "NewExpression";
    const hasAll = node.arguments.every(({ type }) => type !== "SpreadElement") || !args.some(isComputed);
    if (hasAll && !isNew) {
      if (typeof called === "function") {
        const value = (called as Callable)(args);
        const self = isMember ? this.#functions.get(called)?.node : undefined;
        if (self && usesThis(self)) this.#spoil(target, node);
        return value;
      }
      if (called === undefined && !isOwn && node.type === "OptionalCallExpression") return undefined;
      const ofPaths = isComputed(called) ? this.#ofPaths.get(called) : undefined;
      if (ofPaths) return this.#path(ofPaths, args, node);
      if (name === "Object.assign") return this.#objectAssign(args, node);
      const pure = name === undefined ? undefined : pureFunction(name);
      if (pure) {
        const known = pure(args);
        if (Array.isArray(known)) this.#step(known.length);
        return this.#known(known, node);
      }
      // A package's function of that name gives back what it is given; so do Hardhat and others promise.
      const isOfPackage = callee.type === "Identifier" && !this.#at.scope.find(callee.name);
      if (pathOf(callee)?.at(-1) === "defineConfig" && isComputed(called))
        if (isOfPackage || this.#ofPackages.has(called)) return args[0];
      if (isMember && typeof method === "string" && isOwn && name === undefined)
        return this.#ownMethod(target, method, args, node);
    }
    const [root] = pathOf(callee) ?? [];
    const isHarmless = root !== undefined && HARMLESS.test(root) && !this.#at.scope.find(root);
    const calledPerhaps = isComputed(called) ? (called.alternatives ?? []) : [];
    if (!isHarmless) for (const one of [...args, target, ...calledPerhaps]) this.#handOut(one, node);
    return this.#computed(node);
  }

  /** What a function of Node's module of paths gives for the folder of a script and literal parts. */
  #path(called: string, args: readonly unknown[], at: Node): unknown {
    const parts = args.map((one) => (isComputed(one) ? one.path : typeof one === "string" ? one : undefined));
    const known = parts.filter((part) => part !== undefined);
    const [first = "", ...others] = known;
    // From where a script is run it is not known, and a path without a script's folder is written without a function.
    if (known.length < parts.length || !first.startsWith("/") || !isComputed(args[0]))
      return this.#computed(at);
    // Nor is any path longer.
    if (jointLength(known, "/") > MAX_MADE_TEXT) return this.#computed(at);
    if (called === "join") return this.#computed(at, joinPath("/", known.join("/")));
    if (called === "resolve")
      return this.#computed(
        at,
        others.reduce((folder, part) => joinPath(folder, part), first),
      );
    return this.#computed(at);
  }

  /** A method of a text or a list. */
  #ownMethod(target: unknown, method: string, args: readonly unknown[], at: Node): unknown {
    const [first] = args;
    if (Array.isArray(target)) {
      const list = target as unknown[];
      this.#step(list.length);
      if (method === "push") {
        if (this.#sources.has(list)) this.#spoil(list, at);
        for (const one of args) list.push(this.#at.doubt === 0 ? one : this.#computed(at));
        return list.some(isComputed) ? this.#computed(at) : list.length;
      }
      if (ITERATORS.test(method) && typeof first === "function")
        return this.#iterate(list, method, first as Callable, at);
      if (MUTATORS.test(method)) this.#spoil(list, at);
    }
    const known = args.some(isComputed) ? UNKNOWN : pureMethod(target, method, args);
    if (known === UNKNOWN) for (const one of args) this.#handOut(one, at);
    return this.#known(known, at);
  }

  #iterate(list: readonly unknown[], method: string, each: Callable, at: Node): unknown {
    // A computed item may stand for any number of them.
    const made = list.map((item, index) =>
      isComputed(item)
        ? this.#perhaps(2, () => each([item, this.#computed(at), list]))
        : each([item, index, list]),
    );
    return method === "forEach"
      ? undefined
      : made.map((one, index) => (isComputed(list[index]) && !this.#record(one) ? this.#computed(at) : one));
  }

  #objectAssign([target, ...parts]: readonly unknown[], at: Node): unknown {
    const record = this.#record(target);
    if (!record) return isComputed(target) ? target : this.#computed(at);
    for (const part of parts)
      this.#spread(part, (name, value) => this.#change(record, name, value, at), record, at);
    return target;
  }

  /** The name of a function that JavaScript brings along. */
  #globalName(callee: Node): string | undefined {
    if (callee.type === "Identifier")
      return this.#at.scope.find(callee.name) || !pureFunction(callee.name) ? undefined : callee.name;
    if (callee.type !== "MemberExpression" || callee.computed || callee.object.type !== "Identifier")
      return undefined;
    if (this.#at.scope.find(callee.object.name)) return undefined;
    const name = `${callee.object.name}.${callee.property.type === "Identifier" ? callee.property.name : ""}`;
    return name === "Object.assign" || pureFunction(name) ? name : undefined;
  }

  /** What code that is not known gets: it may call functions, and change objects. */
  #handOut(value: unknown, at: Node): void {
    const unknown = this.#computed(at);
    if (typeof value === "function")
      this.#twice(() => (value as Callable)([unknown, unknown, unknown, unknown]));
    else this.#spoil(value, at);
  }

  /** Makes all that an object holds unknown. */
  #spoil(value: unknown, at: Node): void {
    const seen = new Set<unknown>();
    const open = [value];
    while (open.length > 0) {
      const one = open.pop();
      const record = this.#record(one);
      const list = Array.isArray(one) ? (one as unknown[]) : undefined;
      if ((!record && !list) || seen.has(one)) continue;
      seen.add(one);
      const parts = list ?? Object.values(record ?? {});
      this.#step(parts.length);
      for (const part of [...parts, ...(this.#sources.get(one as object) ?? [])]) open.push(part);
      if (list) list.splice(0, list.length, this.#computed(at));
      else if (record)
        this.#spread(this.#computed(at), (name, part) => setOwn(record, name, part), record, at);
    }
  }

  // Names and changes

  #declare(name: string, value: unknown, unset: readonly UnsetVariable[]): void {
    this.#at.scope.names.set(name, { value, unset: [...unset] });
  }

  /** Gives the names of a pattern their values: new ones, or those that there are. */
  #bind(pattern: Node, value: unknown, unset: readonly UnsetVariable[], isNew: boolean): void {
    switch (pattern.type) {
      case "Identifier":
        if (isNew) this.#declare(pattern.name, value, unset);
        else this.#assign(pattern, value, unset);
        return;
      case "AssignmentPattern": {
        const [given, own] = this.#apart([], () =>
          isComputed(value)
            ? this.#oneOf([value, this.#eval(pattern.right)], pattern)
            : value === undefined
              ? this.#eval(pattern.right)
              : value,
        );
        this.#bind(pattern.left, given, [...unset, ...own], isNew);
        return;
      }
      case "ObjectPattern":
        for (const one of pattern.properties) {
          if (one.type === "RestElement") this.#bind(one.argument, this.#computed(one), unset, isNew);
          else {
            const key = !one.computed && one.key.type === "Identifier" ? one.key.name : this.#eval(one.key);
            const [part, own] = this.#apart([], () => this.#member(value, key, one));
            this.#bind(one.value, part, [...unset, ...own], isNew);
          }
        }
        return;
      case "ArrayPattern":
        for (const [at, one] of pattern.elements.entries())
          if (one?.type === "RestElement") this.#bind(one.argument, this.#computed(one), unset, isNew);
          else if (one) this.#bind(one, this.#member(value, at, one), unset, isNew);
        return;
      default:
        this.#assign(pattern, value, unset);
    }
  }

  #assignment(operator: string, left: Node, right: Node, at: Node): unknown {
    const path = pathOf(left) ?? [];
    const sign = operator.slice(0, -1);
    const [value, unset] = this.#apart(path.slice(isExports(path) && path[0] === "module" ? 2 : 1), () => {
      if (sign === "") return this.#eval(right);
      const before = this.#eval(left);
      return /^(?:&&|\|\||\?\?)$/.test(sign)
        ? this.#logical(sign, before, right, at)
        : this.#binary(sign, before, this.#eval(right), at);
    });
    this.#bind(left, value, unset, false);
    return value;
  }

  #assign(target: Node, value: unknown, unset: readonly UnsetVariable[]): void {
    const path = pathOf(target);
    const binding = path && this.#at.scope.find(path[0] ?? "");
    if (binding && !isExports(path)) dependOn(binding, unset);
    else for (const one of unset) this.#note(one);
    if (target.type === "Identifier") {
      if (binding) binding.value = this.#changed(binding.value, value, target);
      return;
    }
    if (target.type !== "MemberExpression") return;
    const object = this.#eval(target.object);
    const key = this.#key(target);
    const record = this.#record(object);
    if (object === ENVIRONMENT && typeof key === "string")
      this.#environment.set(key, this.#changed(this.#environment.get(key), value, target));
    else if (record && (typeof key === "string" || typeof key === "number")) {
      if (this.#sources.has(record)) this.#spoil(record, target);
      this.#change(record, String(key), value, target);
    } else if (isComputed(object)) for (const one of object.alternatives ?? []) this.#spoil(one, target);
    else this.#spoil(object, target);
  }

  #change(record: Record<string, unknown>, name: string, value: unknown, at: Node): void {
    setOwn(record, name, this.#changed(this.#member(record, name, at), value, at));
  }

  /** The value that something has after a change that may not happen. */
  #changed(before: unknown, after: unknown, at: Node): unknown {
    if (this.#at.doubt === 0) return after;
    return this.#at.doubt === 1 ? this.#oneOf([before, after], at) : this.#computed(at);
  }

  // The state of the evaluation

  #step(count: number): void {
    this.#steps += count;
    if (this.#steps > MAX_STEPS) throw new TooMuchScript();
  }

  #deeper<T>(run: () => T): T {
    this.#step(1);
    if (++this.#depth > MAX_DEPTH) throw new TooMuchScript();
    const value = run();
    this.#depth--;
    return value;
  }

  #with<T>(change: Partial<Place>, run: () => T): T {
    const before = this.#at;
    this.#at = { ...before, ...change };
    const value = run();
    this.#at = before;
    return value;
  }

  #inScope<T>(run: () => T): T {
    return this.#with({ scope: new Scope(this.#at.scope) }, run);
  }

  #perhaps<T>(doubt: Doubt, run: () => T): T {
    return this.#with({ doubt: Math.max(this.#at.doubt, doubt) as Doubt }, run);
  }

  /** What is evaluated for later: with the variables that it depends on, by names that begin with these. */
  #apart<T>(property: readonly string[], run: () => T): readonly [T, UnsetVariable[]] {
    const unset: UnsetVariable[] = [];
    return [this.#with({ property, unset }, run), unset];
  }

  #note(one: UnsetVariable): void {
    if (this.#at.unset.length < MAX_UNSET)
      this.#at.unset.push({ ...one, property: [...this.#at.property, ...one.property] });
  }

  #noteUnset(name: string, at: Node): void {
    this.#note({ name, line: this.#computed(at).line, property: [] });
  }

  #record(value: unknown): Record<string, unknown> | undefined {
    return isComputed(value) ? undefined : asRecord(value);
  }

  #whole(): Computed {
    const { file, importedAt } = this.#at.module;
    return "program" in file ? this.#computed(file.program) : (importedAt ?? computedAt(1, ""));
  }

  #known(value: unknown, at: Node): unknown {
    return value === UNKNOWN ? this.#computed(at) : value;
  }

  #oneOf(values: readonly unknown[], at: Node): unknown {
    return values.length === 1 ? values[0] : this.#chosen(values, this.#computed(at));
  }

  /** What is common to several values. */
  #chosen(values: readonly unknown[], place: Computed): unknown {
    const { value, visited } = oneAlternative(values, place);
    this.#step(visited);
    if (typeof value === "object" && value !== null && !values.includes(value))
      this.#sources.set(value, values);
    return value;
  }

  #computed(at: Node, path?: string): Computed {
    const { file, importedAt } = this.#at.module;
    const known = path === undefined ? {} : { path };
    if (importedAt && path === undefined) return importedAt;
    if (importedAt || !("text" in file))
      return computedAt(importedAt?.line ?? 1, importedAt?.code ?? "", known);
    const { start, end, loc } = at;
    const from = start ?? 0;
    const [code = ""] = file.text.slice(from, Math.min(end ?? from, from + MAX_CODE)).split(/[\r\n,;]/);
    return computedAt(loc?.start.line ?? 1, code.trim(), known);
  }

  /** The value as data, which functions are not: what is used twice is there twice. */
  #data(value: unknown, level: number): unknown {
    const isObject = typeof value === "object" && value !== null;
    if (!isObject)
      return typeof value === "function"
        ? this.#functions.get(value)?.place
        : typeof value === "symbol"
          ? this.#whole()
          : value;
    if (isComputed(value)) {
      const { line, code, path } = value;
      return computedAt(line, code, path === undefined ? {} : { path });
    }
    if (level > MAX_LEVELS) return this.#whole();
    const parts = Array.isArray(value) ? (value as unknown[]) : Object.values(value);
    this.#step(parts.length);
    return Array.isArray(value)
      ? parts.map((one) => this.#data(one, level + 1))
      : Object.fromEntries(
          Object.entries(value).map(([name, one]) => [name, this.#data(one, level + 1)] as const),
        );
  }
}

/** The name of a function of Node's module of paths; the module itself may stand under these names, and has none. */
function pathFunction(name: string | undefined): string {
  return name === undefined || name === "default" || name === "posix" ? "" : name;
}

/** True for an object that has taken over what is not known. */
function isOpen(record: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(record).some((name) => name.startsWith(SPREAD));
}

/** Whether a value is neither `undefined` nor `null`; false in the sense of `a ?? b`. */
function definedness(value: unknown): boolean | typeof UNKNOWN {
  return isComputed(value) ? UNKNOWN : value !== undefined && value !== null;
}

/** True for a part of what a module exports by `exports` or `module.exports`. */
function isExports([root]: readonly string[]): boolean {
  return root === "module" || root === "exports";
}

function dependOn(
  one: { unset: readonly UnsetVariable[] } | undefined,
  unset: readonly UnsetVariable[],
): void {
  if (one) one.unset = [...one.unset, ...unset].slice(0, MAX_UNSET);
}

function outermost(module: Module): Pick<Place, "module" | "scope" | "doubt" | "isCalled" | "returns"> {
  return { module, scope: new Scope(undefined), doubt: 0, isCalled: false, returns: [] };
}
