import type { LabelledText } from "../core/text/labelledText.ts";

/** Labels with what stands behind them, side by side or one below the other; a hover has what is whole. */
export function FactList({
  facts,
  isTall = false,
}: {
  readonly facts: readonly LabelledText[];
  readonly isTall?: boolean;
}) {
  return (
    <dl class={isTall ? "facts tall" : "facts"}>
      {facts.map(({ label, value, whole }, at) => (
        <div key={at} title={whole ?? value}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
