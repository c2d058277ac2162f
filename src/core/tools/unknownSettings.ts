import { t } from "@vscode/l10n";
import { computedIn, isComputed, SPREAD, type PlacedComputation } from "./scripts/computed.ts";
import { asRecord, field } from "../json/looseData.ts";

/** A part of what a compiler is set to that a configuration computes. */
export interface UnknownSetting extends PlacedComputation {
  /** The name of the setting, or `version` for the compiler itself. */
  readonly setting: string;
}

/** A value that is computed as a whole, where that leaves the compiler itself unknown. */
export function unknownVersion(value: unknown, place: string): UnknownSetting[] {
  return isComputed(value) ? [{ setting: "version", place, line: value.line, code: value.code }] : [];
}

/** That a part of a configuration is left out since it is computed, one sentence. */
export function leftOutAsComputed(name: string, { place, line, code }: PlacedComputation): string {
  return t`${name}, line ${line}: ${place} is computed (${code}), which Ledger Lens does not run; its value is left out.`;
}

/** A field of an object, or what was spread into it where that may have the field. */
export function takenOver(value: unknown, name: string): unknown {
  const record = asRecord(value);
  if (!record || Object.hasOwn(record, name)) return field(value, name);
  return Object.entries(record).find(([key]) => key.startsWith(SPREAD))?.[1];
}

/** Settings that decide what code a compiler makes; those that an object takes over from elsewhere may be among them. */
const DECISIVE = ["optimizer", "viaIR", "evmVersion"];
/** What else a compiler's settings may say of the code or its metadata; the rest changes neither. */
const TELLING = new Set([...DECISIVE, "metadata", "libraries", "remappings", "debug"]);

/** What is computed of the settings of a compiler. */
export function unknownSettings(written: unknown, place: string): UnknownSetting[] {
  const settings = isComputed(written) ? written : takenOver(written, "settings");
  const at = `${place}.settings`;
  if (isComputed(settings))
    return DECISIVE.map((setting) => ({ setting, place: at, line: settings.line, code: settings.code }));
  const record = asRecord(settings) ?? {};
  const spread = Object.entries(record).find(([key]) => key.startsWith(SPREAD))?.[1];
  const missing = DECISIVE.filter((setting) => isComputed(spread) && !Object.hasOwn(record, setting));
  return [
    ...missing.flatMap((setting) => computedIn(spread, at).map((one) => ({ setting, ...one }))),
    ...Object.entries(record).flatMap(([setting, value]) => {
      const [computed] = !TELLING.has(setting) ? [] : computedIn(value, `${at}.${setting}`);
      return computed ? [{ setting, ...computed }] : [];
    }),
  ];
}
