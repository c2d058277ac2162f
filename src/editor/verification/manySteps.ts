import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../core/errors.ts";
import { ownValue } from "../../core/json/ownValue.ts";
import type { Step } from "../ui/multiStep.ts";

const MANY = ["deployments", "addresses", "diamond"] as const;

/**
 * The arguments that stand for many deployments: `deployments: "all"`, which the project's records tell of,
 * `addresses: [...]`, and `diamond`, the address of one whose facets are meant.
 */
export type ManyKind = (typeof MANY)[number];

/** Whether many were chosen, while a command asks for one. */
export interface ManyState {
  many?: ManyKind | undefined;
}

/** What an argument object gives of that. */
export function manyNamed(args: Readonly<Record<string, unknown>>): ManyKind | undefined {
  const [named, ...others] = MANY.filter((name) => (ownValue(args, name) ?? undefined) !== undefined);
  if (others.length === 0) return named;
  throw new LedgerLensError(
    "invalid_argument",
    t`Only one of ${MANY.join(", ")} can be given. Correct it and call the command again.`,
  );
}

/** Questions about one deployment, which are left out where many were chosen. */
export function unlessMany<State extends ManyState>(steps: readonly Step<State>[]): Step<State>[] {
  return steps.map((step) => ({
    ...step,
    isKnown: (state) => state.many !== undefined || step.isKnown(state),
  }));
}
