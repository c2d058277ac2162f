import { t } from "@vscode/l10n";
import { SOLC_SINCE, solcCode } from "./solcCode.ts";
import { fieldAt } from "../../json/looseData.ts";
import { atLeast } from "../../versions.ts";
import type { LanguageRules } from "../languageRules.ts";
import { knownSolcSettings } from "./knownSolcSettings.ts";
import { solcAllowedBy } from "./solidityPragma.ts";
import { SOLC_SETTINGS } from "./solcSettingsShape.ts";
import { completeSolcVersion, solcReleases } from "./solcReleases.ts";
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
  releases: solcReleases,
  allowedBy: solcAllowedBy,
  code: solcCode,
  metadataHashPlace: (settings, compilerVersion) =>
    !atLeast(compilerVersion, SOLC_SINCE.metadata) ||
    fieldAt(settings, "metadata", "bytecodeHash") === "none" ||
    fieldAt(settings, "metadata", "appendCBOR") === false
      ? "none"
      : "runtime code",
  releasesWithoutMetadata: (compilerVersion) =>
    atLeast(compilerVersion, SOLC_SINCE.metadata) && !atLeast(compilerVersion, SOLC_SINCE.appendCBOR)
      ? t`solc before ${SOLC_SINCE.metadata}, or from ${SOLC_SINCE.appendCBOR} on with appendCBOR off`
      : undefined,
  hasHiddenSettings: true,
  revertStatement: async (...of) => (await import("./revertStatement.ts")).revertStatement(...of),
  settings: SOLC_SETTINGS,
  knownSettings: knownSolcSettings,
  *imports(text) {
    return (yield* scanSolidityDirectivesInPieces(text)).imports.map(({ path }) => path);
  },
  defines,
  requireConcrete: requireConcreteInPieces,
};
