import type { CompilerOutput } from "../../../sandbox/solidityCompilers.ts";

/** What solc says of a function, a public variable or an error that a file declares. */
export interface SolcMember {
  readonly contract: string;
  readonly kind: "function" | "error";
  readonly name: string;
  /** 8 hex digits. */
  readonly selector: string;
  /** UTF-16 offset of the name. */
  readonly start: number;
}

/** The part of an AST node that is read here (docs.soliditylang.org, "JSON AST"). */
interface Node {
  readonly nodeType: string;
  readonly name?: string;
  readonly nodes?: readonly Node[];
  readonly functionSelector?: string;
  readonly errorSelector?: string;
  readonly nameLocation?: string;
}

/** An ABI item of solc without what a decoder does not need. */
export interface SolcAbiItem {
  readonly type: string;
  readonly name?: string;
  readonly inputs?: readonly unknown[];
  readonly outputs?: readonly unknown[];
  readonly stateMutability?: string;
  readonly anonymous?: boolean;
}

/** The output of solc for `outputSelection` of {@link DECLARATIONS}. */
export interface SolcDeclarations {
  readonly errors?: CompilerOutput["errors"];
  readonly sources: Readonly<Record<string, { readonly ast: Node }>>;
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly abi: readonly SolcAbiItem[];
            readonly evm: { readonly methodIdentifiers: Readonly<Record<string, string>> };
          }
        >
      >
    >
  >;
}

/** What to select for {@link SolcDeclarations}. */
export const DECLARATIONS = { "*": { "": ["ast"], "*": ["abi", "evm.methodIdentifiers"] } };

/** The functions with a selector and the errors that a file declares, by solc's AST. */
export function declaredBySolc(ast: Node, text: string): SolcMember[] {
  const bytes = Buffer.from(text);
  const offset = (location = "0") => bytes.subarray(0, Number.parseInt(location, 10)).toString().length;
  const members = (node: Node, contract: string): SolcMember[] => {
    const { nodeType, name = "", nodes = [], functionSelector, errorSelector, nameLocation } = node;
    if (nodeType === "ContractDefinition") return nodes.flatMap((one) => members(one, name));
    const start = offset(nameLocation);
    if (functionSelector !== undefined)
      return [{ contract, kind: "function", name, selector: functionSelector, start }];
    if (errorSelector !== undefined)
      return [{ contract, kind: "error", name, selector: errorSelector, start }];
    return [];
  };
  return (ast.nodes ?? []).flatMap((node) => members(node, ""));
}

/** An ABI item with what a decoder needs, for comparison. */
export function plainAbi({
  type,
  name,
  inputs = [],
  outputs,
  stateMutability,
  anonymous,
}: SolcAbiItem): unknown {
  const plain = (parameters: readonly unknown[]): unknown =>
    (
      parameters as readonly {
        name: string;
        type: string;
        components?: readonly unknown[];
        indexed?: boolean;
      }[]
    ).map((one) => ({
      name: one.name,
      type: one.type,
      ...(one.components && { components: plain(one.components) }),
      ...(one.indexed === true && { indexed: true }),
    }));
  return {
    type,
    name,
    inputs: plain(inputs),
    ...(outputs && { outputs: plain(outputs) }),
    ...(stateMutability !== undefined && { stateMutability }),
    ...(type === "event" && { anonymous: anonymous === true }),
  };
}
