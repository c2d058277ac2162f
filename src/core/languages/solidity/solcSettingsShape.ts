import type { LooseObject } from "../../json/shape.ts";
import {
  isCount,
  isSwitch,
  isTable,
  isTableOf,
  isText,
  isTexts,
  misshapenSettings,
  type SettingsShape,
} from "../settingsShape.ts";

/** The settings of solc that anything here looks at, in the form that solc takes (docs/using-the-compiler.rst). */
export const SOLC_SETTINGS: SettingsShape = {
  compiler: "solc",
  checks: {
    remappings: isTexts,
    optimizer: (value) =>
      isTable(value) &&
      misshapenSettings(value as LooseObject, {
        checks: { enabled: isSwitch, runs: isCount, details: isTable },
      }).length === 0,
    evmVersion: isText,
    viaIR: isSwitch,
    libraries: isTableOf(isTableOf(isText)),
    metadata: isTable,
    debug: isTable,
    outputSelection: isTable,
  },
};
