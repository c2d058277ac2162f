import { randomFrom, type Random } from "../../unit/random.ts";
import type { CauseCode } from "../../../src/core/matching/explanation.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { DIFFERENCES, isFrom, withSettings, type Difference } from "./differences.ts";
import type { Build, MismatchCase } from "./mismatchCase.ts";
import type { RegistryContract } from "./registryContracts.ts";

/** What the explanation knows beside the codes: nothing, the selectors of local builds, their code, their metadata. */
export type LocalKnowledge = "nothing" | "selectors" | "code" | "record";

/** A case made of a registry's contract. */
export interface RegistryCase extends MismatchCase {
  /** Repeats the case alone. */
  readonly id: string;
  readonly library: string;
  readonly version: string;
  /** What differs, in words, and what an explanation may call each. */
  readonly differences: readonly RegistryDifference[];
  readonly knowledge: LocalKnowledge;
  /** Kept apart until everything else holds. */
  readonly isHeldOut: boolean;
  /** The causes are as given: they don't follow from a comparison of the two builds. */
  readonly isGiven?: boolean;
  /** The compiler of what stands in front of the deployed contract. */
  readonly proxyVersion?: string;
}

/** What differs, and the build that differs in it alone. */
export interface RegistryDifference {
  readonly kind: string;
  readonly causes: readonly CauseCode[];
  readonly isProvable: boolean;
  /** The submitted build with this done as in the deployed one, and the deployed build with this as in the submitted. */
  readonly alone?: { readonly ofSubmitted: Build; readonly ofDeployed: Build };
}

/** The share of the cases that is held out. */
const HELD_OUT = 0.2;

/** Cases of a contract: the newer the compiler, the longer it takes. */
const CASES_OF = { old: 5, new: 3, large: 2 };

/** Contracts that are used in two versions. */
const SECOND_VERSION = 0.15;

/** Random numbers for a part of the cases, so that each part stays as it is when another one changes. */
export function partOf(seed: number, part: number): Random {
  return randomFrom((Math.imul(seed ^ (part + 1), 0x9e3779b1) ^ (part << 7)) >>> 0);
}

/** The cases of which deployed and submitted differ in a compilation, in one thing or in two. */
export function compilationCases(contracts: readonly RegistryContract[], seed: number): RegistryCase[] {
  return contracts.flatMap((contract, at) => {
    const random = partOf(seed, at);
    const groups = !contract.isLarge && random.next() < SECOND_VERSION ? 2 : 1;
    return Array.from({ length: groups }, (_, group) =>
      casesOf(contract, partOf(seed, 1_000 * (group + 1) + at), `${at}${"ab"[group] ?? ""}`),
    ).flat();
  });
}

function casesOf(contract: RegistryContract, random: Random, name: string): RegistryCase[] {
  const base = baseBuild(contract, random);
  const cases: RegistryCase[] = [];
  const isNew = contract.versions.every((one) => isFrom(one, "0.8.0"));
  const wanted = contract.isLarge ? CASES_OF.large : isNew ? CASES_OF.new : CASES_OF.old;
  const used = new Set<string>();
  for (let tries = 0; cases.length < wanted && tries < 40; tries++) {
    const isPair = random.next() < 0.25;
    const first = drawDifference(random);
    const other = first.apply(base, contract, random);
    if (!other) continue;
    const second = isPair ? drawDifference(random) : undefined;
    if (second?.causes.some((cause) => first.causes.includes(cause))) continue;
    const both = second?.apply(other, contract, random);
    const onlySecond = second && both && onlyOf(base, other, both);
    if (second && !both) continue;
    const kind = [first.kind, ...(second ? [second.kind] : [])].sort().join(" + ");
    if (used.has(kind)) continue;
    used.add(kind);
    const isReversed = random.next() < 0.5;
    const changed = both ?? other;
    const [deployed, submitted] = isReversed ? [changed, base] : [base, changed];
    const differences: RegistryDifference[] = [
      {
        ...first,
        ...(onlySecond && { alone: sides(other, onlySecond, isReversed) }),
      },
      ...(second && onlySecond ? [{ ...second, alone: sides(onlySecond, other, isReversed) }] : []),
    ];
    const knowledge = drawKnowledge(random);
    cases.push({
      id: `${name}.${cases.length}`,
      name: `${name}.${cases.length} · ${contract.library} ${contract.contract} · ${described(base)} · ${kind} (${isReversed ? "deployed" : "submitted"}) · ${knowledge}`,
      library: contract.library,
      version: base.version,
      causes: differences.flatMap(({ causes }) => causes),
      differences,
      deployed,
      submitted,
      constructorArguments: contract.constructorArguments,
      knowledge,
      isHeldOut: random.next() < HELD_OUT,
      ...localKnowledge(knowledge, [submitted]),
    });
  }
  return cases;
}

/**
 * Which of the two builds between base and both is the deployed one with the difference as submitted, and which the
 * submitted one with it as deployed. `alone` differs from the base in this alone.
 */
function sides(alone: Build, without: Build, isReversed: boolean): { ofSubmitted: Build; ofDeployed: Build } {
  return isReversed
    ? { ofSubmitted: alone, ofDeployed: without }
    : { ofSubmitted: without, ofDeployed: alone };
}

/** The base with what `both` has beyond `first`. */
function onlyOf(base: Build, first: Build, both: Build): Build {
  const sources = Object.fromEntries(
    Object.entries(both.sources).filter(([name, content]) => first.sources[name] !== content),
  );
  const isMoved = Object.keys(both.sources).some((name) => !(name in first.sources));
  const settings: Record<string, unknown> = { ...base.settings };
  const keys = new Set([...Object.keys(first.settings ?? {}), ...Object.keys(both.settings ?? {})]);
  for (const key of keys)
    if (JSON.stringify(first.settings?.[key]) !== JSON.stringify(both.settings?.[key]))
      settings[key] = both.settings?.[key];
  const kept = isMoved
    ? Object.fromEntries(Object.entries(base.sources).filter(([name]) => name in both.sources))
    : base.sources;
  return {
    ...base,
    version: both.version === first.version ? base.version : both.version,
    sources: { ...kept, ...sources },
    settings,
  };
}

function drawDifference(random: Random): Difference {
  const tickets = DIFFERENCES.flatMap((one) => Array.from({ length: one.weight }, () => one));
  return random.oneOf(tickets);
}

function drawKnowledge(random: Random): LocalKnowledge {
  return random.pick(["nothing", "nothing", "selectors", "code", "record", "record"]);
}

/** What a case gives to the explanation. */
export function localKnowledge(
  knowledge: LocalKnowledge,
  workspace: readonly Build[],
): Pick<MismatchCase, "workspace" | "hasLocalCode" | "hasBuildRecord"> {
  return {
    ...(knowledge !== "nothing" && { workspace }),
    ...((knowledge === "code" || knowledge === "record") && { hasLocalCode: true }),
    ...(knowledge === "record" && { hasBuildRecord: true }),
  };
}

/** A compilation of a contract, with settings that people have. */
export function baseBuild(contract: RegistryContract, random: Random): Build {
  const version = random.oneOf(contract.versions);
  let build: Build = { sources: contract.sources, contract: contract.contract, version };
  const runs = random.pick([200, 200, 200, 1, 1_000, 10_000, 999_999, 4_294_967_295]);
  const isOptimized = contract.isLarge || random.next() < 0.75;
  const settings: CompilerSettings = isOptimized ? { optimizer: { enabled: true, runs } } : {};
  build = withSettings(build, settings);
  if (
    isOptimized &&
    !contract.isLarge &&
    isFrom(version, "0.8.20") &&
    random.next() < 0.15 &&
    contract.isSmall
  )
    build = withSettings(build, { viaIR: true });
  if (isFrom(version, "0.6.0") && random.next() < 0.1)
    build = withSettings(build, { metadata: { bytecodeHash: "none" } });
  return build;
}

/** Every build that has to do with a case. */
export function buildsOf({ deployed, submitted, differences, workspace = [] }: RegistryCase): Build[] {
  const between = differences.flatMap(({ alone }) => (alone ? [alone.ofDeployed, alone.ofSubmitted] : []));
  return [deployed, submitted, ...between, ...workspace];
}

/** A build's compiler and settings in one line. */
export function described({ version, settings = {} }: Build): string {
  const { optimizer, ...others } = settings;
  const rest = Object.entries(others).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [version, optimizer?.enabled ? `runs ${optimizer.runs ?? 200}` : "not optimized", ...rest].join(
    ", ",
  );
}
