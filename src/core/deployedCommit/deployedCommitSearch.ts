import type { Clock } from "../concurrency/clock.ts";
import { withJointSignal } from "../concurrency/jointSignal.ts";
import type { DeployedContract } from "../compilers/compilerQuestions.ts";
import type { LocalVerdict } from "../compilers/localVerifier.ts";
import { LedgerLensError, isCancellation } from "../errors.ts";
import { lastAuxdata } from "../evm/auxdata.ts";
import { codeDistance } from "../evm/codeDistance.ts";
import { disassemble, type Disassembly } from "../evm/disassembly.ts";
import { codeBytes, unlinkedCodeBytes } from "../evm/hex.ts";
import type { FolderReader } from "../files/folderReader.ts";
import type { GitHistory } from "../git/gitHistory.ts";
import type { GitCommit } from "../git/gitObjects.ts";
import { isCompilerVersion } from "../languages/solidity/solcReleases.ts";
import type { WorkspaceContract } from "../sources/contractReference.ts";
import type { CompilerInput } from "../sources/standardJsonInput.ts";
import { shown, type ShownText } from "../text/shownText.ts";
import { CommitFiles } from "./commitFiles.ts";
import { AskedCommit, CommitStates } from "./commitStates.ts";
import { ContractPlaces } from "./contractPlaces.ts";
import type { Checkout } from "./lineEndings.ts";
import { missingParts } from "./missingParts.ts";
import { SearchOrder } from "./searchOrder.ts";

/** What is looked for, and by what. */
interface CommitSearch {
  readonly history: GitHistory;
  /** Reads the work tree, for the packages that are installed in it. */
  readonly disk: FolderReader;
  /** The top of the work tree, as core names it. */
  readonly root: string;
  /** Where the contract lies, or lay when it was last seen. */
  readonly contract: WorkspaceContract;
  readonly deployed: DeployedContract;
  /** When it was deployed, in milliseconds since 1970. */
  readonly deployedAt?: number | undefined;
  /** A branch, a tag or a commit by whose history alone is looked. */
  readonly from?: string | undefined;
  readonly limitMs: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** The compiler input of a contract among the files of a commit. */
  readonly inputOf: (files: FolderReader, contract: WorkspaceContract) => Promise<CompilerInput>;
  readonly verdictOf: (input: CompilerInput, signal: AbortSignal) => Promise<LocalVerdict | undefined>;
  readonly onProgress?: ((progress: SearchProgress) => void) | undefined;
}

/** How far a search is. */
interface SearchProgress {
  readonly tried: number;
  /** Commits that had their turn, and all of them. */
  readonly seen: number;
  readonly commits: number;
  /** How far the code of the best state so far is from the deployed one, from 0 to 1. */
  readonly least: number | undefined;
}

/** A state of the files that was compiled. */
interface TriedState {
  /** A commit that is in it. */
  readonly commit: GitCommit;
  readonly verdict?: LocalVerdict["verdict"];
  /** From 0 for the same code to 1. */
  readonly distance?: number;
  /** Why nothing was compiled, or what the compiler said. */
  readonly reason?: string;
}

/** The commit that was deployed. */
export interface FoundCommit {
  readonly commit: GitCommit;
  readonly verdict: "exact_match" | "match";
  readonly input: CompilerInput;
  readonly contract: WorkspaceContract;
  readonly files: CommitFiles;
  /** With the line ends of Windows, which the deployed code proves. */
  readonly checkout: Checkout;
}

/** What a search came to. */
export interface CommitSearchResult {
  readonly found?: FoundCommit;
  readonly tried: readonly TriedState[];
  /** Commits that can be reached in this clone. */
  readonly commits: number;
  readonly seconds: number;
  /** The time was over before every commit had its turn. */
  readonly isCut: boolean;
  /** What was deployed may have been compiled with it, and it is not here; whole sentences. */
  readonly missing: readonly ShownText[];
}

/** What became of a state. */
interface State {
  readonly tried: TriedState;
  readonly files: CommitFiles;
  readonly contract: WorkspaceContract;
  readonly input?: CompilerInput;
  readonly found?: FoundCommit;
  readonly missing: readonly ShownText[];
  /** Not compiled, since its configuration names another compiler than the code does. */
  readonly isOtherCompiler?: boolean;
}

/** Reasons that concern one state; any other ends the search. */
const OF_ONE_STATE = new Set([
  "compiler_unknown",
  "not_compiled_here",
  "compiler_failed",
  "vyper_not_installed",
]);
/** So many commits are looked at for the one of a state that is nearest to the deployment. */
const MAX_SAME = 2_000;
/** So many sentences of what is missing are told. */
const MAX_MISSING = 5;

/**
 * Finds the commit from which a contract was deployed: compiles the states of the history that differ in anything that
 * the contract's input is made of, each once, and compares by the service's engine. Nothing is found that is not proven:
 * an exact match ends the search, a match stands where no exact one is found in time.
 *
 * @throws LedgerLensError `unknown_revision`, `git_failed`, `git_missing`, `cancelled`, and those of the compilers
 */
export async function searchDeployedCommit(search: CommitSearch): Promise<CommitSearchResult> {
  const { clock, limitMs, signal } = search;
  const began = clock.now();
  const timeOver = new AbortController();
  const timer = setTimeout(() => timeOver.abort(), limitMs);
  timer.unref();
  try {
    return await withJointSignal([signal, timeOver.signal], async (joint) => {
      const run = new SearchRun(search, joint);
      const found = await run.find();
      return { ...found, seconds: (clock.now() - began) / 1000 };
    });
  } finally {
    clearTimeout(timer);
  }
}

class SearchRun {
  readonly #search: CommitSearch;
  /** Aborts with the caller's, and when the time is over. */
  readonly #signal: AbortSignal;
  readonly #deployed: Disassembly;
  readonly #deployedVersion: string | undefined;
  /** Without a metadata hash no match can be exact. */
  readonly #canBeExact: boolean;
  readonly #places: ContractPlaces;
  readonly #states = new CommitStates<State>();
  readonly #tried: State[] = [];

  constructor(search: CommitSearch, signal: AbortSignal) {
    const { contract, deployed, root } = search;
    this.#search = search;
    this.#signal = signal;
    this.#deployed = disassemble(codeBytes(deployed.runtimeCode));
    const auxdata = lastAuxdata(this.#deployed.bytes);
    this.#deployedVersion = auxdata?.compilerVersion;
    this.#canBeExact = !auxdata || auxdata.hash !== undefined;
    this.#places = new ContractPlaces(root, contract.path, contract.contractName);
  }

  async find(): Promise<Omit<CommitSearchResult, "seconds">> {
    const { history, from, signal } = this.#search;
    const reached = await history.commits({ from, signal: this.#signal });
    const commits = [...reached.commits].reverse();
    let isCut = reached.isCut;
    let best: State | undefined;
    try {
      best = await this.#among(commits);
    } catch (error) {
      signal?.throwIfAborted();
      if (!this.#signal.aborted) throw error;
      isCut = true;
      best = this.#bestMatch();
    }
    const found = best?.found && (await this.#nearest(best.found, best, commits));
    const tried = this.#tried.map((state) => state.tried);
    const missing = found?.verdict === "exact_match" ? [] : this.#missing(reached.missingParents);
    return { ...(found && { found }), tried, commits: commits.length, isCut, missing };
  }

  /** The state that matches; the search ends with the first exact one. */
  async #among(commits: readonly GitCommit[]): Promise<State | undefined> {
    const { deployedAt } = this.#search;
    const order = new SearchOrder(
      commits.map(({ time }) => time),
      deployedAt,
    );
    const later: State[] = [];
    let seen = 0;
    for (let at = order.next(); at !== undefined; at = order.next()) {
      this.#signal.throwIfAborted();
      const commit = commits[at];
      if (!commit) break;
      const before = this.#tried.length;
      const states = await this.#statesOf(commit);
      const isNew = this.#tried.length > before;
      seen++;
      const found = states.find((state) => this.#isEnough(state));
      if (found) return found;
      if (isNew) for (const state of states) if (state.isOtherCompiler) later.push(state);
      order.tried(at, leastDistance(states), isNew);
      this.#tell(seen, commits.length);
    }
    // Of these no match can be exact.
    if (!this.#bestMatch())
      for (const state of later) {
        this.#signal.throwIfAborted();
        const { tried, files, contract, input } = state;
        if (!input) continue;
        const judged = await this.#judged(tried.commit, files, contract, input);
        this.#tried[this.#tried.indexOf(state)] = judged;
        if (judged.found) return judged;
      }
    return this.#bestMatch();
  }

  #isEnough({ found }: State): boolean {
    return found !== undefined && (found.verdict === "exact_match" || !this.#canBeExact);
  }

  #bestMatch(): State | undefined {
    return this.#tried.find(({ found }) => found);
  }

  /** What became of the contract in a commit, at each place where it may be; states that are known cost nothing. */
  async #statesOf(commit: GitCommit): Promise<State[]> {
    const files = this.#filesOf(commit);
    const states: State[] = [];
    for (const path of await this.#places.in(files)) {
      let state = await this.#states.of(files, path);
      if (!state) {
        const asking = new AskedCommit(files);
        state = await this.#made(commit, files, asking, { ...this.#search.contract, path });
        await this.#states.add(files, path, await asking.asked(), state);
        this.#tried.push(state);
      }
      states.push(state);
    }
    return states;
  }

  #filesOf(commit: GitCommit): CommitFiles {
    const { history, root, disk } = this.#search;
    return new CommitFiles({ history, commit, root, disk });
  }

  async #made(
    commit: GitCommit,
    files: CommitFiles,
    asking: AskedCommit,
    contract: WorkspaceContract,
  ): Promise<State> {
    let input: CompilerInput;
    try {
      input = await this.#search.inputOf(asking, contract);
    } catch (error) {
      if (!(error instanceof LedgerLensError) || isCancellation(error)) throw error;
      const missing = await missingParts(files, error, this.#search.root);
      return { tried: { commit, reason: error.message }, files, contract, missing };
    }
    const version = this.#deployedVersion;
    if (version !== undefined && !isCompilerVersion(input.compilerVersion, version)) {
      const missing = await missingParts(files, undefined, this.#search.root);
      const reason = `Its configuration names the compiler ${input.compilerVersion}, the deployed code ${version}.`;
      return { tried: { commit, reason }, files, contract, input, missing, isOtherCompiler: true };
    }
    return this.#judged(commit, files, contract, input);
  }

  async #judged(
    commit: GitCommit,
    files: CommitFiles,
    contract: WorkspaceContract,
    input: CompilerInput,
  ): Promise<State> {
    const missing = await missingParts(files, undefined, this.#search.root);
    const judged = { files, contract, input, missing };
    let verdict: LocalVerdict | undefined;
    try {
      verdict = await this.#search.verdictOf(input, this.#signal);
    } catch (error) {
      if (!(error instanceof LedgerLensError) || !OF_ONE_STATE.has(error.code)) throw error;
      return { ...judged, tried: { commit, reason: error.message } };
    }
    if (!verdict) return { ...judged, tried: { commit, reason: `${input.compilerVersion} is not here.` } };
    if (verdict.verdict === "mismatch") {
      const { recompiledRuntimeCode: code, error } = verdict.engine;
      const distance =
        code === undefined
          ? undefined
          : await codeDistance(this.#deployed, unlinkedCodeBytes(code), this.#signal);
      return {
        ...judged,
        tried: {
          commit,
          verdict: "mismatch",
          ...(distance !== undefined && { distance }),
          ...(error && distance === undefined && { reason: error.message }),
        },
      };
    }
    const found: FoundCommit = {
      commit,
      verdict: verdict.verdict,
      input,
      contract,
      files,
      checkout: "stored",
    };
    const windows =
      verdict.verdict === "match" && this.#canBeExact ? await this.#onWindows(found) : undefined;
    const best = windows ?? found;
    return { ...judged, tried: { commit, verdict: best.verdict, distance: 0 }, found: best };
  }

  /** The same state as a checkout of Windows has it, where that matches exactly; only the line ends are others. */
  async #onWindows(found: FoundCommit): Promise<FoundCommit | undefined> {
    const files = found.files.as("windows");
    const input = await this.#search.inputOf(files, found.contract);
    if (JSON.stringify(input.stdJsonInput.sources) === JSON.stringify(found.input.stdJsonInput.sources))
      return undefined;
    const verdict = await this.#search.verdictOf(input, this.#signal);
    return verdict?.verdict === "exact_match"
      ? { ...found, files, input, verdict: verdict.verdict, checkout: "windows" }
      : undefined;
  }

  /**
   * Of the commits in the state that was found the last one before the deployment, else the nearest to it; where the time
   * of the deployment is not known, the one that came to this state.
   */
  async #nearest(found: FoundCommit, state: State, commits: readonly GitCommit[]): Promise<FoundCommit> {
    const { deployedAt } = this.#search;
    const wanted = deployedAt ?? found.commit.time;
    const before = commits.filter(({ time }) => time <= wanted).reverse();
    const after = commits.filter(({ time }) => time > wanted);
    const isSame = async (commit: GitCommit) =>
      (await this.#states.of(this.#filesOf(commit), found.contract.path)) === state;
    if (deployedAt !== undefined) {
      for (const commit of [...before, ...after].slice(0, MAX_SAME))
        if (await isSame(commit)) return { ...found, commit };
      return found;
    }
    let first = found.commit;
    for (const commit of before.slice(0, MAX_SAME)) if (await isSame(commit)) first = commit;
    return { ...found, commit: first };
  }

  /** What is missing in the states that did not match, those nearest to the deployment first. */
  #missing(missingParents: readonly string[]): ShownText[] {
    const { deployedAt = Infinity } = this.#search;
    const farness = ({ tried: { commit } }: State) =>
      deployedAt === Infinity ? -commit.time : Math.abs(commit.time - deployedAt);
    const sentences = [...this.#tried]
      .sort((a, b) => farness(a) - farness(b))
      .flatMap(({ missing }) => missing);
    const all = [...(missingParents.length > 0 ? [SHALLOW] : []), ...new Set(sentences)];
    return all.slice(0, MAX_MISSING);
  }

  #tell(seen: number, commits: number): void {
    this.#search.onProgress?.({
      tried: this.#tried.length,
      seen,
      commits,
      least: leastDistance(this.#tried),
    });
  }
}

function leastDistance(states: readonly State[]): number | undefined {
  return states
    .map(({ tried }) => tried.distance)
    .reduce(
      (least, one) => (one === undefined || (least !== undefined && least <= one) ? least : one),
      undefined,
    );
}

const SHALLOW = shown`This clone does not have the whole history. Run git fetch --unshallow to look through all of it.`;
