import { t } from "@vscode/l10n";
import { listed } from "../text/counted.ts";
import { shown, type ShownText } from "../text/shownText.ts";
import type { NotificationMemory } from "./notificationMemory.ts";
import { isTrouble, severity, worstLevel, type StatusLevel } from "./statusLevel.ts";
import { statusProblems, unclearKeys, type StatusProblem } from "./statusProblems.ts";
import { webAddress, type StatusSummary } from "./statusSummary.ts";
import type { Watch } from "./statusWatch.ts";
import { durationWords, localTime, type TimeZone } from "../text/timeWords.ts";

/** News to be told at once. */
export interface StatusNotification {
  readonly kind: "problem" | "worse" | "maintenance" | "recovery";
  readonly level: "info" | "warning" | "error";
  /** One sentence. */
  readonly message: ShownText;
  /** Where the page tells more, http or https. */
  readonly url: string | undefined;
  /** Which problems it speaks of. */
  readonly keys: readonly string[];
}

/** Under which circumstances a summary is looked at. */
interface NotificationCircumstances {
  readonly now: number;
  readonly watch: Watch;
  readonly timeZone: TimeZone;
  /** Milliseconds from one look to the next where none is asked for by hand. */
  readonly lookEveryMs: number;
  /** A look that a person asked for by hand, or a program: it agrees with one before only after that time. */
  readonly isByHand: boolean;
  /** False where this window tells nothing: then nothing counts as told in the others, either. */
  readonly isWanted: boolean;
}

/** A thing that changed again within an hour after it was told is told once an hour, as it is then. */
const FLAPPING_MS = 60 * 60_000;
/** Looks of their own come no nearer to each other than a minute; timers may wake a moment early. */
const LEAST_BETWEEN_LOOKS_MS = 59_000;

/** What was told lately of a watched thing. */
interface Run {
  /** The worst that was told. */
  readonly worst: StatusLevel;
  readonly toldAt: number;
  /** When it last came into another state, told or not. */
  readonly changedAt: number;
  /** It came into a state again that was told already. */
  readonly isFlapping: boolean;
  /** What is told when it is time, if it is still so. */
  readonly owed: Change | undefined;
}

/** How a watched thing stands, as two polls agreed. */
interface Subject {
  readonly level: StatusLevel;
  readonly name: string;
  readonly incidentId: string | undefined;
  readonly isIncident: boolean;
  readonly since: number;
  /** The user knows of it: it was told, or it was so from the start. */
  readonly known: boolean;
  /** What the last poll said, if that was something else. */
  readonly candidate:
    { readonly level: StatusLevel; readonly at: number; readonly before: number } | undefined;
}

interface Change {
  readonly kind: StatusNotification["kind"];
  readonly key: string;
  readonly level: StatusLevel;
  readonly subject: Subject;
  readonly problem?: StatusProblem;
  /** When it was seen first. */
  readonly at: number;
}

const NOTHING_TOLD: Run = {
  worst: "well",
  toldAt: -Infinity,
  changedAt: -Infinity,
  isFlapping: false,
  owed: undefined,
};

/**
 * Turns successive summaries into notifications. The first summary is what is, and no news. After it a change counts
 * when two polls in a row say the same, or one if it says that something is out entirely. What happens
 * while it is muted is not told, then or later, and neither is its end. What comes and goes is told with its first
 * end, and from then on once an hour until it has kept its state for an hour; unless it is worse than anything told.
 */
export class StatusNotifications {
  readonly #memory: NotificationMemory;
  #subjects: Map<string, Subject> | undefined;
  #watched: ReadonlySet<string> = new Set();
  #lookedAt = 0;
  readonly #runs = new Map<string, Run>();
  /** When something was told last that comes and goes. */
  #flappingToldAt = -Infinity;

  constructor(memory: NotificationMemory) {
    this.#memory = memory;
  }

  /** Another page, another past: the next summary is the first again. */
  reset(): void {
    this.#subjects = undefined;
    this.#runs.clear();
  }

  /** Looks at the summary of one poll; a poll that brought nothing new counts as well. */
  observe(summary: StatusSummary, circumstances: NotificationCircumstances): StatusNotification[] {
    const { now, watch } = circumstances;
    const all = statusProblems(summary, watch);
    const current = new Map(
      all
        .filter(({ watched, level }) => watched && isTrouble(level))
        .map((problem) => [problem.key, problem]),
    );
    const before = this.#lookedAt;
    const wasWatched = this.#watched;
    this.#lookedAt = now;
    this.#watched = watch.ids;
    if (!this.#subjects) {
      this.#subjects = new Map([...current].map(([key, problem]) => [key, adopted(problem, now)]));
      return [];
    }
    this.#forget(all, current, watch);
    const changes: Change[] = [];
    const unclear = unclearKeys(summary);
    for (const key of new Set([...this.#subjects.keys(), ...current.keys()])) {
      const problem = current.get(key);
      // It is neither over nor worse as far as is known.
      if (!problem && unclear.has(key)) continue;
      const id = key.replace(/^component:/, "");
      const isNewlyWatched = id !== key && !wasWatched.has(id);
      if (problem && isNewlyWatched && !this.#subjects.has(key))
        this.#subjects.set(key, adopted(problem, now));
      else for (const change of this.#step(key, problem, circumstances, before)) changes.push(change);
    }
    const told = changes.filter((change) => this.#isToldNow(change, now));
    const due = this.#due(current, circumstances);
    if (due.length > 0) this.#flappingToldAt = now;
    return this.#tell([...told, ...due], summary, circumstances);
  }

  /** Whether something that is watched looks otherwise than it did, and no second look has agreed yet. */
  get isUnsure(): boolean {
    return [...(this.#subjects ?? []).values()].some(({ candidate }) => candidate !== undefined);
  }

  /** Lets go of what is no longer watched, and of what goes on under another key. */
  #forget(all: readonly StatusProblem[], current: ReadonlyMap<string, StatusProblem>, watch: Watch): void {
    const subjects = this.#subjects ?? new Map<string, Subject>();
    const keys = new Set(all.map(({ key }) => key));
    // Of each incident what was not there before; once taken over it is there.
    const fresh = new Map<string, StatusProblem[]>();
    for (const problem of current.values()) {
      if (problem.incident === undefined || subjects.has(problem.key)) continue;
      const { id } = problem.incident;
      const ofIncident = fresh.get(id);
      if (ofIncident) ofIncident.push(problem);
      else fresh.set(id, [problem]);
    }
    for (const [key, subject] of subjects) {
      if (current.has(key)) continue;
      const isUnwatched = subject.isIncident ? keys.has(key) : !watch.ids.has(key.replace(/^component:/, ""));
      // An incident is now shown by its component, or the other way about.
      const { incidentId = "" } = subject;
      const heirs = fresh.get(incidentId) ?? [];
      fresh.delete(incidentId);
      for (const { key: other, subject: name } of heirs) {
        const isIncident = other.startsWith("incident:");
        subjects.set(other, { ...subject, name, isIncident, candidate: undefined });
        const run = this.#runs.get(key);
        if (run) this.#runs.set(other, { ...run, owed: undefined });
      }
      if (isUnwatched || heirs.length > 0) subjects.delete(key);
    }
  }

  /** One step of one watched thing; the change, if two polls agree on one. */
  #step(
    key: string,
    problem: StatusProblem | undefined,
    { now, lookEveryMs, isByHand }: NotificationCircumstances,
    before: number,
  ): Change[] {
    const subjects = this.#subjects ?? new Map<string, Subject>();
    const level = problem?.level ?? "well";
    const subject =
      subjects.get(key) ?? (problem && { ...adopted(problem, now), level: "well", known: false });
    if (!subject) return [];
    if (level === subject.level) {
      if (level === "well") subjects.delete(key);
      else subjects.set(key, { ...subject, candidate: undefined });
      return [];
    }
    // What was seen in a future that a clock was set back from is seen now.
    const { candidate: seen } = subject;
    const isSame = seen?.level === level && seen.at <= now;
    const candidate = isSame ? seen : { level, at: now, before };
    const between = isByHand ? Math.max(LEAST_BETWEEN_LOOKS_MS, lookEveryMs - 1_000) : LEAST_BETWEEN_LOOKS_MS;
    if (level !== "major_outage" && now - candidate.at < between) {
      subjects.set(key, { ...subject, candidate });
      return [];
    }
    const isWorse = severity(level) > severity(subject.level);
    const changed: Subject = {
      ...subject,
      level,
      candidate: undefined,
      ...(subject.level === "well" && { since: Math.min(problem?.since ?? candidate.at, candidate.at) }),
      ...(problem && { name: problem.subject, incidentId: problem.incident?.id ?? subject.incidentId }),
    };
    if (level === "well") subjects.delete(key);
    else subjects.set(key, changed);
    const run = this.#runs.get(key);
    if (run) this.#runs.set(key, { ...run, changedAt: now });
    const kind = level === "well" ? "recovery" : subject.level === "well" ? "problem" : "worse";
    if (kind === "worse" && !isWorse) return [];
    const isTold = this.#memory.wasTold(key, level, candidate.before);
    if (isTold && level !== "well") subjects.set(key, { ...changed, known: true });
    if (isTold || (kind === "recovery" && !subject.known)) return [];
    return [{ kind, key, level, subject: changed, at: candidate.at, ...(problem && { problem }) }];
  }

  /** Whether a change is news; one that comes back to what was told lately is kept for later. */
  #isToldNow(change: Change, now: number): boolean {
    const { key, kind, level, subject } = change;
    const run = this.#runOf(key, now);
    if (!run) return true;
    if (kind === "recovery" ? !run.isFlapping : severity(level) > severity(run.worst)) return true;
    const isUntoldEnd = run.owed?.kind === "recovery";
    this.#runs.set(key, {
      ...run,
      changedAt: now,
      isFlapping: true,
      owed: kind !== "recovery" && isUntoldEnd ? undefined : change,
    });
    // That it was well in the meantime was not told.
    if (kind !== "recovery" && isUntoldEnd) this.#subjects?.set(key, { ...subject, known: true });
    return false;
  }

  /** What was told lately of a thing, by this window or another one; nothing once it has kept its state for an hour. */
  #runOf(key: string, now: number): Run | undefined {
    const run = this.#runs.has(key) ? this.#withOtherWindows(key, now) : undefined;
    if (run?.owed || (run && now - Math.max(run.toldAt, run.changedAt) < FLAPPING_MS)) return run;
    this.#runs.delete(key);
    const told = this.#memory.toldSince(key, now - FLAPPING_MS);
    const [latest] = told;
    if (!latest) return undefined;
    const worst = worstLevel(told.map(({ level }) => level));
    return { worst, toldAt: latest.at, changedAt: latest.at, isFlapping: false, owed: undefined };
  }

  /** What was kept for later, is still so and may be told now; what is wrong before what is well again. */
  #due(
    current: ReadonlyMap<string, StatusProblem>,
    { now, watch }: Pick<NotificationCircumstances, "now" | "watch">,
  ): Change[] {
    const due: Change[] = [];
    for (const key of [...this.#runs.keys()]) {
      const run = this.#withOtherWindows(key, now);
      const { owed } = run;
      if (!owed) {
        if (now - Math.max(run.toldAt, run.changedAt) >= FLAPPING_MS) this.#runs.delete(key);
        continue;
      }
      const id = key.replace(/^component:/, "");
      const isWatched = id === key || watch.ids.has(id);
      const asItIs = this.#nowOf(owed, current);
      if (!isWatched || !asItIs) this.#runs.set(key, { ...run, owed: undefined });
      else if (now - Math.max(run.toldAt, this.#flappingToldAt) >= FLAPPING_MS) due.push(asItIs);
    }
    const wrong = due.filter(({ kind }) => kind !== "recovery");
    const told = wrong.length > 0 ? wrong : due;
    for (const { key } of told) {
      const run = this.#runs.get(key);
      if (run) this.#runs.set(key, { ...run, owed: undefined });
    }
    return told;
  }

  /** What was told lately, with what another window told since, which need not be told again. */
  #withOtherWindows(key: string, now: number): Run {
    const run = this.#runs.get(key) ?? NOTHING_TOLD;
    const [latest] = this.#memory.toldSince(key, Math.max(run.toldAt, now - FLAPPING_MS));
    if (!latest) return run;
    const { level, at } = latest;
    const subject = this.#troubled(key);
    if (subject && level !== "well") this.#subjects?.set(key, { ...subject, known: true });
    const isSame = (run.owed?.kind === "recovery") === (level === "well");
    const known = {
      ...run,
      worst: worstLevel([run.worst, level]),
      toldAt: at,
      owed: isSame ? undefined : run.owed,
    };
    this.#runs.set(key, known);
    return known;
  }

  /** How a thing stands that is not well; what one look says against the other does not count yet. */
  #troubled(key: string): Subject | undefined {
    const subject = this.#subjects?.get(key);
    return subject?.level === "well" ? undefined : subject;
  }

  /** A change that was kept for later, as it is now; `undefined` where it is over. */
  #nowOf(owed: Change, current: ReadonlyMap<string, StatusProblem>): Change | undefined {
    const subject = this.#troubled(owed.key);
    if (owed.kind === "recovery") return subject ? undefined : owed;
    if (!subject || (owed.kind === "worse" && severity(subject.level) < severity(owed.level)))
      return undefined;
    if (owed.kind !== "worse" && subject.known) return undefined;
    const problem = current.get(owed.key);
    return { ...owed, level: subject.level, subject, ...(problem && { problem }) };
  }

  /** At most one notification of what is wrong and one of what is well again. */
  #tell(
    told: readonly Change[],
    summary: StatusSummary,
    { now, timeZone, isWanted }: NotificationCircumstances,
  ): StatusNotification[] {
    if (told.length === 0 || !isWanted || this.#memory.mutedUntil(now) !== undefined) return [];
    for (const { key, kind, subject } of told)
      if (kind !== "recovery") this.#subjects?.set(key, { ...subject, known: true });
    for (const { key, level } of told) {
      const run = this.#runOf(key, now);
      this.#runs.set(key, {
        worst: worstLevel([run?.worst ?? "well", level]),
        toldAt: now,
        changedAt: now,
        isFlapping: run?.isFlapping ?? false,
        owed: undefined,
      });
    }
    this.#memory.tell(told, now);
    const recovered = told.filter(({ kind }) => kind === "recovery");
    const wrong = told.filter(({ kind }) => kind !== "recovery");
    const pageUrl = webAddress(summary.page.url);
    return [
      ...(wrong.length > 0 ? [notificationOfTrouble(wrong, summary, pageUrl, now, timeZone)] : []),
      ...(recovered.length > 0 ? [notificationOfRecovery(recovered, summary, pageUrl)] : []),
    ];
  }
}

function adopted(problem: StatusProblem, now: number): Subject {
  return {
    level: problem.level,
    name: problem.subject,
    incidentId: problem.incident?.id,
    isIncident: problem.key.startsWith("incident:"),
    since: Math.min(problem.since ?? now, now),
    known: true,
    candidate: undefined,
  };
}

const STATES: Readonly<Record<StatusLevel, string>> = {
  well: t`is operational`,
  unknown: t`has changed`,
  maintenance: t`is under maintenance`,
  degraded: t`has degraded performance`,
  partial_outage: t`has a partial outage`,
  major_outage: t`has a major outage`,
};

/** The same of what was bad before and is worse now. */
const WORSE: Readonly<Record<StatusLevel, string>> = {
  ...STATES,
  degraded: t`now has degraded performance`,
  partial_outage: t`now has a partial outage`,
  major_outage: t`now has a major outage`,
};

/** How many things one notification names. */
const MAX_NAMES = 3;

function notificationOfTrouble(
  changes: readonly Change[],
  summary: StatusSummary,
  pageUrl: string | undefined,
  now: number,
  timeZone: TimeZone,
): StatusNotification {
  const sorted = changes.toSorted((one, other) => severity(other.level) - severity(one.level));
  const worst = worstLevel(sorted.map(({ level }) => level));
  const [first] = sorted;
  const page = summary.page.name;
  const urls = new Set(sorted.map(({ problem }) => problem?.incident?.url));
  const level = worst === "maintenance" ? "info" : worst === "major_outage" ? "error" : "warning";
  const kind =
    worst === "maintenance"
      ? "maintenance"
      : sorted.every((change) => change.kind === "worse")
        ? "worse"
        : "problem";
  const message =
    sorted.length === 1 && first
      ? sentenceOf(first, page, now, timeZone)
      : shown`${page} reports trouble in ${sorted.length} places: ${listed(sorted.map(({ subject, problem }) => `${subject.name} (${problem?.words ?? ""})`))}.`;
  return {
    kind,
    level,
    message,
    url: (urls.size === 1 ? [...urls][0] : undefined) ?? pageUrl,
    keys: sorted.map(({ key }) => key),
  };
}

function sentenceOf(
  { subject, problem, level, kind }: Change,
  page: string,
  now: number,
  timeZone: TimeZone,
): ShownText {
  const since = kind === "worse" ? "" : t` since ${localTime(subject.since, now, timeZone)}`;
  if (subject.isIncident) {
    return level === "maintenance"
      ? shown`Maintenance at ${page}${since}: ${subject.name} (${problem?.words ?? t`in progress`}).`
      : shown`Incident at ${page}${since}: ${subject.name} (${problem?.words ?? t`open`}).`;
  }
  const incident = problem?.incident ? `: ${problem.incident.name}` : "";
  return shown`${subject.name} ${(kind === "worse" ? WORSE : STATES)[level]}${since}${incident}.`;
}

function notificationOfRecovery(
  changes: readonly Change[],
  summary: StatusSummary,
  pageUrl: string | undefined,
): StatusNotification {
  const [first] = changes;
  const after = ({ subject, at }: Change) => t`after ${durationWords(at - subject.since)}`;
  const message =
    changes.length === 1 && first
      ? first.subject.isIncident
        ? shown`Over ${after(first)}: ${first.subject.name}.`
        : shown`${first.subject.name} is operational again ${after(first)}.`
      : shown`${summary.page.name} reports ${changes.length} places operational again: ${listed(
          changes.map((change) => `${change.subject.name} (${after(change)})`),
          MAX_NAMES,
        )}.`;
  return { kind: "recovery", level: "info", message, url: pageUrl, keys: changes.map(({ key }) => key) };
}
