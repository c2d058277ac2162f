import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { VYPER_SINCE } from "../languages/vyper/vyperCode.ts";
import {
  CompilationError,
  SolidityCompilation,
  SourcifyLibError,
  Verification,
  VyperCompilation,
  YulCompilation,
  setLibSourcifyLoggerLevel,
  type AnyCompilation,
  type CompilationTarget,
  type ISolidityCompiler,
  type IVyperCompiler,
  type SolidityJsonInput,
  type SolidityOutput,
  type SourcifyChain,
  type VyperJsonInput,
  type VyperOutput,
} from "@ethereum-sourcify/lib-sourcify";
import { asRecord } from "../json/looseData.ts";
import { ownValue } from "../json/ownValue.ts";
import { atLeast } from "../versions.ts";
import type { CodeTransformation } from "../service/codeTransformation.ts";
import { constructorInputsOf } from "../service/verifiedDetails.ts";
import type { CodeMatch, DeployedContract, EngineVerdict, LocalSubmission } from "./compilerQuestions.ts";

setLibSourcifyLoggerLevel(-1);

/** Standard JSON in, standard JSON out. */
type Compile = (input: string) => string | Promise<string>;

/**
 * What the public service's own engine says of a deployed code and of an input, compiled here. Nothing is asked of a
 * network: the codes are given.
 */
export async function engineVerdict(
  compile: Compile,
  deployed: DeployedContract,
  submission: LocalSubmission,
): Promise<EngineVerdict> {
  let verification: Verification | undefined;
  let compilerErrors: readonly unknown[] | undefined;
  let isOfOtherText: boolean;
  const compiler: Compilers = {
    compile: async (_version: string, input: unknown) => {
      const output = JSON.parse(await compile(JSON.stringify(input))) as SolidityOutput &
        VyperOutput & { readonly errors?: readonly { readonly severity: string }[] };
      const errors = output.errors?.filter(({ severity }) => severity === "error") ?? [];
      if (errors.length === 0) return output;
      compilerErrors = errors;
      throw Object.assign(new Error("Compiler error"), { errors });
    },
  };
  try {
    const given = compilationOf(compiler, submission);
    verification = new Verification(
      given,
      chainOf(deployed),
      deployed.address,
      // The engine asks for the creation only where it has a transaction, whichever.
      deployed.creationCode === undefined ? undefined : "0x",
    );
    await verification.verify();
    // It takes another compilation in the place of the one that it was given where other line ends come to the hash.
    isOfOtherText = verification.compilation !== given;
  } catch (error) {
    if (!(error instanceof SourcifyLibError)) throw error;
    return {
      runtimeMatch: null,
      creationMatch: null,
      transformations: { runtime: [], creation: [] },
      ...recompiledCodes(verification),
      error: { code: error.code, message: error.message },
      ...(compilerErrors && { compilerErrors }),
    };
  }
  const { status, transformations } = verification;
  return {
    runtimeMatch: matchOf(status.runtimeMatch),
    creationMatch: hasIntegrity(verification) ? "exact_match" : matchOf(status.creationMatch),
    ...(isOfOtherText && { isOfOtherText: true }),
    transformations: {
      runtime: transformations.runtime.list as readonly CodeTransformation[],
      creation: transformations.creation.list as readonly CodeTransformation[],
    },
    ...recompiledCodes(verification),
    ...constructorInputs(verification),
  };
}

function constructorInputs(verification: Verification): Pick<EngineVerdict, "constructorInputs"> {
  const output: unknown = verification.compilation.contractCompilerOutput;
  const inputs = constructorInputsOf(asRecord(output)?.["abi"]);
  return inputs.length > 0 ? { constructorInputs: inputs } : {};
}

/** By its language alone, as the service does (argotorg/sourcify, services/server/src/server/services/utils/compilation.ts). */
function compilationOf(
  compiler: ISolidityCompiler & IVyperCompiler,
  submission: LocalSubmission,
): AnyCompilation {
  const { compilerVersion, contractIdentifier } = submission;
  const input = JSON.parse(submission.input) as SolidityJsonInput;
  const { file: path, name } = splitIdentifier(contractIdentifier);
  const target = { path, name };
  const { language } = input as { readonly language: string };
  const compilation = ownValue(COMPILATIONS, language);
  if (!compilation) throw new CompilationError({ code: "invalid_language" });
  return compilation(compiler, compilerVersion, input, target);
}

type Compilers = ISolidityCompiler & IVyperCompiler;

/** The engine's own class for each language, by its name in standard JSON input. */
const COMPILATIONS: Readonly<
  Record<
    string,
    (
      compiler: Compilers,
      version: string,
      input: SolidityJsonInput,
      target: CompilationTarget,
    ) => AnyCompilation
  >
> = {
  Solidity: (...given) => new SolidityCompilation(...given),
  Yul: (...given) => new YulCompilation(...given),
  Vyper: (compiler, version, input, target) =>
    new VyperCompilation(compiler, version, input as unknown as VyperJsonInput, target),
};

/** A chain that knows one contract. */
function chainOf({ chainId, runtimeCode, creationCode }: DeployedContract): SourcifyChain {
  const known: Pick<SourcifyChain, "chainId" | "getBytecode"> & Record<string, unknown> = {
    chainId: Number(chainId),
    getBytecode: () => Promise.resolve(runtimeCode),
    getTx: () => Promise.resolve({ blockNumber: null, from: "0x" }),
    getContractCreationBytecodeAndReceipt: () =>
      Promise.resolve({ creationBytecode: creationCode, txReceipt: { index: 0 } }),
  };
  return known as unknown as SourcifyChain;
}

function recompiledCodes(
  verification: Verification | undefined,
): Pick<EngineVerdict, "recompiledRuntimeCode" | "recompiledCreationCode"> {
  const { runtimeBytecode, creationBytecode } = verification?.export().compilation ?? {};
  return {
    ...(runtimeBytecode !== undefined && { recompiledRuntimeCode: runtimeBytecode }),
    ...(creationBytecode !== undefined && { recompiledCreationCode: creationBytecode }),
  };
}

/**
 * Whether a creation code is that of Vyper, with the hash of its sources, to the last byte: the public service's engine
 * counts that as exact from Vyper 0.4.1 on (argotorg/sourcify, packages/lib-sourcify/src/Verification/Verification.ts,
 * `auxdataLacksMetadataOrIntegrityHash`), the release of it that runs here does not yet.
 */
function hasIntegrity({ status, compilation, transformations }: Verification): boolean {
  return (
    status.creationMatch === "partial" &&
    compilation instanceof VyperCompilation &&
    atLeast(compilation.compilerVersion, VYPER_SINCE.hash) &&
    Object.keys(compilation.creationBytecodeCborAuxdata).length > 0 &&
    transformations.creation.list.every(({ reason }) => reason !== "cborAuxdata")
  );
}

function matchOf(status: string | null): CodeMatch {
  return status === "perfect" ? "exact_match" : status === "partial" ? "match" : null;
}
