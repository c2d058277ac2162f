import type { LanguageRules } from "../languageRules.ts";
import { knownSolcSettings } from "../solidity/knownSolcSettings.ts";
import { solcAllowedBy } from "../solidity/solidityPragma.ts";
import { solcCode } from "../solidity/solcCode.ts";
import { SOLC_SETTINGS } from "../solidity/solcSettingsShape.ts";
import { completeSolcVersion, solcReleases } from "../solidity/solcReleases.ts";
import { yulContractInput, yulObjectOf } from "./yulInput.ts";

/** How Yul is read: of a file the outermost object counts, which has no interface. */
export const yulRules: LanguageRules = {
  *definitions(_path, text) {
    yield;
    const object = yulObjectOf(text);
    return object ? [{ kind: "contract", ...object }] : [];
  },
  completeVersion: (version, releases) => completeSolcVersion(version, releases?.solc),
  releases: solcReleases,
  allowedBy: solcAllowedBy,
  code: solcCode,
  settings: SOLC_SETTINGS,
  knownSettings: knownSolcSettings,
  ownInput: yulContractInput,
};
