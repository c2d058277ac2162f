import { t } from "@vscode/l10n";
import { ownValue } from "../json/ownValue.ts";
import { asRecord } from "../json/looseData.ts";
import type { LooseObject } from "../json/shape.ts";

/** Whether a value has a form. */
type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === "string";
export const isSwitch: Check = (value) => typeof value === "boolean";
export const isTable: Check = (value) => asRecord(value) !== undefined;
export const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
export const isCount: Check = (value) =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
export const isTableOf =
  (check: Check): Check =>
  (value) =>
    Object.values(asRecord(value) ?? { no: undefined }).every(check);

/** The settings of a compiler that anything here looks at, in the form that it takes. */
export interface SettingsShape {
  /** As people call it. */
  readonly compiler: string;
  readonly checks: Readonly<Record<string, Check>>;
}

/** The settings whose value has another form than the compiler takes; the others are untouched by that. */
export function misshapenSettings(
  settings: LooseObject,
  { checks }: Pick<SettingsShape, "checks">,
): string[] {
  return Object.entries(checks).flatMap(([name, check]) => {
    const value = ownValue(settings, name);
    return value === undefined || check(value) ? [] : [name];
  });
}

/** The settings of a configuration without those that no compiler would take, and a sentence about each of these. */
export function shapedSettings(
  settings: LooseObject,
  configuration: string,
  shape: SettingsShape,
): { readonly settings: LooseObject; readonly problems: readonly string[] } {
  const wrong = new Set(misshapenSettings(settings, shape));
  if (wrong.size === 0) return { settings, problems: [] };
  return {
    settings: Object.fromEntries(Object.entries(settings).filter(([name]) => !wrong.has(name))),
    problems: [...wrong].map(
      (name) =>
        t`${configuration}: the setting ${name} has no form that ${shape.compiler} takes; it is left out.`,
    ),
  };
}
