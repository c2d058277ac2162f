import "../displayLanguage.ts";
import { t } from "@vscode/l10n";
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Mending } from "../../core/rows/ledgerRow.ts";
import {
  TRANSACTION_MARKS,
  type CallRow,
  type PageNews,
  type PageRequest,
  type TransactionPage,
} from "../../core/ledger/transactions/pageModel.ts";
import { distinctNames } from "../../core/ledger/transactions/namesakes.ts";
import type { TextLine } from "../../core/text/labelledText.ts";
import { editorLink } from "../editorLink.ts";
import { FactList } from "../factList.tsx";
import { usePassing } from "../passing.ts";
import { CallTable, type FoundCalls, type TableState } from "./callTable.tsx";
import { GasTab, type GasState } from "./gasTab.tsx";
import { LogList, StateTable, TransferTable } from "./listTabs.tsx";
import { Tabs, type Tab } from "./tabs.tsx";
import "../page.css";
import "./transaction.css";

/** What a page was showing. */
interface KeptState extends TableState, GasState {
  readonly itemId?: string;
  /** How many calls there were, so that as many are loaded again. */
  readonly loaded: number;
  readonly tab: string;
  /** Positions of the logs that are unfolded. */
  readonly openLogs: readonly number[];
  /** Pixels above what is seen of each part. */
  readonly tops: Readonly<Record<string, number>>;
}

const link = editorLink<PageRequest, PageNews, KeptState>();
/** What is shown of the page now, as far as it was chosen. */
const kept = () =>
  link.state({
    tab: "calls",
    loaded: 0,
    filter: "",
    hidesStatic: false,
    folded: [],
    top: 0,
    openLogs: [],
    tops: {},
    flameTop: 0,
    wholeSums: [],
  });

/** Shows what an id or an address names. */
const open = (canonical: string) => link.send({ type: "open", canonical });

/** Rows that are new or other, in the place of those before; they come in order, each behind its caller. */
function withCalls(before: readonly CallRow[], news: readonly CallRow[]): readonly CallRow[] {
  const calls = [...before];
  for (const row of news) if (row.at <= calls.length) calls[row.at] = row;
  return calls;
}

/** Answers to what was searched for last: the filter, and what was typed to find a row. */
function withFound(before: FoundCalls, text: string, calls: readonly number[]): FoundCalls {
  const others = [...before].filter(([other]) => other !== text);
  return new Map([...others.slice(-(KEPT_SEARCHES - 1)), [text, new Set(calls)]]);
}

const KEPT_SEARCHES = 4;

/** The count on a tab, where it is known. */
function counted(count: number, unknown: string | undefined): { readonly count?: number } {
  return count === 0 && unknown !== undefined ? {} : { count };
}

function App() {
  const [page, setPage] = useState<TransactionPage>();
  const [calls, setCalls] = useState<readonly CallRow[]>([]);
  const [doing, setDoing] = useState<{
    readonly loading: boolean;
    readonly doing?: string;
    readonly problem?: string;
    readonly mending?: Mending;
    readonly isOfOtherNetwork?: true;
  }>({ loading: true });
  const [descriptions, setDescriptions] = useState<ReadonlyMap<number, readonly TextLine[]>>(new Map());
  const [found, setFound] = useState<FoundCalls>(new Map());
  const [tab, setTab] = useState(() => kept().tab);
  const partyName = useMemo(() => distinctNames(calls), [calls]);
  const [passing, tellInPassing] = usePassing();

  useEffect(() => {
    link.onNews((news) => {
      switch (news.type) {
        case "page":
          setPage(news.page);
          setCalls((before) => before.slice(0, news.page.callCount));
          // By it the page is filled again when the editor brings it back.
          link.keep({ itemId: news.itemId, loaded: Math.max(kept().loaded, news.page.callCount) });
          return;
        case "calls":
          setCalls((before) => withCalls(before, news.calls));
          return;
        case "description":
          setDescriptions((before) => new Map(before).set(news.at, news.lines));
          return;
        case "found":
          setFound((before) => withFound(before, news.text, news.calls));
          return;
        case "told":
          tellInPassing(news.words);
          return;
        case "state":
          setDoing(news);
      }
    });
    link.send({ type: "ready" });
  }, []);

  if (!page) {
    return (
      <main>
        <div role="status">
          <h1 class="waiting">{doing.problem ?? doing.doing ?? t`Loading…`}</h1>
        </div>
        {doing.isOfOtherNetwork ? (
          <Command request="changeNetwork" label={t`Change Network`} />
        ) : (
          doing.problem !== undefined && <Command request="refresh" label={t`Try Again`} />
        )}
        <Mend mending={doing.mending} />
      </main>
    );
  }
  const tabs: Tab[] = [
    {
      id: "calls",
      label: t`Calls`,
      count: page.callCount,
      panel: () => (
        <CallTable
          calls={calls}
          partyName={partyName}
          count={page.callCount}
          kept={kept()}
          keep={(change) => link.keep(change)}
          descriptions={descriptions}
          found={found}
          search={(text) => link.send({ type: "search", text })}
          describe={(at) => link.send({ type: "describe", at })}
          open={open}
          goToSource={(at) => link.send({ type: "goToSource", at })}
          copy={(at, form) => link.send({ type: form === "json" ? "copyCallJson" : "copyCall", at })}
        />
      ),
    },
    {
      id: "gas",
      label: t`Gas`,
      panel: () => (
        <GasTab
          page={page}
          calls={calls}
          partyName={partyName}
          kept={kept()}
          keep={(change) => link.keep(change)}
          exportProfile={() => link.send({ type: "exportSpeedscope" })}
        />
      ),
    },
    {
      id: "logs",
      label: t`Logs`,
      ...counted(page.logs.length, page.unknown.logs),
      panel: () => (
        <LogList
          logs={page.logs}
          unknown={page.unknown.logs}
          unfolded={kept().openLogs}
          open={open}
          keepOpen={(openLogs) => link.keep({ openLogs })}
        />
      ),
    },
    {
      id: "state",
      label: t`State`,
      ...counted(
        page.state.reduce((sum, { slots }) => sum + slots.length, 0),
        page.unknown.state,
      ),
      panel: () => <StateTable state={page.state} unknown={page.unknown.state} open={open} />,
    },
    {
      id: "transfers",
      label: t`Transfers`,
      ...counted(page.transfers.length + page.nfts.length, page.unknown.transfers),
      panel: () => (
        <TransferTable
          transfers={page.transfers}
          nfts={page.nfts}
          unknown={page.unknown.transfers}
          open={open}
        />
      ),
    },
  ];
  return (
    <main>
      <Head
        page={page}
        said={doing.problem ?? doing.doing ?? (doing.loading ? t`Loading…` : passing)}
        mending={doing.mending}
        isOfOtherNetwork={doing.isOfOtherNetwork === true}
      />
      <Tabs
        tabs={page.isWithoutCalls ? tabs.filter(({ id }) => id !== "calls" && id !== "gas") : tabs}
        chosen={tab}
        choose={(id) => {
          setTab(id);
          link.keep({ tab: id });
        }}
        tops={kept().tops}
        keepTop={(id, top) => link.keep({ tops: { ...kept().tops, [id]: top } })}
      />
    </main>
  );
}

function Head({
  page,
  said,
  mending,
  isOfOtherNetwork,
}: {
  readonly page: TransactionPage;
  readonly said: string;
  readonly mending: Mending | undefined;
  readonly isOfOtherNetwork: boolean;
}) {
  return (
    <header>
      <div class="headline">
        <h1 class={page.outcome} title={page.headline}>
          <span aria-hidden="true">{TRANSACTION_MARKS[page.outcome]}</span> {page.headline}
        </h1>
        <div class="commands">
          {page.hasExplorer === true && <Command request="openExplorer" label={t`Open in Block Explorer`} />}
          <Command request="copyText" label={t`Copy`} />
          <Command request="copyJson" label={t`JSON`} />
          <Command request="refresh" label={t`Refresh`} />
        </div>
      </div>
      <FactList facts={page.facts} open={open} />
      {page.notes.map((note, at) => (
        <p key={at} class="note">
          {note}
        </p>
      ))}
      {!page.complete && <Command request="loadMore" label={t`Load More`} />}
      <p class="doing" role="status">
        {said}
      </p>
      <Mend mending={mending} />
      {isOfOtherNetwork && <Command request="changeNetwork" label={t`Change Network`} />}
    </header>
  );
}

/** The way out of what failed, where there is one. */
function Mend({ mending }: { readonly mending: Mending | undefined }) {
  if (mending === undefined) return null;
  return mending === "key" ? (
    <Command request="enterKey" label={t`Enter Key…`} />
  ) : (
    <Command request="openSettings" label={t`Open Settings`} />
  );
}

function Command({
  request,
  label,
}: {
  readonly request: Exclude<
    Exclude<PageRequest, { at: number } | { text: string } | { canonical: string }>["type"],
    "ready"
  >;
  readonly label: string;
}) {
  return (
    <button type="button" onClick={() => link.send({ type: request })}>
      {label}
    </button>
  );
}

render(<App />, document.body);
