import { codeRulesOf } from "../languages/rules.ts";
import type { CompilerSettings, StandardJsonInput } from "../sources/standardJsonInput.ts";
import { fieldAt } from "../json/looseData.ts";
import { plainVersion } from "../versions.ts";
import { withChanges, type Submittable } from "./resubmission.ts";
import type { EarlierTry, ExplanationInput, ResubmitChanges } from "./explanation.ts";

/** What was submitted for a contract so far: no button offers any of it again, since it did not match. */
export class TriedSubmissions {
  readonly #submitted: Submittable;
  readonly #keys: ReadonlySet<string>;
  /** The tries with the very sources and the contract of this submission, the present one left out. */
  readonly alike: readonly EarlierTry[];
  /** Of these, what differs in nothing but the number of runs of its optimizer; a number is there once. */
  readonly ofOtherRuns: readonly (EarlierTry & { readonly runs: number })[];
  /** Every number of runs that was submitted, whatever with. */
  readonly runs: readonly number[];

  constructor({ submitted, earlier = [] }: Pick<ExplanationInput, "submitted" | "earlier">) {
    this.#submitted = submitted;
    const isOwn = (one: EarlierTry) =>
      one.contractIdentifier === submitted.contractIdentifier &&
      hasSameSources(one.stdJsonInput, submitted.stdJsonInput);
    const key = submissionKey(submitted);
    const same = earlier.filter(isOwn);
    this.#keys = new Set([key, ...same.map(submissionKey)]);
    this.alike = same.filter((one) => submissionKey(one) !== key);
    const withoutRuns = keyWithoutRuns(submitted);
    const other = this.alike.filter((one) => keyWithoutRuns(one) === withoutRuns);
    this.ofOtherRuns = [...new Map(other.map((one) => [runsOf(one), one]))].map(([runs, one]) => ({
      ...one,
      runs,
    }));
    this.runs = [...new Set([submitted, ...same].map(runsOf))];
  }

  /** Different submissions of the same sources, this one among them. */
  get count(): number {
    return this.#keys.size;
  }

  /** Whether the submission with these changes was made already. */
  includes(changes: ResubmitChanges): boolean {
    return (
      changes.contractIdentifier === undefined &&
      this.#keys.has(submissionKey(withChanges(this.#submitted, changes)))
    );
  }
}

function runsOf({ stdJsonInput: { settings } }: Submittable): number {
  return settings.optimizer?.runs ?? 200;
}

function keyWithoutRuns(submitted: Submittable): string {
  return submissionKey(withChanges(submitted, { settings: { optimizer: { runs: 0 } } }));
}

/** Whether two inputs compile the same texts. They are compared and not written out as one, which takes long for an input of megabytes. */
export function hasSameSources(
  { language, sources }: StandardJsonInput,
  { language: otherLanguage, sources: others }: StandardJsonInput,
): boolean {
  if (language !== otherLanguage) return false;
  if (sources === others) return true;
  const names = Object.keys(sources);
  return (
    names.length === Object.keys(others).length &&
    names.every((name) => fieldAt(sources, name, "content") === fieldAt(others, name, "content"))
  );
}

/** The compiler and its settings, defaults written out, since what is not said is sent all the same. */
export function submissionKey({ compilerVersion, contractIdentifier, stdJsonInput }: Submittable): string {
  // What is asked of the compiler changes nothing.
  const settings: CompilerSettings = { ...stdJsonInput.settings, outputSelection: undefined };
  const version = plainVersion(compilerVersion);
  const { withDefaults } = codeRulesOf(stdJsonInput.language);
  return sorted([version, contractIdentifier, withDefaults(settings, version)]);
}

/** JSON with the members of every object in order, empty ones left out. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    const members = Object.entries(member).filter(([, one]) => one !== undefined && !isEmpty(one));
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
