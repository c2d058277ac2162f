import { compileNow } from "../../sandbox/solcNow.ts";

/** The part of solc's output that the tests of bytecode read. */
export interface Compiled {
  readonly metadata: string;
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: { readonly object: string };
    readonly methodIdentifiers: Readonly<Record<string, string>>;
  };
}

/** No more than is read: all of `evm` has the assembly and the estimates of gas, which take as long as the code. */
const OUTPUTS = ["metadata", "evm.bytecode.object", "evm.deployedBytecode.object", "evm.methodIdentifiers"];

/** Compiles one source with an installed release and answers its contracts by name. */
export function compile(
  source: string,
  settings: object = {},
  { release = "solc", file = "Test.sol" } = {},
): Readonly<Record<string, Compiled>> {
  const output = compileNow(
    {
      language: "Solidity",
      sources: { [file]: { content: source } },
      settings: { ...settings, outputSelection: { "*": { "*": OUTPUTS } } },
    },
    release,
  ) as {
    contracts?: Record<string, Record<string, Compiled>>;
    errors?: { severity: string; formattedMessage: string }[];
  };
  const error = output.errors?.find(({ severity }) => severity === "error");
  if (error) throw new Error(error.formattedMessage);
  return output.contracts?.[file] ?? {};
}

/** A contract of the compiled source, which must be there. */
export function contract(contracts: Readonly<Record<string, Compiled>>, name: string): Compiled {
  const found = contracts[name];
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
}
