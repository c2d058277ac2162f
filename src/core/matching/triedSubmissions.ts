import { defaultEvmVersion } from "../evm/evmVersion.ts";
import type { CompilerSettings } from "../sources/standardJsonInput.ts";
import { fieldAt } from "../json/looseData.ts";
import { withChanges, type Submittable } from "./resubmission.ts";
import type { EarlierTry, ExplanationInput, ResubmitChanges } from "./explanation.ts";

/** What was submitted for a contract so far: no button offers any of it again, since it did not match. */
export class TriedSubmissions {
  readonly #submitted: Submittable;
  readonly #keys: ReadonlySet<string>;
  /** The tries with the very sources and the contract of this submission, the present one left out. */
  readonly alike: readonly EarlierTry[];

  constructor({ submitted, earlier = [] }: Pick<ExplanationInput, "submitted" | "earlier">) {
    this.#submitted = submitted;
    const isOwn = (one: EarlierTry) =>
      one.contractIdentifier === submitted.contractIdentifier && hasSameSources(one, submitted);
    const key = keyOf(submitted);
    const same = earlier.filter(isOwn);
    this.#keys = new Set([key, ...same.map(keyOf)]);
    this.alike = same.filter((one) => keyOf(one) !== key);
  }

  /** Different submissions of the same sources, this one among them. */
  get count(): number {
    return this.#keys.size;
  }

  /** Whether the submission with these changes was made already. */
  includes(changes: ResubmitChanges): boolean {
    return (
      changes.contractIdentifier === undefined && this.#keys.has(keyOf(withChanges(this.#submitted, changes)))
    );
  }
}

/** Texts are compared and not written out as one, which takes long for an input of megabytes. */
function hasSameSources({ stdJsonInput: one }: Submittable, { stdJsonInput: other }: Submittable): boolean {
  const names = Object.keys(one.sources);
  return (
    one.language === other.language &&
    names.length === Object.keys(other.sources).length &&
    names.every((name) => fieldAt(one.sources, name, "content") === fieldAt(other.sources, name, "content"))
  );
}

/** The compiler and its settings, defaults written out, since what is not said is sent all the same. */
function keyOf({ compilerVersion, contractIdentifier, stdJsonInput }: Submittable): string {
  // What is asked of the compiler changes nothing.
  const settings: CompilerSettings = { ...stdJsonInput.settings, outputSelection: undefined };
  const version = compilerVersion.replace(/^v/, "");
  if (stdJsonInput.language === "Vyper") return sorted([version, contractIdentifier, settings]);
  const { optimizer, evmVersion } = settings;
  return sorted([
    version,
    contractIdentifier,
    {
      ...settings,
      evmVersion: evmVersion ?? defaultEvmVersion("Solidity", version),
      viaIR: settings["viaIR"] === true,
      optimizer: { ...optimizer, enabled: optimizer?.enabled === true, runs: optimizer?.runs ?? 200 },
    },
  ]);
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
