import { inTurns } from "../concurrency/turns.ts";
import { withJointSignal } from "../concurrency/jointSignal.ts";
import type { LedgerLensError } from "../errors.ts";
import type { LocalVerdict } from "../compilers/localVerifier.ts";
import { codeBytes } from "../evm/hex.ts";
import { analyseCode, type AnalysedCode } from "../matching/codeTraits.ts";
import { explainInPieces } from "../matching/explain.ts";
import type { EarlierTry } from "../matching/explanation.ts";
import { withChanges, type Submittable } from "../matching/resubmission.ts";
import { submissionKey } from "../matching/triedSubmissions.ts";
import { submissionDifferenceInWords } from "./attemptWords.ts";
import { restorations } from "./restorations.ts";
import { shownChanges, withProvenSettings } from "./deployedFacts.ts";
import { likelyChanges, type LikelyChanges } from "./likelyChanges.ts";
import { linkedLibraries } from "./linkedLibraries.ts";
import { provenTogether } from "./provenTogether.ts";
import type { NamingClues } from "./likelyNamings.ts";
import { provenNaming } from "./provenNaming.ts";
import { provenUntraced, provenSubmission } from "./provenSubmission.ts";
import { attemptSettings, type CompileRelease, type SettingsAttempt } from "./settingsAttempt.ts";
import { withOtherLineEndings } from "./otherLineEndings.ts";
import { withTakenSettings } from "./takenSettings.ts";

/** What a search is made with. */
export interface SettingsSearchOptions {
  readonly compile: CompileRelease;
  /** The service's engine: what a submission comes to at the deployed contract; `undefined` where the release can't be had. */
  readonly prove: (submission: Submittable, signal: AbortSignal) => Promise<LocalVerdict | undefined>;
  /** How many compilations may run at once. */
  readonly threads: number;
  readonly limitSeconds: number;
  /** By what other names the contract's files may have been compiled: asked at most once. */
  readonly namingClues?: (() => Promise<NamingClues>) | undefined;
  readonly onProgress?: ((progress: SettingsProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How far a search is. */
export interface SettingsProgress {
  /** Compilations that were compared. */
  readonly tried: number;
  /** The one that comes nearest. */
  readonly best: TriedSettings | undefined;
}

/** Settings that were compiled and are not the deployed ones, or not yet proven to be. */
export interface TriedSettings {
  /** In what they differ from the given ones, as the end of a sentence. */
  readonly what: string;
  /** Share of the code's bytes that differ, from 0 to 1. */
  readonly distance: number;
}

/** What a search came to. */
export interface SettingsSearchResult {
  /** Proven by the service's engine. */
  readonly found?: FoundSettings;
  /** In the order in which they were compiled. */
  readonly tried: readonly TriedSettings[];
  readonly seconds: number;
  /** In full form: the release that may have made the code and can't be had here, where for want of it nothing was compiled. */
  readonly missing?: string;
  /** Where no attempt compiled: what the compiler said to the first one, the list `errors` of its output, not looked at. */
  readonly messages?: unknown;
}

/** The settings of a deployed contract. */
export interface FoundSettings {
  readonly submission: Submittable;
  readonly verdict: LocalVerdict;
  /** In what they differ from the given ones, as the end of a sentence. */
  readonly what: string;
}

/** So many earlier attempts an explanation is told of: the nearest ones. */
const MAX_EARLIER = 24;
/** Sources that compiled with none of so many settings compile with none. */
const MAX_UNCOMPILED = 16;
/** An attempt this near that no one proof settles is looked at by its metadata, as the exact ones are; so many in all. */
const MAX_METADATA_SEARCHES = 4;
/** What a remedy of an explanation counts for as distance where nothing speaks for it. */
const DOUBT_WEIGHT = 0.6;
/** What each change counts for as distance: few things were set otherwise, and a code that is nearer may be so by chance. */
const STEP_WEIGHT = 0.12;
/** What is left of the confidence in a kind of change with every attempt that came no nearer. */
const TRUST_LEFT = 0.75;
/** What changed nothing in the code leads on where everything else is tried: the same from the code before is nearer. */
const REPEATED_PENALTY = 1;

/** A submission that waits to be compiled. */
interface Waiting {
  readonly submission: Submittable;
  /** The distance of the attempt that it was made from; 0 where it was made from none. */
  readonly distance: number;
  /** How many changes away it is from where the search began. */
  readonly steps: number;
  /** How likely it is that it comes nearer, from 0 to 1. */
  readonly confidence: number;
  /** What kind of change it is: a setting, or the code of a cause. */
  readonly kind: string;
}

/**
 * Searches for the compiler and the settings that make a deployed code of given sources: from what the deployed code
 * proves, then along the remedies that the two codes suggest and everything else that may have been set, the nearest
 * code first. What is found is proven by the service's engine.
 *
 * @throws LedgerLensError those of the compilers, and the reason of the signal
 */
export async function searchSettings(
  given: Submittable,
  runtimeCode: string,
  options: SettingsSearchOptions,
): Promise<SettingsSearchResult> {
  const began = performance.now();
  const time = AbortSignal.timeout(options.limitSeconds * 1_000);
  return withJointSignal([options.signal, time], async (signal) => {
    const search = new SettingsSearch(given, runtimeCode, options, signal);
    try {
      await search.run();
    } catch (error) {
      options.signal?.throwIfAborted();
      // Time that is up is an answer: what was tried.
      if (!time.aborted) throw error;
    }
    const { found, tried, missing, messages, fault } = search;
    if (fault) throw fault;
    const isMissing = missing !== undefined && tried.length === 0;
    return {
      ...(found && { found }),
      tried,
      seconds: (performance.now() - began) / 1_000,
      ...(isMissing && { missing }),
      ...(messages !== undefined && { messages }),
    };
  });
}

class SettingsSearch {
  readonly tried: TriedSettings[] = [];
  found: FoundSettings | undefined;
  /** The first release that can't be had here, in full form. */
  missing: string | undefined;
  /** What the compiler said to the first attempt, while none compiled. */
  get messages(): unknown {
    const [first] = this.#attempts;
    return this.#hasCompiled ? undefined : first?.messages;
  }

  /** What the compiler died of at the first attempt, while none compiled. */
  get fault(): LedgerLensError | undefined {
    return this.#hasCompiled ? undefined : this.#attempts[0]?.fault;
  }

  get #hasCompiled(): boolean {
    return this.#attempts.some(({ code }) => code !== undefined);
  }

  readonly #given: Submittable;
  readonly #deployed: AnalysedCode;
  readonly #runtimeCode: string;
  readonly #options: SettingsSearchOptions;
  readonly #signal: AbortSignal;
  readonly #known = new Set<string>();
  readonly #codes = new Set<string>();
  /** Attempts of a kind since the last one that came nearer. */
  readonly #inVain = new Map<string, number>();
  readonly #attempts: SettingsAttempt[] = [];
  #waiting: Waiting[] = [];
  #metadataSearches = 0;
  #clues: Promise<NamingClues> | undefined;
  #best: TriedSettings | undefined;

  constructor(given: Submittable, runtimeCode: string, options: SettingsSearchOptions, signal: AbortSignal) {
    this.#given = given;
    this.#runtimeCode = runtimeCode;
    this.#deployed = analyseCode(codeBytes(runtimeCode));
    this.#options = options;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    const base = withProvenSettings(this.#given, this.#deployed);
    const shown = shownChanges(base, this.#deployed);
    // Both have their turn before anything that is made from one of them: what a code shows may be read wrong.
    const first = { distance: 0, steps: 0, confidence: 1, kind: "given" };
    if (shown) this.#add({ ...first, submission: withTakenSettings(withChanges(base, shown)) });
    this.#add({ ...first, submission: base });
    const lanes = Array.from({ length: Math.max(1, this.#options.threads) }, () => this.#lane());
    await Promise.all(lanes);
  }

  #running = 0;
  #more = Promise.withResolvers<undefined>();

  /** Compiles one after the other, until something is found or nothing is left. */
  async #lane(): Promise<void> {
    for (;;) {
      this.#signal.throwIfAborted();
      if (this.found || (this.#attempts.length >= MAX_UNCOMPILED && !this.#hasCompiled)) return;
      const next = this.#next();
      if (!next) {
        if (this.#running === 0) return;
        await this.#more.promise;
        continue;
      }
      this.#running++;
      try {
        await this.#attempt(next);
      } finally {
        this.#running--;
        // Those that had nothing to do look again.
        this.#more.resolve(undefined);
        this.#more = Promise.withResolvers();
      }
    }
  }

  #next(): Waiting | undefined {
    let [first, least]: [Waiting | undefined, number] = [undefined, Infinity];
    for (const one of this.#waiting) {
      const cost = this.#costOf(one);
      if (cost < least) [first, least] = [one, cost];
    }
    this.#waiting = this.#waiting.filter((one) => one !== first);
    return first;
  }

  /** The lower, the sooner: near ones first, and of these what no vain attempts of its kind speak against. */
  #costOf({ distance, steps, confidence, kind }: Waiting): number {
    const trust = confidence * TRUST_LEFT ** (this.#inVain.get(kind) ?? 0);
    return distance + STEP_WEIGHT * steps + DOUBT_WEIGHT * (1 - trust);
  }

  #add(waiting: Waiting): void {
    const key = submissionKey(waiting.submission);
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#waiting.push(waiting);
  }

  async #attempt({ submission, distance, steps, kind }: Waiting): Promise<void> {
    const { code } = this.#deployed;
    const attempt = await attemptSettings(submission, code, this.#options.compile, this.#signal);
    if (!attempt) {
      this.missing ??= submission.compilerVersion;
      return;
    }
    const told = { what: submissionDifferenceInWords(this.#given, submission), distance: attempt.distance };
    this.tried.push(told);
    this.#inVain.set(kind, attempt.distance < distance ? 0 : (this.#inVain.get(kind) ?? 0) + 1);
    const isNearest = this.#best === undefined || told.distance < this.#best.distance;
    if (isNearest) this.#best = told;
    this.#attempts.push(attempt);
    this.#options.onProgress?.({ tried: this.tried.length, best: this.#best });
    if (attempt.distance === 0) await this.#finish(attempt);
    else if (isNearest && this.#metadataSearches < MAX_METADATA_SEARCHES)
      await this.#proveByMetadata(attempt);
    if (!this.found) await this.#expand(attempt, steps + 1);
  }

  /** Metadata that has the deployed hash with other settings needs no search. */
  async #proveByMetadata(attempt: SettingsAttempt): Promise<void> {
    this.#metadataSearches++;
    const proven = await this.#byHash(attempt);
    if (proven) await this.#accept([proven]);
  }

  /**
   * A code that is the deployed one. That it matches is settled first, whatever time is left; then what only the metadata
   * hash shows.
   */
  async #finish(attempt: SettingsAttempt): Promise<void> {
    const { submission } = attempt;
    await this.#accept([submission]);
    if (this.#isExact()) return;
    for (const one of [attempt, ...(await this.#linked(attempt))]) {
      const proven = await this.#exact(one);
      await this.#accept([...(proven ? [proven] : []), one.submission]);
      if (this.#isExact()) return;
    }
    if (this.found?.submission === submission) await this.#accept([await this.#simplest(submission)], true);
  }

  #isExact(): boolean {
    return this.found?.verdict.verdict === "exact_match";
  }

  /** What the metadata hash proves, also where every file had other line endings. */
  async #exact(attempt: SettingsAttempt): Promise<Submittable | undefined> {
    const proven = async (one: SettingsAttempt) =>
      (await this.#byHash(one)) ?? (await provenUntraced(one, this.#deployed, this.#signal));
    const found = await proven(attempt);
    if (found || !this.#deployed.auxdata?.hash) return found;
    const rewritten = withOtherLineEndings(attempt.submission);
    const other = await attemptSettings(rewritten, this.#deployed.code, this.#options.compile, this.#signal);
    return other && (await proven(other));
  }

  /** What the metadata hash proves of settings, files and names that an attempt's code need not show. */
  async #byHash(attempt: SettingsAttempt): Promise<Submittable | undefined> {
    return (
      (await provenSubmission(attempt, this.#deployed, this.#signal)) ??
      (await provenTogether(attempt, this.#deployed, this.#signal)) ??
      (await this.#named(attempt))
    );
  }

  /** The same by the names that the metadata hash proves. */
  #named(attempt: SettingsAttempt): Promise<Submittable | undefined> {
    const clues = () => (this.#clues ??= this.#options.namingClues?.() ?? Promise.resolve({ namings: [] }));
    return provenNaming(attempt, this.#deployed, clues, this.#signal);
  }

  /** The same with as much as possible as it was given: of what makes no difference to the code nothing is known. */
  async #simplest(submission: Submittable): Promise<Submittable> {
    let simplest = submission;
    for (const restored of restorations(this.#given)) {
      const simpler = withTakenSettings(withChanges(simplest, restored));
      if (submissionKey(simpler) === submissionKey(simplest)) continue;
      const attempt = await attemptSettings(
        simpler,
        this.#deployed.code,
        this.#options.compile,
        this.#signal,
      );
      if (attempt?.distance === 0) simplest = simpler;
    }
    return simplest;
  }

  /** The same with the addresses of libraries that the deployed code has, and without any. */
  async #linked({ submission, linkReferences, code }: SettingsAttempt): Promise<SettingsAttempt[]> {
    const { libraries } = submission.stdJsonInput.settings;
    const hasReferences = Object.keys((linkReferences as object | undefined) ?? {}).length > 0;
    if (code === undefined || (libraries === undefined && !hasReferences)) return [];
    const compiled = async (changed: Submittable) =>
      attemptSettings(changed, this.#deployed.code, this.#options.compile, this.#signal);
    const plain = await compiled(withChanges(submission, { settings: { libraries: null } }));
    if (!plain) return [];
    const addresses = linkedLibraries(this.#deployed.code.bytes, plain.linkReferences);
    const linked =
      addresses &&
      (await compiled({
        ...submission,
        stdJsonInput: {
          ...submission.stdJsonInput,
          settings: { ...submission.stdJsonInput.settings, libraries: addresses },
        },
      }));
    return linked ? [linked, plain] : [plain];
  }

  /**
   * Takes the first submission that the engine says is exact, else the first that it says matches.
   *
   * @param replaces whether another match takes the place of one that was found
   */
  async #accept(submissions: readonly Submittable[], replaces = false): Promise<void> {
    for (const submission of submissions) {
      const verdict = await this.#options.prove(submission, this.#signal);
      if (!verdict || verdict.verdict === "mismatch") continue;
      if (this.found && !replaces && verdict.verdict !== "exact_match") continue;
      this.found = { submission, verdict, what: submissionDifferenceInWords(this.#given, submission) };
      if (this.#isExact()) return;
    }
  }

  /** What may be tried from here: the remedies of the explanation, and whatever else may have been set. */
  async #expand(attempt: SettingsAttempt, steps: number): Promise<void> {
    const { submission, code, distance } = attempt;
    const isRepeated = code !== undefined && this.#codes.has(code);
    if (code !== undefined) this.#codes.add(code);
    const from = distance + (isRepeated ? REPEATED_PENALTY : 0);
    const offer = ({ changes, confidence, kind }: LikelyChanges) => {
      const changed = withTakenSettings(withChanges(submission, changes));
      this.#add({ submission: changed, distance: from, steps, confidence, kind });
    };
    if (code !== undefined) (await this.#remedies(attempt)).forEach(offer);
    likelyChanges(attempt, this.#deployed).forEach(offer);
  }

  async #remedies(attempt: SettingsAttempt): Promise<LikelyChanges[]> {
    const { submission, code } = attempt;
    const earlier = this.#attempts
      .filter((one) => one !== attempt)
      .sort((a, b) => a.distance - b.distance)
      .slice(0, MAX_EARLIER)
      .map((one): EarlierTry => ({ ...one.submission, recompiledRuntimeCode: one.code ?? null }));
    const { causes } = await inTurns(
      explainInPieces({
        error: {
          customCode: "no_match",
          message: "",
          onchainRuntimeCode: this.#runtimeCode,
          recompiledRuntimeCode: `0x${code}`,
        },
        submitted: submission,
        earlier,
      }),
      this.#signal,
    );
    return causes.flatMap(({ code: kind, action, confidence }) =>
      action?.kind === "resubmit" && action.changes.contractIdentifier === undefined
        ? [{ changes: action.changes, confidence, kind }]
        : [],
    );
  }
}
