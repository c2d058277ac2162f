import {
  CompilationError,
  FeCompilation,
  SolidityCompilation,
  SourcifyChain,
  SourcifyLibError,
  Verification,
  VyperCompilation,
  YulCompilation,
  setLibSourcifyLoggerLevel,
  type AnyCompilation,
  type CompilationTarget,
  type SolidityJsonInput,
  type VyperJsonInput,
} from "@ethereum-sourcify/lib-sourcify";
import { rpcOf, type Chain, type Rpc } from "../chain.ts";
import type { SolidityCompilers } from "../solidityCompilers.ts";
import { VyperCompilers } from "../vyperCompilers.ts";
import { findCreationTransaction } from "./creationTransaction.ts";
import { INTERNAL_ERROR } from "./refusal.ts";
import { serviceCompilers, type ServiceCompilers } from "./serviceCompilers.ts";
import { keptCompilation, runKept, type KeptCompilation } from "./keptCompilation.ts";

setLibSourcifyLoggerLevel(-1);
// Its timers run on after an answer and would keep a finished process alive.
SourcifyChain.setGlobalRpcTimeout(2_000);

/** The words of the interface for a match. */
export type Match = "exact_match" | "match" | null;

/** Why a job failed, as the interface tells it, but for the id. */
export interface JobFault {
  readonly customCode: string;
  readonly message: string;
  readonly [part: string]: unknown;
}

/** What the engine changed in the recompiled codes, with the values that it found. */
export type Transformations = ReturnType<Verification["export"]>["transformations"];

/** What a verification came to. */
export interface Verdict {
  readonly runtimeMatch: Match;
  readonly creationMatch: Match;
  /** Of a success that compiled. */
  readonly compilationTime?: number;
  /** Of a success. */
  readonly compilation?: KeptCompilation;
  /** Of a success: what the recompiled codes were changed by before they were compared. */
  readonly transformations?: Transformations;
  readonly error?: JobFault;
}

/** What is verified, and what the submitter says of its creation. */
export interface DeployedContract {
  readonly chainId: string;
  /** With its checksum. */
  readonly address: string;
  readonly creationTransactionHash: string | undefined;
}

/** Standard JSON input of any language. */
export interface AnyInput {
  readonly language: string;
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  readonly settings?: object;
}

/** A submission whose parameters were checked. */
export interface Accepted extends DeployedContract {
  readonly stdJsonInput: AnyInput;
  readonly compilerVersion: string;
  readonly contractIdentifier: string;
}

/** A chain that the service lists without a node: it takes submissions for it and fails them. */
export interface UnsupportedChain {
  readonly chainId: string;
  readonly name: string;
}

type Compared = Verification["compilation"];

interface KnownChain {
  readonly sourcify: SourcifyChain;
  readonly rpc: Rpc | undefined;
}

/**
 * Verifies with the public service's own engine, real compilers and the real chain, as its workers do
 * (argotorg/sourcify, services/server/src/server/services/workers/verificationWorker.ts).
 */
export class Verifier {
  readonly #compilers: ServiceCompilers;
  readonly #chains: ReadonlyMap<string, KnownChain>;

  constructor(
    solidity: SolidityCompilers,
    chains: readonly Pick<Chain, "chainId" | "rpcUrl">[],
    unsupported: readonly UnsupportedChain[] = [],
  ) {
    this.#compilers = serviceCompilers(solidity, new VyperCompilers());
    this.#chains = new Map([
      ...chains.map(({ chainId, rpcUrl }) => [chainId, knownChain(chainId, rpcUrl)] as const),
      ...unsupported.map(({ chainId }) => [chainId, knownChain(chainId, undefined)] as const),
    ]);
  }

  hasChain(chainId: string): boolean {
    return this.#chains.has(chainId);
  }

  /** The deployed code; it throws where no node answers. */
  code({ chainId, address }: DeployedContract): Promise<string> {
    return this.#chain(chainId).sourcify.getBytecode(address);
  }

  /** Compiles and compares. */
  async verify(accepted: Accepted): Promise<Verdict> {
    let compilation: AnyCompilation;
    try {
      compilation = createCompilation(this.#compilers, accepted);
    } catch (error) {
      return failure(error);
    }
    const [verdict, compared] = await this.#compare(accepted, compilation);
    if (verdict.error) return verdict;
    const { compilationTime } = compared;
    return {
      ...verdict,
      compilation: keptCompilation(compared),
      ...(compilationTime !== undefined && { compilationTime }),
    };
  }

  /**
   * Compares a contract with what others were compiled from, which is not compiled again, until one matches. A
   * candidate that can't be taken up is passed over: kept Yul is none that the engine knows (lib-sourcify,
   * `PreRunCompilation`).
   */
  async verifyLike(contract: DeployedContract, candidates: readonly KeptCompilation[]): Promise<Verdict> {
    const found = { ...contract, creationTransactionHash: await this.#creationTransaction(contract) };
    for (const candidate of candidates) {
      const compilation = runKept(this.#compilers, candidate);
      if (!compilation) continue;
      const [verdict] = await this.#compare(found, compilation);
      if (!verdict.error) return { ...verdict, compilation: candidate };
      if (verdict.error.customCode === "internal_error") return verdict;
    }
    return failedWith("no_similar_match_found", "No similar verified contracts were found in the database.");
  }

  /** The verdict, and what was compared: the engine compiles other spellings of the files, too. */
  async #compare(contract: DeployedContract, compilation: Compared): Promise<[Verdict, Compared]> {
    const { sourcify } = this.#chain(contract.chainId);
    const transaction = await this.#creationTransaction(contract);
    const verification = new Verification(compilation, sourcify, contract.address, transaction);
    try {
      await verification.verify();
    } catch (error) {
      return [failure(error, verification), verification.compilation];
    }
    const { runtimeMatch, creationMatch } = verification.status;
    const isExact = hasVyperIntegrity(verification);
    return [
      {
        runtimeMatch: toMatch(runtimeMatch),
        creationMatch: isExact ? "exact_match" : toMatch(creationMatch),
        transformations: verification.transformations,
      },
      verification.compilation,
    ];
  }

  /** The one that the submitter names, whatever it is; else the one that is found. */
  async #creationTransaction({ chainId, address, creationTransactionHash }: DeployedContract) {
    const { rpc } = this.#chain(chainId);
    return creationTransactionHash ?? (rpc && (await findCreationTransaction(rpc, address)));
  }

  #chain(chainId: string): KnownChain {
    const known = this.#chains.get(chainId);
    if (!known) throw new Error(`No chain ${chainId}`);
    return known;
  }
}

function knownChain(chainId: string, rpcUrl: string | undefined): KnownChain {
  const sourcify = new SourcifyChain({
    name: `Sandbox ${chainId}`,
    chainId: Number(chainId),
    supported: rpcUrl !== undefined,
    rpcs: rpcUrl === undefined ? [] : [{ rpc: rpcUrl, traceSupport: "debug_traceTransaction" }],
  });
  return { sourcify, rpc: rpcUrl === undefined ? undefined : rpcOf(rpcUrl) };
}

/** By its language alone (services/server/src/server/services/utils/compilation.ts). */
function createCompilation(
  { solc, vyper, fe }: ServiceCompilers,
  { stdJsonInput, compilerVersion, contractIdentifier }: Accepted,
): AnyCompilation {
  const target = targetOf(contractIdentifier);
  switch (stdJsonInput.language) {
    case "Solidity":
      return new SolidityCompilation(
        solc,
        compilerVersion,
        stdJsonInput as unknown as SolidityJsonInput,
        target,
      );
    case "Yul":
      return new YulCompilation(solc, compilerVersion, stdJsonInput as unknown as SolidityJsonInput, target);
    case "Vyper":
      return new VyperCompilation(vyper, compilerVersion, stdJsonInput as unknown as VyperJsonInput, target);
    case "Fe":
      return new FeCompilation(fe, compilerVersion, stdJsonInput, target);
    default:
      throw new CompilationError({ code: "invalid_language" });
  }
}

/** A path may hold a colon itself, a name does not. */
function targetOf(contractIdentifier: string): CompilationTarget {
  const colon = contractIdentifier.lastIndexOf(":");
  return { path: contractIdentifier.slice(0, colon), name: contractIdentifier.slice(colon + 1) };
}

/** The codes are told of an error of the engine alone, and the time of a compilation of none. */
function failure(error: unknown, verification?: Verification): Verdict {
  if (!(error instanceof SourcifyLibError)) return failedWith("internal_error", INTERNAL_ERROR);
  const codes = verification?.export();
  return failedWith(error.code, error.message, {
    recompiledCreationCode: stored(codes?.compilation.creationBytecode),
    recompiledRuntimeCode: stored(codes?.compilation.runtimeBytecode),
    onchainCreationCode: stored(codes?.onchainCreationBytecode),
    onchainRuntimeCode: stored(codes?.onchainRuntimeBytecode),
    creationTransactionHash: codes?.deploymentInfo.txHash,
    errorData: errorData(error),
  });
}

/** A verdict of no match. */
export function failedWith(
  customCode: string,
  message: string,
  parts: Readonly<Record<string, unknown>> = {},
): Verdict {
  return { runtimeMatch: null, creationMatch: null, error: { customCode, message, ...parts } };
}

/** What the engine adds to an error, but for the contract, which the job names. */
function errorData({ data }: SourcifyLibError): object | undefined {
  const told = Object.entries<unknown>(data).filter(
    ([name, value]) => name !== "chainId" && name !== "address" && value !== undefined,
  );
  return told.length > 0 ? Object.fromEntries(told) : undefined;
}

/**
 * Whether a creation code is that of Vyper, with the integrity hash of its sources, to the last byte. The public service's
 * engine counts that as exact from Vyper 0.4.1 on (packages/lib-sourcify/src/Verification/Verification.ts,
 * `auxdataLacksMetadataOrIntegrityHash`; measured with 0.4.3), the release of it that is installed here does not yet.
 */
function hasVyperIntegrity(verification: Verification): boolean {
  const { status, compilation, transformations } = verification.export();
  return (
    status.creationMatch === "partial" &&
    compilation.language === "Vyper" &&
    !/^0\.(?:[0-3]\.|4\.0\b)/.test(compilation.compilerVersion) &&
    Object.keys(compilation.creationBytecodeCborAuxdata ?? {}).length > 0 &&
    transformations.creation.list.every(({ reason }) => reason !== "cborAuxdata")
  );
}

function toMatch(status: string | null): Match {
  return status === "perfect" ? "exact_match" : status === "partial" ? "match" : null;
}

/**
 * A bytecode as the public service gives it back: it keeps bytes, and decoding stops at the first character that is no
 * hexadecimal digit, such as a library's placeholder (services/server/src/server/services/utils/database-util.ts,
 * `bytesFromString`). No bytes are told as none.
 */
function stored(code: string | undefined): string | undefined {
  const bytes = Buffer.from(code?.replace(/^0x/, "") ?? "", "hex");
  return bytes.length > 0 ? `0x${bytes.toString("hex")}` : undefined;
}
