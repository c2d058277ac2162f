import { randomBytes } from "node:crypto";
import { optimizerDetails, switchedDetails } from "../../../src/core/matching/optimizerDetails.ts";
import { evmVersions, evmVersionsOf } from "../../../src/core/evm/evmVersion.ts";
import type { SettingChanges } from "../../../src/core/matching/explanation.ts";
import { withChanges, type Submittable } from "../../../src/core/matching/resubmission.ts";
import { commonRuns } from "../../../src/core/matching/metadataSearch.ts";
import { completeSolcVersion } from "../../../src/core/languages/solidity/solcReleases.ts";
import { withTakenSettings } from "../../../src/core/settingsSearch/takenSettings.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { atLeast } from "../../../src/core/versions.ts";
import type { RegistryContract } from "../../sandbox/mismatches/registryContracts.ts";
import type { Random } from "../../unit/random.ts";

/** What was deployed and what a person has, which differ in one to three settings. */
export interface SettingsCase {
  /** As a line of the report. */
  readonly name: string;
  readonly deployed: Submittable;
  readonly given: Submittable;
  readonly changed: readonly string[];
  /** The sources at hand have another comment, so that no metadata hash tells anything. */
  readonly isCommented: boolean;
}

/** The contracts that the cases are made of: small to middle ones of ten libraries, by library and name. */
export const SEARCHED_CONTRACTS: readonly (readonly [library: string, contract: string])[] = [
  ["zeppelin-solidity 1.3", "MintableToken"],
  ["zeppelin-solidity 1.12", "RBACMintableToken"],
  ["openzeppelin-solidity 2.3", "ERC20Burnable"],
  ["@openzeppelin/contracts 2.5", "PaymentSplitter"],
  ["@openzeppelin/contracts 3.4", "ERC20"],
  ["@uniswap/v3-core 1.0", "PricePool"],
  ["@openzeppelin/contracts 4.9", "PaymentSplitter"],
  ["@openzeppelin/contracts 4.9", "ERC20"],
  ["@openzeppelin/contracts 5.0", "VestingWallet"],
  ["@openzeppelin/contracts 5.7", "CoopToken"],
  ["@safe-global/safe-contracts 1.4", "SafeProxyFactory"],
  ["solmate 6.8", "PlainToken"],
  ["erc721a 4.3", "Postcards"],
  ["@chainlink/contracts 1.5", "CronUpkeepDelegate"],
];

/** One way in which a build may differ from another; `undefined` where its release knows nothing of it. */
type Draw = (random: Random, build: Submittable, contract: RegistryContract) => Submittable | undefined;

const settingsOf = ({ stdJsonInput }: Submittable): CompilerSettings => stdJsonInput.settings;
const withSettings = (build: Submittable, settings: SettingChanges) => withChanges(build, { settings });

/** Numbers of runs as projects have them: a usual one, or any. */
function drawRuns(random: Random): number {
  const usual = commonRuns.slice(0, 20);
  return random.below(3) > 0 ? random.oneOf(usual) : Math.round(10 ** (random.next() * 7));
}

const DRAWS: Readonly<Record<string, Draw>> = {
  compiler: (random, build, { versions }) => {
    const others = versions
      .map((one) => completeSolcVersion(one))
      .filter((one) => one !== build.compilerVersion);
    return others.length === 0 ? undefined : { ...build, compilerVersion: random.oneOf(others) };
  },
  optimizer: (random, build) => {
    const enabled = settingsOf(build).optimizer?.enabled !== true;
    return withSettings(build, { optimizer: { enabled, runs: drawRuns(random), details: null } });
  },
  runs: (random, build) => {
    const { enabled, runs } = settingsOf(build).optimizer ?? {};
    const other = drawRuns(random);
    return enabled === true && other !== runs
      ? withSettings(build, { optimizer: { runs: other } })
      : undefined;
  },
  viaIR: (_, build, { isSmall }) =>
    isSmall && atLeast(build.compilerVersion, "0.8.13")
      ? withSettings(build, { viaIR: settingsOf(build)["viaIR"] !== true })
      : undefined,
  evmVersion: (random, build) => {
    const taken = evmVersionsOf(build.compilerVersion);
    // Nothing older than Byzantium is set for a contract of today.
    const usual = taken.filter((one) => evmVersions.indexOf(one) >= evmVersions.indexOf("byzantium"));
    const others = usual.filter((one) => one !== settingsOf(build).evmVersion);
    return others.length === 0 ? undefined : withSettings(build, { evmVersion: random.oneOf(others) });
  },
  metadata: (random, build) => {
    const literal = (settingsOf(build)["metadata"] as { useLiteralContent?: unknown } | undefined)
      ?.useLiteralContent;
    const ways: SettingChanges[] = [
      { useLiteralContent: literal === true ? null : true },
      ...(atLeast(build.compilerVersion, "0.6.0")
        ? [{ bytecodeHash: "none" }, { bytecodeHash: "bzzr1" }]
        : []),
      ...(atLeast(build.compilerVersion, "0.8.18") ? [{ appendCBOR: false, bytecodeHash: "none" }] : []),
    ];
    return withSettings(build, { metadata: random.oneOf(ways) });
  },
  revertStrings: (random, build) =>
    atLeast(build.compilerVersion, "0.6.2")
      ? withSettings(build, { debug: { revertStrings: random.pick(["strip", "debug"]) } })
      : undefined,
  details: (random, build) => {
    const { compilerVersion } = build;
    if (settingsOf(build).optimizer?.enabled !== true || !atLeast(compilerVersion, "0.6.0")) return undefined;
    const ways = optimizerDetails(compilerVersion)
      .map((one) => switchedDetails(compilerVersion, one) as SettingChanges | undefined)
      .filter((one) => one !== undefined && Object.keys(one).length === 1 && !("yulDetails" in one));
    const details = random.oneOf(ways);
    return details && withSettings(build, { optimizer: { details } });
  },
  lineEndings: (_, build) => ({
    ...build,
    stdJsonInput: {
      ...build.stdJsonInput,
      sources: Object.fromEntries(
        Object.entries(build.stdJsonInput.sources).map(([name, { content }]) => [
          name,
          { content: content.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n") },
        ]),
      ),
    },
  }),
};

/** The likelier ones stand there more often. */
const KINDS = [
  ...["compiler", "compiler", "optimizer", "runs", "runs", "viaIR", "evmVersion", "evmVersion"],
  ...["metadata", "revertStrings", "details", "lineEndings"],
];

/** Draws what a person has, and what was deployed with up to three other settings. */
export function drawCase(random: Random, contract: RegistryContract, count: number): SettingsCase {
  const given: Submittable = {
    compilerVersion: completeSolcVersion(random.oneOf(contract.versions)),
    contractIdentifier: `${contract.file}:${contract.contract}`,
    stdJsonInput: {
      language: "Solidity",
      sources: Object.fromEntries(
        Object.entries(contract.sources).map(([name, content]) => [name, { content }]),
      ),
      settings: random.below(4) > 0 ? { optimizer: { enabled: true, runs: drawRuns(random) } } : {},
    },
  };
  const changed: string[] = [];
  let deployed = given;
  for (let tries = 0; changed.length < count && tries < 100; tries++) {
    const kind = random.oneOf(KINDS);
    if (changed.includes(kind)) continue;
    // The runs come with the optimizer.
    if ((kind === "runs" || kind === "details") && changed.includes("optimizer")) continue;
    if (kind === "optimizer" && (changed.includes("runs") || changed.includes("details"))) continue;
    const drawn = DRAWS[kind]?.(random, deployed, contract);
    if (!drawn) continue;
    const taken = withTakenSettings(drawn);
    deployed = taken;
    changed.push(kind);
  }
  const isCommented = random.below(3) === 0;
  const [entry = ""] = Object.keys(given.stdJsonInput.sources);
  const shown = isCommented
    ? {
        ...given,
        stdJsonInput: {
          ...given.stdJsonInput,
          sources: {
            ...given.stdJsonInput.sources,
            [entry]: { content: `${given.stdJsonInput.sources[entry]?.content ?? ""}\n// edited since\n` },
          },
        },
      }
    : given;
  const versions = `${given.compilerVersion.split("+")[0]} → ${deployed.compilerVersion.split("+")[0]}`;
  const settings = JSON.stringify([settingsOf(given), settingsOf(deployed)]);
  return {
    name: `${contract.library} ${contract.contract} [${changed.join(", ")}]${isCommented ? " commented" : ""} ${versions} ${settings}`,
    deployed,
    given: shown,
    changed,
    isCommented,
  };
}

/** A compiled runtime code as a deployment leaves it: immutables and addresses of libraries written in. */
export function deployedCode(compiled: {
  readonly object: string;
  readonly immutableReferences?: Readonly<Record<string, readonly { start: number; length: number }[]>>;
  readonly linkReferences?: Readonly<
    Record<string, Readonly<Record<string, readonly { start: number; length: number }[]>>>
  >;
}): string {
  let code = compiled.object;
  const write = (places: readonly { start: number; length: number }[], value: string) => {
    for (const { start, length } of places)
      code = code.slice(0, 2 * start) + value.slice(-2 * length) + code.slice(2 * (start + length));
  };
  for (const places of Object.values(compiled.immutableReferences ?? {}))
    write(places, `${"00".repeat(12)}${randomBytes(20).toString("hex")}`);
  for (const names of Object.values(compiled.linkReferences ?? {}))
    for (const places of Object.values(names)) write(places, randomBytes(20).toString("hex"));
  return `0x${code}`;
}
