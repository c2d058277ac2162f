import { ownValue } from "../../json/ownValue.ts";
import { asRecord } from "../../json/looseData.ts";
import type { LooseObject } from "../../json/shape.ts";

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isSwitch: Check = (value) => typeof value === "boolean";
const isTable: Check = (value) => asRecord(value) !== undefined;
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isCount: Check = (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
const isTableOf =
  (check: Check): Check =>
  (value) =>
    Object.values(asRecord(value) ?? { no: undefined }).every(check);

/** The settings of solc that anything here looks at, in the form that solc takes (docs/using-the-compiler.rst). */
const SOLC_SETTINGS: Readonly<Record<string, Check>> = {
  remappings: isTexts,
  optimizer: (value) =>
    isTable(value) &&
    fits(value as LooseObject, { enabled: isSwitch, runs: isCount, details: isTable }).length === 0,
  evmVersion: isText,
  viaIR: isSwitch,
  libraries: isTableOf(isTableOf(isText)),
  metadata: isTable,
  debug: isTable,
  outputSelection: isTable,
};

const VYPER_SETTINGS: Readonly<Record<string, Check>> = {
  evmVersion: (value) => value === null || isText(value),
  optimize: (value) => isText(value) || isSwitch(value),
  enable_decimals: isSwitch,
  experimentalCodegen: isSwitch,
  venomExperimental: isSwitch,
  bytecodeMetadata: isSwitch,
  search_paths: isTexts,
  outputSelection: isTable,
};

/** The settings whose value has another form than the compiler takes; the others are untouched by that. */
export function misshapenSettings(settings: LooseObject, language = "Solidity"): string[] {
  return fits(settings, language === "Vyper" ? VYPER_SETTINGS : SOLC_SETTINGS);
}

function fits(settings: LooseObject, checks: Readonly<Record<string, Check>>): string[] {
  return Object.entries(checks).flatMap(([name, check]) => {
    const value = ownValue(settings, name);
    return value === undefined || check(value) ? [] : [name];
  });
}

/** The settings of a configuration without those that no compiler would take, and a sentence about each of these. */
export function shapedSettings(
  settings: LooseObject,
  configuration: string,
  language = "Solidity",
): { readonly settings: LooseObject; readonly problems: readonly string[] } {
  const wrong = new Set(misshapenSettings(settings, language));
  if (wrong.size === 0) return { settings, problems: [] };
  return {
    settings: Object.fromEntries(Object.entries(settings).filter(([name]) => !wrong.has(name))),
    problems: [...wrong].map(
      (name) =>
        `${configuration}: the setting ${name} has no form that ${language === "Vyper" ? "Vyper" : "solc"} takes; it is left out.`,
    ),
  };
}
