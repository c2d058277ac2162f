/** A type as it is written; names are not resolved yet. */
export type TypeName =
  /** `uint`, `address`, `Order`, `Pool.Order` */
  | { readonly kind: "named"; readonly name: string }
  /** `length` is the expression between the brackets, empty for a dynamic array. */
  | { readonly kind: "array"; readonly element: TypeName; readonly length: string }
  | {
      readonly kind: "mapping";
      readonly key: TypeName;
      readonly keyName: string;
      readonly value: TypeName;
      readonly valueName: string;
    }
  | { readonly kind: "function" };

/** A parameter, a result or a member of a struct. */
export interface TypedName {
  readonly type: TypeName;
  /** Empty where there is none. */
  readonly name: string;
  readonly isIndexed?: boolean;
  readonly isStorage?: boolean;
}

/** What has a selector or a topic, or would have one if it were visible. */
export interface MemberDeclaration {
  readonly kind: "function" | "variable" | "error" | "event";
  readonly name: string;
  /** UTF-16 offset of the name. */
  readonly start: number;
  /** For a variable: none. */
  readonly inputs: readonly TypedName[];
  /** For a variable: its type, as one. */
  readonly outputs: readonly TypedName[];
  /** In the ABI: `external` or `public`. */
  readonly isVisible: boolean;
  readonly stateMutability: "pure" | "view" | "nonpayable" | "payable";
  readonly isAnonymous: boolean;
  /** A function with a body, or a variable. */
  readonly isImplemented: boolean;
  /** A variable that a deployment writes into the code. */
  readonly isImmutable?: true;
}

/** Types and constants that a contract or a file declares. */
export interface TypeDeclarations {
  readonly structs: readonly { readonly name: string; readonly members: readonly TypedName[] }[];
  readonly enums: readonly { readonly name: string; readonly size: number }[];
  readonly valueTypes: readonly { readonly name: string; readonly type: TypeName }[];
  /** Their values as written. */
  readonly constants: readonly { readonly name: string; readonly value: string }[];
}

/** A contract with what other files may need of it. */
export interface ContractTypes extends TypeDeclarations {
  readonly kind: ContractKind;
  readonly name: string;
  /** As written, most base-like first. */
  readonly bases: readonly string[];
}

export type ContractKind = "contract" | "abstract contract" | "interface" | "library";

/** A contract with all that the reader reads. */
export interface ContractDeclaration extends ContractTypes {
  /** UTF-16 offset of the name. */
  readonly start: number;
  readonly members: readonly MemberDeclaration[];
}

/** An import, with the names that it brings. */
export interface ImportDeclaration {
  readonly path: string;
  /** `import "p" as alias`, `import * as alias from "p"` */
  readonly alias?: string;
  /** `import {name as local} from "p"`; an import with neither brings everything. */
  readonly names?: readonly { readonly name: string; readonly local: string }[];
}

/** What a source file declares. */
export interface SourceDeclarations extends TypeDeclarations {
  readonly imports: readonly ImportDeclaration[];
  readonly contracts: readonly ContractDeclaration[];
  /** Errors and events outside contracts; free functions have no selector and are left out. */
  readonly members: readonly MemberDeclaration[];
}

/** A member that is as most are but for what is said. */
export function memberDeclaration(
  kind: MemberDeclaration["kind"],
  name: string,
  start: number,
  rest: Partial<MemberDeclaration>,
): MemberDeclaration {
  return {
    kind,
    name,
    start,
    inputs: [],
    outputs: [],
    isVisible: true,
    stateMutability: "nonpayable",
    isAnonymous: false,
    isImplemented: true,
    ...rest,
  };
}

/** Declarations of a contract or a file, to be filled. */
export const emptyDeclarations = () => ({
  structs: [] as { name: string; members: TypedName[] }[],
  enums: [] as { name: string; size: number }[],
  valueTypes: [] as { name: string; type: TypeName }[],
  constants: [] as { name: string; value: string }[],
  members: [] as MemberDeclaration[],
});
