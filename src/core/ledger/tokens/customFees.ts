import { definedOnly } from "../../json/looseData.ts";
import {
  flag,
  ifReadable,
  isObject,
  listOf,
  mapped,
  nullable,
  object,
  readAs,
  type Shape,
} from "../../json/shape.ts";
import { ownValue } from "../../json/ownValue.ts";
import { integerText, percentText } from "../../text/exactDecimal.ts";
import { rawText } from "../../json/jsonText.ts";
import { said } from "../requests/ledgerShapes.ts";

/** A figure as an exact integer where it is one; old servers also sent fractions such as `0.01`. */
export interface FeeFigure {
  /** Decimal digits. */
  readonly integer?: string;
  /** As it came, where it is no integer. */
  readonly raw?: string;
}

/** A numerator over a denominator, exact. */
export interface FeeFraction {
  /** "1/30000" */
  readonly text: string;
  /** "1" or "≈ 0.003333", in per cent. */
  readonly percent?: string;
}

/** A custom fee of a token. */
export type CustomFee = {
  readonly collector?: string;
  readonly collectorsAreExempt?: boolean;
} & (
  | {
      readonly kind: "fixed";
      readonly amount: FeeFigure;
      /** The token in which it is paid; HBAR when missing. */
      readonly denomination?: string;
    }
  | {
      readonly kind: "fractional";
      readonly fraction: FeeFraction;
      readonly minimum: FeeFigure;
      readonly maximum?: FeeFigure;
      readonly netOfTransfers?: boolean;
      readonly denomination?: string;
    }
  | {
      readonly kind: "royalty";
      readonly fraction: FeeFraction;
      readonly fallback?: { readonly amount: FeeFigure; readonly denomination?: string };
    }
);

/** The fees of a token's `custom_fees`, in the order fixed, fractional, royalty. */
export function readCustomFees(value: unknown): CustomFee[] {
  const { fixed_fees = [], fractional_fees = [], royalty_fees = [] } = readAs(customFees, value) ?? {};
  return [...fixed_fees, ...fractional_fees, ...royalty_fees];
}

/** The tokens in which these fees are paid, each once. */
export function denominationsOf(fees: readonly CustomFee[]): string[] {
  const tokens = fees.map((fee) => (fee.kind === "royalty" ? fee.fallback?.denomination : fee.denomination));
  return [...new Set(tokens.filter((token) => token !== undefined))];
}

/** A figure, which is shown as it came. */
const figure: Shape<FeeFigure> = (value) => {
  const integer = integerText(value);
  return integer === undefined ? { raw: rawFigure(value) } : { integer };
};

const fraction: Shape<FeeFraction> = (value) => {
  if (!isObject(value)) return { text: rawFigure(value) };
  const [over, under] = [ownValue(value, "numerator"), ownValue(value, "denominator")];
  const [numerator, denominator] = [integerText(over), integerText(under)];
  if (numerator === undefined || denominator === undefined)
    return { text: `${rawFigure(over)}/${rawFigure(under)}` };
  const percent = percentText(numerator, denominator);
  return { text: `${numerator}/${denominator}`, ...(percent !== undefined && { percent }) };
};

const common = {
  collector_account_id: ifReadable(said),
  all_collectors_are_exempt: ifReadable(flag),
  denominating_token_id: ifReadable(said),
};

const fixedFee = mapped(object({ ...common, amount: figure }), ({ amount, ...fee }): CustomFee => ({
  ...collectorOf(fee),
  kind: "fixed",
  amount,
  ...denominationOf(fee),
}));

const fractionalFee = mapped(
  object({
    ...common,
    amount: fraction,
    minimum: ifReadable(nullable(figure)),
    maximum: ifReadable(nullable(figure)),
    net_of_transfers: ifReadable(flag),
  }),
  ({ amount, minimum, maximum, net_of_transfers, ...fee }): CustomFee => ({
    ...collectorOf(fee),
    kind: "fractional",
    fraction: amount,
    minimum: minimum ?? { integer: "0" },
    ...(maximum && { maximum }),
    ...(net_of_transfers !== undefined && { netOfTransfers: net_of_transfers }),
    ...denominationOf(fee),
  }),
);

const royaltyFee = mapped(
  object({
    ...common,
    amount: fraction,
    fallback_fee: ifReadable(object({ amount: figure, denominating_token_id: ifReadable(said) })),
  }),
  ({ amount, fallback_fee: fallback, ...fee }): CustomFee => ({
    ...collectorOf(fee),
    kind: "royalty",
    fraction: amount,
    ...(fallback && { fallback: { amount: fallback.amount, ...denominationOf(fallback) } }),
  }),
);

const customFees = object({
  fixed_fees: ifReadable(listOf(fixedFee)),
  fractional_fees: ifReadable(listOf(fractionalFee)),
  royalty_fees: ifReadable(listOf(royaltyFee)),
});

function collectorOf(fee: {
  readonly collector_account_id?: string;
  readonly all_collectors_are_exempt?: boolean;
}): { collector?: string; collectorsAreExempt?: boolean } {
  const { collector_account_id: collector, all_collectors_are_exempt: exempt } = fee;
  return definedOnly({ collector, collectorsAreExempt: exempt });
}

function denominationOf({
  denominating_token_id: denomination,
}: {
  readonly denominating_token_id?: string;
}): { denomination?: string } {
  return denomination === undefined ? {} : { denomination };
}

function rawFigure(value: unknown): string {
  return value === undefined || value === null ? "?" : rawText(value);
}
