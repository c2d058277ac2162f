import type { ConstantUse } from "../evm/constants.ts";

/** What the forms of constants tell of the number of runs. */
interface RunsEvidence {
  /** Constants that both codes use and write in another form. */
  readonly reencoded: number;
  /** Constants that have a form on one side only, beside one that both have. */
  readonly mixed: number;
  /** Whether the deployed code was optimized for more runs, as far as the forms tell. */
  readonly direction: "more" | "fewer" | undefined;
}

interface Form {
  readonly bytes: number;
  readonly gas: number;
  readonly count: number;
}

/**
 * Compares how two optimized codes write the constants that they have in common. A large constant is one push
 * where runs are many, and computed from small ones where bytes count for more (libevmasm/ConstantOptimiser.cpp):
 * the longer form is chosen when runs × the gas it saves outweighs 200 gas × the bytes it adds × its uses. Each
 * such choice bounds the number of runs.
 */
export function compareRuns(
  deployed: readonly ConstantUse[],
  recompiled: readonly ConstantUse[],
): RunsEvidence {
  const [left, right] = [formsOf(deployed), formsOf(recompiled)];
  let [reencoded, mixed, more, fewer] = [0, 0, 0, 0];
  for (const [value, forms] of left) {
    const others = right.get(value);
    if (!others) continue;
    if (!isReencoded(forms, others)) {
      if ([...forms.keys(), ...others.keys()].some((one) => !forms.has(one) || !others.has(one))) mixed++;
      continue;
    }
    const [form, other] = [commonest(forms), commonest(others)];
    if (!form || !other) continue;
    reencoded++;
    const [long, short] = form.bytes > other.bytes ? [form, other] : [other, form];
    if (long.bytes === short.bytes || short.gas <= long.gas) continue;
    if (form === long) more++;
    else fewer++;
  }
  const direction = more > fewer ? "more" : fewer > more ? "fewer" : undefined;
  return { reencoded, mixed, direction };
}

/** Constants of more than two bytes by the forms in which they are written; smaller ones have but one form. */
function formsOf(uses: readonly ConstantUse[]): Map<bigint, Map<string, Form>> {
  const constants = new Map<bigint, Map<string, Form>>();
  for (const { value, form, bytes, gas } of uses) {
    if (value < 0x1_0000n) continue;
    const forms = constants.get(value) ?? new Map<string, Form>();
    forms.set(form, { bytes, gas, count: (forms.get(form)?.count ?? 0) + 1 });
    constants.set(value, forms);
  }
  return constants;
}

/** No form in common, or the same number of uses spread over the forms in another way. */
function isReencoded(forms: ReadonlyMap<string, Form>, others: ReadonlyMap<string, Form>): boolean {
  const common = [...forms.keys()].filter((form) => others.has(form));
  if (common.length === 0) return true;
  return (
    totalOf(forms) === totalOf(others) &&
    common.some((form) => forms.get(form)?.count !== others.get(form)?.count)
  );
}

function totalOf(forms: ReadonlyMap<string, Form>): number {
  return [...forms.values()].reduce((sum, { count }) => sum + count, 0);
}

function commonest(forms: ReadonlyMap<string, Form>): Form | undefined {
  return [...forms.values()].sort((a, b) => b.count - a.count)[0];
}
