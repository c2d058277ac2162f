import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { CallRow } from "../../core/ledger/transactions/pageModel.ts";
import { groupDigits } from "../../core/text/exactDecimal.ts";
import { lineText, type TextLine } from "../../core/text/labelledText.ts";
import { Openable, WithOpenables } from "../factList.tsx";
import { drawnGas } from "./flame.ts";
import { bringIntoView, onScrollAtRest } from "./scrolling.ts";
import { useVirtualRows } from "./useVirtualRows.ts";
import {
  lineOfCall,
  searchedText,
  successfulBranches,
  visibleCalls,
  wordsOf,
  type VisibleCall,
} from "./visibleCalls.ts";

/** What the table was showing. */
export interface TableState {
  readonly filter: string;
  readonly hidesStatic: boolean;
  readonly folded: readonly number[];
  /** Position of the call that was chosen; missing where none was. */
  readonly focused?: number;
  /** Pixels above what is seen. */
  readonly top: number;
}

/** The positions of the calls in which texts are found, as far as that was asked for. */
export type FoundCalls = ReadonlyMap<string, ReadonlySet<number>>;

interface CallTableProps {
  /** In order of execution, as far as they came. */
  readonly calls: readonly CallRow[];
  /** What a call's party is called among all of them. */
  readonly partyName: (row: CallRow) => string;
  /** How many there will be. */
  readonly count: number;
  readonly kept: TableState;
  readonly keep: (change: Partial<TableState>) => void;
  /** What rows say in full, as far as it was asked for. */
  readonly descriptions: ReadonlyMap<number, readonly TextLine[]>;
  readonly describe: (at: number) => void;
  readonly found: FoundCalls;
  /** Asks for the calls in which a text is found, which are in {@link found} then. */
  readonly search: (text: string) => void;
  /** Opens what was called, or what called it. */
  readonly open: (canonical: string) => void;
  readonly goToSource: (at: number) => void;
  readonly copy: (at: number, form: "text" | "json") => void;
}

/** As the stylesheet has it. */
const ROW_PIXELS = 22;
/** So long the pointer is in a row before it is told in full: less than a hover takes to be shown. */
const REST_MS = 100;
/** Keys that are typed within this time belong to one word. */
const TYPING_MS = 800;
/** A filter is searched for in what rows do not say once so long nothing was typed. */
const SEARCH_MS = 100;
/** And again for calls that came or got names, as long after they did. */
const SEARCH_AGAIN_MS = 1_000;
/** What a person does who scrolls. */
const STAYS = ["wheel", "pointerdown"] as const;
/** Calls are indented up to this level. */
const MAX_INDENT = 24;

/** The calls as a table with indentation, which the keyboard moves through as through a tree. */
export function CallTable(props: CallTableProps) {
  const {
    calls,
    partyName,
    count,
    kept,
    keep,
    descriptions,
    describe,
    found,
    search,
    open,
    goToSource,
    copy,
  } = props;
  const [filter, setFilter] = useState(kept.filter);
  const [hidesStatic, setHidesStatic] = useState(kept.hidesStatic);
  const [folded, setFolded] = useState<ReadonlySet<number>>(() => new Set(kept.folded));
  const [chosen, setChosen] = useState(kept.focused);
  const [view, setView] = useState({ line: lineAt(kept.top), height: 600 });
  const scroller = useRef<HTMLDivElement>(null);
  /** Where the list was left; its rows come one after the other, and it is scrolled there when they reach so far. */
  const left = useRef(kept.top === 0 ? undefined : kept.top);
  /** Position of the call in whose row the pointer rests. */
  const [pointed, setPointed] = useState<number>();
  /** Until the pointer rests in a row. */
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const typed = useRef<TypedWord>({ text: "", at: 0 });
  const wanted = searchedText(filter);
  const foundByFilter = found.get(wanted);
  useSearch(wanted, calls, search);

  const shown = useMemo(
    () => visibleCalls(calls, { filter, found: foundByFilter, hidesStatic, folded }),
    [calls, filter, foundByFilter, hidesStatic, folded],
  );
  const mostGas = useMemo(() => calls.reduce((most, { own }) => Math.max(most, drawnGas(own)), 1), [calls]);
  const origin = useMemo(() => originOf(calls), [calls]);
  const focused = chosen ?? origin;
  const line = useMemo(() => lineOfCall(shown, calls, focused), [shown, calls, focused]);
  const focusedRow = shown[line]?.row;
  const rows = useVirtualRows(shown, { line: view.line, lines: Math.ceil(view.height / ROW_PIXELS) + 1 });

  const look = () => {
    const element = scroller.current;
    if (!element) return;
    const [line, height] = [lineAt(element.scrollTop), element.clientHeight - ROW_PIXELS];
    // Nothing is drawn anew while the same lines are seen.
    setView((before) => (before.line === line && before.height === height ? before : { line, height }));
  };
  const focusLine = (to: number) => {
    const next = shown[Math.max(0, Math.min(shown.length - 1, to))];
    if (!next) return;
    left.current = undefined;
    setChosen(next.row.at);
    keep({ focused: next.row.at });
    bringIntoView(scroller.current, shown.indexOf(next), ROW_PIXELS, ROW_PIXELS);
  };
  const fold = (at: number, isFolded: boolean) => {
    const next = new Set(folded);
    if (isFolded) next.add(at);
    else next.delete(at);
    setFolded(next);
    keep({ folded: [...next] });
  };

  const hasRows = calls.length > 0;
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    const end = onScrollAtRest(element, (top) => left.current === undefined && keep({ top }));
    const stay = () => (left.current = undefined);
    for (const doing of STAYS) element.addEventListener(doing, stay, { passive: true });
    return () => {
      observer.disconnect();
      end();
      for (const doing of STAYS) element.removeEventListener(doing, stay);
    };
  }, [hasRows]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || left.current === undefined) return;
    element.scrollTop = left.current;
    if (element.scrollTop >= left.current - 1) left.current = undefined;
  }, [shown.length]);
  // Where the failure began is shown until something else is chosen.
  useEffect(() => {
    if (chosen === undefined && kept.top === 0) bringIntoView(scroller.current, line, ROW_PIXELS, ROW_PIXELS);
  }, [origin]);
  const said = focusedRow?.at;
  useEffect(() => {
    if (said !== undefined) describe(said);
  }, [said, calls]);

  /** Rows that are scrolled past below a pointer are not asked for. */
  const point = (event: PointerEvent) => {
    clearTimeout(resting.current);
    resting.current = setTimeout(() => {
      const row = shown[lineOf(event) ?? -1]?.row;
      if (!row) return;
      setPointed(row.at);
      describe(row.at);
    }, REST_MS);
  };

  const onKey = (event: KeyboardEvent) => {
    const current = shown[line];
    if (!current || event.ctrlKey || event.metaKey || event.altKey) return;
    const { row } = current;
    const page = Math.max(1, Math.floor(view.height / ROW_PIXELS) - 1);
    const moves = new Map<string, () => void>(
      Object.entries({
        ArrowDown: () => focusLine(line + 1),
        ArrowUp: () => focusLine(line - 1),
        PageDown: () => focusLine(line + page),
        PageUp: () => focusLine(line - page),
        Home: () => focusLine(0),
        End: () => focusLine(shown.length - 1),
        ArrowRight: () => (current.fold === "folded" ? fold(row.at, false) : focusLine(line + 1)),
        ArrowLeft: () => {
          if (current.fold === "open") fold(row.at, true);
          else if (row.parent >= 0) focusLine(lineOfCall(shown, calls, row.parent));
        },
        Enter: () => (row.hasSource === true ? goToSource(row.at) : describe(row.at)),
      }),
    );
    const move = moves.get(event.key);
    if (move) move();
    else if (event.key.length === 1 && event.key !== " ") find(event.key, event.timeStamp);
    else return;
    event.preventDefault();
  };

  /** Goes to the next row that says what is being typed, else to the next that says it in full. */
  const find = (key: string, now: number) => {
    const isNew = now - typed.current.at > TYPING_MS;
    const text = (isNew ? "" : typed.current.text) + key.toLowerCase();
    const order = inOrder(isNew ? line + 1 : line);
    const next = order.find(({ row }) => wordsOf(row).toLowerCase().includes(text));
    typed.current = { text, at: now, ...(!next && { order }) };
    if (next) focusLine(shown.indexOf(next));
    else search(text);
  };
  const inOrder = (from: number) => [...shown.slice(from), ...shown.slice(0, from)];
  useEffect(() => {
    const { text, order } = typed.current;
    const places = found.get(text);
    if (!order || !places) return;
    delete typed.current.order;
    const next = order.find(({ row }) => places.has(row.at));
    if (next) focusLine(lineOfCall(shown, calls, next.row.at));
  }, [found]);

  if (!hasRows) return <p class="empty">{count === 0 ? t`No calls to show.` : t`Loading…`}</p>;
  return (
    <>
      <div class="tools">
        <input
          type="search"
          placeholder={t`Filter calls`}
          aria-label={t`Filter calls`}
          value={filter}
          onInput={({ currentTarget }) => {
            setFilter(currentTarget.value);
            keep({ filter: currentTarget.value });
          }}
        />
        <label>
          <input
            type="checkbox"
            checked={!hidesStatic}
            onChange={({ currentTarget }) => {
              setHidesStatic(!currentTarget.checked);
              keep({ hidesStatic: !currentTarget.checked });
            }}
          />{" "}
          {t`Static calls`}
        </label>
        <button
          type="button"
          onClick={() => {
            const next = successfulBranches(calls);
            setFolded(next);
            keep({ folded: [...next] });
          }}
        >
          {t`Fold Successful`}
        </button>
        <button
          type="button"
          onClick={() => {
            setFolded(new Set());
            keep({ folded: [] });
          }}
        >
          {t`Unfold All`}
        </button>
        <span class="count" role="status">
          {shown.length === calls.length
            ? ""
            : t`${shown.length.toLocaleString("en-US")} of ${calls.length.toLocaleString("en-US")} shown`}
        </span>
      </div>
      <div
        class="calls"
        ref={scroller}
        onScroll={look}
        role="treegrid"
        aria-label={t`Calls`}
        aria-rowcount={shown.length + 1}
        aria-activedescendant={focusedRow && `call-${focusedRow.at}`}
        tabIndex={0}
        onKeyDown={onKey}
      >
        <div class="row head" role="row" aria-rowindex={1}>
          <span role="columnheader">{t`Call`}</span>
          <span role="columnheader">{t`Result`}</span>
          <span role="columnheader" class="number">
            {t`Value`}
          </span>
          <span role="columnheader" class="number">
            {t`Gas`}
          </span>
          <span role="columnheader" class="number">
            {t`Own`}
          </span>
        </div>
        <div
          class="rows"
          style={{ height: `${shown.length * ROW_PIXELS}px` }}
          role="rowgroup"
          onClick={(event) => {
            const line = lineOf(event) ?? -1;
            const one = shown[line];
            if (!one) return;
            if (one.fold !== "none" && isIn(event, ".twisty")) fold(one.row.at, one.fold === "open");
            else focusLine(line);
          }}
          onDblClick={(event) => {
            const one = shown[lineOf(event) ?? -1];
            if (one) goToSource(one.row.at);
          }}
          onPointerOver={point}
          onPointerMove={point}
          onPointerLeave={() => {
            clearTimeout(resting.current);
            setPointed(undefined);
          }}
        >
          {rows.map(({ place, line: at, one }) => {
            const isFocused = one.row.at === focusedRow?.at;
            const isPointed = one.row.at === pointed;
            return (
              <Row
                key={place}
                row={one.row}
                party={partyName(one.row)}
                fold={one.fold}
                line={at}
                isFocused={isFocused}
                isMeant={isFocused || isPointed || one.row.isOrigin === true}
                mostGas={mostGas}
                words={isFocused || isPointed ? wordsInFull(one.row, descriptions) : undefined}
                open={open}
                goToSource={goToSource}
              />
            );
          })}
        </div>
      </div>
      {focusedRow && (
        <div class="below">
          <div class="detail" role="region" aria-label={t`The call in full`} aria-live="polite" tabIndex={0}>
            {(descriptions.get(focusedRow.at) ?? [wordsOf(focusedRow)]).map((line, at) => (
              <p key={at}>
                {typeof line === "string" ? (
                  <WithOpenables text={line} open={open} />
                ) : (
                  <>
                    {line.label}: <Openable text={line.value} opens={line.opens} open={open} />
                  </>
                )}
              </p>
            ))}
          </div>
          <div class="doings">
            <CallButtons row={focusedRow} open={open} goToSource={goToSource} />
            <button type="button" onClick={() => copy(focusedRow.at, "text")}>{t`Copy Call`}</button>
            <button type="button" onClick={() => copy(focusedRow.at, "json")}>{t`Copy Call as JSON`}</button>
          </div>
        </div>
      )}
    </>
  );
}

/** What is being typed to find a row. */
interface TypedWord {
  readonly text: string;
  /** When the last key was pressed. */
  readonly at: number;
  /** The rows that may say it in full, in their order from where it was typed; missing where one was found. */
  order?: readonly VisibleCall[];
}

/** Asks for the calls in which a text is found when it was typed, and when calls came or are named. */
function useSearch(wanted: string, calls: readonly CallRow[], search: (text: string) => void): void {
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const newest = useRef(wanted);
  newest.current = wanted;
  const ask = () => {
    waiting.current = undefined;
    if (newest.current !== "") search(newest.current);
  };
  useEffect(() => {
    clearTimeout(waiting.current);
    waiting.current = setTimeout(ask, SEARCH_MS);
  }, [wanted]);
  useEffect(() => {
    waiting.current ??= setTimeout(ask, SEARCH_AGAIN_MS);
  }, [calls]);
  useEffect(() => () => clearTimeout(waiting.current), []);
}

interface RowProps extends VisibleCall {
  /** What its contract is called among all of them. */
  readonly party: string;
  readonly line: number;
  readonly isFocused: boolean;
  /** Its buttons are shown. */
  readonly isMeant: boolean;
  readonly mostGas: number;
  /** What a hover says. */
  readonly words: string | undefined;
  readonly open: (canonical: string) => void;
  readonly goToSource: (at: number) => void;
}

/** Drawn anew only where it says something else: while the table is scrolled far at a time, the spare rows do not. */
function Row(props: RowProps) {
  const { row, party, fold, line, isFocused, isMeant, mostGas, words, open, goToSource } = props;
  return useMemo(
    () => drawRow(props),
    [row, party, fold, line, isFocused, isMeant, mostGas, words, open, goToSource],
  );
}

/** Nothing empty is drawn, and nothing listens: while the table is scrolled, each row is another one at every frame. */
function drawRow({ row, party, fold, line, isFocused, isMeant, mostGas, words, open, goToSource }: RowProps) {
  const result =
    row.failure === undefined ? row.result : `${row.failure}${row.isCaught ? t`, caught by its caller` : ""}`;
  const hasButtons = isMeant && (row.hasSource ?? row.opens) !== undefined;
  const indent = Math.min(row.level, MAX_INDENT) * 14 + (fold === "none" ? 22 : 8);
  return (
    <div
      class={`row ${row.outcome}${row.isOnPath ? " path" : ""}${row.isOrigin ? " origin" : ""}${isFocused ? " focused" : ""}`}
      id={`call-${row.at}`}
      role="row"
      aria-rowindex={line + 2}
      aria-level={row.level + 1}
      aria-selected={isFocused}
      aria-expanded={fold === "none" ? undefined : fold === "open"}
      style={`top: ${line * ROW_PIXELS}px`}
      title={words}
    >
      <span role="gridcell" class="call" style={`padding-left: ${indent}px`}>
        {fold !== "none" && <span class={`twisty ${fold}`} aria-hidden="true" />}
        {row.level > MAX_INDENT && <span class="level">{row.level}</span>}
        {row.outcome === "failed" ? (
          <span class="mark" aria-label={t`failed`}>
            ✕
          </span>
        ) : (
          row.failure !== undefined && <span class="mark">!</span>
        )}
        {row.operation !== "call" && <span class="operation">{row.operation}</span>}
        <span class="what">{row.name === undefined ? party : `${party}.${row.name}`}</span>
        {(row.name ?? row.args) !== undefined && <span class="args">{`(${row.args ?? ""})`}</span>}
        {row.isGuess && <span class="guess">{t`name is a guess`}</span>}
        {row.standard !== undefined && <span class="guess">{row.standard}</span>}
      </span>
      <span role="gridcell" class="result">
        {hasButtons ? (
          <>
            <span class="told">{result}</span>
            <span class={row.value === undefined ? "over wide" : "over"}>
              <CallButtons row={row} open={open} goToSource={goToSource} isInTree />
            </span>
          </>
        ) : (
          result
        )}
      </span>
      <span role="gridcell" class="number value">
        {row.value}
      </span>
      <span role="gridcell" class="number">
        {row.gas === undefined ? undefined : groupDigits(row.gas)}
      </span>
      <span role="gridcell" class="number own">
        <span
          class="bar"
          style={`width: ${Math.round((drawnGas(row.own) / mostGas) * 40)}px`}
          aria-hidden="true"
        />
        {row.own === undefined ? undefined : groupDigits(row.own)}
      </span>
    </div>
  );
}

/** What can be done with a call. */
function CallButtons({
  row,
  open,
  goToSource,
  isInTree = false,
}: Pick<RowProps, "row" | "open" | "goToSource"> & {
  /** Tab does not lead there: the keys of the tree do the same. */
  readonly isInTree?: boolean;
}) {
  const { opens } = row;
  const way = { type: "button", tabIndex: isInTree ? -1 : 0 } as const;
  return (
    <>
      {row.hasSource && (
        <button {...way} onClick={() => goToSource(row.at)}>
          {t`Go to Source`}
        </button>
      )}
      {opens !== undefined && (
        <button {...way} title={t`Open ${opens}`} onClick={() => open(opens)}>
          {t`Open ${row.contract}`}
        </button>
      )}
    </>
  );
}

/** What a row says in full, as far as it is known. */
function wordsInFull(row: CallRow, descriptions: ReadonlyMap<number, readonly TextLine[]>): string {
  return descriptions.get(row.at)?.map(lineText).join("\n") ?? wordsOf(row);
}

/** Position of the call where the failure began, which a page shows first. */
function originOf(calls: readonly CallRow[]): number {
  return calls.find(({ isOrigin }) => isOrigin)?.at ?? 0;
}

/** The line of which so many pixels lie below the top. */
function lineAt(top: number): number {
  return Math.floor(top / ROW_PIXELS);
}

/** The line of the row in which something happened. */
function lineOf({ target }: Event): number | undefined {
  const index = (target as Element).closest("[aria-rowindex]")?.getAttribute("aria-rowindex");
  return index == null ? undefined : Number(index) - 2;
}

function isIn({ target }: Event, selector: string): boolean {
  return (target as Element).closest(selector) !== null;
}
