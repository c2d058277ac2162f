/** A way to make a constant on the stack. */
export interface ConstantForm {
  /** The instructions as hex. */
  readonly text: string;
  readonly bytes: number;
  /** Gas of each run, as solc counts it. */
  readonly gas: number;
}

/** What decides how solc writes constants. */
export interface FormCosts {
  /** SHL is there, since Constantinople. */
  readonly hasShifts: boolean;
  /** What is shifted is a one that is multiplied with the number, as the first releases with SHL did it. */
  readonly shiftsOnes: boolean;
  /** A zero. */
  readonly zero: ConstantForm;
  /** Gas of EXP with an exponent of one byte, as the release counts it. */
  readonly exponentGas: number;
}

/** Numbers below this are always pushed (`ComputeMethod::findRepresentation`). */
export const SMALLEST_COMPUTED = 0x1_0000n;

const WORD = 1n << 256n;

/**
 * The ways among which solc's optimizer chooses for a constant, the shortest first; each longer one takes less gas, and
 * the last one is a single push (libevmasm/ConstantOptimiser.cpp). It takes the one for which runs × gas + 200 gas ×
 * bytes × uses is the least, so that of all that the search finds only these count.
 *
 * @param known forms of other constants for the same costs, to which this one's are added
 */
export function constantForms(
  value: bigint,
  costs: FormCosts,
  known: Map<bigint, readonly ConstantForm[]>,
): readonly ConstantForm[] {
  return cheapest([pushed(value, costs), ...computed(value, costs, known)]);
}

function computed(
  value: bigint,
  costs: FormCosts,
  known: Map<bigint, readonly ConstantForm[]>,
): readonly ConstantForm[] {
  const found = known.get(value);
  if (found) return found;
  const forms = cheapest(searched(value, costs, known));
  known.set(value, forms);
  return forms;
}

function searched(
  value: bigint,
  costs: FormCosts,
  known: Map<bigint, readonly ConstantForm[]>,
): ConstantForm[] {
  if (value < SMALLEST_COMPUTED) return [pushed(value, costs)];
  const negated = WORD - 1n - value;
  if (lengthOf(negated) < lengthOf(value))
    return computed(negated, costs, known).map((inner) => joined(inner, NOT));
  const forms = [pushed(value, costs)];
  for (const bits of gapsIn(value)) {
    const power = 1n << bits;
    let [upper, lower] = [value >> bits, value & (power - 1n)];
    const isNegative = power - lower < lower;
    if (isNegative) [upper, lower] = [upper + 1n, power - lower];
    if (upper === 0n || lower >= power >> 8n) continue;
    const before = lower === 0n ? [NOTHING] : computed(lower, costs, known);
    const after = lower === 0n ? NOTHING : isNegative ? SUB : ADD;
    const ones = powerOfTwo(bits, costs);
    for (const low of before)
      for (const high of upper === 1n && ones.isWhole ? [NOTHING] : computed(upper, costs, known))
        forms.push(joined(low, ...ones.around(high), after));
  }
  return forms;
}

/** How a number is multiplied with a power of two. */
function powerOfTwo(
  bits: bigint,
  costs: FormCosts,
): { isWhole: boolean; around: (factor: ConstantForm) => readonly ConstantForm[] } {
  const exponent = pushed(bits, costs);
  if (costs.hasShifts && !costs.shiftsOnes)
    return { isWhole: false, around: (factor) => [factor, exponent, SHL] };
  const power = costs.hasShifts
    ? [pushed(1n, costs), exponent, SHL]
    : [exponent, pushed(2n, costs), { ...EXP, gas: costs.exponentGas }];
  return {
    isWhole: true,
    around: (factor) => (factor === NOTHING ? power : [...power, factor, MUL]),
  };
}

/** Those that are the best for some weight of gas against bytes, the shortest first. */
function cheapest(forms: readonly ConstantForm[]): ConstantForm[] {
  const best: ConstantForm[] = [];
  for (const form of [...forms].sort((a, b) => a.bytes - b.bytes || a.gas - b.gas)) {
    if (form.gas >= (best.at(-1)?.gas ?? Infinity)) continue;
    while (best.length >= 2) {
      const [before, last] = best.slice(-2) as [ConstantForm, ConstantForm];
      // One that lies above the line between its neighbours is never the cheapest.
      if (exchange(before, last) < exchange(last, form)) break;
      best.pop();
    }
    best.push(form);
  }
  return best;
}

/** From so many runs for each use on the longer of two forms is the cheaper one. */
export function exchange(shorter: ConstantForm, longer: ConstantForm): number {
  return (DEPOSIT_GAS * (longer.bytes - shorter.bytes)) / (shorter.gas - longer.gas);
}

/** Gas for a byte of deployed code, against which solc weighs the gas of each run (libevmasm/GasMeter.h). */
export const DEPOSIT_GAS = 200;

function pushed(value: bigint, { zero }: FormCosts): ConstantForm {
  if (value === 0n) return zero;
  const length = lengthOf(value);
  const text = (0x5f + length).toString(16) + value.toString(16).padStart(2 * length, "0");
  return { text, bytes: 1 + length, gas: 3 };
}

/** Bytes of a number, one of zero. */
export function lengthOf(value: bigint): number {
  return Math.max(1, Math.ceil(value.toString(16).length / 2));
}

function joined(...parts: readonly ConstantForm[]): ConstantForm {
  return {
    text: parts.map(({ text }) => text).join(""),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    gas: parts.reduce((sum, { gas }) => sum + gas, 0),
  };
}

/** The places of a number where eight equal bits follow another one: there it may be cut in two. */
function gapsIn(value: bigint): bigint[] {
  const digits = value.toString(2).padStart(256, "0");
  return [...digits.matchAll(/(?=01{8}|10{8})/g)]
    .map(({ index }) => BigInt(255 - index))
    .filter((bits) => bits > 8n);
}

const NOTHING: ConstantForm = { text: "", bytes: 0, gas: 0 };
const ADD: ConstantForm = { text: "01", bytes: 1, gas: 3 };
const MUL: ConstantForm = { text: "02", bytes: 1, gas: 5 };
const SUB: ConstantForm = { text: "03", bytes: 1, gas: 3 };
const EXP: ConstantForm = { text: "0a", bytes: 1, gas: 0 };
const NOT: ConstantForm = { text: "19", bytes: 1, gas: 3 };
const SHL: ConstantForm = { text: "1b", bytes: 1, gas: 3 };
