import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { isObject } from "../json/shape.ts";
import { renamedIdentifier, withSourceNames } from "../sources/sourceNames.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import type { ResubmitChanges, SettingChanges } from "./explanation.ts";

/** What was submitted, or will be. */
export interface Submittable {
  readonly compilerVersion: string;
  readonly contractIdentifier: string;
  readonly stdJsonInput: StandardJsonInput;
}

/**
 * A submission with what a cause says should be different. Files are renamed first; settings are laid over those that were
 * sent, object by object, and `null` takes one out; everything else stays as it was, to the byte.
 */
export function withChanges(sent: Submittable, changes: ResubmitChanges): Submittable {
  const { compilerVersion, contractIdentifier, settings, sourceNames } = changes;
  const submitted = sourceNames
    ? {
        ...sent,
        contractIdentifier: renamedIdentifier(sent.contractIdentifier, sourceNames),
        stdJsonInput: withSourceNames(sent.stdJsonInput, sourceNames),
      }
    : sent;
  const identifier =
    contractIdentifier === undefined || contractIdentifier.includes(":")
      ? contractIdentifier
      : `${splitIdentifier(submitted.contractIdentifier).file}:${contractIdentifier}`;
  return {
    compilerVersion: compilerVersion ?? submitted.compilerVersion,
    contractIdentifier: identifier ?? submitted.contractIdentifier,
    stdJsonInput: settings
      ? {
          ...submitted.stdJsonInput,
          settings: overlaid(submitted.stdJsonInput.settings, settings),
        }
      : submitted.stdJsonInput,
  };
}

function overlaid(value: unknown, changes: SettingChanges): Record<string, unknown> {
  const result = new Map(isObject(value) ? Object.entries(value) : []);
  for (const [name, change] of Object.entries(changes)) {
    if (change === null) result.delete(name);
    else result.set(name, isObject(change) ? overlaid(result.get(name), change) : change);
  }
  return Object.fromEntries(result);
}
