import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { bytesToHex } from "@noble/hashes/utils.js";
import { inTurns, type Pieces } from "../concurrency/turns.ts";
import type { MetadataHash } from "../evm/auxdata.ts";
import { FilesBeginningAlike } from "../evm/ipfsHash.ts";
import { ImportGraph, type SourceNaming } from "../languages/solidity/sourceNaming.ts";
import { parseRemapping } from "../languages/solidity/remapping.ts";
import type { AnalysedCode } from "../matching/codeTraits.ts";
import {
  readMetadata,
  sortedJson,
  withMembers,
  type CompilerMetadata,
} from "../matching/compilerMetadata.ts";
import { metadataDigest } from "../matching/metadataSearch.ts";
import { withChanges, type Submittable } from "../matching/resubmission.ts";
import { renamedIdentifier, renamedSource, type SourceNames } from "../sources/sourceNames.ts";
import { likelyNamings, type NamingClues } from "./likelyNamings.ts";
import type { SettingsAttempt } from "./settingsAttempt.ts";
import { untracedMetadata, untracedWays, type UntracedSettings } from "./untracedSettings.ts";

/** Bytes of metadata that are hashed for each of two searches of one attempt, which bounds the time of one to some four seconds. */
const MAX_HASHED_BYTES: Readonly<Record<MetadataHash["kind"], number>> = {
  ipfs: 192 * 1024 * 1024,
  bzzr0: 16 * 1024 * 1024,
  bzzr1: 12 * 1024 * 1024,
};
/** What is written and hashed of each besides, in bytes that are hashed in the same time. */
const BYTES_OF_A_HASH = 8 * 1024;
/** So many of the likeliest are tried with every other setting that leaves no trace. */
const MAX_NAMINGS_WITH_OTHERS = 400;

/**
 * The submission that the metadata hash of the deployed code proves, where the files went by other names or were found by
 * other remappings: what an attempt's compiler wrote, with these names. Nothing is compiled.
 *
 * @param clues asked once there is a hash to be compared with
 * @returns `undefined` where none has that hash
 */
export async function provenNaming(
  { submission, metadata }: SettingsAttempt,
  deployed: AnalysedCode,
  clues: () => Promise<NamingClues>,
  signal: AbortSignal,
): Promise<Submittable | undefined> {
  const hash = deployed.auxdata?.hash;
  const own = metadata === undefined ? undefined : readMetadata(metadata);
  if (metadata === undefined || !hash || !own) return undefined;
  const { contractIdentifier, stdJsonInput } = submission;
  const given: SourceNaming = {
    entry: splitIdentifier(contractIdentifier).file,
    remappings: stdJsonInput.settings.remappings ?? [],
  };
  const graph = new ImportGraph(stdJsonInput.sources, given);
  const known = await clues();
  const ways = untracedWays(submission, deployed, own);
  const found = await inTurns(
    (function* (): Pieces<Proven | undefined> {
      const search = new NamingSearch(hash, graph, metadata, own);
      return (
        (yield* search.firstOf(likelyNamings(graph, given, known), [undefined])) ??
        (yield* search.firstOf(firstOf(likelyNamings(graph, given, known), MAX_NAMINGS_WITH_OTHERS), ways))
      );
    })(),
    signal,
  );
  if (!found) return undefined;
  const { names, remappings, way } = found;
  const changed = Object.entries(names).filter(([before, after]) => before !== after);
  return withChanges(submission, {
    ...(changed.length > 0 && { sourceNames: Object.fromEntries(changed) }),
    settings: {
      ...way?.changes,
      remappings: remappings.length > 0 ? remappings : null,
    },
  });
}

/** What has the hash. */
interface Proven {
  readonly names: SourceNames;
  readonly remappings: readonly string[];
  readonly way: UntracedSettings | undefined;
}

function* firstOf<T>(all: Iterable<T>, count: number): Generator<T> {
  let left = count;
  for (const one of all) {
    if (left-- <= 0) return;
    yield one;
  }
}

class NamingSearch {
  readonly #hash: MetadataHash;
  readonly #graph: ImportGraph;
  readonly #own: CompilerMetadata;
  readonly #template: MetadataTemplate;
  readonly #tried = new Set<string>();
  #left = 0;

  constructor(hash: MetadataHash, graph: ImportGraph, metadata: string, own: CompilerMetadata) {
    this.#hash = hash;
    this.#graph = graph;
    this.#own = own;
    this.#template = new MetadataTemplate(metadata, own);
  }

  /** @param ways other settings that leave no trace, each tried with every naming; `undefined` for those of the attempt */
  *firstOf(
    namings: Iterable<SourceNaming>,
    ways: readonly (UntracedSettings | undefined)[],
  ): Pieces<Proven | undefined> {
    this.#left = MAX_HASHED_BYTES[this.#hash.kind];
    for (const naming of namings)
      for (const way of ways) {
        const remappings = [...new Set(naming.remappings)];
        const key = JSON.stringify([naming.entry, [...remappings].sort(), way?.changes]);
        if (this.#tried.has(key)) continue;
        this.#tried.add(key);
        if (this.#left < 0) return undefined;
        yield;
        const names = this.#graph.names({ entry: naming.entry, remappings });
        if (names && this.#matches(names, remappings, way)) return { names, remappings, way };
      }
    return undefined;
  }

  #matches(names: SourceNames, remappings: readonly string[], way: UntracedSettings | undefined): boolean {
    const { settings } = this.#own;
    const renamed = (value: unknown, rename: (name: string) => string) =>
      Object.fromEntries(
        Object.entries(value as object).map(([name, one]) => [rename(name), one as unknown]),
      );
    const changed = untracedMetadata(
      {
        ...settings,
        compilationTarget: renamed(settings["compilationTarget"] ?? {}, (name) => renamedSource(name, names)),
        ...(settings.libraries && {
          libraries: renamed(settings.libraries, (name) => renamedIdentifier(name, names)) as Record<
            string,
            string
          >,
        }),
        remappings: inMetadata(remappings),
      },
      way,
    );
    const { digest, bytes } = this.#template.digest(changed, names, this.#hash.kind);
    this.#left -= bytes;
    return digest === this.#hash.digest;
  }
}

/** As solc writes remappings into metadata: each once and with its context, in the order of their text (CompilerStack.cpp). */
function inMetadata(remappings: readonly string[]): string[] {
  const written = remappings.flatMap((line) => {
    const one = parseRemapping(line);
    return one ? [`${one.context}:${one.prefix}=${one.target}`] : [];
  });
  return [...new Set(written)].sort();
}

/** Metadata of which settings and names of sources are open; what stands before them is hashed once. */
class MetadataTemplate {
  readonly #before: string;
  readonly #between: string;
  readonly #after: string;
  readonly #alike: FilesBeginningAlike;
  readonly #compilerVersion: string;
  readonly #sources: readonly (readonly [name: string, written: string])[];

  constructor(metadata: string, { sources, compilerVersion }: CompilerMetadata) {
    const places = withMembers(
      metadata,
      { settings: { [PLACE]: 1 }, sources: { [PLACE]: 2 } },
      compilerVersion,
    );
    const [before = "", rest = ""] = places.split(`{"${PLACE}":1}`);
    const [between = "", after = ""] = rest.split(`{"${PLACE}":2}`);
    [this.#before, this.#between, this.#after] = [before, between, after];
    this.#alike = new FilesBeginningAlike(new TextEncoder().encode(before));
    this.#compilerVersion = compilerVersion;
    this.#sources = Object.entries(sources).map(([name, one]) => [name, sortedJson(one, compilerVersion)]);
  }

  /** The digest of its hash, hex without `0x`, and the bytes that were hashed for that. */
  digest(
    settings: object,
    names: SourceNames,
    kind: MetadataHash["kind"],
  ): { readonly digest: string; readonly bytes: number } {
    const version = this.#compilerVersion;
    const sources = this.#sources
      .map(([name, written]) => [renamedSource(name, names), written] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, written]) => `${sortedJson(name, version)}:${written}`);
    const open = `${sortedJson(settings, version)}${this.#between}{${sources.join(",")}}`;
    if (kind !== "ipfs") {
      const whole = this.#before + open + this.#after;
      return { digest: metadataDigest(whole, kind), bytes: whole.length };
    }
    const next = Buffer.from(open);
    return {
      digest: bytesToHex(this.#alike.multihash(next, Buffer.from(this.#after))),
      bytes: next.length + BYTES_OF_A_HASH,
    };
  }
}

/** A name that no metadata has by chance. */
const PLACE = "what is open here 987654321987653";
