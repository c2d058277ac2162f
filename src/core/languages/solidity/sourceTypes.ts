import { type AbiEntry, type AbiParameter, selectorNumber, signatureOf } from "../../evm/abiEntry.ts";
import { evaluateConstant } from "./constantExpression.ts";
import type {
  ContractTypes,
  ImportDeclaration,
  MemberDeclaration,
  TypedName,
  TypeDeclarations,
  TypeName,
} from "../../sources/sourceDeclarations.ts";

/** What other files may need of a source file. */
export interface SourceFileTypes extends TypeDeclarations {
  /** `file` is the absolute path of what is imported, where it was found. */
  readonly imports: readonly (ImportDeclaration & { readonly file?: string })[];
  readonly contracts: readonly ContractTypes[];
}

/** Where a name stands: in a file, perhaps in a contract. */
interface TypeScope {
  readonly path: string;
  readonly contract?: ContractTypes;
}

/** A contract and the file that defines it. */
export interface ContractSymbol {
  readonly path: string;
  readonly contract: ContractTypes;
}

/** A member with its types resolved. */
export interface ResolvedMember {
  readonly kind: "function" | "error" | "event";
  readonly name: string;
  /** UTF-16 offset of the name. */
  readonly start: number;
  readonly isImplemented: boolean;
  /** What a decoder can use; missing where a type can't be resolved, or where only a library can take it. */
  readonly abi?: AbiEntry;
  /** Missing where a type can't be resolved. */
  readonly signature?: string;
  /** The first four bytes of the signature's hash. */
  readonly selector?: number;
}

interface Callable {
  readonly inputs: readonly TypedName[];
  readonly outputs: readonly TypedName[];
  readonly outputScope: TypeScope;
}

type Found =
  | { readonly kind: "contract"; readonly scope: TypeScope; readonly symbol: ContractSymbol }
  | {
      readonly kind: "struct";
      readonly scope: TypeScope;
      readonly name: string;
      readonly members: readonly TypedName[];
    }
  | { readonly kind: "enum"; readonly scope: TypeScope; readonly name: string; readonly size: number }
  | { readonly kind: "value type"; readonly scope: TypeScope; readonly type: TypeName }
  | { readonly kind: "constant"; readonly scope: TypeScope; readonly value: string }
  | { readonly kind: "module"; readonly path: string };

/** No real contract nests types deeper. */
const MAX_DEPTH = 24;
/** Members of a struct, those of its structs included. */
const MAX_STRUCT = 1_000;

/**
 * Resolves the names of types as the compilers do, through inheritance and imports, for files whose declarations are
 * loaded. Nothing is reported: what does not resolve is `undefined`. One instance serves one state of the files.
 */
export class SourceTypes {
  readonly #typesOf: (path: string) => SourceFileTypes | undefined;
  readonly #structs = new Map<readonly TypedName[], readonly AbiParameter[] | undefined>();
  /** Words and more that a struct takes. */
  readonly #sizes = new WeakMap<readonly AbiParameter[], number>();
  readonly #linearizations = new Map<ContractTypes, readonly ContractSymbol[]>();

  constructor(typesOf: (path: string) => SourceFileTypes | undefined) {
    this.#typesOf = typesOf;
  }

  /** A member as the ABI has it; `undefined` for what has no place there. */
  member(declaration: MemberDeclaration, scope: TypeScope): ResolvedMember | undefined {
    const { kind, name, start, isVisible, isImplemented } = declaration;
    if (!isVisible && (kind === "function" || kind === "variable")) return undefined;
    const common = { name, start, isImplemented };
    if (kind === "event") {
      const inputs = this.#parameters(declaration.inputs, scope);
      const anonymous = declaration.isAnonymous;
      return { kind, ...common, ...(inputs && withSelector({ type: kind, name, inputs, anonymous })) };
    }
    if (kind === "error") {
      const inputs = this.#parameters(declaration.inputs, scope);
      return { kind, ...common, ...(inputs && withSelector({ type: kind, name, inputs })) };
    }
    const callable =
      kind === "variable" ? this.#getter(declaration, scope) : { ...declaration, outputScope: scope };
    if (!callable) return { kind: "function", ...common };
    const { stateMutability } = declaration;
    const inputs = this.#parameters(callable.inputs, scope);
    const outputs = this.#parameters(callable.outputs, callable.outputScope);
    const abi: AbiEntry | undefined =
      inputs && outputs ? { type: "function", name, inputs, outputs, stateMutability } : undefined;
    if (scope.contract?.kind === "library") {
      const types = callable.inputs.map((input) => this.#libraryType(input, scope));
      if (types.includes(undefined)) return { kind: "function", ...common };
      const signature = `${name}(${types.join(",")})`;
      const isPlain = abi !== undefined && signatureOf(abi) === signature;
      const selector = selectorNumber(signature);
      return { kind: "function", ...common, ...(isPlain && { abi }), signature, selector };
    }
    return { kind: "function", ...common, ...(abi && withSelector(abi)) };
  }

  /** The contract itself and its bases, most derived first, in the order in which solc looks for a function. */
  linearization({ path, contract }: ContractSymbol, depth = 0): readonly ContractSymbol[] {
    const known = this.#linearizations.get(contract);
    if (known) return known;
    const self = { path, contract };
    if (depth > MAX_DEPTH) return [self];
    // Inheritance that goes in circles ends here.
    this.#linearizations.set(contract, [self]);
    const bases = contract.bases
      .map((name) => this.#find(name.split("."), { path }))
      .flatMap((found) => (found?.kind === "contract" ? [found.symbol] : []))
      .reverse();
    const order = [self, ...merge([...bases.map((base) => this.linearization(base, depth + 1)), bases])];
    this.#linearizations.set(contract, order);
    return order;
  }

  #parameters(typed: readonly TypedName[], scope: TypeScope, depth = 0): readonly AbiParameter[] | undefined {
    const parameters = typed.map(({ type, name, isIndexed }): AbiParameter | undefined => {
      const resolved = this.#abiType(type, scope, depth);
      return resolved && { name, ...resolved, ...(isIndexed !== undefined && { indexed: isIndexed }) };
    });
    return parameters.includes(undefined) ? undefined : (parameters as AbiParameter[]);
  }

  #abiType(type: TypeName, scope: TypeScope, depth: number): Omit<AbiParameter, "name"> | undefined {
    if (depth > MAX_DEPTH) return undefined;
    switch (type.kind) {
      case "function":
        return { type: "function" };
      case "mapping":
        return undefined;
      case "array": {
        const element = this.#abiType(type.element, scope, depth + 1);
        const brackets = this.#brackets(type.length, scope);
        return element && brackets !== undefined ? { ...element, type: element.type + brackets } : undefined;
      }
      case "named": {
        const elementary = elementaryType(type.name);
        if (elementary !== undefined) return { type: elementary };
        const found = this.#find(type.name.split("."), scope);
        switch (found?.kind) {
          case "contract":
          // In Vyper an interface may be a file of its own.
          // eslint-disable-next-line no-fallthrough
          case "module":
            return { type: "address" };
          case "enum":
            // Before 0.8 an enum took as many bytes as its members need.
            return { type: found.size > 256 ? "uint16" : "uint8" };
          case "value type":
            return this.#abiType(found.type, found.scope, depth + 1);
          case "struct": {
            const components = this.#components(found.members, found.scope, depth + 1);
            return components && { type: "tuple", components };
          }
          default:
            return undefined;
        }
      }
    }
  }

  /** Once for each struct; a recursive one has no place in an ABI, and neither has one that no call can pass. */
  #components(
    members: readonly TypedName[],
    scope: TypeScope,
    depth: number,
  ): readonly AbiParameter[] | undefined {
    if (this.#structs.has(members)) return this.#structs.get(members);
    this.#structs.set(members, undefined);
    const components = this.#parameters(members, scope, depth);
    const size = components?.reduce((sum, one) => sum + (this.#sizes.get(one.components ?? []) ?? 1), 0) ?? 0;
    if (!components || size > MAX_STRUCT) return undefined;
    this.#structs.set(members, components);
    this.#sizes.set(components, size);
    return components;
  }

  #brackets(length: string, scope: TypeScope): string | undefined {
    if (length === "") return "[]";
    const value = this.#constant(length, scope, 0);
    return value !== undefined && value >= 0n ? `[${value}]` : undefined;
  }

  #constant(expression: string, scope: TypeScope, depth: number): bigint | undefined {
    if (depth > MAX_DEPTH) return undefined;
    return evaluateConstant(expression, (name) => {
      const found = this.#find(name.split("."), scope);
      return found?.kind === "constant" ? this.#constant(found.value, found.scope, depth + 1) : undefined;
    });
  }

  /**
   * A parameter of a public library function as its selector has it: structs, enums and contracts by name, and what
   * lies in storage says so (docs.soliditylang.org, "Function Signatures and Selectors in Libraries").
   */
  #libraryType({ type, isStorage }: TypedName, scope: TypeScope): string | undefined {
    const name = this.#nameInLibrary(type, scope, 0);
    return name !== undefined && isStorage === true ? `${name} storage` : name;
  }

  #nameInLibrary(type: TypeName, scope: TypeScope, depth: number): string | undefined {
    if (depth > MAX_DEPTH) return undefined;
    switch (type.kind) {
      case "function":
        return "function";
      case "mapping": {
        const key = this.#nameInLibrary(type.key, scope, depth + 1);
        const value = this.#nameInLibrary(type.value, scope, depth + 1);
        return key === undefined || value === undefined ? undefined : `mapping(${key} => ${value})`;
      }
      case "array": {
        const element = this.#nameInLibrary(type.element, scope, depth + 1);
        const brackets = this.#brackets(type.length, scope);
        return element === undefined || brackets === undefined ? undefined : element + brackets;
      }
      case "named": {
        const elementary = elementaryType(type.name);
        if (elementary !== undefined) return elementary;
        const found = this.#find(type.name.split("."), scope);
        switch (found?.kind) {
          case "contract":
            return found.symbol.contract.name;
          case "struct":
          case "enum":
            return found.scope.contract ? `${found.scope.contract.name}.${found.name}` : found.name;
          case "value type":
            return this.#nameInLibrary(found.type, found.scope, depth + 1);
          default:
            return undefined;
        }
      }
    }
  }

  /**
   * The function that reads a public variable: mappings and arrays become parameters, and a struct that is left
   * becomes its members without mappings and arrays (ethereum/solidity, libsolidity/ast/Types.cpp, `FunctionType`).
   */
  #getter({ outputs }: MemberDeclaration, scope: TypeScope): Callable | undefined {
    const inputs: TypedName[] = [];
    let type = outputs[0]?.type;
    let name = "";
    while (type?.kind === "mapping" || type?.kind === "array") {
      if (type.kind === "mapping") {
        inputs.push({ type: type.key, name: type.keyName });
        name = type.valueName;
        type = type.value;
      } else {
        inputs.push({ type: { kind: "named", name: "uint256" }, name: "" });
        type = type.element;
      }
    }
    if (!type) return undefined;
    if (type.kind === "named" && elementaryType(type.name) === undefined) {
      const found = this.#find(type.name.split("."), scope);
      if (found?.kind === "struct") {
        const members = found.members.filter(({ type: { kind } }) => kind !== "mapping" && kind !== "array");
        // Names inside the struct mean what they mean where it is declared.
        return { inputs, outputs: members, outputScope: found.scope };
      }
    }
    return { inputs, outputs: [{ type, name }], outputScope: scope };
  }

  #find(path: readonly string[], scope: TypeScope): Found | undefined {
    const [first = "", ...rest] = path;
    let found = this.#inContract(first, scope) ?? this.#inFile(first, scope.path, new Set());
    for (const name of rest) {
      if (found?.kind === "module") found = this.#inFile(name, found.path, new Set());
      else if (found?.kind === "contract") found = this.#inContract(name, found.symbol);
      else return undefined;
    }
    return found;
  }

  #inContract(name: string, { path, contract }: TypeScope): Found | undefined {
    if (!contract) return undefined;
    for (const symbol of this.linearization({ path, contract })) {
      const found = declaredType(name, symbol.contract, symbol);
      if (found) return found;
    }
    return undefined;
  }

  #inFile(name: string, path: string, visited: Set<string>): Found | undefined {
    const key = `${name} ${path}`;
    if (visited.has(key)) return undefined;
    visited.add(key);
    const file = this.#typesOf(path);
    if (!file) return undefined;
    const contract = file.contracts.find((one) => one.name === name);
    if (contract) return { kind: "contract", scope: { path }, symbol: { path, contract } };
    const own = declaredType(name, file, { path });
    if (own) return own;
    for (const { file: target, alias, names } of file.imports) {
      if (target === undefined) continue;
      if (alias !== undefined) {
        if (alias === name) return { kind: "module", path: target };
        continue;
      }
      const imported = names?.find(({ local }) => local === name);
      if (names && !imported) continue;
      const found = this.#inFile(imported?.name ?? name, target, visited);
      if (found) return found;
    }
    return undefined;
  }
}

function withSelector(abi: AbiEntry): { abi: AbiEntry; signature: string; selector: number } {
  const signature = signatureOf(abi);
  return { abi, signature, selector: selectorNumber(signature) };
}

function declaredType(name: string, declarations: TypeDeclarations, scope: TypeScope): Found | undefined {
  const struct = declarations.structs.find((one) => one.name === name);
  if (struct) return { kind: "struct", scope, name, members: struct.members };
  const declaredEnum = declarations.enums.find((one) => one.name === name);
  if (declaredEnum) return { kind: "enum", scope, name, size: declaredEnum.size };
  const valueType = declarations.valueTypes.find((one) => one.name === name);
  if (valueType) return { kind: "value type", scope, type: valueType.type };
  const constant = declarations.constants.find((one) => one.name === name);
  return constant && { kind: "constant", scope, value: constant.value };
}

const SHORT_TYPES: ReadonlyMap<string, string> = new Map([
  ["uint", "uint256"],
  ["int", "int256"],
  ["byte", "bytes1"],
  ["fixed", "fixed128x18"],
  ["ufixed", "ufixed128x18"],
]);

/** The canonical name of a type that the language knows; `undefined` for any other. */
function elementaryType(name: string): string | undefined {
  const long = SHORT_TYPES.get(name);
  if (long !== undefined) return long;
  if (/^(?:address|bool|string|bytes)$/.test(name)) return name;
  const integer = /^u?int(\d+)$/.exec(name);
  if (integer) return Number(integer[1]) % 8 === 0 && Number(integer[1]) <= 256 ? name : undefined;
  const bytes = /^bytes(\d+)$/.exec(name);
  if (bytes) return Number(bytes[1]) >= 1 && Number(bytes[1]) <= 32 ? name : undefined;
  return /^u?fixed\d+x\d+$/.test(name) ? name : undefined;
}

/** C3 merge (docs.soliditylang.org, "Multiple Inheritance and Linearization"); what can't be ordered follows as it comes. */
function merge(lists: readonly (readonly ContractSymbol[])[]): ContractSymbol[] {
  const order: ContractSymbol[] = [];
  let left = lists.filter((list) => list.length > 0);
  while (left.length > 0) {
    const inTail = (contract: ContractTypes) =>
      left.some((list) => list.slice(1).some((one) => one.contract === contract));
    const next = left.find(([head]) => head && !inTail(head.contract))?.[0] ?? left[0]?.[0];
    if (!next) break;
    order.push(next);
    left = left
      .map((list) => list.filter(({ contract }) => contract !== next.contract))
      .filter((list) => list.length > 0);
  }
  return order;
}
