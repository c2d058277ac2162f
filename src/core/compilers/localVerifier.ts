import { t } from "@vscode/l10n";
import { createHash } from "node:crypto";
import { inTurns, type Pieces } from "../concurrency/turns.ts";
import { LedgerLensError } from "../errors.ts";
import { BoundedMemory } from "../files/boundedMemory.ts";
import { jsonInPieces } from "../json/jsonPieces.ts";
import { LANGUAGES } from "../languages/language.ts";
import { errorCodeOf } from "../service/errorCodes.ts";
import type { JobError } from "../service/job.ts";
import type { LanguageName, StandardJsonInput } from "../sources/standardJsonInput.ts";
import type { CodeMatch, DeployedContract, EngineVerdict } from "./compilerQuestions.ts";
import { CompilerThread, threadsEnded } from "./compilerThread.ts";
import type { KeptVerdict, KeptVerdicts } from "./keptVerdicts.ts";
import type { CompilerSource, CompilerWish, LocalCompilers } from "./localCompilers.ts";
import { compileVyper, type VyperProgram } from "./vyperPrograms.ts";

/** A compiler input, and what of it is verified. */
export interface LocalInput {
  readonly compilerVersion: string;
  readonly contractIdentifier: string;
  readonly stdJsonInput: StandardJsonInput;
  /** All of the build, which the service is sent where the contract's own files do not tell enough. */
  readonly wholeBuild?: { readonly stdJsonInput: StandardJsonInput } | undefined;
}

/** What compiled here comes to. */
export interface LocalVerdict {
  readonly verdict: "exact_match" | "match" | "mismatch";
  readonly compiler: {
    readonly version: string;
    readonly source: CompilerSource | "installed";
    /** Of its file; absent for an installed program. */
    readonly sha256?: string;
  };
  readonly engine: EngineVerdict;
  /** Found by an earlier session, of which the codes are not kept. */
  readonly isWithoutCodes?: true;
}

/** How a compiler may be had, with what is there of Vyper. */
export interface VerdictWish extends CompilerWish {
  /** The installed program of a release, where the user lets it run. */
  readonly vyper?: ((version: string) => Promise<VyperProgram>) | undefined;
  /** Whether the codes of a mismatch are wanted, for which it is compiled again where an earlier session found it. */
  readonly needsCodes?: boolean | undefined;
}

/** Verdicts that are kept, by the characters of their codes. */
const MAX_KEPT_CHARACTERS = 32 * 1024 * 1024;
/** Of text, so much is hashed at once. */
const HASHED_AT_ONCE = 1024 * 1024;

/**
 * Verifies on this machine: compiles and compares by the public service's own engine, so that the verdict is the one that
 * the service will give. Nothing is published. What was found once is remembered by the hash of input and codes, and the
 * verdict is kept for later sessions.
 */
export class LocalVerifier {
  readonly #compilers: LocalCompilers;
  readonly #kept: KeptVerdicts | undefined;
  readonly #known = new BoundedMemory<LocalVerdict>(
    MAX_KEPT_CHARACTERS,
    ({ engine }) =>
      (engine.recompiledRuntimeCode?.length ?? 0) + (engine.recompiledCreationCode?.length ?? 0) + 1_000,
  );

  constructor(compilers: LocalCompilers, kept?: KeptVerdicts) {
    this.#compilers = compilers;
    this.#kept = kept;
  }

  /**
   * What the service would say of an input for a deployed contract.
   *
   * @returns `undefined` where the compiler is not here and may not be fetched
   * @throws LedgerLensError `compiler_unknown`, `not_compiled_here`, and those of the compiler and its download
   */
  async verify(
    input: LocalInput,
    deployed: DeployedContract,
    wish: VerdictWish = {},
  ): Promise<LocalVerdict | undefined> {
    const first = await this.#verified(input, deployed, wish);
    // As the jobs do it: the service gets all of the build where it says that this may help.
    if (!first || !input.wholeBuild || !mayWholeBuildHelp(first)) return first;
    const whole = { ...input, ...input.wholeBuild };
    return (await this.#verified(whole, deployed, wish)) ?? first;
  }

  async #verified(
    { compilerVersion, contractIdentifier, stdJsonInput }: LocalInput,
    deployed: DeployedContract,
    wish: VerdictWish,
  ): Promise<LocalVerdict | undefined> {
    const { language } = stdJsonInput;
    const text = await inTurns(jsonInPieces(stdJsonInput));
    const { runtimeCode, creationCode = "" } = deployed;
    const key = await inTurns(
      hashInPieces([compilerVersion, contractIdentifier, text, runtimeCode, creationCode]),
    );
    const known = this.#known.get(key) ?? (await this.#ofEarlierSession(key));
    const isEnough = !wish.needsCodes || known?.isWithoutCodes !== true || known.verdict !== "mismatch";
    if (known && isEnough) return known;
    const submission = { compilerVersion, contractIdentifier, input: text };
    const question = { kind: "verdict", deployed, submission } as const;
    const answered = await this.#answered(language, compilerVersion, question, wish);
    if (!answered) return known;
    const engine = JSON.parse(answered.answer) as EngineVerdict;
    const verdict = { verdict: best(engine), compiler: answered.compiler, engine };
    this.#known.set(key, verdict);
    // What a compiler refuses is said with lines of the sources, which are not kept.
    if (!engine.compilerErrors) await this.#kept?.set(key, verdict);
    return verdict;
  }

  async #ofEarlierSession(key: string): Promise<LocalVerdict | undefined> {
    const kept = await this.#kept?.get(key);
    if (!kept) return undefined;
    const verdict = { ...kept, verdict: best(kept.engine), isWithoutCodes: true } as const;
    this.#known.set(key, verdict);
    return verdict;
  }

  async #answered(
    language: LanguageName,
    compilerVersion: string,
    question: Parameters<LocalCompilers["ask"]>[1],
    wish: VerdictWish,
  ): Promise<{ readonly answer: string; readonly compiler: LocalVerdict["compiler"] } | undefined> {
    const { compiler, releaseList } = LANGUAGES[language];
    if (releaseList === "solc") {
      const answered = await this.#compilers.ask(compilerVersion, question, wish);
      if (!answered) return undefined;
      const { longVersion, source, sha256 } = answered.compiler;
      return { answer: answered.answer, compiler: { version: longVersion, source, sha256 } };
    }
    if (releaseList === undefined)
      throw new LedgerLensError(
        "not_compiled_here",
        t`${compiler} is not run here. Verify the contract at the service.`,
      );
    const program = await wish.vyper?.(compilerVersion);
    if (!program) return undefined;
    await threadsEnded();
    const thread = new CompilerThread(`${compiler} ${compilerVersion}`, {
      files: [],
      sha256: [],
      maxMemoryBytes: 0,
    });
    try {
      const answer = await thread.ask(question, wish.signal, (input) =>
        compileVyper(program, input, wish.signal),
      );
      return { answer, compiler: { version: program.version, source: "installed" } };
    } finally {
      thread.dispose();
    }
  }
}

/** A mismatch as the service would tell it, with the codes that were compared. */
export function jobErrorOf({ engine }: LocalVerdict, deployed: DeployedContract): JobError {
  const { error, recompiledRuntimeCode, recompiledCreationCode, compilerErrors } = engine;
  return {
    customCode: error?.code ?? "no_match",
    message: error?.message ?? "",
    onchainRuntimeCode: deployed.runtimeCode,
    ...(deployed.creationCode !== undefined && { onchainCreationCode: deployed.creationCode }),
    ...(recompiledRuntimeCode !== undefined && { recompiledRuntimeCode: prefixed(recompiledRuntimeCode) }),
    ...(recompiledCreationCode !== undefined && { recompiledCreationCode: prefixed(recompiledCreationCode) }),
    ...(compilerErrors && { errorData: { compilerErrors } }),
  };
}

function prefixed(code: string): string {
  return code.startsWith("0x") ? code : `0x${code}`;
}

function mayWholeBuildHelp({ verdict, engine: { error } }: LocalVerdict): boolean {
  if (verdict !== "mismatch" || !error) return false;
  return errorCodeOf({ customCode: error.code, message: error.message })?.wholeBuildMayHelp === true;
}

/** The better of the two codes counts, as at the service. */
function best({ runtimeMatch, creationMatch }: KeptVerdict["engine"]): LocalVerdict["verdict"] {
  const both: readonly CodeMatch[] = [runtimeMatch, creationMatch];
  return both.includes("exact_match") ? "exact_match" : both.includes("match") ? "match" : "mismatch";
}

function* hashInPieces(texts: readonly string[]): Pieces<string> {
  const hash = createHash("sha256");
  for (const text of texts) {
    hash.update(`${text.length} `);
    for (let at = 0; at < text.length; at += HASHED_AT_ONCE) {
      hash.update(text.slice(at, at + HASHED_AT_ONCE));
      yield;
    }
  }
  return hash.digest("hex");
}
