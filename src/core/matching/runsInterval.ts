import { constantUses } from "../evm/constants.ts";
import { compareVersions } from "../evm/evmVersion.ts";
import type { AnalysedCode } from "./codeTraits.ts";

/** Numbers of runs, both ends included. */
export interface RunsInterval {
  readonly least: number;
  readonly most: number;
}

/** More are not known to be used. solc takes any number. */
export const MOST_RUNS = 4_294_967_295;
export const ALL_RUNS: RunsInterval = { least: 0, most: MOST_RUNS };

/** Gas for a byte of deployed code, against which solc weighs the gas of each run (libevmasm/GasMeter.h). */
const DEPOSIT_GAS = 200;
/** Since this release the dispatcher of the legacy pipeline goes by the runs, optimized or not (solc's changelog). */
const SPLITS_SINCE = "0.5.7";

/** Whether the dispatcher that a compiler makes depends on the number of runs, also where the optimizer is off. */
export function hasSplitDispatcher(compilerVersion: string): boolean {
  return compareVersions(compilerVersion, SPLITS_SINCE) >= 0;
}

/**
 * The numbers of runs that can have made a code, from the code alone: by the splits of its dispatcher
 * (libsolidity/codegen/ContractCompiler.cpp, `appendInternalSelector`) and, where it is optimized, by the form of its
 * constants (libevmasm/ConstantOptimiser.cpp).
 */
export function runsInterval(code: AnalysedCode, compilerVersion: string, hasShifts: boolean): RunsInterval {
  const bySplits = splitInterval(code, compilerVersion);
  return code.isOptimized === true
    ? (common(bySplits, constantInterval(code, hasShifts)) ?? bySplits)
    : bySplits;
}

/** What two intervals have in common, if anything. */
export function common(one: RunsInterval, other: RunsInterval): RunsInterval | undefined {
  const [least, most] = [Math.max(one.least, other.least), Math.min(one.most, other.most)];
  return least <= most ? { least, most } : undefined;
}

export function contains({ least, most }: RunsInterval, runs: number): boolean {
  return least <= runs && runs <= most;
}

/** By the dispatcher, which is split where runs are many and functions are more than four. */
export function splitInterval(
  {
    selectors,
    dispatcherSplits,
    pipeline,
  }: Pick<AnalysedCode, "selectors" | "dispatcherSplits" | "pipeline">,
  compilerVersion: string,
): RunsInterval {
  const functions = selectors.length;
  if (pipeline !== "legacy" || functions < 5 || !hasSplitDispatcher(compilerVersion)) return ALL_RUNS;
  const landmarks = [0, ...splitLandmarks(functions)];
  const fitting = landmarks.filter((runs) => splitsOf(functions, runs) === dispatcherSplits);
  const [least] = fitting;
  if (least === undefined) return ALL_RUNS;
  const beyond = landmarks.find((runs) => runs > (fitting.at(-1) ?? 0));
  return { least, most: beyond === undefined ? MOST_RUNS : beyond - 1 };
}

/** The numbers of runs from which on another part of the dispatcher is split, ascending. */
function splitLandmarks(functions: number): number[] {
  const sizes = new Set<number>();
  const collect = (size: number) => {
    if (size < 5 || sizes.has(size)) return;
    sizes.add(size);
    collect(Math.floor(size / 2));
    collect(size - Math.floor(size / 2));
  };
  collect(functions);
  return [...sizes]
    .map((size) => Math.floor((17 * DEPOSIT_GAS) / (6 * (size - 4))) + 1)
    .sort((a, b) => a - b);
}

function splitsOf(functions: number, runs: number): number {
  if (functions < 5 || runs * 6 * (functions - 4) <= 17 * DEPOSIT_GAS) return 0;
  const half = Math.floor(functions / 2);
  return 1 + splitsOf(half, runs) + splitsOf(functions - half, runs);
}

/** How a constant may be written. */
interface Form {
  readonly bytes: number;
  readonly gas: number;
}

const SMALLEST = 0x1_0000n;
const WORD = 1n << 256n;

/**
 * By the constants of the outermost code: each is one push where runs are many, and computed from small numbers where
 * bytes count for more. Every use counts for the bytes, none for the gas.
 */
function constantInterval({ code }: AnalysedCode, hasShifts: boolean): RunsInterval {
  const [own] = code.sections;
  if (own?.kind !== "code") return ALL_RUNS;
  const uses = new Map<bigint, { pushed: number; computed: number }>();
  for (const { value, bytes } of constantUses(own.instructions)) {
    if (value < SMALLEST) continue;
    const known = uses.get(value) ?? { pushed: 0, computed: 0 };
    const isPushed = bytes === 1 + lengthOf(value);
    uses.set(value, {
      pushed: known.pushed + (isPushed ? 1 : 0),
      computed: known.computed + (isPushed ? 0 : 1),
    });
  }
  let [least, most] = [0, MOST_RUNS];
  const forms = new Map<bigint, Form>();
  for (const [value, { pushed, computed }] of uses) {
    // One that is written in both ways was made at two places of the compiler, or is part of another.
    if (pushed > 0 && computed > 0) continue;
    const landmark = landmarkOf(value, pushed + computed, hasShifts, forms);
    if (landmark === undefined) continue;
    if (pushed > 0) least = Math.max(least, landmark);
    else most = Math.min(most, landmark - 1);
  }
  return least <= most ? { least, most } : ALL_RUNS;
}

/** The least number of runs for which a constant is one push; `undefined` for one that always is. */
function landmarkOf(
  value: bigint,
  uses: number,
  hasShifts: boolean,
  known: Map<bigint, Form>,
): number | undefined {
  const pushed = pushOf(value);
  const computed = shortest(value, hasShifts, known);
  if (computed.bytes >= pushed.bytes) return undefined;
  const balance = (DEPOSIT_GAS * uses * (pushed.bytes - computed.bytes)) / (computed.gas - pushed.gas);
  return Math.ceil(balance);
}

function pushOf(value: bigint): Form {
  return { bytes: 1 + lengthOf(value), gas: 3 };
}

function lengthOf(value: bigint): number {
  return Math.max(1, Math.ceil(value.toString(16).length / 2));
}

/** The shortest way to compute a constant, as `ComputeMethod::findRepresentation` looks for it. */
function shortest(value: bigint, hasShifts: boolean, known: Map<bigint, Form>): Form {
  const found = known.get(value);
  if (found) return found;
  let best = pushOf(value);
  known.set(value, best);
  if (value < SMALLEST) return best;
  const negated = WORD - 1n - value;
  if (lengthOf(negated) < lengthOf(value)) {
    const inner = shortest(negated, hasShifts, known);
    best = { bytes: inner.bytes + 1, gas: inner.gas + 3 };
    known.set(value, best);
    return best;
  }
  for (const bits of gapsIn(value)) {
    const power = 1n << bits;
    let [upper, lower] = [value >> bits, value & (power - 1n)];
    const isNegative = power - lower < lower;
    if (isNegative) [upper, lower] = [upper + 1n, power - lower];
    if (upper === 0n || upper >= WORD || lower >= power >> 8n) continue;
    const parts = [
      ...(lower === 0n ? [] : [shortest(lower, hasShifts, known), OPERATION]),
      ...(upper === 1n && !hasShifts ? [] : [shortest(upper, hasShifts, known)]),
      ...(hasShifts ? [SMALL_PUSH, OPERATION] : [SMALL_PUSH, SMALL_PUSH, EXPONENTIATION]),
      ...(upper !== 1n && !hasShifts ? [MULTIPLICATION] : []),
    ];
    const whole = parts.reduce((sum, { bytes, gas }) => ({ bytes: sum.bytes + bytes, gas: sum.gas + gas }), {
      bytes: 0,
      gas: 0,
    });
    if (whole.bytes < best.bytes || (whole.bytes === best.bytes && whole.gas < best.gas)) best = whole;
  }
  known.set(value, best);
  return best;
}

/** The places of a number where eight equal bits follow another one: there it may be cut in two. */
function gapsIn(value: bigint): bigint[] {
  const digits = value.toString(2).padStart(256, "0");
  return [...digits.matchAll(/(?=01{8}|10{8})/g)]
    .map(({ index }) => BigInt(255 - index))
    .filter((bits) => bits > 8n);
}

const OPERATION: Form = { bytes: 1, gas: 3 };
const SMALL_PUSH: Form = { bytes: 2, gas: 3 };
const MULTIPLICATION: Form = { bytes: 1, gas: 5 };
const EXPONENTIATION: Form = { bytes: 1, gas: 60 };
