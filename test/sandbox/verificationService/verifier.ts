import {
  SolidityCompilation,
  SourcifyChain,
  SourcifyLibError,
  Verification,
  YulCompilation,
  type AbstractCompilation,
  type SolidityJsonInput,
  type SolidityOutput,
  setLibSourcifyLoggerLevel,
} from "@ethereum-sourcify/lib-sourcify";
import type { Chain } from "../chain.ts";
import type { SolidityCompilers } from "../solidityCompilers.ts";

setLibSourcifyLoggerLevel(-1);
// Its timers run on after an answer and would keep a finished process alive.
SourcifyChain.setGlobalRpcTimeout(2_000);

/** The words of the interface for a match. */
export type Match = "exact_match" | "match" | null;

/** What a verification came to. */
export interface Verdict {
  readonly runtimeMatch: Match;
  readonly creationMatch: Match;
  readonly compilationTime: number | undefined;
  /** Of a success. */
  readonly abi?: unknown;
  readonly error?: Readonly<Record<string, unknown>>;
}

/** A submission whose parameters were checked. */
export interface Accepted {
  readonly chainId: string;
  readonly address: string;
  readonly creationTransactionHash: string | undefined;
  readonly stdJsonInput: SolidityJsonInput & { readonly language: string };
  readonly compilerVersion: string;
  readonly contractIdentifier: string;
}

/** Verifies with the public service's own engine, real compilers and the real chain. */
export class Verifier {
  readonly #compilers: SolidityCompilers;
  readonly #chains: ReadonlyMap<string, { readonly chain: Chain; readonly sourcify: SourcifyChain }>;

  constructor(compilers: SolidityCompilers, chains: readonly Chain[]) {
    this.#compilers = compilers;
    this.#chains = new Map(
      chains.map((chain) => [
        chain.chainId,
        {
          chain,
          sourcify: new SourcifyChain({
            name: `Sandbox ${chain.chainId}`,
            chainId: Number(chain.chainId),
            supported: true,
            rpcs: [{ rpc: chain.rpcUrl, traceSupport: "debug_traceTransaction" }],
          }),
        },
      ]),
    );
  }

  hasChain(chainId: string): boolean {
    return this.#chains.has(chainId);
  }

  async code(chainId: string, address: string): Promise<string> {
    return (await this.#chains.get(chainId)?.chain.rpc<string>("eth_getCode", address, "latest")) ?? "0x";
  }

  async verify(accepted: Accepted): Promise<Verdict> {
    const { chainId, address, stdJsonInput, compilerVersion, contractIdentifier } = accepted;
    const entry = this.#chains.get(chainId);
    if (!entry) throw new Error(`No chain ${chainId}`);
    if (stdJsonInput.language !== "Solidity" && stdJsonInput.language !== "Yul") {
      return failure({
        customCode: "unsupported_language",
        message: `Unsupported language ${stdJsonInput.language}`,
      });
    }
    const colon = contractIdentifier.lastIndexOf(":");
    const target = { path: contractIdentifier.slice(0, colon), name: contractIdentifier.slice(colon + 1) };
    const creationTransactionHash =
      accepted.creationTransactionHash ?? (await findCreationTransaction(entry.chain, address));
    let compilation: AbstractCompilation | undefined;
    let verification: Verification | undefined;
    try {
      const solc = {
        compile: async (version: string, input: SolidityJsonInput) => {
          const output = await this.#compilers.compile(version, input);
          // The words of the engine's own compiler package when a binary can't be had.
          if (!output) throw new SourcifyLibError({ code: "invalid_compiler_version" });
          // As that package does with the first error: the engine makes `compiler_error` of it.
          const errors = output.errors?.filter(({ severity }) => severity === "error") ?? [];
          if (errors.length > 0) throw Object.assign(new Error("Compiler error"), { errors });
          return output as unknown as SolidityOutput;
        },
      };
      const Compilation = stdJsonInput.language === "Yul" ? YulCompilation : SolidityCompilation;
      compilation = new Compilation(solc, compilerVersion.replace(/^v/, ""), stdJsonInput, target);
      verification = new Verification(compilation, entry.sourcify, address, creationTransactionHash);
      await verification.verify();
      const { status } = verification;
      const [runtimeMatch, creationMatch] = [toMatch(status.runtimeMatch), toMatch(status.creationMatch)];
      return {
        runtimeMatch,
        creationMatch,
        compilationTime: compilation.compilationTime,
        abi: (compilation.contractCompilerOutput as { readonly abi?: unknown }).abi,
      };
    } catch (error) {
      const isKnown = error instanceof SourcifyLibError;
      return {
        ...failure({
          customCode: isKnown ? error.code : "internal_error",
          message: isKnown ? error.message : "The server encountered an unexpected error.",
          ...(isKnown && error.code === "compiler_error" && { errorData: error.data }),
          recompiledCreationCode: stored(() => compilation?.creationBytecode),
          recompiledRuntimeCode: stored(() => compilation?.runtimeBytecode),
          onchainCreationCode: stored(() => verification?.onchainCreationBytecode),
          onchainRuntimeCode: stored(() => verification?.onchainRuntimeBytecode),
          creationTransactionHash,
        }),
        compilationTime: compilation?.compilationTime,
      };
    }
  }
}

function failure(error: Readonly<Record<string, unknown>>): Verdict {
  return { runtimeMatch: null, creationMatch: null, compilationTime: undefined, error };
}

function toMatch(status: string | null): Match {
  return status === "perfect" ? "exact_match" : status === "partial" ? "match" : null;
}

/**
 * A bytecode as the public service gives it back: it keeps bytes, and decoding stops at the first character
 * that is no hexadecimal digit, such as a library's placeholder.
 */
function stored(read: () => string | undefined): string | undefined {
  try {
    const code = read();
    return code === undefined
      ? undefined
      : `0x${Buffer.from(code.replace(/^0x/, ""), "hex").toString("hex")}`;
  } catch {
    return undefined;
  }
}

/** The transaction that created a contract directly; one that a factory created has none. */
async function findCreationTransaction(chain: Chain, address: string): Promise<string | undefined> {
  const newest = Number(await chain.rpc<string>("eth_blockNumber"));
  for (let number = newest; number > 0; number--) {
    const block = await chain.rpc<{ transactions: { hash: string; to: string | null }[] }>(
      "eth_getBlockByNumber",
      `0x${number.toString(16)}`,
      true,
    );
    for (const { hash, to } of block.transactions) {
      if (to !== null) continue;
      const { contractAddress } = await chain.rpc<{ contractAddress: string | null }>(
        "eth_getTransactionReceipt",
        hash,
      );
      if (contractAddress?.toLowerCase() === address.toLowerCase()) return hash;
    }
  }
  return undefined;
}
