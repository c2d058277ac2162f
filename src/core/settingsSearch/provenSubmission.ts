import { bytesToHex } from "@noble/hashes/utils.js";
import { inTurns, type Pieces } from "../concurrency/turns.ts";
import type { MetadataHash } from "../evm/auxdata.ts";
import { FilesBeginningAlike } from "../evm/ipfsHash.ts";
import { targetEvmVersion } from "../languages/codeRules.ts";
import { isOptimizing, solcCode } from "../languages/solidity/solcCode.ts";
import type { SettingChanges } from "../matching/explanation.ts";
import type { AnalysedCode } from "../matching/codeTraits.ts";
import { readMetadata, withMembers, type CompilerMetadata } from "../matching/compilerMetadata.ts";
import {
  commonRuns,
  findProvenBuildInPieces,
  metadataDigest,
  type ProvenDifference,
} from "../matching/metadataSearch.ts";
import { provenChanges } from "../matching/causes/provenCauses.ts";
import { withChanges, type Submittable } from "../matching/resubmission.ts";
import { contains, runsInterval, type RunsInterval } from "../matching/runsInterval.ts";
import type { SettingsAttempt } from "./settingsAttempt.ts";
import { untracedMetadata, untracedWays, type UntracedSettings } from "./untracedSettings.ts";

/** Bytes of metadata that are hashed for what leaves no trace in a code, which bounds the time to some four seconds. */
const MAX_HASHED_BYTES: Readonly<Record<MetadataHash["kind"], number>> = {
  ipfs: 384 * 1024 * 1024,
  bzzr0: 16 * 1024 * 1024,
  bzzr1: 12 * 1024 * 1024,
};

/** What one more hash costs besides, in bytes that are hashed in the same time. */
const BYTES_OF_A_HASH = 4 * 1024;

/**
 * The submission that the metadata hash of the deployed code proves, from what an attempt's compiler wrote: the same
 * metadata with other settings, another release or other line endings. Nothing is compiled.
 *
 * @returns `undefined` where none has that hash
 */
export async function provenSubmission(
  { submission, metadata }: SettingsAttempt,
  { auxdata }: AnalysedCode,
  signal: AbortSignal,
): Promise<Submittable | undefined> {
  if (metadata === undefined || !auxdata?.hash) return undefined;
  const { sources } = submission.stdJsonInput;
  const contents = Object.fromEntries(Object.entries(sources).map(([name, { content }]) => [name, content]));
  const found = await inTurns(
    findProvenBuildInPieces(auxdata.hash, metadata, contents, auxdata.compilerVersion),
    signal,
  );
  return found && withDifferences(submission, found.differences);
}

/**
 * The submission that the metadata hash proves, where an attempt has the deployed code already: of what leaves no trace in
 * a code (the EVM version, what becomes of the reasons of reverts, numbers of runs), every likely combination, and with the
 * attempt's own settings every number of runs that may have made the code.
 */
export async function provenUntraced(
  attempt: SettingsAttempt,
  deployed: AnalysedCode,
  signal: AbortSignal,
): Promise<Submittable | undefined> {
  const start = hashStart(attempt, deployed);
  if (!start) return undefined;
  const { hash, metadata, own, isOn, possible, likelyRuns, ways } = start;
  const search = new HashSearch(hash);
  const found = await inTurns(
    (function* (): Pieces<SettingChanges | undefined> {
      for (const way of ways) {
        const template = new RunsTemplate(metadata, own, way);
        const runs = yield* search.firstOf(template, likelyRuns);
        if (runs !== undefined) return { ...way.changes, optimizer: { enabled: isOn, runs } };
      }
      const template = new RunsTemplate(metadata, own);
      const runs = yield* search.firstOf(template, numbersFrom(possible));
      return runs === undefined ? undefined : { optimizer: { enabled: isOn, runs } };
    })(),
    signal,
  );
  return found && withChanges(attempt.submission, { settings: found });
}

/** What a search by the metadata hash starts from. */
interface HashStart {
  readonly hash: MetadataHash;
  /** As the attempt's compiler wrote it, and read. */
  readonly metadata: string;
  readonly own: CompilerMetadata;
  /** Whether the attempt optimizes. */
  readonly isOn: boolean;
  /** The numbers of runs that may have made the deployed code. */
  readonly possible: RunsInterval;
  /** The attempt's own number, then the usual ones among the possible. */
  readonly likelyRuns: readonly number[];
  readonly ways: readonly UntracedSettings[];
}

/** @returns `undefined` where the attempt has no metadata, or the deployed code no hash of any */
export function hashStart(
  { submission, metadata }: SettingsAttempt,
  deployed: AnalysedCode,
): HashStart | undefined {
  const hash = deployed.auxdata?.hash;
  const own = metadata === undefined ? undefined : readMetadata(metadata);
  if (metadata === undefined || !hash || !own) return undefined;
  const { compilerVersion, stdJsonInput } = submission;
  const { settings } = stdJsonInput;
  const evmVersion = targetEvmVersion(settings, solcCode, compilerVersion);
  const isOn = isOptimizing(settings);
  const possible = runsInterval({ ...deployed, isOptimized: isOn }, { compilerVersion, evmVersion });
  const likelyRuns = [
    settings.optimizer?.runs ?? 200,
    ...commonRuns.filter((one) => contains(possible, one)),
  ];
  return { hash, metadata, own, isOn, possible, likelyRuns, ways: untracedWays(submission, deployed, own) };
}

/** Metadata of which nothing but the number of runs is open; that is written once, which spares writing all of it again. */
export class RunsTemplate {
  readonly #before: string;
  readonly #after: string;
  readonly #end: Uint8Array;
  readonly #alike: FilesBeginningAlike;

  constructor(metadata: string, { settings, compilerVersion }: CompilerMetadata, way?: UntracedSettings) {
    const changed = {
      ...untracedMetadata(settings, way),
      optimizer: { ...settings.optimizer, runs: RUNS_PLACE },
    };
    const [before = "", after = ""] = withMembers(metadata, { settings: changed }, compilerVersion).split(
      String(RUNS_PLACE),
    );
    [this.#before, this.#after] = [before, after];
    const encoder = new TextEncoder();
    this.#end = encoder.encode(after);
    this.#alike = new FilesBeginningAlike(encoder.encode(before));
  }

  /** The digest of its hash with a number of runs, and the bytes that were hashed for that. */
  digest(runs: number, kind: MetadataHash["kind"]): { readonly digest: string; readonly bytes: number } {
    if (kind !== "ipfs") {
      const whole = `${this.#before}${runs}${this.#after}`;
      return { digest: metadataDigest(whole, kind), bytes: whole.length };
    }
    const multihash = this.#alike.multihash(Buffer.from(String(runs)), this.#end);
    return { digest: bytesToHex(multihash), bytes: this.#end.length + BYTES_OF_A_HASH };
  }
}

/** Looks for metadata by its hash, until as much was hashed as may be. */
export class HashSearch {
  readonly #hash: MetadataHash;
  #left: number;

  /** @param share of what may be hashed for one attempt, from 0 to 1 */
  constructor(hash: MetadataHash, share = 1) {
    this.#hash = hash;
    this.#left = MAX_HASHED_BYTES[hash.kind] * share;
  }

  /** The first of some numbers of runs with which metadata has the hash. */
  *firstOf(template: RunsTemplate, numbers: Iterable<number>): Pieces<number | undefined> {
    for (const runs of numbers) {
      if (this.#left < 0) return undefined;
      yield;
      const { digest, bytes } = template.digest(runs, this.#hash.kind);
      this.#left -= bytes;
      if (digest === this.#hash.digest) return runs;
    }
    return undefined;
  }
}

/** A number that no metadata has by chance. */
const RUNS_PLACE = 987_654_321_987_653;
/** Beyond so many figures a person writes zeros or nines. */
const FIGURES = [1, 2, 3];

/** Whole numbers of an interval, each once or twice: those of few figures first, then one after the other. */
function* numbersFrom({ least, most }: RunsInterval): Generator<number> {
  for (const figures of FIGURES)
    for (let scale = 1; scale <= most; scale *= 10)
      for (let leading = 10 ** (figures - 1); leading < 10 ** figures; leading++)
        for (const number of [leading * scale, leading * scale - 1])
          if (number >= least && number <= most) yield number;
  for (let power = 1; power <= most; power *= 2)
    for (const number of [power, power - 1]) if (number >= least && number <= most) yield number;
  for (let number = least; number <= most; number++) yield number;
}

function withDifferences(submission: Submittable, differences: readonly ProvenDifference[]): Submittable {
  const changed = withChanges(submission, provenChanges(differences, submission) ?? {});
  const contents = differences.flatMap((one) => (one.kind === "file" ? Object.entries(one.contents) : []));
  if (contents.length === 0) return changed;
  const written = contents.map(([name, content]) => [name, { content }] as const);
  const { stdJsonInput } = changed;
  const sources = Object.fromEntries([...Object.entries(stdJsonInput.sources), ...written]);
  return { ...changed, stdJsonInput: { ...stdJsonInput, sources } };
}
