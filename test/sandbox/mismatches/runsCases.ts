import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import type { Random } from "../../unit/random.ts";
import { isFrom, withSettings } from "./differences.ts";
import type { Build, MismatchCase } from "./mismatchCase.ts";
import type { RegistryContract } from "./registryContracts.ts";
import { described } from "./registryCases.ts";

/** A contract that was deployed for one number of runs and submitted for another one, or unoptimized. */
export interface RunsCase extends MismatchCase {
  /** Repeats the case alone. */
  readonly id: string;
  readonly version: string;
  /** What the deployment was optimized for. */
  readonly runs: number;
}

/** What projects say, and the ends of what solc takes. */
const USUAL_RUNS = [
  1, 200, 1_000, 4_444, 10_000, 20_000, 99_999, 999_999, 1_000_000, 10_000_000, 4_294_967_295,
] as const;

const MAX_RUNS = 4_294_967_295;

/** The share of the deployments, and of what is submitted, that have a usual number. */
const USUAL = 0.4;
const UNOPTIMIZED = 0.4;
const VIA_IR = 0.15;

/** Cases of contracts and runs, drawn without end of what the numbers give; always the same for the same ones. */
export function runsCases(contracts: readonly RegistryContract[], random: Random, count: number): RunsCase[] {
  const small = contracts.filter(({ isLarge }) => !isLarge);
  return Array.from({ length: count }, (_, at) => runsCase(random.oneOf(small), random, at));
}

function runsCase(contract: RegistryContract, random: Random, at: number): RunsCase {
  const version = random.oneOf(contract.versions);
  const viaIR = contract.isSmall && isFrom(version, "0.8.20") && random.next() < VIA_IR;
  const build: Build = { sources: contract.sources, contract: contract.contract, version };
  const optimized = (runs: number): CompilerSettings => ({
    optimizer: { enabled: true, runs },
    ...(viaIR && { viaIR }),
  });
  const runs = drawRuns(random);
  const isUnoptimized = random.next() < UNOPTIMIZED;
  let sent = drawRuns(random);
  while (sent === runs) sent = drawRuns(random);
  const settings: CompilerSettings = isUnoptimized ? { ...(viaIR && { viaIR }) } : optimized(sent);
  const [deployed, submitted] = [withSettings(build, optimized(runs)), withSettings(build, settings)];
  return {
    id: `${at}`,
    name: `${at} · ${contract.library} ${contract.contract} · ${described(deployed)} · submitted ${described(submitted)}`,
    version,
    runs,
    causes: [isUnoptimized ? "optimizer" : "optimizer_runs"],
    deployed,
    submitted,
    constructorArguments: contract.constructorArguments,
  };
}

/** A usual number, or one of which every order of magnitude is as likely. */
function drawRuns(random: Random): number {
  return random.next() < USUAL
    ? random.pick(USUAL_RUNS)
    : Math.min(MAX_RUNS, Math.max(1, Math.round(2 ** (32 * random.next()))));
}
