import { t } from "@vscode/l10n";
import { foreign } from "../text/shownText.ts";

/** From best to worst. */
export const STATUS_LEVELS = [
  "well",
  "unknown",
  "maintenance",
  "degraded",
  "partial_outage",
  "major_outage",
] as const;

/**
 * How well something is, in one order for all the words that status pages use. `unknown` is a word that this
 * version does not know: it is shown as it is and is no alarm.
 */
export type StatusLevel = (typeof STATUS_LEVELS)[number];

/** Atlassian Statuspage's words for a component; `maintenance` is what some pages write for it. */
const COMPONENT_LEVELS = new Map<string, StatusLevel>([
  ["operational", "well"],
  ["degraded_performance", "degraded"],
  ["partial_outage", "partial_outage"],
  ["major_outage", "major_outage"],
  ["under_maintenance", "maintenance"],
  ["maintenance", "maintenance"],
]);

/** Statuspage's words for the page's indicator and for the impact of an incident. */
const IMPACT_LEVELS = new Map<string, StatusLevel>([
  ["none", "well"],
  ["minor", "degraded"],
  ["major", "partial_outage"],
  ["critical", "major_outage"],
  ["maintenance", "maintenance"],
]);

const ICONS = {
  well: "pass",
  unknown: "circle-outline",
  maintenance: "tools",
  degraded: "warning",
  partial_outage: "warning",
  major_outage: "error",
} as const;

const COLORS = {
  well: undefined,
  unknown: undefined,
  maintenance: undefined,
  degraded: "warning",
  partial_outage: "warning",
  major_outage: "error",
} as const;

/** Position in the order: 0 for well, more for worse. */
export function severity(level: StatusLevel): number {
  return STATUS_LEVELS.indexOf(level);
}

/** The worst of several; `well` of none. */
export function worstLevel(levels: Iterable<StatusLevel>): StatusLevel {
  let worst: StatusLevel = "well";
  for (const level of levels) if (severity(level) > severity(worst)) worst = level;
  return worst;
}

/** Whether it should be told: unknown words are no trouble. */
export function isTrouble(level: StatusLevel): boolean {
  return severity(level) > severity("unknown");
}

/** Level of a component's `status`. */
export function componentLevel(status: string): StatusLevel {
  return COMPONENT_LEVELS.get(folded(status)) ?? "unknown";
}

/** Level of the page's `indicator` or of an incident's `impact`. */
export function impactLevel(word: string): StatusLevel {
  return IMPACT_LEVELS.get(folded(word)) ?? "unknown";
}

/** Statuspage's words for where an incident or a maintenance stands, as a person reads them. */
const EVENT_WORDS = new Map<string, string>([
  ["investigating", t`investigating`],
  ["identified", t`identified`],
  ["monitoring", t`monitoring`],
  ["resolved", t`resolved`],
  ["postmortem", t`postmortem`],
  ["scheduled", t`scheduled`],
  ["in_progress", t`in progress`],
  ["verifying", t`verifying`],
  ["completed", t`completed`],
]);

/** The same for a component, a page and the impact of an incident. */
const LEVEL_WORDS = new Map<string, string>([
  ["operational", t`operational`],
  ["degraded_performance", t`degraded performance`],
  ["partial_outage", t`partial outage`],
  ["major_outage", t`major outage`],
  ["under_maintenance", t`under maintenance`],
  ["maintenance", t`maintenance`],
  ["none", t`none`],
  ["minor", t`minor`],
  ["major", t`major`],
  ["critical", t`critical`],
]);

/** Whether a page's indicator is one of Statuspage's, spelled as it does. */
export function isIndicator(word: string): boolean {
  return IMPACT_LEVELS.has(word);
}

/** Whether the status of a component, an incident or a maintenance is one of Statuspage's, spelled as it does. */
export function isStatusWord(word: string): boolean {
  return COMPONENT_LEVELS.has(word) || EVENT_WORDS.has(word);
}

/** A codicon's name. */
export function levelIcon(level: StatusLevel): string {
  return ICONS[level];
}

/** The colour of the icon; none for what needs no attention. */
export function levelColor(level: StatusLevel): "error" | "warning" | undefined {
  return COLORS[level];
}

/** "degraded performance" for `degraded_performance`, in the language of the editor; a word that is not Statuspage's stays as it is. */
export function statusWords(status: string): string {
  const known = LEVEL_WORDS.get(status) ?? EVENT_WORDS.get(status);
  if (known !== undefined) return known;
  return foreign(/^[a-z]+(?:_[a-z]+)*$/.test(status) ? status.replaceAll("_", " ") : status);
}

function folded(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}
