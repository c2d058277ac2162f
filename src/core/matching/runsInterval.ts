import { solcCode } from "../languages/solidity/solcCode.ts";
import { constantUses } from "../evm/constants.ts";
import type { CodeSection } from "../evm/disassembly.ts";
import { compareEvmVersions, type EvmVersion } from "../evm/evmVersion.ts";
import type { AnalysedCode } from "./codeTraits.ts";
import {
  constantForms,
  DEPOSIT_GAS,
  exchange,
  SMALLEST_COMPUTED,
  type ConstantForm,
  type FormCosts,
} from "./constantForms.ts";
import { inlinerLandmarks } from "./inlinedFunctions.ts";
import { atLeast } from "../versions.ts";

/** Numbers of runs, both ends included. */
export interface RunsInterval {
  readonly least: number;
  readonly most: number;
}

/** What a code was compiled with and for. */
export interface RunsTarget {
  /** Short or full. */
  readonly compilerVersion: string;
  readonly evmVersion: EvmVersion;
  /** Values that were written in at the deployment: no optimizer chose their form. */
  readonly written?: ReadonlySet<bigint>;
}

const PUSH20_FORM = /^73.{40}$/;
const PUSH32_FORM = /^7f.{64}$/;
/** The largest address, which masks one. */
const ADDRESS_MASK = 2n ** 160n - 1n;

/** The constants that a deployment may have written: values of immutables and addresses of libraries, where it has such. */
export function writtenAtDeployment(
  { constants }: Pick<AnalysedCode, "constants">,
  has: { readonly immutables: boolean; readonly libraries: boolean },
): Set<bigint> {
  const may = constants.filter(
    ({ form, value }) =>
      (has.immutables && PUSH32_FORM.test(form)) ||
      (has.libraries && PUSH20_FORM.test(form) && value !== ADDRESS_MASK),
  );
  return new Set(may.map(({ value }) => value));
}

/** More are not known to be used. solc takes any number. */
export const MAX_RUNS = 4_294_967_295;
export const ALL_RUNS: RunsInterval = { least: 0, most: MAX_RUNS };

/** Since this release the dispatcher of the legacy pipeline goes by the runs, optimized or not (solc's changelog). */
export const SPLITS_SINCE = "0.5.7";
/** Since this release solc counts PUSH0 for what it is: one byte and 2 gas, not those of a push of one byte. */
const PUSH0_COUNTED_SINCE = "0.8.27";
/** Since this release solc shifts the number itself, and not a one. */
const SHIFTS_NUMBERS_SINCE = "0.5.9";
/** Since this release solc counts the 10 gas of EXP itself twice. */
const TWICE_COUNTED_SINCE = "0.4.21";

/** Whether the dispatcher that a compiler makes depends on the number of runs, also where the optimizer is off. */
function hasSplitDispatcher(compilerVersion: string): boolean {
  return atLeast(compilerVersion, SPLITS_SINCE);
}

/**
 * The numbers of runs that can have made a code, from the code alone: by the splits of its dispatcher
 * (libsolidity/codegen/ContractCompiler.cpp, `appendInternalSelector`) and, where it is optimized, by the form of its
 * constants and by the functions that are called and not inlined.
 */
export function runsInterval(code: AnalysedCode, target: RunsTarget): RunsInterval {
  const byForm = formInterval(code, target);
  if (code.isOptimized !== true) return byForm;
  const inlined = codeSections(code).flatMap(({ instructions }) =>
    inlinerLandmarks(instructions, target.compilerVersion),
  );
  const most = inlined.reduce((one, other) => Math.min(one, other), MAX_RUNS);
  return common(byForm, { least: 0, most }) ?? byForm;
}

/** The same, whatever was inlined. */
export function formInterval(code: AnalysedCode, target: RunsTarget): RunsInterval {
  const bySplits = splitInterval(code, target.compilerVersion);
  if (code.isOptimized !== true) return bySplits;
  const [constants = ALL_RUNS, ...others] = codeSections(code).map((one) => constantInterval(one, target));
  const byConstants = others.reduce((one, other) => common(one, other) ?? one, constants);
  return common(bySplits, byConstants) ?? bySplits;
}

/**
 * The numbers of runs from which on a code may become another one, as far as it shows what the optimizer weighs; ascending,
 * each once.
 */
export function runsLandmarks(code: AnalysedCode, target: RunsTarget): number[] {
  const found = new Set<number>();
  if (code.pipeline === "legacy" && hasSplitDispatcher(target.compilerVersion))
    for (const runs of splitLandmarks(code.selectors.length)) found.add(runs);
  for (const section of codeSections(code)) {
    for (const runs of inlinerLandmarks(section.instructions, target.compilerVersion)) found.add(runs + 1);
    for (const { forms, uses } of constantsOf(section, target))
      forms.slice(1).forEach((form, at) => {
        const before = forms[at];
        if (!before) return;
        // Yul's optimizer weighs each use by itself, the later one all of those that are left.
        const written = forms.map((one) => uses.filter((use) => use === one).length).filter(Boolean);
        for (const count of [1, uses.length, ...written])
          found.add(Math.ceil(count * exchange(before, form)));
      });
  }
  return [...found].sort((a, b) => a - b);
}

function codeSections({ code }: AnalysedCode): CodeSection[] {
  return code.sections.filter((section) => section.kind === "code");
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
function splitInterval(
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
  return { least, most: beyond === undefined ? MAX_RUNS : beyond - 1 };
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

function zeroOf({ compilerVersion, evmVersion }: RunsTarget): ConstantForm {
  const isPush0 =
    compareEvmVersions(evmVersion, "shanghai") >= 0 && atLeast(compilerVersion, solcCode.pushesZeroSince);
  if (!isPush0) return { text: "6000", bytes: 2, gas: 3 };
  return atLeast(compilerVersion, PUSH0_COUNTED_SINCE)
    ? { text: "5f", bytes: 1, gas: 2 }
    : { text: "5f", bytes: 2, gas: 3 };
}

/** A constant of a part of a code: the forms that it may have, and that of each use. */
interface WrittenConstant {
  readonly forms: readonly ConstantForm[];
  /** `undefined` for a use that was written in another way than solc's optimizer of constants writes. */
  readonly uses: readonly (ConstantForm | undefined)[];
}

/** The complement of a number of one byte, which rounds to whole words: the compiler writes it so by itself. */
const ROUNDING = /^60..19$/;

/** By the constants: each form is the cheapest one for some numbers of runs. Every use counts for the bytes, none for the gas. */
function constantInterval(section: CodeSection, target: RunsTarget): RunsInterval {
  let interval = ALL_RUNS;
  for (const { forms, uses } of constantsOf(section, target)) {
    const written = forms.filter((form) => uses.includes(form));
    const longest = written.at(-1);
    if (!longest) continue;
    const at = forms.indexOf(longest);
    const [before, after] = [forms[at - 1], forms[at + 1]];
    const count = uses.filter((form) => form === longest).length;
    const least = before ? Math.ceil(count * exchange(before, longest)) : 0;
    // One that is written in several ways was made at several places of the compiler, which tells no end.
    const isAlone = count === uses.length && !ROUNDING.test(longest.text);
    const most = isAlone && after ? Math.ceil(count * exchange(longest, after)) - 1 : MAX_RUNS;
    interval = common(interval, { least, most }) ?? interval;
  }
  return interval;
}

function constantsOf({ instructions }: CodeSection, target: RunsTarget): WrittenConstant[] {
  const { compilerVersion, evmVersion } = target;
  const costs: FormCosts = {
    hasShifts: compareEvmVersions(evmVersion, "constantinople") >= 0,
    zero: zeroOf(target),
    shiftsOnes: !atLeast(compilerVersion, SHIFTS_NUMBERS_SINCE),
    exponentGas: !atLeast(compilerVersion, TWICE_COUNTED_SINCE) ? 60 : 70,
  };
  const texts = new Map<bigint, string[]>();
  for (const { value, form } of constantUses(instructions))
    if (value >= SMALLEST_COMPUTED && !target.written?.has(value))
      texts.set(value, [...(texts.get(value) ?? []), form]);
  const known = new Map<bigint, readonly ConstantForm[]>();
  return [...texts].flatMap(([value, written]) => {
    const forms = constantForms(value, costs, known);
    if (forms.length < 2) return [];
    return [{ forms, uses: written.map((text) => forms.find((form) => form.text === text)) }];
  });
}
