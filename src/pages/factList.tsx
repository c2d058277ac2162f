import { t } from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { openablesWithin } from "../core/ledger/references/entityId.ts";
import type { LabelledText } from "../core/text/labelledText.ts";

/** A text, as a button where what it names can be opened. */
export function Openable({
  text,
  opens,
  open,
}: {
  readonly text: string;
  readonly opens: string | undefined;
  readonly open: ((canonical: string) => void) | undefined;
}) {
  if (opens === undefined || !open) return <>{text}</>;
  return (
    <button type="button" class="open" title={t`Open ${opens}`} onClick={() => open(opens)}>
      {text}
    </button>
  );
}

/** A text of which each id and address is a button that opens what it names. */
export function WithOpenables({
  text,
  open,
}: {
  readonly text: string;
  readonly open: (canonical: string) => void;
}) {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { canonical, start } of openablesWithin(text)) {
    parts.push(
      text.slice(end, start),
      <Openable key={start} text={canonical} opens={canonical} open={open} />,
    );
    end = start + canonical.length;
  }
  return parts.length === 0 ? (
    <>{text}</>
  ) : (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
}

/** Labels with what stands behind them, side by side or one below the other; a hover has what is whole. */
export function FactList({
  facts,
  isTall = false,
  open,
}: {
  readonly facts: readonly LabelledText[];
  readonly isTall?: boolean;
  /** Opens what a value names. */
  readonly open?: (canonical: string) => void;
}) {
  return (
    <dl class={isTall ? "facts tall" : "facts"}>
      {facts.map(({ label, value, whole, opens }, at) => (
        <div key={at} title={whole ?? value}>
          <dt>{label}</dt>
          <dd>
            <Openable text={value} opens={opens} open={open} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
