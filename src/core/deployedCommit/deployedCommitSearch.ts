import { t } from "@vscode/l10n";
import type { Clock } from "../concurrency/clock.ts";
import { withJointSignal } from "../concurrency/jointSignal.ts";
import { isBreakdown } from "../compilers/compilerBreakdown.ts";
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
import type { WorkspaceContract } from "../sources/contractReference.ts";
import { plainSource } from "../sources/sourceText.ts";
import type { CompilerInput } from "../sources/standardJsonInput.ts";
import { shown, type ShownText } from "../text/shownText.ts";
import { isCompilerVersion } from "../versions.ts";
import { CommitFiles } from "./commitFiles.ts";
import { AskedCommit, CommitStates } from "./commitStates.ts";
import { ContractPlaces, type ContractPlace, type KnownText } from "./contractPlaces.ts";
import type { Checkout } from "./gitAttributes.ts";
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
  /** The service matches it by other line ends than its own, so that it is not the very state that was deployed. */
  readonly isOfOtherText: boolean;
  /** It was amended, rebased or left behind: only the log of this clone has it. */
  readonly isInNoBranch?: true;
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

/** Reasons that concern one state, beside a compiler that breaks down over it; any other ends the search. */
const OF_ONE_STATE = new Set(["compiler_unknown", "not_compiled_here", "vyper_not_installed"]);
/** Of so many commits the newest ones are looked at for how the contract is known again under another name. */
const MAX_KNOWN = 2_000;
/** So many states are compiled to find a match nearer to the deployment, where no metadata hash tells matches apart. */
const MAX_NEARER = 12;
/** So many sentences of what is missing are told. */
const MAX_MISSING = 5;

/**
 * Finds the commit from which a contract was deployed: compiles the states of the history that differ in anything that
 * the contract's input is made of, each once, and compares by the service's engine. Nothing is found that is not proven:
 * an exact match ends the search, a match stands where no exact one is found in time. Of several commits with the same
 * input the last one at or before the deployment is named, else the first one after it; the first of all where the time of
 * the deployment is not known. That does not depend on where the search began. An exact match by other line ends than those
 * of the commit stands only where no commit has the line ends themselves.
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
  /** Its metadata hash tells every two inputs apart, also those whose files have other names alone. */
  readonly #hasHash: boolean;
  readonly #places: ContractPlaces;
  readonly #states = new CommitStates<State>();
  readonly #tried: State[] = [];
  /** The inputs of states that were not compiled. */
  readonly #inputs = new CommitStates<CompilerInput | undefined>();
  readonly #blobs = new Map<FoundCommit, Promise<string | undefined>>();
  /** What commits lack in which the contract was not found. */
  readonly #lacking: Pick<State, "tried" | "missing">[] = [];
  /** The newest first. */
  #newest: readonly GitCommit[] = [];
  #known: Promise<KnownText | undefined> | undefined;
  /** Whether the contract's name may stand elsewhere, too, though its file is there. */
  #isEverywhere = false;

  constructor(search: CommitSearch, signal: AbortSignal) {
    const { contract, deployed, root } = search;
    this.#search = search;
    this.#signal = signal;
    this.#deployed = disassemble(codeBytes(deployed.runtimeCode));
    const auxdata = lastAuxdata(this.#deployed.bytes);
    this.#deployedVersion = auxdata?.compilerVersion;
    this.#hasHash = auxdata?.hash !== undefined;
    this.#canBeExact = !auxdata || this.#hasHash;
    this.#places = new ContractPlaces(root, contract, signal);
  }

  async find(): Promise<Omit<CommitSearchResult, "seconds">> {
    const { history, from, signal } = this.#search;
    let commits: readonly GitCommit[] = [];
    let missingParents: readonly string[] = [];
    let isCut: boolean;
    let best: State | undefined;
    let former: readonly GitCommit[] = [];
    try {
      const reached = await history.commits({ from, signal: this.#signal });
      ({ isCut, missingParents } = reached);
      this.#newest = reached.commits;
      commits = [...reached.commits].reverse();
      best = await this.#among(commits);
      if (!best || !this.#isEnough(best)) {
        this.#isEverywhere = true;
        best = await this.#among(commits);
      }
      // Amended, rebased and squashed ones are still in the clone of who made them.
      if ((!best || !this.#isEnough(best)) && from === undefined) {
        const known = new Set(commits.map(({ id }) => id));
        const logged = await history.formerCommits(this.#signal);
        former = logged.filter(({ id }) => !known.has(id)).reverse();
        best = await this.#among(former);
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!this.#signal.aborted) throw error;
      isCut = true;
      best = this.#bestMatch();
    }
    const isFormer = best !== undefined && former.includes(best.tried.commit);
    const among = isFormer ? former : commits;
    const asDeployed = best?.found?.isOfOtherText ? await this.#ofOwnText(best.found, among) : best?.found;
    const nearest = asDeployed && (await this.#nearest(asDeployed, among));
    const found = nearest && isFormer ? { ...nearest, isInNoBranch: true as const } : nearest;
    const tried = this.#tried.map((state) => state.tried);
    const missing = found?.verdict === "exact_match" ? [] : this.#missing(missingParents);
    return { ...(found && { found }), tried, commits: commits.length + former.length, isCut, missing };
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

  /** Of the states that match the one nearest to the deployment. */
  #bestMatch(): State | undefined {
    const { deployedAt } = this.#search;
    return this.#tried
      .filter(({ found }) => found)
      .sort(({ tried: { commit: a } }, { tried: { commit: b } }) => {
        const isAfter = ({ time }: GitCommit) => (deployedAt !== undefined && time > deployedAt ? 1 : 0);
        return (
          isAfter(a) - isAfter(b) ||
          (isAfter(a) === 0 && deployedAt !== undefined ? b.time - a.time : a.time - b.time)
        );
      })[0];
  }

  /** What became of the contract in a commit, at each place where it may be; states that are known cost nothing. */
  async #statesOf(commit: GitCommit): Promise<State[]> {
    const files = this.#filesOf(commit);
    const states: State[] = [];
    for (const place of await this.#placesIn(commit, files)) {
      let state = await this.#states.of(files, place);
      if (!state) {
        const asking = new AskedCommit(files);
        state = await this.#made(commit, files, asking, { ...this.#search.contract, ...place });
        await this.#states.add(files, place, await asking.asked(), state);
        this.#tried.push(state);
      }
      states.push(state);
    }
    return states;
  }

  async #placesIn(commit: GitCommit, files: CommitFiles): Promise<readonly ContractPlace[]> {
    const places = await this.#places.in(
      files,
      () => (this.#known ??= this.#knownText()),
      this.#isEverywhere,
    );
    const missing = places.length > 0 ? [] : await missingParts(files, undefined, this.#search.root);
    if (missing.length > 0) this.#lacking.push({ tried: { commit }, missing });
    return places;
  }

  /** How the contract is known again, by the newest commit that has it. */
  async #knownText(): Promise<KnownText | undefined> {
    for (const commit of this.#newest.slice(0, MAX_KNOWN)) {
      this.#signal.throwIfAborted();
      const known = await this.#places.known(this.#filesOf(commit));
      if (known) return known;
    }
    return undefined;
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
      const missing = await missingParts(files, error, this.#search.root, contract);
      return { tried: { commit, reason: error.message }, files, contract, missing };
    }
    const version = this.#deployedVersion;
    if (version !== undefined && !isCompilerVersion(input.compilerVersion, version)) {
      const missing = await missingParts(files, undefined, this.#search.root);
      const reason = t`Its configuration names the compiler ${input.compilerVersion}, the deployed code ${version}.`;
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
      const isOfState = error instanceof LedgerLensError && OF_ONE_STATE.has(error.code);
      if (!isOfState && !isBreakdown(error)) throw error;
      return { ...judged, tried: { commit, reason: error.message } };
    }
    if (!verdict) return { ...judged, tried: { commit, reason: t`${input.compilerVersion} is not here.` } };
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
      isOfOtherText: verdict.engine.isOfOtherText === true,
    };
    const isInexact = verdict.verdict === "match" || found.isOfOtherText;
    const windows = isInexact && this.#canBeExact ? await this.#onWindows(found) : undefined;
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
    if (verdict?.verdict !== "exact_match" || verdict.engine.isOfOtherText) return undefined;
    return { ...found, files, input, verdict: verdict.verdict, checkout: "windows", isOfOtherText: false };
  }

  /**
   * What was deployed itself, where what was found has other line ends: the metadata hash names every file, so that it can
   * only be a state that is the same but for them.
   */
  async #ofOwnText(found: FoundCommit, commits: readonly GitCommit[]): Promise<FoundCommit> {
    const { contract, input: wanted } = found;
    try {
      for (const commit of this.#byNearness(commits)) {
        this.#signal.throwIfAborted();
        const input = await this.#inputIn(this.#filesOf(commit), contract, [{ found }]);
        if (!input || !isSameInput(withoutLineEnds(input), withoutLineEnds(wanted))) continue;
        const own = (await this.#statesOf(commit)).find(
          (state) => this.#isEnough(state) && !state.found?.isOfOtherText,
        );
        if (own?.found) return own.found;
      }
    } catch (error) {
      this.#search.signal?.throwIfAborted();
      if (!this.#signal.aborted) throw error;
    }
    return found;
  }

  /** The last ones at or before the deployment first, then the first ones after it; the first of all where its time is not known. */
  #byNearness(commits: readonly GitCommit[]): readonly GitCommit[] {
    const { deployedAt } = this.#search;
    const isBefore = ({ time }: GitCommit) => deployedAt !== undefined && time <= deployedAt;
    return [...commits.filter(isBefore).reverse(), ...commits.filter((one) => !isBefore(one))];
  }

  /**
   * The commit that is named, of those with the input that was found: the last one at or before the deployment, else the
   * first one after it; the first of all where the time of the deployment is not known.
   *
   * @param commits the oldest first
   */
  async #nearest(found: FoundCommit, commits: readonly GitCommit[]): Promise<FoundCommit> {
    const { deployedAt } = this.#search;
    const most = this.#tried.length + MAX_NEARER;
    try {
      for (const commit of this.#byNearness(commits)) {
        this.#signal.throwIfAborted();
        const mayCompile = deployedAt !== undefined && !this.#hasHash && this.#tried.length < most;
        const same = await this.#sameIn(commit, found, mayCompile);
        if (same) return same;
      }
    } catch (error) {
      this.#search.signal?.throwIfAborted();
      if (!this.#signal.aborted) throw error;
    }
    return found;
  }

  /** What a commit has of the inputs that were found to match as well as the best one. */
  async #sameIn(commit: GitCommit, best: FoundCommit, mayCompile: boolean): Promise<FoundCommit | undefined> {
    if (mayCompile) await this.#statesOf(commit);
    const files = this.#filesOf(commit);
    const matching = this.#tried.flatMap(({ found, input }) =>
      found?.verdict === best.verdict && found.isOfOtherText === best.isOfOtherText && input
        ? [{ found, input }]
        : [],
    );
    // To look for the first of all commits everywhere would last as long as the search.
    const isNearest = this.#search.deployedAt !== undefined;
    const places = isNearest
      ? await this.#placesIn(commit, files)
      : matching.map(({ found }) => found.contract);
    for (const place of places) {
      const contract = { ...this.#search.contract, ...place };
      const input = await this.#inputIn(files, contract, matching);
      const same = input && matching.find((one) => isSameInput(one.input, input));
      if (!same) continue;
      const { checkout } = same.found;
      const found = { ...same.found, commit, contract };
      if (checkout === "stored") return { ...found, files };
      // Of the same files that are stored a checkout of another commit may have other line ends.
      const asThere = files.as(checkout);
      const own = await textIn(same.found.files, same.found.contract.path);
      if ((await textIn(asThere, contract.path)) === own) return { ...found, files: asThere };
    }
    return undefined;
  }

  /** The input of a contract in a commit; `undefined` where it can't be one of those that match. */
  async #inputIn(
    files: CommitFiles,
    contract: WorkspaceContract,
    matching: readonly { readonly found: FoundCommit }[],
  ): Promise<CompilerInput | undefined> {
    const state = await this.#states.of(files, contract);
    if (state) return state.input;
    // Another file is another input, which is seen without making it; line ends may not count.
    const own = blobOf(await files.answer("read", contract.path));
    const isSame = async ({ found }: { readonly found: FoundCommit }) =>
      (await this.#blobOf(found)) === own ||
      (await textIn(found.files, found.contract.path)) === (await textIn(files, contract.path));
    if (own === "" || !(await Promise.all(matching.map(isSame))).includes(true)) return undefined;
    const asking = new AskedCommit(files);
    const known = await this.#inputs.of(files, contract);
    if (known) return known;
    let input: CompilerInput | undefined;
    try {
      input = await this.#search.inputOf(asking, contract);
    } catch (error) {
      if (!(error instanceof LedgerLensError) || isCancellation(error)) throw error;
    }
    await this.#inputs.add(files, contract, await asking.asked(), input);
    return input;
  }

  /** The id of the contract's own file. */
  #blobOf(found: FoundCommit): Promise<string | undefined> {
    const { files, contract } = found;
    let blob = this.#blobs.get(found);
    if (!blob) this.#blobs.set(found, (blob = files.as("stored").answer("read", contract.path).then(blobOf)));
    return blob;
  }

  /** What is missing in the states that did not match, those nearest to the deployment first. */
  #missing(missingParents: readonly string[]): ShownText[] {
    const { deployedAt = Infinity } = this.#search;
    const farness = ({ tried: { commit } }: Pick<State, "tried">) =>
      deployedAt === Infinity ? -commit.time : Math.abs(commit.time - deployedAt);
    const sentences = [...this.#tried, ...this.#lacking]
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

/** The id of a blob, of what decides how a file is read. */
function blobOf(answer: string): string | undefined {
  return answer.split(" ")[0];
}

/** An input in which no line ends count. */
function withoutLineEnds(input: CompilerInput): CompilerInput {
  const { stdJsonInput } = input;
  const sources = Object.entries(stdJsonInput.sources).map(
    ([name, { content }]) => [name, { content: plainSource(content) }] as const,
  );
  return { ...input, stdJsonInput: { ...stdJsonInput, sources: Object.fromEntries(sources) } };
}

/** A file without what tells line ends apart; `undefined` where it can't be read. */
async function textIn(files: CommitFiles, path: string): Promise<string | undefined> {
  try {
    const bytes = await files.read(path);
    return bytes && plainSource(Buffer.from(bytes).toString("latin1"));
  } catch (error) {
    if (error instanceof LedgerLensError) return undefined;
    throw error;
  }
}

/** Whether the compiler is given the same. */
function isSameInput(one: CompilerInput, other: CompilerInput): boolean {
  return (
    one.compilerVersion === other.compilerVersion &&
    one.contractIdentifier === other.contractIdentifier &&
    JSON.stringify(one.stdJsonInput) === JSON.stringify(other.stdJsonInput)
  );
}

const SHALLOW = shown`This clone does not have the whole history. Run git fetch --unshallow to look through all of it.`;
