import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import type { CauseCode } from "../../../src/core/matching/explanation.ts";
import type { Random } from "../../unit/random.ts";
import type { Build } from "./mismatchCase.ts";
import type { RegistryContract } from "./registryContracts.ts";
import { importsOf } from "./registrySources.ts";
import {
  addedCheck,
  addedComment,
  addedFunction,
  changedComparison,
  changedConstant,
  changedConstructor,
  changedLicence,
  changedLineEnds,
  changedMessage,
  changedWhitespace,
  mixedLineEnds,
  movedFunction,
  renamedEvent,
  renamedFunction,
  type SourceEdit,
} from "./sourceEdits.ts";

/** Something that was done differently when the contract was deployed, or when it was submitted. */
export interface Difference {
  readonly kind: string;
  /** What an explanation may call it. */
  readonly causes: readonly CauseCode[];
  /**
   * Whether trying out settings can prove it where the metadata is on record; it can't for what has no end, such as
   * texts and paths.
   */
  readonly isProvable: boolean;
  /** How often it is drawn, against the others. */
  readonly weight: number;
  /** The other build; `undefined` where there can be none. */
  apply(build: Build, contract: RegistryContract, random: Random): Build | undefined;
}

/** Numbers of runs that people set. */
const RUNS = [
  1, 10, 100, 200, 500, 800, 1_000, 4_444, 10_000, 20_000, 999_999, 1_000_000, 10_000_000, 4_294_967_295,
];

/** Steps of an own Yul optimizer sequence. */
const STEPS = "dhfoDgvulfnTUtnIf";

/** The number of a short version, for comparing. */
function ordinal(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return major * 1_000_000 + minor * 1_000 + patch;
}

/** Whether a version is another one or newer. */
export function isFrom(version: string, first: string): boolean {
  return ordinal(version) >= ordinal(first);
}

/** The EVM versions that people set for a compiler, which is never its default. */
function evmVersions(version: string): readonly string[] {
  const table: readonly (readonly [first: string, ...names: string[]])[] = [
    ["0.8.31", "prague", "cancun", "shanghai", "paris"],
    ["0.8.30", "cancun", "shanghai", "paris"],
    ["0.8.25", "shanghai", "paris", "london"],
    ["0.8.20", "paris", "london", "istanbul"],
    ["0.8.18", "london", "istanbul"],
    ["0.8.7", "berlin", "istanbul", "byzantium"],
    ["0.8.5", "istanbul", "byzantium"],
    ["0.5.14", "petersburg", "byzantium", "homestead"],
    ["0.5.5", "constantinople", "byzantium", "homestead"],
    ["0.4.21", "constantinople", "homestead", "spuriousDragon"],
  ];
  return table.find(([first]) => isFrom(version, first))?.slice(1) ?? [];
}

/** A build with settings laid over its own. */
export function withSettings(build: Build, settings: CompilerSettings): Build {
  return { ...build, settings: { ...build.settings, ...settings } };
}

/** A choice, or none where there is nothing to choose from. */
function chosen<T>(random: Random, choices: readonly T[]): T | undefined {
  return choices[random.below(choices.length)];
}

/** Every difference of a compilation; what is at the address, and which contract is submitted, are cases of their own. */
export const DIFFERENCES: readonly Difference[] = [
  edit("changed constant", 3, changedConstant),
  edit("changed comparison", 2, changedComparison),
  edit("added check", 2, addedCheck),
  edit("changed message", 1, changedMessage),
  edit("added function", 2, addedFunction),
  edit("renamed function", 3, renamedFunction),
  edit("renamed event", 1, renamedEvent),
  edit("moved function", 1, movedFunction),
  edit("changed constructor", 1, changedConstructor),
  edit("added comment", 2, addedComment),
  edit("changed whitespace", 1, changedWhitespace),
  edit("line ends", 1, changedLineEnds),
  edit("mixed line ends", 1, mixedLineEnds),
  edit("changed licence", 1, changedLicence),
  {
    kind: "patch version",
    causes: ["compiler_version"],
    isProvable: true,
    weight: 5,
    apply(build, { versions }, random) {
      const at = versions.indexOf(build.version);
      const version = chosen(
        random,
        [versions[at - 1], versions[at + 1]].filter((one) => one !== undefined),
      );
      return version === undefined ? undefined : fitting({ ...build, version });
    },
  },
  {
    kind: "distant version",
    causes: ["compiler_version"],
    isProvable: true,
    weight: 5,
    apply(build, { versions }, random) {
      const version = chosen(
        random,
        versions.filter((one) => one !== build.version),
      );
      return version === undefined ? undefined : fitting({ ...build, version });
    },
  },
  {
    kind: "optimizer off",
    causes: ["optimizer"],
    isProvable: true,
    weight: 5,
    apply(build) {
      const { optimizer, viaIR } = build.settings ?? {};
      // Without the optimizer the IR pipeline runs out of stack slots.
      if (!optimizer?.enabled || viaIR === true) return undefined;
      return withSettings(build, { optimizer: { ...optimizer, enabled: false } });
    },
  },
  {
    kind: "runs",
    causes: ["optimizer_runs"],
    isProvable: true,
    weight: 9,
    apply(build, _contract, random) {
      const { optimizer } = build.settings ?? {};
      if (!optimizer?.enabled) return undefined;
      const runs = chosen(
        random,
        RUNS.filter((one) => one !== optimizer.runs),
      );
      return withSettings(build, { optimizer: { ...optimizer, ...(runs !== undefined && { runs }) } });
    },
  },
  {
    kind: "evm version",
    causes: ["evm_version"],
    isProvable: true,
    weight: 6,
    apply(build, { library }, random) {
      const evmVersion = chosen(
        random,
        evmVersions(build.version).filter((one) => one !== build.settings?.evmVersion),
      );
      // These use `chainid`, `extcodehash` or transient storage.
      if (evmVersion === undefined || /v4-core|account-abstraction/.test(library)) return undefined;
      return withSettings(build, { evmVersion });
    },
  },
  {
    kind: "via IR",
    causes: ["via_ir"],
    isProvable: true,
    weight: 4,
    apply(build, { isSmall }) {
      const { optimizer, viaIR } = build.settings ?? {};
      if (!isSmall || !optimizer?.enabled || viaIR === true || !isFrom(build.version, "0.8.13"))
        return undefined;
      return withSettings(build, { viaIR: true });
    },
  },
  metadata("no metadata hash", "0.6.0", { bytecodeHash: "none" }, 3),
  metadata("swarm hash", "0.6.0", { bytecodeHash: "bzzr1" }, 2),
  metadata("no metadata", "0.8.18", { appendCBOR: false }, 3),
  metadata("literal content", "0.4.11", { useLiteralContent: true }, 2),
  optimizerDetails("Yul optimizer off", "0.6.0", { yul: false }),
  optimizerDetails("inliner off", "0.8.4", { inliner: false }),
  optimizerDetails("own optimizer steps", "0.8.4", { yul: true, yulDetails: { optimizerSteps: STEPS } }),
  optimizerDetails("deduplication off", "0.6.0", { deduplicate: false }),
  {
    kind: "revert strings",
    // Codes without texts may come from sources without them.
    causes: ["metadata_settings", "edited_source"],
    isProvable: true,
    weight: 2,
    apply(build, _contract, random) {
      if (!isFrom(build.version, "0.6.6")) return undefined;
      // "debug" needs more stack than large contracts leave.
      return withSettings(build, { debug: { revertStrings: random.next() < 0.8 ? "strip" : "debug" } });
    },
  },
  {
    kind: "remappings",
    causes: ["metadata_settings", "edited_source"],
    isProvable: false,
    weight: 1,
    apply: (build) => withSettings(build, { remappings: ["forge-std/=lib/forge-std/src/"] }),
  },
  {
    kind: "moved file",
    causes: ["metadata_settings", "edited_source"],
    isProvable: false,
    weight: 1,
    apply(build, { file }) {
      const { [file]: content, ...others } = build.sources;
      if (content === undefined || importsOf(content).some((name) => name.startsWith("."))) return undefined;
      return { ...build, sources: { ...others, [`project/${file}`]: content } };
    },
  },
];

function edit(kind: string, weight: number, change: SourceEdit): Difference {
  return {
    kind,
    causes: ["edited_source"],
    isProvable: false,
    weight,
    apply(build, { file, contract }) {
      const source = build.sources[file];
      const changed = source === undefined ? undefined : change(source, contract);
      if (changed === undefined || changed === source) return undefined;
      return { ...build, sources: { ...build.sources, [file]: changed } };
    },
  };
}

function metadata(
  kind: string,
  first: string,
  settings: Readonly<Record<string, unknown>>,
  weight: number,
): Difference {
  return {
    kind,
    causes: ["metadata_settings"],
    isProvable: true,
    weight,
    apply: (build) =>
      isFrom(build.version, first) && build.settings?.["metadata"] === undefined
        ? withSettings(build, { metadata: settings })
        : undefined,
  };
}

function optimizerDetails(
  kind: string,
  first: string,
  details: Readonly<Record<string, unknown>>,
): Difference {
  return {
    kind,
    causes: ["optimizer"],
    isProvable: true,
    weight: 1,
    apply(build) {
      const { optimizer, viaIR } = build.settings ?? {};
      if (!optimizer?.enabled || viaIR === true || !isFrom(build.version, first)) return undefined;
      // Details replace what `enabled` stands for, so that they name what it means.
      const whole = {
        ...{ peephole: true, jumpdestRemover: true, orderLiterals: true, deduplicate: true, cse: true },
        ...{ constantOptimizer: true, ...(isFrom(build.version, "0.6.0") && { yul: true }) },
        ...(isFrom(build.version, "0.8.2") && { inliner: true }),
        ...details,
      };
      return withSettings(build, { optimizer: { ...optimizer, details: whole } });
    },
  };
}

/** A build without the settings that its compiler does not have. */
function fitting(build: Build): Build | undefined {
  const { settings = {}, version } = build;
  if (settings["viaIR"] === true && !isFrom(version, "0.8.13")) return undefined;
  const { evmVersion } = settings;
  if (evmVersion !== undefined && !evmVersions(version).includes(evmVersion)) return undefined;
  const { bytecodeHash, appendCBOR } = (settings["metadata"] ?? {}) as Readonly<Record<string, unknown>>;
  if (appendCBOR !== undefined && !isFrom(version, "0.8.18")) return undefined;
  if (bytecodeHash !== undefined && !isFrom(version, "0.6.0")) return undefined;
  return build;
}
