import { integerText, percentText } from "./exactDecimal.ts";
import { rawText } from "./jsonText.ts";
import { isRecord, recordsField, textField, type LooseRecord } from "./looseFields.ts";

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
  if (!isRecord(value)) return [];
  return [
    ...recordsField(value, "fixed_fees").map((fee) => ({
      ...common(fee),
      kind: "fixed" as const,
      amount: readFigure(fee["amount"]),
      ...denominationOf(fee),
    })),
    ...recordsField(value, "fractional_fees").map((fee) => ({
      ...common(fee),
      kind: "fractional" as const,
      fraction: readFraction(fee["amount"]),
      minimum: readFigure(fee["minimum"] ?? 0),
      ...(isGiven(fee["maximum"]) && { maximum: readFigure(fee["maximum"]) }),
      ...(typeof fee["net_of_transfers"] === "boolean" && { netOfTransfers: fee["net_of_transfers"] }),
      ...denominationOf(fee),
    })),
    ...recordsField(value, "royalty_fees").map((fee) => {
      const fallback = fee["fallback_fee"];
      return {
        ...common(fee),
        kind: "royalty" as const,
        fraction: readFraction(fee["amount"]),
        ...(isRecord(fallback) && {
          fallback: { amount: readFigure(fallback["amount"]), ...denominationOf(fallback) },
        }),
      };
    }),
  ];
}

/** The tokens in which these fees are paid, each once. */
export function denominationsOf(fees: readonly CustomFee[]): string[] {
  const tokens = fees.map((fee) => (fee.kind === "royalty" ? fee.fallback?.denomination : fee.denomination));
  return [...new Set(tokens.filter((token) => token !== undefined))];
}

function common(fee: LooseRecord): { collector?: string; collectorsAreExempt?: boolean } {
  const collector = textField(fee, "collector_account_id");
  const exempt = fee["all_collectors_are_exempt"];
  return {
    ...(collector !== undefined && { collector }),
    ...(typeof exempt === "boolean" && { collectorsAreExempt: exempt }),
  };
}

function denominationOf(fee: LooseRecord): { denomination?: string } {
  const denomination = textField(fee, "denominating_token_id");
  return denomination === undefined ? {} : { denomination };
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function readFigure(value: unknown): FeeFigure {
  const integer = integerText(value);
  return integer === undefined ? { raw: rawFigure(value) } : { integer };
}

function readFraction(value: unknown): FeeFraction {
  if (!isRecord(value)) return { text: rawFigure(value) };
  const [numerator, denominator] = [integerText(value["numerator"]), integerText(value["denominator"])];
  if (numerator === undefined || denominator === undefined) {
    return { text: `${rawFigure(value["numerator"])}/${rawFigure(value["denominator"])}` };
  }
  const percent = percentText(numerator, denominator);
  return { text: `${numerator}/${denominator}`, ...(percent !== undefined && { percent }) };
}

function rawFigure(value: unknown): string {
  return value === undefined || value === null ? "?" : rawText(value);
}
