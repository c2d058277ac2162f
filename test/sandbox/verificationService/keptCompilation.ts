import {
  PreRunCompilation,
  type CompilationTarget,
  type CompiledContractCborAuxdata,
  type Verification,
} from "@ethereum-sourcify/lib-sourcify";
import type { ServiceCompilers } from "./serviceCompilers.ts";

/** What the service's database keeps of a compilation that verified a contract. */
export interface KeptCompilation {
  readonly language: string;
  readonly compilerVersion: string;
  readonly target: CompilationTarget;
  readonly stdJsonInput: object;
  /** The output for the contract alone. */
  readonly contractOutput: ContractOutput;
  readonly creationAuxdata: CompiledContractCborAuxdata;
  readonly runtimeAuxdata: CompiledContractCborAuxdata;
}

interface ContractOutput {
  readonly abi?: unknown;
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: { readonly object: string };
  };
}

/** The code that the compiler made for the contract, without `0x`; the runtime code of a similar one begins alike. */
export function runtimeCodeOf({ contractOutput }: KeptCompilation): string {
  return contractOutput.evm.deployedBytecode.object;
}

/** What is kept of a compilation. */
export function keptCompilation(compilation: Verification["compilation"]): KeptCompilation {
  const { bytecode, deployedBytecode } = (compilation.contractCompilerOutput as ContractOutput).evm;
  return {
    language: compilation.language,
    compilerVersion: compilation.compilerVersion,
    target: compilation.compilationTarget,
    stdJsonInput: withoutOutputSelection(compilation.jsonInput as object),
    contractOutput: {
      ...(compilation.contractCompilerOutput as ContractOutput),
      // Vyper writes `0x`, which the database does not keep.
      evm: {
        bytecode: { ...bytecode, object: bytecode.object.replace(/^0x/, "") },
        deployedBytecode: { ...deployedBytecode, object: deployedBytecode.object.replace(/^0x/, "") },
      },
    },
    creationAuxdata: compilation.creationBytecodeCborAuxdata,
    runtimeAuxdata: compilation.runtimeBytecodeCborAuxdata,
  };
}

/** A kept compilation as if it had just been run; `undefined` for a language that the engine can't take up again. */
export function runKept(
  { solc, vyper }: ServiceCompilers,
  { language, compilerVersion, target, stdJsonInput, contractOutput, ...auxdata }: KeptCompilation,
): PreRunCompilation | undefined {
  try {
    return new PreRunCompilation(
      language === "Vyper" ? vyper : solc,
      compilerVersion,
      stdJsonInput,
      { contracts: { [target.path]: { [target.name]: contractOutput } } },
      target,
      auxdata.creationAuxdata,
      auxdata.runtimeAuxdata,
    );
  } catch {
    return undefined;
  }
}

/** The settings are kept without what was asked of the compiler (SourcifyDatabaseService.ts). */
function withoutOutputSelection(input: object): object {
  const { settings } = input as { readonly settings?: object };
  const kept = Object.entries(settings ?? {}).filter(([name]) => name !== "outputSelection");
  return { ...input, settings: Object.fromEntries(kept) };
}
