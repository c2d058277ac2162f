import { ownValue } from "../../core/json/ownValue.ts";
import { t } from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useKeptScroll } from "./keptScroll.ts";

/** A part of the page; its panel is made when it is chosen. */
export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly count?: number;
  readonly panel: () => ComponentChildren;
}

/** Parts of a page of which one is shown; arrows go from one to the next (WAI-ARIA Authoring Practices, Tabs). */
export function Tabs({
  tabs,
  chosen,
  choose,
  tops,
  keepTop,
}: {
  readonly tabs: readonly Tab[];
  readonly chosen: string;
  readonly choose: (id: string) => void;
  /** Pixels above what is seen of each part. */
  readonly tops: Readonly<Record<string, number>>;
  readonly keepTop: (id: string, top: number) => void;
}) {
  const at = Math.max(
    0,
    tabs.findIndex(({ id }) => id === chosen),
  );
  const current = tabs[at];
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (step === 0 || !next) return;
    event.preventDefault();
    choose(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={t`Parts of the transaction`} onKeyDown={move}>
        {tabs.map(({ id, label, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === current?.id}
            aria-controls="panel"
            tabIndex={id === current?.id ? 0 : -1}
            // As the editor's own: what comes between press and release may have moved it from under the pointer.
            onPointerDown={({ button, ctrlKey, pointerType }) => {
              // A finger may begin to scroll, and with Ctrl macOS opens a menu.
              if (button === 0 && !ctrlKey && pointerType === "mouse") choose(id);
            }}
            onClick={() => choose(id)}
          >
            {label}
            {count !== undefined && <span class="count"> {count.toLocaleString("en-US")}</span>}
          </button>
        ))}
      </div>
      {current && (
        <Panel
          key={current.id}
          tab={current}
          top={ownValue(tops, current.id) ?? 0}
          keepTop={(top) => keepTop(current.id, top)}
        />
      )}
    </>
  );
}

function Panel({
  tab: { id, panel },
  top,
  keepTop,
}: {
  readonly tab: Tab;
  readonly top: number;
  readonly keepTop: (top: number) => void;
}) {
  const element = useRef<HTMLElement>(null);
  useKeptScroll(element, top, keepTop);
  return (
    <section id="panel" role="tabpanel" aria-labelledby={`tab-${id}`} ref={element}>
      {panel()}
    </section>
  );
}
