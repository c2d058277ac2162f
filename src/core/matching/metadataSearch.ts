import { t } from "@vscode/l10n";
import { bytesToHex } from "@noble/hashes/utils.js";
import { codeBytes } from "../evm/hex.ts";
import { ipfsMultihash } from "../evm/ipfsHash.ts";
import type { MetadataHash } from "../evm/auxdata.ts";
import { ChunkHashes, swarmHash0, swarmHash1 } from "../evm/swarmHash.ts";
import { atLeast, compareVersions } from "../versions.ts";
import { evmVersionsOf } from "../evm/evmVersion.ts";
import { revertStringsOf, SOLC_SINCE, solcCode } from "../languages/solidity/solcCode.ts";
import { solcReleases } from "../languages/solidity/solcReleases.ts";
import {
  readMetadata,
  withMembers,
  type CompilerMetadata,
  type MetadataSettings,
  type MetadataSource,
} from "./compilerMetadata.ts";
import { detailsInWords, optimizerDetails } from "./optimizerDetails.ts";
import { settingValueInWords } from "./settingWords.ts";
import { inServiceOrder, serviceTries } from "./serviceVariations.ts";
import {
  asAddresses,
  asLiteral,
  contentHashes,
  sourceVariants,
  withContent,
  type ContentHashes,
  type SourceVariant,
} from "./sourceVariants.ts";
import { ownValue } from "../json/ownValue.ts";
import { type Pieces } from "../concurrency/turns.ts";

/** Numbers of runs that projects really use, the commonest first. */
export const commonRuns: readonly number[] = [
  200, 1_000_000, 999_999, 10_000, 1_000, 20_000, 800, 100, 1, 0, 500, 2_000, 5_000, 100_000, 99_999,
  9_999_999, 10_000_000, 4_294_967_295, 400, 300, 50, 10, 2, 1_337, 9_999, 50_000, 4_444, 44_444_444, 30_000,
  3_000, 1_500, 15_000, 200_000, 500_000, 2_000_000, 5_000_000, 100_000_000, 2_147_483_647, 999, 600, 250,
  150, 20, 5, 25_000, 40_000, 99, 199, 888, 777, 1_111, 5_555, 7_777, 69, 420, 4_200, 6_000, 7_000, 8_000,
  4_000,
];

/** A build that the deployed metadata hash proves, told by what differs from the local one. */
export interface ProvenBuild {
  /** What differs; empty when the local build is the deployed one. */
  readonly differences: readonly ProvenDifference[];
  /** Whether the service finds the same by itself. */
  readonly isFoundByService: boolean;
}

/** One difference between the local build and the deployed one. */
export type ProvenDifference =
  | { readonly kind: "compiler"; readonly local: string; readonly deployed: string }
  | {
      readonly kind: "setting";
      readonly setting:
        | "evmVersion"
        | "optimizer"
        | "runs"
        | "viaIR"
        | "metadata"
        | "details"
        | "debug"
        | "experimental"
        | "libraries"
        | "remappings";
      readonly local: string;
      readonly deployed: string;
      /** The settings of the deployed build, whole, as metadata writes them. */
      readonly settings: MetadataSettings;
    }
  | {
      readonly kind: "file";
      /** Source unit names; every file when all are alike. */
      readonly files: readonly string[];
      readonly description: string;
      readonly contents: Readonly<Record<string, string>>;
    };

/** Bytes of metadata that a search hashes at most, which bounds its time to about a second. */
const MAX_HASHED_BYTES: Readonly<Record<MetadataHash["kind"], number>> = {
  ipfs: 24 * 1024 * 1024,
  bzzr0: 8 * 1024 * 1024,
  bzzr1: 6 * 1024 * 1024,
};
/** Files up to which every combination of line endings is tried. */
const MAX_COMBINED_FILES = 9;

/** The hash of metadata in the given kind, hex without `0x`. */
export function metadataDigest(metadata: string, kind: MetadataHash["kind"], known?: ChunkHashes): string {
  const bytes = new TextEncoder().encode(metadata);
  return bytesToHex(
    kind === "ipfs" ? ipfsMultihash(bytes) : kind === "bzzr1" ? swarmHash1(bytes, known) : swarmHash0(bytes),
  );
}

/**
 * Finds the build whose metadata has the deployed metadata hash: the local metadata itself, or with other settings,
 * another compiler, other line endings. No compiler is needed, since metadata holds the settings and the hashes
 * of the sources, and what else it holds does not depend on them. What is found is proven; what is not found
 * may still be any edit.
 *
 * @param metadata the local build's metadata, byte for byte
 * @param sources the contents of the local files by source unit name; may be incomplete
 * @param compilerVersion the deployed code's own, where its auxdata says it
 */
export function* findProvenBuildInPieces(
  deployed: MetadataHash,
  metadata: string,
  sources: Readonly<Record<string, string>>,
  compilerVersion?: string,
): Pieces<ProvenBuild | undefined> {
  const search = new Search(deployed);
  if (search.matches(metadata)) return { differences: [], isFoundByService: false };
  const local = readMetadata(metadata);
  if (!local) return undefined;
  const [first = local.compilerVersion, ...others] = compilerCandidates(
    local.compilerVersion,
    compilerVersion,
    search.kind,
  );
  const settings = (compilers: readonly string[], counts: DifferenceCounts, share?: number) =>
    settingChanges(search, metadata, local, sources, compilers, counts, share);
  const files = new FileChanges(search, metadata, local, sources);
  // One setting is likelier than one file among many, and sooner tried; so are two settings than another release beside one.
  return (
    (yield* files.alike()) ??
    (yield* settings([first, ...others], { least: 0, most: 0 })) ??
    (yield* settings([first], { least: 1, most: 1 })) ??
    (yield* files.single()) ??
    (others.length === 0
      ? undefined
      : ((yield* settings([first], { least: 2, most: 2 }, SHARE_OF_OWN_RELEASE)) ??
        (yield* settings(others, { least: 1, most: 1 })))) ??
    (yield* settings([first, ...others], { least: 2, most: MAX_DIFFERENCES }))
  );
}

/** The share of what is left that two settings may use up where the release is not known. */
const SHARE_OF_OWN_RELEASE = 0.4;

/** How many settings may differ at once. */
interface DifferenceCounts {
  readonly least: number;
  readonly most: number;
}

class Search {
  readonly #deployed: MetadataHash;
  readonly #chunks = new ChunkHashes();
  #left: number;

  constructor(deployed: MetadataHash) {
    this.#left = MAX_HASHED_BYTES[deployed.kind];
    this.#deployed = { ...deployed, digest: bytesToHex(codeBytes(deployed.digest)) };
  }

  get kind(): MetadataHash["kind"] {
    return this.#deployed.kind;
  }

  /** Nothing is found any more: what is made for it is made in vain. */
  get isOver(): boolean {
    return this.#left <= 0;
  }

  /** Bytes that are left to be hashed. */
  get left(): number {
    return this.#left;
  }

  matches(metadata: string): boolean {
    this.#left -= metadata.length;
    if (this.#left <= 0) return false;
    return metadataDigest(metadata, this.#deployed.kind, this.#chunks) === this.#deployed.digest;
  }
}

/** The description of contents that are not the recorded ones but those of now. */
export const AS_ON_DISK = t`as on disk now`;

/** The contents as they are on disk, which may differ from those that the build had. */
const asOnDisk: SourceVariant = { description: AS_ON_DISK, apply: (content) => content };

/** The spelling of the files that the service finds by itself, if any. */
function* triedByService(
  search: Search,
  metadata: string,
  local: CompilerMetadata,
  sources: Readonly<Record<string, string>>,
): Pieces<ProvenBuild | undefined> {
  const recorded = Object.entries(local.sources);
  const submitted = recorded.flatMap(([name]) => {
    const content = ownValue(sources, name);
    return content === undefined ? [] : [[name, content] as const];
  });
  // The service compares Swarm hashes with and without 0x, so that it finds none.
  if (submitted.length < recorded.length || search.kind !== "ipfs") return undefined;
  const inOrder = inServiceOrder(JSON.parse(metadata)) as object;
  for (const { contents, description } of serviceTries(Object.fromEntries(submitted))) {
    if (search.isOver) return undefined;
    yield;
    if (Object.keys(contents).length < recorded.length) continue;
    const entries = Object.entries(contents).map(([name, content]) => {
      const source = ownValue(local.sources, name);
      return [name, source && withContent(source, content)] as const;
    });
    const whole = {
      ...inOrder,
      sources: Object.fromEntries(entries.map(([name, entry]) => [name, inServiceOrder(entry)])),
    };
    if (!search.matches(JSON.stringify(whole))) continue;
    const changed = entries.flatMap(([name, entry]) =>
      entry?.keccak256 === ownValue(local.sources, name)?.keccak256 ? [] : [name],
    );
    return {
      differences: [
        {
          kind: "file",
          files: changed,
          description,
          contents: Object.fromEntries(changed.map((name) => [name, ownValue(contents, name) ?? ""])),
        },
      ],
      isFoundByService: true,
    };
  }
  return undefined;
}

/** The share of what is left that files one by one may use up. */
const SHARE_OF_FILES = 0.5;

/** Contents that differ from the recorded ones in how they are written. */
class FileChanges {
  readonly #search: Search;
  readonly #metadata: string;
  readonly #local: CompilerMetadata;
  readonly #sources: Readonly<Record<string, string>>;
  readonly #names: readonly string[];
  readonly #tried = new Set<string>();
  /** By file: each way of writing it is tried with every one of the others. */
  readonly #hashes = new Map<string, Map<SourceVariant, ContentHashes>>();

  constructor(
    search: Search,
    metadata: string,
    local: CompilerMetadata,
    sources: Readonly<Record<string, string>>,
  ) {
    this.#search = search;
    this.#metadata = metadata;
    this.#local = local;
    this.#sources = sources;
    this.#names = Object.keys(local.sources).filter((name) => Object.hasOwn(sources, name));
  }

  /** Every file written in the same way. */
  *alike(): Pieces<ProvenBuild | undefined> {
    const all = (variant: SourceVariant) => this.#names.map((name) => [name, variant] as const);
    const found =
      this.#attempt(all(asOnDisk)) ??
      (yield* triedByService(this.#search, this.#metadata, this.#local, this.#sources));
    if (found) return found;
    for (const variant of sourceVariants) {
      yield;
      const written = this.#attempt(all(variant));
      if (written) return written;
    }
    return undefined;
  }

  /** One file after the other, and then every combination of line endings where the files are few. */
  *single(): Pieces<ProvenBuild | undefined> {
    const least = this.#search.left * (1 - SHARE_OF_FILES);
    const isOver = () => this.#search.left <= least;
    for (const name of this.#names)
      for (const variant of [asOnDisk, ...sourceVariants]) {
        if (isOver()) return undefined;
        yield;
        const found = this.#attempt([[name, variant]]);
        if (found) return found;
      }
    const [unix, windows] = sourceVariants;
    if (this.#names.length > MAX_COMBINED_FILES || !unix || !windows) return undefined;
    for (let bits = 1; bits < 2 ** this.#names.length; bits++) {
      if (isOver()) return undefined;
      yield;
      const found = this.#attempt(
        this.#names.map((name, at) => [name, (bits >> at) & 1 ? windows : unix] as const),
      );
      if (found) return found;
    }
    return undefined;
  }

  #hashesOf(name: string, source: MetadataSource, changed: string, variant: SourceVariant): ContentHashes {
    const known = this.#hashes.get(name) ?? new Map<SourceVariant, ContentHashes>();
    this.#hashes.set(name, known);
    // Many ways of writing leave a file as it is.
    const way = changed === ownValue(this.#sources, name) ? asOnDisk : variant;
    const hashes = known.get(way) ?? contentHashes(source, changed);
    known.set(way, hashes);
    return hashes;
  }

  #attempt(chosen: readonly (readonly [string, SourceVariant])[]): ProvenBuild | undefined {
    const contents = new Map<string, string>();
    const changes = new Map<string, MetadataSource>();
    for (const [name, variant] of chosen) {
      const [source, content] = [ownValue(this.#local.sources, name), ownValue(this.#sources, name)];
      if (!source || content === undefined) continue;
      const changed = variant.apply(content);
      const entry = withContent(source, changed, this.#hashesOf(name, source, changed, variant));
      if (entry.keccak256 === source.keccak256) continue;
      contents.set(name, changed);
      changes.set(name, entry);
    }
    const files = [...contents.keys()];
    const key = files.map((name) => `${name}=${changes.get(name)?.keccak256 ?? ""}`).join();
    if (files.length === 0 || this.#tried.has(key)) return undefined;
    this.#tried.add(key);
    const entries = Object.fromEntries([...Object.entries(this.#local.sources), ...changes]);
    if (!this.#search.matches(withMembers(this.#metadata, { sources: entries }, this.#local.compilerVersion)))
      return undefined;
    const variants = new Set(chosen.filter(([name]) => contents.has(name)).map(([, variant]) => variant));
    const [variant] = variants;
    return {
      differences: [
        {
          kind: "file",
          files,
          description: variants.size === 1 && variant ? variant.description : t`with other line endings`,
          contents: Object.fromEntries(contents),
        },
      ],
      isFoundByService: chosen.length === this.#names.length && variant === asOnDisk,
    };
  }
}

function* settingChanges(
  search: Search,
  metadata: string,
  local: CompilerMetadata,
  sources: Readonly<Record<string, string>>,
  compilers: readonly string[],
  counts: DifferenceCounts,
  share = 1,
): Pieces<ProvenBuild | undefined> {
  const least = search.left * (1 - share);
  for (const changed of candidates(local, compilers, search.kind, counts)) {
    if (search.left <= least) return undefined;
    yield;
    const { version, settings } = changed;
    const literal = literalSources(local, changed, sources);
    const whole = { settings, ...(literal && { sources: literal }) };
    if (!search.matches(withMembers(metadata, whole, version))) continue;
    return {
      differences: differencesOf(local, version, settings, changed.isLiteral),
      isFoundByService: false,
    };
  }
  return undefined;
}

/** Settings that a build may have had, and its compiler. */
interface Candidate {
  readonly version: string;
  readonly settings: MetadataSettings;
  /** Whether the metadata holds the sources themselves. */
  readonly isLiteral: boolean;
}

/** How many settings may differ at once; with more, so many builds are possible that the time is up before. */
const MAX_DIFFERENCES = 4;

/**
 * Builds that differ from the local one, those with the fewest differences first. The kind of the hash is no question,
 * since the deployed code shows it.
 */
function* candidates(
  local: CompilerMetadata,
  compilers: readonly string[],
  kind: MetadataHash["kind"],
  { least, most }: DifferenceCounts,
): Generator<Candidate> {
  const isLiteral = holdsSources(local);
  for (let differences = least; differences <= most; differences++)
    for (const version of compilers) {
      const own = withHashKind(withDefaultEvm(local, version), kind);
      if (differences > 0)
        for (const switched of literalSwitched(own, version, isLiteral))
          yield* changedSettings(version, switched, differences - 1, !isLiteral);
      yield* changedSettings(version, own, differences, isLiteral);
    }
}

/** A release that does not write into the settings that the metadata holds the sources, and one that does. */
const LITERAL_UNSAID_IN = "0.5.3";
const LITERAL_SAID_IN = "0.5.8";

/** The settings of metadata that holds the sources where the own one does not, or the other way round. */
function literalSwitched(own: MetadataSettings, version: string, isLiteral: boolean): MetadataSettings[] {
  const said = isLiteral
    ? withoutLiteral(own)
    : { ...own, metadata: { ...own.metadata, useLiteralContent: true } };
  if (compareVersions(version, LITERAL_UNSAID_IN) <= 0) return [own];
  return compareVersions(version, LITERAL_SAID_IN) >= 0 ? [said] : [said, own];
}

function holdsSources({ sources }: CompilerMetadata): boolean {
  return Object.values(sources).some(({ content }) => content !== undefined);
}

function withoutLiteral(settings: MetadataSettings): MetadataSettings {
  const metadata = without(settings.metadata ?? {}, "useLiteralContent");
  return Object.keys(metadata).length > 0 ? { ...settings, metadata } : without(settings, "metadata");
}

/**
 * The settings with the EVM version that another compiler has by default, where the local one is the default, too; without
 * one for a compiler that doesn't write it.
 */
export function withDefaultEvm(
  { settings, compilerVersion }: CompilerMetadata,
  version: string,
): MetadataSettings {
  if (compareVersions(version, solcCode.choosesEvmVersionSince) < 0) return without(settings, "evmVersion");
  const isUnsaid = compareVersions(compilerVersion, solcCode.choosesEvmVersionSince) < 0;
  const isDefault = isUnsaid || settings.evmVersion === solcCode.defaultEvmVersion(compilerVersion);
  return isDefault ? { ...settings, evmVersion: solcCode.defaultEvmVersion(version) } : settings;
}

function* changedSettings(
  version: string,
  own: MetadataSettings,
  differences: number,
  isLiteral: boolean,
): Generator<Candidate> {
  const ways: (readonly Change[])[] = [
    detailCandidates(own, version),
    evmCandidates(own, version),
    [(settings) => (own.viaIR ? without(settings, "viaIR") : { ...settings, viaIR: true })],
    outerCandidates(own, version),
    optimizerCandidates(own),
  ];
  const chosen = function* (settings: MetadataSettings, from: number, left: number): Generator<Candidate> {
    if (left === 0) yield { version, settings, isLiteral };
    else
      for (let at = from; at + left <= ways.length; at++)
        for (const change of ways[at] ?? []) {
          const changed = change(settings);
          if (changed) yield* chosen(changed, at + 1, left - 1);
        }
  };
  yield* chosen(own, 0, differences);
}

/** What is different in a candidate; `undefined` where that does not go with what is different already. */
type Change = (settings: MetadataSettings) => MetadataSettings | undefined;

/** From 0.6.0 on, metadata says the kind of its hash; a setting that is the default may be left out of a local build. */
function withHashKind(settings: MetadataSettings, kind: MetadataHash["kind"]): MetadataSettings {
  const own = settings.metadata;
  if (own?.bytecodeHash === undefined || own.bytecodeHash === kind) return settings;
  return { ...settings, metadata: { ...own, bytecodeHash: kind } };
}

/** The sources of metadata as `useLiteralContent` writes them, where it was switched; else `undefined`. */
function literalSources(
  local: CompilerMetadata,
  { isLiteral, version }: Candidate,
  sources: Readonly<Record<string, string>>,
): Record<string, MetadataSource> | undefined {
  if (isLiteral === holdsSources(local)) return undefined;
  return Object.fromEntries(
    Object.entries(local.sources).map(([name, source]) => [
      name,
      isLiteral
        ? asLiteral(source, ownValue(sources, name))
        : asAddresses(source, ownValue(sources, name), version),
    ]),
  );
}

/** The compilers that the deployed code may be of; from 0.5.9 on it says which one. */
function compilerCandidates(
  local: string,
  deployed: string | undefined,
  kind: MetadataHash["kind"],
): readonly string[] {
  if (deployed === undefined && kind === "bzzr0" && !atLeast(local, SOLC_SINCE.ownVersion)) {
    const unnamed = solcReleases.filter(
      (one) => atLeast(one, SOLC_SINCE.metadata) && !atLeast(one, SOLC_SINCE.ownVersion),
    );
    return [local, ...unnamed.filter((one) => one !== local).toReversed()];
  }
  if (!deployed || local.startsWith(`${deployed}+`)) return [local];
  return solcReleases.filter((release) => release.startsWith(`${deployed}+`));
}

/** The optimizer switched, or for other runs; parts of it that were switched stay so, or all are as usual. */
function optimizerCandidates({ optimizer: own = {} }: MetadataSettings): Change[] {
  const runs = [...new Set([own.runs ?? 200, ...commonRuns])];
  const isOn = own.enabled === true || own.details !== undefined;
  const others = runs.filter((one) => one !== own.runs);
  const forRuns = others.map((one): Change => {
    return ({ optimizer, ...settings }) => ({ ...settings, optimizer: { ...optimizer, runs: one } });
  });
  const switched = runs.map((one): Change => {
    return ({ optimizer, ...settings }) =>
      optimizer?.details === undefined || optimizer.details === own.details
        ? {
            ...settings,
            optimizer: { ...without(optimizer ?? {}, "details"), enabled: !isOn, runs: one },
          }
        : undefined;
  });
  return [...forRuns, ...switched];
}

/** Parts of the optimizer that were switched, or that are as usual again. */
function detailCandidates({ optimizer }: MetadataSettings, version: string): Change[] {
  const { enabled, details, runs = 200 } = optimizer ?? {};
  if (enabled !== true && details === undefined) return [];
  const asUsual: Change = (settings) => ({ ...settings, optimizer: { enabled: true, runs } });
  const ways = optimizerDetails(version, details).map((other): Change => {
    return (settings) => ({ ...settings, optimizer: { details: other, runs } });
  });
  return details === undefined ? ways : [asUsual, ...ways];
}

function evmCandidates({ evmVersion }: MetadataSettings, version: string): Change[] {
  if (evmVersion === undefined) return [];
  return evmVersionsOf(version)
    .filter((name) => name !== evmVersion)
    .reverse()
    .map((name) => (settings) => ({ ...settings, evmVersion: name }));
}

/** Settings that change nothing but the metadata, and what becomes of the reasons of reverts. */
function outerCandidates(own: MetadataSettings, version: string): Change[] {
  const revertStrings = (own["debug"] as { revertStrings?: unknown } | undefined)?.revertStrings ?? "default";
  const isExperimental = own["experimental"] === true;
  return [
    ...revertStringsOf(version)
      .filter((one) => one !== revertStrings)
      .map(
        (one) => (settings: MetadataSettings) =>
          one === "default" ? without(settings, "debug") : { ...settings, debug: { revertStrings: one } },
      ),
    ...(isExperimental ? [(settings: MetadataSettings) => without(settings, "experimental")] : []),
    ...(!isExperimental && atLeast(version, SOLC_SINCE.experimental)
      ? [(settings: MetadataSettings) => ({ ...settings, experimental: true })]
      : []),
    ...(Object.keys(own.libraries ?? {}).length > 0
      ? [(settings: MetadataSettings) => ({ ...settings, libraries: {} })]
      : []),
    ...((own.remappings ?? []).length > 0
      ? [(settings: MetadataSettings) => ({ ...settings, remappings: [] })]
      : []),
  ];
}

function without<T extends object>(whole: T, key: keyof T): T {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => name !== key)) as T;
}

function differencesOf(
  local: CompilerMetadata,
  compilerVersion: string,
  settings: MetadataSettings,
  isLiteral: boolean,
): ProvenDifference[] {
  const differences: ProvenDifference[] = [];
  if (compilerVersion !== local.compilerVersion)
    differences.push({ kind: "compiler", local: local.compilerVersion, deployed: compilerVersion });
  const compare = (
    setting: Extract<ProvenDifference, { kind: "setting" }>["setting"],
    one: unknown,
    other: unknown,
  ) => {
    const [before, after] = [settingValueInWords(one), settingValueInWords(other)];
    if (before !== after)
      differences.push({ kind: "setting", setting, local: before, deployed: after, settings });
  };
  const [before, after] = [local.settings, settings];
  compare("optimizer", isOn(before), isOn(after));
  if (isOn(after) && isOn(before)) compare("runs", before.optimizer?.runs, after.optimizer?.runs);
  compare(
    "details",
    detailsInWords(local.compilerVersion, before.optimizer?.details),
    detailsInWords(compilerVersion, after.optimizer?.details),
  );
  compare("debug", before["debug"], after["debug"]);
  compare(
    "evmVersion",
    before.evmVersion ?? solcCode.defaultEvmVersion(local.compilerVersion),
    after.evmVersion ?? solcCode.defaultEvmVersion(compilerVersion),
  );
  compare("viaIR", before.viaIR === true, after.viaIR === true);
  compare("metadata", before.metadata, after.metadata);
  if (
    isLiteral !== holdsSources(local) &&
    !differences.some((one) => "setting" in one && one.setting === "metadata")
  )
    differences.push({
      kind: "setting",
      setting: "metadata",
      local: settingValueInWords({ useLiteralContent: !isLiteral }),
      deployed: settingValueInWords({ useLiteralContent: isLiteral }),
      settings: { ...settings, metadata: { ...settings.metadata, useLiteralContent: isLiteral } },
    });
  compare("experimental", before["experimental"] === true, after["experimental"] === true);
  compare("libraries", before.libraries, after.libraries);
  compare("remappings", before.remappings, after.remappings);
  return differences;
}

/** Whether the optimizer is on: of one whose parts were switched, metadata names these instead. */
function isOn({ optimizer }: MetadataSettings): boolean {
  return optimizer?.enabled === true || optimizer?.details !== undefined;
}
