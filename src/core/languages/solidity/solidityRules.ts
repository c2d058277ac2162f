import type { LanguageRules } from "../languageRules.ts";
import { knownSolcSettings } from "./knownSolcSettings.ts";
import { SOLC_SETTINGS } from "./solcSettingsShape.ts";
import { completeSolcVersion } from "./solcReleases.ts";
import { solidityDeclarationsInPieces } from "./solidityDeclarations.ts";
import { defines, requireConcreteInPieces } from "./solidityCompilation.ts";
import { scanSolidityDirectivesInPieces, scanSolidityInPieces } from "./solidityScanner.ts";

/** How Solidity is read. */
export const solidityRules: LanguageRules = {
  *definitions(_path, text) {
    return (yield* scanSolidityInPieces(text)).definitions;
  },
  declarations: (_path, text) => solidityDeclarationsInPieces(text),
  completeVersion: (version, releases) => completeSolcVersion(version, releases?.solc),
  settings: SOLC_SETTINGS,
  knownSettings: knownSolcSettings,
  *imports(text) {
    return (yield* scanSolidityDirectivesInPieces(text)).imports.map(({ path }) => path);
  },
  defines,
  requireConcrete: requireConcreteInPieces,
};
