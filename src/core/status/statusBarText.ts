import { t } from "@vscode/l10n";
import { beginning, foreign, foreignSentence, joined, shown, type ShownText } from "../text/shownText.ts";
import type { ServiceHealth } from "./serviceHealth.ts";
import { componentLevel, isTrouble, levelIcon, severity, type StatusLevel } from "./statusLevel.ts";
import { statusProblems, type StatusProblem } from "./statusProblems.ts";
import { isOtherForm, isStale, type StatusState } from "./statusState.ts";
import type { StatusSummary } from "./statusSummary.ts";
import { networkWordsIn, watchedComponents, type Watch, type WatchChoice } from "./statusWatch.ts";
import { CALM_TEXT, notChecked } from "./initialStatusItem.ts";
import { counted } from "../text/counted.ts";
import { agoWords, durationWords, localTime, type TimeZone } from "../text/timeWords.ts";

/** The item of the status bar, ready to be drawn. */
interface StatusBarModel {
  /** A codicon's name, without `$(…)`. */
  readonly icon: string;
  /** Behind the icon. */
  readonly text: ShownText;
  /** Plain lines, never Markdown. */
  readonly tooltip: readonly ShownText[];
  /** For screen readers. */
  readonly accessibilityLabel: ShownText;
  /** The background: `error` only for an outage of something that is watched. */
  readonly level: "none" | "warning" | "error";
}

/** One look that fails may be an accident. */
const MISSES_OF_A_SERVICE = 2;
const MAX_LINES = 6;
const PRODUCT_CHARACTERS = 24;
/** So many where a network and a number of places stand behind it. */
const SHORT_PRODUCT_CHARACTERS = 16;

const SHORT_WORDS: Readonly<Record<StatusLevel, string>> = {
  well: t`well`,
  unknown: t`unknown`,
  maintenance: t`maintenance`,
  degraded: t`degraded`,
  partial_outage: t`partial outage`,
  major_outage: t`major outage`,
};

/**
 * The item for what is known now. Says nothing loud while all is well, while offline, and while it is not sure.
 *
 * @param choice of what is watched
 * @param moment for which it is made, and whether what the page tells of is used here: else the services that are come first, and
 * what the page says is said of it alone
 */
export function statusBarModel(
  state: StatusState,
  choice: WatchChoice,
  {
    now,
    timeZone,
    isHederaUsed = true,
  }: { readonly now: number; readonly timeZone?: TimeZone; readonly isHederaUsed?: boolean },
): StatusBarModel {
  const { summary, offline } = state;
  const watch = summary && watchedComponents(summary, choice);
  const problems = watch ? statusProblems(summary, watch) : [];
  const isLoud = ({ watched, level }: StatusProblem) => watched && isTrouble(level);
  const trouble = problems.filter(isLoud);
  const unwell = offline ? [] : [state.verification, state.ledger].filter(isUnwell);
  // What an incident does that states no impact, or one in other words, is not known: no alarm, and not well.
  const unclear = problems.filter((problem) => problem.watched && !isLoud(problem));
  const headline = headlineOf(state, { trouble, unclear, unwell, watch });
  const services = servicesLine(state);
  const calm = isHederaUsed || !watch ? headline.calm : calmOfPage(headline.calm, summary);
  const age = state.confirmedAt === undefined ? undefined : durationWords(now - state.confirmedAt);
  const isOld = isStale(state) && age !== undefined;
  const aside = offline ? t` · offline` : isOld ? t` · ${age} old` : "";
  const lines = [
    ...(isHederaUsed ? [] : [services]),
    ...(trouble.length === 0 && unwell.length === 0 ? [calm] : []),
    ...capped(trouble.map((problem) => problemLine(problem, now, timeZone))),
    ...unwell.map((health) => `${serviceName(health)} (${foreign(health.host)}): ${healthWords(health)}`),
    ...capped(unclear.map((problem) => problemLine(problem, now, timeZone))),
    ...capped(
      problems
        .filter(({ watched }) => !watched)
        .map((problem) => t`Not watched: ${problemLine(problem, now, timeZone)}`),
    ),
    ...(watch ? [watchLine(watch, summary.page.name)] : []),
    ...(isHederaUsed ? [services] : []),
    ...checkedLines(state, now),
  ];
  const text = foreign(headline.text + aside);
  return {
    icon: offline ? "debug-disconnect" : headline.icon,
    text,
    tooltip: lines.filter((line) => line !== "").map(foreignSentence),
    accessibilityLabel: joined(
      [
        shown`Service status: ${text === CALM_TEXT ? calm : text}`,
        ...trouble.slice(0, 3).map((problem) => problemLine(problem, now, timeZone)),
      ],
      ". ",
    ),
    level: offline || isStale(state) ? "none" : headline.level,
  };
}

interface Headline {
  readonly icon: string;
  readonly text: string;
  readonly level: StatusBarModel["level"];
  /** What the tooltip begins with when there is no trouble. */
  readonly calm: string;
}

function headlineOf(
  state: StatusState,
  {
    trouble,
    unclear,
    unwell,
    watch,
  }: {
    readonly trouble: readonly StatusProblem[];
    readonly unclear: readonly StatusProblem[];
    readonly unwell: readonly ServiceHealth[];
    readonly watch: Watch | undefined;
  },
): Headline {
  const { summary } = state;
  const [worst] = trouble;
  const isWorse = worst !== undefined && severity(worst.level) >= severity("degraded");
  if (summary && worst && (isWorse || unwell.length === 0)) {
    return {
      icon: levelIcon(worst.level),
      text: shortTrouble(worst, trouble, summary, watch),
      level: worst.level === "major_outage" ? "error" : worst.level === "partial_outage" ? "warning" : "none",
      calm: "",
    };
  }
  const [first] = unwell;
  if (first) {
    const text = unwell.length > 1 ? t`Services degraded` : unwellWords(first);
    return { icon: "warning", text, level: "warning", calm: "" };
  }
  if (summary && watch && !isOtherForm(state))
    // No tick: beside the name of what verifies contracts it is read as the result of a verification.
    return { icon: "pulse", text: CALM_TEXT, level: "none", calm: calmWords(summary, watch, unclear.length) };
  const calm = state.offline
    ? t`No service can be reached: this machine seems to be offline`
    : isOtherForm(state)
      ? t`What the status page answers is not a Statuspage summary`
      : state.misses > 0
        ? t`The status page does not tell`
        : notChecked();
  return { icon: "circle-outline", text: CALM_TEXT, level: "none", calm };
}

/** "Ledger unreachable", "Verification failing". */
function unwellWords({ service, state }: ServiceHealth): string {
  if (service === "ledger") return state === "unreachable" ? t`Ledger unreachable` : t`Ledger failing`;
  return state === "unreachable" ? t`Verification unreachable` : t`Verification failing`;
}

/**
 * "All services operational", "1 of 4 watched services unclear", "1 incident of unknown impact": a word that is not known is no
 * trouble, and not well.
 */
function calmWords(summary: StatusSummary, { ids, chosenBy }: Watch, incidents: number): string {
  const services = chosenBy === "default" ? t`services` : t`watched services`;
  const unclear = summary.components.filter(
    ({ id, status }) => ids.has(id) && componentLevel(status) === "unknown",
  ).length;
  const words = [
    ...(incidents === 0 ? [] : [t`${counted(incidents, "incident")} of unknown impact`]),
    ...(unclear === 0 ? [] : [t`${unclear} of ${ids.size} ${services} unclear`]),
  ];
  return words.length === 0 ? t`All ${services} operational` : words.join(", ");
}

/** "Hedera: all services operational" */
function calmOfPage(calm: string, summary: StatusSummary): string {
  return calm === "" ? "" : `${productOf(summary)}: ${calm.charAt(0).toLowerCase()}${calm.slice(1)}`;
}

function productOf({ page }: StatusSummary, characters = PRODUCT_CHARACTERS): ShownText {
  return beginning(foreign(page.name.replace(/\s+status(?:\s+page)?\s*$/i, "")), characters);
}

/**
 * "Hedera Mainnet: major outage", "Hedera: partial outage in 3 places": the product first, with the network that is watched or
 * the one that all of the trouble names. What is out stands in the tooltip.
 */
function shortTrouble(
  worst: StatusProblem,
  trouble: readonly StatusProblem[],
  summary: StatusSummary,
  watch: Watch | undefined,
): string {
  const words = SHORT_WORDS[worst.level];
  const product = productOf(summary);
  const alike = trouble.filter(({ level }) => level === worst.level);
  const [network, ...others] = watch?.networkWord === undefined ? namedNetworks(alike) : [watch.networkWord];
  const isToBeNamed =
    network !== undefined && others.length === 0 && !networkWordsIn(product).includes(network);
  const isCounted = alike.length > 1 && watch?.networkWord === undefined;
  const shortProduct = isCounted ? productOf(summary, SHORT_PRODUCT_CHARACTERS) : product;
  const subject = isToBeNamed ? `${shortProduct} ${network}` : product;
  return isCounted ? t`${subject}: ${words} in ${alike.length} places` : `${subject}: ${words}`;
}

/** The networks that are named by what is in trouble, each once. */
function namedNetworks(trouble: readonly StatusProblem[]): string[] {
  return [...new Set(trouble.flatMap(({ subject }) => networkWordsIn(subject)))];
}

function problemLine(
  { subject, words, since, incident, key }: StatusProblem,
  now: number,
  timeZone: TimeZone,
): ShownText {
  const from = since === undefined ? "" : t` since ${localTime(since, now, timeZone)}`;
  const about = incident && !key.startsWith("incident:") ? ` · ${incident.name} (${incident.words})` : "";
  return foreign(`${subject}: ${words}${from}${about}`, 200);
}

function watchLine({ ids, chosenBy, networkWord }: Watch, pageName: string): string {
  const page = foreign(pageName);
  const count = counted(ids.size, "component");
  if (chosenBy === "default") return t`Watching all ${count} of ${page}`;
  return t`Watching ${count} of ${page}, ${chosenBy === "user" ? t`as you chose` : t`those of ${networkWord ?? t`the network`}`}`;
}

function servicesLine({ verification, ledger }: StatusState): string {
  const told = [verification, ledger].filter(({ latencyMs }) => latencyMs !== undefined);
  return told.map((health) => `${serviceName(health)} ${healthWords(health)}`).join(", ");
}

function checkedLines(state: StatusState, now: number): string[] {
  const { confirmedAt, miss } = state;
  return [
    ...(confirmedAt === undefined ? [] : [t`Checked ${agoWords(confirmedAt, now)}`]),
    ...(miss && !state.offline ? [foreignSentence(miss.message)] : []),
  ];
}

function capped(lines: readonly string[]): string[] {
  const rest = lines.length - MAX_LINES;
  return rest > 0 ? [...lines.slice(0, MAX_LINES), t`and ${rest.toLocaleString("en-US")} more`] : [...lines];
}

function isUnwell({ state, misses }: ServiceHealth): boolean {
  return (state === "unreachable" || state === "failing") && misses >= MISSES_OF_A_SERVICE;
}

/** "Verification service", "Ledger". */
export function serviceName({ service }: Pick<ServiceHealth, "service">): string {
  return service === "verification" ? t`Verification service` : t`Ledger`;
}

/** "212 ms", "not reachable". */
export function healthWords({ state, latencyMs }: Pick<ServiceHealth, "state" | "latencyMs">): string {
  switch (state) {
    case "unchecked":
      return t`not checked yet`;
    case "unreachable":
      return t`not reachable`;
    case "failing":
      return t`answers with errors`;
    case "reachable":
      return latencyMs === undefined ? t`reachable` : `${latencyMs.toLocaleString("en-US")} ms`;
  }
}
