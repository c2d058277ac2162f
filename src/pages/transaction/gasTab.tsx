import { t } from "@vscode/l10n";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { CallRow, GasSum, TransactionPage } from "../../core/ledger/transactions/pageModel.ts";
import { partyKey, type distinctNames } from "../../core/ledger/transactions/namesakes.ts";
import { groupDigits } from "../../core/text/exactDecimal.ts";
import { useKeptScroll } from "./keptScroll.ts";
import { bringIntoView } from "./scrolling.ts";
import { colorsOf, drawnGas, flameBars, type FlameBar } from "./flame.ts";

/** As the stylesheet has it. */
const BAR_PIXELS = 20;
/** Colours of contracts that the stylesheet has. */
const COLORS = 8;
/** Bars that are drawn above and below what is seen. */
const SPARE_PIXELS = 200;
/** Narrower bars are not drawn. */
const MIN_BAR_PIXELS = 1;
/** Narrower bars have no text. */
const MIN_TEXT_PIXELS = 30;

/** What was shown of the gas. */
export interface GasState {
  /** Position of the call that fills the width; missing where all are seen. */
  readonly zoomed?: number | undefined;
  /** Pixels above what is seen of the drawing. */
  readonly flameTop: number;
  /** Titles of the sums that are shown whole. */
  readonly wholeSums: readonly string[];
}

interface Keeps {
  readonly kept: GasState;
  readonly keep: (change: Partial<GasState>) => void;
}

/** The gas of the calls, drawn and summed. */
export function GasTab({
  page,
  calls,
  partyName,
  kept,
  keep,
  exportProfile,
}: Keeps & {
  readonly page: TransactionPage;
  readonly calls: readonly CallRow[];
  readonly partyName: PartyName;
  readonly exportProfile: () => void;
}) {
  if (page.gas === undefined) return <p class="empty">{t`The ledger tells no gas of these calls.`}</p>;
  return (
    <>
      <div class="tools">
        <button type="button" onClick={exportProfile}>
          {t`Export for Speedscope`}
        </button>
        <span class="count">{t`${groupDigits(page.gas)} gas in all`}</span>
      </div>
      <div class="gas">
        <div class="drawn">
          <FlameGraph
            calls={calls}
            contracts={page.gasByContract.map(({ name, opens }) =>
              partyKey({ contract: name, ...(opens !== undefined && { opens }) }),
            )}
            partyName={partyName}
            kept={kept}
            keep={keep}
          />
        </div>
        <div class="sums">
          <SumTable
            title={t`By contract`}
            sums={page.gasByContract}
            whole={page.gas}
            kept={kept}
            keep={keep}
          />
          <SumTable
            title={t`By function`}
            sums={page.gasByFunction}
            whole={page.gas}
            kept={kept}
            keep={keep}
          />
        </div>
      </div>
    </>
  );
}

/** What a call's party is called among all of them. */
type PartyName = ReturnType<typeof distinctNames>;

function nameOf(row: CallRow, partyName: PartyName): string {
  const contract = partyName(row);
  return row.name === undefined ? contract : `${contract}.${row.name}`;
}

/**
 * Each call as wide as its gas, with the calls of it above it. A click, or Enter, lets a call fill the width; Escape goes
 * back. Arrows go from call to call, and what they reach is said.
 */
function FlameGraph({
  calls,
  contracts,
  partyName,
  kept,
  keep,
}: Keeps & {
  readonly calls: readonly CallRow[];
  readonly partyName: PartyName;
  /** Keys of them by the gas that they used, for their colors. */
  readonly contracts: readonly string[];
}) {
  const [root, setRoot] = useState(kept.zoomed);
  const [chosen, setChosen] = useState(kept.zoomed);
  const [view, setView] = useState({ width: 800, top: 0, height: 600 });
  const area = useRef<HTMLDivElement>(null);
  useKeptScroll(area, kept.flameTop, (flameTop) => keep({ flameTop }));
  const look = () => {
    const element = area.current;
    if (!element) return;
    const { clientWidth, clientHeight, scrollTop } = element;
    setView({ width: Math.max(100, clientWidth), top: scrollTop, height: clientHeight });
  };
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { width } = view;
  const bars = useMemo(() => flameBars(calls, root, MIN_BAR_PIXELS / width), [calls, root, width]);
  const colors = useMemo(() => colorsOf(contracts, COLORS), [contracts.join("\n")]);
  const levels = bars.reduce((most, { level }) => Math.max(most, level), 0) + 1;
  const isSeen = ({ level }: FlameBar) => {
    const top = level * BAR_PIXELS - view.top;
    return top > -SPARE_PIXELS && top < view.height + SPARE_PIXELS;
  };
  const zoom = (at: number | undefined) => {
    setRoot(at);
    setChosen(at);
    keep({ zoomed: at });
  };
  const onKey = (event: KeyboardEvent) => {
    const at = bars.findIndex(({ row }) => row.at === chosen);
    const bar = bars[at];
    const next = bar ? neighbour(bars, bar, event.key) : bars[0];
    if (event.key === "Escape") zoom(undefined);
    else if (event.key === "Enter" && chosen !== undefined) zoom(chosen);
    else if (event.key.startsWith("Arrow")) {
      if (next) {
        setChosen(next.row.at);
        bringIntoView(area.current, next.level, BAR_PIXELS);
      }
    } else return;
    event.preventDefault();
  };
  const said = calls[chosen ?? root ?? -1];
  return (
    <>
      <div
        class="flame"
        ref={area}
        tabIndex={0}
        role="group"
        aria-label={t`Gas of the calls, a bar for each. Arrows go from call to call, Enter fills the width with one, Escape goes back.`}
        onKeyDown={onKey}
        onScroll={look}
      >
        <div class="levels" style={{ height: `${levels * BAR_PIXELS}px` }}>
          {bars.filter(isSeen).map(({ row, level, from, width: part }) => (
            <div
              key={row.at}
              class={[
                "bar",
                `color${colors.get(partyKey(row)) ?? 0}`,
                ...(row.isOnPath ? ["path"] : []),
                ...(row.at === chosen ? ["chosen"] : []),
              ].join(" ")}
              style={{ left: `${from * 100}%`, width: `${part * 100}%`, top: `${level * BAR_PIXELS}px` }}
              title={gasWords(row, partyName)}
              aria-hidden="true"
              onClick={() => zoom(row.at === root ? undefined : row.at)}
            >
              {part * width >= MIN_TEXT_PIXELS ? nameOf(row, partyName) : ""}
            </div>
          ))}
        </div>
      </div>
      <p class="said" aria-live="polite">
        {said ? gasWords(said, partyName) : t`Click a call to fill the width with it.`}
        {root !== undefined && (
          <button type="button" onClick={() => zoom(undefined)}>
            {t`Show All Calls`}
          </button>
        )}
      </p>
    </>
  );
}

function gasWords(row: CallRow, partyName: PartyName): string {
  const own = row.own === undefined || row.own === row.gas ? "" : t`, ${groupDigits(row.own)} of it own`;
  const failure = row.failure === undefined ? "" : `; ${row.failure}`;
  return `${nameOf(row, partyName)}: ${row.gas === undefined ? t`gas unknown` : t`${groupDigits(row.gas)} gas`}${own}${failure}`;
}

/** The bar that an arrow leads to: the caller below, the first call above, the one before or behind on the same level. */
function neighbour(bars: readonly FlameBar[], bar: FlameBar, key: string): FlameBar | undefined {
  switch (key) {
    case "ArrowUp":
      return bars.find(({ row }) => row.at === bar.row.parent);
    case "ArrowDown":
      return bars
        .filter(({ row }) => row.parent === bar.row.at)
        .reduce<FlameBar | undefined>(
          (first, one) => (first && first.from <= one.from ? first : one),
          undefined,
        );
    default: {
      const level = bars.filter((one) => one.level === bar.level).sort((a, b) => a.from - b.from);
      return level[level.indexOf(bar) + (key === "ArrowRight" ? 1 : -1)];
    }
  }
}

/** So many rows are shown before one asks for more. */
const FEW_ROWS = 12;

function SumTable({
  title,
  sums,
  whole,
  kept,
  keep,
}: Keeps & {
  readonly title: string;
  readonly sums: readonly GasSum[];
  readonly whole: string;
}) {
  const [isWhole, setIsWhole] = useState(kept.wholeSums.includes(title));
  const rows = isWhole ? sums : sums.slice(0, FEW_ROWS);
  return (
    <div class="sum">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t`Name`}</th>
            <th scope="col" class="number">
              {t`Calls`}
            </th>
            <th scope="col" class="number">
              {t`Own gas`}
            </th>
            <th scope="col" class="number">
              {t`Share`}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, calls, gas }, at) => (
            <tr key={at}>
              <td title={name}>{name}</td>
              <td class="number">{calls.toLocaleString("en-US")}</td>
              <td class="number">{groupDigits(gas)}</td>
              <td class="number">{shareOf(gas, whole)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isWhole && sums.length > FEW_ROWS && (
        <button
          type="button"
          onClick={() => {
            setIsWhole(true);
            keep({ wholeSums: [...kept.wholeSums, title] });
          }}
        >
          {t`Show All ${sums.length.toLocaleString("en-US")}`}
        </button>
      )}
    </div>
  );
}

function shareOf(gas: string, whole: string): string {
  const all = drawnGas(whole);
  return all === 0 ? "" : `${((drawnGas(gas) / all) * 100).toFixed(1)} %`;
}
