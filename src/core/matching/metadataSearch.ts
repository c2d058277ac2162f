import { bytesToHex } from "@noble/hashes/utils.js";
import { codeBytes } from "../evm/hex.ts";
import { ipfsMultihash } from "../evm/ipfsHash.ts";
import type { MetadataHash } from "../evm/metadataTrailer.ts";
import { swarmHash0, swarmHash1 } from "../evm/swarmHash.ts";
import { defaultEvmVersion, evmVersions } from "../evm/evmVersion.ts";
import { solcReleases } from "../languages/solidity/solcReleases.ts";
import {
  readMetadata,
  withMembers,
  type CompilerMetadata,
  type MetadataSettings,
  type MetadataSource,
} from "./compilerMetadata.ts";
import { inServiceOrder, serviceTries } from "./serviceVariations.ts";
import { asAddresses, asLiteral, sourceVariants, withContent, type SourceVariant } from "./sourceVariants.ts";
import { ownValue } from "../json/ownValue.ts";
import { atOnce, type Pieces } from "../concurrency/turns.ts";
import { compareVersions } from "../versions.ts";

/** Numbers of runs that projects really use, the commonest first. */
export const commonRuns: readonly number[] = [
  200, 1_000_000, 999_999, 10_000, 1_000, 20_000, 800, 100, 1, 0, 500, 2_000, 5_000, 100_000, 99_999,
  9_999_999, 10_000_000, 4_294_967_295, 400, 300, 50, 10, 2, 1_337, 9_999, 50_000, 4_444, 44_444_444, 30_000,
  3_000, 1_500, 15_000, 200_000, 500_000, 2_000_000, 5_000_000, 100_000_000, 2_147_483_647, 999, 600, 250,
  150, 20, 5, 25_000, 40_000, 99, 199, 888, 777, 1_111, 5_555, 7_777, 69, 420, 4_200, 6_000, 7_000, 8_000,
  4_000,
];

/** A build that the deployed fingerprint proves, told by what differs from the local one. */
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
  bzzr1: 2 * 1024 * 1024,
};
/** Files up to which every combination of line endings is tried. */
const MAX_COMBINED_FILES = 9;

/** The fingerprint of metadata in the given kind, hex without `0x`. */
export function fingerprint(metadata: string, kind: MetadataHash["kind"]): string {
  const bytes = new TextEncoder().encode(metadata);
  return bytesToHex(
    kind === "ipfs" ? ipfsMultihash(bytes) : kind === "bzzr1" ? swarmHash1(bytes) : swarmHash0(bytes),
  );
}

/**
 * Finds the build whose metadata has the deployed fingerprint: the local metadata itself, or with other settings,
 * another compiler, other line endings. No compiler is needed, since metadata holds the settings and the hashes
 * of the sources, and what else it holds does not depend on them. What is found is proven; what is not found
 * may still be any edit.
 *
 * @param metadata the local build's metadata, byte for byte
 * @param sources the contents of the local files by source unit name; may be incomplete
 * @param compilerVersion the deployed code's own, where its trailer says it
 */
export function findProvenBuild(
  deployed: MetadataHash,
  metadata: string,
  sources: Readonly<Record<string, string>>,
  compilerVersion?: string,
): ProvenBuild | undefined {
  return atOnce(findProvenBuildInPieces(deployed, metadata, sources, compilerVersion));
}

/** The same as {@link findProvenBuild}, in pieces. */
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
  return (
    (yield* sourceChanges(search, metadata, local, sources)) ??
    (yield* settingChanges(search, metadata, local, sources, compilerVersion))
  );
}

class Search {
  readonly #deployed: MetadataHash;
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

  matches(metadata: string): boolean {
    this.#left -= metadata.length;
    return this.#left > 0 && fingerprint(metadata, this.#deployed.kind) === this.#deployed.digest;
  }
}

/** The description of contents that are not the recorded ones but those of now. */
export const AS_ON_DISK = "as on disk now";

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

function* sourceChanges(
  search: Search,
  metadata: string,
  local: CompilerMetadata,
  sources: Readonly<Record<string, string>>,
): Pieces<ProvenBuild | undefined> {
  const names = Object.keys(local.sources).filter((name) => Object.hasOwn(sources, name));
  const tried = new Set<string>();
  const attempt = (chosen: readonly (readonly [string, SourceVariant])[]): ProvenBuild | undefined => {
    const contents = new Map<string, string>();
    const changes = new Map<string, MetadataSource>();
    for (const [name, variant] of chosen) {
      const [source, content] = [ownValue(local.sources, name), ownValue(sources, name)];
      if (!source || content === undefined) continue;
      const changed = variant.apply(content);
      const entry = withContent(source, changed);
      if (entry.keccak256 === source.keccak256) continue;
      contents.set(name, changed);
      changes.set(name, entry);
    }
    const files = [...contents.keys()];
    const key = files.map((name) => `${name}=${changes.get(name)?.keccak256 ?? ""}`).join();
    if (files.length === 0 || tried.has(key)) return undefined;
    tried.add(key);
    const entries = Object.fromEntries([...Object.entries(local.sources), ...changes]);
    if (!search.matches(withMembers(metadata, { sources: entries }))) return undefined;
    const variants = new Set(chosen.filter(([name]) => contents.has(name)).map(([, variant]) => variant));
    const [variant] = variants;
    return {
      differences: [
        {
          kind: "file",
          files,
          description: variants.size === 1 && variant ? variant.description : "with other line endings",
          contents: Object.fromEntries(contents),
        },
      ],
      isFoundByService: chosen.length === names.length && variant === asOnDisk,
    };
  };
  const found =
    attempt(names.map((name) => [name, asOnDisk])) ??
    (yield* triedByService(search, metadata, local, sources));
  if (found) return found;
  for (const variant of sourceVariants) {
    yield;
    const found = attempt(names.map((name) => [name, variant]));
    if (found) return found;
  }
  for (const name of names)
    for (const variant of [asOnDisk, ...sourceVariants]) {
      if (search.isOver) return undefined;
      yield;
      const found = attempt([[name, variant]]);
      if (found) return found;
    }
  const [unix, windows] = sourceVariants;
  if (names.length > MAX_COMBINED_FILES || !unix || !windows) return undefined;
  for (let bits = 1; bits < 2 ** names.length; bits++) {
    if (search.isOver) return undefined;
    yield;
    const found = attempt(names.map((name, at) => [name, (bits >> at) & 1 ? windows : unix]));
    if (found) return found;
  }
  return undefined;
}

function* settingChanges(
  search: Search,
  metadata: string,
  local: CompilerMetadata,
  sources: Readonly<Record<string, string>>,
  compilerVersion: string | undefined,
): Pieces<ProvenBuild | undefined> {
  const compilers = compilerCandidates(local.compilerVersion, compilerVersion, search.kind);
  for (const changed of candidates(local, compilers, search.kind)) {
    if (search.isOver) return undefined;
    yield;
    const { version, settings } = changed;
    const literal = literalSources(local, changed, sources);
    const whole = { compilerVersion: version, settings, ...(literal && { sources: literal }) };
    if (!search.matches(withMembers(metadata, whole))) continue;
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
const MOST_DIFFERENCES = 4;

/**
 * Builds that differ from the local one, those with the fewest differences first. The kind of the hash is no question,
 * since the deployed code shows it.
 */
function* candidates(
  local: CompilerMetadata,
  compilers: readonly string[],
  kind: MetadataHash["kind"],
): Generator<Candidate> {
  const isLiteral = holdsSources(local);
  for (let differences = 0; differences <= MOST_DIFFERENCES; differences++)
    for (const version of compilers) {
      const own = withHashKind(withDefaultEvm(local, version), kind);
      yield* changedSettings(version, own, differences, isLiteral);
      if (differences === 0) continue;
      // In the metadata's settings it stands since 0.5.
      const other = isLiteral
        ? withoutLiteral(own)
        : { ...own, metadata: { ...own.metadata, useLiteralContent: true } };
      const isSaid = compareVersions(version, LITERAL_SAID_SINCE) >= 0;
      yield* changedSettings(version, isSaid ? other : own, differences - 1, !isLiteral);
    }
}

/** The release since which metadata says that it holds the sources, besides holding them. */
const LITERAL_SAID_SINCE = "0.5.0";

function holdsSources({ sources }: CompilerMetadata): boolean {
  return Object.values(sources).some(({ content }) => content !== undefined);
}

function withoutLiteral(settings: MetadataSettings): MetadataSettings {
  const metadata = without(settings.metadata ?? {}, "useLiteralContent");
  return Object.keys(metadata).length > 0 ? { ...settings, metadata } : without(settings, "metadata");
}

/** The settings with the EVM version that another compiler has by default, where the local one is the default, too. */
function withDefaultEvm({ settings, compilerVersion }: CompilerMetadata, version: string): MetadataSettings {
  const isDefault = settings.evmVersion === defaultEvmVersion("Solidity", compilerVersion);
  return isDefault ? { ...settings, evmVersion: defaultEvmVersion("Solidity", version) } : settings;
}

function* changedSettings(
  version: string,
  own: MetadataSettings,
  differences: number,
  isLiteral: boolean,
): Generator<Candidate> {
  const ways = [
    optimizerCandidates(own, version),
    evmCandidates(own, version),
    pipelineCandidates(own),
    outerCandidates(own, version),
  ];
  const chosen = function* (settings: MetadataSettings, from: number, left: number): Generator<Candidate> {
    if (left === 0) yield { version, settings, isLiteral };
    else
      for (let at = from; at + left <= ways.length; at++)
        for (const change of ways[at] ?? []) yield* chosen(change(settings), at + 1, left - 1);
  };
  yield* chosen(own, 0, differences);
}

/** What is different in a candidate. */
type Change = (settings: MetadataSettings) => MetadataSettings;

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
        : asAddresses(source, ownValue(sources, name), compareVersions(version, "0.5.10") < 0),
    ]),
  );
}

/** The compilers that the deployed code may be of; from 0.5.9 on it says which one. */
function compilerCandidates(
  local: string,
  deployed: string | undefined,
  kind: MetadataHash["kind"],
): readonly string[] {
  if (deployed === undefined && kind === "bzzr0" && compareVersions(local, "0.5.9") < 0) {
    const unnamed = solcReleases.filter(
      (one) => compareVersions(one, "0.4.7") >= 0 && compareVersions(one, "0.5.9") < 0,
    );
    return [local, ...unnamed.filter((one) => one !== local).toReversed()];
  }
  if (!deployed || local.startsWith(`${deployed}+`)) return [local];
  return solcReleases.filter((release) => release.startsWith(`${deployed}+`));
}

/** The parts of the optimizer by the release that brought them, as metadata writes them when one is switched. */
const OPTIMIZER_PARTS: readonly (readonly [name: string, since: string])[] = [
  ["constantOptimizer", "0.6.0"],
  ["cse", "0.6.0"],
  ["deduplicate", "0.6.0"],
  ["inliner", "0.8.2"],
  ["jumpdestRemover", "0.6.0"],
  ["orderLiterals", "0.6.0"],
  ["peephole", "0.6.0"],
  ["simpleCounterForLoopUncheckedIncrement", "0.8.22"],
];

/** Without the Yul optimizer there are no steps of it, which no other part leaves known. */
function withoutYul(version: string): Record<string, boolean> {
  const on = OPTIMIZER_PARTS.filter(([, since]) => compareVersions(version, since) >= 0);
  return { ...Object.fromEntries(on.map(([name]) => [name, true])), yul: false };
}

function optimizerCandidates({ optimizer = {} }: MetadataSettings, version: string): Change[] {
  const runs = [...new Set([optimizer.runs ?? 200, ...commonRuns])];
  const plain = [optimizer.enabled ?? true, optimizer.enabled === false].flatMap((enabled) =>
    runs
      .filter((one) => enabled !== optimizer.enabled || one !== optimizer.runs)
      .map((one) => (settings: MetadataSettings) => ({
        ...settings,
        optimizer: { ...without(optimizer, "details"), enabled, runs: one },
      })),
  );
  const otherRuns = optimizer.details
    ? runs.map((one) => (settings: MetadataSettings) => ({
        ...settings,
        optimizer: { ...optimizer, runs: one },
      }))
    : [];
  const details =
    optimizer.enabled === true && compareVersions(version, "0.6.0") >= 0
      ? [
          (settings: MetadataSettings) => ({
            ...settings,
            optimizer: { details: withoutYul(version), runs: optimizer.runs ?? 200 },
          }),
        ]
      : [];
  return [...details, ...plain, ...otherRuns];
}

function evmCandidates({ evmVersion }: MetadataSettings, version: string): Change[] {
  if (evmVersion === undefined) return [];
  const newest =
    compareVersions(version, "0.8.31") >= 0 ? 14 : compareVersions(version, "0.8.24") >= 0 ? 13 : 11;
  return evmVersions
    .slice(3, newest)
    .filter((name) => name !== evmVersion)
    .reverse()
    .map((name) => (settings) => ({ ...settings, evmVersion: name }));
}

function pipelineCandidates({ viaIR }: MetadataSettings): Change[] {
  return [(settings) => (viaIR ? without(settings, "viaIR") : { ...settings, viaIR: true })];
}

const REVERT_STRINGS = ["default", "strip", "debug"];

/** Settings that change nothing but the metadata, and what becomes of the reasons of reverts. */
function outerCandidates(own: MetadataSettings, version: string): Change[] {
  const revertStrings = (own["debug"] as { revertStrings?: unknown } | undefined)?.revertStrings ?? "default";
  const isExperimental = own["experimental"] === true;
  return [
    ...REVERT_STRINGS.filter((one) => one !== revertStrings && compareVersions(version, "0.6.2") >= 0).map(
      (one) => (settings: MetadataSettings) =>
        one === "default" ? without(settings, "debug") : { ...settings, debug: { revertStrings: one } },
    ),
    ...(isExperimental ? [(settings: MetadataSettings) => without(settings, "experimental")] : []),
    ...(!isExperimental && compareVersions(version, "0.8.35") >= 0
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
    const [before, after] = [text(one), text(other)];
    if (before !== after)
      differences.push({ kind: "setting", setting, local: before, deployed: after, settings });
  };
  const [before, after] = [local.settings, settings];
  compare("optimizer", isOn(before), isOn(after));
  if (isOn(after) && isOn(before)) compare("runs", before.optimizer?.runs, after.optimizer?.runs);
  compare("details", before.optimizer?.details, after.optimizer?.details);
  compare("debug", before["debug"], after["debug"]);
  compare("evmVersion", before.evmVersion, after.evmVersion);
  compare("viaIR", before.viaIR === true, after.viaIR === true);
  compare("metadata", before.metadata, after.metadata);
  if (
    isLiteral !== holdsSources(local) &&
    !differences.some((one) => "setting" in one && one.setting === "metadata")
  )
    compare("metadata", { useLiteralContent: !isLiteral }, { useLiteralContent: isLiteral });
  compare("experimental", before["experimental"] === true, after["experimental"] === true);
  compare("libraries", before.libraries, after.libraries);
  compare("remappings", before.remappings, after.remappings);
  return differences;
}

/** Whether the optimizer is on: of one whose parts were switched, metadata names these instead. */
function isOn({ optimizer }: MetadataSettings): boolean {
  return optimizer?.enabled === true || optimizer?.details !== undefined;
}

/** A setting as a sentence has it: "on", "ipfs", "bytecodeHash ipfs, useLiteralContent on". */
function text(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(text).join(", ");
  if (typeof value !== "object" || value === null)
    return value === undefined ? "none" : JSON.stringify(value);
  const parts = Object.entries(value).map(([name, member]) => `${name} ${text(member)}`);
  return parts.length === 0 ? "none" : parts.join(", ");
}
