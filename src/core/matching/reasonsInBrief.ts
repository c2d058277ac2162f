import { t } from "@vscode/l10n";
import { counted, grouped } from "../text/counted.ts";

/**
 * The decisive reasons of a prediction where a line has no room for the sentence: without the names and values of which there
 * may be any number. Each fits into a review in a window of 1,280 × 800, in every language that there is.
 */
export const IN_BRIEF = {
  blueprint: () => t`This address is a blueprint (ERC-5202) and no contract.`,
  /** @param proxy as the middle of a sentence */
  proxy: (proxy: string) => t`This address is ${proxy}.`,
  sameHash: () => t`Same sources and settings: the metadata hash is the deployed one.`,
  sameHashOtherCode: (bytes: number) =>
    t`Same sources and settings, but the code differs in ${counted(bytes, "byte")}.`,
  sameBuildChangedFiles: (files: number) =>
    t`The recorded build is the deployed one; changed since: ${counted(files, "file")}.`,
  otherHash: () => t`The metadata hash is another one: a source or a setting differs.`,
  otherSetting: (setting: string) => t`The deployed build has another ${setting} than the local one.`,
  filesAsOnDisk: (files: number) => t`The deployed build has ${counted(files, "file")} as on disk now.`,
  /** @param description such as "with Windows line endings" */
  otherFiles: (files: number, description: string) => t`${counted(files, "file")} deployed ${description}.`,
  byChance: () => t`This release of the compiler may not make the same code twice.`,
  sameCodeChangedFiles: (files: number) =>
    t`The code of the local build is the deployed one; changed since: ${counted(files, "file")}.`,
  sameIntegrity: () => t`Same runtime code; the creation code carries these sources' integrity.`,
  sameCodeOtherHash: () => t`The code is the same, but its metadata hash is another one.`,
  otherCode: (bytes: number) => t`The code differs from the local build's in ${counted(bytes, "byte")}.`,
  otherMetadataForm: () => t`Same instructions, but the metadata behind them has another form.`,
  otherInnerCompiler: () => t`Same instructions, but a contract inside was compiled by another version.`,
  viaIR: (isOn: boolean) =>
    isOn
      ? t`The deployed code looks compiled via IR; the settings have it off.`
      : t`The deployed code does not look compiled via IR; the settings have it on.`,
  optimizer: (isOn: boolean) =>
    isOn
      ? t`The deployed code looks optimized; the settings have the optimizer off.`
      : t`The deployed code looks not optimized; the settings have the optimizer on.`,
  otherFunctions: (missing: number, extra: number) =>
    t`Other functions: ${grouped(missing)} only in the deployed code, ${grouped(extra)} only in the contract.`,
  compiledExactly: (version: string) =>
    t`Compiled here with ${version}: the deployed code, metadata hash included.`,
  compiledAlike: (version: string) =>
    t`Compiled here with ${version}: the deployed code but for the metadata hash.`,
  compiledOtherwise: (version: string) => t`Compiled here with ${version}: not the deployed code.`,
  refusedByCompiler: (version: string) => t`The sources do not compile with ${version}.`,
} as const;
