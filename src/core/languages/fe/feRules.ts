import type { LanguageRules } from "../languageRules.ts";
import { fields } from "../knownSettings.ts";
import { SOLC_SETTINGS } from "../solidity/solcSettingsShape.ts";
import { completeFeVersion, feContractInput, feContractsIn } from "./feInput.ts";

/** How Fe is read; what can be called of its contracts is not. */
export const feRules: LanguageRules = {
  *definitions(_path, text) {
    yield;
    return feContractsIn(text).map((contract) => ({ kind: "contract", ...contract }));
  },
  completeVersion: completeFeVersion,
  // The service gives Fe no settings, so that any form of them does nothing.
  settings: SOLC_SETTINGS,
  knownSettings: () => fields({}),
  ownInput: feContractInput,
};
