import "../displayLanguage.ts";
import { t } from "@vscode/l10n";
import { render, type ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import {
  OUTCOME_MARKS,
  type PageCause,
  type VerificationPage,
  type VerificationPageNews,
  type VerificationPageRequest,
} from "../../core/jobs/page/pageModel.ts";
import { editorLink } from "../editorLink.ts";
import { FactList } from "../factList.tsx";
import { usePassing } from "../passing.ts";
import { Press } from "./press.tsx";
import { CodeDifference } from "./codeDifference.tsx";
import type { KeptFold } from "./fold.tsx";
import { keptScroll } from "./keptScroll.ts";
import { SentInput } from "./sentInput.tsx";
import "../page.css";
import "./verification.css";

/** What a page was showing. */
interface KeptState {
  readonly key?: string;
  readonly showsFiles: boolean;
  /** The places of the runtime code. */
  readonly showsPlaces: boolean;
  readonly showsCreationPlaces: boolean;
  /** How far it is scrolled, in pixels. */
  readonly scroll: number;
}

const link = editorLink<VerificationPageRequest, VerificationPageNews, KeptState>();
const kept = link.state({ showsFiles: false, showsPlaces: false, showsCreationPlaces: false, scroll: 0 });
const scrollBack = keptScroll(kept.scroll, (scroll) => link.keep({ scroll }));

function foldOf(name: "showsFiles" | "showsPlaces" | "showsCreationPlaces"): KeptFold {
  return { isOpen: kept[name], keepOpen: (isOpen) => link.keep({ [name]: isOpen }) };
}

function App() {
  const [page, setPage] = useState<VerificationPage>();
  const [state, setState] = useState<{ readonly doing?: string; readonly problem?: string }>({});
  const [passing, tellInPassing] = usePassing();

  useEffect(() => {
    link.onNews((news) => {
      if (news.type === "state") {
        setState(news);
        return;
      }
      if (news.type === "causes") {
        focusPart(CAUSES);
        return;
      }
      if (news.type === "told") {
        tellInPassing(news.words);
        return;
      }
      setPage(news.page);
      // By it the page is filled again when the editor brings it back.
      link.keep({ key: news.key });
    });
    link.send({ type: "ready" });
  }, []);

  useLayoutEffect(scrollBack, [page]);

  const press = (id: string) => link.send({ type: "press", id });
  const open = (canonical: string) => link.send({ type: "open", canonical });
  const said = state.problem ?? state.doing ?? passing;
  if (!page) {
    return (
      <main>
        <div role="status">
          <h1 class="waiting">{said === "" ? t`Loading…` : said}</h1>
        </div>
      </main>
    );
  }
  return (
    <main>
      <header tabIndex={-1}>
        <div class="headline">
          <h1 class={page.outcome}>
            <span aria-hidden="true">{OUTCOME_MARKS[page.outcome]}</span> {page.headline}
            <span class="at"> · {page.place}</span>
          </h1>
          <div class="commands">
            {page.lead && <Press button={page.lead} press={press} isPrimary />}
            {page.buttons.map((button) => (
              <Press key={button.id} button={button} press={press} />
            ))}
          </div>
        </div>
        {page.sentences.map((sentence) => (
          <p key={sentence} class="sentence">
            {sentence}
          </p>
        ))}
        <p class="doing" role="status">
          {said}
        </p>
        <FactList facts={page.facts} open={open} />
      </header>
      {page.causes.length > 0 && (
        <Section title={t`Causes`} id={CAUSES}>
          <ol class="causes">
            {page.causes.map((cause, at) => (
              <CauseRow key={at} cause={cause} press={press} isFirst={at === 0 && !page.lead} />
            ))}
          </ol>
        </Section>
      )}
      {page.code && (
        <Section title={t`Runtime code`}>
          <CodeDifference
            code={page.code}
            button={page.codeButton}
            fold={foldOf("showsPlaces")}
            press={press}
          />
        </Section>
      )}
      {page.creationCode && (
        <Section title={t`Creation code`}>
          <CodeDifference
            code={page.creationCode}
            button={page.creationButton}
            fold={foldOf("showsCreationPlaces")}
            press={press}
          />
        </Section>
      )}
      {page.codeNote !== undefined && (
        <Section title={t`Runtime code`}>
          <p class="empty">{page.codeNote}</p>
        </Section>
      )}
      {page.constructorArguments.length > 0 && (
        <Section title={t`Constructor arguments`}>
          <FactList facts={page.constructorArguments} isTall />
        </Section>
      )}
      {page.transformations.length > 0 && (
        <Section title={t`What the deployment wrote into the code`}>
          <FactList facts={page.transformations} isTall />
        </Section>
      )}
      {page.sent && (
        <Section title={page.sentTitle}>
          <SentInput
            sent={page.sent}
            buttons={page.sentButtons}
            hasFiles={page.hasFiles}
            fold={foldOf("showsFiles")}
            press={press}
            openFile={(at) => link.send({ type: "openFile", at })}
          />
        </Section>
      )}
      {page.explorers.length > 0 && (
        <Section title={t`Explorers`}>
          <ul class="plain">
            {page.explorers.map(({ name, words, button }) => (
              <li key={name}>
                <strong>{name}</strong> {words}
                {button && <Press button={button} press={press} isLink />}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </main>
  );
}

const CAUSES = "causes";

/** Scrolls to a part, or to the head where the page has no such part, and marks it by the focus. */
function focusPart(id: string): void {
  const part = document.getElementById(id) ?? document.querySelector<HTMLElement>("main > header");
  part?.scrollIntoView({ block: "nearest" });
  part?.focus({ preventScroll: true });
}

/** A part of the page with its heading. */
function Section({
  title,
  id,
  children,
}: {
  readonly title: string;
  /** Of one that can be led to: {@link focusPart}. */
  readonly id?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section aria-label={title} {...(id !== undefined && { id, tabIndex: -1 })}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function CauseRow({
  cause,
  press,
  isFirst,
}: {
  readonly cause: PageCause;
  readonly press: (id: string) => void;
  /** Whether its button is the first that helps on the page. */
  readonly isFirst: boolean;
}) {
  const { evidence, fix, certainty, isProven, exactly, button } = cause;
  return (
    <li>
      <div class="row">
        <div class="cause">
          <p>
            {evidence}{" "}
            <span class={`certainty ${isProven ? "proven" : ""}`} title={exactly}>
              {certainty}
            </span>
          </p>
          {fix !== undefined && <p class="note">{fix}</p>}
        </div>
        {button && <Press button={button} press={press} isPrimary={isFirst} />}
      </div>
    </li>
  );
}

render(<App />, document.body);
